package lobby_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

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
		league.Kind:    event.Make(league.Kind, map[string]any{"rules": "block", "pace": table.PaceNormal, "window": 24 * time.Hour, "size": 8}, at),
	}
	return all
}

// An entry of an event's journal that cannot be right is refused with a reason: the journal is read at each start.
func FuzzEventJournal(f *testing.F) {
	kinds := slices.Sorted(maps.Keys(fuzzed()))
	const all = `{"id":1,"by":1,"with":2,"no":1,"side":1,"game":1,"winner":1,"points":[3,4],"scores":[5,6],"players":[1,2],"player":{"ID":1,"Name":"ana"},` +
		`"members":[{"ID":1,"Name":"ana"}],"nets":["x"],"partner":{"ID":2,"Name":"ben"},"tables":[[{"ID":1,"Name":"ana"}]],"team":1,"held":true,"order":[1]}`
	for i, k := range kinds {
		if _, err := lobby.EventKinds()[k].New(fuzzed()[k]); err != nil {
			f.Fatal(k, err)
		}
		for _, kind := range []string{
			"enter", "ask", "leave", "back", "pair", "idle", "took", "begin", "end", "once", "start", "result", "attempt", "from", "sign-up", "sign-off",
			"open", "offer", "agree", "line-up", "table", "begun", "absent", "close", "over", "?",
		} {
			f.Add(uint8(i), []byte(nil), kind, []byte(`{}`), "begin", []byte(`{}`))
			f.Add(uint8(i), []byte(nil), "enter", []byte(all), kind, []byte(all))
			f.Add(uint8(i), []byte(nil), "begin", []byte(all), kind, []byte(all))
		}
	}
	f.Add(uint8(0), []byte(`{"Rules":"classic","Pace":"fast"}`), "enter", []byte(`{"Members":[{"id":1,"name":"ana"}]}`), "leave", []byte(`{"Player":1}`))
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
		}
	})
}
