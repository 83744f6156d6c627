package attack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
)

// Attacks on the club itself: by what is said, asked and played.

// hostileText calls itself, and says, something that should do nothing.
func hostileText(ctx context.Context, a *attacker) error {
	command := ""
	if rand.IntN(2) == 0 {
		command = "watch " + a.table()
	}
	c, ch, err := a.enter(ctx, client.Caller{User: a.text()}, a.text(), 80, 24, command)
	if err != nil {
		return err
	}
	defer c.HangUp()
	for _, line := range []string{a.text(), "/" + a.text(), "/who " + a.text(), "/ignore " + a.text(), "/report " + a.name + " " + a.text(), "/ban " + a.name} {
		if _, err := ch.Write([]byte("t" + line + client.KeyEnter)); err != nil {
			return err
		}
		if !client.Sleep(ctx, 300*time.Millisecond) { // what comes faster is dropped as a flood of keys, and the text with it
			return nil
		}
	}
	return nil
}

// commandBurst asks for a lot at once.
func commandBurst(ctx context.Context, a *attacker) error {
	var wg sync.WaitGroup
	var in atomic.Bool // one of them at least: so many at once are more than an address may have
	for _, command := range []string{
		"games --limit 1000 --json", "standings --limit 1000 --json", "tables --json", "show " + a.text(), "join " + a.text(), "export " + a.text(),
		"register '" + a.text() + "' --bot", "new " + a.text(), "help " + a.text(), strings.Repeat("who ", 1000),
	} {
		wg.Go(func() {
			if !errors.Is(a.command(ctx, command), errTurnedAway) {
				in.Store(true)
			}
		})
	}
	wg.Wait()
	if !in.Load() {
		return errTurnedAway
	}
	return nil
}

func (a *attacker) command(ctx context.Context, command string) error {
	c, _, err := a.enter(ctx, client.Caller{User: "commands"}, "", 0, 0, command)
	if err != nil {
		return err
	}
	defer c.HangUp()
	return c.Conn.Wait() // the club hangs up when it has answered
}

// member gives the attacker a key, and an account at the first call.
func (a *attacker) member(ctx context.Context) (err error) {
	if a.key != nil {
		return nil
	}
	key, err := client.NewKey()
	if err != nil {
		return err
	}
	c, _, err := a.enter(ctx, client.Caller{User: "protocol", Key: key}, "", 0, 0, "register "+a.name+" --bot")
	if err != nil {
		return err
	}
	defer c.HangUp()
	a.key = key
	return c.Conn.Wait()
}

// protocolGarbage sits at a table of its own, or wants to at one where others play, and sends lines of all kinds but good ones.
func protocolGarbage(ctx context.Context, a *attacker) error {
	_ = a.member(ctx) // hanging up is reported as an error; without an account there will be another
	if a.key == nil {
		return errTurnedAway
	}
	commands := []string{"play new classic seats=2 bots=now --json", "play new block seats=4 bots=now --json", "play " + a.table() + " --json"}
	c, ch, err := a.enter(ctx, client.Caller{User: "protocol", Key: a.key}, "", 0, 0, commands[rand.IntN(len(commands))])
	if err != nil {
		return err
	}
	defer c.HangUp()
	says, err := json.Marshal(a.text())
	if err != nil {
		return err
	}
	lines := []string{
		`{"ready":true}`, string(garbage(300)), "{}", "[]", `{"play":"6-6"}`, `{"play":"6-6","id":"1","version":1}`, `{"play":"6-6","id":"1"}`,
		`{"play":"0-0","arm":"L","version":18446744073709551615}`, `{"play":"9-9"}`, `{"sit":-1}`, `{"sit":99999999999999999999}`, `{"swap":1}`,
		`{"say":` + string(says) + `}`, `{"say":"/ban ` + a.name + `"}`, `{"ready":true,"leave":true}`, `{"add_bot":3}`, `{"remove_bot":2}`, `{"vote":"claim"}`,
		strings.Repeat(`{"play":`, 400), `{"state":true}`, `{"pause":true}`,
	}
	for range 24 {
		if _, err := fmt.Fprintln(ch, lines[rand.IntN(len(lines))]); err != nil {
			return err
		}
	}
	switch rand.IntN(3) {
	case 0: // hang up on the game
		_, _, _ = c.Conn.SendRequest("until-all-has-come", true, nil)
		return nil
	case 1:
		_, err = ch.Write([]byte(strings.Repeat("x", 1<<20) + "\n"))
	default:
		_, err = ch.Write([]byte(`{"leave":true}` + "\n"))
	}
	if err != nil {
		return err
	}
	return c.Conn.Wait()
}

// sitAndLeave takes a free seat and is gone.
func sitAndLeave(ctx context.Context, a *attacker) error {
	c, err := a.login(ctx, client.Caller{User: "seats"})
	if err != nil {
		return err
	}
	defer c.HangUp()
	table := "join " + a.Open[rand.IntN(len(a.Open))]
	var ch ssh.Channel
	if rand.IntN(2) == 0 {
		ch, err = session(c, client.TermName, 80, 24, table)
	} else {
		ch, err = session(c, "", 0, 0, table)
	}
	if err != nil {
		return err
	}
	if rand.IntN(2) == 0 {
		_, err = ch.Write([]byte("quit\n"))
	}
	_, _, _ = c.Conn.SendRequest("until-all-has-come", true, nil)
	return err
}
