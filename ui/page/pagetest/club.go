package pagetest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/season"
	"boneyard/table"
	"boneyard/ui/page"
)

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
