package record_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"boneyard/rules/record"
	"boneyard/rules/record/recordtest"
)

const mega = 1 << 20

// Inputs of 10 MB and more get a clear answer, in memory that does not grow with them.
func TestBigInputs(t *testing.T) {
	for _, c := range []struct {
		name   string
		prefix string
		repeat string
		line   int // where it stops; 0 if it is valid
	}{
		{"one line of comment", "domino 1\n#", "x", 2},
		{"one line of NULs", "domino 1\n", "\x00", 2},
		{"one line of blanks", "domino 1\n", " ", 2},
		{"one line of digits", "domino 1\noptions ", "9", 2},
		{"many comments", "domino 1\n", "# nothing\n", 0},
		{"blank lines", "domino 1\n", "\n", 0},
		{"carriage returns", "", "domino 1\r\n", 1},
		{"many tags", "domino 1\n", "tag key and a value\n", 0},
		{"many options", dealt, "options 2\n", 0},
		{"wrong UTF-8", "domino 1\n", "\xff\n", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			size := 10 * mega
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			peak := &peakReader{r: io.MultiReader(strings.NewReader(c.prefix), &repeater{text: c.repeat, left: size / len(c.repeat)})}
			err := record.Check(peak)
			runtime.ReadMemStats(&after)
			var fault *record.Error
			switch {
			case c.line == 0 && err != nil:
				t.Errorf("refused: %v", err)
			case c.line != 0 && (!errors.As(err, &fault) || fault.Line != c.line || len(err.Error()) > 400):
				t.Errorf("got %v, want a short fault in line %d", err, c.line)
			}
			if grown := int64(peak.peak) - int64(before.HeapAlloc); grown > 8*mega {
				t.Errorf("the heap grew by %d kB while %d kB were read", grown>>10, size>>10)
			}
			if total := after.TotalAlloc - before.TotalAlloc; total > uint64(40*size) {
				t.Errorf("%d kB were allocated to read %d kB", total>>10, size>>10)
			}
		})
	}
}

// repeater is a long stream that is not held in memory.
type repeater struct {
	text string
	left int // times
	at   int
}

func (r *repeater) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && r.left > 0 {
		k := copy(p[n:], r.text[r.at:])
		n += k
		if r.at += k; r.at == len(r.text) {
			r.at = 0
			r.left--
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// peakReader measures the live heap now and then while it is read.
type peakReader struct {
	r     io.Reader
	reads int
	peak  uint64
}

func (p *peakReader) Read(b []byte) (int, error) {
	if p.reads++; p.reads%16 == 0 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		p.peak = max(p.peak, m.HeapAlloc)
	}
	return p.r.Read(b)
}

// Seeds are the vectors; what the fuzzer found stays in testdata/fuzz.
func FuzzRecord(f *testing.F) {
	for _, pattern := range []string{"testdata/*.dom", "testdata/valid/*.dom", "testdata/invalid/*.dom"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			f.Fatalf("no seeds match %s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text[:min(len(text), 2000)])) // the fuzzer gets nowhere with long ones
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		once, err := recordtest.Canonical(strings.NewReader(text))
		if err != nil {
			var fault *record.Error
			if !errors.As(err, &fault) || fault.Line < 1 || fault.Line > 1+strings.Count(text, "\n") || len(err.Error()) > 2000 {
				t.Fatalf("refused with %q", err)
			}
		}
		// The part before a fault is a record, too.
		if once == "" {
			return
		}
		twice, err := recordtest.Canonical(strings.NewReader(once))
		if err != nil {
			t.Fatalf("the canonical form is refused: %v\n%s", err, once)
		}
		if once != twice {
			t.Fatalf("%q is written again as %q", once, twice)
		}
		if len(once) > 4*len(text)+200 {
			t.Fatalf("%d bytes are written as %d", len(text), len(once))
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	text, err := os.ReadFile("testdata/valid/spruce-2p-01.dom")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := record.Check(strings.NewReader(string(text))); err != nil {
			b.Fatal(err)
		}
	}
}
