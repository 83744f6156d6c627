package load

import (
	"fmt"
	"io"

	"boneyard/cmd/sshload/figures"
)

// Report is what a run has found. Times and sizes have their unit in their name; us is microseconds of processor time of the
// server, in user mode and in the kernel.
type Report struct {
	Profile  string `json:"profile"`
	Sessions int    `json:"sessions"`

	Enter    *Enter    `json:"enter,omitempty"`
	Idle     *Idle     `json:"idle,omitempty"`
	Play     *Play     `json:"play,omitempty"`
	Arrivals *Arrivals `json:"arrivals,omitempty"`
	Left     *Left     `json:"left,omitempty"`

	Goals []figures.Goal `json:"goals"`
}

// Enter is what it takes to come in.
type Enter struct {
	PerSecond   figures.Pair `json:"logins_per_second"` // with clients and server on the same machine
	Login       figures.Pair `json:"login_us"`          // a handshake, up to being logged in
	Open        figures.Pair `json:"open_us"`           // the session, up to the first screen
	Both        figures.Pair `json:"enter_us"`
	FirstScreen int          `json:"first_screen_bytes"`
}

// Idle is what sessions take that do nothing.
type Idle struct {
	Seconds    float64      `json:"seconds"`
	CPU        figures.Pair `json:"us_per_session_second"`
	RSS        figures.Pair `json:"rss_kb_per_session"`  // resident memory
	Live       figures.Pair `json:"live_kb_per_session"` // heap and stacks after a collection
	Goroutines figures.Pair `json:"goroutines_per_session"`
	Frames     float64      `json:"frames_per_session"` // that came nevertheless
}

// Play is what games take.
type Play struct {
	Rounds     int              `json:"rounds"`
	Moves      int64            `json:"moves"`                    // by people and programs
	Changes    float64          `json:"changes_per_table_second"` // of what a table shows: moves, draws, what bots do, rounds that begin
	Updates    int64            `json:"updates"`                  // frames at watchers with a new version
	CPU        figures.Pair     `json:"us_per_update"`
	Bytes      float64          `json:"bytes_per_update"`
	MoveBytes  float64          `json:"bytes_per_move"` // of updates within a round: an ordinary move
	Delay      *figures.Latency `json:"key_to_watchers,omitempty"`
	BareDelay  *figures.Latency `json:"bare_to_clients,omitempty"` // how long the bare server takes from being told to its clients
	Ack        *figures.Latency `json:"key_to_player,omitempty"`
	BareAck    *figures.Latency `json:"bare_line_to_client,omitempty"` // how long a line to the bare server takes to come back, while it goes to as many
	MoveCPU    figures.Pair     `json:"us_per_move"`                   // of a program, with all that bots do meanwhile
	Journal    *figures.Latency `json:"journal,omitempty"`             // how long a table's step waits to be on disk; upper bounds, as the server counts it
	Bots       *figures.Latency `json:"bots,omitempty"`                // how long masters of the house take for a choice, in the same way
	Share      float64          `json:"server_cpu_share"`              // of one processor
	RSS        float64          `json:"rss_kb_per_session"`
	Goroutines float64          `json:"goroutines_per_session"`
	Lines      int64            `json:"chat_lines,omitempty"`
	Resizes    int64            `json:"resizes,omitempty"`
	Nodes      []Node           `json:"nodes,omitempty"` // of a club on several machines
}

// Node is what a node of a club on several machines takes while people play.
type Node struct {
	Name  string  `json:"name"`
	Club  bool    `json:"club"`      // whether it has the club
	Share float64 `json:"cpu_share"` // of one processor
	RSS   float64 `json:"rss_mb"`
}

// Arrivals is what it takes when many come in at once.
type Arrivals struct {
	N       int              `json:"n"`
	Seconds float64          `json:"seconds"`            // in which their sessions were opened
	Screen  *figures.Latency `json:"to_first_screen"`    // from the request to the first whole frame
	Frames  float64          `json:"frames_per_session"` // of all who look at the lobby, until it was quiet again
	CPU     figures.Pair     `json:"us_per_arrival"`
}

// Left is what is still there when everybody has gone.
type Left struct {
	Goroutines float64 `json:"goroutines"` // more than before the first came, apart from those of tables and events
}

// enoughMoves is how many it takes until a 99th percentile says something.
const enoughMoves = 500

// judge fills in the goals that the figures speak of, as far as they are meant for such a load.
func (r *Report) judge(l *Load) {
	add := func(name string, value, most float64) {
		if value > 0 {
			r.Goals = append(r.Goals, figures.Goal{Name: name, Value: value, Most: most, Met: value <= most})
		}
	}
	if e := r.Enter; e != nil {
		add("entering, CPU against bare", e.Both.Ratio, 2)
	}
	if i := r.Idle; i != nil {
		add("idle session, memory against bare", i.RSS.Ratio, 2.5)
		add("idle session, µs of CPU a second", i.CPU.Club, 1)
	}
	if p := r.Play; p != nil {
		if l.Tables == 1 { // or what players cost would be a large part of what is divided among the watchers
			add("watcher and update, CPU against bare", p.CPU.Ratio, 2)
		}
		if l.Resizes == 0 { // the bytes are meant for 80×24
			add("bytes a watcher and ordinary move", p.MoveBytes, 100)
		}
		if p.Delay != nil && l.Watchers <= 1000 { // a thousand watchers on two processors that the clients use, too
			add("key to watchers, p99 in ms", p.Delay.P99, 50)
		}
		if p.Ack != nil && p.Ack.N >= enoughMoves {
			add("key to player, p99 in ms", p.Ack.P99, 10)
		}
		if p.Bots != nil { // a bot's pause is no shorter
			add("bots' choices, p99 in ms", p.Bots.P99, 800)
		}
	}
	if a := r.Arrivals; a != nil {
		add("frames a session while many arrive", a.Frames, 40)
	}
}

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	b := figures.Sheet{Names: 38}
	row, delay := b.Row, b.Delay
	pair := func(name, unit string, p figures.Pair) {
		switch {
		case p.Bare > 0:
			row(name, "%10.2f %-14s bare %10.2f   ratio %5.2f", p.Club, unit, p.Bare, p.Ratio)
		default:
			row(name, "%10.2f %s", p.Club, unit)
		}
	}
	fmt.Fprintf(&b, "%s: %d sessions\n", r.Profile, r.Sessions)
	if e := r.Enter; e != nil {
		b.WriteString("entering\n")
		pair("logins", "/s", e.PerSecond)
		pair("login", "µs CPU", e.Login)
		pair("session, first screen", "µs CPU", e.Open)
		pair("both", "µs CPU", e.Both)
		row("first screen", "%10d bytes", e.FirstScreen)
	}
	if a := r.Arrivals; a != nil {
		fmt.Fprintf(&b, "arrivals: %d in %.2f s\n", a.N, a.Seconds)
		delay("to the first screen", a.Screen)
		row("frames", "%10.2f a session", a.Frames)
		pair("CPU", "µs an arrival", a.CPU)
	}
	if i := r.Idle; i != nil {
		fmt.Fprintf(&b, "idle for %.0f s\n", i.Seconds)
		pair("CPU", "µs/s a session", i.CPU)
		pair("resident memory", "kB a session", i.RSS)
		pair("live memory", "kB a session", i.Live)
		pair("goroutines", "a session", i.Goroutines)
		row("frames", "%10.2f a session", i.Frames)
	}
	if p := r.Play; p != nil {
		fmt.Fprintf(&b, "in play: %d rounds, %d moves by players, %d updates\n", p.Rounds, p.Moves, p.Updates)
		row("tables", "%10.2f changes a second at each", p.Changes)
		if p.Updates > 0 {
			pair("CPU", "µs an update", p.CPU)
			row("bytes", "%10.1f an update, %.1f an ordinary move", p.Bytes, p.MoveBytes)
		}
		delay("key to watchers", p.Delay)
		delay("bare server to its clients", p.BareDelay)
		delay("key to player", p.Ack)
		delay("bare line and back", p.BareAck)
		if p.MoveCPU.Club > 0 {
			pair("CPU", "µs a move", p.MoveCPU)
		}
		delay("journal, at most", p.Journal)
		delay("bots' choices, at most", p.Bots)
		if len(p.Nodes) == 0 {
			row("server", "%10.2f of a processor", p.Share)
		}
		for _, n := range p.Nodes {
			name := n.Name
			if n.Club {
				name += ", which has the club"
			}
			row(name, "%10.2f of a processor, %.0f MB", n.Share, n.RSS)
		}
		row("resident memory", "%10.2f kB a session", p.RSS)
		row("goroutines", "%10.2f a session", p.Goroutines)
		if p.Lines+p.Resizes > 0 {
			row("besides", "%d lines said, %d resizes", p.Lines, p.Resizes)
		}
	}
	if l := r.Left; l != nil {
		b.WriteString("afterwards\n")
		row("goroutines", "%10.0f more than before, and one for each table and event", l.Goroutines)
	}
	if len(r.Goals) > 0 {
		b.WriteString("goals\n")
	}
	b.Goals(r.Goals)
	_, err := io.WriteString(w, b.String())
	return err
}
