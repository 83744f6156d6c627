package event

import (
	"maps"
	"slices"
	"strings"
	"time"

	"boneyard/table"
)

// Outcome is what has been won in an event that is over, or in a match of one. It follows from the event's
// journal and games.
type Outcome struct {
	Event  ID
	Kind   Kind
	Key    string // of the event within its kind, such as the date of a daily deal
	Match  int    // 0: the whole event
	Title  string
	At     time.Time
	Places []Placing // of people, the best first
	Teams  []Placing // of teams
}

// Placing is a place in an event.
type Placing struct {
	Place   int            // from 1; equal results share one
	Members []table.Player // a player, partners, or those who played for a team
	Team    table.TeamID   // of a team's place
	Name    string
	Earned  []table.Player // of the members, those who have really played: they have the points
	Points  int            // for the season
}

// Worth is what places in events of a kind are worth for the season.
type Worth struct {
	Rival int // for each rival who is left behind
	Best  int // so many of a month count, the best; 0: all
}

// MostRivals is how many rivals count in one event.
const MostRivals = 20

// Ranked is implemented by the views of events that have places.
type Ranked interface {
	// Outcomes are what has been won so far, as far as the games that have ended say. Those of the event as a
	// whole come when it is over.
	Outcomes(e *Event, games []Played) []Outcome
}

// Contender is somebody with a place, for which there are points if one of them has really played.
type Contender struct {
	Placing
	Nets []string // from where they came, hashed
}

// Score numbers the points of some places: for each rival who has earned some, too, and is left behind. All
// who came from one network are one rival, and nobody is a rival of somebody from their own network; somebody
// who came from two networks makes one of them.
func (w *Worth) Score(all []Contender) (places []Placing) {
	var origins group
	for i := range all {
		if nets := all[i].networks(); len(all[i].Earned) > 0 {
			for _, net := range nets {
				origins.join(nets[0], net)
			}
		}
	}
	rivals := map[string]int{} // the last place of each, among those who have earned points
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

// group knows which networks count as one, as the same people came from them.
type group map[string]string // to another one of them

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

// networks are those that somebody came from, or their own name where that is not known.
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

// playsLeast is how many tiles somebody must have chosen in a game to have really played it.
const playsLeast = 6

// Earned reports who has really played in some of the games: a member, no program, who chose six tiles, and
// half of those that their seat played. With rated, only rated games count, which are those against people from elsewhere.
func Earned(games []Played, rated bool) map[table.PlayerID]bool {
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

// Contend makes somebody a contender; earned are those who have really played.
func Contend(place int, members []table.Player, nets []string, earned map[table.PlayerID]bool) Contender {
	c := Contender{Placing{Place: place, Members: members, Name: Names(members)}, nets}
	for _, p := range members {
		if earned[p.ID] {
			c.Earned = append(c.Earned, p)
		}
	}
	return c
}
