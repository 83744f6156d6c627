package remote

import (
	"context"
	"time"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/plain"
)

// events returns the command for a kind of event.
func events(ask plain.Asking) func(context.Context, *call) error {
	return func(ctx context.Context, c *call) error {
		v, err := c.speaks(ctx)
		if err != nil {
			return err
		}
		defer v.Close(table.Disconnected)
		ans, err := ask(ctx, v, c.opt.args, time.Now())
		if err != nil {
			return err
		}
		c.answer(ans.Lines, ans.Rows)
		return nil
	}
}

// speaks is the visit of an event's command: with more words than which event it does something, as with new, and is for members.
func (c *call) speaks(ctx context.Context) (*lobby.Visit, error) {
	if words := c.opt.args; len(words) == 0 || len(words) == 1 && words[0] != "new" {
		return c.ask()
	}
	if err := c.member(); err != nil {
		return nil, err
	}
	return c.enter(ctx)
}

// answer writes lines, or rows for programs.
func (c *call) answer(lines []string, rows []any) {
	if !c.opt.json {
		c.out.line(lines...)
		return
	}
	for _, row := range rows {
		c.out.json(row)
	}
}

// calendar writes what comes as iCalendar, or as rows for programs.
func calendar(ctx context.Context, c *call) error {
	v, err := c.list()
	if err != nil {
		return err
	}
	list := v.Calendar()
	if c.opt.json {
		c.answer(nil, plain.Appointments.Objects(list))
		return nil
	}
	off, err := v.CalledOff(ctx)
	if err != nil {
		return err
	}
	c.out.end = "\r\n" // as the format wants it
	c.out.line(plain.ICalendar(append(list, off...), v.ClubID(), c.Address, time.Now())...)
	return nil
}
