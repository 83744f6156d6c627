package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"
)

// looker verifies a data file after it was opened, so that players need not wait: a large one that was closed
// in order. Until it is done, nothing is written to the data file itself; all changes stay in the log. So a
// damaged file is left as it was. If the check was interrupted or found damage, the next start finds a log,
// and then verifies the file first.
type looker struct {
	path  string
	bytes int64

	stop context.CancelFunc
	done chan struct{} // closed at the end of the check
	err  error         // nil: sound; context.Canceled: unknown; valid after done
}

// lookAgain is the pause after a check that could not be made.
const lookAgain = time.Minute

// start starts the check.
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
		case l.err == nil && o.Looked != nil:
			o.Looked(l.bytes, time.Since(began))
		case l.err != nil && ctx.Err() != nil && !errors.Is(l.err, ErrDamaged):
			l.err = context.Canceled
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
	case <-l.done:
		return l.err == nil
	default:
		return false
	}
}

// end stops the check. It reports whether the file is known to be sound, or returns the damage.
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

// mayLookLater reports whether the last writer of a file closed it in order and had this program's schema:
// the data file has everything that was acknowledged, and there is no log.
func mayLookLater(path string, l look) (bool, error) {
	log, err := hasLog(path)
	m := l.mark
	b := l.beside
	return !log && m.file != 0 && b.file == m.file && b.run == m.run && b.commits == m.commits &&
		b.base == m.commits && len(l.schema.lacks) == 0, err
}

// OpenReadOnly opens a data file for reading, even while a server uses it, and changes nothing. Do not call
// methods of the Store that write. A file that cannot be trusted is refused, as by [Open]. If an older
// program wrote the file, OpenReadOnly reads an upgraded copy.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
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
