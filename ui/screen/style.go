package screen

import "strconv"

// style is how a cell looks, apart from its text. The zero style is the terminal's own.
type style struct {
	fg, bg ink
	attr   attr
}

// ink is a colour as SGR names it: its kind in the top byte, the number or the
// red, green and blue below. Kinds are kept apart, as terminals may show colour
// 1 of the first sixteen and colour 1 of 256 differently, when bold for one.
type ink uint32

const (
	inkBasic   ink = 1 << 24 // 0–15
	inkIndexed ink = 2 << 24 // 0–255
	inkRGB     ink = 3 << 24
	inkKind    ink = 0xff << 24
)

// attr is a set of attributes; bit n-1 is the one that SGR n puts on.
type attr uint16

const (
	attrBold      attr = 1 << 0
	attrFaint     attr = 1 << 1
	attrUnderline attr = 1 << 3
	attrReverse   attr = 1 << 6
	attrStrike    attr = 1 << 8

	// attrOnBlank are those that are seen where there is no text.
	attrOnBlank = attrUnderline | attrReverse | attrStrike
)

// onBlank returns what of the style is seen on a blank cell.
func (s style) onBlank() style {
	b := style{bg: s.bg, attr: s.attr & attrOnBlank}
	if b.attr != 0 {
		b.fg = s.fg // a line's colour, or the background's; bold may make it brighter
		b.attr |= s.attr & (attrBold | attrFaint)
	}
	return b
}

// apply changes the style as SGR with these parameters does ("1;38;5;12").
// What it does not know it leaves out.
func (s style) apply(params string) style {
	p := sgrParams(params)
	for more := true; more; {
		var n int
		var sub bool
		n, sub, more = p.next()
		switch {
		case n == 0:
			s = style{}
		case n == 4 && sub: // 4:0 is none, 4:1 to 4:5 are kinds of underline
			n, sub, more = p.next()
			s.attr |= attrUnderline
			if n == 0 {
				s.attr &^= attrUnderline
			}
		case n == 6: // fast blinking, which few terminals tell from blinking
			s.attr |= 1 << 4
		case n <= 9:
			s.attr |= 1 << (n - 1)
		case n == 21: // double underline
			s.attr |= attrUnderline
		case n == 22:
			s.attr &^= attrBold | attrFaint
		case n >= 23 && n <= 29 && n != 26:
			s.attr &^= 1 << (n - 21)
		case n >= 30 && n <= 37:
			s.fg = inkBasic | ink(n-30)
		case n == 38:
			s.fg, sub, more = p.ink(s.fg, sub, more)
		case n == 39:
			s.fg = 0
		case n >= 40 && n <= 47:
			s.bg = inkBasic | ink(n-40)
		case n == 48:
			s.bg, sub, more = p.ink(s.bg, sub, more)
		case n == 49:
			s.bg = 0
		case n == 58: // the underline's colour, which is not kept
			_, sub, more = p.ink(0, sub, more)
		case n >= 90 && n <= 97:
			s.fg = inkBasic | ink(n-90+8)
		case n >= 100 && n <= 107:
			s.bg = inkBasic | ink(n-100+8)
		}
		for sub && more { // sub-parameters that were not asked for
			_, sub, more = p.next()
		}
	}
	return s
}

// sgrParams is the rest of a list of parameters.
type sgrParams string

// next takes a parameter off the list; one left out counts as 0. It reports whether a colon follows, which
// makes the next one a part of this, and whether there is a next one.
func (p *sgrParams) next() (n int, sub, more bool) {
	s := string(*p)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ';' || c == ':':
			*p = sgrParams(s[i+1:])
			return n, c == ':', true
		case n < 1<<16:
			n = n*10 + int(c-'0')
		}
	}
	*p = ""
	return n, false, false
}

// ink reads a colour after 38, 48 or 58: 5;N or 2;R;G;B, also with colons and
// then with an optional colour space before R. It returns old if it is neither.
func (p *sgrParams) ink(old ink, sub, more bool) (_ ink, subAfter, moreAfter bool) {
	if !more {
		return old, false, false
	}
	colons := sub
	var kind int
	kind, sub, more = p.next()
	want := 1
	if kind == 2 {
		want = 3
	}
	var v [4]int
	n := 0
	for more && (n < want || colons && sub && n < len(v)) {
		v[n], sub, more = p.next()
		n++
	}
	rgb := v[:3]
	if n == 4 { // R, G and B come after the colour space
		rgb = v[1:]
	}
	switch {
	case kind == 5 && n == 1 && v[0] <= 255:
		return inkIndexed | ink(v[0]), sub, more
	case kind == 2 && n >= 3 && max(rgb[0], rgb[1], rgb[2]) <= 255:
		return inkRGB | ink(rgb[0]<<16|rgb[1]<<8|rgb[2]), sub, more
	}
	return old, sub, more
}

// appendSGR appends the shortest sequence that turns the terminal's style from
// s to t, nothing if they are equal.
func (s style) appendSGR(dst []byte, t style) []byte {
	if s == t {
		return dst
	}
	dst = append(dst, "\x1b["...)
	start := len(dst)
	dst = appendChanges(dst, s, t)
	end := len(dst)
	if s != (style{}) { // starting over may be shorter
		if t != (style{}) {
			dst = append(dst, "0;"...)
			dst = appendChanges(dst, style{}, t)
		}
		if n := len(dst) - end; n <= end-start {
			copy(dst[start:], dst[end:])
			end = start + n
		}
	}
	dst = dst[:end]
	if end > start && dst[end-1] == ';' {
		dst = dst[:end-1]
	}
	return append(dst, 'm')
}

// appendChanges appends SGR parameters, each followed by a semicolon.
func appendChanges(dst []byte, s, t style) []byte {
	off := s.attr &^ t.attr
	on := t.attr &^ s.attr
	if off&(attrBold|attrFaint) != 0 { // 22 takes both away
		dst = append(dst, "22;"...)
		on |= t.attr & (attrBold | attrFaint)
		off &^= attrBold | attrFaint
	}
	for n := 3; off != 0 && n <= 9; n++ {
		if off&(1<<(n-1)) != 0 {
			dst = append(strconv.AppendInt(dst, int64(20+n), 10), ';')
		}
	}
	for n := 1; on != 0 && n <= 9; n++ {
		if on&(1<<(n-1)) != 0 {
			dst = append(dst, byte('0'+n), ';')
		}
	}
	if s.fg != t.fg {
		dst = t.fg.appendParams(dst, 30)
	}
	if s.bg != t.bg {
		dst = t.bg.appendParams(dst, 40)
	}
	return dst
}

// appendParams appends the SGR parameters for a foreground (base 30) or
// background (base 40), each followed by a semicolon.
func (i ink) appendParams(dst []byte, base int) []byte {
	num := func(n int) { dst = append(strconv.AppendInt(dst, int64(n), 10), ';') }
	v := int(i &^ inkKind)
	switch i & inkKind {
	case inkBasic:
		if v >= 8 {
			base, v = base+60, v-8
		}
		num(base + v)
	case inkIndexed:
		num(base + 8)
		num(5)
		num(v)
	case inkRGB:
		num(base + 8)
		num(2)
		num(v >> 16)
		num(v >> 8 & 0xff)
		num(v & 0xff)
	default:
		num(base + 9)
	}
	return dst
}
