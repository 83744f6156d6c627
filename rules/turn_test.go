package rules

import (
	"errors"
	"slices"
	"testing"
)

// Forbidden moves, and the rules that forbid them.
func TestForbiddenMoves(t *testing.T) {
	opened := []string{"1 5-5"}
	for _, c := range []struct {
		name  string
		rule  string
		hands []string
		stock string
		moves []string // before
		move  string
		want  error
	}{
		{"out of turn", "classic hand=2", []string{"5-5 6-6", "5-0 1-1"}, "", nil, "2 5-0", ErrNotYourTurn},
		{"a tile not held", "classic hand=2", []string{"5-5 6-6", "5-0 1-1"}, "", nil, "1 5-0", ErrNotHeld},
		{"an arm on the lead", "classic hand=2", []string{"5-5 6-6", "5-0 1-1"}, "", nil, "1 5-5 L", ErrArmMissing},
		{"no arm on a later play", "classic hand=2", []string{"5-5 6-6", "5-0 1-1"}, "", opened, "2 5-0", ErrArmMissing},
		{"an arm that is not open", "azneef hand=2", []string{"5-5 6-6", "5-0 1-1"}, "",
			[]string{"1 6-6", "2 draw", "2 draw", "2 draw", "2 pass"}, "1 5-5 U", ErrArmClosed},
		{"the spinner's end before its sides", "sniff hand=2", []string{"5-5 6-6", "5-0 1-1"}, "", opened, "2 5-0 U", ErrArmClosed},
		{"an arm nothing lies on", "classic hand=2", []string{"5-5 6-6", "5-0 1-1"}, "", opened, "2 5-0 7U", ErrArmClosed},
		{"no spinner in block", "block hand=2 lead=lot", []string{"5-5 6-6", "5-0 1-1", "0-0 0-1", "0-2 0-3"}, "", opened, "2 5-0 U",
			ErrArmClosed},
		{"a tile that does not fit", "classic hand=2", []string{"5-5 6-6", "5-0 1-1"}, "", opened, "2 1-1 R", ErrNoFit},
		{"another lead than the highest double", "azneef hand=2", []string{"5-5 1-1", "6-5 6-4"}, "", nil, "1 1-1", ErrForcedLead},
		{"another lead than 6-6", "block", []string{
			"6-6 0-0 0-1 0-2 0-3 0-4 0-5", "0-6 1-1 1-2 1-3 1-4 1-5 1-6", "2-2 2-3 2-4 2-5 2-6 3-3 3-4", "3-5 3-6 4-4 4-5 4-6 5-5 5-6",
		}, "", nil, "1 0-0", ErrForcedLead},
		{"a draw with a tile that fits", "classic hand=2", []string{"5-5 6-6", "5-0 1-1"}, "", opened, "2 draw", ErrMustPlay},
		{"a draw on the lead", "classic hand=2", []string{"5-5 6-6", "5-0 1-1"}, "", nil, "1 draw", ErrMustPlay},
		{"a pass with a tile that fits", "classic hand=2", []string{"5-5 6-6", "5-0 1-1"}, "", opened, "2 pass", ErrMustPlay},
		{"a pass where one may draw", "classic hand=2", []string{"5-5 6-6", "1-0 1-1"}, "", opened, "2 pass", ErrMustDraw},
		{"a second draw when the first fits", "classic hand=2", []string{"5-5 6-6", "1-0 1-1"}, "5-1", append(opened, "2 draw"), "2 draw",
			ErrDrawnTile},
		{"a pass with a drawn tile that fits", "classic hand=2", []string{"5-5 6-6", "1-0 1-1"}, "5-1", append(opened, "2 draw"), "2 pass",
			ErrDrawnTile},
		{"a draw in a game without", "classic draw=none hand=2", []string{"5-5 5-6", "1-0 1-1"}, "", opened, "2 draw", ErrNoDraw},
		{"a fourth draw in azneef", "azneef hand=2", []string{"5-5 5-6", "1-0 1-1"}, "0-0 0-2 0-3 5-0",
			append(opened, "2 draw", "2 draw", "2 draw"), "2 draw", ErrNoDraw},
		{"a pass before the third draw in azneef", "azneef hand=2", []string{"5-5 5-6", "1-0 1-1"}, "0-0 0-2 0-3 5-0",
			append(opened, "2 draw", "2 draw"), "2 pass", ErrMustDraw},
		{"a pass after three draws in classic", "classic hand=2", []string{"5-5 5-6", "1-0 1-1"}, "0-0 0-2 0-3 5-0",
			append(opened, "2 draw", "2 draw", "2 draw"), "2 pass", ErrMustDraw},
		{"no move at all", "classic hand=2", []string{"5-5 6-6", "5-0 1-1"}, "", nil, "", ErrNoMove},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, _ := after(t, dealt(t, c.rule, c.hands, c.stock), c.moves...)
			before := g
			m := Move{Seat: g.Turn()}
			if c.move != "" {
				m = parseMove(t, c.move)
			}
			next, e, err := g.Apply(m)
			if !errors.Is(err, c.want) {
				t.Fatalf("got error %v, want %v", err, c.want)
			}
			if next != before || g != before || e != (Event{}) {
				t.Error("a forbidden move changed the game")
			}
		})
	}
}

func TestNothingMovesBetweenRounds(t *testing.T) {
	g := newGame(t, "classic", 2)
	if _, _, err := g.Apply(parseMove(t, "1 5-5")); !errors.Is(err, ErrNoRound) {
		t.Errorf("a move before the deal: %v", err)
	}
	if g.Turn() != 0 || g.Duty() != 0 || g.Options() != 0 || g.Playable() != 0 {
		t.Error("somebody is to move before the deal")
	}
	g = dealt(t, "classic hand=1", []string{"5-5", "0-0"}, "")
	if _, err := g.Deal(Deal{}); !errors.Is(err, ErrNoRound) {
		t.Errorf("a deal in the middle of a round: %v", err)
	}
	g, e := after(t, g, "1 5-5")
	if e.End != Domino || g.Phase() != Dealing {
		t.Fatalf("the last tile gives %+v", e)
	}
	if _, _, err := g.Apply(parseMove(t, "2 0-0 L")); !errors.Is(err, ErrNoRound) {
		t.Errorf("a move after the round: %v", err)
	}
}

// The draws of a turn, with the duty after each.
func TestDraws(t *testing.T) {
	for _, c := range []struct {
		name   string
		rule   string
		stock  string
		duties []MoveKind // of seat 2, which holds nothing that fits
	}{
		{"azneef: three draws, then a pass", "azneef hand=2", "0-0 0-2 0-3 5-0", []MoveKind{Draw, Draw, Draw, Pass}},
		{"azneef: the third fits", "azneef hand=2", "0-0 0-2 0-5", []MoveKind{Draw, Draw, Draw, Play}},
		{"classic: as many as it takes", "classic hand=2", "0-0 0-2 0-3 0-4 5-0", []MoveKind{Draw, Draw, Draw, Draw, Draw, Play}},
		{"draw=1", "classic hand=2 draw=1", "0-0 0-5", []MoveKind{Draw, Pass}},
		{"none", "classic hand=2 draw=none", "0-5", []MoveKind{Pass}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, _ := after(t, dealt(t, c.rule, []string{"5-5 5-6", "1-0 1-1"}, c.stock), "1 5-5")
			for i, want := range c.duties {
				if got := g.Duty(); got != want {
					t.Fatalf("duty %d is %v, want %v", i, got, want)
				}
				if want == Draw {
					g, _ = after(t, g, "2 draw")
				}
			}
		})
	}
}

func TestDrawnTileIsTheOnlyChoice(t *testing.T) {
	g, _ := after(t, dealt(t, "classic hand=2", []string{"5-5 5-6", "1-0 1-1"}, "0-0 5-1"), "1 5-5", "2 draw", "2 draw")
	want := []Choice{{NewTile(1, 5), ArmL}, {NewTile(1, 5), ArmR}, {NewTile(1, 5), ArmU}, {NewTile(1, 5), ArmD}}
	if got := g.AppendChoices(nil); !slices.Equal(got, want) {
		t.Errorf("choices %v, want %v", got, want)
	}
	if got := g.Options(); got != 4 {
		t.Errorf("%d options, want 4", got)
	}
}

func TestChoicesAndOptions(t *testing.T) {
	g := dealt(t, "classic hand=3", []string{"5-5 5-6 0-1", "5-0 1-1 2-2"}, "")
	if got := g.AppendChoices(nil); len(got) != 3 || g.Options() != 3 || got[0].Arm != NoArm {
		t.Errorf("on the lead there are %v", got)
	}
	g, _ = after(t, g, "1 5-5", "2 5-0 R")
	want := []Choice{{NewTile(5, 6), ArmL}, {NewTile(0, 1), ArmR}, {NewTile(5, 6), ArmU}, {NewTile(5, 6), ArmD}}
	if got := g.AppendChoices(nil); !slices.Equal(got, want) || g.Options() != 4 {
		t.Errorf("choices %v (%d options), want %v", got, g.Options(), want)
	}
	g = dealt(t, "azneef hand=3", []string{"6-6 5-6 0-1", "5-0 1-1 2-2"}, "")
	if got := g.AppendChoices(nil); len(got) != 1 || got[0].Tile != NewTile(6, 6) || g.Options() != 1 {
		t.Errorf("a forced lead leaves %v", got)
	}
}

func TestLeadOrientation(t *testing.T) {
	for _, lead := range []string{"1 6-4", "1 4-6"} {
		g, e := after(t, dealt(t, "classic hand=2", []string{"6-4 0-0", "1-1 2-2"}, ""), lead)
		a, b := Pip(lead[2]-'0'), Pip(lead[4]-'0')
		l := g.Layout()
		if l.End(0) != (End{ArmL, a, 0, EdgeNear}) || l.End(1) != (End{ArmR, b, 0, EdgeFar}) || e.Inner != a || e.Outer != b || !e.Lead {
			t.Errorf("%s: ends %+v %+v, event %+v", lead, l.End(0), l.End(1), e)
		}
	}
}

func TestRoundEnds(t *testing.T) {
	for _, c := range []struct {
		name  string
		rule  string
		hands []string
		stock string
		moves []string
		want  RoundEnd
	}{
		{"the last tile", "classic hand=1", []string{"0-0", "1-1"}, "", []string{"1 0-0"}, Domino},
		{"a hand of 0-0 has not gone out", "classic hand=2", []string{"1-1 1-2", "0-0 1-0"}, "", []string{"1 1-1", "2 1-0 L"}, NotEnded},
		{"nobody fits and nobody draws", "classic hand=2 draw=none", []string{"0-0 1-2", "1-1 3-4"}, "", []string{"1 0-0"}, Blocked},
		{"nobody fits, but the boneyard has tiles", "classic hand=2", []string{"0-0 1-2", "1-1 3-4"}, "", []string{"1 0-0"}, NotEnded},
		{"nobody may draw now, but later", "classic hand=2 draw=1", []string{"0-0 1-2", "1-1 3-4"}, "2-2 3-3",
			[]string{"1 0-0", "2 draw", "2 pass"}, NotEnded},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, e := after(t, dealt(t, c.rule, c.hands, c.stock), c.moves...)
			if e.End != c.want || (g.Phase() == Playing) != (c.want == NotEnded) {
				t.Errorf("ended %v in phase %v, want %v", e.End, g.Phase(), c.want)
			}
		})
	}
}

// A round ends with the draw that empties the boneyard, if nobody can go on.
func TestLastDrawBlocks(t *testing.T) {
	// Everything is dealt but 6-6; after 0-0 on a layout of noughts alone nothing fits but a tile with 0, and seat 2 has none.
	g := newGame(t, "classic hand=1 draw=all", 2)
	d := Deal{Lot: 1, Stock: tiles(t, "2-2 3-3")}
	d.Hands[0], d.Hands[1] = hand(t, "0-0"), hand(t, "1-1")
	g.start(&d) // a set of five tiles, which Deal would refuse
	g.hands[0] = g.hands[0].With(NewTile(4, 4))
	g, e := after(t, g, "1 0-0", "2 draw")
	if e.End != NotEnded {
		t.Fatal("ended while the boneyard has a tile")
	}
	g, e = after(t, g, "2 draw")
	if e.End != Blocked || e.Tile != NewTile(3, 3) || g.Phase() != Dealing {
		t.Errorf("the last draw gives %+v", e)
	}
	if res := g.Result(); res.Last != 1 || res.Winner != 1 || res.Left != [MaxSeats]Points{8, 12} {
		t.Errorf("scored as %+v", res)
	}
}
