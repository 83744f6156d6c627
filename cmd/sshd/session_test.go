package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshd/gate"
	"boneyard/ui"
)

// TestResizesArePaced resizes a window a thousand times a second: it is painted ten times, at once first and at last as it
// stays.
func TestResizesArePaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		sizes := make(chan gate.Size, 1)
		next := resized(&gate.Terminal{Resizes: sizes})
		type shown struct {
			width int
			at    time.Duration
		}
		var all []shown
		began := time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			for {
				s, ok := next(ctx)
				if !ok {
					return
				}
				all = append(all, shown{s.Width, time.Since(began)})
			}
		}()
		for n := 1; n <= 1000; n++ {
			select {
			case <-sizes: // as the gate does: the latest replaces what was not taken
			default:
			}
			sizes <- gate.Size{Width: n, Height: 24}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, shown{1, 0}, all[0])
		require.Equal(t, 1000, all[len(all)-1].width)
		require.InDelta(t, 11, len(all), 1)
		sizes <- gate.Size{Width: 80, Height: 24}
		synctest.Wait()
		require.Equal(t, shown{80, time.Since(began)}, all[len(all)-1], "after a rest there is none to wait")
		sizes <- gate.Size{Width: 81, Height: 24}
		synctest.Wait()
		cancel()
		<-done
		require.Equal(t, 80, all[len(all)-1].width)
	})
}

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
		to               way
		stays, staysDumb bool // on a terminal, and without one
	}{
		"":                        {way{}, true, true},
		"join K7QX-4HDM":          {way{Start: ui.Start{Join: "K7QX-4HDM"}}, true, true},
		"join K7QX 4HDM":          {way{Start: ui.Start{Join: "K7QX4HDM"}}, true, true},
		"play 12":                 {way{Start: ui.Start{Join: "12"}}, true, true},
		"play new":                {way{newTable: []string{}}, true, true},
		"play new block bots=now": {way{newTable: []string{"block", "bots=now"}}, true, true},
		"watch 12":                {way{Start: ui.Start{Watch: 12}}, true, false},
		"watch 0":                 {way{}, false, false},
		"watch one":               {way{}, false, false},
		"watch 12 --json":         {way{}, false, false},
		"join K7QX --json":        {way{}, false, false},
		"play 12 --json --bot":    {way{}, false, false},
		"play":                    {way{}, false, false},
		"join":                    {way{}, false, false},
		"tables":                  {way{}, false, false},
		"new classic":             {way{}, false, false},
		"rm -rf":                  {way{}, false, false},
	} {
		for _, terminal := range []bool{true, false} {
			to, stays := wayOf(strings.Fields(command), terminal)
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
