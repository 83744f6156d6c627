package remote

import (
	"context"
	"fmt"
	"strings"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/plain"
)

// taken is a table at which the caller has taken a seat.
type taken struct {
	plain.Listed
	code string
}

// takens describes the answer to new and join.
var takens = &plain.Rows[taken]{
	Object: "taken", About: "The answer to `new` and `join`: all fields of [table](#table), and",
	Columns: append(plain.Under(plain.Tables, func(t *taken) *plain.Listed { return &t.Listed }),
		plain.Col("code", "of a private table", func(t *taken) string { return t.code })),
}

// newTable makes a table.
func newTable(ctx context.Context, c *call) error {
	return c.take(ctx, func(v *lobby.Visit) (table.ID, string, error) { return c.make(ctx, v, c.opt.args) })
}

// join takes a seat at a table that is there.
func join(ctx context.Context, c *call) error {
	return c.take(ctx, func(v *lobby.Visit) (table.ID, string, error) {
		id, err := v.Join(ctx, strings.Join(c.opt.args, "")) // a code may be typed as two groups
		return id, "", err
	})
}

// make makes a table of words, and returns its number and code.
func (c *call) make(ctx context.Context, v *lobby.Visit, words []string) (table.ID, string, error) {
	cfg, err := plain.ParseTable(words)
	if err != nil {
		return 0, "", usageError{plain.Sentence(err)}
	}
	t, err := v.NewTable(ctx, cfg)
	if err != nil {
		return 0, "", err
	}
	return t.ID(), t.Code(), nil
}

// take takes a seat, tells about it, and goes: the table keeps the seat for a while, as for anybody whose connection is lost.
func (c *call) take(ctx context.Context, sit func(*lobby.Visit) (table.ID, string, error)) error {
	if c.Account == nil { // a guest's seat is free again when the guest has gone
		if err := c.member(); err != nil {
			return err
		}
		return errNoKey
	}
	v, err := c.enter(ctx)
	if err != nil {
		return err
	}
	defer v.Close(table.Disconnected)
	id, code, err := sit(v)
	if err != nil {
		return err
	}
	for _, s := range v.MyTables() {
		if s.Table != id {
			continue
		}
		row := taken{plain.Listed{Summary: &s, For: v.Reader()}, code}
		if c.opt.json {
			c.out.json(takens.JSON(&row))
			return nil
		}
		c.out.line(row.Say(), fmt.Sprintf("You have seat %d. It is kept for two minutes: ssh -t %s play %d", s.SeatOf(row.For.ID), c.Address, s.Table))
		if code != "" {
			c.out.line("Others can join with ssh -t " + c.Address + " join " + code)
		}
	}
	return nil
}
