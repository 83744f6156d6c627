package arena

import (
	"cmp"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// ranking sorts the entrants by score, then by the opponents' mean score, then by order of entering.
func (a *Arena) ranking() []*Entrant {
	all := make([]*Entrant, 0, len(a.entrants))
	for _, e := range a.entrants {
		sum := 0
		for _, o := range e.met {
			sum += a.entrants[o].Score
		}
		e.Tie = 0
		if len(e.met) > 0 {
			e.Tie = float64(sum) / float64(len(e.met))
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(x, y *Entrant) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(y.Tie, x.Tie), cmp.Compare(x.no, y.no))
	})
	for i, e := range all {
		e.Rank = i + 1
	}
	return all
}

// teams ranks the teams of a battle by the sums of their members' best scores. entrants are sorted by rank.
func teams(entrants []Entrant, best int) []Team {
	var all []Team
	counted := map[table.TeamID]int{}
	for i := range entrants {
		e := &entrants[i]
		id := e.Members[0].Team
		at := slices.IndexFunc(all, func(t Team) bool { return t.ID == id })
		if at < 0 {
			at = len(all)
			all = append(all, Team{ID: id, Tag: e.Members[0].Tag})
		}
		if counted[id]++; counted[id] <= best {
			all[at].Score += e.Score
		}
	}
	slices.SortStableFunc(all, func(x, y Team) int { return cmp.Compare(y.Score, x.Score) })
	for i := range all {
		all[i].Rank = i + 1
	}
	return all
}

func (a *Arena) free() []*Entrant {
	var list []*Entrant
	for _, e := range a.ranking() {
		if e.Game == 0 && !e.Away && !a.busy[e.ID] {
			list = append(list, e)
		}
	}
	return list
}

// pair pairs free entrants from the top of the standings down, each with the next one below. It avoids their
// last opponent and people from the same network until both have waited for a while.
func (a *Arena) pair(now time.Time) []Game {
	free := a.free()
	var games []Game
	taken := make([]bool, len(free))
	no := a.last
	for i, e := range free {
		if taken[i] {
			continue
		}
		for j := i + 1; j < len(free); j++ {
			if o := free[j]; !taken[j] && a.mayMeet(e, o, now) {
				taken[j] = true
				no++
				g := Game{No: no, A: e.ID, B: o.ID}
				if no%2 == 0 { // so that the first seat alternates
					g.A, g.B = g.B, g.A
				}
				games = append(games, g)
				taken[i] = true
				break
			}
		}
		if a.v.Config.Bots && !taken[i] && !now.Before(e.since.Add(lonely)) {
			no++
			games = append(games, Game{No: no, A: e.ID})
		}
	}
	return games
}

func (a *Arena) mayMeet(x, y *Entrant, now time.Time) bool {
	if a.v.Config.Battle && x.Members[0].Team == y.Members[0].Team {
		return false
	}
	met := 0
	for _, o := range x.met {
		if o == y.ID {
			met++
		}
	}
	if met >= meetings {
		return false
	}
	if !now.Before(x.since.Add(patience)) && !now.Before(y.since.Add(patience)) {
		return true
	}
	just := len(x.met) > 0 && x.met[len(x.met)-1] == y.ID || len(y.met) > 0 && y.met[len(y.met)-1] == x.ID
	return !just && !x.SharesNetwork(&y.Entrant)
}

// level reports whether two entrants share a place.
func (e *Entrant) level(o *Entrant) bool { return e.Score == o.Score && e.Tie == o.Tie }

// Outcomes implements [event.Ranked]: the places of the entrants and teams that have played a game.
func (v *View) Outcomes(e *event.Event, games []event.Played) []event.Outcome {
	if !v.Over || v.Played == 0 {
		return nil
	}
	earned := event.Earned(games, true)
	var all []event.Contender
	nets, earners := map[table.TeamID][]string{}, map[table.TeamID][]table.Player{} // of those with points, by team
	entrants := slices.DeleteFunc(slices.Clone(v.Entrants), func(x Entrant) bool { return x.Games == 0 })
	for i := range entrants {
		x := &entrants[i]
		c := event.Contend(i+1, x.Members, x.Nets, earned)
		if i > 0 && x.level(&entrants[i-1]) {
			c.Place = all[i-1].Place
		}
		if all = append(all, c); len(c.Earned) > 0 {
			team := x.Members[0].Team
			nets[team], earners[team] = append(nets[team], x.Nets...), append(earners[team], c.Earned...)
		}
	}
	o := event.Outcome{Title: Type.Titled(e.ID, v.Config.Name), Places: Type.Season.Score(all)}
	all = nil
	var ranked []Team
	if v.Config.Battle {
		ranked = teams(entrants, v.Config.Best())
	}
	for i := range ranked {
		t := &ranked[i]
		c := event.Contender{Nets: nets[t.ID]}
		c.Placing = event.Placing{Place: i + 1, Team: t.ID, Name: "[" + t.Tag + "]", Earned: earners[t.ID]}
		if i > 0 && ranked[i-1].Score == t.Score {
			c.Place = all[i-1].Place
		}
		all = append(all, c)
	}
	o.Teams = Type.Season.Score(all)
	return []event.Outcome{o}
}
