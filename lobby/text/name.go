package text

import "strings"

// CleanName returns a player's name as it is kept: s without the spaces around it, its case as typed. A name
// has MinName to MaxName characters of a-z, A-Z, 0-9, - and _ and begins with a letter, so every name can
// stand in a game record (docs/record.md). It refuses with ErrNameLength, ErrNameLetters, ErrNameStart or
// ErrReserved. Names that look like one of also, the house bots' say, are reserved too. Whether another
// player has the name, or one that looks like it, is for the caller to ask by [Skeleton].
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
