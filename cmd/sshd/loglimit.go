package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"boneyard/lobby/limit"
)

// Limits of log lines by source, by network, and by message for lines without a source. Further lines are
// counted, and the sum is logged. Errors have their own limits, so that a source that fills the log cannot
// hide them.
var (
	linesOfSource  = limit.Rule{Addr: limit.Rate{Burst: 60, Every: 20 * time.Second}, Network: limit.Rate{Burst: 300, Every: 4 * time.Second}}
	errorsOfSource = limit.Rule{Addr: linesOfSource.Addr, Network: linesOfSource.Network}
	linesAlike     = limit.Rule{Key: limit.Rate{Burst: 60, Every: 20 * time.Second}}
)

const (
	sumEvery   = time.Minute // after the first omitted line
	sumSources = 20          // the sources with the most lines get their own sum; the others share one
	maxSums    = 4096        // sources that are counted separately
)

// logLimit is a handler that sums up the lines of a source that writes too many: a caller who connects a
// hundred times a second must not fill the disk with repetitions.
type logLimit struct {
	next   slog.Handler
	sums   *sums
	source netip.Addr // of this handler's lines; invalid if the lines name it themselves, or have none
}

// sums counts omitted lines.
type sums struct {
	out    slog.Handler // without attributes
	now    func() time.Time
	limits *limit.Limits

	mu    sync.Mutex
	of    map[netip.Addr]map[string]int // by source, invalid for none, and by message
	timer *time.Timer                   // nil while there are none
}

func newLogLimit(next slog.Handler, now func() time.Time) *logLimit {
	return &logLimit{next: next, sums: &sums{out: next, now: now, limits: limit.New(limit.DefaultEntries, now),
		of: map[netip.Addr]map[string]int{}}}
}

// Enabled implements slog.Handler.
func (d *logLimit) Enabled(ctx context.Context, l slog.Level) bool { return d.next.Enabled(ctx, l) }

// WithGroup implements slog.Handler.
func (d *logLimit) WithGroup(name string) slog.Handler {
	return &logLimit{d.next.WithGroup(name), d.sums, d.source}
}

// WithAttrs implements slog.Handler.
func (d *logLimit) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := &logLimit{d.next.WithAttrs(attrs), d.sums, d.source}
	for _, a := range attrs {
		if src := sourceIn(a); src.IsValid() {
			with.source = src
		}
	}
	return with
}

// Handle implements slog.Handler.
func (d *logLimit) Handle(ctx context.Context, r slog.Record) error {
	source := d.source
	r.Attrs(func(a slog.Attr) bool {
		if src := sourceIn(a); src.IsValid() {
			source = src
		}
		return true
	})
	if !d.sums.room(source, r.Level, r.Message) {
		d.sums.count(source, r.Message)
		return nil
	}
	return d.next.Handle(ctx, r)
}

// sourceIn returns the caller's address in an attribute; invalid if there is none.
func sourceIn(a slog.Attr) netip.Addr {
	if a.Key != "addr" {
		return netip.Addr{}
	}
	addr, _ := netip.ParseAddr(a.Value.String()) // an address with a port is one of ours
	return addr
}

// room reports whether there is room for one more line.
func (s *sums) room(source netip.Addr, level slog.Level, message string) bool {
	switch {
	case source.IsValid() && level >= slog.LevelError:
		return s.limits.Allow(&errorsOfSource, limit.Who{Addr: source})
	case source.IsValid():
		return s.limits.Allow(&linesOfSource, limit.Who{Addr: source})
	}
	return s.limits.Allow(&linesAlike, limit.Who{Key: sha256.Sum256([]byte(message))})
}

// count counts an omitted line.
func (s *sums) count(source netip.Addr, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	place := limit.Household(source).Addr()
	if s.of[place] == nil {
		if len(s.of) >= maxSums {
			place = netip.IPv4Unspecified() // stands for all others
		}
		if s.of[place] == nil {
			s.of[place] = map[string]int{}
		}
	}
	s.of[place][message]++
	if s.timer == nil {
		s.timer = time.AfterFunc(sumEvery, s.flush)
	}
}

// flush writes the sums, and starts again at zero.
func (s *sums) flush() {
	s.mu.Lock()
	of := s.of
	s.of = map[netip.Addr]map[string]int{}
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	s.mu.Unlock()
	total := func(counts map[string]int) (n int) {
		for _, c := range counts {
			n += c
		}
		return n
	}
	sources := slices.SortedFunc(maps.Keys(of), func(a, b netip.Addr) int {
		return cmp.Or(cmp.Compare(total(of[b]), total(of[a])), a.Compare(b))
	})
	rest := map[string]int{}
	written, folded := 0, 0
	for _, src := range sources {
		switch {
		case !src.IsValid():
			s.write(of[src], slog.Attr{})
		case written < sumSources && src != netip.IPv4Unspecified():
			written++
			s.write(of[src], slog.String("addr", src.String()))
		default:
			folded++
			for what, n := range of[src] {
				rest[what] += n
			}
		}
	}
	if len(rest) > 0 {
		s.write(rest, slog.Int("sources", folded))
	}
}

// write writes one sum.
func (s *sums) write(counts map[string]int, whose slog.Attr) {
	r := slog.NewRecord(s.now(), slog.LevelWarn, "lines left out", 0)
	if whose.Key != "" {
		r.AddAttrs(whose)
	}
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		r.AddAttrs(slog.Int(what, counts[what]))
	}
	_ = s.out.Handle(context.Background(), r) // there is nowhere else to complain
}
