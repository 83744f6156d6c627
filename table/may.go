package table

import (
	"slices"
	"time"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// What the reader of a view or a list of tables may do, for everything that shows it.

// Reader is somebody who reads lists of tables or watches one: what decides which seats they are offered.
// Readers can be compared. The zero Reader is anybody.
type Reader struct {
	Player
	net     string // it never leaves this package
	watches bool   // the club gives them no seat
}

// NewReader returns a reader from a network, see [Request]. sits says whether the club seats them at all.
func NewReader(p Player, net string, sits bool) Reader { return Reader{p, net, !sits} }

// MaySit reports whether the club gives the reader a seat, if a table has one.
func (r *Reader) MaySit() bool { return !r.watches }

// refused reports whether the reader gets no seat at a table where others might: the club gives them none,
// the maker unseated them, or they have left the present game.
func (r *Reader) refused(barred []unwanted) bool {
	return r.watches || r.ID != 0 && isUnwanted(barred, &sender{r.Player, r.net})
}

// Gathers reports whether people may still sit down before a game.
func (s State) Gathers() bool { return s == Gathering || s == Countdown }

// Own returns the reader's seat; the reader must have one.
func (v *View) Own() *SeatView { return &v.Seats[v.POV-1] }

// InGame reports whether a game is being played, even if it stands still.
func (v *View) InGame() bool {
	return v.State.inGame() || v.State == Frozen && v.Result == nil && v.Play.Round != 0
}

// Stopped reports whether the table takes no commands at all.
func (v *View) Stopped() bool { return v.State == Frozen || v.State == Closed }

// Arranges reports whether the reader, as a player, helps arrange games and seats: not at an event's table.
func (v *View) Arranges() bool {
	return v.POV != 0 && !v.InGame() && !v.Stopped() && v.Config.Event.ID == 0
}

// MayStand reports whether the reader may leave their seat without losing a game.
func (v *View) MayStand() bool {
	return v.POV != 0 && !v.InGame() && !v.Stopped() && (v.Config.Event.ID == 0 || v.State == Finished)
}

// May is what a seated reader may do, by the same rules that commands are checked with.
type May struct {
	Pause, Resume, Hint bool
	Vote                map[Vote]bool // nil if there is nothing to vote on
}

// allows returns what a player may do.
func (s *state) allows(n rules.Seat) (m May) {
	if n == 0 || !s.inGame() {
		return m
	}
	m = May{Pause: s.mayPause(n, true) == nil, Resume: s.mayPause(n, false) == nil, Hint: s.mayHint(n) == nil}
	for _, v := range []Vote{VoteBot, VoteAdjourn, VoteClaim} {
		if s.mayVote(n, v) == nil {
			if m.Vote == nil {
				m.Vote = make(map[Vote]bool, 3)
			}
			m.Vote[v] = true
		}
	}
	return m
}

// MayPause reports whether the reader's side may pause the game.
func (v *View) MayPause() bool { return v.May.Pause && !v.Stopped() }

// MayResume reports whether the reader's side has paused the game.
func (v *View) MayResume() bool { return v.May.Resume && !v.Stopped() }

// MayResign reports whether the reader may give up the game.
func (v *View) MayResign() bool { return v.POV != 0 && v.InGame() && !v.Stopped() }

// Replaced reports whether the reader has a seat but counts as absent.
func (v *View) Replaced() bool { return v.POV != 0 && (v.Own().StandIn || v.Own().Presence == Absent) }

// MyMove reports whether the reader has to choose a tile now. It is false for a nil view.
func (v *View) MyMove() bool {
	return v != nil && v.POV != 0 && v.State == Playing && v.Play.Duty == rules.Play && !v.Replaced()
}

// Away reports whether a seat's player is not here. At the slow pace nobody has to be.
func (v *View) Away(n rules.Seat) bool {
	s := &v.Seats[n-1]
	return s.Player.ID != 0 && s.Presence != Here && (s.Presence == Absent || v.Config.Pace != PaceSlow)
}

// HasRoom reports whether a seat may be free for somebody; [View.MaySit] answers for one person.
func (v *View) HasRoom() bool {
	return !v.Stopped() && !v.Config.Guide && v.Config.between(v.State) == nil && v.Room() > 0
}

// MaySit reports whether a watcher could take a seat at once: at a private table only its maker, who needs no
// code; at a team table members of a team that has a seat left, or can still claim a side.
func (v *View) MaySit(r Reader) bool {
	return v.POV == 0 && v.hasSeatFor(&r) && (v.Config.Access != AccessCode || r.ID != 0 && r.ID == v.Maker)
}

// hasSeatFor reports whether the reader could have a seat before or after a game, a free one or a bot's: at a
// team table on the side that the reader's team has, or can claim.
func (s *Summary) hasSeatFor(r *Reader) bool {
	switch {
	case s.Config.Guide || s.State == Frozen || s.State == Closed || s.Config.maySit(s.State, r.Player) != nil ||
		r.refused(s.barred) || s.Room() == 0:
		return false
	case s.Config.Access != AccessTeams:
		return true
	}
	teams := s.Config.Teams
	for i := range s.Seats {
		if p := &s.Seats[i].Player; p.ID != 0 && p.Team != 0 {
			teams[i%2] = p.Team
		}
	}
	for i := range s.Seats {
		if s.Seats[i].Player.ID == 0 && sideFor(teams, i%2, r.Team) == nil {
			return true
		}
	}
	return false
}

// MayTake reports whether a watcher may take over a bot's seat from the next round on.
func (v *View) MayTake(r Reader) bool { return v.POV == 0 && v.Summary.MayTake(r) }

// MayBot reports whether bots may take seats here before a game: not for teams, and not in an event.
func (v *View) MayBot() bool { return v.Config.Access != AccessTeams && v.Config.Event.ID == 0 }

// MayDeal reports whether the reader may have bots take the free seats, so that the game begins once the
// others are ready.
func (v *View) MayDeal() bool {
	return v.State == Gathering && v.Arranges() && v.MayBot() && anyFree(v.Seats)
}

func anyFree(seats []SeatView) bool {
	return slices.ContainsFunc(seats, func(q SeatView) bool { return q.Free() })
}

// MayVote reports whether there is a vote about a player who is away. A game can be claimed once the table
// has waited long enough.
func (v *View) MayVote(what Vote, now time.Time) bool {
	return v.May.Vote[what] && !v.Stopped() && (what != VoteClaim || !v.Deadline.After(now))
}

// MaySit reports whether somebody could take a seat now, with or without a code: before or after a game. A
// house bot's seat counts as free, unless people have just played with it.
func (s *Summary) MaySit(r Reader) bool {
	return s.hasSeatFor(&r) && s.SeatOf(r.ID) == 0 && (s.State.Gathers() || anyFree(s.Seats))
}

// MayJoin reports whether somebody could take a seat without being asked for a code.
func (s *Summary) MayJoin(r Reader) bool { return s.Config.Access != AccessCode && s.MaySit(r) }

// MayTake reports whether somebody could take over a bot's seat in the present game, from the next round on:
// in a casual game at an open table that may be watched until then.
func (s *Summary) MayTake(r Reader) bool {
	if !s.Config.lendsBots(s.State, s.Rated) || s.SeatOf(r.ID) != 0 || r.refused(s.barred) {
		return false
	}
	return slices.ContainsFunc(s.Seats, func(q SeatView) bool {
		return q.House != "" && q.Presence == Here && q.Next.ID == 0
	}) && slices.ContainsFunc(s.Seats, func(q SeatView) bool { return q.Player.ID != 0 && q.Presence == Here })
}

// lendsBots reports whether people may take over bots' seats in the present game.
func (c *Config) lendsBots(now State, rated bool) bool {
	switch now {
	case Playing, Scoring, Paused:
		return !c.House && c.Event.ID == 0 && c.Access == AccessOpen && c.Pace != PaceSlow && c.Watchers && !rated
	}
	return false
}

// Takes reports whether somebody takes over a bot's seat with the next round.
func (s *Summary) Takes(p PlayerID) bool {
	return p != 0 && slices.ContainsFunc(s.Seats, func(q SeatView) bool { return q.Next.ID == p })
}

// Room returns the number of seats that are free or a house bot's.
func (s *Summary) Room() int { return s.count(func(q *SeatView) bool { return q.Player.ID == 0 }) }

// Free returns the number of seats that nobody has, not even a house bot.
func (s *Summary) Free() int { return s.count((*SeatView).Free) }

func (s *Summary) count(such func(*SeatView) bool) (n int) {
	for i := range s.Seats {
		if such(&s.Seats[i]) {
			n++
		}
	}
	return n
}

// SeatOf returns somebody's seat, 0 if they have none.
func (s *Summary) SeatOf(p PlayerID) rules.Seat {
	if p == 0 {
		return 0
	}
	return rules.Seat(1 + slices.IndexFunc(s.Seats, func(q SeatView) bool { return q.Player.ID == p }))
}

// MoveOf reports whether the table waits for somebody's move.
func (s *Summary) MoveOf(p PlayerID) bool {
	return p != 0 && s.Mover() == p
}

// Mover returns the player whose move the table waits for; 0 for a house bot or nobody.
func (s *Summary) Mover() PlayerID {
	if s.State != Playing || s.Turn == 0 {
		return 0
	}
	return s.Seats[s.Turn-1].Player.ID
}

// takeHints marks the game, also in its record, as one in which a player takes hints. The reader computes the
// hint from the view; nobody else sees it.
func (d *draft) takeHints(n rules.Seat) error {
	if err := d.mayHint(n); err != nil {
		return err
	}
	if !d.Hints {
		d.Hints = true
		d.remark(d.seat(n).Player.Name + " asked for a hint: this game counts as one with hints.")
	}
	return nil
}

// mayHint returns an error unless the player plays only bots, with nothing at stake: in an event, results count.
func (s *state) mayHint(n rules.Seat) error {
	if !s.inGame() {
		return ErrNoGame
	}
	for seat, q := range s.seats() {
		if s.game.start.Rated || s.cfg.Event.ID != 0 || seat != n && q.human() {
			return ErrNoHints
		}
	}
	return nil
}

// MayHint reports whether the reader may take a hint now.
func (v *View) MayHint() bool { return v.MyMove() && v.May.Hint }

// Hint returns what an expert would play for the reader, and why. It follows from the view alone.
func (v *View) Hint() (rules.Choice, string) {
	var past []rules.Event
	for _, e := range v.Log {
		if e.Number > 0 && e.Round == v.Play.Round {
			past = append(past, e.Event)
		}
	}
	seen := bot.See(v.Play, past)
	return bot.Hint(&seen)
}
