package lobby

import (
	"context"
	"errors"

	"boneyard/lobby/event"
	"boneyard/lobby/event/daily"
	"boneyard/rules"
	"boneyard/table"
)

// listedApart is why an account is listed separately.
const listedApart = "Your account is new: its results are listed separately until it is a day old and has three finished games."

// newAccount is why the person's result would be listed separately, empty if it would not.
func (v *Visit) newAccount(ctx context.Context) (string, error) {
	a := v.account()
	if v.lobby.now().Sub(a.Created) < dailyNewAccount {
		return listedApart, nil
	}
	games, err := v.lobby.store.Games(ctx, GamesQuery{Player: a.ID, Limit: dailyNewGames})
	if err != nil {
		return "", v.lobby.trouble("count games", err)
	}
	if len(games) < dailyNewGames {
		return listedApart, nil
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
		if err := v.mayAttempt(); err != nil {
			return 0, err
		}
	}
	apart, err := v.newAccount(ctx)
	if err != nil {
		return 0, err
	}
	err = room.Do(ctx, daily.Attempt(v.Player(), apart != ""))
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

// mayAttempt reports whether there is room for the table of another attempt, and counts it as made.
func (v *Visit) mayAttempt() error {
	l := v.lobby
	l.mu.Lock()
	full, many := l.full(), l.manyFrom(&v.origin, v.net)
	l.mu.Unlock()
	switch {
	case full:
		return ErrClubFull
	case many:
		return ErrManyFromHere
	}
	return v.may(&l.limits.tables, ErrManyMade)
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
	p, err := v.mayMake(&cfg)
	if err != nil {
		return 0, err
	}
	defer v.made()
	t, err := table.MakeFor(ctx, l.tables, cfg, table.Occasion{Seed: seed, Seats: []table.Player{p}})
	if err != nil {
		return 0, l.trouble("make a table for a daily deal", err)
	}
	l.register(t, p.ID, v.net)
	return t.ID(), nil
}
