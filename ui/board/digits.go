package board

import (
	"strconv"
	"strings"

	"boneyard/ui/theme"
)

// Large digits have three columns and three rows.
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

// Digits writes a number in large digits, after a plus if sign is true.
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
