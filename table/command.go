package table

import "boneyard/rules"

// Command is one thing that somebody asks of a table: one of the types of this file. The table refuses what the player may
// not do with an error whose text is a sentence for the player.
type Command interface {
	// carryOut does to the draft what the command asks for. n is the sender's seat, 0 without one.
	carryOut(d *draft, from *sender, n rules.Seat) error
}

// Request is a command and who sends it.
type Request struct {
	ID string // chosen by the sender, unique for this player; a request sent twice is carried out once. Empty: it is not sent twice
	By Player
	// Net is the IPv4 address or IPv6 /64 of the sender's line, hashed, a period, and the hash of the network
	// that it is in; opponents of one address make a game casual.
	Net     string
	Command Command
}

// Sit takes a free seat, or a bot's: before a game at once, in a casual game at an open table from the next round on.
type Sit struct {
	Seat  rules.Seat // 0: any
	Code  string     // of a private table
	Quick bool       // ready at once, with whoever sits there and with bots on the free seats
}

// Stand leaves the seat before or after a game; during a game it does what Resign does, or gives up a bot's seat that would
// be taken.
type Stand struct{}

// Unseat is for the table's maker, who has another player stand up before or after a game; that player may
// not sit down here again. Player is whom the maker sees there, 0: whoever it is.
type Unseat struct {
	Seat   rules.Seat
	Player PlayerID
}

// Swap asks to swap seats with another seat before the game; it is done at once if nobody sits there, or a bot.
type Swap struct{ With rules.Seat }

// AddBot puts a house bot on a free seat.
type AddBot struct {
	Seat     rules.Seat // 0: the first that is free
	Strength Strength   // empty: the table's own
}

// RemoveBot takes a house bot away.
type RemoveBot struct{ Seat rules.Seat }

// Ready says that the player is ready, or is not. When all are, a countdown runs, which any player stops who
// is not ready any more.
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

// Resign leaves the game for good, where a partner has to agree as soon as they do; until then Back takes that back. Each does
// nothing where that is so already: whoever asked twice, or too late, has not asked for the reverse.
type Resign struct{ Back bool }

// Return says that an absent player is back; every other command of that player says so, too.
type Return struct{}

// Rematch asks for another game with the same seats. When all want it, it begins.
type Rematch struct{}

// TakeHints marks the game as one in which a player takes hints, where MayHint allows it.
type TakeHints struct{}

// Say says something: players to all, everybody else to the other watchers.
type Say struct{ Text string } // cleaned by the sender's lobby

// Close closes the table for good, for an operator, or for the event that it belongs to.
type Close struct {
	UnlessOver bool // an event's table whose game is over is left to close by itself, so that the result can be read
}

// Vote is what the other side may decide while somebody is absent.
type Vote string

// Votes. One player of each side that is present must agree.
const (
	VoteBot     Vote = "bot"     // go on with a bot on the absent seats
	VoteAdjourn Vote = "adjourn" // the table sleeps, and wakes when all are there
	VoteClaim   Vote = "claim"   // claim the game, where the table has waited long enough
)
