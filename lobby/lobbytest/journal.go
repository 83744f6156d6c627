package lobbytest

import (
	"context"
	"slices"
	"time"

	"boneyard/lobby"
	"boneyard/table"
)

// journal is the tables' part of the store.
type journal struct {
	lastTable table.ID
	lastGame  table.GameID
	commits   int
	tables    map[table.ID]*savedTable
	games     map[table.GameID]*game
}

type savedTable struct {
	state  []byte
	chat   []table.ChatLine
	game   table.GameID
	closed bool
}

type game struct {
	table table.ID
	start table.Start
	rows  []table.Row
	end   *table.Result
	begun time.Time
	over  time.Time
}

// NextTable implements table.Journal.
func (s *Store) NextTable(ctx context.Context) (id table.ID, err error) {
	err = s.write(ctx, func() error { s.journal.lastTable++; id = s.journal.lastTable; return nil })
	return id, err
}

// NextGame implements table.Journal.
func (s *Store) NextGame(ctx context.Context) (id table.GameID, err error) {
	err = s.write(ctx, func() error { s.journal.lastGame++; id = s.journal.lastGame; return nil })
	return id, err
}

// Commit implements table.Journal.
func (s *Store) Commit(b *table.Batch, done func([]table.Delta, error)) {
	go func() { done(nil, s.commit(b)) }()
}

func (s *Store) commit(b *table.Batch) error {
	return s.write(context.Background(), func() error {
		j := &s.journal
		t := j.tables[b.Table]
		if t == nil {
			t = &savedTable{}
		}
		if b.Game != 0 {
			g := j.games[b.Game]
			if g == nil {
				g = &game{table: b.Table}
			}
			if t.closed || g.end != nil || len(g.rows) != b.Seq || (b.Start == nil) != (g.begun != time.Time{}) {
				return table.ErrConflict
			}
			j.games[b.Game] = g
			if b.Start != nil {
				g.start, g.begun = *b.Start, time.Now()
				g.start.Seats = slices.Clone(b.Start.Seats)
				t.game = b.Game
			}
			if b.Taken != nil {
				g.start.Seats = slices.Clone(b.Taken)
			}
			g.rows = append(g.rows, b.Rows...)
			if b.End != nil {
				end := *b.End
				end.Scores = slices.Clone(b.End.Scores)
				g.end, g.over = &end, time.Now()
				t.game = 0
			}
		}
		if b.State != nil {
			t.state = slices.Clone(b.State)
		}
		t.chat = append(t.chat, b.Chat...)
		t.closed = t.closed || b.Final
		j.tables[b.Table] = t
		j.commits++
		return nil
	})
}

// Load implements table.Journal.
func (s *Store) Load(ctx context.Context) (list []table.Saved, err error) {
	err = s.read(ctx, func() error {
		for id := table.ID(1); id <= s.journal.lastTable; id++ {
			t := s.journal.tables[id]
			if t == nil || t.closed {
				continue
			}
			saved := table.Saved{Table: id, State: slices.Clone(t.state), Chat: slices.Clone(t.chat[max(0, len(t.chat)-200):])}
			if g := s.journal.games[t.game]; g != nil {
				start := g.start
				saved.Game, saved.Start, saved.Rows = t.game, &start, slices.Clone(g.rows)
			}
			list = append(list, saved)
		}
		return nil
	})
	return list, err
}

// info is a game as lists show it. With mu held.
func (g *game) info(id table.GameID) lobby.GameInfo {
	info := lobby.GameInfo{ID: id, Table: g.table, Rules: g.start.Rules, Rated: g.start.Rated, Started: g.begun}
	for _, p := range g.start.Seats {
		info.Seats = append(info.Seats, p.Name)
	}
	if g.end != nil {
		info.Finished, info.Ended = true, g.over
		info.Winner, info.Ending, info.Rounds = g.end.Winner, g.end.Ending, g.end.Rounds
		info.Scores = slices.Clone(g.end.Scores)
	}
	return info
}

// Games implements lobby.Games.
func (s *Store) Games(ctx context.Context, q lobby.GamesQuery) (list []lobby.GameInfo, err error) {
	err = s.read(ctx, func() error {
		for id := s.journal.lastGame; id > 0; id-- {
			g := s.journal.games[id]
			if g == nil || s.sealed(g) || q.Before != 0 && id >= q.Before || q.Limit > 0 && len(list) >= q.Limit {
				continue
			}
			sat := func(p table.PlayerID) bool {
				return p != 0 && slices.ContainsFunc(g.start.Seats, func(s table.Player) bool { return s.ID == p })
			}
			info, all := g.info(id), g.start.Rules
			for _, name := range info.Seats {
				all += " " + name
			}
			if (info.Finished || sat(q.Mine)) && (q.Player == 0 || sat(q.Player)) && (q.With == 0 || sat(q.With)) && words(q.Text, all) {
				list = append(list, info)
			}
		}
		return nil
	})
	return list, err
}

// Record implements lobby.Games.
func (s *Store) Record(ctx context.Context, id table.GameID) (info lobby.GameInfo, lines []string, err error) {
	err = s.read(ctx, func() error {
		g := s.journal.games[id]
		if g == nil || g.end == nil || s.sealed(g) {
			return lobby.ErrNotFound
		}
		info, lines = g.info(id), g.lines()
		return nil
	})
	return info, lines, err
}

// Months implements lobby.Standings.
func (s *Store) Months(ctx context.Context) (list []string, err error) {
	err = s.read(ctx, func() error {
		for id := s.journal.lastGame; id > 0; id-- {
			if g := s.journal.games[id]; g != nil && g.end != nil && g.end.Rated {
				if m := g.over.UTC().Format("2006-01"); !slices.Contains(list, m) {
					list = append(list, m)
				}
			}
		}
		return nil
	})
	return list, err
}

// Commits is the number of batches that were committed.
func (s *Store) Commits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.commits
}
