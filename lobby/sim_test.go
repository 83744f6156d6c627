package lobby_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

var (
	simSeed = flag.Uint64("lobby.seed", 0, "use only this seed where chance decides")
	long    = flag.Bool("lobby.long", false, "try many seeds of what is random, and simulate a year of weekly arenas")
)

// seeds returns the seeds of a test: a single one, or so many if the long form is asked for.
func seeds(many int) []uint64 {
	if *simSeed != 0 {
		return []uint64{*simSeed}
	}
	all := []uint64{1}
	for *long && len(all) < many {
		all = append(all, uint64(len(all)+1))
	}
	return all
}

// simulation is a club where people come, go, sit, play, talk and lose the connection at random.
type simulation struct {
	t       *testing.T
	rng     *rand.Rand
	c       *club
	members []*lobby.Account
	boss    *lobby.Account
	visits  []*lobby.Visit
	held    *lobby.Snapshot // an old snapshot, and what it was
	was     string
}

// The laws of the lobby hold after each of many random steps. A failure names the seed that repeats it.
func TestSimulation(t *testing.T) {
	for _, seed := range seeds(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Logf("repeat with: go test ./lobby -run TestSimulation -lobby.seed %d", seed)
			synctest.Test(t, func(t *testing.T) {
				s := newSimulation(t, seed)
				for range 400 {
					s.step()
					s.settle()
					s.check()
				}
			})
		})
	}
}

// The laws hold, too, when people press at the same moment.
func TestSimulationAtOnce(t *testing.T) {
	for _, seed := range seeds(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSimulation(t, seed)
				s.c.store.Slow(3 * time.Millisecond) // so that things happen between question and answer
				for round := range 60 {
					s.enter()
					s.enter()
					var wg sync.WaitGroup
					for _, v := range s.visits {
						r := rand.New(rand.NewPCG(seed, s.rng.Uint64()))
						wg.Go(func() { s.act(v, r) })
					}
					s.leave() // with what they do under way
					wg.Wait()
					s.settle()
					s.check()
					if round%10 == 9 {
						s.restart()
					}
				}
			})
		})
	}
}

func newSimulation(t *testing.T, seed uint64) *simulation {
	s := &simulation{t: t, rng: rand.New(rand.NewPCG(seed, 0))}
	cfg := lobby.DefaultConfig()
	cfg.SeatsEach, cfg.MaxTables = 3, 12
	s.c = &club{t: t, store: lobbytest.New(t), cfg: cfg}
	s.c.deps = func(d *lobby.Deps) {
		games := rand.New(rand.NewPCG(seed, 1))
		var mu sync.Mutex
		d.Rand = func() *rand.Rand {
			mu.Lock()
			defer mu.Unlock()
			return rand.New(rand.NewPCG(games.Uint64(), games.Uint64()))
		}
		d.Table.NewSeed = func() (seed rules.Seed) {
			mu.Lock()
			defer mu.Unlock()
			for i := range seed {
				seed[i] = byte(games.Uint32())
			}
			return seed
		}
	}
	s.c.start()
	t.Cleanup(func() { s.c.stop() })
	for _, name := range []string{"ana", "ben", "cem", "dia", "eli", "fay", "gus", "hal"} {
		s.members = append(s.members, s.c.member(name))
	}
	s.boss = s.c.member("olga")
	return s
}

// settle waits until everything that follows at once has happened, and the snapshot is published.
func (s *simulation) settle() {
	wait(500 * time.Millisecond)
}

// restart stops the club and starts it again, and checks that all members have the seats that they had.
func (s *simulation) restart() {
	seats := func() map[table.ID][]table.PlayerID {
		v := s.c.enter(s.boss)
		defer v.Close(table.Left)
		s.settle()
		all := map[table.ID][]table.PlayerID{}
		for _, sum := range v.Snapshot().Tables {
			for _, seat := range sum.Seats {
				all[sum.Table] = append(all[sum.Table], max(0, seat.Player.ID))
			}
		}
		return all
	}
	before := seats()
	s.c.restart()
	s.visits = nil
	require.Equal(s.t, before, seats())
}

// step does one random thing.
func (s *simulation) step() {
	switch s.rng.IntN(20) {
	case 0, 1, 2:
		s.enter()
	case 3, 4:
		s.leave()
	case 5:
		time.Sleep(time.Duration(s.rng.IntN(100)) * time.Second)
	case 6:
		if s.rng.IntN(5) == 0 {
			s.c.restart()
			s.visits = nil
		}
	default:
		if len(s.visits) > 0 {
			s.act(s.visits[s.rng.IntN(len(s.visits))], s.rng)
		}
	}
}

func (s *simulation) enter() {
	if len(s.visits) > 20 {
		return
	}
	if s.rng.IntN(4) == 0 {
		s.visits = append(s.visits, s.c.guest(fmt.Sprintf("10.8.0.%d", s.rng.IntN(250))))
		return
	}
	s.visits = append(s.visits, s.c.enter(s.members[s.rng.IntN(len(s.members))]))
}

func (s *simulation) leave() {
	if len(s.visits) == 0 {
		return
	}
	i := s.rng.IntN(len(s.visits))
	how := table.Left
	if s.rng.IntN(2) == 0 {
		how = table.Disconnected
	}
	s.visits[i].Close(how)
	s.visits = slices.Delete(s.visits, i, i+1)
}

// act makes a person do something. Every refusal must be a sentence.
func (s *simulation) act(v *lobby.Visit, r *rand.Rand) {
	tables := v.Snapshot().Tables
	var id table.ID
	if len(tables) > 0 {
		id = tables[r.IntN(len(tables))].Table
	}
	if mine := v.MyTables(); len(mine) > 0 && r.IntN(3) > 0 {
		id = mine[r.IntN(len(mine))].Table
	}
	var err error
	whom := s.members[r.IntN(len(s.members))].Name
	seat := rules.Seat(1 + r.IntN(rules.MaxSeats))
	switch r.IntN(24) {
	case 12:
		_, err = v.SayAt(ctx, id, "/invite "+whom)
	case 13, 14:
		_, err = v.Answer(ctx, v.Prompt(), r.IntN(4) > 0)
	case 15:
		_, err = v.Challenge(ctx, duel(), 0, whom)
	case 16:
		err = v.Do(ctx, id, table.Swap{With: seat})
	case 17:
		err = v.Do(ctx, id, table.Unseat{Seat: seat})
	case 18:
		err = v.Do(ctx, id, []table.Command{table.AddBot{}, table.RemoveBot{Seat: seat}, table.Ready{On: true, Bots: true}}[r.IntN(3)])
	case 19:
		err = v.Do(ctx, id, table.Pause{On: r.IntN(2) == 0})
	case 20:
		err = v.Do(ctx, id, []table.Command{table.Resign{}, table.Resign{Back: true}, table.Rematch{}, table.Continue{}}[r.IntN(4)])
	case 21:
		err = v.Do(ctx, id, table.CastVote{Vote: []table.Vote{table.VoteBot, table.VoteAdjourn, table.VoteClaim}[r.IntN(3)], On: true})
	case 22:
		err = s.orders([]string{"/kick ", "/mute ", "/unmute "}[r.IntN(3)] + whom)
	case 23:
		err = s.orders(fmt.Sprint("/close ", id))
	case 0:
		_, err = v.QuickPlay(ctx, lobby.QuickPrefs{})
	case 1:
		cfg := table.DefaultConfig()
		cfg.Access = []table.Access{table.AccessOpen, table.AccessCode}[r.IntN(2)]
		cfg.Pace = []table.Pace{table.PaceFast, table.PaceSlow, table.PaceNone}[r.IntN(3)]
		cfg.Seats = 2 + r.IntN(3)
		_, err = v.NewTable(ctx, cfg)
	case 2:
		err = v.Do(ctx, id, table.Sit{})
	case 3:
		err = v.Do(ctx, id, table.Stand{})
	case 4, 5:
		err = v.Do(ctx, id, table.Ready{On: true})
	case 6:
		_, err = v.Say(ctx, "hello")
	case 7:
		v.Show(lobby.Place{Club: r.IntN(2) == 0})
	case 8:
		_, err = v.Join(ctx, fmt.Sprint(id))
	default:
		err = s.play(v, id)
	}
	var refusal text.Refusal
	var atTable table.Refusal
	if err != nil && !errors.As(err, &refusal) && !errors.As(err, &atTable) && !errors.Is(err, table.ErrConfig) &&
		!errors.As(err, new(*lobby.SanctionError)) {
		s.t.Errorf("not a sentence for a player: %v", err)
	}
}

// orders has an operator come, give an order, and leave.
func (s *simulation) orders(what string) error {
	boss := s.c.enter(s.boss, operator)
	defer boss.Close(table.Left)
	return errOf(boss.Say(ctx, what))
}

// play looks at a table and makes a move there, if it is time.
func (s *simulation) play(v *lobby.Visit, id table.ID) error {
	sub, err := v.Show(lobby.Place{Table: id}).Watch(ctx)
	if err != nil {
		return err
	}
	defer sub.Close()
	view := sub.View()
	if len(view.Play.Options) == 0 {
		return nil
	}
	o := view.Play.Options[0]
	move := rules.Move{Seat: view.POV, Kind: view.Play.Duty, Tile: o.Tile, Arm: o.Arm}
	return v.Do(ctx, id, table.Move{Version: view.Version, Move: move})
}

// check verifies the laws.
func (s *simulation) check() {
	t := s.t
	s.visits = slices.DeleteFunc(s.visits, func(v *lobby.Visit) bool { return len(v.Kicked()) > 0 })
	if s.held != nil {
		require.Equal(t, s.was, fmt.Sprintf("%+v", *s.held), "a snapshot has changed")
		s.held = nil
	}
	if len(s.visits) == 0 {
		require.Zero(t, s.c.Stats().Sessions)
		return
	}
	snap := s.visits[0].Snapshot()
	present, sessions := map[table.PlayerID]bool{}, map[table.PlayerID]int{}
	for _, v := range s.visits {
		require.Same(t, snap, v.Snapshot(), "two people see different clubs")
		present[v.Player().ID] = true
		sessions[v.Player().ID]++
	}
	require.Len(t, snap.People, len(present))
	for _, p := range snap.People {
		require.Equal(t, sessions[p.Player.ID], p.Sessions, p.Player.Name)
	}
	seats, names := map[table.PlayerID][]table.ID{}, map[string]table.PlayerID{}
	for i := range snap.Tables {
		sum := &snap.Tables[i]
		for _, seat := range sum.Seats {
			id := seat.Player.ID
			if next := seat.Next.ID; next != 0 {
				seats[next] = append(seats[next], sum.Table)
			}
			if id == 0 {
				continue
			}
			require.NotContains(t, seats[id], sum.Table, "somebody has two seats at a table")
			seats[id] = append(seats[id], sum.Table)
			if old, twice := names[seat.Player.Name]; twice {
				require.Equal(t, old, id, "two people are called %s", seat.Player.Name)
			}
			names[seat.Player.Name] = id
			if present[id] {
				require.Contains(t, []table.Presence{table.Here, table.Silent, table.Absent}, seat.Presence, "%s is here", seat.Player.Name)
			} else {
				require.NotEqual(t, table.Here, seat.Presence, "%s is not here", seat.Player.Name)
			}
		}
	}
	for _, v := range s.visits {
		var mine []table.ID
		for _, sum := range v.MyTables() {
			mine = append(mine, sum.Table)
		}
		slices.Sort(mine)
		slices.Sort(seats[v.Player().ID])
		require.Equal(t, seats[v.Player().ID], mine, v.Player().Name)
		require.LessOrEqual(t, len(mine), s.c.cfg.SeatsEach)
	}
	require.LessOrEqual(t, len(snap.Tables), s.c.cfg.MaxTables+1) // the house has one more
	s.held, s.was = snap, fmt.Sprintf("%+v", *snap)
}
