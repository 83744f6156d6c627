package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/rules/coach"
	"boneyard/rules/replay"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/plain"
)

// shownGame is a game that show writes.
type shownGame struct {
	*lobby.GameInfo
	seed string
}

// gameHeads describes the first object of a shown game.
var gameHeads = &plain.Rows[shownGame]{
	Object: "gamehead", About: "The first object of a game that is shown: all fields of [game](#game), and",
	Columns: slices.Concat([]plain.Column[shownGame]{plain.Typed[shownGame]("game")},
		plain.Under(plain.Games, func(g *shownGame) *lobby.GameInfo { return g.GameInfo }),
		[]plain.Column[shownGame]{plain.Col("seed", "", func(g *shownGame) string { return g.seed })}),
}

// RoundHead begins a round of a shown game.
type RoundHead struct {
	Type   string     `json:"type" means:"\"round\""`
	Game   int64      `json:"game"`
	Round  int        `json:"round"`
	Leader int        `json:"leader"`
	Hands  [][]string `json:"hands" kind:"lists of texts" means:"as dealt, by seat"`
	Stock  []string   `json:"stock" means:"the boneyard, as it is drawn"`
}

// show writes a game or a table.
func show(ctx context.Context, c *call) error {
	kind, number := "", c.args[0]
	if len(c.args) == 2 {
		kind, number = c.args[0], c.args[1]
	}
	if kind != "" && kind != "game" && kind != "table" {
		return feature.Usage("Use show N, show game N or show table N.")
	}
	if c.opt.Chances && !c.opt.JSON {
		return feature.Usage("show: --chances needs --json.")
	}
	n, err := feature.Number(number)
	if err != nil {
		return err
	}
	v, err := c.ask()
	if err != nil {
		return err
	}
	if kind != "table" {
		info, r, err := feature.Record(ctx, v, table.GameID(n))
		if err == nil {
			c.showGame(info, r)
			return nil
		}
		if !errors.Is(err, lobby.ErrNoGame) {
			return err
		}
		if kind == "game" {
			return feature.ErrNoGame
		}
	}
	view, err := v.GalleryView(table.ID(n))
	switch {
	case errors.Is(err, lobby.ErrNoTable) && kind == "":
		return errNothing
	case err != nil:
		return err
	}
	c.state(view)
	return nil
}

// state writes a table as it is.
func (c *call) state(v *table.View) {
	if c.opt.JSON {
		c.out.state(v)
		return
	}
	c.out.line(plain.State(v)...)
}

func (c *call) showGame(info *lobby.GameInfo, r *replay.Record) {
	if !c.opt.JSON {
		c.out.line(plain.SayGame(info, table.Player{}))
		for i := range r.Rounds {
			c.out.line("")
			c.out.line(plain.ReplayedRound(r, &r.Rounds[i])...)
		}
		c.out.line("")
		c.out.line(plain.PointsLeft(r)...)
		c.out.line(plain.RecordedResult(r, info)...)
		if seed := seedOf(r); seed != "" {
			c.out.line("Seed: " + seed + ".")
		}
		return
	}
	var chances coach.Chances
	if c.opt.Chances {
		chances = coach.Follow(r)
	}
	c.out.json(gameHeads.JSON(&shownGame{info, seedOf(r)}))
	c.rest(info, r, chances, 0, 0)
}

// seedOf returns the seed of a record, empty if it has none.
func seedOf(r *replay.Record) string {
	if r.Seed == nil {
		return ""
	}
	return r.Seed.String()
}

// rest writes a game from after a move of a round, as the gallery saw it. After move 0 of round 0 that is the
// whole game, with all hands open. With chances, JSON includes the chances to win.
func (c *call) rest(info *lobby.GameInfo, r *replay.Record, chances coach.Chances, round, number int) {
	for i := range r.Rounds {
		n := &r.Rounds[i]
		if n.Number < round {
			continue
		}
		if n.Number > round {
			c.round(info.ID, n, r.Names)
		}
		for at, m := range r.Moves(n) {
			no := at - n.Start
			if n.Number == round && no <= number {
				continue
			}
			e := m.Event
			if round != 0 {
				e = e.For(0)
			}
			if c.opt.JSON {
				move := moveOf(info.ID, n.Number, no, &e, r.Terms(at), r.Names)
				if chances != nil {
					move.Chances = chances.Percent(at)
				}
				c.out.json(move)
			} else {
				c.out.line(plain.Numbered(r, at, &e))
			}
		}
		if n.Result != nil {
			c.scoring(info.ID, &r.Rules, n.Result, r.Names)
		}
	}
	c.result(info.ID, seedOf(r), plain.ResultOf(info), r.Names, r.Rules.Teams)
}

// round writes the start of a round.
func (c *call) round(game table.GameID, n *replay.Round, names []string) {
	head := RoundHead{Type: "round", Game: int64(game), Round: n.Number, Leader: int(n.Leader),
		Hands: text.Each(n.Hands, plain.Tiles), Stock: text.Each(n.Stock, rules.Tile.Name)}
	c.write(head, fmt.Sprintf("Round %d: %s leads.", n.Number, names[n.Leader-1]))
}

func (c *call) scoring(game table.GameID, r *rules.Ruleset, res *rules.RoundResult, names []string) {
	c.write(scoringOf(game, r, res, names), plain.Scoring(r, res, names, plain.Sides(names, r.Teams), 0)...)
}

func (c *call) result(game table.GameID, seed string, res *table.Result, names []string, teams bool) {
	c.write(resultOf(game, seed, res), plain.Result(plain.Sides(names, teams), teams, res)...)
}
