package plain

// Answer is the answer to a command: lines to read, and rows for programs.
type Answer struct {
	Lines []string
	Rows  []any
}

// answerOf is an answer that lists items.
func answerOf[T, R any](items []T, row func(*T) R, lines func([]R) []string) (ans Answer) {
	var rows []R
	for i := range items {
		rows = append(rows, row(&items[i]))
		ans.Rows = append(ans.Rows, rows[i])
	}
	ans.Lines = lines(rows)
	return ans
}
