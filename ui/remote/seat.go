package remote

import (
	"context"
	"strconv"
	"strings"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/plain"
)

// Taken is a table at which the caller has taken a seat.
type Taken struct {
	plain.Table
	Code string `json:"code"` // of a private table
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
		row := plain.TableRow(&s, v.Reader())
		if c.opt.json {
			c.out.json(Taken{Table: row, Code: code})
			return nil
		}
		c.out.line(row.Say(), "You have seat "+strconv.Itoa(row.Yours)+". It is kept for two minutes: ssh -t "+c.Address+" play "+strconv.FormatInt(row.Table, 10))
		if code != "" {
			c.out.line("Others can join with ssh -t " + c.Address + " join " + code)
		}
	}
	return nil
}
