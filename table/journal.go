package table

import (
	"context"
	"errors"
	"time"
)

// Fair is the number of the rules by which games are rated that begin now; it stands with each game, so that
// another version of the club rates old games as they were. 0 is a game's result alone; 1 adds who has left,
// who has played and who met whom; 2 what is behind an opponent.
const Fair = 2

// A [Journal] has three answers: nil, it is done; [ErrUnavailable], try again; any other error, never. What it cannot tell
// apart from a disk that comes back is ErrUnavailable: "never" ends games.
var (
	// ErrUnavailable is returned when nothing could be written now, such as on a full disk: nothing of it is on disk, and
	// it may be tried again.
	ErrUnavailable = errors.New("the journal cannot be written at the moment")
	// ErrConflict is a "never": somebody else has appended at the expected sequence, so that this table is owned by two.
	// It stops, and leaves what is on disk to the other.
	ErrConflict = errors.New("the journal was continued by another writer")
)

// Row is one line of a game's record (docs/record.md), with what the record does not say.
type Row struct {
	Line    string    // of the record, without its line feed; empty before each round; a comment (#) is for what is not in the rules
	At      time.Time // wall clock, for readers only; no decision rests on it
	Command string    `json:",omitempty"` // the id of the command that made it, empty for what the table did itself
	By      PlayerID  `json:",omitempty"` // who gave the command, 0 for the table itself
}

// ChatLine is something said.
type ChatLine struct {
	Seq   int64     `json:"seq"` // counts up within a table, over both rooms, or within the lobby
	At    time.Time `json:"at"`
	From  Player    `json:"from"`
	Text  string    `json:"text"`            // cleaned
	Room  Room      `json:"room"`            // players or watchers; the lobby's own is empty
	House bool      `json:"house,omitempty"` // said by the house: somebody sat down, disconnected, …
}

// Room tells the two chats of a table apart.
type Room string

// The rooms of a table.
const (
	RoomPlayers  Room = "players"  // heard by all
	RoomWatchers Room = "watchers" // not heard by players until the game is over
)

// Batch is all that one step of a table puts on disk, in one transaction: the whole batch is on disk or nothing of it.
// Most are of one row. As JSON, which is what nodes of a cluster send each other, they have what is there.
type Batch struct {
	Table ID
	State []byte     `json:",omitempty"` // the table as JSON, as Restore wants it back; nil if it did not change
	Final bool       `json:",omitempty"` // the table is closed and not to be restored
	Game  GameID     // 0 where no game is touched
	Seq   int        // the number of rows that the game has before this batch; another number is ErrConflict
	Rows  []Row      `json:",omitempty"`
	Chat  []ChatLine `json:",omitempty"`
	Start *Start     `json:",omitempty"` // with the first rows of a game
	Taken []Player   `json:",omitempty"` // the players by seat, if some have taken over bots' seats with these rows; nil if not
	End   *Result    `json:",omitempty"` // with the last rows of a game

	// Nets are, with End, the networks that the players came from, by seat, hashed; empty where unknown, and
	// nil in a club whose players may all be on one network. Only the ratings see them.
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
	Seed   string    // kept from everybody until the game has ended
	Event  Event     // for which the game is played; zero for none
}

// Ending is how a game came to its end.
type Ending string

// Endings.
const (
	EndPlayed    Ending = "played"    // to the target
	EndForfeit   Ending = "forfeit"   // a side left for good, or was absent where the table forfeits; the winner is the other side
	EndAbandoned Ending = "abandoned" // nobody finished it: no result
)

// Result is how a game ended, as the standings need it.
type Result struct {
	Ending  Ending
	Winner  int     // side 1…4; 0 without a result, and for a shared game
	Why     string  `json:",omitempty"` // of a forfeited game: a sentence that names who resigned, or was away
	Scores  []int   // by side
	Rounds  int     // rounds that were scored or won
	Best    int     // the best single play in points
	BestBy  int     // the seat that made it
	Deficit int     // the largest deficit that the winner made good, in points: a comeback
	Rated   bool    // whether standings take it
	Leavers []int   `json:",omitempty"` // seats whose players had left for good, or were absent, when it ended
	Plays   []int   // tiles played, by seat
	Own     []int   // those that the seat's player chose, by seat
	Changes []Delta // what it did to the standings, as the journal says; a batch has none yet
}

// Shared reports whether the game was played out and its highest score is that of two sides or more, as can be in a game of
// a number of rounds.
func (r *Result) Shared() bool { return r.Ending == EndPlayed && r.Winner == 0 }

// Delta is what a game did to one rating, in displayed points.
type Delta struct {
	Kind   string // "player", "pair" or "team"
	Name   string
	Before int
	After  int
}

// Saved is an unfinished table as the journal gives it back.
type Saved struct {
	Table ID
	State []byte
	Game  GameID // the game that was being played, 0 if none
	Start *Start
	Rows  []Row
	Chat  []ChatLine // the last 200 lines
	Fault error      // why some of it could not be read; nil if all could

	// Changes is what the table's last game, which has ended, did to the standings: the state that was written with the
	// game's end cannot say it yet.
	Changes []Delta
}

// Journal keeps tables on disk. Its methods may be called by all tables at once.
type Journal interface {
	// Commit has a batch put on disk and does not wait. It calls done once, on any goroutine, when the batch
	// is there, with what the end of a game did to the standings; or with one of the errors above, and then
	// nothing of it is there. done does not block. No context ends the wait: after that, nobody could tell
	// whether the batch is on disk.
	Commit(b *Batch, done func([]Delta, error))
	// NextTable and NextGame give out numbers that were never given out before.
	NextTable(ctx context.Context) (ID, error)
	NextGame(ctx context.Context) (GameID, error)
	// Load returns all tables that were not closed.
	Load(ctx context.Context) ([]Saved, error)
}

// Commit has a journal put a batch on disk and waits until it has.
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
