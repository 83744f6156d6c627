package remote

import (
	"context"
	"slices"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/plain"
)

// list writes items as rows of JSON, or in columns.
func list[T any](c *call, items []T, rows *plain.Rows[T]) error {
	if c.opt.json {
		for _, row := range rows.Objects(items) {
			c.out.json(row)
		}
		return nil
	}
	c.out.line(rows.Lines(items)...)
	return nil
}

func who(_ context.Context, c *call) error {
	v, err := c.list()
	if err != nil {
		return err
	}
	return list(c, v.Snapshot().People, plain.People)
}

func whois(ctx context.Context, c *call) error {
	v, err := c.ask()
	if err != nil {
		return err
	}
	who, err := v.Profile(ctx, c.opt.args[0])
	switch {
	case err != nil:
		return err
	case c.opt.json:
		c.out.json(plain.Whois.JSON(who))
	default:
		c.out.line(who.Sentences(time.Now(), len(who.Games))...)
	}
	return nil
}

func tables(_ context.Context, c *call) error {
	v, err := c.list()
	if err != nil {
		return err
	}
	asks := v.Reader()
	return list(c, plain.Listings(v.Snapshot().SortFor(asks), asks), plain.Tables)
}

// kinds are the standings by the words that ask for them.
var kinds = map[string]lobby.Kind{"teams": lobby.KindTeam, "pairs": lobby.KindPair, "players": lobby.KindPlayer}

func standings(ctx context.Context, c *call) error {
	q := lobby.StandingsQuery{Kind: lobby.KindPlayer, Game: c.opt.game, Month: c.opt.month, Limit: c.opt.limit}
	if len(c.opt.args) == 1 {
		var ok bool
		if q.Kind, ok = kinds[c.opt.args[0]]; !ok {
			return usageError{"Standings are of teams, pairs or players."}
		}
	}
	known := slices.ContainsFunc(rules.Presets(), func(p rules.Preset) bool { return p.String() == q.Game })
	switch {
	case q.Game != "" && !known:
		return usageError{"The games are " + strings.Join(rules.PresetNames(), ", ") + "."}
	case q.Month != "" && !month.MatchString(q.Month):
		return usageError{"Write a month like 2026-11."}
	}
	v, err := c.ask()
	if err != nil {
		return err
	}
	found, err := v.Standings(ctx, q)
	if err != nil {
		return err
	}
	return list(c, found, plain.Standings)
}

func games(ctx context.Context, c *call) error {
	v, err := c.ask()
	if err != nil {
		return err
	}
	found, err := v.Games(ctx, lobby.GamesQuery{
		Text: strings.Join(c.opt.args, " "), Before: table.GameID(c.opt.before), Limit: c.opt.limit, Mine: v.Player().ID,
	})
	if err != nil {
		return err
	}
	return list(c, found, plain.Games)
}
