package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrDeal is returned when a deal does not divide the set as the rules require, or has no lot.
var ErrDeal = errors.New("that deal cannot be")

// Deal is how the set is dealt for one round.
type Deal struct {
	Hands [MaxSeats]Hand
	Stock []Tile // the boneyard, in the order in which it is drawn
	Lot   Seat   // the seat that the lot falls to; required if [Game.NeedsLot]
}

// Seed is the secret that determines all deals and lots of a game (docs/record.md, "Seeded deals").
type Seed [32]byte

// ParseSeed parses 64 lower-case hex digits.
func ParseSeed(s string) (Seed, error) {
	var seed Seed
	if len(s) != 2*len(seed) || strings.Trim(s, "0123456789abcdef") != "" {
		return seed, errors.New("a seed is 64 lower-case hex digits")
	}
	_, err := hex.Decode(seed[:], []byte(s))
	return seed, err
}

// String returns the seed as 64 lower-case hex digits.
func (s Seed) String() string { return hex.EncodeToString(s[:]) }

// Commitment returns the hex SHA-256 of the seed's 64 hex digits. It is shown before the game, so that the
// seed shown after it can be checked.
func (s Seed) Commitment() string {
	sum := sha256.Sum256([]byte(s.String()))
	return hex.EncodeToString(sum[:])
}

// Deal returns the deal and the lot for a round of n seats (docs/record.md, "Seeded deals").
func (s Seed) Deal(r *Ruleset, n, round int) Deal {
	type keyed struct {
		key  [sha256.Size]byte
		tile Tile
	}
	prefix := append([]byte(s.String()), '/')
	prefix = append(strconv.AppendInt(prefix, int64(round), 10), '/')
	order := make([]keyed, SetSize)
	for t := range order {
		order[t] = keyed{sha256.Sum256(append(prefix, Tile(t).String()...)), Tile(t)}
	}
	slices.SortFunc(order, func(a, b keyed) int { return slices.Compare(a.key[:], b.key[:]) })

	var d Deal
	size := r.HandSize(n)
	for i, k := range order {
		if seat := i / size; seat < n {
			d.Hands[seat] = d.Hands[seat].With(k.tile)
		} else {
			d.Stock = append(d.Stock, k.tile)
		}
	}
	var best [sha256.Size]byte
	for i := range n {
		sum := sha256.Sum256(append(prefix, "seat/"+strconv.Itoa(i+1)...))
		if i == 0 || slices.Compare(sum[:], best[:]) < 0 {
			best, d.Lot = sum, Seat(i+1)
		}
	}
	return d
}

// FirstLead reports whether a round is led like the first; before is the result of the round before it.
func (r *Ruleset) FirstLead(round int, before *RoundResult) bool {
	switch {
	case round == 1, r.Next == NextLead:
		return true
	case r.Next == NextWinner:
		return before.Winner == 0
	}
	return before.How != Domino
}

func (g *Game) firstLead() bool { return g.rules.FirstLead(g.round+1, &g.result) }

// NeedsLot reports whether a lot decides who leads the next round.
func (g *Game) NeedsLot() bool { return g.rules.Lead == LeadLot && g.firstLead() }

// CheckDeal returns an error wrapping [ErrDeal] unless d divides the set into hands of the right size and a
// boneyard.
func (g *Game) CheckDeal(d *Deal) error {
	size := g.rules.HandSize(g.seats)
	var all Hand
	for i, h := range d.Hands {
		want := size
		if i >= g.seats {
			want = 0
		}
		switch {
		case h.Len() != want:
			return fmt.Errorf("%w: seat %d has %d tiles, not %d", ErrDeal, i+1, h.Len(), want)
		case h&all != 0:
			return fmt.Errorf("%w: %s is dealt twice", ErrDeal, (h & all).Lowest())
		}
		all |= h
	}
	for _, t := range d.Stock {
		switch {
		case !t.Valid():
			return fmt.Errorf("%w: the boneyard holds what is no tile", ErrDeal)
		case all.Has(t):
			return fmt.Errorf("%w: %s is dealt twice", ErrDeal, t)
		}
		all = all.With(t)
	}
	if all != FullSet {
		return fmt.Errorf("%w: %s is missing", ErrDeal, (FullSet &^ all).Lowest())
	}
	return nil
}

// Deal starts the next round. The error wraps [ErrDeal], or [ErrNoRound] if no round may be dealt now.
func (g *Game) Deal(d Deal) (Game, error) {
	if g.phase != Dealing {
		return *g, fmt.Errorf("deal: %w", ErrNoRound)
	}
	if err := g.CheckDeal(&d); err != nil {
		return *g, err
	}
	needsLot := g.NeedsLot()
	if needsLot && (d.Lot < 1 || int(d.Lot) > g.seats) {
		return *g, fmt.Errorf("%w: no lot says who leads", ErrDeal)
	}
	next := *g
	next.start(&d)
	return next, nil
}

// start begins the round with a valid deal.
func (g *Game) start(d *Deal) {
	first := g.firstLead()
	g.round++
	g.phase = Playing
	g.hands = d.Hands
	g.nStock, g.next = uint8(copy(g.stock[:], d.Stock)), 0
	g.layout = Layout{}
	g.forced, g.drawn, g.draws, g.last = NoTile, NoTile, 0, 0
	if !first {
		g.leader = g.result.Winner
	} else {
		switch g.rules.Lead {
		case LeadDouble:
			g.leader, g.forced = g.strongest()
		case LeadSix:
			g.forced = tileOf[MaxPip][MaxPip]
			g.leader = g.holder(g.forced)
		default:
			g.leader = d.Lot
		}
	}
	g.turn = g.leader
}

// strongest returns the strongest tile dealt, and its seat.
func (g *Game) strongest() (Seat, Tile) {
	best := NoTile
	for _, h := range g.hands[:g.seats] {
		for t := range h.All() {
			if best == NoTile || t.Stronger(best) {
				best = t
			}
		}
	}
	return g.holder(best), best
}

func (g *Game) holder(t Tile) Seat {
	for i, h := range g.hands[:g.seats] {
		if h.Has(t) {
			return Seat(i + 1)
		}
	}
	return 0
}
