package table

import (
	"slices"
	"time"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// houseNames are the first names of the bots of each strength. Followed by a full stop and the strength, they
// differ from all names that people may have, and are valid in a record.
var houseNames = map[Strength][rules.MaxSeats]string{
	Novice:  {"kit", "dot", "pim", "lou"},
	Casual:  {"sam", "ida", "ben", "joy"},
	Regular: {"nora", "otto", "vera", "hugo"},
	Expert:  {"ada", "emil", "ruth", "carl"},
	Master:  {"max", "thea", "ivan", "olga"},
}

// Strengths lists how well house bots play, the weakest first.
func Strengths() []Strength { return []Strength{Novice, Casual, Regular, Expert, Master} }

// name returns the name of the i-th bot of a strength, from 0.
func (s Strength) name(i int) string { return houseNames[s][i] + "." + string(s) }

// HouseNames lists the names of the house bots, which no member may have or imitate.
func HouseNames() []string {
	var all []string
	for _, s := range Strengths() {
		for i := range houseNames[s] {
			all = append(all, s.name(i))
		}
	}
	return all
}

// How says in a sentence how bots of this strength play.
func (s Strength) How() string { return s.level().How() }

func (s Strength) level() bot.Level {
	l, _ := bot.ParseLevel(string(s)) // a player who is gone for good has none, and a regular bot plays
	return l
}

func (d *draft) putBot(n rules.Seat, s Strength) {
	names := houseNames[s]
	i := slices.IndexFunc(names[:], func(first string) bool {
		name := first + "." + string(s)
		return !slices.ContainsFunc(d.Seats[:], func(q seatState) bool { return q.Player.Name == name })
	})
	*d.seat(n) = seatState{Player: sender{Player: Player{Name: s.name(i)}}, House: s, presence: Here, since: d.now}
}

func (d *draft) fill() {
	d.Filled, d.fillAt = true, time.Time{}
	for n, q := range d.seats() {
		if q.free() {
			d.putBot(n, d.cfg.Strength)
			d.announce(q.Player.Name + " sits down.")
		}
	}
}

// seen returns what a bot at a seat gets: what that seat sees and has seen, and nothing else.
func (s *state) seen(n rules.Seat) bot.Seen { return bot.See(s.game.play.View(n), s.game.past()) }

// past returns the moves of the present round, as far as the log has them.
func (g *game) past() []rules.Event {
	from := len(g.log)
	for from > 0 && g.log[from-1].Round == g.play.Round() {
		from--
	}
	past := make([]rules.Event, 0, len(g.log)-from)
	for _, e := range g.log[from:] {
		if e.Number > 0 {
			past = append(past, e.Event)
		}
	}
	return past
}

// hasty returns the move for a player who is out of time.
func (d *draft) hasty(n rules.Seat) rules.Move {
	seen, rng := d.seen(n), d.rng
	if d.cfg.Event.Fixed {
		rng = d.fixed()
	}
	return bot.Regular.Choose(&seen, rng)
}
