package play

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
)

func TestTimer(t *testing.T) {
	for _, c := range []struct {
		left time.Duration
		bank time.Duration
		text string
		late bool
		next time.Duration // from now
	}{
		{left: 23*time.Hour + time.Minute, text: "24 h", next: time.Minute},
		{left: 90 * time.Second, text: "2 min", next: 30 * time.Second},
		{left: 60 * time.Second, text: "60 s", next: 5 * time.Second},
		{left: 23 * time.Second, text: "25 s", next: 3 * time.Second},
		{left: 10 * time.Second, text: "10 s", late: true, next: time.Second},
		{left: 9500 * time.Millisecond, text: "10 s", late: true, next: 500 * time.Millisecond},
		{left: time.Millisecond, text: "1 s", late: true, next: time.Millisecond},
		{left: -time.Second, text: "0 s", late: true},
		{left: 5 * time.Second, bank: time.Minute, text: "5 s", next: time.Second},
		{left: -time.Second, bank: 2 * time.Minute, text: "bank 2 min", late: true, next: 59 * time.Second},
		{left: -5 * time.Second, bank: time.Minute, text: "bank 55 s", late: true, next: 5 * time.Second},
		{left: -58 * time.Second, bank: time.Minute, text: "bank 2 s", late: true, next: time.Second},
	} {
		v := &table.View{TurnEnds: epoch.Add(c.left)}
		v.BankEnds = v.TurnEnds.Add(c.bank)
		got, next := timerAt(v, epoch)
		require.Equal(t, c.text, got.text(), "%v left", c.left)
		require.Equal(t, c.late, got.late, "%v left", c.left)
		require.LessOrEqual(t, len(got.text()), clockWidth, "it is shown whole")
		if c.next == 0 {
			require.Zero(t, next)
			continue
		}
		require.Equal(t, c.next, next.Sub(epoch), "%v left", c.left)
		after, _ := timerAt(v, next)
		require.NotEqual(t, got, after, "%v left: nothing has changed when it should", c.left)
		before, _ := timerAt(v, next.Add(-time.Nanosecond))
		require.Equal(t, got, before, "%v left: it changes sooner", c.left)
	}
	got, next := timerAt(&table.View{}, epoch)
	require.Zero(t, got)
	require.Zero(t, next)
}

// What was played for a player without time is shown to the player until their next move, and to others until
// anybody's next move.
func TestLate(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ben")
	s.deal()
	s.moveTo(1, 4)
	e := s.move()
	s.log[len(s.log)-1].Late = true
	played := "Time! " + e.Tile.Name() + " was played for "
	prompt := func(pov rules.Seat, w, h int, keys ...string) string {
		p := at(t, s.of(pov))
		p.press(keys...)
		return strings.Join(screenOf(p.Page, w, h), "\n")
	}
	for _, size := range sizes {
		require.Contains(t, prompt(1, size[0], size[1]), played+"you.", size)
	}
	require.NotContains(t, prompt(2, 80, 24), played+"you.")
	require.Contains(t, prompt(0, 80, 24), played+"ana.")

	for s.game.Turn() != 1 || s.game.Duty() != rules.Play {
		if s.game.Turn() == 1 {
			t.Fatal("ana is to choose: take another seed")
		}
		s.move()
	}
	require.Contains(t, prompt(1, 80, 24), played+"you. Your move.")
	require.Contains(t, prompt(1, 40, 12), "Your move.")
	for line := range strings.SplitSeq(prompt(1, 40, 68), "\n") {
		require.LessOrEqual(t, ansi.StringWidth(line), 40, "%q", line)
	}
	require.NotContains(t, prompt(1, 80, 24, "right"), played)
	require.NotContains(t, prompt(0, 80, 24), played)
	s.move()
	require.NotContains(t, prompt(1, 80, 24), played)
}
