package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the program a command of test scripts: "exec sshd" runs main in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sshd": main})
}
