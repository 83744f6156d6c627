package attack

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
)

// script is an attack that does or types something again and again in one session.
type script struct {
	session
	member bool                                       // with an account
	size   func() (w, h uint32)                       // instead of the session's
	at     func(a *attacker) string                   // the command that it begins with; nil: the lobby
	n      int                                        // times
	every  time.Duration                              // from one to the next
	line   func(a *attacker, n int) string            // what is typed
	do     func(a *attacker, c *entered, n int) error // or done instead
	stay   bool                                       // and then waits until the club hangs up
}

func (s script) way(ctx context.Context, a *attacker) error {
	if s.member {
		if err := a.member(ctx); err != nil {
			return err
		}
		s.key = a.key
	}
	if s.size != nil {
		s.w, s.h = s.size()
	}
	if s.do == nil {
		s.do = func(a *attacker, c *entered, n int) error { return c.write(s.line(a, n)) }
	}
	command := ""
	if s.at != nil {
		command = s.at(a)
	}
	s.user = cmp.Or(s.user, "script")
	return s.run(ctx, a, command, func(c *entered) error {
		for n := 0; n < s.n; n++ {
			if err := s.do(a, c, n); err != nil {
				return err
			}
			if !client.Sleep(ctx, s.every) {
				return nil
			}
		}
		if s.stay {
			return c.Conn.Wait()
		}
		c.flush()
		return nil
	})
}

// watch is the command that watches a table.
func watch(a *attacker) string { return "watch " + a.table() }

// says always says the same.
func says(words string) func(*attacker) string { return func(*attacker) string { return words } }

// commands runs one command after another, each in a connection of its own, as somebody does whose limits
// would be forgotten with a visit.
func commands(n int, command func(a *attacker) string) way {
	return func(ctx context.Context, a *attacker) error {
		err := errTurnedAway
		for i := 0; i < n && ctx.Err() == nil; i++ {
			if e := a.command(ctx, nil, command(a)); !errors.Is(e, errTurnedAway) {
				err = nil
			}
		}
		return err
	}
}

func (a *attacker) command(ctx context.Context, key ssh.Signer, command string) error {
	return session{user: "commands", key: key}.run(ctx, a, command, func(c *entered) error {
		return c.Conn.Wait() // the club hangs up when it has answered
	})
}

// requests sends each of some global requests so many times, with garbage in them, beside a session that
// watches a table. TEXT is replaced. New keys are exchanged after so many bytes, unless that is 0.
func requests(rekey uint64, times int, names ...string) way {
	return script{
		session: session{w: 80, h: 24, rekey: rekey}, at: watch,
		n: times * len(names), every: moment,
		do: func(a *attacker, c *entered, n int) error {
			_, _, err := c.Conn.SendRequest(strings.ReplaceAll(names[n/times], "TEXT", a.text()), true, garbage(400))
			return err
		},
	}.way
}

// garbage is up to so many random bytes.
func garbage(most int) []byte {
	b := make([]byte, 1+rand.IntN(most))
	_, _ = crand.Read(b) // which never fails
	return b
}

// letters are n of some letters.
func letters(n int, of string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = of[rand.IntN(len(of))]
	}
	return string(b)
}

// dialled is an attack on a connection before login.
func dialled(do func(ctx context.Context, a *attacker, conn net.Conn) error) way {
	return func(ctx context.Context, a *attacker) error {
		conn, err := a.dial(ctx)
		if err != nil {
			return err
		}
		return conn.end(do(ctx, a, conn))
	}
}

// raw writes bytes instead of SSH, if any, and waits until the club has enough.
func raw(bytes func(a *attacker) []byte) way {
	return dialled(func(_ context.Context, a *attacker, conn net.Conn) error {
		if bytes != nil {
			go func() { _, _ = conn.Write(bytes(a)) }() // which may fail or wait, but not beyond the end of the connection
		}
		_, err := io.Copy(io.Discard, conn)
		return err
	})
}

// half breaks off after some of the messages of a key exchange.
func half(_ context.Context, a *attacker, conn net.Conn) error {
	_, _, _, err := ssh.NewClientConn(&breaking{Conn: conn, writes: 1 + rand.IntN(3)}, a.Club, harmless(a.text()))
	return err
}

// breaking is a connection that ends after so many writes.
type breaking struct {
	net.Conn
	writes int
}

func (b *breaking) Write(p []byte) (int, error) {
	if b.writes--; b.writes < 0 {
		_ = b.Close()
		return 0, errors.New("broken off")
	}
	return b.Conn.Write(p)
}

// harmless logs in by the given methods; the server is of this machine.
func harmless(user string, methods ...ssh.AuthMethod) *ssh.ClientConfig {
	return &ssh.ClientConfig{User: user, Auth: methods, HostKeyCallback: ssh.InsecureIgnoreHostKey()}
}

// keys offers many keys that are too weak, or a password, or nothing at all.
func keys(_ context.Context, a *attacker, conn net.Conn) error {
	methods := one([]ssh.AuthMethod{ssh.PublicKeys(a.weak...), ssh.Password(a.text())}, []ssh.AuthMethod{ssh.Password("admin")}, nil)
	_, _, _, err := ssh.NewClientConn(conn, a.Club, harmless(a.text(), methods...))
	return err
}

// weakKeys are more keys than a connection may try; none with a library that no longer makes such keys.
func weakKeys() (many []ssh.Signer) {
	if private, err := rsa.GenerateKey(crand.Reader, 1024); err == nil {
		if key, err := ssh.NewSignerFromKey(private); err == nil {
			for range 20 {
				many = append(many, key)
			}
		}
	}
	return many
}

// drip holds a place before login with a byte now and then, so that it is never silent.
func drip(ctx context.Context, _ *attacker, conn net.Conn) error {
	go func() {
		for _, b := range []byte("SSH-2.0-OpenSSH_9.9 " + strings.Repeat("x", 200)) {
			if _, err := conn.Write([]byte{b}); err != nil || !client.Sleep(ctx, 300*time.Millisecond) {
				return
			}
		}
	}()
	_, err := io.Copy(io.Discard, conn)
	return err
}

// loiter logs in and opens no session, and hangs up before the time for it is over.
func loiter(ctx context.Context, a *attacker) error {
	ctx, cancel := context.WithTimeout(ctx, 18*time.Second)
	defer cancel()
	c, err := a.login(ctx, client.Caller{User: "loiter"})
	if err != nil {
		return err
	}
	return c.Conn.Wait()
}

// nameless enters with a key, is asked for a name and gives none.
func nameless(ctx context.Context, a *attacker) error {
	key, err := client.NewKey()
	if err != nil {
		return err
	}
	return script{session: session{key: key, w: 80, h: 24}, stay: true}.way(ctx, a)
}

// deaf has the table that it watches painted again and again, and takes a byte a second.
func deaf(_ *attacker, c *entered, n int) error {
	if n == 0 {
		c.ReadAhead(4 << 10)
		c.ReadSlowly(1)
	}
	return c.resize(hugeWidth-uint32(n%2), hugeHeight-uint32(n%2))
}

// paste types what a person cannot.
func paste(a *attacker, n int) string {
	keys := []string{"\r", "t\x1b[200~", "\x1b[", "n\r \r", a.text()}[n]
	return strings.Repeat(keys, 100_000/max(len(keys), 1))
}

// channels asks for everything that the club does not offer, before and after its session has begun.
func channels(ctx context.Context, a *attacker) error {
	c, err := a.login(ctx, client.Caller{User: "channels"})
	if err != nil {
		return err
	}
	defer c.HangUp()
	kinds := []string{
		"direct-tcpip", "direct-streamlocal@openssh.com", "x11", "auth-agent@openssh.com", "tun@openssh.com", a.text(), "session", "session",
	}
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
	return script{session: session{before: func(ch ssh.Channel) error {
		for n := range 2000 {
			name := []string{"LC_" + strconv.Itoa(n), "LANG", "PATH", "LD_PRELOAD", a.text()}[n%5]
			value := []string{strings.Repeat("x", n), a.text()}[n%2]
			if _, err := ch.SendRequest("env", n%100 == 0, ssh.Marshal(struct{ Name, Value string }{name, value})); err != nil {
				return err
			}
		}
		return nil
	}}}.way(ctx, a)
}

// hostileText calls itself, and says, something that should do nothing.
func hostileText(ctx context.Context, a *attacker) error {
	lines := []string{
		a.text(), "/" + a.text(), "/who " + a.text(), "/ignore " + a.text(), "/report " + a.name + " " + a.text(), "/ban " + a.name,
	}
	return script{
		session: session{user: a.text(), term: a.text(), w: 80, h: 24}, at: (*attacker).place,
		n: len(lines), every: 300 * time.Millisecond, // what comes faster is dropped as a flood of keys, and the text with it
		line: func(_ *attacker, n int) string { return "t" + lines[n] + client.KeyEnter },
	}.way(ctx, a)
}

// commandBurst asks for a lot at once; so many at once are more than an address may have.
func commandBurst(ctx context.Context, a *attacker) error {
	all := make(chan string, 10)
	for _, command := range []string{
		"games --limit 1000 --json", "standings --limit 1000 --json", "tables --json", "show " + a.text(), "join " + a.text(),
		"export " + a.text(), "register '" + a.text() + "' --bot", "new " + a.text(), "help " + a.text(), strings.Repeat("who ", 1000),
	} {
		all <- command
	}
	return atOnce(len(all), func(ctx context.Context, a *attacker) error { return a.command(ctx, nil, <-all) })(ctx, a)
}

// accounts makes one account after another, with such names.
func accounts(name func(a *attacker) string) way {
	return func(ctx context.Context, a *attacker) error {
		in := errTurnedAway
		for range 10 {
			key, err := client.NewKey()
			if err == nil {
				err = a.command(ctx, key, "register "+name(a))
			}
			if !errors.Is(err, errTurnedAway) {
				in = nil
			}
		}
		return in
	}
}

// puppets has a new member lose a game to the attacker.
func puppets(ctx context.Context, a *attacker) error {
	lines := func(all ...string) script {
		return script{member: true, n: len(all), every: 2 * time.Second, line: func(_ *attacker, n int) string { return all[n] }}
	}
	puppet := *a
	puppet.key, puppet.name = nil, fmt.Sprintf("x%08x", rand.Uint32())
	roles := make(chan func() error, 2)
	roles <- func() error {
		return lines("new block seats=2 bots=never target=25\nready\n", "", "ready\n", "", "leave\n").way(ctx, a)
	}
	roles <- func() error { return lines("", "quick block\n", "ready\n", "resign\nyes\n").way(ctx, &puppet) }
	return atOnce(2, func(context.Context, *attacker) error { return (<-roles)() })(ctx, a)
}

// hoard makes tables and events, four at once, so that each might be the last that there is room for, and
// goes.
func hoard(ctx context.Context, a *attacker) error {
	if err := a.member(ctx); err != nil {
		return err
	}
	return atOnce(4, func(ctx context.Context, a *attacker) error {
		return a.command(ctx, a.key, one("new classic bots=never", "field new classic in=20000", "duplicate new classic"))
	})(ctx, a)
}

// protocolGarbage sits at a table of its own, or wants to at one where others play, and sends lines of all
// kinds but good ones.
func protocolGarbage(ctx context.Context, a *attacker) error {
	text, err := json.Marshal(a.text())
	if err != nil {
		return err
	}
	lines := []string{
		`{"ready":true}`, string(garbage(300)), "{}", "[]", `{"play":"6-6"}`, `{"play":"6-6","id":"1","version":1}`, `{"play":"6-6","id":"1"}`,
		`{"play":"0-0","arm":"L","version":18446744073709551615}`, `{"play":"9-9"}`, `{"sit":-1}`, `{"sit":99999999999999999999}`, `{"swap":1}`,
		`{"say":` + string(text) + `}`, `{"say":"/ban ` + a.name + `"}`, `{"ready":true,"leave":true}`, `{"add_bot":3}`, `{"remove_bot":2}`,
		`{"vote":"claim"}`, strings.Repeat(`{"play":`, 400), `{"state":true}`, `{"pause":true}`,
	}
	const most = 24
	return script{
		member: true, n: most + 1,
		at: says(one("play new classic seats=2 bots=now --json", "play new block seats=4 bots=now --json", "play "+a.table()+" --json")),
		line: func(_ *attacker, n int) string {
			if n < most {
				return one(lines...) + "\n"
			}
			return one("", strings.Repeat("x", 1<<20)+"\n", `{"leave":true}`+"\n")
		},
	}.way(ctx, a)
}

// sitAndLeave takes a free seat and is gone.
func sitAndLeave(ctx context.Context, a *attacker) error {
	return script{
		session: one(session{}, session{w: 80, h: 24}), at: func(a *attacker) string { return "join " + one(a.Open...) },
		n: 1, line: func(*attacker, int) string { return one("", "quit\n") },
	}.way(ctx, a)
}

// coach plays a game, resigns, and asks the coach about it and about others' games.
func coach(ctx context.Context, a *attacker) error {
	if err := (script{member: true, n: 3, line: func(_ *attacker, n int) string {
		return []string{"new block seats=2 bots=now target=25\nready\n", "resign\nyes\n", "resign\nyes\n"}[n]
	}, every: 4 * time.Second}).way(ctx, a); err != nil {
		return err
	}
	const games, open, coached, back, down = "4", "\r", "c", "q", "\x1b[B"
	keys := []string{games, open, coached, back, back, down, down}
	return script{session: session{w: 120, h: 40}, member: true, n: 60, every: 100 * time.Millisecond, line: func(_ *attacker, n int) string {
		return keys[(n+1)%len(keys)]
	}}.way(ctx, a)
}
