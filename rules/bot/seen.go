package bot

import "boneyard/rules"

// Seen is all that a bot is told: the view of its seat, and the moves of this round as that seat saw them.
type Seen struct {
	rules.View
	Past []rules.Event // of this round, the oldest first; of other seats' draws the tile is NoTile
}

// See puts together what a seat knows. Whatever is given, only what the view's seat may know of the moves is taken over. A past
// that is not whole is of no use and may be left out: then the bot knows no more than the view.
func See(v rules.View, past []rules.Event) Seen {
	s := Seen{View: v, Past: make([]rules.Event, len(past))}
	for i, e := range past {
		s.Past[i] = e.For(v.Seat)
	}
	return s
}

// whole reports whether the past tells of every tile on the table.
func (s *Seen) whole() bool {
	plays := 0
	for i := range s.Past {
		if e := &s.Past[i]; e.Kind == rules.Play {
			if plays >= s.Layout.Len() || s.Layout.Piece(plays).Tile != e.Tile {
				return false
			}
			plays++
		}
	}
	return plays == s.Layout.Len()
}

// own is the hands as far as the seat knows them: its own, and none for the gallery.
func (s *Seen) own() (hands [rules.MaxSeats]rules.Hand) {
	if s.Seat != 0 {
		hands[s.Seat-1] = s.Hand
	}
	return hands
}
