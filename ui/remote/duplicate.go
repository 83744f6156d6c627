package remote

import (
	"context"
	"time"

	"boneyard/table"
	"boneyard/ui/plain"
)

// duplicates answers about duplicate matches, and has people take part.
func duplicates(ctx context.Context, c *call) error {
	v, err := c.speaks(ctx)
	if err != nil {
		return err
	}
	defer v.Close(table.Disconnected)
	ans, err := plain.AskDuplicate(ctx, v, c.opt.args)
	if err != nil {
		return err
	}
	c.answer(ans.Lines, ans.Rows)
	return nil
}

// fields answers about duplicate arenas, and has people take part.
func fields(ctx context.Context, c *call) error {
	v, err := c.speaks(ctx)
	if err != nil {
		return err
	}
	defer v.Close(table.Disconnected)
	ans, err := plain.AskField(ctx, v, c.opt.args, time.Now())
	if err != nil {
		return err
	}
	c.answer(ans.Lines, ans.Rows)
	return nil
}
