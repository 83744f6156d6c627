package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"boneyard/rules/record"
	"boneyard/rules/replay"
	"boneyard/ui/theme"
)

// newReplayCommand returns the command that shows a record in a local terminal; it needs no server.
func newReplayCommand() *cobra.Command {
	var colours, faces string
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Step through a game record in this terminal",
		Long: `Replay shows a recorded game move by move, with what else could have been played. A file named -
is standard input: ssh HOST export 412 | boneyard replay -

Of a damaged record it shows what is valid, and says which line is not; the exit status is then 1.`,
		Args: takes(1, 1, "replay needs the name of one file, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			look, err := parseLook(colours, faces)
			if err != nil {
				return usageError{err}
			}
			return replayFile(cmd, args[0], look)
		},
	}
	cmd.Flags().StringVar(&colours, "theme", "", "dark, light or mono (default: to match the terminal's background)")
	cmd.Flags().StringVar(&faces, "faces", string(theme.Digits), "how tiles are drawn: digits, pips or ascii")
	return cmd
}

// look is how a local terminal is drawn. Without a name, the terminal's background decides.
type look struct {
	name  *theme.Name
	faces theme.Faces
}

func parseLook(colours, faces string) (l look, err error) {
	if l.faces, err = theme.ParseFaces(faces); err != nil || colours == "" {
		return l, err
	}
	name, err := theme.ParseName(colours)
	l.name = &name
	return l, err
}

// replayFile shows a record until the person leaves. The error names the line where a damaged one breaks off.
func replayFile(cmd *cobra.Command, name string, l look) error {
	title, keys := filepath.Base(name), cmd.InOrStdin()
	if name == "-" {
		title, keys = "standard input", nil
	}
	src, err := openRecord(name, cmd.InOrStdin())
	if err != nil {
		return atRecord(name, err)
	}
	defer src.Close()
	rec, err := replay.Read(src)
	if err == nil && len(rec.Moments) == 0 {
		err = errNotBegun
	}
	if len(rec.Moments) == 0 {
		return atRecord(name, err)
	}
	fault, _ := errors.AsType[*record.Error](err)
	if keys == nil {
		tty, _, err := tea.OpenTTY()
		if err != nil {
			return errNoTerminal
		}
		defer tty.Close()
		keys = tty
	}
	return errors.Join(showReplay(cmd.Context(), keys, cmd.OutOrStdout(), newReplayer(rec, title, fault, l)), atRecord(name, err))
}

// errNoTerminal is returned if nobody could press a key, or see anything.
var errNoTerminal = errors.New("replay needs a terminal; to check a record without one, use boneyard verify")

// showReplay runs the player on the terminal of in and out, and restores the terminal.
func showReplay(ctx context.Context, in io.Reader, out io.Writer, p *replayer) error {
	keys, ok := in.(*os.File)
	screen, also := out.(*os.File)
	if !ok || !also || !term.IsTerminal(keys.Fd()) || !term.IsTerminal(screen.Fd()) {
		return errNoTerminal
	}
	was, err := term.MakeRaw(keys.Fd())
	if err != nil {
		return fmt.Errorf("set the terminal: %w", err)
	}
	resized := make(chan os.Signal, 1)
	notifyResize(resized)
	defer signal.Stop(resized)
	err = p.run(ctx, keys, screen, func(ctx context.Context) (w, h int, ok bool) {
		select {
		case <-ctx.Done():
			return 0, 0, false
		case <-resized:
		}
		w, h, err := term.GetSize(screen.Fd())
		return w, h, err == nil
	})
	return errors.Join(err, term.Restore(keys.Fd(), was))
}
