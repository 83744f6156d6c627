package load

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/server"
)

// Names in the report that are used twice.
const (
	residentMemory   = "resident memory"
	costOfUpdate     = "CPU of an update"
	moveAcknowledged = "move acknowledged"
	keyToScreen      = "key to own screen"
	keyToWatchers    = "key to watchers"
	paired           = "from free to paired"
	botsChoices      = "bots' choices, at most"
	newcomersLate    = "newcomers not in within 3 s"
	logWritten       = "log"
	failures         = "panics, failures of the journal"

	inPlay      = "in play"
	underAttack = "during the attack"
)

// moment is the usage of the servers up to a time, as far as the system tells.
type moment struct {
	at   time.Time
	used map[*server.Server]server.Usage
}

func (r *runner) now() moment {
	m := moment{time.Now(), make(map[*server.Server]server.Usage)}
	for _, s := range r.servers {
		m.used[s], _ = s.Usage()
	}
	return m
}

// since returns the CPU time in microseconds that a server has used since another moment.
func (m moment) since(before moment, s *server.Server) float64 {
	return float64((m.used[s].CPU - before.used[s].CPU).Nanoseconds()) / 1e3
}

// begun looks at the server before anybody comes.
func (r *runner) begun(context.Context, int) error {
	m, err := r.club.Scrape()
	r.goroutines, r.start = m.Goroutines(), r.now()
	logged, _ := r.club.Log.Errors()
	r.logged = len(logged)
	return err
}

// held reports the memory and goroutines of sessions at a moment.
func (r *runner) held(part string, at moment) error {
	m, err := r.club.Scrape()
	sessions := float64(max(len(r.screens)+len(r.players), 1))
	r.report.Add(part, residentMemory, "kB a session", float64(at.used[r.club].RSS-r.start.used[r.club].RSS)/1024/sessions)
	r.report.Add(part, "goroutines", "a session", (m.Goroutines()-r.goroutines)/sessions)
	return err
}

// quiet waits until no frame has come for a time: the larger the lobby, the rarer are its frames.
func (r *runner) quiet(ctx context.Context) error {
	return client.Quiet(ctx, time.Duration(400+r.Lobby)*time.Millisecond, r.screens...)
}

func frames(screens []*client.Screen) (n int64) {
	for _, s := range screens {
		n += s.Frames.Load()
	}
	return n
}

func (r *runner) idle(ctx context.Context, _ int) error { return r.rest(ctx, "idle") }

// rest measures idle sessions, once the club has cleaned up after what came before.
func (r *runner) rest(ctx context.Context, part string) error {
	const cleanup = 3 * time.Second // for how long a club that has nothing to do may still collect garbage, at most ten times
	came, begun := frames(r.screens), r.now()
	for range 10 {
		if !client.Sleep(ctx, cleanup) {
			return context.Cause(ctx)
		}
		before := begun
		came, begun = frames(r.screens), r.now()
		if begun.since(before, r.club) < 0.01*float64(cleanup.Microseconds()) {
			break
		}
	}
	if !client.Sleep(ctx, r.Rest) {
		return context.Cause(ctx)
	}
	end, sessions := r.now(), float64(max(len(r.screens)+len(r.players), 1))
	r.report.Add(part, "CPU", "µs/s a session", end.since(begun, r.club)/end.at.Sub(begun.at).Seconds()/sessions)
	r.report.Add(part, "frames", "a session", float64(frames(r.screens)-came)/sessions)
	return r.held(part, end)
}

// round is what is seen and used during play, in one round or in several.
type round struct {
	part  string
	lasts time.Duration // in all
	seen  client.Tally

	before, after server.Metrics
	used          map[*server.Server]float64 // microseconds of processor time
	written       int64                      // bytes of the log, before
	pieces        [][]byte                   // the output to the first watcher in the last round
}

// play lets people play one round, with chat, newcomers and attackers, and reports this round and those
// before. In a soak the round before the attack and the one under attack are separate.
func (r *runner) play(ctx context.Context, i int) error {
	lasts, hostile := r.Play, r.Hostile > 0 && i == r.Rounds-1
	n := &r.rounds
	switch n.part = inPlay; {
	case hostile:
		*n = round{part: underAttack}
	case r.Limits:
		n.part, lasts = "before the attack", min(r.Calm, r.Play)
	}
	r.gate.Unlock()
	defer r.gate.Lock()
	if !client.Sleep(ctx, 500*time.Millisecond) { // games are not all under way at once
		return context.Cause(ctx)
	}
	if len(r.screens) > 0 {
		r.screens[0].Record(true)
	}
	if n.before == nil {
		n.before, _ = r.club.Scrape() // without metrics there are no figures from them
		n.used = make(map[*server.Server]float64)
		_, n.written = r.club.Log.Errors()
	}
	updates, came, moves, begun := n.seen.Updates.Load(), frames(r.screens), n.seen.Moves.Load(), r.now()
	r.tally.Store(&n.seen)
	busy, stop := context.WithTimeout(ctx, lasts)
	defer stop()
	var beside errgroup.Group
	beside.Go(func() error { return r.talk(busy) })
	beside.Go(func() error { return r.welcome(busy) })
	if hostile {
		beside.Go(func() error { return r.attack(busy) })
	}
	failed, err := r.failed, error(nil)
	if r.Limits { // a fault is noted, and the rest of the round may explain it
		failed = nil
	}
	select {
	case <-busy.Done():
	case err = <-failed:
	}
	stop()
	if err = errors.Join(context.Cause(ctx), err, beside.Wait()); err != nil {
		return err
	}
	end := r.now()
	for _, s := range r.servers {
		n.used[s] += end.since(begun, s)
	}
	n.after, _ = r.club.Scrape()
	n.lasts += lasts
	r.tally.Store(&client.Tally{})
	if len(r.screens) > 0 {
		n.pieces = r.screens[0].Record(false)
	}
	if n.seen.Updates.Load() > updates && !r.Limits { // a highlight ends with a frame of its own, which the bare server repeats, too
		r.report.Add(n.part, costOfUpdate, "µs a frame", end.since(begun, r.club)/float64(frames(r.screens)-came))
	}
	if moves = n.seen.Moves.Load() - moves; moves > 0 && r.Lines && !r.Limits {
		r.report.Add(n.part, "CPU of a move", "µs a move", end.since(begun, r.club)/float64(moves))
	}
	if i < r.Rounds-1 && !r.Limits {
		return nil
	}
	return r.found(n, end)
}

// found adds the results of all rounds to the report.
func (r *runner) found(n *round, end moment) error {
	seen := &n.seen
	add := func(name, unit string, value float64) { r.report.Add(n.part, name, unit, value) }
	count := func(name string, of *atomic.Int64) { add(name, "", float64(of.Load())) }
	delay := func(name string, l *client.Latency) { r.report.Delay(n.part, name, l) }
	count("moves", &seen.Moves)
	if seen.Updates.Load() > 0 {
		add("bytes of a move", "a move within a round", float64(seen.Plain.Load())/float64(max(seen.Ordinary.Load(), 1)))
	}
	delay(keyToWatchers, seen.Delay.Sum())
	delay(keyToScreen, seen.Screen.Sum())
	delay(moveAcknowledged, seen.Ack.Sum())
	delay(paired, seen.Paired.Sum())
	delay(botsChoices, server.Waited("boneyard_bot_choice_seconds", n.before, n.after))
	if r.Newcomers > 0 {
		count("newcomers", &seen.Newcomers)
		count("newcomers, in", &seen.In)
		count("newcomers, late", &seen.Late)
		count("newcomers, calls", &seen.Calls)
		add(newcomersLate, "of 100", 100*float64(seen.Late.Load())/float64(max(seen.Newcomers.Load(), 1)))
		delay("newcomer to first screen", seen.Entered.Sum())
	}
	_, written := r.club.Log.Errors()
	add(logWritten, "MB an hour", float64(written-n.written)/(1<<20)/n.lasts.Hours())
	sum := 0.0
	for _, s := range r.servers {
		name, share := s.Name, n.used[s]/float64(n.lasts.Microseconds())
		sum += share
		if r.Nodes && s == r.club {
			name += ", which has the club"
		}
		add(name, "of a processor", share)
		if r.Nodes {
			add(name+", memory", "MB", float64(end.used[s].RSS)/(1<<20))
		}
	}
	add("all servers", "of a processor", sum)
	add(failures, "", server.Growth(n.before, n.after, "boneyard_sessions_closed_total", "reason")["panic"]+
		server.Growth(n.before, n.after, "boneyard_journal_failures_total", "")[""])
	refused := server.Growth(n.before, n.after, "boneyard_refused_total", "reason")
	for _, reason := range slices.Sorted(maps.Keys(refused)) {
		r.report.Add("refused by the club "+n.part, reason, "", refused[reason])
	}
	if r.Arena > 0 && seen.Paired.Sum() == nil {
		return errors.New("nobody was paired again")
	}
	return r.held(n.part, end)
}

// repeat has the bare server write the output of the last round to all screens, at the pace of the round.
func (r *runner) repeat(ctx context.Context, _ int) error {
	if len(r.of.rounds.pieces) == 0 {
		return nil
	}
	if err := r.quiet(ctx); err != nil {
		return err
	}
	written := func() (n int64) {
		for _, s := range r.screens {
			n += s.Writes.Load()
		}
		return n
	}
	before, begun := written(), r.now()
	every := time.Tick(r.Play / time.Duration(len(r.of.rounds.pieces)))
	for _, piece := range r.of.rounds.pieces {
		now := time.Now()
		r.echo.Said.Store(&now)
		if err := r.club.Say(string(piece)); err != nil {
			return fmt.Errorf("the bare server: %w", err)
		}
		select {
		case <-every:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	r.echo.Said.Store(nil)
	r.report.Add(inPlay, costOfUpdate, "", r.now().since(begun, r.club)/float64(written()-before))
	return nil
}
