package table

import (
	"slices"
	"time"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// houseNames are the names of the bots, the novices' first. The full stop keeps them apart from all names that people may
// have, and a record may hold it.
var houseNames = map[Strength][rules.MaxSeats]string{
	Novice:  {"kit.bot", "dot.bot", "pim.bot", "lou.bot"},
	Regular: {"nora.bot", "otto.bot", "vera.bot", "hugo.bot"},
}

// HouseNames lists the names of the bots of the house, which no member may have or come close to.
func HouseNames() []string {
	var all []string
	for _, s := range []Strength{Novice, Regular} {
		names := houseNames[s]
		all = append(all, names[:]...)
	}
	return all
}

// level is the player behind a strength.
func (s Strength) level() bot.Level {
	if s == Novice {
		return bot.Novice
	}
	return bot.Regular
}

// putBot seats a bot of the house under a name that no other seat has.
func (d *draft) putBot(n rules.Seat, s Strength) {
	names := houseNames[s]
	i := slices.IndexFunc(names[:], func(name string) bool {
		return !slices.ContainsFunc(d.Seats[:], func(q seat) bool { return q.Player.Name == name })
	})
	*d.seat(n) = seat{Player: Player{Name: names[i]}, House: s, presence: Here, since: d.now}
}

// fill puts bots on all free seats.
func (d *draft) fill() {
	d.Filled, d.fillAt = true, time.Time{}
	for i := range d.Seats[:d.cfg.Seats] {
		if d.Seats[i].free() {
			d.putBot(rules.Seat(i+1), d.cfg.Strength)
			d.house(d.Seats[i].Player.Name + " sits down.")
		}
	}
}

// choose is what a bot plays for a seat: it is shown what that seat sees, and nothing else.
func (d *draft) choose(n rules.Seat) rules.Move {
	level := bot.Regular
	if q := d.seat(n); q.House != "" {
		level = q.House.level()
	}
	return level.Choose(d.game.play.View(n), d.rng)
}
