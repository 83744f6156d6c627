package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
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
	"boneyard/rules"
	"boneyard/store"
	"boneyard/table"
)

// The laws of a simulated club. Each has a name, under which a month that breaks it is reported.
const (
	lawDaily   = "every day's deal can be played to its end"
	lawLate    = "every event ends"
	lawEarly   = "no event begins or ends before its time"
	lawTables  = "no table outlives its game's event"
	lawNobody  = "no table outlives 15 minutes of nobody"
	lawOne     = "nobody is at two tables of events at once"
	lawTitles  = "titles and promotions follow from games played"
	lawFile    = "results count once and recompute from the records"
	lawLog     = "nothing in the log repeats without end"
	lawLevel   = "nothing stays behind"
	lawReaders = "nobody who only looks waits for the disk"
	lawWeekly  = "a weekly arena is held every week"
)

// monthSlack is the delay of an event that restarts, a clock that is set and a stalled disk may cause.
const monthSlack = 20 * time.Minute

// laws watches a simulated club. Its fields are guarded by month.mu where several goroutines use them.
type laws struct {
	*month
	seen   map[table.PlayerID]time.Time // when somebody came or left last
	broken map[string][]string
	known  map[event.ID]*monthEvent
	tables map[table.ID]time.Time // when a table was first seen
	spare  map[table.ID]time.Time // tables that no event wants, since when
}

// monthEvent is an event that is not over, as it was last seen.
type monthEvent struct {
	event.Event
	view any
}

func newLaws(m *month) *laws {
	return &laws{month: m, seen: make(map[table.PlayerID]time.Time), broken: make(map[string][]string), known: make(map[event.ID]*monthEvent),
		tables: make(map[table.ID]time.Time), spare: make(map[table.ID]time.Time)}
}

// breaks notes that a law is broken.
func (l *laws) breaks(law, format string, args ...any) {
	says := time.Now().Format("2 Jan 15:04:05 ") + fmt.Sprintf(format, args...)
	l.log.note("BROKEN: %s: %s", law, says)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken[law] = append(l.broken[law], says)
}

// report fails the test for each law that was broken.
func (l *laws) report() {
	const shown = 5
	for _, law := range slices.Sorted(maps.Keys(l.broken)) {
		all := l.broken[law]
		l.t.Errorf("%s: broken %d times\n\t%s", law, len(all), strings.Join(all[:min(shown, len(all))], "\n\t"))
	}
	if l.t.Failed() {
		l.t.Logf("the end of the log:\n%s", l.log.tail())
	}
}

// look checks all events and tables.
func (l *laws) look() {
	r, ctx := l.month.now(), context.Background()
	v, err := r.lobby.Ask(nil, lobby.Origin{})
	require.NoError(l.t, err)
	held := make(map[event.ID]bool)
	wanted := make(map[table.Event]bool)
	weekly := false
	for _, kind := range []event.Kind{arena.Kind, challenge.Kind, cup.Kind, daily.Kind, duplicate.Kind, field.Kind, league.Kind, night.Kind} {
		for _, room := range v.EventRooms(kind) {
			e := &monthEvent{room.Event(), room.View()}
			held[e.ID], l.known[e.ID] = true, e
			l.inTime(e)
			if a, ok := e.view.(*arena.View); ok && a.Config.Weekly {
				weekly = true
				if off := e.Begins.Sub(l.clock.began.Add(weeklyAt)) % match.Week; off != 0 {
					l.breaks(lawWeekly, "arena %d begins at %v", e.ID, e.Begins)
				}
			}
			rules, _, err := event.Replay(ctx, r.store, lobby.EventKinds(), e.Event)
			require.NoError(l.t, err)
			for _, p := range rules.Wanted() {
				wanted[table.Event{ID: e.ID, Pairing: p.No}] = true
			}
		}
	}
	if started := time.Since(l.clock.began) > 2*time.Hour; started && !weekly {
		l.breaks(lawWeekly, "none is planned")
	}
	for id, e := range l.known {
		if !held[id] {
			l.notBefore(e)
			delete(l.known, id)
		}
	}
	l.lookAtTables(r, wanted)
}

// inTime checks when an event in progress begins and ends.
func (l *laws) inTime(e *monthEvent) {
	now := time.Now()
	var ends time.Time
	begun := false
	switch v := e.view.(type) {
	case *arena.View:
		ends, begun = e.Ends.Add(30*time.Minute), v.Begun
	case *challenge.View:
		ends, begun = e.Begins.Add(event.Kept), v.Called != nil
	case *daily.Day:
		ends = e.Ends
	case *night.View:
		ends = e.Ends
	case *duplicate.View:
		ends = e.Begins.Add(6 * time.Hour)
	case *field.View:
		ends, begun = e.Begins.Add(3*time.Hour), v.Begun
	case *match.View:
		ends, begun = contestEnds(e, v), v.Begun
	}
	if now.After(ends.Add(monthSlack)) {
		l.breaks(lawLate, "%s %d, which began at %v, should have ended at %v", e.Kind, e.ID, e.Begins, ends)
	}
	if begun && now.Before(e.Begins) {
		l.breaks(lawEarly, "%s %d has begun, which is to begin at %v", e.Kind, e.ID, e.Begins)
	}
}

// contestEnds returns the time by which something must happen in a league or a cup: its beginning, or the
// next match to be decided.
func contestEnds(e *monthEvent, v *match.View) (at time.Time) {
	const takes = 3 * time.Hour // a game that has begun
	if !v.Begun {
		return e.Begins
	}
	for _, m := range v.Matches {
		if !m.Done && (at.IsZero() || m.Closes.Before(at)) {
			at = m.Closes
		}
	}
	return at.Add(takes)
}

// notBefore checks an event that is over.
func (l *laws) notBefore(e *monthEvent) {
	switch e.Kind {
	case arena.Kind, daily.Kind, night.Kind:
		if time.Now().Before(e.Ends) {
			l.breaks(lawEarly, "%s %d is over, which is to end at %v", e.Kind, e.ID, e.Ends)
		}
	}
}

// savedTable is what the laws ask of a table on disk.
type monthTable struct {
	Config table.Config                                            `json:"config"`
	Phase  table.State                                             `json:"phase"`
	Seats  [rules.MaxSeats]struct{ Player struct{ table.Player } } `json:"seats"`
}

func (l *laws) lookAtTables(r *monthRun, wanted map[table.Event]bool) {
	saved, err := r.store.Load(context.Background())
	require.NoError(l.t, err)
	tables, spare := make(map[table.ID]time.Time), make(map[table.ID]time.Time)
	for _, s := range saved {
		tables[s.Table] = time.Now()
		if at, ok := l.tables[s.Table]; ok {
			tables[s.Table] = at
		}
		var t monthTable
		require.NoError(l.t, json.Unmarshal(s.State, &t))
		of, alone := t.Config.Event, min(l.aloneFor(&t), time.Since(tables[s.Table]))
		read := t.Phase == table.Finished && alone == 0 // its players still look at the result
		if of.ID != 0 && !read && !wanted[table.Event{ID: of.ID, Pairing: of.Pairing}] {
			spare[s.Table] = time.Now()
			if since, ok := l.spare[s.Table]; ok {
				spare[s.Table] = since
			}
			if time.Since(spare[s.Table]) > monthSlack {
				l.breaks(lawTables, "table %d, %s, game %d of event %d, which does not want it", s.Table, t.Phase, of.Pairing, of.ID)
			}
		}
		most := 15 * time.Minute
		if inGame := t.Phase != table.Gathering && t.Phase != table.Finished; of.Solo || of.ID == 0 && inGame {
			most = 30 * 24 * time.Hour
		}
		if alone > most+monthSlack {
			l.breaks(lawNobody, "table %d, %s, game %d of event %d, to which nobody has come for %v", s.Table, t.Phase, of.Pairing, of.ID, alone)
		}
	}
	l.tables, l.spare = tables, spare
}

// aloneFor returns how long none of a table's players has been in the club.
func (l *laws) aloneFor(t *monthTable) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	var last time.Time
	for _, s := range t.Seats {
		if l.here[s.Player.ID] {
			return 0
		}
		if at := l.seen[s.Player.ID]; at.After(last) {
			last = at
		}
	}
	if last.IsZero() {
		return 0
	}
	return time.Since(last)
}

// oneTableAtATime checks a person's tables.
func (l *laws) oneTableAtATime(name string, mine []table.Summary) {
	var at []string
	for _, s := range mine {
		if of := s.Config.Event; of.ID != 0 && !of.Solo && s.State == table.Playing {
			at = append(at, fmt.Sprintf("table %d of event %d, %s", s.Table, of.ID, s.Config.Name))
		}
	}
	if len(at) > 1 {
		l.breaks(lawOne, "%s plays at %s", name, strings.Join(at, " and "))
	}
}

// readersGoOn reads all tables while the disk is stalled.
func (l *laws) readersGoOn() {
	r := l.month.now()
	v, err := r.lobby.Ask(nil, lobby.Origin{})
	require.NoError(l.t, err)
	saved, err := r.store.Load(context.Background())
	require.NoError(l.t, err)
	for _, s := range saved {
		answered := make(chan struct{})
		go func() {
			defer close(answered)
			_, _ = v.GalleryView(s.Table)
		}()
		select {
		case <-answered:
		case <-time.After(3 * time.Second):
			l.breaks(lawReaders, "table %d does not answer", s.Table)
		}
	}
}

// endOfDay checks the day before and what the club holds, at an hour when nobody is there.
func (l *laws) endOfDay(day int) {
	const (
		mostRooms, mostTables = 80, 60
		mostOthers            = 60 // goroutines besides those of rooms and tables
	)
	r, ctx := l.month.now(), context.Background()
	if day > 0 {
		key := daily.KeyOf(l.clock.began.AddDate(0, 0, day-1))
		e, err := r.store.Event(ctx, daily.Kind, key)
		require.NoError(l.t, err)
		rules, _, err := event.Replay(ctx, r.store, lobby.EventKinds(), e)
		require.NoError(l.t, err)
		if d := rules.View(nil).(*daily.Day); !slices.ContainsFunc(d.Rows, func(r daily.Row) bool { return r.Played }) {
			l.breaks(lawDaily, "nobody of %d has finished that of %s: %s", len(d.Rows), key, d.Rules)
		}
	}
	synctest.Wait()
	s := r.lobby.Stats()
	rooms := 0
	for _, n := range s.Events {
		rooms += n
	}
	goroutines := bubbleGoroutines()
	l.log.note("day %d: %d people, %d rooms, %d tables, %d goroutines", day, s.People, rooms, s.Tables, goroutines)
	if s.People > 0 || rooms > mostRooms || s.Tables > mostTables || goroutines-rooms-s.Tables > mostOthers {
		l.breaks(lawLevel, "%d people, %d rooms, %d tables, %d goroutines", s.People, rooms, s.Tables, goroutines)
	}
	l.lookAtLog()
}

// bubbleGoroutines counts the goroutines of the simulation.
func bubbleGoroutines() int {
	buf := make([]byte, 1<<20)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			buf = buf[:n]
			break
		}
		buf = make([]byte, 2*len(buf))
	}
	own := regexp.MustCompile(`synctest bubble \d+`).Find(buf) // this goroutine comes first
	return bytes.Count(buf, append(own, ']'))
}

// judgeFile checks the file at the end.
func (l *laws) judgeFile() {
	ctx := context.Background()
	found, err := store.Check(ctx, l.file, nil)
	require.NoError(l.t, err)
	for _, p := range found.Problems {
		l.breaks(lawFile, "%s", p)
	}
	st, err := store.Open(ctx, l.file, store.DefaultOptions())
	require.NoError(l.t, err)
	defer func() { require.NoError(l.t, st.Close()) }()
	rebuilt, err := st.Rebuild(ctx)
	require.NoError(l.t, err)
	if rebuilt.Changed > 0 {
		l.breaks(lawFile, "%d rows of the standings are not those of the games", rebuilt.Changed)
	}
	kinds := make(map[event.Kind]int)
	for _, kind := range slices.Sorted(maps.Keys(lobby.EventKinds())) {
		all, err := st.Events(ctx, kind, 0)
		require.NoError(l.t, err)
		games := 0
		for _, e := range all {
			played, err := st.EventGames(ctx, e.ID)
			require.NoError(l.t, err)
			games += len(played)
			if !e.Over {
				continue
			}
			kinds[kind]++
			entries, err := st.EventLog(ctx, e.ID)
			require.NoError(l.t, err)
			rules, err := lobby.EventKinds().Fold(e, entries)
			require.NoError(l.t, err)
			l.judgeTitles(e, rules.View(nil), entries[len(entries)-1])
		}
		l.t.Logf("%s: %d events that are over, %d games", kind, kinds[kind], games)
	}
	l.t.Logf("%d games, %d lines, %d counted", found.Games, found.Lines, found.Counted)
}

// judgeTitles compares the outcome of a league or a cup with its games.
func (l *laws) judgeTitles(e event.Event, view any, last event.Entry) {
	v, ok := view.(*match.View)
	if !ok {
		return
	}
	f, err := event.Read[match.Final](last)
	require.NoError(l.t, err)
	played, division, sizes := make(map[table.TeamID]bool), make(map[table.TeamID]int), make(map[int]int)
	for _, m := range v.Matches {
		for _, s := range m.Sides {
			if division[s.ID] == 0 && m.Division > 0 {
				division[s.ID] = m.Division
				sizes[m.Division]++
			}
			played[s.ID] = played[s.ID] || slices.ContainsFunc(m.Games, func(g match.Game) bool { return g.ID != 0 })
		}
	}
	for _, trophy := range f.Trophies {
		if !played[trophy.Team] {
			l.breaks(lawTitles, "team %d is %s %d's %s and has not played a game", trophy.Team, e.Kind, e.ID, trophy.Title)
		}
	}
	in, room := 1, sizes[1]
	for _, team := range f.Order {
		if room == 0 {
			in++
			room = sizes[in]
		}
		if room--; in < division[team] && !played[team] {
			l.breaks(lawTitles, "team %d goes up with %s %d and has not played a game", team, e.Kind, e.ID)
		}
	}
}

// lookAtLog looks for lines that were repeated too often on this day.
func (l *laws) lookAtLog() {
	const most = 200
	for line, n := range l.log.endOfDay() {
		if n > most {
			l.breaks(lawLog, "%d times: %s", n, line)
		}
	}
}
