package remote

import (
	"context"
	"errors"
	"fmt"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/plain"
)

// GameHead is the first object of a game that is shown.
type GameHead struct {
	Type string `json:"type"` // "game"
	plain.Game
	Seed string `json:"seed"`
}

// RoundHead begins a round of a game that is shown.
type RoundHead struct {
	Type   string     `json:"type"` // "round"
	Game   int64      `json:"game"`
	Round  int        `json:"round"`
	Leader int        `json:"leader"` // the seat that leads
	Hands  [][]string `json:"hands"`  // as dealt, by seat
	Stock  []string   `json:"stock"`  // the boneyard, in the order in which it is drawn
}

// show tells a game or a table.
func show(ctx context.Context, c *call) error {
	kind, number := "", c.opt.args[0]
	if len(c.opt.args) == 2 {
		kind, number = c.opt.args[0], c.opt.args[1]
	}
	if kind != "" && kind != "game" && kind != "table" {
		return usageError{"It is show N, show game N or show table N."}
	}
	n, err := numbered(number)
	if err != nil {
		return err
	}
	v, err := c.ask()
	if err != nil {
		return err
	}
	if kind != "table" {
		info, lines, err := v.Record(ctx, table.GameID(n))
		if err == nil {
			return c.showGame(&info, lines)
		}
		if !errors.Is(err, lobby.ErrNoGame) {
			return err
		}
		if kind == "game" {
			return errNoGame
		}
	}
	view, err := v.Look(table.ID(n))
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
	if c.opt.json {
		c.out.json(stateOf(v))
		return
	}
	c.out.line(plain.State(v)...)
}

func (c *call) showGame(info *lobby.GameInfo, lines []string) error {
	r, err := plain.ReadRecord(lines)
	if err != nil {
		return err
	}
	row := plain.GameRow(info)
	if !c.opt.json {
		c.out.line(row.Say())
		for i := range r.Rounds {
			c.out.line("")
			c.out.line(r.Rounds[i].Say(r)...)
		}
		c.out.line("")
		c.out.line(r.Left()...)
		c.out.line(plain.Result(plain.Sides(r.Names, r.Rules.Teams), r.Rules.Teams, resultIn(info))...)
		if r.Seed != "" {
			c.out.line("Seed: " + r.Seed + ".")
		}
		return nil
	}
	c.out.json(GameHead{Type: "game", Game: row, Seed: r.Seed})
	c.rest(info, r, 0, 0)
	return nil
}

// resultIn is the result that the row of a game tells.
func resultIn(info *lobby.GameInfo) *table.Result {
	return &table.Result{Ending: info.Ending, Winner: info.Winner, Scores: info.Scores, Rounds: info.Rounds, Rated: info.Rated}
}

// rest writes what comes after a move of a round, as the gallery saw it; after move 0 of round 0 it is all of the game, and all
// hands are open.
func (c *call) rest(info *lobby.GameInfo, r *plain.Record, round, number int) {
	for i := range r.Rounds {
		n := &r.Rounds[i]
		if n.Number < round {
			continue
		}
		if n.Number > round {
			c.round(info.ID, n, r.Names)
		}
		for k := range n.Moves {
			p := &n.Moves[k]
			if n.Number == round && p.Number <= number {
				continue
			}
			e := p.Event
			if round != 0 {
				e = e.For(0)
			}
			if c.opt.json {
				c.out.json(moveOf(info.ID, n.Number, p.Number, &e, p.Terms, r.Names))
			} else {
				c.out.line(fmt.Sprintf("%d.%d %s.", n.Number, p.Number, plain.Move(r.Names, &e, p.Terms)))
			}
		}
		if n.Result != nil {
			c.scoring(info.ID, &r.Rules, n.Result, r.Names)
		}
	}
	c.result(info.ID, r.Seed, resultIn(info), r.Names, r.Rules.Teams)
}

// round writes how a round begins.
func (c *call) round(game table.GameID, n *plain.Round, names []string) {
	if !c.opt.json {
		c.out.line(fmt.Sprintf("Round %d: %s leads.", n.Number, names[n.Leader-1]))
		return
	}
	head := RoundHead{Type: "round", Game: int64(game), Round: n.Number, Leader: int(n.Leader), Stock: []string{}}
	for _, h := range n.Hands {
		head.Hands = append(head.Hands, plain.Tiles(h))
	}
	for _, t := range n.Stock {
		head.Stock = append(head.Stock, t.Name())
	}
	c.out.json(head)
}

func (c *call) scoring(game table.GameID, r *rules.Ruleset, res *rules.RoundResult, names []string) {
	if c.opt.json {
		c.out.json(scoringOf(game, r, res, names))
		return
	}
	c.out.line(plain.Scoring(r, res, names, plain.Sides(names, r.Teams))...)
}

func (c *call) result(game table.GameID, seed string, res *table.Result, names []string, teams bool) {
	if c.opt.json {
		c.out.json(resultOf(game, seed, res))
		return
	}
	c.out.line(plain.Result(plain.Sides(names, teams), teams, res)...)
}

// export writes the record of a finished game as it is in the journal, and nothing else.
func export(ctx context.Context, c *call) error {
	n, err := numbered(c.opt.args[0])
	if err != nil {
		return err
	}
	v, err := c.ask()
	if err != nil {
		return err
	}
	_, lines, err := v.Record(ctx, table.GameID(n))
	if errors.Is(err, lobby.ErrNoGame) {
		return errNoGame
	}
	if err != nil {
		return err
	}
	c.out.line(lines...)
	return nil
}
