package table

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"boneyard/rules"
)

// followGathering carries out what follows before a game.
func (d *draft) followGathering() (bool, error) {
	if d.cfg.House {
		if d.deadline.IsZero() {
			d.setDeadline(0) // the first game begins when somebody looks
			d.fill()
			return true, nil
		}
		return false, nil
	}
	if d.waitsForPlayers() {
		return false, nil
	}
	people, free := d.counts()
	patient := func(q *seatState) bool { return q.human() && !q.Quick } // would rather play with people
	if (d.cfg.Fill == FillNow || !d.any(patient)) && !d.Filled && people > 0 && free > 0 {
		d.fill()
		return true, nil
	}
	if !d.allReady() {
		return false, nil
	}
	if people == 1 || d.cfg.Event.ID != 0 && !d.cfg.Event.Wait {
		return true, d.start() // nobody else is surprised, or the event wants it to begin
	}
	d.Phase = Countdown
	d.setDeadline(d.times.Countdown)
	return true, nil
}

// between returns an error unless no game is being played and people arrange the seats.
func (d *draft) between() error { return d.cfg.between(d.Phase) }

func (c *Config) between(now State) error {
	switch {
	case c.House:
		return ErrHouse
	case c.Event.ID != 0:
		return ErrEvent
	case now.inGame():
		return ErrInGame
	}
	return nil
}

// maySit returns an error if a player can get no seat here now, whichever is free. It does not check codes.
func (c *Config) maySit(now State, p Player) error {
	if err := c.between(now); err != nil {
		return err
	}
	if c.Access == AccessTeams && (p.Team == 0 || p.ID.Guest()) {
		return ErrTeam
	}
	return nil
}

func (d *draft) gather() { d.Phase, d.deadline, d.Left = Gathering, time.Time{}, 0 }

// sit seats a player, or moves one who sits.
func (d *draft) sit(c Sit, by *sender) error {
	if isUnwanted(d.Unwanted, by) {
		return ErrUnseated
	}
	if d.inGame() && d.mayTake() && d.seatOf(by.ID) == 0 {
		return d.take(c.Seat, by)
	}
	p, old := by.Player, d.seatOf(by.ID)
	if err := d.cfg.maySit(d.Phase, p); err != nil {
		return err
	}
	if d.cfg.Guide && p.ID != d.maker.ID {
		return ErrGuided
	}
	if d.cfg.Access == AccessCode && old == 0 && p.ID != d.maker.ID && !strings.EqualFold(c.Code, d.code) {
		return ErrCode
	}
	n, err := d.seatFor(p, c.Seat, old)
	if err != nil || n == old {
		return err
	}
	quick := c.Quick && d.cfg.Access == AccessOpen
	q := seatState{Player: *by, presence: Here, since: d.now, Ready: quick, Quick: quick}
	if old != 0 {
		q.late, q.lateFrom = d.seat(old).late, d.seat(old).lateFrom
		*d.seat(old) = seatState{}
	}
	*d.seat(n) = q
	d.claimSides()
	d.Swap = SwapWish{}
	d.gather()
	d.announce(p.Name + " sits down.")
	return nil
}

// seatFor finds the seat for a player: the requested one, else the first that is free, else a bot's.
func (d *draft) seatFor(p Player, wish, old rules.Seat) (rules.Seat, error) {
	if wish != 0 {
		if !d.valid(wish) {
			return 0, ErrNoSeat
		}
		if d.seat(wish).Player.ID != 0 && wish != old {
			return 0, ErrSeatTaken
		}
		return wish, d.mayHave(p, wish, old)
	}
	if old != 0 {
		return old, nil
	}
	for _, bots := range []bool{false, true} {
		for _, n := range d.byPartner() {
			q := d.seat(n)
			if (q.free() || bots && q.House != "") && d.mayHave(p, n, old) == nil {
				return n, nil
			}
		}
	}
	if d.cfg.Access == AccessTeams && d.Teams[0] != 0 && d.Teams[1] != 0 && d.Teams[0] != p.Team && d.Teams[1] != p.Team {
		return 0, ErrTeam
	}
	return 0, ErrFull
}

// byPartner returns all seats in the order in which they are assigned. Where partners play, seats opposite
// somebody come first, so that a player who joins a friend is the friend's partner.
func (d *draft) byPartner() []rules.Seat {
	var first, rest []rules.Seat
	for n := rules.Seat(1); d.valid(n); n++ {
		if d.cfg.Rules.Teams && d.seat((n+1)%rules.MaxSeats+1).human() {
			first = append(first, n)
		} else {
			rest = append(rest, n)
		}
	}
	return append(first, rest...)
}

// mayHave returns an error if a player may not have a seat at a team table. The first of a team to sit claims
// its side; a player who moves gives up a claim that nobody else of the team holds.
func (d *draft) mayHave(p Player, n, old rules.Seat) error {
	if d.cfg.Access != AccessTeams {
		return nil
	}
	teams := d.Teams
	if old != 0 {
		teams = d.claims(old)
	}
	return sideFor(teams, int(d.sideOf(n)-1), p.Team)
}

// sideFor returns an error unless a team may have a side, 0 or 1: the one it has claimed, or a free one.
func sideFor(claimed [2]TeamID, side int, team TeamID) error {
	switch own, other := claimed[side], claimed[1-side]; {
	case own == team, own == 0 && other != team:
		return nil
	case other == team, other == 0:
		return ErrTeamSide
	}
	return ErrTeam
}

// claims returns the team of each side, by the players who sit, leaving out one seat.
func (d *draft) claims(except rules.Seat) [2]TeamID {
	teams := d.cfg.Teams
	for n, q := range d.seats() {
		if n != except && q.Player.ID != 0 {
			teams[d.sideOf(n)-1] = q.Player.Team
		}
	}
	return teams
}

func (d *draft) claimSides() {
	if d.cfg.Access == AccessTeams {
		d.Teams = d.claims(0)
	}
}

func (d *draft) stand(n rules.Seat) {
	name := d.seat(n).Player.Name
	*d.seat(n) = seatState{}
	d.claimSides()
	d.Swap = SwapWish{}
	if d.Phase == Countdown {
		d.gather()
	}
	if people, _ := d.counts(); people == 0 {
		d.Filled = false
		d.clearBots()
	}
	d.announce(name + " stands up.")
}

// clearBots removes the bots from a table where nobody sits, so that it is as good as new.
func (d *draft) clearBots() {
	for _, q := range d.seats() {
		if q.House != "" {
			*q = seatState{}
		}
	}
}

// swap swaps two seats, or asks the other player to.
func (d *draft) swap(own, with rules.Seat) error {
	if err := d.between(); err != nil {
		return err
	}
	if !d.valid(with) || with == own {
		return ErrNoSeat
	}
	other := d.seat(with)
	if d.cfg.Access == AccessTeams && d.sideOf(with) != d.sideOf(own) {
		return ErrTeamSide
	}
	if other.human() && d.Swap != (SwapWish{From: with, With: own}) {
		d.Swap = SwapWish{From: own, With: with}
		d.announce(d.seat(own).Player.Name + " would like to swap seats with " + other.Player.Name + ".")
		return nil
	}
	mine := d.seat(own)
	*mine, *other = *other, *mine
	mine.Ready, other.Ready = false, false
	d.Swap = SwapWish{}
	d.gather()
	if mine.Player.Name == "" {
		d.announce(other.Player.Name + " changes seats.")
	} else {
		d.announce(other.Player.Name + " and " + mine.Player.Name + " have swapped seats.")
	}
	return nil
}

func (d *draft) addBot(c AddBot) error {
	if err := d.between(); err != nil {
		return err
	}
	if d.cfg.Access == AccessTeams {
		return ErrNoBots
	}
	strength := cmp.Or(c.Strength, d.cfg.Strength)
	if !slices.Contains(Strengths(), strength) {
		return ErrStrength
	}
	n := c.Seat
	for n == 0 || !d.valid(n) || !d.seat(n).free() {
		if n != 0 && n == c.Seat {
			if d.valid(n) {
				return ErrSeatTaken
			}
			return ErrNoSeat
		}
		if n++; int(n) > d.cfg.Seats {
			return ErrFull
		}
	}
	d.putBot(n, strength)
	d.gather()
	d.announce(d.seat(n).Player.Name + " sits down.")
	return nil
}

func (d *draft) removeBot(n rules.Seat) error {
	if err := d.between(); err != nil {
		return err
	}
	if !d.valid(n) || d.seat(n).House == "" {
		return ErrNotABot
	}
	name := d.seat(n).Player.Name
	*d.seat(n) = seatState{}
	d.Filled = true // a bot that was sent away does not come back by itself
	d.gather()
	d.announce(name + " goes.")
	return nil
}

func (d *draft) ready(n rules.Seat, on bool) error {
	if err := d.between(); err != nil {
		return err
	}
	q := d.seat(n)
	q.Ready, q.Quick = on, q.Quick && on
	return nil
}
