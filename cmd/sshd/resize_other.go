//go:build !unix

package main

import "os"

// notifyResize does nothing: this system has no signal for a new window size.
func notifyResize(chan<- os.Signal) {}
