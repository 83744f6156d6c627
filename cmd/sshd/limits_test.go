package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
)

// Wrong codes are counted across reconnects, by key and, for guests, by address. After too many even the right code is refused there,
// but not to people from elsewhere.
func TestWrongCodesOverSSH(t *testing.T) {
	t.Parallel()
	now := time.Now()
	m := openClub(t, func(m *Main) {
		m.Settings.Exhibition, m.Settings.ExemptNetworks = false, nil
		m.tables.Now = func() time.Time { return now } // on a slow machine the next try would be granted meanwhile
	})
	ana := startProgram(t, m, member(t, m, "ana"), "ana", "play new classic seats=2 bots=never access=code --json --bot")
	o, _ := ana.next(0, "a code", func(o *object) bool { return o.Type == "state" && o.Code != "" })
	eve := member(t, m, "eve")
	for tries := 0; ; tries++ {
		_, _, said := answer(t, m, eve, "eve", "play K7QX-XXXX --json --bot", false)
		if strings.Contains(said, string(lobby.ErrManyCodes)) {
			break
		}
		require.Contains(t, said, string(lobby.ErrNoCode))
		require.Less(t, tries, 5, "and one each 5 s")
	}
	_, _, said := answer(t, m, eve, "eve", "play "+o.Code+" --json --bot", false)
	require.Contains(t, said, string(lobby.ErrManyCodes), "the right one as well")
	ben := startProgram(t, m, member(t, m, "ben"), "ben", fmt.Sprintf("play %s --json --bot", o.Code))
	ben.next(0, "a seat", func(o *object) bool { return o.Seat == 2 })
}

// Reconnecting does not allow anybody to say more than if they had stayed.
func TestChatAfterReconnectingOverSSH(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition = false })
	key := member(t, m, "eve")
	began, said := time.Now(), 0
	for n := range 6 {
		p := startLine(t, m, key, "", "")
		p.until("You are eve")
		for i := range 3 {
			p.say(fmt.Sprintf("say line %d-%d", n, i))
			if strings.Contains(p.until(fmt.Sprintf("eve says: line %d-%d|%s", n, i, lobby.ErrTooMuch)), "eve says") {
				said++
			}
		}
		p.say("quit")
		require.NoError(t, p.sess.Wait())
	}
	require.LessOrEqual(t, said, 3+1+int(time.Since(began)/time.Second), "3, and one a second")
}

// One address can make only a few accounts, no matter how many keys it has. Other addresses are not affected.
func TestSignUpsOfOneAddressOverSSH(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition, m.Settings.ExemptNetworks = false, nil })
	began := time.Now()
	for n := 0; ; n++ {
		status, _, said := answer(t, m, newKey(t), "eve", fmt.Sprintf("register eve%d", n), false)
		if status != exitOK {
			require.Contains(t, said, string(lobby.ErrManyAccounts))
			break
		}
		require.Less(t, n, 10+1+int(time.Since(began)/time.Minute), "10, and one a minute")
	}
	ask(t, m, newKey(t), "elsewhere", "register ana")
}
