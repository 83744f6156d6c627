//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// notifyResize sends a signal to c when the window size changes.
func notifyResize(c chan<- os.Signal) { signal.Notify(c, syscall.SIGWINCH) }
