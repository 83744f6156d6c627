package viewer_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/rules/replay"
	"boneyard/rules/replay/replaytest"
	_ "boneyard/rules/sameseed"
	"boneyard/ui/english"
	"boneyard/ui/games/viewer"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// number returns the move at which the viewer is, as its last line shows.
func number(t require.TestingT, v *viewer.Viewer) int {
	lines := v.Lines()
	found := regexp.MustCompile(`(\d+) of \d+ (?:playing .*)?$`).FindStringSubmatch(lines[len(lines)-1])
	require.NotNil(t, found, "%q", lines[len(lines)-1])
	n, err := strconv.Atoi(found[1])
	require.NoError(t, err)
	return n
}

// Going back undoes going forward; a move can be reached by its number, by rounds, or step by step.
func TestWays(t *testing.T) {
	files := replaytest.Files(t, records)
	rapid.Check(t, func(rt *rapid.T) {
		rec := replaytest.Read(t, rapid.SampledFrom(files).Draw(rt, "record"))
		if len(rec.Moments) < 2 {
			rt.Skip("nothing to walk through")
		}
		v := newViewer(rec, "")
		for range rapid.IntRange(0, 30).Draw(rt, "steps") {
			press(v, rapid.SampledFrom([]string{"right", "left", "]", "[", "home", "end", "pgdown", "pgup", "l", "h"}).Draw(rt, "key"))
		}
		here := show(v, plain, 80, 20)
		if number(rt, v) < rec.Turns {
			press(v, "right left")
			require.Equal(rt, here, show(v, plain, 80, 20), "forward and back")
		}
		n := rapid.IntRange(0, rec.Turns).Draw(rt, "move")
		press(v, "g "+digits(n)+" enter")
		require.Equal(rt, n, number(rt, v))
		went := show(v, plain, 80, 20)
		walked := newViewer(rec, "")
		for range rec.TurnAt(n) {
			press(walked, "right")
		}
		require.Equal(rt, show(walked, plain, 80, 20), went, "walked and gone to")
	})
}

// digits are the keys for a number.
func digits(n int) string { return strings.Join(strings.Split(strconv.Itoa(n), ""), " ") }

func TestRounds(t *testing.T) {
	v, rec := open(t, "classic-2p-01")
	require.Greater(t, len(rec.Rounds), 2)
	for round := 2; round <= len(rec.Rounds); round++ {
		press(v, "]")
		require.Contains(t, show(v, plain, 80, 20), fmt.Sprintf("Round %d is dealt", round))
	}
	press(v, "]")
	require.Equal(t, rec.Turns, number(t, v), "the last round ends with the game")
	press(v, "[")
	require.Contains(t, show(v, plain, 80, 20), fmt.Sprintf("Round %d is dealt", len(rec.Rounds)), "first to the start of this round")
	press(v, "right right pgup")
	require.Contains(t, show(v, plain, 80, 20), fmt.Sprintf("Round %d is dealt", len(rec.Rounds)))
	press(v, "pgup")
	require.Contains(t, show(v, plain, 80, 20), fmt.Sprintf("Round %d is dealt", len(rec.Rounds)-1))
	press(v, "home [ left")
	require.Zero(t, number(t, v))
}

func TestGoTo(t *testing.T) {
	v, rec := open(t, "classic-2p-01")
	require.False(t, v.Typing())
	press(v, "g")
	require.True(t, v.Typing())
	press(v, "x 9 ? 9 9")
	v.Update(tea.PasteMsg{Content: "9x\x1b"})
	require.Contains(t, show(v, plain, 80, 20), "Go to move 9999 ", "nothing but digits is taken")
	c := v.Cursor()
	require.True(t, c.Visible)
	require.Equal(t, 19, c.Y)
	press(v, "enter")
	require.True(t, v.Typing())
	require.Contains(t, show(v, plain, 80, 20), "The moves are 1 to "+strconv.Itoa(rec.Turns))
	press(v, "1 2 enter")
	require.False(t, v.Typing())
	require.Equal(t, 12, number(t, v))
	press(v, "g 5 esc")
	require.Equal(t, 12, number(t, v), "esc stays")
	require.False(t, v.Cursor().Visible)
}

// click clicks on a place of the viewer, as on that of any page.
func click(v *viewer.Viewer, x, y int) { page.Click(clicked{v, &page.Size{}}, x, y) }

type clicked struct {
	*viewer.Viewer
	*page.Size
}

func (c clicked) Update(tea.Msg) tea.Cmd { return nil }
func (c clicked) Resize(int, int)        {}
func (c clicked) Chrome() page.Chrome    { return page.Chrome{} }
func (c clicked) Actions() page.Actions  { return c.Viewer.Actions(epoch) }

// A click on the timeline, or on the curve above it, leads to what is shown there; a click elsewhere leads nowhere.
func TestClickOnTheTimeline(t *testing.T) {
	for _, chances := range []bool{false, true} {
		v, rec := open(t, "classic-2p-01")
		if chances {
			v.ShowChances()
		}
		for _, size := range [][2]int{{40, 10}, {80, 20}, {120, 36}, {200, 55}} {
			w, h := size[0], size[1]
			foot := func() []rune { return []rune(strings.Split(show(v, plain, w, h), "\n")[h-1]) }
			press(v, "home")
			begins := 0
			for x, cell := range foot() {
				press(v, "end")
				click(v, x, h-1)
				if strings.ContainsRune("─┬◆", cell) {
					require.InDelta(t, x, slices.Index(foot(), '●'), 1, "%v", size) // there are columns without a moment
				} else if cell != '●' {
					require.Equal(t, rec.Turns, number(t, v), "%v: column %d", size, x)
				}
				if cell == '┬' {
					begins++
					require.Contains(t, show(v, plain, w, h), "is dealt", "%v: column %d", size, x)
				}
				if chances && cell == '◆' && w >= 80 {
					was := number(t, v)
					press(v, "home")
					click(v, x, h-2)
					require.Equal(t, was, number(t, v), "%v: column %d of the curve", size, x)
				}
			}
			require.Positive(t, begins)
		}
	}
}

// A click in the summary chooses a play, and a second one shows it.
func TestClickInTheSummary(t *testing.T) {
	for _, h := range []int{20, 10} {
		v, rec := open(t, "azneef-teams-4p-01")
		worst := rec.Left()[0].Worst
		press(v, "s down down")
		for i := range worst {
			for y, line := range strings.Split(show(v, plain, 80, h), "\n") {
				of := fmt.Sprintf(" %d  ", rec.Moments[worst[i]].Turn)
				if strings.Contains(line, of) && strings.HasSuffix(strings.TrimSpace(line), " left") && !strings.Contains(line, "▸") {
					click(v, 30, y)
					require.Contains(t, strings.Split(show(v, plain, 80, h), "\n")[y], "▸", "the list stays where it is")
					click(v, 30, y)
					require.Contains(t, show(v, plain, 80, 20), "of 92")
					require.Equal(t, rec.Moments[worst[i]].Turn, number(t, v))
					press(v, "s")
				}
			}
		}
		click(v, 30, 0)
		require.Contains(t, show(v, plain, 80, 40), "Points left on the table")
	}
}

func TestPlaysBySteps(t *testing.T) {
	v, rec := open(t, "classic-2p-01")
	require.Zero(t, v.NextTick(), "no clock runs while nothing plays")
	press(v, "space")
	now := epoch
	require.Equal(t, epoch.Add(time.Second), v.NextTick())
	v.Update(page.TickMsg{Now: now.Add(time.Second / 2)})
	require.Zero(t, number(t, v), "too early")
	for i := range 5 {
		now = v.NextTick()
		v.Update(page.TickMsg{Now: now})
		require.Equal(t, rec.Moments[i+1].Turn, number(t, v))
	}
	faster := func(by string) { v.Actions(now).Press(tea.KeyPressMsg{Code: rune(by[0]), Text: by}) }
	faster("+")
	require.Equal(t, now.Add(time.Second/2), v.NextTick(), "faster")
	faster("-")
	faster("-")
	require.Equal(t, now.Add(2*time.Second), v.NextTick(), "slower")
	press(v, "space")
	require.Zero(t, v.NextTick())
	v.Update(page.TickMsg{Now: now.Add(time.Hour)})
	require.Equal(t, rec.Moments[5].Turn, number(t, v), "a tick that was asked for before does nothing")

	press(v, "space")
	for range rec.Moments {
		if now = v.NextTick(); now.IsZero() {
			break
		}
		v.Update(page.TickMsg{Now: now})
	}
	require.Equal(t, rec.Turns, number(t, v))
	require.Zero(t, v.NextTick(), "it stops at the end")
	press(v, "space")
	require.Zero(t, number(t, v), "and starts from the beginning")
	for _, k := range []string{"right", "g", "s"} {
		v, _ := open(t, "classic-2p-01")
		press(v, "space "+k)
		require.Zero(t, v.NextTick(), k)
	}
}

// Seen from a seat, the screen does not depend on the others' hands or the boneyard until the round is over:
// the second deal swaps tiles between them.
func TestOneSeat(t *testing.T) {
	const head = "domino 1\nrules classic\nseat 1 ana\nseat 2 ben\nround 1\ndeal 1 0-1 0-2 0-4 1-5 3-3 3-5 6-6\n"
	const moves = "lead 1\n1 6-6 = 12\n2 6-0 R = 12\n1 0-4 R = 16\n2 draw 1-2\n2 draw 2-4\n2 4-2 R = 14\n"
	deals := []string{
		"deal 2 0-0 0-6 1-1 1-3 2-3 2-5 5-5\nstock 1-2 2-4 0-3 0-5 1-4 1-6 2-2 2-6 3-4 3-6 4-4 4-5 4-6 5-6\n",
		"deal 2 0-3 0-6 1-1 1-3 2-2 3-4 5-5\nstock 1-2 2-4 4-6 0-5 1-4 1-6 2-3 2-6 0-0 3-6 4-4 4-5 2-5 5-6\n",
	}
	// The second deal would let ben play 3-4: put it back into the boneyard.
	deals[1] = strings.Replace(strings.Replace(deals[1], "2-2 3-4", "2-2 2-3", 1), "1-6 2-3 2-6", "1-6 3-4 2-6", 1)
	var seen, open []string
	for _, d := range deals {
		rec, err := replay.Read(strings.NewReader(head + d + moves))
		require.NoError(t, err)
		v := newViewer(rec, "")
		var all, mine strings.Builder
		for range rec.Moments {
			for _, size := range [][2]int{{40, 10}, {80, 20}, {120, 36}} {
				press(v, "o")
				all.WriteString(show(v, plain, size[0], size[1]))
				press(v, "1")
				mine.WriteString(show(v, plain, size[0], size[1]))
			}
			press(v, "right")
		}
		open, seen = append(open, all.String()), append(seen, mine.String())
	}
	require.NotEqual(t, open[0], open[1])
	require.Equal(t, seen[0], seen[1])
	require.NotContains(t, seen[0], "draws 2-1")
	require.Contains(t, open[0], "draws 2-1")
}

// When a round is over, all hands are open, from a seat too.
func TestOpenAfterRound(t *testing.T) {
	v, rec := open(t, "classic-2p-01")
	press(v, "1 ] left left")
	require.Contains(t, show(v, plain, 80, 20), "seen by ana")
	last := rec.Round(2).Start - 1
	require.Equal(t, replay.Ended, rec.Moments[last].Kind)
	press(v, "right")
	screen := show(v, plain, 80, 20)
	require.Contains(t, screen, "Scoring")
	game := rec.Game(last)
	for s := rules.Seat(1); int(s) <= len(rec.Names); s++ {
		for tile := range game.Hand(s).All() {
			require.Contains(t, screen, fmt.Sprintf("%d-%d", tile.High(), tile.Low()))
		}
	}
}

// The summary leads to the play chosen in it.
func TestSummaryLeadsToPlay(t *testing.T) {
	v, rec := open(t, "azneef-teams-4p-01")
	press(v, "s down down enter")
	require.Equal(t, rec.Moments[rec.Left()[0].Worst[2]].Turn, number(t, v))
	require.Contains(t, show(v, plain, 80, 20), "points left")
	press(v, "s s")
	require.Contains(t, show(v, plain, 80, 20), "of 92")
}

// Going to a move shows the board before it, from anywhere, even for the first move of a round.
func TestGoToShowsTheDecision(t *testing.T) {
	for _, before := range []string{"", "s", "2", "end"} {
		v, rec := open(t, "classic-2p-01")
		var plays []int
		for at, m := range rec.Moves(rec.Round(2)) {
			if m.Event.Kind == rules.Play {
				plays = append(plays, at)
			}
		}
		require.Equal(t, rec.Round(2).Start+1, plays[0])
		for _, at := range plays[:4] {
			m := rec.Moments[at]
			press(v, before)
			v.GoTo(m.Number)
			for _, size := range [][2]int{{80, 20}, {120, 36}} {
				screen := show(v, plain, size[0], size[1])
				require.Contains(t, screen, fmt.Sprintf("Before move %d: %s played %s", m.Turn, rec.Names[m.Event.Seat-1], m.Event.Tile.Name()))
				require.NotContains(t, screen, "is dealt")
				require.Contains(t, screen, "hoice")
				require.Regexp(t, "◆ "+m.Event.Tile.Name(), screen)
			}
			require.Equal(t, rec.Moments[at-1].Turn, number(t, v))
			press(v, "right")
			require.Equal(t, m.Turn, number(t, v))
			require.NotContains(t, show(v, plain, 80, 20), "Before move")
		}
	}
}

// The choices include the play itself if there is room for any, and the ones left out are counted.
func TestChoicesHoldThePlay(t *testing.T) {
	for _, path := range replaytest.Files(t, records) {
		rec := replaytest.Read(t, path)
		if len(rec.Moments) == 0 {
			continue
		}
		v := newViewer(rec, "")
		for i := range rec.Moments {
			if m := &rec.Moments[i]; m.Kind == replay.Moved && m.Event.Kind == rules.Play && m.Options > 1 {
				screen := show(v, plain, 80, 20)
				_, list, found := strings.Cut(screen, fmt.Sprintf(" %d choices", m.Options))
				require.True(t, found)
				require.Contains(t, list, "◆ "+m.Event.Tile.Name(), path)
				more := 0
				if found := regexp.MustCompile(`… (\d+) more`).FindStringSubmatch(list); found != nil {
					more, _ = strconv.Atoi(found[1])
				}
				lines := regexp.MustCompile(`(?m)^.{39}\S? *[◆ ] \d-\d`).FindAllString(list, -1)
				require.Equal(t, m.Options, len(lines)+more, screen)
			}
			press(v, "right")
		}
	}
}

func TestProof(t *testing.T) {
	const seed = "9d9830d78519e3012b7694064fa3e7be8d58010282accce8753e7feb77d3731c"
	parsed, err := rules.ParseSeed(seed)
	require.NoError(t, err)
	whole := replaytest.Text(t, filepath.Join(records, "azneef-teams-4p-01.dom"))
	for tag, want := range map[string]string{
		"":                      "must have been shown before the game",
		parsed.Commitment():     "agrees with the commitment",
		"00" + seed:             "does not match",
		parsed.Commitment()[1:]: "does not match",
	} {
		record := whole
		if tag != "" {
			record = strings.Replace(whole, "seed ", "tag commitment "+tag+"\nseed ", 1)
		}
		rec, err := replay.Read(strings.NewReader(record))
		require.NoError(t, err)
		v := newViewer(rec, "")
		press(v, "s")
		screen := show(v, plain, 80, 60)
		require.Contains(t, screen, want)
		require.Contains(t, screen, seed)
		require.Equal(t, tag != parsed.Commitment(), strings.Contains(screen, parsed.Commitment()),
			"the hash is shown where it has to be compared")
	}
}

// The texts of a record cannot affect a terminal.
func TestHostileText(t *testing.T) {
	evil := "\x1b]0;owned\x07\x1b[2J\u202Eabc\u200d\x00"
	record := strings.Replace(replaytest.Text(t, "../../../rules/replay/testdata/short.dom"), "# ana is absent; a bot plays on.",
		"# gone \u202Eabc", 1)
	record = strings.Replace(record, "seat 2 ben\n", "seat 2 ben\ntag event \u202Eabc\ntag commitment \u202Eabc\n", 1)
	rec, err := replay.Read(strings.NewReader(record))
	require.NoError(t, err)
	v := newViewer(rec, "It ended "+evil)
	press(v, "end")
	said := false
	for _, keys := range []string{"", "s"} {
		press(v, keys)
		for _, size := range [][2]int{{40, 10}, {80, 20}, {120, 36}} {
			screen := show(v, plain, size[0], size[1])
			said = said || strings.Contains(screen, "gone")
			require.NotContains(t, screen, "\x1b")
			require.NotContains(t, screen, "\x07")
			require.NotContains(t, screen, "\u202e")
			require.NotContains(t, screen, "\x00")
		}
	}
	require.True(t, said, "the remark is shown")
}

// Drawings keep to any size; ASCII stays ASCII, and no key panics.
func TestAllSizes(t *testing.T) {
	files := replaytest.Files(t, records)
	keys := slices.Concat([]string{"right", "right", "right", "left", "down", "up", "enter", "esc", "backspace"},
		strings.Fields("] [ s g o 1 2 3 4 9 + - space home end pgup pgdown"))
	rapid.Check(t, func(rt *rapid.T) {
		rec := replaytest.Read(t, rapid.SampledFrom(files).Draw(rt, "record"))
		if len(rec.Moments) == 0 {
			rt.Skip("nothing to show")
		}
		v := newViewer(rec, "It ended early.")
		for range 12 {
			press(v, rapid.SampledFrom(keys).Draw(rt, "key"))
			w, h := rapid.IntRange(1, 140).Draw(rt, "w"), rapid.IntRange(1, 50).Draw(rt, "h")
			look := rapid.SampledFrom([]*theme.Theme{plain, ascii, dark}).Draw(rt, "theme")
			v.Resize(look, w, h)
			lines := v.Lines()
			require.LessOrEqual(rt, len(lines), h)
			for _, l := range lines {
				require.LessOrEqual(rt, ansi.StringWidth(l), w, "%q", l)
				if look == ascii {
					require.Equal(rt, -1, strings.IndexFunc(l, func(r rune) bool { return r < ' ' || r > '~' }), "%q", l)
				}
			}
			for _, k := range v.Actions(epoch).Keys() {
				require.NotEmpty(rt, k.Help().Desc)
			}
		}
	})
}

// A game may end with its first deal: its curve has one moment.
func TestChancesOfADealAlone(t *testing.T) {
	deal, _, ok := strings.Cut(replaytest.Text(t, "../../../rules/replay/testdata/short.dom"), "1 6-6 = 12")
	require.True(t, ok)
	rec, err := replay.Read(strings.NewReader(deal))
	require.NoError(t, err)
	require.Len(t, rec.Moments, 1)
	v := newViewer(rec, "It ended early.")
	v.ShowChances()
	require.Contains(t, show(v, plain, 80, 20), " wins ")
}

// Every key that the help names does something.
func TestKeysWork(t *testing.T) {
	for _, b := range []key.Binding{viewer.KeyStep, viewer.KeyRound, viewer.KeyPlay, viewer.KeySummary, viewer.KeyGo, viewer.KeySeat,
		viewer.KeyEnds} {
		for _, name := range b.Keys() {
			changed := false
			for _, before := range []string{"home", "end", "g 2 0 enter"} {
				v, _ := open(t, "azneef-teams-4p-01")
				press(v, before)
				was := show(v, plain, 120, 36)
				press(v, name)
				changed = changed || show(v, plain, 120, 36) != was
			}
			require.True(t, changed, name)
		}
	}
}

// The hint that names the key for hidden choices is never cut.
func TestHowToOpenAllHandsIsWhole(t *testing.T) {
	rec := replaytest.Read(t, replaytest.Files(t, records)[0])
	v, seen := newViewer(rec, ""), false
	press(v, "1")
	for range rec.Turns {
		press(v, "right")
		for _, w := range []int{60, 80, 120} {
			if lines := show(v, plain, w, 20); strings.Contains(lines, "Known to") {
				seen = true
				require.Regexp(t, `(?s)Known to .*opens .*hands\.`, lines, "%d columns", w)
			}
		}
	}
	require.True(t, seen)
}

// Keys are offered to scroll only if that shows something else, and for seats only if they exist.
func TestKeysAreOfUse(t *testing.T) {
	scrolled := false
	for _, file := range replaytest.Files(t, records) {
		rec := replaytest.Read(t, file)
		if len(rec.Moments) == 0 {
			continue
		}
		v := newViewer(rec, "")
		offers := func(pressed string) bool {
			return slices.ContainsFunc(v.Actions(epoch), func(a page.Action) bool { return slices.Contains(a.Keys(), pressed) })
		}
		for _, size := range [][2]int{{40, 10}, {60, 16}, {80, 20}, {120, 36}} {
			v.Resize(plain, size[0], size[1])
			for _, key := range []string{"down", "pgdown"} {
				press(v, map[string]string{"down": "home", "pgdown": "s"}[key])
				for range min(rec.Turns, 30) {
					was := v.Lines()
					offered := offers(key)
					press(v, key)
					if changed := !slices.Equal(was, v.Lines()); key == "down" || !changed {
						require.Equal(t, offered, changed, "%s: %s at %v", file, key, size)
						scrolled = scrolled || changed
					}
					if key == "pgdown" {
						break
					}
					press(v, "right")
				}
			}
			press(v, "s")
			require.Equal(t, len(rec.Names) >= 3, offers("3"), file)
		}
	}
	require.True(t, scrolled)
}

// The count and score of a play are cut at whole words.
func TestNoWordIsCut(t *testing.T) {
	cut := regexp.MustCompile(`(?m), (n|no|no s|no sc|no sco|no scor|s|sc|sco|scor|score|scores) *( \d+ left *)?$`)
	for _, file := range replaytest.Files(t, records) {
		rec := replaytest.Read(t, file)
		if len(rec.Moments) == 0 {
			continue
		}
		v := newViewer(rec, "")
		for range min(rec.Turns, 10) {
			press(v, "right")
			for w := page.MinWidth; w <= 120; w += 2 {
				require.NotRegexp(t, cut, show(v, plain, w, 20), "%s: %d columns", file, w)
			}
		}
	}
}

// All of a round's scoring can be read at every size, and at the usual size without scrolling.
func TestHowARoundWasScoredIsSaid(t *testing.T) {
	for _, file := range replaytest.Files(t, records) {
		rec := replaytest.Read(t, file)
		for i := range rec.Moments {
			if rec.Moments[i].Kind != replay.Ended {
				continue
			}
			game := rec.Game(i)
			res := game.Result()
			if res.Round != rec.Moments[i].Round {
				continue
			}
			said := slices.DeleteFunc(english.Scoring(&rec.Rules, &res, rec.Names, 0), func(l english.ScoreLine) bool {
				return l.Kind == english.ScoreHand && l.Change == 0
			})
			words := strings.Fields(said[len(said)-1].Text)
			last := regexp.MustCompile(`(?m)(^|\s)` + regexp.QuoteMeta(strings.TrimSuffix(words[len(words)-1], ".")) + `\.?…?\s*$`)
			v := newViewer(rec, "")
			for _, size := range [][2]int{{40, 10}, {60, 16}, {80, 20}, {120, 36}} {
				v.Resize(plain, size[0], size[1])
				v.Show(i)
				var all []string
				for range 12 {
					all = append(all, v.Lines()...)
					if size[0] >= 80 {
						break
					}
					press(v, "down")
				}
				require.Regexp(t, last, strings.Join(all, "\n"), "%s: moment %d at %v", file, i, size)
			}
		}
	}
}

// Names beside the hands are whole in rounds whose largest hand leaves room for them, and no name moves tiles in a round.
func TestNamesBesideHands(t *testing.T) {
	v, rec := open(t, "mix-take-teams-4p-01")
	for i := range rec.Names {
		rec.Names[i] = fmt.Sprintf("nora%d.expert", i+1)
	}
	whole := map[int]bool{}
	for at, m := range rec.Moments {
		v.Show(at)
		now := regexp.MustCompile(`(?m)^ .4 nora4\.expert `).MatchString(show(v, plain, 80, 20))
		before, seen := whole[m.Round]
		require.True(t, !seen || before == now, "moment %d", at)
		whole[m.Round] = now
	}
	require.Contains(t, slices.Collect(maps.Values(whole)), true)
}

// Names are cut only where the first row is full.
func TestNamesBesideScores(t *testing.T) {
	v, rec := open(t, "sniff-3p-01")
	for i := range rec.Names {
		rec.Names[i] = fmt.Sprintf("a-long-name-%d", i+1)
	}
	for w := 64; w <= 120; w++ {
		first, _, _ := strings.Cut(show(v, plain, w, 20), "\n")
		if strings.Contains(first, "…") {
			require.NotContains(t, first, strings.Repeat(" ", 8), "%d columns", w)
		}
	}
	rec.Names[1], rec.Names[2] = "nora.regular", "otto.regular"
	require.Regexp(t, ` nora +0  otto +0`, show(v, plain, 40, 20), "a bot loses its strength first")
}

// Beside the curve stands a player's whole name, or a team's tag instead of the beginning of two names.
func TestTheCurveIsNamed(t *testing.T) {
	two := replaytest.Read(t, filepath.Join(records, "classic-2p-01.dom"))
	two.Names[0] = strings.Repeat("A", text.MaxName)
	v := newViewer(two, "")
	v.ShowChances()
	press(v, "right")
	require.Contains(t, show(v, plain, 80, 20), two.Names[0]+" wins ")
	four := replaytest.Read(t, filepath.Join(records, "azneef-teams-4p-01.dom"))
	four.Names[0], four.Teams[0] = two.Names[0], "CATS"
	v = newViewer(four, "")
	v.ShowChances()
	press(v, "right")
	require.Contains(t, show(v, plain, 80, 20), " CATS wins ")
	four.Names[2] = "ben"
	require.Contains(t, show(v, plain, 120, 30), " "+two.Names[0]+"+ben wins ")
}
