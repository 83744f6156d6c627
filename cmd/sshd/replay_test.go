package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	xterm "github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"boneyard/rules/record"
	"boneyard/rules/replay"
	"boneyard/ui/theme"
)

// The scripts in testdata/replay try what replay refuses.
func TestReplayScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/replay",
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// watchReplay shows a record on a pseudo terminal of 80×24, as replay does on a real one. Its result comes when it has ended.
func watchReplay(ctx context.Context, t *testing.T, lines string) (*terminal, <-chan error) {
	t.Helper()
	rec, err := replay.Read(strings.NewReader(lines))
	var fault *record.Error
	if err != nil {
		require.ErrorAs(t, err, &fault)
	}
	keys, tty, err := pty.Open()
	require.NoError(t, err)
	t.Cleanup(func() { _ = tty.Close() })
	require.NoError(t, pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 80}))
	term := &terminal{t: t, name: "replay", keys: keys, changed: make(chan struct{}), screen: vt10x.New(vt10x.WithSize(80, 24))}
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 4096)
		for {
			n, err := keys.Read(buf)
			if err != nil {
				return
			}
			_, _ = term.Write(buf[:n])
		}
	}()
	was, err := xterm.GetState(tty.Fd())
	require.NoError(t, err)
	result := make(chan error, 1)
	go func() {
		err := showReplay(ctx, tty, tty, newReplayer(rec, "game.dom", fault, look{faces: theme.Digits}))
		now, also := xterm.GetState(tty.Fd())
		if also == nil && !assert.ObjectsAreEqual(was, now) {
			also = errors.New("the terminal is not as it was")
		}
		result <- errors.Join(err, also)
	}()
	t.Cleanup(func() {
		_ = tty.Close()
		_ = keys.Close()
		<-read
	})
	return term, result
}

func azneef(t *testing.T) string {
	t.Helper()
	b := readFile(t, "../../rules/record/testdata/valid/azneef-teams-4p-01.dom")
	return string(b)
}

func TestReplayOnTerminal(t *testing.T) {
	t.Parallel()
	term, ended := watchReplay(t.Context(), t, azneef(t))
	term.shows("Replay", "game.dom", "Round 1 is dealt; ana leads.", "0 of 92")
	term.press(right + right)
	term.shows("ben 6-4 R", "2 of 92")
	term.press("g42" + enter)
	term.shows("42 of 92", "15 points left")
	term.press("s")
	term.shows("Points left on the table")
	term.press("sg91" + enter)
	term.shows("91 of 92")
	term.press(" ")
	term.shows("92 of 92") // it plays by itself, and stays at the end
	term.press("q")
	require.NoError(t, <-ended)
	givenBack(term)
}

func TestReplayOfDamagedRecord(t *testing.T) {
	term, ended := watchReplay(t.Context(), t, strings.Replace(azneef(t), "2 6-4 R = 16", "2 6-4 R = 15", 1))
	term.shows("0 of 1", "The record is damaged: Line 17: found")
	term.press("\x04")
	require.NoError(t, <-ended)
}

// A signal to the process ends the viewer, and gives the terminal back.
func TestReplayIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	term, ended := watchReplay(ctx, t, azneef(t))
	term.shows("0 of 92")
	cancel()
	require.NoError(t, <-ended)
	givenBack(term)
}

// givenBack waits for the terminal to show again what it showed before.
func givenBack(term *terminal) {
	term.t.Helper()
	term.until("the old screen", func(string) bool { return bytes.Contains(term.bytes(), []byte("\x1b[?1049l")) })
}
