package table_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/record"
	"boneyard/table"
)

// memory is a journal in memory that fails, or blocks, when it is told to. What it has taken is "on disk".
type memory struct {
	mu      sync.Mutex
	fail    error         // what Commit answers, nil to write
	gate    chan struct{} // if not nil, Commit waits until it can receive
	commits int
	lastID  table.ID
	lastGID table.GameID
	tables  map[table.ID]*diskTable
	games   map[table.GameID]*diskGame
}

type diskTable struct {
	state []byte
	game  table.GameID
	chat  []table.ChatLine
}

type diskGame struct {
	table table.ID
	start table.Start
	rows  []table.Row
	end   *table.Result
}

func newMemory() *memory {
	return &memory{tables: map[table.ID]*diskTable{}, games: map[table.GameID]*diskGame{}}
}

var _ table.Journal = (*memory)(nil)

func (m *memory) Commit(_ context.Context, b *table.Batch) error {
	m.mu.Lock()
	gate := m.gate
	m.mu.Unlock()
	if gate != nil {
		<-gate
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	m.commits++
	if b.Start != nil {
		if m.games[b.Game] != nil {
			return fmt.Errorf("game %d exists: %w", b.Game, table.ErrConflict)
		}
		m.games[b.Game] = &diskGame{table: b.Table, start: *b.Start}
	}
	if len(b.Rows) > 0 || b.End != nil {
		g := m.games[b.Game]
		if g == nil || g.end != nil || len(g.rows) != b.Seq {
			return fmt.Errorf("game %d at %d: %w", b.Game, b.Seq, table.ErrConflict)
		}
		g.rows = append(g.rows, b.Rows...)
		if b.End != nil {
			end := *b.End
			g.end = &end
			b.End.Changes = []table.Delta{{Kind: "player", Name: "ana", Before: 1500, After: 1512}}
		}
	}
	if b.Final {
		delete(m.tables, b.Table)
		return nil
	}
	t := m.tables[b.Table]
	if t == nil {
		t = &diskTable{}
		m.tables[b.Table] = t
	}
	if b.State != nil {
		t.state = b.State
	}
	if b.Start != nil {
		t.game = b.Game
	}
	for _, l := range b.Chat {
		if n := len(t.chat); n > 0 && t.chat[n-1].Seq >= l.Seq {
			return fmt.Errorf("chat line %d: %w", l.Seq, table.ErrConflict)
		}
		t.chat = append(t.chat, l)
	}
	return nil
}

func (m *memory) NextTable(context.Context) (table.ID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lastID++
	return m.lastID, m.fail
}

func (m *memory) NextGame(context.Context) (table.GameID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return 0, m.fail
	}
	m.lastGID++
	return m.lastGID, nil
}

func (m *memory) Load(context.Context) ([]table.Saved, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []table.Saved
	for id := table.ID(1); id <= m.lastID; id++ {
		t := m.tables[id]
		if t == nil {
			continue
		}
		s := table.Saved{Table: id, State: t.state, Chat: t.chat[max(0, len(t.chat)-200):]}
		if g := m.games[t.game]; g != nil && g.end == nil {
			start := g.start
			s.Game, s.Start, s.Rows = t.game, &start, append([]table.Row(nil), g.rows...)
		}
		all = append(all, s)
	}
	return all, nil
}

// setFail has Commit answer with an error from now on, or write again.
func (m *memory) setFail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = err
}

// text is a game's record as it would be exported.
func (m *memory) text(id table.GameID) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	for _, r := range m.games[id].rows {
		b.WriteString(r.Line + "\n")
	}
	return b.String()
}

// checkRecord has the checker accept a game bit for bit: its rows are the canonical record, but for comments.
func (m *memory) checkRecord(tb testing.TB, id table.GameID) {
	tb.Helper()
	text := m.text(id)
	var canonical bytes.Buffer
	require.NoError(tb, record.Canonical(&canonical, strings.NewReader(text)))
	var plain strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			plain.WriteString(line)
		}
	}
	require.Equal(tb, canonical.String(), plain.String())
}

// player makes a member.
func player(id int, name string) table.Player {
	return table.Player{ID: table.PlayerID(id), Name: name, Net: "net" + strconv.Itoa(id)}
}

var (
	ana   = player(1, "ana")
	ben   = player(2, "ben")
	cal   = player(3, "cal")
	dan   = player(4, "dan")
	eve   = player(5, "eve")
	guest = table.Player{ID: -7, Name: "guest-elm", Net: "net7"}
)

// fixture is a table in a synctest bubble with its journal.
type fixture struct {
	tb      testing.TB
	journal *memory
	deps    table.Deps
	*table.Table
	ended []table.Result
	seen  map[table.PlayerID]*table.Subscription
	n     int
}

// config is a table of two seats without bots at the normal pace, to be changed by edit.
func config(edit func(*table.Config)) table.Config {
	c := table.DefaultConfig()
	c.Fill, c.Pace = table.FillNever, table.PaceNormal
	if edit != nil {
		edit(&c)
	}
	return c
}

// setRules gives a configuration its rules.
func setRules(c *table.Config, text string, seats int) {
	c.Rules, c.RuleText, c.Seats = rules.Ruleset{}, text, seats
}

// open makes a table. It is called in a synctest bubble and closes the table at its end.
func open(tb testing.TB, seed uint64, cfg table.Config) *fixture {
	f := &fixture{tb: tb, journal: newMemory(), seen: map[table.PlayerID]*table.Subscription{}}
	rng := rand.New(rand.NewPCG(seed, 1))
	f.deps = table.Deps{
		Journal: f.journal,
		Rand:    func() *rand.Rand { return rand.New(rand.NewPCG(seed, 2)) },
		NewSeed: func() rules.Seed {
			var s rules.Seed
			for i := range s {
				s[i] = byte(rng.Uint32())
			}
			return s
		},
		NewCode: func() string { return "K7QX" },
		OnEnd:   func(_ table.GameID, _ table.Start, r table.Result) { f.ended = append(f.ended, r) },
	}
	t, err := table.Make(context.Background(), f.deps, cfg, ana)
	require.NoError(tb, err)
	f.Table = t
	tb.Cleanup(func() { _ = f.Close(context.Background()) })
	return f
}

// do gives a command with an id of its own.
func (f *fixture) do(p table.Player, c table.Command) error {
	f.n++
	c.By = p
	if c.ID == "" {
		c.ID = "c" + strconv.Itoa(f.n)
	}
	return f.Do(context.Background(), c)
}

func (f *fixture) must(p table.Player, c table.Command) {
	f.tb.Helper()
	require.NoError(f.tb, f.do(p, c))
}

// see is the table as somebody sees it, once everything has come to rest.
func (f *fixture) see(p table.Player) *table.View {
	f.tb.Helper()
	synctest.Wait()
	if f.seen[p.ID] == nil {
		s, err := f.Subscribe(p)
		require.NoError(f.tb, err)
		f.seen[p.ID] = s
	}
	return f.seen[p.ID].View()
}

// seat sits players down in order and begins the game.
func (f *fixture) seat(players ...table.Player) {
	f.tb.Helper()
	for i, p := range players {
		f.must(p, table.Command{Kind: table.Sit, Seat: rules.Seat(i + 1)})
	}
	for _, p := range players {
		f.must(p, table.Command{Kind: table.Ready, On: true})
	}
	time.Sleep(5 * time.Second)
	require.Equal(f.tb, table.Playing, f.see(players[0]).State)
}

// turn waits until one of the players has to choose, and tells who.
func (f *fixture) turn(players ...table.Player) (table.Player, *table.View) {
	f.tb.Helper()
	for range 1000 {
		for _, p := range players {
			v := f.see(p)
			if v.State != table.Playing {
				return table.Player{}, v
			}
			if v.Play.Duty == rules.Play && v.POV != 0 && !v.Seats[v.POV-1].StandIn {
				return p, v
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	f.tb.Fatal("nobody gets to move")
	return table.Player{}, nil
}

// play makes the player's first possible move.
func (f *fixture) play(p table.Player, v *table.View) {
	f.tb.Helper()
	f.must(p, moveOf(v))
}

func moveOf(v *table.View) table.Command {
	o := v.Play.Options[0]
	return table.Command{Kind: table.MoveCmd, Version: v.Version, Move: rules.Move{Kind: rules.Play, Tile: o.Tile, Arm: o.Arm}}
}

// playOut plays to the end of the game.
func (f *fixture) playOut(players ...table.Player) *table.View {
	f.tb.Helper()
	for range 100_000 {
		p, v := f.turn(players...)
		switch v.State {
		case table.Playing:
			f.play(p, v)
		case table.Scoring:
			for _, p := range players {
				if f.see(p).State == table.Scoring {
					f.must(p, table.Command{Kind: table.Continue})
				}
			}
		default:
			return v
		}
	}
	f.tb.Fatal("the game does not end")
	return nil
}
