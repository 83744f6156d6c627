package text

import "strings"

// CleanName returns a player's name as it is stored: s without surrounding spaces, its case as typed. A name
// has MinName to MaxName characters of a-z, A-Z, 0-9, - and _ and begins with a letter, so that every name
// can stand in a game record (docs/record.md). CleanName returns ErrNameLength, ErrNameLetters, ErrNameStart
// or ErrReserved. Names that look like one of also, such as the house bots', are reserved, too. The caller
// checks by [Skeleton] whether another player has the name.
func CleanName(s string, also ...string) (string, error) {
	name := strings.Trim(s, " ")
	for i := 0; i < len(name); i++ {
		if !nameByte(name[i]) {
			return "", ErrNameLetters
		}
	}
	switch {
	case len(name) < MinName || len(name) > MaxName:
		return "", ErrNameLength
	case !asciiLetter(name[0]):
		return "", ErrNameStart
	case Reserved(Name, name):
		return "", ErrReserved
	}
	for _, other := range also {
		if Skeleton(name) == Skeleton(other) {
			return "", ErrReserved
		}
	}
	return name, nil
}

func nameByte(c byte) bool {
	return asciiLetter(c) || c >= '0' && c <= '9' || c == '-' || c == '_'
}

func asciiLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
