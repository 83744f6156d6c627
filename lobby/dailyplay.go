package lobby

import (
	"context"
	"errors"
	"slices"

	"boneyard/lobby/event"
	"boneyard/lobby/event/daily"
	"boneyard/rules"
	"boneyard/table"
)

// Why a result is listed separately.
const (
	listedNew  = "Your account is new: its results are listed separately until it is a week old and has finished ten games."
	listedNear = "Another attempt at this deal came from your network, so both are listed separately."
)

// newAccount is why the person's result would be listed separately, empty if it would not.
func (v *Visit) newAccount(ctx context.Context) (string, error) {
	a := v.account()
	if v.lobby.now().Sub(a.Created) < dailyNewAccount {
		return listedNew, nil
	}
	games, err := v.lobby.stores.Games.Games(ctx, GamesQuery{Player: a.ID, Limit: dailyNewLooked})
	if err != nil {
		return "", v.lobby.trouble("count games", err)
	}
	if len(slices.DeleteFunc(games, func(g GameInfo) bool { return g.Ending != table.EndPlayed })) < dailyNewGames {
		return listedNew, nil
	}
	return "", nil
}

// PlayDaily returns the table where the person plays the deal of a day: today's if key is empty, once; an earlier one for fun, as often as
// they like. ErrDailyMembers, ErrDailyPlayed, ErrDailyToCome, or as NewTable refuses.
func (v *Visit) PlayDaily(ctx context.Context, key string) (table.ID, error) {
	l := v.lobby
	if err := v.allow(); err != nil {
		return 0, err
	}
	room, err := l.today(ctx)
	if err != nil {
		return 0, err
	}
	if key != "" && key != room.Event().Key {
		return v.playPastDay(ctx, key)
	}
	a, err := v.alive()
	switch {
	case err != nil:
		return 0, err
	case a.ID.Guest():
		return 0, ErrDailyMembers
	}
	if day, _ := room.View().(*daily.Day); day.Of(a.ID) == nil { // there will be a table for it
		place, err := v.reserve(&l.bounds.tables)
		if err != nil {
			return 0, err
		}
		l.mu.Lock()
		done := l.promise(seatOf{who: a.ID}, place)
		l.mu.Unlock()
		defer done()
	}
	apart, err := v.newAccount(ctx)
	if err != nil {
		return 0, err
	}
	err = room.Do(ctx, daily.Attempt(v.Player(), apart != "", l.placeOf(&v.origin)))
	switch {
	case errors.Is(err, event.ErrOver):
		return 0, ErrDailyToCome
	case err != nil:
		return 0, l.trouble("begin the daily deal", err)
	}
	day, _ := room.View().(*daily.Day)
	mine := day.Of(a.ID)
	if mine == nil || mine.Game != 0 {
		return 0, ErrDailyPlayed
	}
	id, ok := room.Table(mine.No)
	if !ok {
		return 0, ErrTrouble // such as a full disk: the table is made as soon as possible
	}
	return id, nil
}

// attempts notes from where the person plays at the table of an attempt at today's deal, once for each session. With mu held.
func (v *Visit) attempts(id table.ID) {
	l := v.lobby
	e := l.directory[id]
	if e == nil || !e.sum.Config.Event.Solo || e.sum.Config.Event.ID == 0 || v.attempt == id {
		return
	}
	v.attempt = id
	of, who, net := e.sum.Config.Event.ID, v.person.player.ID, l.placeOf(&v.origin)
	l.jobs.run(func() {
		if r := l.events.Room(of); r != nil {
			_ = r.Do(l.ctx, daily.From(who, net)) // only the clock's end of the day refuses it, and a disk that fails fails the moves as well
		}
	})
}

// playPastDay makes a table with the deals of a day that is over.
func (v *Visit) playPastDay(ctx context.Context, key string) (table.ID, error) {
	l := v.lobby
	day, err := l.pastDay(ctx, key)
	if err != nil {
		return 0, err
	}
	if !day.Over {
		return 0, ErrDailyToCome
	}
	seed, err := rules.ParseSeed(day.Seed)
	if err != nil {
		return 0, l.trouble("read the seed of a day", err)
	}
	cfg := daily.TableConfig(&day.Config)
	cfg.Name += ", for fun"
	p, taken, err := v.mayMake(&cfg)
	if err != nil {
		return 0, err
	}
	deps := l.tables
	deps.From = v.from()
	t, err := table.MakeFor(ctx, deps, cfg, table.Occasion{Seed: seed, Seats: []table.Player{p}, Here: []table.PlayerID{p.ID}})
	if err != nil {
		taken.free()
		return 0, l.trouble("make a table for a daily deal", err)
	}
	l.register(t, taken)
	return t.ID(), nil
}
