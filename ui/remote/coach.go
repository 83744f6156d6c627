package remote

import (
	"context"
	"math"

	"boneyard/lobby/text"
	"boneyard/rules/coach"
	"boneyard/table"
	"boneyard/ui/plain"
)

// CoachHead is what the coach says of a whole game.
type CoachHead struct {
	Type      string    `json:"type"` // "coach"
	Game      int64     `json:"game"`
	Seat      int       `json:"seat"` // whose decisions
	Name      string    `json:"name"`
	Decisions int       `json:"decisions"` // plays where there was something to choose
	Lost      float64   `json:"lost"`      // points given away
	Accuracy  float64   `json:"accuracy"`  // from 0 to 100
	Grade     string    `json:"grade"`     // A to E
	Past      []float64 `json:"past"`      // accuracy in the games that the coach has looked at, the oldest first
}

// CoachRound is what the coach says of a round.
type CoachRound struct {
	Type     string  `json:"type"` // "coach_round"
	Round    int     `json:"round"`
	Lost     float64 `json:"lost"`
	Accuracy float64 `json:"accuracy"`
	Grade    string  `json:"grade"`
	Made     float64 `json:"made"`  // points of the side less those of the others on average
	Deal     float64 `json:"deal"`  // what the deal was worth of that
	Draws    float64 `json:"draws"` // and the draws
	Whole    bool    `json:"whole"` // the round was played out
}

// CoachDecision is what the coach says of one play.
type CoachDecision struct {
	Type    string        `json:"type"` // "decision"
	Round   int           `json:"round"`
	Move    int           `json:"move"` // through the whole game
	Tile    string        `json:"tile"`
	Arm     string        `json:"arm"`
	Lost    float64       `json:"lost"`    // points given away; 0 where it cannot be told from chance
	Error   float64       `json:"error"`   // standard error of that
	Choices []CoachChoice `json:"choices"` // the best first
	Text    string        `json:"text"`    // of the costliest mistakes: why
}

// CoachChoice is what one choice was worth.
type CoachChoice struct {
	Tile   string  `json:"tile"`
	Arm    string  `json:"arm"`
	Points int     `json:"points"` // that it scores at once
	Worth  float64 `json:"worth"`  // points to the end of the round, less those of the others on average
}

// coached tells what the caller's decisions in a finished game were worth.
func coached(ctx context.Context, c *call) error {
	v, n, err := c.askOf(c.opt.args[0])
	if err != nil {
		return err
	}
	said, err := v.Coach(ctx, table.GameID(n))
	if err != nil {
		return noGame(err)
	}
	names := make([]string, len(said.Game.Seats))
	for i, name := range said.Game.Seats {
		names[i] = text.Printable(name)
	}
	if !c.opt.json {
		c.out.line(plain.Coach(said.Report, names)...)
		if s := plain.Accuracies(said.Accuracies); s != "" {
			c.out.line(s)
		}
		return nil
	}
	r := said.Report
	head := CoachHead{
		Type: "coach", Game: n, Seat: int(r.Seat), Name: names[r.Seat-1], Decisions: r.Total.Decisions, Lost: tenths(r.Total.Lost),
		Accuracy: tenths(r.Total.Accuracy), Grade: r.Total.Letter(), Past: []float64{},
	}
	for _, a := range said.Accuracies {
		head.Past = append(head.Past, tenths(a))
	}
	c.out.json(head)
	for i := range r.Rounds {
		q := &r.Rounds[i]
		c.out.json(CoachRound{
			Type: "coach_round", Round: q.Number, Lost: tenths(q.Lost), Accuracy: tenths(q.Accuracy), Grade: q.Letter(),
			Made: tenths(q.Made), Deal: tenths(q.Deal), Draws: tenths(q.Draws), Whole: q.Whole,
		})
	}
	for i := range r.Decisions {
		c.out.json(decisionOf(r, &r.Decisions[i], names))
	}
	return nil
}

func decisionOf(r *coach.Report, d *coach.Decision, names []string) CoachDecision {
	out := CoachDecision{
		Type: "decision", Round: d.Round, Move: d.Move, Tile: d.Played.Tile.Name(), Arm: arm(d.Played.Arm), Lost: tenths(d.Lost), Error: tenths(d.Error),
	}
	for _, v := range d.Values {
		out.Choices = append(out.Choices, CoachChoice{Tile: v.Tile.Name(), Arm: arm(v.Arm), Points: int(v.Points), Worth: tenths(v.Mean)})
	}
	if len(d.Why) > 0 {
		out.Text = plain.Mistake(r, d, names)
	}
	return out
}

// tenths rounds to one digit: more of it is noise.
func tenths(x float64) float64 { return math.Round(10*x) / 10 }
