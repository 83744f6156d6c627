package event

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"boneyard/lobby/limit"
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

	Bound    *Bound                // how many there may be; nil: only the club creates them
	Leads    bool                  // players are led to the tables of its games
	News     string                // the kind of its news
	Foretold bool                  // it is announced before it begins
	Dated    bool                  // it is in the calendar
	Personal bool                  // only those who are meant read of it
	Gathers  string                // in the calendar, what happens until it begins; empty: nothing
	Takes    time.Duration         // how long it takes, roughly, where its end is not planned
	Season   *Worth                // what its places are worth; nil: it has none
	Keep     func(*Events) *Keeper // what follows on such events in a club
}

// Bound is how many events of a type there may be at once, and what is said to somebody who would create one
// more.
type Bound struct {
	limit.Quota
	Own  text.Refusal // there are as many of this person's
	Full text.Refusal // of their network, or of all; or they create them too often
	Made *limit.Rule  // how often; nil for any
}

// As long as there are few events of a type, three of them may be from one address, and six from one network;
// then it is one, and two.
var Created = limit.Quota{Person: 1, Address: 3, Network: 6, All: 60, Staff: 100, Few: 10}

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

// Head is how all views begin.
type Head struct {
	ID ID
	At map[int64]table.ID // where its games are played, by pairing
}

// View is an event as readers see it. It is never changed.
type View interface {
	Plan() Plan
	// Players lists those who have entered, where players do so by themselves.
	Players() []table.Player
}

// Plan is what an event was created as, and how far it is.
type Plan struct {
	Kind        Kind
	Name        string
	By          string // who created it
	Begun, Over bool
	Endable     bool // operators may end it after it has begun
}

// Titled is what to call an event, such as "Arena 3", or "Arena 3, Friday night".
func (t *Type) Titled(id ID, name string) string { return Titled(t.Title, id, name) }

// Titled is Type.Titled for a type's title.
func Titled(title string, id ID, name string) string {
	title += " " + strconv.FormatInt(int64(id), 10)
	if name != "" {
		title += ", " + name
	}
	return title
}

// Subject is Titled as a sentence begins with it: "Arena 3" or "Arena 3, Friday night,".
func Subject(title string, id ID, name string) string {
	title = Titled(title, id, name)
	if name != "" {
		title += ","
	}
	return title
}
