package main

import (
	"io"
	"log/slog"
	"time"

	"charm.land/log/v2"
)

// newLogger returns the server's log, and a function that writes the sums of omitted lines. Secrets and what
// people say to each other are never logged. At level debug no line is omitted.
func newLogger(w io.Writer, level slog.Level, format LogFormat) (log *slog.Logger, flush func()) {
	h := newHandler(w, level, format)
	if level <= slog.LevelDebug {
		return slog.New(h), func() {}
	}
	d := newLogLimit(h, time.Now)
	return slog.New(d), d.sums.flush
}

func newHandler(w io.Writer, level slog.Level, format LogFormat) slog.Handler {
	if format == FormatJSON {
		return slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: withUnit})
	}
	return log.NewWithOptions(w, log.Options{
		Level:           log.Level(level),
		ReportTimestamp: true,
		TimeFormat:      time.DateTime,
	})
}

// withUnit writes durations in seconds, with the unit in the name: bare nanoseconds tell a collector little.
func withUnit(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		return slog.Float64(a.Key+"_seconds", a.Value.Duration().Seconds())
	}
	return a
}
