package plain

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Duplicates describes duplicate matches.
var Duplicates = &Rows[duplicate.View]{
	Object: "duplicate", About: "A row of `duplicate`, and the first one of `duplicate N`.", Text: "DUPLICATE STATE GAME PACE A B BY NAME",
	None: "No duplicate match is open. Any member can create one: duplicate new classic",
	Columns: []Column[duplicate.View]{
		Col("duplicate", "", func(d *duplicate.View) No { return No(d.ID) }),
		Col("name", "may be empty", func(d *duplicate.View) string { return d.Name }),
		Col("state", "`gathering`, `playing`, `over`, `called off` (was never played)", func(d *duplicate.View) string { return EventState(d.Begun, d.Over, "gathering", "playing") }),
		Col("rules", "a rule string", func(d *duplicate.View) string { return d.Rules }).As("GAME", nil),
		Col("pace", "", func(d *duplicate.View) string { return string(d.Pace) }),
		Col("by", "who made it", func(d *duplicate.View) string { return d.By }),
		Col("a", "team A: the first two have seats 1 and 3, the next two, at the other table, seats 2 and 4; house masters in place of missing players",
			func(d *duplicate.View) []string { return namesOf(d.Teams[0]) }).As("A", func(d *duplicate.View) string { return strconv.Itoa(len(d.Teams[0])) }).Number(),
		Col("b", "team B", func(d *duplicate.View) []string { return namesOf(d.Teams[1]) }).As("B", func(d *duplicate.View) string { return strconv.Itoa(len(d.Teams[1])) }).Number(),
		Col("tables", "where it is played", func(d *duplicate.View) []table.ID {
			return slices.DeleteFunc([]table.ID{d.At[1], d.At[2]}, func(id table.ID) bool { return id == 0 })
		}),
		Col("played", "whether both games were played to the end; false until it is over", func(d *duplicate.View) bool { return d.Played }),
		Col("margin", "points that team A made with the same hands, minus those of team B", func(d *duplicate.View) int { return d.Margin }),
		Col("winner", "`A`, `B`, or empty", func(d *duplicate.View) string { return d.Winner.String() }),
		Col("commitment", "to the seed of the deals", func(d *duplicate.View) string { return d.Commit }),
		Col("seed", "empty until both games are over", func(d *duplicate.View) string { return d.Seed }),
	},
}

// DuplicateRound is what the pairs in seats 1 and 3 made more than the others in a round: team A's at table 1, and team B's at table 2.
type DuplicateRound struct{ no, first, second int }

// DuplicateRounds describes the comparison of the two tables.
var DuplicateRounds = &Rows[DuplicateRound]{
	Object: "duplicateround", About: "A round at the two tables; these rows come after the first one of `duplicate N` when it is over.",
	Columns: []Column[DuplicateRound]{
		Typed[DuplicateRound]("round"),
		Col("round", "", func(r *DuplicateRound) int { return r.no }),
		Col("first", "points of team A's pair in seats 1 and 3 at table 1, minus their opponents'", func(r *DuplicateRound) int { return r.first }),
		Col("second", "points of team B's pair with the same hands at table 2, minus their opponents'", func(r *DuplicateRound) int { return r.second }),
		Col("margin", "`first` minus `second`", func(r *DuplicateRound) int { return r.first - r.second }),
	},
}

func namesOf(players []table.Player) []string {
	names := make([]string, len(players))
	for i := range players {
		names[i] = players[i].Name
	}
	return names
}

// duplicateShown describes a match to one reader: who plays where, and when it is over, the comparison.
func duplicateShown(d *duplicate.View, me table.PlayerID) []string {
	lines := append(Duplicates.Lines([]duplicate.View{*d}), "")
	for no := range 2 {
		line := fmt.Sprintf("table %d: seats 1+3 team %v %s; seats 2+4 team %v %s", no+1, duplicate.Team(no+1), PairOf(d, no, 0), duplicate.Team(2-no), PairOf(d, 1-no, 1))
		switch {
		case d.Over:
		case d.At[int64(no+1)] != 0:
			line += fmt.Sprintf("; they are playing at table %d of the club", d.At[int64(no+1)])
		case d.Ended[no]:
			line += "; their game has ended"
		}
		lines = append(lines, line)
	}
	if !d.Over {
		if !d.Begun {
			lines = append(lines, fmt.Sprintf("%s missing: duplicate %d enter A or B. Its creator can start it now, with house masters in the free seats: duplicate %d start",
				Number(d.Missing(), "player"), d.ID, d.ID))
		}
		return lines
	}
	lines = append(lines, "", d.Outcome(0))
	if len(d.Rounds) == 0 {
		return lines
	}
	c := Compare(d, me)
	var rows [][]string
	row := func(round string, r [2]int) {
		rows = append(rows, []string{round, WithSign(r[0]), WithSign(r[1]), WithSign(r[0] - r[1])})
	}
	for i, r := range c.Rounds {
		row(strconv.Itoa(i+1), r)
	}
	row("all", c.Sum)
	return append(append(lines, "", c.Title), Cells(">ROUND >"+strings.ToUpper(c.First)+" >"+strings.ToUpper(c.Second)+" >MARGIN", rows)...)
}

// Comparison is what two pairs made with the same hands.
type Comparison struct {
	Title         string // says what is compared
	First, Second string // the pairs
	Rounds        [][2]int
	Sum           [2]int
}

// Compare compares the two games of a finished match: for one of its players, their own pair and the one that had the same hands;
// for anybody else, the pairs in seats 1 and 3.
func Compare(d *duplicate.View, me table.PlayerID) Comparison {
	c := Comparison{Title: "What each team's pair in seats 1+3 scored with the same hands, and team A's margin:", First: "A", Second: "B"}
	team, pair := d.Place(me)
	if team != 0 {
		c = Comparison{Title: "What your pair scored with the hands of seats " + []string{"1+3", "2+4"}[pair] + ", and what theirs scored with the same hands:", First: "Yours", Second: "Theirs"}
	}
	for _, r := range d.Rounds {
		// r is what seats 1 and 3 made at team A's table and at team B's. The other seats made as much less.
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

// PairOf names a pair of a team, both counted from 0, with masters in place of missing players.
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

// WithSign formats a number with its sign: "+15", "-5".
func WithSign(n int) string { return fmt.Sprintf("%+d", n) }

// DuplicateUsage is the command's syntax, on the command line and in line mode.
const DuplicateUsage = "[N [enter A|B|leave|start|off]|new WORDS]"

const errDuplicate text.Refusal = "Use duplicate, duplicate N, duplicate N enter A or B, duplicate N leave, duplicate N start or off for its creator, or duplicate new WORDS, such as duplicate new classic pace=fast."

// AskDuplicate runs the command duplicate.
func AskDuplicate(ctx context.Context, v *lobby.Visit, words []string, _ time.Time) (Answer, error) {
	return eventCommand{
		kind: duplicate.Kind,
		list: func() (Answer, error) { return Duplicates.List(v.Duplicates()), nil },
		create: func(words []string) (event.ID, error) {
			cfg, err := ParseDuplicate(words)
			if err != nil {
				return 0, err
			}
			return v.NewDuplicate(ctx, cfg)
		},
		leaves: true,
		do:     func(id event.ID, words []string) error { return doDuplicate(ctx, v, id, words) },
		show:   func(id event.ID) (Answer, error) { return answerDuplicate(ctx, v, id) },
		usage:  errDuplicate,
	}.run(ctx, v, words)
}

func answerDuplicate(ctx context.Context, v *lobby.Visit, id event.ID) (ans Answer, err error) {
	d, err := v.Duplicate(ctx, id)
	if err != nil {
		return ans, err
	}
	rounds := make([]DuplicateRound, len(d.Rounds))
	for i, r := range d.Rounds {
		rounds[i] = DuplicateRound{i + 1, r[0], r[1]}
	}
	ans.Rows = append(Duplicates.Objects([]duplicate.View{*d}), DuplicateRounds.Objects(rounds)...)
	ans.Lines = duplicateShown(d, v.Player().ID)
	return ans, nil
}

// ParseDuplicate parses the words that configure a match, such as "classic rounds=6 pace=fast name=Friday four".
func ParseDuplicate(words []string) (duplicate.Config, error) {
	t, err := ParseTable(append([]string{usualPace}, words...))
	return duplicate.Config{Name: t.Name, Rules: t.RuleText, Pace: t.Pace}, err
}

// doDuplicate carries out the words after a match's number that only matches know.
func doDuplicate(ctx context.Context, v *lobby.Visit, id event.ID, words []string) error {
	switch {
	case len(words) == 2 && words[0] == "enter" && strings.EqualFold(words[1], "a"):
		return v.EnterDuplicate(ctx, id, duplicate.A)
	case len(words) == 2 && words[0] == "enter" && strings.EqualFold(words[1], "b"):
		return v.EnterDuplicate(ctx, id, duplicate.B)
	case len(words) == 1 && words[0] == "start":
		return v.StartDuplicate(ctx, id)
	}
	return errDuplicate
}
