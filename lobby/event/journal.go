package event

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// Entries says, by kind of entry, what the entries of a journal do to the state of its event.
type Entries[S any] map[string]Effect[S]

// Effect is what entries of one kind do. Get one from [On].
type Effect[S any] struct {
	Data  reflect.Type // what such an entry says
	apply func(s S, e Entry) error
}

// On is the effect of entries that say a T, at the time of the entry. Its error is that of an entry that
// cannot be.
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

// Nothing is what an entry says whose kind says all.
type Nothing struct{}

// Apply has an entry do its effect.
func (all Entries[S]) Apply(s S, e Entry) error {
	effect, ok := all[e.Kind]
	if !ok {
		return fmt.Errorf("an entry of the kind %q", e.Kind)
	}
	return effect.apply(s, e)
}

// Data is what entries say, by their kind.
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
