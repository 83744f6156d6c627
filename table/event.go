package table

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/rules"
)

// EventID is the number of an event, such as an arena or the deal of a day; 0 is none.
type EventID int64

// Event says that a table belongs to an event, which has it made for one game: the event chooses the players,
// and nobody else sits down. The table knows nothing more about the event.
type Event struct {
	ID      EventID `json:"id"`
	Pairing int64   `json:"pairing"`           // the event's number for the game
	Wait    bool    `json:"wait,omitempty"`    // the game begins when all players are here, otherwise at once
	Prompt  bool    `json:"prompt,omitempty"`  // the event waits only a short time for first moves: no pauses until all have moved
	Private bool    `json:"private,omitempty"` // the table is in no list and in no news
	Solo    bool    `json:"solo,omitempty"`    // one person plays what others play at their own tables, and sees afterwards what they did
	Sealed  bool    `json:"sealed,omitempty"`  // the seed and the record stay secret after the game, until the event is over
	Fixed   bool    `json:"fixed,omitempty"`   // bots choose by the seed and the moves of the round alone: the same play gets the same replies
	Field   bool    `json:"field,omitempty"`   // the result is compared with those of all tables that play the same deals
	Match   Match   `json:"match,omitzero"`    // of which the game is a part; zero for none
}

// Match is a match of two sides over several games, as the words at a table of one of them need it.
type Match struct {
	Wins int       `json:"wins"`          // so many games won decide it
	Tags [2]string `json:"tags"`          // of the teams, by side
	Won  [2]int    `json:"won"`           // by side, before this game
	Kept time.Time `json:"kept,omitzero"` // until when the seats are kept for their players
	Ends time.Time `json:"ends,omitzero"` // from then on no game of it begins
}

// After returns how many games each side has won with this one.
func (m *Match) After(r *Result) (won [2]int) {
	if won = m.Won; r.Winner == 1 || r.Winner == 2 {
		won[r.Winner-1]++
	}
	return won
}

// unwanted says why the event closes the table before its game is over: usually somebody has not come, or has
// not moved.
func (d *draft) unwanted() string {
	kept := d.cfg.Event.Match.Kept
	switch {
	case d.cfg.Event.Prompt && d.Phase == Playing && !d.allHadTurn():
		return "The game is called off: " + d.game.name(d.game.play.Turn()) + " hasn't moved."
	case !d.Phase.Gathers() || kept.IsZero():
		return noticeOver
	case d.now.Before(kept):
		return noticeLineUp
	}
	var away []string
	for _, q := range d.seats() {
		if q.human() && !d.here(q) {
			away = append(away, q.Player.Name)
		}
	}
	if len(away) == 0 {
		away = []string{"somebody"} // who plays another game
	}
	return "The game has not begun: " + strings.Join(away, " and ") + " did not come by " + kept.UTC().Format("15:04 UTC") + "."
}

// Compared reports whether the event compares several people's results: giving up loses, even to bots.
func (e *Event) Compared() bool { return e.ID != 0 && !e.Solo }

// Occasion is what an event supplies for a game.
type Occasion struct {
	Seed  rules.Seed // of the game's deals; the zero seed stands for a new one
	Seats []Player   // by seat; a bot sits where a player is the zero Player
	Nets  []string   // by seat, as in Request.Net; may be shorter
	Here  []PlayerID // who of them is in the club; the others are disconnected until Table.Presence says otherwise
}

// MakeFor opens a table for a game of cfg.Event, with its players seated and ready. Errors are those of
// [Make].
func MakeFor(ctx context.Context, deps Deps, cfg Config, o Occasion) (*Table, error) {
	return open(ctx, deps, cfg, Player{}, func(s *state) {
		if o.Seed != (rules.Seed{}) {
			s.Seed = o.Seed.String()
		}
		for i, p := range o.Seats[:min(len(o.Seats), cfg.Seats)] {
			if p.ID != 0 {
				s.Seats[i] = seatState{Player: sender{Player: p}, Ready: true, presence: Disconnected, since: s.Nobody}
				if p.ID.Guest() || slices.Contains(o.Here, p.ID) { // a guest who is lost is gone
					s.Seats[i].presence = Here
				}
				if i < len(o.Nets) {
					s.Seats[i].Player.Net = o.Nets[i]
				}
			}
		}
	})
}

// keepsSeats reports whether the seats belong to an event's players, as they do until its game is over.
func (s *state) keepsSeats() bool {
	return s.cfg.Event.ID != 0 && s.Phase != Finished && s.Phase != Closed
}

// waitsForPlayers reports whether the event's game waits until all players are here, and somebody is not.
func (s *state) waitsForPlayers() bool {
	return s.cfg.Event.Wait && s.any(func(q *seatState) bool { return q.human() && q.presence != Here })
}

// allHadTurn reports whether every seat has had a turn in the game.
func (s *state) allHadTurn() bool {
	if s.game.play.Round() > 1 {
		return true
	}
	had := map[rules.Seat]bool{}
	for _, e := range s.game.past() {
		if e.Kind != rules.Draw { // a play or a pass may still follow
			had[e.Seat] = true
		}
	}
	return len(had) == s.cfg.Seats
}

// fixed returns a generator for the choice of a bot that gives the same replies to the same play: it follows
// from the game's seed and the moves of the round.
func (s *state) fixed() *rand.Rand {
	h := sha256.New()
	h.Write([]byte(s.game.start.Seed + "/bot/" + strconv.Itoa(s.game.play.Round())))
	for _, e := range s.game.past() {
		h.Write([]byte{'/', byte(e.Seat), byte(e.Kind), byte(e.Tile), byte(e.Arm)})
	}
	sum := h.Sum(nil)
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum), binary.BigEndian.Uint64(sum[8:])))
}
