package line_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// receipt matches the end of an announced play; options are written without the sum.
var receipt = regexp.MustCompile(` = [0-9]+, (no score|scores [0-9]+)|: [0-9]+, (no score|scores [0-9]+)`)

// A newcomer reads why each move scores or not, and what to do, until the round is over or they have had enough of it.
func TestFirstRoundByText(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come(c.key("ana"))
		require.Contains(t, flat(ana.text()), "Type quick for a first round with a guide")
		ana.typing("quick\n")
		read := ""
		for turn := range 100 {
			time.Sleep(2 * time.Second)
			if read += ana.step(turn); strings.Contains(flat(read), "A whole game goes to 200.") {
				break
			}
		}
		require.Contains(t, read, "Seat 2: kit.novice")
		moves := len(receipt.FindAllString(flat(read), -1))
		require.Positive(t, moves)
		require.Equal(t, strings.Count(flat(read), "Ends "), moves, read)
		ana.wants("lobby", "You are in the lobby.")
		ana.wants("quick", "level 2 of 5 by your results; casual.", "Seat 2: sam.casual")

		ben := c.come(c.key("ben"))
		ben.wants("quick", "Seat 2: kit.novice")
		ben.wants("noguide", "The guide is off")
		time.Sleep(10 * time.Second)
		ben.fresh()
		ben.wants("look", "Your hand: ")
		require.NotContains(t, ben.step(0), "Ends ")
	})
}
