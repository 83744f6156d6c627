package lobby

import (
	"context"

	"boneyard/table"
)

// OnEnd is what tables call when a game is over.
func OnEnd(l *Lobby) func(table.GameID, table.Start, table.Result) { return l.onEnd }

// OnChange is what tables call when their line in the lobby has changed.
func OnChange(l *Lobby) func(table.Summary) { return l.onChange }

// KeepChat adds a line to a chat.
func KeepChat(chat []Line, said Line) []Line { return keepChat(chat, said) }

// Sorted is the order of a snapshot.
func Sorted(all []table.Summary) []table.Summary {
	list := make([]*table.Summary, len(all))
	for i := range all {
		list[i] = &all[i]
	}
	return sorted(list)
}

// For tests of what quick play learns.
var (
	StrengthAgainst = strengthAgainst
	WinChance       = winChance
)

// MoreWorthWatching compares two games for a watcher who wants the best.
var MoreWorthWatching = moreWorthWatching

// GuestsKnown is of how many guests the networks are known at most.
const GuestsKnown = guestsKnown

// Guests is of how many they are known.
func (l *Lobby) Guests() int {
	l.guests.mu.RLock()
	defer l.guests.mu.RUnlock()
	return len(l.guests.nets)
}

// Fresh reports whether a game has most of its way to go.
var Fresh = fresh

// AtCoach has something worked out as if it were about a finished game.
func AtCoach(ctx context.Context, v *Visit, work func() error) error { return v.atCoach(ctx, work) }
