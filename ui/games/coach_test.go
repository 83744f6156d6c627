package games_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules/coach"
	"boneyard/table"
	"boneyard/ui/games"
	"boneyard/ui/golden"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/plain"
)

// A player asks the coach about a game, looks at a mistake in it, and reads the coach's refusals.
func TestCoach(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		id := c.addFile("classic-2p-01", "ana ben", won(1, 4, 105, 80))
		d := pagetest.Drive(games.NewReplay(pagetest.Env(t, c.visit), id, false))
		text := func() string { return body(d, 100, 40) }
		d.Press("c")
		require.Contains(t, text(), "You: grade ")
		require.Contains(t, text(), "Round 1: grade ")
		require.Contains(t, body(d, 80, 20), "1. Round ", "in sight, since the keys name it")
		require.NotContains(t, text(), "┆", "no room for a position")
		require.Contains(t, body(d, 100, 60), "    L 0 ║╌║[0◆1](1┆2) R 2", "below the sentence")
		golden.Check(t, "coach-wide.txt", body(d, 120, 40))
		said, err := c.visit.Coach(context.Background(), id)
		require.NoError(t, err)
		worst := said.Report.Decisions[said.Report.Worst[0]]
		keys := func() (list []string) {
			for _, k := range d.Page.Actions().Keys() {
				list = append(list, k.Help().Key+" "+k.Help().Desc)
			}
			return list
		}
		require.Contains(t, keys(), "1-"+strconv.Itoa(len(said.Report.Worst))+" show the mistake")
		require.Contains(t, keys(), "c back to the game")
		before := fmt.Sprintf("Before move %d: ana played %s", worst.Turn, worst.Played.Tile.Name())
		d.Press("1")
		require.NotContains(t, text(), "grade ")
		require.Contains(t, text(), "Round "+strconv.Itoa(worst.Round)+" of")
		require.Contains(t, text(), before)
		d.Press("s")
		d.Press("c")
		require.Contains(t, keys(), "c back to points left")
		d.Press("1")
		require.Contains(t, text(), before, "not the points left, from where the coach was asked")

		for _, size := range [][2]int{{40, 10}, {80, 20}, {100, 60}, {120, 40}} {
			d.Press("c")
			shown := 0
			for y, line := range strings.Split(body(d, size[0], size[1]), "\n") {
				n := strings.TrimSpace(line)
				if !strings.HasPrefix(n, "1. ") && !strings.HasPrefix(n, "2. ") && !strings.HasPrefix(n, "3. ") {
					continue
				}
				shown++
				d.Click(20, y)
				move := said.Report.Decisions[said.Report.Worst[n[0]-'1']]
				require.Contains(t, body(d, 80, 20), fmt.Sprintf("Before move %d: ana played %s", move.Turn, move.Played.Tile.Name()), line)
				d.Press("c")
				d.Page.Resize(size[0], size[1])
				d.Click(20, 0)
				require.Contains(t, text(), "grade ")
				d.Page.Resize(size[0], size[1])
			}
			require.Positive(t, shown, "%v", size)
			d.Press("c")
		}

		one := *said.Report
		one.Worst = one.Worst[:1]
		require.NoError(t, c.store.KeepReview(context.Background(), c.visit.Player().ID, id, &one))
		d.Press("c")
		require.Contains(t, keys(), "1 show the mistake")
		require.NoError(t, c.store.KeepReview(context.Background(), c.visit.Player().ID, id, said.Report))
		kept, err := c.store.Review(context.Background(), c.visit.Player().ID, id)
		require.NoError(t, err)
		require.Equal(t, said.Report, kept)

		d = pagetest.Drive(games.NewReplay(pagetest.Env(t, c.visit), id, true))
		require.Contains(t, keys(), "c replay")
		d.Press("q")
		require.Contains(t, text(), "grade ", "q leads back to where the coach was asked, not to the replay")
		d.Press("c")
		require.NotContains(t, text(), "grade ")
		d.Press("c")
		require.Contains(t, keys(), "c back to the game")

		other := c.addFile("classic-2p-01", "cleo dan", won(1, 4, 105, 80))
		_, err = c.visit.Coach(context.Background(), other)
		require.ErrorIs(t, err, lobby.ErrNotYourGame)
		d = pagetest.Drive(games.NewReplay(pagetest.Env(t, c.visit), other, false))
		d.Press("c")
		require.Contains(t, text(), plain.Sentence(lobby.ErrNotYourGame))
		d.Press("c")
		require.Contains(t, text(), "Round 1 of")
	})
}

// The coach is silent during the person's rated games; a stored review is not computed twice.
func TestCoachIsSilentInRatedGames(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		id := c.addFile("classic-2p-01", "ana ben", won(1, 4, 105, 80))
		ben := c.enter("ben")
		defer ben.Close(table.Left)
		cfg := table.DefaultConfig()
		cfg.Fill = table.FillNever
		tab, err := c.visit.NewTable(ctx, cfg)
		require.NoError(t, err)
		require.NoError(t, ben.Do(ctx, tab.ID(), table.Sit{}))
		for _, v := range []*lobby.Visit{c.visit, ben} {
			require.NoError(t, v.Do(ctx, tab.ID(), table.Ready{On: true}))
		}
		time.Sleep(time.Minute / 10) // the countdown, in the bubble's time
		synctest.Wait()
		require.Equal(t, table.Playing, tab.Summary().State)
		require.True(t, tab.Summary().Rated)
		_, err = c.visit.Coach(ctx, id)
		require.ErrorIs(t, err, lobby.ErrCoachSilent)
		require.NoError(t, c.visit.Do(ctx, tab.ID(), table.Resign{}))
		kept := &coach.Report{Seat: 1, Total: coach.Grade{Decisions: 3, Accuracy: 50}}
		require.NoError(t, c.store.KeepReview(ctx, c.visit.Player().ID, id, kept))
		said, err := c.visit.Coach(ctx, id)
		require.NoError(t, err)
		require.Equal(t, kept, said.Report)
		require.Equal(t, []float64{50}, said.Accuracies)
	})
}
