package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/ui"
)

func TestWays(t *testing.T) {
	for command, want := range map[string]struct {
		to               way
		stays, staysDumb bool // on a terminal, and without one
	}{
		"":                        {way{}, true, true},
		"join K7QX":               {way{Start: ui.Start{Join: "K7QX"}}, true, true},
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
