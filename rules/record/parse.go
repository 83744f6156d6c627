package record

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"boneyard/rules"
)

const (
	// maxWords is more than in the longest line with a fixed form, a stock of all tiles.
	maxWords = 2 + rules.SetSize
	// maxDigits keeps every number of a record within 32 bits.
	maxDigits = 9
	// maxName is the longest name of a seat, in bytes.
	maxName = 32
)

const blanks = " \t"

// ParseLine parses one line, without its LF. It returns nil for a blank line or a comment. The error is an
// [*Error] without a line number.
func ParseLine(text string) (Line, error) {
	if err := checkText(text); err != nil {
		return nil, err
	}
	body, _, _ := strings.Cut(text, "#")
	body = strings.Trim(body, blanks)
	if body == "" {
		return nil, nil
	}
	if key, rest := cutWord(body); key == "tag" {
		key, rest = cutWord(rest)
		if key == "" {
			return nil, fault(show(body), "a tag with a key and a text")
		}
		return Tag{Key: key, Text: rest}, nil
	} else if key == "rules" {
		r, err := rules.Parse(rest)
		if err != nil {
			return nil, fault(show(body), "rules that can be played: "+err.Error())
		}
		return Rules{r}, nil
	}
	var words [maxWords]string
	n, rest := 0, body
	for ; rest != ""; n++ {
		if n == maxWords {
			return nil, fault(show(body), "a line of this record, not one of more than "+number(maxWords)+" words")
		}
		words[n], rest = cutWord(rest)
	}
	l, err := parseWords(words[:n])
	if err != nil {
		return nil, fault(show(body), err.Error())
	}
	return l, nil
}

// checkText rejects what no line may contain, comments included.
func checkText(s string) error {
	for i, c := range s {
		switch {
		case c == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(s[i:]); size <= 1 {
				return fault(fmt.Sprintf("the byte %#02x as character %d", s[i], utf8.RuneCountInString(s[:i])+1), "UTF-8")
			}
		case c == '\r':
			return fault("a carriage return", "lines that end in a line feed alone")
		case unicode.IsControl(c) && c != '\t':
			return fault(fmt.Sprintf("the control character %U", c), "text")
		}
	}
	return nil
}

// cutWord splits off the first word; s must not begin with a blank.
func cutWord(s string) (word, rest string) {
	i := strings.IndexAny(s, blanks)
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimLeft(s[i:], blanks)
}

// form is the form of the lines that begin with a word, for errors.
var form = map[string]string{
	"domino":  "domino 1",
	"seat":    "seat N NAME, with a name of 1 to 32 letters, digits, _ . : -",
	"seed":    "seed and 64 lower-case hex digits",
	"round":   "round N",
	"deal":    "deal SEAT and tiles",
	"stock":   "stock and tiles",
	"lead":    "lead SEAT",
	"options": "options N",
	"end":     "end domino SEAT left and weights, or end blocked left and weights",
	"score":   "score and totals",
	"won":     "won SIDE",
}

var (
	errMove = errors.New("a line of a record, or a move: SEAT TILE ARM = COUNT +POINTS, SEAT draw TILE, SEAT pass")
	errForm = errors.New("not of this form")
)

// parseWords parses a line of at least one word; its error is what was expected.
func parseWords(w []string) (Line, error) {
	want, known := form[w[0]]
	if !known {
		return parseMove(w)
	}
	l, err := parseForm(w[0], w[1:])
	if errors.Is(err, errForm) {
		return nil, errors.New(want)
	}
	return l, err
}

func parseForm(key string, args []string) (Line, error) {
	switch key {
	case "stock":
		tiles, err := parseTiles(args)
		return Stock{tiles}, err
	case "score":
		totals, err := parsePoints(args)
		return Score{totals}, err
	}
	if len(args) == 0 {
		return nil, errForm
	}
	switch key {
	case "end":
		return parseEnd(args)
	case "seed":
		seed, err := rules.ParseSeed(args[0])
		if err != nil || len(args) > 1 {
			return nil, errForm
		}
		return Seed{seed}, nil
	case "seat":
		n, err := parseSeat(args[0])
		if err != nil {
			return nil, err
		}
		if len(args) != 2 || !validName(args[1]) {
			return nil, errForm
		}
		return Seat{n, args[1]}, nil
	case "deal":
		n, err := parseSeat(args[0])
		if err != nil {
			return nil, err
		}
		tiles, err := parseTiles(args[1:])
		return Deal{n, rules.NewHand(tiles...)}, err
	}
	if len(args) > 1 {
		return nil, errForm
	}
	n, err := parseNumber(args[0])
	if err != nil {
		return nil, err
	}
	switch key {
	case "domino":
		return Version{n}, nil
	case "round":
		return Round{n}, nil
	case "options":
		return Options{n}, nil
	}
	if key == "won" {
		if n > rules.MaxSeats {
			return nil, fmt.Errorf("a side from 1 to %d, or 0 where the highest score is shared, in place of %s", rules.MaxSeats, show(args[0]))
		}
		return Won{rules.Side(n)}, nil
	}
	s, err := parseSeat(args[0])
	return Lead{s}, err
}

func parseEnd(args []string) (Line, error) {
	var l End
	switch args[0] {
	case "blocked":
		l.How, args = rules.Blocked, args[1:]
	case "domino":
		if len(args) < 2 {
			return nil, errForm
		}
		var err error
		if l.Seat, err = parseSeat(args[1]); err != nil {
			return nil, err
		}
		l.How, args = rules.Domino, args[2:]
	default:
		return nil, errForm
	}
	if len(args) == 0 || args[0] != "left" {
		return nil, errForm
	}
	var err error
	l.Left, err = parsePoints(args[1:])
	return l, err
}

// parseMove parses a play, a draw or a pass.
func parseMove(w []string) (Line, error) {
	if c := w[0][0]; c < '0' || c > '9' || len(w) < 2 {
		return nil, errMove
	}
	seat, err := parseSeat(w[0])
	if err != nil {
		return nil, err
	}
	switch w = w[1:]; w[0] {
	case "pass":
		if len(w) > 1 {
			return nil, errMove
		}
		return Pass{seat}, nil
	case "draw":
		if len(w) != 2 {
			return nil, errMove
		}
		t, _, _, err := parseTile(w[1])
		return Draw{seat, t}, err
	}
	l := Play{Seat: seat, Arm: rules.NoArm}
	if _, l.A, l.B, err = parseTile(w[0]); err != nil {
		return nil, err
	}
	if w = w[1:]; len(w) > 0 && w[0] != "=" {
		if l.Arm, err = rules.ParseArm(w[0]); err != nil {
			return nil, fmt.Errorf("an arm in place of %s", show(w[0]))
		}
		w = w[1:]
	}
	if len(w) == 0 {
		return l, nil
	}
	if w[0] != "=" || len(w) < 2 || len(w) > 3 {
		return nil, errMove
	}
	l.Counted = true
	n, err := parseNumber(w[1])
	if err != nil {
		return nil, err
	}
	l.Count = rules.Points(n)
	if len(w) == 3 {
		digits, ok := strings.CutPrefix(w[2], "+")
		if n, err = parseNumber(digits); !ok || err != nil || n == 0 {
			return nil, errors.New("points as +N, where the play scores")
		}
		l.Points = rules.Points(n)
	}
	return l, nil
}

// parseTiles parses tiles, each at most once.
func parseTiles(words []string) ([]rules.Tile, error) {
	tiles := make([]rules.Tile, 0, len(words))
	var seen rules.Hand
	for _, w := range words {
		t, _, _, err := parseTile(w)
		switch {
		case err != nil:
			return nil, err
		case seen.Has(t):
			return nil, fmt.Errorf("every tile once, but %s stands here twice", t)
		}
		seen = seen.With(t)
		tiles = append(tiles, t)
	}
	return tiles, nil
}

func parseTile(s string) (t rules.Tile, a, b rules.Pip, err error) {
	if t, a, b, err = rules.ParseTile(s); err != nil {
		err = fmt.Errorf("a tile in place of %s", show(s))
	}
	return t, a, b, err
}

// parseSeat parses the number of a seat or a side.
func parseSeat(s string) (rules.Seat, error) {
	if len(s) != 1 || s[0] < '1' || s[0] > '0'+rules.MaxSeats {
		return 0, fmt.Errorf("a number from 1 to %d in place of %s", rules.MaxSeats, show(s))
	}
	return rules.Seat(s[0] - '0'), nil
}

// parseNumber parses a whole number, 0 or more, without leading zeros.
func parseNumber(s string) (int, error) {
	if s == "" || len(s) > maxDigits || s[0] == '0' && len(s) > 1 {
		return 0, fmt.Errorf("a whole number of 1 to %d digits without leading zeros in place of %s", maxDigits, show(s))
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, fmt.Errorf("a whole number in place of %s", show(s))
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, nil
}

// parsePoints parses 2 to 4 numbers, which may be negative.
func parsePoints(words []string) ([]rules.Points, error) {
	if len(words) < 2 || len(words) > rules.MaxSeats {
		return nil, errForm
	}
	all := make([]rules.Points, len(words))
	for i, w := range words {
		digits, negative := strings.CutPrefix(w, "-")
		n, err := parseNumber(digits)
		if err != nil || negative && n == 0 {
			return nil, fmt.Errorf("a whole number without leading zeros in place of %s", show(w))
		}
		if all[i] = rules.Points(n); negative {
			all[i] = -all[i]
		}
	}
	return all, nil
}

func validName(s string) bool {
	if s == "" || len(s) > maxName {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("_.:-", c) >= 0:
		default:
			return false
		}
	}
	return true
}
