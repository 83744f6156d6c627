package grow

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"boneyard/rules"
	"boneyard/rules/record"
	"boneyard/table"
)

type match struct {
	rules  string
	seats  []table.Player
	teams  [2]table.TeamID // of a team game
	casual bool
	at     time.Time // of its first line; a line takes two seconds
	seed   rules.Seed
	rng    *rand.Rand

	game rules.Game
	rows []table.Row
	best int
	by   int
}

func (m *match) sits(p table.Player) bool {
	return slices.ContainsFunc(m.seats, func(s table.Player) bool { return s.ID == p.ID })
}

// play plays the match with random moves and returns everything that its table would have written.
func (m *match) play(id table.GameID, at table.ID) (*table.Batch, error) {
	r, err := rules.Parse(m.rules)
	if err != nil {
		return nil, err
	}
	if m.game, err = rules.New(r, len(m.seats)); err != nil {
		return nil, err
	}
	header := record.Header{Rules: m.game.Rules(), Seed: &m.seed, Names: table.Names(m.seats)}
	m.write(0, header.Lines(record.Tag{Key: "date", Text: m.at.Format(time.RFC3339)}))
	for m.game.Phase() != rules.Over {
		step := m.move
		if m.game.Phase() != rules.Playing {
			step = m.deal
		}
		if err := step(); err != nil {
			return nil, fmt.Errorf("game %d, line %d: %w", id, len(m.rows)+1, err)
		}
	}
	b := &table.Batch{Table: at, Final: true, Game: id, Rows: m.rows}
	b.Start = &table.Start{Rules: r.String(), Seats: m.seats, Rated: !m.casual, Teams: m.teams,
		Commit: m.seed.Commitment(), Seed: m.seed.String()}
	if m.casual {
		b.Start.Why = "agreed to be casual"
	}
	b.End = &table.Result{Ending: table.EndPlayed, Winner: int(m.game.Winner()), Rounds: m.game.Round(), Best: m.best,
		BestBy: m.by, Rated: !m.casual}
	for side := range m.game.Sides() {
		b.End.Scores = append(b.End.Scores, int(m.game.Score(rules.Side(side+1))))
	}
	return b, nil
}

func (m *match) write(by table.PlayerID, lines []record.Line) {
	for _, l := range lines {
		row := table.Row{Line: l.String(), At: m.at.Add(time.Duration(len(m.rows)) * 2 * time.Second), By: by}
		if by != 0 {
			row.Command = fmt.Sprintf("%016x", m.rng.Uint64()) // as long as the commands of people at screens
		}
		m.rows = append(m.rows, row)
		by = 0
	}
}

func (m *match) deal() error {
	r := m.game.Rules()
	d := m.seed.Deal(&r, len(m.seats), m.game.Round()+1)
	g, err := m.game.Deal(d)
	if err != nil {
		return err
	}
	m.game = g
	m.write(0, record.RoundLines(&m.game, &d))
	return nil
}

func (m *match) move() error {
	move := rules.Move{Seat: m.game.Turn(), Kind: m.game.Duty()}
	if move.Kind == rules.Play {
		all := m.game.AppendChoices(nil)
		move = m.game.Move(all[m.rng.IntN(len(all))])
	}
	g, e, err := m.game.Apply(move)
	if err != nil {
		return err
	}
	m.game = g
	if got := int(e.Points); got > m.best {
		m.best, m.by = got, int(move.Seat)
	}
	m.write(m.seats[move.Seat-1].ID, record.MoveLines(&m.game, e))
	return nil
}
