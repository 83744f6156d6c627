package plain

import (
	"fmt"
	"strconv"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/rules/replay"
	"boneyard/table"
)

// Numbered describes a move of a recorded game in a line with its number in the round: "2.14 ana plays …". Draws have no number.
// at is the index of the move's moment.
func Numbered(r *replay.Record, at int, e *rules.Event) string {
	say := Move(r.Names, e, r.Terms(at)) + "."
	if e.Kind == rules.Draw {
		return say
	}
	return turnNumber(r, at) + say
}

func turnNumber(r *replay.Record, at int) string {
	m := &r.Moments[at]
	return fmt.Sprintf("%d.%d ", m.Round, m.Turn-r.Moments[r.Round(m.Round).Start].Turn)
}

// Missed describes a play of a recorded game, without its count, and says what would have scored more.
func Missed(r *replay.Record, at int) string {
	return turnNumber(r, at) + Move(r.Names, &r.Moments[at].Event, nil) + "." + better(r, at)
}

// better says what would have scored more than a play, if anything.
func better(r *replay.Record, at int) string {
	m := &r.Moments[at]
	if m.Left() == 0 {
		return ""
	}
	return " " + Choice(m.Best.Choice) + " was worth " + strconv.Itoa(int(m.Best.Points)) + "."
}

// ReplayedRound describes a round of a recorded game line by line, with all hands open.
func ReplayedRound(r *replay.Record, n *replay.Round) []string {
	lines := []string{fmt.Sprintf("Round %d: %s leads.", n.Number, r.Names[n.Leader-1])}
	for i, h := range n.Hands {
		lines = append(lines, r.Names[i]+" holds "+Hand(h)+".")
	}
	for at := range r.Moves(n) {
		lines = append(lines, Numbered(r, at, &r.Moments[at].Event)+better(r, at))
	}
	if n.Result != nil {
		lines = append(lines, Scoring(&r.Rules, n.Result, r.Names, Tagged(Sides(r.Names, r.Rules.Teams), r.Teams), 0)...)
	}
	return lines
}

// RecordedResult says how a recorded game ended, line by line.
func RecordedResult(r *replay.Record, g *lobby.GameInfo) []string {
	return Result(Tagged(Sides(r.Names, r.Rules.Teams), g.Teams), r.Rules.Teams, ResultOf(g))
}

// ResultOf returns the result of a recorded game.
func ResultOf(g *lobby.GameInfo) *table.Result {
	return &table.Result{Ending: g.Ending, Winner: g.Winner, Scores: g.Scores, Rounds: g.Rounds, Rated: g.Rated, Changes: g.Changes}
}

// PointsLeft says how many points each player missed: what the best choices would have scored in play beyond
// the actual ones, one play at a time.
func PointsLeft(r *replay.Record) []string {
	if r.Rules.Multiple == 0 {
		return nil
	}
	left := r.Left()
	return []string{"Points left on the table: " + behind(r.Names, func(i int) string { return strconv.Itoa(int(left[i].Points())) }) + "."}
}
