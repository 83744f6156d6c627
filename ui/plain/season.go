package plain

import (
	"fmt"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/season"
	"boneyard/lobby/text"
)

// SeasonRows describes a month's table.
var SeasonRows = &Rows[season.Row]{
	Object: "seasonrow", About: "A row of `season`.", Text: "PLACE POINTS EVENTS WON NAME", None: "Nobody has points in this month.",
	Columns: []Column[season.Row]{
		Col("place", "equal points share one", func(r *season.Row) No { return No(r.Place) }),
		Col("name", "", func(r *season.Row) string { return r.Name }),
		Col("points", "", func(r *season.Row) int { return r.Points }),
		Col("events", "that count", func(r *season.Row) int { return r.Events }),
		Col("won", "events and matches", func(r *season.Row) int { return r.Won }),
	},
}

// PastEvents describes events that are over.
var PastEvents = &Rows[season.Past]{
	Object: "pastevent", About: "A row of `past`, the newest first.", Text: "DATE EVENT BEST", None: "Nothing has been won yet.",
	Columns: []Column[season.Past]{
		Col("event", "", func(p *season.Past) No { return No(p.Event) }).As("NUMBER", nil),
		Col("kind", "`daily`, `arena`, `field`, `duplicate`, `league` or `cup`", func(p *season.Past) string { return string(p.Kind) }),
		Col("title", "", func(p *season.Past) string { return p.Title }).As("EVENT", nil),
		Col("ended", "", func(p *season.Past) time.Time { return p.At }).As("DATE", func(p *season.Past) string {
			return p.At.UTC().Format(time.DateOnly)
		}),
		Col("podium", "the first three places, as [winner](#winner) objects", func(p *season.Past) []Winner {
			return text.Each(p.Podium, func(x event.Placing) Winner { return Winner{x.Place, text.Printable(x.Name)} })
		}).Of("winner").As("BEST", Podium),
	},
}

// Winner is a place in an event that is over.
type Winner struct {
	Place int    `json:"place" means:"from 1; equal results share one"`
	Name  string `json:"name" means:"of a player, partners or a team"`
}

// Podium says who was first, second and third: "1 ana, 2 ben, cleo".
func Podium(p *season.Past) string {
	var all []string
	last := 0
	for _, x := range p.Podium {
		name := x.Name
		if x.Place != last {
			name = fmt.Sprint(x.Place, " ", name)
		}
		last = x.Place
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

// Titles describes what somebody has won.
var Titles = &Rows[season.Title]{
	Object: "title", About: "In `whois`: a place among the first three of a season or an event.",
	Columns: []Column[season.Title]{
		Col("at", "", func(t *season.Title) time.Time { return t.At }),
		Col("place", "", func(t *season.Title) int { return t.Place }),
		Col("what", "such as `Season of November 2026`", func(t *season.Title) string { return t.What }),
		Col("event", "", func(t *season.Title) No { return No(t.Event) }),
	},
}
