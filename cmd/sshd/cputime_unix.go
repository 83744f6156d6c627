//go:build unix

package main

import "syscall"

// cpuSeconds is the processor time that this process has used so far, and whether the system tells it.
func cpuSeconds() (float64, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, false
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6, true
}
