package plain

import (
	"strings"

	"boneyard/lobby/text"
)

// Column is one column of a list.
type Column struct {
	Head  string
	Right bool // aligned right, as numbers are
}

// Columns formats rows in columns under a heading line, two spaces apart. An empty cell becomes "-", so that all rows have the
// same number of words; only the last column's cells may contain spaces.
func Columns(columns []Column, rows [][]string) []string {
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = len(c.Head)
		for _, row := range rows {
			widths[i] = max(widths[i], text.Width(cell(row[i])))
		}
	}
	line := func(cells func(i int) string) string {
		var b strings.Builder
		for i, c := range columns {
			if i > 0 {
				b.WriteString("  ")
			}
			s := cells(i)
			pad := strings.Repeat(" ", widths[i]-text.Width(s))
			switch {
			case c.Right:
				b.WriteString(pad + s)
			case i < len(columns)-1:
				b.WriteString(s + pad)
			default:
				b.WriteString(s)
			}
		}
		return b.String()
	}
	lines := []string{line(func(i int) string { return columns[i].Head })}
	for _, row := range rows {
		lines = append(lines, line(func(i int) string { return cell(row[i]) }))
	}
	return lines
}

// listed formats items as Columns does, one in each row.
func listed[T any](columns []Column, list []T, cells func(item *T) []string) []string {
	rows := make([][]string, len(list))
	for i := range list {
		rows[i] = cells(&list[i])
	}
	return Columns(columns, rows)
}

func cell(s string) string {
	if s = text.Printable(s); s == "" {
		return "-"
	}
	return s
}
