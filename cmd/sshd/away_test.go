package main

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// says waits for a note of the house.
func (p *program) says(from int, text string) {
	p.t.Helper()
	p.next(from, text, func(o *object) bool { return o.Type == "note" && o.Text == text })
}

// becomes waits for a state of the table.
func (p *program) becomes(from int, state string) object {
	p.t.Helper()
	o, _ := p.next(from, state, func(o *object) bool { return o.Type == "state" && o.State == state })
	return o
}

// TestAbsence plays at a fast table with a clock that the test moves. A player whose time runs out gets a
// move made, and after two in a row a bot plays on until the player returns. The table can vote to wait for a
// player who is away, and a side has two pauses.
func TestAbsence(t *testing.T) {
	t.Parallel()
	var skipped atomic.Int64
	m := openClub(t, func(m *Main) {
		m.tables.Now = func() time.Time { return time.Now().Add(time.Duration(skipped.Load())) }
	})
	keys := map[string]gossh.Signer{"ana": member(t, m, "ana"), "ben": member(t, m, "ben")}
	ana := startProgram(t, m, keys["ana"], "ana", "play new classic target=500 pace=fast absence=bot seats=2 bots=never --json --bot")
	first, _ := ana.next(0, "state", func(o *object) bool { return o.Type == "state" })
	ben := startProgram(t, m, keys["ben"], "ben", fmt.Sprintf("play %d --json --bot", first.Table))
	ben.next(0, "a seat", func(o *object) bool { return o.Seat == 2 })
	ana.send(`{"ready":true}`)
	ben.send(`{"ready":true}`)

	start := ben.now()
	for out := 0; out < 2; {
		ofAna, ofBen := playSome(ana, ben, 0)
		if ofBen.Duty == "play" {
			ben.playOne(ofBen)
			continue
		}
		from := ben.now()
		out++
		skipped.Add(int64(15*time.Second + 2*time.Minute)) // the turn and the bank
		require.Equal(t, "ok", ben.say(fmt.Sprintf("tick-%d", out), `"say":"are you there?"`).Type)
		ben.says(from, "ana is out of time.")
		move, _ := ben.next(from, "a move for ana", func(o *object) bool { return o.Type == "move" && o.Seat == 1 })
		require.Contains(t, move.line, `"auto":true`)
		require.NotEmpty(t, ofAna.Options)
	}
	ben.says(start, "ana is absent; a bot plays on.")
	stoodIn := func(o *object) bool { return o.Type == "state" && strings.Contains(o.line, `"stand_in":true`) }
	ben.next(start, "the bot in ana's seat", stoodIn)

	// The seat is ana's again with the first thing that she does.
	from := ben.now()
	require.Equal(t, "ok", ana.say("back", `"say":"I was away"`).Type)
	ben.says(from, "ana is back.")
	now := ben.look()
	require.False(t, stoodIn(&now))

	// Her connection is lost; the table sleeps until she comes back.
	from = ben.now()
	require.NoError(t, ana.sess.Close())
	ben.next(from, "the disconnection", func(o *object) bool { return o.Type == "state" && strings.Contains(o.line, "lost the line") })
	require.Equal(t, "ok", ben.say("sleep", `"vote":"adjourn"`).Type)
	ben.becomes(from, "adjourned")
	from = ben.now()
	ana = startProgram(t, m, keys["ana"], "ana", fmt.Sprintf("play %d --json", first.Table))
	ben.says(from, "Everyone is back; the game continues.")

	for pause := range 3 {
		playSome(ana, ben, 1)
		from = ben.now()
		answer := ana.say(fmt.Sprintf("pause-%d", pause), `"pause":true`)
		if pause == 2 {
			require.Equal(t, "Your side has no pauses left in this game.", answer.Error)
			break
		}
		require.Equal(t, "ok", answer.Type, answer.Error)
		ben.becomes(from, "paused")
		require.Equal(t, "error", ben.say(fmt.Sprintf("not-his-%d", pause), `"pause":false`).Type)
		if pause == 0 { // the first ends by itself
			skipped.Add(int64(2 * time.Minute))
			require.Equal(t, "ok", ben.say("tick", `"say":"time is up"`).Type)
		} else {
			require.Equal(t, "ok", ana.say("on", `"pause":false`).Type)
		}
		require.Equal(t, "playing", ben.look().State)
	}
}
