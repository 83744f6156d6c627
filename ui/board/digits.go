package board

import (
	"strconv"
	"strings"

	"boneyard/ui/theme"
)

// Large digits are three columns wide and three rows high.
var (
	lineDigits = [3]string{
		"┏━┓ ╻ ╺━┓╺━┓╻ ╻┏━╸┏━╸╺━┓┏━┓┏━┓      ",
		"┃ ┃ ┃ ┏━┛ ━┫┗━┫┗━┓┣━┓  ┃┣━┫┗━┫╺━╸╺╋╸",
		"┗━┛ ╹ ┗━╸╺━┛  ╹╺━┛┗━┛  ╹┗━┛╺━┛      ",
	}
	plainDigits = [3]string{
		" _     _  _     _  _  _  _  _       ",
		"| |  | _| _||_||_ |_   ||_||_| - -+-",
		"|_|  ||_  _|  | _||_|  ||_| _|      ",
	}
)

// Digits writes a number in digits that are three rows high, after a plus where sign is set.
func Digits(n int, sign bool, th *theme.Theme) (rows [3]string) {
	font := &lineDigits
	if th.Faces() == theme.ASCII {
		font = &plainDigits
	}
	s := strconv.Itoa(n)
	if sign && n > 0 {
		s = "+" + s
	}
	for y := range rows {
		row := []rune(font[y])
		var b strings.Builder
		for i, r := range s {
			at := strings.IndexRune("0123456789-+", r)
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(string(row[3*at : 3*at+3]))
		}
		rows[y] = b.String()
	}
	return rows
}
