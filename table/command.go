package table

import "boneyard/rules"

// Command is a request to a table: one of the types of this file. If the player may not do it, the error's
// text is a sentence for the player.
type Command interface {
	// carryOut applies the command to the draft. n is the sender's seat, 0 without one.
	carryOut(d *draft, from *sender, n rules.Seat) error
}

// Request is a command and its sender.
type Request struct {
	ID string // chosen by the sender, unique for this player; a request sent twice is carried out once. Empty: it is never sent twice
	By Player
	// Net is the hash of the sender's IPv4 address or IPv6 /64, a period, and the hash of the network that it
	// is in; opponents with the same address make a game casual.
	Net     string
	Command Command
}

// Sit takes a free seat, or a bot's: before a game at once, in a casual game at an open table from the next round on.
type Sit struct {
	Seat  rules.Seat // 0: any
	Code  string     // of a private table
	Quick bool       // ready at once, with whoever sits there and bots on the free seats
}

// Stand leaves the seat before or after a game. During a game it resigns, or cancels a takeover.
type Stand struct {
	UnlessPlaying bool // do not resign: the game may have begun since the player decided
}

// Unseat lets the table's maker make another player stand up before or after a game; that player may not sit
// down here again. Player is whom the maker sees there, 0 for anybody.
type Unseat struct {
	Seat   rules.Seat
	Player PlayerID
}

// Swap asks to swap seats before the game; it is done at once if the other seat is free or a bot's.
type Swap struct{ With rules.Seat }

// AddBot puts a house bot on a free seat.
type AddBot struct {
	Seat     rules.Seat // 0: the first that is free
	Strength Strength   // empty: the table's own
}

// RemoveBot takes a house bot away.
type RemoveBot struct{ Seat rules.Seat }

// Ready says whether the player is ready. When all are, a countdown runs, which any player can stop.
type Ready struct {
	On   bool
	Bots bool // with On: bots take the free seats at once
}

// Move is a move of the game.
type Move struct {
	Move    rules.Move
	Version uint64 // of the view that the player looked at; a stale one is refused
}

// Continue says that the player has seen the round's scoring. When all have, or after 20 s, the next round is dealt.
type Continue struct{}

// Pause asks for a pause or, with On false, ends it. Each side has two in a game, of two minutes each.
type Pause struct{ On bool }

// CastVote votes while somebody is absent or, with On false, takes the vote back.
type CastVote struct {
	Vote Vote
	On   bool
}

// Resign leaves the game for good; where a partner has to agree, once they do. Until then Back withdraws it.
// Repeating either has no effect.
type Resign struct{ Back bool }

// Return says that an absent player is back, as does every other command of that player.
type Return struct{}

// Rematch asks for another game with the same seats. When all want it, it begins.
type Rematch struct{}

// TakeHints marks the game as one in which a player takes hints, where MayHint allows it.
type TakeHints struct{}

// Say says something: players to all, everybody else to the other watchers.
type Say struct{ Text string } // cleaned by the sender's lobby

// Close closes the table for good, for an operator or for the table's event.
type Close struct {
	UnlessOver bool // leave an event's table whose game is over to close by itself, so that the result can be read
}

// Vote is what the other side may decide while somebody is absent.
type Vote string

// Votes. One player of each side that is present must agree.
const (
	VoteBot     Vote = "bot"     // continue with a bot on the absent seats
	VoteAdjourn Vote = "adjourn" // the table sleeps, and wakes when all are there
	VoteClaim   Vote = "claim"   // claim the game, where the table has waited long enough
)
