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

// Fields describes duplicate arenas.
var Fields = &Rows[field.View]{
	Object: "field", About: "A row of `field`, and the first one of `field N`.", Text: "FIELD STATE BEGINS GAME PACE PLAYERS BY NAME",
	None: "No duplicate arena is planned. Any member can create one: field new in=10 classic",
	Columns: []Column[field.View]{
		Col("field", "of the duplicate arena", func(f *field.View) No { return No(f.ID) }),
		Col("name", "may be empty", func(f *field.View) string { return f.Config.Name }),
		Col("state", "`planned`, `playing`, `over`, `called off` (was never played)", func(f *field.View) string { return EventState(f.Begun, f.Over, "planned", "playing") }),
		Col("begins", "", func(f *field.View) time.Time { return f.Begins }),
		Col("rules", "a rule string", func(f *field.View) string { return f.Config.Rules }).As("GAME", nil),
		Col("pace", "", func(f *field.View) string { return string(f.Config.Pace) }),
		Col("by", "who made it", func(f *field.View) string { return f.Config.By }),
		Col("pairs", "if true, each two of `players` are partners", func(f *field.View) bool { return f.Config.Pairs }),
		Col("players", "who takes part", fieldPlayers).As("PLAYERS", func(f *field.View) string { return strconv.Itoa(len(fieldPlayers(f))) }).Number(),
		Col("tables", "0 until it has begun", func(f *field.View) int { return len(f.Tables) }),
		Col("ended", "tables that have finished", fieldEnded),
		Col("commitment", "to the seed of the deals", func(f *field.View) string { return f.Config.Commit }),
		Col("seed", "empty until all tables have finished", func(f *field.View) string { return f.Seed }),
	},
}

func fieldPlayers(f *field.View) (names []string) {
	for i := range f.Entrants {
		names = append(names, namesOf(f.Entrants[i].Members)...)
	}
	return names
}

// fieldEnded returns how many tables have finished.
func fieldEnded(f *field.View) (n int) {
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
	of *field.View
}

// above returns how far a result is above the mean of the field in its seat.
func above(f *field.View, over int) float64 { return float64(over) / float64(max(f.Final.Tables, 1)) }

// FieldPlaces describes the standing of a duplicate arena that is over.
var FieldPlaces = &Rows[FieldPlace]{
	Object: "fieldplace", About: "The result of a player or a pair; these rows come after the first one of `field N` when it is over, the best first.",
	Text: "RANK NAME TABLE SEAT POINTS FIELD",
	Columns: []Column[FieldPlace]{
		Typed[FieldPlace]("place"),
		Col("rank", "0 for no place", func(p *FieldPlace) No { return No(p.Rank) }),
		Col("name", "of a pair, such as `ana + ben`", func(p *FieldPlace) string { return p.Name }),
		Col("table", "from 1", func(p *FieldPlace) int { return p.Table }),
		Col("seat", "1 or 2; a pair has seats 1 and 3, or 2 and 4", func(p *FieldPlace) int { return p.Seat }).As("SEAT", func(p *FieldPlace) string { return FieldSeats(p.Place) }).Number(),
		Col("game", "0 where none was played", func(p *FieldPlace) No { return No(p.of.Games[p.Table-1].Game) }),
		Col("points", "points minus the opponent's", func(p *FieldPlace) int { return p.Points }).As("POINTS", func(p *FieldPlace) string { return WithSign(p.Points) }).Number(),
		Col("above", "`points` minus the mean of the field in this seat", func(p *FieldPlace) float64 { return above(p.of, p.Over) }).
			As("FIELD", func(p *FieldPlace) string { return FieldResult(p.of, p.Place) }).Number(),
		Col("state", "`compared`, `left` (the opponent gave up: the average), `gave up`, `absent`, `unfinished`", func(p *FieldPlace) string { return p.State }),
	},
}

// FieldRound is a round of a player or a pair in a duplicate arena that is over.
type FieldRound struct {
	name         string
	round        int
	points, over int
	of           *field.View
}

// FieldRounds describes such rounds.
var FieldRounds = &Rows[FieldRound]{
	Object: "fieldround", About: "A round of a player or a pair; these rows come after those of the places.", Text: "ROUND POINTS FIELD",
	Columns: []Column[FieldRound]{
		Typed[FieldRound]("round"),
		Col("name", "", func(r *FieldRound) string { return r.name }),
		Col("round", "", func(r *FieldRound) int { return r.round }),
		Col("points", "points minus the opponent's", func(r *FieldRound) int { return r.points }).As("POINTS", func(r *FieldRound) string { return WithSign(r.points) }).Number(),
		Col("above", "`points` minus the mean of the field in this seat", func(r *FieldRound) float64 { return above(r.of, r.over) }).
			As("FIELD", func(r *FieldRound) string { return field.Above(r.over, r.of.Final.Tables) }).Number(),
	},
}

// fieldRounds returns the rounds of a place.
func fieldRounds(f *field.View, p *field.Place) (rounds []FieldRound) {
	for k, r := range f.RoundsOf(p) {
		rounds = append(rounds, FieldRound{p.Name, k + 1, r.Points, r.Over, f})
	}
	return rounds
}

// fieldShown describes a duplicate arena to one reader: who takes part, and when it is over, the standing and the reader's own rounds.
func fieldShown(f *field.View, me table.PlayerID) Answer {
	ans := Fields.List([]field.View{*f})
	say := func(lines ...string) { ans.Lines = append(ans.Lines, lines...) }
	say("")
	switch {
	case !f.Begun && !f.Over:
		if len(f.Entrants) > 0 {
			say(FieldEntrants(f))
		}
		if f.Config.Pairs {
			say(fmt.Sprintf("To take part, both partners name each other: field %d enter with NAME", f.ID))
		} else {
			say(fmt.Sprintf("To take part: field %d enter", f.ID))
		}
	case !f.Over:
		say(fmt.Sprintf("%d of %s finished; results are shown when all have.", fieldEnded(f), Number(len(f.Tables), "table")))
		if no, _ := f.Of(me); no > 0 && f.At[int64(no)] != 0 {
			say(fmt.Sprintf("You play at table %d of the club.", f.At[int64(no)]))
		}
	default:
		say(f.Outcome() + ".")
	}
	var places []FieldPlace
	var rounds, own []FieldRound
	for i := range f.Final.Places {
		p := &f.Final.Places[i]
		places, rounds = append(places, FieldPlace{p, f}), append(rounds, fieldRounds(f, p)...)
		if p.Of(me) {
			own = fieldRounds(f, p)
		}
	}
	if len(places) > 0 {
		ans.Add("", FieldPlaces.List(places))
	}
	if len(own) > 0 {
		say("", "Your rounds, and how they compare with the average of everybody in your seat:")
		say(FieldRounds.Lines(own)...)
	}
	ans.Rows = append(ans.Rows, FieldRounds.Objects(rounds)...)
	return ans
}

// FieldEntrants lists who takes part in a duplicate arena.
func FieldEntrants(f *field.View) string {
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
func FieldResult(f *field.View, p *field.Place) string {
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
		list: func() (Answer, error) { return Fields.List(v.Fields()), nil },
		create: func(words []string) (event.ID, error) {
			cfg, begins, err := ParseField(words, now)
			if err != nil {
				return 0, err
			}
			return v.NewField(ctx, cfg, begins)
		},
		enters: true, leaves: true,
		show: func(id event.ID) (ans Answer, err error) {
			f, err := v.Field(ctx, id)
			if err != nil {
				return ans, err
			}
			return fieldShown(f, v.Player().ID), nil
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
