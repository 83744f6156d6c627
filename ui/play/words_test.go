package play

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/theme"
)

// A turn and the chosen tile end in an ellipsis if even their shortest form does not fit.
func TestNoWordIsCut(t *testing.T) {
	for _, sc := range scenes(t) {
		p := sc.open(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits))
		d := p.picture()
		whole := func(what string, draw func(w int) string) {
			known := append(strings.Fields(ansi.Strip(draw(1000))), "on")
			for w := 36; w <= 130; w++ {
				for _, word := range strings.Fields(ansi.Strip(draw(w))) {
					word = strings.Trim(word, ",:")
					if strings.HasPrefix(word, "+") || strings.HasSuffix(word, "…") {
						continue
					}
					known := slices.ContainsFunc(known, func(k string) bool { return strings.Trim(k, ",:") == word })
					require.True(t, known, "%s: %s: %q in %d columns: %q", sc.name, what, word, w, ansi.Strip(draw(w)))
				}
			}
		}
		for _, turn := range lastTurns(d.v) {
			if len(turn) > 0 {
				whole("turn", func(w int) string { return d.seatTurn(turn, w-24) })
			}
		}
		if d.v.MyMove() {
			for _, tile := range d.v.Play.Playable().Tiles() {
				for _, e := range ends(&d.v.Play, tile) {
					for _, sure := range []bool{false, true} {
						d.own.pick = picker{tile: tile, arm: e.Arm, sure: sure}
						whole("choice", d.choosing)
					}
				}
			}
		}
	}
}

// A watcher who has never played reads all of how the game scores, at every width.
func TestTheRuleIsWhole(t *testing.T) {
	for _, rule := range []string{"block", "classic", "classic pegs=on"} {
		s := sit(t, rule, 2, "ana", "ben", "cleopatra", "dora")
		s.deal()
		p := (&scene{view: s.of(0)}).open(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits))
		p.novice = true
		for w := 60; w < 200; w++ {
			p.Resize(w, 36)
			d := p.picture()
			require.Contains(t, said(p.Lines()), strings.Join(d.lesson(1000, 1), ""), "%s in %d columns", rule, w)
		}
	}
}

// A newcomer always reads what to do now, whatever there is to say about the last moves.
func TestTheGuideSaysWhatToDo(t *testing.T) {
	for seed := range byte(40) {
		s := sit(t, "classic", seed, "ana", "ben")
		s.view.Config.Guide = true
		s.deal()
		for s.game.Phase() == rules.Playing {
			s.move()
			if seed%2 == 1 {
				s.say(1, table.RoomPlayers, "where does it go?")
			}
			p := (&scene{view: s.of(1)}).open(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits))
			for _, size := range [][2]int{{60, 16}, {80, 20}, {80, 24}, {100, 30}, {120, 36}} {
				p.Resize(size[0], size[1])
				d := p.picture()
				if stageOf(d.v) != playing || d.talk && size[0] > 80 { // where the talk is beside the board
					continue
				}
				last := d.guide[len(d.guide)-1]
				require.Contains(t, said(p.Lines()), last, "%d columns", size[0])
			}
		}
	}
}

// said returns the text of a screen, in one line, without what is beside the board.
func said(lines []string) string {
	var all []string
	for _, s := range lines {
		s, _, _ = strings.Cut(ansi.Strip(s), "      ")
		all = append(all, strings.Fields(s)...)
	}
	return strings.Join(all, " ")
}
