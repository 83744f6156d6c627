package viewer_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules/coach"
	"boneyard/ui/golden"
)

// The sizes are those of a page's body in terminals of 40×12, 80×24 and 120×40.
var sizes = [][2]int{{40, 10}, {80, 20}, {120, 36}}

// scenes are what the goldens show: a record, and the keys that lead there.
var scenes = []struct{ name, record, keys string }{
	{"dealt", "classic-2p-01", ""},
	{"play", "classic-2p-01", "g 3 8 enter"},
	{"seat", "classic-2p-01", "2 g 3 6 enter"},
	{"playing", "classic-2p-01", "g 9 enter + space"},
	{"round", "classic-2p-01", "] left"},
	{"typing", "classic-2p-01", "g 1 2"},
	{"partners", "azneef-teams-4p-01", "g 4 2 enter"},
	{"won", "azneef-teams-4p-01", "end"},
	{"summary", "azneef-teams-4p-01", "s down"},
	{"block", "block-4p-01", "g 2 0 enter"},
	{"three", "sniff-3p-01", "g 2 2 enter"},
	{"unfinished", "cut-turn-4p-01", "end s"},
}

func TestScreens(t *testing.T) {
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			var b strings.Builder
			for _, size := range sizes {
				v, _ := open(t, s.record)
				press(v, s.keys)
				fmt.Fprintf(&b, "== %dx%d\n%s", size[0], size[1], show(v, plain, size[0], size[1]))
				fmt.Fprintf(&b, "== %dx%d ascii\n%s", size[0], size[1], show(v, ascii, size[0], size[1]))
			}
			golden.Check(t, s.name+".txt", b.String())
		})
	}
}

// The chances are a curve above the timeline, and t goes from turning point to turning point.
func TestChances(t *testing.T) {
	for _, name := range []string{"classic-2p-01", "azneef-teams-4p-01", "sniff-3p-01"} {
		t.Run(name, func(t *testing.T) {
			v, rec := open(t, name)
			v.ShowChances()
			turns := coach.Follow(rec).Turns()
			require.NotEmpty(t, turns)
			for _, at := range append(turns, turns[0]) {
				press(v, "t")
				n := rec.Moments[at].Turn
				require.Contains(t, show(v, plain, 80, 20), fmt.Sprintf(" %*d of %d ", len(strconv.Itoa(rec.Turns)), n, rec.Turns))
			}
			var b strings.Builder
			for _, size := range sizes {
				fmt.Fprintf(&b, "== %dx%d\n%s", size[0], size[1], show(v, plain, size[0], size[1]))
				fmt.Fprintf(&b, "== %dx%d ascii\n%s", size[0], size[1], show(v, ascii, size[0], size[1]))
			}
			golden.Check(t, "chances-"+name+".txt", b.String())
			for i, player := range rec.Names {
				press(v, strconv.Itoa(i+1))
				require.Contains(t, show(v, plain, 80, 20), player, "the chances of each seat's side")
				require.Contains(t, show(v, plain, 80, 20), " wins ")
			}
		})
	}
}

// A screen in colour, with its escape sequences made readable.
func TestColours(t *testing.T) {
	var b strings.Builder
	for _, keys := range []string{"g 4 2 enter", "s"} {
		v, _ := open(t, "azneef-teams-4p-01")
		press(v, keys)
		b.WriteString(strings.ReplaceAll(show(v, dark, 80, 20), "\x1b", "^"))
	}
	golden.Check(t, "colours.txt", b.String())
}

// Tiles have the higher half first everywhere except in the layout, which shows them as they lie; the
// smallest size, which writes the layout without boxes, is not tested.
func TestTilesHaveOneName(t *testing.T) {
	tile := regexp.MustCompile(`\b([0-6])-([0-6])\b`)
	for _, s := range scenes {
		for _, size := range sizes[1:] {
			v, _ := open(t, s.record)
			press(v, s.keys)
			for _, name := range tile.FindAllStringSubmatch(show(v, ascii, size[0], size[1]), -1) {
				if name[1] < name[2] {
					t.Errorf("%s %dx%d: %s", s.name, size[0], size[1], name[0])
				}
			}
		}
	}
}
