package main

import "syscall"

// cpuSeconds returns the processor time that the calling thread has used, and whether that is known. The
// garbage collector, which works for the whole program, does not count.
func cpuSeconds() (float64, bool) {
	const rusageThread = 1 // RUSAGE_THREAD, which package syscall lacks
	var u syscall.Rusage
	if err := syscall.Getrusage(rusageThread, &u); err != nil {
		return 0, false
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6, true
}
