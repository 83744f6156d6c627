package storetest

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "modernc.org/sqlite" // the driver
)

// Contents returns all rows of a data file, but for those that say which file it is.
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
