package rules

import (
	"slices"
	"testing"
)

// left is a game whose round is about to be scored: the hands that are left, and who laid the last tile.
func left(t *testing.T, rule string, last Seat, hands ...string) Game {
	t.Helper()
	g := newGame(t, rule, len(hands))
	for i, text := range hands {
		g.hands[i] = hand(t, text)
	}
	g.round, g.last = 1, last
	return g
}

// Hands by weight, for the tables below.
const (
	none = ""
	w0   = "0-0"
	w1   = "0-1"
	w2   = "0-2"
	w3   = "1-2"
	w5   = "2-3"
	w5b  = "0-5"
	w7   = "3-4"
	w8   = "2-6"
	w11  = "5-6"
	w13  = "6-6 0-1"
	w26  = "6-6 5-5 1-3"
)

// docs/rules.md, "Scoring a round".
func TestRoundScores(t *testing.T) {
	for _, c := range []struct {
		name   string
		rule   string
		how    RoundEnd
		last   Seat
		hands  []string
		change []Points
		winner Seat
	}{
		{"award, domino", "azneef", Domino, 2, []string{w8, none, w11}, []Points{0, 20, 0}, 2}, // 19 → 20
		{"award, domino, teams: the partner's hand is not counted", "azneef teams=on", Domino, 3, []string{w26, w5, none, w7}, []Points{10, 0},
			3},
		{"award, blocked: opponents less own", "azneef", Blocked, 1, []string{w11, w3, w13}, []Points{0, 20, 0}, 2},                       // 11 + 13 − 3 = 21
		{"award, blocked, teams: the lighter partner wins", "azneef teams=on", Blocked, 2, []string{w3, w11, w2, w8}, []Points{15, 0}, 3}, // 19 − 5 = 14
		{"award, blocked, teams: of equal partners the lower seat", "azneef teams=on", Blocked, 2, []string{w11, w5, w8, w5b}, []Points{0, 10},
			2},
		{"award, tied for lightest", "azneef", Blocked, 1, []string{w5, w5b, w11}, []Points{0, 0, 0}, 0},
		{"award, tied behind the lightest", "azneef", Blocked, 1, []string{w5, w5b, w3}, []Points{0, 0, 5}, 3}, // 10 − 3 = 7
		{"award, tied teams", "azneef teams=on", Blocked, 1, []string{w5, w8, w8, w5b}, []Points{0, 0}, 0},

		{"subtract, domino: each hand by itself", "sniff", Domino, 1, []string{none, w7, w8}, []Points{0, -5, -10}, 1},
		{"subtract, domino, teams: the partner's hand costs too", "sniff teams=on", Domino, 1, []string{none, w7, w3, w8}, []Points{-5, -15}, 1},
		{"subtract, domino, teams: each hand is rounded by itself", "spruce teams=on", Domino, 1, []string{none, w2, w7, w2}, []Points{-5, 0}, 1},
		{"subtract, blocked: no winner", "sniff", Blocked, 1, []string{w2, w7, w8}, []Points{0, -5, -10}, 0},

		{"bonus, domino", "classic", Domino, 1, []string{none, w5, w11, w13}, []Points{6, 0, 0, 0}, 1},                          // 29 → 30
		{"bonus, blocked: the example of text 003", "classic", Blocked, 4, []string{w3, w5, w11, w13}, []Points{5, 0, 0, 0}, 1}, // 26 → 25
		{"bonus, tied", "classic", Blocked, 1, []string{w5, w5b}, []Points{0, 0}, 0},
		{"bonus, blocked, teams", "classic teams=on", Blocked, 1, []string{w3, w11, w1, w8}, []Points{3, 0}, 3}, // 19 − 4 = 15
		{"bonus by threes", "classic multiple=3", Domino, 1, []string{none, w7, w7}, []Points{5, 0, 0}, 1},      // 14 → 15
		{"bonus on a cribbage board stays as it is", "classic pegs=on", Domino, 1, []string{none, w26}, []Points{5, 0}, 1},
		{"nought left and blocked is no domino", "classic", Blocked, 2, []string{w0, w8}, []Points{2, 0}, 1},
		{"nought left in the other hand", "classic", Domino, 2, []string{w0, none}, []Points{0, 0}, 2},

		{"take, domino: not rounded", "block", Domino, 1, []string{none, w7, w26, w3}, []Points{10, 0}, 1},
		{"take, blocked", "block", Blocked, 1, []string{w7, w3, w8, w2}, []Points{0, 15}, 4},
		{"take, tied: who laid the last tile loses", "block", Blocked, 1, []string{w5, w5b, w8, w8}, []Points{0, 13}, 2},
		{"take, tied, the other team", "block", Blocked, 4, []string{w5, w5b, w3, w3}, []Points{8, 0}, 3},
		{"take, two sides", "classic end=take", Blocked, 2, []string{w5, w5b}, []Points{5, 0}, 1},
		{"take, three sides: one tied side is left", "classic end=take", Blocked, 1, []string{w5, w5b, w11}, []Points{0, 16, 0}, 2},
		{"take, three sides: two tied sides are left", "classic end=take", Blocked, 3, []string{w5, w5b, w11}, []Points{0, 0, 0}, 0},
		{"take, three sides all tied", "classic end=take", Blocked, 3, []string{w5, w5b, "1-4"}, []Points{0, 0, 0}, 0},
		{"take, blocked, alone", "classic end=take", Blocked, 1, []string{w5, w3, w11}, []Points{0, 16, 0}, 2},
		{"take, blocked, who laid the last tile alone", "classic end=take", Blocked, 2, []string{w5, w3, w11}, []Points{0, 16, 0}, 2},
		{"take without points in play", "classic end=take multiple=0", Domino, 1, []string{none, w7}, []Points{7, 0}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := left(t, c.rule, c.last, c.hands...)
			g.scores = [MaxSeats]Points{100, 40, 7, 0}
			res := g.score(c.how)
			if got := res.Change[:len(c.change)]; !slices.Equal(got, c.change) || res.Winner != c.winner {
				t.Errorf("sides get %v and seat %d wins, want %v and %d", got, res.Winner, c.change, c.winner)
			}
			for i, total := range res.Totals {
				if total != g.scores[i]+res.Change[i] {
					t.Errorf("side %d has %d after %d%+d", i+1, total, g.scores[i], res.Change[i])
				}
			}
			if res.How != c.how || res.Last != c.last || res.Round != 1 {
				t.Errorf("the result is %+v", res)
			}
		})
	}
}

// docs/rules.md, "Rounding".
func TestRound(t *testing.T) {
	for _, c := range []struct{ multiple, x, want Points }{
		{5, 0, 0}, {5, 2, 0}, {5, 3, 5}, {5, 7, 5}, {5, 8, 10}, {5, 19, 20}, {5, 26, 25},
		{3, 1, 0}, {3, 2, 3}, {3, 4, 3}, {3, 5, 6},
		{0, 7, 7},
	} {
		r := Ruleset{Multiple: c.multiple}
		if got := r.Round(c.x); got != c.want {
			t.Errorf("by %d: %d is rounded to %d, want %d", c.multiple, c.x, got, c.want)
		}
	}
}

func TestWinning(t *testing.T) {
	for _, c := range []struct {
		name   string
		rule   string
		scores [MaxSeats]Points
		round  int
		want   Side // when a round has been scored
		over   bool
	}{
		{"nobody", "classic", [MaxSeats]Points{199, 100}, 4, 0, false},
		{"target is enough", "classic", [MaxSeats]Points{200, 100}, 4, 1, true},
		{"above is more", "sniff", [MaxSeats]Points{200, 100}, 4, 0, false},
		{"above", "sniff", [MaxSeats]Points{100, 201}, 4, 2, true},
		{"the highest of those", "sniff", [MaxSeats]Points{205, 210}, 4, 2, true},
		{"equal highest play on", "classic", [MaxSeats]Points{205, 205}, 4, 0, false},
		{"spruce with two", "spruce", [MaxSeats]Points{249, 0}, 4, 0, false},
		{"negative", "sniff", [MaxSeats]Points{-5, -10}, 4, 0, false},
		{"more rounds to come", "classic rounds=5", [MaxSeats]Points{900, 100}, 4, 0, false},
		{"the last round", "classic rounds=4", [MaxSeats]Points{20, 100}, 4, 2, true},
		{"the last round, shared", "sniff rounds=4", [MaxSeats]Points{205, 205}, 4, 0, true},
		{"the last round, all below zero", "sniff rounds=4", [MaxSeats]Points{-10, -5}, 4, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame(t, c.rule, 2)
			g.scores = c.scores
			g.round = c.round
			if over, got := g.over(); over != c.over || over && got != c.want {
				t.Errorf("over is %v, won by side %d; want %v and %d", over, got, c.over, c.want)
			}
		})
	}
	if g := newGame(t, "spruce", 3); g.rules.TargetFor(3) != 200 || g.rules.TargetFor(2) != 250 {
		t.Error("spruce goes to 250 with two and to 200 with more")
	}
	g := newGame(t, "classic", 3)
	g.scores = [MaxSeats]Points{210, 100, 210}
	if over, _ := g.over(); over {
		t.Error("the game is over with two equal highest scores")
	}
}

// win=now ends the game with the play, win=round with the scoring of its round.
func TestWinInPlay(t *testing.T) {
	hands := []string{"5-5 6-6", "5-0 1-1"}
	for _, c := range []struct {
		rule string
		over bool
	}{
		{"classic hand=2 target=10", true},
		{"classic hand=2 target=11", false},
		{"classic hand=2 above=10", false},
		{"classic hand=2 above=9", true},
		{"classic hand=2 target=10 win=round", false},
		{"classic hand=2 target=3 pegs=on", false}, // 10 are two pegs
		{"classic hand=2 target=2 pegs=on", true},
	} {
		t.Run(c.rule, func(t *testing.T) {
			g, e := after(t, dealt(t, c.rule, hands, ""), "1 5-5")
			if e.GameOver != c.over || (g.Phase() == Over) != c.over || e.End != NotEnded {
				t.Fatalf("after a count of 10: %+v", e)
			}
			if c.over && (g.Winner() != 1 || e.Winner != 1 || g.Result().Round != 0 || g.Turn() != 0) {
				t.Errorf("won by side %d, result %+v", g.Winner(), g.Result())
			}
		})
	}

	t.Run("with the last tile, no round is scored", func(t *testing.T) {
		g, e := after(t, dealt(t, "classic hand=1 target=10", []string{"5-5", "6-6"}, ""), "1 5-5")
		if !e.GameOver || e.End != NotEnded || g.Score(1) != 10 {
			t.Errorf("%+v with %d points", e, g.Score(1))
		}
	})
	t.Run("win=round ends with the scoring", func(t *testing.T) {
		g, e := after(t, dealt(t, "classic hand=1 target=10 win=round", []string{"5-5", "6-6"}, ""), "1 5-5")
		if !e.GameOver || e.End != Domino || e.Winner != 1 || g.Score(1) != 12 {
			t.Errorf("%+v with %d points", e, g.Score(1))
		}
	})
	t.Run("a partner's points are the team's", func(t *testing.T) {
		hands := []string{"5-5 6-6", "5-1 1-1", "1-0 2-2", "3-3 4-4"}
		g, e := after(t, dealt(t, "classic teams=on hand=2 target=20", hands, ""), "1 5-5", "2 5-1 R", "3 1-0 R")
		if !e.GameOver || e.Winner != 1 || g.Score(1) != 20 || g.Score(2) != 0 {
			t.Errorf("%+v with %d points", e, g.Score(1))
		}
	})
}
