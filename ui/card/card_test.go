package card_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/rules/coach"
	"boneyard/rules/replay/replaytest"
	_ "boneyard/rules/sameseed"
	"boneyard/table"
	"boneyard/ui/card"
	"boneyard/ui/golden"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

const records = "../../rules/record/testdata/valid"

// cardOf is the card of a recorded game, with ratings.
func cardOf(t *testing.T, path string) *lobby.Card {
	r := replaytest.Read(t, path)
	c := &lobby.Card{Record: r, Gains: r.Gains(),
		Game: lobby.GameInfo{ID: 412, Rules: r.Rules.String(), Ending: table.EndPlayed, Started: time.Unix(1795300000, 0)}}
	if len(r.Moments) == 0 {
		return c
	}
	last := r.Game(len(r.Moments) - 1)
	for i := range last.Sides() {
		side := rules.Side(i + 1)
		c.Game.Scores = append(c.Game.Scores, int(last.Score(side)))
		c.Game.Changes = append(c.Game.Changes, table.Delta{Kind: "player", Name: r.Side(side), Before: 1500, After: 1512 - 24*i})
	}
	c.Game.Winner = int(last.Winner())
	c.Best, c.Worst = r.Extremes()
	c.Chances = coach.Follow(r)
	return c
}

// A card keeps to its room, is a rectangle, and says what each side has.
func TestEveryGame(t *testing.T) {
	looks := []*theme.Theme{
		theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits), theme.Get(theme.Mono, colorprofile.NoTTY, theme.ASCII),
		theme.Get(theme.Light, colorprofile.TrueColor, theme.Pips),
	}
	for _, path := range replaytest.Files(t, records) {
		c := cardOf(t, path)
		sum := make([]int, len(c.Game.Scores))
		for _, g := range c.Gains {
			for side := range sum {
				sum[side] += g[side]
			}
		}
		if len(sum) > 0 {
			require.Equal(t, c.Game.Scores, sum, path)
		}
		for _, look := range looks {
			for _, size := range [][2]int{{40, 12}, {60, 16}, {78, 18}, {80, 24}, {118, 37}, {200, 60}} {
				lines := card.Lines(look, c, size[0], size[1])
				require.LessOrEqual(t, len(lines), size[1], path)
				for _, l := range lines {
					require.Equal(t, min(size[0], 100), ansi.StringWidth(l), "%s %v: %q", path, size, l)
					if look.Faces() == theme.ASCII {
						require.Equal(t, -1, strings.IndexFunc(l, func(r rune) bool { return r < ' ' || r > '~' }), "%q", l)
					}
				}
			}
		}
		if c.Worst > 0 { // a long sentence goes on in the next line
			all := strings.Fields(strings.ReplaceAll(strings.Join(card.Lines(looks[0], c, 60, 24), " "), "│", ""))
			require.Contains(t, strings.Join(all, " "), plain.Missed(c.Record, c.Worst), path)
		}
		if len(c.Record.Moments) > 0 {
			require.Contains(t, card.Share(c, "example.org"), "ssh example.org card 412")
			require.NotContains(t, card.Share(c, "example.org"), "\n")
		}
	}
}

func TestGolden(t *testing.T) {
	for name, size := range map[string][2]int{"azneef-teams-4p-01": {78, 18}, "classic-2p-01": {80, 24}} {
		c := cardOf(t, filepath.Join(records, name+".dom"))
		for _, faces := range []theme.Faces{theme.Digits, theme.ASCII} {
			lines := card.Lines(theme.Get(theme.Mono, colorprofile.NoTTY, faces), c, size[0], size[1])
			golden.Check(t, name+"-"+string(faces)+".txt", strings.Join(lines, "\n")+"\n")
		}
	}
}

// A list counts the rounds that were scored: the card of a game that ended before names the round, and no other number of them.
func TestUnfinishedGameNamesItsRound(t *testing.T) {
	c := cardOf(t, filepath.Join(records, "classic-2p-01.dom"))
	c.Game.Ending, c.Game.Winner = table.EndAbandoned, 0
	lines := strings.Join(card.Lines(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits), c, 80, 24), "\n")
	require.Contains(t, lines, fmt.Sprintf("moves · abandoned in round %d ", len(c.Record.Rounds)))
	require.NotContains(t, lines, "rounds ·")
}

// Where nobody has moved, nobody's chances have.
func TestNoCurveWithoutAMove(t *testing.T) {
	c := cardOf(t, filepath.Join(records, "cut-lead-4p-01.dom"))
	require.Zero(t, c.Record.Turns)
	require.NotContains(t, strings.Join(card.Lines(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits), c, 80, 24), "\n"), "Chance")
}

// A name is cut only where the rounds need its columns.
func TestNamesAreWhole(t *testing.T) {
	c := cardOf(t, filepath.Join(records, "azneef-teams-4p-01.dom"))
	c.Gains, c.Record.Names = c.Gains[:1], []string{"merry-arm", "nora.regular", "otto.regular", "vera.regular"}
	lines := strings.Join(card.Lines(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits), c, 72, 24), "\n")
	require.Equal(t, 3, strings.Count(lines, "merry-arm+otto.regular "), lines)
}
