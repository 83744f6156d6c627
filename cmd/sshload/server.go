package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is the process that is measured: the club, or the bare one beside it.
type server struct {
	name string
	addr string
	pid  int // 0: not known, there are no figures of CPU and memory

	metrics string // address of the metrics; empty: there are none
	stop    func() error

	say func(line string) error // to the bare server
	ask func(line string) (string, error)
}

// loopback returns an address if it is one of this machine: nothing else is ever called.
func loopback(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fmt.Errorf("%q is not an address like 127.0.0.1:2222", addr)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return "", fmt.Errorf("%s is not on this machine: a load is only ever sent to a loopback address", addr)
	}
	return net.JoinHostPort(host, port), nil
}

// attach uses a club that runs already.
func attach(addr, metrics string, pid int) (*server, error) {
	addr, err := loopback(addr)
	if err != nil {
		return nil, err
	}
	if metrics != "" {
		if metrics, err = loopback(metrics); err != nil {
			return nil, err
		}
	}
	return &server{name: "club", addr: addr, metrics: metrics, pid: pid, stop: func() error { return nil }}, nil
}

// findServer is the program beside this one. The search path is not asked: its sshd is another.
func findServer() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(self), "sshd")
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("there is no sshd beside %s; name the club's program with --server", self)
	}
	return path, nil
}

// startTime is how long a server may take until it listens, and to end.
const startTime = time.Minute

// clubData is the file with the club's data, in the folder of a run.
const clubData = "club.db"

// startClub runs the club as a process of its own, with its files in dir and more flags. The exhibition is off, since its bots
// would play between the measurements.
func startClub(program, dir string, log io.Writer, flags ...string) (*server, error) {
	cmd := exec.Command(program, append([]string{
		"--listen", "127.0.0.1:0", "--data", filepath.Join(dir, clubData), "--host-keys", filepath.Join(dir, "keys"),
		"--exhibition", "off", "--metrics", "127.0.0.1:0", "--pprof", "--log-format", "json", "--log-level", "info",
	}, flags...)...)
	cmd.Env = withoutSettings(os.Environ())
	errs, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the club: %w", err)
	}
	s := &server{name: "club", pid: cmd.Process.Pid, stop: func() error { return stopProcess(cmd) }}
	late := time.AfterFunc(startTime, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	lines := bufio.NewReader(errs)
	var said strings.Builder
	for s.addr == "" {
		text, err := lines.ReadString('\n')
		if err != nil {
			_ = s.stop()
			return nil, fmt.Errorf("the club did not open: %s", strings.TrimSpace(said.String()))
		}
		said.WriteString(text)
		var line struct{ Msg, Addr string }
		if json.Unmarshal([]byte(text), &line) != nil {
			continue
		}
		switch line.Msg {
		case "metrics":
			s.metrics = line.Addr
		case "the club is open":
			s.addr = line.Addr
		}
	}
	go func() { _, _ = io.Copy(log, lines) }() // ends with the process
	return s, nil
}

// withoutSettings drops what would set the club up differently.
func withoutSettings(environ []string) []string {
	var kept []string
	for _, e := range environ {
		if !strings.HasPrefix(e, "BONEYARD_") {
			kept = append(kept, e)
		}
	}
	return kept
}

// startSelf runs one of this program's own commands, which nobody calls by hand, as a process of its own, until it ends or ctx
// does.
func startSelf(ctx context.Context, command, variable string) (cmd *exec.Cmd, in io.WriteCloser, out io.Reader, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, nil, err
	}
	cmd = exec.CommandContext(ctx, self, command)
	cmd.Env = append(os.Environ(), variable+"=1")
	cmd.Stderr = os.Stderr
	if in, err = cmd.StdinPipe(); err != nil {
		return nil, nil, nil, err
	}
	if out, err = cmd.StdoutPipe(); err != nil {
		return nil, nil, nil, err
	}
	return cmd, in, out, cmd.Start()
}

// startBare runs the bare server as a process of its own.
func startBare() (*server, error) {
	cmd, in, out, err := startSelf(context.Background(), bareCommand, bareVariable)
	if err != nil {
		return nil, fmt.Errorf("start the bare server: %w", err)
	}
	answers := bufio.NewReader(out)
	s := &server{name: "bare", pid: cmd.Process.Pid}
	s.stop = func() error {
		_ = in.Close()
		return stopProcess(cmd)
	}
	s.say = func(line string) error {
		_, err := io.WriteString(in, line+"\n")
		return err
	}
	s.ask = func(line string) (string, error) {
		if err := s.say(line); err != nil {
			return "", err
		}
		answer, err := answers.ReadString('\n')
		return strings.TrimSpace(answer), err
	}
	late := time.AfterFunc(startTime, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	line, err := answers.ReadString('\n')
	if err != nil {
		_ = s.stop()
		return nil, fmt.Errorf("the bare server did not open: %w", err)
	}
	s.addr = strings.TrimSpace(line)
	return s, nil
}

// stopProcess asks a process to end, waits for it, and ends it if that takes too long.
func stopProcess(cmd *exec.Cmd) error {
	_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	late := time.AfterFunc(startTime, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if exit.ExitCode() > 0 {
			return fmt.Errorf("%s ended with status %d", filepath.Base(cmd.Path), exit.ExitCode())
		}
		if w, ok := exit.Sys().(syscall.WaitStatus); ok && w.Signal() == syscall.SIGKILL {
			return fmt.Errorf("%s did not end within %v", filepath.Base(cmd.Path), startTime)
		}
	}
	return nil
}

// usage is what the server has used; an error where its process is not known.
func (s *server) usage() (usage, error) {
	if s.pid == 0 {
		return usage{}, errors.New("the server's process is not known; name it with --pid")
	}
	return usageOf(s.pid)
}

// gauges asks the server how many goroutines it has and how many bytes of its memory hold something.
func (s *server) gauges() (goroutines, live float64, err error) {
	if s.ask != nil {
		line, err := s.ask("gauges")
		if err != nil {
			return 0, 0, err
		}
		_, err = fmt.Sscan(line, &goroutines, &live)
		return goroutines, live, err
	}
	if s.metrics == "" {
		return 0, 0, errNoMetrics
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	if _, err := get(ctx, "http://"+s.metrics+"/debug/pprof/heap?gc=1&debug=0"); err != nil {
		return 0, 0, err
	}
	m, err := s.scrape()
	return m["go_goroutines"], m["go_memstats_heap_alloc_bytes"] + m["go_memstats_stack_inuse_bytes"], err
}

var errNoMetrics = errors.New("the server has no metrics")

// scrape reads all metrics: what is written before the value, labels and all, is their name.
func (s *server) scrape() (map[string]float64, error) {
	if s.metrics == "" {
		return nil, errNoMetrics
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	text, err := get(ctx, "http://"+s.metrics+"/metrics")
	if err != nil {
		return nil, err
	}
	all := make(map[string]float64)
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			all[name] = n
		}
	}
	return all, nil
}

// journalBuckets begins the names of the counts of how long a table's step waited to be on disk.
const journalBuckets = `boneyard_journal_append_seconds_bucket{le="`

// journal is how long tables waited for their journal, by the metrics' growth in that time; nil if that is not known. It is
// known within the server's buckets only, whose upper bounds it tells.
func journal(counted map[string]float64) *Latency {
	type bucket struct{ le, n float64 }
	var buckets []bucket
	for name, n := range counted {
		if rest, ok := strings.CutPrefix(name, journalBuckets); ok {
			if le, err := strconv.ParseFloat(strings.TrimSuffix(rest, `"}`), 64); err == nil {
				buckets = append(buckets, bucket{le, n})
			}
		}
	}
	slices.SortFunc(buckets, func(a, b bucket) int { return cmp.Compare(a.le, b.le) })
	if len(buckets) == 0 || buckets[len(buckets)-1].n == 0 {
		return nil
	}
	all := buckets[len(buckets)-1].n
	within := func(part float64) float64 {
		for i, b := range buckets {
			if b.n >= part*all {
				if math.IsInf(b.le, 1) { // longer than the server counts
					return buckets[i-1].le * 1000
				}
				return b.le * 1000
			}
		}
		return 0
	}
	return &Latency{N: int64(all), P50: within(0.50), P99: within(0.99), Worst: within(1)}
}

func get(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(io.LimitReader(resp.Body, 64<<20))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", url, resp.Status)
	}
	return string(b), err
}
