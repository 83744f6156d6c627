package screen

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

// What is written to a terminal on which a Screen has drawn that is gone, for its machine is: it has not
// taken back what it did, and the last of it may be half an escape sequence.
const (
	// Restore gives the terminal back as it was, as Leave would have done.
	Restore = leave
	// Renew prepares it for the next Screen.
	Renew = syncEnd + mouseOff + "\x1b[23;2t"
)

// Foot shows a text in the last row of such a terminal, which has a size. It does not save the cursor, which
// is hidden: some terminals would forget where it was before the Screen came.
func Foot(text string, width, height int) []byte {
	b := []byte(syncEnd + "\x1b[" + strconv.Itoa(height) + ";1H\x1b[m\x1b[7m")
	b = append(b, ansi.Truncate(" "+text+" ", width, "")...)
	return append(b, "\x1b[m\x1b[K"...)
}
