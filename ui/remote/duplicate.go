package remote

import (
	"context"

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
