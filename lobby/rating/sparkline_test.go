package rating_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"boneyard/lobby/rating"
)

func TestSparkline(t *testing.T) {
	for _, c := range []struct {
		series []float64
		width  int
		want   []int
	}{
		{nil, 8, nil},
		{[]float64{1, 2}, 0, nil},
		{[]float64{1500}, 8, []int{3}},
		{[]float64{5, 5, 5}, 8, []int{3, 3, 3}},
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, 8, []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{[]float64{1500, 1570, 1430}, 8, []int{4, 7, 0}},
		{[]float64{9, 0, 9, 7}, 2, []int{0, 7}}, // the last of each half
		{[]float64{9, 1, 2, 3, 4}, 1, []int{3}},
	} {
		if got := rating.Sparkline(c.series, c.width); !slices.Equal(got, c.want) {
			t.Errorf("Sparkline(%v, %d) = %v, want %v", c.series, c.width, got, c.want)
		}
	}
}

func TestSparklineOfInts(t *testing.T) {
	if got, want := rating.Sparkline([]int{1500, 1570, 1430}, 3), []int{4, 7, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSparklineLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		series := rapid.SliceOf(rapid.Float64Range(-1e6, 1e6)).Draw(t, "series")
		width := rapid.IntRange(1, 40).Draw(t, "width")
		got := rating.Sparkline(series, width)
		if len(got) != min(width, len(series)) {
			t.Fatalf("%d columns of %d values at width %d", len(got), len(series), width)
		}
		for i, h := range got {
			if h < 0 || h >= rating.Levels {
				t.Fatalf("height %d", h)
			}
			if len(series) == len(got) && i > 0 {
				if up := series[i] - series[i-1]; up > 0 && h < got[i-1] || up < 0 && h > got[i-1] {
					t.Fatalf("%v drawn as %v", series, got)
				}
			}
		}
	})
}
