package screen

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

// Sequences for a terminal whose Screen is gone, since its machine failed: the Screen has not restored the
// terminal, and the end of its output may be half an escape sequence.
const (
	// Restore restores the terminal, as Leave would have done.
	Restore = leave
	// Renew prepares the terminal for the next Screen.
	Renew = syncEnd + mouseOff + "\x1b[23;2t"
)

// Foot shows a text in the last row of such a terminal. It does not save the cursor, which is hidden: some
// terminals would forget where it was before the Screen.
func Foot(text string, width, height int) []byte {
	b := []byte(syncEnd + "\x1b[" + strconv.Itoa(height) + ";1H\x1b[m\x1b[7m")
	b = append(b, ansi.Truncate(" "+text+" ", width, "")...)
	return append(b, "\x1b[m\x1b[K"...)
}
