package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boneyard/lobby/text"
)

// alike reports whether one of two names could be mistaken for the other.
func alike(a, b string) bool {
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		for _, l := range text.Lookalikes(pair[0]) {
			if l.Skeleton == text.Skeleton(pair[1]) && strings.Contains(pair[1], l.Needs) {
				return true
			}
		}
	}
	return text.Skeleton(a) == text.Skeleton(b)
}

func TestAlike(t *testing.T) {
	for _, pair := range [][2]string{
		{"david", "davicl"}, {"David", "clavicl"}, {"gabriel", "qabriel"}, {"Oscar", "Qscar"}, {"nick", "mck"}, {"ti", "11"}, {"TI", "11"},
		{"martin", "mar11n"},
		{"bill", "bi11"}, {"ana", "an4"}, {"bob", "bo6"}, {"pete", "p3te"}, {"greg", "qre9"}, {"daniel", "claniel"}, {"monica", "momca"},
	} {
		require.True(t, alike(pair[0], pair[1]), pair)
	}
	for _, pair := range [][2]string{
		{"tina", "lina"}, {"tilly", "lilly"}, {"toni", "tom"}, {"dani", "dam"}, {"gus", "ous"}, {"gina", "dina"}, {"nina", "mina"},
		{"ben", "hen"}, {"mike", "nike"},
		{"anna", "ana"}, {"colin", "colm"}, {"jan", "ian"}, {"bitte", "bille"}, {"otto", "gtto"}, {"dora", "cora"}, {"max", "nax"},
		{"tom", "lom"}, {"ada", "eda"},
	} {
		require.False(t, alike(pair[0], pair[1]), pair)
	}
}

// Lookalikes have other skeletons, and there are never many.
func TestLookalikesAreFew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9_-]{1,15}`).Draw(t, "name")
		all := text.Lookalikes(name)
		require.LessOrEqual(t, len(all), 48)
		for _, l := range all[:min(3, len(all))] {
			require.NotEqual(t, text.Skeleton(name), l.Skeleton)
			require.Equal(t, l.Skeleton, text.Skeleton(l.Skeleton))
		}
	})
}
