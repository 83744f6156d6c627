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

// stillTime is after how long without a move at a table something is wrong. Between two games some seconds
// pass.
const stillTime = 30 * time.Second

// settle waits until every move that was sent has been acknowledged, and notes what was not, what was
// refused, tables where nobody had moved for long, and sessions that have ended.
func (r *runner) settle(ctx context.Context, _ int) error {
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

// What may be left behind, and be wrong.
const (
	afterwards = "afterwards"

	leftGoroutines = "goroutines left behind"
	leftFiles      = "files left behind"
	leftSessions   = "sessions left behind"
	tablesLost     = "tables lost"
	faultsMet      = "faults that the ordinary met"
	errorsLogged   = "errors in the log"
)

// holding is something that the club holds.
type holding struct {
	name, unit string
	must       bool // be given back; otherwise it is only told
	n          float64
}

// holds looks at what the club holds; nil if that is not to be seen.
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

// left finds out what stays behind, apart from the tables, which wait for their people.
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
		if tries == 600 { // hanging up takes the server a moment, on a busy machine a long one, and nothing tells when it is done
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

// kept asks the club for every table of programs: each must be there, at least as its players have last seen
// it.
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

// checked has the club's program look through its data.
func (r *runner) checked(ctx context.Context) {
	out, err := server.Command(ctx, r.Server, "check", "--data", r.Data).CombinedOutput()
	r.note("check: " + strings.ReplaceAll(strings.TrimSpace(string(out)), r.dir+string(filepath.Separator), ""))
	r.fault("sshd check", err)
	r.soaked()
}

// soaked reports what is known at the end of a soak.
func (r *runner) soaked() {
	logged, _ := r.club.Log.Errors()
	logged = logged[r.logged:]
	r.report.Notes = append(r.report.Notes, logged...)
	r.report.Add(afterwards, faultsMet, "", float64(r.faults))
	r.report.Add(afterwards, errorsLogged, "", float64(len(logged)))
}
