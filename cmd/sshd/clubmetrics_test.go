package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

func TestClubMetrics(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) {
		m.Settings.Metrics = "127.0.0.1:0"
		m.Settings.Exhibition = false
		m.Settings.Daily = true
	})
	scrape := func() string {
		_, text := get(t, fmt.Sprintf("http://%s/metrics", m.MetricsAddr()))
		return text
	}
	first := scrape()
	require.Contains(t, first, "\nboneyard_moves_total 0\n")
	require.Contains(t, first, fmt.Sprintf("\nboneyard_sessions_limit %d\n", m.Settings.MaxSessions))
	require.Contains(t, first, "go_sched_latencies_seconds_bucket")
	// What has not happened yet is there, at 0.
	for _, label := range []string{
		`boneyard_games_total{event="abandoned"}`, `boneyard_logins_total{with="none"}`, `boneyard_refused_total{reason="grace"}`,
		`boneyard_refused_total{reason="no_session"}`, `boneyard_sessions_closed_total{reason="panic"}`,
		`boneyard_tables_by_state{state="frozen"}`,
	} {
		require.Contains(t, first, "\n"+label+" 0\n")
	}
	// A health check does not count as a caller who was turned away.
	status, _, errs := command(t, nil, "health", "--listen", m.Addr().String())
	require.Equal(t, exitOK, status, errs)
	until(t, "the check's connection to be let in", func() bool { return strings.Contains(scrape(), "\nboneyard_connections_total 1\n") })

	ana, ben := joinBoth(t, m, "classic target=100")
	require.Contains(t, scrape(), "\nboneyard_tables 1\n")
	require.Contains(t, scrape(), "\nboneyard_tables_playing 0\n")
	until(t, "the daily deals of today and tomorrow", func() bool { return strings.Contains(scrape(), `boneyard_events{kind="daily"} 2`) })
	require.Contains(t, scrape(), "\nboneyard_people 2\n")
	require.Contains(t, scrape(), "\nboneyard_visits 2\n")
	playBoth(ana, ben)

	// What was counted is what the journal holds.
	_, lines, err := m.club.(*club).store.Record(context.Background(), 1)
	require.NoError(t, err)
	moves := 0
	for _, line := range lines {
		var seat int
		var what string
		if n, _ := fmt.Sscanf(line, "%d %s", &seat, &what); n == 2 {
			moves++
		}
	}
	require.Greater(t, moves, 10)
	text := scrape()
	require.Contains(t, text, fmt.Sprintf("\nboneyard_moves_total %d\n", moves))
	require.Contains(t, text, `boneyard_games_total{event="begun"} 1`)
	require.Contains(t, text, `boneyard_games_total{event="played"} 1`)
	require.Contains(t, text, "\nboneyard_journal_failures_total 0\n")
	for _, name := range []string{"boneyard_journal_append_seconds", "boneyard_journal_commit_seconds", "boneyard_journal_group_requests"} {
		count := valueOf(t, text, name+"_count")
		require.Greater(t, count, 10.0, name)
		require.Greater(t, valueOf(t, text, name+"_sum"), 0.0, name)
	}
	require.Contains(t, text, `boneyard_refused_total{reason="handshake"} 0`)
	require.Contains(t, text, `boneyard_tables_by_state{state="finished"} 1`)
	median, p99, of := m.club.(*club).metrics.recent.quantiles()
	require.Greater(t, of, 10)
	require.Positive(t, median)
	require.LessOrEqual(t, median, p99)
}

// valueOf reads one figure out of a scrape.
func valueOf(t *testing.T, text, name string) (v float64) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if n, _ := fmt.Sscanf(line, name+" %g", &v); n == 1 {
			return v
		}
	}
	t.Fatalf("no %s in:\n%s", name, text)
	return 0
}

func TestFailedAppendsAreCountedApart(t *testing.T) {
	reg := newRegistry()
	m := newClubMetrics(reg)
	b := &table.Batch{Rows: []table.Row{{Line: "round 1"}, {Line: "deal 1 0-0"}, {Line: "2 5-5 = 10 +10"}, {Line: "1 pass"},
		{Line: "# 3 gone"}}}
	require.Equal(t, 2, movesIn(b))
	m.appended(b, time.Millisecond, table.ErrUnavailable)
	m.appended(b, time.Millisecond, fmt.Errorf("somebody hung up: %w", context.Canceled))
	families, err := reg.Gather()
	require.NoError(t, err)
	failures := 0.0
	for _, f := range families {
		if f.GetName() == "boneyard_journal_failures_total" {
			failures = f.GetMetric()[0].GetCounter().GetValue()
		}
	}
	require.Equal(t, 1.0, failures)
	_, _, of := m.recent.quantiles()
	require.Zero(t, of)
	m.appended(b, time.Millisecond, nil)
	median, p99, of := m.recent.quantiles()
	require.Equal(t, []any{time.Millisecond, time.Millisecond, 1}, []any{median, p99, of})
}

// However many connections to the metrics stay open, few are kept: each takes a file that the club needs.
func TestMetricsHoldFewConnections(t *testing.T) {
	m := openClub(t, func(m *Main) { m.Settings.Metrics = "127.0.0.1:0" })
	addr := m.MetricsAddr().String()
	var held []net.Conn
	for range 100 {
		conn, err := net.Dial("tcp", addr)
		require.NoError(t, err)
		defer conn.Close()
		fmt.Fprint(conn, "HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
		held = append(held, conn)
	}
	open := 0
	for _, conn := range held {
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			open++
		}
	}
	require.LessOrEqual(t, open, 32)
	require.NotZero(t, open)
	for _, conn := range held {
		_ = conn.Close()
	}
	require.Eventually(t, func() bool { // the places are free again
		r, err := http.Get("http://" + addr + "/metrics")
		if err != nil {
			return false
		}
		defer r.Body.Close()
		_, err = io.Copy(io.Discard, r.Body)
		return err == nil && r.StatusCode == http.StatusOK
	}, patience, 10*time.Millisecond)
}
