package lobby

import (
	"context"
	"math"
	"slices"
	"strings"

	"boneyard/table"
)

// QuickWish is the wanted strength of quick play's bots.
type QuickWish string

// Wishes. Without one, the person wins about half of the games.
const (
	QuickEven QuickWish = ""
	QuickEasy QuickWish = "easy" // one level below
	QuickHard QuickWish = "hard" // one level above
)

// strengthRatings is how well each level plays, on the scale of chess ratings with a regular bot at 0: 100
// points more win 64 % of the games, 400 points 91 %. They are rounded from the tables of docs/bots.md.
var strengthRatings = map[table.Strength]float64{
	table.Novice: -350, table.Casual: -150, table.Regular: 0, table.Expert: 230, table.Master: 425,
}

const (
	strengthGames = 40 // latest games considered, including those with others
	strengthStep  = 80 // the most by which one game moves the estimate: a few games suffice to change the level
)

// strengthFor returns the level of bots against which a person wins about half of the games, estimated from
// recent games against bots (a guest's, of this visit). A person without any begins with a casual bot.
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

// playedHere records a game for the players who are still here. It keeps only guests' results.
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

// strengthAgainst returns the level that follows from games, newest first, and a wish.
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

// botMet returns the level of the house bot in a game of two, from its name. Games with more seats say less
// about one player, and are left out.
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
