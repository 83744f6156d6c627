package event

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// Entries maps each kind of entry in a journal to its effect on the state of the event.
type Entries[S any] map[string]Effect[S]

// Effect is the effect of entries of one kind, made by [On].
type Effect[S any] struct {
	Data  reflect.Type // of the entry's data
	apply func(s S, e Entry) error
}

// On returns the effect of entries whose data is a T; at is the time of the entry. f returns an error for an
// entry that is impossible.
func On[S, T any](f func(s S, at time.Time, x T) error) Effect[S] {
	return Effect[S]{reflect.TypeFor[T](), func(s S, e Entry) error {
		x, err := Read[T](e)
		if err != nil {
			return err
		}
		return f(s, e.At, x)
	}}
}

// Does is On for entries that are always possible.
func Does[S, T any](f func(s S, at time.Time, x T)) Effect[S] {
	return On(func(s S, at time.Time, x T) error { f(s, at, x); return nil })
}

// Nothing is the data of an entry whose kind says everything.
type Nothing struct{}

// Apply applies an entry to a state.
func (all Entries[S]) Apply(s S, e Entry) error {
	effect, ok := all[e.Kind]
	if !ok {
		return fmt.Errorf("an entry of the kind %q", e.Kind)
	}
	return effect.apply(s, e)
}

// Data returns the type of the data of each kind of entry.
func (all Entries[S]) Data() map[string]reflect.Type {
	data := map[string]reflect.Type{}
	for kind, effect := range all {
		data[kind] = effect.Data
	}
	return data
}

// New returns an entry to be journaled.
func New(kind string, data any) Entry { return Entry{Kind: kind, Data: encode(data)} }

// Read decodes an entry's data.
func Read[T any](e Entry) (v T, err error) { return v, json.Unmarshal(e.Data, &v) }
