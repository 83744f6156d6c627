package main

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// TestNothingStaysOfASessionAtASlowTable looks at a game with a move a day, whose clock is redrawn each hour,
// and leaves: nothing of the session waits for that. It counts goroutines, so no other test may run beside
// it.
func TestNothingStaysOfASessionAtASlowTable(t *testing.T) {
	before := goleak.IgnoreCurrent()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition = false })
	ana := startProgram(t, m, member(t, m, "ana"), "ana", "play new classic seats=2 bots=never pace=slow --json --bot")
	first, _ := ana.next(0, "state", func(o *object) bool { return o.Type == "state" })
	number := strconv.FormatInt(first.Table, 10)
	ben := startProgram(t, m, member(t, m, "ben"), "ben", "play "+number+" --json --bot")
	ben.next(0, "a seat", func(o *object) bool { return o.Seat == 2 })
	ana.send(`{"ready":true}`)
	ben.send(`{"ready":true}`)
	for range 3 {
		eve := sit(t, m, nil, "eve", 80, 24, "watch", number)
		eve.shows("Round 1", "24 h")
		eve.press("\x03")
		require.NoError(t, eve.leaves())
		_ = eve.client.Close() // the server may have hung up before
	}
	for _, p := range []*program{ana, ben} {
		_ = p.sess.Close()
		p.ends()
	}
	require.NoError(t, m.Close())
	awaitGoroutines(t, before)
}
