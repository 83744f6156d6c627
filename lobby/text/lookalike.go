package text

import "strings"

// Lookalike is the skeleton of a name that could be mistaken for another one, although their skeletons
// differ.
type Lookalike struct {
	Skeleton string
	// Needs is what one of the two names must contain, as typed; it may be empty.
	Needs string
}

// alike are pairs of strings in skeletons that look much the same. Unlike those of looksLike they do not
// chain: q looks like g and like o, but g not like o. So two people may have names that both exclude a third.
var alike = []struct {
	a, b  string
	needs string // must be typed in one of the two for the pair to look alike
	mid   bool   // not at the end: nick and mck look alike, but toni and tom don't
	digit bool   // a is a digit: the name with the letter does not look like the one with the digit
}{
	{a: "cl", b: "d"}, {a: "q", b: "g"}, {a: "q", b: "o"}, {a: "nl", b: "rn", mid: true}, {a: "tl", b: "ll", needs: "11"},
	{a: "3", b: "e", digit: true}, {a: "4", b: "a", digit: true}, {a: "6", b: "b", digit: true},
	{a: "7", b: "t", digit: true}, {a: "9", b: "g", digit: true},
}

// Lookalikes returns the skeletons for which a name, title or tag could be mistaken, most similar first: a
// few.
func Lookalikes(s string) (all []Lookalike) {
	const mostLookalikes = 48 // limits how many names are compared with one
	skeleton := Skeleton(s)
	seen := map[string]bool{skeleton: true}
	// replace appends what results from exactly so many replacements in the rest of a skeleton.
	var replace func(done, rest, needs string, times int)
	replace = func(done, rest, needs string, times int) {
		if len(all) >= mostLookalikes {
			return
		}
		if times == 0 {
			if name := done + rest; !seen[name] {
				seen[name] = true
				all = append(all, Lookalike{name, needs})
			}
			return
		}
		if rest == "" {
			return
		}
		for _, p := range alike {
			for _, from := range []string{p.a, p.b} {
				after, ok := strings.CutPrefix(rest, from)
				if !ok || p.mid && after == "" || p.digit && from == p.b {
					continue
				}
				to := p.a
				if from == p.a {
					to = p.b
				}
				need := needs
				if p.needs != "" && !strings.Contains(s, p.needs) {
					need = p.needs // the other name must have it
				}
				replace(done+to, after, need, times-1)
			}
		}
		replace(done+rest[:1], rest[1:], needs, times)
	}
	for times := 1; times <= 3; times++ {
		replace("", skeleton, "", times)
	}
	return all
}
