package table

import (
	"context"
	"errors"
	"time"
)

// Fair is the version of the rating rules for games that begin now. It is stored with each game, so that
// later versions rate old games as they were. 0: by the result alone; 1 adds who left, who played and who met
// whom; 2 adds how much an opponent counts.
const Fair = 2

// A [Journal] has three answers: nil, it is done; [ErrUnavailable], try again; any other error, never. A
// fault that may pass, such as of the disk, is ErrUnavailable, because "never" ends games.
var (
	// ErrUnavailable is returned when nothing can be written now, such as on a full disk: nothing is on disk,
	// and the write may be tried again.
	ErrUnavailable = errors.New("the journal cannot be written at the moment")
	// ErrConflict is a "never": somebody else has appended at the expected sequence, so that the table has
	// two owners. It stops, and leaves what is on disk to the other.
	ErrConflict = errors.New("the journal was continued by another writer")
)

// Row is one line of a game's record (docs/record.md), with what the record leaves out.
type Row struct {
	Line    string    // of the record, without its line feed; empty before each round; a comment (#) for what is not in the rules
	At      time.Time // wall clock, for readers only; no decision depends on it
	Command string    `json:",omitempty"` // the id of the command that made it, empty if the table acted by itself
	By      PlayerID  `json:",omitempty"` // who gave the command, 0 for the table itself
}

// ChatLine is a line of chat.
type ChatLine struct {
	Seq   int64     `json:"seq"` // counts up within a table, over both rooms, or within the lobby
	At    time.Time `json:"at"`
	From  Player    `json:"from"`
	Text  string    `json:"text"`            // cleaned
	Room  Room      `json:"room"`            // players or watchers; the lobby's own is empty
	House bool      `json:"house,omitempty"` // by the house: somebody sat down, disconnected, …
}

// Room is one of the two chats of a table.
type Room string

// The rooms of a table.
const (
	RoomPlayers  Room = "players"  // heard by all
	RoomWatchers Room = "watchers" // not heard by players until the game is over
)

// Batch is everything that one step of a table writes to disk, in one transaction. Most have one row. Their
// JSON, which the nodes of a cluster exchange, leaves out what is empty.
type Batch struct {
	Table ID
	State []byte     `json:",omitempty"` // the table as JSON, for Restore; nil if it did not change
	Final bool       `json:",omitempty"` // the table is closed and must not be restored
	Game  GameID     // 0 for none
	Seq   int        // the number of rows that the game has before this batch; another is ErrConflict
	Rows  []Row      `json:",omitempty"`
	Chat  []ChatLine `json:",omitempty"`
	Start *Start     `json:",omitempty"` // with the first rows of a game
	Taken []Player   `json:",omitempty"` // the players by seat, if some have taken over bots' seats with these rows; else nil
	End   *Result    `json:",omitempty"` // with the last rows of a game

	// Nets are, with End, the players' networks by seat, hashed; empty where unknown, and nil in a club whose
	// players may share a network. Only the ratings use them.
	Nets []string `json:",omitempty"`
}

// Start describes a game that begins.
type Start struct {
	Rules  string
	Seats  []Player // by seat, without their nets; bots of the house have ID 0
	Rated  bool
	Teams  [2]TeamID // of a team table
	Why    string    // why the game is casual, a short phrase; empty if rated
	Fair   int       // the rules by which it is rated, see [Fair]
	Commit string    // the seed's commitment
	Seed   string    // secret until the game has ended
	Event  Event     // the event of the game; zero for none
}

// Ending is how a game ended.
type Ending string

// Endings.
const (
	EndPlayed    Ending = "played"    // to the target
	EndForfeit   Ending = "forfeit"   // a side left for good, or was absent where the table forfeits; the other side wins
	EndAbandoned Ending = "abandoned" // nobody finished it: no result
)

// Result is how a game ended, for the standings.
type Result struct {
	Ending  Ending
	Winner  int     // side 1…4; 0 without a result, and for a shared game
	Why     string  `json:",omitempty"` // of a forfeited game: a sentence that names who resigned, or was away
	Scores  []int   // by side
	Rounds  int     // rounds that were scored or won
	Best    int     // the best single play in points
	BestBy  int     // the seat that made it
	Deficit int     // the largest deficit, in points, that the winner made up: a comeback
	Rated   bool    // whether it counts for the standings
	Leavers []int   `json:",omitempty"` // seats whose players had left for good, or were absent, when it ended
	Plays   []int   // tiles played, by seat
	Own     []int   // tiles that the seat's player chose, by seat
	Changes []Delta // to the standings, from the journal; nil in a batch
}

// Shared reports whether the game was played out and two or more sides have the highest score, as happens in
// a game of a number of rounds.
func (r *Result) Shared() bool { return r.Ending == EndPlayed && r.Winner == 0 }

// Delta is what a game did to one rating, in displayed points.
type Delta struct {
	Kind   string // "player", "pair" or "team"
	Name   string
	Before int
	After  int
}

// Saved is an unfinished table as loaded from the journal.
type Saved struct {
	Table ID
	State []byte
	Game  GameID // the game that was being played, 0 if none
	Start *Start
	Rows  []Row
	Chat  []ChatLine // the last 200 lines
	Fault error      // why some of it could not be read; nil if all could

	// Changes is what the table's last game, if it has ended, did to the standings: the state written with
	// the game's end cannot say it yet.
	Changes []Delta
}

// Journal stores tables on disk. All tables may call its methods at once.
type Journal interface {
	// Commit writes a batch and does not wait. It calls done once, on any goroutine: when the batch is on
	// disk, with what the end of a game did to the standings; or with one of the errors above, when nothing
	// of it is on disk. done does not block. There is no context, because after giving up nobody could tell
	// whether the batch is on disk.
	Commit(b *Batch, done func([]Delta, error))
	// NextTable and NextGame return numbers that were never assigned before.
	NextTable(ctx context.Context) (ID, error)
	NextGame(ctx context.Context) (GameID, error)
	// Load returns all tables that were not closed.
	Load(ctx context.Context) ([]Saved, error)
}

// Commit commits a batch to a journal and waits until it is done.
func Commit(j Journal, b *Batch) ([]Delta, error) {
	answer := make(chan written, 1)
	j.Commit(b, func(changes []Delta, err error) { answer <- written{changes: changes, err: err} })
	w := <-answer
	return w.changes, w.err
}

// written is a journal's answer to a batch, or to a request for a number.
type written struct {
	changes []Delta
	game    GameID
	err     error
}
