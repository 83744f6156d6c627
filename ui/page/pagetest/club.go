package pagetest

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/season"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/page"
)

// Club is a lobby in memory, whose clock stands at Now.
type Club struct {
	*lobby.Lobby
	Store *lobbytest.Store
	tb    testing.TB
	keys  byte
}

// Open opens a club; it closes with the test. prepare may fill the store before.
func Open(tb testing.TB, prepare ...func(*lobbytest.Store)) *Club {
	tb.Helper()
	cfg := lobby.DefaultConfig()
	cfg.Exhibition = false
	store := lobbytest.New(tb)
	for _, f := range prepare {
		f(store)
	}
	l, err := lobby.New(cfg, lobby.Deps{
		Stores: store.Stores(),
		Now:    func() time.Time { return Now },
		Rand:   func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) },
	})
	require.NoError(tb, err)
	require.NoError(tb, l.Start(context.Background()))
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		require.NoError(tb, l.Close(ctx))
	})
	return &Club{Lobby: l, Store: store, tb: tb}
}

// Come registers somebody and lets them in.
func (c *Club) Come(name string) *lobby.Visit {
	c.tb.Helper()
	c.keys++
	key := lobby.KeyID{c.keys}
	a, err := c.Register(context.Background(), lobby.Origin{Key: key}, name)
	require.NoError(c.tb, err)
	return c.enter(a, lobby.Origin{Key: key, Net: "10.0.0." + string('0'+rune(c.keys%10)), Terminal: "xterm"})
}

// Guest lets somebody in who has no key.
func (c *Club) Guest() *lobby.Visit {
	c.tb.Helper()
	return c.enter(nil, lobby.Origin{Net: "10.0.1.1"})
}

func (c *Club) enter(a *lobby.Account, o lobby.Origin) *lobby.Visit {
	c.tb.Helper()
	v, err := c.Enter(context.Background(), a, o)
	require.NoError(c.tb, err)
	c.tb.Cleanup(func() { v.Close(table.Left) })
	return v
}

// Await gives the page the club's updates until it shows what is wanted.
func Await(tb testing.TB, v *lobby.Visit, d *Driver, shows func(lines []string) bool) {
	tb.Helper()
	late := time.After(10 * time.Second)
	for !shows(d.Lines(80, 20)) {
		select {
		case <-v.Updates():
			d.Send(page.ClubUpdateMsg{})
		case <-late:
			require.FailNow(tb, "the page never shows it", strings.Join(d.Lines(80, 20), "\n"))
		}
	}
}

// CallOff checks that a page offers to call its event off, and does so once the person has confirmed it; and
// that other, the same page for somebody who may not, or of an event that has begun, does not.
func CallOff(t *testing.T, d, other *Driver) {
	t.Helper()
	offers := func(p page.Page) bool {
		return slices.ContainsFunc(p.Actions().Keys(), func(k key.Binding) bool { return k.Help().Key == "X" })
	}
	require.True(t, offers(d.Page))
	d.Press("X")
	d.Send(Take[page.AskMsg](t, d).Then)
	require.Equal(t, "Called off.", Take[page.Toast](t, d).Text)
	require.False(t, offers(other.Page))
	before := len(other.Sent)
	other.Press("X")
	require.Len(t, other.Sent, before)
}

// Talk is what was said at an event, and which events are over, for clubs that are no lobby.
type Talk struct {
	Lines []lobby.Line
	Shut  error
	Over  []season.Past
}

// PastEvents is part of [page.Organizer].
func (t *Talk) PastEvents(context.Context, table.PlayerID, table.TeamID) ([]season.Past, error) {
	return t.Over, nil
}

// Said implements [page.Speaker].
func (t *Talk) Said(context.Context, event.Kind, event.ID) ([]lobby.Line, error) {
	return t.Lines, t.Shut
}

// SayIn implements [page.Speaker].
func (t *Talk) SayIn(_ context.Context, _ event.Kind, _ event.ID, line string) (string, error) {
	t.Lines = append(t.Lines, lobby.Line{At: Now, From: table.Player{ID: 1, Name: "ana"}, Text: line})
	return "", t.Shut
}
