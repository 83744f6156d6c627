package node

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshd/gate"
	"boneyard/store/cluster"
)

// A person who is typing a line when the club moves presses no keys of the next page.
func TestTheRestOfALineIsNoKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		typed := new(typing)
		w := newWait(new(switchboard), &gate.Call{In: typed, Term: new(gate.Terminal)})
		read := func(text string) string {
			*typed = typing{strings.NewReader(text)}
			var b [32]byte
			n, err := w.call.In.Read(b[:])
			require.NoError(t, err)
			return string(b[:n])
		}
		require.Equal(t, "/tell ana X", read("/tell ana X"))
		w.failed(cluster.Member{})
		for range 20 {
			time.Sleep(pauseOfTyping / 4)
			require.Empty(t, read("Xy"))
		}
		require.Equal(t, "\x03", read("Xy\x03"), "who wants to leave can")
		ground := "\x1b]11;rgb:ff/ff/ff"
		require.Equal(t, ground+"\a", read("X"+ground+"\ay"), "and a terminal may say what colours suit it")
		require.Equal(t, ground+"\x1b\\", read(ground+"\x1b\\y"))
		time.Sleep(pauseOfTyping)
		require.Equal(t, "p", read("p"))
		require.Equal(t, "q", read("q"))

		time.Sleep(pauseOfTyping)
		w.failed(cluster.Member{})
		require.Equal(t, "p", read("p"), "who was not typing is heard at once")
		time.Sleep(pauseOfTyping)
		w.failed(cluster.Member{})
		*typed = typing{strings.NewReader("X")}
		require.True(t, w.typed(), "while they wait")
		require.Empty(t, read("y"))
		w.call.Term = nil
		w.failed(cluster.Member{})
		require.Equal(t, "quit", read("quit"), "and a script always")
	})
}

type typing struct{ *strings.Reader }

func (typing) Ready() <-chan struct{} { return nil }
