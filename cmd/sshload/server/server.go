// Package server runs the processes that are measured, the club and the bare server beside it, and reads what they have used: from the
// system, and from the club's metrics. It calls nothing but this machine.
package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Server is the process that is measured: the club, or the bare one beside it.
type Server struct {
	name string
	Addr string
	PID  int // 0: not known, there are no figures of CPU and memory

	Metrics string // address of the metrics; empty: there are none
	Stop    func() error
	kill    func() error
	last    lastLines    // of its log
	ended   atomic.Bool  // its log has
	wait    func() error // for the process

	Say func(line string) error // to the bare server
	ask func(line string) (string, error)
}

// Loopback returns an address if it is one of this machine; all others are refused.
func Loopback(addr string) (string, error) {
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

// Attach uses a club that runs already.
func Attach(addr, metrics string, pid int) (*Server, error) {
	addr, err := Loopback(addr)
	if err != nil {
		return nil, err
	}
	if metrics != "" {
		if metrics, err = Loopback(metrics); err != nil {
			return nil, err
		}
	}
	return &Server{name: "club", Addr: addr, Metrics: metrics, PID: pid, Stop: func() error { return nil }}, nil
}

// Find is the program beside this one. The search path is not asked: its sshd is another.
func Find() (string, error) {
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

// StartTime is how long a server may take to start, and to end. It is generous, for big files on busy machines.
const StartTime = 10 * time.Minute

// ClubData is the file with the club's data, in the folder of a run.
const ClubData = "club.db"

// StartClub runs the club as a process of its own, with its files in dir and more flags. The exhibition is off, since its bots
// would play between the measurements.
func StartClub(program, dir string, log io.Writer, flags ...string) (*Server, error) {
	s, lines, err := start(program, append([]string{
		"--listen", "127.0.0.1:0", "--data", filepath.Join(dir, ClubData), "--host-keys", filepath.Join(dir, "keys"),
	}, flags...), "the club is open")
	if err != nil {
		return nil, err
	}
	go s.copyLog(log, lines)
	return s, nil
}

// copyLog copies a server's log until it ends, with the process.
func (s *Server) copyLog(to io.Writer, from io.Reader) {
	_, _ = io.Copy(io.MultiWriter(to, &s.last), from)
	s.ended.Store(true)
}

// Ended returns an error that says how a server has ended which nobody has stopped; nil if it runs.
func (s *Server) Ended() error {
	if !s.ended.Load() {
		return nil
	}
	err := s.wait()
	if err == nil {
		err = errors.New("status 0")
	}
	return fmt.Errorf("%s has ended by itself: %w; the end of its log:\n%s", s.name, err, &s.last)
}

// lastLines keeps the last lines of what is written to it.
type lastLines struct {
	mu   sync.Mutex
	text []byte
}

func (l *lastLines) Write(p []byte) (int, error) {
	const kept = 4 << 10
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	l.text = l.text[max(0, len(l.text)-kept):]
	return len(p), nil
}

func (l *lastLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

// start runs the program and returns when it has logged something, with the rest of the log.
func start(program string, flags []string, says string) (*Server, *said, error) {
	cmd := exec.Command(program, append([]string{
		"--exhibition", "off", "--metrics", "127.0.0.1:0", "--pprof", "--log-format", "json", "--log-level", "info",
	}, flags...)...)
	cmd.Env = WithoutSettings(os.Environ())
	errs, err := cmd.StderrPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("start the club: %w", err)
	}
	s := &Server{name: "club", PID: cmd.Process.Pid, wait: sync.OnceValue(cmd.Wait)}
	s.Stop = func() error { return stopProcess(cmd, s.wait) }
	late := time.AfterFunc(StartTime, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	s.kill = func() error {
		_ = cmd.Process.Kill()
		_ = s.wait() // it says that it was killed
		return nil
	}
	lines := &said{Reader: bufio.NewReader(errs)}
	if s.Addr, err = lines.until(says); err != nil {
		_ = s.Stop()
		return nil, nil, fmt.Errorf("the club did not open: %s", strings.TrimSpace(lines.all.String()))
	}
	s.Metrics = lines.metrics
	return s, lines, nil
}

// said is a server's log, in lines of JSON.
type said struct {
	*bufio.Reader
	all     strings.Builder // that was read by until
	metrics string          // where it has them, if it said so
}

// until reads up to a message, and returns the address in it.
func (s *said) until(message string) (addr string, err error) {
	for {
		text, err := s.ReadString('\n')
		if err != nil {
			return "", err
		}
		s.all.WriteString(text)
		var line struct{ Msg, Addr string }
		if json.Unmarshal([]byte(text), &line) != nil {
			continue
		}
		switch line.Msg {
		case "metrics":
			s.metrics = line.Addr
		case message:
			return line.Addr, nil
		}
	}
}

// WithoutSettings drops environment variables that would change the club's settings.
func WithoutSettings(environ []string) []string {
	var kept []string
	for _, e := range environ {
		if !strings.HasPrefix(e, "BONEYARD_") {
			kept = append(kept, e)
		}
	}
	return kept
}

// StartSelf runs one of this program's own commands, which nobody calls by hand, as a process of its own, until it ends or ctx
// does.
func StartSelf(ctx context.Context, command, variable string) (cmd *exec.Cmd, in io.WriteCloser, out io.Reader, err error) {
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

// StartBare runs the bare server as a process of its own.
func StartBare() (*Server, error) {
	cmd, in, out, err := StartSelf(context.Background(), BareCommand, BareVariable)
	if err != nil {
		return nil, fmt.Errorf("start the bare server: %w", err)
	}
	answers := bufio.NewReader(out)
	s := &Server{name: "bare", PID: cmd.Process.Pid}
	s.Stop = func() error {
		_ = in.Close()
		return stopProcess(cmd, cmd.Wait)
	}
	s.Say = func(line string) error {
		_, err := io.WriteString(in, line+"\n")
		return err
	}
	s.ask = func(line string) (string, error) {
		if err := s.Say(line); err != nil {
			return "", err
		}
		answer, err := answers.ReadString('\n')
		return strings.TrimSpace(answer), err
	}
	late := time.AfterFunc(StartTime, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	line, err := answers.ReadString('\n')
	if err != nil {
		_ = s.Stop()
		return nil, fmt.Errorf("the bare server did not open: %w", err)
	}
	s.Addr = strings.TrimSpace(line)
	return s, nil
}

// stopProcess asks a process to end, waits for it, and ends it if that takes too long.
func stopProcess(cmd *exec.Cmd, wait func() error) error {
	_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	late := time.AfterFunc(StartTime, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	err := wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if exit.ExitCode() > 0 {
			return fmt.Errorf("%s ended with status %d", filepath.Base(cmd.Path), exit.ExitCode())
		}
		if w, ok := exit.Sys().(syscall.WaitStatus); ok && w.Signal() == syscall.SIGKILL {
			return fmt.Errorf("%s did not end within %v", filepath.Base(cmd.Path), StartTime)
		}
	}
	return nil
}

// Usage is what the server has used; an error where its process is not known.
func (s *Server) Usage() (Usage, error) {
	if s.PID == 0 {
		return Usage{}, errors.New("the server's process is not known; name it with --pid")
	}
	return usageOf(s.PID)
}

// Greet has the bare server send a text to each session first, and returns when it will.
func (s *Server) Greet(text string) error {
	if err := s.Say("greet " + strconv.Quote(text)); err != nil {
		return err
	}
	_, _, err := s.Gauges() // it obeys one command after another
	return err
}

// Gauges asks the server how many goroutines it has, apart from one for each table and each event, and how many bytes of its memory hold
// something.
func (s *Server) Gauges() (goroutines, live float64, err error) {
	if s.ask != nil {
		line, err := s.ask("gauges")
		if err != nil {
			return 0, 0, err
		}
		_, err = fmt.Sscan(line, &goroutines, &live)
		return goroutines, live, err
	}
	if _, err := s.Debug(context.Background(), "/debug/pprof/heap?gc=1&debug=0"); err != nil {
		return 0, 0, err
	}
	m, err := s.Scrape()
	goroutines = m.Value("go_goroutines") - m.Value("boneyard_tables") - m.Value("boneyard_events") // a club that has just opened makes daily deals
	return goroutines, m.Value("go_memstats_heap_alloc_bytes") + m.Value("go_memstats_stack_inuse_bytes"), err
}
