package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/rules"
)

// fieldRow is a row of what "field N --json" writes, as far as tests look at it.
type fieldRow struct {
	Type, State, Name, Seed string
	Field, Game             int64
	Tables, Ended, Table    int
	Seat, Round, Points     int
	Rank                    int
	Above                   float64
}

// fieldNow is a duplicate arena: its first row, its places, and its rounds.
func fieldNow(t *testing.T, m *Main, key gossh.Signer, name, id string) (first fieldRow, places, rounds []fieldRow) {
	t.Helper()
	for line := range strings.Lines(ask(t, m, key, name, "field "+id+" --json")) {
		var r fieldRow
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		switch r.Type {
		case "":
			first = r
		case "place":
			places = append(places, r)
		case "round":
			rounds = append(rounds, r)
		}
	}
	return first, places, rounds
}

// text is all that has come.
func (l *liner) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// Four members play a duplicate arena at two tables over real connections, with a restart when one table has
// finished and the other has not. Until both have, no outsider and no player who has finished gets a tile of
// another table, a record, or the seed, by any command or page, and nobody can talk there. Then the
// comparison follows from the two records.
func TestADuplicateArenaKeepsItsSecrets(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	m := openClub(t, func(m *Main) {
		m.Settings.Exhibition, m.Settings.ClockConfirm = false, 0 // the clock leaps
		m.tables.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	})
	spy := member(t, m, "spy")
	s := &squad{people: map[string]*liner{}, keys: map[string]gossh.Signer{}}
	for _, name := range []string{"ana", "ben", "cem", "dora"} {
		s.keys[name] = member(t, m, name)
	}
	s.come(t, m)
	var all strings.Builder // that reaches anybody before the end
	var made fieldRow
	require.NoError(t, json.Unmarshal([]byte(ask(t, m, s.keys["ana"], "ana",
		"field new in=10 classic rounds=3 pace=relaxed name=Friday --json")), &made))
	id := fmt.Sprint(made.Field)
	for name, key := range s.keys {
		ask(t, m, key, name, "field "+id+" enter")
	}
	ahead.Add(int64(10 * time.Minute))
	require.Contains(t, try(t, m, spy, "spy", "field "+id+" leave"), "aren't in") // even a refused request has it look at the clock

	tables := map[string][]string{}                       // the players, by table
	called := regexp.MustCompile(`(?m)^Table ([0-9]+)\b`) // which opened by itself
	for name, l := range s.people {
		until(t, "the call to a table", func() bool { return called.MatchString(l.text()) })
		at := called.FindStringSubmatch(l.text())[1]
		until(t, "the arena to know its table", func() bool {
			return strings.Contains(ask(t, m, s.keys[name], name, "field "+id), "You play at table "+at)
		})
		tables[at] = append(tables[at], name)
	}
	require.Len(t, tables, 2)
	var numbers []string
	for number, names := range tables {
		require.Len(t, names, 2)
		numbers = append(numbers, number)
	}
	// Those at the first table play to the end, those at the second one round.
	for _, name := range tables[numbers[1]] {
		go func() {
			for {
				if strings.Contains(s.people[name].until(`Your move:.* 1\) [0-6]-[0-6]|Type next to go on|`+tooFast), "Type next") {
					return
				}
				s.people[name].say("1")
			}
		}()
	}
	stop := make(chan struct{})
	for _, name := range tables[numbers[0]] {
		go s.people[name].playAnything(stop)
	}
	finished := tables[numbers[0]][0]
	until(t, "a table to finish", func() bool {
		return strings.Contains(s.people[finished].text(), "Type field 1 for the duplicate arena")
	})
	until(t, "the end of the other table's first round", func() bool {
		for _, name := range tables[numbers[1]] {
			if !strings.Contains(s.people[name].text(), "Type next") {
				return false
			}
		}
		return true
	})
	close(stop)

	look := func() {
		t.Helper()
		var seen strings.Builder
		for name, key := range map[string]gossh.Signer{"spy": spy, finished: s.keys[finished]} {
			for _, c := range []string{
				"who --json", "tables --json", "games --json", "games ana", "games " + tables[numbers[1]][0], "show " + numbers[1],
				"show table " + numbers[1] + " --json",
				"show game 1", "show game 2 --json", "watch " + numbers[1], "watch " + numbers[1] + " --json", "play " + numbers[1] + " --json",
				"join " + numbers[1] + " --json",
				"export 1", "export 2", "cast 1", "card 1", "cast 2", "card 2", "coach 1", "coach 2", "field " + id, "field " + id + " --json",
				"duplicate", "arena " + id, "standings --json", "calendar",
			} {
				seen.WriteString(try(t, m, key, name, c))
			}
		}
		page := sit(t, m, spy, "spy", 120, 40)
		page.shows("n new table")
		page.press("D")
		page.shows("Duplicate matches", "Friday", "4 players")
		page.press("q")
		page.shows("n new table")
		page.press("W")
		page.shows("The wall")
		page.mu.Lock()
		seen.Write(page.raw.Bytes())
		page.mu.Unlock()
		_ = page.client.Close()
		talk := startLineOf(t, dial(t, m, spy, "spy"), "", "", func([]byte) {})
		talk.until(`You are spy`)
		talk.says("watch "+numbers[1], `(?i)watch|no table|nobody`)
		talk.says("tables", `(?i)table`)
		talk.says("say the double six leads", `the double six leads`)
		seen.WriteString(talk.text())
		_ = talk.sess.Close()
		for _, name := range tables[numbers[1]] {
			require.NotContains(t, s.people[name].text(), "the double six leads", "nobody talks to a table of the event")
		}
		for _, find := range [][]rules.Tile{tilesIn(writtenTile, seen.String()), tilesIn(drawnTile, seen.String())} {
			require.Empty(t, find)
		}
		require.Contains(t, seen.String(), "Friday")
		require.NotContains(t, seen.String(), "score ")
		first, places, rounds := fieldNow(t, m, spy, "spy", id)
		require.Equal(t, "playing", first.State)
		require.Empty(t, places)
		require.Empty(t, rounds)
		require.Empty(t, first.Seed)
		all.WriteString(seen.String())
	}
	look()
	for _, l := range s.people {
		all.WriteString(l.text())
		_ = l.sess.Close()
	}
	settings, deps := m.Settings, m.tables
	require.NoError(t, m.Close())
	m.Settings, m.tables = settings, deps
	require.NoError(t, m.Run())
	s.come(t, m)
	look()
	require.NotEmpty(t, tilesIn(writtenTile, all.String()+s.people[tables[numbers[1]][0]].text()),
		"the search finds tiles where there are some")
	s.play(t)
	until(t, "the end of the duplicate arena", func() bool { return strings.Contains(s.people[finished].text(), "The comparison") })
	first, places, rounds := fieldNow(t, m, spy, "spy", id)
	require.Equal(t, "over", first.State)
	require.NotEmpty(t, first.Seed)
	require.NotContains(t, all.String(), first.Seed)

	// The comparison again, from the scores of the records alone.
	require.Len(t, places, 4)
	margins := map[int64][]int{} // by game and round: what seat 1 made more than seat 2
	for _, p := range places {
		record := ask(t, m, spy, "spy", fmt.Sprint("export ", p.Game))
		require.Contains(t, record, first.Seed)
		before := 0
		margins[p.Game] = nil
		for line := range strings.Lines(record) {
			var a, b int
			if n, _ := fmt.Sscanf(line, "score %d %d", &a, &b); n == 2 {
				margins[p.Game] = append(margins[p.Game], a-b-before)
				before = a - b
			}
		}
		require.Len(t, margins[p.Game], 3)
	}
	require.Len(t, margins, 2)
	for _, p := range places {
		sign, points, above := float64(3-2*p.Seat), 0, 0.0
		for k := range 3 {
			mean := 0.0
			for _, r := range margins {
				mean += float64(r[k]) / 2
			}
			own := margins[p.Game][k]
			points += int(sign) * own
			above += sign * (float64(own) - mean)
			require.Condition(t, func() bool {
				for _, r := range rounds {
					if r.Name == p.Name && r.Round == k+1 {
						return r.Points == int(sign)*own && r.Above == sign*(float64(own)-mean)
					}
				}
				return false
			}, "round %d of %s", k+1, p.Name)
		}
		require.Equal(t, points, p.Points)
		require.InDelta(t, above, p.Above, 1e-9)
		require.NotZero(t, p.Rank)
	}
	require.NoError(t, m.Close())
	status, said, errs := sshd("check", "--data", m.Settings.Data)
	require.Equal(t, exitOK, status, said+errs)
}
