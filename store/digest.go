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

// Digest sums up the tables of a file after an entry of the log. The nodes of a club have the same at the same position.
//
// Of a table with many rows it has the newest, and one in [digestParts] of the others, the next at the next
// position: so all are compared in time, and a digest takes little of it, however large the file. After
// [Store.CompareFiles] it has all.
type Digest struct {
	Position uint64
	Layout   string   // hash of which tables, columns and migrations there are; digests of different ones cannot be compared
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

var digestNew int64 = 10_000 // rows of a table that are in each digest

const (
	digestParts = 64
	allParts    = -1 // in the place of one of them
	digestLines = 40 // rows for a number that is only the first part of a key, as a game's lines in the journal
)

// keepBase keeps a sum of the file before the first entry of its log.
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

// OtherLayout reports whether two bases are of files that could not be compared when their logs began:
// programs of different versions had made them. The bases of old versions do not say which layout they had.
func OtherLayout(base, other string) bool {
	layout, _, known := strings.Cut(base, "/")
	others, _, alike := strings.Cut(other, "/")
	return known != alike || known && layout != others
}

// distrusted is the base of a file that is known to differ from those of the other nodes.
const distrusted = "differs"

// Distrust notes in the file that it differs from those of the other nodes: it follows their log no more.
func (s *Store) Distrust() error {
	return s.writer.do(context.Background(), func(t *tx) error {
		return t.change(`UPDATE replica SET base = ? WHERE id = 1`, distrusted)
	})
}

// GoAlone notes in a file that was a node's that it is no longer: what is changed from now on is not in the log.
// [BeginLog] makes it one again.
func (s *Store) GoAlone(ctx context.Context) error {
	at, err := readReplica(ctx, s.keep)
	if err != nil || at.Position == 0 || at.Base == distrusted {
		return translate(err)
	}
	return s.Distrust()
}

// compareFiles changes nothing: after it each node takes a digest of its whole file.
type compareFiles struct{}

func (*compareFiles) apply(*tx) error { return nil }

var comparesFiles = kindOf((*compareFiles)(nil))

// CompareFiles has each node that follows the log take a digest of its whole file at the same entry.
func (s *Store) CompareFiles(ctx context.Context) error { return s.replica.run(ctx, &compareFiles{}) }

// summing is a digest that is being computed, or waits for that, from a snapshot: later entries do not wait for it.
type summing struct {
	at       uint64 // the entry after which it is
	part     int64
	snapshot *sql.Tx
}

// digest has the digest after an entry computed in the background. One of a whole file may take long: until it is done
// there is none of a part, and one more of the whole takes the place of one that has not begun. So all nodes compute the
// last one that was asked for, however slow they are.
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

// summed counts a digest that waits no more.
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
	key     []string // those of them that are the primary key, in order
	number  bool     // the first of the key is a whole number
}

// digestOf is the digest of what is in the file now, with a part of the tables that are large, or allParts.
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

// summedTables are all tables but those that belong to one node's file: mark, the times of its migrations, and of replica
// what came before the log. A virtual table is in those that it keeps.
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
		AND NOT (t.name = 'replica' AND c.name = 'base') ORDER BY t.name, c.name`) // the order of columns is that of the migrations
	return all, err
}

// sum hashes the rows of a table, or of one that is large the newest and a part of the others, if not all are
// wanted.
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

// add hashes the rows that a query answers.
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
