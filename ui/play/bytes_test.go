package play

import (
	"io"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// meter is a terminal that reports how many bytes each picture took.
type meter chan int

func (m meter) Write(p []byte) (int, error) {
	m <- len(p)
	return len(p), nil
}

// watch is the page of somebody who looks on.
func watch(s *sitting) *Page {
	p := newPage(envFor(theme.Get(theme.Dark, colorprofile.ANSI256, theme.Digits)), &fakeClub{}, s.view.Table)
	p.view = s.of(0)
	return p
}

// cost is what moves cost a watcher.
type cost struct{ moves, bytes int }

func (c *cost) add(o cost) { c.moves, c.bytes = c.moves+o.moves, c.bytes+o.bytes }

func (c *cost) mean() int { return c.bytes / max(c.moves, 1) }

// costs plays one round for each seed, between bots, and reports what plays that score nothing cost, those that score, and draws and passes.
func costs(tb testing.TB, rule string, names []string, seeds, w, h int) (plays, scoring, others cost) {
	for seed := range seeds {
		s := sit(tb, rule, byte(seed), names...)
		s.deal()
		s.foresee()
		p := watch(s)
		m := make(meter, 1)
		scr := screen.New(m, screen.Options{})
		scr.Show(p.Frame(w, h))
		<-m
		for {
			e := s.move()
			if s.view.State != table.Playing {
				break
			}
			before := s.ahead
			p.view = s.of(0)
			scr.Show(p.Frame(w, h))
			c := &others
			switch {
			case e.Points > 0:
				c = &scoring
			case e.Kind == rules.Play:
				c = &plays
			}
			c.moves++
			c.bytes += <-m
			if s.foresee(); table.Sudden(before, s.ahead) { // it comes a moment after the move
				p.view = s.of(0)
				scr.Show(p.Frame(w, h))
				c.bytes += <-m
			}
		}
		require.NoError(tb, scr.Leave()) // its write waits in the channel
	}
	return plays, scoring, others
}

// An ordinary move costs a watcher at 80×24 less than 100 bytes, all moves of a round that score nothing taken together, and one that scores
// less than 400.
func TestBytesOfAMove(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	var ordinary, scored cost
	for _, names := range [][]string{{"ana", "ben"}, {"ana", "ben", "cleopatra"}, {"ana", "ben", "cleopatra", "nora.bot"}} {
		for _, preset := range rules.Presets() {
			if r := preset.Rules(); r.CheckSeats(len(names)) != nil {
				continue
			}
			plays, scoring, others := costs(t, preset.String(), names, 6, 80, 24)
			t.Logf("%s for %d: %d bytes a play, %d if it scores, %d a draw or pass", preset, len(names), plays.mean(), scoring.mean(), others.mean())
			ordinary.add(plays)
			ordinary.add(others)
			scored.add(scoring)
		}
	}
	t.Logf("%d bytes a move in all, and %d if it scores", ordinary.mean(), scored.mean())
	require.LessOrEqual(t, ordinary.mean(), 100)
	require.LessOrEqual(t, scored.mean(), 400)
}

// BenchmarkMove is one move before the eyes of a thousand: each asks for its frame and shows it. The time is for all.
func BenchmarkMove(b *testing.B) {
	const watchers = 1000
	s := sit(b, "classic", 1, "ana", "ben", "cleopatra", "nora.bot")
	pages := make([]*Page, watchers)
	for i := range pages {
		pages[i] = watch(s)
	}
	scr := screen.New(io.Discard, screen.Options{})
	b.ReportAllocs()
	for b.Loop() {
		if s.view.State != table.Playing {
			b.StopTimer()
			s = sit(b, "classic", byte(s.version), "ana", "ben", "cleopatra", "nora.bot")
			s.deal()
			b.StartTimer()
		}
		s.move()
		v := s.of(0)
		for _, p := range pages {
			p.view = v
			scr.Show(p.Frame(80, 24))
		}
	}
	require.NoError(b, scr.Leave())
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/watchers, "ns/watcher")
}

// BenchmarkLines is one player's screen, whose board has been drawn already.
func BenchmarkLines(b *testing.B) {
	s := sit(b, "classic", 1, "ana", "ben", "cleopatra", "nora.bot")
	s.deal()
	s.moveTo(1, 10)
	p := watch(s)
	p.view = s.of(1)
	p.pick.step(&p.view.Play, 1)
	b.ReportAllocs()
	for b.Loop() {
		pagetest.Lines(p, 80, 20)
	}
}
