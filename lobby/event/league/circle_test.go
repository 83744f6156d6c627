package league

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Each team meets every other once. With even, teams are first equally often, or differ by one if their
// number of matches is odd.
func TestCircle(t *testing.T) {
	for n := least; n <= Largest; n++ {
		for _, even := range []bool{true, false} {
			met, first := map[[2]int]bool{}, make([]int, n)
			for _, pairs := range circle(n, even) {
				busy := map[int]bool{}
				for _, p := range pairs {
					require.False(t, busy[p[0]] || busy[p[1]] || met[p] || met[[2]int{p[1], p[0]}])
					busy[p[0]], busy[p[1]], met[p] = true, true, true
					first[p[0]]++
				}
			}
			require.Len(t, met, n*(n-1)/2)
			for _, k := range first {
				if even {
					require.InDelta(t, float64(n-1)/2, k, 0.5, "%d teams: %v", n, first)
				}
			}
		}
	}
	require.Equal(t, [][2]int{{0, 3}, {2, 1}}, circle(4, false)[0], "as seasons in progress were drawn")
}
