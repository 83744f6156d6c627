package english_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boneyard/rules"
	_ "boneyard/rules/sameseed"
	"boneyard/ui/english"
)

// A round's scoring in sentences.
func TestScoring(t *testing.T) {
	names := []string{"ana", "ben", "cleo", "dan"}
	for _, c := range []struct {
		name  string
		rule  string
		how   rules.RoundEnd
		last  rules.Seat
		hands []rules.Points // what is left in them, by seat
		gets  []rules.Points // what each side gets, where one is paid
		wins  rules.Seat
		want  []string
	}{
		{"award", "azneef", rules.Domino, 1, []rules.Points{0, 8, 11}, []rules.Points{20}, 1, []string{
			"ana dominoed: no tiles left.", "ben's hand: 8 pips", "cleo's hand: 11 pips", "ana takes 8 + 11 = 19 pips, rounded to 20 → +20",
		}},
		{"one opponent", "azneef", rules.Domino, 1, []rules.Points{0, 8}, []rules.Points{10}, 1, []string{
			"ana dominoed: no tiles left.", "ben's hand: 8 pips", "ana takes 8 pips, rounded to 10 → +10",
		}},
		{"a partner's hand", "azneef teams=on", rules.Domino, 1, []rules.Points{0, 8, 3, 11}, []rules.Points{20}, 1, []string{
			"ana dominoed: no tiles left.", "ben's hand: 8 pips", "cleo's hand: 3 pips, not counted: ana's partner", "dan's hand: 11 pips",
			"ana and cleo take 8 + 11 = 19 pips, rounded to 20 → +20",
		}},
		{"subtract", "sniff", rules.Domino, 1, []rules.Points{0, 11, 12}, nil, 1, []string{
			"ana dominoed: no tiles left.", "ben's hand: 11 pips, rounded to 10 → -10", "cleo's hand: 12 pips, rounded to 10 → -10",
		}},
		{"subtract, a hand that rounds to nothing", "sniff", rules.Blocked, 2, []rules.Points{1, 5}, nil, 0, []string{
			"The round is blocked; ben laid the last tile.", "ana's hand: 1 pip, rounded to 0 → 0", "ben's hand: 5 pips → -5",
		}},
		{"the bonus of text 003", "classic", rules.Blocked, 4, []rules.Points{3, 5, 11, 13}, []rules.Points{5}, 1, []string{
			"The round is blocked; dan laid the last tile.", "ana's hand: 3 pips", "ben's hand: 5 pips", "cleo's hand: 11 pips",
			"dan's hand: 13 pips",
			"ana, with the lightest hand, takes 5 + 11 + 13 − 3 = 26 pips, rounded to 25, divided by 5 → +5",
		}},
		{"a tie", "classic", rules.Blocked, 1, []rules.Points{5, 5, 11}, nil, 0, []string{
			"The round is blocked; ana laid the last tile.", "ana's hand: 5 pips", "ben's hand: 5 pips", "cleo's hand: 11 pips",
			"ana and ben are equally light: nobody scores.",
		}},
		{"teams", "classic teams=on", rules.Blocked, 1, []rules.Points{3, 11, 1, 8}, []rules.Points{3}, 3, []string{
			"The round is blocked; ana laid the last tile.", "ana's hand: 3 pips", "ben's hand: 11 pips", "cleo's hand: 1 pip", "dan's hand: 8 pips",
			"ana and cleo, the lighter team, take 11 + 8 − 3 − 1 = 15 pips, divided by 5 → +3",
		}},
		{"take, a tie", "block", rules.Blocked, 1, []rules.Points{5, 5, 8, 8}, []rules.Points{0, 13}, 2, []string{
			"The round is blocked; ana laid the last tile.", "ana's hand: 5 pips", "ben's hand: 5 pips", "cleo's hand: 8 pips", "dan's hand: 8 pips",
			"Both teams are equally light, and ana laid the last tile: ben and dan take 5 + 8 = 13 pips → +13",
		}},
		{"take, blocked", "block", rules.Blocked, 1, []rules.Points{3, 11, 1, 8}, []rules.Points{19}, 3, []string{
			"The round is blocked; ana laid the last tile.", "ana's hand: 3 pips", "ben's hand: 11 pips", "cleo's hand: 1 pip", "dan's hand: 8 pips",
			"ana and cleo, the lighter team with 4 pips, take 11 + 8 = 19 pips → +19",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, res := parse(t, c.rule), rules.RoundResult{How: c.how, Last: c.last, Winner: c.wins}
			copy(res.Left[:], c.hands)
			copy(res.Change[:], c.gets)
			var got []string
			for _, line := range english.Scoring(&r, &res, names[:len(c.hands)], 0) {
				got = append(got, line.Text)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// Sentences for screen readers have words instead of signs.
func TestScoringAloud(t *testing.T) {
	names := []string{"ana", "ben", "cleo"}
	for _, c := range []struct {
		rule  string
		how   rules.RoundEnd
		hands []rules.Points
		gets  rules.Points // of the first side
		want  []string
	}{
		{"sniff", rules.Domino, []rules.Points{0, 11, 0}, 0, []string{
			"ana dominoed: no tiles left.", "ben's hand: 11 pips, rounded to 10: minus 10 points.", "cleo's hand: 0 pips: 0 points.",
		}},
		{"classic", rules.Blocked, []rules.Points{3, 5, 11}, 3, []string{
			"The round is blocked; ana laid the last tile.", "ana's hand: 3 pips.", "ben's hand: 5 pips.", "cleo's hand: 11 pips.",
			"ana, with the lightest hand, takes 5 + 11 minus 3 = 13 pips, rounded to 15, divided by 5: 3 points.",
		}},
	} {
		r, res := parse(t, c.rule), rules.RoundResult{How: c.how, Last: 1, Winner: 1, Change: [rules.MaxSeats]rules.Points{c.gets}}
		copy(res.Left[:], c.hands)
		var got []string
		for _, line := range english.Scoring(&r, &res, names, 0) {
			got = append(got, line.Said)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// Players read of themselves as "you".
func TestScoringForYou(t *testing.T) {
	names := []string{"ana", "ben", "cleo", "dan"}
	for _, c := range []struct {
		rule   string
		how    rules.RoundEnd
		you    rules.Seat
		winner rules.Seat
		want   []string
	}{
		{"classic", rules.Domino, 1, 1,
			[]string{"You dominoed: no tiles left.", "ben's hand: 5 pips", "cleo's hand: 11 pips", "dan's hand: 2 pips",
				"You take 5 + 11 + 2 = 18 pips, rounded to 20, divided by 5 → +4"}},
		{"classic", rules.Domino, 3, 1,
			[]string{"ana dominoed: no tiles left.", "ben's hand: 5 pips", "Your hand: 11 pips", "dan's hand: 2 pips",
				"ana takes 5 + 11 + 2 = 18 pips, rounded to 20, divided by 5 → +4"}},
		{"block", rules.Domino, 3, 1,
			[]string{"ana dominoed: no tiles left.", "ben's hand: 5 pips", "Your hand: 11 pips, not counted: ana's partner", "dan's hand: 2 pips",
				"You and ana take 5 + 2 = 7 pips → +4"}},
	} {
		r, res := parse(t, c.rule), rules.RoundResult{How: c.how, Last: 1, Winner: c.winner, Change: [rules.MaxSeats]rules.Points{4},
			Left: [rules.MaxSeats]rules.Points{0, 5, 11, 2}}
		var got []string
		for _, line := range english.Scoring(&r, &res, names, c.you) {
			got = append(got, line.Text)
		}
		require.Equal(t, c.want, got)
	}
}

// The lines of a scoring add up to what was scored, and Reason has a sentence for every turn.
func TestScoringAddsUp(t *testing.T) {
	names := []string{"ana", "ben", "cleo", "dan"}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(rules.Presets()).Draw(t, "game")
		end := rapid.SampledFrom([]string{"", " end=award", " end=bonus", " end=subtract", " end=take"}).Draw(t, "end")
		if p == rules.Block {
			end = ""
		}
		r, err := rules.Parse(p.String() + end)
		require.NoError(t, err)
		seats := rapid.IntRange(2, rules.MaxSeats).Filter(func(n int) bool { return r.CheckSeats(n) == nil }).Draw(t, "seats")
		g, err := rules.New(r, seats)
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for g.Phase() != rules.Over && (g.Phase() == rules.Playing || g.Round() < 3) {
			if g.Phase() == rules.Dealing {
				seed := rules.Seed{byte(rng.Uint32()), byte(rng.Uint32())}
				g, err = g.Deal(seed.Deal(&r, seats, g.Round()+1))
				require.NoError(t, err)
				continue
			}
			v := g.View(g.Turn())
			require.NotEmpty(t, english.Reason(&v))
			other := g.View(g.Turn().Next(seats))
			require.Empty(t, english.Reason(&other), "who is not to move")
			m := rules.Move{Seat: g.Turn(), Kind: g.Duty()}
			if m.Kind == rules.Play {
				choices := g.AppendChoices(nil)
				m = g.Move(choices[rng.IntN(len(choices))])
			}
			next, e, err := g.Apply(m)
			require.NoError(t, err)
			if g = next; e.End == rules.NotEnded {
				continue
			}
			res := g.Result()
			var change [rules.MaxSeats]rules.Points
			for _, line := range english.Scoring(&r, &res, names[:seats], 0) {
				require.NotEmpty(t, line.Text)
				require.NotZero(t, line.Kind)
				if line.Side != 0 {
					change[line.Side-1] += line.Change
				}
			}
			require.Equal(t, res.Change, change)
		}
	})
}
