package lobby

import (
	"cmp"
	"slices"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// unfinished reports whether a game has begun and is not over.
func unfinished(s *table.Summary) bool {
	return !s.State.Gathers() && s.State != table.Finished && s.State != table.Closed
}

// live reports whether a game is in progress, or resumes as soon as somebody is back.
func live(s *table.Summary) bool {
	switch s.State {
	case table.Playing, table.Scoring, table.Paused, table.Waiting:
		return true
	}
	return false
}

// Watchable reports whether a table has a live game that anybody may watch.
func Watchable(s *table.Summary) bool { return s.Config.Watchers && live(s) }

func humans(s *table.Summary) int { return len(s.Seats) - s.Room() }

// SortFor lists the tables for one person: those where it is their move, those where they sit, team tables
// where they could sit down, then the rest as in the snapshot. The snapshot owns the summaries; do not change
// them.
func (s *Snapshot) SortFor(p table.Reader) []*table.Summary {
	var first [3][]*table.Summary
	rest := make([]*table.Summary, 0, len(s.Tables))
	for i := range s.Tables {
		switch t := &s.Tables[i]; {
		case t.MoveOf(p.ID):
			first[0] = append(first[0], t)
		case t.SeatOf(p.ID) != 0:
			first[1] = append(first[1], t)
		case t.Config.Access == table.AccessTeams && t.State != table.Finished && t.MayJoin(p):
			first[2] = append(first[2], t)
		default:
			rest = append(rest, t)
		}
	}
	if len(first[0])+len(first[1])+len(first[2]) == 0 {
		return rest
	}
	return slices.Concat(first[0], first[1], first[2], rest)
}

// sorted returns tables in a snapshot's order: those that gather and anybody can join, others that gather,
// those with people to watch, the rest, and finished ones. Tables to join are sorted by the number of people
// waiting, most first; then the number decides.
func sorted(list []*table.Summary) []table.Summary {
	type ranked struct {
		rank int
		*table.Summary
	}
	order := text.Each(list, func(s *table.Summary) ranked { return ranked{rank(s), s} })
	slices.SortFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Table, b.Table))
	})
	return text.Each(order, func(r ranked) table.Summary { return *r.Summary })
}

// rank orders tables by what anybody can do there, lowest first.
func rank(s *table.Summary) int {
	const classes = rules.MaxSeats + 1
	join := s.MayJoin(table.Reader{})
	class := 3
	switch {
	case s.State == table.Finished && !s.Config.House: // at best for a rematch, and often everybody has left
		class = 4
	case join:
		class = 0
	case s.MayTake(table.Reader{}), s.State.Gathers() && s.Room() > 0 && !s.Config.House: // between two rounds, by a code, or by two teams
		class = 1
	case Watchable(s) && !s.Config.House && !s.Asleep:
		class = 2
	}
	within := 0
	switch {
	case join || class == 1:
		within = rules.MaxSeats - humans(s)
	case class == 4:
		within = rules.MaxSeats
	}
	return class*classes + within
}

// Filter selects tables; empty fields match all.
type Filter struct {
	Joinable bool         // only where one can sit down without a code, now or between rounds
	Mine     bool         // only where the reader sits
	Access   table.Access // who may sit
	Game     string       // a preset
	Pace     table.Pace
	Text     string // matches the table's name or number, a player's name or tag, or the rules, ignoring case
}

// Match reports whether the filter selects a table for a reader.
func (f *Filter) Match(s *table.Summary, p table.Reader) bool {
	switch c := &s.Config; {
	case f.Joinable && !s.MayJoin(p) && !s.MayTake(p),
		f.Mine && s.SeatOf(p.ID) == 0,
		f.Access != "" && f.Access != c.Access,
		f.Game != "" && f.Game != c.Rules.Preset.String(),
		f.Pace != "" && f.Pace != c.Pace:
		return false
	}
	return f.Text == "" || strings.Contains(haystack(s), strings.ToLower(f.Text))
}

// haystack returns the text that a filter searches.
func haystack(s *table.Summary) string {
	var b strings.Builder
	b.WriteString(numbered(s.Table))
	b.WriteString(" " + s.Config.Name + " " + s.Config.RuleText)
	for i := range s.Seats {
		b.WriteString(" " + s.Seats[i].Player.Name + " " + s.Seats[i].Player.Tag)
	}
	return strings.ToLower(b.String())
}
