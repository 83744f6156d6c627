package rules

import (
	"slices"
	"strings"
	"testing"
)

func described(r Ruleset, seats int) string { return strings.Join(Describe(r, seats), "\n") }

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
Later the winner of a round leads any tile in the next. After a round without a winner it is as in the first.
On your turn you must play a tile that fits an open end, if you hold one.
If you hold none, you draw until a tile fits or the boneyard is empty. A drawn tile that fits must be played at once. You pass only when nothing is left to draw.
The first double of a round is the spinner: it can be joined on all four edges.
All free edges of a spinner are open at once.
After every play the open ends are counted. A double at an end counts both its halves.
A spinner counts both its halves until both its sides are covered, then nothing.
A count that is a multiple of 5 scores that many points.
A round ends when somebody dominoes, which is to play the last tile of a hand, or when it is blocked: no player holds a tile that fits and the boneyard is empty.
The player who dominoed gets the pips that all other players hold, rounded to the nearest multiple of 5 and divided by 5.
In a blocked round the player with the lightest hand gets the pips that all other players hold, less its own, rounded to the nearest multiple of 5 and divided by 5. If two are equally light, nobody scores and nobody has won.
So 7 is rounded to 5, and 8 to 10.
The first player to reach 200 points wins, even in the middle of a round.
If two get there with the same total when a round is scored, another round is played.`},
		{"azneef teams=on", 4, `
Four players in two teams: seats 1 and 3 score together against seats 2 and 4.
Each player gets 7 tiles. None are left over.
In the first round the highest double dealt leads the round; if nobody has a double, the heaviest tile does.
Later the winner of a round leads any tile in the next. After a round without a winner it is as in the first.
On your turn you must play a tile that fits an open end, if you hold one.
If you hold none, you pass: nothing is left to draw.
The first double of a round is the spinner: it can be joined on all four edges.
Both sides of a spinner must be covered before its ends are open.
After every play the open ends are counted. A double at an end counts both its halves.
A spinner counts both its halves until both its sides are covered, then nothing.
A count that is a multiple of 5 scores that many points.
A round ends when somebody dominoes, which is to play the last tile of a hand, or when it is blocked: no player holds a tile that fits.
The team that dominoed gets the pips that the other team holds, rounded to the nearest multiple of 5.
In a blocked round the team with the lighter hands gets the pips that the other team holds, less its own, rounded to the nearest multiple of 5. If both are equally light, nobody scores and nobody has won.
So 7 is rounded to 5, and 8 to 10.
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
A round ends when somebody dominoes, which is to play the last tile of a hand, or when it is blocked: no player holds a tile that fits.
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
	spruce := presets[Spruce]
	for seats, want := range map[int]string{2: "reach 250 points", 3: "reach 200 points", 0: "250 points with two players and 200 with three or four"} {
		if text := described(spruce, seats); !strings.Contains(text, want) {
			t.Errorf("with %d seats %q is missing in\n%s", seats, want, text)
		}
	}
	for rule, seats := range map[string]int{"block": 3, "classic teams=on": 2, "classic hand=15": 0, "azneef": 5} {
		if text := Describe(parse(t, rule), seats); len(text) != 1 || !strings.HasPrefix(text[0], "These rules cannot be played: ") {
			t.Errorf("%s with %d seats is told as %q", rule, seats, text)
		}
	}
}

func TestPresetsDiffer(t *testing.T) {
	var said []string
	for _, p := range Presets() {
		said = append(said, p.Title(), p.Difference())
	}
	slices.Sort(said)
	if len(slices.Compact(said)) != 2*len(Presets()) || slices.Contains(said, "") {
		t.Errorf("titles and differences are %q", said)
	}
}

// The sentences of a round's scoring.
func TestExplain(t *testing.T) {
	names := []string{"ana", "ben", "cleo", "dan"}
	for _, c := range []struct {
		name  string
		rule  string
		how   RoundEnd
		last  Seat
		hands []string
		want  []string
	}{
		{"award", "azneef", Domino, 1, []string{none, w8, w11}, []string{
			"ana dominoed.", "ben's hand: 8 pips", "cleo's hand: 11 pips", "ana takes 8 + 11 = 19 pips, rounded to 20 → +20",
		}},
		{"one opponent", "azneef", Domino, 1, []string{none, w8}, []string{
			"ana dominoed.", "ben's hand: 8 pips", "ana takes 8 pips, rounded to 10 → +10",
		}},
		{"a partner's hand", "azneef teams=on", Domino, 1, []string{none, w8, w3, w11}, []string{
			"ana dominoed.", "ben's hand: 8 pips", "cleo's hand: 3 pips, not counted: ana's partner", "dan's hand: 11 pips",
			"ana and cleo take 8 + 11 = 19 pips, rounded to 20 → +20",
		}},
		{"subtract", "sniff", Domino, 1, []string{none, w11, "6-6"}, []string{
			"ana dominoed.", "ben's hand: 11 pips, rounded to 10 → −10", "cleo's hand: 12 pips, rounded to 10 → −10",
		}},
		{"subtract, a hand that rounds to nothing", "sniff", Blocked, 2, []string{w1, w5}, []string{
			"The round is blocked; ben laid the last tile.", "ana's hand: 1 pip, rounded to 0 → 0", "ben's hand: 5 pips → −5",
		}},
		{"the bonus of text 003", "classic", Blocked, 4, []string{w3, w5, w11, w13}, []string{
			"The round is blocked; dan laid the last tile.", "ana's hand: 3 pips", "ben's hand: 5 pips", "cleo's hand: 11 pips", "dan's hand: 13 pips",
			"ana, the lightest hand, takes 5 + 11 + 13 − 3 = 26 pips, rounded to 25, divided by 5 → +5",
		}},
		{"a tie", "classic", Blocked, 1, []string{w5, w5b, w11}, []string{
			"The round is blocked; ana laid the last tile.", "ana's hand: 5 pips", "ben's hand: 5 pips", "cleo's hand: 11 pips",
			"ana and ben are equally light: nobody scores.",
		}},
		{"teams", "classic teams=on", Blocked, 1, []string{w3, w11, w1, w8}, []string{
			"The round is blocked; ana laid the last tile.", "ana's hand: 3 pips", "ben's hand: 11 pips", "cleo's hand: 1 pip", "dan's hand: 8 pips",
			"ana and cleo, the lighter team, take 11 + 8 − 3 − 1 = 15 pips, divided by 5 → +3",
		}},
		{"take, a tie", "block", Blocked, 1, []string{w5, w5b, w8, w8}, []string{
			"The round is blocked; ana laid the last tile.", "ana's hand: 5 pips", "ben's hand: 5 pips", "cleo's hand: 8 pips", "dan's hand: 8 pips",
			"Both teams are equally light, and ana laid the last tile: ben and dan take 5 + 8 = 13 pips → +13",
		}},
		{"take, blocked", "block", Blocked, 1, []string{w3, w11, w1, w8}, []string{
			"The round is blocked; ana laid the last tile.", "ana's hand: 3 pips", "ben's hand: 11 pips", "cleo's hand: 1 pip", "dan's hand: 8 pips",
			"ana and cleo, the lighter team with 4 pips, take 11 + 8 = 19 pips → +19",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := left(t, c.rule, c.last, c.hands...)
			res := g.score(c.how)
			var got []string
			for _, line := range g.rules.Explain(&res, names[:len(c.hands)]) {
				got = append(got, line.Text)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// The sentences that are read aloud say in words what signs say to the eye.
func TestExplainAloud(t *testing.T) {
	names := []string{"ana", "ben", "cleo"}
	for _, c := range []struct {
		rule  string
		how   RoundEnd
		hands []string
		want  []string
	}{
		{"sniff", Domino, []string{none, w11, "0-0"}, []string{
			"ana dominoed.", "ben's hand: 11 pips, rounded to 10: minus 10 points.", "cleo's hand: 0 pips: 0 points.",
		}},
		{"classic", Blocked, []string{w3, w5, w11}, []string{
			"The round is blocked; ana laid the last tile.", "ana's hand: 3 pips.", "ben's hand: 5 pips.", "cleo's hand: 11 pips.",
			"ana, the lightest hand, takes 5 + 11 minus 3 = 13 pips, rounded to 15, divided by 5: 3 points.",
		}},
	} {
		g := left(t, c.rule, 1, c.hands...)
		res := g.score(c.how)
		var got []string
		for _, line := range g.rules.Explain(&res, names) {
			got = append(got, line.Said)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// Why a player has to do what there is to do.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		rule  string
		hands []string
		stock string
		moves []string
		want  string
	}{
		{"classic hand=2", []string{"5-5 5-6", "1-0 1-1"}, "", nil, "You lead: play any tile."},
		{"azneef hand=2", []string{"5-5 5-6", "1-0 1-1"}, "", nil, "You hold the highest double, so you must lead 5-5."},
		{"azneef hand=2", []string{"5-4 5-6", "1-0 1-2"}, "", nil, "Nobody holds a double and yours is the heaviest tile, so you must lead 6-5."},
		{"classic hand=14 lead=six", []string{"0-0 0-1 0-2 0-3 0-4 0-5 0-6 1-1 1-2 1-3 1-4 1-5 1-6 6-6", "2-2 2-3 2-4 2-5 2-6 3-3 3-4 3-5 3-6 4-4 4-5 4-6 5-5 5-6"}, "",
			nil, "You hold 6-6, so you must lead it."},
		{"classic hand=2", []string{"5-5 5-6", "1-5 1-1"}, "", []string{"1 5-5"}, "You hold a tile that fits 5, so you must play."},
		{"classic hand=2", []string{"5-5 5-6", "1-0 1-1"}, "", []string{"1 5-5"}, "Nothing fits 5: drawing for you…"},
		{"classic hand=2", []string{"5-3 5-6", "1-0 1-1"}, "", []string{"1 5-3"}, "Nothing fits 5 or 3: drawing for you…"},
		{"azneef hand=2", []string{"5-5 5-6", "1-0 1-1"}, "0-0", []string{"1 5-5", "2 draw"}, "Nothing fits 5: drawing for you… (2 draws left this turn)"},
		{"classic hand=2", []string{"5-5 5-6", "1-0 1-1"}, "5-2", []string{"1 5-5", "2 draw"}, "You drew 5-2 and it fits, so you must play it."},
		{"azneef hand=2", []string{"5-5 5-6", "1-0 1-1"}, "0-0 0-2 0-3", []string{"1 5-5", "2 draw", "2 draw", "2 draw"},
			"Nothing fits 5 and you have drawn 3 tiles, the most for one turn: passing for you."},
		{"classic hand=2 draw=none", []string{"5-5 5-6", "1-0 1-1"}, "", []string{"1 5-5"}, "Nothing fits 5: passing for you. Nobody draws in this game."},
		{"classic hand=14", []string{"6-6 0-1 0-2 0-3 0-4 0-5 0-6 1-1 1-2 1-3 1-4 1-5 1-6 5-6", "0-0 2-2 2-3 2-4 2-5 6-2 3-3 3-4 3-5 3-6 4-4 4-5 4-6 5-5"}, "",
			[]string{"1 1-1"}, "Nothing fits 1 and the boneyard is empty: passing for you."},
	} {
		g, _ := after(t, dealt(t, c.rule, c.hands, c.stock), c.moves...)
		v := g.View(g.Turn())
		if got := v.Reason(); got != c.want {
			t.Errorf("%s after %v: got %q, want %q", c.rule, c.moves, got, c.want)
		}
	}
}
