package store_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules/coach"
	"boneyard/store"
	"boneyard/store/grow"
	"boneyard/table"
)

// queries records the queries to the database.
type queries struct {
	mu   sync.Mutex
	seen []string
}

func (q *queries) add(query string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if query = oneLine(query); !slices.Contains(q.seen, query) {
		q.seen = append(q.seen, query)
	}
}

func (q *queries) all() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.seen)
}

func oneLine(query string) string { return strings.Join(strings.Fields(query), " ") }

var taken = sync.OnceValue(func() *queries {
	q := new(queries)
	db, err := sql.Open("sqlite", "")
	if err != nil {
		panic(err)
	}
	sql.Register("recorded", &recordingDriver{db.Driver(), q})
	return q
})

// recordingDriver is a driver whose connections record their queries.
type recordingDriver struct {
	driver.Driver
	to *queries
}

func (d *recordingDriver) Open(name string) (driver.Conn, error) {
	c, err := d.Driver.Open(name)
	if err != nil {
		return nil, err
	}
	return &recordingConn{c.(sqliteConn), d.to}, nil
}

// sqliteConn is what the driver's connections can do.
type sqliteConn interface {
	driver.Conn
	driver.QueryerContext
	driver.ExecerContext
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

type recordingConn struct {
	sqliteConn
	to *queries
}

func (c *recordingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.to.add(query)
	return c.sqliteConn.QueryContext(ctx, query, args)
}

func (c *recordingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.to.add(query)
	return c.sqliteConn.ExecContext(ctx, query, args)
}

func (c *recordingConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	c.to.add(query)
	return c.sqliteConn.PrepareContext(ctx, query)
}

// mayScan are pieces of the queries that may read a whole table, or sort what they have read, with the reason
// why that is bounded or wanted.
var mayScan = []struct{ query, why string }{
	{"SELECT rootpage FROM sqlite_schema", "at a start, a row for each table and index"},
	{"INSERT INTO numbers", "the rows are in the statement"},
	{"FROM (SELECT ? AS id) s JOIN", "a table of one row"},
	{"FROM games WHERE true AND NOT games.sealed AND (games.ended",
		"stops at its limit: it goes back from the newest game, or from a given one, and leaves out only games that are being played"},
	{"FROM games WHERE id IN (SELECT * FROM (SELECT id FROM games WHERE team1", "sorts twice as many games as it returns"},
	{"FROM games WHERE id IN (SELECT id FROM games WHERE team1", "sorts the games of two teams against each other"},
	{"AND ended > ? ORDER BY ended DESC LIMIT", "stops at its limit, in an index of the rated games"},
	{"FROM invitations JOIN accounts", "sorts the invitations of one team"},
	{"DELETE FROM tells WHERE player = ?1 AND sender = 0 AND id IN", "sorts a handful: what the club has to tell one member"},
	{"SELECT month FROM months", "a row a month"},
	{"FROM teams CROSS JOIN accounts ON accounts.id = teams.captain", "stops at its limit, in the order of the index"},
	{"WHERE tag_skeleton = ?1 OR skeleton = ?1 ORDER BY", "sorts the teams that have had a name or a tag"},
	{"FROM news ORDER BY id DESC LIMIT", "stops at its limit"},
	{"FROM events WHERE over = 0 ORDER BY id", "the answer is all events that are held; the lobby asks at the start"},
	{"FROM audit ORDER BY id DESC LIMIT", "stops at its limit"},
	{"ORDER BY reports.at DESC, reports.id DESC LIMIT", "stops at its limit"},
	{"UPDATE reports SET player = 0", "once, on a file of before"},
	{"UPDATE news SET points", "once, on a file of before"},
	{"FROM reports GROUP BY player", "there are at most 2,000"},
	{"DELETE FROM lobby_chat WHERE seq <=", "deletes what it reads"},
	{"DELETE FROM meetings WHERE day <>", "the meetings of one day"},
	{"FROM meetings", "rebuild and check: the meetings of one day"},
	{"FROM networks_met", "rebuild and check"},
	{"FROM balances", "rebuild and check"},
	{"DELETE FROM news WHERE id <=", "deletes what it reads"},
	{"FROM sanctions WHERE lifted IS NULL", "what operators typed, one by one; read at the start and after a change"},
	{"UPDATE sanctions SET lifted", "the sanctions in force; for an operator"},
	{"FROM tables LEFT JOIN games", "all open tables, at the start"},
	{"AND end_no > ? ORDER BY end_no LIMIT ?", "rebuild and check read every game once"},
	{"SELECT id, first, second FROM pairs", "rebuild and check"},
	{"SELECT kind, game, month, id, mu", "rebuild and check"},
	{"SELECT month, games FROM months", "rebuild and check"},
	{`SELECT "`, "a digest for the nodes of a cluster, on a connection of its own: of most tables few rows"},
	{"FROM numbers WHERE name", "check"},
	{"FROM games WHERE id > ? ORDER BY id LIMIT", "check and a migration read every game once"},
	{"SELECT game FROM game_players", "check"},
	{"SELECT count(*) FROM games", "check"},
	{"FROM events ORDER BY id", "check"},
	{"FROM games LEFT JOIN events", "check: the games of events"},
}

// TestNoQueryScansATable asks SQLite how it would run each query that the store makes. SQLite is never given statistics, so
// that its plans are the same for a file of any size.
func TestNoQueryScansATable(t *testing.T) {
	q := taken()
	restore := store.SetDriver("recorded")
	t.Cleanup(restore)
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	askEverything(t, s)
	mustClose(t, s)
	followed := newPath(t)
	follower := mustOpen(t, followed, options(t))
	require.NoError(t, follower.Follow("one", newMemoryLog(1).of("one")))
	require.NoError(t, follower.Claim(ctx))
	mustClose(t, follower)
	require.NoError(t, store.BeginLog(ctx, followed))
	later := options(t)
	later.LookLater = 1
	mustClose(t, mustOpen(t, path, later))
	require.NoError(t, errOf(store.Check(ctx, path, nil)))
	holed := filepath.Join(t.TempDir(), "holed.db")
	require.NoError(t, store.Backup(ctx, path, holed, nil))
	deleteLine(t, holed)
	found, err := store.Check(ctx, holed, nil)
	require.NoError(t, err)
	require.NotEmpty(t, found.Problems)
	require.NoError(t, store.Backup(ctx, path, filepath.Join(t.TempDir(), "copy.db"), nil))
	restore()

	asked := q.all()
	for _, text := range sqlLiterals(t) {
		require.True(t, slices.ContainsFunc(asked, func(a string) bool { return strings.Contains(a, text) }),
			"no test looks at the plan of a query with %s", text)
	}
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	used := make(map[string]bool)
	for _, query := range asked {
		if !regexp.MustCompile(`^(SELECT|UPDATE|DELETE|INSERT|REPLACE)`).MatchString(query) || strings.Contains(query, "goose_db_version") {
			continue
		}
		for _, step := range planOf(t, db, query) {
			if !scans(step) {
				continue
			}
			i := slices.IndexFunc(mayScan, func(e struct{ query, why string }) bool { return strings.Contains(query, e.query) })
			if i < 0 {
				t.Errorf("%s\n\tin: %s", step, query)
				continue
			}
			used[mayScan[i].query] = true
		}
	}
	for _, e := range mayScan {
		require.True(t, used[e.query], "no query scans any more: %s", e.query)
	}
}

// deleteLine takes a line out of the middle of a game.
func deleteLine(t testing.TB, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	require.NoError(t, errOf(db.Exec(`DELETE FROM journal WHERE game = 3 AND seq = 5`)))
	require.NoError(t, db.Close())
}

// halfOpen is a search by a bound alone, such as "end_no > NULL", which may match everything.
var halfOpen = regexp.MustCompile(`^SEARCH .*\(\w+[<>]=?\?\)`)

// scans reports whether a step of a plan reads a whole table or index, or sorts what it has read. A full-text
// index that is asked for words does not count.
func scans(step string) bool {
	switch {
	case strings.HasPrefix(step, "SCAN CONSTANT ROW"), strings.HasPrefix(step, "SCAN json_each"):
		return false
	case strings.HasPrefix(step, "SCAN game_words VIRTUAL TABLE INDEX") && strings.Contains(step, ":M"):
		return false
	case strings.HasPrefix(step, "SCAN (subquery"), strings.HasPrefix(step, "SCAN pragma_"):
		return false // what the subquery reads has steps of its own
	}
	if strings.Contains(step, "LAST TERM OF ORDER BY") {
		return false // equal rows are sorted by number
	}
	return strings.HasPrefix(step, "SCAN") || strings.Contains(step, "AUTOMATIC") || strings.Contains(step, "TEMP B-TREE") ||
		halfOpen.MatchString(step)
}

func planOf(t testing.TB, db *sql.DB, query string) (steps []string) {
	t.Helper()
	args := make([]any, 20) // NULL for each parameter
	n := len(regexp.MustCompile(`\?(\d*)`).FindAllString(query, -1))
	for _, m := range regexp.MustCompile(`\?(\d+)`).FindAllStringSubmatch(query, -1) {
		n, _ = strconv.Atoi(m[1])
	}
	for _, m := range regexp.MustCompile(`\?(\d+)`).FindAllStringSubmatch(query, -1) {
		if k, _ := strconv.Atoi(m[1]); k > n {
			n = k
		}
	}
	rows, err := db.Query("EXPLAIN QUERY PLAN "+query, args[:n]...)
	require.NoError(t, err, query)
	defer rows.Close()
	for rows.Next() {
		var id, parent, x int
		var detail string
		require.NoError(t, rows.Scan(&id, &parent, &x, &detail))
		steps = append(steps, detail)
	}
	require.NoError(t, rows.Err())
	return steps
}

// sqlLiterals are the pieces of queries in the package's source, each as one line.
func sqlLiterals(t *testing.T) (all []string) {
	t.Helper()
	verb := regexp.MustCompile(`^(SELECT|UPDATE|DELETE|INSERT|REPLACE|FROM|WHERE) `)
	look := func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			require.NoError(t, err)
			if text = oneLine(text); verb.MatchString(text + " ") {
				for piece := range strings.SplitSeq(text, "%s") {
					all = append(all, strings.TrimSpace(piece))
				}
			}
		}
		return true
	}
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, look)
	}
	require.Greater(t, len(all), 60, "the store's queries")
	return all
}

// askEverything calls all that the store can do, so that each of its queries is made at least once.
func askEverything(t testing.TB, s *store.Store) {
	t.Helper()
	club, err := grow.Fill(ctx, s, grow.Plan{Games: 40, Members: 12, Teams: 4, Chat: 3, Seed: 1}, nil)
	require.NoError(t, err)
	has, err := s.HasMembers(ctx)
	require.NoError(t, err)
	require.True(t, has)
	ana, cleo, teams := club.Members[0], club.Members[9], club.Teams
	mustGames(t, s, lobby.GamesQuery{})
	for _, gq := range []lobby.GamesQuery{{Before: 9}, {Text: "classic", Player: ana.ID}, {Text: "a b", Before: 9},
		{Player: ana.ID, Before: 9, Mine: ana.ID}, {Player: ana.ID, With: cleo.ID}} {
		mustGames(t, s, gq)
	}
	_, _, err = s.Record(ctx, 3)
	require.NoError(t, err)
	require.NoError(t, s.KeepReview(ctx, ana.ID, 3, &coach.Report{}))
	require.NoError(t, errOf(s.Review(ctx, ana.ID, 3)))
	require.NoError(t, errOf(s.Accuracies(ctx, ana.ID, 5)))
	for _, kind := range []lobby.Kind{lobby.KindPlayer, lobby.KindPair, lobby.KindTeam} {
		require.NoError(t, errOf(s.Standings(ctx, lobby.StandingsQuery{Kind: kind, Month: "2024-01", Game: "classic", Limit: 5})))
	}
	require.NoError(t, errOf(s.Ratings(ctx, 5)))
	require.NoError(t, errOf(s.Standing(ctx, lobby.KindPlayer, int64(ana.ID))))
	require.NoError(t, errOf(s.Months(ctx)))
	require.NoError(t, errOf(s.HeadToHead(ctx, teams[0], teams[1])))
	require.NoError(t, errOf(s.ListTeams(ctx, "a", 10)))
	require.NoError(t, errOf(s.FindTeam(ctx, "AAAA")))
	new, err := s.CreateTeam(ctx, cleo.ID, "Late", "late", "LATE", noon)
	require.NoError(t, err)
	require.NoError(t, errOf(s.HeadToHead(ctx, teams[0], new.ID)))
	require.NoError(t, s.Invite(ctx, new.ID, cleo.ID, club.Members[10].ID, noon))
	require.NoError(t, errOf(s.Invitations(ctx, club.Members[10].ID)))
	require.NoError(t, s.Decline(ctx, new.ID, club.Members[10].ID))
	require.NoError(t, s.InviteAsBefore(new.ID, cleo.ID, club.Members[11].ID, noon))
	require.NoError(t, s.Accept(ctx, new.ID, club.Members[11].ID, noon))
	require.NoError(t, s.HandOver(ctx, new.ID, club.Members[11].ID))
	require.NoError(t, s.LeaveTeam(ctx, cleo.ID, noon))
	require.NoError(t, s.LeaveTeam(ctx, club.Members[11].ID, noon))
	require.NoError(t, errOf(s.CreateTeam(ctx, cleo.ID, "Later", "later", "LATER", noon)))
	require.NoError(t, s.LeaveTeamAsBefore(cleo.ID))
	require.NoError(t, s.LeaveTeam(ctx, club.Members[1].ID, noon))
	require.NoError(t, s.LeaveTeam(ctx, club.Members[0].ID, noon))

	key := keyOf("nobody's")
	require.ErrorIs(t, errOf(s.ByKey(ctx, key)), lobby.ErrNotFound)
	require.ErrorIs(t, errOf(s.ByName(ctx, "nobody")), lobby.ErrNotFound)
	require.NoError(t, s.Save(ctx, ana.ID, lobby.Settings{}, false))
	require.NoError(t, s.Seen(ctx, ana.ID, noon))
	last, _, _, err := s.LastTime(ctx)
	require.NoError(t, err)
	require.Zero(t, last)
	for _, now := range []time.Time{noon, noon.Add(-time.Hour)} {
		require.NoError(t, s.KeepTime(ctx, now, now.Add(time.Hour)))
		last, wall, _, err := s.LastTime(ctx)
		require.NoError(t, err)
		require.True(t, now.Equal(last))
		require.True(t, now.Add(time.Hour).Equal(wall))
	}
	for _, id := range []uint64{1<<63 + 1, 2} {
		require.NoError(t, s.KeepClubID(ctx, id))
		kept, err := s.ClubID(ctx)
		require.NoError(t, err)
		require.Equal(t, uint64(1<<63+1), kept, "the first is kept")
	}
	for _, from := range []table.PlayerID{0, ana.ID} {
		require.NoError(t, errOf(s.KeepTell(ctx, ana.ID, lobby.Line{At: noon, From: table.Player{ID: from}}, 20, 5)))
	}
	require.NoError(t, errOf(s.TellsFull(ctx, ana.ID, ana.ID, 20, 5)))
	require.NoError(t, errOf(s.TakeTells(ctx, ana.ID)))
	require.NoError(t, errOf(s.Say(ctx, 3, lobby.Line{At: noon})))
	require.NoError(t, errOf(s.History(ctx, 0, 5)))
	require.NoError(t, errOf(s.News(ctx, 5)))

	require.NoError(t, errOf(s.AddSanction(ctx, lobby.Sanction{Kind: lobby.SanctionMute, Name: "ana", At: noon})))
	require.NoError(t, errOf(s.Sanctions(ctx, noon)))
	require.NoError(t, errOf(s.LiftSanction(ctx, lobby.SanctionMute, "ana", noon)))
	require.NoError(t, s.Audit(ctx, lobby.AuditEntry{At: noon}))
	require.NoError(t, errOf(s.AuditLog(ctx, 5)))
	for i := range 2 {
		require.NoError(t, errOf(s.AddReport(ctx, lobby.Report{At: noon, By: -1, About: fmt.Sprint("ben", i)})))
	}
	require.NoError(t, errOf(s.AddReport(ctx, lobby.Report{At: noon, By: -1, About: "ben1"})))
	require.NoError(t, errOf(s.Reports(ctx, 5)))
	require.NoError(t, errOf(s.Suspicions(ctx, noon, 5)))

	id, at := mustNumbers(t, s)
	open := match{rules: "classic", seats: club.Members[:2], at: noon, stop: 2, open: true}.batches(t, id, at)
	open[0].Chat = []table.ChatLine{{Seq: 256, At: noon, From: ana, Text: "hello", Room: table.RoomPlayers}}
	for i, b := range open {
		if i > 0 && i == len(open)-1 {
			b.State = nil
		}
		require.NoError(t, commit(s, b))
	}
	require.NoError(t, errOf(s.Load(ctx)))
	id, err = s.NextGame(ctx)
	require.NoError(t, err)
	again := match{rules: "classic", seats: club.Members[:2], at: noon, stop: 2, open: true}.batches(t, id, at)
	again[0].State = nil
	require.NoError(t, commit(s, again[0]))
	mustPlay(t, s, match{rules: "classic", seats: club.Members[:2], at: noon, fair: table.Fair})
	askEvents(t, s, club.Members[:2], 0)
	takeOver(t, s, club.Members[2], club.Members[3])
	require.Zero(t, mustRebuild(t, s).Changed)
}
