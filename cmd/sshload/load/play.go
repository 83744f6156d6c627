package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/cmd/sshload/attack"
	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/figures"
	"boneyard/cmd/sshload/server"
)

// Names in the report that are used twice.
const (
	residentMemory = "resident memory"
	keyToPlayer    = "key to player"
	keyToWatchers  = "key to watchers"
	allServers     = "all servers"
)

// begin lets games begin, and returns when all are under way.
func (r *runner) begin(ctx context.Context) error {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	r.gate.Set(true)
	defer r.gate.Set(false)
	for _, p := range r.players() {
		if err := p.Begun(ctx); err != nil {
			return err
		}
	}
	return nil
}

// round is a time in which people play, and what is seen and spent in it.
type round struct {
	lasts             time.Duration
	hostile           bool // with attackers
	programs, persons *client.Tally

	pieces        [][]byte                   // what came to the first watcher
	used          map[*server.Server]float64 // microseconds of processor time
	changes       float64                    // versions of tables
	lines         int                        // that were said
	before, after server.Metrics
	newcomers     newcomers
	attacks       []attack.Row
}

// warmUp is the beginning of a round that is not measured: it takes a moment until games are under way.
const warmUp = 500 * time.Millisecond

// round lets people play for a while, with all that happens beside it.
func (r *runner) round(ctx context.Context, n *round) (err error) {
	r.gate.Set(true)
	defer r.gate.Set(false)
	if !client.Sleep(ctx, warmUp) {
		return context.Cause(ctx)
	}
	if len(r.screens) > 0 {
		r.screens[0].Record(true)
	}
	n.before, _ = r.club.Scrape() // without metrics there is no figure of them
	marks := r.marks()
	r.tally(n.programs, n.persons)
	start := r.usages()
	busy, stop := context.WithTimeout(ctx, n.lasts)
	defer stop()
	var wg sync.WaitGroup
	var attacked error
	wg.Go(func() { n.lines = r.talk(busy) })
	wg.Go(func() { r.welcome(busy, &n.newcomers) })
	if n.hostile {
		wg.Go(func() { n.attacks, attacked = r.attack(busy) })
	}
	select {
	case <-busy.Done():
	case err = <-r.failed:
		if r.Limits { // it is noted, and the rest may tell why
			<-busy.Done()
			err = nil
		}
	}
	stop()
	wg.Wait()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err = errors.Join(err, attacked); err != nil {
		return err
	}
	end := r.usages()
	n.used = make(map[*server.Server]float64)
	for _, s := range r.servers() {
		n.used[s] = cpu(s, start, end)
	}
	n.after, _ = r.club.Scrape()
	n.changes = float64(r.marks() - marks)
	r.tally(&client.Tally{}, &client.Tally{})
	if len(r.screens) > 0 {
		n.pieces = r.screens[0].Record(false)
	}
	return nil
}

// marks adds up the versions that players see.
func (r *runner) marks() (sum int64) {
	for _, p := range r.players() {
		sum += int64(p.Mark())
	}
	return sum
}

// talk has watchers and visitors of the lobby say lines in turn, and returns how many.
func (r *runner) talk(ctx context.Context) (n int) {
	if r.Chat <= 0 || len(r.screens) == 0 {
		return 0
	}
	for client.Sleep(ctx, time.Duration(float64(time.Second)/r.Chat)) {
		r.fault("a line of chat", r.screens[n%len(r.screens)].Talk(fmt.Sprint("line ", n, " of the load")))
		n++
	}
	return n
}

// play measures rounds of play.
func (r *runner) play(ctx context.Context) error {
	if r.Limits {
		return r.soak(ctx)
	}
	var costs []figures.Pair
	used := make(map[*server.Server]float64)
	seen, echoed := &client.Tally{}, &figures.Recorder{}
	waited, bots := make(server.Waits), make(server.Waits)
	changes, lines := 0.0, 0
	for range r.Rounds {
		before := seen.Updates.Load()
		n := &round{lasts: r.Play, programs: seen, persons: seen}
		if err := r.round(ctx, n); err != nil {
			return err
		}
		for s, us := range n.used {
			used[s] += us
		}
		waited.Add(server.JournalWaits, n.before, n.after)
		bots.Add(server.BotChoices, n.before, n.after)
		changes, lines = changes+n.changes, lines+n.lines
		updates := seen.Updates.Load() - before
		if updates == 0 || len(n.pieces) == 0 { // nobody watched, or nothing was to be seen
			continue
		}
		cost := figures.Pair{Club: n.used[r.club] / float64(updates)}
		if r.bare != nil {
			bare, said, err := r.repeat(ctx, n.pieces, echoed)
			if err != nil {
				return err
			}
			cost = figures.PairOf(cost.Club, bare/float64(said))
		}
		costs = append(costs, cost)
	}
	moves := seen.Moves.Load()
	perMove := figures.Pair{Club: used[r.club] / float64(max(moves, 1))}
	if r.bare != nil && r.Lines {
		bare, err := r.tell(ctx)
		if err != nil {
			return err
		}
		perMove = figures.PairOf(perMove.Club, bare)
	}
	rp, played := r.report, r.Play.Seconds()*float64(r.Rounds)
	rp.Part("in play")
	rp.Add("rounds", "", float64(r.Rounds))
	rp.Add("moves", "by players", float64(moves))
	if r.Tables > 0 {
		rp.Add("changes", "a table and second", changes/float64(r.Tables*r.People)/played)
	}
	if updates := seen.Updates.Load(); updates > 0 {
		cpu, plain := figures.Medians(costs), float64(seen.Plain.Load())/float64(max(seen.Ordinary.Load(), 1))
		rp.Add("updates", "at watchers", float64(updates))
		rp.Pair("CPU of an update", "µs an update", cpu)
		rp.Add("bytes", "an update", float64(seen.Bytes.Load())/float64(updates))
		rp.Add("bytes of a move", "an ordinary move", plain)
		if r.bare != nil && r.Tables == 1 { // or what players cost would be a large part of what is divided among the watchers
			rp.Goal("watcher and update, CPU against bare", cpu.Ratio, 2)
		}
		rp.Goal("bytes a watcher and ordinary move", plain, 100)
	}
	delay := func(name string, l *figures.Latency, goal float64) {
		rp.Delay(name, l)
		if l != nil && goal > 0 {
			rp.Goal(name+", p99 in ms", l.P99, goal)
		}
	}
	limit := func(most float64, is bool) float64 {
		if !is {
			return 0
		}
		return most
	}
	ack := seen.Ack.Sum()
	delay(keyToWatchers, seen.Delay.Sum(), limit(50, r.Watchers <= 1000)) // on two processors that the clients use, too
	delay("bare server to its clients", echoed.Sum(), 0)
	delay(keyToPlayer, ack, limit(10, ack != nil && ack.N >= enoughMoves && r.Arena == 0))
	delay("from free to paired", seen.Paired.Sum(), 1000)
	if r.Lines && moves > 0 {
		rp.Pair("CPU of a move", "µs a move", perMove)
	}
	delay("journal, at most", waited.Sum(), 0)
	delay("bots' choices, at most", bots.Sum(), 800) // a bot's pause is no shorter
	sum := 0.0
	for _, s := range r.servers() {
		if s == r.bare {
			continue
		}
		name, share := s.Name, used[s]/1e6/played
		if s == r.club && len(r.nodes) > 0 {
			name += ", which has the club"
		}
		sum += share
		rp.Add(name, "of a processor", share)
		if u, err := s.Usage(); err == nil && len(r.nodes) > 0 {
			rp.Add(name+", memory", "MB", float64(u.RSS)/(1<<20))
		}
	}
	rp.Add(allServers, "of a processor", sum)
	sessions := float64(len(r.players()) + len(r.screens))
	if u, err := r.club.Usage(); err == nil {
		rp.Add(residentMemory, "kB a session", float64(u.RSS-r.before[r.club].RSS)/1024/sessions)
	}
	if n, _, err := r.club.Gauges(); err == nil {
		rp.Add("goroutines", "a session", (n-r.base[r.club][0])/sessions)
	}
	if lines > 0 {
		rp.Add("said", "lines", float64(lines))
	}
	if r.Arena > 0 && seen.Paired.Sum() == nil {
		return errors.New("nobody was paired again")
	}
	return nil
}

// enoughMoves is how many it takes until a 99th percentile says something.
const enoughMoves = 500

// repeat has the bare server write pieces to as many clients, at the pace of a round. It returns its
// processor time in microseconds, and how many pieces were written in all.
func (r *runner) repeat(ctx context.Context, pieces [][]byte, echoed *figures.Recorder) (bare float64, said int64, err error) {
	if err := r.quiet(ctx); err != nil {
		return 0, 0, err
	}
	r.echo.Delay.Store(echoed)
	defer r.echo.Delay.Store(&figures.Recorder{})
	written := func() (n int64) {
		for _, s := range r.twins {
			n += s.Writes.Load()
		}
		return n
	}
	before, start := written(), r.usages()
	every := time.NewTicker(r.Play / time.Duration(len(pieces)))
	defer every.Stop()
	for _, piece := range pieces {
		now := time.Now()
		r.echo.Said.Store(&now)
		if err := r.bare.Say("say " + strconv.Quote(string(piece))); err != nil {
			return 0, 0, fmt.Errorf("the bare server: %w", err)
		}
		select {
		case <-every.C:
		case <-ctx.Done():
			return 0, 0, context.Cause(ctx)
		}
	}
	return cpu(r.bare, start, r.usages()), written() - before, nil
}

// tell has as many clients of the bare server as there are programs say lines at their pace, which go to all
// of a table. It returns the server's processor time for a line in microseconds.
func (r *runner) tell(ctx context.Context) (us float64, err error) {
	size := 0.0
	for _, p := range r.programs {
		size += p.Size() / float64(len(r.programs))
	}
	if err := r.bare.Greet(strings.Repeat("x", int(size))); err != nil {
		return 0, err
	}
	r.tellers = make([]*client.Client, len(r.programs))
	if err := client.Each(len(r.tellers), func(i int) (err error) {
		if r.tellers[i], err = (client.Caller{User: "program"}).Login(ctx, r.bare.Addr); err == nil {
			err = r.tellers[i].Join(ctx, strconv.Itoa(i/r.People))
		}
		return err
	}); err != nil {
		return 0, err
	}
	var told atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, len(r.tellers))
	start := r.usages()
	busy, stop := context.WithTimeout(ctx, r.Play)
	defer stop()
	for i := 0; i < len(r.tellers); i += r.People {
		wg.Go(func() {
			for errs[i] == nil && client.Sleep(busy, r.Pace/2+rand.N(r.Pace+1)) {
				errs[i] = r.tellers[i].Send("\n")
				told.Add(1)
			}
		})
	}
	wg.Wait()
	return cpu(r.bare, start, r.usages()) / float64(max(told.Load(), 1)), errors.Join(append(errs, context.Cause(ctx))...)
}

// arrive has many come in within one second. They are logged in before: the handshakes of so many take longer
// than that where clients and server share a machine.
func (r *runner) arrive(ctx context.Context) error {
	there := len(r.screens)
	r.screens = append(r.screens, make([]*client.Screen, r.Arrivals)...)
	arrivals := r.screens[there:]
	if err := client.Each(r.Arrivals, func(i int) error { return r.login(ctx, r.club, there+i) }); err != nil {
		return err
	}
	start, began := r.usages(), time.Now()
	every := time.NewTicker(time.Second / time.Duration(r.Arrivals))
	defer every.Stop()
	var wg sync.WaitGroup
	errs := make([]error, r.Arrivals)
	for i := range arrivals {
		wg.Go(func() { errs[i] = r.show(ctx, r.club, there+i) })
		select {
		case <-every.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	took := time.Since(began)
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := r.quiet(ctx); err != nil {
		return err
	}
	var first figures.Recorder
	for _, s := range arrivals {
		if d, ok := s.FirstFrame(); ok {
			first.Add(d)
		}
	}
	n := float64(r.Arrivals)
	r.report.Part("arrivals")
	r.report.Add("in", "s", took.Seconds())
	r.report.Delay("to the first screen", first.Sum())
	r.report.Add("frames", "a session", float64(frames(arrivals))/n)
	r.report.Add("CPU", "µs an arrival", cpu(r.club, start, r.usages())/n)
	r.report.Goal("frames a session while many arrive", float64(frames(arrivals))/n, 40)
	return nil
}
