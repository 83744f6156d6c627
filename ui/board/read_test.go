package board_test

import (
	"regexp"
	"slices"
	"strings"

	"boneyard/rules"
)

// seen is a tile found in a picture.
type seen struct {
	a, b       rules.Pip // left or upper half first
	x, y, w, h int
}

func (s seen) tile() rules.Tile { return rules.NewTile(s.a, s.b) }

// The tiles of a hand in all sizes in ASCII: a and b are the digits of the halves, D is a divider or the mark
// of the last tile.
var shapes = [][]string{
	{"[aDb]"},
	{"+a+", "|D|", "+b+"},
	{"+-------+", "|aaaDbbb|", "+-------+"},
	{"+---+", "|aaa|", "|-D-|", "|bbb|", "+---+"},
	{"+---------------+", "|aaaaaaa:bbbbbbb|", "|aaaaaaaDbbbbbbb|", "|aaaaaaa:bbbbbbb|", "+---------------+"},
	{"+-------+", "|aaaaaaa|", "|aaaaaaa|", "|aaaaaaa|", "|---D---|", "|bbbbbbb|", "|bbbbbbb|", "|bbbbbbb|", "+-------+"},
}

// read finds the tiles in a picture drawn in ASCII without colours, and the words beside them.
func read(lines []string) (tiles []seen, words map[string][2]int) {
	grid := make([][]byte, len(lines))
	for y := range lines {
		grid[y] = []byte(lines[y])
	}
	at := func(x, y int) byte {
		if y < len(grid) && x < len(grid[y]) {
			return grid[y][x]
		}
		return ' '
	}
	try := func(shape []string, x, y int) {
		s := seen{x: x, y: y, w: len(shape[0]), h: len(shape)}
		var found [2][]byte
		for dy, row := range shape {
			for dx := range len(row) {
				got := at(x+dx, y+dy)
				switch row[dx] {
				case 'a', 'b':
					if got != ' ' {
						found[row[dx]-'a'] = append(found[row[dx]-'a'], got)
					}
				case 'D':
					if !strings.ContainsRune("|:-*", rune(got)) {
						return
					}
				default:
					if got != row[dx] {
						return
					}
				}
			}
		}
		for i, digits := range found {
			if len(digits) == 0 || digits[0] < '0' || digits[0] > '6' || strings.Trim(string(digits), string(digits[:1])) != "" {
				return
			}
			p := rules.Pip(digits[0] - '0')
			if n := len(digits); n != 1 && n != int(p) {
				return
			}
			if i == 0 {
				s.a = p
			} else {
				s.b = p
			}
		}
		for dy := range s.h {
			for dx := range s.w {
				grid[y+dy][x+dx] = ' '
			}
		}
		tiles = append(tiles, s)
	}
	// The largest shapes first: a part of one of them may look like a smaller one.
	for _, shape := range slices.Backward(shapes) {
		for y := range grid {
			for x := range grid[y] {
				if strings.IndexByte("[+", grid[y][x]) < 0 {
					continue
				}
				try(shape, x, y)
			}
		}
	}
	words = map[string][2]int{}
	word := regexp.MustCompile(`\S+`)
	for y, row := range grid {
		for _, m := range word.FindAllIndex(row, -1) {
			words[string(row[m[0]:m[1]])] = [2]int{m[0], y}
		}
	}
	return tiles, words
}
