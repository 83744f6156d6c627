package lobby_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/match"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
)

// agreed makes two teams sign up for a league and agree on a time, which has come.
func agreed(t *testing.T, c *club) (id event.ID, boss *lobby.Visit, people []*lobby.Visit) {
	t.Helper()
	id, boss, owl, cat := owlsAndCats(t, c)
	time.Sleep(time.Hour + time.Second)
	require.NoError(t, owl[0].ProposeTime(ctx, id, time.Now().Add(time.Hour).Round(0)))
	require.NoError(t, cat[0].AcceptTime(ctx, id, time.Time{}))
	return id, boss, append(owl[:], cat[:]...)
}

// A game of a match that all four have left is abandoned after 15 minutes, however often the server is
// restarted. The match can continue at another time, and the season ends.
func TestAMatchThatEverybodyLeaves(t *testing.T) {
	for _, every := range []time.Duration{4 * time.Minute, time.Hour} {
		bubble(t, func(t *testing.T, c *club) {
			id, boss, people := agreed(t, c)
			time.Sleep(time.Hour + 10*time.Second)
			now := contestNow(t, boss, id)
			require.Equal(t, 1, c.Stats().States[table.Playing])
			require.NotZero(t, now.Matches[0].Pairing)
			leave(table.Disconnected, people...)
			for since := time.Now(); time.Since(since) < event.Kept; {
				time.Sleep(min(every, event.Kept))
				c.restart()
			}
			time.Sleep(3 * time.Minute)
			boss = c.back("olga")
			require.Zero(t, contestNow(t, boss, id).Matches[0].Pairing)
			require.Zero(t, c.Stats().Tables)
			wait(match.Week)
			require.Empty(t, boss.Contests())
		})
	}
}

// picky is a store that never accepts some batches.
type picky struct {
	*lobbytest.Store
	refuses func(*table.Batch) bool
}

func (s *picky) Commit(b *table.Batch, done func([]table.Delta, error)) {
	if s.refuses(b) {
		go done(nil, errors.New("that can never be written"))
		return
	}
	s.Store.Commit(b, done)
}

// A match whose games cannot be written blocks nothing: players are told, its table closes, the season ends.
func TestAMatchThatCanNeverBeWritten(t *testing.T) {
	for name, refuses := range map[string]func(*table.Batch) bool{
		"with teams": func(b *table.Batch) bool { return b.Start != nil && b.Start.Teams != [2]table.TeamID{} },
		"any game":   func(b *table.Batch) bool { return b.Game != 0 },
		"any table":  func(b *table.Batch) bool { return true },
	} {
		t.Run(name, inClub(func(t *testing.T, c *club) {
			c.stop()
			c.deps = func(d *lobby.Deps) { d.Stores.Tables = &picky{c.store, refuses} }
			c.start()
			id, boss, people := agreed(t, c)
			time.Sleep(time.Hour + time.Minute)
			asked := c.store.Asked()
			time.Sleep(time.Hour)
			require.Less(t, c.store.Asked()-asked, 500)
			require.Zero(t, contestNow(t, boss, id).Matches[0].Pairing, "another time can be agreed on")
			require.NoError(t, people[0].ProposeTime(ctx, id, time.Now().Add(time.Hour).Round(0)))
			wait(match.Week)
			require.Empty(t, boss.Contests())
			require.Zero(t, c.Stats().Tables)
		}))
	}
}
