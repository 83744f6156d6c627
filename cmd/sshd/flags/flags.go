// Package flags declares the flags of a command from the fields of a struct: it knows their tags, and must
// not know what they mean.
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

// text is a value with a textual form.
type text interface {
	encoding.TextUnmarshaler
	encoding.TextMarshaler
}

// brackets replaces angle brackets by the backquotes that pflag wants, which a tag cannot contain.
var brackets = strings.NewReplacer("<", "`", ">", "`")

// Declare declares a flag for each field of the struct that to points to, and of the structs in it, that has
// a tag "flag" with the name. The tag "about" is the usage, with the value's name in angle brackets, and the
// field's value is the default. With only, it declares only these names, in the order of the fields. Of two
// fields with one name, the first counts.
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
			panic(fmt.Sprintf("a flag --%s of type %T", name, p)) // a bug in the program
		}
	}
}
