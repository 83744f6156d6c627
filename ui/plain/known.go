package plain

import (
	"slices"
	"strconv"

	"boneyard/rules"
	"boneyard/table"
)

// Known is what anybody who has watched since the start of the round knows about it. It is derived only from
// a view's log and layout.
type Known struct {
	Played rules.Hand                  // the tiles on the table
	Lacks  [rules.MaxSeats][]rules.Pip // suits that a seat cannot hold, because it passed or drew on them, ascending
}

// Know works out what is known about the round in play.
//
// A seat that draws or passes holds nothing that fits the open ends. A drawn tile that fits is played at once, so the drawn tiles
// that a seat keeps do not fit those ends either; but they may be of a suit that the seat lacked before.
func Know(v *table.View) Known {
	k := Known{Played: v.Play.Layout.Tiles()}
	var plays []rules.Event
	drew := 0 // in the current turn
	var last *[]rules.Pip
	for i := range v.Log {
		e := v.Log[i]
		if e.Round != v.Play.Round || e.Number == 0 {
			continue
		}
		lacks := &k.Lacks[e.Event.Seat-1]
		last = lacks
		switch e.Event.Kind {
		case rules.Draw:
			drew++
			if drew == 1 {
				continue
			}
			*lacks = nil // the previously drawn tile has been kept
		case rules.Pass:
			if drew > 0 {
				*lacks = nil
			}
			*lacks = union(*lacks, openSuits(v, plays))
			drew = 0
		case rules.Play:
			if drew > 0 {
				*lacks = union(*lacks, openSuits(v, plays))
			}
			plays = append(plays, e.Event)
			drew = 0
		}
	}
	if drew > 0 { // the tile may be of any suit until it is played or another one is drawn
		*last = nil
	}
	return k
}

// openSuits returns the suits of the ends that the plays of a round leave open.
func openSuits(v *table.View, plays []rules.Event) []rules.Pip {
	l := v.Play.Rules.Laid(plays)
	var suits []rules.Pip
	for i := range l.EndCount() {
		suits = append(suits, l.End(i).Pip)
	}
	return suits
}

func union(a, b []rules.Pip) []rules.Pip {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// ToGo says what a side still needs: "48 to go", or, with a fixed number of rounds, how far it is behind the best of the others.
func ToGo(v *rules.View, side rules.Side) string {
	own := v.Scores[side-1]
	if v.Rules.Rounds == 0 {
		target := v.Rules.TargetFor(v.Seats)
		if v.Rules.Above {
			target++
		}
		return strconv.Itoa(int(max(target-own, 0))) + " to go"
	}
	best, others := rules.Points(0), false
	for i, p := range v.Scores[:v.Sides()] {
		if rules.Side(i+1) != side && (!others || p > best) {
			best, others = p, true
		}
	}
	switch {
	case own > best:
		return "leads by " + strconv.Itoa(int(own-best))
	case own < best:
		return strconv.Itoa(int(best-own)) + " behind"
	}
	return "level"
}
