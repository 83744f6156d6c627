package main

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// squad are members of teams in line mode who play wherever the club leads them.
type squad struct {
	people map[string]*liner
	keys   map[string]gossh.Signer
}

// teams are the teams of these tests by their tags, the captains first.
var teams = map[string][]string{"OWL": {"ana", "ben"}, "CAT": {"cem", "dora"}}

// teamOf is the tag of somebody's team.
func teamOf(name string) string {
	for tag, names := range teams {
		if slices.Contains(names, name) {
			return tag
		}
	}
	return ""
}

// gather connects the members of two teams, each from a network of their own, and has them make the teams.
func gather(t *testing.T, m *Main) *squad {
	t.Helper()
	s := &squad{people: map[string]*liner{}, keys: map[string]gossh.Signer{}}
	for _, names := range teams {
		for _, name := range names {
			s.keys[name] = member(t, m, name)
		}
	}
	s.come(t, m)
	for tag, names := range teams {
		s.people[names[0]].says("team new "+tag+" The "+tag, `\[`+tag+`\]`)
		s.people[names[0]].says("team invite "+names[1], `(?i)`+names[1])
		s.people[names[1]].says("team accept "+tag, `\[`+tag+`\]`)
	}
	return s
}

// come has everybody enter the club.
func (s *squad) come(t *testing.T, m *Main) {
	t.Helper()
	for name, key := range s.keys {
		l := startLineOf(t, dial(t, m, key, name), "", "", func([]byte) {})
		l.until(`You are ` + name)
		s.people[name] = l
	}
}

// says types a line, again if it was refused as too fast, and waits for output that matches.
func (l *liner) says(line, pattern string) string {
	l.t.Helper()
	for {
		l.say(line)
		if read := l.until(pattern + `|` + tooFast); !strings.Contains(read, tooFast) {
			return read
		}
	}
}

// play makes everybody play wherever they are led until the test ends. A player who returns to a game may
// have been asked already, together with the awaited greeting.
func (s *squad) play(t *testing.T) {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for _, l := range s.people {
		l.mu.Lock()
		l.read = 0
		l.mu.Unlock()
		wg.Go(func() { l.playAnything(stop) })
	}
	t.Cleanup(func() {
		close(stop)
		wg.Wait()
	})
}

// asked are the questions that a table asks, each with its answer.
var asked = []struct {
	question *regexp.Regexp
	answer   string
}{{regexp.MustCompile(`Your move:.* 1\) [0-6]-[0-6]`), "1"}, {regexp.MustCompile(`Type next to go on`), "next"}}

// playAnything answers every question of a table, again if the answer was refused as too fast.
func (l *liner) playAnything(stop <-chan struct{}) {
	said := ""
	for {
		l.mu.Lock()
		flat, changed := strings.Join(strings.Fields(l.all.String()[l.read:]), " "), l.changed
		answer, last := "", 0 // to the question that was asked last
		for _, a := range asked {
			for _, at := range a.question.FindAllStringIndex(flat, -1) {
				if at[1] > last {
					answer, last = a.answer, at[1]
				}
			}
		}
		if answer == "" && strings.Contains(flat, tooFast) {
			answer = said
		}
		if answer != "" {
			l.read = l.all.Len()
		}
		l.mu.Unlock()
		if answer != "" {
			said = answer
			if _, err := io.WriteString(l.in, answer+"\r"); err != nil {
				return
			}
			continue
		}
		select {
		case <-changed:
		case <-stop:
			return
		}
	}
}

// fixture is a row of what "league N --json" writes, as far as tests look at it.
type fixture struct {
	Type, State, Winner, Tag string
	Contest, Table           int64
	Tags                     []string
	Games, Points            []int
	Score, Won, Lost         int
	Walkover                 bool
}

// leagueNow is a league of two teams: its first row, its only match, and the places.
func leagueNow(t *testing.T, m *Main, boss gossh.Signer, id string) (first, match fixture, places []fixture) {
	t.Helper()
	for line := range strings.Lines(ask(t, m, boss, "olga", "league "+id+" --json")) {
		var f fixture
		require.NoError(t, json.Unmarshal([]byte(line), &f))
		switch f.Type {
		case "":
			first = f
		case "match":
			match = f
		case "place":
			places = append(places, f)
		}
	}
	return first, match, places
}

// Two teams play a league match over real connections: their captains sign up, propose a time and accept it,
// the table opens by itself, and the games decide the match, the season and its table. The clock is set
// forward only while everybody is waiting.
func TestLeagueMatch(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	boss := newKey(t)
	m := openClub(t, func(m *Main) {
		m.Settings.Exhibition = false
		m.Settings.Operators = []string{gossh.FingerprintSHA256(boss.PublicKey())}
		m.tables.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	})
	ask(t, m, boss, "olga", "register olga")
	s := gather(t, m)
	s.play(t)
	var first fixture
	require.NoError(t, json.Unmarshal([]byte(ask(t, m, boss, "olga", "league new in=11m window=1h block pace=normal name=Winter --json")),
		&first))
	league := fmt.Sprint(first.Contest)
	for tag, names := range teams {
		require.Contains(t, try(t, m, s.keys[names[1]], names[1], "league "+league+" join"), "captain")
		ask(t, m, s.keys[names[0]], names[0], "league "+league+" join")
		require.Contains(t, ask(t, m, boss, "olga", "league "+league), tag)
	}
	ana, cem := teams["OWL"][0], teams["CAT"][0]
	var match fixture
	var places []fixture
	// forward sets the clock forward until the match is as wanted. Any order, even a refused one, makes the
	// league read the clock.
	forward := func(step time.Duration, wanted func() bool) {
		t.Helper()
		late := time.Now().Add(4 * patience)
		for {
			if first, match, places = leagueNow(t, m, boss, league); wanted() {
				return
			}
			require.True(t, time.Now().Before(late), "the match does not go on: %+v", match)
			if match.Table == 0 {
				ahead.Add(int64(step))
				try(t, m, s.keys[cem], cem, "league "+league+" accept")
			}
			time.Sleep(20 * time.Millisecond) // asks again; what it waits for is the match
		}
	}
	forward(time.Minute, func() bool { return match.State == "open" })
	at := m.tables.Now().Add(5 * time.Minute).UTC().Format("2006-01-02T15:04")
	ask(t, m, s.keys[ana], ana, "league "+league+" propose "+at)
	_, match, _ = leagueNow(t, m, boss, league)
	require.Equal(t, "proposed", match.State)
	require.NotEmpty(t, try(t, m, s.keys[ana], ana, "league "+league+" accept"), "nobody accepts their own proposal")
	ask(t, m, s.keys[cem], cem, "league "+league+" accept")
	_, match, _ = leagueNow(t, m, boss, league)
	require.Equal(t, "agreed", match.State)
	require.Empty(t, gamesIn(t, m, boss))
	forward(time.Minute, func() bool { return match.State == "over" && first.State == "over" }) // the season ends a moment after its last match

	won, points := map[string]int{}, map[string]int{}
	games := gamesIn(t, m, boss)
	for _, g := range games {
		require.Equal(t, "played", g.Ending)
		require.True(t, g.Rated, "games of a league count")
		require.Len(t, g.Teams, 2)
		won[g.Teams[g.Winner-1]]++
		for side, tag := range g.Teams {
			points[tag] += g.Scores[side]
			for seat := side; seat < 4; seat += 2 {
				require.Equal(t, tag, teamOf(g.Players[seat]))
			}
		}
	}
	require.Len(t, games, match.Games[0]+match.Games[1])
	require.False(t, match.Walkover)
	require.Equal(t, 2, won[match.Winner])
	for i, tag := range match.Tags {
		require.Equal(t, won[tag], match.Games[i])
		require.Equal(t, points[tag], match.Points[i])
	}
	require.Equal(t, "over", first.State)
	require.Equal(t, match.Winner, first.Winner)
	require.Len(t, places, 2)
	require.Equal(t, match.Winner, places[0].Tag)
	require.Equal(t, []int{3, 0}, []int{places[0].Score, places[1].Score})
	require.NoError(t, m.Close())
	status, said, errs := sshd("check", "--data", m.Settings.Data)
	require.Equal(t, exitOK, status, said+errs)
}

// arenaMade makes an arena and returns its number.
func arenaMade(t *testing.T, m *Main, boss gossh.Signer, words string) string {
	t.Helper()
	var made arenaRow
	require.NoError(t, json.Unmarshal([]byte(ask(t, m, boss, "olga", "arena new length=20 pace=normal "+words+" --json")), &made))
	return fmt.Sprint(made.Arena)
}

// awaitGames waits until so many games have been played to an end after one, and returns all after it, the oldest first.
func awaitGames(t *testing.T, m *Main, boss gossh.Signer, after int64, n int) (games []gameRow) {
	t.Helper()
	late := time.Now().Add(4 * patience)
	for {
		games = games[:0]
		for _, g := range gamesIn(t, m, boss) {
			if g.Game > after && g.Ending == "played" {
				games = append(games, g)
			}
		}
		if slices.Reverse(games); len(games) >= n {
			return games
		}
		require.True(t, time.Now().Before(late), "only %d of %d games are played", len(games), n)
		time.Sleep(100 * time.Millisecond) // asks again; what it waits for is the games
	}
}

// Members of two teams play a battle, and then an arena in pairs, over real connections: they are led from table to table, nobody meets
// their own team, partners sit across, and the scores of people, pairs and teams are those that follow from the games.
func TestBattleAndPairs(t *testing.T) {
	t.Parallel()
	m, boss := openWithOperator(t)
	s := gather(t, m)
	battle := arenaMade(t, m, boss, "battle=on teams=OWL,CAT classic target=30 name=Owls and cats")
	s.play(t)
	for name, key := range s.keys {
		ask(t, m, key, name, "arena "+battle+" enter")
	}
	awaitGames(t, m, boss, 0, 4)
	for name, key := range s.keys {
		try(t, m, key, name, "arena "+battle+" leave")
	}
	played := settled(t, m, boss, battle, 0)
	scores := arenaScores(t, played)
	sums := map[string]int{}
	for name, score := range scores {
		sums[teamOf(name)] += score // each has fewer than five members, so that all count
	}
	for _, g := range played {
		require.Len(t, g.Players, 2)
		require.NotEqual(t, teamOf(g.Players[0]), teamOf(g.Players[1]), "members of one team do not meet")
	}
	shown, shownTeams := map[string]int{}, map[string]int{}
	_, rows := standingOf(t, m, boss, battle)
	for _, r := range rows {
		if r.Type == "team" {
			shownTeams[r.Tag] = r.Score
		} else if r.Score > 0 {
			shown[r.Names[0]] = r.Score
		}
	}
	require.Equal(t, scores, shown)
	for tag := range teams {
		require.Equal(t, sums[tag], shownTeams[tag], tag)
	}

	pairs := arenaMade(t, m, boss, "block target=20 name=Pairs")
	for _, names := range teams {
		ask(t, m, s.keys[names[0]], names[0], "arena "+pairs+" enter with "+names[1])
		_, rows := standingOf(t, m, boss, pairs)
		for _, r := range rows {
			require.NotContains(t, r.Names, names[0], "one of two does not make a pair")
		}
		ask(t, m, s.keys[names[1]], names[1], "arena "+pairs+" enter with "+names[0])
	}
	last := played[len(played)-1].Game
	awaitGames(t, m, boss, last, 1)
	for _, names := range teams {
		try(t, m, s.keys[names[0]], names[0], "arena "+pairs+" leave")
	}
	played = settled(t, m, boss, pairs, last)
	scores = arenaScores(t, played)
	for _, g := range played {
		require.Len(t, g.Players, 4)
		require.Equal(t, teamOf(g.Players[0]), teamOf(g.Players[2]), "partners sit across")
		require.Equal(t, teamOf(g.Players[1]), teamOf(g.Players[3]))
		require.NotEqual(t, teamOf(g.Players[0]), teamOf(g.Players[1]))
	}
	_, rows = standingOf(t, m, boss, pairs)
	require.Len(t, rows, 2)
	for _, r := range rows {
		require.Len(t, r.Names, 2)
		for _, name := range r.Names {
			require.Equal(t, scores[name], r.Score, name)
		}
	}
}

// settled waits until nobody plays in an arena, and returns its games that were played to an end, the oldest first.
func settled(t *testing.T, m *Main, boss gossh.Signer, arena string, after int64) []gameRow {
	t.Helper()
	late := time.Now().Add(4 * patience)
	for {
		if first, _ := standingOf(t, m, boss, arena); first.Playing == 0 {
			return awaitGames(t, m, boss, after, 1)
		}
		require.True(t, time.Now().Before(late), "the games do not end")
		time.Sleep(100 * time.Millisecond) // asks again; what it waits for is the end of the games
	}
}
