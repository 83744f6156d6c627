package feature

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
	Type      string    `json:"type" means:"\"coach\""`
	Game      int64     `json:"game" means:"the game's number"`
	Seat      int       `json:"seat" means:"whose decisions"`
	Name      string    `json:"name" means:"their name"`
	Decisions int       `json:"decisions" means:"plays where there was something to choose"`
	Lost      float64   `json:"lost" means:"points given away"`
	Accuracy  float64   `json:"accuracy" means:"from 0 to 100: the mean of 100 × 2^(−lost/5) over the decisions"`
	Grade     string    `json:"grade" means:"A to E; \"-\" where there was nothing to decide"`
	Past      []float64 `json:"past" means:"accuracy in the games that the coach has looked at, the oldest first"`
}

// CoachRound is what the coach says of a round.
type CoachRound struct {
	Type     string  `json:"type" means:"\"coach_round\""`
	Round    int     `json:"round" means:"from 1"`
	Lost     float64 `json:"lost" means:"points given away"`
	Accuracy float64 `json:"accuracy" means:"from 0 to 100"`
	Grade    string  `json:"grade" means:"A to E"`
	Made     float64 `json:"made" means:"points made in the round"`
	Deal     float64 `json:"deal" means:"what the deal was worth"`
	Draws    float64 `json:"draws" means:"what the tiles drawn by everybody were worth, compared with the expectation"`
	Whole    bool    `json:"whole" means:"the round was played out"`
}

// CoachDecision is what the coach says of one play.
type CoachDecision struct {
	Type    string        `json:"type" means:"\"decision\""`
	Round   int           `json:"round" means:"from 1"`
	Move    int           `json:"move" means:"through the whole game, draws and passes counted"`
	Tile    string        `json:"tile" means:"what was played"`
	Arm     string        `json:"arm" means:"where; empty for a lead"`
	Lost    float64       `json:"lost" means:"points given away; 0 where it cannot be told from chance (less than 1.5)"`
	Error   float64       `json:"error" means:"standard error of that"`
	Choices []CoachChoice `json:"choices" kind:"coachchoices" means:"the possible choices, the best first; of equivalent ends only one is named"`
	Text    string        `json:"text" means:"of the three costliest mistakes: why"`
}

// CoachChoice is what one choice was worth.
type CoachChoice struct {
	Tile   string  `json:"tile" means:"the tile"`
	Arm    string  `json:"arm" means:"where; empty for a lead"`
	Points int     `json:"points" means:"that it scores at once"`
	Worth  float64 `json:"worth" means:"points to the end of the round, minus the other sides' average"`
}

func coachObjects() []plain.Describer {
	return []plain.Describer{
		plain.Struct[CoachHead]("`coach` with `--json` begins with this object; then come the rounds, and the decisions."),
		plain.Struct[CoachRound]("Points are those of the player's side minus the other sides' average. What `deal` and `draws` leave of `made` is what the play was worth."),
		plain.Struct[CoachDecision](""),
		plain.Struct[CoachChoice](""),
	}
}

// coached tells what the caller's decisions in a finished game were worth.
func coached(ctx context.Context, q *Ask) (Answer, error) {
	n, err := Number(q.Words[0])
	if err != nil {
		return Answer{}, err
	}
	said, err := q.Visit.Coach(ctx, table.GameID(n))
	if err != nil {
		return Answer{}, noGame(err)
	}
	names := make([]string, len(said.Game.Seats))
	for i, name := range said.Game.Seats {
		names[i] = text.Printable(name)
	}
	if !q.Options.JSON {
		told := plain.Coach(said.Report, names)
		if s := plain.Accuracies(said.Accuracies); s != "" {
			told = append(told, s)
		}
		return Say(told...), nil
	}
	r := said.Report
	head := CoachHead{
		Type: "coach", Game: n, Seat: int(r.Seat), Name: names[r.Seat-1], Decisions: r.Total.Decisions, Lost: tenths(r.Total.Lost),
		Accuracy: tenths(r.Total.Accuracy), Grade: r.Total.Letter(), Past: []float64{},
	}
	for _, a := range said.Accuracies {
		head.Past = append(head.Past, tenths(a))
	}
	rows := []any{head}
	for i := range r.Rounds {
		q := &r.Rounds[i]
		rows = append(rows, CoachRound{
			Type: "coach_round", Round: q.Number, Lost: tenths(q.Lost), Accuracy: tenths(q.Accuracy), Grade: q.Letter(),
			Made: tenths(q.Made), Deal: tenths(q.Deal), Draws: tenths(q.Draws), Whole: q.Whole,
		})
	}
	for i := range r.Decisions {
		rows = append(rows, decisionOf(r, &r.Decisions[i], names))
	}
	return q.tell(rows), nil
}

func decisionOf(r *coach.Report, d *coach.Decision, names []string) CoachDecision {
	out := CoachDecision{
		Type: "decision", Round: d.Round, Move: d.Move, Tile: d.Played.Tile.Name(), Arm: plain.ArmName(d.Played.Arm), Lost: tenths(d.Lost), Error: tenths(d.Error),
	}
	for _, v := range d.Values {
		out.Choices = append(out.Choices, CoachChoice{Tile: v.Tile.Name(), Arm: plain.ArmName(v.Arm), Points: int(v.Points), Worth: tenths(v.Mean)})
	}
	if len(d.Why) > 0 {
		out.Text = plain.Mistake(r, d, names)
	}
	return out
}

// tenths rounds to one digit: more of it is noise.
func tenths(x float64) float64 { return math.Round(10*x) / 10 }
