package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/rules/record"
	"boneyard/store"
	"boneyard/table"
)

var (
	kills    = flag.Int("kills", 3, "how often TestKill kills the server")
	killSeed = flag.Uint64("killseed", 1, "the seed of TestKill's moments and choices; 0: a new one")
)

// killTables are the tables of TestKill: what is played there, and by how many.
var killTables = []struct {
	rules string
	seats int
}{
	{"classic target=50", 2}, {"classic target=150", 2}, {"azneef target=40", 2}, {"sniff above=60", 3}, {"block target=60", 4},
	{"spruce target=100", 4},
}

// TestKill plays at several tables over SSH and kills the server at random moments, again and again, even
// while it starts. In the end the journal must have every acknowledged move once, and every move that anybody
// was ever shown; programs verify the data, and the standings follow from it.
func TestKill(t *testing.T) {
	t.Parallel()
	seed := *killSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("repeat with: go test ./cmd/sshd -run 'TestKill$' -kills %d -killseed %d", *kills, seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	w := newWorld()

	server := serveIn(t, dir)
	playRated(t, server)
	var all []*survivor
	for i, at := range killTables {
		keys := map[string]gossh.Signer{}
		var number int64
		for j := range at.seats {
			name := fmt.Sprintf("p%d%c", i, 'a'+j)
			keys[name] = member(t, server.Main, name)
			command := fmt.Sprintf("play new %s seats=%d bots=never pace=none", at.rules, at.seats)
			if j > 0 {
				command = "play " + strconv.FormatInt(number, 10)
			}
			p := startProgram(t, server.Main, keys[name], name, command+" --json --bot")
			state, _ := p.next(0, "state", func(o *object) bool { return o.Type == "state" && o.Seat != 0 })
			number = state.Table
		}
		all = append(all, team(w, number, rng, keys)...)
	}
	var living sync.WaitGroup
	for _, s := range all {
		living.Go(s.live)
	}

	began, died := time.Now(), 0 // before it was open
	for kill := range *kills {
		w.move(server.Addr())
		goal := 1 + rng.IntN(40)
		w.mu.Lock()
		goal += w.orders
		w.mu.Unlock()
		if !w.until(patience, func() bool { return w.orders >= goal }) {
			t.Fatalf("kill %d: nothing goes on:\n%s\n%s", kill, describe(all), server.stacks())
		}
		time.Sleep(time.Duration(rng.Int64N(int64(4 * time.Millisecond)))) // into whatever happens then
		server.kill()
		w.move(nil)
		for rng.IntN(8) == 0 {
			server = launch(t, "fastsshd", dir)
			time.Sleep(time.Duration(rng.Int64N(int64(80 * time.Millisecond))))
			server.kill()
			died++
		}
		server = serveIn(t, dir)
	}
	took := time.Since(began)

	// Everybody has come back and plays on.
	before := map[*survivor]int{}
	for _, s := range all {
		before[s] = s.answers()
	}
	w.move(server.Addr())
	back := func() bool {
		for _, s := range all {
			if s.key != nil && s.answers() == before[s] {
				return false
			}
		}
		return true
	}
	if !w.until(patience, back) {
		stuck := slices.DeleteFunc(all, func(s *survivor) bool { return s.answers() > before[s] })
		t.Fatalf("somebody does not come back:\n%s\n%s", describe(stuck), server.stacks())
	}
	told(t, dir, "backup", filepath.Join(dir, "copy.db"))
	server.terminate(t)
	w.end()
	living.Wait()

	t.Log(strings.TrimSpace(told(t, dir, "check")))
	told(t, dir, "check", "--data", filepath.Join(dir, "copy.db"))
	j := journalIn(t, dir)
	acked, shown := j.compare(t, all)
	said := told(t, dir, "rebuild")
	require.Contains(t, said, ": 1 game in the standings; of ")
	require.Contains(t, said, " rows, 0 changed\n")
	t.Logf("%d kills in %v, and %d of servers that were not open yet: %d orders acknowledged, %d sent again, %d moves in %d games, %d different ones shown",
		*kills, took.Round(time.Millisecond), died, acked, again(all), len(j.moves), j.games, shown)
}

// playRated begins a game that counts, and resigns it, so that there are standings.
func playRated(t *testing.T, server *process) {
	ana := newcomer(t, server.Main, "ana", 80, 24)
	ben := newcomer(t, server.Main, "ben", 80, 24)
	number := makeTable(ana, "classic", never)
	ben.join(number)
	ana.press(" ")
	ben.press(" ")
	ana.shows("Round 1")
	ana.press("X")
	ana.shows("Resign? You lose the game, and rating points.")
	ana.press("y")
	ben.deals("ana has resigned", "1500")
	for _, p := range []*terminal{ana, ben} {
		p.press("\x03")
		require.NoError(t, p.leaves())
	}
}

// answers is how many orders were carried out.
func (s *survivor) answers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.acked)
}

// describe reports how everybody is.
func describe(all []*survivor) string {
	text := ""
	for _, s := range all {
		s.mu.Lock()
		text += fmt.Sprintf("%s at %d: %d acknowledged, refused %v, heard %s; the line before ended with: %v\n", s.name, s.table, len(s.acked),
			s.refused, s.last, s.broke)
		s.mu.Unlock()
	}
	return text
}

func again(all []*survivor) (n int) {
	for _, s := range all {
		n += s.again
	}
	return n
}

// journal is what the data file says in the end.
type journal struct {
	moves    map[place]made
	plays    map[string]int // how often somebody played a tile in a round of a game
	commands map[string]int // how many plays stand under a command's id, of games that are not over
	chat     map[string]int // how often somebody said something
	full     map[int64]bool // tables that have forgotten their oldest chat
	games    int
}

// played names a play, as far as the answer to it tells.
func played(m made) string {
	return fmt.Sprintf("game %d round %d: seat %d plays %s on %q", m.Game, m.Round, m.Seat, m.Tile, m.Arm)
}

// journalIn reads all games, as players would export them, and those that are not over.
func journalIn(t *testing.T, dir string) *journal {
	ctx := context.Background()
	s, err := store.Open(ctx, filepath.Join(dir, "club.db"), store.DefaultOptions())
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	j := &journal{moves: map[place]made{}, plays: map[string]int{}, commands: map[string]int{}, chat: map[string]int{}, full: map[int64]bool{}}
	games, err := s.Games(ctx, lobby.GamesQuery{Limit: 1 << 30})
	require.NoError(t, err)
	for _, g := range games {
		_, lines, err := s.Record(ctx, g.ID)
		require.NoError(t, err)
		j.read(t, g.ID, lines)
	}
	tables, err := s.Load(ctx)
	require.NoError(t, err)
	for _, saved := range tables {
		j.full[int64(saved.Table)] = len(saved.Chat) >= 200 // lines are kept
		for _, c := range saved.Chat {
			j.chat[c.Text]++
		}
		var lines []string
		for _, r := range saved.Rows {
			lines = append(lines, r.Line)
			if l, err := record.ParseLine(r.Line); err == nil && r.Command != "" {
				if _, ok := l.(record.Play); ok {
					j.commands[r.Command]++
				}
			}
		}
		if saved.Game != 0 {
			j.read(t, saved.Game, lines)
		}
	}
	return j
}

// read replays a game by the rules.
func (j *journal) read(t *testing.T, game table.GameID, lines []string) {
	j.games++
	var c record.Checker
	at := place{Game: int64(game)}
	for i, text := range lines {
		l, err := record.ParseLine(text)
		require.NoError(t, err)
		if l == nil {
			continue
		}
		step, err := c.Take(i+1, l)
		require.NoError(t, err)
		switch l.(type) {
		case record.Lead:
			at.Round, at.Number = step.Game.Round(), 0
		case record.Play, record.Draw, record.Pass:
			at.Number++
			m := j.add(at, step.Event)
			if m.Did == "play" {
				j.plays[played(m)]++
			}
		}
	}
}

func (j *journal) add(at place, e rules.Event) made {
	m := made{place: at, Seat: int(e.Seat), Did: map[rules.MoveKind]string{rules.Play: "play", rules.Draw: "draw", rules.Pass: "pass"}[e.Kind]}
	if e.Kind != rules.Pass {
		m.Tile = e.Tile.Name()
	}
	if e.Kind == rules.Play {
		m.Points = int(e.Points)
		if e.Arm != rules.NoArm {
			m.Arm = e.Arm.String()
		}
	}
	j.moves[at] = m
	return m
}

// compare looks for everything that was acknowledged or shown, and returns how much that was.
func (j *journal) compare(t *testing.T, all []*survivor) (acked, shown int) {
	seen := map[place]made{}
	for _, s := range all {
		require.Empty(t, s.clashes)
		for at, m := range s.seen {
			require.True(t, same(j.moves[at], m), "%s saw %+v, and the journal has %+v", s.name, m, j.moves[at])
		}
		maps.Copy(seen, s.seen)
		forgotten := j.full[s.table]
		for _, o := range s.acked {
			acked++
			if o.chat != "" {
				if forgotten = forgotten && j.chat[o.chat] == 0; forgotten {
					continue
				}
				require.Equal(t, 1, j.chat[o.chat], "%s was told that %q was said", s.name, o.chat)
				continue
			}
			require.Equal(t, 1, j.plays[played(o.move)], "%s was told that this was done: %s", s.name, played(o.move))
		}
	}
	for id, n := range j.commands {
		require.Equal(t, 1, n, "command %s made %d moves", id, n)
	}
	require.NotEmpty(t, j.plays) // commands are only those of games that are not over
	return acked, len(seen)
}
