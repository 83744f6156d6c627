package table

import (
	"slices"
	"strings"

	"boneyard/rules"
)

// mayTake reports whether people may take over bots' seats: at an open table, in a casual game in progress.
func (s *state) mayTake() bool { return s.cfg.lendsBots(s.Phase, s.game.start.Rated) && s.attended() }

// takes returns the seat that somebody takes from a bot with the next round, 0 if none.
func (s *state) takes(p PlayerID) rules.Seat {
	for n, q := range s.seats() {
		if p != 0 && q.Next.ID == p {
			return n
		}
	}
	return 0
}

// take promises a bot's seat to somebody, from the next round on. Until then they see only what watchers see.
func (d *draft) take(n rules.Seat, by *sender) error {
	old := d.takes(by.ID)
	switch {
	case d.any(func(q *seatState) bool { return q.Gone && q.Player.ID == by.ID }):
		return ErrInGame // a player who has left a game for good does not return to it
	case n != 0 && !d.valid(n):
		return ErrNoSeat
	case old != 0 && (n == 0 || n == old):
		return nil
	case n != 0 && d.seat(n).House == "":
		return ErrInGame
	case n != 0 && d.seat(n).Next.ID != 0:
		return ErrSeatTaken
	case n == 0:
		i := slices.IndexFunc(d.Seats[:d.cfg.Seats], func(q seatState) bool { return q.House != "" && q.Next.ID == 0 })
		if i < 0 {
			return ErrInGame
		}
		n = rules.Seat(i + 1)
	}
	if old != 0 {
		d.seat(old).Next = sender{}
	}
	d.seat(n).Next, d.seat(n).nextAway = *by, false
	d.announce(by.Name + takesOver + d.seat(n).Player.Name + " after this round.")
	return nil
}

// giveUpTaking cancels the promise of a bot's seat to somebody, and reports whether there was one.
func (d *draft) giveUpTaking(p PlayerID) bool {
	n := d.takes(p)
	if n == 0 {
		return false
	}
	q := d.seat(n)
	d.announce(q.Next.Name + " does not take over from " + q.Player.Name + ".")
	q.Next = sender{}
	return true
}

// taker records the presence of somebody to whom a bot's seat is promised: leaving gives it up. A promise
// from before a restart holds if they are back in time.
func (t *Table) taker(n rules.Seat, how Presence) {
	forget := func(s *state) { s.seat(n).Next = sender{} }
	switch q := t.state.seat(n); {
	case how == Here && q.nextAway:
		t.change(func() { q.nextAway = false })
	case how == Here:
	case t.step(func(d *draft) error { forget(&d.state); return nil }) != nil: // the table is frozen
		t.change(func() { forget(&t.state) })
	}
}

// takeOver gives bots' seats to those to whom they are promised, between two rounds. The record's header
// already names the bot; a comment before the round says who plays on.
func (d *draft) takeOver() {
	for n, q := range d.seats() {
		if q.Next.ID == 0 {
			continue
		}
		if q.nextAway {
			d.giveUpTaking(q.Next.ID)
			continue
		}
		bot := q.Player.Name
		*q = seatState{Player: q.Next, presence: Here, since: d.now, Bank: d.cfg.Pace.Bank()}
		p := q.Player.Player
		p.Was = bot
		d.game.start.Seats = slices.Clone(d.game.start.Seats)
		d.game.start.Seats[n-1] = p
		d.taken = d.game.start.Seats
		d.remark(takingOver(p.Name, bot))
	}
}

// takingOver returns the comment in the record when a player takes over a bot's seat.
func takingOver(name, bot string) string { return name + takesOver + bot + "." }

const takesOver = " takes over from "

// TookOver returns the bot whose seat a player took over, and the index in the log; -1 if they did not.
func (v *View) TookOver(n rules.Seat) (bot string, at int) {
	for i := range v.Log {
		rest, takes := strings.CutPrefix(v.Log[i].Text, v.Names[n-1]+takesOver)
		if takes && v.Log[i].Number == 0 {
			return strings.TrimSuffix(rest, "."), i
		}
	}
	return "", -1
}

// takenOver replays that comment. all are the players by seat at the end.
func (g *game) takenOver(comment string, all []Player) {
	for i, p := range all {
		if p.Was != "" && g.start.Seats[i].ID == 0 && comment == takingOver(p.Name, p.Was) {
			g.start.Seats[i] = p
		}
	}
}
