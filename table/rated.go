package table

import (
	"slices"
	"strconv"
	"strings"

	"boneyard/rules"
)

// casual returns why a game of those who sit, under a club night, would not be rated; empty if it would. That
// two come from one network is checked last: only members who sit there ever read it.
func (s *state) casual(night string) string {
	seats := s.Seats[:s.cfg.Seats]
	for i := range seats {
		if why := CasualWith(&seats[i].Player.Player, seats[i].House); why != "" {
			return why
		}
	}
	if why := s.cfg.Casual(); why != "" {
		return why
	}
	if s.oneNetwork || night != "" {
		return ""
	}
	for i := range seats {
		for j := range i {
			opponents := s.sideOf(rules.Seat(i+1)) != s.sideOf(rules.Seat(j+1))
			if a, b := seats[i].Player.address(), seats[j].Player.address(); opponents && a != "" && a == b {
				return casualNetwork
			}
		}
	}
	return ""
}

// CasualWith returns why no game with a player, or with a house bot, is rated; empty if one may be.
func CasualWith(p *Player, house Strength) string {
	switch {
	case house != "":
		return "house bot at the table"
	case p.ID.Guest():
		return "with a guest"
	case p.Bot:
		return "with a program"
	}
	return ""
}

// Casual returns why a game of those who sit would not be rated, as far as is public; empty if it may be.
func (s *Summary) Casual() string {
	for i := range s.Seats {
		if why := CasualWith(&s.Seats[i].Player, s.Seats[i].House); why != "" {
			return why
		}
	}
	return s.Config.Casual()
}

// night returns the club nights under which a game of those who sit would begin, such as "3" or "3, 4"; empty
// unless every player has one. It does not depend on shared networks, so that it reveals none.
func (s *state) night() string {
	var all []string
	for _, q := range s.seats() {
		if q.Player.ID <= 0 {
			return ""
		}
		id := s.clubNight(q.Player.ID)
		if id == 0 {
			return ""
		}
		if n := strconv.FormatInt(int64(id), 10); !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return strings.Join(all, ", ")
}

// address returns the hash of the address alone.
func (p *sender) address() string {
	a, _, _ := strings.Cut(p.Net, ".")
	return a
}

// networks returns the players' networks by seat, for the ratings; nil if networks do not identify people.
func (s *state) networks() (nets []string) {
	if s.oneNetwork {
		return nil
	}
	for _, q := range s.seats() {
		_, net, _ := strings.Cut(q.Player.Net, ".")
		nets = append(nets, net)
	}
	return nets
}

const (
	casualNetwork = "two players on one network; only a club night rates such games" // for players
	casualOther   = "by the club's rules"                                            // for watchers, who are not told about networks
)

// Casual returns why no game at such a table is rated, empty if one may be: it has its preset's rules, its
// target or a higher one, and clocks. The number of players, and partners, do not matter.
func (c *Config) Casual() string {
	std, r := c.Rules.Preset.Rules(), c.Rules
	switch low := r.TargetFor(c.Seats) < std.TargetFor(c.Seats); {
	case c.OpenHands:
		return "watchers see the hands"
	case c.Pace == PaceNone:
		return "no clock"
	case r.Rounds > 0:
		return "a number of rounds"
	case low:
		return "a lower target than usual"
	}
	r.Target, r.Teams = std.Target, std.Teams
	if r != std {
		return "house rules"
	}
	return ""
}

// leavers returns the seats whose players have left the game for good, or are absent.
func (s *state) leavers() []int {
	var all []int
	for n, q := range s.seats() {
		if q.Player.ID != 0 && (q.Gone || q.Absent) {
			all = append(all, int(n))
		}
	}
	return all
}

// resign makes a player resign, who may take that back while the game goes on. A partner who is there must
// agree.
func (d *draft) resign(n rules.Seat, back bool) error {
	bit, name := uint8(1)<<n, d.seat(n).Player.Name
	switch wants := d.Resigns&bit != 0; {
	case !d.inGame():
		return ErrNoGame
	case wants != back:
		return nil
	case back:
		d.Resigns &^= bit
		d.announce(name + " plays on.")
		return nil
	}
	d.Resigns |= bit
	going := []rules.Seat{n}
	for m, q := range d.seats() {
		if m == n || d.sideOf(m) != d.sideOf(n) || !q.human() {
			continue
		}
		if !q.Absent && d.Resigns&(1<<m) == 0 {
			d.announce(name + " wants to resign; " + q.Player.Name + " has to agree.")
			return nil
		}
		going = append(going, m)
	}
	slices.Sort(going)
	d.leave("resigned", going...)
	return nil
}

// leave takes players of one side out of the game for good.
func (d *draft) leave(how string, seats ...rules.Seat) {
	why := ""
	for i, n := range seats {
		q := d.seat(n)
		q.Gone, q.StandIn, q.Absent = true, true, false
		if i > 0 {
			why += " and "
		}
		why += q.Player.Name
	}
	if len(seats) > 1 {
		why += " have " + how
	} else {
		why += " has " + how
	}
	var stay []rules.Side
	for n, q := range d.seats() {
		if side := d.sideOf(n); q.human() && !slices.Contains(stay, side) {
			stay = append(stay, side)
		}
	}
	side, two := d.sideOf(seats[0]), d.game.play.Sides() == 2
	switch left := !slices.Contains(stay, side); {
	case len(stay) == 0 && !(two && d.cfg.Event.Compared()):
		d.finish(EndAbandoned, 0, why+"; nobody is left, and the game is abandoned.")
	case d.cfg.Absence == AbsenceForfeit, left && two && (d.game.start.Rated || d.cfg.Event.ID != 0 || len(seats) > 1):
		d.forfeit(side, why+".")
	case left && d.game.start.Rated && len(stay) == 1:
		d.finish(EndForfeit, stay[0], why+". "+d.sideName(stay[0])+" wins.")
	default:
		d.remark(why + "; a bot plays on.")
	}
}
