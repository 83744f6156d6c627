package event

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"boneyard/lobby/text"
	"boneyard/table"
)

// Type is all that the club knows of a kind of event.
type Type struct {
	Kind   Kind
	New    func(Event) (Rules, error) // makes the initial state of an event
	Config any                        // the zero value of what an event is made with
	Data   map[string]reflect.Type    // what the entries of a journal say, by their kind

	Title string       // such as "Arena"
	None  text.Refusal // there is no such event
	Over  text.Refusal // it is over
	Leads bool         // players are led to the tables of its games
}

// Kinds are types by their kinds.
type Kinds map[Kind]*Type

// KindsOf returns the kinds of some types.
func KindsOf(types ...*Type) Kinds {
	all := Kinds{}
	for _, t := range types {
		all[t.Kind] = t
	}
	return all
}

// Sorted lists the types by kind.
func (kinds Kinds) Sorted() (all []*Type) {
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		all = append(all, kinds[kind])
	}
	return all
}

// View is an event as readers see it. It is never changed.
type View interface {
	Plan() Plan
	// Players lists those who have entered, where players do so by themselves.
	Players() []table.Player
}

// Plan is what an event was created as.
type Plan struct {
	Name  string
	By    string // who created it
	Begun bool
}

// Titled is what to call an event, such as "Arena 3", or "Arena 3, Friday night".
func (t *Type) Titled(id ID, name string) string {
	title := t.Title + " " + strconv.FormatInt(int64(id), 10)
	if name != "" {
		title += ", " + name
	}
	return title
}
