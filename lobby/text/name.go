package text

import "strings"

// CleanName returns a player's name as it is kept: s without the spaces around it, its case as typed. A name has
// MinName to MaxName characters of a-z, A-Z, 0-9, - and _ and begins with a letter, so every name can stand in a game
// record (RECORD.md). It refuses with ErrNameLength, ErrNameLetters, ErrNameStart or ErrReserved. Names that look like
// one of also, the house bots' say, are reserved too.
// Whether another player has the name, or one that looks like it, is for the caller to ask by [Skeleton].
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
	case posesAsHouse(name):
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

// Words that only the house may use, compared by how they read: "0perator" and "Admin_2" are kept too.
var (
	// staffWords may be no word of a name or of a title.
	staffWords = reading("admin", "administrator", "administrators", "admins", "moderator", "moderators", "official",
		"operator", "operators", "staff", "sysop", "system", "sshd")
	// houseWords may be no word of a player's name; in a team's name ("Full House") they are welcome.
	houseWords = reading("boneyard", "bot", "bots", "guest", "guests", "house", "root", "server")
	// wholeNames may not be a player's name, though a part of one.
	wholeNames = reading("all", "anonymous", "anybody", "anyone", "club", "dealer", "everybody", "everyone", "gallery",
		"help", "host", "housebot", "lobby", "me", "mod", "nobody", "none", "novice", "op", "owner", "player", "regular",
		"somebody", "someone", "spectator", "support", "table", "team", "watcher", "you")
)

func reading(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[read(w)] = true
	}
	return set
}

// read is a word's Skeleton with the digits that people write for letters taken as letters.
func read(word string) string {
	return Skeleton(digitsAsLetters.Replace(word))
}

var digitsAsLetters = strings.NewReplacer("3", "e", "4", "a", "7", "t", "9", "g", "@", "a", "$", "s")

// posesAsStaff reports whether a word of s is, in how it reads, one of staffWords.
func posesAsStaff(s string) bool { return poses(s, staffWords) }

// posesAsHouse is the same for players' names, where more is reserved.
func posesAsHouse(name string) bool {
	whole := strings.TrimRight(name, "0123456789-_")
	return poses(name, staffWords) || poses(name, houseWords) || wholeNames[read(whole)] || wholeNames[read(name)]
}

func poses(s string, kept map[string]bool) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return !isWord(r) && r != '@' && r != '$' })
	// The whole too: "o-p-e-r-a-t-o-r" has only words of one letter.
	for _, w := range append(words, s) {
		if kept[read(w)] || kept[read(strings.TrimRight(w, "0123456789"))] {
			return true
		}
	}
	return false
}
