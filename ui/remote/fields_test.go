package remote_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/ui/golden"
	"boneyard/ui/plain"
	"boneyard/ui/remote"
)

// objects are all that the commands write and read as JSON.
var objects = []any{
	remote.Help{}, remote.HelpFlag{}, remote.HelpWord{}, remote.Registered{}, plain.Person{}, plain.Whois{}, plain.Versus{}, plain.Table{}, plain.Seat{}, remote.Taken{},
	plain.Standing{}, plain.Game{}, remote.GameHead{}, remote.RoundHead{}, remote.State{}, remote.Piece{}, remote.End{}, remote.Option{},
	remote.Move{}, remote.Scoring{}, remote.Result{}, remote.Change{}, remote.Note{}, remote.Chat{}, remote.Done{}, remote.Failure{}, remote.Bye{},
	remote.Input{}, remote.CoachHead{}, remote.CoachRound{}, remote.CoachDecision{}, remote.CoachChoice{},
	plain.Arena{}, plain.ArenaTeam{}, plain.ArenaPlace{},
	plain.Contest{}, plain.LeaguePlace{}, plain.CupPlace{}, plain.Fixture{}, plain.Appointment{}, plain.Duplicate{}, plain.DuplicateRound{}, plain.Field{}, plain.FieldPlace{}, plain.FieldRound{},
	remote.DailyHead{}, remote.DailyRow{}, remote.DailyChoice{}, remote.DailyShare{},
}

// Programs of others rest on the names and types of these fields: a line of this golden file may be added, but none may be
// changed or taken out.
func TestFieldsStay(t *testing.T) {
	var b strings.Builder
	for _, o := range objects {
		typ := reflect.TypeOf(o)
		for f := range typ.Fields() {
			if !f.Anonymous {
				fmt.Fprintf(&b, "%s.%s %s\n", typ.Name(), f.Tag.Get("json"), f.Type)
			}
		}
	}
	golden.Check(t, "fields.txt", b.String())
}

// Each field is described in a row of the table of its object.
func TestFieldsAreDescribed(t *testing.T) {
	doc, err := os.ReadFile("../../docs/commands.md")
	require.NoError(t, err)
	for _, o := range objects {
		typ := reflect.TypeOf(o)
		title := "### " + strings.ToLower(typ.Name()) + "\n"
		_, section, found := strings.Cut(string(doc), title)
		require.True(t, found, "docs/commands.md has no section %q", title)
		section, _, _ = strings.Cut(section, "\n### ")
		for f := range typ.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !f.Anonymous {
				require.Contains(t, section, "| `"+name+"` |", "%s", title)
			}
		}
	}
}
