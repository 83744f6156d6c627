package board

// strategy is what arms prefer.
type strategy struct {
	line   [2]dir // where L and R turn first: up or down
	branch [2]dir // where U and D turn first: left or right
	tight  bool   // U and D turn at once, to save rows
	beside bool   // turn beside the last tile rather than beyond it
	pinned bool   // the lead stays in the middle
}

// strategies are tried in this order. In the first, each arm has a quarter of the room, and nothing ever
// moves; the others find room for more tiles. More of them would help so seldom that a smaller size is
// calmer.
var strategies = [...]strategy{
	{line: [2]dir{north, south}, branch: [2]dir{east, west}, pinned: true},
	{line: [2]dir{south, north}, branch: [2]dir{west, east}, tight: true, beside: true},
	{line: [2]dir{north, south}, branch: [2]dir{east, west}, tight: true},
	{line: [2]dir{south, south}, branch: [2]dir{east, east}},
}
