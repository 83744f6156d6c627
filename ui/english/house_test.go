package english_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/ui/english"
)

// Every value of every house rule is explained, and no two alike.
func TestMeans(t *testing.T) {
	for _, k := range rules.Keys() {
		values := strings.Split(k.Values, "|")
		if strings.Contains(k.Values, "N") {
			values = map[string][]string{"hand": {"5", "6", "7/5/5"}, "draw": {"none", "2", "all"}}[k.Name]
			if values == nil {
				values = []string{"7"}
			}
		}
		seen := map[string]string{}
		for _, v := range values {
			text := "classic " + k.Name + "=" + v
			if v == "0" {
				text += " end=take" // nothing can be rounded
			}
			r, err := rules.Parse(text)
			require.NoError(t, err)
			say := english.Means(&r, k.Name)
			require.NotEmpty(t, say, "%s=%s", k.Name, v)
			require.Empty(t, seen[say], "%s=%s is as %s", k.Name, v, seen[say])
			seen[say] = v
		}
	}
	block := rules.Block.Rules()
	require.Empty(t, english.Means(&block, "order"), "left open")
	require.Equal(t, "7 tiles with two players and 5 with three or four", english.Means(new(rules.Classic.Rules()), "hand"))
}

// House describes house rules in one line, which is empty without any; it leaves out what wins a game.
func TestHouse(t *testing.T) {
	for _, p := range rules.Presets() {
		require.Empty(t, english.House(new(p.Rules())), p)
	}
	r, err := rules.Parse("classic hand=4 spinner=all target=100")
	require.NoError(t, err)
	require.Equal(t, "House rules – hand: 4 tiles; spinner: every one.", english.House(&r))
}
