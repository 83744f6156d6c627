package theme

import (
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Detect tells what colours a session's terminal can show, from the terminal
// name of its pty request and the variables that the client sent ("NAME=value").
// It reads nothing of the server's own environment and asks no terminal.
//
// NO_COLOR with any value but the empty one leaves attributes and takes
// colours (https://no-color.org). An empty name or "dumb" is no terminal.
// COLORTERM of truecolor or 24bit, and terminals known for it, mean true
// colour; names ending in 256color mean 256; all others sixteen.
func Detect(term string, env []string) colorprofile.Profile {
	// Only these three are handed on: clients may send any variables, and some
	// of the rest are about the machine a program runs on.
	seen := []string{"TERM=" + term}
	noColor := false
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		switch name {
		case "NO_COLOR":
			noColor = value != ""
		case "COLORTERM":
			seen = append(seen, e)
		}
	}
	// vt100 and vt220 have no colours; colorprofile grants everyone sixteen.
	mono := strings.HasPrefix(term, "vt1") || strings.HasPrefix(term, "vt2") || strings.HasSuffix(term, "-m") || strings.HasSuffix(term, "-mono")
	p := colorprofile.Env(seen)
	if (noColor || mono) && p > colorprofile.ASCII {
		p = colorprofile.ASCII
	}
	return p
}
