package soak

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"boneyard/cmd/sshload/attack"
	"boneyard/cmd/sshload/figures"
	"boneyard/cmd/sshload/server"
)

// Report is what a soak has found.
type Report struct {
	Minutes  float64 `json:"minutes"`
	Ordinary int     `json:"ordinary"` // clients that play, look on and talk
	Hostile  int     `json:"hostile"`  // clients that attack

	Attacks []attack.Row   `json:"attacks"`
	Refused map[string]int `json:"refused"` // by the server's reason

	Calm *figures.Latency `json:"ack_before"`    // of programs' moves, before the attack
	Ack  *figures.Latency `json:"ack"`           // of programs' moves, during it
	Keys *figures.Latency `json:"key_to_screen"` // of people's moves, during it

	Append *figures.Latency `json:"journal,omitempty"` // how long a table's step waits to be on disk; upper bounds, as the server counts it

	CalmNewcomers *Newcomers `json:"newcomers_before"`
	Newcomers     *Newcomers `json:"newcomers"`

	Faults int      `json:"faults"` // that ordinary people have met
	Told   []string `json:"faults_told,omitempty"`

	Left    *Left    `json:"left"`
	Tables  int      `json:"tables"`      // of ordinary programs
	Kept    int      `json:"tables_kept"` // of them, at least as they were last seen
	Panics  int      `json:"panics"`
	Journal int      `json:"journal_failures"`
	Logged  []string `json:"errors_logged,omitempty"`
	Peak    float64  `json:"peak_rss_mb"`
	LogHour float64  `json:"log_mb_an_hour"`
	Share   float64  `json:"server_cpu_share"` // of one processor, during the attack
	Check   string   `json:"check"`            // what sshd check said

	Goals []figures.Goal `json:"goals"`
}

// Newcomers are ordinary people who come in during the attack.
type Newcomers struct {
	N     int              `json:"n"`
	In    int              `json:"in"`
	Late  int              `json:"late"`  // later than they should be, or not at all
	Calls int              `json:"calls"` // that they took in all
	Took  *figures.Latency `json:"to_first_screen"`
	Far   *figures.Latency `json:"to_first_screen_from_afar"`
}

// Left is what is still there when everybody has gone.
type Left struct {
	Goroutines float64 `json:"goroutines"` // more than before the first came, apart from those of tables and events
	Files      int     `json:"files"`      // and sockets, more than before
	DataFiles  int     `json:"data_files"` // more than before: the store's own
	Sessions   float64 `json:"sessions"`
	Tables     float64 `json:"tables"` // that live, ordinary and hostile
}

func (l *Left) nothing() bool { return l.Goroutines <= 0 && l.Files <= 0 && l.Sessions == 0 }

// growth is by how much a counter has grown, by the values of one of its labels; those that did not grow are left out.
func growth(before, after server.Metrics, name, label string) map[string]int {
	then, all := before.By(name, label), make(map[string]int)
	for key, n := range after.By(name, label) {
		if n > then[key] {
			all[key] = int(n - then[key])
		}
	}
	return all
}

// Goals that speak of time, which other work on the machine can spoil.
const (
	GoalAck  = "moves acknowledged, p99 in ms"
	GoalLate = "newcomers not in within 3 s, of 100"
)

// judge fills in the goals.
func (r *Report) judge() {
	add := func(name string, value, most float64) {
		r.Goals = append(r.Goals, figures.Goal{Name: name, Value: value, Most: most, Met: value <= most})
	}
	if r.Ack != nil {
		add(GoalAck, r.Ack.P99, 50)
	}
	if n := r.Newcomers; n != nil && n.N > 0 {
		add(GoalLate, 100*float64(n.Late)/float64(n.N), 1)
	}
	add("log, MB an hour", r.LogHour, 30)
	add("faults that the ordinary met", float64(r.Faults), 0)
	add("goroutines left behind", max(r.Left.Goroutines, 0), 0)
	add("files left behind", float64(max(r.Left.Files, 0)), 0)
	add("sessions left behind", r.Left.Sessions, 0)
	add("tables lost", float64(r.Tables-r.Kept), 0)
	add("panics, failures of the journal", float64(r.Panics+r.Journal), 0)
	add("errors in the log", float64(len(r.Logged)), 0)
}

// missed is an error that names the goals that were missed; nil if there are none.
func (r *Report) missed() error {
	var names []string
	for _, g := range r.Goals {
		if !g.Met {
			names = append(names, g.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf("missed: %s", strings.Join(names, "; "))
}

// Print writes the report for people.
func (r *Report) Print(w io.Writer) error {
	b := figures.Sheet{Names: 34}
	row, delay := b.Row, b.Delay
	fmt.Fprintf(&b, "soak: %g minutes, %d ordinary and %d hostile clients\nattacks\n", r.Minutes, r.Ordinary, r.Hostile)
	for _, a := range r.Attacks {
		row(a.Kind, "%10d, %d of them turned away", a.N, a.Refused)
	}
	b.WriteString("refused by the club\n")
	for _, reason := range slices.Sorted(maps.Keys(r.Refused)) {
		row(reason, "%10d", r.Refused[reason])
	}
	b.WriteString("the ordinary\n")
	delay("move acknowledged, before", r.Calm)
	delay("move acknowledged", r.Ack)
	delay("key to own screen", r.Keys)
	delay("journal, at most", r.Append)
	for _, n := range []struct {
		when string
		*Newcomers
	}{{", before", r.CalmNewcomers}, {"", r.Newcomers}} {
		if n.Newcomers != nil {
			row("newcomers"+n.when, "%10d of %d are in, %d late, with %d calls", n.In, n.N, n.Late, n.Calls)
			delay("call to first screen"+n.when, n.Took)
			delay("from afar"+n.when, n.Far)
		}
	}
	for _, f := range slices.Concat(r.Told, r.Logged) {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	b.WriteString("afterwards\n")
	row("goroutines", "%10.0f more than before, and one for each of %.0f tables", r.Left.Goroutines, r.Left.Tables)
	row("files and sockets", "%10d more than before, and %d of the store's", r.Left.Files, r.Left.DataFiles)
	row("tables", "%10d of %d as they were last seen", r.Kept, r.Tables)
	row("log", "%10.1f MB an hour", r.LogHour)
	row("peak memory", "%10.0f MB", r.Peak)
	row("server", "%10.2f of a processor during the attack", r.Share)
	row("check", "%s", r.Check)
	b.WriteString("goals\n")
	b.Goals(r.Goals)
	_, err := io.WriteString(w, b.String())
	return err
}
