package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// looker verifies a data file that was opened unseen, as a big one is that was closed in order: players need
// not wait for it. Until it is done nothing is written to the data file itself: what is done meanwhile is in
// the log, from the first moment on. So a file that turns out to be damaged is as it was, and a start that
// finds a log, because the last run did not get to the end of its look or did not like what it saw, looks
// first.
type looker struct {
	path  string
	bytes int64

	stop  context.CancelFunc
	sound chan struct{} // closed when the file is found sound
	wrong chan error    // why it is not, once; of capacity one
	done  chan struct{}
	err   error // nil: sound; context.Canceled: nobody knows; valid after done
}

func newLooker(path string, bytes int64) *looker {
	return &looker{path: path, bytes: bytes, sound: make(chan struct{}), wrong: make(chan error, 1), done: make(chan struct{})}
}

// lookAgain is how long after a look that could not be made the next one begins.
const lookAgain = time.Minute

// start starts the check. It reports damage to the writer.
func (l *looker) start(o Options) {
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	began := time.Now()
	go func() {
		defer close(l.done)
		for {
			l.err = twice(func() error { return l.look(ctx) })
			if !unseen(l.err) || ctx.Err() != nil {
				break
			}
			select {
			case <-time.After(lookAgain):
			case <-ctx.Done():
			}
		}
		switch {
		case l.err == nil:
			if o.Looked != nil {
				o.Looked(l.bytes, time.Since(began))
			}
			close(l.sound)
		case ctx.Err() != nil && !errors.Is(l.err, ErrDamaged):
			l.err = context.Canceled
		default:
			l.wrong <- l.err
		}
	}()
}

// look checks a snapshot of the file.
func (l *looker) look(ctx context.Context) error {
	db, err := openPool(l.path, readOnly, 1)
	if err != nil {
		return err
	}
	return errors.Join(checkSound(ctx, db), db.Close())
}

// mayWrite reports whether the data file itself may be written to. With a nil looker it may.
func (l *looker) mayWrite() bool {
	if l == nil {
		return true
	}
	select {
	case <-l.sound:
		return true
	default:
		return false
	}
}

// complaint receives why the file is not sound, if it is found not to be. A nil looker has none.
func (l *looker) complaint() <-chan error {
	if l == nil {
		return nil
	}
	return l.wrong
}

// end ends the check, and returns whether the file is known to be sound or, if it is damaged, the error.
func (l *looker) end() (sound bool, err error) {
	if l == nil {
		return true, nil
	}
	l.stop()
	<-l.done
	if errors.Is(l.err, context.Canceled) {
		return false, nil
	}
	return l.err == nil, l.err
}

// mayLookLater reports whether whoever wrote to a file last did all of it, this program's schema included: the data file has
// all that was acknowledged, and there is no log.
func mayLookLater(path string, l look) (bool, error) {
	log, err := hasLog(path)
	m := l.mark
	b := l.beside
	return !log && m.file != 0 && b.file == m.file && b.run == m.run && b.commits == m.commits &&
		b.base == m.commits && len(l.schema.lacks) == 0, err
}

// Look opens a data file to read it, whether a server has it open or not, and changes nothing. Whatever would
// change the file must not be called on the Store. A file that cannot be trusted is refused, as by [Open]. Of
// a file of an older program, a copy is read that has been brought up to date.
func Look(ctx context.Context, path string) (*Store, error) {
	name := path
	path, done, err := upToDate(ctx, path)
	var db *sql.DB
	if err == nil {
		db, err = openExisting(ctx, path)
	}
	if err != nil {
		done()
		return nil, fmt.Errorf("read %s: %w", name, judge(err))
	}
	r := newReaders(db, DefaultOptions())
	return &Store{read: r, entrance: r, close: sync.OnceValue(func() error {
		defer done()
		return db.Close()
	})}, nil
}
