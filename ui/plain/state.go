package plain

import (
	"fmt"
	"strconv"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// State describes a table as its reader sees it, line by line: what it is, who sits there, and the state of the game.
func State(v *table.View) []string {
	head := "Table " + strconv.FormatInt(int64(v.Table), 10)
	if v.Config.Name != "" {
		head += ", " + text.Printable(v.Config.Name)
	}
	head += ": " + v.Config.Game() + ", " + string(v.State)
	if v.Config.Pace != table.PaceNone {
		head += ", " + Pace(v.Config.Pace)
	}
	if v.Watchers > 0 {
		head += ", " + text.Number(v.Watchers, "watcher")
	}
	lines := []string{head + "."}
	for i := range v.Seats {
		lines = append(lines, Seating(v, rules.Seat(i+1)))
	}
	if v.Swap.From != 0 {
		from, with := v.Seats[v.Swap.From-1].Name(), v.Seats[v.Swap.With-1].Name()
		lines = append(lines, text.Printable(from)+" would like to swap seats with "+text.Printable(with)+".")
	}
	if v.Notice != "" {
		lines = append(lines, text.Printable(v.Notice))
	}
	if v.Game == 0 {
		return append(lines, Stake(v))
	}
	return append(lines, Position(v)...)
}

// Pace says how long a turn may take: "60 s a turn".
func Pace(p table.Pace) string {
	if p == table.PaceNone {
		return "no clock"
	}
	return Time(p.Turn()) + " a turn"
}

// UnderNight says as part of which club night a game is rated, to follow "rated": ", club night 3". It is
// empty if there is none.
func UnderNight(v *table.View) string {
	if v.Night == "" {
		return ""
	}
	return ", club night " + v.Night
}

// Stake says whether the game counts for ratings.
func Stake(v *table.View) string {
	switch {
	case v.Casual != "":
		return "Casual: " + text.Printable(v.Casual) + "."
	case v.Rated:
		return "Rated" + UnderNight(v) + "."
	}
	return "Rated if only members play."
}

// Hint says what an expert would play for the reader, and why: "Hint: 6-4 on the right: it scores 10 points."
func Hint(v *table.View) string {
	c, why := v.Hint()
	return "Hint: " + Choice(c) + ": " + why
}

// Seating describes one seat: "Seat 2: ben [TAG], ready, you."
func Seating(v *table.View, n rules.Seat) string {
	s := &v.Seats[n-1]
	line := "Seat " + strconv.Itoa(int(n)) + ": "
	if s.Free() && s.Name() == "" {
		return line + "free."
	}
	line += text.Printable(s.Name())
	if s.Player.Tag != "" {
		line += " [" + text.Printable(s.Player.Tag) + "]"
	}
	switch {
	case s.House != "":
		line += ", " + string(s.House) + " house bot"
	case s.Player.Bot:
		line += ", a program"
	case s.Player.ID.Guest():
		line += ", a guest"
	}
	if v.Play.Rules.Teams {
		line += ", partner of seat " + strconv.Itoa(int((n+1)%rules.MaxSeats+1))
	}
	switch {
	case s.StandIn:
		line += ", away, a bot plays"
	case s.Player.ID != 0 && n != v.POV && s.Presence != table.Here && s.Presence != "":
		line += ", " + s.Presence.Words()
	}
	if s.Ready && s.House == "" {
		line += ", ready"
	}
	if n == v.POV {
		line += ", you"
	}
	return line + "."
}

// Position describes the state of the game: round, scores, tiles, layout, ends, and the reader's hand.
func Position(v *table.View) []string {
	p := &v.Play
	names := Names(v)
	round := "Game " + strconv.FormatInt(int64(v.Game), 10) + ", round " + strconv.Itoa(p.Round) + "."
	if v.State == table.Playing && p.Turn != 0 && p.Turn != v.POV {
		round += " " + names[p.Turn-1] + " is to move."
	}
	lines := []string{round, Scores(v), Held(v), Layout(p)}
	if p.Layout.Len() > 0 { // otherwise both are the same
		lines = append(lines, Ends(p))
	}
	if v.Chances != nil {
		chance := func(i int) string { return Chance(v.Chances[i]) }
		lines = append(lines, "To win: "+behind(Sides(names, p.Rules.Teams), chance)+".")
	}
	if v.OpenHands != nil {
		lines = append(lines, OpenHands(v))
	}
	if v.POV != 0 {
		lines = append(lines, "Your hand: "+Hand(p.Hand)+".")
	}
	if v.Result != nil {
		lines = append(lines, Result(SidesAt(v), p.Rules.Teams, v.Result)...)
	}
	return lines
}

// OpenHands describes the hands as watchers see them: "Held for 2 minutes: ana 6-4 3-2 and 1 newer, ben 5-5."
func OpenHands(v *table.View) string {
	return "Held for 2 minutes: " + behind(Names(v), func(i int) string { return OpenHand(v, i) }) + "."
}

// OpenHand describes one of those hands, by seat index: "6-4 3-2 and 1 newer".
func OpenHand(v *table.View, seat int) string {
	hand := Hand(v.OpenHands[seat])
	if newer := v.Play.Held[seat] - v.OpenHands[seat].Len(); newer > 0 {
		hand += " and " + strconv.Itoa(newer) + " newer"
	}
	return hand
}

// Chance formats a chance in percent, with neither 0 nor 100: no side is certain to win or lose before the
// game is over.
func Chance(percent int) string {
	switch percent {
	case 0:
		return "<5 %"
	case 100:
		return ">95 %"
	}
	return strconv.Itoa(percent) + " %"
}

// Held says how many tiles are in the hands and in the boneyard.
func Held(v *table.View) string {
	s := "Tiles: " + behind(Names(v), func(i int) string { return strconv.Itoa(v.Play.Held[i]) })
	if v.Play.Rules.Draw != rules.DrawNone {
		s += "; boneyard " + strconv.Itoa(v.Play.Stock)
	}
	return s + "."
}

// VoteMeans is what each vote decides.
var VoteMeans = map[table.Vote]string{
	table.VoteBot: "a bot plays on", table.VoteAdjourn: "the game is adjourned", table.VoteClaim: "the game is claimed",
}

// Votes says how many are for a vote, and how many are needed: "1 of 2 for"; with partners "1 of 2 sides
// for".
func Votes(v *table.View, t table.Tally) string {
	sides := ""
	if v.Config.Rules.Teams {
		sides = " sides"
	}
	return fmt.Sprintf("%d of %d%s for", t.For, t.Of, sides)
}
