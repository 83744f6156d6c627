package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"boneyard/rules"
	"boneyard/table"
)

// chatKept is how many lines of the chat of a table or event are kept.
const chatKept = 200

func (s *Store) NextTable(ctx context.Context) (table.ID, error) {
	n, err := s.next(ctx, "table")
	return table.ID(n), err
}

func (s *Store) NextGame(ctx context.Context) (table.GameID, error) {
	n, err := s.next(ctx, "game")
	return table.GameID(n), err
}

func (s *Store) next(ctx context.Context, name string) (n int64, err error) {
	o := &nextNumber{Name: name}
	err = s.run(ctx, o)
	return o.number, during(err, "next number of a %s", name)
}

type nextNumber struct {
	Name string

	number int64
}

func (o *nextNumber) apply(t *tx) (err error) {
	o.number, err = t.next(o.Name)
	return err
}

func (t *tx) next(name string) (n int64, err error) {
	err = t.queryRow(`UPDATE numbers SET last = last + 1 WHERE name = ? RETURNING last`, name).Scan(&n)
	return n, err
}

// Commit writes a batch to disk and, with the end of a rated game, updates the standings. It does not wait:
// done is called once, after the commit, with the changes of ratings. The error is table.ErrConflict if the
// game does not have b.Seq lines, exists already although b begins it, or has ended; table.ErrUnavailable; or
// final: the batch makes no sense or refers to what does not exist. After an error nothing of the batch is on
// disk. Until done returns, all other writers wait.
func (s *Store) Commit(b *table.Batch, done func([]table.Delta, error)) {
	sealed, adds := &beginSealed{beginGame{commitBatch{Batch: b}}}, &addRows{b}
	begins, o := &sealed.beginGame, &sealed.commitBatch
	var kind operation = o
	switch {
	case b.Start != nil && b.Start.Event.Sealed && s.knows(sealed):
		kind = sealed
	case b.Start == nil || b.Start.Fair < fairWorth:
		if adds.hasAll() && s.knows(adds) {
			kind = adds
		}
	case s.knows(begins):
		kind = begins
	default: // while nodes are being upgraded, games begin by the rules that all of them know
		older, start := *b, *b.Start
		start.Fair = fairWorth - 1
		older.Start = &start
		o.Batch = &older
	}
	s.begin(kind, func(err error) {
		if err != nil {
			done(nil, fmt.Errorf("journal of table %d: %w", b.Table, answer(err)))
			return
		}
		done(o.changes, nil)
	})
}

// beginGame is a commitBatch that begins a game by rating rules that older programs do not know.
type beginGame struct{ commitBatch }

func (o *beginGame) apply(t *tx) error { return o.commitBatch.apply(t) }

// beginSealed is a beginGame in a sealed event. If the event ended before the table heard of it, the game is
// not sealed: nothing would unseal it later.
type beginSealed struct{ beginGame }

func (o *beginSealed) apply(t *tx) error {
	if err := o.beginGame.apply(t); err != nil {
		return err
	}
	return t.exec(`UPDATE games SET sealed = 0 WHERE id = ? AND EXISTS (SELECT 1 FROM events WHERE id = games.event AND over)`, o.Batch.Game)
}

// addRows is a commitBatch with only lines of a game and a state, as most are, in a form that is cheaper to
// write and read than JSON.
type addRows struct{ Batch *table.Batch }

func (o *addRows) apply(t *tx) error { return (&commitBatch{Batch: o.Batch}).apply(t) }

// hasAll reports whether AppendBinary writes everything in the batch.
func (o *addRows) hasAll() bool {
	rest := *o.Batch
	rest.Table, rest.Game, rest.Seq, rest.Rows, rest.State = 0, 0, 0, nil, nil
	return reflect.ValueOf(rest).IsZero()
}

// never encodes the zero time.
const never = math.MinInt64

func (o *addRows) AppendBinary(to []byte) ([]byte, error) {
	b := o.Batch
	to = binary.AppendVarint(slices.Grow(to, 256+len(b.State)), int64(b.Table))
	to = binary.AppendVarint(to, int64(b.Game))
	to = binary.AppendVarint(to, int64(b.Seq))
	to = binary.AppendUvarint(to, uint64(len(b.Rows)))
	for _, r := range b.Rows {
		at := int64(never)
		if !r.At.IsZero() {
			at = r.At.UnixNano()
		}
		to = binary.AppendVarint(appendPart(to, r.Line), at)
		to = binary.AppendVarint(appendPart(to, r.Command), int64(r.By))
	}
	return appendPart(to, b.State), nil
}

// UnmarshalBinary keeps a reference to from.
func (o *addRows) UnmarshalBinary(from []byte) error {
	p := unpacker{b: from}
	b := &table.Batch{Table: table.ID(p.signed()), Game: table.GameID(p.signed()), Seq: int(p.signed())}
	for n := p.number(); n > 0 && !p.short; n-- {
		r := table.Row{Line: string(p.part())}
		if at := p.signed(); at != never {
			r.At = time.Unix(0, at).UTC()
		}
		r.Command, r.By = string(p.part()), table.PlayerID(p.signed())
		b.Rows = append(b.Rows, r)
	}
	b.State = p.part()
	if p.short || len(p.b) > 0 {
		return errors.New("lines of a game are cut off")
	}
	o.Batch = b
	return nil
}

type commitBatch struct {
	Batch *table.Batch

	changes []table.Delta
}

func (o *commitBatch) apply(t *tx) (err error) {
	b := o.Batch
	if b.Start != nil {
		if err := t.insertGame(b); err != nil {
			return err
		}
	}
	if b.Game != 0 {
		if err := t.insertRows(b); err != nil {
			return err
		}
	}
	if b.Taken != nil {
		if err := t.takeSeats(b); err != nil {
			return err
		}
	}
	if b.End != nil {
		if o.changes, err = t.endGame(b); err != nil {
			return err
		}
	}
	if err := t.insertTableChat(b); err != nil {
		return err
	}
	return t.saveTable(b)
}

func (t *tx) insertGame(b *table.Batch) error {
	if b.Game == 0 || b.Seq != 0 || len(b.Rows) == 0 {
		return fmt.Errorf("game %d begins at line %d with %d lines: a game begins with its number and its first "+
			"lines", b.Game, b.Seq, len(b.Rows))
	}
	r, err := rules.Parse(b.Start.Rules)
	if err != nil {
		return fmt.Errorf("game %d: %w", b.Game, err)
	}
	if err := checkStart(b.Start); err != nil {
		return fmt.Errorf("game %d: %w", b.Game, err)
	}
	tags, err := t.tags(b.Start.Teams)
	if err != nil {
		return err
	}
	started := b.Rows[0].At
	err = t.exec(`INSERT INTO games (id, tbl, rules, preset, seats, rated, why, team1, team2, tag1, tag2, commitment, seed,
		started, fair, event, pairing, sealed)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		b.Game, b.Table, b.Start.Rules, r.Preset.String(), asJSON{b.Start.Seats}, b.Start.Rated, b.Start.Why,
		b.Start.Teams[0], b.Start.Teams[1], tags[0], tags[1], b.Start.Commit, b.Start.Seed, nanos(started), b.Start.Fair,
		b.Start.Event.ID, b.Start.Event.Pairing, b.Start.Event.Sealed)
	if taken(err) {
		return fmt.Errorf("game %d exists: %w", b.Game, table.ErrConflict)
	}
	if err != nil {
		return err
	}
	return t.indexGame(b.Game, b.Start, tags, started)
}

// checkStart rejects a rated game that the standings could not take. Whether it should be rated is decided
// elsewhere.
func checkStart(s *table.Start) error {
	if !s.Rated {
		return nil
	}
	if (s.Teams[0] == 0) != (s.Teams[1] == 0) || s.Teams[0] != 0 && s.Teams[0] == s.Teams[1] {
		return fmt.Errorf("a rated game between the teams %d and %d", s.Teams[0], s.Teams[1])
	}
	for i, p := range s.Seats {
		if p.ID <= 0 {
			return fmt.Errorf("a rated game, and no member at seat %d", i+1)
		}
		for _, q := range s.Seats[:i] {
			if p.ID == q.ID {
				return fmt.Errorf("a rated game, and player %d sits twice", p.ID)
			}
		}
	}
	return nil
}

// takeSeats records that players have taken over bots' seats in a casual game, which is then found by theirs.
func (t *tx) takeSeats(b *table.Batch) error {
	var rated bool
	var tags [2]string
	var started time.Time
	var before []table.Player
	s := table.Start{Seats: b.Taken}
	err := t.queryRow(`SELECT rules, seats, rated, tag1, tag2, started FROM games WHERE id = ? AND end_no IS NULL`, b.Game).
		Scan(&s.Rules, asJSON{&before}, &rated, &tags[0], &tags[1], timeOf{&started})
	if err != nil {
		return fmt.Errorf("seats of game %d: %w", b.Game, found(err))
	}
	if rated || len(before) != len(s.Seats) {
		return fmt.Errorf("game %d: its seats cannot be taken over", b.Game)
	}
	if err := t.exec(`UPDATE games SET seats = ? WHERE id = ?`, asJSON{s.Seats}, b.Game); err != nil {
		return err
	}
	err = t.exec(`INSERT INTO game_words (game_words, rowid, words) VALUES ('delete', ?, ?)`, b.Game,
		indexWords(s.Rules, before, tags, started))
	if err != nil {
		return err
	}
	return t.indexGame(b.Game, &s, tags, started)
}

func (t *tx) insertRows(b *table.Batch) error {
	var have int
	var over bool
	err := t.queryRow(`SELECT (SELECT coalesce(max(seq), 0) FROM journal WHERE game = games.id), end_no IS NOT NULL FROM games WHERE id = ?`,
		b.Game).Scan(&have, &over)
	switch {
	case isNone(err):
		return fmt.Errorf("game %d has not begun: %w", b.Game, table.ErrConflict)
	case err != nil:
		return err
	case have != b.Seq:
		return fmt.Errorf("game %d has %d lines, not %d: %w", b.Game, have, b.Seq, table.ErrConflict)
	case over && (len(b.Rows) > 0 || b.End != nil):
		return fmt.Errorf("game %d has ended: %w", b.Game, table.ErrConflict)
	}
	for i, r := range b.Rows {
		err := t.exec(`INSERT INTO journal (game, seq, line, at, command, player) VALUES (?, ?, ?, ?, ?, ?)`,
			b.Game, b.Seq+i+1, r.Line, nanos(r.At), r.Command, r.By)
		if err != nil {
			return err
		}
	}
	return nil
}

// endGame records how a game ended and adds it to the standings.
func (t *tx) endGame(b *table.Batch) ([]table.Delta, error) {
	if b.Game == 0 || len(b.Rows) == 0 {
		return nil, fmt.Errorf("game %d ends with %d lines: a game ends with its number and its last lines", b.Game, len(b.Rows))
	}
	list := func(of []int) asJSON { return asJSON{append([]int{}, of...)} } // never null
	number, err := t.next("end")
	if err != nil {
		return nil, err
	}
	err = t.exec(`UPDATE games SET rated = rated AND ?, ended = ?, end_no = ?, ending = ?, winner = ?, scores = ?, rounds = ?, best = ?,
		best_by = ?, deficit = ?, leavers = ?, plays = ?, own = ?, nets = iif(rated AND fair >= ?, ?, nets) WHERE id = ?`,
		b.End.Rated, nanos(b.Rows[len(b.Rows)-1].At), number, string(b.End.Ending), b.End.Winner, asJSON{b.End.Scores}, b.End.Rounds,
		b.End.Best, b.End.BestBy, b.End.Deficit, list(b.End.Leavers), list(b.End.Plays), list(b.End.Own), fairWorth,
		asJSON{append([]string{}, b.Nets...)}, b.Game)
	if err != nil {
		return nil, err
	}
	changes, err := t.takeGame(b.Game)
	if err != nil {
		return nil, err
	}
	err = t.exec(`UPDATE games SET changes = ? WHERE id = ?`, asJSON{changes}, b.Game)
	return changes, err
}

// insertTableChat stores lines of a table's chat. Now and then it deletes old ones: tables may last for days.
func (t *tx) insertTableChat(b *table.Batch) error {
	const every = 256
	for _, l := range b.Chat {
		err := t.exec(`INSERT INTO table_chat (tbl, room, seq, at, speaker, text, house) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			b.Table, string(l.Room), l.Seq, nanos(l.At), asJSON{l.From}, l.Text, l.House)
		if taken(err) {
			return fmt.Errorf("line %d of the chat of %s exists: %w", l.Seq, l.Room, table.ErrConflict)
		}
		if err != nil {
			return err
		}
		if l.Seq%every == 0 {
			err := t.exec(`DELETE FROM table_chat WHERE tbl = ?1 AND id <=
				(SELECT id FROM table_chat WHERE tbl = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)`, b.Table, chatKept)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// saveTable stores a table's state. A closed table is deleted with its chat.
func (t *tx) saveTable(b *table.Batch) error {
	if b.Final {
		err := t.exec(`DELETE FROM tables WHERE id = ?`, b.Table)
		if err == nil {
			err = t.exec(`DELETE FROM table_chat WHERE tbl = ?`, b.Table)
		}
		return err
	}
	if b.State != nil {
		return t.exec(`INSERT INTO tables (id, state, game) VALUES (?1, ?2, ?3)
			ON CONFLICT (id) DO UPDATE SET state = excluded.state, game = iif(?3 = 0, game, ?3)`, b.Table, string(b.State), b.Game)
	}
	if b.Start != nil {
		err := t.change(`UPDATE tables SET game = ? WHERE id = ?`, b.Game, b.Table)
		if isNone(err) {
			return errors.New("a game begins at a table without a state")
		}
		return err
	}
	return nil
}

// nanos encodes a time in Unix nanoseconds, the zero time as NULL.
func nanos(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}
