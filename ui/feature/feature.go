// Package feature is all that can be asked of the club, or done in it, by words: it knows each feature's
// name, arguments, help and answer, and must not know how the words came here or where the answer goes.
//
// ssh commands, line mode and chat commands, which begin with a slash, are ways to the same features. Text,
// JSON, help and docs/commands.md all follow from the descriptions here.
package feature

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

// Way is a way to ask for features.
type Way uint8

const (
	SSH  Way = 1 << iota // ssh HOST COMMAND: text in columns, or JSON
	Line                 // line mode: sentences
	Chat                 // a line of chat that begins with a slash: sentences
)

// Feature is something that can be asked or done.
type Feature struct {
	Name     string
	Short    []string // shorter names, in line mode
	In       Way      // the ways to ask for it
	Args     string   // as help shows them; those in brackets are optional
	Does     string
	Rows     []plain.Describer                  // what --json writes, if no feature before it does
	AtTable  bool                               // in line mode: only at a table
	Operator bool                               // for operators only
	Disk     bool                               // it needs only what is on disk
	NoJSON   bool                               // ssh has no --json
	NoVisit  bool                               // over ssh it needs no visit, and answers even those who may not come in
	Seats    bool                               // it takes a seat
	Lists    bool                               // it counts as a list, see [lobby.Visit.List]
	Acts     func(words []string) bool          // whether over ssh it does something that needs the caller to enter; nil: never
	Flags    func(f *pflag.FlagSet, o *Options) // over ssh
	Words    func() [][3]string                 // words that it takes, with their values and meanings
	More     func() []string                    // more help in line mode
	// Run is nil if each way to the feature carries it out itself. Over ssh and in line mode an answer with
	// an error is not used.
	Run func(context.Context, *Ask) (Answer, error)
}

// Options are the flags of all commands.
type Options struct {
	JSON    bool
	Game    string
	Month   string
	Limit   int
	Before  int64
	Bot     bool
	Chances bool
}

// Input is what a caller sends. After a receive from Ready, Read does not block.
type Input interface {
	io.Reader
	Ready() <-chan struct{}
}

// Caller is somebody who calls the club, whether it answers with screens, line by line, or to one command.
type Caller struct {
	Club    *lobby.Lobby
	Account *lobby.Account // nil: not known yet, or a guest
	Key     *lobby.KeyID   // nil for a guest
	Origin  lobby.Origin
	User    string      // the user name given to ssh, cleaned; the basis of the name proposed on the first visit
	Address string      // for invitations, the part of the ssh command that names this club: "-p 2222 localhost"
	Start   page.Target // where the person wants to go first, if they stay
	Out     io.Writer   // for screens, Write must fail if the terminal accepts nothing for long
	Log     *slog.Logger

	// Moved is called with where the person is whenever that changes. It must return soon, and may be nil.
	Moved func(page.Target)
	// Entered is called once with who the person is in the club. It too must return soon, and may be nil.
	Entered func(table.Player)
}

// Ask is one request for a feature.
type Ask struct {
	Way     Way
	Visit   *lobby.Visit
	Words   []string    // the arguments
	At      *table.View // the table that the person is at; nil for none
	Options Options
	Address string // the part of an ssh command that names the club
	Now     time.Time
}

// Answer is a feature's answer.
type Answer struct {
	Lines    []string // to read
	Rows     []any    // for programs
	Go       table.ID // the table to go to: one where the person has a seat, or watches
	Code     string   // of that table, if it is private and new
	CRLF     bool     // the format of the lines needs CR LF
	Question string   // must be answered with yes before Yes is called
	Yes      func(context.Context, *Ask) (Answer, error)
}

// Say returns an answer of lines alone.
func Say(lines ...string) Answer { return Answer{Lines: lines} }

// said returns an answer of one line, or the error if there is one.
func said(line string, err error) (Answer, error) {
	if err != nil {
		return Answer{}, err
	}
	return Say(line), nil
}

// ErrOurSide stands for an error that is not for the player.
const ErrOurSide text.Refusal = "Something went wrong on our side; please try again."

// Usage is the error for words that cannot be understood.
type Usage = text.Usage

// misused returns an error of a parser as one for words that cannot be understood; nil stays nil.
func misused(err error) error {
	if err != nil {
		err = Usage(plain.Sentence(err))
	}
	return err
}

// parseTable is [plain.ParseTable] for words.
func parseTable(words []string) (table.Config, error) {
	t, err := plain.ParseTable(words)
	return t, misused(err)
}

const errNumber Usage = "That needs a number."

// all holds the features. They are built at first use, since one of them lists them all.
var all struct {
	once sync.Once
	list []Feature
}

// features returns all features, in the order of help; callers must not change them.
func features() []Feature {
	all.once.Do(func() {
		all.list = slices.Concat(clubFeatures(), tableFeatures())
		all.list = append(all.list, chatFeatures(all.list)...)
	})
	return all.list
}

// All returns all features, in the order of help.
func All() []Feature { return slices.Clone(features()) }

// Find returns the feature with a name. In line mode a shorter name will do.
func Find(way Way, name string) (Feature, bool) {
	name = strings.ToLower(name)
	for i := range features() {
		if f := &all.list[i]; f.In&way != 0 && (f.Name == name || way == Line && slices.Contains(f.Short, name)) {
			return *f, true
		}
	}
	return Feature{}, false
}

// Form returns how to ask for a feature: "join CODE|N".
func (f *Feature) Form() string { return strings.TrimSpace(f.Name + " " + f.Args) }

// Takes returns the least and the most arguments that the feature takes; -1 means any number.
func (f *Feature) Takes() (least, most int) {
	depth := 0
	for _, word := range strings.Fields(f.Args) {
		most++
		if depth == 0 && word[0] != '[' {
			least++
		}
		depth += strings.Count(word, "[") - strings.Count(word, "]")
	}
	for _, many := range []string{"WORDS", "TEXT", "CODE", "WHY", "RULES"} {
		if strings.Contains(f.Args, many) {
			return least, -1
		}
	}
	return least, most
}

// Carry carries out a feature that has a Run, if there are as many arguments as it takes.
func (f *Feature) Carry(ctx context.Context, q *Ask) (Answer, error) {
	if least, most := f.Takes(); len(q.Words) < least || most >= 0 && len(q.Words) > most {
		if f.More != nil && len(q.Words) < least {
			return Say(f.More()...), nil
		}
		slash := ""
		if q.Way == Chat {
			slash = "/"
		}
		return Answer{}, Usage("Use " + slash + f.Form() + ".")
	}
	if f.Lists {
		if err := q.Visit.List(); err != nil {
			return Answer{}, err
		}
	}
	return f.Run(ctx, q)
}

// list returns an answer that lists items: rows for programs, columns over ssh, otherwise sentences below a
// first line; say is [plain.Rows.Say] if it is nil. If there are no items it says none, or what the rows have
// for that.
func list[T any](q *Ask, rows *plain.Rows[T], items []T, first, none string, say func(item *T) string) Answer {
	switch {
	case q.Options.JSON:
		return Answer{Rows: rows.Objects(items)}
	case q.Way == SSH:
		return Say(rows.Lines(items)...)
	}
	var lines []string
	if first != "" {
		lines = append(lines, first)
	}
	if say == nil {
		say = rows.Say
	}
	for i := range items {
		lines = append(lines, say(&items[i]))
	}
	if none = cmp.Or(none, rows.None); len(items) == 0 && none != "" {
		lines = append(lines, none)
	}
	return Say(lines...)
}

// tell returns an answer of sentences, or of rows for programs.
func (q *Ask) tell(rows []any, lines ...string) Answer {
	if q.Options.JSON {
		return Answer{Rows: rows}
	}
	return Say(lines...)
}

func (q *Ask) text() string { return strings.Join(q.Words, " ") }

// Number parses a number such as that of a table.
func Number(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 {
		return 0, Usage(quoted(s) + " is not a number.")
	}
	return n, nil
}
