package play

import (
	"io"
	"slices"
	"testing"
	"time"

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

// watch is a watcher's page.
func watch(s *sitting) *Page {
	p := newPage(envFor(theme.Get(theme.Dark, colorprofile.ANSI256, theme.Digits)), &fakeClub{}, s.view.Table)
	p.view = s.of(0)
	return p
}

// cost is what each of many moves costs a watcher, in bytes.
type cost []int

func (c cost) mean() int {
	sum := 0
	for _, n := range c {
		sum += n
	}
	return sum / max(len(c), 1)
}

func (c cost) median() int {
	if len(c) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(c))[len(c)/2]
}

// costs plays a game between bots, and returns the costs of plays without score, with score, and of other
// moves.
func costs(tb testing.TB, rule string, names []string, seed byte, w, h int) (plays, scoring, others cost) {
	s := sit(tb, rule, seed, names...)
	s.deal()
	s.ahead = true
	p := watch(s)
	m := make(meter, 1)
	scr := screen.New(m)
	now := epoch
	p.env.Now = func() time.Time { return now }
	var shown *screen.Frame
	show := func() int {
		p.view = s.of(0)
		f := p.Frame(w, h)
		same := shown != nil && slices.Equal(shown.Lines, f.Lines)
		if shown = f; same {
			return 0 // nothing is written
		}
		scr.Show(f)
		return <-m
	}
	show()
	for {
		now = now.Add(time.Minute)
		s.now = now
		e := s.move()
		if s.view.State == table.Finished {
			break
		}
		if s.view.State == table.Scoring {
			now = now.Add(time.Minute)
			s.deal()
			show()
			continue
		}
		n := show()
		for next := p.NextTick(now); !next.IsZero(); next = p.NextTick(now) { // until the glow is out
			now = next
			n += show()
		}
		c := &others
		switch {
		case e.Points > 0:
			c = &scoring
		case e.Kind == rules.Play:
			c = &plays
		}
		*c = append(*c, n)
	}
	require.NoError(tb, scr.Leave()) // its write waits in the channel
	return plays, scoring, others
}

// A play that scores nothing costs a watcher at 80×24 at most 100 bytes at the median, all moves that score
// nothing 90, and a play that scores less than 400.
func TestBytesOfAMove(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games")
	}
	var plain, others, scored cost
	for _, names := range [][]string{{"ana", "ben"}, {"ana", "ben", "cleopatra"}, {"ana", "ben", "cleopatra", "nora.bot"}} {
		for _, preset := range rules.Presets() {
			if r := preset.Rules(); r.CheckSeats(len(names)) != nil {
				continue
			}
			p, s, o := costs(t, preset.String(), names, byte(len(names)), 80, 24)
			t.Logf("%s for %d: %d bytes a play, %d if it scores, %d a draw or pass", preset, len(names), p.mean(), s.mean(), o.mean())
			plain, scored, others = append(plain, p...), append(scored, s...), append(others, o...)
		}
	}
	ordinary := slices.Concat(plain, others)
	t.Logf("a play %d bytes, %d at the median; ordinary moves %d, %d; those that score %d, %d",
		plain.mean(), plain.median(), ordinary.mean(), ordinary.median(), scored.mean(), scored.median())
	require.LessOrEqual(t, plain.median(), 100)
	require.LessOrEqual(t, ordinary.median(), 90)
	require.LessOrEqual(t, ordinary.mean(), 100)
	require.LessOrEqual(t, scored.mean(), 400)
}

// BenchmarkMove shows one move to a thousand watchers, each asking for the frame. The time is for all.
func BenchmarkMove(b *testing.B) {
	const watchers = 1000
	s := sit(b, "classic", 1, "ana", "ben", "cleopatra", "nora.bot")
	pages := make([]*Page, watchers)
	for i := range pages {
		pages[i] = watch(s)
	}
	scr := screen.New(io.Discard)
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

// BenchmarkLines draws one player's screen, whose board is cached.
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
