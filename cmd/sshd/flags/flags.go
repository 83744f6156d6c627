// Package flags declares the flags of a command from the fields of a struct: it knows their tags, and must not know
// what they mean.
package flags

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// text is a value that is written as a text.
type text interface {
	encoding.TextUnmarshaler
	encoding.TextMarshaler
}

// brackets makes of angle brackets what pflag wants, and a tag cannot have.
var brackets = strings.NewReplacer("<", "`", ">", "`")

// Declare declares a flag for each field of the struct to which to points, and of the structs in it, that has a tag
// "flag" with the name; its tag "about" says what it is for, with what the value is in angle brackets, and what the
// field holds is the default. With names, it declares only these, in the order of the fields. Of two fields with one
// name the first counts.
func Declare(f *pflag.FlagSet, to any, only ...string) {
	v := reflect.ValueOf(to).Elem()
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, about := field.Tag.Get("flag"), brackets.Replace(field.Tag.Get("about"))
		if field.Type.Kind() == reflect.Struct && field.IsExported() {
			Declare(f, v.Field(i).Addr().Interface(), only...)
		}
		if name == "" || len(only) > 0 && !slices.Contains(only, name) || f.Lookup(name) != nil {
			continue
		}
		switch p := v.Field(i).Addr().Interface().(type) {
		case text:
			f.TextVar(p, name, p, about)
			f.Lookup(name).DefValue = strings.ToLower(f.Lookup(name).DefValue) // [slog.Level] writes capitals
		case *string:
			f.StringVar(p, name, *p, about)
		case *[]string:
			f.StringSliceVar(p, name, *p, about)
		case *bool:
			f.BoolVar(p, name, *p, about)
		case *int:
			f.IntVar(p, name, *p, about)
		case *uint64:
			f.Uint64Var(p, name, *p, about)
		case *float64:
			f.Float64Var(p, name, *p, about)
		case *time.Duration:
			f.DurationVar(p, name, *p, about)
		default:
			panic(fmt.Sprintf("a flag --%s of type %T", name, p)) // of the program's own making
		}
	}
}
