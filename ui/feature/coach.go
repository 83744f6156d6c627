package feature

import (
	"context"
	"math"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules/bot"
	"boneyard/rules/coach"
	"boneyard/table"
	"boneyard/ui/plain"
)

type coachedGame struct {
	*lobby.Coached
	names []string // by seat
}

var coachHeads = &plain.Rows[coachedGame]{
	Object: "coachhead", About: "`coach` with `--json` begins with this object; then come the rounds, and the decisions.",
	Columns: []plain.Column[coachedGame]{
		plain.Typed[coachedGame]("coach"),
		plain.Col("game", "", func(g *coachedGame) int64 { return int64(g.Game.ID) }),
		plain.Col("seat", "whose decisions", func(g *coachedGame) int { return int(g.Report.Seat) }),
		plain.Col("name", "", func(g *coachedGame) string { return g.names[g.Report.Seat-1] }),
		plain.Col("decisions", "plays with a choice", func(g *coachedGame) int { return g.Report.Total.Decisions }),
		plain.Col("lost", "points given away", func(g *coachedGame) float64 { return tenths(g.Report.Total.Lost) }),
		plain.Col("accuracy", "0 to 100: the mean of 100 × 2^(−lost/5)", func(g *coachedGame) float64 {
			return tenths(g.Report.Total.Accuracy)
		}),
		plain.Col("grade", `A to E; "-" without decisions`, func(g *coachedGame) string { return g.Report.Total.Letter() }),
		plain.Col("past", "accuracy in earlier games", func(g *coachedGame) []float64 { return text.Each(g.Accuracies, tenths) }),
	},
}

var coachRounds = &plain.Rows[coach.Round]{
	Object: "coachround",
	About: "Points are those of the player's side minus the other sides' average. What `deal` and `draws` leave of `made` " +
		"is what the play was worth.",
	Columns: []plain.Column[coach.Round]{
		plain.Typed[coach.Round]("coach_round"),
		plain.Col("round", "", func(r *coach.Round) int { return r.Number }),
		plain.Col("lost", "points given away", func(r *coach.Round) float64 { return tenths(r.Lost) }),
		plain.Col("accuracy", "", func(r *coach.Round) float64 { return tenths(r.Accuracy) }),
		plain.Col("grade", "", func(r *coach.Round) string { return r.Letter() }),
		plain.Col("made", "points made in the round", func(r *coach.Round) float64 { return tenths(r.Made) }),
		plain.Col("deal", "what the deal was worth", func(r *coach.Round) float64 { return tenths(r.Deal) }),
		plain.Col("draws", "what all drawn tiles were worth, against the expectation",
			func(r *coach.Round) float64 { return tenths(r.Draws) }),
		plain.Col("whole", "it was played out", func(r *coach.Round) bool { return r.Whole }),
	},
}

type coachedPlay struct {
	*coach.Decision
	of *coachedGame
}

var coachDecisions = &plain.Rows[coachedPlay]{
	Object: "coachdecision",
	Columns: []plain.Column[coachedPlay]{
		plain.Typed[coachedPlay]("decision"),
		plain.Col("round", "", func(d *coachedPlay) int { return d.Round }),
		plain.Col("move", "through the whole game, draws and passes counted", func(d *coachedPlay) int { return d.Move }),
		plain.Col("tile", "", func(d *coachedPlay) string { return d.Played.Tile.Name() }),
		plain.Col("arm", "", func(d *coachedPlay) string { return d.Played.Arm.String() }),
		plain.Col("lost", "points given away; 0 where it cannot be told from chance (less than 1.5)",
			func(d *coachedPlay) float64 { return tenths(d.Lost) }),
		plain.Col("error", "standard error of that", func(d *coachedPlay) float64 { return tenths(d.Error) }),
		plain.Col("choices", "the best first; of equivalent ends one",
			func(d *coachedPlay) []any { return coachChoices.Objects(d.Values) }).Of("coachchoices"),
		plain.Col("text", "why, for the three costliest mistakes", func(d *coachedPlay) string {
			if len(d.Why) == 0 {
				return ""
			}
			return plain.Mistake(d.of.Report, d.Decision, d.of.names)
		}),
	},
}

var coachChoices = &plain.Rows[bot.Value]{
	Object: "coachchoice",
	Columns: []plain.Column[bot.Value]{
		plain.Col("tile", "", func(v *bot.Value) string { return v.Tile.Name() }),
		plain.Col("arm", "", func(v *bot.Value) string { return v.Arm.String() }),
		plain.Col("points", "at once", func(v *bot.Value) int { return int(v.Points) }),
		plain.Col("worth", "to the end of the round, minus the other sides' average",
			func(v *bot.Value) float64 { return tenths(v.Mean) }),
	},
}

// coached shows what the caller's decisions in a finished game were worth.
func coached(ctx context.Context, q *Ask, id table.GameID) (Answer, error) {
	said, err := q.Visit.Coach(ctx, id)
	if err != nil {
		return Answer{}, err
	}
	names := text.Each(said.Game.Seats, text.Printable)
	if !q.Options.JSON {
		told := plain.Coach(said.Report, plain.You(names, said.Report.Seat))
		if s := plain.Accuracies(said.Accuracies); s != "" {
			told = append(told, s)
		}
		return Say(told...), nil
	}
	g := coachedGame{said, names}
	rows := append([]any{coachHeads.JSON(&g)}, coachRounds.Objects(said.Report.Rounds)...)
	for i := range said.Report.Decisions {
		rows = append(rows, coachDecisions.JSON(&coachedPlay{&said.Report.Decisions[i], &g}))
	}
	return q.tell(rows), nil
}

// tenths rounds to one decimal: more would be noise.
func tenths(x float64) float64 { return math.Round(10*x) / 10 }
