package table

import "time"

// Refusal is why a table rejects a request: one sentence for the player, compared with errors.Is.
type Refusal string

// Error is the sentence.
func (r Refusal) Error() string { return string(r) }

// The refusals. A move against the rules gets an error of package rules instead, which names the rule.
const (
	// ErrStale is returned for a move that was chosen for an earlier state of the game.
	ErrStale       Refusal = "The game has moved on; please look again."
	ErrNotYourTurn Refusal = "It's not your turn."
	ErrNotSeated   Refusal = "You aren't seated at this table."
	ErrNoSeat      Refusal = "This table has no such seat."
	ErrSeatTaken   Refusal = "Somebody sits there already."
	ErrFull        Refusal = "No seat is free for you here; you may watch."
	ErrCode        Refusal = "This table is private; ask its creator for the code."
	// ErrTeam is returned for a seat at a team table to somebody who is in neither of its two teams.
	ErrTeam Refusal = "This table is for two other teams."
	// ErrTeamSide is returned to a member of a team that has, or can only have, the other two seats.
	ErrTeamSide Refusal = "The other two seats belong to your team."
	ErrGuided   Refusal = "This table is a newcomer's first round; nobody else can sit here."
	ErrUnseated Refusal = "The table's creator asked you not to sit here."
	ErrNotMaker Refusal = "Only the table's creator can do that."
	ErrNoPlayer Refusal = "No other player sits there."
	ErrHouse    Refusal = "House bots play here; you can watch."
	// ErrEvent is returned if a command would change an event's seats, adjourn its game, or begin another.
	ErrEvent    Refusal = "This table is part of an event: the event says who plays here, and when."
	ErrNoBots   Refusal = "Bots don't play for teams."
	ErrStrength Refusal = "A bot's strength is novice, casual, regular, expert or master."
	ErrVote     Refusal = "A vote is bot, adjourn or claim."
	ErrNotABot  Refusal = "No house bot sits there."
	ErrInGame   Refusal = "A game is being played; that must wait until it is over."
	ErrNoGame   Refusal = "No game is being played."
	// ErrNotNow is returned for a command that does not fit the state of the table.
	ErrNotNow Refusal = "That isn't possible at the moment."
	// ErrStopped is returned for a move while the game pauses, waits or sleeps.
	ErrStopped Refusal = "The game has stopped for now; you can play when it goes on."
	ErrNoHints Refusal = "Hints are only for casual games against house bots, outside events."
	ErrNoPause Refusal = "Your side has no pauses left in this game."
	// ErrPauseLater is returned for an early pause where the event waits only a short time for first moves.
	ErrPauseLater Refusal = "You can pause this game once everybody has had a turn."
	ErrNobodyAway Refusal = "Everybody is here; there is nothing to vote on."
	// ErrForfeits is returned for a vote for a bot in an event's game that an absent side loses.
	ErrForfeits Refusal = "No bot plays on in this game: whoever stays away loses it."
	// ErrClaim is returned for a claim before the time of waiting is over.
	ErrClaim    Refusal = "The table still waits for the absent player; you may claim the game later."
	ErrWatchers Refusal = "This table can't be watched."
	// ErrUnknown is returned for a command that does not exist, or from nobody.
	ErrUnknown Refusal = "The table doesn't know that command."
	// ErrFrozen is returned while the journal cannot be written. The command was not carried out; it may be
	// repeated.
	ErrFrozen Refusal = "The server can't save moves right now, so the table has stopped. Nothing is lost; please try again soon."
	// ErrUnsaved is returned for a command that the journal will never take.
	ErrUnsaved  Refusal = "The server can't save that; nothing has changed."
	ErrClosing  Refusal = "The server can't save anything right now; the table closes as soon as it can."
	ErrDraining Refusal = "The server is going down for a moment. Every game is kept."
	ErrClosed   Refusal = "This table is closed."
)

// Seldom spaces out log lines about trouble that goes on: the first is due at once, the next after a minute,
// and each pause is twice as long as the one before. The zero value is ready.
type Seldom struct {
	next time.Time
	wait time.Duration
}

// Due reports whether a line is due. Trouble that comes back after twice the last pause is new.
func (s *Seldom) Due(now time.Time) bool {
	switch {
	case now.Before(s.next):
		return false
	case now.After(s.next.Add(s.wait)):
		s.wait = 0
	}
	s.wait = max(2*s.wait, time.Minute)
	s.next = now.Add(s.wait)
	return true
}
