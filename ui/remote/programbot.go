package remote

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/table"
)

// ProgramBot is a program that plays with the lines of play --json, without a club: it receives the moves of
// the round, and the state whenever it has to play, and answers with a play. Its other lines are ignored.
type ProgramBot struct {
	out  *json.Encoder
	in   *bufio.Scanner
	seen knowledge
	sent uint64
}

// knowledge is how much of a round the program knows.
type knowledge struct {
	rules rules.Ruleset
	seat  rules.Seat
	round int
	moves int
}

// NewProgramBot returns a bot that talks to a program through its standard input and output.
func NewProgramBot(stdin io.Writer, stdout io.Reader) *ProgramBot {
	c := &ProgramBot{out: json.NewEncoder(stdin), in: bufio.NewScanner(stdout)}
	c.in.Buffer(make([]byte, 0, 512), longestLine)
	return c
}

// Choose asks the program for a play. It returns an error if the answer is no legal play.
func (c *ProgramBot) Choose(s *bot.Seen, _ *rand.Rand) (rules.Move, error) {
	c.sent++
	names := make([]string, s.Seats)
	v := table.View{
		Summary: table.Summary{
			Table: 1, Version: c.sent, State: table.Playing, Game: 1, Config: table.Config{RuleText: s.Rules.String(), Seats: s.Seats},
		},
		POV: s.Seat, Play: s.View,
	}
	for i := range names {
		names[i] = "player-" + strconv.Itoa(i+1)
		v.Seats = append(v.Seats, table.SeatView{Player: table.Player{ID: table.PlayerID(i + 1), Name: names[i], Bot: true}, Ready: true})
	}
	now := knowledge{s.Rules, s.Seat, s.Round, len(s.Past)}
	from := c.seen.moves
	if c.seen.moves = now.moves; c.seen != now || from > now.moves {
		from = 0
	}
	c.seen = now
	for i := from; i < len(s.Past); i++ {
		if err := c.out.Encode(moveOf(1, s.Round, i+1, &s.Past[i], nil, names)); err != nil {
			return rules.Move{}, fmt.Errorf("tell the program of a move: %w", err)
		}
	}
	if err := c.out.Encode(stateOf(&v)); err != nil {
		return rules.Move{}, fmt.Errorf("tell the program where the game stands: %w", err)
	}
	p := participant{view: &v, version: c.sent}
	for c.in.Scan() {
		var in Input
		if err := json.Unmarshal(c.in.Bytes(), &in); err != nil {
			return rules.Move{}, fmt.Errorf("the program wrote a line that is not a play: %s", text.Clip(err.Error(), 4*quoted))
		}
		if in.Play == nil || in.Version != 0 && in.Version != c.sent {
			continue
		}
		m, err := p.move(*in.Play, in.Arm)
		if err != nil {
			return m, fmt.Errorf("the program plays %q %q: %w", text.Clip(*in.Play, quoted), text.Clip(in.Arm, quoted), err)
		}
		m.Seat = s.Seat
		if !slices.ContainsFunc(s.Options, func(o rules.Option) bool { return o.Tile == m.Tile && o.Arm == m.Arm }) {
			return m, fmt.Errorf("the program plays %s %s, which the rules forbid", m.Tile.Name(), m.Arm)
		}
		return m, nil
	}
	if err := c.in.Err(); err != nil {
		return rules.Move{}, fmt.Errorf("read from the program: %w", err)
	}
	return rules.Move{}, fmt.Errorf("read from the program: %w", io.ErrUnexpectedEOF)
}
