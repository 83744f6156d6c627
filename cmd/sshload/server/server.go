// Package server runs the processes that are measured, the club and a bare server, and reads their usage. It
// connects to this machine only.
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
	Name, Addr string
	PID        int
	Metrics    string // address of the metrics
	Log        Log

	cmd   *exec.Cmd
	say   io.WriteCloser // to the bare server, which ends when it is closed
	ended chan struct{}  // closed when the process has ended
	err   error          // of the process, once it has ended
}

const (
	ClubData  = "club.db"        // the file with the club's data, in the folder of a run
	StartTime = 10 * time.Minute // how long a server may take to start or to end: enough for big files on busy machines

	clubOpen = "the club is open"            // in the log of a server that is ready
	nodeOpen = "this is a node of a cluster" // in that of a node, which may never open the club

	endKept, errorsKept = 4 << 10, 20 // bytes and errors of a log that are kept
)

// Loopback refuses all addresses but this machine's.
func Loopback(addr string) error {
	if at, err := netip.ParseAddrPort(addr); err != nil || !at.Addr().IsLoopback() {
		return fmt.Errorf("%q is not on this machine: a load is only ever sent to a loopback address such as 127.0.0.1:2222", addr)
	}
	return nil
}

// Command is a command of the club's program, with no settings but these flags.
func Command(ctx context.Context, program string, flags ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, flags...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "BONEYARD_") })
	return cmd
}

// StartClub starts the club, or a node of it, with its files in dir and more flags, and kills it when ctx
// ends. The exhibition is off, since its bots would play between the measurements.
func StartClub(ctx context.Context, program, dir string, flags ...string) (*Server, error) {
	return start("club", Command(ctx, program, append([]string{
		"--listen", "127.0.0.1:0", "--data", filepath.Join(dir, ClubData), "--host-keys", filepath.Join(dir, "keys"),
		"--exhibition", "off", "--metrics", "127.0.0.1:0", "--pprof", "--log-format", "json", "--log-level", "info",
	}, flags...)...))
}

// Self is a hidden command of this program, to be run as a process of its own.
func Self(ctx context.Context, command string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, command)
	cmd.Stderr = os.Stderr
	return cmd, nil
}

// StartBare starts the bare server, and kills it when ctx ends.
func StartBare(ctx context.Context) (*Server, error) {
	cmd, err := Self(ctx, "bare")
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	s, err := start("bare", cmd)
	if err == nil {
		s.say = in
	}
	return s, err
}

// StartNodes starts three nodes of a club, each with its own files in dir, and more flags. The first that it
// returns runs the club. With an error it returns the nodes that have started.
func StartNodes(ctx context.Context, program, dir string, flags ...string) (all []*Server, err error) {
	secret := filepath.Join(dir, "cluster.key")
	if err := os.WriteFile(secret, []byte(rand.Text()+rand.Text()), 0o600); err != nil { // letters that base64 has, too
		return nil, err
	}
	const nodes = 3
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
		s, err := StartClub(ctx, program, folder, append([]string{
			"--listen", listen[i], "--host-keys", filepath.Join(dir, "keys"), "--cluster", "load",
			"--node", fmt.Sprint("n", i+1), "--cluster-listen", links[i],
			"--peers", strings.Join(slices.Delete(slices.Clone(links), i, i+1), ","), "--cluster-key", secret,
		}, flags...)...)
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

// start starts a server, and returns when it is ready.
func start(name string, cmd *exec.Cmd) (*Server, error) {
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
	if err := s.saw(clubOpen, nodeOpen); err != nil {
		_ = s.Stop() // its error is only the exit status
		return nil, err
	}
	return s, nil
}

// saw reads the log up to one of the messages, and takes the addresses of the server and its metrics from it.
func (s *Server) saw(messages ...string) error {
	for e := range s.Log.first {
		if e.Msg == "metrics" {
			s.Metrics = e.Addr
		}
		if slices.Contains(messages, e.Msg) {
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
	first   chan entry // the messages that saw reads, as many as fit; closed when the log ends
}

// entry is a line of the log.
type entry struct{ Level, Msg, Addr string }

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

// Errors returns the first errors in the log, and the size of the whole log in bytes.
func (l *Log) Errors() (first []string, written int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.errors), l.written
}

// Say gives the bare server its greeting the first time, and later a text that it sends to all sessions.
func (s *Server) Say(text string) error {
	_, err := io.WriteString(s.say, strconv.Quote(text)+"\n")
	return err
}

// Ended returns an error that says how the server has ended by itself, or nil if it is running.
func (s *Server) Ended() error {
	select {
	case <-s.ended:
		return fmt.Errorf("%s has ended by itself: %w; the end of its log:\n%s", s.Name, cmp.Or(s.err, errors.New("status 0")), s.Log.end)
	default:
		return nil
	}
}

// Kill kills the process.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	<-s.ended
}

// Stop asks the process to end, waits for it, and kills it if that takes too long.
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
	if code := s.cmd.ProcessState.ExitCode(); code > 0 {
		return fmt.Errorf("%s ended with status %d", s.Name, code)
	}
	return nil
}

// Usage is what a process has used so far.
type Usage struct {
	CPU time.Duration // of all threads, in user mode and in the kernel
	RSS int64         // bytes of resident memory
	Top int64         // their peak
}

// Usage reads the server's usage from /proc.
func (s *Server) Usage() (u Usage, err error) {
	p, err := procfs.NewProc(s.PID)
	if err != nil {
		return u, fmt.Errorf("the usage of a process is read from /proc: %w", err)
	}
	status, err := p.NewStatus()
	if err != nil {
		return u, err
	}
	u.RSS, u.Top = int64(status.VmRSS), int64(status.VmHWM)
	threads, err := procfs.AllThreads(s.PID)
	for _, t := range threads {
		// In nanoseconds, if the kernel counts them, without threads that have ended; Go keeps its own.
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

// Files counts the files and sockets that the server has open outside the folder of its data, where the store
// opens files when it needs them, and keeps them open.
func (s *Server) Files(data string) (n int, err error) {
	p, err := procfs.NewProc(s.PID)
	if err != nil {
		return 0, err
	}
	names, err := p.FileDescriptorTargets()
	for _, name := range names {
		if name != "" && !strings.HasPrefix(name, data) { // a file that has just been closed has no name
			n++
		}
	}
	return n, err
}
