package feature

import (
	"context"
	"fmt"

	"github.com/charmbracelet/colorprofile"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/card"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// cardOf answers with a finished game at a glance: a picture over ssh, sentences in line mode.
func cardOf(ctx context.Context, q *Ask) (Answer, error) {
	n, err := Number(q.Words[0])
	if err != nil {
		return Answer{}, err
	}
	c, err := q.Visit.Card(ctx, table.GameID(n))
	if err != nil {
		return Answer{}, noGame(err)
	}
	share := card.Share(c, q.Address)
	if q.Way == SSH {
		look := theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
		return Say(append(card.Lines(look, c, castWidth, castHeight), share)...), nil
	}
	told := append([]string{q.game(&c.Game)}, plain.RecordedResult(c.Record, &c.Game)...)
	for i, gains := range c.Gains {
		say := fmt.Sprintf("Round %d:", i+1)
		for side, points := range gains {
			say += fmt.Sprintf(" %s %+d;", c.Record.Side(rules.Side(side+1)), points)
		}
		told = append(told, say[:len(say)-1]+".")
	}
	if c.Best > 0 {
		told = append(told, "Best play: "+plain.Numbered(c.Record, c.Best, &c.Record.Moments[c.Best].Event))
	}
	if c.Worst > 0 {
		told = append(told, "Worst play: "+plain.Missed(c.Record, c.Worst))
	}
	return Say(append(told, share)...), nil
}
