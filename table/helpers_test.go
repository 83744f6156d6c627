package table_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
)

// player makes a member.
func player(id int, name string) table.Player {
	return table.Player{ID: table.PlayerID(id), Name: name}
}

var (
	ana   = player(1, "ana")
	ben   = player(2, "ben")
	cal   = player(3, "cal")
	dan   = player(4, "dan")
	eve   = player(5, "eve")
	guest = table.Player{ID: -7, Name: "guest-elm"}
)

// fixture is a table in a synctest bubble with its journal.
type fixture struct {
	tb      testing.TB
	journal *memory
	deps    table.Deps
	*table.Table
	ended []table.Result
	seen  map[table.PlayerID]*table.Subscription
	nets  map[table.PlayerID]string // of those who do not come from a network of their own
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

func setRules(c *table.Config, text string, seats int) {
	c.Rules, c.RuleText, c.Seats = rules.Ruleset{}, text, seats
}

// open makes a table. It is called in a synctest bubble and closes the table at its end.
func open(tb testing.TB, seed uint64, cfg table.Config) *fixture {
	return openWith(tb, seed, cfg, func(*table.Deps) {})
}

// openWith makes a table with other deps.
func openWith(tb testing.TB, seed uint64, cfg table.Config, edit func(*table.Deps)) *fixture {
	f := &fixture{tb: tb, journal: newMemory(), seen: map[table.PlayerID]*table.Subscription{}, nets: map[table.PlayerID]string{}}
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
	edit(&f.deps)
	t, err := table.Make(context.Background(), f.deps, cfg, ana)
	require.NoError(tb, err)
	f.Table = t
	tb.Cleanup(func() { _ = f.Close(context.Background()) })
	return f
}

// do sends a command with a new id, after everything that is due: a test that has slept until a deadline of
// the table would otherwise race with it. Goroutines of a test use once.
func (f *fixture) do(p table.Player, c table.Command) error {
	synctest.Wait()
	f.n++
	return f.once(p, "c"+strconv.Itoa(f.n), c)
}

// once sends a command with a request id.
func (f *fixture) once(p table.Player, id string, c table.Command) error {
	return f.Do(context.Background(), table.Request{ID: id, By: p, Net: cmp.Or(f.nets[p.ID], netOf(p.ID)), Command: c})
}

// netOf is a network that only this player has.
func netOf(id table.PlayerID) string { return "net-" + strconv.Itoa(int(id)) + "." + wideOf(id) }

func wideOf(id table.PlayerID) string { return "wide-" + strconv.Itoa(int(id)) }

func (f *fixture) must(p table.Player, c table.Command) {
	f.tb.Helper()
	require.NoError(f.tb, f.do(p, c))
}

// see is the table as somebody sees it, once everything has settled.
func (f *fixture) see(p table.Player) *table.View {
	f.tb.Helper()
	synctest.Wait()
	if f.seen[p.ID] == nil {
		s, err := f.Subscribe(p, cmp.Or(f.nets[p.ID], netOf(p.ID)))
		require.NoError(f.tb, err)
		f.seen[p.ID] = s
		synctest.Wait()
	}
	return f.seen[p.ID].View()
}

// watch subscribes somebody of whose network nothing is known.
func (f *fixture) watch(p table.Player) *table.Subscription {
	f.tb.Helper()
	s, err := f.Subscribe(p, "")
	require.NoError(f.tb, err)
	return s
}

// seat sits players down in order and begins the game.
func (f *fixture) seat(players ...table.Player) {
	f.tb.Helper()
	for i, p := range players {
		f.must(p, table.Sit{Seat: rules.Seat(i + 1)})
	}
	for _, p := range players {
		f.must(p, table.Ready{On: true})
	}
	time.Sleep(5 * time.Second)
	require.Equal(f.tb, table.Playing, f.see(players[0]).State)
}

// turn waits until one of the players has to choose, and reports who.
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

func moveOf(v *table.View) table.Move {
	o := v.Play.Options[0]
	return table.Move{Version: v.Version, Move: rules.Move{Kind: rules.Play, Tile: o.Tile, Arm: o.Arm}}
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
					f.must(p, table.Continue{})
				}
			}
		default:
			return v
		}
	}
	f.tb.Fatal("the game does not end")
	return nil
}
