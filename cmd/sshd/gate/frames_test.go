package gate

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// allFrames are the kinds of frames there are.
var allFrames = []frameKind{frameHeader, frameInput, frameEOF, frameResize, frameGone, frameClosed, frameOut, frameErr, frameTaken, frameKeep, frameMoves,
	frameElsewhere, frameEnd}

func TestFramesComeAsTheyWereSent(t *testing.T) {
	var line bytes.Buffer
	want := make(map[frameKind][]byte)
	for i, k := range allFrames {
		want[k] = bytes.Repeat([]byte{byte(i)}, k.most())
		require.NoError(t, writeFrame(&line, k, want[k]))
		require.Error(t, writeFrame(&line, k, append(want[k], 0)), "one byte too many")
	}
	frames := &frameReader{r: &line}
	for _, k := range allFrames {
		kind, content, err := frames.next()
		require.NoError(t, err)
		require.Equal(t, k, kind)
		require.True(t, bytes.Equal(want[k], content))
	}
	_, _, err := frames.next()
	require.ErrorIs(t, err, io.EOF)
}

// Output that is longer than a frame comes in several, each written at once.
func TestLongOutputIsSplit(t *testing.T) {
	var line bytes.Buffer
	want := bytes.Repeat([]byte("0123456789"), maxOutput/4)
	n, err := frameWriter{&line, frameOut}.Write(want)
	require.NoError(t, err)
	require.Equal(t, len(want), n)
	var got []byte
	for frames := (&frameReader{r: &line}); line.Len() > 0; {
		kind, content, err := frames.next()
		require.NoError(t, err)
		require.Equal(t, frameOut, kind)
		got = append(got, content...)
	}
	require.Equal(t, want, got)
}

func TestFramesThatNoNodeSends(t *testing.T) {
	frame := func(kind byte, n uint32, content string) []byte {
		return append(binary.BigEndian.AppendUint32([]byte{kind}, n), content...)
	}
	for name, line := range map[string][]byte{
		"unknown":           frame('?', 0, ""),
		"too long":          frame(byte(frameKeep), MaxKept+1, strings.Repeat("x", MaxKept+1)),
		"as long as memory": frame(byte(frameOut), 1<<32-1, ""),
		"with content":      frame(byte(frameGone), 1, "x"),
	} {
		_, _, err := (&frameReader{r: bytes.NewReader(line)}).next()
		require.ErrorIs(t, err, errFrame, name)
	}
	whole := frame(byte(frameInput), 3, "abc")
	for cut := 1; cut < len(whole); cut++ {
		_, _, err := (&frameReader{r: bytes.NewReader(whole[:cut])}).next()
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "cut after %d bytes", cut)
	}
}

// relayedCall is a call as full as one can be.
func relayedCall(t testing.TB) *Call {
	public := newTestKey(t)
	at := "pages watch 12"
	c := &Call{Addr: netip.MustParseAddr("2001:db8::7"), Exempt: true, Shared: true, User: "ana", Command: []string{"play", "new", "höchst <classic>"},
		Env: []string{"LANG=de_AT.UTF-8", "NO_COLOR="}, Term: &Terminal{Name: "xterm", Size: Size{Width: 120, Height: 40}}, Resume: &at}
	c.identify(public)
	return c
}

func newTestKey(t testing.TB) gossh.PublicKey {
	key, _, _, _, err := gossh.ParseAuthorizedKey([]byte("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS"))
	require.NoError(t, err)
	return key
}

func TestACallIsDescribed(t *testing.T) {
	want := relayedCall(t)
	b, err := headerOf("one", want)
	require.NoError(t, err)
	node, got, err := readHeader(b)
	require.NoError(t, err)
	require.Equal(t, "one", node)
	require.Equal(t, want, got)

	guest := &Call{KeyRefused: "keys of that type are not used here", Addr: netip.MustParseAddr("192.0.2.1")}
	b, err = headerOf("two", guest)
	require.NoError(t, err)
	_, got, err = readHeader(b)
	require.NoError(t, err)
	require.Equal(t, guest, got)
}

// The largest call that the gate lets in fits into a header.
func TestTheLargestCallIsDescribed(t *testing.T) {
	c := relayedCall(t)
	c.Command = []string{strings.Repeat("<", maxCommand)}
	c.Env = nil
	for range maxEnv {
		c.Env = append(c.Env, "LC_X="+strings.Repeat("<", maxEnvLen-5))
	}
	c.User, c.Term.Name = strings.Repeat("<", maxName), strings.Repeat("<", maxName)
	at := strings.Repeat("<", MaxKept)
	c.Resume = &at
	b, err := headerOf(strings.Repeat("n", maxName), c)
	require.NoError(t, err)
	require.NoError(t, writeFrame(io.Discard, frameHeader, b))
	_, got, err := readHeader(b)
	require.NoError(t, err)
	require.Equal(t, c, got)
}

// What another node says of a call is made as clean as what a client says.
func TestADescriptionIsCleaned(t *testing.T) {
	said := func(change func(h *header)) (*Call, error) {
		h := header{Node: "one", Addr: netip.MustParseAddr("192.0.2.1")}
		change(&h)
		b, err := json.Marshal(h)
		require.NoError(t, err)
		_, c, err := readHeader(b)
		return c, err
	}
	c, err := said(func(h *header) {
		h.User = "ana\x1b[2J" + strings.Repeat("x", 1000)
		h.Env = []string{"LANG=C\n", "PATH=/bin", "LC_ALL=C"}
		h.Term = &struct {
			Name string
			Size Size
		}{"xterm\a", Size{Width: 1 << 40, Height: -5}}
	})
	require.NoError(t, err)
	require.Equal(t, "ana[2J"+strings.Repeat("x", maxName-6), c.User)
	require.Equal(t, []string{"LC_ALL=C"}, c.Env)
	require.Equal(t, "xterm", c.Term.Name)
	require.LessOrEqual(t, c.Term.Size.Width, MaxWidth)
	require.Equal(t, DefaultHeight, c.Term.Size.Height)
	for name, change := range map[string]func(h *header){
		"command":     func(h *header) { h.Command = []string{strings.Repeat("x", maxCommand), "y"} },
		"environment": func(h *header) { h.Env = make([]string, maxEnv+1) },
		"key":         func(h *header) { h.AuthorizedKey = "ssh-ed25519 AAAA" },
		"place":       func(h *header) { at := strings.Repeat("x", MaxKept+1); h.Resume = &at },
	} {
		_, err := said(change)
		require.ErrorIs(t, err, errFrame, name)
	}
}

// FuzzFrames reads anything as frames, and anything as a header.
func FuzzFrames(f *testing.F) {
	b, err := headerOf("one", relayedCall(f))
	require.NoError(f, err)
	var line bytes.Buffer
	require.NoError(f, writeFrame(&line, frameHeader, b))
	require.NoError(f, writeFrame(&line, frameInput, []byte("quit\r")))
	require.NoError(f, writeSize(&line, Size{Width: 80, Height: 24}))
	f.Add(line.Bytes())
	f.Add([]byte(`{"Term":{"Name":"x","Size":{"Width":-1}},"Addr":"::ffff:1.2.3.4"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		frames := &frameReader{r: bytes.NewReader(b)}
		for {
			kind, content, err := frames.next()
			if err != nil {
				break
			}
			if len(content) > kind.most() {
				t.Fatalf("a frame %q of %d bytes", byte(kind), len(content))
			}
			if kind == frameHeader {
				checkHeader(t, content)
			}
		}
		checkHeader(t, b)
	})
}

// checkHeader reads a header. A call that comes out of it can be described again.
func checkHeader(t *testing.T, b []byte) {
	node, c, err := readHeader(b)
	if err != nil {
		return
	}
	again, err := headerOf(node, c)
	require.NoError(t, err)
	_, same, err := readHeader(again)
	require.NoError(t, err)
	require.Equal(t, c, same)
}
