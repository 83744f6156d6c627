package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/ui"
)

// Who hangs up while the club is asked for their account is nothing that went wrong.
func TestAHastyCallerIsNoFault(t *testing.T) {
	t.Parallel()
	log := &syncBuffer{}
	m := openClub(t, func(m *Main) { m.Stderr = log })
	ctx, hangUp := context.WithCancel(t.Context())
	hangUp()
	var said bytes.Buffer
	require.Equal(t, exitFailed, m.club.(*club).Serve(ctx, &gate.Call{HasKey: true, Out: &said, Err: &said}))
	require.Empty(t, said.String())
	require.NotContains(t, log.String(), "WARN")
}

func TestWays(t *testing.T) {
	for command, want := range map[string]struct {
		to               destination
		stays, staysDumb bool // on a terminal, and without one
	}{
		"":                        {destination{}, true, true},
		"join K7QX-4HDM":          {destination{Start: ui.Start{Join: "K7QX-4HDM"}}, true, true},
		"join K7QX 4HDM":          {destination{Start: ui.Start{Join: "K7QX4HDM"}}, true, true},
		"play 12":                 {destination{Start: ui.Start{Join: "12"}}, true, true},
		"play new":                {destination{Start: ui.Start{New: true}}, true, true},
		"play new block bots=now": {destination{Start: ui.Start{New: true, Words: "block bots=now"}}, true, true},
		"watch 12":                {destination{Start: ui.Start{Watch: 12}}, true, false},
		"watch 0":                 {destination{}, false, false},
		"watch one":               {destination{}, false, false},
		"watch 12 --json":         {destination{}, false, false},
		"join K7QX --json":        {destination{}, false, false},
		"play 12 --json --bot":    {destination{}, false, false},
		"play":                    {destination{}, false, false},
		"join":                    {destination{}, false, false},
		"tables":                  {destination{}, false, false},
		"new classic":             {destination{}, false, false},
		"rm -rf":                  {destination{}, false, false},
	} {
		for _, terminal := range []bool{true, false} {
			to, stays := destinationOf(strings.Fields(command), terminal)
			wants := want.stays
			if !terminal {
				wants = want.staysDumb
			}
			require.Equal(t, wants, stays, "%q", command)
			if stays {
				require.Equal(t, want.to, to, "%q", command)
			}
		}
	}
}

// Where somebody is, as one node keeps it, leads there at another.
func TestKeptPlaces(t *testing.T) {
	for want, at := range map[string]ui.Start{
		"pages": {}, "pages watch 12": {Watch: 12}, "pages wall": {Wall: true}, "pages wall 3": {Wall: true, Event: 3}, "pages arena 3": {Event: 3},
		"pages admin": {Admin: true}, "pages join K7QX-4HDM": {Join: "K7QX-4HDM"},
	} {
		words := kept(onPages, lobby.Guest{}, at)
		require.Equal(t, want, words)
		require.Zero(t, guestOf(words))
		for _, guest := range []lobby.Guest{{}, {ID: -1 << 53, Name: "guest-maple12345"}} {
			words := kept(onPages, guest, at)
			require.Equal(t, at, resumed(words).Start)
			require.Equal(t, onPages, faceOf(words, inLines))
			require.Equal(t, guest, guestOf(words))
		}
	}
	require.Equal(t, "lines watch 12", kept(inLines, lobby.Guest{}, ui.Start{Watch: 12}))
	require.Equal(t, "lines guest=-5:guest-elm watch 12", kept(inLines, lobby.Guest{ID: -5, Name: "guest-elm"}, ui.Start{Watch: 12}))
	for _, words := range []string{"", "pages", "pages guest=", "pages guest=x:guest-elm", "guest=-5:guest-elm"} {
		require.Zero(t, guestOf(words).ID, words)
	}
	require.Equal(t, inLines, faceOf("", inLines), "nothing was kept")
	for _, words := range []string{"", "pages", "pages play new", "pages standings", "pages watch", "lines watch x", "pages admin admin"} {
		require.Equal(t, ui.Start{}, resumed(words).Start, words)
	}
}
