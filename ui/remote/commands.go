package remote

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/plain"
)

// own are the features that remote carries out itself: they are streams or dialogues, or make their own
// visit.
var own = map[string]func(context.Context, *call) error{
	"show": show, "watch": watch, "play": play, "register": register,
}

// OnDisk reports whether a command needs only what is on disk, such as finished games, so that a club without
// people and tables can answer it.
func OnDisk(words []string) bool {
	if len(words) == 0 {
		return false
	}
	f, ok := feature.Find(feature.SSH, words[0])
	return ok && f.Disk
}

func (c *call) parse() (*feature.Feature, error) {
	const mostRows = 1000 // the most rows that a list may have
	name := c.Command[0]
	f, ok := feature.Find(feature.SSH, name)
	if !ok {
		return nil, feature.NoCommand(feature.SSH, name, c.Address)
	}
	flags := f.FlagSet(&c.opt)
	err := flags.Parse(c.Command[1:])
	if errors.Is(err, pflag.ErrHelp) {
		c.Command = []string{"help", f.Name}
		return c.parse()
	}
	if err != nil {
		return nil, feature.Usage(f.Name + ": " + text.Clip(flagFault(err), 4*quoted) + "; use " + f.Form() + "; help " + f.Name +
			" lists its flags.")
	}
	c.args = flags.Args()
	if least, most := f.Takes(); len(c.args) < least || most >= 0 && len(c.args) > most {
		return nil, feature.Usage("Use " + f.Form() + "; help " + f.Name + " says more.")
	}
	if flags.Lookup("limit") != nil && (c.opt.Limit < 1 || c.opt.Limit > mostRows || c.opt.Before < 0) {
		return nil, feature.Usage(f.Name + ": --limit must be from 1 to 1000, and --before the number of a game.")
	}
	return &f, nil
}

// flagFault says what is wrong with a flag.
func flagFault(err error) string {
	switch e := err.(type) {
	case *pflag.NotExistError:
		if letters := e.GetSpecifiedShortnames(); letters != "" {
			return "there is no flag -" + letters
		}
		return "there is no flag --" + e.GetSpecifiedName()
	case *pflag.ValueRequiredError:
		return "--" + e.GetSpecifiedName() + " needs a value"
	case *pflag.InvalidValueError:
		return "--" + e.GetFlag().Name + ": " + plain.WrongValue(e.GetValue(), errors.Unwrap(e)).Error()
	}
	return err.Error()
}

// quoted is how many columns of a word a message repeats.
const quoted = 60

func (c *call) run(ctx context.Context) error {
	f, err := c.parse()
	if err != nil {
		return err
	}
	if run := own[f.Name]; run != nil {
		return run(ctx, c)
	}
	if f.Name == "arena" && len(c.args) == 2 && strings.EqualFold(c.args[1], "play") {
		return c.arena(ctx)
	}
	return c.answer(ctx, f)
}

// answer carries out a command that has a single answer.
func (c *call) answer(ctx context.Context, f *feature.Feature) (err error) {
	var v *lobby.Visit
	if !f.NoVisit {
		if v, err = c.visit(ctx, f); err != nil {
			return err
		}
		defer v.Close(table.Disconnected) // a seat that was taken is kept for a while, as for anybody who is disconnected
	}
	q := &feature.Ask{Way: feature.SSH, Visit: v, Words: c.args, Options: c.opt, Address: c.Address, Now: time.Now()}
	ans, err := f.Carry(ctx, q)
	switch {
	case err != nil:
		return err
	case ans.Go != 0:
		return c.taken(v, &ans)
	case c.opt.JSON:
		for _, row := range ans.Rows {
			c.out.json(row)
		}
	default:
		if ans.CRLF {
			c.out.end = "\r\n"
		}
		c.out.line(ans.Lines...)
	}
	return nil
}

// visit returns the visit for a feature: one that enters the club if the command does something.
func (c *call) visit(ctx context.Context, f *feature.Feature) (*lobby.Visit, error) {
	if f.Acts == nil || !f.Acts(c.args) {
		return c.ask()
	}
	if err := c.member(); err != nil {
		return nil, err
	}
	if c.Account == nil && f.Seats { // a guest's seat is freed when the guest has gone
		return nil, lobby.ErrMembersOnly
	}
	return c.enter(ctx)
}

// arena lets a program play one game after another in an arena.
func (c *call) arena(ctx context.Context) error {
	id, err := feature.Number(c.args[0])
	if err != nil {
		return err
	}
	if err := c.mayProgram(); err != nil {
		return err
	}
	return c.program(ctx, func(p *participant, ctx context.Context) error {
		if p.arena = p.visit.EventRoom(event.ID(id)); p.arena == nil {
			return arena.ErrNone
		}
		if err := p.visit.EnterEvent(ctx, arena.Kind, event.ID(id), ""); err != nil {
			return err
		}
		for _, s := range p.visit.MyTables() { // a game that a lost connection left behind
			if s.Config.Event.ID == event.ID(id) {
				return p.goTo(ctx, s.Table)
			}
		}
		return nil
	})
}

func register(ctx context.Context, c *call) error {
	if c.Key == nil {
		return lobby.ErrMembersOnly
	}
	a, err := c.Club.Register(ctx, c.Origin, c.args[0])
	if err != nil {
		return err
	}
	c.Account = a
	row := Registered{Name: a.Name, Kind: plain.Member}
	if c.opt.Bot {
		if err := c.markBot(ctx); err != nil {
			return err
		}
		row.Kind = plain.Bot
	}
	c.write(row, "You are "+a.Name+". Your key is your account: keep it safe, and come back with it.")
	return nil
}

// Registered is the answer to register.
type Registered struct {
	Name string `json:"name"`
	Kind string `json:"kind" means:"member or bot"`
}

func (c *call) markBot(ctx context.Context) error {
	v, err := c.enter(ctx)
	if err != nil {
		return err
	}
	defer v.Close(table.Left)
	return v.SetBot(ctx, true)
}

// taken is a table at which the caller has taken a seat.
type taken struct {
	plain.Listed
	code string
}

// takens describes the answer to new and join.
var takens = &plain.Rows[taken]{
	Object: "taken", About: "The answer to `new` and `join`: all fields of [table](#table), and",
	Columns: append(plain.Under(plain.Tables, func(t *taken) *plain.Listed { return &t.Listed }),
		plain.Col("code", "", func(t *taken) string { return t.code })),
}

// taken writes which seat the caller has taken. It returns a refusal for a bot's seat that was promised for the
// next round: such a promise does not outlast the caller's session.
func (c *call) taken(v *lobby.Visit, ans *feature.Answer) error {
	for _, s := range v.MyTables() {
		if s.Table != ans.Go {
			continue
		}
		row := taken{plain.Listed{Summary: &s, For: v.Reader()}, ans.Code}
		if s.SeatOf(row.For.ID) == 0 {
			return table.ErrInGame
		}
		if c.opt.JSON {
			c.out.json(takens.JSON(&row))
			return nil
		}
		kept := "two minutes"
		if s.Config.Pace == table.PaceSlow {
			kept = "a day"
		}
		c.out.line(row.Say(), fmt.Sprintf("You have seat %d. It is kept for %s: ssh -t %s play %d", s.SeatOf(row.For.ID), kept, c.Address,
			s.Table))
		if ans.Code != "" {
			c.out.line("Others can join with ssh -t " + c.Address + " join " + ans.Code)
		}
	}
	return nil
}
