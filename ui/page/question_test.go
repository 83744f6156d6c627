package page_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// What the club refuses as too fast is asked again until it is granted, or the page has waited long enough.
func TestWhatIsTooFastIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &page.Env{Context: t.Context()}
		for refusals, want := range map[int]error{0: nil, 3: nil, 100: lobby.ErrTooFast} {
			asked := 0
			var err error
			find := page.Find((*page.Env).Call, e, func(context.Context) (int, error) {
				if asked++; asked <= refusals {
					return 0, lobby.ErrTooFast
				}
				return asked, nil
			}, func(_ int, e error) tea.Cmd {
				err = e
				return nil
			})
			find().(page.Then)()
			require.Equal(t, want, err, "after %d refusals", refusals)
			require.LessOrEqual(t, asked, 11)
		}
	})
}

func TestQuestion(t *testing.T) {
	type said struct{ n int }
	e := &page.Env{Context: t.Context()}
	var q page.Question
	ask := func(n int) tea.Cmd {
		return q.Ask(e, func(ctx context.Context) tea.Msg {
			if ctx.Err() != nil {
				return page.Complain(ctx.Err())
			}
			return said{n}
		})
	}
	first := ask(1)
	require.True(t, q.Waiting())
	require.Nil(t, q.Once(e, nil), "one question at a time")
	early := first().(page.AnswerMsg)
	second := ask(2)
	_, ok := early.Take()
	require.False(t, ok, "it was asked again meanwhile")
	require.True(t, q.Waiting())
	msg, ok := second().(page.AnswerMsg).Take()
	require.True(t, ok)
	require.Equal(t, said{2}, msg)
	require.False(t, q.Waiting())

	third := ask(3)
	q.Forget()
	require.False(t, q.Waiting())
	late := third().(page.AnswerMsg) // a cancelled request has an ended context, and its error reaches nobody
	_, ok = late.Take()
	require.False(t, ok)
}

// Lines of other days show the day, so that they do not look like today's.
func TestLinesOfOtherDaysSayTheDay(t *testing.T) {
	at := time.Date(2026, 11, 27, 20, 15, 0, 0, time.UTC)
	l := &lobby.Line{At: at, From: table.Player{Name: "ana"}, Text: "hello to all who are here"}
	for _, test := range []struct {
		now  time.Time
		want []string
	}{
		{time.Time{}, []string{"ana  hello to all", "  who are here"}},
		{at.Add(time.Hour), []string{"20:15 ana  hello to", "      all who are", "      here"}},
		{at.Add(24 * time.Hour), []string{"27 Nov ana  hello to", "       all who are", "       here"}},
		{at.Add(8 * 24 * time.Hour), []string{"27 Nov ana  hello to", "       all who are", "       here"}},
	} {
		var rows []string
		for _, row := range page.SaidRows(theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits), l, 21, test.now) {
			rows = append(rows, ansi.Strip(row))
		}
		require.Equal(t, test.want, rows)
	}
}
