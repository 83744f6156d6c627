package plain

import (
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/event/duplicate"
	"boneyard/rules"
	"boneyard/table"
)

// Duplicates describes duplicate matches.
var Duplicates = &Rows[duplicate.View]{
	Object: "duplicate", About: "A row of `duplicate`, and the first one of `duplicate N`.", Text: "DUPLICATE STATE GAME PACE A B BY NAME",
	Aloud: "duplicate match $DUPLICATE, $NAME, $STATE, $GAME, pace $PACE, $A in team A, $B in team B, by $BY",
	None:  "No duplicate match is open. Any member can create one: duplicate new classic",
	Columns: []Column[duplicate.View]{
		Col("duplicate", "", func(d *duplicate.View) No { return No(d.ID) }),
		Col("name", "", func(d *duplicate.View) string { return d.Name }),
		Col("state", "`gathering`, `playing`, `over`, `called off`",
			func(d *duplicate.View) string { return EventState(d.Begun, d.Over, "gathering", "playing") }),
		ruleCol("GAME", rules.DealtWords, func(d *duplicate.View) string { return d.Rules }),
		Col("pace", "", func(d *duplicate.View) string { return string(d.Pace) }),
		Col("by", "", func(d *duplicate.View) string { return d.By }),
		Col("a", "team A: a pair in seats 1 and 3, then one in seats 2 and 4 at the other table",
			func(d *duplicate.View) []string { return table.Names(d.Teams[0]) }).As("A",
			func(d *duplicate.View) string { return strconv.Itoa(len(d.Teams[0])) }).Number(),
		Col("b", "team B", func(d *duplicate.View) []string { return table.Names(d.Teams[1]) }).As("B",
			func(d *duplicate.View) string { return strconv.Itoa(len(d.Teams[1])) }).Number(),
		Col("tables", "", func(d *duplicate.View) []table.ID {
			return slices.DeleteFunc([]table.ID{d.At[1], d.At[2]}, func(id table.ID) bool { return id == 0 })
		}),
		Col("played", "both games, to their end", func(d *duplicate.View) bool { return d.Played }),
		Col("margin", "team A's points minus team B's", func(d *duplicate.View) int { return d.Margin }),
		Col("winner", "`A` or `B`", func(d *duplicate.View) string { return d.Winner.String() }),
		Col("commitment", "", func(d *duplicate.View) string { return d.Commit }),
		Col("seed", "", func(d *duplicate.View) string { return d.Seed }),
	},
}

// DuplicateRound is by how much seats 1 and 3 outscored the others in a round: team A's pair at table 1, and
// team B's at table 2.
type DuplicateRound struct{ No, First, Second int }

// DuplicateRounds describes the comparison of the two tables.
var DuplicateRounds = &Rows[DuplicateRound]{
	Object: "duplicateround", About: "A round at the two tables; these rows come after the first one of `duplicate N` when it is over.",
	Columns: []Column[DuplicateRound]{
		Typed[DuplicateRound]("round"),
		Col("round", "", func(r *DuplicateRound) int { return r.No }),
		Col("first", "points of team A's pair in seats 1 and 3 at table 1, minus their opponents'",
			func(r *DuplicateRound) int { return r.First }),
		Col("second", "points of team B's pair with the same hands at table 2, minus their opponents'",
			func(r *DuplicateRound) int { return r.Second }),
		Col("margin", "`first` minus `second`", func(r *DuplicateRound) int { return r.First - r.Second }),
	},
}

// Comparison is what two pairs scored with the same hands.
type Comparison struct {
	Title         string // says what is compared
	First, Second string // the pairs
	Rounds        [][2]int
	Sum           [2]int
}

// Compare compares the two games of a finished match. For one of its players it compares their own pair with
// the pair that had the same hands; for anybody else, the pairs in seats 1 and 3.
func Compare(d *duplicate.View, me table.PlayerID) Comparison {
	c := Comparison{Title: "What each team's pair in seats 1+3 scored with the same hands, and team A's margin:", First: "A", Second: "B"}
	team, pair := d.Place(me)
	if team != 0 {
		c = Comparison{Title: "What your pair scored with the hands of seats " + []string{"1+3", "2+4"}[pair] +
			", and what theirs scored with the same hands:", First: "Yours", Second: "Theirs"}
	}
	for _, r := range d.Rounds {
		// r is what seats 1 and 3 gained at team A's table and at team B's. The other seats lost as much.
		if pair == 1 {
			r = [2]int{-r[1], -r[0]}
		}
		if team == duplicate.B {
			r[0], r[1] = r[1], r[0]
		}
		c.Rounds = append(c.Rounds, r)
		c.Sum[0], c.Sum[1] = c.Sum[0]+r[0], c.Sum[1]+r[1]
	}
	return c
}

// PairOf names a team's pair, both counted from 0, with masters in place of missing players.
func PairOf(d *duplicate.View, team, pair int) string {
	names := []string{"a master", "a master"}
	if !d.Begun {
		names = []string{"free", "free"}
	}
	for i, p := range d.Teams[team][min(2*pair, len(d.Teams[team])):] {
		if i < 2 {
			names[i] = p.Name
		}
	}
	return strings.Join(names, " + ")
}
