package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// begin lets games begin, and returns when all are under way.
func (r *runner) begin(ctx context.Context) error {
	ctx, cancel := sight(ctx)
	defer cancel()
	r.gate.set(true)
	defer r.gate.set(false)
	for _, p := range r.players {
		if err := p.begun(ctx); err != nil {
			return err
		}
	}
	return nil
}

// play measures rounds of play, each followed by the same output from the bare server.
func (r *runner) play(ctx context.Context) error {
	var costs []Pair
	var shares []float64
	p := &Play{Rounds: r.load.Rounds}
	all, echoed := &tally{}, &latency{}
	waits := make(map[string]float64)
	for range r.load.Rounds {
		pieces, club, updates, err := r.round(ctx, all, p, waits)
		if err != nil {
			return err
		}
		shares = append(shares, club/float64(r.load.Play.Microseconds()))
		if updates == 0 || len(pieces) == 0 { // nobody watched, or nothing was to be seen
			continue
		}
		cost := Pair{Club: club / float64(updates)}
		if r.bare != nil {
			bare, said, err := r.repeat(ctx, pieces, echoed)
			if err != nil {
				return err
			}
			cost = pairOf(cost.Club, bare/float64(said))
		}
		costs = append(costs, cost)
	}
	p.Changes /= float64(r.load.Tables) * r.load.Play.Seconds() * float64(r.load.Rounds)
	p.CPU, p.Share = medians(costs), median(shares)
	p.Moves, p.Updates = all.moves.Load(), all.updates.Load()
	if p.Updates > 0 {
		p.Bytes = float64(all.bytes.Load()) / float64(p.Updates)
	}
	if n := all.ordinary.Load(); n > 0 {
		p.MoveBytes = float64(all.plain.Load()) / float64(n)
	}
	p.Delay, p.Ack, p.BareDelay = all.delay.sum(), all.ack.sum(), echoed.sum()
	p.Journal = journal(waits)
	sessions := float64(len(r.players) + len(r.screens))
	if u, err := r.club.usage(); err == nil {
		p.RSS = float64(u.rss-r.before[r.club].rss) / 1024 / sessions
	}
	if n, _, err := r.club.gauges(); err == nil {
		p.Goroutines = (n - r.base[r.club][0]) / sessions
	}
	r.report.Play = p
	return nil
}

// round lets people play for a while. It returns what came to the first watcher, the club's processor time in microseconds
// and the number of updates that watchers got in it, and adds to waits what the club counted of its journal.
func (r *runner) round(ctx context.Context, all *tally, p *Play, waits map[string]float64) (pieces [][]byte, club float64, updates int64, err error) {
	// It takes a moment until games are under way, and that is not measured.
	r.gate.set(true)
	defer r.gate.set(false)
	if !sleep(ctx, warmUp) {
		return nil, 0, 0, context.Cause(ctx)
	}
	if len(r.screens) > 0 {
		first := r.screens[0]
		first.mu.Lock()
		first.scribe = &scribe{}
		first.mu.Unlock()
	}
	counted, _ := r.club.scrape() // without metrics there is no figure of the journal
	before, marks := all.updates.Load(), r.marks()
	r.tally.Store(all)
	start := r.usages()
	busy, stop := context.WithTimeout(ctx, r.load.Play)
	defer stop()
	var wg sync.WaitGroup
	var lines, resizes atomic.Int64
	wg.Go(func() { r.disturb(busy, r.load.Chat, &lines, r.talk) })
	wg.Go(func() { r.disturb(busy, r.load.Resizes, &resizes, r.resize) })
	select {
	case <-busy.Done():
	case err = <-r.failed:
		stop()
	}
	wg.Wait()
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, 0, 0, err
	}
	end := r.usages()
	if now, err := r.club.scrape(); err == nil {
		for name, n := range now {
			waits[name] += n - counted[name]
		}
	}
	updates = all.updates.Load() - before
	p.Changes += float64(r.marks()-marks) / float64(r.load.People)
	r.tally.Store(&tally{})
	p.Lines += lines.Load()
	p.Resizes += resizes.Load()
	if len(r.screens) > 0 {
		first := r.screens[0]
		first.mu.Lock()
		pieces, first.scribe = first.scribe.pieces, nil
		first.mu.Unlock()
	}
	return pieces, cpu(r.club, start, end), updates, nil
}

// marks adds up the versions that players see.
func (r *runner) marks() (sum uint64) {
	for _, p := range r.players {
		sum += p.mark()
	}
	return sum
}

// warmUp is the beginning of a round that is not measured.
const warmUp = 500 * time.Millisecond

// repeat has the bare server write pieces to as many clients, at the pace of a round. It returns its processor time in
// microseconds, and how many pieces were written in all.
func (r *runner) repeat(ctx context.Context, pieces [][]byte, echoed *latency) (bare float64, said int64, err error) {
	if err := r.quiet(ctx); err != nil {
		return 0, 0, err
	}
	r.echo.delay.Store(echoed)
	defer r.echo.delay.Store(&latency{})
	before := r.pieces(r.twins)
	start := r.usages()
	every := time.NewTicker(r.load.Play / time.Duration(len(pieces)))
	defer every.Stop()
	for _, piece := range pieces {
		now := time.Now()
		r.echo.said.Store(&now)
		if err := r.bare.say("say " + strconv.Quote(string(piece))); err != nil {
			return 0, 0, fmt.Errorf("the bare server: %w", err)
		}
		select {
		case <-every.C:
		case <-ctx.Done():
			return 0, 0, context.Cause(ctx)
		}
	}
	end := r.usages()
	return cpu(r.bare, start, end), r.pieces(r.twins) - before, nil
}

// pieces is how many pieces of output have come.
func (r *runner) pieces(screens []*screen) (n int64) {
	for _, s := range screens {
		n += s.writes.Load()
	}
	return n
}

// disturb does something so many times a second, to one session after another, and counts it.
func (r *runner) disturb(ctx context.Context, rate float64, n *atomic.Int64, do func(s *screen, n int64) error) {
	candidates := slices.DeleteFunc(slices.Clone(r.screens), func(s *screen) bool { return s.table != nil && !s.observer })
	if rate <= 0 || len(candidates) == 0 {
		return
	}
	every := time.NewTicker(time.Duration(float64(time.Second) / rate))
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			if do(candidates[int(n.Load())%len(candidates)], n.Load()) == nil {
				n.Add(1)
			}
		}
	}
}

// talk says a line, in the lobby or at a table.
func (r *runner) talk(s *screen, n int64) error {
	return s.send("t" + fmt.Sprint("line ", n, " of the load") + keyEnter)
}

// resize makes a window larger, or as it was.
func (r *runner) resize(s *screen, _ int64) error {
	s.mu.Lock()
	w, h := r.load.Width, r.load.Height
	if s.grid.w == w {
		w, h = w+40, h+16
	}
	s.grid.resize(w, h)
	s.mu.Unlock()
	return s.client.resize(w, h)
}

// arrive has many come in within one second. They are logged in before: the handshakes of so many take longer than that where
// clients and server share a machine.
func (r *runner) arrive(ctx context.Context) error {
	n := r.load.Arrivals
	arrivals := make([]*screen, n)
	if err := each(n, inFlight, func(i int) error {
		c, err := login(ctx, r.club.addr, "visitor", nil)
		if err == nil {
			arrivals[i] = newScreen(c, r.load.Width, r.load.Height)
		}
		return err
	}); err != nil {
		return err
	}
	start, began := r.usages(), time.Now()
	every := time.NewTicker(time.Second / time.Duration(n))
	defer every.Stop()
	r.screens = append(r.screens, arrivals...)
	var wg sync.WaitGroup
	var failed atomic.Pointer[error]
	for _, s := range arrivals {
		wg.Go(func() {
			if err := s.enter(""); err != nil {
				failed.Store(&err)
			}
		})
		select {
		case <-every.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	took := time.Since(began)
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	if err := r.quiet(ctx); err != nil {
		return err
	}
	var first latency
	for _, s := range arrivals {
		if at := s.shown.Load(); at != 0 {
			first.add(time.Unix(0, at).Sub(s.began))
		}
	}
	r.report.Arrivals = &Arrivals{
		N: n, Seconds: took.Seconds(), Screen: first.sum(), Frames: float64(r.frames(arrivals)) / float64(n),
		CPU: Pair{Club: cpu(r.club, start, r.usages()) / float64(n)},
	}
	return nil
}
