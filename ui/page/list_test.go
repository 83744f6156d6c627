package page_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/ui/page"
)

func numbers(l *page.List[int]) (seen []int) {
	for _, n := range l.Seen() {
		seen = append(seen, *n)
	}
	return seen
}

func TestList(t *testing.T) {
	var l page.List[int]
	require.Nil(t, l.Chosen())
	require.Empty(t, numbers(&l))
	l.Resize(3)
	l.Set([]int{10, 20, 30, 40, 50})
	require.Equal(t, []int{10, 20, 30}, numbers(&l))

	l.Move("end")
	require.Equal(t, 50, *l.Chosen())
	require.Equal(t, []int{30, 40, 50}, numbers(&l))

	same := func(a, b *int) bool { return *a == *b }
	l.Update([]int{5, 10, 20, 30, 40, 50, 60}, same)
	require.Equal(t, 50, *l.Chosen(), "the cursor stays on its item")
	require.Equal(t, []int{30, 40, 50}, numbers(&l), "and that in its row")
	l.Update([]int{5, 10, 20, 30, 40}, same)
	require.Equal(t, 40, *l.Chosen(), "which is gone")

	require.True(t, l.Click(2), "it was chosen already")
	require.False(t, l.Click(0))
	require.Equal(t, 20, *l.Chosen())
	require.False(t, l.Click(3), "below the list")
	require.False(t, l.Click(-1))
	require.Equal(t, 20, *l.Chosen())
	l.Move("down")
	require.Equal(t, 30, *l.Chosen())

	l.Choose(0)
	require.Equal(t, []int{5, 10, 20}, numbers(&l))
	l.Resize(1)
	require.Equal(t, []int{5}, numbers(&l))
	l.Set(nil)
	require.Nil(t, l.Chosen())
}
