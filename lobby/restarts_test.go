package lobby_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/challenge"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/event/night"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
)

// hosted is an event as TestEventsOutliveRestarts holds it.
type hosted struct {
	kind   event.Kind
	people int
	teams  bool // the people are in teams of two, the captains first
	create func(e *era, boss *lobby.Visit, in time.Time) (event.ID, error)
	act    func(e *era, v *lobby.Visit, i int) error // what a person, by number, asks for again and again
}

// eras are the events of TestEventsOutliveRestarts, by name.
var eras = map[string]hosted{
	"arena": {arena.Kind, 5, false, func(_ *era, boss *lobby.Visit, in time.Time) (event.ID, error) {
		return boss.NewArena(ctx, hour, in, 20*time.Minute)
	}, enters},
	"challenge": {challenge.Kind, 2, false, func(e *era, _ *lobby.Visit, in time.Time) (event.ID, error) {
		_, err := e.here[0].ChallengeAt(ctx, duel(), 0, e.names[1], in)
		return 1, err
	}, answers},
	"challenge of teams": {challenge.Kind, 4, true, func(e *era, _ *lobby.Visit, in time.Time) (event.ID, error) {
		_, err := e.here[0].ChallengeAt(ctx, partners(e.t), e.here[2].Player().Team, "", in)
		return 1, err
	}, answers},
	"cup": {cup.Kind, 8, true, func(_ *era, boss *lobby.Visit, in time.Time) (event.ID, error) {
		return boss.NewCup(ctx, cup.Config{Config: block, Round: 4 * time.Hour}, in)
	}, meets},
	"league": {league.Kind, 6, true, func(_ *era, boss *lobby.Visit, in time.Time) (event.ID, error) {
		cfg := winter
		cfg.Window = 4 * time.Hour
		return boss.NewLeague(ctx, cfg, in, 0)
	}, meets},
	"daily": {daily.Kind, 3, false, func(e *era, boss *lobby.Visit, _ time.Time) (event.ID, error) {
		synctest.Wait()
		kept, err := e.c.store.Event(ctx, daily.Kind, daily.KeyOf(time.Now()))
		return kept.ID, err
	}, func(e *era, v *lobby.Visit, i int) error {
		switch {
		case e.in[i]:
			return nil
		case v.EventRoom(e.id) == nil: // today's is another
			return event.ErrOver
		}
		return errOf(v.PlayDaily(ctx, ""))
	}},
	"duplicate": {duplicate.Kind, 8, false, func(e *era, _ *lobby.Visit, _ time.Time) (event.ID, error) {
		return e.here[0].NewDuplicate(ctx, duplicate.Config{Rules: "block rounds=1", Pace: table.PaceFast})
	}, func(e *era, v *lobby.Visit, i int) error {
		return v.EnterDuplicate(ctx, e.id, duplicate.Team(1+i%2))
	}},
	"field": {field.Kind, 4, false, func(e *era, _ *lobby.Visit, in time.Time) (event.ID, error) {
		return e.here[0].NewField(ctx, field.Config{Rules: "classic rounds=1", Pace: table.PaceFast}, in)
	}, enters},
	"club night": {night.Kind, 2, false, func(_ *era, boss *lobby.Visit, _ time.Time) (event.ID, error) {
		return boss.NewClubNight(ctx, time.Hour)
	}, func(*era, *lobby.Visit, int) error { return nil }},
}

func enters(e *era, v *lobby.Visit, _ int) error {
	return v.EnterEvent(ctx, e.kind, e.id, "")
}

func answers(_ *era, v *lobby.Visit, _ int) error {
	if p := v.Prompt(); p != nil {
		return errOf(v.Answer(ctx, p, true))
	}
	return nil
}

// meets signs a captain's team up, and proposes a time for its match.
func meets(e *era, v *lobby.Visit, i int) error {
	now, err := v.Contest(ctx, e.id)
	if err != nil || i%2 != 0 {
		return err
	}
	if !now.Begun {
		return v.SignUp(ctx, e.id, true)
	}
	if m := now.Current(v.Player().Team); m != nil && m.At.IsZero() && !m.Playing() {
		return v.ProposeTime(ctx, e.id, v.EventsNow().Truncate(time.Hour).Add(2*time.Hour))
	}
	return nil
}

// era is the time of an event in a club that is stopped again and again.
type era struct {
	hosted
	t     *testing.T
	rng   *rand.Rand
	c     *club
	id    event.ID
	names []string
	here  []*lobby.Visit // nil for who is away
	back  []time.Time    // when they come again
	in    []bool         // who was told that they take part
	notes []map[string]bool
	mute  bool      // the club crashed at the event's last entry
	ends  time.Time // when it must be over
	path  []string  // what has happened, for a failure

	mu    sync.Mutex
	left  int           // entries until the next stop; 0: none
	crash bool          // how it stops
	stops chan struct{} // signals that it is to stop
}

// keptEvents are the club's events, under a name that can be embedded.
type keptEvents interface{ lobby.Events }

// journal is a journal that reports what was written.
type journal struct {
	keptEvents
	wrote func([]event.Entry)
}

func (j journal) AppendEvent(ctx context.Context, id event.ID, seq int, entries []event.Entry, over bool) error {
	err := j.keptEvents.AppendEvent(ctx, id, seq, entries, over)
	if err == nil {
		j.wrote(entries)
	}
	return err
}

// Whatever is held when the club is stopped, in order or by a crash, after an entry of the event's journal, and
// for however long: the event ends and has one result, its players are those who entered, its games count
// once, its tables close, and its news are told once. Each event is held over New Year.
func TestEventsOutliveRestarts(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(eras)) {
		for _, seed := range seeds(4) {
			t.Run(fmt.Sprint(name, "/", seed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { newEra(t, eras[name], seed).last() })
			})
		}
	}
}

func newEra(t *testing.T, kind hosted, seed uint64) *era {
	e := &era{hosted: kind, t: t, rng: rand.New(rand.NewPCG(seed, 9)), stops: make(chan struct{}, 1)}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("repeat with: go test ./lobby -run '%s' -lobby.seed %d\n%s", t.Name(), seed, strings.Join(e.path, "\n"))
		}
	})
	newYear := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	time.Sleep(time.Until(newYear.Add(-time.Duration(e.rng.IntN(180)) * time.Minute)))
	cfg := lobby.DefaultConfig()
	cfg.Exhibition, cfg.Daily = false, kind.kind == daily.Kind
	e.c = &club{t: t, store: lobbytest.New(t), cfg: cfg}
	e.c.deps = func(d *lobby.Deps) { d.Stores.Events = journal{d.Stores.Events, e.wrote} }
	e.c.start()
	t.Cleanup(e.c.stop)
	for i := range kind.people {
		e.names = append(e.names, fmt.Sprint("kit", string(rune('a'+i))))
		e.here = append(e.here, e.c.come(e.names[i]))
		e.notes = append(e.notes, map[string]bool{})
		if kind.teams && i%2 == 1 {
			unite(t, "The "+e.names[i], strings.ToUpper(e.names[i]), e.here[i-1], e.here[i])
		}
	}
	e.back, e.in = make([]time.Time, kind.people), make([]bool, kind.people)
	boss := e.c.come("olga", operator)
	var err error
	e.id, err = kind.create(e, boss, time.Now().Add(15*time.Minute))
	require.NoError(t, err)
	boss.Close(table.Left)
	return e
}

// notef records what happened. With mu held.
func (e *era) notef(format string, args ...any) {
	e.path = append(e.path, time.Now().Format("2006-01-02 15:04:05.000 ")+fmt.Sprintf(format, args...))
}

// wrote receives entries that are on disk, and decides whether the club stops now.
func (e *era) wrote(entries []event.Entry) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range entries {
		e.notef("%s %s", x.Kind, x.Data)
	}
	if e.left > 0 && slices.ContainsFunc(entries, func(x event.Entry) bool { return x.Kind == event.KindOver }) {
		e.left = 1
	}
	if e.left == 0 {
		return
	}
	if e.left--; e.left == 0 {
		if e.crash {
			e.c.store.Fail(fmt.Errorf("the server is dead: %w", table.ErrUnavailable))
		}
		e.stops <- struct{}{}
	}
}

// last makes people take part until the event is over, in a club that is stopped some times.
func (e *era) last() {
	const mostStops = 6
	e.arm()
	wait := time.Second
	e.ends = time.Now().Add(7 * 24 * time.Hour)
	for stops := 0; ; {
		require.True(e.t, time.Now().Before(e.ends), "it does not end")
		if wait = min(2*wait, 20*time.Second); e.step() {
			wait = time.Second
		}
		select {
		case <-e.stops:
			e.restart()
			if stops++; stops < mostStops {
				e.arm()
			}
			continue
		case <-time.After(wait):
		}
		if !e.over() {
			continue
		}
		synctest.Wait() // else the last entry is on disk, but wrote may stop the club yet
		if len(e.stops) == 0 {
			e.judge()
			return
		}
	}
}

// arm makes the club stop after some more entries.
func (e *era) arm() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.left, e.crash = 1+e.rng.IntN(8), e.rng.IntN(2) == 0
}

// restart stops the club and starts it some time later.
func (e *era) restart() {
	e.mute = e.mute || e.crash && e.over()
	if !e.crash { // else nobody has read what was decided last
		e.collect()
		e.c.stop()
	} else {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		_ = e.c.Close(ctx) // it can write nothing
		synctest.Wait()
		e.c.store.Fail(nil)
	}
	gaps := []time.Duration{0, time.Minute, 20 * time.Minute, 3 * 24 * time.Hour, 40 * 24 * time.Hour}
	gap := gaps[e.rng.IntN(len(gaps))]
	e.mu.Lock()
	e.notef("stopped for %v; crash %v", gap, e.crash)
	e.mu.Unlock()
	time.Sleep(gap)
	e.ends = e.ends.Add(gap)
	e.c.start()
	synctest.Wait()
	if rules, kept, _ := e.stored(); e.kind != challenge.Kind {
		wanted, s := len(rules.Wanted()), e.c.Stats()
		if kept.Over {
			wanted = 0
		}
		require.Equal(e.t, wanted, s.Tables-s.States[table.Finished], "tables after a start")
	}
	for i := range e.here {
		e.here[i], e.back[i] = nil, time.Now().Add(time.Duration(e.rng.IntN(90))*time.Second)
	}
}

// collect remembers what people were told.
func (e *era) collect() {
	for i, v := range e.here {
		if v != nil {
			for _, n := range v.Notes() {
				e.notes[i][n.Text] = true
			}
		}
	}
}

// step makes everybody do what they can, and reports whether somebody is at a table where a game goes on.
func (e *era) step() (busy bool) {
	for i := range e.here {
		v := e.comes(i)
		if v == nil {
			continue
		}
		e.in[i] = e.act(e, v, i) == nil || e.in[i]
		for _, s := range v.MyTables() {
			switch s.State {
			case table.Gathering:
				_ = v.Do(ctx, s.Table, table.Ready{On: true})
			case table.Playing, table.Scoring:
				busy = true
				if s.State == table.Playing && e.rng.IntN(60) == 0 {
					_ = v.Do(ctx, s.Table, table.Resign{})
				} else {
					moves(e.t, v, s.Table)
				}
			}
		}
	}
	return busy
}

// comes lets a person in who is to come by now, and returns their visit, or nil while they are away.
func (e *era) comes(i int) *lobby.Visit {
	if e.here[i] != nil || time.Now().Before(e.back[i]) {
		return e.here[i]
	}
	a, err := e.c.store.ByName(ctx, e.names[i])
	require.NoError(e.t, err)
	v, err := e.c.Enter(ctx, a, lobby.Origin{Key: a.Key, Net: fmt.Sprint("10.0.0.", i), Terminal: "xterm"})
	if err == nil {
		v.Listen()
		e.here[i] = v
	}
	return e.here[i]
}

// over reports whether the event is over on disk.
func (e *era) over() bool {
	kept, err := e.c.store.EventByID(ctx, e.id)
	require.NoError(e.t, err)
	return kept.Over
}

// judge checks the laws once the event is over.
func (e *era) judge() {
	t := e.t
	e.mu.Lock()
	e.left = 0
	e.mu.Unlock()
	time.Sleep(time.Hour)
	for i := range e.here {
		e.back[i] = time.Time{}
		e.comes(i)
	}
	synctest.Wait()
	e.collect()
	for i, v := range e.here {
		v.Close(table.Left)
		e.here[i] = nil
	}
	wait(12 * time.Hour)
	require.Zero(t, e.c.Stats().Tables, "tables are left: %v", e.c.Stats().States)

	rules, kept, log := e.stored()
	overs := slices.DeleteFunc(log, func(x event.Entry) bool { return x.Kind != event.KindOver })
	require.Len(t, overs, 1)
	view := rules.View(nil)
	games, err := e.c.store.EventGames(ctx, e.id)
	require.NoError(t, err)
	if checks, ok := rules.(event.Checker); ok {
		require.Empty(t, checks.Check(games))
	}
	pairings := map[int64]bool{}
	for _, g := range games {
		if g.Result.Ending == table.EndAbandoned {
			continue
		}
		late := !g.Ended.Before(overs[0].At) // at the same moment as the event, or while its table is closed
		require.True(t, late || rules.HasResult(g.Game), "game %d is lost", g.Game)
		require.False(t, pairings[g.Start.Event.Pairing], "game %d was played again", g.Game)
		pairings[g.Start.Event.Pairing] = true
	}
	done, err := e.c.store.Rebuild(ctx)
	require.NoError(t, err)
	require.Zero(t, done.Changed, "standings differ from the records")

	e.judgePlayers(view)
	e.judgeNews(&kept, view)
	e.judgeMessages(view)
	e.judgePoints()
}

// stored returns the event as it is on disk.
func (e *era) stored() (event.Rules, event.Event, []event.Entry) {
	kept, err := e.c.store.EventByID(ctx, e.id)
	require.NoError(e.t, err)
	log, err := e.c.store.EventLog(ctx, e.id)
	require.NoError(e.t, err)
	rules, err := lobby.EventKinds().Fold(kept, log)
	require.NoError(e.t, err)
	return rules, kept, log
}

// judgeMessages checks that people were told how the event ended or why it was not played, and of a challenge's
// only table.
func (e *era) judgeMessages(view event.View) {
	const off = " is off: "
	says := "was not played"
	if c, ok := view.(*challenge.View); ok {
		next, err := e.c.store.NextTable(ctx)
		require.NoError(e.t, err)
		if says = off; c.Why == "" {
			says = "It is time for "
			require.Equal(e.t, table.ID(2), next, "the next table")
			if e.mute { // they read it before
				return
			}
		}
	} else if view.Plan().Begun {
		if e.kind != duplicate.Kind && e.kind != field.Kind {
			return
		}
		says = "The comparison: "
	}
	for i, in := range e.in {
		if in && (!e.teams || i%2 == 0) && (says != off || i == 0) { // the other side is told if it is here
			require.Contains(e.t, fmt.Sprint(e.notes[i]), says, "what %s read", e.names[i])
		}
	}
}

// judgePoints checks that a club that is started again computes the same points and places.
func (e *era) judgePoints() {
	points := func() string {
		v := e.comes(0)
		defer func() {
			v.Close(table.Left)
			e.here[0] = nil
		}()
		past, err := v.PastEvents(ctx, 0, 0)
		require.NoError(e.t, err)
		var all []any
		for at := e.ends.AddDate(0, -10, 0); at.Before(e.ends); at = at.AddDate(0, 1, 0) {
			rows, err := v.Season(ctx, at.Format("2006-01"), e.teams)
			require.NoError(e.t, err)
			all = append(all, rows)
		}
		return fmt.Sprintf("%+v %+v", past, all)
	}
	before := points()
	e.c.restart()
	require.Equal(e.t, before, points())
}

// judgePlayers compares the players with those who entered.
func (e *era) judgePlayers(view event.View) {
	var names []string
	switch v := view.(type) {
	case *night.View: // nobody enters it
		return
	case *match.View:
		for _, t := range v.Teams {
			names = append(names, t.Tag)
		}
	case *daily.Day:
		for _, r := range v.Rows {
			names = append(names, r.Name)
		}
	default:
		names = table.Names(v.Players())
	}
	var want []string
	for i, in := range e.in {
		if in && !e.teams {
			want = append(want, e.names[i])
		}
	}
	slices.Sort(names)
	require.Subset(e.t, names, want, "an entrant is lost")
	require.Len(e.t, slices.Compact(names), len(names), "an entrant is doubled")
}

// judgeNews checks that everything was told once.
func (e *era) judgeNews(kept *event.Event, view event.View) {
	t := e.t
	all, err := e.c.store.News(ctx, 10_000)
	require.NoError(t, err)
	told := map[string]int{}
	for _, n := range all {
		if n.Game == 0 {
			told[n.Text]++
			require.Equal(t, 1, told[n.Text], "%q is news again, in %+v", n.Text, all)
		}
	}
	kind := lobby.EventKinds()[e.kind]
	if kind.Keep == nil {
		return
	}
	k := kind.Keep(event.NewEvents(event.Deps{Journal: e.c.store, Kinds: lobby.EventKinds(), Now: time.Now}))
	if k.News != nil {
		for _, say := range k.News(kept, view) {
			require.Equal(t, 1, told[say], "%q is news", say)
		}
	}
	if v, ok := view.(*match.View); ok && e.kind == cup.Kind && len(v.Final.Trophies) > 0 {
		require.Contains(t, fmt.Sprint(slices.Collect(maps.Keys(told))), " in the final of ")
	}
}
