package lobby

import (
	"context"

	"boneyard/rules/coach"
	"boneyard/rules/replay"
	"boneyard/table"
)

// Card is a finished game at a glance.
type Card struct {
	Game        GameInfo
	Record      *replay.Record
	Gains       [][]int       // what each round brought, by side
	Chances     coach.Chances // how likely each side was to win at each moment
	Best, Worst int           // the moments of the best and the worst play, as of [replay.Record.Extremes]
}

// cardOf asks for the card of a game.
type cardOf table.GameID

// Card returns a finished game at a glance. It is made once and shared; nobody may change it. ErrNoGame, ErrTooFast.
func (v *Visit) Card(ctx context.Context, id table.GameID) (*Card, error) {
	return askOnce(ctx, v, &v.lobby.cards, cardOf(id), func(ctx context.Context) (*Card, error) { return v.card(ctx, id) })
}

// card makes a game's card.
func (v *Visit) card(ctx context.Context, id table.GameID) (*Card, error) {
	info, lines, err := v.Record(ctx, id)
	if err != nil {
		return nil, err
	}
	r, err := replay.ReadLines(lines)
	if err != nil {
		return nil, v.lobby.trouble("read a record", err)
	}
	r.Teams = info.Teams
	c := &Card{Game: info, Record: r, Gains: r.Gains(), Chances: coach.Follow(r)}
	c.Best, c.Worst = r.Extremes()
	if len(info.Scores) == 0 && len(c.Gains) > 0 { // abandoned
		c.Game.Scores = make([]int, len(c.Gains[0]))
		for _, g := range c.Gains {
			for side := range g {
				c.Game.Scores[side] += g[side]
			}
		}
	}
	return c, nil
}
