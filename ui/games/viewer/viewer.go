// Package viewer replays a recorded game on a screen: it knows how to show a record's moments; it must not
// know where records are stored, nor whose screen it is.
package viewer

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/rules"
	"boneyard/rules/coach"
	"boneyard/rules/replay"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// Viewer steps through a [replay.Record]. It calls nobody: its owner passes it keys, ticks and the time, and
// has it drawn. It is used by one goroutine.
type Viewer struct {
	rec    *replay.Record
	ending string // how the game ended, if the record does not say; a sentence, or empty

	at   int
	next bool       // the choices are those of the next move, which is to be decided
	seat rules.Seat // whose tiles are shown; 0 for all

	playing bool
	speed   int       // index in speeds
	due     time.Time // time of the next step, while playing

	move    page.Input // input for a move's number
	refused string     // why that number was refused

	summary bool
	chosen  int // index among the summary's expensive plays
	scroll  int // of the choices, or of the summary

	chances coach.Chances // how likely each side was to win; nil if that is not shown
	turns   []int         // the moments at which the game turned

	left   []replay.Left
	costly []int // the moments that the summary lists, in its order

	t    *theme.Theme
	w, h int
}

// speeds are the times between steps.
var speeds = [...]time.Duration{4 * time.Second, 2 * time.Second, time.Second, time.Second / 2, time.Second / 4}

// The keys of the viewer.
var (
	KeyStep    = page.Bind("←→", "move by move", "left", "right", "h", "l")
	KeyRound   = page.Bind("[ ]", "by round", "[", "]", "pgup", "pgdown")
	KeyPlay    = page.Bind("space", "play", "space")
	KeySummary = page.Bind("s", "points left", "s")
	KeyGo      = page.Bind("g", "go to move", "g")
	KeyOpen    = page.Bind("o", "all hands", "o")
	KeySeat    = page.Bind("1-4", "one seat", "1", "2", "3", "4")
	KeySpeed   = page.Bind("+ -", "speed", "+", "=", "-")
	KeyEnds    = page.Bind("home end", "first, last", "home", "end")
	keyTurn    = page.Bind("t", "turning point", "t")
	KeyScroll  = page.Bind("↑↓", "scroll", "up", "down", "k", "j")

	keyChoose = page.Bind("↑↓", "choose", "up", "down", "k", "j")
	keyEnter  = page.Bind("enter", "show the play", "enter")
	keyPage   = page.Bind("pgup pgdn", "scroll", "pgup", "pgdown")
	keyClose  = page.Bind("s", "back to the game", "s", "esc", "q")
	keyTake   = page.Bind("enter", "go", "enter")
	keyCancel = page.Bind("esc", "stay", "esc")
)

// New returns a viewer at the first moment of a record, which must have one. ending says how the game ended
// if the record does not, and is empty otherwise.
func New(rec *replay.Record, ending string) *Viewer {
	const usualSpeed = 2
	v := &Viewer{rec: rec, ending: ending, speed: usualSpeed, move: page.NewInput("Go to move", "", 5), left: rec.Left()}
	v.move.Hint = "0 to " + strconv.Itoa(rec.Turns)
	for i := range v.left {
		v.costly = append(v.costly, v.left[i].Worst...)
	}
	return v
}

// ShowChances shows how likely each side was to win at each moment, and enables the turning points.
func (v *Viewer) ShowChances() {
	v.chances = coach.Follow(v.rec)
	v.turns = v.chances.Turns()
}

// Resize sets the viewer's size and theme. It must be called first.
func (v *Viewer) Resize(t *theme.Theme, w, h int) { v.t, v.w, v.h = t, w, h }

// Actions returns what can be done now, at the current time.
func (v *Viewer) Actions(now time.Time) (does page.Actions) {
	add := func(when bool, b key.Binding, do func(pressed string)) {
		does.With(when, b, func(pressed string) tea.Cmd {
			do(pressed)
			return nil
		})
	}
	switch {
	case v.move.Active():
		add(true, keyTake, func(string) { v.goTyped() })
		add(true, keyCancel, func(string) { v.move.Blur() })
		return does
	case v.summary:
		listed := len(v.costly) > 0
		add(listed, keyEnter, func(string) { v.showChosen() })
		does.Move(listed, keyChoose, func(pressed string) tea.Cmd {
			v.chosen, v.scroll = max(min(v.chosen+page.Step(pressed), len(v.costly)-1), 0), 0
			return nil
		})
		if listed {
			does.Pointed(v.pointSummary)
		}
		add(true, keyClose, func(string) { v.summary, v.scroll = false, 0 })
		lines, _ := v.canvas().wholeSummary()
		does.Scroll(len(lines) > v.h, keyPage, func(pressed string) tea.Cmd {
			v.scroll = max(min(v.scroll+page.Step(pressed)*summaryPage, len(lines)-v.h), 0)
			return nil
		})
		return does
	}
	play := KeyPlay
	if v.playing {
		play = page.Named(play, "stop")
	}
	add(true, KeyStep, func(pressed string) { v.stop(v.at + page.Step(pressed)) })
	add(true, KeyRound, func(pressed string) {
		if page.Step(pressed) < 0 {
			v.stop(v.roundBefore())
		} else {
			v.stop(v.roundAfter())
		}
	})
	add(true, play, func(string) { v.togglePlay(now) })
	add(true, KeySummary, func(string) { v.playing, v.summary, v.scroll = false, true, 0 })
	add(len(v.turns) > 0, keyTurn, func(string) {
		next, _ := slices.BinarySearch(v.turns, v.at+1)
		v.stop(v.turns[next%len(v.turns)])
	})
	add(true, KeyGo, func(string) {
		v.playing, v.refused = false, ""
		v.move.Set("")
		v.move.Focus()
	})
	add(true, KeyOpen, func(string) { v.seat = 0 })
	n := len(v.rec.Names)
	seat := KeySeat
	seat.SetKeys(KeySeat.Keys()[:n]...)
	seat.SetHelp("1-"+strconv.Itoa(n), KeySeat.Help().Desc)
	add(true, seat, func(pressed string) { v.seat = rules.Seat(pressed[0] - '0') })
	add(true, KeySpeed, func(pressed string) { v.changeSpeed(page.Step(pressed), now) })
	add(true, KeyEnds, func(pressed string) {
		if page.Step(pressed) < 0 {
			v.stop(0)
		} else {
			v.stop(len(v.rec.Moments) - 1)
		}
	})
	does.Pointed(func(x, y int) (tea.Cmd, bool) {
		at, hit := v.canvas().point(x, y)
		if hit {
			v.stop(at)
		}
		return nil, hit
	})
	far := v.canvas().scrolls()
	does.Scroll(far > 0, KeyScroll, func(pressed string) tea.Cmd {
		v.scroll = max(min(v.scroll+page.Step(pressed), far), 0)
		return nil
	})
	return does
}

// Typing reports whether keys go to an input line.
func (v *Viewer) Typing() bool { return v.move.Active() }

// NextTick returns when the viewer wants its next tick; zero while it is not playing.
func (v *Viewer) NextTick() time.Time {
	if !v.playing {
		return time.Time{}
	}
	return v.due
}

// Update handles what is typed or pasted, and a [page.TickMsg].
func (v *Viewer) Update(msg tea.Msg) {
	switch msg := msg.(type) {
	case page.TickMsg:
		v.tick(msg.Now)
	case tea.PasteMsg:
		if v.move.Active() {
			v.move.Update(tea.PasteMsg{Content: digits(msg.Content)})
		}
	case tea.KeyPressMsg:
		if v.move.Active() && (msg.Text == "" || digits(msg.Text) != "") {
			v.refused = ""
			v.move.Update(msg)
		}
	}
}

func (v *Viewer) tick(now time.Time) {
	if !v.playing || now.Before(v.due) {
		return
	}
	v.Show(v.at + 1)
	v.due = now.Add(speeds[v.speed])
	v.playing = v.at < len(v.rec.Moments)-1
}

// GoTo shows the moment before the move with this number, counted from 1 through the game, with its choices,
// whatever was on the screen.
func (v *Viewer) GoTo(move int) {
	made := v.rec.MoveAt(move)
	if v.seat != 0 {
		v.seat = v.rec.Moments[made].Event.Seat // other seats do not know the choices
	}
	v.summary = false
	v.stop(made - 1)
	v.next = made > 0 && v.rec.Moments[made].Kind == replay.Moved
}

// Summary reports whether the summary of points left is shown instead of the game.
func (v *Viewer) Summary() bool { return v.summary }

// showChosen shows the play that is chosen in the summary.
func (v *Viewer) showChosen() {
	v.summary = false
	v.stop(v.costly[v.chosen])
}

func (v *Viewer) decided() *replay.Moment {
	if v.next {
		return &v.rec.Moments[v.at+1]
	}
	return &v.rec.Moments[v.at]
}

func (v *Viewer) stop(at int) {
	v.playing = false
	v.Show(at)
}

// Show goes to a moment, or to the nearest one that exists.
func (v *Viewer) Show(at int) {
	v.next = false
	v.at, v.scroll = max(min(at, len(v.rec.Moments)-1), 0), 0
}

// roundBefore returns the start of the current round, or of the previous one if already there.
func (v *Viewer) roundBefore() int {
	round := v.rec.Moments[v.at].Round
	if start := v.rec.Round(round).Start; start < v.at || round == 1 {
		return start
	}
	return v.rec.Round(round - 1).Start
}

// roundAfter returns the start of the next round, or the last moment.
func (v *Viewer) roundAfter() int {
	if round := v.rec.Moments[v.at].Round; round < len(v.rec.Rounds) {
		return v.rec.Round(round + 1).Start
	}
	return len(v.rec.Moments) - 1
}

// togglePlay starts or stops the playback; at the end it restarts from the beginning.
func (v *Viewer) togglePlay(now time.Time) {
	if v.playing = !v.playing; !v.playing {
		return
	}
	if v.at == len(v.rec.Moments)-1 {
		v.Show(0)
	}
	v.due = now.Add(speeds[v.speed])
	v.playing = len(v.rec.Moments) > 1
}

func (v *Viewer) changeSpeed(by int, now time.Time) {
	v.speed = max(min(v.speed+by, len(speeds)-1), 0)
	if v.playing {
		v.due = now.Add(speeds[v.speed])
	}
}

func (v *Viewer) goTyped() {
	n, err := strconv.Atoi(v.move.Value())
	if err != nil || n > v.rec.Turns {
		v.refused = "The moves are 1 to " + strconv.Itoa(v.rec.Turns) + "; 0 is the first deal."
		v.move.Set("")
		return
	}
	v.move.Blur()
	v.stop(v.rec.TurnAt(n))
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}
