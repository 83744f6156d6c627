package rules

import (
	"errors"
	"testing"
)

// The seat and the tile of the first lead (docs/rules.md, "Leading").
func TestFirstLead(t *testing.T) {
	for _, c := range []struct {
		name   string
		rule   string
		hands  []string
		leader Seat
		forced Tile
	}{
		{"the highest double", "azneef hand=3", []string{"6-5 1-1 0-0", "3-3 6-4 2-2", "6-3 6-2 6-1"}, 2, NewTile(3, 3)},
		{"no double: the heaviest tile", "azneef hand=2", []string{"6-3 5-3", "6-2 0-1"}, 1, NewTile(6, 3)},
		{"of equal weight the higher half", "azneef hand=2", []string{"5-4 0-1", "6-3 0-2"}, 2, NewTile(6, 3)},
		{"a lot", "classic hand=2", []string{"0-0 1-1", "5-5 6-6"}, 1, NoTile},
		{"6-6", "block", []string{
			"0-0 0-1 0-2 0-3 0-4 0-5 0-6", "1-1 1-2 1-3 1-4 1-5 1-6 2-2", "2-3 2-4 2-5 2-6 3-3 3-4 3-5", "3-6 4-4 4-5 4-6 5-5 5-6 6-6",
		}, 4, NewTile(6, 6)},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := dealt(t, c.rule, c.hands, "")
			want := g.Hand(c.leader)
			if c.forced != NoTile {
				want = NewHand(c.forced)
			}
			if g.Leader() != c.leader || g.Turn() != c.leader || g.Playable() != want {
				t.Errorf("seat %d leads one of %v, want seat %d and %v", g.Leader(), g.Playable(), c.leader, want)
			}
		})
	}
}

// Who leads a later round.
func TestNextLead(t *testing.T) {
	domino := roundPlayed{"seat 2 dominoes", []string{"1-1 2-2", "1-0"}, []string{"1 1-1", "2 1-0 L"}}
	blocked := roundPlayed{"seat 2 is lightest", []string{"1-1 6-6", "2-2 3-4"}, []string{"1 1-1"}}
	tied := roundPlayed{"blocked with equal hands", []string{"1-1 2-3", "0-5"}, []string{"1 1-1"}}
	for _, c := range []struct {
		rule   string
		played roundPlayed
		lot    bool // a lot decides
		leader Seat // of the next round, in which the lot falls to seat 1 and the highest double is with seat 1
	}{
		{"next=winner", domino, false, 2},
		{"next=winner", blocked, false, 2},
		{"next=winner", tied, true, 1},
		{"next=winner lead=double", tied, false, 1},
		{"next=domino", domino, false, 2},
		{"next=domino", blocked, true, 1},
		{"next=lead", domino, true, 1},
		{"next=winner lead=double", domino, false, 2},
		{"next=domino lead=double", blocked, false, 1},
		{"next=lead lead=double", domino, false, 1},
		{"next=winner end=subtract", blocked, true, 1},
		{"next=winner end=subtract", domino, false, 2},
	} {
		t.Run(c.rule+"/"+c.played.name, func(t *testing.T) {
			g := newGame(t, "classic draw=none "+c.rule, 2)
			c.played.play(t, &g)
			if g.NeedsLot() != c.lot {
				t.Errorf("a lot is needed: %v, want %v", g.NeedsLot(), c.lot)
			}
			g.rules.Hand = [3]int{2, 2, 2}
			g = deal(t, g, []string{"5-5 0-1", "3-3 0-2"}, "")
			if g.Leader() != c.leader || g.Round() != 2 {
				t.Errorf("seat %d leads round %d, want seat %d", g.Leader(), g.Round(), c.leader)
			}
			if free := g.rules.Lead == LeadLot || c.leader == 2; free != (g.Playable() == g.Hand(c.leader)) {
				t.Errorf("may lead %v of %v", g.Playable(), g.Hand(c.leader))
			}
		})
	}
}

// roundPlayed is a first round, with hands of any size. Seat 1 leads.
type roundPlayed struct {
	name  string
	hands []string
	moves []string
}

func (p roundPlayed) play(t *testing.T, g *Game) {
	t.Helper()
	d := Deal{Lot: 1}
	for i, text := range p.hands {
		d.Hands[i] = hand(t, text)
	}
	g.start(&d)
	g.leader, g.turn, g.forced = 1, 1, NoTile
	next, e := after(t, *g, p.moves...)
	if e.End == NotEnded {
		t.Fatal("the first round did not end")
	}
	*g = next
}

func TestRefusedDeals(t *testing.T) {
	fair := func() Deal {
		var d Deal
		for tile := range Tile(SetSize) {
			if tile < 14 {
				d.Hands[tile/7] = d.Hands[tile/7].With(tile)
			} else {
				d.Stock = append(d.Stock, tile)
			}
		}
		d.Lot = 2
		return d
	}
	for _, c := range []struct {
		name  string
		spoil func(*Deal)
	}{
		{"a tile too few in a hand", func(d *Deal) { d.Hands[0] = d.Hands[0].Without(0) }},
		{"a tile too many in a hand", func(d *Deal) { d.Hands[0] = d.Hands[0].With(27) }},
		{"a tile in two hands", func(d *Deal) { d.Hands[0] = d.Hands[0].Without(0).With(7) }},
		{"a tile in a hand and the boneyard", func(d *Deal) { d.Stock[0] = 0 }},
		{"a tile twice in the boneyard", func(d *Deal) { d.Stock[0] = d.Stock[1] }},
		{"a tile missing", func(d *Deal) { d.Stock = d.Stock[1:] }},
		{"what is no tile", func(d *Deal) { d.Stock[0] = NoTile }},
		{"a hand for a seat that is not there", func(d *Deal) { d.Hands[2] = NewHand(d.Stock[0]) }},
		{"no lot", func(d *Deal) { d.Lot = 0 }},
		{"a lot for nobody", func(d *Deal) { d.Lot = 3 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame(t, "classic", 2)
			d := fair()
			c.spoil(&d)
			next, err := g.Deal(d)
			if !errors.Is(err, ErrDeal) || next != g {
				t.Errorf("got %v", err)
			}
		})
	}
	g := newGame(t, "classic", 2)
	if _, err := g.Deal(fair()); err != nil {
		t.Errorf("a fair deal is refused: %v", err)
	}
}
