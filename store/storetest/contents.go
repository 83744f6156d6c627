package storetest

import (
	"database/sql"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver

	"boneyard/store"
)

// Contents returns all rows of a data file except those that identify the file.
func Contents(t testing.TB, path string) (rows []string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	tables := Texts(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('mark', 'goose_db_version', 'game_words')`)
	for _, table := range tables {
		columns := Texts(t, db, `SELECT 'quote("' || name || '")' FROM pragma_table_info('`+table+`')`)
		for _, row := range Texts(t, db, `SELECT `+strings.Join(columns, ` || ', ' || `)+` FROM "`+table+`" ORDER BY 1`) {
			rows = append(rows, table+": "+row)
		}
	}
	return rows
}

// Texts returns the results of a query with one column.
func Texts(t testing.TB, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := db.Query(query)
	require.NoError(t, err, query)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var s string
		require.NoError(t, rows.Scan(&s))
		all = append(all, s)
	}
	require.NoError(t, rows.Err())
	return all
}

// Effects is what a log does, computed without the store: an entry counts once, and in its owner's epoch.
type Effects struct {
	Entries []Effect          // without claims
	Claims  map[string]uint64 // the positions of the last ones, by owner
	Doubled int               // entries that were in the log before
	Late    int               // entries of an epoch that was over
}

// Effect is an entry that counts.
type Effect struct {
	store.Entry
	Owner string
}

// EffectsOf reads a log.
func EffectsOf(t testing.TB, log []store.Entry) *Effects {
	all := &Effects{Claims: make(map[string]uint64)}
	var epoch, seq uint64
	owner := ""
	for _, e := range log {
		switch {
		case e.Kind == "claim" && e.Epoch == epoch+1:
			var c struct{ Node string }
			require.NoError(t, json.Unmarshal(e.Data, &c))
			epoch, seq, owner = e.Epoch, 0, c.Node
			all.Claims[owner] = e.Position
		case e.Kind == "claim":
		case e.Epoch != epoch:
			all.Late++
		case e.Seq != seq+1:
			all.Doubled++
		default:
			seq++
			all.Entries = append(all.Entries, Effect{e, owner})
		}
	}
	return all
}
