package play

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

// The sum of the open ends is never cut off: where the ends one by one don't fit, the sum stands alone.
func TestEndsSumShown(t *testing.T) {
	for seed := range byte(6) {
		s := sit(t, "classic", seed+1, "ana", "ben")
		s.deal()
		for s.move(); s.view.State == table.Playing; s.move() {
			v := s.of(1)
			for _, w := range []int{60, 66, 72, 80, 100, 120} {
				screen := shown(at(t, v), w, 24)
				require.Regexp(t, fmt.Sprintf(`Ends now(| .* =) +%d( |\n)`, v.Play.Layout.Count()), screen, "%d columns", w)
			}
		}
	}
}
