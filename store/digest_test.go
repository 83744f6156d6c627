package store_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/store"
	"boneyard/store/grow"
	"boneyard/store/storetest"
)

// tablesIn are the tables that are alike in all nodes' files, with the columns that identify their rows.
func tablesIn(t testing.TB, db *sql.DB) (names []string, keys map[string]string) {
	t.Helper()
	keys = make(map[string]string)
	names = storetest.Texts(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
		AND name NOT IN ('mark', 'goose_db_version') ORDER BY name`)
	for _, name := range names {
		key := storetest.Texts(t, db, `SELECT name FROM pragma_table_info('`+name+`') WHERE pk > 0 ORDER BY pk`)
		if len(key) == 0 {
			key = []string{"rowid"}
		}
		keys[name] = strings.Join(key, ", ")
	}
	return names, keys
}

// damage changes a value of a row of a table, whatever its type; null is what takes the place of NULL.
func damage(table, column, null, key string, row int) string {
	return fmt.Sprintf(`UPDATE "%[1]s" SET "%[2]s" = CASE typeof("%[2]s") WHEN 'integer' THEN "%[2]s" + 1000003 WHEN 'real' THEN "%[2]s" * 2 + 1
		WHEN 'blob' THEN zeroblob(length("%[2]s") + 1) WHEN 'null' THEN %[5]s ELSE "%[2]s" || 'x' END
		WHERE (%[3]s) IN (SELECT %[3]s FROM "%[1]s" ORDER BY %[3]s LIMIT 1 OFFSET %[4]d)`, table, column, key, row, null)
}

// TestADigestFindsDamageInEachTable changes one value in each column of each table, and takes a row out of each or puts one
// into it. The digest says which table it is.
func TestADigestFindsDamageInEachTable(t *testing.T) {
	if testing.Short() {
		t.Skip("one column after another")
	}
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	askEverything(t, s)
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	names, keys := tablesIn(t, db)
	require.Greater(t, len(names), 20)
	whole := s.DigestAfter(t, 0)
	found := func(table, change string) {
		t.Helper()
		differ, ok := whole.Differ(s.DigestAfter(t, 0, change))
		require.True(t, ok, change)
		require.Contains(t, differ, table, change)
	}
	for _, name := range names {
		columns := storetest.Texts(t, db, `SELECT name || CASE type WHEN 'BLOB' THEN ' zeroblob(1)' ELSE ' 1000003' END
			FROM pragma_table_info('`+name+`') WHERE NOT ('`+name+`' = 'replica' AND name = 'base')`)
		if storetest.Texts(t, db, `SELECT count(*) FROM "`+name+`"`)[0] == "0" {
			t.Logf("%s is empty", name)
			values := storetest.Texts(t, db, `SELECT CASE type WHEN 'INTEGER' THEN '1' WHEN 'REAL' THEN '0.5' WHEN 'BLOB' THEN 'zeroblob(1)'
				ELSE quote('x') END FROM pragma_table_info('`+name+`')`)
			found(name, `INSERT INTO "`+name+`" VALUES (`+strings.Join(values, ", ")+`)`)
			continue
		}
		found(name, fmt.Sprintf(`DELETE FROM "%[1]s" WHERE (%[2]s) IN (SELECT %[2]s FROM "%[1]s" LIMIT 1)`, name, keys[name]))
		for _, column := range columns {
			column, null, _ := strings.Cut(column, " ")
			found(name, damage(name, column, null, keys[name], 0))
		}
	}
}

// TestAllRowsAreInADigestInTime damages an older row of large tables, of which a digest has only the newest and a part: one
// of so many digests finds it, and one of the whole file.
func TestAllRowsAreInADigestInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("one digest after another")
	}
	store.SetDigestNew(t, 3)
	s := newStore(t)
	require.NoError(t, errOf(grow.Fill(ctx, s, grow.Plan{Games: 90, Members: 80, Teams: 4, Chat: 90, Seed: 1}, nil)))
	var sound [store.DigestParts]store.Digest
	for part := range sound {
		sound[part] = s.DigestAfter(t, int64(part))
	}
	whole := s.DigestAfter(t, store.AllParts)
	rng := rand.New(rand.NewPCG(1, 7))
	for table, of := range map[string]struct{ column, key string }{
		"games": {"seed", "id"}, "journal": {"line", "game, seq"}, "accounts": {"name", "id"}, "news": {"text", "id"},
	} {
		change := damage(table, of.column, "0", of.key, rng.IntN(70))
		finds := 0
		for part := range sound {
			differ, ok := sound[part].Differ(s.DigestAfter(t, int64(part), change))
			require.True(t, ok)
			if len(differ) > 0 {
				require.Equal(t, []string{table}, differ)
				finds++
			}
		}
		require.Equal(t, 1, finds, change)
		differ, ok := whole.Differ(s.DigestAfter(t, store.AllParts, change))
		require.True(t, ok)
		require.Equal(t, []string{table}, differ)
	}
}

// BenchmarkDigest takes digests of a file with two million lines of games.
func BenchmarkDigest(b *testing.B) {
	s := newStore(b)
	s.Tamper(b, `INSERT INTO games (id, tbl, rules, preset, seats, rated, why, team1, team2, tag1, tag2, commitment, seed, started)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
		SELECT i, i, 'classic target=150', 'classic', '[{"id":1},{"id":2}]', 1, '', 0, 0, '', '', hex(randomblob(32)), hex(randomblob(32)), i FROM n`)
	s.Tamper(b, `INSERT INTO journal (game, seq, line, at, command, player)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
		SELECT id, i, 'S1 5-6 east 35:10 scores, and what else is in a line', started, 'move', 1 FROM games, n`)
	b.ResetTimer()
	for i := range b.N {
		s.DigestAfter(b, int64(i%store.DigestParts))
	}
}
