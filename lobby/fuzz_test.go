package lobby_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/rules"
	"boneyard/table"
)

// fuzzed are events as they begin, one of each kind.
func fuzzed() map[event.Kind]event.Event {
	at := time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)
	seed := rules.Seed{1}
	all := map[event.Kind]event.Event{
		arena.Kind:     event.Make(arena.Kind, map[string]any{"rules": "classic", "pace": table.PaceFast}, at),
		cup.Kind:       event.Make(cup.Kind, map[string]any{"rules": "block", "pace": table.PaceNormal, "round": time.Hour}, at),
		daily.Kind:     daily.Make(at, 1, seed),
		duplicate.Kind: duplicate.Make(duplicate.Config{Rules: "block", Pace: table.PaceFast}, seed, at),
		field.Kind:     field.Make(field.Config{Rules: "classic", Pace: table.PaceFast}, seed, at),
		league.Kind: event.Make(league.Kind, map[string]any{"rules": "block", "pace": table.PaceNormal, "window": 24 * time.Hour, "size": 8},
			at),
	}
	return all
}

// An impossible entry of an event's journal is refused with a reason: the journal is read at each start.
func FuzzEventJournal(f *testing.F) {
	kinds := slices.Sorted(maps.Keys(fuzzed()))
	const all = `{"id":1,"by":1,"with":2,"no":1,"side":1,"game":1,"winner":1,"points":[3,4],"scores":[5,6],"players":[1,2],"player":{"ID":1,"Name":"ana"},` +
		`"members":[{"ID":1,"Name":"ana"}],"nets":["x"],"partner":{"ID":2,"Name":"ben"},"tables":[[{"ID":1,"Name":"ana"}]],"team":1,"held":true,"order":[1]}`
	for i, k := range kinds {
		if _, err := lobby.EventKinds()[k].New(fuzzed()[k]); err != nil {
			f.Fatal(k, err)
		}
		for _, kind := range []string{
			"enter", "ask", "leave", "back", "pair", "idle", "took", "begin", "end", "once", "start", "result", "attempt", "from", "sign-up",
			"sign-off",
			"open", "offer", "agree", "line-up", "table", "begun", "absent", "close", "over", "?",
		} {
			f.Add(uint8(i), []byte(nil), kind, []byte(`{}`), "begin", []byte(`{}`))
			f.Add(uint8(i), []byte(nil), "enter", []byte(all), kind, []byte(all))
			f.Add(uint8(i), []byte(nil), "begin", []byte(all), kind, []byte(all))
		}
	}
	f.Add(uint8(0), []byte(`{"Rules":"classic","Pace":"fast"}`), "enter", []byte(`{"Members":[{"id":1,"name":"ana"}]}`), "leave",
		[]byte(`{"Player":1}`))
	f.Fuzz(func(t *testing.T, kind uint8, config []byte, first string, data []byte, second string, more []byte) {
		e := fuzzed()[kinds[int(kind)%len(kinds)]]
		if len(config) > 0 {
			e.Config = json.RawMessage(config)
		}
		r, err := lobby.EventKinds()[e.Kind].New(e)
		if err != nil {
			return
		}
		for i, entry := range []event.Entry{{Kind: first, Data: data}, {Kind: second, Data: more}, {Kind: first, Data: data}} {
			entry.Seq, entry.At = i+1, e.Begins.Add(time.Duration(i)*time.Minute)
			if err := r.Apply(entry); err != nil {
				if err.Error() == "" {
					t.Fatal("no reason")
				}
				return // the event is set aside
			}
			showAll(r, entry.At)
		}
	})
}

// journals are journals of events of each kind, as they are written, one entry a line.
var journals = map[event.Kind]string{
	arena.Kind: `enter {"members":[{"ID":1,"Name":"ana"}],"nets":["x"]}
enter {"members":[{"ID":2,"Name":"ben"}],"nets":["y"]}
begin null
pair {"No":1,"A":1,"B":2}
took {"game":1,"no":1,"winner":2}
pair {"No":2,"A":2,"B":1}
idle {"no":2,"id":1}
back {"id":1}
pair {"No":3,"A":2,"B":1}
end null
over {"weekly":false}`,
	cup.Kind:    season,
	league.Kind: season,
	daily.Kind: `attempt {"no":1,"player":1,"name":"ana","net":"x"}
from {"no":1,"net":"y"}
attempt {"no":2,"player":2,"name":"ben","net":"z"}
result {"no":1,"game":1,"for":3,"against":4,"played":true}
over {}`,
	duplicate.Kind: `enter {"team":1,"player":{"ID":1,"Name":"ana"}}
enter {"team":2,"player":{"ID":2,"Name":"ben"}}
leave {"id":2}
enter {"team":2,"player":{"ID":3,"Name":"cleo"}}
start null
result {"no":1,"game":1,"scores":[5,6],"ending":"played","winner":2}
result {"no":2,"game":2,"scores":[5,6],"ending":"played","winner":2}
over {"begun":true,"played":true,"margin":0,"winner":0}`,
	field.Kind: `enter {"player":{"ID":1,"Name":"ana"},"net":"x"}
enter {"player":{"ID":2,"Name":"ben"},"net":"y"}
begin {"tables":[[{"ID":1,"Name":"ana"},{"ID":0}],[{"ID":0},{"ID":2,"Name":"ben"}]]}
result {"no":1,"game":1,"scores":[5,6],"ending":"played","winner":2,"own":[3,0,0,0],"plays":[3,3,0,0]}
result {"no":2,"game":2,"scores":[5,6],"ending":"forfeit","winner":1,"own":[0,3,0,0],"plays":[3,3,0,0]}
over {"begun":true,"tables":1}`,
}

const season = `sign-up {"id":1,"tag":"A","name":"a"}
sign-up {"id":2,"tag":"B","name":"b"}
sign-off {"id":2}
begin {"teams":[{"id":1,"seed":1},{"id":2,"seed":2},{"id":3,"seed":3},{"id":4,"seed":4}]}
open {"no":1,"rosters":[[{"ID":1},{"ID":2}],[{"ID":3},{"ID":4}]]}
open {"no":2,"rosters":[[{"ID":5},{"ID":6}],[{"ID":7},{"ID":8}]]}
offer {"no":1,"side":0,"at":"2026-11-21T21:00:00Z"}
decline {"no":1,"side":1}
offer {"no":1,"side":1,"at":"2026-11-21T21:00:00Z"}
agree {"no":1,"side":0,"at":"2026-11-21T21:00:00Z"}
line-up {"no":1,"side":0,"players":[2,1]}
table {"no":1,"pairing":1,"first":0,"players":[[1,2],[3,4]]}
begun {"no":1,"pairing":1}
took {"no":1,"game":1,"pairing":1,"winner":1,"points":[3,4]}
table {"no":1,"pairing":2,"first":1,"players":[[1,2],[3,4]]}
absent {"no":1,"pairing":2,"here":[true,false]}
close {"no":1,"winner":1}
close {"no":2,"winner":0}
over {"name":"Winter","held":true,"trophies":[{"team":1,"title":"Winner of Winter"}],"order":[1,2,3,4]}`

// nobodyThere is a club that knows nothing.
type nobodyThere struct{}

func (nobodyThere) Returning() bool                                                 { return false }
func (nobodyThere) Rosters(context.Context, []table.TeamID) ([]event.Roster, error) { return nil, nil }
func (nobodyThere) Here(table.PlayerID) bool                                        { return false }
func (nobodyThere) Busy(table.PlayerID) bool                                        { return false }
func (nobodyThere) Came(int64) (bool, []table.PlayerID)                             { return false, nil }

// Any journal is either refused with an error, or gives an event that can be shown and goes on: a damaged
// file stops one event, but not the server.
func TestSenselessJournals(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	numbers := regexp.MustCompile(`\b\d\b|-\d+`)
	for kind, journal := range journals {
		refused := 0
		for round := range 300 {
			lines := strings.Split(journal, "\n")
			for range min(round, 1+rng.IntN(4)) { // the first is left as it is
				i, k := rng.IntN(len(lines)), rng.IntN(len(lines))
				switch rng.IntN(5) {
				case 0:
					lines = slices.Delete(lines, i, i+1)
				case 1:
					lines = slices.Insert(lines, k, lines[i])
				case 2:
					lines[i], lines[k] = lines[k], lines[i]
				default:
					at := numbers.FindAllStringIndex(lines[i], -1)
					if len(at) > 0 {
						n := at[rng.IntN(len(at))]
						lines[i] = lines[i][:n[0]] + fmt.Sprint([]int{-1, 0, 1, 2, 3, 4, 5, 9, 1 << 40}[rng.IntN(9)]) + lines[i][n[1]:]
					}
				}
				if len(lines) == 0 {
					break
				}
			}
			func() {
				defer func() {
					if p := recover(); p != nil {
						t.Fatalf("%s, seed %d: %v\n%s\n%s", kind, seed, p, strings.Join(lines, "\n"), debug.Stack())
					}
				}()
				if err := carryOn(t, kind, lines); err != nil {
					require.NotZero(t, round, "%s: %v", kind, err)
					refused++
				}
			}()
		}
		require.NotZero(t, refused, kind)
	}
}

// carryOn folds a journal and makes all of a club's calls to the event, after each entry.
func carryOn(t *testing.T, kind event.Kind, lines []string) error {
	e := fuzzed()[kind]
	r, err := lobby.EventKinds()[kind].New(e)
	require.NoError(t, err)
	apply := func(i int, x event.Entry) error {
		x.Seq, x.At = i+1, e.Begins.Add(time.Duration(i)*time.Minute)
		if err := r.Apply(x); err != nil {
			return err
		}
		showAll(r, x.At)
		return nil
	}
	for i, line := range lines {
		of, data, _ := strings.Cut(line, " ")
		if err := apply(i, event.Entry{Kind: of, Data: json.RawMessage(data)}); err != nil {
			return err
		}
	}
	for i := range 20 { // what follows from it must be applicable
		now := e.Begins.Add(time.Duration(i) * 24 * time.Hour)
		due := r.Due(now)
		if asker, ok := r.(event.Asker); ok && len(due) == 0 {
			due, err = asker.Ask(t.Context(), now, nobodyThere{})
			require.NoError(t, err)
		}
		for _, x := range due {
			require.NoError(t, apply(len(lines)+i, x), "%s: what follows cannot be applied: %s %s\n%s", kind, x.Kind, x.Data,
				strings.Join(lines, "\n"))
		}
	}
	return nil
}

// showAll reads everything that is shown of an event.
func showAll(r event.Rules, now time.Time) {
	me := table.Player{ID: 1, Name: "ana", Team: 1}
	for _, at := range []map[int64]table.ID{nil, {0: 5, 1: 6, 2: 7, 9: 8}} {
		v := r.View(at)
		v.Plan()
		v.Players()
		if v, ok := v.(event.Dated); ok {
			v.Appointments(me, event.Appointment{})
		}
		if v, ok := v.(event.Booking); ok {
			v.Engaged(me, now, now.Add(time.Hour))
			v.Reminder(1)
		}
		if v, ok := v.(event.Dealt); ok {
			v.Apart()
		}
		if v, ok := v.(event.Entered); ok {
			v.Has(1)
		}
		switch v := v.(type) {
		case *duplicate.View:
			v.Outcome(duplicate.A)
		case *field.View:
			v.Outcome()
		case *daily.Day:
			v.Points()
			v.SeenBy(1)
		}
	}
	r.Next()
	r.Wanted()
	for no := range int64(4) {
		p := event.Played{Game: 9, Start: table.Start{Event: table.Event{Pairing: no}}, Result: table.Result{Scores: []int{1, 2}, Winner: 2}}
		r.Ended(now, p)
		r.(event.Checker).Check([]event.Played{p})
	}
}
