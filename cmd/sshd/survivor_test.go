package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// place is where a move stands in the journal.
type place struct {
	Game          int64
	Round, Number int
}

// made is a move as the club tells it.
type made struct {
	place
	Seat   int
	Did    string // play, draw or pass
	Tile   string // empty where it may not be known
	Arm    string
	Points int
}

// news is one line of JSON that a client reads, as far as a survivor looks at it.
type news struct {
	made
	Type, ID, Error, State, Duty string
	Version                      uint64
	Turn                         int
	Options                      []struct{ Play, Arm string }
	Seats                        []struct{ Ready bool }
}

// order is a line that a player has sent and that has not been answered.
type order struct {
	id, line string
	move     made // what it plays, without its number; a line of chat plays nothing
	chat     string
}

// survivor is a member who plays or a guest who watches at one table, whatever happens to the server: it
// reconnects, repeats what was not answered, and goes on.
type survivor struct {
	name  string
	key   gossh.Signer // nil for a guest, who watches
	table int64
	rng   *rand.Rand
	world *world

	open *order // what waits for an answer
	sent int    // orders so far

	mu      sync.Mutex
	acked   []order
	seen    map[place]made
	clashes []string       // places that were shown twice, and not the same
	refused map[string]int // answers to orders by their sentence
	again   int            // orders that were sent again
	broke   error          // why the last visit ended
	last    string         // the last line that came
	frozen  bool           // the table's last state was a stop
}

// world is where the server is, for as long as it lives, and what was sent to it.
type world struct {
	mu      sync.Mutex
	addr    net.Addr // nil while the server is down
	over    bool
	orders  int                // sent so far
	acked   int                // and acknowledged
	last    time.Time          // when one was, or measure was called
	longest time.Duration      // without one, since measure was called
	changed chan struct{}      // closed and replaced when any of it changes, or an order is answered
	ended   chan struct{}      // closed when it is over
	visits  map[net.Conn]visit // where each leads
}

// visit is where somebody called, and the table that they play or watch at.
type visit struct {
	at    string
	table int64
}

func newWorld() *world {
	return &world{changed: make(chan struct{}), ended: make(chan struct{}), visits: make(map[net.Conn]visit)}
}

// hangUp ends the visits at an address, as impatient people do, except those at one table.
func (w *world) hangUp(addr net.Addr, stay ...int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for conn, v := range w.visits {
		if v.at == addr.String() && !slices.Contains(stay, v.table) {
			_ = conn.Close()
		}
	}
}

// measure starts to measure the longest time without an acknowledged order.
func (w *world) measure() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last, w.longest = time.Now(), 0
}

// without returns that time.
func (w *world) without() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.longest
}

// visiting notes a visit until it ends.
func (w *world) visiting(conn net.Conn, v visit) (left func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.visits[conn] = v
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.visits, conn)
	}
}

// change changes the world and wakes who waits.
func (w *world) change(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
	close(w.changed)
	w.changed = make(chan struct{})
}

// move tells everybody where the server is now; nil means that it is gone.
func (w *world) move(addr net.Addr) { w.change(func() { w.addr = addr }) }

// end has everybody hang up for good.
func (w *world) end() {
	w.change(func() { w.addr, w.over = nil, true })
	close(w.ended)
}

// until waits for a condition, and reports whether it was met in time. ok is called with mu held.
func (w *world) until(within time.Duration, ok func() bool) bool {
	late := time.After(within)
	for {
		w.mu.Lock()
		done, changed := ok(), w.changed
		w.mu.Unlock()
		if done {
			return true
		}
		select {
		case <-changed:
		case <-late:
			return false
		}
	}
}

// moveOn waits for a change, but not for long.
func (w *world) moveOn(within time.Duration) {
	w.mu.Lock()
	changed := w.changed
	w.mu.Unlock()
	select {
	case <-changed:
	case <-time.After(within):
	}
}

// where waits for a server that is not the one at old. ok is false when there will be none.
func (w *world) where(old net.Addr) (addr net.Addr, ok bool) {
	w.until(time.Hour, func() bool {
		addr, ok = w.addr, !w.over
		return w.over || addr != nil && addr != old
	})
	return addr, ok
}

// live plays or watches until the world ends.
func (s *survivor) live() {
	var addr net.Addr
	for {
		var ok bool
		if addr, ok = s.world.where(addr); !ok {
			return
		}
		err := s.visit(addr)
		for err == nil { // who watches is sent away when a game ends, and looks at the next
			s.world.moveOn(time.Second)
			err = s.visit(addr)
		}
		s.mu.Lock()
		s.broke = err
		s.mu.Unlock()
	}
}

// visit connects and stays until the connection breaks, which is an error, or the session ends well.
func (s *survivor) visit(addr net.Addr) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := (&net.Dialer{LocalAddr: home(s.name, addr)}).DialContext(ctx, "tcp", addr.String())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	defer s.world.visiting(conn, visit{addr.String(), s.table})()
	left := make(chan struct{})
	defer close(left)
	go func() {
		select {
		case <-s.world.ended:
			_ = conn.Close()
		case <-left:
		}
	}()
	auth := gossh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })
	command := fmt.Sprintf("watch %d --json", s.table)
	if s.key != nil {
		auth = gossh.PublicKeys(s.key)
		command = fmt.Sprintf("play %d --json", s.table)
	}
	ssh, channels, requests, err := gossh.NewClientConn(conn, addr.String(), &gossh.ClientConfig{
		User: s.name, Auth: []gossh.AuthMethod{auth}, HostKeyCallback: gossh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		return err
	}
	client := gossh.NewClient(ssh, channels, requests)
	defer func() { _ = client.Close() }()
	sess, err := client.NewSession()
	if err != nil {
		return err
	}
	in, err := sess.StdinPipe()
	if err != nil {
		return err
	}
	out, err := sess.StdoutPipe()
	if err != nil {
		return err
	}
	if err := sess.Start(command); err != nil {
		return err
	}
	if err := s.talk(in, out); err != nil {
		return err
	}
	return sess.Wait() // a line that has broken has no exit status, which is an error
}

// talk reads what the server says to its end and answers.
func (s *survivor) talk(in io.Writer, out io.Reader) error {
	if s.open != nil { // perhaps it was carried out and the answer lost
		s.mu.Lock()
		s.again++
		s.mu.Unlock()
		if err := s.write(in, s.open.line); err != nil {
			return err
		}
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var n news
		if err := json.Unmarshal(lines.Bytes(), &n); err != nil {
			return fmt.Errorf("%w: %s", err, lines.Text()) // the line may have broken within a line
		}
		s.mu.Lock()
		s.last = lines.Text()
		s.mu.Unlock()
		if err := s.hear(in, &n); err != nil {
			return err
		}
	}
	return lines.Err()
}

// hear records one object and does what it asks for.
func (s *survivor) hear(in io.Writer, n *news) error {
	switch n.Type {
	case "move":
		s.see(n.made)
	case "bye":
		return errors.New("the server has said goodbye")
	case "ok", "error":
		if s.open == nil || n.ID != s.open.id {
			return nil
		}
		s.answered(n)
		return s.write(in, `{"state":true}`)
	case "state":
		s.mu.Lock()
		s.frozen = n.State == "frozen"
		s.mu.Unlock()
		s.world.change(func() {})
		if s.key != nil && s.open == nil {
			return s.act(in, n)
		}
	}
	return nil
}

// see records a move that was shown. One that was shown before must be the same, except for a hidden tile.
func (s *survivor) see(m made) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.seen[m.place]; ok && !same(old, m) {
		s.clashes = append(s.clashes, fmt.Sprintf("%s saw %+v, later %+v", s.name, old, m))
	}
	s.seen[m.place] = m
}

// same compares two tellings of a move, one of which may hide the tile.
func same(a, b made) bool {
	if a.Tile == "" || b.Tile == "" {
		a.Tile, b.Tile = "", ""
	}
	return a == b
}

// answered notes the answer to the open order.
func (s *survivor) answered(n *news) {
	s.mu.Lock()
	if n.Type == "ok" {
		s.acked = append(s.acked, *s.open)
	} else {
		s.refused[n.Error]++
	}
	s.open = nil
	s.mu.Unlock()
	w := s.world
	w.change(func() {
		if n.Type == "ok" {
			now := time.Now()
			w.longest = max(w.longest, now.Sub(w.last))
			w.last = now
			w.acked++
		}
	})
}

// standsStill reports whether the last state of the table that came is a stop.
func (s *survivor) standsStill() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frozen
}

// act does what a state asks a player for.
func (s *survivor) act(in io.Writer, n *news) error {
	me := n.Seats[n.Seat-1]
	switch {
	case n.State == "gathering" && !me.Ready:
		return s.write(in, `{"ready":true}`)
	case n.State == "finished" && !me.Ready:
		return s.write(in, `{"rematch":true}`)
	case n.Duty != "play" || n.Turn != n.Seat:
		return nil
	}
	s.sent++
	o := &order{id: fmt.Sprintf("%s-%d", s.name, s.sent)}
	if s.rng.IntN(12) == 0 {
		o.chat = "word " + o.id
		o.line = fmt.Sprintf(`{"id":%q,"say":%q}`, o.id, o.chat)
	} else {
		pick := n.Options[s.rng.IntN(len(n.Options))]
		o.move = made{place: place{Game: n.Game, Round: n.Round}, Seat: n.Seat, Did: "play", Tile: pick.Play, Arm: pick.Arm}
		o.line = fmt.Sprintf(`{"id":%q,"version":%d,"play":%q,"arm":%q}`, o.id, n.Version, pick.Play, pick.Arm)
	}
	s.open = o
	if err := s.write(in, o.line); err != nil {
		return err
	}
	s.world.change(func() { s.world.orders++ })
	return nil
}

func (s *survivor) write(in io.Writer, line string) error {
	_, err := io.WriteString(in, line+"\n")
	return err
}

// team makes the players and a watcher of one table, at which all sit already.
func team(w *world, table int64, rng *rand.Rand, keys map[string]gossh.Signer) []*survivor {
	names := []string{}
	for name := range keys {
		names = append(names, name)
	}
	slices.Sort(names) // so that a seed means the same each time
	var all []*survivor
	for _, name := range append(names, fmt.Sprintf("watcher-%d", table)) {
		all = append(all, &survivor{
			name: name, key: keys[name], table: table, rng: rand.New(rand.NewPCG(rng.Uint64(), 0)), world: w,
			seen: map[place]made{}, refused: map[string]int{},
		})
	}
	return all
}
