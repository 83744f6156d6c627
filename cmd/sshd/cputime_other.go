//go:build !unix

package main

// cpuSeconds is the processor time that this process has used so far, and whether the system tells it.
func cpuSeconds() (float64, bool) { return 0, false }
