package store

import (
	"context"
	"fmt"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
)

// AddSanction keeps a mute or a ban and returns its number, whatever v.ID says.
func (s *Store) AddSanction(ctx context.Context, v lobby.Sanction) (int64, error) {
	var key any
	if v.Key != nil {
		key = v.Key[:]
	}
	return s.insert(ctx, "sanction", `INSERT INTO sanctions (kind, player, name, skeleton, key, net, until, why, actor, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		v.Kind, v.Player, v.Name, text.Skeleton(v.Name), key, v.Net, nanos(v.Until), v.Why, v.By, nanos(v.At))
}

// LiftSanction ends all sanctions of a kind that are in force against whom, which is a name (whatever looks like it), an
// address as the sanction has it, or the sanction's number, and tells how many they were. A name begins with a letter, so
// a number is never one.
func (s *Store) LiftSanction(ctx context.Context, kind, whom string, now time.Time) (lifted int, err error) {
	err = s.writer.do(ctx, func(tx *tx) error {
		res, err := tx.exec(`UPDATE sanctions SET lifted = ?1 WHERE kind = ?2 AND lifted IS NULL AND (until IS NULL OR until > ?1)
			AND (name <> '' AND skeleton = ?3 OR net <> '' AND net = ?4 OR CAST(id AS TEXT) = ?4)`,
			nanos(now), kind, text.Skeleton(whom), whom)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		lifted = int(n)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("lift the %s of %q: %w", kind, whom, err)
	}
	return lifted, nil
}

// Sanctions returns those in force, the newest first.
func (s *Store) Sanctions(ctx context.Context, now time.Time) ([]lobby.Sanction, error) {
	all, err := collect(ctx, s.entrance, scanSanction, `SELECT id, kind, player, name, key, net, until, why, actor, at FROM sanctions
		WHERE lifted IS NULL AND (until IS NULL OR until > ?) ORDER BY id DESC`, nanos(now))
	if err != nil {
		return nil, fmt.Errorf("sanctions: %w", translate(err))
	}
	return all, nil
}

func scanSanction(scan scanner) (v lobby.Sanction, err error) {
	var key []byte
	err = scan(&v.ID, &v.Kind, &v.Player, &v.Name, &key, &v.Net, timeOf{&v.Until}, &v.Why, &v.By, timeOf{&v.At})
	if key != nil {
		v.Key = new(lobby.KeyID)
		copy(v.Key[:], key)
	}
	return v, err
}

// Audit keeps what an operator did.
func (s *Store) Audit(ctx context.Context, e lobby.AuditEntry) error {
	_, err := s.insert(ctx, "audit log", `INSERT INTO audit (at, actor, did, whom, why) VALUES (?, ?, ?, ?, ?) RETURNING id`,
		nanos(e.At), e.By, e.Did, e.Whom, e.Why)
	return err
}

// AuditLog returns what operators did, the newest first.
func (s *Store) AuditLog(ctx context.Context, limit int) ([]lobby.AuditEntry, error) {
	all, err := collect(ctx, s.read, func(scan scanner) (e lobby.AuditEntry, err error) {
		return e, scan(timeOf{&e.At}, &e.By, &e.Did, &e.Whom, &e.Why)
	}, `SELECT at, actor, did, whom, why FROM audit ORDER BY id DESC LIMIT ?`, limit)
	if err != nil {
		return nil, fmt.Errorf("audit log: %w", translate(err))
	}
	return all, nil
}

// AddReport keeps a complaint.
func (s *Store) AddReport(ctx context.Context, r lobby.Report) error {
	_, err := s.insert(ctx, "report", `INSERT INTO reports (at, player, about, text, place) VALUES (?, ?, ?, ?, ?) RETURNING id`,
		nanos(r.At), r.By, r.About, r.Text, r.Where)
	return err
}

// Reports returns complaints, the newest first.
func (s *Store) Reports(ctx context.Context, limit int) ([]lobby.Report, error) {
	all, err := collect(ctx, s.read, func(scan scanner) (r lobby.Report, err error) {
		return r, scan(timeOf{&r.At}, &r.By, &r.Name, &r.About, &r.Text, &r.Where)
	}, `SELECT reports.at, reports.player, coalesce(accounts.name, ''), reports.about, reports.text, reports.place
		FROM reports LEFT JOIN accounts ON accounts.id = reports.player ORDER BY reports.id DESC LIMIT ?`, limit)
	if err != nil {
		return nil, fmt.Errorf("reports: %w", translate(err))
	}
	return all, nil
}
