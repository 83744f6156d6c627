package gate

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// typist feeds a key limiter at times it chooses.
type typist struct {
	k   *keyLimiter
	now time.Time
	got bytes.Buffer
}

func newTypist() *typist {
	return &typist{k: newKeyLimiter(DefaultConfig().Input), now: time.Unix(1e9, 0)}
}

// types sends text in chunks as they come off the line, each after a pause.
func (ty *typist) types(text string, chunk int, pause time.Duration) {
	for len(text) > 0 {
		n := min(chunk, len(text))
		ty.now = ty.now.Add(pause)
		ty.got.Write(ty.k.filter(ty.now, []byte(text[:n])))
		text = text[n:]
	}
}

func TestPeopleTypeUnhindered(t *testing.T) {
	ty := newTypist()
	keys := strings.Repeat("\x1b[C", 3000)
	ty.types(keys, 3, time.Second/60) // a held arrow key
	require.Equal(t, len(keys), ty.got.Len())

	line := strings.Repeat("ä", 240) // the longest line of chat, pasted
	ty.types(line, 512, 0)
	require.Equal(t, len(keys)+len(line), ty.got.Len())
}

func TestAFloodOfKeysIsDropped(t *testing.T) {
	ty := newTypist()
	limits := DefaultConfig().Input
	ty.types(strings.Repeat("\r", 1_000_000), inputChunk, 2*time.Millisecond) // 256 kB/s, as the line lets through
	require.LessOrEqual(t, ty.got.Len(), limits.KeyBurst+limits.KeyRate)

	ty.got.Reset()
	ty.types("q", 1, limits.KeyQuiet)
	require.Equal(t, "q", ty.got.String(), "the first key after it counts")
}

func TestAFloodClosesItsPaste(t *testing.T) {
	for cut := 1; cut <= 7; cut++ { // wherever the bracket is split
		ty := newTypist()
		paste := "\x1b[200~" + strings.Repeat("x", 1_000_000) + "\x1b[201~"
		ty.types(paste[:cut], cut, 0)
		ty.types(paste[cut:], inputChunk, 0)
		require.True(t, strings.HasSuffix(ty.got.String(), "x\x1b[201~"), "cut at %d", cut)
		require.Equal(t, 1, strings.Count(ty.got.String(), "\x1b[201~"))
	}

	ty := newTypist()
	ty.types("\x1b[200~hello\x1b[201~", 4, 0)
	ty.types(strings.Repeat("\r", 1_000_000), inputChunk, 0)
	require.Equal(t, 1, strings.Count(ty.got.String(), "\x1b[201~"), "a paste that was closed is not closed again")
}

func TestInboxWithoutTerminalLosesNothing(t *testing.T) {
	in := newInbox(nil)
	want := bytes.Repeat([]byte("0123456789"), maxUnread/10)
	require.True(t, in.put(time.Now(), want, nil))
	require.True(t, in.put(time.Now(), nil, io.EOF))
	got, err := io.ReadAll(in)
	require.NoError(t, err)
	require.Equal(t, want, got)

	in = newInbox(nil)
	require.True(t, in.put(time.Now(), make([]byte, maxUnread), nil))
	require.False(t, in.put(time.Now(), []byte("x"), nil), "but what is too much ends the line")
}

func TestInboxOfATerminalNobodyReads(t *testing.T) {
	in := newInbox(nil)
	in.setKeys(newKeyLimiter(DefaultConfig().Input))
	now := time.Unix(1e9, 0)
	for range 1000 {
		now = now.Add(time.Second)
		require.True(t, in.put(now, make([]byte, inputChunk), nil))
	}
	require.LessOrEqual(t, in.buf.Len(), maxUnreadKeys)
	broken := errors.New("broken")
	in.put(now, nil, broken)
	_, err := io.Copy(io.Discard, in)
	require.ErrorIs(t, err, broken)
}
