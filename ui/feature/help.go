package feature

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/ui/plain"
)

// Help is one row of the list of commands.
type Help struct {
	Command string     `json:"command" means:"its name"`
	Args    string     `json:"args"`
	Does    string     `json:"does"`
	Flags   []HelpFlag `json:"flags" kind:"flags"`
	Words   []HelpWord `json:"words" kind:"words" means:"that describe a new table"`
}

// HelpFlag is a flag of a command.
type HelpFlag struct {
	Flag    string `json:"flag"`
	Default string `json:"default"`
	Does    string `json:"does"`
}

// HelpWord is a word such as seats=4 that configures a new table.
type HelpWord struct {
	Word   string `json:"word" means:"what comes before \"=\"; \"RULES\" is literal: it stands for a rule string"`
	Values string `json:"values" means:"what may follow it"`
	Does   string `json:"does"`
}

func (f *Feature) row() Help {
	h := Help{Command: f.Name, Args: f.Args, Does: f.Does, Flags: []HelpFlag{}, Words: []HelpWord{}}
	f.FlagSet(new(Options)).VisitAll(func(p *pflag.Flag) {
		h.Flags = append(h.Flags, HelpFlag{Flag: "--" + p.Name, Default: p.DefValue, Does: p.Usage})
	})
	if f.Words != nil {
		h.Words = text.Each(f.Words(), func(w [3]string) HelpWord { return HelpWord{Word: w[0], Values: w[1], Does: w[2]} })
	}
	return h
}

// sentence returns the feature's help as line mode and the chat show it.
func (f *Feature) sentence(way Way) string {
	if way == Chat {
		return "/" + f.Form() + " - " + f.Does
	}
	s := f.Form()
	if len(f.Short) > 0 {
		s += " (" + strings.Join(f.Short, ", ") + ")"
	}
	return s + ": " + f.Does + "."
}

// help lists the features that the person may use where they are, or explains one.
func help(_ context.Context, q *Ask) (Answer, error) {
	if q.Way == Chat {
		if err := q.Visit.List(); err != nil {
			return Answer{}, err
		}
	}
	all := slices.DeleteFunc(All(), func(f Feature) bool { return f.In&q.Way == 0 || f.Operator && !q.Visit.Operator() })
	if len(q.Words) > 0 && q.Way != Chat {
		one, ok := Find(q.Way, q.Words[0])
		if other, elsewhere := Find(SSH|Line, q.Words[0]); !ok && elsewhere && !q.Options.JSON {
			return Say(append([]string{NoCommand(q.Way, other.Name, q.Address).Error()}, other.explain(Line)...)...), nil
		}
		if !ok {
			return Answer{}, NoCommand(q.Way, q.Words[0], q.Address)
		}
		if all = []Feature{one}; !q.Options.JSON {
			return Say(one.explain(q.Way)...), nil
		}
	}
	if q.Options.JSON {
		return q.tell(text.Each(all, func(f Feature) any { return f.row() })), nil
	}
	if q.Way == SSH {
		rows := text.Each(all, func(f Feature) []string { return []string{f.Form(), f.Does} })
		told := []string{"ssh -t " + q.Address + " enters the club.", "ssh " + q.Address + " COMMAND runs one command:", ""}
		told = append(told, plain.Cells("COMMAND WHAT_IT_DOES", rows)...)
		return Say(append(told, "", "--json answers with one JSON object per line; help COMMAND lists other flags.")...), nil
	}
	var here, everywhere []string
	for i := range all {
		if s := all[i].sentence(q.Way); all[i].AtTable {
			here = append(here, s)
		} else {
			everywhere = append(everywhere, s)
		}
	}
	if q.At == nil || q.Way == Chat {
		return Say(everywhere...), nil
	}
	return Say(slices.Concat([]string{"At the table:"}, here, []string{"Everywhere:"}, everywhere)...), nil
}

// NoCommand returns the error for a name that no feature of a way has: it says how else to ask for the
// feature, or which names are like it. address is the part of an ssh command that names the club.
func NoCommand(way Way, name, address string) error {
	if name = strings.TrimPrefix(name, "/"); name == "admin" && way == SSH {
		return Usage("The operators' page is for operators, and needs a terminal: ssh -t " + address + " admin")
	}
	if f, ok := Find(SSH|Line, name); ok && way == SSH {
		return Usage(f.Name + " is a command of line mode, which ssh -T " + address + " enters.")
	} else if ok {
		return Usage(f.Name + " is a command over ssh: ssh " + address + " " + f.Form())
	}
	var of []string
	for i := range features() {
		if f := &all.list[i]; f.In&way != 0 && !f.Operator {
			of = append(of, f.Name)
		}
	}
	say := "There is no command " + quoted(name) + "; "
	if names := Like(name, of); len(names) > 0 {
		return Usage(say + "do you mean " + text.Join(names[:min(3, len(names))], " or ") + "? help lists all.")
	}
	return Usage(say + "help lists them.")
}

// quoted is what somebody has typed, as an answer repeats it.
func quoted(typed string) string { return strconv.Quote(text.Clip(typed, 60)) }

// Like returns those of the names that a mistyped one may stand for.
func Like(typed string, of []string) []string {
	if typed == "" { // with which all begin
		return nil
	}
	like := cobra.Command{SuggestionsMinimumDistance: min(2, len(typed)-2)}
	for _, name := range of {
		like.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	return like.SuggestionsFor(typed)
}

// explain returns the full help of a feature.
func (f *Feature) explain(way Way) []string {
	h := f.row()
	if way != SSH {
		told := []string{f.sentence(way)}
		for _, w := range h.Words {
			told = append(told, w.Word+", "+w.Values+": "+w.Does+".")
		}
		if f.More != nil {
			told = append(told, f.More()...)
		}
		return told
	}
	told := []string{f.Form() + ": " + f.Does, ""}
	flag := func(p HelpFlag) []string { return []string{p.Flag, strings.TrimSuffix(p.Default, "false"), p.Does} }
	if len(h.Flags) > 0 {
		told = append(told, plain.Cells("FLAG DEFAULT WHAT_IT_DOES", text.Each(h.Flags, flag))...)
	}
	if len(h.Words) == 0 {
		return told
	}
	told = append(told, "", "Words describe the new table, such as: new classic target=100 seats=4 bots=now", "")
	return append(told, plain.Cells("WORD VALUES WHAT_IT_MEANS",
		text.Each(h.Words, func(w HelpWord) []string { return []string{w.Word, w.Values, w.Does} }))...)
}

// FlagSet returns the flags of a feature over ssh.
func (f *Feature) FlagSet(o *Options) *pflag.FlagSet {
	set := pflag.NewFlagSet(f.Name, pflag.ContinueOnError)
	set.Usage = func() {}
	set.SortFlags = false
	if !f.NoJSON {
		set.BoolVar(&o.JSON, "json", false, "one JSON object per line")
	}
	if f.Flags != nil {
		f.Flags(set, o)
	}
	return set
}

func standingsFlags(f *pflag.FlagSet, o *Options) {
	f.StringVar(&o.Game, "game", "", "of one game only: "+strings.Join(rules.PresetNames(), ", "))
	f.StringVar(&o.Month, "month", "", "of one month only, such as 2026-11")
	f.IntVar(&o.Limit, "limit", 100, "how many rows at most, up to 1000")
}

func gamesFlags(f *pflag.FlagSet, o *Options) {
	f.IntVar(&o.Limit, "limit", 50, "how many rows at most, up to 1000")
	f.Int64Var(&o.Before, "before", 0, "only games with a lower number: the next page of a list")
}

func showFlags(f *pflag.FlagSet, o *Options) {
	f.BoolVar(&o.Chances, "chances", false, "with --json: the chances to win after each move")
}

func botFlag(f *pflag.FlagSet, o *Options) {
	f.BoolVar(&o.Bot, "bot", false, "mark the account as a program's, permanently; its games are casual")
}
