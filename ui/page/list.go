package page

import (
	"iter"
	"slices"
)

// Cursor is a place in a list that scrolls: the chosen row, and the one at the top.
type Cursor struct {
	At  int
	Top int
}

// Move handles a key of [KeyMove] in a list of n rows of which h are visible.
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

// Clamp keeps the chosen row within n rows, and visible if h rows are.
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

// List is a list that scrolls, one row for each item. The zero List is empty, with one visible row. A
// [Listed] page draws it.
type List[T any] struct {
	Heading func(*T) bool // reports whether an item is a heading, which cannot be chosen; nil if none is

	items  []T
	cursor Cursor
	rows   int // visible ones
}

func (l *List[T]) fit(rows int) {
	if rows > l.rows && l.cursor.At < rows { // there is more room
		l.cursor.Top = 0
	}
	l.rows = rows
	l.clamp()
}

// clamp keeps an item chosen that is not a heading, and visible, with the headings above it.
func (l *List[T]) clamp() {
	at := min(l.cursor.At, len(l.items)-1)
	for l.heading(at) && at < len(l.items)-1 {
		at++
	}
	for l.heading(at) {
		at--
	}
	l.cursor.At = at
	l.cursor.Clamp(len(l.items), l.Rows())
	head := l.cursor.At
	for l.heading(head - 1) {
		head--
	}
	if l.cursor.At < head+l.Rows() {
		l.cursor.Top = min(l.cursor.Top, head)
	}
}

func (l *List[T]) heading(i int) bool {
	return l.Heading != nil && i >= 0 && i < len(l.items) && l.Heading(&l.items[i])
}

// Items returns all items, which must not be changed.
func (l *List[T]) Items() []T { return l.items }

// Len returns the number of items.
func (l *List[T]) Len() int { return len(l.items) }

// Rows returns the number of visible rows.
func (l *List[T]) Rows() int { return max(l.rows, 1) }

// At returns the index of the chosen item.
func (l *List[T]) At() int { return l.cursor.At }

// AtEnd reports whether fewer items follow the chosen one than fit on the screen: more of them are needed soon.
func (l *List[T]) AtEnd() bool { return l.cursor.At >= len(l.items)-l.Rows() }

// Chosen returns the item under the cursor, or nil.
func (l *List[T]) Chosen() *T {
	if l.cursor.At >= len(l.items) || l.heading(l.cursor.At) {
		return nil
	}
	return &l.items[l.cursor.At]
}

// Set replaces the items; the cursor stays where it is, if there is an item.
func (l *List[T]) Set(items []T) {
	l.items = items
	l.clamp()
}

// Update replaces the items by a newer state of them. The cursor stays on its item, in the same row of the
// screen; if the item is gone, it stays where it is.
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

// Choose puts the cursor on an item, in the middle of the visible rows if it was not visible.
func (l *List[T]) Choose(i int) {
	if l.cursor.At = i; i < l.cursor.Top || i >= l.cursor.Top+l.Rows() {
		l.cursor.Top = max(i-l.Rows()/2, 0)
	}
	l.clamp()
}

// Top goes back to the beginning.
func (l *List[T]) Top() { l.cursor = Cursor{} }

func (l *List[T]) move(pressed string) {
	was := l.cursor.At
	l.cursor.Move(pressed, len(l.items), l.Rows())
	for at := l.cursor.At; at < was && at >= 0; at-- { // upwards past headings
		if l.cursor.At = at; !l.heading(at) {
			break
		}
	}
	l.clamp()
}

func (l *List[T]) click(row int) (again bool) {
	at := l.cursor.Top + row
	if row < 0 || row >= l.Rows() || at >= len(l.items) || l.heading(at) {
		return false
	}
	again = at == l.cursor.At
	l.cursor.At = at
	return again
}

func (l *List[T]) choose(row int) bool {
	if row >= len(l.items) {
		return false
	}
	l.Choose(row)
	return true
}

// Seen yields the visible items with their indexes.
func (l *List[T]) Seen() iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		for i := l.cursor.Top; i < min(l.cursor.Top+l.Rows(), len(l.items)); i++ {
			if !yield(i, &l.items[i]) {
				return
			}
		}
	}
}

// Sees reports whether an item is visible.
func (l *List[T]) Sees(i int) bool { return i >= l.cursor.Top && i < l.cursor.Top+l.Rows() }

// Drawn returns the list with a function that draws its rows.
func (l *List[T]) Drawn(row func(i int, item *T, chosen bool) string) Rows { return drawn[T]{l, row} }

type drawn[T any] struct {
	*List[T]
	row func(i int, item *T, chosen bool) string
}

func (d drawn[T]) lines(rows int) (lines []string) {
	l := *d.List // drawing changes nothing
	l.fit(rows)
	for i, item := range l.Seen() {
		lines = append(lines, d.row(i, item, i == l.cursor.At && !l.heading(i)))
	}
	return lines
}
