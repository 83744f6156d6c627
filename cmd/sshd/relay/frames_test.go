package relay

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshd/gate"
)

// allFrames are the kinds of frames there are.
var allFrames = []frameKind{frameHeader, frameInput, frameEOF, frameResize, frameGone, frameClosed, frameOut, frameErr, frameTaken,
	frameKeep, frameMoves,
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

// The frames of version 2. To change anything here, make a new version.
func TestFramesKeepTheirForm(t *testing.T) {
	var line bytes.Buffer
	for _, k := range allFrames {
		content := []byte("content")[:min(k.most(), 7)]
		require.NoError(t, writeFrame(&line, k, content))
	}
	require.NoError(t, writeNumber(&line, frameTaken, 258))
	require.NoError(t, writeSize(&line, gate.Size{Width: 120, Height: 40}))
	require.Equal(t, "h\x00\x00\x00\acontent"+"i\x00\x00\x00\acontent"+"e\x00\x00\x00\x00"+"r\x00\x00\x00\x04cont"+"g\x00\x00\x00\x00"+
		"c\x00\x00\x00\x00"+
		"o\x00\x00\x00\acontent"+"x\x00\x00\x00\acontent"+"t\x00\x00\x00\x04cont"+"k\x00\x00\x00\acontent"+"m\x00\x00\x00\x00"+
		"n\x00\x00\x00\x00"+
		"q\x00\x00\x00\acontent"+"t\x00\x00\x00\x04\x00\x00\x01\x02"+"r\x00\x00\x00\x04\x00x\x00(", line.String())
	ending, err := json.Marshal(gate.Outcome{Status: 3, Refused: "full", Why: gate.ReasonHungUp})
	require.NoError(t, err)
	require.Equal(t, `{"Status":3,"Refused":"full","Why":"`+string(gate.ReasonHungUp)+`"}`, string(ending))
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
		"too long":          frame(byte(frameKeep), gate.MaxKept+1, strings.Repeat("x", gate.MaxKept+1)),
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

// FuzzFrames reads anything as frames, and anything as a header.
func FuzzFrames(f *testing.F) {
	b, err := gate.Describe("one", &gate.Call{Addr: netip.MustParseAddr("2001:db8::7"), User: "ana", Command: []string{"play", "höchst"}})
	require.NoError(f, err)
	var line bytes.Buffer
	require.NoError(f, writeFrame(&line, frameHeader, b))
	require.NoError(f, writeFrame(&line, frameInput, []byte("quit\r")))
	require.NoError(f, writeSize(&line, gate.Size{Width: 80, Height: 24}))
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
	node, c, err := gate.Described(b)
	if err != nil {
		return
	}
	again, err := gate.Describe(node, c)
	require.NoError(t, err)
	_, same, err := gate.Described(again)
	require.NoError(t, err)
	require.Equal(t, c, same)
}
