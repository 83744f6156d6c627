package plain

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Duplicate is a duplicate match as a row.
type Duplicate struct {
	Duplicate  int64    `json:"duplicate"`
	Name       string   `json:"name"`
	State      string   `json:"state"` // gathering, playing, over, or called off
	Rules      string   `json:"rules"`
	Pace       string   `json:"pace"`
	By         string   `json:"by"`
	A          []string `json:"a"` // team A: the first two have seats 1 and 3, the next two seats 2 and 4
	B          []string `json:"b"`
	Tables     []int64  `json:"tables"`     // where it is being played
	Played     bool     `json:"played"`     // both games were finished
	Margin     int      `json:"margin"`     // how many more points team A made than team B with the same hands
	Winner     string   `json:"winner"`     // A, B, or empty
	Commitment string   `json:"commitment"` // to the seed of the deals
	Seed       string   `json:"seed"`       // empty until both games are over
}

// DuplicateRound compares a round at the two tables.
type DuplicateRound struct {
	Type   string `json:"type"` // "round"
	Round  int    `json:"round"`
	First  int    `json:"first"`  // what team A's pair made more than its opponents, with seats 1 and 3 at table 1
	Second int    `json:"second"` // what team B's pair made more than its opponents, with the same hands at table 2
	Margin int    `json:"margin"` // first less second
}

// duplicateRow returns a match as a row.
func duplicateRow(d *lobby.Duplicate) Duplicate {
	row := Duplicate{
		Duplicate: int64(d.ID), Name: text.Printable(d.Name), State: EventState(d.Begun, d.Over, "gathering", "playing"), Rules: d.Rules, Pace: string(d.Pace), By: d.By, A: namesOf(d.Teams[0]), B: namesOf(d.Teams[1]),
		Tables: []int64{}, Played: d.Played, Margin: d.Margin, Winner: d.Winner.String(), Commitment: d.Commit, Seed: d.Seed,
	}
	for _, id := range d.Tables {
		if id != 0 {
			row.Tables = append(row.Tables, int64(id))
		}
	}
	return row
}

func namesOf(players []table.Player) []string {
	names := make([]string, len(players))
	for i := range players {
		names[i] = players[i].Name
	}
	return names
}

// duplicateRounds compares the two games of a finished match.
func duplicateRounds(d *lobby.Duplicate) []DuplicateRound {
	rows := make([]DuplicateRound, len(d.Rounds))
	for i, r := range d.Rounds {
		rows[i] = DuplicateRound{"round", i + 1, r[0], r[1], r[0] - r[1]}
	}
	return rows
}

// Duplicates formats matches in columns.
func Duplicates(list []Duplicate) []string {
	if len(list) == 0 {
		return []string{"No duplicate match is open. Any member can create one: duplicate new classic"}
	}
	return listed([]Column{
		{Head: "DUPLICATE", Right: true}, {Head: "STATE"}, {Head: "GAME"}, {Head: "PACE"}, {Head: "A", Right: true}, {Head: "B", Right: true}, {Head: "BY"}, {Head: "NAME"},
	}, list, func(d *Duplicate) []string {
		return []string{number(d.Duplicate), d.State, d.Rules, d.Pace, strconv.Itoa(len(d.A)), strconv.Itoa(len(d.B)), d.By, d.Name}
	})
}

// duplicateShown describes a match to one reader: who plays where, and when it is over, the comparison.
func duplicateShown(d *lobby.Duplicate, me table.PlayerID) []string {
	lines := append(Duplicates([]Duplicate{duplicateRow(d)}), "")
	for no := range d.Tables {
		line := fmt.Sprintf("table %d: seats 1+3 team %v %s; seats 2+4 team %v %s", no+1, duplicate.Team(no+1), PairOf(d, no, 0), duplicate.Team(2-no), PairOf(d, 1-no, 1))
		switch {
		case d.Over:
		case d.Tables[no] != 0:
			line += fmt.Sprintf("; they are playing at table %d of the club", d.Tables[no])
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
	rows := make([][]string, 0, len(c.Rounds)+1)
	for i, r := range c.Rounds {
		rows = append(rows, compared(strconv.Itoa(i+1), r))
	}
	rows = append(rows, compared("all", c.Sum))
	lines = append(lines, "", c.Title)
	return append(lines, Columns([]Column{{Head: "ROUND", Right: true}, {Head: strings.ToUpper(c.First), Right: true}, {Head: strings.ToUpper(c.Second), Right: true}, {Head: "MARGIN", Right: true}}, rows)...)
}

func compared(round string, r [2]int) []string {
	return []string{round, WithSign(r[0]), WithSign(r[1]), WithSign(r[0] - r[1])}
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
func Compare(d *lobby.Duplicate, me table.PlayerID) Comparison {
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
func PairOf(d *lobby.Duplicate, team, pair int) string {
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
		list: func() (Answer, error) { return answerOf(v.Duplicates(), duplicateRow, Duplicates), nil },
		create: func(words []string) (event.ID, error) {
			cfg, err := ParseDuplicate(words)
			if err != nil {
				return 0, err
			}
			return v.NewDuplicate(ctx, cfg)
		},
		leave: v.LeaveDuplicate,
		do:    func(id event.ID, words []string) error { return doDuplicate(ctx, v, id, words) },
		show:  func(id event.ID) (Answer, error) { return answerDuplicate(ctx, v, id) },
		usage: errDuplicate,
	}.run(ctx, v, words)
}

func answerDuplicate(ctx context.Context, v *lobby.Visit, id event.ID) (ans Answer, err error) {
	d, err := v.Duplicate(ctx, id)
	if err != nil {
		return ans, err
	}
	ans.Rows = append(ans.Rows, duplicateRow(d))
	for _, r := range duplicateRounds(d) {
		ans.Rows = append(ans.Rows, r)
	}
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
