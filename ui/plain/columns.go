package plain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
)

// Rows describes rows of Ts for everything that shows them: text in columns, JSON, docs/commands.md, and the
// lists on pages.
type Rows[T any] struct {
	Object  string // what docs/commands.md calls a row
	About   string // what a row is, for the same document
	Columns []Column[T]
	Text    string // the heads of the columns in text, in order: "RANK NAME"; see [shown]
	None    string // what text says instead of the heads if there are no rows
	Aloud   string // a row to be read aloud, as for [Rows.Say]: "$NAME, rank $RANK"
}

// Column is one column of rows of Ts.
type Column[T any] struct {
	Name  string // in JSON; empty if JSON leaves it out
	Means string // what docs/commands.md says of it
	Head  string // in text
	Kind  string // what docs/commands.md calls the values
	Right bool   // text aligns it to the right, as it does numbers
	omit  bool   // JSON leaves out a zero value
	other bool   // docs/commands.md describes it with other rows
	value func(item *T) any
	Cell  func(item *T) string // in text
}

// No is a number such as that of a table. Text shows an empty cell for 0.
type No int64

// Col returns a column that shows the same value in text, under its name in capitals, and in JSON.
func Col[T, V any](name, means string, value func(item *T) V) Column[T] {
	c := Column[T]{Name: name, Means: means, Head: strings.ToUpper(name), Kind: kindOf(reflect.TypeFor[V]())}
	c.Right = c.Kind == "number"
	c.value = func(item *T) any { return printable(value(item)) }
	c.Cell = func(item *T) string { return cellOf(c.value(item)) }
	return c
}

// TextCol returns a column that only text has.
func TextCol[T any](head string, cell func(item *T) string) Column[T] {
	return Column[T]{Head: head, Cell: cell}
}

// As returns the column with another head, and other cells in text unless cell is nil.
func (c Column[T]) As(head string, cell func(item *T) string) Column[T] {
	c.Head = head
	if cell != nil {
		c.Cell, c.Right = cell, false
	}
	return c
}

// ruleCol returns a column of rule strings, which text shows in words.
func ruleCol[T any](head string, words func(rule string) string, rule func(item *T) string) Column[T] {
	return Col("rules", "", rule).As(head, func(item *T) string { return words(rule(item)) })
}

// Number returns the column aligned to the right, as numbers are.
func (c Column[T]) Number() Column[T] { c.Right = true; return c }

// Optional returns the column without its zero value in JSON.
func (c Column[T]) Optional() Column[T] { c.omit = true; return c }

// Of returns the column with another kind of values in docs/commands.md.
func (c Column[T]) Of(kind string) Column[T] { c.Kind = kind; return c }

// Under returns the columns of r for rows that contain r's.
func Under[T, U any](r *Rows[U], of func(item *T) *U) []Column[T] {
	columns := make([]Column[T], len(r.Columns))
	for i, c := range r.Columns {
		columns[i] = Column[T]{Name: c.Name, Head: c.Head, Kind: c.Kind, Right: c.Right, omit: c.omit, other: true}
		columns[i].value = func(item *T) any { return c.value(of(item)) }
		columns[i].Cell = func(item *T) string { return c.Cell(of(item)) }
	}
	return columns
}

// Typed returns the column with the type that distinguishes a row from others.
func Typed[T any](name string) Column[T] {
	return Col("type", "`"+name+"`", func(*T) string { return name })
}

// kindOf returns what docs/commands.md calls values of a type.
func kindOf(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return kindOf(t.Elem())
	case t == reflect.TypeFor[time.Time]():
		return "time"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.String:
		return "text"
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		return kindOf(t.Elem()) + "s"
	}
	return "number"
}

// printable returns a value as JSON shows it: printable text, times as [Moment] returns them, and no null
// lists.
func printable(value any) any {
	switch v := value.(type) {
	case string:
		return text.Printable(v)
	case time.Time:
		return Moment(v)
	case []int:
		return append([]int{}, v...)
	case []string:
		return text.Each(v, text.Printable)
	}
	return value
}

func cellOf(value any) string {
	switch v := value.(type) {
	case No:
		return number(v)
	case float64:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case time.Time:
		return v.Format(MomentForm + "Z")
	case []string:
		return strings.Join(v, ",")
	case []int:
		return join(v)
	case [2]int:
		return join(v[:])
	}
	return fmt.Sprint(value)
}

// JSON returns an item as an object.
func (r *Rows[T]) JSON(item *T) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, c := range r.Columns {
		if c.Name == "" {
			continue
		}
		value := c.value(item)
		if c.omit && reflect.ValueOf(value).IsZero() {
			continue
		}
		b.WriteString(`,"` + c.Name + `":`)
		if err := enc.Encode(value); err != nil {
			panic("plain: " + r.Object + "." + c.Name + ": " + err.Error()) // a value that JSON cannot represent
		}
	}
	object := bytes.ReplaceAll(b.Bytes(), []byte("\n"), nil) // JSON has none inside values
	object[0] = '{'
	return append(object, '}')
}

// Objects returns items as objects.
func (r *Rows[T]) Objects(items []T) []any {
	list := make([]any, len(items))
	for i := range items {
		list[i] = r.JSON(&items[i])
	}
	return list
}

// Column returns the column with that head; there must be one.
func (r *Rows[T]) Column(head string) *Column[T] {
	i := slices.IndexFunc(r.Columns, func(c Column[T]) bool { return c.Head == head })
	return &r.Columns[i]
}

// Lines formats items in columns under a line of heads, at least two spaces apart. Cells contain only single
// spaces, and an empty cell becomes "-", so that all rows have the same number of cells.
func (r *Rows[T]) Lines(items []T) []string {
	if len(items) == 0 && r.None != "" {
		return []string{r.None}
	}
	heads := strings.Fields(r.Text)
	lines := make([]string, len(items)+1)
	for n, head := range heads {
		c := r.Column(head)
		cells := []string{shown(head)}
		for i := range items {
			cells = append(cells, cmp.Or(text.Printable(c.Cell(&items[i])), "-"))
		}
		width := 0
		for _, s := range cells {
			width = max(width, text.Width(s))
		}
		for i, s := range cells {
			pad := strings.Repeat(" ", width-text.Width(s))
			switch {
			case c.Right:
				s = pad + s
			case n < len(heads)-1:
				s += pad
			}
			if n > 0 {
				s = "  " + s
			}
			lines[i] += s
		}
	}
	return lines
}

// Say describes an item in a sentence, for people who do not see columns: r.Aloud, with cells for the heads after dollar signs.
// A part between commas is left out if its cell is empty.
func (r *Rows[T]) Say(item *T) string {
	var parts []string
	for part := range strings.SplitSeq(r.Aloud, ", ") {
		empty := false
		said := os.Expand(part, func(head string) string {
			c := r.Column(head)
			cell := c.Cell(item)
			if c.Kind == "time" {
				cell = event.DayAndTime(c.value(item).(time.Time))
			}
			empty = cell == ""
			return text.Printable(cell)
		})
		if !empty {
			parts = append(parts, said)
		}
	}
	return text.Sentence(strings.Join(parts, ", "))
}

// Cells formats rows of cells in columns as [Rows.Lines] does. Columns whose head begins with > are aligned to the right.
func Cells(heads string, rows [][]string) []string {
	r := Rows[[]string]{Text: heads}
	for i, head := range strings.Fields(heads) {
		c := TextCol(head, func(row *[]string) string { return (*row)[i] })
		c.Right = head[0] == '>'
		r.Columns = append(r.Columns, c)
	}
	return r.Lines(rows)
}

// shown returns a head as text shows it: without what follows a colon, which only makes heads unique, and
// with spaces for _.
func shown(head string) string {
	head, _, _ = strings.Cut(strings.TrimPrefix(head, ">"), ":")
	return strings.ReplaceAll(head, "_", " ")
}

// Object is a row or another object of JSON, as docs/commands.md describes it.
type Object struct {
	Name, About string
	Fields      [][3]string // name, kind, meaning
}

// Describer is something that docs/commands.md describes: [Rows] or a [Struct].
type Describer interface{ Described() Object }

func (r *Rows[T]) Described() Object {
	o := Object{Name: r.Object, About: r.About}
	for _, c := range r.Columns {
		if c.Name != "" && !c.other {
			o.Fields = append(o.Fields, [3]string{c.Name, c.Kind, c.Means})
		}
	}
	return o
}

// Struct is a description of T. The meanings of T's fields are in their tags, and so are their kinds where
// these are not plain.
type Struct[T any] string

func (about Struct[T]) Described() Object {
	t := reflect.TypeFor[T]()
	o := Object{Name: strings.ToLower(t.Name()), About: string(about)}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		o.Fields = append(o.Fields, [3]string{name, cmp.Or(f.Tag.Get("kind"), kindOf(f.Type)), f.Tag.Get("means")})
	}
	return o
}
