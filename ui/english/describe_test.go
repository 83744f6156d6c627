package english_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/english"

	_ "boneyard/ui/golden" // for -update
)

// parse reads a rule string.
func parse(t testing.TB, rule string) rules.Ruleset {
	t.Helper()
	r, err := rules.Parse(rule)
	require.NoError(t, err)
	return r
}

func described(r rules.Ruleset, seats int) string {
	return strings.Join(english.Describe(r, seats), "\n")
}

// Each game in full; a change of words shows here.
func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		rule  string
		seats int
		want  string
	}{
		{"classic count=flank", 0, `
Two to four players, each alone.
Each player gets 7 tiles with two players and 5 with three or four. The rest are the boneyard.
In the first round the leader is drawn by lot and leads any tile.
Later, the winner of a round leads the next one, with any tile. After a round without a winner, the lead is found as in the first.
On your turn you must play a tile that fits an open end, if you hold one.
If you hold none, you draw until a tile fits or the boneyard is empty. A drawn tile that fits must be played at once. You pass only when nothing is left to draw.
The first double of a round is the spinner: it can be joined on all four edges.
All free edges of a spinner are open at once.
After every play the open ends are counted. A double at an end counts both its halves.
A spinner counts both its halves until both its sides are covered, then nothing.
A count that is a multiple of 5 scores that many points.
A round ends when somebody dominoes, that is, plays the last tile of their hand, or when it is blocked: no player holds a tile that fits and the boneyard is empty.
The player who dominoed gets the pips that all other players hold, rounded to the nearest multiple of 5 (7 to 5, 8 to 10) and divided by 5.
In a blocked round the player with the lightest hand gets the pips that all other players hold, less their own, rounded and divided likewise. If two are equally light, nobody scores and nobody has won.
The first player to reach 200 points wins, even in the middle of a round.
If two get there with the same total when a round is scored, another round is played.`},
		{"azneef teams=on", 4, `
Four players in two teams: seats 1 and 3 score together against seats 2 and 4.
Each player gets 7 tiles. None are left over.
In the first round the player with the highest double leads it; if nobody has a double, the one with the heaviest tile leads that.
Later, the winner of a round leads the next one, with any tile. After a round without a winner, the lead is found as in the first.
On your turn you must play a tile that fits an open end, if you hold one.
If you hold none, you pass: nothing is left to draw.
The first double of a round is the spinner: it can be joined on all four edges.
Both sides of a spinner must be covered before its ends are open.
After every play the open ends are counted. A double at an end counts both its halves.
A spinner counts both its halves until both its sides are covered, then nothing.
A count that is a multiple of 5 scores that many points.
A round ends when somebody dominoes, that is, plays the last tile of their hand, or when it is blocked: no player holds a tile that fits.
The team that dominoed gets the pips that the other team holds, rounded to the nearest multiple of 5 (7 to 5, 8 to 10).
In a blocked round the team with the lighter hands gets the pips that the other team holds, less its own, rounded likewise. If both are equally light, nobody scores and nobody has won.
The first team to reach 150 points wins, even in the middle of a round.
If two get there with the same total when a round is scored, another round is played.`},
		{"block", 0, `
Four players in two teams: seats 1 and 3 score together against seats 2 and 4.
Each player gets 7 tiles. None are left over.
In every round the player with 6-6 leads it.
On your turn you must play a tile that fits an open end, if you hold one.
If you hold none, you pass. Nobody draws.
There is no spinner: a double is joined on two edges only.
No points are scored in play.
A round ends when somebody dominoes, that is, plays the last tile of their hand, or when it is blocked: no player holds a tile that fits.
The team that dominoed gets all pips that the other team holds.
In a blocked round the team with the lighter hands gets them. If there is a tie, the team that laid the last tile loses it.
When a round has been scored, the highest team to reach 100 points wins. If two are equally high, another round is played.`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if got, want := described(parse(t, c.rule), c.seats), strings.TrimSpace(c.want); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// Every value of every key that changes the game changes the text.
func TestDescribeTellsEveryRule(t *testing.T) {
	for base, changes := range map[string][]string{
		"classic": {
			"hand=5", "hand=9/7/5", "teams=on", "lead=double", "next=domino", "next=lead", "spinner=all", "spinner=none", "order=sides",
			"count=flank", "multiple=3", "draw=1", "draw=2", "draw=none", "end=award", "end=subtract", "end=take", "pegs=on", "target=100",
			"above=200", "win=round",
		},
		"azneef": {"lead=six", "draw=all", "end=bonus", "count=sniff"},
		"block":  {"multiple=5", "spinner=first order=any", "hand=5 lead=lot"},
	} {
		said := map[string]string{described(parse(t, base), 0): base}
		for _, change := range changes {
			rule := base + " " + change
			text := described(parse(t, rule), 0)
			if same, ok := said[text]; ok {
				t.Errorf("%s reads as %s", rule, same)
			}
			said[text] = rule
		}
	}
}

func TestDescribeBySeats(t *testing.T) {
	spruce := rules.Spruce.Rules()
	for seats, want := range map[int]string{2: "reach 250 points", 3: "reach 200 points",
		0: "250 points with two players and 200 with three or four"} {
		if text := described(spruce, seats); !strings.Contains(text, want) {
			t.Errorf("with %d seats %q is missing in\n%s", seats, want, text)
		}
	}
	for rule, seats := range map[string]int{"block": 3, "classic teams=on": 2, "classic hand=15": 0, "azneef": 5} {
		if text := english.Describe(parse(t, rule), seats); len(text) != 1 || !strings.HasPrefix(text[0], "These rules cannot be played: ") {
			t.Errorf("%s with %d seats is told as %q", rule, seats, text)
		}
	}
}

func TestPresetsDiffer(t *testing.T) {
	var said []string
	for _, p := range rules.Presets() {
		said = append(said, english.Title(p), english.Difference(p))
	}
	slices.Sort(said)
	if len(slices.Compact(said)) != 2*len(rules.Presets()) || slices.Contains(said, "") {
		t.Errorf("titles and differences are %q", said)
	}
}

// All rules that can be written can be described.
func FuzzDescribe(f *testing.F) {
	for _, s := range []string{"classic", "azneef teams=on", "block hand=5 lead=lot", "sniff rounds=3",
		"classic hand=9/7/5 draw=2 target=100"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := rules.Parse(s)
		if err != nil {
			return
		}
		for n := 0; n <= rules.MaxSeats; n++ {
			require.NotEmpty(t, english.Describe(r, n), "%q with %d seats", s, n)
		}
	})
}
