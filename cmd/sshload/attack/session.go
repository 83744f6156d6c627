package attack

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
)

// Attacks after login, on what a session has beside its text.

// deaf watches a table on the largest window there is, has it painted again and again, and takes a byte a second.
func deaf(ctx context.Context, a *attacker) error {
	c, ch, err := a.enter(ctx, client.Caller{User: "deaf"}, client.TermName, 500, 200, "watch "+a.table())
	if err != nil {
		return err
	}
	defer c.HangUp()
	c.ReadAhead(4 << 10)
	c.ReadSlowly(1)
	gone := make(chan struct{})
	go func() {
		_ = c.Conn.Wait()
		close(gone)
	}()
	every := time.NewTicker(50 * time.Millisecond)
	defer every.Stop()
	for n := uint32(0); ; n++ {
		select {
		case <-gone:
			return nil
		case <-every.C:
			if err := resized(ch, 500-n%2, 200-n%2); err != nil {
				return err
			}
		}
	}
}

// place is a command that leads to a table or, as often, to the lobby.
func (a *attacker) place() string {
	if rand.IntN(2) == 0 {
		return "watch " + a.table()
	}
	return ""
}

// paste types what a person cannot, at a table and in the lobby.
func paste(ctx context.Context, a *attacker) error {
	c, ch, err := a.enter(ctx, client.Caller{User: "paste"}, client.TermName, 80, 24, a.place())
	if err != nil {
		return err
	}
	defer c.HangUp()
	for _, keys := range []string{"\r", "t\x1b[200~", "\x1b[", "n\r \r", a.text()} {
		if keys == "" {
			continue
		}
		if _, err := ch.Write([]byte(strings.Repeat(keys, 100_000/len(keys)))); err != nil {
			return err
		}
	}
	_, _, err = c.Conn.SendRequest("until-all-has-come", true, nil)
	return err
}

// absurd are sizes of windows.
var absurd = []uint32{0, 1, 2, 7, 80, 200, 500, 501, math.MaxInt16, math.MaxUint16, math.MaxInt32, math.MaxUint32}

// resizeStorm resizes its window 2,000 times a second for three seconds.
func resizeStorm(ctx context.Context, a *attacker) error {
	c, ch, err := a.enter(ctx, client.Caller{User: "resize"}, client.TermName, math.MaxUint32, math.MaxUint32, a.place())
	if err != nil {
		return err
	}
	defer c.HangUp()
	for range 60 {
		for range 100 {
			if err := resized(ch, absurd[rand.IntN(len(absurd))], absurd[rand.IntN(len(absurd))]); err != nil {
				return err
			}
		}
		if !client.Sleep(ctx, 50*time.Millisecond) {
			break
		}
	}
	return nil
}

// channels asks for everything that the club does not offer, before and after its session has begun.
func channels(ctx context.Context, a *attacker) error {
	c, err := a.login(ctx, client.Caller{User: "channels"})
	if err != nil {
		return err
	}
	defer c.HangUp()
	kinds := []string{"direct-tcpip", "direct-streamlocal@openssh.com", "x11", "auth-agent@openssh.com", "tun@openssh.com", a.text(), "session", "session"}
	for n := range 40 {
		ch, reqs, err := c.Conn.OpenChannel(kinds[n%len(kinds)], garbage(200))
		var refused *ssh.OpenChannelError
		if errors.As(err, &refused) {
			continue
		}
		if err != nil {
			return err
		}
		go client.Answer(reqs)
		for _, request := range []string{
			"x11-req", "auth-agent-req@openssh.com", "subsystem", "signal", "break", "xon-xoff", "pty-req", "env", "exec", "window-change", a.text(),
		} {
			if _, err := ch.SendRequest(request, rand.IntN(2) == 0, garbage(200)); err != nil {
				return err
			}
		}
		defer func() { _ = ch.Close() }()
	}
	return nil
}

// environment sets more variables than anybody has.
func environment(ctx context.Context, a *attacker) error {
	c, err := a.login(ctx, client.Caller{User: "env"})
	if err != nil {
		return err
	}
	defer c.HangUp()
	ch, reqs, err := c.Conn.OpenChannel("session", nil)
	if err != nil {
		return err
	}
	go client.Answer(reqs)
	for n := range 2000 {
		name := []string{"LC_" + strconv.Itoa(n), "LANG", "PATH", "LD_PRELOAD", a.text()}[n%5]
		value := []string{strings.Repeat("x", n), a.text()}[n%2]
		if _, err := ch.SendRequest("env", n%100 == 0, ssh.Marshal(struct{ Name, Value string }{name, value})); err != nil {
			return err
		}
	}
	_, err = ch.SendRequest("shell", true, nil)
	return err
}

// rekey exchanges keys with nearly every packet, and asks what no server knows.
func rekey(ctx context.Context, a *attacker) error {
	c, _, err := a.enter(ctx, client.Caller{User: "rekey", Rekey: 256}, client.TermName, 80, 24, "watch "+a.table())
	if err != nil {
		return err
	}
	defer c.HangUp()
	for _, name := range []string{
		"tcpip-forward", "cancel-tcpip-forward", "streamlocal-forward@openssh.com", "hostkeys-00@openssh.com", "keepalive@openssh.com",
		"no-more-sessions@openssh.com", a.text(), "",
	} {
		for range 5 {
			if _, _, err := c.Conn.SendRequest(name, true, garbage(400)); err != nil {
				return err
			}
			if !client.Sleep(ctx, 50*time.Millisecond) {
				return nil
			}
		}
	}
	return nil
}
