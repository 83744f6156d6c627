package page_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/ui/page"
)

// drawn is a page of numbers with a head of two lines, and lines after the numbers.
func drawn(l *page.List[int]) (*page.Listed, func() []string) {
	p := &page.Listed{}
	p.Sheet = func() page.Sheet {
		row := func(_ int, n *int, chosen bool) string {
			if chosen {
				return fmt.Sprint(*n, "!")
			}
			return fmt.Sprint(*n)
		}
		return page.Sheet{Above: []string{"a", "b"}, Rows: l.Drawn(row), After: []string{"after"}, Below: []string{"below"}}
	}
	return p, func() []string {
		lines := p.Lines()
		return lines[2:slices.Index(lines, "after")]
	}
}

func TestList(t *testing.T) {
	var l page.List[int]
	p, shows := drawn(&l)
	p.Resize(80, 7)
	require.Nil(t, l.Chosen())
	require.Equal(t, []string{"a", "b", "after", "", "", "", "below"}, p.Lines())
	l.Set([]int{10, 20, 30, 40, 50})
	require.Equal(t, []string{"a", "b", "10!", "20", "30", "after", "below"}, p.Lines())

	p.Move("end")
	require.Equal(t, []string{"30", "40", "50!"}, shows())

	same := func(a, b *int) bool { return *a == *b }
	l.Update([]int{5, 10, 20, 30, 40, 50, 60}, same)
	require.Equal(t, []string{"30", "40", "50!"}, shows(), "the cursor stays on its item, and that in its row")
	l.Update([]int{5, 10, 20, 30, 40}, same)
	require.Equal(t, []string{"20", "30", "40!"}, shows(), "which is gone")

	for _, click := range []struct {
		y     int
		again bool
		shows []string
	}{
		{4, true, []string{"20", "30", "40!"}}, {2, false, []string{"20!", "30", "40"}}, {5, false, []string{"20!", "30", "40"}},
		{1, false, []string{"20!", "30", "40"}},
	} {
		again, _ := p.Point(0, click.y)
		require.Equal(t, click.again, again, click.y)
		require.Equal(t, click.shows, shows())
	}
	p.Move("down")
	require.Equal(t, 30, *l.Chosen())

	l.Choose(0)
	require.Equal(t, []string{"5!", "10", "20"}, shows())
	p.Resize(80, 1)
	require.Len(t, p.Lines(), 1)
	l.Set(nil)
	require.Nil(t, l.Chosen())
}

// Headings are neither chosen nor clicked, and are visible above their items.
func TestHeadings(t *testing.T) {
	l := page.List[int]{Heading: func(n *int) bool { return *n%10 == 0 }}
	p, shows := drawn(&l)
	p.Resize(80, 7)
	l.Set([]int{10, 11, 12, 20, 30, 31, 40})
	require.Equal(t, []string{"10", "11!", "12"}, shows())
	p.Move("down")
	p.Move("down")
	require.Equal(t, []string{"20", "30", "31!"}, shows())
	p.Move("down")
	p.Move("end")
	require.Equal(t, 31, *l.Chosen())
	again, _ := p.Point(0, 3)
	require.False(t, again)
	require.Equal(t, 31, *l.Chosen())
	p.Move("up")
	require.Equal(t, 12, *l.Chosen())
	p.Move("home")
	require.Equal(t, []string{"10", "11!", "12"}, shows())
	l.Set([]int{10, 20})
	p.Move("down")
	require.Equal(t, []string{"10", "20"}, shows()[:2], "nothing can be chosen")
}

func TestText(t *testing.T) {
	var text page.Text
	p := &page.Listed{}
	p.Sheet = func() page.Sheet {
		return page.Sheet{Above: []string{"a"}, Rows: text.Of([]string{"1", "2", "3", "4"})}
	}
	p.Resize(80, 3)
	for _, step := range []struct{ key, shows string }{{"up", "a 1 2"}, {"down", "a 2 3"}, {"end", "a 3 4"}, {"down", "a 3 4"},
		{"home", "a 1 2"}} {
		p.Move(step.key)
		require.Equal(t, step.shows, strings.Join(p.Lines(), " "), step.key)
	}
	p.Move("end")
	p.Resize(80, 5)
	require.Equal(t, []string{"a", "1", "2", "3", "4"}, p.Lines())
}
