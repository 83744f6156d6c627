package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Digest is a hash of all members, teams and standings after an entry of the log. The nodes of a club have
// the same at the same position.
type Digest struct {
	Position uint64
	Sum      string // SHA-256, hexadecimal; empty before the first
}

// digestEvery is how many entries of the log there are between two digests.
var digestEvery uint64 = 10_000

// keepBase keeps the digest of the file before the first entry of its log.
func (s *Store) keepBase() (sum string, err error) {
	ctx := context.Background()
	err = s.writer.do(ctx, func(t *tx) error {
		if sum, err = digestOf(ctx, t); err != nil {
			return err
		}
		return t.change(`UPDATE replica SET base = ? WHERE id = 1`, sum)
	})
	return sum, err
}

// digest computes the digest after an entry in the background, from a snapshot: later entries do not wait for it.
func (r *replica) digest(ctx context.Context, at uint64) {
	snapshot, err := r.snapshot(ctx, at)
	if err != nil {
		r.store.warn(fmt.Errorf("digest of the standings: %w", err))
		return
	}
	r.summing.Go(func() {
		defer func() { _ = snapshot.Rollback() }()
		sum, err := digestOf(ctx, snapshot)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			r.store.warn(fmt.Errorf("digest of the standings: %w", err))
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if at > r.at.Digest.Position { // a later one may have been faster
			r.at.Digest = Digest{at, sum}
			r.tell()
		}
	})
}

// snapshot is the file after an entry, which is the last that was applied.
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

// digestOf is the Sum of a digest of what is in the file now.
func digestOf(ctx context.Context, db queryer) (sum string, err error) {
	h := sha256.New()
	_, err = collect(ctx, db, func(scan scanner) (struct{}, error) {
		var kind, name string
		var id int64
		err := scan(&kind, &id, &name)
		fmt.Fprintf(h, "%s %d %s\n", kind, id, name)
		return struct{}{}, err
	}, `SELECT 'member', id, name FROM accounts UNION ALL SELECT 'team', id, name FROM teams ORDER BY 1, 2`)
	if err != nil {
		return "", err
	}
	rows, err := dump(ctx, db)
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(h, "%s\n%s\n", key, rows[key])
	}
	return hex.EncodeToString(h.Sum(nil)), err
}
