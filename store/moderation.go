package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
)

func (s *Store) AddSanction(ctx context.Context, v lobby.Sanction) (int64, error) {
	o := &addSanction{Sanction: v, Skeleton: text.Skeleton(v.Name)}
	err := s.run(ctx, o)
	return o.id, during(err, "sanction")
}

type addSanction struct {
	Sanction lobby.Sanction
	Skeleton string // of its name

	id int64
}

func (o *addSanction) apply(t *tx) error {
	v := &o.Sanction
	var key any
	if v.Key != nil {
		key = v.Key[:]
	}
	return t.queryRow(`INSERT INTO sanctions (kind, player, name, skeleton, key, net, until, why, actor, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		v.Kind, v.Player, v.Name, o.Skeleton, key, v.Net, nanos(v.Until), v.Why, v.By, nanos(v.At)).Scan(&o.id)
}

// LiftSanction ends all active sanctions of a kind against whom and returns how many there were. whom is a
// name (or one that looks like it), an address as the sanction has it, or the sanction's number. A name
// begins with a letter, so it is never a number.
func (s *Store) LiftSanction(ctx context.Context, kind, whom string, now time.Time) (lifted int, err error) {
	o := &liftSanction{Kind: kind, Whom: whom, At: now}
	if _, err := strconv.ParseInt(whom, 10, 64); err != nil && !strings.Contains(whom, "/") {
		o.Skeleton = text.Skeleton(whom) // a number or a network is no name, but may look like one
	}
	err = s.run(ctx, o)
	return o.lifted, during(err, "lift the %s of %q", kind, whom)
}

type liftSanction struct {
	Kind           string
	Whom, Skeleton string
	At             time.Time

	lifted int
}

func (o *liftSanction) apply(t *tx) error {
	n, err := t.changes(`UPDATE sanctions SET lifted = ?1 WHERE kind = ?2 AND lifted IS NULL AND (until IS NULL OR until > ?1)
		AND (name <> '' AND skeleton = ?3 OR net <> '' AND net = ?4 OR CAST(id AS TEXT) = ?4)`,
		nanos(o.At), o.Kind, o.Skeleton, o.Whom)
	o.lifted = int(n)
	return err
}

func (s *Store) Sanctions(ctx context.Context, now time.Time) ([]lobby.Sanction, error) {
	all, err := collect(ctx, s.entrance, scanSanction, `SELECT id, kind, player, name, key, net, until, why, actor, at FROM sanctions
		WHERE lifted IS NULL AND (until IS NULL OR until > ?) ORDER BY id DESC`, nanos(now))
	return all, during(err, "sanctions")
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

func (s *Store) Audit(ctx context.Context, e lobby.AuditEntry) error {
	return during(s.run(ctx, &addAudit{Entry: e}), "audit log")
}

type addAudit struct{ Entry lobby.AuditEntry }

func (o *addAudit) apply(t *tx) error {
	e := &o.Entry
	return t.exec(`INSERT INTO audit (at, actor, did, whom, why) VALUES (?, ?, ?, ?, ?)`, nanos(e.At), e.By, e.Did, e.Whom, e.Why)
}

func (s *Store) AuditLog(ctx context.Context, limit int) ([]lobby.AuditEntry, error) {
	all, err := collect(ctx, s.read, func(scan scanner) (e lobby.AuditEntry, err error) {
		return e, scan(timeOf{&e.At}, &e.By, &e.Did, &e.Whom, &e.Why)
	}, `SELECT at, actor, did, whom, why FROM audit ORDER BY id DESC LIMIT ?`, limit)
	return all, during(err, "audit log")
}

// Limits on stored reports. Beyond them, the oldest report of the most frequent reporter is deleted: many
// reports by a few do not displace single reports by many.
const (
	reportsKept   = 2_000
	reportsEach   = 50    // of one member about different people
	reportsGuests = 500   // of all guests together, from when they were one reporter
	reportText    = 1_000 // bytes of one row, of which the newest are kept
)

func (s *Store) AddReport(ctx context.Context, r lobby.Report) (last time.Time, err error) {
	o := &fileReport{Report: r, Skeleton: text.Skeleton(r.About)}
	if r.By.Guest() {
		o.Report.By = reporter(r.Network)
	}
	o.Report.Network = ""
	err = s.run(ctx, o)
	return o.last, during(err, "report")
}

// reporter returns the number under which reports by guests from a network are stored: below 0; 0 if it is
// unknown.
func reporter(network string) table.PlayerID {
	if network == "" {
		return 0
	}
	sum := sha256.Sum256([]byte(network))
	return -1 - table.PlayerID(binary.BigEndian.Uint64(sum[:])>>12)
}

// addReport is fileReport from when all guests were one reporter.
type addReport fileReport

func (o *addReport) apply(t *tx) (err error) {
	by, most := o.Report.By, reportsEach
	if by.Guest() {
		by, most = 0, reportsGuests
	}
	o.last, err = t.report(&o.Report, by, o.Skeleton, most)
	return err
}

type fileReport struct {
	Report   lobby.Report // by a member, or by reporter
	Skeleton string       // of the name of the person it is about

	last time.Time
}

func (o *fileReport) apply(t *tx) (err error) {
	o.last, err = t.report(&o.Report, o.Report.By, o.Skeleton, reportsEach)
	return err
}

// report stores a report, and deletes the reporter's oldest beyond most. It returns the time of an earlier
// one about the same person.
func (t *tx) report(r *lobby.Report, by table.PlayerID, skeleton string, most int) (last time.Time, err error) {
	var id int64
	var before string
	switch err := t.queryRow(`SELECT id, at, text FROM reports WHERE player = ? AND skeleton = ?`, by,
		skeleton).Scan(&id, timeOf{&last}, &before); {
	case err == nil:
		err = t.exec(`UPDATE reports SET at = ?, text = ?, place = ?, times = times + 1 WHERE id = ?`,
			nanos(r.At), joinReports(before, r.Text), r.Where, id)
		return last, err
	case !isNone(err):
		return last, err
	}
	err = t.exec(`INSERT INTO reports (at, player, about, skeleton, text, place) VALUES (?, ?, ?, ?, ?, ?)`,
		nanos(r.At), by, r.About, skeleton, r.Text, r.Where)
	if err != nil {
		return last, err
	}
	err = t.exec(`DELETE FROM reports WHERE id = (SELECT id FROM reports WHERE player = ?
		ORDER BY at DESC, id DESC LIMIT 1 OFFSET ?)`, by, most)
	if err != nil {
		return last, err
	}
	err = t.exec(`DELETE FROM reports WHERE (SELECT count(*) FROM reports) > ? AND id = (SELECT id FROM reports
		WHERE player = (SELECT player FROM reports GROUP BY player ORDER BY count(*) DESC, min(at), player LIMIT 1)
		ORDER BY at, id LIMIT 1)`, reportsKept)
	return last, err
}

// joinReports joins two reports by one person about another. If both are too long, the beginning is dropped.
func joinReports(before, now string) string {
	if strings.Contains(before, now) {
		return before
	}
	all := before + " / " + now
	if cut := len(all) - reportText; cut > 0 {
		all = strings.ToValidUTF8(all[cut:], "")
	}
	return all
}

func (s *Store) Reports(ctx context.Context, limit int) ([]lobby.Report, error) {
	all, err := collect(ctx, s.read, func(scan scanner) (r lobby.Report, err error) {
		err = scan(timeOf{&r.At}, &r.By, &r.Name, &r.About, &r.Text, &r.Where, &r.Times)
		r.By = max(r.By, 0)
		return r, err
	}, `SELECT reports.at, reports.player, coalesce(accounts.name, ''), reports.about, reports.text, reports.place, reports.times
		FROM reports LEFT JOIN accounts ON accounts.id = reports.player ORDER BY reports.at DESC, reports.id DESC LIMIT ?`, limit)
	return all, during(err, "reports")
}
