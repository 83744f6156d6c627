package play

import (
	"slices"
	"strconv"
	"time"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// moment identifies a move of the current game whose board can be viewed again. The zero moment is now.
type moment struct{ round, number int }

// moments returns the moves that can be viewed again, in order: those of rounds whose first move is logged.
func moments(v *table.View) []moment {
	var all []moment
	whole := 0 // the latest round whose first move is in the log
	for i := range v.Log {
		e := v.Log[i]
		if e.Number == 1 {
			whole = e.Round
		}
		if e.Number > 0 && e.Round == whole && e.Event.Kind != rules.Draw {
			all = append(all, moment{e.Round, e.Number})
		}
	}
	return all
}

// stepped returns the moment that is by moves after m: at least the first one, and now from the last one on.
func stepped(v *table.View, m moment, by int) moment {
	all := moments(v)
	if len(all) == 0 {
		return moment{}
	}
	at := len(all) - 1
	if i := slices.Index(all, m); i >= 0 {
		at = i
	}
	if at += by; at >= len(all)-1 {
		return moment{}
	}
	return all[max(at, 0)]
}

// layoutAt returns the layout after a move, and the turn that the move ended.
func layoutAt(v *table.View, m moment) (l rules.Layout, t turn) {
	var plays []rules.Event
	from := 0
	for i := range v.Log {
		e := v.Log[i]
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

// viewAt returns the table as the reader saw it after a move, with the scores, tiles, log and layout of that
// moment, and nothing to do. If the moment is no longer in the view, it returns v.
func viewAt(v *table.View, m moment) *table.View {
	at := slices.IndexFunc(v.Log, func(e *table.Entry) bool { return e.Round == m.round && e.Number == m.number })
	if at < 0 {
		return v
	}
	then, e := *v, v.Log[at]
	then.Version, then.Log, then.Seats, then.Result = e.Version, v.Log[:at+1:at+1], slices.Clone(v.Seats), nil
	then.OpenHands = nil // those are the current ones
	then.TurnEnds, then.BankEnds, then.Deadline = time.Time{}, time.Time{}, time.Time{}
	for i := range then.Seats { // who is away now does not belong to that moment
		then.Seats[i].Presence, then.Seats[i].StandIn = table.Here, false
		if bot, from := v.TookOver(rules.Seat(i + 1)); from > at { // the bot played that
			then.Names = slices.Clone(then.Names)
			then.Names[i], then.Seats[i].Player.Name = bot, bot
		}
	}
	p := &then.Play
	p.Round, p.Phase, p.Scores, p.Stock, p.Turn = m.round, rules.Playing, e.After.Scores, int(e.After.Stock), e.After.Turn
	p.Duty, p.Forced, p.Options, p.Draws = 0, rules.NoTile, nil, 0
	p.Result, p.Open, p.Winner = rules.RoundResult{}, [rules.MaxSeats]rules.Hand{}, 0
	p.Layout, _ = layoutAt(v, m)
	for i, n := range e.After.Held {
		p.Held[i] = int(n)
	}
	if v.POV != 0 {
		p.Hand = handAt(v, at)
	}
	return &then
}

// handAt returns what the reader held after a log entry: the hand at the end of that round, or now, plus the
// tiles played since then and minus those drawn.
func handAt(v *table.View, at int) rules.Hand {
	hand := v.Play.Hand
	var played, drawn rules.Hand
	for i := at; i < len(v.Log) && v.Log[i].Round == v.Log[at].Round; i++ {
		e := v.Log[i]
		if e.After.Open != nil {
			hand = e.After.Open[v.POV-1]
		}
		switch {
		case i == at || e.Number == 0 || e.Event.Seat != v.POV:
		case e.Event.Kind == rules.Play:
			played = played.With(e.Event.Tile)
		case e.Event.Kind == rules.Draw && e.Event.Tile != rules.NoTile:
			drawn = drawn.With(e.Event.Tile)
		}
	}
	return (hand | played) &^ drawn
}

// stepping reports whether an earlier board is shown.
func (d *picture) stepping() bool { return d.own.past != moment{} }

// pastPrompt names the move that is shown, and how to return.
func (d *picture) pastPrompt(w int) string {
	m := d.own.past
	_, t := layoutAt(d.v, m)
	number := m.number
	if len(t) > 0 {
		number = t[len(t)-1].Turn
	}
	say := d.paint(theme.Title, "Move "+strconv.Itoa(number)+" of round "+strconv.Itoa(m.round)+": ")
	back := "   " + d.paint(theme.Key, "esc") + d.paint(theme.Muted, " back to now")
	if d.now.MyMove() {
		back = "   " + d.paint(theme.Accent, "Your turn: ") + d.paint(theme.Key, "esc")
	}
	if len(t) > 0 {
		seat := t[len(t)-1].Event.Seat
		if who := d.fit(d.side(seat), d.who(seat), 12) + " "; page.Width(say+who+back) <= w { // otherwise there is no room for the name
			say += who
		}
	}
	return " " + say + d.turn(t, max(w-page.Width(say)-page.Width(back), 0)) + back
}

// announce returns what has happened since an earlier view, for players who do not see the present board.
func announce(before, v *table.View) string {
	say := ""
	for i := range v.Log {
		e := v.Log[i]
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
