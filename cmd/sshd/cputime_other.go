//go:build !linux

package main

// cpuSeconds returns the processor time that the calling thread has used, and whether that is known.
func cpuSeconds() (float64, bool) { return 0, false }
