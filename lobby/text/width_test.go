package text_test

import (
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby/text"
	"boneyard/lobby/text/texttest"
)

func TestFit(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"ana", 5, "ana  "},
		{"ana", 3, "ana"},
		{"anabel", 5, "anab…"},
		{"anabel", 1, "…"},
		{"anabel", 0, ""},
		{"anabel", -3, ""},
		{"", 2, "  "},
		{"漢字漢字", 8, "漢字漢字"},
		{"漢字漢字", 7, "漢字漢…"},
		{"漢字漢字", 6, "漢字… "},
		{"\x1b[2Jana\n", 8, "[2Jana  "},
		{"ｗｉｄｅ", 4, "wide"},
	} {
		if got := text.Fit(c.in, c.width); got != c.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
	if got := text.FitTail("anabel", 4, "~"); got != "ana~" {
		t.Errorf("FitTail: %q", got)
	}
	if got := text.FitTail("anabel", 1, ".."); got != "a" {
		t.Errorf("FitTail with a tail too wide: %q", got)
	}
}

// checkFit checks that a fitted s breaks a line in no kind of terminal.
func checkFit(t testingT, s string) {
	t.Helper()
	for _, width := range []int{1, 2, 3, 7, 16, 40} {
		out := text.Fit(s, width)
		byCluster, byRune := ansi.StringWidth(out), ansi.StringWidthWc(out)
		if max(byCluster, byRune) != width {
			t.Errorf("Fit(%+q, %d) is %d columns wide, or %d", s, width, byCluster, byRune)
		}
		if leak := (texttest.Case{Text: s}).Leak(out); leak != "" {
			t.Errorf("Fit(%+q, %d) lets %+q through", s, width, leak)
		}
	}
}

func TestFitOfHostile(t *testing.T) {
	for _, c := range texttest.Hostile() {
		t.Run(c.Name, func(t *testing.T) { checkFit(t, c.Text) })
	}
}

// Text measured without tables has the width that both ways of measuring give, alone and between others.
func TestUsualWidth(t *testing.T) {
	found := 0
	for r := rune(' '); r <= unicode.MaxRune; r++ {
		for _, s := range []string{string(r), "a" + string(r) + "é", string(r) + string(r)} {
			if n, ok := text.UsualWidth(s); ok {
				require.Equal(t, ansi.StringWidth(s), n, "%q", s)
				require.Equal(t, ansi.StringWidthWc(s), n, "%q", s)
				found++
			}
		}
	}
	require.Greater(t, found, 3*400)
}
