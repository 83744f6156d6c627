package text_test

import (
	"strings"
	"testing"

	"boneyard/lobby/text"
)

// Nobody may have the house's name, or a name with which its messages begin, in any spelling.
func TestReserved(t *testing.T) {
	const name, title, tag = text.Name, text.Title, text.Tag
	for s, uses := range map[string]text.Use{
		"Notice": name | title | tag, "N0tice": name | title | tag, "Notlce": name | title | tag, "NOTICE-2": name | title | tag,
		"News":    name | title | tag,
		"Warning": name | title | tag, "W4rning": name | title | tag, "ADMIN": name | title | tag, "Adm1n": name | title | tag,
		"STAFF": name | title | tag,
		"5taff": name | title | tag, "MOD": name | title | tag, "M0D": name | title | tag, "MODS": name | title | tag, "BOT": name | title | tag,
		"B0T": name | title | tag, "BOT7": name | title | tag, "OP": name | tag, "OPS": name | title | tag, "SYSOP": name | title | tag,
		"ADM":   tag,
		"House": name | title | tag, "GUEST": name | title | tag, "sysadmin": name | title | tag, "AdminBob": name | title | tag,
		"TheStaff": name | title | tag, "realOperator": name | title | tag, "the-news": name | tag, "Server notice": name | title | tag,
		"\u0410dmin": name | title | tag, "\uff2eotice": name | title | tag, "not\u0456ce": name | title | tag, "s t a f f": name | title | tag,
		"Ends": name | tag, "Invited": name, "Your": name | tag, "ERR": name | tag, "OPER": name | tag, "0per": name | tag,
		"aclmin": name | title | tag, "moclerator": name | title | tag,
		"Ends-Bob": 0, "Handy": 0, "Quest": 0, "Dan": 0, "Clan": 0,
		"Warning: the server ends": name | title | tag, "You": name | tag, "table": name,

		"ana": 0, "badminton": 0, "Warehouse": 0, "robot": 0, "modest": 0, "Modern": 0, "newsom": 0, "noticed": 0, "BONES": 0, "NOC": 0,
		"botany":  0,
		"admiral": 0, "Staffan": 0, "Full house": name | tag, "No bad news": name | tag, "Night Owls": 0, "opal": 0,
	} {
		for _, use := range []text.Use{name, title, tag} {
			if got, want := text.Reserved(use, s), uses&use != 0; got != want {
				t.Errorf("Reserved(%d, %q) = %t", use, s, got)
			}
		}
	}
	for in, want := range map[string]error{
		"BON": nil, "ADMIN": text.ErrReservedTag, "staff": text.ErrReservedTag, "m0d": text.ErrReservedTag, "Bot": text.ErrReservedTag,
		"n3ws": text.ErrReservedTag, "x": text.ErrTag,
	} {
		if got, err := text.CleanTag(in); err != want || err == nil && got != strings.ToUpper(in) {
			t.Errorf("CleanTag(%q): %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"Notice", "Warning", "Moderators"} {
		if _, err := text.CleanName(in); err != text.ErrReserved {
			t.Errorf("CleanName(%q): %v", in, err)
		}
		if _, err := text.CleanTitle(in); err != text.ErrReserved {
			t.Errorf("CleanTitle(%q): %v", in, err)
		}
	}
}
