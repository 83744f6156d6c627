package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
	"boneyard/store"
	"boneyard/store/grow"
)

// Grow fills a new file with the games of years, and writes its progress.
func Grow(ctx context.Context, path string, p grow.Plan, progress io.Writer) error {
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("%s is there already", path)
	}
	s, err := store.Open(ctx, path, store.DefaultOptions())
	if err != nil {
		return err
	}
	_, err = grow.Fill(ctx, s, p, func(done, of int) {
		if done%5000 == 0 || done == of {
			_, _ = fmt.Fprintf(progress, "grow: %d of %d steps\n", done, of)
		}
	})
	return errors.Join(err, s.Close())
}

// grow makes the file of a club of years, unless it is there. The operator is the member who played most.
func (r *runner) grow(ctx context.Context) (err error) {
	if r.boss, err = r.Years.KeyOf(0); err != nil {
		return err
	}
	const part = "the file"
	if _, err := os.Stat(r.Data); errors.Is(err, os.ErrNotExist) {
		began := time.Now()
		if err := Grow(ctx, r.Data, r.Years, r.Progress); err != nil {
			return err
		}
		r.report.Add(part, "grown in", "s", time.Since(began).Seconds())
	}
	info, err := os.Stat(r.Data)
	if err == nil {
		r.report.Add(part, "size", "MB", float64(info.Size())/1e6)
	}
	return err
}

func (r *runner) member() client.Caller { return client.Caller{User: "grown", Key: r.boss} }

// restart measures a start after a normal shutdown, and then one after a kill, which checks the whole file.
func (r *runner) restart(ctx context.Context, i int) (err error) {
	what := []string{"after an end in order", "after a kill"}[i]
	if i == 0 {
		err = r.club.Stop()
	} else {
		var key ssh.Signer
		if key, err = client.NewKey(); err == nil {
			_, err = r.ask(ctx, client.Caller{User: "g", Key: key}, 0, fmt.Sprintf("register g%x", time.Now().UnixNano()&0xffffffff))
		}
		r.club.Kill()
	}
	began := time.Now()
	if err == nil {
		err = r.startClub(ctx)
	}
	if err != nil {
		return err
	}
	u, err := r.club.Usage()
	r.cost("start", what, u.CPU, 0, time.Since(began))
	return err
}

const (
	cpuUnit      = "ms of CPU"
	commandsPart = "commands, without connecting"
	pagesPart    = "pages"
)

// cost reports processor time, on average and the first time (nothing is cached then), and elapsed time.
func (r *runner) cost(part, what string, own, first, wall time.Duration) {
	r.say("%s: %v of CPU, %v the first time, %v in all", what, own, first, wall)
	r.report.Add(part, what, cpuUnit, own.Seconds()*1e3)
	if first > 0 {
		r.report.Add(part, what+", first", cpuUnit, first.Seconds()*1e3)
	}
	r.report.Add(part, what+", wall", "ms", wall.Seconds()*1e3)
}

// costs measures do, without a known cost and wait that are part of it.
func (r *runner) costs(part, what string, less, rested time.Duration, do func(i int) error) (own time.Duration, err error) {
	begun := r.now()
	now, first := begun, time.Duration(0)
	cpu := func() time.Duration { return now.used[r.club].CPU - begun.used[r.club].CPU }
	for i := range r.Times {
		if err := do(i); err != nil {
			return 0, fmt.Errorf("%s: %w", what, err)
		}
		if now = r.now(); i == 0 {
			first = cpu()
		}
	}
	n := time.Duration(r.Times)
	own = cpu() / n
	r.cost(part, what, max(own-less, 0), max(first-less, 0), now.at.Sub(begun.at)/n-rested)
	return own, nil
}

// commands measures all commands that the club lists, those below with these arguments.
func (r *runner) commands(ctx context.Context, _ int) error {
	var player struct{ Name string }
	var team struct{ Tag string }
	if err := errors.Join(r.askFirst(ctx, r.member(), "standings players --limit 1", &player),
		r.askFirst(ctx, r.member(), "standings teams --limit 1", &team)); err != nil {
		return err
	}
	last := strconv.Itoa(r.Years.Games)
	known := map[string][]string{
		"wall":     {}, // does not end by itself
		"coach":    {}, // thinks for a second or more about each game, once
		"register": {}, "watch": {}, "new": {}, "join": {}, "play": {},
		"whois": {"whois " + player.Name},
		"standings": {"standings players", "standings pairs", "standings teams", "standings players --game azneef",
			"standings teams --month 2024-01"},
		"games": {"games", "games " + player.Name, "games " + player.Name + " azneef", "games " + team.Tag, "games 2024-01-01",
			"games nobody-has-this-name", "games --before 2"},
		"show":   {"show game 1", "show game " + last, "show --json game " + last},
		"export": {"export 1", "export " + last},
	}
	listed, err := r.ask(ctx, r.member(), 0, "help --json")
	if err != nil {
		return err
	}
	var entering time.Duration // the cost of help, the first command, which is nearly that of connecting
	for lines := json.NewDecoder(strings.NewReader(listed)); lines.More(); {
		var h struct{ Command string }
		if err := lines.Decode(&h); err != nil {
			return fmt.Errorf("help --json: %w", err)
		}
		all, ok := known[h.Command]
		if !ok {
			all = []string{h.Command}
		}
		for _, command := range all {
			own, err := r.costs(commandsPart, command, entering, 0, func(int) error {
				_, err := r.ask(ctx, r.member(), 0, command)
				return err
			})
			if err != nil {
				return err
			}
			if h.Command == "help" {
				entering = own
			}
		}
	}
	return nil
}

// walk leads through the pages: the keys that lead to each, and a regular expression for its screen.
// Standings show the number of their rows once these are there.
var walk = []struct{ what, keys, shows string }{
	{"teams", "2", "Captain"},
	{"a team", "\r", "Roster"},
	{"standings of teams", "3", `\[Teams\].*\n.*all games +\d`},
	{"standings of pairs", "\x1b[C", `\[Pairs\].*\n.*all games +\d`},
	{"standings of players", "\x1b[C", `\[Players\].*\n.*all games +\d`},
	{"a person", "\r", "Member since"},
	{"standings, from a person", "q", `\[Players\].*\n.*all games +\d`},
	{"standings of a month", "m", `20\d\d +g all games +\d`},
	{"standings of one game", "g", `20\d\d +g azneef( +\d+\+? players?)? *\n`},
	{"games", "4", "All games"},
	{"my games", "m", "games"},
	{"games, once more", "m", "All games"},
	{"a game's replay", "\r", `wins \d+ %`},
	{"turning points", "t", "round"},
	{"points left on the table", "s", "Points left"},
	{"the replay again", "s", "round"},
	{"the next round", "\x1b[6~", "round"},
	{"games, from a replay", "q", "All games"},
	{"rules", "5", "house rules"},
	{"settings", "6", "Colours"},
	{"lobby", "1", "News"},
	{"the wall", "W", "The wall"},
	{"lobby, from the wall", "q", "News"},
	{"arenas", "A", "Arenas"},
	{"lobby, from the arenas", "q", "News"},
	{"daily deal", "d", "Daily deal"},
	{"lobby, from the daily deal", "q", "News"},
	{"operators", "0", "Audit log"},
	{"tables, for operators", "\x1b[C", "Audit log"},
	{"mutes and bans", "\x1b[C", "Audit log"},
	{"reports", "\x1b[C", "Audit log"},
	{"audit log", "\x1b[C", "Audit log"},
	{"suspicions", "\x1b[C", "Audit log"},
}

// pages measures connecting with a terminal, and pages that several visitors open in step.
func (r *runner) pages(ctx context.Context, _ int) error {
	const restTime = 200 * time.Millisecond // without a frame, since the parts of a page come one after another
	visitors := make([]*client.Screen, r.Times)
	_, err := r.costs("connecting", "to the lobby's first screen", 0, 0, func(i int) (err error) {
		visitors[i], _, err = r.comeIn(ctx, r.member())
		return err
	})
	if r.screens = visitors; err == nil {
		err = client.Quiet(ctx, restTime, visitors...)
	}
	if err != nil {
		return err
	}
	for _, w := range walk {
		part, shown := pagesPart, regexp.MustCompile("(?i)"+w.shows)
		if w.what == "turning points" { // computed once for each game
			part = "thinking"
		}
		_, err := r.costs(part, w.what, 0, restTime, func(i int) error {
			s := visitors[i]
			err := s.Send(w.keys)
			if err == nil {
				err = client.Quiet(ctx, restTime, s)
			}
			if err != nil || shown.MatchString(s.Picture()) {
				return err
			}
			if _, err := s.Shows(ctx, shown); err != nil {
				return err
			}
			return client.Quiet(ctx, restTime, s)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// jobs measures commands of the club's program that run without a server.
func (r *runner) jobs(ctx context.Context, _ int) error {
	r.hangUp()
	if err := r.club.Stop(); err != nil {
		return err
	}
	for _, args := range [][]string{{"check"}, {"rebuild"}, {"backup", filepath.Join(r.dir, "copy.db")}} {
		began := time.Now()
		cmd, err := r.job(ctx, append(args, "--data", r.Data)...)
		if err != nil {
			return err
		}
		r.cost("jobs", args[0], cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), 0, time.Since(began))
	}
	return nil
}
