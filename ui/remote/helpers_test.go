package remote_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/remote"
)

// club is a club with people who give commands over ssh.
type club struct{ *lobbytest.Club }

// bubble runs a test with a club, in which time stands still while anybody works.
func bubble(t *testing.T, f func(t *testing.T, c *club), change ...func(*lobby.Config)) {
	t.Helper()
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) { f(t, &club{c}) }, change...)
}

// person is somebody with a key.
type person struct {
	c    *club
	key  lobby.KeyID
	boss bool // an operator
}

// member makes somebody with an account.
func (c *club) member(name string) *person {
	c.T.Helper()
	p := c.stranger()
	_, err := c.Register(context.Background(), lobby.Origin{Key: p.key}, name)
	require.NoError(c.T, err)
	return p
}

// stranger is somebody with a key, but without an account.
func (c *club) stranger() *person {
	return &person{c: c, key: c.NewKey()}
}

func (p *person) origin() lobby.Origin {
	return lobby.Origin{Key: p.key, Net: fmt.Sprintf("10.0.0.%d", p.key[1]), Operator: p.boss}
}

func (p *person) account() *lobby.Account {
	a, err := p.c.Account(context.Background(), p.key)
	if err != nil {
		return nil
	}
	return a
}

// enter lets the person in.
func (p *person) enter() *lobby.Visit {
	p.c.T.Helper()
	v, err := p.c.Enter(context.Background(), p.account(), p.origin())
	require.NoError(p.c.T, err)
	return v
}

// session is a command of a person; nil is a guest.
func (c *club) session(p *person, words string) remote.Session {
	s := remote.Session{
		Caller: feature.Caller{Club: c.Lobby, Out: io.Discard, Address: "club.example.org", Log: slog.New(slog.DiscardHandler),
			Origin: lobby.Origin{Net: "10.9.9.9"}},
		Command: strings.Fields(words), In: incoming(strings.NewReader("")), Err: io.Discard,
	}
	if p != nil {
		s.Key, s.Account, s.Origin = &p.key, p.account(), p.origin()
	}
	return s
}

// sent is a caller's input, as the server passes it on.
type sent struct {
	mu    sync.Mutex
	text  bytes.Buffer
	err   error
	ready chan struct{}
}

// incoming takes what r has, until it ends.
func incoming(r io.Reader) *sent {
	s := &sent{ready: make(chan struct{}, 1)}
	go func() {
		for b := make([]byte, 100); s.err == nil; table.Signal(s.ready) {
			n, err := r.Read(b)
			s.mu.Lock()
			s.text.Write(b[:n])
			s.err = err
			s.mu.Unlock()
		}
	}()
	return s
}

func (s *sent) Ready() <-chan struct{} { return s.ready }

// Read is called when there is input: in tests, only after Ready.
func (s *sent) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, _ := s.text.Read(p)
	if s.text.Len() > 0 || n > 0 && s.err != nil {
		table.Signal(s.ready)
		return n, nil
	}
	return n, s.err
}

// run carries out a command to its end.
func (c *club) run(p *person, words string) (status int, out, errs string) {
	c.T.Helper()
	var o, e bytes.Buffer
	s := c.session(p, words)
	s.Out, s.Err = &o, &e
	status = remote.Run(context.Background(), &s)
	if strings.Contains(words, "--json") {
		described(c.T, words, o.String())
	}
	return status, o.String(), e.String()
}

// described fails for lines that are not JSON objects, or have a field that no object of docs/commands.md has.
func described(t *testing.T, words, out string) {
	t.Helper()
	known := make(map[string]bool)
	for _, o := range remote.Objects() {
		for _, f := range o.Fields {
			known[f[0]] = true
		}
	}
	for line := range strings.Lines(out) {
		var fields map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &fields), "%s: %s", words, line)
		for name := range fields {
			require.True(t, known[name], "%s writes %q, which is not described", words, name)
		}
	}
}

// ok carries out a command that must succeed without a word on the error stream.
func (c *club) ok(p *person, words string) string {
	c.T.Helper()
	status, out, errs := c.run(p, words)
	require.Equal(c.T, 0, status, errs)
	require.Empty(c.T, errs)
	return out
}

// table makes an open table of two seats at which both sit, and lets the game begin.
func (c *club) table(rule string, people ...*lobby.Visit) *table.Table {
	c.T.Helper()
	return c.tableWith(func(*table.Config) {}, rule, people...)
}

// tableWith is table with other settings.
func (c *club) tableWith(change func(*table.Config), rule string, people ...*lobby.Visit) *table.Table {
	c.T.Helper()
	ctx := context.Background()
	cfg := table.DefaultConfig()
	r, err := rules.Parse(rule)
	require.NoError(c.T, err)
	cfg.Rules, cfg.RuleText, cfg.Fill, cfg.Pace, cfg.Seats = r, rule, table.FillNever, table.PaceNone, len(people)
	change(&cfg)
	tab, err := people[0].NewTable(ctx, cfg)
	require.NoError(c.T, err)
	for _, v := range people[1:] {
		require.NoError(c.T, v.Do(ctx, tab.ID(), table.Sit{}))
	}
	for _, v := range people {
		require.NoError(c.T, v.Do(ctx, tab.ID(), table.Ready{On: true}))
	}
	time.Sleep(6 * time.Second) // the countdown
	synctest.Wait()
	require.Equal(c.T, table.Playing, tab.Summary().State)
	return tab
}

// playOut has people play to the end of the game, each taking the first thing that may be played.
func (c *club) playOut(tab *table.Table, people ...*lobby.Visit) {
	c.T.Helper()
	for range 2000 {
		if c.step(tab, people...) {
			return
		}
	}
	c.T.Fatal("the game does not end")
}

// step makes one move, and reports whether the game is over.
func (c *club) step(tab *table.Table, people ...*lobby.Visit) bool {
	c.T.Helper()
	ctx := context.Background()
	synctest.Wait()
	switch s := tab.Summary(); s.State {
	case table.Finished:
		return true
	case table.Playing:
		v := people[s.Turn-1]
		view := c.view(tab, v)
		if view.Play.Duty != rules.Play {
			time.Sleep(time.Second) // the table draws or passes
			return false
		}
		o := view.Play.Options[0]
		require.NoError(c.T, v.Do(ctx, tab.ID(), table.Move{
			Version: view.Version, Move: rules.Move{Kind: rules.Play, Tile: o.Tile, Arm: o.Arm},
		}))
	default:
		time.Sleep(time.Second)
	}
	time.Sleep(time.Second) // and the limit of commands
	return false
}

func (c *club) view(tab *table.Table, v *lobby.Visit) *table.View {
	c.T.Helper()
	sub, err := tab.Subscribe(v.Player(), "")
	require.NoError(c.T, err)
	defer sub.Close()
	return sub.View()
}

// published lets the club show what has happened.
func published() {
	time.Sleep(time.Second)
	synctest.Wait()
}

func run(s remote.Session) int { return remote.Run(context.Background(), &s) }

// seat is a seat of a table as the club shows it.
func (c *club) seat(id table.ID, n rules.Seat) table.SeatView {
	c.T.Helper()
	v, err := c.Ask(nil, lobby.Origin{})
	require.NoError(c.T, err)
	for _, s := range v.Snapshot().Tables {
		if s.Table == id {
			return s.Seats[n-1]
		}
	}
	c.T.Fatalf("there is no table %d", id)
	return table.SeatView{}
}

func number(t *table.Table) string { return fmt.Sprint(t.ID()) }
