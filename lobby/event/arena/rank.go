package arena

import (
	"cmp"
	"slices"
	"time"

	"boneyard/table"
)

// ranking sorts the entrants by score, then by the opponents' mean score, then by who entered first.
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

// teams ranks the teams of a battle: a team's score is the sum of its members' best. Entrants are sorted by
// rank.
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

// free lists those who wait for a game, by rank.
func (a *Arena) free() []*Entrant {
	var list []*Entrant
	for _, e := range a.ranking() {
		if e.Game == 0 && !e.Away && !a.busy[e.ID] {
			list = append(list, e)
		}
	}
	return list
}

// pair pairs free entrants from the top of the standing down, each with the next one below, but not with
// their last opponent or somebody from the same network until they have waited for a while.
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
				if no%2 == 0 { // who sits first is nobody's privilege
					g.A, g.B = g.B, g.A
				}
				games = append(games, g)
				taken[i] = true
				break
			}
		}
		if a.cfg.Bots && !taken[i] && !now.Before(e.since.Add(lonely)) {
			no++
			games = append(games, Game{No: no, A: e.ID})
		}
	}
	return games
}

// mayMeet reports whether two free entrants may be paired now.
func (a *Arena) mayMeet(x, y *Entrant, now time.Time) bool {
	if a.cfg.Battle && x.Members[0].Team == y.Members[0].Team {
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
	return !just && !x.Near(&y.Entrant)
}
