package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/plain"
)

// command is one command that the club knows.
type command struct {
	name  string
	args  string // as help shows them
	does  string
	least int  // arguments that it needs
	most  int  // and takes; -1: any number
	disk  bool // it asks for nothing but what is on disk
	flags func(f *pflag.FlagSet, o *options)
	run   func(ctx context.Context, c *call) error
}

// options are the flags of all commands, and the arguments.
type options struct {
	args   []string
	json   bool
	game   string
	month  string
	limit  int
	before int64
	bot    bool

	chances bool
}

// commands are shown by help in this order. It is a function, since one of them lists them.
func commands() []command {
	return []command{
		{name: "help", disk: true, args: "[COMMAND]", does: "this list, or all about one command", most: 1, run: help},
		{name: "who", does: "who is here, and what they are doing", run: who},
		{name: "whois", disk: true, args: "NAME", does: "a person: rating, last games, and your results against them", least: 1, most: 1, run: whois},
		{name: "tables", does: "the tables; where you can sit down comes first", run: tables},
		{name: "standings", disk: true, args: "[teams|pairs|players]", does: "the standings", most: 1, flags: standingsFlags, run: standings},
		{name: "games", disk: true, args: "[WORDS]", does: "games by player, team, rules or date; newest first", most: -1, flags: gamesFlags, run: games},
		{name: "show", disk: true, args: "[game|table] N", does: "a finished game, or else a table as it is now", least: 1, most: 2, flags: showFlags, run: show},
		{name: "watch", args: "N", does: "a table, move by move until its game is over", least: 1, most: 1, run: watch},
		{name: "arena", args: plain.ArenaUsage, does: "arenas, or the standings of one; arena N enter, leave, or play as a program", most: -1, flags: botFlag, run: arena},
		{name: "league", args: plain.ContestUsage, does: "leagues of teams, or the standings and matches of one; captains sign up, propose times and set line-ups", most: -1, run: events(plain.AskLeague)},
		{name: "cup", args: plain.ContestUsage, does: "cups of teams, or the bracket and matches of one; used like league", most: -1, run: events(plain.AskCup)},
		{name: "duplicate", args: plain.DuplicateUsage, does: "matches of two teams that play the same deals at two tables: list, show, create or join them", most: -1, run: events(plain.AskDuplicate)},
		{name: "field", args: plain.FieldUsage, does: "duplicate arenas, where everybody plays the same deals: list, show, create or join them", most: -1, run: events(plain.AskField)},
		{name: "calendar", does: "what is coming up, as iCalendar: calendar > boneyard.ics", run: calendar},
		{name: "wall", args: "[EVENT]", most: 1, does: "many tables on one screen, the best first; needs a terminal (ssh -t)", run: wall},
		{name: "export", disk: true, args: "N", does: "the record of a finished game, for boneyard verify", least: 1, most: 1, run: export},
		{name: "coach", args: "N", does: "what your decisions in a finished game were worth", least: 1, most: 1, run: coached},
		{name: "daily", args: "[DAY]", does: "the daily deal: your result, the day's standings, what others played", most: 1, run: dailyDeal},
		{name: "register", args: "NAME", does: "create an account for your key", least: 1, most: 1, flags: botFlag, run: register},
		{name: "new", args: "[WORDS]", does: "create a table; your seat is kept for two minutes", most: -1, run: newTable},
		{name: "join", args: "CODE|N", does: "take a seat and play in line mode", least: 1, most: 2, run: join},
		{name: "play", args: "CODE|N|new [WORDS]", does: "take a seat and play, with --json --bot as a program", least: 1, most: -1, flags: botFlag, run: play},
	}
}

// OnDisk reports whether a command asks for nothing but what is on disk, such as finished games: a club without people and tables can
// answer it, too.
func OnDisk(words []string) bool {
	return len(words) > 0 && slices.ContainsFunc(commands(), func(c command) bool { return c.disk && c.name == words[0] })
}

func standingsFlags(f *pflag.FlagSet, o *options) {
	f.StringVar(&o.game, "game", "", "of one game only: "+strings.Join(rules.PresetNames(), ", "))
	f.StringVar(&o.month, "month", "", "of one month only, such as 2026-11")
	f.IntVar(&o.limit, "limit", 100, "how many rows at most, up to 1000")
}

func gamesFlags(f *pflag.FlagSet, o *options) {
	f.IntVar(&o.limit, "limit", 50, "how many rows at most, up to 1000")
	f.Int64Var(&o.before, "before", 0, "only games with a lower number: the next page of a list")
}

func showFlags(f *pflag.FlagSet, o *options) {
	f.BoolVar(&o.chances, "chances", false, "with --json: the chances to win after each move, which take a moment to compute")
}

func botFlag(f *pflag.FlagSet, o *options) {
	f.BoolVar(&o.bot, "bot", false, "mark the account as a program's, permanently; its games are casual")
}

// flagSet is the flags of a command; --json is one of all but export.
func (cmd *command) flagSet(o *options) *pflag.FlagSet {
	f := pflag.NewFlagSet(cmd.name, pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	f.SortFlags = false
	if cmd.name != "export" {
		f.BoolVar(&o.json, "json", false, "one JSON object per line")
	}
	if cmd.flags != nil {
		cmd.flags(f, o)
	}
	return f
}

// usage is the form of a command.
func (cmd *command) usage() string { return strings.TrimSpace(cmd.name + " " + cmd.args) }

// parse finds the command and reads its flags.
func (c *call) parse() (*command, error) {
	name := c.Command[0]
	list := commands()
	i := slices.IndexFunc(list, func(cmd command) bool { return cmd.name == name })
	if i < 0 {
		return nil, usageError{"There is no command " + strconv.Quote(text.Clip(name, quoted)) + "; help lists them."}
	}
	cmd := &list[i]
	f := cmd.flagSet(&c.opt)
	err := f.Parse(c.Command[1:])
	if errors.Is(err, pflag.ErrHelp) {
		c.Command = []string{"help", name}
		return c.parse()
	}
	if wrong := (*pflag.InvalidValueError)(nil); errors.As(err, &wrong) {
		err = fmt.Errorf("--%s: %w", wrong.GetFlag().Name, plain.WrongValue(wrong.GetValue(), errors.Unwrap(wrong)))
	}
	if err != nil {
		return nil, usageError{cmd.name + ": " + text.Clip(err.Error(), 4*quoted) + "; use " + cmd.usage() + "; help " + cmd.name + " lists its flags."}
	}
	c.opt.args = f.Args()
	if n := len(c.opt.args); n < cmd.least || cmd.most >= 0 && n > cmd.most {
		return nil, usageError{"Use " + cmd.usage() + "; help " + cmd.name + " says more."}
	}
	if f.Lookup("limit") != nil && (c.opt.limit < 1 || c.opt.limit > mostRows || c.opt.before < 0) {
		return nil, usageError{cmd.name + ": --limit must be from 1 to 1000, and --before the number of a game."}
	}
	return cmd, nil
}

// quoted is how many columns of a word a message repeats.
const quoted = 60

// mostRows is how many rows a list has at most.
const mostRows = 1000

// Help is one row of the list of commands.
type Help struct {
	Command string     `json:"command" means:"its name"`
	Args    string     `json:"args" means:"its arguments"`
	Does    string     `json:"does" means:"what it does"`
	Flags   []HelpFlag `json:"flags" kind:"flags" means:"its flags"`
	Words   []HelpWord `json:"words" kind:"words" means:"that describe a new table"`
}

// HelpFlag is a flag of a command.
type HelpFlag struct {
	Flag    string `json:"flag" means:"with its dashes"`
	Default string `json:"default" means:"what it is if it is not given"`
	Does    string `json:"does" means:"what it does"`
}

// HelpWord is a word such as seats=4 that says how a new table is.
type HelpWord struct {
	Word   string `json:"word" means:"what comes before \"=\"; \"RULES\" is literal: it stands for a rule string"`
	Values string `json:"values" means:"what may follow it"`
	Does   string `json:"does" means:"what it means"`
}

func (cmd *command) help() Help {
	h := Help{Command: cmd.name, Args: cmd.args, Does: cmd.does, Flags: []HelpFlag{}, Words: []HelpWord{}}
	cmd.flagSet(new(options)).VisitAll(func(f *pflag.Flag) {
		h.Flags = append(h.Flags, HelpFlag{Flag: "--" + f.Name, Default: f.DefValue, Does: f.Usage})
	})
	if strings.Contains(cmd.args, "WORDS") && cmd.name != "games" {
		for _, w := range plain.TableWords() {
			h.Words = append(h.Words, HelpWord{Word: w[0], Values: w[1], Does: w[2]})
		}
	}
	return h
}

func help(_ context.Context, c *call) error {
	list := commands()
	if len(c.opt.args) == 1 {
		list = slices.DeleteFunc(list, func(cmd command) bool { return cmd.name != c.opt.args[0] })
		if len(list) == 0 {
			return usageError{"There is no command " + strconv.Quote(text.Clip(c.opt.args[0], quoted)) + "; help lists them."}
		}
	}
	if c.opt.json {
		for i := range list {
			c.out.json(list[i].help())
		}
		return nil
	}
	if len(c.opt.args) == 1 {
		c.helpOf(&list[0])
		return nil
	}
	c.out.line("ssh -t "+c.Address+" enters the club.", "ssh "+c.Address+" COMMAND runs one command:", "")
	rows := make([][]string, len(list))
	for i := range list {
		rows[i] = []string{list[i].usage(), list[i].does}
	}
	c.out.line(plain.Cells("COMMAND WHAT_IT_DOES", rows)...)
	c.out.line("", "--json answers with one JSON object per line; help COMMAND lists other flags.")
	return nil
}

// helpOf tells all about one command.
func (c *call) helpOf(cmd *command) {
	h := cmd.help()
	c.out.line(cmd.usage()+": "+h.Does, "")
	rows := make([][]string, len(h.Flags))
	for i, f := range h.Flags {
		rows[i] = []string{f.Flag, strings.TrimSuffix(f.Default, "false"), f.Does}
	}
	if len(rows) > 0 {
		c.out.line(plain.Cells("FLAG DEFAULT WHAT_IT_DOES", rows)...)
	}
	if len(h.Words) == 0 {
		return
	}
	c.out.line("", "Words describe the new table, such as: new classic target=100 seats=4 bots=now", "")
	rows = nil
	for _, w := range h.Words {
		rows = append(rows, []string{w.Word, w.Values, w.Does})
	}
	c.out.line(plain.Cells("WORD VALUES WHAT_IT_MEANS", rows)...)
}

// month is how a month is written.
var month = regexp.MustCompile(`^[0-9]{4}-(0[1-9]|1[0-2])$`)

// numbered reads the number of a table or a game.
func numbered(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 {
		return 0, usageError{strconv.Quote(text.Clip(s, quoted)) + " is not a number."}
	}
	return n, nil
}

// register makes an account.
func register(ctx context.Context, c *call) error {
	if c.Key == nil {
		return errNoKey
	}
	a, err := c.Club.Register(ctx, c.Origin, c.opt.args[0])
	if err != nil {
		return err
	}
	c.Account = a
	row := Registered{Name: a.Name, Kind: plain.Member}
	if c.opt.bot {
		if err := c.markBot(ctx); err != nil {
			return err
		}
		row.Kind = plain.Bot
	}
	if c.opt.json {
		c.out.json(row)
		return nil
	}
	c.out.line("You are " + a.Name + ". Your key is your account: keep it safe, and come back with it.")
	return nil
}

// Registered is the answer to register.
type Registered struct {
	Name string `json:"name" means:"the name of the account"`
	Kind string `json:"kind" means:"member or bot"`
}

// markBot marks the account as a program's.
func (c *call) markBot(ctx context.Context) error {
	v, err := c.enter(ctx)
	if err != nil {
		return err
	}
	defer v.Close(table.Left)
	return v.SetBot(ctx, true)
}
