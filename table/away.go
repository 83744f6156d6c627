package table

import (
	"math/bits"

	"boneyard/rules"
)

// presence records how a seated player is present, and carries out what follows.
func (t *Table) presence(p PlayerID, how Presence) {
	n := t.state.seatOf(p)
	if n == 0 {
		if n := t.state.takes(p); n != 0 {
			t.taker(n, how)
		}
		return
	}
	q := t.state.seat(n)
	if q.presence == how && (how != Here || !q.Absent) {
		return
	}
	t.change(func() {
		if q.presence != how {
			q.presence, q.since = how, t.deps.Now()
		}
		q.back, q.unseen = how == Here, q.unseen && how != Here
	})
}

// followPresence acts on who is here: absent players who return get their seats back, guests who leave are
// gone, and before a game a player who has left stands up.
func (d *draft) followPresence() bool {
	for n, q := range d.seats() {
		if !q.human() {
			continue
		}
		gone := d.guestGone(q, d.times)
		lostGuest := !gone.IsZero() && !gone.After(d.now)
		switch {
		case !d.inGame() && d.keepsSeats():
		case !d.inGame():
			if lostGuest || q.presence == Left && d.cfg.Pace != PaceSlow {
				d.stand(n)
				return true
			}
		case lostGuest:
			d.leave("left the game", n)
			return true
		case q.back && q.Absent:
			d.comeBack(n)
			return true
		}
		q.back = false
	}
	missing := func(q *seatState) bool { return q.human() && (q.presence != Here || q.Absent || q.silent) }
	if d.Phase == Adjourned && !d.any(missing) {
		d.remark("Everyone is back; the game continues.")
		d.resumeAfterAdjourning()
		return true
	}
	return false
}

// giveUpWaiting acts when somebody has been away too long: before a game the seat becomes free, in a game
// without clocks the player is absent.
func (d *draft) giveUpWaiting() {
	for n, q := range d.seats() {
		if !d.unsure(q) || q.since.Add(d.times.Away).After(d.now) {
			continue
		}
		if d.inGame() {
			d.goAbsent(n)
		} else {
			d.stand(n)
		}
		return
	}
}

// goAbsent makes a player absent, with the consequences that the table agreed on.
func (d *draft) goAbsent(n rules.Seat) {
	q := d.seat(n)
	q.Absent, q.back = true, false
	switch d.cfg.Absence {
	case AbsenceForfeit:
		d.forfeit(d.sideOf(n), q.Player.Name+" is absent.")
	case AbsenceWait:
		d.remark(q.Player.Name + " is absent; the table waits.")
	default:
		q.StandIn = true
		d.remark(q.Player.Name + " is absent; a bot plays on.")
	}
}

// comeBack gives the seat back to its player.
func (d *draft) comeBack(n rules.Seat) {
	q := d.seat(n)
	q.Absent, q.StandIn, q.back, q.Timeouts = false, false, false, 0
	if d.Clock.Seat == n {
		d.newTurn()
	}
	d.remark(q.Player.Name + " is back.")
}

// forfeit ends the game with the loss of a side. Of several others the side that is ahead wins; if they are
// tied, the game has no result.
func (d *draft) forfeit(loser rules.Side, why string) {
	var winner rules.Side
	tied := false
	for i := range d.game.play.Sides() {
		s := rules.Side(i + 1)
		switch {
		case s == loser:
		case winner == 0 || d.game.play.Score(s) > d.game.play.Score(winner):
			winner, tied = s, false
		case d.game.play.Score(s) == d.game.play.Score(winner):
			tied = true
		}
	}
	if tied {
		d.finish(EndAbandoned, 0, why+" The game is abandoned: nobody is ahead.")
		return
	}
	d.finish(EndForfeit, winner, why+" The game is forfeited: "+d.sideName(winner)+" wins.")
}

// sideName returns the names of those who play for a side.
func (d *draft) sideName(side rules.Side) string {
	name := d.game.name(rules.Seat(side))
	if d.cfg.Rules.Teams {
		name += " with " + d.game.name(rules.Seat(side)+2)
	}
	return name
}

// waitsForTurn reports whether the table waits for an absent player whose turn it is.
func (d *draft) waitsForTurn() bool {
	turn := d.game.play.Turn()
	if turn == 0 {
		return false
	}
	q := d.seat(turn)
	return q.human() && q.Absent && !q.StandIn
}

// resumeAfterAdjourning resumes the game where it was adjourned: in a round, or between two.
func (d *draft) resumeAfterAdjourning() {
	d.resume()
	if d.game.play.Phase() == rules.Dealing {
		d.Phase = Scoring
		d.setDeadline(d.times.Scoring)
	}
}

// pause begins or ends a pause of the player's side.
func (d *draft) pause(n rules.Seat, on bool) error {
	if err := d.mayPause(n, on); err != nil {
		return err
	}
	side := d.sideOf(n)
	name := d.seat(n).Player.Name
	if !on {
		d.PausedBy = 0
		d.resume()
		d.announce(name + " ends the pause.")
		return nil
	}
	d.Paused[side-1]++
	d.PausedBy, d.Phase = side, Paused
	d.setDeadline(d.times.Pause)
	d.announce(name + " asks for a pause.")
	return nil
}

// mayPause returns an error if the seat may not begin or end a pause. Where an event waits only a short time
// for first moves, every seat must have had a turn.
func (s *state) mayPause(n rules.Seat, on bool) error {
	side := s.sideOf(n)
	switch {
	case !s.inGame():
		return ErrNoGame
	case on && s.Phase != Playing, !on && (s.Phase != Paused || s.PausedBy != side):
		return ErrNotNow
	case on && s.cfg.Event.Prompt && !s.allHadTurn():
		return ErrPauseLater
	case on && s.Paused[side-1] >= pausesMost:
		return ErrNoPause
	}
	return nil
}

// pausesMost is how many pauses a side has in a game.
const pausesMost = 2

// vote casts or withdraws a vote.
func (d *draft) vote(n rules.Seat, v Vote, on bool) error {
	if err := d.mayVote(n, v); err != nil {
		return err
	}
	if v == VoteClaim && d.deadline.After(d.now) {
		return ErrClaim
	}
	mine, bit := d.Votes.of(v), uint8(1)<<n
	if !on {
		*mine &^= bit
		return nil
	}
	*mine |= bit
	return nil
}

// mayVote returns an error if the seat may not vote on v. It does not check whether a claim is due yet.
func (s *state) mayVote(n rules.Seat, v Vote) error {
	switch {
	case s.Votes.of(v) == nil:
		return ErrVote
	case !s.inGame():
		return ErrNoGame
	case !s.anybodyAway():
		return ErrNobodyAway
	case v == VoteBot && s.cfg.Event.ID != 0 && s.cfg.Absence == AbsenceForfeit:
		return ErrForfeits
	case v == VoteAdjourn && s.cfg.Event.ID != 0:
		return ErrEvent // others wait for its end
	case v == VoteAdjourn && s.Phase == Adjourned, v == VoteBot && !s.needsBot():
		return ErrNotNow
	case v == VoteClaim && (s.Phase != Waiting || s.sideOf(n) == s.sideOf(s.game.play.Turn())):
		return ErrClaim
	}
	return nil
}

// anybodyAway reports whether there is somebody to vote about.
func (s *state) anybodyAway() bool { return s.any(s.away) }

// needsBot reports whether somebody is away without a bot playing for them.
func (s *state) needsBot() bool {
	return s.any(func(q *seatState) bool { return s.away(q) && !q.StandIn })
}

// followVotes drops votes about players who are back, and carries out what has been decided.
func (d *draft) followVotes() bool {
	if d.Votes == (votes{}) {
		return false
	}
	left := d.Votes
	if d.Phase != Waiting {
		left.Claim = 0
	}
	if !d.needsBot() {
		left.Bot = 0
	}
	if !d.inGame() || !d.anybodyAway() {
		left = votes{}
	}
	if left != d.Votes {
		d.Votes = left
		return true
	}
	switch {
	case d.Phase == Waiting && d.decided(VoteClaim):
		turn := d.game.play.Turn()
		d.forfeit(d.sideOf(turn), d.seat(turn).Player.Name+" has not come back.")
	case d.decided(VoteBot):
		for _, q := range d.seats() {
			if d.away(q) && !q.StandIn {
				q.Absent, q.StandIn, q.back, q.silent = true, true, false, false
				d.remark("A bot plays on for " + q.Player.Name + ", as the others have voted.")
			}
		}
		if d.Phase == Adjourned {
			d.resumeAfterAdjourning()
		}
	case d.decided(VoteAdjourn):
		d.remark("The players voted to adjourn.")
		d.PausedBy = 0
		d.resume()
		d.Phase = Adjourned
	default:
		return false
	}
	d.Votes = votes{}
	return true
}

// Tally is how many sides are for something, of those that are asked. All of them must agree.
type Tally struct {
	For, Of int
	Own     bool // the reader has voted for it; only in views
}

// tally counts the sides with an active player here; one player is enough. The absent side has no vote on a
// claim.
func (s *state) tally(v Vote) Tally {
	var asked, agreed uint8 // sides as bits
	for n, q := range s.seats() {
		side := s.sideOf(n)
		if !s.here(q) || q.silent || v == VoteClaim && side == s.sideOf(s.game.play.Turn()) {
			continue
		}
		asked |= 1 << side
		if *s.Votes.of(v)&(1<<n) != 0 {
			agreed |= 1 << side
		}
	}
	return Tally{For: bits.OnesCount8(agreed), Of: bits.OnesCount8(asked)}
}

func (s *state) decided(v Vote) bool {
	t := s.tally(v)
	return t.For != 0 && t.For == t.Of
}
