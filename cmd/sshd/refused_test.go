package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
)

// enough is the number of turns in which moves are tried: the server reads eight lines a second from a
// program. These tests' games go to a hundred points, which nobody reaches in so few turns, whatever is
// dealt.
const enough = 6

// TestMovesThatAreRefusedChangeNothing: before each of a game's first moves, a player and their opponent try
// what no rule allows; both look at the table before and after.
func TestMovesThatAreRefusedChangeNothing(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition = false })
	ana, ben := joinBoth(t, m, "classic target=100 pace=none")
	var stale uint64
	turns := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		ben.playGame(nil)
	}()
	ana.playGame(func(state *object) {
		if turns++; turns > enough {
			return
		}
		ben.next(0, "the same state", func(o *object) bool { return o.Type == "state" && o.Version >= state.Version })
		before, theirs := ana.state(), ben.state()
		try := func(p *program, what, fields, reason string) {
			t.Helper()
			answer := p.say(fmt.Sprintf("%s-%d", what, turns), fields)
			require.Equal(t, "error", answer.Type, "%s: %s", what, fields)
			require.Contains(t, answer.Error, reason, "%s: %s", what, fields)
		}
		good := fmt.Sprintf(`"play":%q,"arm":%q`, state.Options[0].Play, state.Options[0].Arm)
		now := fmt.Sprintf(`,"version":%d`, state.Version)

		try(ben, "out of turn", good+now, "not your turn")
		for _, tile := range notHeld(state) {
			try(ana, "not held "+tile, fmt.Sprintf(`"play":%q,"arm":%q`, tile, state.Options[0].Arm)+now, "")
		}
		try(ana, "no arm there is", fmt.Sprintf(`"play":%q,"arm":"6D"`, state.Options[0].Play)+now, "")
		if stale != 0 {
			try(ana, "stale", good+fmt.Sprintf(`,"version":%d`, stale), table.ErrStale.Error())
		}
		try(ana, "of a table to come", good+fmt.Sprintf(`,"version":%d`, state.Version+1000), table.ErrStale.Error())
		stale = state.Version
		require.Equal(t, before, ana.state(), "what was refused has changed something")
		require.Equal(t, theirs, ben.state(), "what was refused has changed something")
	})
	<-done
	require.Greater(t, turns, enough)
}

// TestAMoveThatComesTwiceIsMadeOnce sends each of a game's first moves twice under one id: it counts once.
func TestAMoveThatComesTwiceIsMadeOnce(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition = false })
	ana, ben := joinBoth(t, m, "classic target=100 pace=none")
	done := make(chan struct{})
	go func() {
		defer close(done)
		ben.playGame(nil)
	}()
	turns := 0
	ana.playGame(func(state *object) { // playGame then plays the same once more, without an id
		if turns++; turns > enough {
			return
		}
		from := ana.now()
		id := fmt.Sprintf("move-%d", turns)
		line := fmt.Sprintf(`{"id":%q,"play":%q,"arm":%q,"version":%d}`, id, state.Options[0].Play, state.Options[0].Arm, state.Version)
		ana.send(line)
		ana.send(line)
		for range 2 { // both are answered, and both say that it was carried out
			var o object
			o, from = ana.next(from, "an answer", func(o *object) bool { return o.ID == id })
			require.Equal(t, "ok", o.Type, o.Error)
		}
	})
	<-done
	require.Greater(t, turns, enough)
	_, lines, err := m.club.(*club).store.Record(context.Background(), 1)
	require.NoError(t, err)
	plays := map[string]int{}
	for _, line := range lines {
		if strings.HasPrefix(line, "round ") {
			clear(plays)
		}
		if words := strings.Fields(line); len(words) > 1 && words[0] == "1" && words[1] != "draw" && words[1] != "pass" {
			tile, _, _, err := rules.ParseTile(words[1])
			require.NoError(t, err)
			plays[tile.String()]++
			require.Equal(t, 1, plays[tile.String()], "%s was played twice", tile)
		}
	}
}

// state asks for the state as it is now, and returns it as it came.
func (p *program) state() string {
	p.t.Helper()
	from := p.now()
	p.send(`{"state":true}`)
	o, _ := p.next(from, "state", func(o *object) bool { return o.Type == "state" })
	return o.line
}

// notHeld are the tiles that the reader of a state has not in hand.
func notHeld(state *object) (tiles []string) {
	held := strings.Join(state.Hand, " ")
	for a := range rules.Pip(7) {
		for b := range a + 1 {
			if tile := fmt.Sprintf("%d-%d", a, b); !strings.Contains(held, tile) {
				tiles = append(tiles, tile)
			}
		}
	}
	return tiles[:1]
}

// TestOneNetworkAtOneTableIsCasual seats members from two addresses, from one, and one key twice.
func TestOneNetworkAtOneTableIsCasual(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition = false })
	const words = "new classic seats=2 bots=never"
	table := func(n string) (o object) {
		t.Helper()
		require.NoError(t, json.Unmarshal([]byte(ask(t, m, nil, "somebody", "show table "+n+" --json")), &o))
		return o
	}
	ana, ben, cleo, dora := member(t, m, "ana"), member(t, m, "ben"), member(t, m, "cleo"), member(t, m, "dora")

	// Callers of a test have an address each, by the name that they give to ssh.
	ask(t, m, ana, "ana", words)
	ask(t, m, ben, "ben", "join 1 --json")
	o := table("1")
	require.True(t, o.Rated, o.Casual)
	require.Empty(t, o.Casual)

	ask(t, m, cleo, "cleo", words)
	ask(t, m, dora, "cleo", "join 2 --json")
	o = table("2")
	require.False(t, o.Rated)
	require.Equal(t, "by the club's rules", o.Casual, "networks are not shown to others")

	// One key is one player, from any address and with any user name: it gets no second seat.
	ask(t, m, ana, "ana", words)
	ask(t, m, ana, "elsewhere", "join 3 --json")
	o = table("3")
	require.Equal(t, []string{"ana", ""}, []string{o.Seats[0].Name, o.Seats[1].Name})
	require.False(t, o.Rated)
}

// TestOneNetworkIsRatedWhereTheOperatorAllowsIt seats two members from one address.
func TestOneNetworkIsRatedWhereTheOperatorAllowsIt(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition, m.Settings.RateOneNetwork = false, true })
	ask(t, m, member(t, m, "cleo"), "cleo", "new classic seats=2 bots=never")
	ask(t, m, member(t, m, "dora"), "cleo", "join 1 --json")
	var o object
	require.NoError(t, json.Unmarshal([]byte(ask(t, m, nil, "somebody", "show table 1 --json")), &o))
	require.True(t, o.Rated, o.Casual)
	require.Empty(t, o.Casual)
}
