package figures

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReport(t *testing.T) {
	r := &Report{Load: "a load"}
	r.Part("one")
	r.Add("number", "things", 3)
	r.Pair("both", "µs", Medians([]Pair{PairOf(10, 5), PairOf(2, 2), PairOf(4, 1)}))
	r.Delay("none", nil)
	r.Delay("some", &Latency{N: 4, P50: 1, P99: 2, Worst: 3})
	r.Goal("kept", 1, 1)
	require.NoError(t, r.Missed())
	r.Before = "again, "
	r.Part("one")
	r.Add("number", "things", 2.5)
	r.Goal("broken", 2, 1)
	r.Notes = append(r.Notes, "a note")
	require.EqualError(t, r.Missed(), "missed: again, broken")

	var text, coded bytes.Buffer
	require.NoError(t, r.Write(&text, false))
	for _, want := range []string{
		"a load\none\n", " 3 things\n", "4.00 µs             bare       2.00   ratio  2.00\n", "1.00 ms p50      2.00 p99      3.00 worst   (4)\n", "\nagain, one\n",
		"2.50 things\n", "  a note\n", "1.00 of 1        met\n", "2.00 of 1        MISSED\n",
	} {
		require.Contains(t, text.String(), want)
	}
	require.NotContains(t, text.String(), "none")
	require.NoError(t, r.Write(&coded, true))
	var back Report
	require.NoError(t, json.Unmarshal(coded.Bytes(), &back))
	require.Equal(t, r.Figures, back.Figures)
	f, ok := back.Get("again, one", "number")
	require.True(t, ok)
	require.Equal(t, 2.5, f.Club)
	_, ok = back.Get("one", "none")
	require.False(t, ok)
}

func TestMedian(t *testing.T) {
	require.Zero(t, Median(nil))
	require.Equal(t, 2.0, Median([]float64{3, 1, 2}))
	require.Equal(t, 2.5, Median([]float64{4, 1, 2, 3}))
}
