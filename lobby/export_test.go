package lobby

import (
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/limit"
	"boneyard/table"
)

// OnEnd is what tables call when a game is over.
func OnEnd(l *Lobby) func(table.GameID, table.Start, table.Result) { return l.onEnd }

// OnChange is what tables call when their line in the lobby has changed.
func OnChange(l *Lobby) func(*table.Summary) { return l.onChange }

// NewsOnce tells news of an event, unless the same was told just before.
func (l *Lobby) NewsOnce(what string) { eventClub{l}.News(time.Time{}, NewsTeam, what, event.Results) }

// AddNews adds news.
func (l *Lobby) AddNews(n NewsItem) { l.addNews(n) }

// DocumentedLimits are the limits by key, address and network that docs/operation.md lists, by the beginnings
// of its rows.
func DocumentedLimits() map[string]limit.Rule {
	l := newLimits(time.Now)
	return map[string]limit.Rule{
		"commands": l.commands, "seats taken": l.notices, "lines of chat": l.lines, "messages for members": l.tellsLeft,
		"wrong codes": l.codes, "new accounts": l.accounts, "tables made": l.tables, "games begun": l.games,
		"teams founded": l.teams, "invitations": l.invites, "reports": l.reports, "tables looked at": l.looks,
		"lists as text": l.lists, "queries": l.queries, "event requests": l.wishes,
		"games analyzed": l.reviews,
	}
}

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

// GuestsKnown is the most guests whose networks are remembered.
const GuestsKnown = guestsKnown

// Guests is how many are remembered now.
func (l *Lobby) Guests() int {
	l.guests.mu.RLock()
	defer l.guests.mu.RUnlock()
	return len(l.guests.nets)
}

// MostlyAhead reports whether most of a game is still to be played.
var MostlyAhead = mostlyAhead
