package page

import (
	"iter"
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Cursor is a place in a list that scrolls: which row is chosen, and which one stands at the top.
type Cursor struct {
	At  int
	Top int
}

// Move does what a key of [KeyMove] does in a list of n rows of which h are seen.
func (c *Cursor) Move(pressed string, n, h int) {
	switch pressed {
	case "up":
		c.At--
	case "down":
		c.At++
	case "pgup":
		c.At -= max(h-1, 1)
	case "pgdown":
		c.At += max(h-1, 1)
	case "home":
		c.At = 0
	case "end":
		c.At = n - 1
	}
	c.Clamp(n, h)
}

// Scrolled is the first of n lines of which h are seen, after a key of [KeyScroll] was pressed where top was the first.
func Scrolled(pressed string, top, n, h int) int {
	c := Cursor{At: top}
	c.Move(pressed, max(n-h, 0)+1, h)
	return c.At
}

// Clamp keeps the chosen row within n rows, and in sight where h are seen.
func (c *Cursor) Clamp(n, h int) {
	c.At = max(min(c.At, n-1), 0)
	if c.At < c.Top {
		c.Top = c.At
	}
	if c.At >= c.Top+h {
		c.Top = c.At - h + 1
	}
	c.Top = max(min(c.Top, n-h), 0)
}

// Click chooses the row that is seen at a place, counted from 0, in a list of n rows of which h are seen. It reports whether it was
// the chosen one already.
func (c *Cursor) Click(row, n, h int) (again bool) {
	at := c.Top + row
	if row < 0 || row >= h || at >= n {
		return false
	}
	again = at == c.At
	c.At = at
	return again
}

// List is a list that scrolls, one row for an item. The zero List is empty, and one row of it is seen.
type List[T any] struct {
	items  []T
	cursor Cursor
	rows   int // that are seen
}

// Resize says how many rows are seen.
func (l *List[T]) Resize(rows int) {
	l.rows = rows
	l.clamp()
}

func (l *List[T]) clamp() { l.cursor.Clamp(len(l.items), max(l.rows, 1)) }

// Items are all items. They are not changed.
func (l *List[T]) Items() []T { return l.items }

// Len is how many items there are.
func (l *List[T]) Len() int { return len(l.items) }

// Rows is how many rows are seen.
func (l *List[T]) Rows() int { return max(l.rows, 1) }

// At is the index of the chosen item.
func (l *List[T]) At() int { return l.cursor.At }

// Chosen is the item under the cursor, nil if there is none.
func (l *List[T]) Chosen() *T {
	if l.cursor.At >= len(l.items) {
		return nil
	}
	return &l.items[l.cursor.At]
}

// Set takes other items; the cursor stays where it is, as far as there are items.
func (l *List[T]) Set(items []T) {
	l.items = items
	l.clamp()
}

// Update takes a newer state of the same items. The cursor stays on its item, and that in its row of the screen; where the item is
// gone, the cursor stays where it is.
func (l *List[T]) Update(items []T, same func(a, b *T) bool) {
	if was := l.Chosen(); was != nil {
		if i := slices.IndexFunc(items, func(item T) bool { return same(was, &item) }); i >= 0 {
			l.cursor.Top += i - l.cursor.At
			l.cursor.At = i
		}
	}
	l.Set(items)
}

// Append adds items at the end.
func (l *List[T]) Append(items []T) { l.Set(slices.Concat(l.items, items)) }

// Choose puts the cursor on an item, in the middle of what is seen if it was out of sight.
func (l *List[T]) Choose(i int) {
	if l.cursor.At = i; i < l.cursor.Top || i >= l.cursor.Top+l.Rows() {
		l.cursor.Top = max(i-l.Rows()/2, 0)
	}
	l.clamp()
}

// Top goes back to the beginning.
func (l *List[T]) Top() { l.cursor = Cursor{} }

// Move does what a key of [KeyMove] does.
func (l *List[T]) Move(pressed string) tea.Cmd {
	l.cursor.Move(pressed, len(l.items), l.Rows())
	return nil
}

// Click chooses the item in a row of those that are seen, counted from 0. It reports whether it was the chosen one already: then
// it is to be opened.
func (l *List[T]) Click(row int) (again bool) { return l.cursor.Click(row, len(l.items), l.Rows()) }

// Seen are the items that are seen, with their indexes.
func (l *List[T]) Seen() iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		for i := l.cursor.Top; i < min(l.cursor.Top+l.Rows(), len(l.items)); i++ {
			if !yield(i, &l.items[i]) {
				return
			}
		}
	}
}
