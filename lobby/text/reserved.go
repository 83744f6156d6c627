package text

import (
	"strings"
	"unicode"
)

// Use is a set of uses for a word.
type Use uint8

// The uses of words that people choose.
const (
	Name  Use = 1 << iota // of a player
	Title                 // of a team or a table
	Tag                   // of a team
)

// Reserved reports whether s, as a name, title or tag, would pass for the house, its staff or its bots, or
// would read like the house's own announcements. Words are compared by how they look: "0perator", "Admin_2",
// "N0t1ce" and "T h e s t a f f" are reserved, too.
func Reserved(use Use, s string) bool {
	words := wordsOf(s)
	for i, w := range words {
		if is(anywhere, use, w) || i == 0 && is(first, use, w) {
			return true
		}
	}
	all := read(s) // "o-p-e-r-a-t-o-r" has only words of one letter
	bare := read(strings.TrimRightFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }))
	for _, w := range []string{all, bare} {
		if anywhere[w]&use != 0 || first[w]&use != 0 || whole[w]&use != 0 {
			return true
		}
		for _, part := range staffParts {
			if strings.HasPrefix(w, part) || strings.HasSuffix(w, part) {
				return true
			}
		}
	}
	return false
}

// is reports whether a word is reserved for a use, with or without the digits at its end.
func is(kept map[string]Use, use Use, word string) bool {
	return (kept[read(word)]|kept[read(strings.TrimRight(word, "0123456789"))])&use != 0
}

var (
	// anywhere holds words that are reserved anywhere.
	anywhere = reading(map[Use]string{
		Name | Title | Tag: "admin administrator administrators admins mod moderator moderators mods official officials operator operators ops " +
			"staff sysadmin sysop sysops system sshd",
		Name | Tag: "announcement announcements boneyard bot bots guest guests house news notice notices root server warning warnings",
	})
	// first holds words that are reserved at the beginning, where the house's own would stand.
	first = reading(map[Use]string{
		Title: "alert announcement announcements attention error info news notice notices server warning warnings",
	})
	// whole holds words that are reserved only on their own.
	whole = reading(map[Use]string{
		Name: systemWords + " casual expert master novice alert all anonymous anybody anyone attention club dealer " +
			"error everybody everyone gallery game help host housebot important " +
			"info lobby me message motd nobody none note novice op owner player regular round seat somebody someone spectator support " +
			"table team watcher you",
		Name | Tag: "err oper opers",
		Tag:        "adm alert ends error help host info me motd none op root sys you your",
		Title:      "boneyard bot bots guest guests house lobby the-house",
	})
	// staffParts are reserved at both ends: "sysadmin", "AdminBob". Badminton is welcome.
	staffParts = []string{read("admin"), read("moderator"), read("operator")}
)

// reading indexes words by what they look like.
func reading(lists map[Use]string) map[string]Use {
	set := map[string]Use{}
	for use, words := range lists {
		for _, w := range strings.Fields(words) {
			set[read(w)] |= use
		}
	}
	return set
}

// systemWords are the words with which sentences of the club, of tables and of line mode begin, unless they
// are reserved otherwise: TestSystemWordsAreReserved finds missing ones.
const systemWords = "accuracy after against an another at back block both challenge choose daily describe duplicate " +
	"each ends every everywhere finalist " +
	"finished for four give goodbye hand held hint hints if in invited it its later layout leave lines many move next no not nothing now " +
	"on one only play points rated rating resign score some something standing standings that the then there these this three tiles " +
	"time too two type use waiting watching welcome what when winner within write your"

// read returns a word's Skeleton, with digits that stand for letters as letters, and cl as the d that it
// mimics.
func read(word string) string {
	return strings.ReplaceAll(Skeleton(digitsAsLetters.Replace(word)), "cl", "d")
}

var digitsAsLetters = strings.NewReplacer("3", "e", "4", "a", "7", "t", "9", "g", "@", "a", "$", "s")

// wordsOf splits a text at what is no letter or digit, and before capitals after small letters: "TheStaff".
func wordsOf(s string) (words []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
		}
		word = nil
	}
	for _, r := range s {
		switch {
		case !isWord(r) && r != '@' && r != '$':
			end()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && unicode.IsLower(word[len(word)-1]):
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
