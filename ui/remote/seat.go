package remote

import (
	"fmt"

	"boneyard/lobby"
	"boneyard/ui/feature"
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

// taken tells which seat the caller has taken.
func (c *call) taken(v *lobby.Visit, ans *feature.Answer) {
	for _, s := range v.MyTables() {
		if s.Table != ans.Go {
			continue
		}
		row := taken{plain.Listed{Summary: &s, For: v.Reader()}, ans.Code}
		if c.opt.JSON {
			c.out.json(takens.JSON(&row))
			return
		}
		c.out.line(row.Say(), fmt.Sprintf("You have seat %d. It is kept for two minutes: ssh -t %s play %d", s.SeatOf(row.For.ID), c.Address, s.Table))
		if ans.Code != "" {
			c.out.line("Others can join with ssh -t " + c.Address + " join " + ans.Code)
		}
	}
}
