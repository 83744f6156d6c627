// Package server runs the processes that are measured, the club and the bare server beside it, and reads what
// they have used: from the system, and from their metrics. It calls nothing but this machine.
package server

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
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

	"boneyard/store/cluster/freeport"
)

// Server is a process that is measured: the club, a node of it, or the bare server.
type Server struct {
	Name    string
	Addr    string
	PID     int
	Metrics string // address of the metrics
	Log     Log

	cmd   *exec.Cmd
	say   io.WriteCloser // to the bare server, which ends when it is closed
	ended chan struct{}  // closed when it has
	err   error          // how it has ended
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

// Command is a command of the club's program, whose settings are these flags alone.
func Command(ctx context.Context, program string, flags ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, flags...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "BONEYARD_") })
	return cmd
}

// StartClub runs the club as a process of its own, with its files in dir and more flags, and kills it when ctx
// ends: whatever waits for it fails then.
func StartClub(ctx context.Context, program, dir string, flags ...string) (*Server, error) {
	return startClub(ctx, program, clubOpen, dir, flags)
}

// startClub runs the club's program. The exhibition is off, since its bots would play between the measurements.
func startClub(ctx context.Context, program, says, dir string, flags []string) (*Server, error) {
	return start("club", says, Command(ctx, program, append([]string{
		"--listen", "127.0.0.1:0", "--data", filepath.Join(dir, ClubData), "--host-keys", filepath.Join(dir, "keys"),
		"--exhibition", "off", "--metrics", "127.0.0.1:0", "--pprof", "--log-format", "json", "--log-level", "info",
	}, flags...)...))
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
	s, err := start("bare", clubOpen, cmd)
	if err == nil {
		s.say = in
	}
	return s, err
}

const nodes = 3

// StartNodes runs a club on three nodes, each a process with files of its own in dir, and more flags. It returns when
// one of them has the club: that is the first. With an error it returns those that run.
func StartNodes(ctx context.Context, program, dir string, flags ...string) (all []*Server, err error) {
	secret := filepath.Join(dir, "cluster.key")
	if err := os.WriteFile(secret, []byte(rand.Text()+rand.Text()), 0o600); err != nil { // letters that base64 has, too
		return nil, err
	}
	var listen, links []string
	for range nodes {
		port, _, err := freeport.Take(2) // for as long as this program runs
		if err != nil {
			return nil, err
		}
		listen, links = append(listen, fmt.Sprint("127.0.0.1:", port)), append(links, fmt.Sprint("127.0.0.1:", port+1))
	}
	opened := make(chan int, nodes)
	for i := range nodes {
		folder := filepath.Join(dir, fmt.Sprint("node", i+1))
		if err := os.Mkdir(folder, 0o700); err != nil {
			return all, err
		}
		s, err := startClub(ctx, program, nodeOpen, folder, append([]string{
			"--listen", listen[i], "--host-keys", filepath.Join(dir, "keys"), "--cluster", "load",
			"--node", fmt.Sprint("n", i+1), "--cluster-listen", links[i],
			"--peers", strings.Join(slices.Delete(slices.Clone(links), i, i+1), ","), "--cluster-key", secret,
		}, flags...))
		if err != nil {
			return all, err
		}
		s.Name, s.Addr = fmt.Sprint("node ", i+1), listen[i]
		all = append(all, s)
		go func() {
			if s.saw(clubOpen) == nil {
				opened <- i
			}
		}()
	}
	select {
	case i := <-opened:
		all[0], all[i] = all[i], all[0]
		return all, nil
	case <-time.After(StartTime):
		return all, errors.New("none of the nodes opens the club")
	}
}

// start runs a server, and returns when it has logged a message.
func start(name, says string, cmd *exec.Cmd) (*Server, error) {
	s := &Server{Name: name, Log: Log{first: make(chan entry, 8)}, cmd: cmd, ended: make(chan struct{})}
	log, err := cmd.StdoutPipe()
	if cmd.Stderr = cmd.Stdout; err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start the %s (see --server): %w", name, err)
	}
	s.PID = cmd.Process.Pid
	go func() {
		s.Log.follow(log)
		s.err = cmd.Wait()
		close(s.ended)
	}()
	defer time.AfterFunc(StartTime, func() { _ = cmd.Process.Kill() }).Stop()
	if err := s.saw(says); err != nil {
		_ = s.Stop() // which would only say the status once more
		return nil, err
	}
	return s, nil
}

// saw follows the log up to a message, and takes the address of the server and of its metrics from it.
func (s *Server) saw(message string) error {
	for e := range s.Log.first {
		if e.Msg == "metrics" {
			s.Metrics = e.Addr
		}
		if e.Msg == message {
			s.Addr = cmp.Or(s.Addr, e.Addr)
			return nil
		}
	}
	return fmt.Errorf("the %s did not open: %s", s.Name, strings.TrimSpace(string(s.Log.end)))
}

// Log is what is kept of a server's log, whose lines are JSON.
type Log struct {
	mu      sync.Mutex
	end     []byte     // the last lines; read when the log has ended
	errors  []string   // the first lines that are errors
	written int64      // bytes
	first   chan entry // of its messages that are to be looked at, as many as fit; closed when the log ends
}

// entry is a line of the log.
type entry struct{ Level, Msg, Addr string }

// The bounds of what is kept of a log.
const (
	endKept    = 4 << 10
	errorsKept = 20
)

// follow reads the log to its end.
func (l *Log) follow(log io.Reader) {
	defer close(l.first)
	for lines := bufio.NewReader(log); ; {
		line, err := lines.ReadBytes('\n')
		l.took(line)
		if err != nil {
			return
		}
	}
}

func (l *Log) took(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.written += int64(len(line))
	l.end = append(l.end, line...)
	l.end = l.end[max(0, len(l.end)-endKept):]
	var e entry
	if json.Unmarshal(line, &e) != nil {
		return
	}
	if strings.EqualFold(e.Level, "error") && len(l.errors) < errorsKept {
		l.errors = append(l.errors, strings.TrimSpace(string(line)))
	}
	if slices.Contains([]string{clubOpen, nodeOpen, "metrics"}, e.Msg) {
		select {
		case l.first <- e:
		default: // nobody follows the log any more
		}
	}
}

// Errors are the first errors in the log, and how many bytes it has in all.
func (l *Log) Errors() (first []string, written int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.errors), l.written
}

// Say has the bare server greet each session with a text, the first time, and later send one to all sessions.
func (s *Server) Say(text string) error {
	_, err := io.WriteString(s.say, strconv.Quote(text)+"\n")
	return err
}

// Ended returns an error that says how a server has ended which nobody has stopped; nil if it runs.
func (s *Server) Ended() error {
	select {
	case <-s.ended:
		return fmt.Errorf("%s has ended by itself: %w; the end of its log:\n%s", s.Name, cmp.Or(s.err, errors.New("status 0")), s.Log.end)
	default:
		return nil
	}
}

// Kill ends the process at once.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	<-s.ended
}

// Stop asks the process to end, waits for it, and ends it if that takes too long.
func (s *Server) Stop() error {
	if s.say != nil {
		_ = s.say.Close()
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-s.ended:
	case <-time.After(StartTime):
		s.Kill()
		return fmt.Errorf("%s did not end within %v", s.Name, StartTime)
	}
	if exit, ok := errors.AsType[*exec.ExitError](s.err); ok && exit.ExitCode() > 0 {
		return fmt.Errorf("%s ended with status %d", s.Name, exit.ExitCode())
	}
	return nil
}

// Usage is what a process has used so far.
type Usage struct {
	CPU time.Duration // in user mode and in the kernel, of all threads
	RSS int64         // bytes of memory that are in use
	Top int64         // the most that ever were
}

// Usage is what the server has used, as a /proc like that of Linux says.
func (s *Server) Usage() (u Usage, err error) {
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

// Files counts what the server has open, sockets among it, apart from files in the folder of its data, which the store
// opens when it needs them, and keeps.
func (s *Server) Files(data string) (n int, err error) {
	p, err := procfs.NewProc(s.PID)
	if err != nil {
		return 0, err
	}
	names, err := p.FileDescriptorTargets()
	for _, name := range names {
		if name != "" && !strings.HasPrefix(name, data) { // without a name it has just been closed
			n++
		}
	}
	return n, err
}
