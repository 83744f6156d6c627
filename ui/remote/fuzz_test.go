package remote

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// A valid line means the same when it is encoded again, and the error for an invalid one is printable.
func FuzzInput(f *testing.F) {
	for _, line := range []string{
		`{"play":"6-4","arm":"L","version":12,"id":"a"}`, `{"ready":true}`, `{"say":"hello"}`, `{"sit":0}`, `{"add_bot":2,"strength":"master"}`,
		`{"swap":5}`, `{"vote":"bot"}`, `{"leave":true,"resign":true}`, `{"play":"6-7"}`, `{"unknown":1}`, `{"sit":"x"}`, `{}{}`, `[]`, "\x00",
		`{"play":null}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		in, err := readInput(line)
		if err != nil {
			checkSaid(t, fault(err))
			return
		}
		p := participant{version: 7}
		c, refused := p.command(&in)
		if refused != nil {
			checkSaid(t, refused.Error())
		}
		written, err := json.Marshal(&in)
		if err != nil {
			t.Fatal(err)
		}
		again, err := readInput(written)
		if err != nil || !reflect.DeepEqual(in, again) {
			t.Fatalf("%q became %q, which is %v, %v", line, written, again, err)
		}
		if d, twice := p.command(&again); !reflect.DeepEqual(c, d) || (twice == nil) != (refused == nil) {
			t.Fatalf("%q means %v, %v, and %q %v, %v", line, c, refused, written, d, twice)
		}
	})
}

// A command line is accepted with the words and numbers that the command allows, or refused with a printable
// line.
func FuzzCommandLine(f *testing.F) {
	for _, name := range Names() {
		f.Add(name + " CODE WORDS")
		f.Add(name + " --json --limit 5 --before 3 --game classic x")
	}
	f.Add("games --limit=-1")
	f.Add("help \u202etxt --\x1b[31m")
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Fields(line)
		if len(words) == 0 {
			return
		}
		c := call{Session: &Session{Command: words}}
		cmd, err := c.parse()
		if err != nil {
			checkSaid(t, err.Error())
			return
		}
		least, most := cmd.Takes()
		if n := len(c.args); n < least || most >= 0 && n > most {
			t.Fatalf("%q: %s takes %d words", line, cmd.Name, n)
		}
	})
}

// checkSaid fails for text that would not stay on one line of a terminal.
func checkSaid(t *testing.T, said string) {
	if said == "" || utf8.RuneCountInString(said) > 1000 {
		t.Fatalf("said: %q", said)
	}
	if i := strings.IndexFunc(said, unicode.IsControl); i >= 0 {
		t.Fatalf("said: %q", said)
	}
}
