package match

import (
	"slices"
	"strings"

	"boneyard/lobby/event"
	"boneyard/table"
)

// Outcomes implements [event.Ranked]: each match won by games, and at the end the places of teams that have
// played: in the first division, or in the final.
func (v *View) Outcomes(e *event.Event, games []event.Played) (all []event.Outcome) {
	by := event.ByGame(games)
	for m := range v.all() {
		if m.Done && m.Winner != 0 && !m.Walkover {
			all = append(all, v.outcome(m, by))
		}
	}
	if !v.Over {
		return all
	}
	o := event.Outcome{Title: v.Config.Name}
	if len(v.Divisions) > 0 { // only the first division has places
		for i := range v.Divisions[0] {
			if r := &v.Divisions[0][i]; r.Games > 0 {
				o.Teams = append(o.Teams, event.Placing{Place: r.Place, Team: r.Team.ID, Name: r.Team.Named()})
			}
		}
	} else {
		for _, t := range v.Final.Trophies {
			p := event.Placing{Place: 2, Team: t.Team, Name: t.Title}
			if strings.HasPrefix(t.Title, WinnerOf) {
				p.Place = 1
			}
			if i := slices.IndexFunc(v.Teams, func(o Team) bool { return o.ID == t.Team }); i >= 0 {
				p.Name = v.Teams[i].Named()
			}
			o.Teams = append(o.Teams, p)
		}
	}
	if len(o.Teams) > 0 {
		all = append(all, o)
	}
	return all
}

// Named returns a team's tag and name.
func (t *Team) Named() string { return "[" + t.Tag + "] " + t.Name }

func (v *View) outcome(m *Match, by map[table.GameID]*event.Played) event.Outcome {
	var played []event.Played
	for _, g := range m.Games {
		if p := by[g.ID]; p != nil {
			played = append(played, *p)
		}
	}
	earned := event.Earned(played, true)
	var teams, people []event.Contender
	for place, i := range []int{m.Winner - 1, 2 - m.Winner} {
		s := &m.Sides[i]
		var members []table.Player
		for _, p := range s.Roster {
			if slices.ContainsFunc(played, func(g event.Played) bool { return event.Has(g.Start.Seats, p.ID) }) {
				members = append(members, p)
				people = append(people, event.Contend(place+1, []table.Player{p}, []string{s.Tag}, earned)) // the other team counts as one rival
			}
		}
		c := event.Contend(place+1, members, nil, earned)
		c.Team, c.Name = s.ID, s.Named()
		teams = append(teams, c)
	}
	return event.Outcome{
		Match: m.No, At: m.Decided,
		Places: worth.Score(people), Teams: worth.Score(teams),
	}
}
