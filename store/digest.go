package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math"
	"strconv"
	"strings"
)

// Digest summarizes the tables of a file after an entry of the log. At a position all nodes have the same.
//
// Of a table with many rows a digest covers the newest, and one in digestParts of the others, the next at the
// next position: all rows are compared in time, and no digest takes long, however large the file. After
// [Store.CompareFiles] it covers all rows.
type Digest struct {
	Position uint64
	Layout   string   // hash of tables, columns and migrations; digests with different layouts cannot be compared
	Tables   []string // hashes by table, such as "games 0123456789abcdef", in order; empty before the first digest
}

// Differ returns the tables in which two digests differ. ok is false if they cannot be compared.
func (d Digest) Differ(other Digest) (tables []string, ok bool) {
	if len(d.Tables) == 0 || d.Position != other.Position || d.Layout != other.Layout || len(d.Tables) != len(other.Tables) {
		return nil, false
	}
	for i, sum := range d.Tables {
		if sum != other.Tables[i] {
			name, _, _ := strings.Cut(sum, " ")
			tables = append(tables, name)
		}
	}
	return tables, true
}

var digestNew int64 = 10_000 // newest rows of a table, which are in each digest

const (
	digestParts = 64
	allParts    = -1 // instead of the number of a part
	digestLines = 40 // rows per number if it is only the first part of a key, as for a game's lines in the journal
)

// keepBase stores a sum of the file before the first entry of its log.
func (s *Store) keepBase() (sum string, err error) {
	ctx := context.Background()
	err = s.writer.do(ctx, func(t *tx) error {
		d, err := digestOf(ctx, t, 0)
		if err != nil {
			return err
		}
		all := sha256.Sum256([]byte(strings.Join(d.Tables, "\n")))
		sum = d.Layout + "/" + hex.EncodeToString(all[:])
		return t.change(`UPDATE replica SET base = ? WHERE id = 1`, sum)
	})
	return sum, err
}

// OtherLayout reports whether two bases are of files that could not be compared when their logs began,
// because different versions of the program made them. The bases of old versions do not name a layout.
func OtherLayout(base, other string) bool {
	layout, _, known := strings.Cut(base, "/")
	others, _, alike := strings.Cut(other, "/")
	return known != alike || known && layout != others
}

// distrusted is the base of a file that is known to differ from those of the other nodes.
const distrusted = "differs"

// Distrust notes in the file that it differs from those of the other nodes and no longer follows their log.
func (s *Store) Distrust() error {
	return s.writer.do(context.Background(), func(t *tx) error {
		return t.change(`UPDATE replica SET base = ? WHERE id = 1`, distrusted)
	})
}

// GoAlone notes in a node's file that it has left the cluster: later changes are not in the log. [BeginLog]
// makes it a node's file again.
func (s *Store) GoAlone(ctx context.Context) error {
	at, err := readReplica(ctx, s.keep)
	if err != nil || at.Position == 0 || at.Base == distrusted {
		return translate(err)
	}
	return s.Distrust()
}

// compareFiles changes nothing; after it each node takes a digest of its whole file.
type compareFiles struct{}

func (*compareFiles) apply(*tx) error { return nil }

var comparesFiles = kindOf((*compareFiles)(nil))

// CompareFiles has each node that follows the log take a digest of its whole file at the same entry.
func (s *Store) CompareFiles(ctx context.Context) error { return s.replica.run(ctx, &compareFiles{}) }

// summing is a digest that is computed from a snapshot, so that later entries need not wait for it.
type summing struct {
	at       uint64 // position in the log
	part     int64
	snapshot *sql.Tx
}

// digest requests the digest after an entry. A digest of a whole file may take long: until it is done,
// partial ones are skipped, and a newer whole one replaces one that has not begun. So all nodes compute the
// last one requested, however slow they are.
func (r *replica) digest(ctx context.Context, at uint64, whole bool) {
	d := summing{at: at, part: int64(at / r.store.digestEvery % digestParts)}
	if whole {
		d.part = allParts
		select {
		case old := <-r.sums:
			r.warnOfDigest(ctx, old.snapshot.Rollback())
			r.summed(old)
		default:
		}
	} else if r.wholes.Load() > 0 {
		return
	}
	var err error
	if d.snapshot, err = r.snapshot(ctx, at); err != nil {
		r.warnOfDigest(ctx, err)
		return
	}
	if whole {
		r.wholes.Add(1)
	}
	select {
	case r.sums <- d:
	case <-ctx.Done():
		_ = d.snapshot.Rollback() // nothing was written
	}
}

// summed notes that a digest is done or dropped.
func (r *replica) summed(d summing) {
	if d.part == allParts {
		r.wholes.Add(-1)
	}
}

// sum computes digests until ctx ends.
func (r *replica) sum(ctx context.Context) {
	for {
		select {
		case d := <-r.sums:
			digest, err := digestOf(ctx, d.snapshot, d.part)
			r.warnOfDigest(ctx, errors.Join(err, d.snapshot.Rollback()))
			r.summed(d)
			if err == nil {
				digest.Position = d.at
				r.mu.Lock()
				r.at.Digest = digest
				r.tell()
				r.mu.Unlock()
			}
		case <-ctx.Done():
			return
		}
	}
}

func (r *replica) warnOfDigest(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		r.store.warn(fmt.Errorf("digest of the data file: %w", err))
	}
}

func (r *replica) snapshot(ctx context.Context, at uint64) (*sql.Tx, error) {
	t, err := r.store.keep.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	stands, err := readReplica(ctx, t) // from here on it is a snapshot
	if err == nil && stands.Position != at {
		err = fmt.Errorf("the file is at %d, not at %d", stands.Position, at)
	}
	if err != nil {
		return nil, errors.Join(err, t.Rollback())
	}
	return t, nil
}

type summedTable struct {
	name    string
	columns []string // quoted
	key     []string // the primary key, in order
	number  bool     // the key begins with an integer
}

// digestOf computes the digest of the file now, with a part of each large table, unless part is allParts.
func digestOf(ctx context.Context, db queryer, part int64) (d Digest, err error) {
	layout := sha256.New()
	tables, err := summedTables(ctx, db, layout)
	if err != nil {
		return d, err
	}
	d.Layout = hex.EncodeToString(layout.Sum(nil)[:8])
	for _, t := range tables {
		sum, err := t.sum(ctx, db, part)
		if err != nil {
			return d, fmt.Errorf("%s: %w", t.name, err)
		}
		d.Tables = append(d.Tables, t.name+" "+hex.EncodeToString(sum[:8]))
	}
	return d, nil
}

// summedTables returns the tables that all nodes have alike, and writes their layout. It leaves out mark, the
// times of migrations, and the base in replica, which differ by node. The rows of a virtual table are in
// others.
func summedTables(ctx context.Context, db queryer, layout hash.Hash) (all []summedTable, err error) {
	err = each(ctx, db, func(scan scanner) error {
		var version int64
		err := scan(&version)
		fmt.Fprintln(layout, version)
		return err
	}, `SELECT DISTINCT version_id FROM goose_db_version WHERE is_applied ORDER BY version_id`)
	if err != nil {
		return nil, err
	}
	err = each(ctx, db, func(scan scanner) error {
		var table, column, kind string
		var key int
		err := scan(&table, &column, &kind, &key)
		fmt.Fprintln(layout, table, column, kind, key)
		if len(all) == 0 || all[len(all)-1].name != table {
			all = append(all, summedTable{name: table})
		}
		t := &all[len(all)-1]
		column = `"` + column + `"`
		t.columns = append(t.columns, column)
		if key > 0 {
			for len(t.key) < key {
				t.key = append(t.key, "")
			}
			t.key[key-1] = column
		}
		t.number = t.number || key == 1 && kind == "INTEGER"
		return err
	}, `SELECT t.name, c.name, c.type, c.pk FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
		WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' AND t.name NOT IN ('mark', 'goose_db_version')
		AND NOT (t.name = 'replica' AND c.name = 'base') ORDER BY t.name, c.name`) // columns may be in any order
	return all, err
}

// sum hashes a table's rows; of a large one the newest and a part of the others, unless part is allParts.
func (t *summedTable) sum(ctx context.Context, db queryer, part int64) ([]byte, error) {
	query := `SELECT ` + strings.Join(t.columns, ", ") + ` FROM "` + t.name + `"`
	order := ` ORDER BY ` + cmp.Or(strings.Join(t.key, ", "), strings.Join(t.columns, ", "))
	h := sha256.New()
	if !t.number {
		err := t.add(ctx, db, h, query+order)
		return h.Sum(nil), err
	}
	var last sql.NullInt64
	if err := scanRow(ctx, db, []any{&last}, `SELECT max(`+t.key[0]+`) FROM "`+t.name+`"`); err != nil {
		return nil, err
	}
	query += ` WHERE ` + t.key[0] + ` BETWEEN ? AND ?` + order
	newest := digestNew
	if len(t.key) > 1 {
		newest /= digestLines
	}
	from := int64(math.MinInt64)
	if part != allParts && last.Int64 > newest {
		from = last.Int64 - newest + 1
		size := from/digestParts + 1
		begin, end := part*size, min((part+1)*size, from)-1
		if part == 0 {
			begin = math.MinInt64
		}
		if err := t.add(ctx, db, h, query, begin, end); err != nil {
			return nil, err
		}
	}
	err := t.add(ctx, db, h, query, from, int64(math.MaxInt64))
	return h.Sum(nil), err
}

// add hashes the rows of a query.
func (t *summedTable) add(ctx context.Context, db queryer, h hash.Hash, query string, args ...any) error {
	values, to := make([]any, len(t.columns)), make([]any, len(t.columns))
	for i := range values {
		to[i] = &values[i]
	}
	var row []byte
	return each(ctx, db, func(scan scanner) error {
		if err := scan(to...); err != nil {
			return err
		}
		row = row[:0]
		for _, v := range values {
			switch v := v.(type) {
			case nil:
				row = append(row, 'n')
			case int64:
				row = strconv.AppendInt(append(row, 'i'), v, 36)
			case float64:
				row = binary.BigEndian.AppendUint64(append(row, 'r'), math.Float64bits(v))
			case string:
				row = append(binary.AppendUvarint(append(row, 't'), uint64(len(v))), v...)
			case []byte:
				row = append(binary.AppendUvarint(append(row, 'b'), uint64(len(v))), v...)
			default:
				return fmt.Errorf("a %T", v)
			}
		}
		_, _ = h.Write(row)
		return nil
	}, query, args...)
}
