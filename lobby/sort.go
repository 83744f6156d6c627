package lobby

import (
	"cmp"
	"slices"
	"strings"

	"boneyard/rules"
	"boneyard/table"
)

// playing reports whether a game has begun and is not over.
func playing(s *table.Summary) bool {
	return !s.State.Gathers() && s.State != table.Finished && s.State != table.Closed
}

// live reports whether a game goes on, or will as soon as somebody is back.
func live(s *table.Summary) bool {
	switch s.State {
	case table.Playing, table.Scoring, table.Paused, table.Waiting:
		return true
	}
	return false
}

// Watchable reports whether there is a live game at a table that anybody may watch.
func Watchable(s *table.Summary) bool { return s.Config.Watchers && live(s) }

func humans(s *table.Summary) int { return len(s.Seats) - s.Room() }

// SortFor lists the tables as one person wants to see them: those where it is their move, those where they
// sit, those of two teams where they could sit down, then the rest as in the snapshot. The summaries are the
// snapshot's own; nobody may change them.
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

// sorted is the order of a snapshot, which everybody shares: tables that gather and which anybody can join,
// those that gather otherwise, those where people can be watched, the rest, and at the end those whose game
// is over. Where there is something to join, more people who wait come first; then the number decides.
func sorted(list []*table.Summary) []table.Summary {
	type ranked struct {
		rank int
		*table.Summary
	}
	order := make([]ranked, len(list))
	for i, s := range list {
		order[i] = ranked{rank(s), s}
	}
	slices.SortFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Table, b.Table))
	})
	all := make([]table.Summary, len(order))
	for i, r := range order {
		all[i] = *r.Summary
	}
	return all
}

// rank orders tables by what anybody can do there; lower comes first.
func rank(s *table.Summary) int {
	const classes = rules.MaxSeats + 1
	join := s.MayJoin(table.Reader{})
	class := 3
	switch {
	case s.State == table.Finished && !s.Config.House: // at most for a rematch, and often nobody is left there
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

// Filter chooses among tables; empty fields match all.
type Filter struct {
	Joinable bool         // only where one can sit down without a code, now or between two rounds
	Mine     bool         // only where one sits
	Access   table.Access // who may sit
	Game     string       // a preset
	Pace     table.Pace
	Text     string // found in the table's name or number, a player's name or tag, or the rules; without regard to case
}

// Match reports whether a table is among the chosen ones of somebody.
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

// haystack is all that a text filter looks at.
func haystack(s *table.Summary) string {
	var b strings.Builder
	b.WriteString(numbered(s.Table))
	b.WriteString(" " + s.Config.Name + " " + s.Config.RuleText)
	for i := range s.Seats {
		b.WriteString(" " + s.Seats[i].Player.Name + " " + s.Seats[i].Player.Tag)
	}
	return strings.ToLower(b.String())
}
