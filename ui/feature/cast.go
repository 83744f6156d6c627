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
	"boneyard/table"
	"boneyard/ui/card"
	"boneyard/ui/games/viewer"
	"boneyard/ui/plain"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// The sizes of a cast.
const (
	castWidth, castHeight   = 80, 24
	leastWidth, leastHeight = 40, 12
	mostWidth, mostHeight   = 200, 60
)

// A cast keeps the pace of its game within these bounds: nobody wants to watch somebody think for a minute.
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
func cast(ctx context.Context, q *Ask, id table.GameID) (Answer, error) {
	w, h := castWidth, castHeight
	if len(q.Words) > 1 {
		got, err := fmt.Sscanf(q.Words[1], "%dx%d", &w, &h)
		if err != nil || got < 2 || w < leastWidth || w > mostWidth || h < leastHeight || h > mostHeight {
			return Answer{}, Usage(fmt.Sprintf("A size is columns x rows, such as 120x40, from %dx%d to %dx%d.", leastWidth, leastHeight,
				mostWidth, mostHeight))
		}
	}
	info, r, err := Record(ctx, q.Visit, id)
	if err != nil {
		return Answer{}, err
	}
	v := viewer.New(r, "")
	v.Resize(theme.Get(theme.Dark, colorprofile.TrueColor, theme.Digits), w, h)
	v.ShowChances()
	head := castHead{2, w, h, info.Started.Unix(), fmt.Sprintf("Boneyard, game %d: %s", id, strings.Join(info.Seats, ", "))}
	var lines []string
	err = q.Visit.AtCoach(ctx, func() (err error) { // drawing a whole game takes as long as reviewing it
		lines, err = castLines(ctx, head, v, info, r)
		return err
	})
	return Say(lines...), err
}

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

// cardOf answers with a finished game at a glance: a picture over ssh, sentences in line mode.
func cardOf(ctx context.Context, q *Ask, id table.GameID) (Answer, error) {
	c, err := q.Visit.Card(ctx, id)
	if err != nil {
		return Answer{}, err
	}
	share := card.Share(c, q.Address)
	if q.Way == SSH {
		look := theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
		return Say(append(card.Lines(look, c, castWidth, castHeight), share)...), nil
	}
	told := append([]string{q.game(&c.Game)}, plain.RecordedResult(c.Record, &c.Game)...)
	for i, gains := range c.Gains {
		say := fmt.Sprintf("Round %d:", i+1)
		for side, points := range gains {
			say += " " + c.Record.Side(rules.Side(side+1)) + " " + text.Signed(points) + ";"
		}
		told = append(told, say[:len(say)-1]+".")
	}
	if c.Best > 0 {
		told = append(told, "Best play: "+plain.Numbered(c.Record, c.Best, &c.Record.Moments[c.Best].Event))
	}
	if c.Worst > 0 {
		told = append(told, "Worst play: "+plain.Missed(c.Record, c.Worst))
	}
	return Say(append(told, share)...), nil
}
