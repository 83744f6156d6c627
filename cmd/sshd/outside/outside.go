// Package outside tells the world what a club makes public: an Atom feed and a calendar in files that any web server
// may serve, and a message to a webhook for each piece of news. It must not know anything that is not public, and
// nobody in the club waits for it.
package outside

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"boneyard/lobby"
	"boneyard/table"
)

// Config says what is told, and where.
type Config struct {
	Folder  string // for the files; empty: none are written
	Hook    Hook
	Address string // what ssh is called with
	Log     *slog.Logger
}

// Club is what is told of; a [lobby.Lobby] is one.
type Club interface {
	ClubID() string
	Public(ctx context.Context) (*lobby.Public, error)
}

// Teller tells the world. Its methods may be called by any goroutine.
type Teller struct {
	cfg  Config
	hook *poster // nil: there is none
	wake chan struct{}
	end  context.CancelFunc // nil before Start
	done chan struct{}
}

// New returns a Teller that says nothing yet.
func New(cfg Config) *Teller {
	t := &Teller{cfg: cfg, wake: make(chan struct{}, 1), done: make(chan struct{})}
	if cfg.Hook.URL != "" {
		t.hook = newPoster(cfg.Hook, cfg.Log)
	}
	return t
}

// Told is the lobby's Deps.Outside.
func (t *Teller) Told(n *lobby.NewsItem) {
	if n != nil && t.hook != nil {
		t.hook.put(*n)
	}
	table.Signal(t.wake)
}

// Start begins to tell. It is called once, when the club is open.
func (t *Teller) Start(c Club) {
	var ctx context.Context
	ctx, t.end = context.WithCancel(context.Background())
	go t.run(ctx, c)
	table.Signal(t.wake)
	if t.hook != nil {
		go t.hook.run(c.ClubID())
	}
}

// Close ends all goroutines. What waits for the webhook is posted if that does not take long.
func (t *Teller) Close() {
	if t.end == nil {
		return
	}
	t.end()
	<-t.done
	if t.hook != nil {
		t.hook.close()
	}
}

// How long it takes at least from one writing of the files to the next, and after a failure.
const (
	pause = 5 * time.Second
	again = time.Minute
)

func (t *Teller) run(ctx context.Context, c Club) {
	defer close(t.done)
	if t.cfg.Folder == "" {
		return
	}
	failed, wait := false, time.Duration(0)
	for {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		if !failed {
			select {
			case <-t.wake:
			case <-ctx.Done():
				return
			}
		}
		err := t.write(ctx, c)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !failed:
			t.cfg.Log.Error("publish: cannot write the files; trying again every minute", "err", err)
		case err == nil && failed:
			t.cfg.Log.Info("publish: the files are written again")
		}
		wait = pause
		if failed = err != nil; failed {
			wait = again
		}
	}
}

// write brings the files up to date.
func (t *Teller) write(ctx context.Context, c Club) error {
	p, err := c.Public(ctx)
	if err != nil {
		return err
	}
	atom, err := atomOf(p.News, c.ClubID(), t.cfg.Address)
	if err != nil {
		return err
	}
	if err := t.file("feed.atom", func([]byte) []byte { return atom }); err != nil {
		return err
	}
	return t.file("calendar.ics", func(old []byte) []byte { return calendarOf(p.Planned, c.ClubID(), t.cfg.Address, old) })
}

// file replaces a file by what make returns, unless it says that already. old is nil if there is none.
func (t *Teller) file(name string, make func(old []byte) []byte) error {
	path := filepath.Join(t.cfg.Folder, name)
	old, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	content := make(old)
	if bytes.Equal(old, content) {
		return nil
	}
	part := filepath.Join(t.cfg.Folder, "."+name+".part") // one that a kill has left is written anew
	if err := os.WriteFile(part, content, 0o644); err != nil {
		return err
	}
	if err := os.Chmod(part, 0o644); err != nil { // the web server's user reads it, whatever the umask is
		return err
	}
	return os.Rename(part, path)
}
