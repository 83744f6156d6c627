package lobby

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"boneyard/table"
)

// setAside deals with a table that could not be restored. One whose game was begun under rules that this program does not
// play is adjourned: its record stays readable. Another is left as it is, for an operator, or a program that can read it.
func (l *Lobby) setAside(ctx context.Context, s table.Saved, why error) error {
	switch {
	case errors.Is(why, table.ErrOtherRules):
		l.log.Error("a game is adjourned: this program does not play by its rules", "table", s.Table, "game", s.Game, "err", why)
		return table.Adjourn(l.stores.Tables, s, "adjourned: this game was begun under other rules, and the program does not play by them", l.now())
	case errors.Is(why, table.ErrSaved):
		l.log.Error("a table cannot be restored and is set aside", "table", s.Table, "game", s.Game, "err", why)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.aside[s.Table] = s
		return nil
	}
	return why
}

// isAside reports whether a table was set aside.
func (l *Lobby) isAside(id table.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.aside[id]
	return ok
}

// closeAside closes a table that was set aside.
func (l *Lobby) closeAside(ctx context.Context, id table.ID) error {
	l.mu.Lock()
	s, ok := l.aside[id]
	l.mu.Unlock()
	if !ok {
		return ErrNoTable
	}
	if err := table.Adjourn(l.stores.Tables, s, "abandoned: the table could not be restored", l.now()); err != nil {
		return fmt.Errorf("close table %d: %w", id, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.aside, id)
	return nil
}

// asideNote is what operators read when they come in, empty if nothing is set aside. With mu held.
func (l *Lobby) asideNote() string {
	if len(l.aside) == 0 {
		return ""
	}
	var numbers []string
	for _, id := range slices.Sorted(maps.Keys(l.aside)) {
		numbers = append(numbers, fmt.Sprint(id))
	}
	return "Not restored, and set aside: table " + strings.Join(numbers, ", ") + ". The log says why; /close N gives one up."
}
