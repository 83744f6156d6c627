package main

import (
	"io"
	"log/slog"
	"time"

	"charm.land/log/v2"
)

// newLogger returns the server's log. Nothing secret and nothing that people say to each other is
// ever given to it.
func newLogger(w io.Writer, level LogLevel, format LogFormat) *slog.Logger {
	var least slog.Level
	// The words of LogLevel are slog's own.
	_ = least.UnmarshalText([]byte(level))
	if format == FormatJSON {
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: least}))
	}
	return slog.New(log.NewWithOptions(w, log.Options{
		Level:           log.Level(least),
		ReportTimestamp: true,
		TimeFormat:      time.DateTime,
	}))
}
