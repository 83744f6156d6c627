package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/page"
)

// A caller who hangs up while their account is read is no error.
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
	watch := func(n table.ID) page.Target { return page.Target{Kind: page.Table, Table: n} }
	join := func(code string) page.Target { return page.Target{Kind: page.Table, Join: code} }
	made := func(words string) page.Target {
		return page.Target{Kind: page.NewTable, Draft: page.Draft{Make: true, Words: words}}
	}
	for command, want := range map[string]struct {
		to               page.Target
		stays, staysDumb bool // on a terminal, and without one
	}{
		"":                        {page.Target{}, true, true},
		"join K7QX-4HDM":          {join("K7QX-4HDM"), true, true},
		"join K7QX 4HDM":          {join("K7QX4HDM"), true, true},
		"play K7QX 4HDM":          {join("K7QX4HDM"), true, true},
		"play 12":                 {join("12"), true, true},
		"JOIN K7QX-4HDM":          {join("K7QX-4HDM"), true, true},
		"Play 12":                 {join("12"), true, true},
		"Watch 12":                {watch(12), true, false},
		"play new":                {made(""), true, true},
		"play new block bots=now": {made("block bots=now"), true, true},
		"watch 12":                {watch(12), true, false},
		"wall":                    {page.Target{Kind: page.Wall}, true, false},
		"wall 3":                  {page.Target{Kind: page.Wall, Event: 3}, true, false},
		"arena 3":                 {page.Target{Kind: page.Arena, Event: 3}, true, false},
		"admin":                   {page.Target{Kind: page.Admin}, true, false},
		"arena":                   {},
		"watch":                   {},
		"watch 0":                 {},
		"watch one":               {},
		"watch table=12":          {},
		"watch 12 --json":         {},
		"join K7QX --json":        {},
		"play 12 --json --bot":    {},
		"play":                    {},
		"join":                    {},
		"tables":                  {},
		"standings":               {},
		"daily 2026-11-21":        {},
		"new classic":             {},
		"rm -rf":                  {},
	} {
		for _, terminal := range []bool{true, false} {
			to, stays := wanted(strings.Fields(command), terminal)
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

// The place that one node keeps leads there at another; [page.Target] has tests of its possible values.
func TestKeptPlaces(t *testing.T) {
	at := page.Target{Kind: page.Table, Table: 12}
	require.Equal(t, "pages watch 12", kept(onPages, lobby.Guest{}, at))
	require.Equal(t, "lines guest=-5:guest-elm watch 12", kept(inLines, lobby.Guest{ID: -5, Name: "guest-elm"}, at))
	require.Equal(t, "pages", kept(onPages, lobby.Guest{}, page.Target{}))
	for _, at := range []page.Target{{}, at, {Kind: page.Admin}, {Kind: page.Games, Search: "guest=1  x"}} {
		for _, guest := range []lobby.Guest{{}, {ID: -1 << 53, Name: "guest-maple12345"}} {
			words := kept(onPages, guest, at)
			require.Equal(t, at, resumed(words))
			require.Equal(t, onPages, faceOf(words, inLines))
			require.Equal(t, guest, guestOf(words))
		}
	}
	long := kept(onPages, lobby.Guest{}, page.Target{Kind: page.Games, Search: strings.Repeat("x", gate.MaxKept)})
	require.Equal(t, page.Target{Kind: page.Games}, resumed(long), "the page, if there is no room for more")
	for _, words := range []string{"", "pages", "pages guest=", "pages guest=x:guest-elm", "guest=-5:guest-elm"} {
		require.Zero(t, guestOf(words).ID, words)
	}
	require.Equal(t, inLines, faceOf("", inLines), "nothing was kept")
	for _, words := range []string{"", "pages", "pages play new", "lines watch x", "pages admin admin"} {
		require.Zero(t, resumed(words), words)
	}
}
