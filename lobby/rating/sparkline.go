package rating

import "math"

// Levels is how many heights a sparkline has.
const Levels = 8

// Sparkline returns the history of series, oldest first, as heights from 0 to Levels-1 for at most width
// columns. The lowest value shown is 0 and the highest Levels-1; a history without ups and downs lies in the
// middle. A longer series is thinned: each column has the last value of its equal part of it, so the last
// column is where the series stands now. What a height looks like is for the theme to say. It is nil if the
// series is empty or width is not positive.
func Sparkline[N int | float64](series []N, width int) []int {
	if len(series) == 0 || width <= 0 {
		return nil
	}
	n := min(width, len(series))
	shown := make([]float64, n)
	for i := range shown {
		shown[i] = float64(series[(i+1)*len(series)/n-1])
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range shown {
		low, high = min(low, v), max(high, v)
	}
	heights := make([]int, n)
	for i, v := range shown {
		if high == low {
			heights[i] = Levels/2 - 1
			continue
		}
		heights[i] = int(math.Round((v - low) / (high - low) * (Levels - 1)))
	}
	return heights
}
