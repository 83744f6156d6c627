package load

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"boneyard/cmd/sshload/attack"
	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/figures"
	"boneyard/cmd/sshload/server"
)

// Goals that speak of time, which other work on the machine can spoil.
const (
	GoalAck  = "moves acknowledged, p99 in ms"
	GoalLate = "newcomers not in within 3 s, of 100"
)

// soak lets people play, and then attacks the club while they do. What both rounds found stands side by side.
func (r *runner) soak(ctx context.Context) error {
	for _, n := range []struct {
		part string
		*round
	}{
		{"before the attack", &round{lasts: min(r.Calm, r.Play)}},
		{"during the attack", &round{lasts: r.Play, hostile: true}},
	} {
		r.say("%s, %v", n.part, n.lasts)
		n.programs, n.persons = &client.Tally{}, &client.Tally{}
		_, logged := r.club.Log.Errors()
		if err := r.round(ctx, n.round); err != nil {
			return err
		}
		_, written := r.club.Log.Errors()
		rp, ack := r.report, n.programs.Ack.Sum()
		rp.Part(n.part)
		rp.Delay("move acknowledged", ack)
		rp.Delay("key to own screen", n.persons.Ack.Sum())
		waited := make(server.Waits)
		waited.Add(server.JournalWaits, n.before, n.after)
		rp.Delay("journal, at most", waited.Sum())
		in := &n.newcomers
		rp.Add("newcomers", "", float64(in.n))
		rp.Add("newcomers, in", "", float64(in.in))
		rp.Add("newcomers, late", "", float64(in.late))
		rp.Add("newcomers, calls", "", float64(in.calls))
		rp.Delay("newcomer to first screen", in.took.Sum())
		rp.Delay("newcomer from afar to first screen", in.far.Sum())
		hourly := float64(written-logged) / (1 << 20) / n.lasts.Hours()
		rp.Add("log", "MB an hour", hourly)
		rp.Add("server", "of a processor", n.used[r.club]/float64(n.lasts.Microseconds()))
		if !n.hostile {
			continue
		}
		if ack != nil {
			rp.Goal(GoalAck, ack.P99, 50)
		}
		rp.Goal(GoalLate, 100*float64(in.late)/float64(max(in.n, 1)), 1)
		rp.Goal("log, MB an hour", hourly, 30)
		failures := server.Growth(n.before, n.after, "boneyard_sessions_closed_total", "reason")["panic"] +
			server.Growth(n.before, n.after, "boneyard_journal_failures_total", "")[""]
		rp.Goal("panics, failures of the journal", failures, 0)
		rp.Part("attacks")
		for _, a := range n.attacks {
			rp.Add(a.Kind, "", float64(a.N))
			if a.Refused > 0 {
				rp.Add(a.Kind+", turned away", "", float64(a.Refused))
			}
		}
		rp.Part("refused by the club")
		refused := server.Growth(n.before, n.after, "boneyard_refused_total", "reason")
		for _, reason := range slices.Sorted(maps.Keys(refused)) {
			rp.Add(reason, "", refused[reason])
		}
	}
	return nil
}

// attack runs the hostile clients until ctx ends, and reports what they have done.
func (r *runner) attack(ctx context.Context) (rows []attack.Row, err error) {
	o := attack.Campaign{Club: r.club.Addr, Only: r.Only, Hostile: r.Hostile, Run: r.name, Names: int(r.named.Load())}
	for _, t := range r.tables {
		o.Tables = append(o.Tables, t.Number)
	}
	for _, p := range r.hosts {
		o.Open = append(o.Open, p.Table.Number)
	}
	life, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd, err := server.Self(life, "hostile")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	cmd.Stdout = &out
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		err = json.NewEncoder(in).Encode(o)
	}
	if err == nil {
		<-ctx.Done()
		_ = in.Close() // they may have ended, and then there is no answer
		stuck := time.AfterFunc(server.StartTime, cancel)
		defer stuck.Stop()
		err = cmd.Wait()
	}
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &rows)
	}
	if err != nil {
		return nil, fmt.Errorf("the hostile clients: %w", err)
	}
	return rows, nil
}

// newcomers are people who come in while others play.
type newcomers struct {
	mu        sync.Mutex
	n         int
	in        int
	late      int // later than they should be, or not at all
	calls     int // that they took in all
	took, far figures.Recorder
}

const (
	farAway = 150 * time.Millisecond // how long what the club sends takes to every second newcomer
	inTime  = 3 * time.Second        // in which newcomers are to be in
)

// welcome has somebody come in now and then, from near and from far, who wants to see the lobby and goes
// again.
func (r *runner) welcome(ctx context.Context, n *newcomers) {
	if r.Newcomers <= 0 {
		return
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	for i := 0; client.Sleep(ctx, time.Duration(float64(time.Second)/r.Newcomers)); i++ {
		who, mine := client.Caller{User: "newcomer"}, &n.took
		if i%2 == 1 {
			who.Delay, mine = farAway, &n.far
		}
		wg.Go(func() {
			began := time.Now()
			s, calls, err := r.comeIn(context.WithoutCancel(ctx), who) // the last one is let in, too
			if s != nil {
				defer s.HangUp()
			}
			r.fault("a newcomer", err)
			n.mu.Lock()
			defer n.mu.Unlock()
			n.n++
			n.calls += calls
			if err == nil {
				n.in++
				mine.Add(time.Since(began))
			}
			if err != nil || time.Since(began) > inTime {
				n.late++
			}
		})
	}
}

// stillTime is after how long without a move at a table something is wrong. Between two games some seconds
// pass.
const stillTime = 30 * time.Second

// settle waits until every move that was sent has been acknowledged, and notes what was not, what was
// refused, tables where nobody had moved for long, and sessions that have ended.
func (r *runner) settle(ctx context.Context) error {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	now, last := time.Now(), make(map[string]time.Time) // by table: the last move
	for _, p := range r.programs {
		what := "a program at table " + p.Table.Number
		at, denied, err := p.Settled(ctx)
		r.fault(what, err)
		if t := last[p.Table.Number]; at.After(t) || t.IsZero() {
			last[p.Table.Number] = at
		}
		for _, why := range denied {
			r.fault(what, fmt.Errorf("a move was refused: %s", why))
		}
	}
	screens := slices.Clone(r.screens)
	for _, p := range r.persons {
		last[p.Table.Number], screens = p.Table.LastMove(), append(screens, p.Screen)
	}
	for number, at := range last {
		if d := now.Sub(at); d > stillTime {
			r.fault("table "+number, fmt.Errorf("nobody has moved for %v", d.Round(time.Second)))
		}
	}
	for _, s := range screens {
		select {
		case <-s.Ended:
			r.fault("a session at a screen has ended", fmt.Errorf("it showed\n%s", s.Picture()))
		default:
		}
	}
	return nil
}

// kept asks the club for every table of programs: each must be there, at least as its players have last seen
// it.
func (r *runner) kept(ctx context.Context) error {
	wanted, kept := make(map[string]uint64), 0
	for _, p := range slices.Concat(r.programs, r.hosts) {
		wanted[p.Table.Number] = max(wanted[p.Table.Number], p.Known())
	}
	for number, version := range wanted {
		var now struct{ Version uint64 }
		err := r.askFirst(ctx, client.Caller{User: "asker"}, "show table "+number+" --json", &now)
		if err == nil && now.Version < version {
			err = fmt.Errorf("it is at version %d, and its players have seen version %d", now.Version, version)
		}
		if err == nil {
			kept++
		}
		r.fault("table "+number, err)
	}
	r.report.Add("tables kept", "as they were last seen", float64(kept))
	r.report.Goal("tables lost", float64(len(wanted)-kept), 0)
	return ctx.Err()
}

// soaked judges what is known at the end of a soak.
func (r *runner) soaked() {
	logged, _ := r.club.Log.Errors()
	r.report.Notes = append(r.report.Notes, logged...)
	r.report.Goal("faults that the ordinary met", float64(r.faults), 0)
	r.report.Goal("errors in the log", float64(len(logged)), 0)
}
