package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/record"
	"boneyard/rules/record/recordtest"
)

// text joins lines to a record.
func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

const start = "domino 1\nrules classic hand=2\nseat 1 ana\nseat 2 ben\n"

const dealt = start + `
round 1
deal 1 5-5 5-6
deal 2 0-1 1-1
stock 0-0 0-2 0-3 0-4 0-5 0-6 1-2 1-3 1-4 1-5 1-6 2-2 2-3 2-4 2-5 2-6 3-3 3-4 3-5 3-6 4-4 4-5 4-6 6-6
lead 1
`

// seeded is a record with a seed and another stock than follows from it.
var seeded = func() string {
	var seed rules.Seed
	r, _ := rules.Parse("classic")
	d := seed.Deal(&r, 2, 1)
	slices.Reverse(d.Stock)
	return text("domino 1", "rules classic", "seat 1 ana", "seat 2 ben", "seed "+seed.String(), "round 1",
		record.Deal{Seat: 1, Hand: d.Hands[0]}.String(), record.Stock{Tiles: d.Stock}.String())
}()

// Faults beyond those of the vectors: the line at which a record stops, with words of what was found and expected.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name     string
		record   string
		line     int
		found    string
		expected string
	}{
		{"an empty file", "", 1, "an empty record", "domino 1"},
		{"only comments", "# nothing\n\n  # here\n", 3, "an empty record", "domino 1"},
		{"another format", "<html>\n", 1, `"<html>"`, "a line of a record"},
		{"a later version", "domino 2\n", 1, "domino 2", "domino 1"},
		{"a version with a leading zero", "domino 01\n", 1, "domino 01", "leading zeros"},
		{"no version", "rules classic\n", 1, "rules classic", "domino 1 as the first line"},
		{"the version twice", "domino 1\ndomino 1\n", 2, "domino 1", "the rules"},
		{"carriage returns", "domino 1\r\nrules classic\r\n", 1, "carriage return", "line feed"},
		{"a carriage return in a comment", "domino 1 # x\r\n", 1, "carriage return", "line feed"},
		{"a NUL", "domino 1\nrules classic\x00\n", 2, "U+0000", "text"},
		{"a NUL in a comment", "domino 1 # \x00\n", 1, "U+0000", "text"},
		{"an escape sequence in a tag", "domino 1\ntag x \x1b[2J\n", 2, "U+001B", "text"},
		{"wrong UTF-8", "domino 1\ntag x caf\xe9\n", 2, "byte 0xe9 as character 10", "UTF-8"},
		{"half a character at the end", "domino 1\n# \xe2\x82", 2, "byte 0xe2", "UTF-8"},
		{"a byte order mark", "\ufeffdomino 1\n", 1, "domino 1", "a line of a record"},
		{"UTF-16", "d\x00o\x00m\x00", 1, "U+0000", "text"},
		{"a seat before the rules", "domino 1\nseat 1 ana\n", 2, "seat 1 ana", "the rules before"},
		{"rules twice", "domino 1\nrules classic\nrules classic\n", 3, "rules classic", "once"},
		{"no rules", "domino 1\nround 1\n", 2, "round 1", "the rules"},
		{"rules that no seats satisfy", "domino 1\nrules classic hand=15\nseat 1 ana\n", 3, "seat 1 ana", "15 tiles"},
		{"rules for fewer seats", "domino 1\nrules azneef hand=10\nseat 1 a\nseat 2 b\nseat 3 c\n", 5, "seat 3 c", "10 tiles"},
		{"rules for more seats", "domino 1\nrules classic teams=on\nseat 1 a\nseat 2 b\nround 1\n", 5, "round 1", "four seats"},
		{"one seat", "domino 1\nrules classic\nseat 1 a\nround 1\n", 4, "round 1", "2 to 4 seats"},
		{"five seats", "domino 1\nrules classic\nseat 1 a\nseat 2 b\nseat 3 c\nseat 4 d\nseat 5 e\n", 7, "seat 5 e", "1 to 4"},
		{"more seats than numbers", "domino 1\nrules classic\nseat 1 a\nseat 2 b\nseat 3 c\nseat 4 d\nseat 4 e\n", 7, "seat 4 e",
			"at most 4"},
		{"a seat left out", "domino 1\nrules classic\nseat 1 a\nseat 3 b\n", 4, "seat 3 b", "seat 2"},
		{"a name too long", "domino 1\nrules classic\nseat 1 " + strings.Repeat("a", 33) + "\n", 3, "seat 1", "1 to 32"},
		{"no name", "domino 1\nrules classic\nseat 1\n", 3, "seat 1", "NAME"},
		{"two names", "domino 1\nrules classic\nseat 1 ana bell\n", 3, "ana bell", "NAME"},
		{"the seed twice", "domino 1\n" + strings.Repeat("seed "+strings.Repeat("0", 64)+"\n", 2), 3, "seed", "once"},
		{"an upper-case seed", "domino 1\nseed " + strings.Repeat("A", 64) + "\n", 2, "seed", "lower-case"},
		{"two seeds on a line", "domino 1\nseed " + strings.Repeat("0", 64) + " 0\n", 2, "seed", "lower-case"},
		{"a stock that does not follow from the seed", seeded, 8, "stock", "which follows from the seed"},
		{"a tag without a key", "domino 1\ntag\n", 2, "tag", "key"},
		{"a tag after the header", dealt + "tag x y\n", 11, "tag x y", "seat 1 to play"},
		{"a seat after the header", dealt + "seat 3 cleo\n", 11, "seat 3 cleo", "seat 1 to play"},
		{"a round with a leading zero", start + "round 01\n", 5, "round 01", "leading zeros"},
		{"round 0", start + "round 0\n", 5, "round 0", "round 1"},
		{"no round", start + "deal 1 5-5 5-6\n", 5, "deal 1", "round 1"},
		{"a seat dealt twice", start + "round 1\ndeal 1 5-5 5-6\ndeal 1 5-5 5-6\n", 7, "deal 1", "one deal a seat"},
		{"a deal for no seat", start + "round 1\ndeal 5 5-5 5-6\n", 6, "deal 5", "from 1 to 4"},
		{"a deal for nobody", start + "round 1\ndeal 3 5-5 5-6\n", 6, "deal 3", "1 to 2"},
		{"a tile twice in a deal", start + "round 1\ndeal 1 5-6 6-5\n", 6, "5-6 6-5", "twice"},
		{"what is no tile", start + "round 1\ndeal 1 5-7 5-5\n", 6, "5-7", "a tile in place"},
		{"two stocks", strings.Replace(dealt, "lead 1", "stock\nlead 1", 1), 10, "stock", "one stock"},
		{"a lead before the deals", start + "round 1\ndeal 1 5-5 5-6\nlead 1\n", 7, "lead 1", "deal of seat 2"},
		{"a lead before the stock", start + "round 1\ndeal 1 5-5 5-6\ndeal 2 0-0 1-1\nlead 1\n", 8, "lead 1", "the stock"},
		{"a play before the lead", strings.Replace(dealt, "lead 1\n", "1 5-5 = 10 +10\n", 1), 10, "1 5-5 = 10 +10", "lead"},
		{"options before the lead", strings.Replace(dealt, "lead 1\n", "options 2\n", 1), 10, "options 2", "lead"},
		{"two numbers of options", dealt + "options 1 2\n", 11, "options 1 2", "options"},
		{"a side that cannot be", dealt + "won 5\n", 11, "won 5", "a side from 1 to 4"},
		{"an end by nobody", dealt + "end domino\n", 11, "end domino", "end"},
		{"an end by no seat", dealt + "end domino 5 left 1 2\n", 11, "end domino 5", "from 1 to 4"},
		{"an end of no kind", dealt + "end passed left 1 2\n", 11, "end passed", "end"},
		{"an end with nothing left", dealt + "end blocked 1 2\n", 11, "end blocked 1 2", "left"},
		{"an end of one side", dealt + "end blocked left 1\n", 11, "end blocked left 1", "left"},
		{"a score below zero of nothing", dealt + "score -0 1\n", 11, "score -0 1", "leading zeros"},
		{"an end in the middle", dealt + "end blocked left 0 0\n", 11, "end blocked", "seat 1 to play"},
		{"a count with a leading zero", dealt + "1 5-5 = 010 +10\n", 11, "= 010", "leading zeros"},
		{"points with a leading zero", dealt + "1 5-5 = 10 +010\n", 11, "+010", "+N"},
		{"points of nothing", dealt + "1 5-6 = 11 +0\n", 11, "+0", "+N"},
		{"points without a count", dealt + "1 5-5 +10\n", 11, "+10", "arm"},
		{"a count without a blank", dealt + "1 5-5 =10 +10\n", 11, "=10", "arm"},
		{"a negative count", dealt + "1 5-5 = -10\n", 11, "= -10", "whole number"},
		{"a word too many", dealt + "1 5-5 = 10 +10 !\n", 11, "!", "SEAT TILE ARM"},
		{"an arm in lower case", dealt + "1 5-5 = 10 +10\n2 draw 0-0\n2 draw 0-2\n2 draw 0-3\n2 draw 0-4\n2 draw 0-5\n2 5-0 r = 10 +10\n", 17,
			"5-0 r", "arm"},
		{"an arm with a sign", dealt + "1 5-5 = 10 +10\n2 draw 0-0\n2 draw 0-2\n2 draw 0-3\n2 draw 0-4\n2 draw 0-5\n2 5-0 +7U = 10 +10\n", 17,
			"+7U", "arm"},
		{"a draw of no tile", dealt + "1 5-5 = 10 +10\n2 draw\n", 12, "2 draw", "SEAT draw TILE"},
		{"a pass with a tile", dealt + "1 5-5 = 10 +10\n2 pass 0-0\n", 12, "2 pass 0-0", "SEAT pass"},
		{"a seat of two digits", dealt + "11 5-5 = 10 +10\n", 11, "11 5-5", "1 to 4"},
		{"a seat with a leading zero", dealt + "01 5-5 = 10 +10\n", 11, "01 5-5", "1 to 4"},
		{"a number that is too large", dealt + "options 99999999999999999999\n", 11, "options", "digits"},
		{"a long word that is cut within a character", dealt + strings.Repeat("é", 60) + "x\n", 11, "éé", "a line of a record"},
		{"words without end", dealt + strings.Repeat("1 ", 100) + "\n", 11, "1 1 1", "more than"},
		{"a fault on the last line without a line feed", dealt + "won 1", 11, "won 1", "seat 1 to play"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var fault *record.Error
			err := record.Check(strings.NewReader(c.record))
			if !errors.As(err, &fault) {
				t.Fatalf("got %v, want a fault", err)
			}
			if fault.Line != c.line || !strings.Contains(fault.Found, c.found) || !strings.Contains(fault.Expected, c.expected) {
				t.Errorf("%v\nwant line %d, found …%s…, expected …%s…", err, c.line, c.found, c.expected)
			}
			for _, r := range err.Error() {
				if r < ' ' || r == 0x7f {
					t.Errorf("%q would reach a terminal as it is", err)
				}
			}
		})
	}
}

// A record that names no version of the rules is of the first, and one whose version cannot be read of none.
func TestRulesVersion(t *testing.T) {
	for tag, want := range map[string]int{"tag x y": 1, "tag " + record.TagRules + " 7": 7, "tag " + record.TagRules + " seven": 0} {
		require.Equal(t, want, record.RulesVersion(slices.Values([]string{"domino 1", tag, "round 1", "tag " + record.TagRules + " 9"})))
	}
}

// A record may stop after any line, also in the middle of one round.
func TestUnfinishedRecords(t *testing.T) {
	lines := strings.SplitAfter(dealt+"options 2\noptions 2\n1 5-5 = 10 +10\noptions 1\n2 draw 0-0\n", "\n")
	for n := 1; n <= len(lines); n++ {
		if err := record.Check(strings.NewReader(strings.Join(lines[:n], ""))); err != nil {
			t.Errorf("after line %d: %v", n, err)
		}
	}
	if err := record.Check(strings.NewReader(strings.TrimSuffix(dealt, "\n"))); err != nil {
		t.Errorf("without the last line feed: %v", err)
	}
}

// Lines that may be written in many ways have one canonical form.
func TestCanonical(t *testing.T) {
	seed := "seed 9a44260d382021fd7c5ce623484863bb91ed1e65332f94ca2af4ef557990db25"
	for _, c := range []struct{ name, loose, canonical string }{
		{
			"the header is put in order",
			text("# a record", "domino 1", "tag  place   the Club  by the sea ", seed, "rules classic  target=100 count=flank", "tag empty",
				"seat 1 ana", "", "seat 2 ben # x"),
			text("domino 1", "rules classic count=flank target=100", "seat 1 ana", "seat 2 ben", "tag place the Club  by the sea", "tag empty",
				seed),
		},
		{
			"a tag ends at a comment",
			text("domino 1", "tag place #1"),
			text("domino 1", "tag place"),
		},
		{
			"deals are put in order",
			text("domino 1", "rules classic hand=2", "seat 1 ana", "seat 2 ben", "round 1",
				"stock 0-0 2-0 0-3 0-4 0-5 0-6 1-2 1-3 1-4 1-5 1-6 2-2 2-3 2-4 2-5 2-6 3-3 3-4 3-5 3-6 4-4 4-5 4-6 6-6",
				"deal 2 1-1 1-0", "deal 1 6-5 5-5", "lead 1", "1 6-5 = 11"),
			text("domino 1", "rules classic hand=2", "seat 1 ana", "seat 2 ben", "", "round 1", "deal 1 5-5 5-6", "deal 2 0-1 1-1",
				"stock 0-0 0-2 0-3 0-4 0-5 0-6 1-2 1-3 1-4 1-5 1-6 2-2 2-3 2-4 2-5 2-6 3-3 3-4 3-5 3-6 4-4 4-5 4-6 6-6", "lead 1", "1 6-5 = 11"),
		},
		{
			"an empty stock gets its line",
			text("domino 1", "rules classic hand=14", "seat 1 a", "seat 2 b", "round 1",
				"deal 1 0-0 0-1 0-2 0-3 0-4 0-5 0-6 1-1 1-2 1-3 1-4 1-5 1-6 2-2",
				"deal 2 2-3 2-4 2-5 2-6 3-3 3-4 3-5 3-6 4-4 4-5 4-6 5-5 5-6 6-6", "lead 1", "options 14", "1 2-2 = 4", "2 3-2 L = 7"),
			text("domino 1", "rules classic hand=14", "seat 1 a", "seat 2 b", "", "round 1",
				"deal 1 0-0 0-1 0-2 0-3 0-4 0-5 0-6 1-1 1-2 1-3 1-4 1-5 1-6 2-2",
				"deal 2 2-3 2-4 2-5 2-6 3-3 3-4 3-5 3-6 4-4 4-5 4-6 5-5 5-6 6-6", "stock", "lead 1", "options 14", "1 2-2 = 4", "2 2-3 L = 7"),
		},
		{
			"a cut deal stays cut",
			text("domino 1", "rules classic hand=2", "seat 1 ana", "seat 2 ben", "round 1", "deal 2 1-1 1-0"),
			text("domino 1", "rules classic hand=2", "seat 1 ana", "seat 2 ben", "", "round 1", "deal 2 0-1 1-1"),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, in := range []string{c.loose, c.canonical} {
				out, err := recordtest.Canonical(iotest.OneByteReader(strings.NewReader(in)))
				require.NoError(t, err)
				if out != c.canonical {
					t.Errorf("got\n%swant\n%s", out, c.canonical)
				}
			}
		})
	}
}

// Records that a live table would write are valid and canonical, line by line.
func TestLiveRecords(t *testing.T) {
	for _, rule := range []string{"azneef", "sniff", "spruce", "classic", "block", "classic spinner=all count=flank",
		"classic pegs=on target=61", "azneef teams=on", "classic end=take multiple=0"} {
		for seed := range uint64(8) {
			t.Run(fmt.Sprintf("%s/%d", rule, seed), func(t *testing.T) {
				written := live(t, rule, seed)
				out, err := recordtest.Canonical(strings.NewReader(written))
				if err != nil {
					t.Fatalf("%v in\n%s", err, written)
				}
				if out != written {
					t.Error("the record is not canonical")
				}
			})
		}
	}
}

// live plays a game at random and returns its record as a table writes it, which is line by line.
func live(t *testing.T, rule string, n uint64) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(n, 7))
	r, err := rules.Parse(rule)
	require.NoError(t, err)
	seats := 4
	if !r.Teams {
		seats = 2 + rng.IntN(3)
	}
	g, err := rules.New(r, seats)
	require.NoError(t, err)
	var seed rules.Seed
	for i := range seed {
		seed[i] = byte(rng.Uint32())
	}
	header := record.Header{Rules: r, Names: []string{"ana", "ben", "cleo", "dan"}[:seats], Seed: &seed}
	var out bytes.Buffer
	write := func(lines []record.Line) {
		for _, l := range lines {
			row, err := record.ParseLine(l.String()) // as it comes back from a journal
			require.NoError(t, err)
			if _, begins := row.(record.Round); begins {
				out.WriteByte('\n')
			}
			fmt.Fprintln(&out, row)
		}
	}
	write(header.Lines(record.Tag{Key: "date", Text: "2026-11-21T20:15:00Z"}))
	for g.Phase() != rules.Over {
		if g.Phase() == rules.Dealing {
			d := seed.Deal(&r, seats, g.Round()+1)
			if g, err = g.Deal(d); err != nil {
				t.Fatal(err)
			}
			write(record.RoundLines(&g, &d))
		}
		m := rules.Move{Seat: g.Turn(), Kind: g.Duty()}
		if m.Kind == rules.Play {
			choices := g.AppendChoices(nil)
			m = g.Move(choices[rng.IntN(len(choices))])
			m.HighLeft = g.Layout().Len() == 0 && rng.IntN(2) == 0
		}
		var e rules.Event
		if g, e, err = g.Apply(m); err != nil {
			t.Fatal(err)
		}
		write(record.MoveLines(&g, e))
	}
	return out.String()
}

// A replay yields each line with the game after it, and a checker fed with rows reaches the table's state.
func TestReplay(t *testing.T) {
	written := live(t, "classic target=50", 3)
	var c record.Checker
	var last record.Step
	numbers := 0
	for step, err := range record.Replay(strings.NewReader(written)) {
		require.NoError(t, err)
		if step.Number <= last.Number {
			t.Fatalf("line %d after line %d", step.Number, last.Number)
		}
		row, err := record.ParseLine(step.Line.String())
		require.NoError(t, err)
		again, err := c.Take(step.Number, row)
		if err != nil || again.Game != step.Game || again.Event != step.Event || c.Game() != step.Game {
			t.Fatalf("line %d: fed as a row it gives %v", step.Number, err)
		}
		_, isPlay := step.Line.(record.Play)
		if isPlay != (step.Event.Kind == rules.Play) || isPlay && step.Game.Layout().Len() == last.Game.Layout().Len() && !step.Event.Lead {
			t.Fatalf("line %d is %v with event %+v", step.Number, step.Line, step.Event)
		}
		last = step
		numbers++
	}
	if last.Game.Phase() != rules.Over || numbers < 20 {
		t.Errorf("the replay ends after %d lines in phase %v", numbers, last.Game.Phase())
	}
	if h := c.Header(); len(h.Names) != last.Game.Seats() || h.Seed == nil || !c.Started() {
		t.Errorf("the header is %+v", h)
	}
	for range record.Replay(strings.NewReader(written)) {
		break // a viewer may stop at any time
	}
}

// A checker that has rejected a line is unchanged.
func TestRefusalChangesNothing(t *testing.T) {
	var c record.Checker
	number := 0
	for text := range strings.Lines(dealt) {
		number++
		l, err := record.ParseLine(strings.TrimSuffix(text, "\n"))
		require.NoError(t, err)
		if l == nil {
			continue
		}
		if _, err := c.Take(number, record.Won{Side: 1}); err == nil {
			t.Fatalf("won before line %d", number)
		}
		if _, err := c.Take(number, l); err != nil {
			t.Fatal(err)
		}
	}
	before := c.Game()
	for _, l := range []record.Line{record.Pass{Seat: 1}, record.Play{Seat: 1, A: 5, B: 5, Arm: rules.NoArm, Counted: true, Count: 11},
		record.Draw{Seat: 1, Tile: 0}} {
		if _, err := c.Take(99, l); err == nil {
			t.Errorf("%v is accepted", l)
		}
	}
	if c.Game() != before {
		t.Error("a refused move changed the game")
	}
}

// Errors of the source are returned unchanged.
func TestFailingSource(t *testing.T) {
	broken := errors.New("broken")
	var fault *record.Error
	in := io.MultiReader(strings.NewReader(dealt), iotest.ErrReader(broken))
	if err := record.Check(in); !errors.Is(err, broken) || errors.As(err, &fault) {
		t.Errorf("got %v from a broken source", err)
	}
}
