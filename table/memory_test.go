package table_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules/record/recordtest"
	"boneyard/table"
)

// memory is a journal in memory that fails, or blocks, on demand. Committed batches are "on disk".
type memory struct {
	mu      sync.Mutex
	fail    error                    // its answer to everything, nil to write
	refuse  func(*table.Batch) error // what Commit answers to a batch; nil: nothing is refused
	gate    chan struct{}            // if not nil, it waits until it can receive
	commits int
	asked   int // to commit
	lastID  table.ID
	lastGID table.GameID
	tables  map[table.ID]*diskTable
	games   map[table.GameID]*diskGame
}

type diskTable struct {
	state []byte
	game  table.GameID
	chat  []table.ChatLine
}

type diskGame struct {
	table table.ID
	start table.Start
	nets  []string
	rows  []table.Row
	end   *table.Result
}

func newMemory() *memory {
	return &memory{tables: map[table.ID]*diskTable{}, games: map[table.GameID]*diskGame{}}
}

var _ table.Journal = (*memory)(nil)

// stall has it wait until goOn is called.
func (m *memory) stall() (goOn func()) {
	gate := make(chan struct{})
	m.setGate(gate)
	return func() {
		m.setGate(nil)
		close(gate)
	}
}

func (m *memory) setGate(gate chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gate = gate
}

func (m *memory) Commit(b *table.Batch, done func([]table.Delta, error)) {
	go func() { done(m.commit(b)) }()
}

func (m *memory) commit(b *table.Batch) (changes []table.Delta, err error) {
	m.wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	if m.fail != nil {
		return nil, m.fail
	}
	if m.refuse != nil {
		if err := m.refuse(b); err != nil {
			return nil, err
		}
	}
	m.commits++
	if b.Start != nil {
		if m.games[b.Game] != nil {
			return nil, fmt.Errorf("game %d exists: %w", b.Game, table.ErrConflict)
		}
		m.games[b.Game] = &diskGame{table: b.Table, start: *b.Start}
	}
	if g := m.games[b.Game]; b.Taken != nil && g != nil {
		g.start.Seats = b.Taken
	}
	if len(b.Rows) > 0 || b.End != nil {
		g := m.games[b.Game]
		if g == nil || g.end != nil || len(g.rows) != b.Seq {
			return nil, fmt.Errorf("game %d at %d: %w", b.Game, b.Seq, table.ErrConflict)
		}
		g.rows = append(g.rows, b.Rows...)
		if b.End != nil {
			changes = []table.Delta{{Kind: "player", Name: "ana", Before: 1500, After: 1512}}
			end := *b.End
			m.games[b.Game].nets = b.Nets
			end.Changes = changes
			g.end = &end
		}
	}
	if b.Final {
		delete(m.tables, b.Table)
		return changes, nil
	}
	t := m.tables[b.Table]
	if t == nil {
		t = &diskTable{}
		m.tables[b.Table] = t
	}
	if b.State != nil {
		t.state = b.State
	}
	if b.Start != nil {
		t.game = b.Game
	}
	for _, l := range b.Chat {
		if n := len(t.chat); n > 0 && t.chat[n-1].Seq >= l.Seq {
			return nil, fmt.Errorf("chat line %d: %w", l.Seq, table.ErrConflict)
		}
		t.chat = append(t.chat, l)
	}
	return changes, nil
}

func (m *memory) NextTable(context.Context) (table.ID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lastID++
	return m.lastID, m.fail
}

// wait waits as long as the journal is stalled.
func (m *memory) wait() {
	m.mu.Lock()
	gate := m.gate
	m.mu.Unlock()
	if gate != nil {
		<-gate
	}
}

func (m *memory) NextGame(context.Context) (table.GameID, error) {
	m.wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return 0, m.fail
	}
	m.lastGID++
	return m.lastGID, nil
}

func (m *memory) Load(context.Context) ([]table.Saved, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []table.Saved
	for id := table.ID(1); id <= m.lastID; id++ {
		t := m.tables[id]
		if t == nil {
			continue
		}
		s := table.Saved{Table: id, State: t.state, Chat: t.chat[max(0, len(t.chat)-200):]}
		if g := m.games[t.game]; g != nil && g.end == nil {
			start := g.start
			s.Game, s.Start, s.Rows = t.game, &start, append([]table.Row(nil), g.rows...)
		} else if g != nil {
			s.Changes = g.end.Changes
		}
		all = append(all, s)
	}
	return all, nil
}

// setFail has Commit answer with an error from now on, or write again.
func (m *memory) setFail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = err
}

// text is a game's record as it would be exported.
func (m *memory) text(id table.GameID) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	for _, r := range m.games[id].rows {
		b.WriteString(r.Line + "\n")
	}
	return b.String()
}

// checkRecord has the checker accept a game bit for bit: its rows are the canonical record, but for comments.
func (m *memory) checkRecord(tb testing.TB, id table.GameID) {
	tb.Helper()
	text := m.text(id)
	canonical, err := recordtest.Canonical(strings.NewReader(text))
	require.NoError(tb, err)
	var plain strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			plain.WriteString(line)
		}
	}
	require.Equal(tb, canonical, plain.String())
}

// clone returns a copy of the disk, as a restarted server finds it.
func (m *memory) clone() *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := newMemory()
	c.lastID, c.lastGID, c.commits = m.lastID, m.lastGID, m.commits
	for id, t := range m.tables {
		copied := *t
		c.tables[id] = &copied
	}
	for id, g := range m.games {
		copied := *g
		c.games[id] = &copied
	}
	return c
}
