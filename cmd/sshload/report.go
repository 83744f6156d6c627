package main

import (
	"fmt"
	"io"
	"strings"
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

	Goals []Goal `json:"goals"`
}

// Pair is a figure of the club and of the bare server. Where a figure was taken several times all three are medians, so that
// the ratio need not be that of the other two.
type Pair struct {
	Club  float64 `json:"club"`
	Bare  float64 `json:"bare,omitempty"`
	Ratio float64 `json:"ratio,omitempty"`
}

// Enter is what it takes to come in.
type Enter struct {
	PerSecond   Pair `json:"logins_per_second"` // with clients and server on the same machine
	Login       Pair `json:"login_us"`          // a handshake, up to being logged in
	Open        Pair `json:"open_us"`           // the session, up to the first screen
	Both        Pair `json:"enter_us"`
	FirstScreen int  `json:"first_screen_bytes"`
}

// Idle is what sessions take that do nothing.
type Idle struct {
	Seconds    float64 `json:"seconds"`
	CPU        Pair    `json:"us_per_session_second"`
	RSS        Pair    `json:"rss_kb_per_session"`  // resident memory
	Live       Pair    `json:"live_kb_per_session"` // heap and stacks after a collection
	Goroutines Pair    `json:"goroutines_per_session"`
	Frames     float64 `json:"frames_per_session"` // that came nevertheless
}

// Play is what games take.
type Play struct {
	Rounds     int      `json:"rounds"`
	Moves      int64    `json:"moves"`                    // by people and programs
	Changes    float64  `json:"changes_per_table_second"` // of what a table shows: moves, draws, what bots do, rounds that begin
	Updates    int64    `json:"updates"`                  // frames at watchers with a new version
	CPU        Pair     `json:"us_per_update"`
	Bytes      float64  `json:"bytes_per_update"`
	MoveBytes  float64  `json:"bytes_per_move"` // of updates within a round: an ordinary move
	Delay      *Latency `json:"key_to_watchers,omitempty"`
	BareDelay  *Latency `json:"bare_to_clients,omitempty"` // how long the bare server takes from being told to its clients
	Ack        *Latency `json:"key_to_player,omitempty"`
	Journal    *Latency `json:"journal,omitempty"` // how long a table's step waits to be on disk; upper bounds, as the server counts it
	Share      float64  `json:"server_cpu_share"`  // of one processor
	RSS        float64  `json:"rss_kb_per_session"`
	Goroutines float64  `json:"goroutines_per_session"`
	Lines      int64    `json:"chat_lines,omitempty"`
	Resizes    int64    `json:"resizes,omitempty"`
}

// Arrivals is what it takes when many come in at once.
type Arrivals struct {
	N       int      `json:"n"`
	Seconds float64  `json:"seconds"`            // in which their sessions were opened
	Screen  *Latency `json:"to_first_screen"`    // from the request to the first whole frame
	Frames  float64  `json:"frames_per_session"` // of all who look at the lobby, until it was quiet again
	CPU     Pair     `json:"us_per_arrival"`
}

// Left is what is still there when all have gone.
type Left struct {
	Goroutines float64 `json:"goroutines"` // more than before the first came, and one for each table
}

// Goal is one thing that is to be reached, and whether it was.
type Goal struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Most  float64 `json:"most"`
	Met   bool    `json:"met"`
}

// enoughMoves is how many it takes until a 99th percentile says something.
const enoughMoves = 1000

// judge fills in the goals that the figures speak of, as far as they are meant for such a load.
func (r *Report) judge(l *Load) {
	add := func(name string, value, most float64) {
		if value > 0 {
			r.Goals = append(r.Goals, Goal{name, value, most, value <= most})
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
	}
	if a := r.Arrivals; a != nil {
		add("frames a session while many arrive", a.Frames, 40)
	}
}

// sheet is a report as text, row by row.
type sheet struct {
	strings.Builder
	names int // columns for the rows' names
}

func (s *sheet) row(name, format string, args ...any) {
	fmt.Fprintf(s, "  %-*s "+format+"\n", append([]any{s.names, name}, args...)...)
}

// delay adds a row if there is something to tell.
func (s *sheet) delay(name string, l *Latency) {
	if l != nil {
		s.row(name, "%10.2f ms p50  %8.2f p99  %8.2f worst   (%d)", l.P50, l.P99, l.Worst, l.N)
	}
}

func (s *sheet) goals(all []Goal) {
	for _, g := range all {
		met := "met"
		if !g.Met {
			met = "MISSED"
		}
		s.row(g.Name, "%10.2f of %-8g %s", g.Value, g.Most, met)
	}
}

// print writes the report for people.
func (r *Report) print(w io.Writer) error {
	b := sheet{names: 38}
	row, delay := b.row, b.delay
	pair := func(name, unit string, p Pair) {
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
		delay("journal, at most", p.Journal)
		row("server", "%10.2f of a processor", p.Share)
		row("resident memory", "%10.2f kB a session", p.RSS)
		row("goroutines", "%10.2f a session", p.Goroutines)
		if p.Lines+p.Resizes > 0 {
			row("besides", "%d lines said, %d resizes", p.Lines, p.Resizes)
		}
	}
	if l := r.Left; l != nil {
		b.WriteString("afterwards\n")
		row("goroutines", "%10.0f more than before, and one a table", l.Goroutines)
	}
	if len(r.Goals) > 0 {
		b.WriteString("goals\n")
	}
	b.goals(r.Goals)
	_, err := io.WriteString(w, b.String())
	return err
}
