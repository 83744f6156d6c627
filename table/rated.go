package table

import (
	"slices"
	"strconv"
	"strings"

	"boneyard/rules"
)

// casual is why a game with those who sit under a club night counts for nobody's rating, empty if it does
// count. That two come from one network is the last reason looked for: whoever reads it sits there as a
// member.
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

// CasualWith is why no game with a player, or a bot of the house of some strength, counts; empty if one may.
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

// Casual is why a game with those who sit would count for nobody's rating, as far as everybody may know; empty if it may count.
func (s *Summary) Casual() string {
	for i := range s.Seats {
		if why := CasualWith(&s.Seats[i].Player, s.Seats[i].House); why != "" {
			return why
		}
	}
	return s.Config.Casual()
}

// night is under which club nights a game with those who sit would begin, such as "3" or "3, 4"; empty unless
// every player has one. Whether two of them share a network makes no difference, so that it tells nobody who
// does.
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

// address is the hash of the address alone.
func (p *sender) address() string {
	a, _, _ := strings.Cut(p.Net, ".")
	return a
}

// networks are those that the players come from, by seat, as ratings are to know them; nil if they say
// nothing about who plays.
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
	casualNetwork = "two players from one network; a club night allows it" // for those who sit
	casualOther   = "by the club's rules"                                  // for watchers: networks are not shown
)

// Casual is why no game at such a table counts, empty if one may: it is played by the rules of its preset, to
// its target or a higher one, with clocks. With partners or without, for two, three or four, it is the same
// game.
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

// leavers are the seats of those who have left the game for good, or are absent.
func (s *state) leavers() []int {
	var all []int
	for n, q := range s.seats() {
		if q.Player.ID != 0 && (q.Gone || q.Absent) {
			all = append(all, int(n))
		}
	}
	return all
}

// resign has a player resign, who may take that back as long as the game goes on. A player whose partner is there needs the
// partner's yes; bots agree.
func (d *draft) resign(n rules.Seat, back bool) error {
	bit, name := uint8(1)<<n, d.seat(n).Player.Name
	switch wants := d.Resigns&bit != 0; {
	case !d.inGame():
		return ErrNoGame
	case wants != back:
		return nil
	case back:
		d.Resigns &^= bit
		d.house(name + " plays on.")
		return nil
	}
	d.Resigns |= bit
	going := []rules.Seat{n}
	for m, q := range d.seats() {
		if m == n || d.sideOf(m) != d.sideOf(n) || !q.human() {
			continue
		}
		if !q.Absent && d.Resigns&(1<<m) == 0 {
			d.house(name + " wants to resign; " + q.Player.Name + " has to agree.")
			return nil
		}
		going = append(going, m)
	}
	slices.Sort(going)
	d.leave("resigned", going...)
	return nil
}

// leave ends the parts of players of one side in the game for good.
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
