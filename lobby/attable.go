package lobby

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/limit"
	"boneyard/table"
)

// NewTable makes a table and seats its maker. If only the seat is refused, both results are non-nil: the
// table exists. NewTable returns the refusals of [table.Make] and of a title, ErrDraining, ErrGuestsWatch,
// ErrManyTables, ErrManySeats, ErrManyFromHere, ErrClubFull or ErrNoTeamOfYours.
func (v *Visit) NewTable(ctx context.Context, cfg table.Config) (*table.Table, error) {
	return v.newTable(ctx, cfg, false)
}

// newTable is NewTable; with quick, the maker is ready at once.
func (v *Visit) newTable(ctx context.Context, cfg table.Config, quick bool) (*table.Table, error) {
	var err error
	if cfg.Name, err = v.publicTitle(cfg.Name); err != nil {
		return nil, err
	}
	cfg.House, cfg.Event, cfg.Challenge = false, table.Event{}, 0
	p, taken, err := v.mayMake(&cfg)
	if err != nil {
		return nil, err
	}
	l := v.lobby
	deps := l.tables
	deps.NewCode, deps.From = l.newCode, v.from()
	t, err := table.Make(ctx, deps, cfg, p)
	if err != nil {
		taken.free()
	}
	switch {
	case errors.Is(err, table.ErrConfig):
		return nil, err
	case err != nil:
		return nil, l.trouble("make a table", err)
	}
	l.register(t, taken)
	err = v.do(ctx, t.ID(), "", table.Sit{Quick: quick})
	if err == nil && cfg.Access == table.AccessTeams && v.muted() == nil {
		v.callTeam(t)
	}
	return t, err
}

func (v *Visit) mayMake(cfg *table.Config) (p table.Player, taken places, err error) {
	l := v.lobby
	if err := v.allow(); err != nil {
		return p, taken, err
	}
	l.mu.Lock()
	p = v.person.player
	switch {
	case v.over:
		err = ErrOver
	case l.draining:
		err = ErrDraining
	case cfg.Access == table.AccessTeams && !slices.Contains(cfg.Teams[:], p.Team) && !slices.Contains(cfg.Teams[:], 0),
		cfg.Access == table.AccessTeams && p.Team == 0:
		err = ErrNoTeamOfYours
	default:
		err = v.maySit()
	}
	l.mu.Unlock()
	if err == nil {
		taken.waiting, err = v.reserve(&l.bounds.waiting)
	}
	if err == nil {
		taken.table, err = v.reserve(&l.bounds.tables)
	}
	if err != nil {
		taken.free()
	}
	return p, taken, err
}

// maySit returns an error if the person may not take another seat. With mu held.
func (v *Visit) maySit() error {
	b := &v.lobby.bounds
	switch {
	case !v.mayPlay():
		return ErrGuestsWatch
	case !b.Open(b.seats.Quota, v.owner):
		return ErrManySeats
	}
	return nil
}

// Join sits down at the table with a code, or number, or returns it if the person sits there already.
// With an error, Join returns a table that may be watched instead, or 0.
func (v *Visit) Join(ctx context.Context, code string) (table.ID, error) {
	l := v.lobby
	l.mu.Lock()
	open := l.limits.Open(&l.limits.codes, v.who) // only wrong codes count, so that codes cannot be tried out
	var id table.ID
	if n, err := strconv.ParseInt(strings.TrimSpace(code), 10, 64); err == nil && l.directory[table.ID(n)] != nil {
		id = table.ID(n)
	} else if open {
		id = l.codes[foldCode(code)]
	}
	if id == 0 && open {
		l.limits.Allow(&l.limits.codes, v.who) // with mu held, so that concurrent attempts are counted, too
	}
	seated := id != 0 && l.sits(v.person.player.ID, id)
	private, watched := "", false
	if e := l.directory[id]; e != nil && e.table != nil {
		private, watched = e.table.Code(), e.sum.Config.Watchers
	}
	l.mu.Unlock()
	switch {
	case id == 0 && !open:
		return 0, ErrManyCodes
	case id == 0:
		return 0, ErrNoCode
	case seated:
		return id, nil
	case foldCode(code) != foldCode(private):
		private = "" // the table's number is not its code
	}
	err := v.Do(ctx, id, table.Sit{Code: private})
	if err != nil && !watched {
		id = 0
	}
	return id, err
}

// Do makes a table carry out a command of this person. A line of chat is cleaned and counted as by SayAt,
// which also returns the replies of chat commands.
func (v *Visit) Do(ctx context.Context, id table.ID, c table.Command) error {
	return v.DoOnce(ctx, id, "", c)
}

// DoOnce is Do for a command that may be repeated: with the same request id it is carried out once. An empty
// id is none.
func (v *Visit) DoOnce(ctx context.Context, id table.ID, request string, c table.Command) error {
	begins, told := false, false
	switch c := c.(type) {
	case table.Say:
		_, err := v.SayOnce(ctx, id, request, c.Text)
		return err
	case table.Close:
		if !v.Operator() {
			return ErrOperatorsOnly
		}
	case table.Rematch:
		begins = true
	case table.Ready:
		begins = c.On
	case table.Sit:
		told, begins = true, c.Quick || v.mayTake(id) // whoever takes over from a bot is ready for the next game
	case table.Swap, table.AddBot, table.CastVote, table.Resign: // standing up, or taking a bot away, is never too much
		told = true
	}
	if err := v.allow(); err != nil {
		return err
	}
	if told { // else a person could talk by repeating it, faster than by chat, even to those who ignore them
		if err := v.may(&v.lobby.limits.notices, ErrTooFast); err != nil {
			return err
		}
	}
	if begins { // a game writes rows to the journal, even against bots
		if err := v.may(&v.lobby.limits.games, ErrManyGames); err != nil {
			return err
		}
	}
	return v.do(ctx, id, request, c)
}

func (v *Visit) do(ctx context.Context, id table.ID, request string, c table.Command) error {
	l := v.lobby
	t, err := l.find(id)
	if err != nil {
		return err
	}
	_, sit := c.(table.Sit)
	l.mu.Lock()
	v.attempts(id)
	r := table.Request{ID: request, By: v.person.player, Net: v.person.net, Command: c}
	done := func() {}
	switch {
	case v.over:
		err = ErrOver
	case sit && l.draining:
		err = ErrDraining
	case sit && l.leaving[r.By.ID] > 0 && l.forTeams(id):
		err = ErrLeaving
	case sit && !l.sits(r.By.ID, id):
		var seat *limit.Place
		if err = v.maySit(); err == nil {
			seat, err = v.reserve(&l.bounds.seats)
		}
		if err == nil {
			done = l.promise(seatOf{r.By.ID, id}, seat)
		}
	}
	l.mu.Unlock()
	if err != nil {
		return err
	}
	defer done()
	err = t.Do(ctx, r)
	return v.sentence("send a command to a table", err)
}

// mayTake reports whether the person could take over a bot's seat at a table.
func (v *Visit) mayTake(id table.ID) bool {
	reader := v.Reader()
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	e := v.lobby.directory[id]
	return e != nil && e.sum.MayTake(reader)
}

// hasClosed reports whether an error means that the table has closed.
func hasClosed(err error) bool { return errors.Is(err, ErrNoTable) || errors.Is(err, table.ErrClosed) }
