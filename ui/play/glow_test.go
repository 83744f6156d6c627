package play

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// glowing is a table at which a player has just scored, and the page of a seat with a clock that can be set.
func glowing(tb testing.TB, pov rules.Seat) (s *sitting, p *Page, now *time.Time) {
	s = sit(tb, "classic", 1, "ana", "ben", "cleopatra", "nora.bot")
	s.now = epoch
	s.deal()
	for s.move().Points == 0 {
	}
	p = newPage(envFor(theme.Get(theme.Dark, colorprofile.ANSI256, theme.Digits)), &fakeClub{}, 12)
	p.view = s.of(pov)
	at := epoch
	p.env.Now = func() time.Time { return at }
	return s, p, &at
}

func bare(p *Page, w, h int) []string {
	lines := screenOf(p, w, h)
	for i := range lines {
		lines[i] = ansi.Strip(lines[i])
	}
	return lines
}

// The sum adds up, the points appear, the score ticks up; then nothing glows, and no timer runs.
func TestGlow(t *testing.T) {
	for _, pov := range []rules.Seat{0, 1} {
		s, p, now := glowing(t, pov)
		e := lastEvent(p.view)
		sum := "= " + string(rune('0'+e.Event.Count/5)) + "×5"
		score := func() rules.Points { return p.picture().v.Play.Scores[e.Event.Seat-1] }
		after := s.game.View(0).Scores[e.Event.Seat-1]
		require.NotContains(t, strings.Join(bare(p, 120, 40), "\n"), sum)
		require.Equal(t, after-e.Event.Points, score())
		var seen []string
		for next := p.NextTick(*now); !next.IsZero(); next = p.NextTick(*now) {
			*now = next
			seen = append(seen, strings.Join(bare(p, 120, 40), "\n"))
		}
		require.Len(t, seen, map[rules.Seat]int{0: 2, 1: 3}[pov])
		for i := range seen {
			require.Equal(t, i < len(seen)-1, strings.Contains(seen[i], sum))
		}
		require.Equal(t, after, score())
		require.Less(t, now.Sub(epoch), 2*time.Second)
	}
}

// A key ends the glow and does what it always does; the next play that scores glows again.
func TestGlowIsSkipped(t *testing.T) {
	s, p, now := glowing(t, 0)
	require.NotZero(t, p.NextTick(*now))
	shared := p.Frame(80, 24)
	page.Give(p, keyMsg("k"))
	require.True(t, p.toggled)
	require.Zero(t, p.NextTick(*now))
	require.NotNil(t, p.Frame(80, 24))
	require.NotSame(t, shared, p.Frame(80, 24))
	for s.move().Points == 0 {
	}
	p.view = s.of(0)
	require.NotZero(t, p.NextTick(*now))
}

func TestCalm(t *testing.T) {
	for name, calm := range map[string]func(*Page){
		"setting": func(p *Page) { p.noGlow = newPage(p.env, &fakeClub{settings: lobby.Settings{Calm: true}}, 12).noGlow },
		"mono":    func(p *Page) { p.env.Theme = theme.Get(theme.Mono, colorprofile.ANSI256, theme.Digits) },
		"no colours": func(p *Page) {
			p.env.Theme = theme.Get(theme.Dark, colorprofile.ASCII, theme.Digits)
		},
		"ASCII": func(p *Page) { p.env.Theme = theme.Get(theme.Dark, colorprofile.ANSI256, theme.ASCII) },
	} {
		_, p, now := glowing(t, 0)
		calm(p)
		require.Zero(t, p.NextTick(*now), name)
		at := bare(p, 80, 24)
		*now = now.Add(time.Hour)
		require.Equal(t, bare(p, 80, 24), at, name)
	}
}

// A glow moves nothing on the screen; its text appears where nothing was.
func TestGlowMovesNothing(t *testing.T) {
	sizes := [][2]int{{40, 12}, {80, 24}, {100, 30}, {200, 50}}
	for seed, rule := range []string{"classic target=20", "block target=20", "spruce teams=on target=20"} {
		s := sit(t, rule, byte(seed), "ana", "ben", "cleopatra", "nora.bot")
		s.now = epoch
		for s.view.State != table.Finished {
			if s.view.State != table.Playing {
				s.deal()
			}
			e := s.move()
			if s.view.State == table.Finished {
				s.view.Result = &table.Result{Ending: table.EndPlayed, Winner: int(s.game.Winner()), Rounds: s.game.Round()}
			}
			if e.Points == 0 && e.End == rules.NotEnded {
				continue
			}
			for _, pov := range []rules.Seat{0, 2} {
				p := newPage(envFor(theme.Get(theme.Dark, colorprofile.ANSI256, theme.Digits)), &fakeClub{}, 12)
				p.view = s.of(pov)
				for _, size := range sizes {
					now := epoch.Add(time.Hour)
					p.env.Now = func() time.Time { return now }
					calm := bare(p, size[0], size[1])
					now = epoch
					for next := p.NextTick(now); !next.IsZero(); next = p.NextTick(now) {
						glows := bare(p, size[0], size[1])
						requireKept(t, calm, glows)
						if s.view.State == table.Finished { // the winner is named once
							require.LessOrEqual(t, strings.Count(strings.Join(glows, "\n"), " win"), 1)
						}
						now = next
					}
					require.Equal(t, calm, bare(p, size[0], size[1]))
				}
			}
		}
	}
}

// requireKept fails unless all characters except those of numbers and bars are where they were.
func requireKept(t *testing.T, calm, glows []string) {
	t.Helper()
	const changes = "0123456789-─━┏┓┗┛┃╻╹╺╸┣┫" // scores
	require.Len(t, glows, len(calm))
	for y := range calm {
		require.LessOrEqual(t, ansi.StringWidth(glows[y]), max(ansi.StringWidth(calm[y]), 200))
		was, is := []rune(calm[y]), []rune(glows[y])
		for x, r := range was {
			if r == ' ' || strings.ContainsRune(changes, r) {
				continue
			}
			require.Less(t, x, utf8.RuneCountInString(glows[y]), "row %d\n%s\n\n%s", y, strings.Join(calm, "\n"), strings.Join(glows, "\n"))
			require.Equal(t, string(r), string(is[x]), "row %d\n%s\n\n%s", y, strings.Join(calm, "\n"), strings.Join(glows, "\n"))
		}
	}
}

// The reader's own play glows for its whole time, however soon others answer; to watchers the answer ends it.
// The answer's glow has what is left of its time.
func TestOwnGlowOutlastsAnAnswer(t *testing.T) {
	const soon = 700 * time.Millisecond
	s := sit(t, "classic", 3, "ana", "ben", "cleopatra", "nora.bot")
	s.deal()
	shown, followed := 0, 0
	for s.view.State == table.Playing {
		s.now = epoch
		own := s.move()
		if own.Points == 0 || own.End != rules.NotEnded {
			continue
		}
		s.now = epoch.Add(soon)
		answer := s.move()
		for answer.Kind != rules.Play && answer.End == rules.NotEnded {
			answer = s.move()
		}
		if answer.End != rules.NotEnded || answer.Seat == own.Seat {
			continue
		}
		for _, pov := range []rules.Seat{own.Seat, 0} {
			p := newPage(envFor(theme.Get(theme.Dark, colorprofile.ANSI256, theme.Digits)), &fakeClub{}, 12)
			p.view = s.of(pov)
			for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
				now := epoch.Add(time.Hour)
				p.env.Now = func() time.Time { return now }
				calm := bare(p, size[0], size[1])
				now = epoch.Add(soon)
				g, of, _ := p.glow(now)
				if pov == 0 {
					require.True(t, of == nil || of.Event.Seat != own.Seat)
					continue
				}
				require.Equal(t, sumStands, g)
				require.Equal(t, own, of.Event)
				requireKept(t, calm, bare(p, size[0], size[1]))
				now = p.NextTick(now)
				if _, of, _ = p.glow(now); answer.Points > 0 {
					followed++
					require.Equal(t, answer, of.Event)
				}
				for next := p.NextTick(now); !next.IsZero(); next = p.NextTick(now) {
					now = next
				}
				require.LessOrEqual(t, now.Sub(epoch), soon+2*time.Second)
				require.Equal(t, calm, bare(p, size[0], size[1]))
			}
			shown++
		}
		p := newPage(envFor(theme.Get(theme.Dark, colorprofile.ANSI256, theme.Digits)), &fakeClub{}, 12)
		p.view = s.of(own.Seat)
		p.env.Now = func() time.Time { return epoch.Add(soon) }
		p.skip()
		require.Zero(t, p.NextTick(p.env.Now()), "a key ends both")
	}
	require.NotZero(t, shown)
	require.NotZero(t, followed)
}

// Stepping back to a play that scored shows its sum.
func TestGlowWhenSteppingBack(t *testing.T) {
	s, p, now := glowing(t, 2)
	s.move()
	p.view, *now = s.of(2), epoch.Add(time.Hour)
	page.Give(p, keyMsg("<"))
	require.Contains(t, strings.Join(bare(p, 120, 40), "\n"), "×5")
	require.Zero(t, p.NextTick(*now))
}

// A watcher who is told the rules has room for them and for the talk, at any size, when a play has scored.
func TestTalkBesideTheRulesFits(t *testing.T) {
	s, p, now := glowing(t, 0)
	p.novice = true
	v := *s.of(0)
	v.Chat = append(v.Chat, table.ChatLine{At: now.Add(-time.Second), From: table.Player{ID: 99, Name: "zoe"}, Text: "hello there"})
	p.view = &v
	for w := 40; w <= 124; w += 6 {
		for h := 12; h <= 34; h++ {
			require.NotPanics(t, func() {
				p.Frame(w, h)
				p.Resize(w, h)
				p.picture().lines()
			}, "%d×%d", w, h)
		}
	}
}
