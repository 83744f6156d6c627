//go:build unix

package main

import "golang.org/x/sys/unix"

// mostFiles returns how many files the process may have open, or 0 if unknown.
func mostFiles() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return int(min(uint64(limit.Cur), 1<<20))
}
