package load

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/server"
)

// settle waits until every move is answered, and notes moves that were refused, tables where nobody has moved
// for long, and sessions that have ended.
func (r *runner) settle(ctx context.Context, _ int) error {
	const stillTime = 30 * time.Second // several times the pause between two games
	now := time.Now()
	for _, p := range r.players {
		r.fault("a player at table "+p.Table.Number, p.Settled(ctx))
		if d := now.Sub(p.Table.LastMove()); d > stillTime && !p.Table.Open {
			r.fault("table "+p.Table.Number, fmt.Errorf("nobody has moved for %v", d.Round(time.Second)))
		}
	}
	for _, s := range r.screens {
		r.fault("a session at a screen", s.Settled(ctx))
	}
	return nil
}

const (
	afterwards = "afterwards"

	leftGoroutines = "goroutines left behind"
	leftFiles      = "files left behind"
	leftSessions   = "sessions left behind"
	tablesLost     = "tables lost"
	faultsMet      = "faults that the ordinary met"
	errorsLogged   = "errors in the log"
)

// holding is a number of things that the club holds.
type holding struct {
	name, unit string
	must       bool // be released; otherwise it is only reported
	n          float64
}

// holds returns what the club holds; nil if its metrics cannot be read.
func (r *runner) holds() []holding {
	m, err := r.club.Scrape()
	if err != nil {
		return nil
	}
	files, _ := r.club.Files(r.dir)
	return []holding{
		{leftGoroutines, "more than before, and one for each table and event", true, m.Goroutines()},
		{leftFiles, "more than before, sockets among them", r.Limits, float64(files)},
		{leftSessions, "", r.Limits, m.Value("boneyard_sessions") + m.Value("boneyard_visits")},
	}
}

// left reports what is left behind, apart from tables, which wait for their people.
func (r *runner) left(ctx context.Context, before []holding) error {
	var more []holding
	for tries := 0; before != nil; tries++ {
		if tries > 0 && !client.Sleep(ctx, 100*time.Millisecond) {
			return context.Cause(ctx)
		}
		more = r.holds()
		for i := range more {
			more[i].n -= before[i].n
		}
		if !slices.ContainsFunc(more, func(h holding) bool { return h.must && h.n > 0 }) {
			break
		}
		if tries == 600 { // a busy server takes a while to close connections
			stacks, err := r.club.Debug("/debug/pprof/goroutine?debug=1")
			r.say("what is left: %v\n%s", err, stacks)
			break
		}
	}
	for _, h := range more {
		r.report.Add(afterwards, h.name, h.unit, h.n)
	}
	if u, err := r.club.Usage(); err == nil {
		r.report.Add(afterwards, "peak memory", "MB", float64(u.Top)/(1<<20))
	}
	if r.Limits {
		return r.kept(ctx)
	}
	return nil
}

// kept checks that every table of programs is still there, at least at the version that its players know.
func (r *runner) kept(ctx context.Context) error {
	wanted, kept := make(map[string]uint64), 0
	for _, p := range r.players {
		if p.Table.Programs {
			wanted[p.Table.Number] = max(wanted[p.Table.Number], p.Known())
		}
	}
	for number, version := range wanted {
		var now struct{ Version uint64 }
		err := r.askFirst(ctx, client.Caller{User: "asker"}, "show table "+number, &now)
		if err == nil && now.Version < version {
			err = fmt.Errorf("it is at version %d, and its players have seen version %d", now.Version, version)
		}
		if err == nil {
			kept++
		}
		r.fault("table "+number, err)
	}
	r.report.Add(afterwards, "tables kept", "as they were last seen", float64(kept))
	r.report.Add(afterwards, tablesLost, "", float64(len(wanted)-kept))
	return ctx.Err()
}

// checked has the club's program check its file.
func (r *runner) checked(ctx context.Context) {
	out, err := server.Command(ctx, r.Server, "check", "--data", r.Data).CombinedOutput()
	r.note("check: " + strings.ReplaceAll(strings.TrimSpace(string(out)), r.dir+string(filepath.Separator), ""))
	r.fault("sshd check", err)
	r.soaked()
}

// soaked reports faults and errors at the end of a soak.
func (r *runner) soaked() {
	logged, _ := r.club.Log.Errors()
	logged = logged[r.logged:]
	r.report.Notes = append(r.report.Notes, logged...)
	r.report.Add(afterwards, faultsMet, "", float64(r.faults))
	r.report.Add(afterwards, errorsLogged, "", float64(len(logged)))
}
