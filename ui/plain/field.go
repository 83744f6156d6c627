package plain

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/event/field"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Fields describes duplicate arenas.
var Fields = &Rows[field.View]{
	Object: "field", About: "A row of `field`, and the first one of `field N`.", Text: "FIELD STATE BEGINS GAME PACE PLAYERS BY NAME",
	Aloud: "duplicate arena $FIELD, $NAME, $STATE, from $BEGINS, $GAME, pace $PACE, players $PLAYERS, by $BY",
	None:  "No duplicate arena is planned. Any member can create one: field new in=10 classic",
	Columns: []Column[field.View]{
		Col("field", "", func(f *field.View) No { return No(f.ID) }),
		Col("name", "", func(f *field.View) string { return f.Config.Name }),
		Col("state", "`planned`, `playing`, `over`, `called off`",
			func(f *field.View) string { return EventState(f.Begun, f.Over, "planned", "playing") }),
		Col("begins", "", func(f *field.View) time.Time { return f.Begins }),
		ruleCol("GAME", rules.DealtWords, func(f *field.View) string { return f.Config.Rules }),
		Col("pace", "", func(f *field.View) string { return string(f.Config.Pace) }),
		Col("by", "", func(f *field.View) string { return f.Config.By }),
		Col("pairs", "each two of `players` are partners", func(f *field.View) bool { return f.Config.Pairs }),
		Col("players", "", fieldPlayers).As("PLAYERS",
			func(f *field.View) string { return strconv.Itoa(len(fieldPlayers(f))) }).Number(),
		Col("tables", "", func(f *field.View) int { return len(f.Tables) }),
		Col("ended", "tables", FieldEnded),
		Col("commitment", "", func(f *field.View) string { return f.Config.Commit }),
		Col("seed", "", func(f *field.View) string { return f.Seed }),
	},
}

func fieldPlayers(f *field.View) (names []string) {
	for i := range f.Entrants {
		names = append(names, table.Names(f.Entrants[i].Members)...)
	}
	return names
}

// FieldEnded returns how many tables have finished.
func FieldEnded(f *field.View) (n int) {
	for i := range f.Tables {
		if f.Tables[i].Ended {
			n++
		}
	}
	return n
}

// FieldPlace is a place in a duplicate arena that is over.
type FieldPlace struct {
	*field.Place
	In *field.View
}

// above returns how far a result is above the mean of the field in its seat.
func above(f *field.View, over int) float64 { return float64(over) / float64(max(f.Final.Tables, 1)) }

// FieldPlaces describes the standings of a duplicate arena that is over.
var FieldPlaces = &Rows[FieldPlace]{
	Object: "fieldplace", About: "The result of a player or a pair; these rows come after the first one of `field N` when " +
		"it is over, the best first.",
	Text:  "RANK NAME TABLE SEAT POINTS FIELD",
	Aloud: "rank $RANK, $NAME, table $TABLE, seat $SEAT, points $POINTS, compared with the field $FIELD",
	Columns: []Column[FieldPlace]{
		Typed[FieldPlace]("place"),
		Col("rank", "", func(p *FieldPlace) No { return No(p.Rank) }),
		Col("name", "", func(p *FieldPlace) string { return p.Name }),
		Col("table", "", func(p *FieldPlace) int { return p.Table }),
		Col("seat", "or a pair's first",
			func(p *FieldPlace) int { return p.Seat }).As("SEAT", func(p *FieldPlace) string { return FieldSeats(p.Place) }).Number(),
		Col("game", "", func(p *FieldPlace) No { return No(p.In.Games[p.Table-1].Game) }),
		Col("points", "minus the opponent's", func(p *FieldPlace) int { return p.Points }).As("POINTS",
			func(p *FieldPlace) string { return text.Signed(p.Points) }).Number(),
		Col("above", "`points` minus the mean for this seat", func(p *FieldPlace) float64 { return above(p.In, p.Over) }).
			As("FIELD", func(p *FieldPlace) string { return FieldResult(p.In, p.Place) }).Number(),
		Col("state", "`compared`, `left` (the opponent gave up), `gave up`, `absent`, `unfinished`",
			func(p *FieldPlace) string { return p.State }),
	},
}

// FieldRound is a round of a player or a pair in a duplicate arena that is over.
type FieldRound struct {
	Name   string
	Round  int
	Points int
	Over   int
	In     *field.View
}

// FieldRounds describes those rounds.
var FieldRounds = &Rows[FieldRound]{
	Object: "fieldround", About: "A round of a player or a pair; these rows come after those of the places.", Text: "ROUND POINTS FIELD",
	Aloud: "round $ROUND, points $POINTS, compared with the field $FIELD",
	Columns: []Column[FieldRound]{
		Typed[FieldRound]("round"),
		Col("name", "", func(r *FieldRound) string { return r.Name }),
		Col("round", "", func(r *FieldRound) int { return r.Round }),
		Col("points", "minus the opponent's", func(r *FieldRound) int { return r.Points }).As("POINTS",
			func(r *FieldRound) string { return text.Signed(r.Points) }).Number(),
		Col("above", "`points` minus the mean for this seat", func(r *FieldRound) float64 { return above(r.In, r.Over) }).
			As("FIELD", func(r *FieldRound) string { return field.Above(r.Over, r.In.Final.Tables) }).Number(),
	},
}

// FieldEntrants lists the players of a duplicate arena.
func FieldEntrants(f *field.View) string {
	return strings.Join(text.Each(f.Entrants, func(e field.Entrant) string { return e.Name() }), ", ") + "."
}

// FieldSeats formats the seat of a player, or those of a pair.
func FieldSeats(p *field.Place) string {
	if p.Partner != 0 {
		return fmt.Sprintf("%d+%d", p.Seat, p.Seat+2)
	}
	return strconv.Itoa(p.Seat)
}

// FieldRank formats a place for display.
func FieldRank(p *field.Place) string { return cmp.Or(number(p.Rank), "-") }

// FieldResult says what a place is worth, or why it has no result.
func FieldResult(f *field.View, p *field.Place) string {
	switch {
	case p.State != field.Compared && p.State != field.Left:
		return p.State
	case p.Rank == 0:
		return "-"
	}
	return f.Result(p)
}
