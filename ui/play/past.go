package play

import (
	"strconv"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/board"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// moment is a move of the game in play whose board is looked at again: its round and its number there. The zero moment is now.
type moment struct{ round, number int }

// moments are the moves that can be looked at again, in their order: of all rounds that the log has from their first move on.
func moments(v *table.View) []moment {
	var all []moment
	whole := 0 // the round that is there from its first move on
	for i := range v.Log {
		e := &v.Log[i]
		if e.Number == 1 {
			whole = e.Round
		}
		if e.Number > 0 && e.Round == whole && e.Event.Kind != rules.Draw {
			all = append(all, moment{e.Round, e.Number})
		}
	}
	return all
}

// stepped is the moment that is by moves further than m; the last move of all is now.
func stepped(v *table.View, m moment, by int) moment {
	all := moments(v)
	at := len(all) - 1
	if m != (moment{}) {
		for i := range all {
			if all[i] == m {
				at = i
			}
		}
	}
	if at += by; at >= len(all)-1 {
		return moment{}
	}
	return all[max(at, 0)]
}

// layoutAt is the layout after a move, and the turn that the move ended.
func layoutAt(v *table.View, m moment) (l rules.Layout, t turn) {
	var plays []rules.Event
	from := 0
	for i := range v.Log {
		e := &v.Log[i]
		if e.Round != m.round || e.Number == 0 || e.Number > m.number {
			continue
		}
		if len(t) == 0 || v.Log[i-1].Number == 0 || v.Log[i-1].Event.Kind != rules.Draw || v.Log[i-1].Event.Seat != e.Event.Seat {
			from = i
		}
		t = turn(v.Log[from : i+1])
		if e.Event.Kind == rules.Play {
			plays = append(plays, e.Event)
		}
	}
	return v.Play.Rules.Laid(plays), t
}

// layout is what lies on the board that is shown: the present one, or that of the moment looked at.
func (d *picture) layout() *rules.Layout {
	if !d.stepping() {
		return &d.v.Play.Layout
	}
	l, _ := layoutAt(d.v, d.own.past)
	return &l
}

// stepping reports whether the board of an earlier moment is shown.
func (d *picture) stepping() bool { return d.own != nil && d.own.past != moment{} }

// pastPrompt says which move is looked at, and how to come back.
func (d *picture) pastPrompt(w int) string {
	m := d.own.past
	_, t := layoutAt(d.v, m)
	say := d.paint(theme.Title, "Move "+strconv.Itoa(m.number)+" of round "+strconv.Itoa(m.round)+" ")
	if len(t) > 0 {
		seat := t[len(t)-1].Event.Seat
		say += d.fit(d.side(seat), d.who(seat), 12) + " "
	}
	back := "   " + d.paint(theme.Key, "esc") + d.paint(theme.Muted, " back to now")
	if d.v.MyMove() {
		back = "   " + d.paint(theme.Accent, "Your turn: ") + d.paint(theme.Key, "esc")
	}
	return " " + say + d.turn(t, max(w-page.Width(say)-page.Width(back), 0)) + back
}

// announce says what has happened since an earlier view, to somebody who looks at an earlier board.
func announce(before, v *table.View) string {
	say := ""
	for i := range v.Log {
		e := &v.Log[i]
		if e.Version <= before.Version || e.Number == 0 || e.Event.Kind == rules.Draw {
			continue
		}
		name := v.Names[e.Event.Seat-1]
		switch e.Event.Kind {
		case rules.Pass:
			say = name + " passed."
		default:
			say = name + " played " + e.Event.Tile.Name() + "."
		}
	}
	if say == "" {
		return ""
	}
	if v.MyMove() {
		return "New: " + say + " It's your turn."
	}
	return "New: " + say
}

// strip is a layout in a room that may be low, for screens on which it is not what matters most.
func (d *picture) left(w, h int) []string {
	return draw(&d.v.Play.Layout, board.Options{Width: w, Height: h, Theme: d.th, Plain: d.thrifty()}).lines
}
