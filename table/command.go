package table

import (
	"boneyard/rules"
)

// Command is one thing that somebody asks of a table. Exactly one of the pointers and names below says what; Do
// refuses what the player may not do with an error whose text is a sentence for the player.
type Command struct {
	ID   string // chosen by the sender, unique for this player; a command sent twice is carried out once. Empty: it is not sent twice
	By   Player
	Kind Kind

	Seat     rules.Seat // sit, unsit-bot, add-bot, swap: the seat meant
	With     rules.Seat // swap: the other seat
	Strength Strength   // add-bot
	Code     string     // sit, at a private table
	On       bool       // ready, pause, vote: yes or no; sit: ready at once, with whoever sits there and with bots on the free seats
	Vote     Vote       // vote
	Move     rules.Move // move
	Version  uint64     // move: the version of the view the player looked at; a stale one is refused
	Text     string     // chat, cleaned by the sender's lobby
	Room     Room       // chat
}

// Kind says what a command is.
type Kind string

// The commands of a table.
const (
	Sit       Kind = "sit"        // takes a free seat, or a bot's: before a game at once, in a casual game at an open table from the next round on; Seat 0: any
	Stand     Kind = "stand"      // leaves the seat before or after a game; during a game it is Resign, or gives up a bot's seat that would be taken
	Unseat    Kind = "unseat"     // the table's maker has another player stand up before or after a game, who may not sit down here again
	Swap      Kind = "swap"       // asks to exchange two seats before the game; at once if one of them is empty or a bot's
	AddBot    Kind = "add-bot"    // puts a house bot on a free seat
	RemoveBot Kind = "remove-bot" // takes it away
	Ready     Kind = "ready"      // ready, or not; when all are, a countdown runs, which any player stops by being not ready
	MoveCmd   Kind = "move"       // a move of the game
	Continue  Kind = "continue"   // has seen the round's scoring; when all have, or after 20 s, the next round is dealt
	Pause     Kind = "pause"      // two a game for each side, two minutes each; ends it with On=false
	VoteCmd   Kind = "vote"       // see Vote
	Resign    Kind = "resign"     // leaves the game for good
	Return    Kind = "return"     // an absent player is back; every other command of that player says so too
	Rematch   Kind = "rematch"    // wants another game with the same seats; when all want it begins
	Hint      Kind = "hint"       // takes hints, where MayHint says so: the game is marked with it
	Chat      Kind = "chat"       // says something
	CloseCmd  Kind = "close"      // an operator closes the table
)

// Vote is what the other side may decide while somebody is absent.
type Vote string

// Votes. One player of each side that is present must agree.
const (
	VoteBot     Vote = "bot"     // go on with a bot on the absent seats
	VoteAdjourn Vote = "adjourn" // the table sleeps, and wakes when all are there
	VoteClaim   Vote = "claim"   // claim the game, where the table has waited long enough
)
