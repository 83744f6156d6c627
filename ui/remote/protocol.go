package remote

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/plain"
)

// These are the objects that show, watch and play write, one a line, distinguished by Type. docs/commands.md
// describes their fields, which never change; new ones may be added.

// State is a table as its reader may see it: a seated player, or the gallery.
type State struct {
	shown
	mine
}

// shown is what all readers see, encoded once for each version of a table.
type shown struct {
	Type    string       `json:"type" means:"\"state\""`
	Table   int64        `json:"table"`
	Version uint64       `json:"version" means:"counts up with every change"`
	State   string       `json:"state" means:"[of a table](#states-of-a-table)"`
	Rules   string       `json:"rules"`
	Target  int          `json:"target" means:"the points that win, with \"above=\" one more; 0 with \"rounds=\""`
	Rounds  int          `json:"rounds" means:"of the game; 0 if it has a target"`
	Seats   []plain.Seat `json:"seats" kind:"seats" means:"[seats](#seat)"`
	Held    []int        `json:"held" means:"tiles by seat"`
	Sides   []string     `json:"sides" means:"names by side"`
	Game    int64        `json:"game"`
	Round   int          `json:"round"`
	Scores  []int        `json:"scores"`
	Turn    int          `json:"turn" means:"the seat to move"`
	Stock   int          `json:"stock" means:"tiles in the boneyard"`
	Layout  []Piece      `json:"layout" kind:"pieces" means:"in the order in which they were laid"`
	Ends    []End        `json:"ends" kind:"ends" means:"an [end](#end) for each open end"`
	Count   int          `json:"count" means:"of the open ends"`

	Rated      bool           `json:"rated"`
	Commitment string         `json:"commitment"`
	Seed       string         `json:"seed"`
	Watchers   int            `json:"watchers"`
	TurnEnds   time.Time      `json:"turn_ends,omitzero" means:"when the bank begins to run"`
	BankEnds   time.Time      `json:"bank_ends,omitzero" means:"when the table moves for the player"`
	Deadline   time.Time      `json:"deadline,omitzero" means:"of the countdown, the pause or the wait"`
	Votes      map[string]int `json:"votes" kind:"object" means:"while somebody is away: how many sides are for \"bot\", \"adjourn\", \"claim\""`
	SwapFrom   int            `json:"swap_from" means:"a seat that would like to swap, 0 for none"`
	SwapWith   int            `json:"swap_with" means:"the seat it would swap with"`
	Notice     string         `json:"notice" means:"a line for everybody"`
	Match      *MatchState    `json:"match,omitempty" kind:"matchstate" means:"[the match](#matchstate) of a league or cup; missing elsewhere"`
}

// MatchState is how a match of a league or a cup stands.
type MatchState struct {
	Event int64     `json:"event" means:"number of the league or cup"`
	Tags  [2]string `json:"tags" means:"of the teams, by side of this game"`
	Won   [2]int    `json:"won" means:"games of the match, by side, this one included once it is over"`
	Wins  int       `json:"wins" means:"so many games won decide the match"`
	Kept  time.Time `json:"kept,omitzero" means:"until when the seats of this game are kept"`
	Ends  time.Time `json:"ends,omitzero" means:"from then on no game of the match begins"`
}

// mine is what depends on the reader.
type mine struct {
	Seat      int        `json:"seat" means:"the reader's"`
	Hand      []string   `json:"hand" means:"the reader's tiles"`
	Duty      string     `json:"duty" means:"what the reader must do: play, draw or pass"`
	Reason    string     `json:"reason" means:"the same in a sentence"`
	Options   []Option   `json:"options" kind:"options" means:"[what](#option) the reader may play"`
	Casual    string     `json:"casual" means:"why the game is not rated"`
	Code      string     `json:"code" means:"of a private table, for those who sit there"`
	Chances   []int      `json:"chances" means:"for watchers: to win, in percent, by side ([bots.md](bots.md#who-is-ahead))"`
	OpenHands [][]string `json:"open_hands" kind:"lists" means:"by seat, tiles held for two minutes ([open hands](#open-hands))"`
}

// Piece is a tile on the table.
type Piece struct {
	Tile  string `json:"tile"`
	Arm   string `json:"arm"`
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
	Play   string `json:"play"`
	Arm    string `json:"arm"`
	Count  int    `json:"count"`
	Points int    `json:"points"`
}

// Move is a play, a draw or a pass.
type Move struct {
	Type    string `json:"type" means:"\"move\""`
	Game    int64  `json:"game"`
	Round   int    `json:"round"`
	Number  int    `json:"number" means:"within the round, draws counted (in text they are not)"`
	Seat    int    `json:"seat" means:"who moved"`
	Name    string `json:"name"`
	Did     string `json:"did" means:"play, draw or pass"`
	Tile    string `json:"tile" means:"empty if the reader may not know it"`
	Arm     string `json:"arm"`
	Lead    bool   `json:"lead" means:"the first play of the round"`
	Count   int    `json:"count"`
	Receipt string `json:"receipt" means:"the count by ends (left, right, up, down): \"5+5 + 4 = 14\""`
	Points  int    `json:"points"`
	Ends    string `json:"ends" means:"how the round ended with this move: domino or blocked"`
	Auto    bool   `json:"auto" means:"made by the table, or by a bot for somebody absent"`

	Chances []int `json:"chances,omitempty" means:"with show --chances: to win after the move, in percent, by side"`
}

// Scoring is how a round was scored.
type Scoring struct {
	Type   string   `json:"type" means:"\"scoring\""`
	Game   int64    `json:"game"`
	Round  int      `json:"round"`
	How    string   `json:"how" means:"domino or blocked"`
	Last   int      `json:"last" means:"the seat that dominoed, or laid the last tile"`
	Winner int      `json:"winner" means:"a seat"`
	Left   []int    `json:"left" means:"pips by seat"`
	Change []int    `json:"change"`
	Totals []int    `json:"totals"`
	Text   []string `json:"text" means:"the same in sentences"`
}

// Result is how a game ended.
type Result struct {
	Type    string   `json:"type" means:"\"result\""`
	Game    int64    `json:"game"`
	Ending  string   `json:"ending" means:"played, forfeit or abandoned"`
	Winner  int      `json:"winner" means:"a side"`
	Scores  []int    `json:"scores"`
	Rounds  int      `json:"rounds"`
	Rated   bool     `json:"rated"`
	Changes []Change `json:"changes" kind:"changes" means:"of ratings, as [change](#change) objects"`
	Seed    string   `json:"seed"`
}

// Change is what a game did to a rating.
type Change struct {
	Kind   string `json:"kind" means:"player, pair or team"`
	Name   string `json:"name"`
	Before int    `json:"before" means:"as shown before"`
	After  int    `json:"after" means:"as shown now"`
}

// Note is something that the house says.
type Note struct {
	Type string `json:"type" means:"\"note\""`
	Text string `json:"text"`
}

// Chat is something that somebody says.
type Chat struct {
	Type string `json:"type" means:"\"chat\""`
	From string `json:"from"`
	Kind string `json:"kind" means:"member, guest or bot"`
	Room string `json:"room" means:"players or watchers"`
	Text string `json:"text"`
}

func stateOf(v *table.View) *State { return &State{*shownOf(v), *mineOf(v)} }

func shownOf(v *table.View) *shown {
	p := &v.Play
	s := &shown{
		Type: "state", Table: int64(v.Table), Version: v.Version, State: string(v.State), Rules: v.Config.RuleText,
		Target: int(p.Rules.TargetFor(p.Seats)), Rounds: p.Rules.Rounds, Seats: plain.Seats(v.Seats),
		Sides: plain.Sides(plain.Names(v), p.Rules.Teams),
		Game:  int64(v.Game), Round: p.Round, Scores: points(p.Scores[:p.Sides()]), Turn: int(p.Turn), Stock: p.Stock,
		Layout: make([]Piece, 0, p.Layout.Len()), Ends: make([]End, 0, p.Layout.EndCount()), Count: int(p.Layout.Count()),
		Held:  slices.Clone(p.Held[:p.Seats]),
		Rated: v.Rated, Commitment: v.Commitment, Seed: v.Seed, Watchers: v.Watchers,
		TurnEnds: plain.Moment(v.TurnEnds), BankEnds: plain.Moment(v.BankEnds), Deadline: plain.Moment(v.Deadline),
		Votes: map[string]int{}, SwapFrom: int(v.Swap.From), SwapWith: int(v.Swap.With), Notice: text.Printable(v.Notice),
	}
	if m := &v.Config.Event.Match; m.Wins > 0 {
		won := m.Won
		if v.Result != nil {
			won = m.After(v.Result)
		}
		s.Match = &MatchState{
			Event: int64(v.Config.Event.ID), Tags: [2]string{text.Printable(m.Tags[0]), text.Printable(m.Tags[1])}, Won: won, Wins: m.Wins,
			Kept: plain.Moment(m.Kept), Ends: plain.Moment(m.Ends),
		}
	}
	for i := range p.Layout.Len() {
		q := p.Layout.Piece(i)
		s.Layout = append(s.Layout, Piece{Tile: q.Tile.Name(), Arm: q.Arm.String(), Inner: int(q.Inner), Outer: int(q.Outer)})
	}
	for i := range p.Layout.EndCount() {
		e := p.Layout.End(i)
		s.Ends = append(s.Ends, End{Arm: e.Arm.String(), Pip: int(e.Pip)})
	}
	for vote, tally := range v.Votes {
		s.Votes[string(vote)] = tally.For
	}
	return s
}

func mineOf(v *table.View) *mine {
	p := &v.Play
	o := &mine{
		Seat: int(v.POV), Hand: plain.Tiles(p.Hand), Options: []Option{}, Casual: text.Printable(v.Casual), Code: v.Code,
		Chances: append([]int{}, v.Chances...), OpenHands: [][]string{},
	}
	if v.OpenHands != nil {
		o.OpenHands = text.Each(v.OpenHands[:p.Seats], plain.Tiles)
	}
	if v.State == table.Playing {
		o.Duty, o.Reason = did(p.Duty), english.Reason(p)
		for _, c := range p.Options {
			o.Options = append(o.Options, Option{Play: c.Tile.Name(), Arm: c.Arm.String(), Count: int(c.Count), Points: int(c.Points)})
		}
	}
	return o
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

func points(list []rules.Points) []int {
	return text.Each(list, func(p rules.Points) int { return int(p) })
}

// moveOf returns the object of a move. Names are by seat; terms is nil if nothing is counted.
func moveOf(game table.GameID, round, number int, e *rules.Event, terms []rules.Term, names []string) Move {
	m := Move{
		Type: "move", Game: int64(game), Round: round, Number: number, Seat: int(e.Seat), Name: names[e.Seat-1], Did: did(e.Kind),
		Ends: e.End.String(),
	}
	if e.Kind != rules.Pass {
		m.Tile = e.Tile.Name()
	}
	if e.Kind == rules.Play {
		m.Arm, m.Lead, m.Count, m.Points = e.Arm.String(), e.Lead, int(e.Count), int(e.Points)
		if terms != nil {
			m.Receipt = receipt(terms, e.Count)
		}
	}
	return m
}

func scoringOf(game table.GameID, r *rules.Ruleset, res *rules.RoundResult, names []string) Scoring {
	sides := rules.SideCount(len(names), r.Teams)
	return Scoring{
		Type: "scoring", Game: int64(game), Round: res.Round, How: res.How.String(), Last: int(res.Last), Winner: int(res.Winner),
		Left: points(res.Left[:len(names)]), Change: points(res.Change[:sides]), Totals: points(res.Totals[:sides]),
		Text: plain.Scoring(r, res, names, plain.Sides(names, r.Teams), 0),
	}
}

func resultOf(game table.GameID, seed string, res *table.Result) Result {
	change := func(d table.Delta) Change {
		return Change{Kind: d.Kind, Name: text.Printable(d.Name), Before: d.Before, After: d.After}
	}
	return Result{
		Type: "result", Game: int64(game), Ending: string(res.Ending), Winner: res.Winner, Scores: append([]int{}, res.Scores...),
		Rounds: res.Rounds, Rated: res.Rated, Changes: text.Each(res.Changes, change), Seed: seed,
	}
}

// receipt returns a count term by term, in the format that programs rely on: "5+5 + 4 = 14".
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
