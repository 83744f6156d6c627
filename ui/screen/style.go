package screen

import "strings"

// style is the look of a cell apart from its text: the SGR parameters since the terminal's own style, as
// written ("1;38;5;12"). They are not interpreted: styles that look the same but are written differently
// count as different, which costs a few bytes. The zero style is the terminal's own.
type style string

// apply returns the style after SGR with these parameters.
func (s style) apply(params string) style {
	params, reset := strings.CutPrefix(params, "0;")
	switch {
	case params == "" || params == "0":
		return ""
	case reset || s == "":
		return style(params)
	}
	return s + ";" + style(params)
}

// onBlank returns the part of the style that is visible on a blank cell: none of bold, faint and the text's
// colour, but all of them together with anything else, since lines have the text's colour, and reverse makes
// it the background's.
func (s style) onBlank() style {
	for rest := string(s); rest != ""; {
		var p string
		p, rest, _ = strings.Cut(rest, ";")
		switch {
		case p == "1" || p == "2" || len(p) == 2 && (p[0] == '3' || p[0] == '9') && p != "38":
		case p == "38" && strings.HasPrefix(rest, "5;"):
			rest = after(rest, 2)
		case p == "38" && strings.HasPrefix(rest, "2;"):
			rest = after(rest, 4)
		default:
			return s
		}
	}
	return ""
}

// after returns the parameters after the first n.
func after(params string, n int) string {
	for range n {
		_, params, _ = strings.Cut(params, ";")
	}
	return params
}

// appendSGR appends the sequence that changes the terminal's style from s to t; nothing if they are equal.
func (s style) appendSGR(dst []byte, t style) []byte {
	if s == t {
		return dst
	}
	dst = append(dst, "\x1b["...)
	if s != "" && t != "" {
		dst = append(dst, "0;"...)
	}
	return append(append(dst, t...), 'm')
}
