package load

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshload/client"
)

func TestReport(t *testing.T) {
	r, beside := &Report{Load: "a load"}, &Report{}
	r.Add("one", "number", "things", 3)
	for i, v := range []float64{10, 2, 4} {
		r.Add("one", "both", "µs", v)
		beside.Add("one", "both", "", []float64{5, 2, 1}[i])
	}
	r.Delay("one", "none", nil)
	r.Delay("two", "some", &client.Latency{N: 4, P50: 1, P99: 2, Worst: 3})
	r.Add("two", "number", "things", 2.5)
	r.Notes = append(r.Notes, "a note")
	r.Beside(beside)
	r.Judge([]Limit{{Part: "one", Name: "both", Ratio: true, Most: 2}, {Part: "two", Name: "some", Ratio: true}, {Part: "two", Name: "other"}})
	require.NoError(t, r.Missed())
	r.Judge([]Limit{{Part: "two", Unit: "things", Most: 1}, {Part: "two", Name: "some", Most: 2}})
	require.Equal(t, []Goal{{"one: both, ratio", 2, 2, true}, {"two: number", 2.5, 1, false}, {"two: some", 2, 2, true}}, r.Goals)
	require.EqualError(t, r.Missed(), "missed: two: number")

	var text, coded bytes.Buffer
	require.NoError(t, r.Write(&text, false))
	for _, want := range []string{
		"a load\none\n", " 3.00 things ", "4.00 µs             beside       2.00   ratio  2.00\n", "\ntwo\n",
		"2.00 ms p99               1.00 p50       3.00 worst   (4)\n", "  a note\n", "2.50 of 1        MISSED\n", "2.00 of 2        met\n",
	} {
		require.Contains(t, text.String(), want)
	}
	require.NotContains(t, text.String(), "none")
	require.NoError(t, r.Write(&coded, true))
	var back Report
	require.NoError(t, json.Unmarshal(coded.Bytes(), &back))
	require.Equal(t, &Figure{Part: "one", Name: "both", Unit: "µs", Value: 4, Beside: 2, Ratio: 2}, back.Get("one", "both"))
	require.Equal(t, 2.0, back.Get("two", "some").P99)
	require.Nil(t, back.Get("one", "none"))
}

func TestMedian(t *testing.T) {
	require.Zero(t, median(nil))
	require.Equal(t, 2.0, median([]float64{3, 1, 2}))
	require.Equal(t, 2.5, median([]float64{4, 1, 2, 3}))
}
