package text_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"boneyard/lobby/text"
	"boneyard/lobby/text/texttest"
)

// What docs/record.md allows as a name.
var recordName = regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,32}$`)

func TestCleanName(t *testing.T) {
	for in, want := range map[string]error{
		"ana": nil, "Jo": nil, " bo-2_x ": nil, "a123456789012345": nil, "botticelli": nil, "Warehouse": nil, "admiral": nil,
		"robot": nil, "guesthouse": nil, "playerone": nil, "ot": nil, "steamer": nil,

		"": text.ErrNameLength, "a": text.ErrNameLength, "a1234567890123456": text.ErrNameLength,
		"a b": text.ErrNameLetters, "añ": text.ErrNameLetters, "a.b": text.ErrNameLetters, "a\x1b": text.ErrNameLetters,
		"ａｎａ": text.ErrNameLetters, "аna": text.ErrNameLetters, "a\u200bb": text.ErrNameLetters, "a\xffb": text.ErrNameLetters,
		"1ana": text.ErrNameStart, "-ana": text.ErrNameStart, "_ana": text.ErrNameStart,

		"admin": text.ErrReserved, "Operator": text.ErrReserved, "0perator": text.ErrNameStart, "oPerat0r": text.ErrReserved,
		"operator2": text.ErrReserved, "the-admin": text.ErrReserved, "admin_bob": text.ErrReserved, "adrnin": text.ErrReserved,
		"o-p-e-r-a-t-o-r": text.ErrReserved, "house": text.ErrReserved, "h0u53": text.ErrReserved, "bot": text.ErrReserved,
		"bot-ana": text.ErrReserved, "b0t7": text.ErrReserved, "guest": text.ErrReserved, "Guest-12": text.ErrReserved,
		"server": text.ErrReserved, "player1": text.ErrReserved, "nobody": text.ErrReserved, "novice": text.ErrReserved,
		"regu1ar": text.ErrReserved, "sysop_": text.ErrReserved,
	} {
		got, err := text.CleanName(in)
		if err != want {
			t.Errorf("CleanName(%q): %v, want %v", in, err, want)
		}
		if err == nil && got != strings.TrimSpace(in) || err != nil && got != "" {
			t.Errorf("CleanName(%q) = %q", in, got)
		}
	}
	if _, err := text.CleanName("O1d-Pip", "old_pip"); err != text.ErrReserved {
		t.Errorf("a name that looks like a further reserved one: %v", err)
	}
}

func TestSkeleton(t *testing.T) {
	same := [][]string{
		{"bill", "Bi11", "BILL", "b-i-l-l", "bi_ll", "8ill", "B|ll", "ВіІl"},
		{"morn", "rnorn", "MORN", "m0rn"},
		{"willow", "vvillow", "w1ll0vv"},
		{"vvv", "vw", "wv"},
		{"Jose", "José", "ＪＯＳＥ", "jo\u200bse", "𝓳𝓸𝓼𝓮", "j05e", "Ｊоsе"},
		{"Big Bob", "big-bob", "bigbob!"},
		{"Zoe", "2oe", "zoë"},
		{"Straße", "STRASSE"},
	}
	for i, group := range same {
		for _, s := range group {
			if got, want := text.Skeleton(s), text.Skeleton(group[0]); got != want {
				t.Errorf("%q has skeleton %q, %q has %q", s, got, group[0], want)
			}
			for _, other := range same[i+1:] {
				if text.Skeleton(s) == text.Skeleton(other[0]) {
					t.Errorf("%q and %q have one skeleton", s, other[0])
				}
			}
		}
	}
	for _, pair := range [][2]string{{"ana", "anna"}, {"bob", "rob"}, {"max4", "max6"}, {"lucky", "luckv"}, {"Рыба", "Ряба"}} {
		if text.Skeleton(pair[0]) == text.Skeleton(pair[1]) {
			t.Errorf("%q and %q have one skeleton", pair[0], pair[1])
		}
	}
}

func TestPropose(t *testing.T) {
	free := func(string) bool { return false }
	rnd := rand.New(rand.NewPCG(1, 2))
	for user, want := range map[string]string{
		"ana": "ana", "Ana": "Ana", "josé.diaz": "jose-diaz", "ana@example.org": "ana-example-org", "7of9": "of9",
		"a_very_long_user_name": "a-very-long-user", "bob--": "bob", "x\x1b[2Jy": "x-2Jy",
	} {
		if got := text.Propose(user, free, rnd); got != want {
			t.Errorf("Propose(%q) = %q, want %q", user, got, want)
		}
	}
	// Nothing about the person: a name of the house's own making.
	for _, user := range []string{"", "play", "root", "admin", "git", "ubuntu", "X", "漢字", "12345", "guest", strings.Repeat("a", 1<<20)} {
		got := text.Propose(user, free, rnd)
		if !strings.Contains(got, "-") || strings.EqualFold(got, user) {
			t.Errorf("Propose(%.20q) = %q", user, got)
		}
	}
	taken := func(name string) bool { return text.Skeleton(name) == text.Skeleton("ana") }
	if got := text.Propose("ana", taken, rnd); taken(got) {
		t.Errorf("Propose offers %q, which is taken", got)
	}
	// All pairs without a number taken.
	numbered := regexp.MustCompile(`[0-9]$`)
	if got := text.Propose("play", func(n string) bool { return !numbered.MatchString(n) }, rnd); !numbered.MatchString(got) {
		t.Errorf("Propose in a full house: %q", got)
	}
	// All taken: still a name, soon.
	asked := 0
	got := text.Propose("ana", func(string) bool { asked++; return true }, rnd)
	if _, err := text.CleanName(got); err != nil || asked > 100 {
		t.Errorf("Propose when all is taken: %q, %v, after %d questions", got, err, asked)
	}
}

func TestProposedWords(t *testing.T) {
	seen := make(map[string]string)
	for _, a := range text.Adjectives {
		for _, n := range text.Nouns {
			name := a + "-" + n
			if _, err := text.CleanName(name + "99"); err != nil {
				t.Errorf("%s99: %v", name, err)
			}
			if other := seen[text.Skeleton(name)]; other != "" {
				t.Errorf("%s looks like %s", name, other)
			}
			seen[text.Skeleton(name)] = name
		}
	}
}

func TestNamesOfHostile(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, c := range texttest.Hostile() {
		t.Run(c.Name, func(t *testing.T) { checkName(t, c.Text, rnd) })
	}
}

func checkName(t *testing.T, s string, rnd *rand.Rand) {
	t.Helper()
	if name, err := text.CleanName(s); err == nil {
		if !recordName.MatchString(name) || len(name) < text.MinName || len(name) > text.MaxName {
			t.Errorf("CleanName(%+q) = %q", s, name)
		}
		if text.Printable(name) != name || text.Skeleton(name) == "" {
			t.Errorf("name %q is not printable or has no skeleton", name)
		}
	} else if !isRefusal(err) {
		t.Errorf("CleanName(%+q): not a refusal: %v", s, err)
	}
	name := text.Propose(s, func(string) bool { return false }, rnd)
	if clean, err := text.CleanName(name); err != nil || clean != name {
		t.Errorf("Propose(%+q) = %q: %v", s, name, err)
	}
}

func FuzzName(f *testing.F) {
	for _, c := range texttest.Hostile() {
		f.Add(c.Text)
	}
	for _, s := range []string{"ana", "admin_2", "josé", "ec2-user", "a-b_c", "rn-vv-0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkName(t, s, rand.New(rand.NewPCG(5, 6))) })
}
