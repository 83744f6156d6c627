package attack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"boneyard/cmd/sshload/client"
)

// Attacks that cost next to nothing: few bytes, from many addresses, by somebody who has time. Their clients have an address each.

// placesHeld is how many places before login one address may have; the attackers have read the club's source.
const placesHeld = 5

// atOnce does something so many times at once, and returns errTurnedAway if none of them was let in.
func atOnce(n int, do func() error) error {
	var mu sync.Mutex
	var errs []error
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			err := do()
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, err)
		})
	}
	wg.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return !errors.Is(err, errTurnedAway) }); i >= 0 {
		return errs[i]
	}
	return errTurnedAway
}

// drip holds all the places it can get before login with a byte now and then, so that it is never silent.
func drip(ctx context.Context, a *attacker) error {
	return atOnce(placesHeld, func() error {
		conn, err := a.dial(ctx)
		if err != nil {
			return err
		}
		go func() {
			for _, b := range []byte("SSH-2.0-OpenSSH_9.9 " + strings.Repeat("x", 200)) {
				if _, err := conn.Write([]byte{b}); err != nil || !client.Sleep(ctx, 300*time.Millisecond) {
					return
				}
			}
		}()
		_, err = io.Copy(io.Discard, conn)
		return conn.end(err)
	})
}

// loiter logs in and opens no session, and hangs up before the time for it is over.
func loiter(ctx context.Context, a *attacker) error {
	ctx, cancel := context.WithTimeout(ctx, 18*time.Second)
	defer cancel()
	return atOnce(placesHeld, func() error {
		c, err := a.login(ctx, client.Caller{User: "loiter"})
		if err != nil {
			return err
		}
		return c.Conn.Wait()
	})
}

// nameless fills the club with keys that are asked for a name and give none.
func nameless(ctx context.Context, a *attacker) error {
	return atOnce(20, func() error {
		key, err := client.NewKey()
		if err != nil {
			return err
		}
		c, _, err := a.enter(ctx, client.Caller{User: "nameless", Key: key}, client.TermName, 80, 24, "")
		if err != nil {
			return err
		}
		return c.Conn.Wait()
	})
}

// unread sends more lines than anybody reads, without a terminal, and stays.
func unread(ctx context.Context, a *attacker) error {
	return atOnce(4, func() error {
		c, ch, err := a.enter(ctx, client.Caller{User: "unread"}, "", 0, 0, "")
		if err != nil {
			return err
		}
		go func() { _, _ = ch.Write(bytes.Repeat([]byte("who\n"), 128<<10)) }()
		return c.Conn.Wait()
	})
}

// try runs one command after another, each in a connection of its own, as somebody does whose limits would be forgotten with a visit.
func (a *attacker) try(ctx context.Context, n int, command func() string) error {
	in := false
	for range n {
		if ctx.Err() != nil {
			break
		}
		if errors.Is(a.command(ctx, command()), errTurnedAway) {
			continue
		}
		in = true
	}
	if !in {
		return errTurnedAway
	}
	return nil
}

// guess tries codes of private tables.
func guess(ctx context.Context, a *attacker) error {
	return a.try(ctx, 20, func() string {
		code := make([]byte, 8)
		for i := range code {
			code[i] = "ABCDEFGHJKLMNPQRSTUVWXYZ"[rand.IntN(24)]
		}
		return "join " + string(code)
	})
}

// search asks for what is expensive to find.
func search(ctx context.Context, a *attacker) error {
	return a.try(ctx, 10, func() string {
		var words strings.Builder
		for range 165 {
			fmt.Fprintf(&words, " %c%c", 'a'+rand.N('z'-'a'), 'a'+rand.N('z'-'a'))
		}
		return "games" + words.String()
	})
}

// inMany are words that are each in many games, while no game has more than a few of them.
var inMany = strings.Fields("azneef block classic sniff spruce January February March April May June July August September October November December")

// commonWords searches in line mode, as fast as answers come, for five to eight words that no game has together.
func commonWords(ctx context.Context, a *attacker) error {
	c, ch, err := a.enter(ctx, client.Caller{User: "words"}, "", 0, 0, "")
	if err != nil {
		return err
	}
	defer c.HangUp()
	for client.Sleep(ctx, time.Second/8) {
		words := rand.Perm(len(inMany))[:5+rand.IntN(4)]
		line := "games"
		for _, w := range words {
			line += " " + inMany[w]
		}
		if _, err := io.WriteString(ch, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// reconnect comes and goes, and leaves lines in the log.
func reconnect(ctx context.Context, a *attacker) error {
	return a.try(ctx, 50, func() string { return "who" })
}

// accounts makes one account after another.
func accounts(ctx context.Context, a *attacker) error {
	in := false
	for range 10 {
		key, err := client.NewKey()
		if err != nil {
			return err
		}
		c, err := a.login(ctx, client.Caller{User: "accounts", Key: key})
		if err != nil {
			continue
		}
		in = true
		if _, err := session(c, "", 0, 0, fmt.Sprintf("register x%08x", rand.Uint32())); err == nil {
			_ = c.Conn.Wait() // the club hangs up when it has answered
		}
		c.HangUp()
	}
	if !in {
		return errTurnedAway
	}
	return nil
}

// nag talks and reports, and comes again when it is told to be slower.
func nag(ctx context.Context, a *attacker) error {
	c, ch, err := a.enter(ctx, client.Caller{User: "nag"}, "", 0, 0, "")
	if err != nil {
		return err
	}
	defer c.HangUp()
	for n := range 8 {
		if _, err := fmt.Fprintf(ch, "say nag %d\nreport nag%d nag %d\n", rand.Uint32(), rand.Uint32(), n); err != nil {
			return err
		}
	}
	_, err = ch.Write([]byte("quit\n"))
	_ = c.Conn.Wait()
	return err
}

// hoard makes tables and goes.
func hoard(ctx context.Context, a *attacker) error {
	_ = a.member(ctx) // hanging up is reported as an error; without an account there will be another
	if a.key == nil {
		return errTurnedAway
	}
	return atOnce(4, func() error { // so that each might be the last that there is room for
		c, err := a.login(ctx, client.Caller{User: "hoard", Key: a.key})
		if err != nil {
			return err
		}
		defer c.HangUp()
		made := []string{"new classic bots=never", "field new classic in=20000", "duplicate new classic"}
		if _, err := session(c, "", 0, 0, made[rand.IntN(len(made))]); err == nil {
			_ = c.Conn.Wait() // the club hangs up when it has answered
		}
		return nil
	})
}

// edges presses keys that nobody presses, at sizes that nobody has.
func edges(ctx context.Context, a *attacker) error {
	c, ch, err := a.enter(ctx, client.Caller{User: "edges"}, client.TermName, uint32(20+rand.IntN(181)), uint32(5+rand.IntN(56)), a.edge())
	if err != nil {
		return err
	}
	defer c.HangUp()
	for range 60 {
		keys := []string{"tab\x1b[D\x1bd", "\x1bd", "\x1b[3;5~", "\x17", "\x1b\x7f", "\x1b[1;3D", "\x1b[1;8A", "\x1bOP", "\x1b[200~x\x1b[201~", string(rune(' ' + rand.IntN(95))), "\x1b" + string(rune('a'+rand.IntN(26))), "\r"}
		if _, err := ch.Write([]byte(keys[rand.IntN(len(keys))])); err != nil {
			return err
		}
		if rand.IntN(5) == 0 {
			if err := resized(ch, uint32(20+rand.IntN(181)), uint32(5+rand.IntN(56))); err != nil {
				return err
			}
		}
		if !client.Sleep(ctx, 50*time.Millisecond) {
			return nil
		}
	}
	return nil
}

// scroll opens the help on a window of 300×80 and scrolls it as fast as keys are taken.
func scroll(ctx context.Context, a *attacker) error {
	c, ch, err := a.enter(ctx, client.Caller{User: "scroll"}, client.TermName, 300, 80, a.place())
	if err != nil {
		return err
	}
	defer c.HangUp()
	for keys := "?"; client.Sleep(ctx, 100*time.Millisecond); keys = strings.Repeat("\x1b[B\x1b[A", 13) {
		if _, err := ch.Write([]byte(keys)); err != nil {
			return err
		}
	}
	return nil
}

// edge is where a session with odd sizes begins: at a table that gathers, at one that plays, or in the lobby.
func (a *attacker) edge() string {
	if rand.IntN(2) == 0 {
		return "join " + a.Open[rand.IntN(len(a.Open))]
	}
	return a.place()
}
