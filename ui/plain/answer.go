package plain

// Answer is a command's answer: lines to read, and rows for programs.
type Answer struct {
	Lines []string
	Rows  []any
}

// Add adds another answer, with a title before its lines.
func (a *Answer) Add(title string, more Answer) {
	a.Lines = append(append(a.Lines, title), more.Lines...)
	a.Rows = append(a.Rows, more.Rows...)
}
