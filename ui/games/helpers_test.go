package games_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

var ctx = context.Background()

// club is a lobby with games in its journal, visited by ana.
type club struct {
	t     *testing.T
	lobby *lobby.Lobby
	store *lobbytest.Store
	visit *lobby.Visit
	days  int // since the first game
}

// bubble runs a test in a club whose clock always starts at the same time, and stands still.
func bubble(t *testing.T, f func(t *testing.T, c *club)) {
	t.Helper()
	lobbytest.Bubble(t, func(t *testing.T, in *lobbytest.Club) {
		c := &club{t: t, lobby: in.Lobby, store: in.Store}
		c.visit = c.enter("ana")
		defer c.visit.Close(table.Left)
		f(t, c)
	})
}

// enter lets a member in.
func (c *club) enter(name string) *lobby.Visit {
	c.t.Helper()
	c.account(name)
	a, err := c.lobby.Account(ctx, sha256.Sum256([]byte(name)))
	require.NoError(c.t, err)
	v, err := c.lobby.Enter(ctx, a, lobby.Origin{Key: a.Key, Net: fmt.Sprintf("10.0.0.%d", a.ID)})
	require.NoError(c.t, err)
	return v
}

// forfeit lets two people begin a game, and the first one leave it.
func (c *club) forfeit(who, other string) {
	c.t.Helper()
	leaver, stayer := c.enter(who), c.enter(other)
	defer stayer.Close(table.Left)
	cfg := table.DefaultConfig()
	cfg.Fill, cfg.Absence = table.FillNever, table.AbsenceForfeit
	tab, err := leaver.NewTable(ctx, cfg)
	require.NoError(c.t, err)
	require.NoError(c.t, stayer.Do(ctx, tab.ID(), table.Sit{}))
	for _, v := range []*lobby.Visit{leaver, stayer} {
		require.NoError(c.t, v.Do(ctx, tab.ID(), table.Ready{On: true}))
	}
	time.Sleep(time.Minute / 10) // the countdown, in the bubble's time
	synctest.Wait()
	require.Equal(c.t, table.Playing, tab.Summary().State)
	require.NoError(c.t, leaver.Do(ctx, tab.ID(), table.Resign{}))
	leaver.Close(table.Left)
	time.Sleep(time.Minute)
	synctest.Wait()
}

// game is a game for the journal. Its players are strangers, except ana, who is the visitor.
type game struct {
	rules  string // classic if empty
	seats  string // "ana ben"
	lines  string // of the record
	end    *table.Result
	casual bool
}

// add writes a game to the journal, one day after the previous one.
func (c *club) add(g game) table.GameID {
	c.t.Helper()
	c.days++
	if g.rules == "" {
		g.rules = "classic"
	}
	start := &table.Start{Rules: g.rules, Rated: !g.casual}
	for _, name := range strings.Split(g.seats, " ") {
		start.Seats = append(start.Seats, table.Player{ID: c.account(name), Name: name})
	}
	return c.store.AddGame(c.t, time.Now().Add(time.Duration(c.days)*24*time.Hour), *start, g.end,
		strings.Split(strings.TrimSuffix(g.lines, "\n"), "\n")...)
}

// account returns the number of a member, and registers them if necessary.
func (c *club) account(name string) table.PlayerID {
	c.t.Helper()
	a, err := c.store.ByName(ctx, name)
	if errors.Is(err, lobby.ErrNotFound) {
		a, err = c.store.Create(ctx, sha256.Sum256([]byte(name)), name, text.Skeleton(name), time.Now())
	}
	require.NoError(c.t, err)
	return a.ID
}

// won is the result of a game that side won after some rounds.
func won(side, rounds int, scores ...int) *table.Result {
	return &table.Result{Ending: table.EndPlayed, Winner: side, Scores: scores, Rounds: rounds, Rated: true}
}

// some adds a few games of all kinds.
func (c *club) some() {
	c.add(game{seats: "ana ben", end: won(1, 4, 105, 80)})
	c.add(game{seats: "cleo dan", end: won(2, 5, 95, 110), casual: true})
	c.add(game{seats: "ana ben cleo dan", rules: "block", end: won(2, 6, 88, 104)})
	c.add(game{seats: "cleo ben dan", rules: "sniff target=150",
		end: &table.Result{Ending: table.EndForfeit, Winner: 3, Scores: []int{20, 0, 35}, Rounds: 2, Rated: true}})
	c.add(game{seats: "somebody-with-quite-a-long-name ben", end: &table.Result{Ending: table.EndAbandoned, Scores: []int{20, 45}, Rounds: 1}})
	c.add(game{seats: "ana dan"})
}

// file returns one of the records that test package record.
func file(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../rules/record/testdata/valid/" + name + ".dom")
	require.NoError(t, err)
	return string(b)
}

// addFile adds a finished game with the record of that name.
func (c *club) addFile(name, seats string, end *table.Result) table.GameID {
	c.t.Helper()
	lines := file(c.t, name)
	_, rule, _ := strings.Cut(lines, "rules ")
	rule, _, _ = strings.Cut(rule, "\n")
	r, err := rules.Parse(rule)
	require.NoError(c.t, err)
	return c.add(game{rules: r.String(), seats: seats, lines: lines, end: end})
}
