package bot

import "boneyard/rules"

// Seen is everything a bot knows: its seat's view, and the moves of this round as that seat saw them.
type Seen struct {
	rules.View
	Past []rules.Event // of this round, oldest first; for other seats' draws the tile is NoTile
}

// See combines what a seat knows, ignoring anything in past that the view's seat may not know. Leave out an
// incomplete past: it is of no use, and the bot then knows only the view.
func See(v rules.View, past []rules.Event) Seen {
	s := Seen{View: v, Past: make([]rules.Event, len(past))}
	for i, e := range past {
		s.Past[i] = e.For(v.Seat)
	}
	return s
}

// whole reports whether the past accounts for every tile on the table.
func (s *Seen) whole() bool {
	plays := 0
	for i := range s.Past {
		if e := &s.Past[i]; e.Kind == rules.Play {
			plays++
		}
	}
	return plays == s.Layout.Len()
}

// own returns the hands that the seat knows: its own.
func (s *Seen) own() (hands [rules.MaxSeats]rules.Hand) {
	hands[s.Seat-1] = s.Hand
	return hands
}
