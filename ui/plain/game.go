package plain

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
)

// Move says what somebody did, with the receipt of a play: "ana plays 6-4 on the right: 10 + 4 = 14, no score", or "…, scores 10".
// names are by seat; terms are those of the count, nil where nothing is counted.
func Move(names []string, e *rules.Event, terms []rules.Term) string {
	var b strings.Builder
	b.WriteString(names[e.Seat-1])
	switch e.Kind {
	case rules.Draw:
		b.WriteString(" draws")
		if e.Tile != rules.NoTile {
			b.WriteString(" " + e.Tile.Name())
		}
	case rules.Pass:
		b.WriteString(" passes")
	default:
		verb := " plays "
		if e.Lead {
			verb = " leads "
		}
		b.WriteString(verb + Choice(e.Choice()))
		if terms != nil {
			b.WriteString(": " + rules.Sum(terms, e.Count, " + ") + ", " + Scored(e.Points))
		}
	}
	return b.String() + Ended(e)
}

// Ended says how a move ended the round, to follow the move: ", domino"; empty if it did not.
func Ended(e *rules.Event) string {
	if e.End == rules.NotEnded {
		return ""
	}
	return ", " + e.End.String()
}

// Entry puts a line of a table's log into words: a move, or an announcement of the house.
func Entry(names []string, e *table.Entry) string {
	if e.Number == 0 {
		return text.Printable(e.Text)
	}
	return Move(names, &e.Event, e.Terms) + "."
}

// Late says what was played for a player whose time ran out: "Time! 5-3 was played for you."
func Late(e *rules.Event, whom string) string {
	return "Time! " + e.Tile.Name() + " was played for " + whom + "."
}

// Scored says what a play scored: "scores 15", or "no score".
func Scored(points rules.Points) string {
	if points > 0 {
		return "scores " + strconv.Itoa(int(points))
	}
	return "no score"
}

// Arm names an arm for reading aloud: "left", "right", "top", "bottom", or a branch, "7 up".
func Arm(a rules.Arm) string {
	if a <= rules.ArmD {
		return [...]string{"left", "right", "top", "bottom"}[a]
	}
	s := a.String()
	if a.Up() {
		return s[:len(s)-1] + " up"
	}
	return s[:len(s)-1] + " down"
}

// At says where an arm is: "on the right", "at the top", "at 7 up".
func At(a rules.Arm) string {
	switch {
	case a <= rules.ArmR:
		return "on the " + Arm(a)
	case a <= rules.ArmD:
		return "at the " + Arm(a)
	}
	return "at " + Arm(a)
}

// Choice names a tile and where it goes: "6-4 on the left".
func Choice(c rules.Choice) string {
	if c.Arm == rules.NoArm {
		return c.Tile.Name()
	}
	return c.Tile.Name() + " " + At(c.Arm)
}

// Playable is a tile with all ends where playing it has the same effect.
type Playable struct {
	rules.Option // on the first of the ends
	Arms         []rules.Arm
}

// Choices returns what the reader of a view may play, tile by tile. Ends of equal value where a tile counts
// the same are one choice.
func Choices(v *rules.View) []Playable {
	var all []Playable
	for _, o := range v.Options {
		pip := func(a rules.Arm) rules.Pip {
			e, _ := v.Layout.EndOf(a)
			return e.Pip
		}
		at := slices.IndexFunc(all, func(c Playable) bool {
			return c.Tile == o.Tile && c.Count == o.Count && c.Points == o.Points && pip(c.Arm) == pip(o.Arm)
		})
		if at >= 0 {
			all[at].Arms = append(all[at].Arms, o.Arm)
		} else {
			all = append(all, Playable{o, []rules.Arm{o.Arm}})
		}
	}
	slices.SortStableFunc(all, func(a, b Playable) int { return cmp.Compare(a.Tile, b.Tile) })
	return all
}

// Option describes one possible play: "5-0 on the left or at the top: counts 15, scores 15".
func Option(v *rules.View, c *Playable) string {
	s := c.Tile.Name()
	if c.Arm != rules.NoArm {
		s += " " + text.Join(text.Each(c.Arms, At), " or ")
	}
	if v.Rules.Multiple == 0 {
		return s
	}
	return s + ": counts " + strconv.Itoa(int(c.Count)) + ", " + Scored(c.Points)
}

// Ends lists the open ends with their values and the count: "Ends: left 6, right 4. Count: 6 + 4 = 10."
func Ends(v *rules.View) string {
	if v.Layout.Len() == 0 {
		return "Nothing is on the table."
	}
	ends := make([]string, v.Layout.EndCount())
	for i := range ends {
		e := v.Layout.End(i)
		ends[i] = Arm(e.Arm) + " " + strconv.Itoa(int(e.Pip))
	}
	s := "Ends: " + strings.Join(ends, ", ") + "."
	if v.Rules.Multiple > 0 {
		s += " Count: " + rules.Sum(v.Layout.Terms(v.Rules.Count), v.Layout.Count(), " + ") + "."
	}
	return s
}

// Layout describes the tiles on the table, arm by arm from the lead outwards, each with its inner half first: "6-6; left: 6-2
// 2-5; right: 6-4." A tile that grows from a double other than the first is listed under its arm's own name.
func Layout(v *rules.View) string {
	if v.Layout.Len() == 0 {
		return "Nothing is on the table."
	}
	var order []rules.Arm
	arms := map[rules.Arm][]string{}
	lead := ""
	for i := range v.Layout.Len() {
		p := v.Layout.Piece(i)
		s := string([]byte{'0' + byte(p.Inner), '-', '0' + byte(p.Outer)})
		if p.Arm == rules.NoArm {
			lead = s
			continue
		}
		if arms[p.Arm] == nil {
			order = append(order, p.Arm)
		}
		arms[p.Arm] = append(arms[p.Arm], s)
	}
	parts := []string{"Layout: " + lead}
	for _, a := range order {
		parts = append(parts, Arm(a)+": "+strings.Join(arms[a], " "))
	}
	return strings.Join(parts, "; ") + "."
}

// Scores lists the sides with their scores and the target: "Score: ana 35, ben 20; 100 wins."
func Scores(v *table.View) string {
	p := &v.Play
	scores := behind(SidesAt(v), func(i int) string { return strconv.Itoa(int(p.Scores[i])) })
	return "Score: " + scores + "; " + Target(&p.Rules, p.Seats) + "."
}

// Target says what wins: "100 wins", "more than 100 wins", or "the highest after round 5 wins".
func Target(r *rules.Ruleset, seats int) string {
	if r.Rounds > 0 {
		return "the highest after round " + strconv.Itoa(r.Rounds) + " wins"
	}
	s := strconv.Itoa(int(r.TargetFor(seats)))
	if r.Above {
		return "more than " + s + " wins"
	}
	return s + " wins"
}

// Score returns the scores of all sides: "205–170", or "50 to -5". It is empty for none.
func Score(all ...int) string {
	parts, dash := make([]string, len(all)), "–"
	for i, n := range all {
		if parts[i] = strconv.Itoa(n); n < 0 {
			dash = " to "
		}
	}
	return strings.Join(parts, dash)
}

// Scoring says line by line how a round ended and was scored. The player at the seat reader, which may be 0,
// is addressed as "you"; sides has the names of the sides.
func Scoring(r *rules.Ruleset, res *rules.RoundResult, names, sides []string, reader rules.Seat) []string {
	lines := text.Each(english.Scoring(r, res, names, reader), func(l english.ScoreLine) string { return l.Said })
	totals := behind(sides, func(i int) string { return strconv.Itoa(int(res.Totals[i])) })
	return append(lines, "Score after round "+strconv.Itoa(res.Round)+": "+totals+".")
}

// Result says how a game ended and how it changed the standings: "ana 15, ben 30: ben wins the game." teams
// means that each side has two players.
func Result(sides []string, teams bool, res *table.Result) []string {
	end := "the game is abandoned"
	if res.Shared() {
		end = "the highest score is shared, so nobody wins the game"
	}
	if res.Winner > 0 && res.Winner <= len(sides) {
		end = sides[res.Winner-1] + " wins the game"
		if team := TeamName(res, rules.Side(res.Winner)); team != "" {
			end = team + " wins the game"
		} else if teams {
			end = sides[res.Winner-1] + " win the game"
		}
		if res.Ending == table.EndForfeit {
			end += " by forfeit"
		}
	}
	scores := behind(sides[:len(res.Scores)], func(i int) string { return strconv.Itoa(res.Scores[i]) })
	return append([]string{scores + ": " + end + "."}, text.Each(res.Changes, func(d table.Delta) string {
		return "Rating of " + text.Printable(d.Name) + ": " + strconv.Itoa(d.Before) + " to " + strconv.Itoa(d.After) + "."
	})...)
}

// GuideMove explains to a newcomer what a move did: "Ends 6 + 4 = 10, a multiple of 5: 10 points for you." It
// is empty for a move that needs no explanation.
func GuideMove(v *table.View, e *table.Entry) string {
	if e.Number == 0 || e.Event.Kind == rules.Draw {
		return ""
	}
	who := namesWith(v, "you")[e.Event.Seat-1]
	if e.Event.Kind == rules.Pass {
		return "Nothing fitted and the boneyard is empty: a pass for " + who + "."
	}
	say, more := "Ends "+rules.Sum(e.Terms, e.Event.Count, " + "), ""
	if slices.ContainsFunc(e.Terms, func(t rules.Term) bool { return t.Halves == 2 && t.Pip == t.Other && t.Pip != 0 }) {
		more = " Doubles count twice."
	}
	l := &v.Play.Layout
	for i := range l.Len() {
		if p := l.Piece(i); p.Tile == e.Event.Tile && p.Spinner {
			more += " " + p.Tile.Name() + " is the first double: tiles go on all four sides of it."
		}
	}
	if e.Event.Points == 0 {
		return say + ": no points for " + who + "." + more
	}
	return say + fmt.Sprintf(", a multiple of %d: %s for %s.", v.Play.Rules.Multiple, text.Number(int(e.Event.Points), "point"), who) + more
}

// GuideNow tells a newcomer what to do: what would score, or else what to get rid of; empty if there is
// nothing to decide.
func GuideNow(v *table.View) string {
	p := &v.Play
	if !v.MyMove() || p.Forced != rules.NoTile {
		return ""
	}
	best := slices.MaxFunc(p.Options, func(a, b rules.Option) int {
		return cmp.Or(cmp.Compare(a.Points, b.Points), cmp.Compare(a.Tile.Weight(), b.Tile.Weight()))
	})
	switch {
	case best.Points > 0:
		return fmt.Sprintf("Now %s would score %d.", Choice(best.Choice), best.Points)
	case p.Layout.Len() == 0:
		return "You begin with any tile. Open ends that add up to a multiple of 5 score."
	}
	if len(p.Options) == 1 {
		return "Nothing scores now, and only " + best.Tile.Name() + " fits."
	}
	return "No score now: " + best.Tile.Name() + " sheds the most pips; those you keep may count against you."
}

// AskResign asks a player whether they mean to resign, or to play on, and says what resigning loses.
func AskResign(v *table.View) string {
	if v.Own().Resigns {
		return "You asked to resign. Take that back and play on?"
	}
	rating := ""
	if v.Rated {
		rating = ", and rating points"
	}
	others, partner, mate := 0, rules.Seat(0), ""
	for i := range v.Seats {
		n := rules.Seat(i + 1)
		switch s := &v.Seats[i]; {
		case n == v.POV || s.House != "" || s.Player.ID == 0:
		case v.Play.SideOf(n) == v.Play.SideOf(v.POV):
			partner, mate = n, text.Printable(s.Name())
		default:
			others++
		}
	}
	switch {
	case partner != 0 && v.Seats[partner-1].Presence == table.Absent:
		return "Resign? Your side loses the game" + rating + "."
	case partner != 0 && v.Seats[partner-1].Resigns:
		return mate + " wants to resign. Agree? Your side loses the game" + rating + "."
	case partner != 0:
		return "Resign? If " + mate + " agrees, your side loses the game" + rating + "."
	case v.Config.Event.Solo && v.Config.Event.ID != 0:
		return "Resign? Your only attempt ends, and is not ranked."
	case others == 0 && !v.Config.Event.Compared():
		return "Resign? Nobody else plays: the game ends without a result."
	case v.Play.Sides() == 2 && (v.Rated || v.Config.Event.ID != 0), v.Config.Absence == table.AbsenceForfeit:
		return "Resign? You lose the game" + rating + "."
	}
	return "Resign? You lose your seat in this game" + rating + "; a bot plays on."
}

// GuideEnd tells a newcomer how to go on after the first round.
func GuideEnd(how string) string {
	return "A whole game goes to 200. " + how + ", for one against an equal bot."
}
