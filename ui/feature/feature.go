// Package feature is all that can be asked of the club, or done in it, by words: it knows each feature's name, arguments, help and
// answer, and must not know how the words came here or where the answer goes.
//
// Commands of ssh, line mode and the chat's commands, which begin with a slash, are ways to the same features. Text, JSON, help and
// docs/commands.md follow from what is described here.
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

// Way is a way to features.
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
	In       Way      // the ways to it
	Args     string   // as help shows them; those in brackets may be missing
	Does     string
	Rows     []plain.Describer                           // what --json writes and no feature before it does
	AtTable  bool                                        // in line mode: only while a table is looked at
	Operator bool                                        // for operators only
	Disk     bool                                        // it asks for nothing but what is on disk
	NoJSON   bool                                        // ssh has no --json
	NoVisit  bool                                        // over ssh it asks nothing of the club, and answers whoever may not come in
	Seats    bool                                        // it takes a seat
	Lists    bool                                        // it counts as a list, see [lobby.Visit.List]
	Acts     func(words []string) bool                   // whether it does something for which the caller comes in, over ssh; nil: never
	Flags    func(f *pflag.FlagSet, o *Options)          // over ssh
	Words    func() [][3]string                          // words that it takes, their values, and what they mean
	More     func() []string                             // what else help says in line mode
	Run      func(context.Context, *Ask) (Answer, error) // nil: each way to it carries it out itself
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

// Input is what a caller sends. Read does not wait if Ready has had a value.
type Input interface {
	io.Reader
	Ready() <-chan struct{}
}

// Caller is somebody who calls the club, however it shows itself to them: on a screen, line by line, or by the answer to a command.
type Caller struct {
	Club    *lobby.Lobby
	Account *lobby.Account // nil: not known yet, or a guest
	Key     *lobby.KeyID   // nil for a guest
	Origin  lobby.Origin
	User    string      // the name that was given to ssh, cleaned; it proposes a name on the first visit
	Address string      // for invitations, the part of the ssh command that names this club: "-p 2222 localhost"
	Start   page.Target // where the person wants to go at once, if they stay
	Out     io.Writer   // on a screen, its Write must fail where the terminal takes nothing for long
	Log     *slog.Logger

	// Moved is told where the person is, as it changes. It must not wait for long, and may be nil.
	Moved func(page.Target)
	// Entered is told who the person is in the club, once. The same holds for it.
	Entered func(table.Player)
}

// Ask is a feature that is asked for.
type Ask struct {
	Way     Way
	Visit   *lobby.Visit
	Words   []string    // the arguments
	At      *table.View // the table that is looked at, nil for none
	Options Options
	Address string // the part of an ssh command that names the club
	Now     time.Time
}

// Answer is what a feature answers.
type Answer struct {
	Lines    []string // to read
	Rows     []any    // for programs
	Go       table.ID // where it leads: a table at which the person has a seat, or which they watch
	Code     string   // of that table, if it is private and new
	CRLF     bool     // the lines are of a format in which they end so
	Question string   // must be answered with yes before Yes is done
	Yes      func(context.Context, *Ask) (Answer, error)
}

// Say is an answer of lines alone.
func Say(lines ...string) Answer { return Answer{Lines: lines} }

// said is an answer of one line, unless what it says has failed.
func said(line string, err error) (Answer, error) {
	if err != nil {
		return Answer{}, err
	}
	return Say(line), nil
}

// ErrOurSide is what is said of an error that is not for the player.
const ErrOurSide text.Refusal = "Something went wrong on our side; please try again."

// Usage is returned for words that cannot be understood.
type Usage string

func (u Usage) Error() string { return string(u) }

// As makes it a refusal for callers that do not tell the kinds apart.
func (u Usage) As(target any) bool {
	r, ok := target.(*text.Refusal)
	if ok {
		*r = text.Refusal(u)
	}
	return ok
}

const (
	ErrNoCommand text.Refusal = "There is no such command; help lists them."
	errNumber    Usage        = "That needs a number."
)

// all are all features. They are made at the first use, since one of them lists them.
var all struct {
	once sync.Once
	list []Feature
}

// features are all features, in the order of help; nobody may change them.
func features() []Feature {
	all.once.Do(func() { all.list = slices.Concat(clubFeatures(), tableFeatures(), chatFeatures()) })
	return all.list
}

// All lists all features, in the order of help.
func All() []Feature { return slices.Clone(features()) }

// Find returns the feature with that name. In line mode it may be a shorter one.
func Find(way Way, name string) (Feature, bool) {
	name = strings.ToLower(name)
	for i := range features() {
		if f := &all.list[i]; f.In&way != 0 && (f.Name == name || way == Line && slices.Contains(f.Short, name)) {
			return *f, true
		}
	}
	return Feature{}, false
}

// Form is how a feature is asked for: "join CODE|N".
func (f *Feature) Form() string { return strings.TrimSpace(f.Name + " " + f.Args) }

// Takes returns how many arguments the feature needs, and takes; -1: any number.
func (f *Feature) Takes() (least, most int) {
	depth := 0
	for _, word := range strings.Fields(f.Args) {
		most++
		if depth == 0 && word[0] != '[' {
			least++
		}
		depth += strings.Count(word, "[") - strings.Count(word, "]")
	}
	for _, many := range []string{"WORDS", "TEXT", "CODE", "WHY"} {
		if strings.Contains(f.Args, many) {
			return least, -1
		}
	}
	return least, most
}

// Carry carries out a feature that has a Run, for somebody who gave enough arguments.
func (f *Feature) Carry(ctx context.Context, q *Ask) (Answer, error) {
	if least, _ := f.Takes(); len(q.Words) < least {
		if f.More != nil {
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

// list returns the answer that lists items: rows for programs, columns over ssh, and sentences otherwise, below a first line, or
// another one if there is nothing to list: none, or what the rows say then.
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

// Number reads a number such as that of a table.
func Number(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 {
		return 0, Usage(strconv.Quote(text.Clip(s, 60)) + " is not a number.")
	}
	return n, nil
}
