package remote

import (
	"bufio"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pieces is an input that comes in pieces.
type pieces struct {
	rng  *rand.Rand
	left string
}

func (p *pieces) Ready() <-chan struct{} { return always }

func (p *pieces) Read(b []byte) (int, error) {
	if p.left == "" {
		return 0, io.EOF
	}
	n := copy(b, p.left[:min(1+p.rng.IntN(700), len(p.left))])
	p.left = p.left[n:]
	return n, nil
}

// However a program's lines are split, next returns those that a scanner finds, except empty ones.
func TestLinesInPieces(t *testing.T) {
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var text strings.Builder
		for range rng.IntN(12) {
			text.WriteString(strings.Repeat("x", []int{0, 1, 60, 511, 512, 2000, longestLine - 1, longestLine}[rng.IntN(7+rng.IntN(2))]))
			text.WriteString([]string{"\n", "\r\n", "\n\n", ""}[rng.IntN(4)])
		}
		var want, got []string
		s := bufio.NewScanner(strings.NewReader(text.String()))
		s.Buffer(nil, longestLine)
		for s.Scan() {
			if len(s.Bytes()) > 0 {
				want = append(want, s.Text())
			}
		}
		l := lines{in: &pieces{rng, text.String()}}
		var err error
		for err == nil {
			var line []byte
			<-l.ready()
			if line, err = l.next(); len(line) > 0 {
				got = append(got, string(line))
			}
		}
		require.Equal(t, want, got, "seed %d", seed)
		require.Equal(t, s.Err() != nil, err == bufio.ErrTooLong, "seed %d", seed)
	}
}
