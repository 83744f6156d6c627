package plain

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/field"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Field is a duplicate arena as a row.
type Field struct {
	Field      int64     `json:"field"`
	Name       string    `json:"name"`
	State      string    `json:"state"` // planned, playing, over, or called off
	Begins     time.Time `json:"begins"`
	Rules      string    `json:"rules"`
	Pace       string    `json:"pace"`
	By         string    `json:"by"`
	Pairs      bool      `json:"pairs"` // each two of players are partners
	Players    []string  `json:"players"`
	Tables     int       `json:"tables"`     // 0 before it begins
	Ended      int       `json:"ended"`      // of the tables
	Commitment string    `json:"commitment"` // to the seed of the deals
	Seed       string    `json:"seed"`       // empty until it is over
}

// FieldPlace is a player's result in a duplicate arena that is over.
type FieldPlace struct {
	Type   string  `json:"type"` // "place"
	Rank   int     `json:"rank"` // 0: no place
	Name   string  `json:"name"` // "ana", or "ana + ben"
	Table  int     `json:"table"`
	Seat   int     `json:"seat"` // 1 or 2; of a pair also 3 or 4
	Game   int64   `json:"game"`
	Points int     `json:"points"` // how many more than the opponent
	Above  float64 `json:"above"`  // the difference from the mean of the field in this seat
	State  string  `json:"state"`
}

// FieldRound is a player's round in a duplicate arena that is over.
type FieldRound struct {
	Type   string  `json:"type"` // "round"
	Name   string  `json:"name"`
	Round  int     `json:"round"`
	Points int     `json:"points"`
	Above  float64 `json:"above"`
}

// FieldRow returns a duplicate arena as a row.
func FieldRow(f *lobby.Field) Field {
	c := &f.Config
	row := Field{
		Field: int64(f.ID), Name: text.Printable(c.Name), State: EventState(f.Begun, f.Over, "planned", "playing"), Begins: Moment(f.Begins), Rules: c.Rules, Pace: string(c.Pace), By: c.By,
		Pairs: c.Pairs, Players: []string{}, Tables: len(f.Tables), Commitment: c.Commit, Seed: f.Seed,
	}
	for i := range f.Entrants {
		row.Players = append(row.Players, namesOf(f.Entrants[i].Members)...)
	}
	for i := range f.Tables {
		if f.Tables[i].Ended {
			row.Ended++
		}
	}
	return row
}

func fieldRows(f *lobby.Field) (rows []any) {
	rows = append(rows, FieldRow(f))
	n := float64(max(f.Final.Tables, 1))
	for i := range f.Final.Places {
		p := &f.Final.Places[i]
		rows = append(rows, FieldPlace{"place", p.Rank, p.Name, p.Table, p.Seat, int64(f.Games[p.Table-1].Game), p.Points, float64(p.Over) / n, p.State})
	}
	for i := range f.Final.Places {
		p := &f.Final.Places[i]
		for k, r := range f.RoundsOf(p) {
			rows = append(rows, FieldRound{"round", p.Name, k + 1, r.Points, float64(r.Over) / n})
		}
	}
	return rows
}

// Fields formats duplicate arenas in columns.
func Fields(list []Field) []string {
	if len(list) == 0 {
		return []string{"No duplicate arena is planned. Any member can create one: field new in=10 classic"}
	}
	return listed([]Column{
		{Head: "FIELD", Right: true}, {Head: "STATE"}, {Head: "BEGINS"}, {Head: "GAME"}, {Head: "PACE"}, {Head: "PLAYERS", Right: true}, {Head: "BY"}, {Head: "NAME"},
	}, list, func(f *Field) []string {
		return []string{number(f.Field), f.State, f.Begins.Format("2006-01-02T15:04Z"), f.Rules, f.Pace, strconv.Itoa(len(f.Players)), f.By, f.Name}
	})
}

// FieldShown describes a duplicate arena to one reader: who takes part, and when it is over, the standing and the reader's own rounds.
func FieldShown(f *lobby.Field, me table.PlayerID) []string {
	lines := append(Fields([]Field{FieldRow(f)}), "")
	switch {
	case !f.Begun && !f.Over:
		if len(f.Entrants) > 0 {
			lines = append(lines, FieldEntrants(f))
		}
		if f.Config.Pairs {
			return append(lines, fmt.Sprintf("To take part, both partners name each other: field %d enter with NAME", f.ID))
		}
		return append(lines, fmt.Sprintf("To take part: field %d enter", f.ID))
	case !f.Over:
		row := FieldRow(f)
		lines = append(lines, fmt.Sprintf("%d of %s finished; results are shown when all have.", row.Ended, Number(row.Tables, "table")))
		if no, _ := f.Of(me); no > 0 && f.At[no-1] != 0 {
			lines = append(lines, fmt.Sprintf("You play at table %d of the club.", f.At[no-1]))
		}
		return lines
	}
	lines = append(lines, f.Outcome()+".")
	var rows [][]string
	var own *field.Place
	for i := range f.Final.Places {
		p := &f.Final.Places[i]
		if p.Of(me) {
			own = p
		}
		rows = append(rows, []string{FieldRank(p), p.Name, strconv.Itoa(p.Table), FieldSeats(p), WithSign(p.Points), FieldResult(f, p)})
	}
	if len(rows) == 0 {
		return lines
	}
	lines = append(lines, "")
	lines = append(lines, Columns([]Column{
		{Head: "RANK", Right: true}, {Head: "NAME"}, {Head: "TABLE", Right: true}, {Head: "SEAT", Right: true}, {Head: "POINTS", Right: true}, {Head: "FIELD", Right: true},
	}, rows)...)
	if own == nil {
		return lines
	}
	rows = nil
	for i, r := range f.RoundsOf(own) {
		rows = append(rows, []string{strconv.Itoa(i + 1), WithSign(r.Points), lobby.Above(r.Over, f.Final.Tables)})
	}
	if len(rows) == 0 {
		return lines
	}
	lines = append(lines, "", "Your rounds, and how they compare with the average of everybody in your seat:")
	return append(lines, Columns([]Column{{Head: "ROUND", Right: true}, {Head: "POINTS", Right: true}, {Head: "FIELD", Right: true}}, rows)...)
}

// FieldEntrants lists who takes part in a duplicate arena.
func FieldEntrants(f *lobby.Field) string {
	var names []string
	for i := range f.Entrants {
		names = append(names, f.Entrants[i].Name())
	}
	return strings.Join(names, ", ") + "."
}

// FieldSeats formats the seat of a player, or those of a pair.
func FieldSeats(p *field.Place) string {
	if p.Partner != 0 {
		return fmt.Sprintf("%d+%d", p.Seat, p.Seat+2)
	}
	return strconv.Itoa(p.Seat)
}

// FieldRank formats a place for display.
func FieldRank(p *field.Place) string {
	if p.Rank == 0 {
		return "-"
	}
	return strconv.Itoa(p.Rank)
}

// FieldResult says what a place is worth, or why there is none.
func FieldResult(f *lobby.Field, p *field.Place) string {
	switch {
	case p.State != field.Compared && p.State != field.Left:
		return p.State
	case p.Rank == 0:
		return "-"
	}
	return f.Result(p)
}

// FieldUsage is the command's syntax, on the command line and in line mode.
const FieldUsage = "[N [WORDS]|new WORDS]"

const errField text.Refusal = "Use field, field N, field N enter, field N enter with NAME, field N leave, field N off for its creator, or field new WORDS, such as field new in=10 classic rounds=6."

// AskField runs the command field.
func AskField(ctx context.Context, v *lobby.Visit, words []string, now time.Time) (Answer, error) {
	return eventCommand{
		kind: field.Kind,
		list: func() (Answer, error) { return answerOf(v.Fields(), FieldRow, Fields), nil },
		create: func(words []string) (event.ID, error) {
			cfg, begins, err := ParseField(words, now)
			if err != nil {
				return 0, err
			}
			return v.NewField(ctx, cfg, begins)
		},
		enter: v.EnterField,
		leave: v.LeaveField,
		show: func(id event.ID) (ans Answer, err error) {
			f, err := v.Field(ctx, id)
			if err != nil {
				return ans, err
			}
			return Answer{Lines: FieldShown(f, v.Player().ID), Rows: fieldRows(f)}, nil
		},
		usage: errField,
	}.run(ctx, v, words)
}

// fieldIn is how soon a duplicate arena begins by default.
const fieldIn = 10 * time.Minute

// ParseField parses the words that configure a duplicate arena, such as "in=30 classic rounds=6 pace=fast name=Friday".
func ParseField(words []string, now time.Time) (field.Config, time.Time, error) {
	t, begins, err := newEvent(words, now.Add(fieldIn), now, []string{usualPace}, func(string, string) (bool, error) { return false, nil })
	return field.Config{Name: t.Name, Rules: t.RuleText, Pace: t.Pace}, begins, err
}
