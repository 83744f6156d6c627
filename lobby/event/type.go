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

// Type is all that the club knows about a kind of event.
type Type struct {
	Kind   Kind
	New    func(Event) (Rules, error) // returns the initial state of an event
	Config any                        // the zero value of an event's configuration
	Data   map[string]reflect.Type    // the types of journal entries' data, by kind of entry

	Title string       // such as "Arena"
	None  text.Refusal // returned when there is no such event
	Over  text.Refusal // returned when the event is over

	Bound    *Bound                // how many there may be; nil if only the club creates them
	Leads    bool                  // players are led to the tables of its games
	News     string                // the kind of its news
	Foretold bool                  // it is announced before it begins
	Dated    bool                  // it is in the calendar
	Personal bool                  // only the players concerned read about it
	Gathers  string                // what the calendar calls the time before it begins; may be empty
	Takes    time.Duration         // roughly how long it takes, if no end is planned
	Season   *Worth                // what its places are worth for the season; nil for nothing
	Keep     func(*Events) *Keeper // makes the club's keeper of such events
}

// Bound limits how many events of a type there may be at once, with the refusals for creating one more.
type Bound struct {
	limit.Quota
	Own  text.Refusal // the person has as many as they may
	Full text.Refusal // the network or the club has, or the network creates them too often
	Made *limit.Rule  // how often they may be created; nil for any rate
}

// Created allows three events of a type from an address and six from a network while there are few; then 1
// and 2.
var Created = limit.Quota{Person: 1, Address: 3, Network: 6, All: 60, Staff: 100, Few: 10}

// Kinds maps each kind to its type.
type Kinds map[Kind]*Type

// KindsOf returns Kinds with these types.
func KindsOf(types ...*Type) Kinds {
	all := Kinds{}
	for _, t := range types {
		all[t.Kind] = t
	}
	return all
}

// Sorted lists the types by kind.
func (kinds Kinds) Sorted() []*Type {
	return text.Each(slices.Sorted(maps.Keys(kinds)), func(k Kind) *Type { return kinds[k] })
}

// Head is what all views begin with.
type Head struct {
	ID ID
	At map[int64]table.ID // where its games are played, by pairing
}

// View is an event as readers see it. It is never changed.
type View interface {
	Plan() Plan
	// Players lists the players who have entered, in an event that people enter.
	Players() []table.Player
}

// Plan describes an event: how it was created, and how far it has got.
type Plan struct {
	Kind        Kind
	Name        string
	By          string // who created it
	Begun, Over bool
	Endable     bool // operators may end it after it has begun
}

// Titled names an event: "Arena 3", or "Arena 3, Friday night".
func (t *Type) Titled(id ID, name string) string { return Titled(t.Title, id, name) }

// Titled is [Type.Titled] for a type's title.
func Titled(title string, id ID, name string) string {
	title += " " + strconv.FormatInt(int64(id), 10)
	if name != "" {
		title += ", " + name
	}
	return title
}

// Subject is Titled at the beginning of a sentence: "Arena 3" or "Arena 3, Friday night,".
func Subject(title string, id ID, name string) string {
	title = Titled(title, id, name)
	if name != "" {
		title += ","
	}
	return title
}
