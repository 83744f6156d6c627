package table_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boneyard/rules"
	"boneyard/table"
)

var (
	simSeed  = flag.Uint64("sim.seed", 0, "run the simulation with this seed alone")
	simSeeds = flag.Int("sim.seeds", 10, "how many simulated tables")
	simSteps = flag.Int("sim.steps", 400, "steps at each of them")
)

// TestSimulation has people come to a table, play, leave, time out, press keys at the same moment, disconnect
// and come back, while the journal fails and the server is killed, and checks invariants after each step.
func TestSimulation(t *testing.T) {
	if *simSeed != 0 {
		simulate(t, *simSeed, true)
		return
	}
	var moves, games, kills int
	seeds := *simSeeds
	if testing.Short() {
		seeds = min(seeds, 8)
	}
	for seed := range uint64(seeds) {
		s := simulate(t, seed+1, false)
		moves, games, kills = moves+s.moves, games+int(s.finished.Load()), kills+s.kills
		if t.Failed() {
			return
		}
	}
	t.Logf("%d tables, %d steps each: %d moves of players, %d games finished, %d kills", seeds, *simSteps, moves, games, kills)
	if moves == 0 || games == 0 || kills == 0 {
		t.Error("the simulation does not play")
	}
}

func simulate(t *testing.T, seed uint64, verbose bool) *simulation {
	s := &simulation{seed: seed, verbose: verbose}
	t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s.t = t
			s.run()
		})
	})
	return s
}

// simulation is one table and all that happens to it. The driver waits until the table is at rest before each step, so
// that a seed repeats a run exactly.
type simulation struct {
	t       *testing.T
	seed    uint64
	verbose bool
	rng     *rand.Rand
	journal *memory
	deps    table.Deps
	table   *table.Table
	people  []*simPerson
	views   map[viewKey]*table.View
	digests map[*table.View]string
	acked   map[string]bool // ids of moves that were acknowledged
	refused map[string]bool
	mu      sync.Mutex
	log     []string // the steps, and what the table logs

	n, moves, kills int
	finished        atomic.Int64
}

type viewKey struct {
	version uint64
	pov     rules.Seat
}

// simPerson is somebody with one screen, who may be disconnected.
type simPerson struct {
	table.Player
	sub  *table.Subscription
	net  string
	last table.Request
}

func (s *simulation) run() {
	s.rng = rand.New(rand.NewPCG(s.seed, 7))
	s.journal = newMemory()
	s.views, s.digests = map[viewKey]*table.View{}, map[*table.View]string{}
	s.acked, s.refused = map[string]bool{}, map[string]bool{}
	seeds := rand.New(rand.NewPCG(s.seed, 8)) // the table's goroutine alone asks for seeds
	s.deps = table.Deps{
		Log:  slog.New(slog.NewTextHandler(simLog{s}, nil)),
		Rand: func() *rand.Rand { return rand.New(rand.NewPCG(s.seed, 2)) },
		NewSeed: func() (d rules.Seed) {
			for i := range d {
				d[i] = byte(seeds.Uint32())
			}
			return d
		},
		NewCode: func() string { return "K7QX" },
		OnEnd:   func(table.GameID, table.Start, table.Result) { s.finished.Add(1) },
	}
	for i := range 9 {
		p, net := player(i+1, fmt.Sprintf("p%d", i+1)), netOf(table.PlayerID(i+1))
		switch i {
		case 6:
			p = table.Player{ID: -5, Name: "guest-elm"}
		case 7:
			net = netOf(1)
		}
		p.Team = table.TeamID(1 + i%3)
		s.people = append(s.people, &simPerson{Player: p, net: net})
	}
	s.make()
	defer func() {
		if s.t.Failed() {
			for _, l := range s.log[max(0, len(s.log)-30):] {
				s.t.Log(l)
			}
			s.t.Logf("repeat it with: go test ./table -run TestSimulation -sim.seed=%d -sim.steps=%d", s.seed, *simSteps)
		}
	}()
	for range *simSteps {
		s.step()
		synctest.Wait()
		s.laws()
		if s.t.Failed() {
			break
		}
	}
	s.journal.setFail(nil)
	_ = s.table.Close(context.Background())
	for id, g := range s.journal.games {
		if g.end != nil {
			s.journal.checkRecord(s.t, id)
		}
	}
}

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }

// make opens a table of a random kind.
func (s *simulation) make() {
	c := table.DefaultConfig()
	text := pick(s.rng, "azneef", "sniff target=60", "sniff teams=on above=50", "spruce target=60", "classic target=40",
		"classic spinner=all teams=on target=60", "block target=60", "block target=20")
	seats := 2 + s.rng.IntN(3)
	if strings.Contains(text, "teams") || strings.HasPrefix(text, "block") {
		seats = 4
	}
	setRules(&c, text, seats)
	c.Pace = pick(s.rng, table.PaceNone, table.PaceFast, table.PaceNormal, table.PaceRelaxed, table.PaceSlow)
	c.Absence = pick(s.rng, table.AbsenceBot, table.AbsenceWait, table.AbsenceForfeit)
	c.Fill = pick(s.rng, table.FillNever, table.FillNow, table.FillSoon)
	c.Access = pick(s.rng, table.AccessOpen, table.AccessOpen, table.AccessCode)
	if seats == 4 && (strings.Contains(text, "teams") || strings.HasPrefix(text, "block")) && s.rng.IntN(3) == 0 {
		c.Access = table.AccessTeams
	}
	c.Watchers = s.rng.IntN(4) > 0
	c.House = s.rng.IntN(12) == 0
	s.note("%s, %d seats, %s, %s, %s, %s, watchers %v, house %v", text, seats, c.Pace, c.Absence, c.Fill, c.Access, c.Watchers, c.House)
	s.open(func() (*table.Table, error) {
		return table.Make(context.Background(), s.deps, c, s.people[0].Player)
	})
}

// open opens or restores a table with the journal of now.
func (s *simulation) open(f func() (*table.Table, error)) {
	s.deps.Journal = s.journal
	t, err := f()
	if err != nil {
		s.t.Fatalf("open: %v", err)
	}
	s.table = t
}

// simLog takes in what the table logs.
type simLog struct{ s *simulation }

func (l simLog) Write(p []byte) (int, error) {
	l.s.note("%s", bytes.TrimSpace(p))
	return len(p), nil
}

func (s *simulation) note(format string, args ...any) {
	l := fmt.Sprintf(format, args...)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, l)
	if s.verbose {
		s.t.Log(l)
	}
}

// step does one thing.
func (s *simulation) step() {
	select {
	case <-s.table.Done():
		if len(s.journal.tables) == 0 {
			s.forget()
			s.make()
		} else {
			s.kill()
		}
		return
	default:
	}
	p := pick(s.rng, s.people...)
	for range 3 { // players do more than watchers
		if v := s.viewOf(p); v == nil || v.POV == 0 {
			p = pick(s.rng, s.people...)
		}
	}
	switch r := s.rng.IntN(100); {
	case r < 62:
		s.do(s.request(p))
	case r < 65:
		s.do(p.last) // sent again
	case r < 69:
		s.atOnce()
	case r < 80:
		d := pick(s.rng, 100*time.Millisecond, 800*time.Millisecond, 3*time.Second, 3*time.Second, 20*time.Second, 40*time.Second, 3*time.Minute)
		if s.rng.IntN(30) == 0 && !s.table.Config().House { // which would play through all of it, if somebody watched
			s.journal.setFail(nil) // nor is it tried every ten seconds for a month
			d = pick(s.rng, time.Hour, 25*time.Hour, 32*24*time.Hour)
		}
		s.note("wait %s", d)
		time.Sleep(d)
	case r < 84:
		s.look(p)
	case r < 93:
		how := pick(s.rng, table.Here, table.Here, table.Here, table.Disconnected, table.Left)
		s.note("%s: %s", p.Name, how)
		s.table.Presence(p.ID, how)
	case r < 94:
		s.journal.setFail(table.ErrUnavailable)
		s.note("the journal fails")
	case r < 99:
		s.journal.setFail(nil)
		s.note("the journal writes")
		time.Sleep(time.Second)
	default:
		s.kill()
	}
}

// look begins or ends somebody's subscription.
func (s *simulation) look(p *simPerson) {
	if p.sub != nil {
		p.sub.Close()
		p.sub = nil
		return
	}
	if sub, err := s.table.Subscribe(p.Player, ""); err == nil {
		p.sub = sub
	}
}

func (s *simulation) forget() {
	for _, p := range s.people {
		if p.sub != nil {
			p.sub.Close()
			p.sub = nil
		}
	}
	s.views = map[viewKey]*table.View{}
}

// kill ends the server without warning and starts another with what is on disk.
func (s *simulation) kill() {
	s.kills++
	s.note("kill")
	disk := s.journal.clone()
	old := s.table
	views := s.views // versions continue: a version never shows two things
	s.forget()
	s.views = views
	_ = old.Close(context.Background()) // writes to the old disk, which is gone
	s.journal = disk
	saved, _ := disk.Load(context.Background())
	if len(saved) != 1 {
		s.forget()
		s.make()
		return
	}
	time.Sleep(time.Duration(s.rng.IntN(100)) * time.Second)
	s.open(func() (*table.Table, error) { return table.Restore(s.deps, saved[0]) })
}

// atOnce has two people press while the table is busy with something else.
func (s *simulation) atOnce() {
	goOn := s.journal.stall()
	a, b := pick(s.rng, s.people...), pick(s.rng, s.people...)
	done := make(chan func(), 3)
	send := func(c table.Request) {
		go func() {
			err := s.table.Do(context.Background(), c)
			done <- func() { s.answered(c, err) }
		}()
		synctest.Wait()
	}
	send(s.prepare(a, table.Say{Text: "wait for it"}))
	send(s.request(a))
	send(s.request(b))
	goOn()
	for range 3 {
		(<-done)()
	}
}

// request returns a random request, which is often possible; it may repeat somebody else's.
func (s *simulation) request(p *simPerson) table.Request {
	if v := s.viewOf(p); v != nil && v.POV != 0 && v.State == table.Playing && s.rng.IntN(6) > 0 {
		return s.prepare(s.turn(p))
	}
	return s.prepare(p, s.command(p))
}

// command returns a random command.
func (s *simulation) command(p *simPerson) table.Command {
	v := s.viewOf(p)
	seat := rules.Seat(s.rng.IntN(5))
	any := func() table.Command {
		on := s.rng.IntN(4) > 0
		return pick[table.Command](s.rng,
			table.Sit{Seat: seat, Code: pick(s.rng, "k7qx", "K7QX", "XXXX", ""), Quick: on}, table.Stand{}, table.Unseat{Seat: seat},
			table.Swap{With: seat},
			table.AddBot{Seat: seat, Strength: pick(s.rng, "", table.Novice, table.Regular, "giant")}, table.RemoveBot{Seat: seat},
			table.Ready{On: on}, table.Ready{On: true, Bots: true},
			table.Move{Version: s.rng.Uint64N(50), Move: rules.Move{
				Kind: pick(s.rng, rules.Play, rules.Draw, rules.Pass), Tile: rules.Tile(s.rng.IntN(28)),
				Arm: pick(s.rng, rules.ArmL, rules.ArmR, rules.NoArm), HighLeft: true,
			}},
			table.Continue{}, table.Pause{On: on},
			table.CastVote{Vote: pick(s.rng, table.VoteBot, table.VoteAdjourn, table.VoteClaim, "nonsense"), On: on},
			table.Rematch{}, table.TakeHints{}, table.Say{Text: "hello"}, table.Return{}, nil,
		)
	}
	switch {
	case s.rng.IntN(12) == 0:
		return any()
	case s.rng.IntN(150) == 0:
		return table.Resign{}
	case v == nil || v.POV == 0:
		if s.rng.IntN(3) == 0 {
			return table.Say{Text: "from the gallery"}
		}
		return table.Sit{Code: "K7QX"}
	}
	switch v.State {
	case table.Gathering, table.Countdown:
		if s.rng.IntN(8) == 0 {
			return any()
		}
		return table.Ready{On: s.rng.IntN(8) > 0}
	case table.Finished:
		return pick[table.Command](s.rng, table.Rematch{}, table.Rematch{}, table.Rematch{}, table.Stand{})
	case table.Scoring:
		return table.Continue{}
	case table.Waiting, table.Adjourned:
		return table.CastVote{Vote: pick(s.rng, table.VoteBot, table.VoteAdjourn, table.VoteClaim), On: true}
	case table.Paused:
		return table.Pause{}
	case table.Playing:
		if s.rng.IntN(30) == 0 && !s.table.Config().House { // which would play through all of it, if somebody watched
			s.journal.setFail(nil) // nor is it tried every ten seconds for a month
			return pick[table.Command](s.rng, table.Pause{On: true}, table.CastVote{On: true, Vote: pick(s.rng, table.VoteBot, table.VoteAdjourn)})
		}
	}
	return table.Say{Text: "hm"}
}

// turn is a move of whoever has to choose; the person itself may be somebody else, and refused.
func (s *simulation) turn(p *simPerson) (*simPerson, table.Command) {
	v := s.viewOf(p)
	if s.rng.IntN(5) > 0 {
		for _, o := range s.people {
			if w := s.viewOf(o); w != nil && len(w.Play.Options) > 0 {
				return o, moveOf(w)
			}
		}
	}
	c := table.Move{Version: v.Version - uint64(s.rng.IntN(2))}
	if len(v.Play.Options) > 0 {
		o := pick(s.rng, v.Play.Options...)
		c.Move = rules.Move{Kind: rules.Play, Tile: o.Tile, Arm: o.Arm, HighLeft: s.rng.IntN(2) == 0}
	}
	return p, c
}

func (s *simulation) viewOf(p *simPerson) *table.View {
	if p.sub == nil {
		if p.sub, _ = s.table.Subscribe(p.Player, ""); p.sub == nil {
			return nil
		}
	}
	return p.sub.View()
}

func (s *simulation) prepare(p *simPerson, c table.Command) table.Request {
	s.n++
	p.last = table.Request{ID: "c" + strconv.Itoa(s.n), By: p.Player, Net: p.net, Command: c}
	return p.last
}

func (s *simulation) do(r table.Request) {
	offered := s.offers(r)
	err := s.table.Do(context.Background(), r)
	s.answered(r, err)
	if offered && err != nil && !errors.Is(err, table.ErrFrozen) {
		s.t.Errorf("%s is offered %#v, and refused: %v", r.By.Name, r.Command, err)
	}
}

// offers reports whether a screen would offer to somebody what they request.
func (s *simulation) offers(r table.Request) bool {
	var v *table.View
	for _, p := range s.people {
		if p.ID == r.By.ID {
			v = s.viewOf(p)
		}
	}
	if v == nil || v.Asleep || v.Replaced() {
		return false // the command wakes the game, or brings its player back, which changes what is possible
	}
	asks := table.NewReader(r.By, r.Net, true)
	switch c := r.Command.(type) {
	case table.Sit:
		return c.Seat == 0 && (v.MaySit(asks) || v.MayTake(asks) || s.table.Summary().MayJoin(asks))
	case table.Stand:
		return v.MayStand()
	case table.Ready:
		return v.Arranges() && (!c.Bots || v.MayDeal())
	case table.Rematch:
		return v.Arranges() && v.State == table.Finished
	case table.AddBot:
		return c.Seat == 0 && c.Strength != "giant" && v.Arranges() && v.MayBot() &&
			slices.ContainsFunc(v.Seats, func(q table.SeatView) bool { return q.Free() })
	case table.Pause:
		return c.On && v.MayPause() || !c.On && v.MayResume()
	case table.CastVote:
		return v.MayVote(c.Vote, time.Now())
	case table.Resign:
		return v.MayResign()
	case table.TakeHints:
		return v.MayHint()
	case table.Continue:
		return v.POV != 0 && v.State == table.Scoring
	}
	return false
}

func (s *simulation) answered(r table.Request, err error) {
	s.note("%s: %s %T: %v", r.By.Name, r.ID, r.Command, err)
	if _, move := r.Command.(table.Move); !move {
		return
	}
	if err != nil {
		if !s.acked[r.ID] {
			s.refused[r.ID] = true
		}
		return
	}
	if !s.acked[r.ID] {
		s.moves++
	}
	s.acked[r.ID] = true
	delete(s.refused, r.ID)
}
