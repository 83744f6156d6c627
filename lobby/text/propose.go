package text

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Propose returns a name to offer to a newcomer: made from user, the ssh user name, if that says anything
// about the person, else an adjective and a noun from the domino table. taken reports whether somebody has a
// name, or one that looks like it; it is called a bounded number of times. [CleanName] accepts the result,
// which is taken only if all tries were.
func Propose(user string, taken func(string) bool, rnd *rand.Rand) string {
	if name, ok := fromUser(user); ok && !taken(name) {
		return name
	}
	var name string
	for try := range 48 {
		name = adjectives[rnd.IntN(len(adjectives))] + "-" + nouns[rnd.IntN(len(nouns))]
		if try >= 16 { // a full house: now with a number
			name += strconv.Itoa(2 + rnd.IntN(98))
		}
		if !taken(name) {
			break
		}
	}
	return name
}

// fromUser makes a name from an ssh user name: "josé.diaz" gives "jose-diaz".
func fromUser(user string) (string, bool) {
	if len(user) > maxInput {
		return "", false
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(user) {
		switch {
		case r < 0x80 && nameByte(byte(r)):
			b.WriteRune(r)
		case unicode.Is(unicode.M, r):
		default: // other characters separate words
			b.WriteByte('-')
		}
	}
	words := strings.FieldsFunc(b.String(), func(r rune) bool { return r == '-' || r == '_' })
	name := strings.TrimLeft(strings.Join(words, "-"), "0123456789-_")
	if len(name) > MaxName {
		name = strings.TrimRight(name[:MaxName], "-")
	}
	if sharedAccounts[strings.ToLower(name)] {
		return "", false
	}
	name, err := CleanName(name)
	return name, err == nil
}

// sharedAccounts are user names that say how people came here and not who they are.
var sharedAccounts = map[string]bool{
	"alpine": true, "arch": true, "debian": true, "default": true, "domino": true, "dominoes": true, "ec2-user": true,
	"fedora": true, "game": true, "games": true, "git": true, "hello": true, "join": true, "login": true, "name": true,
	"new": true, "play": true, "runner": true, "ssh": true, "test": true, "ubuntu": true, "user": true, "username": true,
	"vagrant": true, "vscode": true, "watch": true, "webmaster": true, "www-data": true,
}

// With a hyphen and two digits every pair has at most MaxName characters; a test checks that.
var (
	adjectives = []string{
		"bold", "brave", "bright", "calm", "clever", "double", "early", "easy", "happy", "ivory", "jolly", "keen",
		"lucky", "mellow", "merry", "nimble", "open", "polite", "quick", "quiet", "sharp", "silver", "sly", "sunny",
		"swift", "tidy", "warm", "witty",
	}
	nouns = []string{
		"ace", "arm", "blank", "bone", "chain", "count", "deuce", "domino", "ebony", "five", "hand", "knock", "lead",
		"line", "pip", "round", "seat", "seven", "shuffle", "six", "stock", "tile", "trey", "turn",
	}
)
