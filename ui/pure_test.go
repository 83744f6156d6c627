package ui

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// draws checks that drawing changes nothing: Lines and Chrome keep the page, and return the same again.
func (w *walker) draws() {
	w.t.Helper()
	if w.m.page == nil {
		return
	}
	before := stateOf(w.m.page)
	lines := w.m.page.Lines()
	chrome := fmt.Sprint(w.m.page.Chrome())
	if after := stateOf(w.m.page); after != before {
		w.fail("drawing has changed the page:\n%s\n%s", before, after)
	}
	if !slices.Equal(lines, w.m.page.Lines()) || chrome != fmt.Sprint(w.m.page.Chrome()) {
		w.fail("the page looks different when it is drawn again")
	}
}

// stateOf returns a page's state as text: values of its own package and of package page in full, all others
// by address. It leaves out cached drawings, whose type is called cache.
func stateOf(p any) string {
	v := reflect.ValueOf(p)
	d := dumper{own: v.Elem().Type().PkgPath(), seen: map[uintptr]bool{}}
	d.dump(v)
	return d.String()
}

type dumper struct {
	strings.Builder
	own  string
	seen map[uintptr]bool
}

func (d *dumper) known(t reflect.Type) bool {
	return strings.HasPrefix(t.PkgPath(), d.own) || t.PkgPath() == "boneyard/ui/page" && t.Name() != "Env" ||
		t.PkgPath() == "charm.land/bubbles/v2/textinput"
}

func (d *dumper) dump(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || !d.known(v.Type().Elem()) || d.seen[v.Pointer()] {
			fmt.Fprintf(d, "%#x", v.Pointer())
			return
		}
		d.seen[v.Pointer()] = true
		d.dump(v.Elem())
	case reflect.Struct:
		d.WriteString(v.Type().Name() + "{")
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Type.Name() != "cache" {
				d.WriteString(f.Name + ":")
				d.dump(v.Field(i))
				d.WriteString(" ")
			}
		}
		d.WriteString("}")
	case reflect.Slice:
		fmt.Fprintf(d, "[%d]%#x", v.Len(), v.Pointer())
		if v.Len() > 0 && v.Len() < 1000 {
			d.elements(v)
		}
	case reflect.Array:
		d.elements(v)
	case reflect.Map:
		fmt.Fprintf(d, "map[%d]%#x", v.Len(), v.Pointer())
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		fmt.Fprintf(d, "%#x", v.Pointer())
	case reflect.Interface:
		if v.IsNil() {
			d.WriteString("nil")
			return
		}
		d.dump(v.Elem())
	default:
		fmt.Fprintf(d, "%v", v)
	}
}

func (d *dumper) elements(v reflect.Value) {
	d.WriteString("(")
	for i := range v.Len() {
		d.dump(v.Index(i))
		d.WriteString(" ")
	}
	d.WriteString(")")
}
