package store_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/rules/record"
	"boneyard/store"
	"boneyard/store/storetest"
	"boneyard/table"
)

// noon is when the tests' club opens.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 123456789, time.UTC)

var ctx = context.Background()

// patience is how long a test waits for what should happen at once: far longer than a busy machine needs.
const patience = 2 * time.Minute

// errOf is the error of a call whose result does not matter.
func errOf[T any](_ T, err error) error { return err }

func newPath(tb testing.TB) string { return filepath.Join(tb.TempDir(), "club.db") }

// options end a test, not its process, when the disk is lost.
func options(tb testing.TB) store.Options {
	o := store.DefaultOptions()
	o.Fatal = func(err error) { tb.Errorf("the store wants to end the process: %v", err) }
	return o
}

func mustOpen(tb testing.TB, path string, o store.Options) *store.Store {
	tb.Helper()
	s, err := store.Open(ctx, path, o)
	require.NoError(tb, err)
	tb.Cleanup(func() { s.Close() })
	return s
}

func mustClose(tb testing.TB, s *store.Store) {
	tb.Helper()
	require.NoError(tb, s.Close())
}

// newStore opens the file of an empty club.
func newStore(tb testing.TB) *store.Store {
	tb.Helper()
	return mustOpen(tb, storetest.EmptyClub(tb), options(tb))
}

func keyOf(name string) lobby.KeyID { return sha256.Sum256([]byte(name)) }

// mustLoad returns the tables that are open on disk.
func mustLoad(tb testing.TB, s *store.Store) []table.Saved {
	tb.Helper()
	saved, err := s.Load(ctx)
	require.NoError(tb, err)
	return saved
}

// mustRebuild computes the standings again from the records.
func mustRebuild(tb testing.TB, s *store.Store) store.Rebuilt {
	tb.Helper()
	done, err := s.Rebuild(ctx)
	require.NoError(tb, err)
	return done
}

// mustRead returns what is in a file.
func mustRead(tb testing.TB, path string) []byte {
	tb.Helper()
	b, err := os.ReadFile(path)
	require.NoError(tb, err)
	return b
}

// mustBeSound checks a file, in which nothing may be wrong.
func mustBeSound(tb testing.TB, path string) *store.Findings {
	tb.Helper()
	found, err := store.Check(ctx, path, nil)
	require.NoError(tb, err)
	require.Empty(tb, found.Problems)
	return found
}

func mustCreate(tb testing.TB, s *store.Store, name string) table.Player {
	tb.Helper()
	a, err := s.Create(ctx, keyOf(name), name, text.Skeleton(name), noon)
	require.NoError(tb, err)
	return table.Player{ID: a.ID, Name: name}
}

// mustCreateAll makes a member of each name.
func mustCreateAll(tb testing.TB, s *store.Store, names ...string) []table.Player {
	tb.Helper()
	var all []table.Player
	for _, n := range names {
		all = append(all, mustCreate(tb, s, n))
	}
	return all
}

// mustTeam makes a team of two, with tag as its name too.
func mustTeam(tb testing.TB, s *store.Store, tag string, captain, other table.Player) table.TeamID {
	tb.Helper()
	name := "Team " + tag
	t, err := s.CreateTeam(ctx, captain.ID, name, text.Skeleton(name), tag, noon)
	require.NoError(tb, err)
	require.NoError(tb, s.Invite(ctx, t.ID, captain.ID, other.ID, noon))
	require.NoError(tb, s.Accept(ctx, t.ID, other.ID, noon))
	return t.ID
}

// match is a game to be played in a test.
type match struct {
	rules  string
	seats  []table.Player
	teams  [2]table.TeamID
	casual bool
	at     time.Time    // of its first line; a line a second
	stop   int          // resigned after so many moves; 0: played out
	ending table.Ending // of a game that stops
	winner int
	seed   uint64
	open   bool // not ended at all

	event   table.Event
	fair    int   // the rules by which it is rated
	leavers []int // seats
	idle    []int // seats for which the table played
	nets    []string
}

// batches plays a match at random and returns what a table would commit, one step a batch.
func (m match) batches(tb testing.TB, id table.GameID, at table.ID) []*table.Batch {
	tb.Helper()
	p := &player{tb: tb, match: m, id: id, table: at, rng: rand.New(rand.NewPCG(m.seed, 1))}
	return p.play()
}

type player struct {
	match
	tb    testing.TB
	id    table.GameID
	table table.ID
	rng   *rand.Rand
	seed  rules.Seed
	game  rules.Game
	lines int
	all   []*table.Batch

	plays, own [rules.MaxSeats]int
}

func (p *player) play() []*table.Batch {
	binary.BigEndian.PutUint64(p.seed[:], p.match.seed)
	r, err := rules.Parse(p.rules)
	require.NoError(p.tb, err)
	p.game, err = rules.New(r, len(p.seats))
	require.NoError(p.tb, err)
	header := record.Header{Rules: r, Seed: &p.seed}
	for _, s := range p.seats {
		header.Names = append(header.Names, s.Name)
	}
	first := p.step(header.Lines(record.Tag{Key: "date", Text: p.at.UTC().Format(time.RFC3339)}))
	first.Start = &table.Start{Event: p.event, Rules: p.rules, Seats: p.seats, Rated: !p.casual, Fair: p.fair, Teams: p.teams,
		Commit: p.seed.Commitment(), Seed: p.seed.String()}
	if p.casual {
		first.Start.Why = "a test"
	}
	for moves := 0; p.game.Phase() != rules.Over; {
		if p.game.Phase() != rules.Playing {
			p.deal()
			continue
		}
		if p.stop > 0 && moves >= p.stop {
			p.giveUp()
			break
		}
		p.move()
		moves++
	}
	last := p.all[len(p.all)-1]
	if !p.open && last.End == nil {
		last.End = p.result(table.EndPlayed, int(p.game.Winner()))
	}
	last.Nets = p.nets
	return p.all
}

// step makes a batch of lines, and of the table's state as it could look.
func (p *player) step(lines []record.Line) *table.Batch {
	b := &table.Batch{Table: p.table, Game: p.id, Seq: p.lines, State: []byte(fmt.Sprintf(`{"lines":%d}`, p.lines+len(lines)))}
	for i, l := range lines {
		b.Rows = append(b.Rows, table.Row{Line: l.String(), At: p.at.Add(time.Duration(p.lines+i) * time.Second)})
	}
	p.lines += len(lines)
	p.all = append(p.all, b)
	return b
}

func (p *player) deal() {
	r := p.game.Rules()
	d := p.seed.Deal(&r, len(p.seats), p.game.Round()+1)
	g, err := p.game.Deal(d)
	require.NoError(p.tb, err)
	p.game = g
	p.step(record.RoundLines(&p.game, &d))
}

func (p *player) move() {
	m := rules.Move{Seat: p.game.Turn(), Kind: p.game.Duty()}
	if m.Kind == rules.Play {
		all := p.game.AppendChoices(nil)
		m = p.game.Move(all[p.rng.IntN(len(all))])
	}
	g, e, err := p.game.Apply(m)
	require.NoError(p.tb, err)
	p.game = g
	b := p.step(record.MoveLines(&p.game, e))
	if m.Kind == rules.Play {
		p.plays[m.Seat-1]++
		if !slices.Contains(p.idle, int(m.Seat)) {
			p.own[m.Seat-1]++
		}
	}
	b.Rows[0].By = p.seats[m.Seat-1].ID
	b.Rows[0].Command = fmt.Sprintf("move %d", p.lines)
}

func (p *player) giveUp() {
	if p.open {
		return
	}
	b := p.step(nil)
	b.Rows = []table.Row{{Line: "# " + string(p.ending), At: p.at.Add(time.Duration(p.lines) * time.Second)}}
	p.lines++
	b.End = p.result(p.ending, p.winner)
}

func (p *player) result(ending table.Ending, winner int) *table.Result {
	res := &table.Result{Ending: ending, Winner: winner, Rounds: p.game.Round(), Rated: !p.casual}
	res.Leavers, res.Plays, res.Own = p.leavers, p.plays[:len(p.seats)], p.own[:len(p.seats)]
	for side := range p.game.Sides() {
		res.Scores = append(res.Scores, int(p.game.Score(rules.Side(side+1))))
	}
	return res
}

// mustNumbers returns the numbers of a new game and a new table.
func mustNumbers(tb testing.TB, s *store.Store) (table.GameID, table.ID) {
	tb.Helper()
	at, err := s.NextTable(ctx)
	require.NoError(tb, err)
	id, err := s.NextGame(ctx)
	require.NoError(tb, err)
	return id, at
}

// mustPlay plays a match at a table of its own and returns its number and its result.
func mustPlay(tb testing.TB, s *store.Store, m match) (table.GameID, *table.Result) {
	tb.Helper()
	id, at := mustNumbers(tb, s)
	all := m.batches(tb, id, at)
	end := all[len(all)-1].End
	for _, b := range all {
		changes, err := table.Commit(s, b)
		require.NoError(tb, err)
		if end != nil {
			end.Changes = changes
		}
	}
	return id, end
}

// commit puts a batch on disk.
func commit(s *store.Store, b *table.Batch) error {
	return errOf(table.Commit(s, b))
}

// recordOf is the record that the batches make.
func recordOf(all []*table.Batch) string {
	var b strings.Builder
	for _, batch := range all {
		for _, r := range batch.Rows {
			b.WriteString(r.Line + "\n")
		}
	}
	return b.String()
}

// seedOf returns the seed of a random test: the given one or, if that is 0, one from the time. It logs how to
// run the test with it again.
func seedOf(t *testing.T, given uint64, flags string) uint64 {
	t.Helper()
	if given == 0 {
		given = uint64(time.Now().UnixNano())
	}
	t.Logf("again with: go test ./store -run %s %s %d", t.Name(), flags, given)
	return given
}
