//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyResize has c told when the size of the window changes.
func notifyResize(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH) }
