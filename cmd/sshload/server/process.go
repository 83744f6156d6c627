package server

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Usage is what a process has used so far.
type Usage struct {
	At  time.Time
	CPU time.Duration // in user mode and in the kernel, of all threads
	RSS int64         // bytes of memory that are in use
	Top int64         // the most that ever were
}

// errNoFigures is returned where the system does not tell what a process uses.
var errNoFigures = errors.New("this system does not tell what a process uses (there is no /proc)")

// usageOf asks the system, which must have a /proc as Linux has.
func usageOf(pid int) (Usage, error) {
	u := Usage{At: time.Now()}
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	status, err := os.Open(filepath.Join(dir, "status"))
	if err != nil {
		if _, none := os.Stat("/proc/self/status"); none != nil {
			return u, errNoFigures
		}
		return u, fmt.Errorf("look at process %d: %w", pid, err)
	}
	defer func() { _ = status.Close() }()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		name, rest, _ := strings.Cut(lines.Text(), ":")
		kb, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64)
		switch name {
		case "VmRSS":
			u.RSS = kb << 10
		case "VmHWM":
			u.Top = kb << 10
		}
	}
	if u.CPU, err = exactCPU(dir); err != nil {
		u.CPU, err = ticksCPU(dir)
	}
	return u, err
}

// exactCPU adds up the nanoseconds of all threads, where the kernel counts them.
func exactCPU(dir string) (time.Duration, error) {
	files, err := filepath.Glob(filepath.Join(dir, "task", "*", "schedstat"))
	if err != nil || len(files) == 0 {
		return 0, errNoFigures
	}
	var sum time.Duration
	for _, f := range files {
		b, err := os.ReadFile(f)
		if errors.Is(err, os.ErrNotExist) {
			continue // the thread has just ended; servers in Go keep theirs
		}
		if err != nil {
			return 0, err
		}
		first, _, _ := strings.Cut(string(b), " ")
		ns, err := strconv.ParseInt(first, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", f, err)
		}
		sum += time.Duration(ns)
	}
	return sum, nil
}

// userHZ is what /proc/PID/stat counts in: hundredths of a second on every Linux.
const userHZ = 100

// ticksCPU is utime and stime.
func ticksCPU(dir string) (time.Duration, error) {
	b, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return 0, err
	}
	// The name of the program, in brackets, may hold anything.
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(fields) < 13 {
		return 0, errors.New("/proc/PID/stat is not as known")
	}
	var ticks int64
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / userHZ, nil
}

// OpenFiles are the names of what a process has open, of files and of sockets, as the system tells them.
func OpenFiles(pid int) ([]string, error) {
	dir := filepath.Join("/proc", strconv.Itoa(pid), "fd")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("look at process %d: %w", pid, err)
	}
	var names []string
	for _, e := range entries {
		if name, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil { // or it has just been closed
			names = append(names, name)
		}
	}
	return names, nil
}
