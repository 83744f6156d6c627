// Package outside publishes what is public about a club: an Atom feed and a calendar, in files that any web
// server may serve, and a webhook message for each news item. It must not know anything that is not public,
// and nobody in the club waits for it.
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

// Config says what is published, and where.
type Config struct {
	Folder  string // for the files; empty for none
	Hook    Hook
	Address string // the club's address for ssh
	Log     *slog.Logger
}

// Club is the source of what is published; a [lobby.Lobby] is one.
type Club interface {
	ClubID() string
	Public(ctx context.Context) (*lobby.Public, error)
}

// Teller publishes. Its methods may be called by any goroutine.
type Teller struct {
	cfg  Config
	hook *poster // nil without a webhook
	wake chan struct{}
	end  context.CancelFunc // nil before Start
	done chan struct{}
}

// New returns a Teller that does not publish yet.
func New(cfg Config) *Teller {
	t := &Teller{cfg: cfg, wake: make(chan struct{}, 1), done: make(chan struct{})}
	if cfg.Hook.URL != "" {
		t.hook = newPoster(cfg.Hook, cfg.Log)
	}
	return t
}

// Told is for the lobby's Deps.Outside.
func (t *Teller) Told(n *lobby.NewsItem) {
	if n != nil && t.hook != nil {
		t.hook.put(*n)
	}
	table.Signal(t.wake)
}

// Start starts publishing. It is called once, when the club is open.
func (t *Teller) Start(c Club) {
	var ctx context.Context
	ctx, t.end = context.WithCancel(context.Background())
	go t.run(ctx, c)
	table.Signal(t.wake)
	if t.hook != nil {
		go t.hook.run(c.ClubID())
	}
}

// Close ends all goroutines. It posts what waits for the webhook if that does not take long.
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

// The least time between two writings of the files, and after a failure.
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

// write updates the files.
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

// file replaces a file by the result of make, if they differ. old is nil if there is no file.
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
	part := filepath.Join(t.cfg.Folder, "."+name+".part") // a leftover of a killed process is overwritten
	if err := os.WriteFile(part, content, 0o644); err != nil {
		return err
	}
	if err := os.Chmod(part, 0o644); err != nil { // the web server's user reads it, whatever the umask
		return err
	}
	return os.Rename(part, path)
}
