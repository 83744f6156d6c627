// Package server runs the processes that are measured, the club and the bare server beside it, and reads what
// they have used: from the system, and from the club's metrics. It calls nothing but this machine.
package server

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/procfs"
)

// Server is a process that is measured: the club, a node of it, or the bare server.
type Server struct {
	Name    string
	Addr    string
	PID     int
	Metrics string // address of the metrics
	Log     Log

	*process
	Say func(line string) error      // to the bare server
	ask func(string) (string, error) // the bare server
}

// StartTime is how long a server may take to start, and to end. It is generous, for big files on busy
// machines.
const StartTime = 10 * time.Minute

// ClubData is the file with the club's data, in the folder of a run.
const ClubData = "club.db"

// What a server logs when it is ready.
const (
	clubOpen = "the club is open"
	nodeOpen = "this is a node of a cluster"
)

// Loopback refuses all addresses but this machine's.
func Loopback(addr string) error {
	if at, err := netip.ParseAddrPort(addr); err != nil || !at.Addr().IsLoopback() {
		return fmt.Errorf("%q is not on this machine: a load is only ever sent to a loopback address such as 127.0.0.1:2222", addr)
	}
	return nil
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

// StartClub runs the club as a process of its own, with its files in dir and more flags, and kills it when ctx
// ends: whatever waits for it fails then.
func StartClub(ctx context.Context, program, dir string, flags ...string) (*Server, error) {
	return start(ctx, program, clubOpen, append([]string{
		"--listen", "127.0.0.1:0", "--data", filepath.Join(dir, ClubData), "--host-keys", filepath.Join(dir, "keys"),
	}, flags...))
}

// start runs the club's program and returns when it has logged a message. The exhibition is off, since its
// bots would play between the measurements.
func start(ctx context.Context, program, says string, flags []string) (*Server, error) {
	s := &Server{Name: "club", Log: Log{first: make(chan entry, 8)}}
	cmd := exec.CommandContext(ctx, program, append([]string{
		"--exhibition", "off", "--metrics", "127.0.0.1:0", "--pprof", "--log-format", "json", "--log-level", "info",
	}, flags...)...)
	cmd.Env, cmd.Stderr = WithoutSettings(os.Environ()), &s.Log
	var err error
	if s.process, err = begin(cmd); err != nil {
		return nil, fmt.Errorf("start the club: %w", err)
	}
	s.PID = cmd.Process.Pid
	late := time.AfterFunc(StartTime, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	if err := s.saw(says); err != nil {
		_ = s.Stop() // which would only say the status once more
		return nil, err
	}
	return s, nil
}

// saw follows the log up to a message, and takes the address of the club and of its metrics from it.
func (s *Server) saw(message string) error {
	for {
		select {
		case e := <-s.Log.first:
			if e.Msg == "metrics" {
				s.Metrics = e.Addr
			}
			if e.Msg == message {
				s.Addr = cmp.Or(s.Addr, e.Addr)
				return nil
			}
		case <-s.ended:
			if len(s.Log.first) == 0 {
				return fmt.Errorf("the club did not open: %s", strings.TrimSpace(s.Log.End()))
			}
		}
	}
}

// Ended returns an error that says how a server has ended which nobody has stopped; nil if it runs.
func (s *Server) Ended() error {
	select {
	case <-s.ended:
		return fmt.Errorf("%s has ended by itself: %w; the end of its log:\n%s", s.Name, cmp.Or(s.err, errors.New("status 0")), s.Log.End())
	default:
		return nil
	}
}

// Log takes what a server logs, in lines of JSON.
type Log struct {
	mu      sync.Mutex
	part    []byte     // of a line
	end     []byte     // the last lines
	errors  []string   // the first lines that are errors
	written int64      // bytes
	first   chan entry // of its messages that are to be looked at, as many as fit
}

// entry is a line of the log.
type entry struct{ Level, Msg, Addr string }

// The bounds of what is kept of a log.
const (
	endKept    = 4 << 10
	errorsKept = 20
)

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.written += int64(len(p))
	l.end = append(l.end, p...)
	l.end = l.end[max(0, len(l.end)-endKept):]
	l.part = append(l.part, p...)
	for {
		line, rest, ok := bytes.Cut(l.part, []byte("\n"))
		if !ok {
			return len(p), nil
		}
		var e entry
		if json.Unmarshal(line, &e) == nil {
			if strings.EqualFold(e.Level, "error") && len(l.errors) < errorsKept {
				l.errors = append(l.errors, string(line))
			}
			if slices.Contains([]string{clubOpen, nodeOpen, "metrics"}, e.Msg) {
				select {
				case l.first <- e:
				default: // nobody follows the log any more
				}
			}
		}
		l.part = rest
	}
}

// End is the end of the log.
func (l *Log) End() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.end)
}

// Errors are the first errors in the log, and how many bytes it has in all.
func (l *Log) Errors() (first []string, written int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.errors), l.written
}

// WithoutSettings drops environment variables that would change the club's settings.
func WithoutSettings(environ []string) []string {
	return slices.DeleteFunc(environ, func(e string) bool { return strings.HasPrefix(e, "BONEYARD_") })
}

// process is a program that runs.
type process struct {
	cmd   *exec.Cmd
	in    io.Closer     // which it reads until it is closed; nil: it reads nothing
	ended chan struct{} // closed when it has
	err   error         // how it has ended
}

func begin(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, ended: make(chan struct{})}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// Kill ends the process at once.
func (p *process) Kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// Stop asks the process to end, waits for it, and ends it if that takes too long.
func (p *process) Stop() error {
	if p.in != nil {
		_ = p.in.Close()
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-p.ended:
	case <-time.After(StartTime):
		p.Kill()
		return fmt.Errorf("%s did not end within %v", filepath.Base(p.cmd.Path), StartTime)
	}
	var exit *exec.ExitError
	if errors.As(p.err, &exit) && exit.ExitCode() > 0 {
		return fmt.Errorf("%s ended with status %d", filepath.Base(p.cmd.Path), exit.ExitCode())
	}
	return nil
}

// Self is one of this program's own commands, which nobody calls by hand, to be run as a process of its own.
func Self(ctx context.Context, command string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, command)
	cmd.Stderr = os.Stderr
	return cmd, nil
}

// StartBare runs the bare server as a process of its own, until ctx ends.
func StartBare(ctx context.Context) (*Server, error) {
	cmd, err := Self(ctx, "bare")
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, answers := io.Pipe()
	cmd.Stdout = answers
	s := &Server{Name: "bare"}
	if s.process, err = begin(cmd); err != nil {
		return nil, fmt.Errorf("start the bare server: %w", err)
	}
	go func() {
		<-s.ended
		_ = answers.CloseWithError(errors.New("the bare server has ended"))
	}()
	lines := bufio.NewReader(out)
	s.in = in
	s.PID = cmd.Process.Pid
	s.Say = func(line string) error {
		_, err := io.WriteString(in, line+"\n")
		return err
	}
	s.ask = func(line string) (string, error) {
		if err := s.Say(line); err != nil {
			return "", err
		}
		return lines.ReadString('\n')
	}
	if s.Addr, err = lines.ReadString('\n'); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	s.Addr = strings.TrimSpace(s.Addr)
	return s, nil
}

// Greet has the bare server send a text to each session first, and returns when it will.
func (s *Server) Greet(text string) error {
	if err := s.Say("greet " + strconv.Quote(text)); err != nil {
		return err
	}
	_, _, err := s.Gauges() // it obeys one command after another
	return err
}

// Usage is what a process has used so far.
type Usage struct {
	At  time.Time
	CPU time.Duration // in user mode and in the kernel, of all threads
	RSS int64         // bytes of memory that are in use
	Top int64         // the most that ever were
}

// Usage is what the server has used, as a /proc like that of Linux says.
func (s *Server) Usage() (u Usage, err error) {
	u.At = time.Now()
	p, err := procfs.NewProc(s.PID)
	if err != nil {
		return u, fmt.Errorf("what a process uses is read from /proc: %w", err)
	}
	status, err := p.NewStatus()
	if err != nil {
		return u, err
	}
	u.RSS, u.Top = int64(status.VmRSS), int64(status.VmHWM)
	threads, err := procfs.AllThreads(s.PID)
	for _, t := range threads {
		// Nanoseconds, where the kernel counts them. A thread that has just ended is missing; servers in Go
		// keep theirs.
		if ran, err := t.Schedstat(); err == nil {
			u.CPU += time.Duration(ran.RunningNanoseconds)
		}
	}
	if u.CPU == 0 && err == nil { // hundredths of a second
		var stat procfs.ProcStat
		stat, err = p.Stat()
		u.CPU = time.Duration(stat.CPUTime() * float64(time.Second))
	}
	return u, err
}

// Files counts what the server has open, sockets among it: of its data, whose files the store opens when it
// needs them and keeps, and besides.
func (s *Server) Files(data string) (ofData, besides int, err error) {
	p, err := procfs.NewProc(s.PID)
	if err != nil {
		return 0, 0, err
	}
	names, err := p.FileDescriptorTargets()
	for _, name := range names {
		if strings.HasPrefix(name, data) {
			ofData++
		} else if name != "" { // or it has just been closed
			besides++
		}
	}
	return ofData, besides, err
}
