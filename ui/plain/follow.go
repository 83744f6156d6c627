package plain

import (
	"boneyard/rules"
	"boneyard/table"
)

// Happening is one thing that happened at a table. Exactly one of its fields is set.
type Happening struct {
	Entry   *table.Entry       // a move, or an announcement of the house about the game
	Scoring *rules.RoundResult // a round has been scored
	Result  *table.Result      // the game is over
	Chat    *table.ChatLine    // somebody has spoken, or the house announces who comes and goes
	Missed  bool               // some moves are no longer in the log; what follows comes after them
	Lost    table.GameID       // this game ended, and another began, before the reader saw its end
}

// Follower returns what has happened from one view of a table to the next, in order. A reader that skips views misses nothing
// that is still in the table's log. The zero value has seen nothing.
type Follower struct {
	version uint64 // of the last view
	game    table.GameID
	scored  int // the last round whose scoring was returned
	over    bool
	heard   [2]int64 // the last line of each room
}

// Begin treats everything in a view as already seen, chat included.
func (f *Follower) Begin(v *table.View) {
	*f = Follower{version: v.Version, game: v.Game, scored: v.Play.Result.Round, over: v.Result != nil}
	for i := range v.Chat {
		f.hear(&v.Chat[i])
	}
}

// hear reports whether a line is new, and remembers it.
func (f *Follower) hear(l *table.ChatLine) bool {
	heard := &f.heard[0]
	if l.Room == table.RoomWatchers {
		heard = &f.heard[1]
	}
	if l.Seq <= *heard {
		return false
	}
	*heard = l.Seq
	return true
}

// Next returns what has happened since the last view. Entries point into the view's log.
func (f *Follower) Next(v *table.View) []Happening {
	var all []Happening
	if v.Game != f.game {
		if f.game != 0 && !f.over {
			all = append(all, Happening{Lost: f.game})
		}
		f.game, f.scored, f.over = v.Game, 0, false
	} else if n := len(v.Log); n > 0 && v.Log[0].Version > f.version && v.Log[0].Number != 0 {
		// A game's log begins with a remark. If it begins with a move, it was cut, and the reader has seen
		// none of it.
		all = append(all, Happening{Missed: true})
	}
	first := len(v.Log)
	for first > 0 && v.Log[first-1].Version > f.version {
		first--
	}
	for i := range v.Log[first:] {
		e := v.Log[first+i]
		all = append(all, Happening{Entry: e})
		if e.Event.End != rules.NotEnded && e.Number != 0 {
			all = f.scoring(all, v, e.Round)
		}
	}
	if v.Result != nil && !f.over && v.Game != 0 {
		f.over = true
		all = append(all, Happening{Result: v.Result})
	}
	if v.Result == nil {
		f.over = false
	}
	for i := range v.Chat {
		if f.hear(&v.Chat[i]) {
			all = append(all, Happening{Chat: &v.Chat[i]})
		}
	}
	f.version = v.Version
	return all
}

// scoring appends the scoring of a round if the view still has it. Rounds before the last get only their moves.
func (f *Follower) scoring(all []Happening, v *table.View, round int) []Happening {
	if res := &v.Play.Result; res.Round == round && f.scored < round {
		f.scored = round
		return append(all, Happening{Scoring: res})
	}
	return all
}
