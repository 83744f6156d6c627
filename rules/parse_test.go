package rules

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every house rule and what it changes: the rule string, its canonical form and the value of the key.
func TestHouseRules(t *testing.T) {
	for _, c := range []struct {
		rule, canonical, key, value string
		changed                     func(r *Ruleset) bool
	}{
		{"classic hand=6", "classic hand=6", "hand", "6", func(r *Ruleset) bool { return r.Hand == [3]int{6, 6, 6} }},
		{"classic hand=9/7/5", "classic hand=9/7/5", "hand", "9/7/5",
			func(r *Ruleset) bool { return r.HandSize(2) == 9 && r.HandSize(3) == 7 && r.HandSize(4) == 5 }},
		{"spruce hand=9/7/5", "spruce", "hand", "9/7/5", func(r *Ruleset) bool { return *r == presets[Spruce] }},
		{"azneef hand=7/7/7", "azneef", "hand", "7", func(r *Ruleset) bool { return *r == presets[Azneef] }},
		{"classic teams=on", "classic teams=on", "teams", "on", func(r *Ruleset) bool { return r.Teams }},
		{"classic teams=off", "classic", "teams", "off", func(r *Ruleset) bool { return !r.Teams }},
		{"block teams=on", "block", "teams", "on", func(r *Ruleset) bool { return r.Teams }},
		{"classic lead=double", "classic lead=double", "lead", "double", func(r *Ruleset) bool { return r.Lead == LeadDouble }},
		{"azneef lead=lot", "azneef lead=lot", "lead", "lot", func(r *Ruleset) bool { return r.Lead == LeadLot }},
		{"azneef lead=six", "azneef lead=six", "lead", "six", func(r *Ruleset) bool { return r.Lead == LeadSix }},
		{"sniff next=winner", "sniff next=winner", "next", "winner", func(r *Ruleset) bool { return r.Next == NextWinner }},
		{"classic next=domino", "classic next=domino", "next", "domino", func(r *Ruleset) bool { return r.Next == NextDomino }},
		{"classic next=lead", "classic next=lead", "next", "lead", func(r *Ruleset) bool { return r.Next == NextLead }},
		{"block spinner=first order=any", "block spinner=first order=any", "spinner", "first",
			func(r *Ruleset) bool { return r.Spinner == SpinnerFirst && r.Order == OrderAny }},
		{"classic spinner=all", "classic spinner=all", "spinner", "all", func(r *Ruleset) bool { return r.Spinner == SpinnerAll }},
		{"classic spinner=none", "classic spinner=none", "spinner", "none", func(r *Ruleset) bool { return r.Spinner == SpinnerNone }},
		{"classic order=sides", "classic order=sides", "order", "sides", func(r *Ruleset) bool { return r.Order == OrderSides }},
		{"sniff order=any", "sniff order=any", "order", "any", func(r *Ruleset) bool { return r.Order == OrderAny }},
		{"classic count=flank", "classic count=flank", "count", "flank", func(r *Ruleset) bool { return r.Count == CountFlank }},
		{"azneef count=sniff", "azneef count=sniff", "count", "sniff", func(r *Ruleset) bool { return r.Count == CountSniff }},
		{"block multiple=5", "block multiple=5", "multiple", "5", func(r *Ruleset) bool { return r.Multiple == 5 }},
		{"classic multiple=3", "classic multiple=3", "multiple", "3", func(r *Ruleset) bool { return r.Multiple == 3 }},
		{"classic end=take multiple=0", "classic multiple=0 end=take", "multiple", "0", func(r *Ruleset) bool { return r.Multiple == 0 }},
		{"classic draw=2", "classic draw=2", "draw", "2", func(r *Ruleset) bool { return r.Draw == 2 }},
		{"azneef draw=all", "azneef draw=all", "draw", "all", func(r *Ruleset) bool { return r.Draw == DrawAll }},
		{"classic draw=none", "classic draw=none", "draw", "none", func(r *Ruleset) bool { return r.Draw == DrawNone }},
		{"classic end=award", "classic end=award", "end", "award", func(r *Ruleset) bool { return r.End == EndAward }},
		{"classic end=subtract", "classic end=subtract", "end", "subtract", func(r *Ruleset) bool { return r.End == EndSubtract }},
		{"azneef end=bonus", "azneef end=bonus", "end", "bonus", func(r *Ruleset) bool { return r.End == EndBonus }},
		{"azneef end=take", "azneef end=take", "end", "take", func(r *Ruleset) bool { return r.End == EndTake }},
		{"classic pegs=on", "classic pegs=on", "pegs", "on", func(r *Ruleset) bool { return r.Pegs }},
		{"classic pegs=off", "classic", "pegs", "off", func(r *Ruleset) bool { return !r.Pegs }},
		{"classic target=100", "classic target=100", "target", "100", func(r *Ruleset) bool { return !r.Above && r.TargetFor(3) == 100 }},
		{"classic target=200", "classic", "target", "200", func(r *Ruleset) bool { return *r == presets[Classic] }},
		{"spruce target=200", "spruce target=200", "target", "200", func(r *Ruleset) bool { return r.TargetFor(2) == 200 }},
		{"sniff target=200", "sniff target=200", "target", "200", func(r *Ruleset) bool { return !r.Above }},
		{"classic above=200", "classic above=200", "above", "200", func(r *Ruleset) bool { return r.Above && r.TargetFor(2) == 200 }},
		{"sniff above=200", "sniff", "above", "200", func(r *Ruleset) bool { return *r == presets[Sniff] }},
		{"classic win=round", "classic win=round", "win", "round", func(r *Ruleset) bool { return r.Win == WinRound }},
		{"sniff win=now", "sniff win=now", "win", "now", func(r *Ruleset) bool { return r.Win == WinNow }},
		{"classic rounds=1", "classic rounds=1", "rounds", "1", func(r *Ruleset) bool { return r.Rounds == 1 && !r.Reached(1000, 2) }},
		{"sniff rounds=99", "sniff rounds=99", "above", "", func(r *Ruleset) bool { return r.Rounds == 99 && !r.Above }},
		{"spruce rounds=12 hand=5", "spruce hand=5 rounds=12", "target", "", func(r *Ruleset) bool { return r.TargetFor(2) == 0 }},
		{"classic rounds=3", "classic rounds=3", "win", "", func(r *Ruleset) bool { return r.Win == 0 }},

		// The variants that the texts name.
		{"azneef target=250", "azneef target=250", "target", "250", func(r *Ruleset) bool { return r.TargetFor(4) == 250 }},
		{"spruce hand=5", "spruce hand=5", "hand", "5", func(r *Ruleset) bool { return r.HandSize(2) == 5 }},
		{"spruce hand=7/5/5", "spruce hand=7/5/5", "hand", "7/5/5", func(r *Ruleset) bool { return r.HandSize(2) == 7 && r.HandSize(4) == 5 }},
		{"classic target=61 pegs=on", "classic pegs=on target=61", "pegs", "on", func(r *Ruleset) bool { return r.TargetFor(2) == 61 }},

		// Blanks and order do not matter; the canonical form has one of each.
		{"  classic\ttarget=100   count=flank ", "classic count=flank target=100", "count", "flank", func(r *Ruleset) bool { return true }},
		{"classic win=round target=50 pegs=on end=award draw=1 multiple=3 count=flank order=sides spinner=all next=lead lead=double teams=on hand=4",
			"classic hand=4 teams=on lead=double next=lead spinner=all order=sides count=flank multiple=3 draw=1 end=award pegs=on target=50 win=round",
			"win", "round", func(r *Ruleset) bool { return true }},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r, err := Parse(c.rule)
			require.NoError(t, err)
			if got := r.String(); got != c.canonical {
				t.Errorf("written as %q, want %q", got, c.canonical)
			}
			if got := r.Value(c.key); got != c.value {
				t.Errorf("%s is %q, want %q", c.key, got, c.value)
			}
			if !c.changed(&r) {
				t.Errorf("the rules are %+v", r)
			}
			if again, err := Parse(r.String()); err != nil || again != r {
				t.Errorf("the canonical form gives %+v, %v", again, err)
			}
		})
	}
}

// Invalid rule strings, with words of the reason that a player sees.
func TestRefusedRules(t *testing.T) {
	for rule, reason := range map[string]string{
		"":                                       "starts with one of azneef",
		" \t ":                                   "starts with one of azneef",
		"sevens":                                 `unknown game "sevens"`,
		"Classic":                                `unknown game "Classic"`,
		"target=100 classic":                     "unknown game",
		"classic colour=red":                     `unknown house rule "colour=red"`,
		"classic classic":                        `unknown house rule "classic"`,
		"classic target":                         "target needs a value",
		"classic target=":                        "target needs a value",
		"classic target=100 target=5":            "target is given twice",
		"classic count=flank count=flank":        "count is given twice",
		"classic target=100 above=90":            "exclude each other",
		"classic rounds=0":                       "from 1 to 99",
		"classic rounds=100":                     "from 1 to 99",
		"classic rounds=05":                      "without leading zeros",
		"classic rounds=3 target=100":            "rounds excludes target and above",
		"classic above=90 rounds=3":              "rounds excludes target and above",
		"classic rounds=3 win=now":               "rounds and win exclude each other",
		"classic win=round rounds=3":             "rounds and win exclude each other",
		"classic count=half":                     "one of flank|sniff",
		"classic teams=yes":                      "on or off",
		"classic hand=0":                         "from 1 to",
		"classic hand=-1":                        "from 1 to",
		"classic hand=+5":                        "from 1 to",
		"classic hand=05":                        "without leading zeros",
		"classic hand=7/5":                       "three for 2/3/4 seats",
		"classic hand=7/5/5/5":                   "three for 2/3/4 seats",
		"classic hand=7//5":                      "from 1 to",
		"classic target=0":                       "from 1 to",
		"classic target=-5":                      `"target=-5": it must be a whole number`,
		"classic target=1e3":                     "from 1 to",
		"classic target=99999999999999999999":    "from 1 to",
		"classic multiple=4":                     "5, 3 or 0",
		"classic draw=0":                         "all, none or a whole number",
		"classic draw=-1":                        "all, none or a whole number",
		"block teams=off":                        "always played in teams",
		"classic multiple=0":                     "needs end=take",
		"block end=award":                        "needs end=take",
		"block spinner=first":                    "needs order=",
		"block spinner=all order=any multiple=5": "needs count=",
		"classic=1":                              "unknown game",
		"classic \x1b[31m=1":                     `\x1b`,
		"classic count=\x1b[31m":                 `\x1b`,
		"classic " + strings.Repeat("x", 2000):   "at most 1024",
	} {
		t.Run(rule[:min(len(rule), 40)], func(t *testing.T) {
			_, err := Parse(rule)
			if !errors.Is(err, ErrRules) || !strings.Contains(err.Error(), reason) {
				t.Fatalf("got %v, want a reason with %q", err, reason)
			}
			if strings.ContainsRune(err.Error(), '\x1b') {
				t.Errorf("the reason %q would reach a terminal as it is", err)
			}
		})
	}
}

// Typed text is cut between characters: half of one would be quoted as bytes.
func TestRefusedRulesAreCutAtACharacter(t *testing.T) {
	for n := range 4 {
		long := strings.Repeat("x", n) + strings.Repeat("€", 40)
		for _, text := range []string{long, "block " + long, "block hand=" + long, "block target=" + long, "block draw=" + long} {
			_, err := Parse(text)
			if err == nil || strings.Contains(err.Error(), `\x`) || !strings.Contains(err.Error(), "…") {
				t.Errorf("%q: %q", text, err)
			}
		}
	}
}

// Rules that fit together, but not with every number of seats.
func TestSeatsForRules(t *testing.T) {
	for rule, want := range map[string][MaxSeats + 2]bool{ // by number of seats
		"azneef":                      {2: true, 3: true, 4: true},
		"block":                       {4: true},
		"classic teams=on":            {4: true},
		"classic hand=9":              {2: true, 3: true},
		"classic hand=14":             {2: true},
		"classic hand=15":             {},
		"classic hand=15/9/7":         {3: true, 4: true},
		"classic hand=1000000000":     {},
		"azneef lead=six":             {4: true},
		"classic lead=six":            {},
		"classic lead=six hand=14":    {2: true},
		"block hand=5":                {},
		"block hand=5 lead=lot":       {4: true},
		"block spinner=all order=any": {4: true},
	} {
		t.Run(rule, func(t *testing.T) {
			r := parse(t, rule)
			for n := range want {
				err := r.CheckSeats(n)
				if (err == nil) != want[n] || err != nil && !errors.Is(err, ErrRules) {
					t.Errorf("with %d seats: %v", n, err)
				}
				if _, newErr := New(r, n); (newErr == nil) != want[n] {
					t.Errorf("a game with %d seats: %v", n, newErr)
				}
				some := false
				for m := max(n, 2); m <= MaxSeats; m++ {
					some = some || want[m]
				}
				if got := r.CheckSome(n) == nil; got != some {
					t.Errorf("with %d seats or more: %v, want %v", n, got, some)
				}
			}
		})
	}
}

// The table of docs/rules.md, "The five games", value by value.
func TestPresets(t *testing.T) {
	table := map[string][5]string{
		"hand":     {"7", "7/6/5", "9/7/5", "7/5/5", "7"},
		"teams":    {"off", "off", "off", "off", "on"},
		"lead":     {"double", "lot", "lot", "lot", "six"},
		"next":     {"winner", "domino", "domino", "winner", "lead"},
		"spinner":  {"first", "first", "first", "first", "none"},
		"order":    {"sides", "sides", "sides", "any", ""},
		"count":    {"flank", "sniff", "flank", "sniff", ""},
		"multiple": {"5", "5", "5", "5", "0"},
		"draw":     {"3", "all", "all", "all", "none"},
		"end":      {"award", "subtract", "subtract", "bonus", "take"},
		"pegs":     {"off", "off", "off", "off", "off"},
		"target":   {"150", "", "250/200/200", "200", "100"},
		"above":    {"", "200", "", "", ""},
		"rounds":   {"", "", "", "", ""},
		"win":      {"now", "round", "now", "now", "round"},
	}
	if len(Keys()) != len(table) {
		t.Errorf("%d keys, want %d", len(Keys()), len(table))
	}
	for _, k := range Keys() {
		for i, p := range Presets() {
			if got := p.Rules().Value(k.Name); got != table[k.Name][i] {
				t.Errorf("%v has %s=%s, want %s", p, k.Name, got, table[k.Name][i])
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"classic", "classic target=100 count=flank", "block spinner=all order=any", "spruce hand=7/5/5 teams=on", "sniff above=15",
		"azneef hand=0", "classic target=100 above=1", "classic count=\xff", "classic\x00", "classic hand=7//5", " \t",
		strings.Repeat("classic ", 200),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := Parse(s)
		if err != nil {
			if !errors.Is(err, ErrRules) || err.Error() == "" || len(err.Error()) > 400 {
				t.Fatalf("refused with %q", err)
			}
			return
		}
		again, err := Parse(r.String())
		if err != nil || again != r || again.String() != r.String() {
			t.Fatalf("%q is written %q, which gives %+v, %v", s, r, again, err)
		}
		for n := 2; n <= MaxSeats; n++ {
			if _, err := New(r, n); (err == nil) != (r.CheckSeats(n) == nil) {
				t.Fatalf("%q with %d seats: %v", s, n, err)
			}
		}
	})
}
