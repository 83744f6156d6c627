package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"boneyard/cmd/sshload/attack"
	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/server"
)

// later waits before a client whose calls have failed calls again, and reports false if it gives up.
func (r *runner) later(ctx context.Context, calls int, why error) bool {
	if calls == 60 || !client.Sleep(ctx, 500*time.Millisecond) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.again++; r.again == 1 {
		r.refusal = why
	}
	return true
}

// call logs a client in at the i-th node, and returns the number of calls that this took.
func (r *runner) call(ctx context.Context, who client.Caller, i int) (c *client.Client, calls int, err error) {
	if n := r.from.Add(1); r.Apart { // consecutive clients are in different /24 networks
		who.From = &net.TCPAddr{IP: net.IPv4(127, 1, byte(n), byte(n>>8)+1)}
	}
	for calls = 1; ; calls++ {
		c, err = who.Login(ctx, r.servers[i%len(r.servers)].Addr)
		if err == nil || !r.later(ctx, calls, err) {
			return c, calls, err
		}
	}
}

// comeIn connects with a terminal and waits for the lobby. It returns the screen even without the lobby.
func (r *runner) comeIn(ctx context.Context, who client.Caller) (s *client.Screen, calls int, err error) {
	c, calls, err := r.call(ctx, who, 0)
	if err != nil {
		return nil, calls, err
	}
	s = client.NewScreen(c, r.Width, r.Height)
	if err = s.Enter(ctx, ""); err == nil {
		_, err = s.Shows(ctx, client.SayLobby)
	}
	return s, calls, err
}

// ask runs a command at the i-th node, on its own connection.
func (r *runner) ask(ctx context.Context, who client.Caller, i int, command string) (string, error) {
	c, _, err := r.call(ctx, who, i)
	if err != nil {
		return "", err
	}
	return c.Run(ctx, command)
}

// askFirst runs a command with --json, and decodes the first object.
func (r *runner) askFirst(ctx context.Context, who client.Caller, command string, to any) error {
	said, err := r.ask(ctx, who, 0, command+" --json")
	if err == nil {
		err = json.NewDecoder(strings.NewReader(said)).Decode(to)
	}
	if err != nil {
		return fmt.Errorf("%s was not answered: %w", command, err)
	}
	return nil
}

// openTables opens the tables and seats players, who play as soon as the gate is open.
func (r *runner) openTables(ctx context.Context, _ int) error {
	r.tables = make([]*client.Table, r.Tables+r.Open+r.Alone)
	return client.Each(len(r.tables), func(i int) error {
		t, seats, people, bots := &client.Table{Tally: &r.tally, Programs: r.Lines}, r.Seats, r.People, r.Bots
		switch {
		case i >= r.Tables+r.Open:
			t.Programs, seats, people = false, 2, 1
		case i >= r.Tables:
			t.Programs, t.Open, seats, people = true, true, 4, 1
		}
		if people == seats || t.Open {
			bots = "never"
		}
		r.tables[i] = t
		command := fmt.Sprintf("play new classic seats=%d bots=%s", seats, bots)
		for n := range people {
			if err := r.sit(ctx, n, t, command); err != nil {
				return err
			}
			command = "play " + t.Number
		}
		return nil
	})
}

// sit has a player take a seat through the i-th node, and play to the end. A program registers first.
func (r *runner) sit(ctx context.Context, i int, t *client.Table, command string) (err error) {
	who := client.Caller{User: "player"}
	if t.Programs {
		who.User = client.Name(r.name, int(r.named.Add(1))-1)
		if who.Key, err = client.NewKey(); err == nil {
			err = r.askFirst(ctx, who, "register "+who.User+" --bot", new(json.RawMessage))
		}
		if err != nil {
			return err
		}
	}
	c, _, err := r.call(ctx, who, i)
	if err != nil {
		return err
	}
	c.Table = t
	p := &client.Player{Client: c, Pace: r.Pace, Gate: &r.gate}
	if p.Face = client.NewScreen(c, r.Width, r.Height); t.Programs {
		p.Face = client.NewProgram(c, r.Arena > 0)
	}
	if t.Number, err = p.Sit(ctx, command); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.players = append(r.players, p)
	if !t.Open {
		r.played.Go(func() { r.fault("a player", p.Play(r.playing)) })
	}
	return nil
}

// newArena makes an arena that begins in some minutes, and returns its number.
func (r *runner) newArena(ctx context.Context, minutes int) (int64, error) {
	var made struct{ Arena int64 }
	command := fmt.Sprintf("arena new in=%d length=20 programs=on pace=normal classic rounds=1", minutes)
	err := r.askFirst(ctx, client.Caller{User: "olga", Key: r.boss}, command, &made)
	return made.Arena, err
}

// soon measures the lobby while an arena begins soon.
func (r *runner) soon(ctx context.Context, _ int) error {
	_, err := r.ask(ctx, client.Caller{User: "olga", Key: r.boss}, 0, "register olga")
	if err == nil {
		_, err = r.newArena(ctx, 8)
	}
	if err == nil {
		err = r.quiet(ctx)
	}
	if err != nil {
		return err
	}
	return r.rest(ctx, "idle, an arena begins soon")
}

// arena has programs play an arena, which begins at once.
func (r *runner) arena(ctx context.Context, _ int) error {
	number, err := r.newArena(ctx, 0)
	if err != nil {
		return err
	}
	r.gate.Unlock() // so that players become free for the last to come
	defer r.gate.Lock()
	return client.Each(r.Arena, func(int) error {
		return r.sit(ctx, 0, &client.Table{Tally: &r.tally, Programs: true}, fmt.Sprintf("arena %d play --bot", number))
	})
}

// begin lets games begin, and returns when all are under way.
func (r *runner) begin(ctx context.Context, _ int) error {
	r.gate.Unlock()
	defer r.gate.Lock()
	return client.Each(len(r.players), func(i int) error {
		if p := r.players[i]; !p.Table.Open {
			return p.Begun(ctx)
		}
		return nil
	})
}

// batches is the number of batches of watchers and those in the lobby: the first client, and then 8 or more,
// in which club and bare server take turns. At most 500 log in at once, or the club would hang up on those
// who wait for the last.
func (r *runner) batches() int {
	if r.Watchers+r.Lobby == 0 {
		return 0
	}
	return 1 + min(max(8, (r.Watchers+r.Lobby)/500), r.Watchers+r.Lobby-1)
}

// enter connects the i-th batch. The bare server shows everybody the club's first screen.
func (r *runner) enter(ctx context.Context, i int) (err error) {
	n, batches := r.Watchers+r.Lobby-1, r.batches()-1
	from, to := 0, 1
	if i > 0 {
		from, to = 1+(i-1)*n/batches, 1+i*n/batches
	} else if r.screens = make([]*client.Screen, n+1); r.of != nil {
		err = r.club.Say(string(r.of.first))
	}
	begun := r.now()
	if err == nil {
		err = client.Each(to-from, func(n int) error { return r.login(ctx, from+n) })
	}
	if err != nil {
		return err
	}
	in := r.now()
	r.screens[0].Record(i == 0)
	if err = client.Each(to-from, func(n int) error { return r.show(ctx, from+n) }); err != nil {
		return err
	}
	end, each := r.now(), float64(to-from)
	if i == 0 {
		r.first = bytes.Join(r.screens[0].Record(false), nil)
		return nil
	}
	r.report.Add("entering", "login", "µs CPU", in.since(begun, r.club)/each)
	r.report.Add("entering", "session, first screen", "µs CPU", end.since(in, r.club)/each)
	r.report.Add("entering", "both", "µs CPU", end.since(begun, r.club)/each)
	return nil
}

// counted waits until every watcher sees their number, which the club sends some time after the last came.
func (r *runner) counted(ctx context.Context, _ int) error {
	watchers := make(map[*client.Table]int)
	for _, s := range r.screens {
		watchers[s.Table]++
	}
	for _, s := range r.screens {
		if s.Table == nil {
			continue
		}
		if _, err := s.Shows(ctx, regexp.MustCompile(fmt.Sprintf(`\b%d( watching|w)\b`, watchers[s.Table]))); err != nil {
			return err
		}
	}
	return r.quiet(ctx)
}

// login connects the i-th screen.
func (r *runner) login(ctx context.Context, i int) error {
	c, _, err := r.call(ctx, client.Caller{User: "visitor"}, i)
	if err != nil {
		return err
	}
	s := client.NewScreen(c, r.Width, r.Height)
	if r.of != nil {
		s.Echo = &r.echo
	} else if i < r.Watchers {
		c.Table, s.Observer = r.tables[i%r.Tables], true
	}
	r.screens[i] = s
	return nil
}

// show opens the i-th session and waits for its first screen. A client that is disconnected calls again.
func (r *runner) show(ctx context.Context, i int) error {
	for calls := 1; ; calls++ {
		s, command := r.screens[i], ""
		if s.Table != nil {
			command = "watch " + s.Table.Number
		}
		err := s.Enter(ctx, command)
		if err == nil || !r.later(ctx, calls, err) {
			return err
		}
		s.HangUp()
		if err := r.login(ctx, i); err != nil {
			return err
		}
	}
}

// arrive opens many sessions within one second. They log in before: so many handshakes take longer.
func (r *runner) arrive(ctx context.Context, _ int) error {
	there := len(r.screens)
	r.screens = append(r.screens, make([]*client.Screen, r.Arrivals)...)
	if err := client.Each(r.Arrivals, func(i int) error { return r.login(ctx, there+i) }); err != nil {
		return err
	}
	begun := r.now()
	every := time.Tick(time.Second / time.Duration(r.Arrivals))
	var all errgroup.Group
	for i := range r.Arrivals {
		all.Go(func() error { return r.show(ctx, there+i) })
		<-every
	}
	if err := errors.Join(all.Wait(), r.quiet(ctx)); err != nil {
		return err
	}
	var first client.Recorder
	arrivals, n := r.screens[there:], float64(r.Arrivals)
	for _, s := range arrivals {
		first.Add(s.FirstFrame())
	}
	const part = "arrivals"
	r.report.Delay(part, "to the first screen", first.Sum())
	r.report.Add(part, "frames", "a session", float64(frames(arrivals))/n)
	r.report.Add(part, "CPU", "µs an arrival", r.now().since(begun, r.club)/n)
	return nil
}

// welcome has newcomers connect, look at the lobby and leave.
func (r *runner) welcome(ctx context.Context) error {
	const inTime = 3 * time.Second
	n := r.tally.Load()
	var all errgroup.Group
	for r.Newcomers > 0 && client.Sleep(ctx, time.Duration(float64(time.Second)/r.Newcomers)) {
		all.Go(func() error {
			began := time.Now()
			s, calls, err := r.comeIn(context.WithoutCancel(ctx), client.Caller{User: "newcomer"}) // even after the end of the round
			if s != nil {
				defer s.HangUp()
			}
			r.fault("a newcomer", err)
			n.Newcomers.Add(1)
			n.Calls.Add(int64(calls))
			if err == nil {
				n.In.Add(1)
				n.Entered.Add(time.Since(began))
			}
			if err != nil || time.Since(began) > inTime {
				n.Late.Add(1)
			}
			return nil
		})
	}
	return all.Wait()
}

// talk has watchers and those in the lobby say lines in turn.
func (r *runner) talk(ctx context.Context) error {
	for n := 0; r.Chat > 0 && len(r.screens) > 0 && client.Sleep(ctx, time.Duration(float64(time.Second)/r.Chat)); n++ {
		r.fault("a line of chat", r.screens[n%len(r.screens)].Send(fmt.Sprint("tline ", n, " of the load", client.KeyEnter)))
	}
	return nil
}

// attack runs the hostile clients until ctx ends, and reports their attempts.
func (r *runner) attack(ctx context.Context) error {
	o := attack.Campaign{Club: r.club.Addr, Only: r.Only, Hostile: r.Hostile, Run: r.name, Names: int(r.named.Load())}
	for _, t := range r.tables {
		if t.Open {
			o.Open = append(o.Open, t.Number)
		} else if t.Programs {
			o.Tables = append(o.Tables, t.Number)
		}
	}
	cmd, err := server.Self(context.WithoutCancel(ctx), "hostile")
	if err != nil {
		return err
	}
	in, send := io.Pipe()
	context.AfterFunc(ctx, func() { _ = send.Close() }) // the end of its input ends the process
	go func() { _ = json.NewEncoder(send).Encode(o) }()
	cmd.Stdin = in
	var done map[string]float64
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &done)
	}
	if err != nil {
		return fmt.Errorf("the hostile clients: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(done)) {
		r.report.Add("attacks", name, "", done[name])
	}
	return nil
}
