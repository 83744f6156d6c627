// Package season knows what has been won in events: the points of each month, who leads, and who holds the
// shield. All of that is computed from the journals and games of events alone, so that a restart, or another
// node, computes the same. It must not know a screen or SQL.
package season

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// MonthName formats a month: "November 2026".
func MonthName(at time.Time) string { return at.UTC().Format("January 2006") }

// FirstDay returns the beginning of a month.
func FirstDay(at time.Time) time.Time {
	at = at.UTC()
	return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// months is the number of months whose points are known, including the current one.
const months = 13

// Since returns the beginning of the first month whose points are known, a year before the current one.
func Since(now time.Time) time.Time { return FirstDay(now).AddDate(0, 1-months, 0) }

// Left returns how much of the month is left.
func Left(at time.Time) time.Duration { return FirstDay(at).AddDate(0, 1, 0).Sub(at) }

// Row is a player or a team in the table of a month.
type Row struct {
	Place  int // from 1; equal points share one
	Player table.PlayerID
	Team   table.TeamID
	Name   string
	Points int
	Events int // events that counted
	Won    int // those of them with the first place
}

// Month returns the month of a time in UTC, such as "2026-11".
func Month(at time.Time) string { return at.UTC().Format("2006-01") }

type tally struct {
	row Row
	got map[event.Kind][]*event.Placing
}

// Table returns the table of the month that begins at first, for teams or players. Of each kind of event,
// only the best results count.
func Table(kinds event.Kinds, all []event.Outcome, first time.Time, teams bool) (rows []Row) {
	next := first.AddDate(0, 1, 0)
	tallies := map[int64]*tally{}
	add := func(id int64, row Row, o *event.Outcome, p *event.Placing) {
		t := tallies[id]
		if t == nil {
			t = &tally{got: map[event.Kind][]*event.Placing{}}
			tallies[id] = t
		}
		if !teams || !strings.HasPrefix(t.row.Name, row.Name) { // a battle knows only a team's tag
			t.row = row
		}
		t.got[o.Kind] = append(t.got[o.Kind], p)
	}
	for i := range all {
		o := &all[i]
		if o.At.Before(first) || !o.At.Before(next) {
			continue
		}
		places := o.Places
		if teams {
			places = o.Teams
		}
		for k := range places {
			p := &places[k]
			switch {
			case p.Points == 0:
			case teams:
				add(int64(p.Team), Row{Team: p.Team, Name: p.Name}, o, p)
			default:
				for _, m := range p.Earned {
					add(int64(m.ID), Row{Player: m.ID, Name: m.Name}, o, p)
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(tallies)) {
		t := tallies[id]
		for kind, got := range t.got {
			slices.SortFunc(got, func(a, b *event.Placing) int { return cmp.Or(b.Points-a.Points, a.Place-b.Place) })
			if best := kinds[kind].Season.Best; best > 0 {
				got = got[:min(best, len(got))]
			}
			for _, p := range got {
				if t.row.Points += p.Points; p.Place == 1 {
					t.row.Won++
				}
			}
			t.row.Events += len(got)
		}
		rows = append(rows, t.row)
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Or(b.Points-a.Points, cmp.Compare(a.Name, b.Name)) })
	for i := range rows {
		if rows[i].Place = i + 1; i > 0 && rows[i-1].Points == rows[i].Points {
			rows[i].Place = rows[i-1].Place
		}
	}
	return rows
}

// Shields are the holders of the season's shield: those who were first in the last month that is over and in
// which there were points.
type Shields struct {
	Players map[table.PlayerID]bool
	Teams   map[table.TeamID]bool
}
