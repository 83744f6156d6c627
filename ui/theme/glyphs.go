package theme

// Glyphs are the characters that pages draw with. A page's own text has none of them, so that an ASCII
// terminal gets only ASCII. Each is one cell wide, except the ASCII Ellipsis, which is three.
type Glyphs struct {
	// Lines of boxes. The tees are named by the side at which they join a box's edge.
	Horizontal, Vertical                       string
	TopLeft, TopRight, BottomLeft, BottomRight string
	TeeLeft, TeeTop                            string
	// Arrows.
	Left, Right, Up, Down string
	// Pip is a dot on a tile's face. Back fills a tile that lies face down.
	Pip, Back string
	// Cursor precedes the chosen row or tile. Last marks the tile played last.
	Cursor, Last string
	// Bullet starts an item, Dot joins terms and parts, Dash stands for no value, Times multiplies, Ellipsis
	// ends cut text.
	Bullet, Dot, Dash, Times, Ellipsis string
	// Check and Cross are yes and no; On is present.
	Check, Cross, On string
	// Shield follows the name of the holder of the season's shield.
	Shield string
	// Full and Empty are the two parts of a bar; Bar is the full part of a thin one, on Horizontal.
	Full, Empty, Bar string
	// Spark are the eight levels of a sparkline, lowest first.
	Spark [8]string
}

var unicodeGlyphs = Glyphs{
	Horizontal: "─", Vertical: "│",
	TopLeft: "┌", TopRight: "┐", BottomLeft: "└", BottomRight: "┘",
	TeeLeft: "├", TeeTop: "┬",
	Left: "←", Right: "→", Up: "↑", Down: "↓",
	Pip: "●", Back: "░",
	Cursor: "▸", Last: "◆",
	Bullet: "•", Dot: "·", Dash: "–", Times: "×", Ellipsis: "…",
	Check: "✓", Cross: "✗", On: "●", Shield: "◆",
	Full: "█", Empty: "░", Bar: "━",
	Spark: [8]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
}

var asciiGlyphs = Glyphs{
	Horizontal: "-", Vertical: "|",
	TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+",
	TeeLeft: "+", TeeTop: "+",
	Left: "<", Right: ">", Up: "^", Down: "v",
	Pip: "o", Back: "#",
	Cursor: ">", Last: "*",
	Bullet: "*", Dot: ".", Dash: "-", Times: "x", Ellipsis: "...",
	Check: "y", Cross: "x", On: "@", Shield: "*",
	Full: "#", Empty: ".", Bar: "=",
	Spark: [8]string{"_", ".", "-", "=", "+", "*", "%", "#"},
}
