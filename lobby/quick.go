package lobby

import (
	"cmp"
	"context"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// QuickPrefs are the preferences of a person who does not want to choose a table.
type QuickPrefs struct {
	Game  string    // a preset; empty for any, and classic at a new table
	Seats int       // 0 for any, and at a new table two or as many as the game needs
	Wish  QuickWish // the strength of bots at a new table
	Guide bool      // a newcomer's first round, at their own table, with explanations
}

// QuickPlay seats the person in a game that begins soon. It tries, in this order: an open table that fits,
// where everybody is ready and awake; a bot's seat, from the next round on, in a fitting casual game that has
// just begun; a new table, where the game begins at once with bots, whose seats others may take over. It
// returns the table of somebody who already plays or waits at one that fits. Its errors are those of NewTable.
func (v *Visit) QuickPlay(ctx context.Context, q QuickPrefs) (table.ID, error) {
	cfg, err := q.config()
	if err != nil {
		return 0, err
	}
	if err := v.allow(); err != nil {
		return 0, err
	}
	l := v.lobby
	if cfg.Guide {
		cfg.Strength = table.Novice
	} else if cfg.Strength, err = l.strengthFor(ctx, v.person, q.Wish); err != nil {
		return 0, l.trouble("look for a bot of one's own strength", err)
	}
	// One at a time: of two people who ask at once, the second must find the first one's table.
	release, err := event.Turn(ctx, l.quick)
	if err != nil {
		return 0, l.trouble("wait for a seat", err)
	}
	defer release()
	seated, fitting, err := v.fitting(q, &cfg.Rules)
	if err != nil || seated != 0 {
		return seated, err
	}
	if q.Guide {
		fitting = nil
	}
	for _, id := range fitting {
		err := v.Do(ctx, id, table.Sit{Quick: true})
		switch {
		case err == nil:
			return id, nil
		case ctx.Err() != nil, // others would refuse, too
			slices.Contains([]error{ErrOver, ErrDraining, ErrGuestsWatch, ErrManySeats, ErrManyGames, ErrTooFast}, err):
			return 0, err
		} // somebody was faster, or the game has begun or ended: try the next table
	}
	t, err := v.newTable(ctx, cfg, true)
	if err != nil {
		return 0, err
	}
	return t.ID(), nil
}

// config returns the configuration of a new table.
func (q *QuickPrefs) config() (table.Config, error) {
	const guidedRules = "classic rounds=1" // the rules of a newcomer's first round
	cfg, game := table.DefaultConfig(), q.Game
	if q.Guide {
		cfg.Guide, cfg.Watchers, cfg.Pace, game = true, false, table.PaceNone, guidedRules
	}
	if game != "" {
		r, err := rules.Parse(game)
		if err != nil {
			return cfg, err
		}
		cfg.Rules, cfg.RuleText = r, game
	}
	switch {
	case q.Seats != 0:
		cfg.Seats = q.Seats
	case cfg.Rules.Teams:
		cfg.Seats = rules.MaxSeats
	}
	cfg.Fill = table.FillNow
	return cfg, nil
}

// fitting returns the fitting table where the person already waits, or else those where they could sit down,
// best first: where a game no longer than usual begins with them, and most people wait; then where they could
// take over from a bot. It leads nobody into a long game in progress, or one that is well advanced.
func (v *Visit) fitting(q QuickPrefs, usual *rules.Ruleset) (seated table.ID, fitting []table.ID, err error) {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.draining {
		return 0, nil, ErrDraining
	}
	p := v.reader()
	var found []*table.Summary
	for id, e := range l.directory {
		s := &e.sum
		switch {
		case e.table == nil || s.Config.Event.ID != 0 || s.Config.Access != table.AccessOpen || s.Config.Pace == table.PaceSlow || s.Config.House,
			s.Config.OpenHands && s.SeatOf(p.ID) == 0 && !s.Takes(p.ID), // only for those who chose it
			q.Game != "" && s.Config.Rules.Preset.String() != q.Game,
			q.Seats != 0 && s.Config.Seats != q.Seats:
		case live(s) && s.SeatOf(p.ID) != 0, s.State.Gathers() && s.SeatOf(p.ID) != 0 && l.awake(s, p.ID), s.Takes(p.ID):
			return id, nil, nil
		case (s.MayJoin(p) && lacksOnePlayer(s) || s.MayTake(p) && mostlyAhead(s) && !takesLonger(s, usual)) && l.awake(s, p.ID):
			found = append(found, s)
		}
	}
	class := func(later bool) int {
		if later {
			return 1
		}
		return 0
	}
	slices.SortFunc(found, func(a, b *table.Summary) int {
		return cmp.Or(class(!a.MayJoin(p))-class(!b.MayJoin(p)), class(takesLonger(a, usual))-class(takesLonger(b, usual)),
			cmp.Compare(humans(b), humans(a)), cmp.Compare(a.Table, b.Table))
	})
	return 0, text.Each(found, func(s *table.Summary) table.ID { return s.Table }), nil
}

// lacksOnePlayer reports whether a game begins when one more ready person sits down: nobody else is waited
// for.
func lacksOnePlayer(s *table.Summary) bool {
	free := 0
	for i := range s.Seats {
		q := &s.Seats[i]
		if q.Player.ID != 0 && !q.Ready {
			return false
		}
		if q.Free() {
			free++
		}
	}
	return free <= 1 || s.Config.Fill == table.FillNow
}

// takesLonger reports whether a table's games take longer than usual: a higher target, or more rounds.
func takesLonger(s *table.Summary, usual *rules.Ruleset) bool {
	const most = 8
	r := &s.Config.Rules
	return r.Rounds > most || r.Rounds == 0 && r.TargetFor(s.Config.Seats) > usual.TargetFor(s.Config.Seats)
}

// mostlyAhead reports whether most of a game in progress is still to come: no side has a third of the winning
// points, or no more than a third of a fixed number of rounds have begun.
func mostlyAhead(s *table.Summary) bool {
	r := &s.Config.Rules
	if r.Rounds > 0 {
		return 3*s.Round <= r.Rounds
	}
	return !slices.ContainsFunc(s.Scores, func(n int) bool { return 3*n >= int(r.TargetFor(s.Config.Seats)) })
}

// awake reports whether somebody else sits at a table, and all of them have done something lately, and not at
// another table. With mu held.
func (l *Lobby) awake(s *table.Summary, except table.PlayerID) bool {
	others := 0
	for i := range s.Seats {
		id := s.Seats[i].Player.ID
		if id == 0 || id == except {
			continue
		}
		p := l.people[id]
		if p == nil || s.Seats[i].Presence != table.Here || l.now().Sub(time.Unix(0, p.active.Load())).Abs() >= attentive {
			return false
		}
		if !slices.ContainsFunc(p.visits, func(v *Visit) bool { return v.at == 0 || v.at == s.Table }) {
			return false
		}
		others++
	}
	return others > 0
}
