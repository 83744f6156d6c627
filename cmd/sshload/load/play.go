package load

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/figures"
	"boneyard/cmd/sshload/server"
)

// begin lets games begin, and returns when all are under way.
func (r *runner) begin(ctx context.Context) error {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	r.gate.Set(true)
	defer r.gate.Set(false)
	for _, p := range r.players {
		if err := p.Begun(ctx); err != nil {
			return err
		}
	}
	return nil
}

// play measures rounds of play, each followed by the same output from the bare server.
func (r *runner) play(ctx context.Context) error {
	var costs []figures.Pair
	var shares []float64
	var busy float64 // microseconds of the club's processor time
	p := &Play{Rounds: r.load.Rounds}
	all, echoed := &client.Tally{}, &figures.Recorder{}
	waited, bots := make(server.Waits), make(server.Waits)
	nodes := make(map[*server.Server]float64)
	for range r.load.Rounds {
		pieces, used, updates, err := r.round(ctx, all, p, waited, bots)
		if err != nil {
			return err
		}
		for s, us := range used {
			nodes[s] += us
		}
		club := used[r.club]
		busy += club
		shares = append(shares, club/float64(r.load.Play.Microseconds()))
		if updates == 0 || len(pieces) == 0 { // nobody watched, or nothing was to be seen
			continue
		}
		cost := figures.Pair{Club: club / float64(updates)}
		if r.bare != nil {
			bare, said, err := r.repeat(ctx, pieces, echoed)
			if err != nil {
				return err
			}
			cost = figures.PairOf(cost.Club, bare/float64(said))
		}
		costs = append(costs, cost)
	}
	p.Changes /= float64(r.load.Tables) * r.load.Play.Seconds() * float64(r.load.Rounds)
	p.CPU, p.Share = figures.Medians(costs), figures.Median(shares)
	p.Moves, p.Updates = all.Moves.Load(), all.Updates.Load()
	if p.Updates > 0 {
		p.Bytes = float64(all.Bytes.Load()) / float64(p.Updates)
	}
	if n := all.Ordinary.Load(); n > 0 {
		p.MoveBytes = float64(all.Plain.Load()) / float64(n)
	}
	p.Delay, p.Ack, p.BareDelay = all.Delay.Sum(), all.Ack.Sum(), echoed.Sum()
	p.Journal, p.Bots = waited.Sum(), bots.Sum()
	sessions := float64(len(r.players) + len(r.screens))
	if u, err := r.club.Usage(); err == nil {
		p.RSS = float64(u.RSS-r.before[r.club].RSS) / 1024 / sessions
	}
	for _, s := range r.nodes {
		n := Node{Name: s.Name(), Club: s == r.club, Share: nodes[s] / float64(r.load.Play.Microseconds()*int64(r.load.Rounds))}
		if u, err := s.Usage(); err == nil {
			n.RSS = float64(u.RSS) / (1 << 20)
		}
		p.Nodes = append(p.Nodes, n)
	}
	if n, _, err := r.club.Gauges(); err == nil {
		p.Goroutines = (n - r.base[r.club][0]) / sessions
	}
	r.report.Play = p
	if p.Moves > 0 && r.load.Lines {
		p.MoveCPU.Club = busy / float64(p.Moves)
	}
	if r.bare != nil && r.load.Lines {
		return r.tell(ctx, p)
	}
	return nil
}

// tell has as many clients of the bare server as there are programs say lines at their pace, which go to all of a table. It fills in
// what that took.
func (r *runner) tell(ctx context.Context, p *Play) error {
	var size float64
	for _, o := range r.players {
		size += o.(*client.Program).Size() / float64(len(r.players))
	}
	if err := r.bare.Greet(strings.Repeat("x", int(size))); err != nil {
		return err
	}
	r.tellers = make([]*client.Teller, len(r.players))
	if err := client.Each(len(r.tellers), client.InFlight, func(i int) error {
		c, err := client.Login(ctx, r.bare.Addr, "program", nil)
		if err != nil {
			return err
		}
		r.tellers[i] = client.NewTeller(c, r.load.Pace)
		return r.tellers[i].Join(strconv.Itoa(i / r.load.People))
	}); err != nil {
		return err
	}
	var delays figures.Recorder
	var told atomic.Int64
	var wg sync.WaitGroup
	failed := make(chan error, len(r.tellers))
	start := r.usages()
	busy, stop := context.WithTimeout(ctx, r.load.Play)
	defer stop()
	for i := 0; i < len(r.tellers); i += r.load.People {
		wg.Go(func() {
			n, err := r.tellers[i].Talk(busy, &delays)
			told.Add(n)
			if err != nil {
				failed <- err
			}
		})
	}
	wg.Wait()
	select {
	case err := <-failed:
		return err
	default:
	}
	p.BareAck = delays.Sum()
	if n := told.Load(); n > 0 {
		p.MoveCPU = figures.PairOf(p.MoveCPU.Club, cpu(r.bare, start, r.usages())/float64(n))
	}
	return context.Cause(ctx)
}

// round lets people play for a while. It returns what came to the first watcher, the processor time in microseconds of each server
// and the number of updates that watchers got in it, and adds to waited and bots what the club
// counted of its journal and its bots.
func (r *runner) round(ctx context.Context, all *client.Tally, p *Play, waited, bots server.Waits) (pieces [][]byte, used map[*server.Server]float64, updates int64, err error) {
	// It takes a moment until games are under way, and that is not measured.
	r.gate.Set(true)
	defer r.gate.Set(false)
	if !client.Sleep(ctx, warmUp) {
		return nil, nil, 0, context.Cause(ctx)
	}
	if len(r.screens) > 0 {
		r.screens[0].Record()
	}
	counted, _ := r.club.Scrape() // without metrics there is no figure of them
	before, marks := all.Updates.Load(), r.marks()
	r.tally.Store(all)
	start := r.usages()
	busy, stop := context.WithTimeout(ctx, r.load.Play)
	defer stop()
	var wg sync.WaitGroup
	var lines, resizes atomic.Int64
	wg.Go(func() {
		r.disturb(busy, r.load.Chat, &lines, func(s *client.Screen, n int64) error { return s.Talk(fmt.Sprint("line ", n, " of the load")) })
	})
	wg.Go(func() {
		r.disturb(busy, r.load.Resizes, &resizes, func(s *client.Screen, _ int64) error { return s.ToggleSize(r.load.Width, r.load.Height) })
	})
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
		return nil, nil, 0, err
	}
	end := r.usages()
	used = make(map[*server.Server]float64)
	for _, s := range r.servers() {
		used[s] = cpu(s, start, end)
	}
	if now, err := r.club.Scrape(); err == nil {
		waited.Add(server.JournalWaits, counted, now)
		bots.Add(server.BotChoices, counted, now)
	}
	updates = all.Updates.Load() - before
	p.Changes += float64(r.marks()-marks) / float64(r.load.People)
	r.tally.Store(&client.Tally{})
	p.Lines += lines.Load()
	p.Resizes += resizes.Load()
	if len(r.screens) > 0 {
		pieces = r.screens[0].Recorded()
	}
	return pieces, used, updates, nil
}

// marks adds up the versions that players see.
func (r *runner) marks() (sum uint64) {
	for _, p := range r.players {
		sum += p.Mark()
	}
	return sum
}

// warmUp is the beginning of a round that is not measured.
const warmUp = 500 * time.Millisecond

// repeat has the bare server write pieces to as many clients, at the pace of a round. It returns its processor time in
// microseconds, and how many pieces were written in all.
func (r *runner) repeat(ctx context.Context, pieces [][]byte, echoed *figures.Recorder) (bare float64, said int64, err error) {
	if err := r.quiet(ctx); err != nil {
		return 0, 0, err
	}
	r.echo.Delay.Store(echoed)
	defer r.echo.Delay.Store(&figures.Recorder{})
	before := r.pieces(r.twins)
	start := r.usages()
	every := time.NewTicker(r.load.Play / time.Duration(len(pieces)))
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
	end := r.usages()
	return cpu(r.bare, start, end), r.pieces(r.twins) - before, nil
}

// pieces is how many pieces of output have come.
func (r *runner) pieces(screens []*client.Screen) (n int64) {
	for _, s := range screens {
		n += s.Writes.Load()
	}
	return n
}

// disturb does something so many times a second, to one session after another, and counts it.
func (r *runner) disturb(ctx context.Context, rate float64, n *atomic.Int64, do func(s *client.Screen, n int64) error) {
	candidates := slices.DeleteFunc(slices.Clone(r.screens), func(s *client.Screen) bool { return s.Table != nil && !s.Observer })
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

// arrive has many come in within one second. They are logged in before: the handshakes of so many take longer than that where
// clients and server share a machine.
func (r *runner) arrive(ctx context.Context) error {
	n := r.load.Arrivals
	arrivals := make([]*client.Screen, n)
	if err := client.Each(n, client.InFlight, func(i int) error {
		c, err := client.Login(ctx, r.addr(i), "visitor", nil)
		if err == nil {
			arrivals[i] = client.NewScreen(c, r.load.Width, r.load.Height)
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
			if err := s.Enter(""); err != nil {
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
	var first figures.Recorder
	for _, s := range arrivals {
		if d, ok := s.FirstFrame(); ok {
			first.Add(d)
		}
	}
	r.report.Arrivals = &Arrivals{
		N: n, Seconds: took.Seconds(), Screen: first.Sum(), Frames: float64(r.frames(arrivals)) / float64(n),
		CPU: figures.Pair{Club: cpu(r.club, start, r.usages()) / float64(n)},
	}
	return nil
}
