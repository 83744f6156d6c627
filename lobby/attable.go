package lobby

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/limit"
	"boneyard/table"
)

// NewTable makes a table and gives its maker a seat. If only the seat was refused, both results are not nil: the table is
// there. It refuses what [table.Make] refuses, and with ErrDraining,
// ErrGuestsWatch, ErrManyTables, ErrManySeats, ErrManyFromHere, ErrClubFull, ErrNoTeamOfYours or the refusals of a title.
func (v *Visit) NewTable(ctx context.Context, cfg table.Config) (*table.Table, error) {
	return v.newTable(ctx, cfg, false)
}

// newTable does what NewTable says; if quick is set, the maker is ready at once.
func (v *Visit) newTable(ctx context.Context, cfg table.Config, quick bool) (*table.Table, error) {
	var err error
	if cfg.Name, err = v.publicTitle(cfg.Name); err != nil {
		return nil, err
	}
	cfg.House = false
	p, err := v.mayMake(&cfg)
	if err != nil {
		return nil, err
	}
	l := v.lobby
	deps := l.tables
	deps.NewCode = l.newCode
	t, err := table.Make(ctx, deps, cfg, p)
	v.made()
	switch {
	case errors.Is(err, table.ErrConfig):
		return nil, err
	case err != nil:
		return nil, l.trouble("make a table", err)
	}
	l.register(t, p.ID, v.net)
	return t, v.do(ctx, t.ID(), "", table.Sit{Quick: quick})
}

// made reports that a table that mayMake has counted exists now, or will not be made.
func (v *Visit) made() {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	v.person.making--
	v.lobby.making--
}

// mayMake reports whether the person may make a table now, and counts it as being made.
func (v *Visit) mayMake(cfg *table.Config) (table.Player, error) {
	l := v.lobby
	if err := v.allow(); err != nil {
		return table.Player{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p := v.person
	switch {
	case v.over:
		return p.player, ErrOver
	case l.draining:
		return p.player, ErrDraining
	case l.waiting(p.player.ID)+p.making >= l.cfg.TablesEach:
		return p.player, ErrManyTables
	case l.manyFrom(&v.origin, v.net):
		return p.player, ErrManyFromHere
	case l.full():
		return p.player, ErrClubFull
	case cfg.Access == table.AccessTeams && !slices.Contains(cfg.Teams[:], p.player.Team) && !slices.Contains(cfg.Teams[:], 0),
		cfg.Access == table.AccessTeams && p.player.Team == 0:
		return p.player, ErrNoTeamOfYours
	}
	err := v.maySit()
	if err == nil {
		err = v.may(&l.limits.tables, ErrManyMade)
	}
	if err == nil {
		p.making++
		l.making++
	}
	return p.player, err
}

// waiting is the number of somebody's tables that wait for a first game. One where a game is over is not counted: it is
// there for a rematch, and closes by itself when people have left. With mu held.
func (l *Lobby) waiting(maker table.PlayerID) int {
	n := 0
	for _, e := range l.directory {
		if e.maker == maker && e.sum.State.Gathers() {
			n++
		}
	}
	return n
}

// full reports whether there are as many tables as people may have made. Those that events have had made for several players are bounded
// apart, so that neither take the room of the others. With mu held.
func (l *Lobby) full() bool { return l.count(false)+l.making >= l.cfg.MaxTables }

// count is the number of tables that events have had made for several players, or of the others. With mu held.
func (l *Lobby) count(ofEvents bool) (n int) {
	for _, e := range l.directory {
		if of := e.sum.Config.Event; (of.ID != 0 && !of.Solo) == ofEvents {
			n++
		}
	}
	return n
}

// manyFrom reports whether as many tables as may be were made from where somebody comes from and are still there, so that nobody
// fills the club with the keys of a few machines. With mu held.
func (l *Lobby) manyFrom(o *Origin, net netip.Prefix) bool {
	if o.Exempt || !net.IsValid() {
		return false
	}
	address, network := 0, 0
	for _, e := range l.directory {
		if !e.net.IsValid() {
			continue
		}
		if e.net == net {
			address++
		}
		if limit.Network(e.net.Addr()) == limit.Network(net.Addr()) {
			network++
		}
	}
	if o.Shared {
		return network >= l.cfg.MaxTables/2
	}
	const machines = 3 // that fill their share in one network
	return address >= l.cfg.TablesNet || network >= machines*l.cfg.TablesNet
}

// maySit reports whether the person may take one more seat. With mu held.
func (v *Visit) maySit() error {
	l, id := v.lobby, v.person.player.ID
	if !v.MayPlay() {
		return ErrGuestsWatch
	}
	held := v.person.sitting
	if h := l.holders[id]; h != nil {
		held += len(h.at)
	}
	if held >= l.cfg.SeatsEach {
		return ErrManySeats
	}
	return nil
}

// Join sits down at the table that has a code, or returns it if the person sits there. A number is taken as a table's, too.
func (v *Visit) Join(ctx context.Context, code string) (table.ID, error) {
	l := v.lobby
	open := l.limits.Open(&l.limits.codes, v.who) // only wrong codes are counted, so that codes cannot be tried
	l.mu.Lock()
	var id table.ID
	if n, err := strconv.ParseInt(strings.TrimSpace(code), 10, 64); err == nil && l.directory[table.ID(n)] != nil {
		id = table.ID(n)
	} else if open {
		id = l.codes[foldCode(code)]
	}
	seated := id != 0 && l.sits(v.person.player.ID, id)
	private := ""
	if e := l.directory[id]; e != nil && e.table != nil {
		private = e.table.Code()
	}
	l.mu.Unlock()
	switch {
	case id == 0 && !open:
		return 0, ErrManyCodes
	case id == 0:
		l.limits.Allow(&l.limits.codes, v.who)
		return 0, ErrNoCode
	case seated:
		return id, nil
	case foldCode(code) != foldCode(private):
		private = "" // the table's number is no code
	}
	return id, v.Do(ctx, id, table.Sit{Code: private})
}

// Do has a table carry out a command of this person. What somebody says is cleaned and counted as by SayAt, which is to be
// called where the reply to a command of the lobby is wanted.
func (v *Visit) Do(ctx context.Context, id table.ID, c table.Command) error {
	return v.DoOnce(ctx, id, "", c)
}

// DoOnce is Do for a command that may be repeated: with the same request id it is carried out once. An empty id is none.
func (v *Visit) DoOnce(ctx context.Context, id table.ID, request string, c table.Command) error {
	begins := false
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
	}
	if err := v.allow(); err != nil {
		return err
	}
	if begins { // a game begun is rows in the journal, with bots as well
		if err := v.may(&v.lobby.limits.games, ErrManyGames); err != nil {
			return err
		}
	}
	return v.do(ctx, id, request, c)
}

// do sends a command that has been looked at.
func (v *Visit) do(ctx context.Context, id table.ID, request string, c table.Command) error {
	l := v.lobby
	t, err := l.find(id)
	if err != nil {
		return err
	}
	_, sit := c.(table.Sit)
	l.mu.Lock()
	r := table.Request{ID: request, By: v.person.player, Net: v.person.net, Command: c}
	sits := sit && !l.sits(r.By.ID, id)
	switch {
	case v.over:
		err = ErrOver
	case sit && l.draining:
		err = ErrDraining
	case sits:
		if err = v.maySit(); err == nil {
			v.person.sitting++
		}
	}
	l.mu.Unlock()
	if err != nil {
		return err
	}
	err = t.Do(ctx, r)
	if sits {
		l.mu.Lock()
		v.person.sitting--
		l.mu.Unlock()
	}
	return v.sentence("send a command to a table", err)
}

// hasClosed reports whether a table has closed in the meantime.
func hasClosed(err error) bool { return errors.Is(err, ErrNoTable) || errors.Is(err, table.ErrClosed) }
