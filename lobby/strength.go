package lobby

import (
	"context"
	"math"
	"slices"
	"strings"

	"boneyard/table"
)

// QuickWish is the strength of bots that quick play is to choose.
type QuickWish string

// Wishes. Without one, they win about half of the games.
const (
	QuickEven QuickWish = ""
	QuickEasy QuickWish = "easy" // one level below
	QuickHard QuickWish = "hard" // one level above
)

// strengthRatings is how well each level plays, on the scale of chess ratings with a regular bot at 0: 100 points more win 64 % of
// the games, 400 points 91 %. They are rounded from the tables of docs/bots.md.
var strengthRatings = map[table.Strength]float64{
	table.Novice: -350, table.Casual: -150, table.Regular: 0, table.Expert: 230, table.Master: 425,
}

const (
	strengthGames = 40 // games that are looked at, among those with others too
	strengthStep  = 80 // how far one game moves the estimate, at most; so a few games are enough to change the level
)

// strengthFor is the level of the bots against which somebody wins about half of the games, learnt from the games against bots
// lately: a guest's are those of the visit. Somebody who has played none begins with a casual bot.
func (l *Lobby) strengthFor(ctx context.Context, p *person, wish QuickWish) (table.Strength, error) {
	l.mu.Lock()
	who, games := p.player, p.played
	l.mu.Unlock()
	if !who.ID.Guest() {
		var err error
		if games, err = l.stores.Games.Games(ctx, GamesQuery{Player: who.ID, Limit: strengthGames}); err != nil {
			return "", err
		}
	}
	return strengthAgainst(games, who.Name, wish), nil
}

// playedHere notes a game for those who played it and are still here. Only guests' results are remembered here.
func (l *Lobby) playedHere(s *table.Start, r *table.Result) {
	g := GameInfo{Rules: s.Rules, Seats: table.Names(s.Seats), Winner: r.Winner, Ending: r.Ending, Finished: true}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range s.Seats {
		p := l.people[s.Seats[i].ID]
		if p == nil {
			continue
		}
		if p.begun = true; p.id.Guest() {
			p.played = append([]GameInfo{g}, p.played[:min(len(p.played), strengthGames-1)]...)
		}
	}
}

// strengthAgainst is the level to which games, the newest first, and a wish lead.
func strengthAgainst(games []GameInfo, name string, wish QuickWish) table.Strength {
	skill := strengthRatings[table.Casual]
	for _, g := range slices.Backward(games) {
		opponent, met := botMet(&g)
		if !met || !g.Finished || g.Winner == 0 || g.Ending == table.EndAbandoned {
			continue
		}
		expected := winChance(skill, opponent)
		won := 0.0
		if wonBy(&g, name) {
			won = 1
		}
		skill += strengthStep * (won - expected)
	}
	all := table.Strengths()
	best := 0
	for i, s := range all {
		if math.Abs(strengthRatings[s]-skill) < math.Abs(strengthRatings[all[best]]-skill) {
			best = i
		}
	}
	switch wish {
	case QuickEasy:
		best = max(best-1, 0)
	case QuickHard:
		best = min(best+1, len(all)-1)
	}
	return all[best]
}

func winChance(skill float64, against table.Strength) float64 {
	return 1 / (1 + math.Pow(10, (strengthRatings[against]-skill)/400))
}

// botMet is the level of the bot of the house that somebody met in a game of two, by its name. Games of more seats say less of
// one player, and are left out.
func botMet(g *GameInfo) (table.Strength, bool) {
	if len(g.Seats) != 2 {
		return "", false
	}
	for _, name := range g.Seats {
		if _, level, ok := strings.Cut(name, "."); ok && slices.Contains(table.HouseNames(), name) {
			return table.Strength(level), true
		}
	}
	return "", false
}
