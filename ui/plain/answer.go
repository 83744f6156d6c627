package plain

// Answer is a command's answer: lines to read, and rows for programs.
type Answer struct {
	Lines []string
	Rows  []any
}

// answerOf returns an answer that lists items.
func answerOf[T, R any](items []T, row func(*T) R, lines func([]R) []string) (ans Answer) {
	var rows []R
	for i := range items {
		rows = append(rows, row(&items[i]))
		ans.Rows = append(ans.Rows, rows[i])
	}
	ans.Lines = lines(rows)
	return ans
}
