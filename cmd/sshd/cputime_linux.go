package main

import "syscall"

// rusageThread is RUSAGE_THREAD, which package syscall lacks.
const rusageThread = 1

// cpuSeconds is the processor time that the caller's thread has used so far, and whether the system tells it. The garbage
// collector, which works for the whole program, is not in it.
func cpuSeconds() (float64, bool) {
	var u syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &u); err != nil {
		return 0, false
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6, true
}
