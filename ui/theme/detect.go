package theme

import (
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Detect returns the colours that a session's terminal can show, from the terminal name of its pty request
// and the variables that the client sent ("NAME=value"). It does not read the server's own environment or
// query the terminal.
//
// NO_COLOR with a non-empty value removes colours and keeps attributes (https://no-color.org). An empty name
// or "dumb" is no terminal. COLORTERM of truecolor or 24bit, and terminals known for it, mean true colour;
// tmux, and names ending in 256color, mean 256; all others sixteen. For GNU screen only the end of its name
// counts: it has no true colour, whatever it runs in, and maps 256 colours to sixteen badly when it has to.
func Detect(term string, env []string) colorprofile.Profile {
	// Only these three are passed on: clients may send any variables, and some of the others describe the
	// machine a program runs on.
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
	most := colorprofile.TrueColor
	switch {
	case noColor || mono(term):
		most = colorprofile.ASCII
	case strings.HasPrefix(term, "screen") && strings.HasSuffix(term, "256color"):
		most = colorprofile.ANSI256
	case strings.HasPrefix(term, "screen"):
		most = colorprofile.ANSI
	}
	return min(colorprofile.Env(seen), most)
}

// mono reports whether a terminal of that name has no colours. colorprofile assumes sixteen for every
// terminal. Of DEC's terminals only the VT525 has them.
func mono(term string) bool {
	for _, vt := range []string{"vt1", "vt2", "vt3", "vt4", "vt510", "vt520"} {
		if strings.HasPrefix(term, vt) {
			return true
		}
	}
	return strings.HasSuffix(term, "-m") || strings.HasSuffix(term, "-mono")
}
