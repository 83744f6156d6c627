package table

import (
	"slices"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// makeView makes the view for a feed's readers. The views of a version share what sum refers to.
func (t *Table) makeView(f *feed, sum *Summary) *View {
	s := &t.state
	v := &View{
		Summary: *sum, POV: f.pov, Maker: s.maker.ID,
		Names: Names(s.game.start.Seats), Play: s.game.play.View(f.pov), Commitment: s.game.start.Commit,
		Log: f.entries(&s.game), Chat: t.chat.heardBy(f.pov), Watching: t.subs.names,
		Deadline: s.deadline, PausedBy: s.PausedBy, Swap: s.Swap, Result: s.Result, Notice: s.notice,
		May: s.allows(f.pov),
	}
	if t.cfg.Access == AccessTeams {
		v.Tags, v.Teams = s.teams()
	}
	if f.pov == 0 && s.inGame() {
		v.Chances = bot.Percent(bot.Chances(&v.Play))
	}
	if f == t.subs.feeds[0] {
		v.OpenHands, t.subs.moreAt = s.openHands(t.deps.Now(), t.deps.Times.OpenHands)
	}
	if f.pov != 0 {
		v.Code = s.code
	}
	switch s.Phase {
	case Gathering, Countdown:
		seed, _ := rules.ParseSeed(s.Seed) // made by the table, or checked by Restore
		v.Commitment = seed.Commitment()
	case Finished, Closed:
		// A table that stopped because another writer owns its game has no result: that game goes on.
		if s.Result != nil && !t.cfg.Event.Sealed {
			v.Seed = s.game.start.Seed
		}
	}
	if _, v.Casual, v.Night = s.rating(); f.pov == 0 && v.Casual == casualNetwork {
		v.Casual = casualOther
	}
	if s.Phase == Gathering {
		v.Deadline = s.fillAt
	}
	if c := &s.Clock; c.runs() {
		v.TurnEnds = c.since.Add(c.Left)
		v.BankEnds = s.timeOut()
	}
	for _, vote := range []Vote{VoteBot, VoteAdjourn, VoteClaim} {
		if *s.Votes.of(vote) != 0 {
			if v.Votes == nil {
				v.Votes = make(map[Vote]Tally, 3)
			}
			tally := s.tally(vote)
			tally.Own = *s.Votes.of(vote)&(1<<f.pov) != 0
			v.Votes[vote] = tally
		}
	}
	return v
}

// teams returns the tags and names of the teams of the game, or before the first game of those who sit.
func (s *state) teams() (tags, names [2]string) {
	for i := range s.cfg.Seats {
		p := &s.Seats[i].Player.Player
		if s.game.id != 0 {
			p = &s.game.start.Seats[i]
		}
		if p.Tag != "" {
			tags[s.sideOf(rules.Seat(i+1))-1] = p.Tag
		}
		if p.For != "" {
			names[s.sideOf(rules.Seat(i+1))-1] = p.For
		}
	}
	return tags, names
}

// rating reports whether the game is rated, or the next would be, why not, and under which club nights.
func (s *state) rating() (rated bool, why, night string) {
	if !s.Phase.Gathers() {
		if s.Hints {
			return false, s.game.start.Why + ", with hints", ""
		}
		return s.game.start.Rated, s.game.start.Why, s.Night
	}
	night = s.night()
	if why = s.casual(night); why != "" {
		return false, why, ""
	}
	_, free := s.counts()
	return free == 0, "", night
}

func (t *Table) seatViews() []SeatView {
	s := &t.state
	seats := make([]SeatView, t.cfg.Seats)
	for i := range seats {
		q := &s.Seats[i]
		v := SeatView{
			Player: q.Player.Player, House: q.House, Presence: q.presence, StandIn: q.StandIn, Ready: q.Ready || q.House != "",
			Next: q.Next.Player, Resigns: s.Resigns&(1<<(i+1)) != 0,
		}
		switch {
		case q.Gone: // the seat is a bot's now, under the name that is in the record
			v.Player, v.House, v.Presence = Player{Name: q.Player.Name}, Regular, Left
		case q.Absent:
			v.Presence = Absent
		case q.silent && q.presence == Here:
			v.Presence = Silent
		}
		seats[i] = v
	}
	return seats
}

// entries returns the game's log as the feed's readers may see it. Returned slices are never written to
// again: views share them.
func (f *feed) entries(g *game) []*Entry {
	if f.game != g.id {
		f.log, f.logged, f.game = nil, 0, g.id
	}
	if len(f.log) >= 2*shownLog {
		f.log = slices.Clone(f.log[len(f.log)-shownLog:])
	}
	for _, e := range g.log[max(0, f.logged-g.dropped):] {
		f.log = append(f.log, e.For(f.pov))
	}
	f.logged = g.dropped + len(g.log)
	n := len(f.log)
	return f.log[max(0, n-shownLog):n:n]
}

// summarize returns the table's line in the lobby.
func (t *Table) summarize() *Summary {
	s := &t.state
	v := &Summary{
		Table: t.id, Version: s.version, Config: t.cfg, State: s.shown(), Seats: t.seatViews(), Game: s.game.id,
		Round: s.game.play.Round(), Turn: s.game.play.Turn(), Watchers: t.subs.count,
		Started: s.game.started, Asleep: s.asleep(), Played: s.game.own != [rules.MaxSeats]int{},
		barred: s.barred(), once: new(once),
	}
	if s.game.id != 0 {
		v.Scores = scoresOf(&s.game.play)
	}
	if !s.inGame() {
		v.Turn = 0
	}
	v.Rated, _, _ = s.rating()
	return v
}

// same reports whether two summaries differ at most in their versions, or in what is not shown.
func (s *Summary) same(o *Summary) bool {
	return s.State == o.State && s.Game == o.Game && s.Round == o.Round && s.Turn == o.Turn && s.Watchers == o.Watchers &&
		s.Rated == o.Rated && s.Asleep == o.Asleep && s.Played == o.Played && s.Started.Equal(o.Started) &&
		slices.Equal(s.Scores, o.Scores) && slices.Equal(s.Seats, o.Seats)
}
