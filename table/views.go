package table

import (
	"slices"
	"time"

	"boneyard/rules"
)

// makeView makes the view of a feed's readers. seats is shared with the other views of this version.
func (t *Table) makeView(f *feed, seats []SeatView) *View {
	s := &t.state
	v := &View{
		Table: t.id, Version: s.version, POV: f.pov, Config: t.cfg, State: s.shown(), Seats: seats,
		Game: s.game.id, Names: s.game.names(), Play: s.game.play.View(f.pov), Commitment: s.game.start.Commit,
		Rated: s.game.start.Rated, Casual: s.game.start.Why,
		Log: f.entries(&s.game), Chat: t.chat.heardBy(f.pov),
		Watching: t.subs.names, Watchers: t.subs.count,
		Deadline: s.deadline, Swap: s.Swap, Result: s.Result, Notice: s.notice,
	}
	if f.pov != 0 {
		v.Code = s.code
	}
	if !s.inGame() {
		v.Seed = s.game.start.Seed
	}
	if s.Phase == Gathering || s.Phase == Countdown { // tell what the game would be
		v.Casual = s.casual()
		_, free := s.counts()
		v.Rated = free == 0 && v.Casual == ""
	}
	if s.Phase == Gathering {
		v.Deadline = s.fillAt
	}
	if c := &s.Clock; c.runs() {
		v.TurnEnds = c.since.Add(c.Left)
		v.BankEnds = s.timeOut()
	}
	for _, vote := range []Vote{VoteBot, VoteAdjourn, VoteClaim} {
		if n := countBits(*s.Votes.of(vote)); n > 0 {
			if v.Votes == nil {
				v.Votes = make(map[Vote]int, 3)
			}
			v.Votes[vote] = n
		}
	}
	return v
}

// countBits counts the votes of a set of seats.
func countBits(set uint8) (n int) {
	for ; set != 0; set &= set - 1 {
		n++
	}
	return n
}

// seatViews is the seats as everybody sees them.
func (t *Table) seatViews() []SeatView {
	s := &t.state
	seats := make([]SeatView, t.cfg.Seats)
	for i := range seats {
		q := &s.Seats[i]
		v := SeatView{
			Player: q.Player, House: q.House, Presence: q.presence, StandIn: q.StandIn, Ready: q.Ready || q.House != "",
			Bank: q.Bank, Pauses: pausesMost - s.Paused[s.sideOf(rules.Seat(i+1))-1],
		}
		v.Player.Net = ""
		switch {
		case q.Gone: // the seat is a bot's now, under the name that the record has
			v.Player, v.House, v.Presence = Player{Name: q.Player.Name}, Regular, Left
		case q.Absent:
			v.Presence = Absent
		}
		seats[i] = v
	}
	return seats
}

// entries is the game's log as the feed's readers may see it. What has been handed out is never written again: views share
// it.
func (f *feed) entries(g *game) []Entry {
	if f.game != g.id {
		f.log, f.logged, f.game = nil, 0, g.id
	}
	if len(f.log) >= 2*shownLog {
		f.log = slices.Clone(f.log[len(f.log)-shownLog:])
	}
	for _, e := range g.log[max(0, f.logged-g.dropped):] {
		if e.Number > 0 {
			e.Event = e.Event.For(f.pov)
		}
		f.log = append(f.log, e)
	}
	f.logged = g.dropped + len(g.log)
	n := len(f.log)
	return f.log[max(0, n-shownLog):n:n]
}

// summarize brings the table's line in the lobby up to date.
func (t *Table) summarize() {
	s := &t.state
	v := &Summary{
		Table: t.id, Version: s.version, Config: t.cfg, State: s.shown(), Seats: t.seatViews(), Game: s.game.id,
		Round: s.game.play.Round(), Turn: s.game.play.Turn(), Watchers: t.subs.count, Rated: s.game.start.Rated,
		Started: s.game.started,
	}
	if s.game.id != 0 {
		v.Scores = make([]int, s.game.play.Sides())
		for i := range v.Scores {
			v.Scores[i] = int(s.game.play.Score(rules.Side(i + 1)))
		}
	}
	if !s.inGame() {
		v.Turn = 0
	}
	old := t.summary.Swap(v)
	if old == nil || !old.same(v) {
		t.deps.OnChange(*v)
	}
}

// same tells whether two summaries differ in their versions at most, or in what changes with every move without being shown.
func (s *Summary) same(o *Summary) bool {
	return s.State == o.State && s.Game == o.Game && s.Round == o.Round && s.Turn == o.Turn && s.Watchers == o.Watchers &&
		s.Rated == o.Rated && s.Started.Equal(o.Started) && slices.Equal(s.Scores, o.Scores) && slices.Equal(s.Seats, o.Seats)
}

// end tells all who look that the table has ended. Called by the table's goroutine when nothing else will happen.
func (u *subscribers) end() {
	for _, s := range u.list {
		s.signal()
	}
}

// chatShown is how many lines of chat a view has at most.
const chatShown = 200

// chatLog is what was said at the table. Views share its slices, which are appended to or replaced, never changed.
type chatLog struct {
	all     []ChatLine
	players []ChatLine // what players hear
	hushed  bool       // a game is being played: players do not hear what watchers say
}

// add takes in what was said in the step that led to the state.
func (c *chatLog) add(lines []ChatLine, s *state) {
	for _, l := range lines {
		c.all = append(c.all, l)
	}
	c.all = trimChat(c.all)
	hushed := s.inGame()
	if c.hushed && !hushed {
		c.hushed, c.players = false, slices.Clone(c.all)
		return
	}
	c.hushed = hushed
	for _, l := range lines {
		if !hushed || l.Room == RoomPlayers || l.Seq <= s.HeardUpTo {
			c.players = append(c.players, l)
		}
	}
	c.players = trimChat(c.players)
}

func trimChat(lines []ChatLine) []ChatLine {
	if len(lines) < 2*chatShown {
		return lines
	}
	return slices.Clone(lines[len(lines)-chatShown:])
}

// heardBy is the chat as a point of view has it.
func (c *chatLog) heardBy(pov rules.Seat) []ChatLine {
	lines := c.all
	if pov != 0 {
		lines = c.players
	}
	n := len(lines)
	return lines[max(0, n-chatShown):n:n]
}

// left is how much of a deadline is left.
func left(deadline, now time.Time) time.Duration { return max(deadline.Sub(now), 0) }
