package table

import (
	"slices"
	"time"
)

// setLate records whether the others wait for a player: all seats are taken, and somebody else is ready. A
// player's waiting time adds up until the game begins, so being ready now and then does not reset it.
func (s *state) setLate(q *seatState, now time.Time) {
	waits := s.Phase == Gathering && !s.keepsSeats() && s.cfg.Pace != PaceSlow && q.human() && !q.Ready && s.othersReady(q)
	switch {
	case waits && q.lateFrom.IsZero():
		q.lateFrom = now
	case !waits && !q.lateFrom.IsZero():
		q.late += now.Sub(q.lateFrom)
		q.lateFrom = time.Time{}
	}
}

// othersReady reports whether all seats are taken, and another player is ready.
func (s *state) othersReady(q *seatState) bool {
	ready := false
	for _, other := range s.seats() {
		if other.free() {
			return false
		}
		ready = ready || other != q && other.human() && other.Ready
	}
	return ready
}

// stoodUp is a player who was made to stand up.
type stoodUp struct {
	player PlayerID
	why    string
}

// standUpLate makes players stand up who have kept the others waiting too long. Bots may take their place.
func (d *draft) standUpLate() {
	for n, q := range d.seats() {
		if q.lateFrom.IsZero() || q.lateFrom.Add(d.times.Late-q.late).After(d.now) {
			continue
		}
		p := q.Player
		d.stand(n)
		d.announce(p.Name + " was not ready in time.")
		d.stoodUp = append(d.stoodUp, stoodUp{p.ID, "You were not ready in time and have lost your seat."})
		d.Filled = false
	}
}

// unwanted is somebody who may not sit down at a table: a member by number, a guest by network too.
type unwanted struct {
	ID  PlayerID `json:"id"`
	Net string   `json:"net,omitempty"`
}

// unseat makes another player stand up for the table's maker.
func (d *draft) unseat(c Unseat, by PlayerID) error {
	const unwantedMost = 64 // how many a table remembers; the first to be unseated are forgotten first
	if by != d.maker.ID {
		return ErrNotMaker
	}
	if err := d.between(); err != nil {
		return err
	}
	if !d.valid(c.Seat) || !d.seat(c.Seat).human() {
		return ErrNoPlayer
	}
	p := d.seat(c.Seat).Player
	if p.ID == by || c.Player != 0 && c.Player != p.ID {
		return ErrNoPlayer
	}
	d.stand(c.Seat)
	u := unwanted{ID: p.ID}
	if p.ID.Guest() {
		u.Net = p.Net
	}
	list := append(slices.Clone(d.Unwanted), u)
	d.Unwanted = list[max(0, len(list)-unwantedMost):]
	d.stoodUp = append(d.stoodUp, stoodUp{p.ID, "The table's creator asked you to stand up."})
	return nil
}

// isUnwanted reports whether somebody is one of those who may not sit down.
func isUnwanted(list []unwanted, p *sender) bool {
	return slices.ContainsFunc(list, func(u unwanted) bool {
		return u.ID == p.ID || p.ID.Guest() && u.Net != "" && u.Net == p.Net
	})
}

// barred returns those who get no seat: the unwanted, and during a game those who have left it for good.
// Returned slices are never written to again.
func (s *state) barred() []unwanted {
	all := s.Unwanted
	for _, q := range s.seats() {
		if q.Gone {
			all = append(slices.Clip(all), unwanted{ID: q.Player.ID})
		}
	}
	return all
}
