package soak

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshload/attack"
	"boneyard/cmd/sshload/figures"
	"boneyard/cmd/sshload/server"
)

func TestSoakBounds(t *testing.T) {
	good := Plan{Minutes: 10, Hostile: 300, Tables: 50}
	require.NoError(t, good.Validate())
	for what, change := range map[string]func(*Plan){
		"at most 60 minutes":  func(s *Plan) { s.Minutes = 61 },
		"more than 0":         func(s *Plan) { s.Minutes = 0 },
		"clients are 0 to":    func(s *Plan) { s.Hostile = -1 },
		"hostile clients are": func(s *Plan) { s.Hostile = maxHostile + 1 },
		"tables are 1":        func(s *Plan) { s.Tables = 0 },
		"tables are 1 to 500": func(s *Plan) { s.Tables = maxTables + 1 },
		"no attack \"magic\"": func(s *Plan) { s.Only = []string{"drip", "magic"} },
	} {
		s := good
		change(&s)
		require.ErrorContains(t, s.Validate(), what)
	}
}

func TestSoakHelpNamesTheAttacks(t *testing.T) {
	help := NewCommand().Long
	for _, a := range attack.Kinds() {
		require.Contains(t, help, a.Name+" ")
		require.Contains(t, help, a.About)
	}
}

// A goal that is missed makes the command fail.
func TestSoakGoals(t *testing.T) {
	good := func() *Report {
		return &Report{Ack: &figures.Latency{N: 1000, P99: 49}, Newcomers: &Newcomers{N: 100, In: 100, Late: 1}, Left: &Left{DataFiles: 9, Tables: 3}, Tables: 52, Kept: 52}
	}
	r := good()
	r.judge()
	require.NoError(t, r.missed())
	for what, change := range map[string]func(*Report){
		GoalAck:                       func(r *Report) { r.Ack.P99 = 51 },
		GoalLate:                      func(r *Report) { r.Newcomers.Late = 2 },
		"log, MB an hour":             func(r *Report) { r.LogHour = 31 },
		"faults that the ordinary":    func(r *Report) { r.Faults = 1 },
		"goroutines left":             func(r *Report) { r.Left.Goroutines = 1 },
		"files left":                  func(r *Report) { r.Left.Files = 1 },
		"sessions left":               func(r *Report) { r.Left.Sessions = 1 },
		"tables lost":                 func(r *Report) { r.Kept = 51 },
		"panics, failures of the jou": func(r *Report) { r.Panics = 1 },
		"panics, failures":            func(r *Report) { r.Journal = 1 },
		"errors in the log":           func(r *Report) { r.Logged = []string{"one"} },
	} {
		r := good()
		change(r)
		r.judge()
		require.ErrorContains(t, r.missed(), what)
		var out bytes.Buffer
		require.NoError(t, r.Print(&out))
		require.Contains(t, out.String(), "MISSED")
	}
}

func TestErrorsOfTheLogAreKept(t *testing.T) {
	var l errorLog
	for _, part := range []string{`{"level":"INFO","msg":"a"}` + "\n" + `{"level":"ER`, `ROR","msg":"b"}` + "\n", "no object\n", `{"level":"ERROR","msg":"c"}`} {
		_, err := l.Write([]byte(part))
		require.NoError(t, err)
	}
	require.Equal(t, []string{`{"level":"ERROR","msg":"b"}`}, l.first())
}

func TestRefusalsAreCountedByReason(t *testing.T) {
	scraped := func(source, full, penalty int) server.Metrics {
		parser := expfmt.NewTextParser(model.UTF8Validation)
		m, err := parser.TextToMetricFamilies(strings.NewReader(fmt.Sprintf(`# TYPE boneyard_refused_total counter
boneyard_refused_total{reason="source"} %d
boneyard_refused_total{reason="full"} %d
boneyard_refused_total{reason="penalty"} %d
# TYPE go_goroutines gauge
go_goroutines %d
# TYPE boneyard_journal_append_seconds histogram
boneyard_journal_append_seconds_bucket{le="0.001"} %d
boneyard_journal_append_seconds_bucket{le="0.01"} %d
boneyard_journal_append_seconds_bucket{le="+Inf"} %d
`, source, full, penalty, source, source, source+penalty, source+penalty)))
		require.NoError(t, err)
		return m
	}
	before, after := scraped(2, 1, 0), scraped(7, 1, 3)
	require.Equal(t, map[string]int{"source": 5, "penalty": 3}, growth(before, after, "boneyard_refused_total", "reason"))
	require.Equal(t, map[string]int{"": 5}, growth(before, after, "go_goroutines", ""))
	require.Equal(t, 7.0, after.Value("go_goroutines"))
	require.Zero(t, after.Value("nothing"))
	w := make(server.Waits)
	require.Nil(t, w.Sum())
	w.Add(server.JournalWaits, before, after)
	w.Add(server.JournalWaits, before, after)
	require.Equal(t, &figures.Latency{N: 16, P50: 1, P99: 10, Worst: 10}, w.Sum())
}
