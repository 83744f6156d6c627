package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/record"
	"boneyard/store"
	"boneyard/store/storetest"
	"boneyard/table"
)

// simulatedRecord is what people at a simulated cluster were told and shown, and what was done to it.
type simulatedRecord struct {
	mu      sync.Mutex
	acks    map[acknowledged][]string // the owners that said so, by Member.ID
	refused map[acknowledged]error
	moves   int
	views   map[simulatedView]*table.View
	looks   map[*table.View]string // how they were
	log     []string
}

// acknowledged is something that was reported as done.
type acknowledged struct {
	kind   string // of the entry: createAccount, createTeam or say; or command, a move; word, in a table's chat; other, at a table
	text   string // like no other's; of a command its id
	player table.PlayerID
}

type simulatedView struct {
	table   table.ID
	version uint64
	pov     rules.Seat
}

func newSimulatedRecord() *simulatedRecord {
	return &simulatedRecord{
		acks: make(map[acknowledged][]string), refused: make(map[acknowledged]error),
		views: make(map[simulatedView]*table.View), looks: make(map[*table.View]string),
	}
}

func (g *simulatedRecord) note(format string, args ...any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.log = append(g.log, time.Now().Format("04:05.000 ")+fmt.Sprintf(format, args...))
}

// writer takes what a node logs.
func (g *simulatedRecord) writer(node string) io.Writer { return simulatedWriter{g, node} }

type simulatedWriter struct {
	*simulatedRecord
	node string
}

func (w simulatedWriter) Write(p []byte) (int, error) {
	w.note("%s: %s", w.node, bytes.TrimSpace(p))
	return len(p), nil
}

// tail is the end of the log.
func (g *simulatedRecord) tail(lines int) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Join(g.log[max(0, len(g.log)-lines):], "\n")
}

// count is how many moves were acknowledged.
func (g *simulatedRecord) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.moves
}

func (g *simulatedRecord) acked(by *simulatedRun, a acknowledged) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if a.kind == "command" && g.acks[a] == nil {
		g.moves++
	}
	g.acks[a] = append(g.acks[a], by.peers.ID())
}

// answered records an answer. An error means that the command was not and will not be carried out.
func (g *simulatedRecord) answered(by *simulatedRun, a acknowledged, err error) {
	if err == nil {
		g.acked(by, a)
		return
	}
	if final(err) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.refused[a] = err
	}
}

// saw records what a person was shown. A version of a table looks the same from the same point of view, at
// all nodes. A table that stands still from the start, before it could write which versions it shows, is left
// out: its versions come again elsewhere.
func (g *simulatedRecord) saw(t *testing.T, v *table.View) {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := simulatedView{v.Table, v.Version, v.POV}
	was := g.views[key]
	if was == v {
		return
	}
	look := lookOf(v)
	if v.State == table.Frozen {
		g.looks[v] = look
		return
	}
	if was == nil {
		g.views[key], g.looks[v] = v, look
		return
	}
	if g.looks[was] != look {
		t.Errorf("version %d of table %d for seat %d looks different at another node:\n%s\n%s", v.Version, v.Table, v.POV, g.looks[was], look)
	}
}

// lookOf is what a view says, of the log and the chat the newest lines.
func lookOf(v *table.View) string {
	w := *v
	w.Play.Layout, w.Play.Rules, w.Config = rules.Layout{}, rules.Ruleset{}, table.Config{}
	w.Log, w.Chat = w.Log[max(0, len(w.Log)-4):], w.Chat[max(0, len(w.Chat)-4):]
	b, err := json.Marshal(w)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// done lists what an entry does, as it is acknowledged.
func done(t *testing.T, e store.Entry) (all []acknowledged) {
	var o struct {
		Name, Text string
		Line       struct{ Text string }
		Batch      *table.Batch
	}
	switch e.Kind {
	case "": // whoever proposed it gave up before it was in the log
		return nil
	case "addRows":
		o.Batch = linesOf(t, e.Binary)
	default:
		require.NoError(t, json.Unmarshal(e.Data, &o))
	}
	switch {
	case e.Kind == "say":
		return []acknowledged{{kind: e.Kind, text: o.Text + o.Line.Text}}
	case o.Batch == nil:
		return []acknowledged{{kind: e.Kind, text: o.Name}}
	}
	for _, r := range o.Batch.Rows {
		if r.Command != "" && strings.Contains("1234", r.Line[:1]) {
			all = append(all, acknowledged{kind: "command", text: r.Command, player: r.By})
		}
	}
	for _, l := range o.Batch.Chat {
		if !l.House {
			all = append(all, acknowledged{kind: "word", text: l.Text})
		}
	}
	return all
}

// linesOf reads the lines of a game from an entry in binary: the table, the game, its lines before, and how many there are, each with its
// time, its command and who gave that.
func linesOf(t *testing.T, b []byte) *table.Batch {
	from, batch := bytes.NewReader(b), &table.Batch{}
	number := func() int64 {
		n, err := binary.ReadVarint(from)
		require.NoError(t, err)
		return n
	}
	word := func() string {
		n, err := binary.ReadUvarint(from)
		require.NoError(t, err)
		b := make([]byte, n)
		_, err = io.ReadFull(from, b)
		require.NoError(t, err)
		return string(b)
	}
	batch.Table, batch.Game, batch.Seq = table.ID(number()), table.GameID(number()), int(number())
	n, err := binary.ReadUvarint(from)
	require.NoError(t, err)
	for range n {
		batch.Rows = append(batch.Rows, table.Row{Line: word(), At: time.Unix(0, number()), Command: word(), By: table.PlayerID(number())})
	}
	return batch
}

// judge compares what people were told and shown with the log and the files.
func (s *simulatedCluster) judge(t *testing.T) {
	defer func() {
		if t.Failed() {
			t.Log(s.reg.tail(200))
		}
	}()
	log := storetest.EffectsOf(t, s.net.Entries())
	times := make(map[acknowledged]int)
	in := make(map[acknowledged]storetest.Effect) // the entry that did it
	for _, e := range log.Entries {
		for _, a := range done(t, e.Entry) {
			times[a]++
			in[a] = e
		}
	}
	again := 0
	for a, by := range s.reg.acks {
		again += len(by) - 1
		if a.kind == "other" {
			continue
		}
		require.Equal(t, 1, times[a], "%+v was acknowledged", a)
		for _, owner := range by {
			require.NotZero(t, log.Claims[owner], "%+v was acknowledged by %s, which never owned the club", a, owner)
			require.True(t, owner == in[a].Owner || log.Claims[owner] > in[a].Position,
				"%+v was acknowledged by %s, but written by %s, which has owned the club since", a, owner, in[a].Owner)
		}
	}
	for a, err := range s.reg.refused {
		if s.reg.acks[a] == nil && a.kind != "createTeam" { // which the file may refuse, so that it is in the log
			require.Zero(t, times[a], "%+v was refused: %v", a, err)
		}
	}
	var first []string
	for _, name := range clusterNames {
		found, err := store.Check(context.Background(), s.paths[name], nil)
		require.NoError(t, err)
		require.Empty(t, found.Problems)
		rows := storetest.Contents(t, s.paths[name])
		if first == nil {
			first = rows
		}
		require.Equal(t, first, rows, "%s has another file than %s", name, clusterNames[0])
	}
	games := s.judgeFile(t, times)
	t.Logf("%d entries, %d claims, %d doubled, %d of an epoch that was over; %d moves acknowledged, %d answers of commands sent again; %d views of %d games",
		len(s.net.Entries()), len(log.Claims), log.Doubled, log.Late, s.reg.moves, again, len(s.reg.views), games)
	require.NotZero(t, games)
}

// judgeFile compares the first file with what was written and shown.
func (s *simulatedCluster) judgeFile(t *testing.T, times map[acknowledged]int) (games int) {
	db, err := sql.Open("sqlite", s.paths[clusterNames[0]])
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	names := storetest.Texts(t, db, `SELECT name FROM accounts`)
	said := storetest.Texts(t, db, `SELECT text FROM lobby_chat`)
	rows := make(map[acknowledged]int)
	for _, row := range storetest.Texts(t, db,
		`SELECT player || ' ' || command FROM journal WHERE command != '' AND substr(line, 1, 1) IN ('1', '2', '3', '4')`) {
		player, command, _ := strings.Cut(row, " ")
		id, err := strconv.ParseInt(player, 10, 64)
		require.NoError(t, err)
		rows[acknowledged{kind: "command", text: command, player: table.PlayerID(id)}]++
	}
	for a := range s.reg.acks {
		switch a.kind {
		case "createAccount":
			require.Contains(t, names, a.text)
		case "say":
			require.Contains(t, said, a.text)
		case "command":
			require.Equal(t, 1, rows[a], "%+v was acknowledged", a)
		}
	}
	for a, n := range rows {
		require.Equal(t, times[a], n, "%+v", a)
	}
	known := make(map[table.GameID]map[string]bool)
	for v, look := range s.reg.looks {
		require.Equal(t, look, lookOf(v), "version %d of table %d was changed after it was shown", v.Version, v.Table)
		if v.Game == 0 || v.Play.Round == 0 {
			continue
		}
		if known[v.Game] == nil {
			known[v.Game] = s.looksOfGame(t, db, v.Game)
		}
		require.True(t, known[v.Game][fmt.Sprintf("%+v", v.Play)],
			"seat %d was shown what it may not know, or is not in the journal of game %d: %+v", v.POV, v.Game, v.Play)
		require.NoError(t, hiddenIn(v))
	}
	return len(known)
}

// looksOfGame are all states of a game in the journal, as each seat and the gallery may see them.
func (s *simulatedCluster) looksOfGame(t *testing.T, db *sql.DB, game table.GameID) map[string]bool {
	lines := storetest.Texts(t, db, fmt.Sprintf(`SELECT line FROM journal WHERE game = %d ORDER BY seq`, game))
	looks := make(map[string]bool)
	for step, err := range record.Replay(strings.NewReader(strings.Join(lines, "\n") + "\n")) {
		require.NoError(t, err, "game %d", game)
		if step.Game.Round() == 0 {
			continue
		}
		for seat := range rules.Seat(step.Game.Seats() + 1) {
			looks[fmt.Sprintf("%+v", step.Game.View(seat))] = true
		}
	}
	return looks
}

// hiddenIn returns an error for anything in a view besides its game that its reader must not know.
func hiddenIn(v *table.View) error {
	if v.Play.Seat != v.POV {
		return fmt.Errorf("seat %d sees what seat %d sees", v.POV, v.Play.Seat)
	}
	if v.Result == nil && v.Seed != "" && v.State != table.Closed {
		return fmt.Errorf("seat %d sees the seed in state %s", v.POV, v.State)
	}
	for _, e := range v.Log {
		if e.Event.Kind == rules.Draw && e.Event.Seat != v.POV && e.Event.Tile != rules.NoTile {
			return fmt.Errorf("seat %d sees a tile that another has drawn", v.POV)
		}
	}
	return nil
}
