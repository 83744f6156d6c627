package remote

import (
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/feature"
	"boneyard/ui/plain"
)

// What follows are the objects that show, watch and play write, one a line. Type tells them apart. Their fields are
// described in docs/commands.md, and stay as they are: there may be new ones.

// State is a table as its reader may see it: the player at a seat, or the gallery.
type State struct {
	Type    string       `json:"type" means:"\"state\""`
	Table   int64        `json:"table" means:"the table's number"`
	Version uint64       `json:"version" means:"counts up with every change"`
	State   string       `json:"state" means:"see [states](#states-of-a-table)"`
	Seat    int          `json:"seat" means:"the reader's; 0 in the gallery"`
	Rules   string       `json:"rules" means:"the rule string"`
	Target  int          `json:"target" means:"the points that win; with \"above=\" in the rules, one more; 0 with \"rounds=\""`
	Rounds  int          `json:"rounds" means:"the rounds that the game has; 0 if it is played to \"target\""`
	Seats   []plain.Seat `json:"seats" kind:"seats" means:"one [seat](#seat) object for each"`
	Held    []int        `json:"held" means:"tiles by seat"`
	Sides   []string     `json:"sides" means:"names by side"`
	Game    int64        `json:"game" means:"0 before the first"`
	Round   int          `json:"round" means:"from 1; 0 before the first"`
	Scores  []int        `json:"scores" means:"by side"`
	Turn    int          `json:"turn" means:"the seat to move; 0 for none"`
	Stock   int          `json:"stock" means:"tiles in the boneyard"`
	Layout  []Piece      `json:"layout" kind:"pieces" means:"in the order in which they were laid"`
	Ends    []End        `json:"ends" kind:"ends" means:"one [end](#end) object for each open end"`
	Count   int          `json:"count" means:"of the open ends"`
	Hand    []string     `json:"hand" means:"the reader's tiles; empty in the gallery"`
	Duty    string       `json:"duty" means:"what the reader must do: play, draw or pass; empty if it is not their turn"`
	Reason  string       `json:"reason" means:"the duty in a sentence"`
	Options []Option     `json:"options" kind:"options" means:"what the reader may play now"`

	Rated      bool           `json:"rated" means:"whether the game counts for ratings"`
	Casual     string         `json:"casual" means:"why the game is not rated"`
	Commitment string         `json:"commitment" means:"of the game's seed"`
	Seed       string         `json:"seed" means:"after the game"`
	Code       string         `json:"code" means:"of a private table, for those who sit there; else empty"`
	Watchers   int            `json:"watchers" means:"how many watch"`
	Chances    []int          `json:"chances" means:"while a game is on, for watchers who do not play there: the chances to win, in percent, by side ([bots.md](bots.md#who-is-ahead)); else empty"`
	OpenHands  [][]string     `json:"open_hands" kind:"lists" means:"at a table with [open hands](#open-hands), for the same watchers: by seat, the tiles held for two minutes; else empty"`
	TurnEnds   time.Time      `json:"turn_ends,omitzero" means:"when the bank begins to run"`
	BankEnds   time.Time      `json:"bank_ends,omitzero" means:"when the table moves for the player"`
	Deadline   time.Time      `json:"deadline,omitzero" means:"when the countdown, the pause or the wait ends by itself"`
	Votes      map[string]int `json:"votes" kind:"object" means:"votes cast while somebody is away: \"bot\", \"adjourn\", \"claim\""`
	SwapFrom   int            `json:"swap_from" means:"a seat that would like to swap, 0 for none"`
	SwapWith   int            `json:"swap_with" means:"the seat it would swap with"`
	Notice     string         `json:"notice" means:"a line for everybody"`
}

// Piece is a tile on the table.
type Piece struct {
	Tile  string `json:"tile" means:"the tile"`
	Arm   string `json:"arm" means:"empty for the lead"`
	Inner int    `json:"inner" means:"the half that touches the piece before"`
	Outer int    `json:"outer" means:"the other half"`
}

// End is a place where a tile may be joined.
type End struct {
	Arm string `json:"arm" means:"\"L\", \"R\", \"U\", \"D\", or one such as \"7U\""`
	Pip int    `json:"pip" means:"the open value"`
}

// Option is something that may be played.
type Option struct {
	Play   string `json:"play" means:"the tile"`
	Arm    string `json:"arm" means:"empty for a lead"`
	Count  int    `json:"count" means:"of the ends after it"`
	Points int    `json:"points" means:"what it would score"`
}

// Move is a play, a draw or a pass.
type Move struct {
	Type    string `json:"type" means:"\"move\""`
	Game    int64  `json:"game" means:"the game's number"`
	Round   int    `json:"round" means:"from 1"`
	Number  int    `json:"number" means:"within the round, draws counted; in the text of \"show\" and \"watch\" draws have no number"`
	Seat    int    `json:"seat" means:"who moved"`
	Name    string `json:"name" means:"their name"`
	Did     string `json:"did" means:"play, draw or pass"`
	Tile    string `json:"tile" means:"empty where the reader may not know it"`
	Arm     string `json:"arm" means:"where it was played; empty for a lead, a draw and a pass"`
	Lead    bool   `json:"lead" means:"the first play of the round"`
	Count   int    `json:"count" means:"of the open ends after the play"`
	Receipt string `json:"receipt" means:"the count term by term, in the order of the ends (left, right, up, down), a double by its halves: \"5+5 + 4 = 14\""`
	Points  int    `json:"points" means:"what it scored"`
	Ends    string `json:"ends" means:"how the round ended with it: domino or blocked; else empty"`
	Auto    bool   `json:"auto" means:"made by the table: forced, timed out, or by a bot for somebody absent"`

	Chances []int `json:"chances,omitempty" means:"in \"show --chances\" of a finished game: the chances to win after the move, in percent, by side ([bots.md](bots.md#who-is-ahead)); else left out"`
}

// Scoring is how a round was scored.
type Scoring struct {
	Type   string   `json:"type" means:"\"scoring\""`
	Game   int64    `json:"game" means:"the game's number"`
	Round  int      `json:"round" means:"from 1"`
	How    string   `json:"how" means:"domino or blocked"`
	Last   int      `json:"last" means:"the seat that dominoed, or laid the last tile"`
	Winner int      `json:"winner" means:"the seat that won the round; 0 if nobody did"`
	Left   []int    `json:"left" means:"pips in each hand"`
	Change []int    `json:"change" means:"by side"`
	Totals []int    `json:"totals" means:"by side"`
	Text   []string `json:"text" means:"the same in sentences"`
}

// Result is how a game ended.
type Result struct {
	Type    string   `json:"type" means:"\"result\""`
	Game    int64    `json:"game" means:"the game's number"`
	Ending  string   `json:"ending" means:"played, forfeit or abandoned"`
	Winner  int      `json:"winner" means:"the side; 0 without a result"`
	Scores  []int    `json:"scores" means:"by side"`
	Rounds  int      `json:"rounds" means:"how many were scored or won"`
	Rated   bool     `json:"rated" means:"whether it counts for ratings"`
	Changes []Change `json:"changes" kind:"changes" means:"one [change](#change) object for each rating"`
	Seed    string   `json:"seed" means:"from which all deals follow; its SHA-256 is the commitment"`
}

// Change is what a game did to a rating.
type Change struct {
	Kind   string `json:"kind" means:"player, pair or team"`
	Name   string `json:"name" means:"whose rating"`
	Before int    `json:"before" means:"as shown before"`
	After  int    `json:"after" means:"as shown now"`
}

// Note is something that the house says.
type Note struct {
	Type string `json:"type" means:"\"note\""`
	Text string `json:"text" means:"a sentence"`
}

// Chat is something that somebody says.
type Chat struct {
	Type string `json:"type" means:"\"chat\""`
	From string `json:"from" means:"the speaker's name"`
	Kind string `json:"kind" means:"member, guest or bot"`
	Room string `json:"room" means:"players or watchers"`
	Text string `json:"text" means:"what was said"`
}

func stateOf(v *table.View) State {
	p := &v.Play
	s := State{
		Type: "state", Table: int64(v.Table), Version: v.Version, State: string(v.State), Seat: int(v.POV), Rules: v.Config.RuleText,
		Target: int(p.Rules.TargetFor(p.Seats)), Rounds: p.Rules.Rounds, Seats: plain.Seats(v.Seats),
		Sides: plain.Sides(plain.Names(v), p.Rules.Teams),
		Game:  int64(v.Game), Round: p.Round, Scores: points(p.Scores[:p.Sides()]), Turn: int(p.Turn), Stock: p.Stock,
		Layout: []Piece{}, Ends: []End{}, Count: int(p.Layout.Count()), Hand: plain.Tiles(p.Hand), Options: []Option{},
		Rated: v.Rated, Casual: text.Printable(v.Casual), Commitment: v.Commitment, Seed: v.Seed, Code: v.Code, Watchers: v.Watchers,
		TurnEnds: plain.Moment(v.TurnEnds), BankEnds: plain.Moment(v.BankEnds), Deadline: plain.Moment(v.Deadline),
		Votes: map[string]int{}, SwapFrom: int(v.Swap.From), SwapWith: int(v.Swap.With), Notice: text.Printable(v.Notice),
	}
	s.Chances = append([]int{}, v.Chances...)
	s.OpenHands = [][]string{}
	if v.OpenHands != nil {
		for _, h := range v.OpenHands[:p.Seats] {
			s.OpenHands = append(s.OpenHands, plain.Tiles(h))
		}
	}
	s.Held = append(s.Held, p.Held[:p.Seats]...)
	for i := range p.Layout.Len() {
		q := p.Layout.Piece(i)
		s.Layout = append(s.Layout, Piece{Tile: q.Tile.Name(), Arm: plain.ArmName(q.Arm), Inner: int(q.Inner), Outer: int(q.Outer)})
	}
	for i := range p.Layout.EndCount() {
		e := p.Layout.End(i)
		s.Ends = append(s.Ends, End{Arm: e.Arm.String(), Pip: int(e.Pip)})
	}
	if v.State == table.Playing {
		s.Duty, s.Reason = did(p.Duty), english.Reason(p)
		for _, o := range p.Options {
			s.Options = append(s.Options, Option{Play: o.Tile.Name(), Arm: plain.ArmName(o.Arm), Count: int(o.Count), Points: int(o.Points)})
		}
	}
	for vote, n := range v.Votes {
		s.Votes[string(vote)] = n
	}
	return s
}

func did(k rules.MoveKind) string {
	switch k {
	case rules.Play:
		return "play"
	case rules.Draw:
		return "draw"
	case rules.Pass:
		return "pass"
	}
	return ""
}

func ending(e rules.RoundEnd) string {
	switch e {
	case rules.Domino:
		return "domino"
	case rules.Blocked:
		return "blocked"
	}
	return ""
}

func points(list []rules.Points) []int {
	out := make([]int, len(list))
	for i, p := range list {
		out[i] = int(p)
	}
	return out
}

// moveOf makes the object of a move. Names are by seat; terms nil where nothing is counted.
func moveOf(game table.GameID, round, number int, e *rules.Event, terms []rules.Term, names []string) Move {
	m := Move{
		Type: "move", Game: int64(game), Round: round, Number: number, Seat: int(e.Seat), Name: names[e.Seat-1], Did: did(e.Kind),
		Ends: ending(e.End),
	}
	if e.Kind != rules.Pass {
		m.Tile = e.Tile.Name()
	}
	if e.Kind == rules.Play {
		m.Arm, m.Lead, m.Count, m.Points = plain.ArmName(e.Arm), e.Lead, int(e.Count), int(e.Points)
		if terms != nil {
			m.Receipt = receipt(terms, e.Count)
		}
	}
	return m
}

func scoringOf(game table.GameID, r *rules.Ruleset, res *rules.RoundResult, names []string) Scoring {
	sides := rules.SideCount(len(names), r.Teams)
	return Scoring{
		Type: "scoring", Game: int64(game), Round: res.Round, How: ending(res.How), Last: int(res.Last), Winner: int(res.Winner),
		Left: points(res.Left[:len(names)]), Change: points(res.Change[:sides]), Totals: points(res.Totals[:sides]),
		Text: plain.Scoring(r, res, names, plain.Sides(names, r.Teams), 0),
	}
}

func resultOf(game table.GameID, seed string, res *table.Result) Result {
	r := Result{
		Type: "result", Game: int64(game), Ending: string(res.Ending), Winner: res.Winner, Scores: append([]int{}, res.Scores...),
		Rounds: res.Rounds, Rated: res.Rated, Changes: []Change{}, Seed: seed,
	}
	for _, d := range res.Changes {
		r.Changes = append(r.Changes, Change{Kind: d.Kind, Name: text.Printable(d.Name), Before: d.Before, After: d.After})
	}
	return r
}

// receipt is a count term by term, as programs have always been given it: "5+5 + 4 = 14".
func receipt(terms []rules.Term, count rules.Points) string {
	var parts []string
	for _, t := range terms {
		if t.Halves == 2 && t.Pip == t.Other {
			pip := strconv.Itoa(int(t.Pip))
			parts = append(parts, pip+"+"+pip)
		} else {
			parts = append(parts, t.String())
		}
	}
	if parts == nil {
		parts = []string{"0"}
	}
	return strings.Join(parts, " + ") + " = " + strconv.Itoa(int(count))
}

// Objects describes all objects of JSON that commands write and read.
func Objects() (all []plain.Object) {
	var rows []plain.Describer
	for _, f := range feature.All() {
		rows = append(rows, f.Rows...)
	}
	for _, r := range append(rows, []plain.Describer{
		takens,
		plain.Struct[Registered]("The answer to `register`."),
		plain.Struct[State]("A table as its reader may see it: the answer to `show` for a table, the first object of `watch` " +
			"(at a table with [open hands](#open-hands) sent again\nwhenever the open hands have changed), and in `play` sent " +
			"whenever it has changed."),
		plain.Struct[Piece]("In a state: a tile on the table."),
		plain.Struct[End]("In a state: where a tile may be joined."),
		plain.Struct[Option]("In a state: something that you may play now."),
		plain.Struct[Move]("A move that was made."),
		plain.Struct[Scoring]("A round is over and has been scored."),
		plain.Struct[Result]("A game is over."),
		plain.Struct[Change]("In a result."),
		plain.Struct[Note]("The house says something."),
		plain.Struct[Chat]("Somebody says something; in `play` only."),
		gameHeads,
		plain.Struct[RoundHead]("A round of a game that is shown begins."),
		plain.Struct[Input]("A line that your program sends in `play`. It has exactly one of the fields from `play` on; `arm` " +
			"and `strength` only accompany another."),
		plain.Struct[Done]("A line with an `id` was carried out."),
		plain.Struct[Failure]("A line was refused, and nothing has changed."),
		plain.Struct[Bye]("The server has ended the session; this is its last object."),
	}...) {
		all = append(all, r.Described())
	}
	return all
}
