package main

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/store"

	"github.com/stretchr/testify/require"
)

func TestRanks(t *testing.T) {
	t.Parallel()
	boss := newKey(t)
	m := openClub(t, func(m *Main) { m.Settings.Operators = []string{fingerprint(boss)} })
	rank := m.club.(*club).rank
	ana, ben := member(t, m, "ana"), member(t, m, "ben")
	require.Equal(t, gate.Operator, rank(t.Context(), gate.KeyIDOf(boss.PublicKey())))
	require.Equal(t, gate.Stranger, rank(t.Context(), gate.KeyIDOf(newKey(t).PublicKey())))
	require.Equal(t, gate.Member, rank(t.Context(), gate.KeyIDOf(ana.PublicKey())))

	at := sit(t, m, ana, "ana", 80, 24)
	at.until("the lobby", inLobby)
	makeTable(at, "classic", now)
	require.Equal(t, gate.Member, rank(t.Context(), gate.KeyIDOf(ana.PublicKey())), "a table that gathers is no game yet")
	at.press(" ")
	at.shows("Round 1")
	require.Equal(t, gate.Seated, rank(t.Context(), gate.KeyIDOf(ana.PublicKey())))
	require.NoError(t, at.client.Close())
	require.Equal(t, gate.Seated, rank(t.Context(), gate.KeyIDOf(ana.PublicKey())), "here or not")
	require.Equal(t, gate.Member, rank(t.Context(), gate.KeyIDOf(ben.PublicKey())))
}

// A key without a name is not kept for ever, on a screen and in line mode.
func TestANameIsChosenInTime(t *testing.T) {
	t.Parallel()
	m := openClub(t)
	c := m.club.(*club)
	zoe := newcomer(t, m, "zoe", 80, 24)

	c.nameTime.Store(int64(time.Millisecond))
	slow := sit(t, m, newKey(t), "slow", 80, 24)
	_ = slow.leaves()
	require.Contains(t, string(slow.bytes()), "You have not chosen a name for three minutes")
	l := startLine(t, m, newKey(t), "dumb", "")
	l.until("You have not chosen a name for three minutes")
	_ = l.sess.Wait()
	sit(t, m, nil, "guest", 80, 24).until("the lobby", inLobby) // guests are asked for none
	zoe.press("?")
	zoe.shows("Keys: Lobby")

	naming, over := c.awaitName(context.Background(), [32]byte{1})
	<-naming.Done()
	require.Equal(t, errNoName, context.Cause(naming))
	over()

	ben := member(t, m, "ben")
	naming, over = c.awaitName(context.Background(), lobby.KeyID(gate.KeyIDOf(ben.PublicKey())))
	select {
	case <-naming.Done():
		t.Fatal("he has a name, and stays as long as he likes")
	case <-time.After(100 * time.Millisecond):
	}
	over()
	require.Equal(t, context.Canceled, context.Cause(naming))
}

// A store that does not answer when the time is up lets nobody stay without a name.
func TestANameIsAskedForAgain(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, l *lobbytest.Club) {
		c := &club{lobby: l.Lobby}
		l.Store.SlowReads(2 * store.DefaultOptions().QueryTime)
		naming, over := c.awaitName(t.Context(), lobby.KeyID{1})
		defer over()
		time.Sleep(2 * nameTime)
		synctest.Wait()
		require.NoError(t, naming.Err())
		l.Store.SlowReads(0)
		time.Sleep(nameTime)
		synctest.Wait()
		require.Equal(t, errNoName, context.Cause(naming))
	})
}
