package feature

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/rules/replay"
	"boneyard/ui/games/viewer"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// The sizes of a cast.
const (
	castWidth, castHeight   = 80, 24
	leastWidth, leastHeight = 40, 12
	mostWidth, mostHeight   = 200, 60
)

// A cast keeps the pace of its game between these bounds: nobody wants to see somebody think for a minute.
const (
	leastPause  = 400 * time.Millisecond
	mostPause   = 3 * time.Second
	pauseScored = 1500 * time.Millisecond // at least, to read why a play scored
	pauseRound  = mostPause               // at the end of a round
)

// castHead is the first line of a recording in version 2 of asciinema's format.
type castHead struct {
	Version   int    `json:"version"`
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	Timestamp int64  `json:"timestamp"`
	Title     string `json:"title"`
}

// cast answers with a finished game as a recording for asciinema.
func cast(ctx context.Context, q *Ask) (Answer, error) {
	n, err := Number(q.Words[0])
	if err != nil {
		return Answer{}, err
	}
	w, h := castWidth, castHeight
	if len(q.Words) > 1 {
		got, err := fmt.Sscanf(q.Words[1], "%dx%d", &w, &h)
		if err != nil || got < 2 || w < leastWidth || w > mostWidth || h < leastHeight || h > mostHeight {
			return Answer{}, Usage(fmt.Sprintf("A size is columns x rows, such as 120x40, from %dx%d to %dx%d.", leastWidth, leastHeight,
				mostWidth, mostHeight))
		}
	}
	info, r, err := Record(ctx, q.Visit, n)
	if err != nil {
		return Answer{}, noGame(err)
	}
	v := viewer.New(r, "")
	v.Resize(theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits), w, h)
	v.ShowChances()
	head := castHead{2, w, h, info.Started.Unix(), fmt.Sprintf("Boneyard, game %d: %s", n, strings.Join(info.Seats, ", "))}
	var lines []string
	err = q.Visit.AtCoach(ctx, func() (err error) { // to draw a whole game takes as long as to look at it
		lines, err = castLines(ctx, head, v, info, r)
		return err
	})
	return Say(lines...), err
}

// castLines draws each moment of a game.
func castLines(ctx context.Context, head castHead, v *viewer.Viewer, info *lobby.GameInfo, r *replay.Record) ([]string, error) {
	head.Title = text.Printable(head.Title)
	first, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	lines := []string{string(first)}
	var shown *screen.Frame
	var at time.Duration
	for i := range r.Moments {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if i > 0 {
			at += pause(info, r, i)
		}
		v.Show(i)
		next := screen.NewFrame(screen.Content{Width: head.Width, Height: head.Height, Lines: v.Lines()})
		line, err := json.Marshal([]any{at.Seconds(), "o", string(screen.Patch(shown, next))})
		if err != nil {
			return nil, err
		}
		lines, shown = append(lines, string(line)), next
	}
	return append(lines, fmt.Sprintf(`[%g, "o", ""]`, (at+mostPause).Seconds())), nil
}

// pause is how long the moment before the one with an index is seen.
func pause(info *lobby.GameInfo, r *replay.Record, at int) time.Duration {
	before, m := &r.Moments[at-1], &r.Moments[at]
	least := leastPause
	switch {
	case m.Kind != replay.Moved || before.Event.End != rules.NotEnded:
		least = pauseRound
	case before.Kind == replay.Moved && before.Event.Points > 0:
		least = pauseScored
	}
	thought := info.Times[m.Line-1].Sub(info.Times[before.Line-1])
	return min(max(thought, least), mostPause)
}
