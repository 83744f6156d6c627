package table

import (
	"slices"

	"boneyard/rules"
)

// What the reader of a view or a list of tables may do is said here, for all who show it.

// Gathers reports whether people may still sit down before a game.
func (s State) Gathers() bool { return s == Gathering || s == Countdown }

// Own is the reader's seat; the reader must have one.
func (v *View) Own() *SeatView { return &v.Seats[v.POV-1] }

// InGame reports whether a game is being played, even if it stands still.
func (v *View) InGame() bool {
	switch v.State {
	case Playing, Scoring, Paused, Waiting, Adjourned:
		return true
	case Frozen:
		return v.Result == nil && v.Play.Round != 0
	}
	return false
}

// Replaced reports whether the reader has a seat and is taken for absent there.
func (v *View) Replaced() bool {
	return v.POV != 0 && (v.Own().StandIn || v.Own().Presence == Absent)
}

// MyMove reports whether the reader has to choose a tile now. Nobody has to while there is no view yet.
func (v *View) MyMove() bool {
	return v != nil && v.POV != 0 && v.State == Playing && v.Play.Duty == rules.Play && !v.Replaced()
}

// Away reports whether a seat's player is not there. At the slow pace nobody has to be.
func (v *View) Away(n rules.Seat) bool {
	s := &v.Seats[n-1]
	return s.Player.ID != 0 && s.Presence != Here && (s.Presence == Absent || v.Config.Pace != PaceSlow)
}

// HasRoom reports whether a seat may be free for somebody, whoever that is; [View.MaySit] says it of one person.
func (v *View) HasRoom() bool {
	if v.Config.House || v.Config.Event.ID != 0 || v.InGame() || v.State == Frozen || v.State == Closed {
		return false
	}
	for i := range v.Seats {
		if v.Seats[i].Player.ID == 0 {
			return true
		}
	}
	return false
}

// MaySit reports whether somebody who watches could take a seat at once: at a private table only its maker can, who needs no
// code, and at a team table whoever is in a team that has a seat left there, or can still claim a side.
func (v *View) MaySit(p Player) bool {
	switch {
	case v.POV != 0 || !v.HasRoom():
		return false
	case v.Config.Access == AccessCode:
		return p.ID != 0 && p.ID == v.Maker
	case v.Config.Access == AccessTeams:
		return p.Team != 0 && v.hasSeatFor(p.Team)
	}
	return true
}

// hasSeatFor reports whether a team table has a free seat on the side that a team has, or can claim.
func (v *View) hasSeatFor(team TeamID) bool {
	sideOf := func(i int) int { return i % 2 }
	teams := v.Config.Teams
	for i := range v.Seats {
		if p := &v.Seats[i].Player; p.ID != 0 {
			teams[sideOf(i)] = p.Team
		}
	}
	for i := range v.Seats {
		own, other := teams[sideOf(i)], teams[1-sideOf(i)]
		if v.Seats[i].Player.ID == 0 && (own == team || own == 0 && other != team) {
			return true
		}
	}
	return false
}

// MayTake reports whether somebody who watches may take over a bot's seat from the next round on.
func (v *View) MayTake() bool { return v.POV == 0 && v.Summary().MayTake(Player{}) }

// Summary is what a view says of its table: who sits there, and who else may.
func (v *View) Summary() *Summary {
	return &Summary{Table: v.Table, Config: v.Config, State: v.State, Seats: v.Seats, Rated: v.Rated}
}

// MayBot reports whether bots may take seats here before a game. They don't play for teams, and an event decides who plays.
func (v *View) MayBot() bool { return v.Config.Access != AccessTeams && v.Config.Event.ID == 0 }

// MayVote reports whether there is something to decide about a player who is away.
func (v *View) MayVote(what Vote) bool {
	if !v.InGame() {
		return false
	}
	for i := range v.Seats {
		n := rules.Seat(i + 1)
		if n == v.POV || !v.Away(n) {
			continue
		}
		switch what {
		case VoteBot:
			if !v.Seats[i].StandIn {
				return true
			}
		case VoteAdjourn:
			if v.State != Adjourned && v.Config.Event.ID == 0 {
				return true
			}
		case VoteClaim:
			if v.State == Waiting && v.Play.SideOf(n) != v.Play.SideOf(v.POV) {
				return true
			}
		}
	}
	return false
}

// MaySit reports whether somebody could take a seat now, without a code or with one: before a game or after it. A seat of a
// house bot counts as free, unless people have just played with it.
func (s *Summary) MaySit(p Player) bool {
	c := &s.Config
	if c.House || c.Event.ID != 0 || s.SeatOf(p.ID) != 0 || s.Room() == 0 {
		return false
	}
	if !s.State.Gathers() && (s.State != Finished || !slices.ContainsFunc(s.Seats, func(q SeatView) bool { return q.Free() })) {
		return false
	}
	if c.Access != AccessTeams || p.ID == 0 {
		return c.Access != AccessTeams
	}
	return p.Team != 0 && (slices.Contains(c.Teams[:], p.Team) || slices.Contains(c.Teams[:], 0))
}

// MayJoin reports whether somebody could take a seat without being asked for a code.
func (s *Summary) MayJoin(p Player) bool { return s.Config.Access != AccessCode && s.MaySit(p) }

// MayTake reports whether somebody could take over a bot's seat in the game that is being played, from the next round on: in a
// casual game at an open table that may be watched until then.
func (s *Summary) MayTake(p Player) bool {
	c := &s.Config
	if c.House || c.Event.ID != 0 || c.Access != AccessOpen || c.Pace == PaceSlow || !c.Watchers || s.Rated || s.SeatOf(p.ID) != 0 {
		return false
	}
	switch s.State {
	case Playing, Scoring, Paused:
	default:
		return false
	}
	return slices.ContainsFunc(s.Seats, func(q SeatView) bool {
		return q.House != "" && q.Presence == Here && q.Next.ID == 0
	}) && slices.ContainsFunc(s.Seats, func(q SeatView) bool { return q.Player.ID != 0 && q.Presence == Here })
}

// Takes reports whether somebody takes over a bot's seat with the next round.
func (s *Summary) Takes(p PlayerID) bool {
	return p != 0 && slices.ContainsFunc(s.Seats, func(q SeatView) bool { return q.Next.ID == p })
}

// Room is the number of seats that nobody or a house bot has.
func (s *Summary) Room() int {
	n := 0
	for i := range s.Seats {
		if s.Seats[i].Player.ID == 0 {
			n++
		}
	}
	return n
}

// SeatOf is the seat at which somebody sits, 0 if none.
func (s *Summary) SeatOf(p PlayerID) rules.Seat { return seatOf(s.Seats, p) }

// SeatOf is the seat at which a player sits, 0 if none.
func (v *View) SeatOf(p PlayerID) rules.Seat { return seatOf(v.Seats, p) }

func seatOf(seats []SeatView, p PlayerID) rules.Seat {
	if p == 0 {
		return 0
	}
	for i := range seats {
		if seats[i].Player.ID == p {
			return rules.Seat(i + 1)
		}
	}
	return 0
}

// MoveOf reports whether the table waits for somebody's move.
func (s *Summary) MoveOf(p PlayerID) bool {
	n := s.SeatOf(p)
	return n != 0 && s.State == Playing && s.Turn == n
}
