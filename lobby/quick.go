package lobby

import (
	"cmp"
	"context"
	"slices"

	"boneyard/rules"
	"boneyard/table"
)

// QuickPrefs is what somebody wants who does not want to choose a table.
type QuickPrefs struct {
	Game  string    // a preset; empty: any, and classic at a new table
	Seats int       // 0: any, and two at a new table, or as many as the game needs
	Wish  QuickWish // how strong the bots of a new table are
}

// QuickPlay gives the person a seat at the open table that fits and where most people wait, else at a new one with bots.
// The bots of such a table make room for people until the game begins. Who waits at a table that fits is led back to it.
// It refuses as NewTable does.
func (v *Visit) QuickPlay(ctx context.Context, q QuickPrefs) (table.ID, error) {
	cfg, err := q.config()
	if err != nil {
		return 0, err
	}
	l := v.lobby
	if cfg.Strength, err = l.strengthFor(ctx, v.Player(), q.Wish); err != nil {
		return 0, l.trouble("look for a bot of one's own strength", err)
	}
	// One at a time: of two people who press at once, the second finds the first one's table.
	release, err := turn(ctx, l.quick)
	if err != nil {
		return 0, l.trouble("wait for a seat", err)
	}
	defer release()
	if err := v.allow(); err != nil {
		return 0, err
	}
	seated, waiting := v.fitting(q)
	if seated != 0 {
		return seated, nil
	}
	for _, id := range waiting {
		err := v.do(ctx, id, table.Command{Kind: table.Sit})
		switch {
		case err == nil:
			return id, nil
		case ctx.Err() != nil || refusedByLobby(err):
			return 0, err
		} // else somebody was faster, or the game has begun: the next table
	}
	t, err := v.NewTable(ctx, cfg)
	if err != nil {
		return 0, err
	}
	return t.ID(), nil
}

// config is the table that is made when none fits.
func (q *QuickPrefs) config() (table.Config, error) {
	cfg := table.DefaultConfig()
	if q.Game != "" {
		r, err := rules.Parse(q.Game)
		if err != nil {
			return cfg, err
		}
		cfg.Rules, cfg.RuleText = r, q.Game
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

// fitting finds the table that fits and where the person waits already, else those where they could sit down, best first.
func (v *Visit) fitting(q QuickPrefs) (seated table.ID, waiting []table.ID) {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	p := v.person.player
	var found []*table.Summary
	for id, e := range l.directory {
		s := &e.sum
		switch {
		case e.table == nil || s.Config.Access != table.AccessOpen || s.Config.Pace == table.PaceSlow || s.Config.House,
			q.Game != "" && s.Config.Rules.Preset.String() != q.Game,
			q.Seats != 0 && s.Config.Seats != q.Seats:
		case gathering(s) && s.SeatOf(p.ID) != 0:
			return id, nil
		case CanJoin(s, p):
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b *table.Summary) int {
		return cmp.Or(-cmp.Compare(humans(a), humans(b)), cmp.Compare(a.Table, b.Table))
	})
	for _, s := range found {
		waiting = append(waiting, s.Table)
	}
	return 0, waiting
}

// refusedByLobby reports whether a seat was refused for what the person is, so that other tables would refuse it, too.
func refusedByLobby(err error) bool {
	return slices.Contains([]error{ErrOver, ErrDraining, ErrGuestsWatch, ErrManySeats}, err)
}
