package page_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boneyard/ui/page"
)

// leaves returns the numbers, texts and bools of a target.
func leaves(v reflect.Value) (all []reflect.Value) {
	if v.Kind() != reflect.Struct {
		return []reflect.Value{v}
	}
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		switch {
		case v.Type() == reflect.TypeFor[page.Target]() && name == "Kind":
		case name == "Limit", v.Type().Name() == "Player" && name != "ID" && name != "Name": // not the page's
		default:
			all = append(all, leaves(v.Field(i))...)
		}
	}
	return all
}

// A target's text determines the target, whatever its fields are.
func TestTheTextOfATarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := []page.Kind{page.Lobby, page.Table, page.Replay, page.Person, page.Daily, "other"}
		to := page.Target{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		for _, v := range leaves(reflect.ValueOf(&to).Elem()) {
			if !rapid.Bool().Draw(t, "set") {
				continue
			}
			switch v.Kind() {
			case reflect.String:
				v.SetString(rapid.String().Draw(t, "text"))
			case reflect.Bool:
				v.SetBool(true)
			default:
				v.SetInt(rapid.Int64().Draw(t, "number"))
			}
		}
		back, ok := page.ParseTarget(strings.Split(to.String(), " "))
		require.True(t, ok, to.String())
		require.Equal(t, to, back, to.String())
	})
	require.Empty(t, page.Target{}.String())
	require.Equal(t, "watch 12", page.Target{Kind: page.Table, Table: 12}.String())
	for _, words := range []string{"nowhere 1", "watch 0", "watch x", "watch table=", "watch 12 blue=on", "lobby 3", "games own=yes"} {
		to, ok := page.ParseTarget(strings.Fields(words))
		require.False(t, ok, words)
		require.Zero(t, to, words)
	}
}
