package event

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Clock is the time by which events begin, go on and end, which cannot be undone: the wall clock, as long as
// it agrees with the monotonic one. When the wall clock leaps, events go on by the old time until the new one
// has lasted for a while, or an operator accepts it. Its methods may be called by any goroutine.
type Clock struct {
	wall    func() time.Time
	confirm time.Duration
	log     *slog.Logger
	start   time.Time // for the monotonic clock

	// Set by Start.
	ctx   context.Context
	times TimeStore
	run   func(job func())
	idle  func() bool
	kept  time.Time // when the time was last stored; used by the background jobs only

	mu    sync.Mutex
	base  time.Time     // the time at
	at    time.Duration // since start
	leap  *leap         // nil: the clocks agree
	timer *time.Timer   // of Tick

	stopped bool
}

// TimeStore keeps the time.
type TimeStore interface {
	// KeepTime stores the time by the events' clock and by the wall clock. LastTime returns both, or zero if
	// they were never stored, and how long ago that was by the monotonic clock, or zero if nobody knows.
	KeepTime(ctx context.Context, now, wall time.Time) error
	LastTime(ctx context.Context) (now, wall time.Time, ago time.Duration, err error)
}

// leap is a difference between the clocks.
type leap struct {
	by    time.Duration // the wall clock is ahead by
	since time.Duration // since start
	wait  time.Duration // how long it has to last before it is believed
}

const (
	// ConfirmTime is how long a clock that has leapt must run evenly before events believe it, unless an
	// operator chooses otherwise.
	ConfirmTime = 15 * time.Minute
	// slack is the largest difference that is followed at once, such as a time server's correction.
	slack = 2 * time.Minute
	// After the server was down for at most shortStop, the time needs no confirmation. After at most
	// longLeap, it is confirmed for bootConfirm, in which a time server corrects a clock that starts out
	// wrong, such as one that keeps local time. A node of a cluster that takes over knows that nothing was down,
	// but may have learned of the last time minutes late.
	shortStop   = 15 * time.Minute
	bootConfirm = time.Minute
	// A leap of more than longLeap is confirmed for longer: at most for mostConfirm, if it is a year.
	longLeap    = 3 * 24 * time.Hour
	mostConfirm = 24 * time.Hour
	// While somebody is in the club, the time is stored every keepEvery, since a restart compares the clock
	// with it. In an empty club keepIdle spares the disk; after a crash, events then wait for a minute.
	keepEvery = 10 * time.Minute
	keepIdle  = 6 * time.Hour
)

// NewClock returns a clock that follows wall, whose times need no monotonic reading. confirm is as
// ConfirmTime; with 0 every leap is believed at once.
func NewClock(wall func() time.Time, confirm time.Duration, log *slog.Logger) *Clock {
	return &Clock{wall: wall, confirm: confirm, log: log, start: time.Now(), base: wall().Round(0)}
}

// Start resumes the clock from the stored time, which it returns with that of the wall clock. Background jobs
// store the time until ctx ends or Stop is called. idle reports whether nobody is in the club.
func (c *Clock) Start(
	ctx context.Context, times TimeStore, run func(job func()), idle func() bool,
) (last, wall time.Time, err error) {
	last, wall, ago, err := times.LastTime(ctx)
	if err == nil {
		c.Resume(last, wall, ago)
		c.ctx, c.times, c.run, c.idle = ctx, times, run, idle
	}
	return last, wall, err
}

// Tick is a background job that stores the time if that is due, and schedules the next tick. The first is to
// come once the club has started.
func (c *Clock) Tick() {
	if !c.idle() || time.Since(c.kept) >= keepIdle {
		c.Keep(c.ctx)
		c.kept = time.Now()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.stopped {
		c.timer = time.AfterFunc(keepEvery, func() { c.run(c.Tick) })
	}
}

// Keep stores the time. A failure is harmless: it makes the next restart wait longer.
func (c *Clock) Keep(ctx context.Context) {
	if c.times != nil {
		_ = c.times.KeepTime(ctx, c.Now(), c.wall())
	}
}

// keepLater stores the time in a background job: after a leap, a server that ends is to resume from there.
func (c *Clock) keepLater() {
	if c.run != nil {
		c.run(func() { c.Keep(c.ctx) })
	}
}

// Stop ends what Start began.
func (c *Clock) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped = true; c.timer != nil {
		c.timer.Stop()
	}
}

// Resume makes a new clock go on from the last time of an earlier one, before the server stopped; zero for
// never. wall is what the wall clock showed then: if it had leapt already, the server was not down for that
// long. ago is how long ago that was, zero if nobody knows.
func (c *Clock) Resume(last, wall time.Time, ago time.Duration) {
	if last.IsZero() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := last.Round(0).Add(ago)
	by, wait := c.wall().Round(0).Sub(now), time.Duration(0)
	if by >= -slack && by <= shortStop || c.confirm == 0 {
		return
	}
	if wait = c.waits(by); ago == 0 && by > 0 && by < longLeap && wall.Sub(last).Abs() <= slack {
		wait = min(wait, bootConfirm)
	}
	c.base, c.at = now, time.Since(c.start)
	c.leap = &leap{by, c.at, wait}
	c.log.Warn("the server was down, or its clock was changed; events go on by the time of before until the new one is confirmed",
		"before", now.UTC(), "by", by.Round(time.Second), "wait", wait.Round(time.Second))
}

// waits returns how long a leap has to last before it is believed.
func (c *Clock) waits(by time.Duration) time.Duration {
	if by < longLeap {
		return c.confirm
	}
	return max(c.confirm, min(time.Duration(float64(by)/float64(longLeap)*float64(c.confirm)), mostConfirm))
}

// Now returns the time, without a monotonic reading.
func (c *Clock) Now() time.Time {
	now, _, say := c.look()
	if say != nil {
		say()
	}
	return now
}

// look compares the clocks. waiting is a leap that is not believed yet; say, unless nil, is to be called.
func (c *Clock) look() (now time.Time, waiting *leap, say func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	wall, mono := c.wall().Round(0), time.Since(c.start)
	steady := c.base.Add(mono - c.at)
	by := wall.Sub(steady)
	last := c.leap
	switch {
	case by.Abs() <= slack || c.confirm == 0:
		c.base, c.at, c.leap = wall, mono, nil
		if last != nil {
			return wall, nil, func() { c.log.Info("the clock is right again") }
		}
		return wall, nil, nil
	case last == nil || (by-last.by).Abs() > slack:
		c.leap = &leap{by, mono, c.waits(by)}
		return steady, c.leap, func() {
			c.keepLater()
			c.log.Warn("the clock has leapt; events go on by the old time until the new one is confirmed",
				"by", by.Round(time.Second), "wait", c.waits(by).Round(time.Second))
		}
	case mono-last.since < last.wait:
		return steady, last, nil
	}
	c.base, c.at, c.leap = wall, mono, nil
	return wall, nil, func() {
		c.keepLater()
		c.log.Warn("events go on by the new time of the clock", "by", by.Round(time.Second))
	}
}

// Accept believes the wall clock at once.
func (c *Clock) Accept() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base, c.at, c.leap = c.wall().Round(0), time.Since(c.start), nil
	c.keepLater()
}

// Leap returns by how much the wall clock is ahead of Now, and for how much longer that has to last before it
// is believed; 0 while they agree.
func (c *Clock) Leap() (by, wait time.Duration) {
	_, l, say := c.look()
	if say != nil {
		say()
	}
	if l == nil {
		return 0, 0
	}
	return l.by, max(0, l.wait-(time.Since(c.start)-l.since))
}

// String describes the clock for an operator.
func (c *Clock) String() string {
	now := c.Now().UTC().Format("2006-01-02 15:04:05 UTC")
	by, wait := c.Leap()
	if by == 0 {
		return "Events go by the server's clock: " + now + "."
	}
	way := "ahead"
	if by < 0 {
		way = "behind"
	}
	return fmt.Sprintf("Events go by %s. The server's clock is %s %s; it is believed if that lasts for another %s.",
		now, by.Abs().Round(time.Second), way, max(wait.Round(time.Minute), time.Minute))
}
