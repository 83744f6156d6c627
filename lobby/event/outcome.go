package event

import (
	"maps"
	"slices"
	"strings"
	"time"

	"boneyard/table"
)

// Outcome lists the places of an event that is over, or of one match, computed from its journal and games.
type Outcome struct {
	Event  ID
	Kind   Kind
	Key    string // of the event within its kind, such as a date
	Match  int    // 0 for the whole event
	Title  string
	At     time.Time
	Places []Placing // of people, best first
	Teams  []Placing // of teams
}

// Placing is a place in an event.
type Placing struct {
	Place   int            // from 1; equal results share one
	Members []table.Player // a player, partners, or those who played for a team
	Team    table.TeamID   // 0 for a place of people
	Name    string
	Earned  []table.Player // the members who have really played: they get the points
	Points  int            // for the season
}

// Worth says what places in events of a kind are worth for the season.
type Worth struct {
	Rival int // for each rival placed behind
	Best  int // how many results of a month count, best first; 0 for all
}

// MostRivals is the most rivals that count in one event.
const MostRivals = 20

// Ranked is implemented by the views of events that have places.
type Ranked interface {
	// Outcomes returns the outcomes so far, according to the games that have ended. The event's own outcome
	// is among them once it is over.
	Outcomes(e *Event, games []Played) []Outcome
}

// Contender is a person or a party with a place. It gets points if one of its members has really played.
type Contender struct {
	Placing
	Nets []string // hashes of the networks they came from
}

// Score returns the places with their points: so many for each rival placed behind. Only contenders who have
// earned points are rivals. Contenders from one network count as one rival, and are none to each other; a
// contender from two networks makes one of them.
func (w *Worth) Score(all []Contender) (places []Placing) {
	var origins group
	for i := range all {
		if nets := all[i].networks(); len(all[i].Earned) > 0 {
			for _, net := range nets {
				origins.join(nets[0], net)
			}
		}
	}
	rivals := map[string]int{} // the last place of each network, among those with points
	origin := func(c *Contender) string { return origins.of(c.networks()[0]) }
	for i := range all {
		if c := &all[i]; len(c.Earned) > 0 {
			rivals[origin(c)] = max(rivals[origin(c)], c.Place)
		}
	}
	lasts := slices.Sorted(maps.Values(rivals))
	for i := range all {
		c := &all[i]
		p := c.Placing
		if len(p.Earned) > 0 {
			at, _ := slices.BinarySearch(lasts, p.Place+1)
			behind := len(lasts) - at
			if rivals[origin(c)] > p.Place {
				behind--
			}
			p.Points = w.Rival * min(behind, MostRivals)
		}
		places = append(places, p)
	}
	return places
}

// Leading returns the first elements of a list, as long as holds is true for them: of a ranked list, those who
// share the first place.
func Leading[T any](all []T, holds func(*T) bool) []T {
	n := 0
	for n < len(all) && holds(&all[n]) {
		n++
	}
	return all[:n]
}

// group records which networks count as one because the same people came from them.
type group map[string]string // a network it was joined to

func (g group) of(net string) string {
	for g[net] != "" {
		net = g[net]
	}
	return net
}

func (g *group) join(a, b string) {
	if a, b = g.of(a), g.of(b); a != b {
		if *g == nil {
			*g = group{}
		}
		(*g)[b] = a
	}
}

// networks returns the networks that a contender came from, or their own name if none is known.
func (c *Contender) networks() (all []string) {
	for _, net := range c.Nets {
		if _, wide, ok := strings.Cut(net, "."); ok {
			net = wide
		}
		if net != "" {
			all = append(all, net)
		}
	}
	if len(all) == 0 {
		all = []string{"of " + c.Name}
	}
	return all
}

// Earned returns the players who have really played in one of the games: members, not bots, who chose at
// least playsLeast tiles and half of their seat's. With rated, only games against people elsewhere count.
func Earned(games []Played, rated bool) map[table.PlayerID]bool {
	const playsLeast = 6 // the least number of tiles that a player must have chosen to have really played a game
	all := map[table.PlayerID]bool{}
	for i := range games {
		g := &games[i]
		if rated && !g.Result.Rated || g.Result.Ending == table.EndAbandoned {
			continue
		}
		for k, p := range g.Start.Seats {
			r := &g.Result
			if p.ID <= 0 || p.Bot || k >= len(r.Own) || k >= len(r.Plays) {
				continue
			}
			if r.Own[k] >= playsLeast && 2*r.Own[k] >= r.Plays[k] {
				all[p.ID] = true
			}
		}
	}
	return all
}

// Contend returns a contender; earned holds the players who have really played.
func Contend(place int, members []table.Player, nets []string, earned map[table.PlayerID]bool) Contender {
	c := Contender{Placing{Place: place, Members: members, Name: Names(members)}, nets}
	for _, p := range members {
		if earned[p.ID] {
			c.Earned = append(c.Earned, p)
		}
	}
	return c
}
