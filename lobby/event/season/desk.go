package season

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Refusals of the desk.
const (
	ErrMonth text.Refusal = "Write a month like 2026-11."
	ErrOld   text.Refusal = "The season shows only the last twelve months."
)

// Desk takes a person's requests about the season.
type Desk struct {
	Caller *event.Caller
	Book   *Book
}

func (d Desk) outcomes(ctx context.Context) (*Year, error) {
	return event.Once(ctx, d.Caller, nil, d.Book.Outcomes)
}

// Season returns the table of players or teams for a month such as "2026-11", or for the current month if
// that is empty. It returns ErrMonth or ErrOld. The table is shared; nobody may change it.
func (d Desk) Season(ctx context.Context, month string, teams bool) ([]Row, error) {
	first, err := time.Parse("2006-01", cmp.Or(month, Month(d.Caller.Events.Now())))
	switch {
	case err != nil:
		return nil, ErrMonth
	case first.Before(Since(d.Caller.Events.Now())):
		return nil, ErrOld
	}
	year, err := d.outcomes(ctx)
	if err != nil {
		return nil, err
	}
	return year.Table(first, teams), nil
}

// Past is an event that is over, with its best places.
type Past struct {
	event.Outcome
	Podium []event.Placing // places up to the third: of teams, if teams have places
}

// of returns the index of a player or a team on the podium, or -1.
func (p *Past) of(player table.PlayerID, team table.TeamID) int {
	return slices.IndexFunc(p.Podium, func(x event.Placing) bool {
		return team != 0 && x.Team == team || player != 0 && event.Has(x.Members, player)
	})
}

// PastEvents lists events that are over, newest first: all, or those with a player or a team on the podium.
// The places are shared; nobody may change them.
func (d Desk) PastEvents(ctx context.Context, player table.PlayerID, team table.TeamID) (list []Past, err error) {
	year, err := d.outcomes(ctx)
	if err != nil {
		return nil, err
	}
	for i := range year.past {
		if p := &year.past[i]; player == 0 && team == 0 || p.of(player, team) >= 0 {
			list = append(list, *p)
		}
	}
	return list, nil
}

const podium = 3

// Title is one of the first places in a season or an event.
type Title struct {
	At    time.Time
	Place int
	What  string // "Season of November 2026", or "Arena 7, Friday"
	Event event.ID
}

// Titles returns the wins of a player or a team within a year: seasons first, then events, newest first.
func (d Desk) Titles(ctx context.Context, player table.PlayerID, team table.TeamID) (won []Title, err error) {
	year, err := d.outcomes(ctx)
	if err != nil {
		return nil, err
	}
	for at := range d.Book.past() {
		for _, r := range year.Table(at, team != 0) {
			if r.Place > podium {
				break
			}
			if r.Player == player && r.Team == team {
				won = append(won, Title{At: at.AddDate(0, 1, 0), Place: r.Place, What: "Season of " + MonthName(at)})
			}
		}
	}
	past, err := d.PastEvents(ctx, player, team)
	for i := range past {
		p := &past[i]
		if at := p.of(player, team); at >= 0 {
			won = append(won, Title{p.At, p.Podium[at].Place, p.Title, p.Event})
		}
	}
	return won, err
}

// Summary summarizes titles: the seasons, and the number of events.
func Summary(won []Title) string {
	var parts []string
	var events [podium + 1]int
	for i := range won {
		t := &won[i]
		if t.Event == 0 {
			parts = append(parts, text.Ordinal(t.Place)+" in the "+strings.ToLower(t.What[:1])+t.What[1:])
		} else {
			events[t.Place]++
		}
	}
	for place, n := range events {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s in %s", text.Ordinal(place), text.Number(n, "event")))
		}
	}
	return strings.Join(parts, ", ")
}

// Shields returns who holds the season's shields. It takes no lock, and may be called for each line drawn.
func (d Desk) Shields() *Shields { return d.Book.Shields() }
