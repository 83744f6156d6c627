package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A source that fills the log fills it with a few lines and their sum; nobody else's lines are omitted.
func TestLinesOfOneSourceAreSummedUp(t *testing.T) {
	t.Parallel()
	for _, format := range []LogFormat{FormatText, FormatJSON} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			log, flush := newLogger(&out, slog.LevelInfo, format)
			const calls = 20_000
			began := time.Now()
			for range calls {
				session := log.With("addr", netip.MustParseAddr("203.0.113.7"), "user", strings.Repeat("x", 64))
				session.Info("session opened")
				session.Info("session closed")
				time.Sleep(time.Hour / calls)
			}
			require.InDelta(t, time.Hour, time.Since(began), float64(time.Minute))
			log.Info("session opened", "addr", netip.MustParseAddr("198.51.100.1"))
			flush()
			text := out.String()
			require.Less(t, len(text), 100_000, "in an hour")
			require.Equal(t, 1, strings.Count(text, "198.51.100.1"))
			left, opened := 0, strings.Count(text, "session opened\"")
			for _, line := range strings.Split(text, "\n") {
				if i := strings.Index(line, "session opened\":"); format == FormatJSON && i >= 0 {
					var n int
					_, err := fmt.Sscanf(line[i:], "session opened\":%d", &n)
					require.NoError(t, err)
					left += n
					opened--
				}
			}
			if format == FormatJSON {
				require.Equal(t, calls+1, left+opened, "all are counted")
			}
		})
	}
}

// A source that fills the log with calls cannot hide the errors that follow.
func TestErrorsAreNotLeftOutForCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log, flush := newLogger(&out, slog.LevelInfo, FormatJSON)
		session := log.With("addr", netip.MustParseAddr("203.0.113.7"))
		for range 1000 {
			session.Info("session opened")
		}
		session.Error("the handler panicked")
		require.Contains(t, out.String(), `"msg":"the handler panicked"`)
		for range 1000 {
			session.Error("the handler panicked")
		}
		require.Equal(t, 60, strings.Count(out.String(), `"msg":"the handler panicked"`))
		flush()
		require.Contains(t, out.String(), `"the handler panicked":941`)
	})
}

// The limits are those of docs/operation.md: of an address, of a network five times as many, of a message without an address as many as of one.
func TestLinesThatHaveRoom(t *testing.T) {
	t.Parallel()
	for what, tc := range map[string]struct {
		line            func(log *slog.Logger, n int)
		atOnce, aMinute int
	}{
		"address": {func(log *slog.Logger, _ int) { log.Info("x", "addr", netip.AddrFrom4([4]byte{10, 0, 0, 1})) }, 60, 3},
		"network": {func(log *slog.Logger, n int) { log.Info("x", "addr", netip.AddrFrom4([4]byte{10, 0, 0, byte(n)})) }, 300, 15},
		"nobody":  {func(log *slog.Logger, _ int) { log.Info("x") }, 60, 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			log, flush := newLogger(&out, slog.LevelInfo, FormatJSON)
			defer flush()
			written := func() int {
				n := strings.Count(out.String(), `"msg":"x"`)
				out.Reset()
				return n
			}
			for n := range 1000 {
				tc.line(log, n)
			}
			require.Equal(t, tc.atOnce, written(), what)
			for n := range 10 * 600 {
				time.Sleep(time.Minute / 600)
				tc.line(log, n)
			}
			require.InDelta(t, 10*tc.aMinute, written(), 1, what)
		})
	}
}

// A thousand sources, and lines without a source, write no more than they may.
func TestSumsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log, flush := newLogger(&out, slog.LevelInfo, FormatJSON)
		for range 100 {
			for n := range 1000 {
				log.Info("session refused", "addr", netip.AddrFrom4([4]byte{10, byte(n), byte(n >> 8), 1}))
			}
			log.Error("store: keep news")
		}
		out.Reset()
		flush()
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		require.Len(t, lines, sumSources+2)
		require.Contains(t, out.String(), `"msg":"lines left out","store: keep news":40}`)
		require.Contains(t, out.String(), fmt.Sprintf(`"sources":%d,"session refused":%d}`, 1000-sumSources, 40*(1000-sumSources)))
		out.Reset()
		flush()
		require.Empty(t, out.String(), "once")
	})
}

// At the level debug everything is written.
func TestNothingIsLeftOutForDebugging(t *testing.T) {
	var out bytes.Buffer
	log, _ := newLogger(&out, slog.LevelDebug, FormatJSON)
	for range 1000 {
		log.Debug("x", "addr", "203.0.113.7")
	}
	require.Equal(t, 1000, strings.Count(out.String(), "\n"))
}

func BenchmarkDigest(b *testing.B) {
	log := slog.New(newLogLimit(slog.NewJSONHandler(io.Discard, nil), time.Now))
	addr := netip.MustParseAddr("203.0.113.7")
	for b.Loop() {
		log.Info("session opened", "addr", addr)
	}
}
