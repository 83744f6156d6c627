package gate

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
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
		ty.got.Write(ty.k.filter(ty.now, []byte(text[:n]), n))
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

// On an unsteady line the rest of an oversized paste comes after a pause. It must be dropped, since its text
// would count as keys; keys count again after its end, or after a long silence without one.
func TestTheRestOfAPasteIsNoKey(t *testing.T) {
	limits := DefaultConfig().Input
	for _, ending := range []string{"\x1b[201~", ""} {
		for cut := range inputChunk {
			ty := newTypist()
			ty.types(strings.Repeat("k", cut)+"\x1b[200~"+strings.Repeat("x", 10_000), inputChunk, 0)
			got := ty.got.String()
			ty.types(strings.Repeat("y\rX", 100)+ending, 7, 2*limits.KeyQuiet)
			require.Equal(t, got, ty.got.String())
			pause := limits.KeyQuiet
			if ending == "" {
				pause = pasteQuiet
			}
			ty.types("q", 1, pause)
			require.Equal(t, got+"q", ty.got.String())
		}
	}
}

// A reader that counts what was read of it.
type counted struct {
	io.Reader
	n atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// Without a terminal nothing is lost, and no more is read from the channel than the inbox holds.
func TestInboxWithoutTerminalLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newInbox()
		want := bytes.Repeat([]byte("0123456789"), 60_000)
		src := &counted{Reader: bytes.NewReader(want)}
		go in.pump(src)
		synctest.Wait()
		require.LessOrEqual(t, src.n.Load(), int64(MaxUnread))
		require.True(t, in.full())
		got, err := io.ReadAll(in)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.False(t, in.full())
	})
}

// The sender waits until the reader has read half, but not for ever if it reads nothing.
func TestInboxIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := newInbox()
		go in.pump(io.MultiReader(bytes.NewReader(make([]byte, MaxUnread)), &eternal{}))
		synctest.Wait()
		began := time.Now()
		require.False(t, in.awaitRoom(time.Minute))
		require.Equal(t, time.Minute, time.Since(began))

		var room atomic.Bool
		go func() {
			require.True(t, in.awaitRoom(time.Minute), "some of it is read each half minute")
			room.Store(true)
		}()
		line := make([]byte, 64)
		for read := 0; read < MaxUnread/2; read += len(line) {
			synctest.Wait()
			require.False(t, room.Load(), "%d bytes were read", read)
			time.Sleep(30 * time.Second)
			_, err := io.ReadFull(in, line)
			require.NoError(t, err)
		}
		synctest.Wait()
		require.True(t, room.Load())
		in.close()
	})
}

// eternal is a channel on which nothing more comes.
type eternal struct{}

func (eternal) Read([]byte) (int, error) { return 0, io.EOF }

func TestInboxOfATerminalNobodyReads(t *testing.T) {
	in := newInbox()
	in.setKeys(newKeyLimiter(DefaultConfig().Input))
	now := time.Unix(1e9, 0)
	for range 1000 {
		now = now.Add(time.Second)
		in.put(now, make([]byte, inputChunk), nil)
	}
	require.LessOrEqual(t, in.buf.Len(), maxUnreadKeys)
	broken := errors.New("broken")
	in.put(now, nil, broken)
	_, err := io.Copy(io.Discard, in)
	require.ErrorIs(t, err, broken)
}

// Ready has a value as long as there is something to read, and at the end.
func TestInboxIsReady(t *testing.T) {
	in := newInbox()
	require.Empty(t, in.Ready())
	in.put(time.Now(), []byte("abcd"), nil)
	in.put(time.Now(), []byte("ef"), nil)
	require.Len(t, in.Ready(), 1)
	var b [4]byte
	for _, want := range []string{"abcd", "ef"} {
		<-in.Ready()
		n, err := in.Read(b[:])
		require.NoError(t, err)
		require.Equal(t, want, string(b[:n]))
	}
	require.Empty(t, in.Ready(), "all of it is read")
	in.close()
	<-in.Ready()
	_, err := in.Read(b[:])
	require.ErrorIs(t, err, io.EOF)
}

// Unread keys beyond the limit are dropped like a flood: the closing bracket of a paste is supplied.
func TestNoRoomForTheEndOfAPaste(t *testing.T) {
	in := newInbox()
	in.setKeys(newKeyLimiter(DefaultConfig().Input))
	now := time.Now()
	in.put(now, pasteOpens, nil)
	for left := maxUnreadKeys - len(pasteOpens); left > 0; left -= inputChunk { // a slow paste, which the rate lets through
		now = now.Add(time.Second)
		in.put(now, bytes.Repeat([]byte("a"), min(left, inputChunk)), nil)
	}
	in.put(now.Add(time.Second), pasteCloses, nil)
	in.put(now.Add(2*time.Second), nil, io.EOF)
	all, err := io.ReadAll(in)
	require.NoError(t, err)
	require.Contains(t, string(all), string(pasteOpens))
	require.Contains(t, string(all), string(pasteCloses))
	require.LessOrEqual(t, len(all), maxUnreadKeys+len(pasteCloses))
}
