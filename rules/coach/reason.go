package coach

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"boneyard/rules"
	"boneyard/rules/bot"
)

// most is the maximum number of reasons for one choice.
const most = 2

// Reasons returns what favours best over played, strongest first, at most two; Rest follows if all reasons
// account for less than half of the difference. It depends only on its arguments.
func Reasons(s *bot.Seen, best, played bot.Value, rng *rand.Rand) []Reason {
	next := s.Seat.Next(s.Seats)
	b, p := s.After(best.Choice), s.After(played.Choice)
	look := bot.Outlooks(s, []rules.Choice{best.Choice, played.Choice}, outlooks, rng)
	handBest, handPlayed := s.Hand.Without(best.Tile), s.Hand.Without(played.Tile)
	var all []Reason
	explained := 0.0
	add := func(r Reason, weight, least float64) {
		explained += weight
		if weight >= least {
			r.weight = weight
			all = append(all, r)
		}
	}
	if handBest.Empty() && !handPlayed.Empty() {
		add(Reason{Kind: Out}, 100, 0)
	}
	scoreBest, scorePlayed := float64(best.Points), float64(played.Points)
	add(Reason{Kind: Scores, Best: scoreBest, Played: scorePlayed}, scoreBest-scorePlayed, 1)
	add(Reason{Kind: Answers, Best: look[0].Reply, Played: look[1].Reply, Next: next}, look[1].Reply-look[0].Reply, 1)
	blocks := Reason{Kind: Blocks, Best: look[0].Stuck, Played: look[1].Stuck, Next: next, Suits: suits(s, &b, &p, handBest)}
	add(blocks, 10*(look[0].Stuck-look[1].Stuck), 1)
	keepBest, keepPlayed := (handBest & b.Fits()).Len(), (handPlayed & p.Fits()).Len()
	add(Reason{Kind: Keeps, Best: float64(keepBest), Played: float64(keepPlayed)}, float64(keepBest-keepPlayed), 1)
	shedBest, shedPlayed := best.Tile.Weight(), played.Tile.Weight()
	add(Reason{Kind: Sheds, Best: float64(shedBest), Played: float64(shedPlayed)}, 0.35*float64(shedBest-shedPlayed), 0.7)
	if len(all) == 0 || all[0].Kind != Out {
		add(Reason{Kind: Wins, Best: best.Out, Played: played.Out}, 20*(best.Out-played.Out), 1)
	}
	slices.SortStableFunc(all, func(a, b Reason) int { return cmp.Compare(b.weight, a.weight) })
	all = all[:min(len(all), most)]
	if explained < (best.Mean-played.Mean)/2 {
		all = append(all, Reason{Kind: Rest})
	}
	return all
}

// suits returns the numbers that are open only after the better choice, hardest to match first.
func suits(s *bot.Seen, after, other *rules.Layout, hand rules.Hand) []Suit {
	known := hand | after.Tiles()
	var all []Suit
	for p := range rules.MaxPip + 1 {
		if double := rules.NewTile(p, p); !after.Fits().Has(double) || other.Fits().Has(double) {
			continue
		}
		suit := Suit{Pip: p, Seen: (known & rules.WithPip(p)).Len(), Short: short(s, p)}
		if suit.Short || suit.Seen >= 4 {
			all = append(all, suit)
		}
	}
	slices.SortFunc(all, func(a, b Suit) int { return cmp.Or(b.Seen-a.Seen, int(a.Pip)-int(b.Pip)) })
	return all
}

// short reports whether the next seat can have no tile with a number: it drew or passed while the number was
// open at the tip of an arm, and has not drawn since while it was not.
func short(s *bot.Seen, p rules.Pip) bool {
	next := s.Seat.Next(s.Seats)
	tips := make(map[rules.Arm]rules.Pip)
	found := false
	for i := range s.Past {
		switch e := &s.Past[i]; {
		case e.Kind == rules.Play && e.Lead:
			tips[rules.ArmL], tips[rules.ArmR] = e.Inner, e.Outer
		case e.Kind == rules.Play:
			tips[e.Arm] = e.Outer
		case e.Seat == next:
			open := false
			for _, tip := range tips {
				open = open || tip == p
			}
			found = open || found && e.Kind == rules.Pass
		}
	}
	return found
}
