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
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sync/errgroup"

	"boneyard/cmd/sshload/client"
)

// script is an attack that does or types something n times in one session, whose output is discarded.
type script struct {
	user, term string                                  // empty: usual ones
	size       func() (w, h uint32)                    // of the window; nil: line mode
	rekey      uint64                                  // after how many bytes new keys are exchanged; 0: as usual
	before     func(a *attacker, s *ssh.Session) error // is called before the session begins
	at         func(a *attacker) string                // the command that the session begins with; nil: the lobby
	n          int
	every      time.Duration
	line       func(a *attacker, n int) string                  // what is typed
	do         func(a *attacker, c *client.Client, n int) error // is called instead
	stay       bool                                             // waits in the end until the club hangs up
}

func (s script) try(ctx context.Context, a *attacker) (err error) {
	who := client.Caller{User: cmp.Or(s.user, "script"), Key: a.key, Rekey: s.rekey}
	ask := client.Session{Term: s.term}
	if s.size != nil {
		ask.Width, ask.Height = s.size()
	}
	if s.at != nil {
		ask.Command = s.at(a)
	}
	if s.before != nil {
		ask.Before = func(session *ssh.Session) error { return s.before(a, session) }
	}
	c, err := a.login(ctx, who)
	if err != nil {
		return err
	}
	defer c.HangUp()
	if err := c.Open(ctx, ask, func([]byte) bool { return false }); err != nil {
		return err
	}
	for n := range s.n {
		if s.do != nil {
			err = s.do(a, c, n)
		} else {
			err = c.Send(s.line(a, n))
		}
		if err != nil || !client.Sleep(ctx, s.every) {
			return err
		}
	}
	if s.stay {
		return c.Conn.Wait()
	}
	_, _, err = c.Conn.SendRequest("until-all-has-come", true, nil)
	return err
}

func sized(w, h uint32) func() (w, h uint32) { return func() (uint32, uint32) { return w, h } }

func watch(a *attacker) string { return "watch " + a.table() }

// says is one text for everybody.
func says(words string) func(*attacker) string { return func(*attacker) string { return words } }

// lines types these lines in turn.
func lines(all ...string) func(*attacker, int) string {
	return func(_ *attacker, n int) string { return all[n%len(all)] }
}

// garbage returns 1 to most random bytes.
func garbage(most int) []byte {
	b := make([]byte, 1+rand.IntN(most))
	_, _ = crand.Read(b) // which never fails
	return b
}

// letters returns n random letters.
func letters(n int, of string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = of[rand.IntN(len(of))]
	}
	return string(b)
}

// dialled is an attack on a connection before login.
func dialled(do func(ctx context.Context, a *attacker, conn *greeted) error) way {
	return func(ctx context.Context, a *attacker) error {
		conn, err := a.dial(ctx)
		if err != nil {
			return err
		}
		return conn.end(do(ctx, a, conn))
	}
}

// raw writes something, and waits until the club hangs up.
func raw(write func(a *attacker, conn net.Conn)) way {
	return dialled(func(_ context.Context, a *attacker, conn *greeted) error {
		go write(a, conn) // ends with the connection at the latest
		_, err := io.Copy(io.Discard, conn)
		return err
	})
}

// half breaks off somewhere in a key exchange.
func half(_ context.Context, a *attacker, conn *greeted) error {
	conn.stays = 1 + rand.N(30*time.Millisecond) // about as long as it takes
	return handshake(a, conn)
}

// handshake logs in by these methods.
func handshake(a *attacker, conn net.Conn, methods ...ssh.AuthMethod) error {
	config := &ssh.ClientConfig{User: a.text(), Auth: methods, HostKeyCallback: ssh.InsecureIgnoreHostKey()}
	_, _, _, err := ssh.NewClientConn(conn, a.Club, config)
	return err
}

// keys offers many weak keys, or a password, or nothing at all.
func keys(_ context.Context, a *attacker, conn *greeted) error {
	methods := one([]ssh.AuthMethod{ssh.PublicKeys(a.weak...), ssh.Password(a.text())}, []ssh.AuthMethod{ssh.Password("admin")}, nil)
	return handshake(a, conn, methods...)
}

// weakKeys are more keys than a connection may try; none if the library no longer makes such keys.
func weakKeys() (many []ssh.Signer) {
	if private, err := rsa.GenerateKey(crand.Reader, 1024); err == nil {
		if key, err := ssh.NewSignerFromKey(private); err == nil {
			many = slices.Repeat([]ssh.Signer{key}, 20)
		}
	}
	return many
}

// drip writes a byte now and then, so that it is never silent.
func drip(_ *attacker, conn net.Conn) {
	for _, b := range []byte("SSH-2.0-OpenSSH_9.9 " + strings.Repeat("x", 200)) {
		if _, err := conn.Write([]byte{b}); err != nil {
			return
		}
		time.Sleep(300 * time.Millisecond)
	}
}

// loiter logs in, opens no session, and hangs up just before the club would.
func loiter(ctx context.Context, a *attacker) error {
	ctx, cancel := context.WithTimeout(ctx, 18*time.Second)
	defer cancel()
	c, err := a.login(ctx, client.Caller{User: "loiter"})
	if err != nil {
		return err
	}
	return c.Conn.Wait()
}

// deaf has its table drawn again and again, and reads a byte a second.
func deaf(_ *attacker, c *client.Client, n int) error {
	if n == 0 {
		g := c.Wire.(*greeted)
		_ = g.Conn.(*net.TCPConn).SetReadBuffer(4 << 10) // so that the club soon has to wait
		g.deaf.Store(true)
	}
	return c.Resize(hugeWidth-uint32(n%2), hugeHeight-uint32(n%2))
}

// paste types more than a person can.
func paste(a *attacker, n int) string {
	keys := []string{"\r", "t\x1b[200~", "\x1b[", "n\r \r", a.text()}[n]
	return strings.Repeat(keys, 100_000/max(len(keys), 1))
}

// channels requests everything that the club does not offer.
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
		if _, refused := errors.AsType[*ssh.OpenChannelError](err); refused {
			continue
		}
		if err != nil {
			return err
		}
		go ssh.DiscardRequests(reqs)
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
func environment(a *attacker, s *ssh.Session) (err error) {
	for n := 0; n < 2000 && err == nil; n++ {
		name := []string{"LC_" + strconv.Itoa(n), "LANG", "PATH", "LD_PRELOAD", a.text()}[n%5]
		value := []string{strings.Repeat("x", n), a.text()}[n%2]
		_, err = s.SendRequest("env", n%100 == 0, ssh.Marshal(struct{ Name, Value string }{name, value}))
	}
	return err
}

// hostileText uses hostile text as its name and terminal, and says it.
func hostileText(ctx context.Context, a *attacker) error {
	said := []string{
		a.text(), "/" + a.text(), "/who " + a.text(), "/ignore " + a.text(), "/report " + a.name + " " + a.text(), "/ban " + a.name,
	}
	return script{
		user: a.text(), term: a.text(), size: sized(80, 24), at: (*attacker).place,
		n: len(said), every: 300 * time.Millisecond, // faster keys would be dropped as a flood
		line: func(_ *attacker, n int) string { return "t" + said[n] + client.KeyEnter },
	}.try(ctx, a)
}

// burst returns an expensive command.
func burst(a *attacker) string {
	return one("games --limit 1000 --json", "standings --limit 1000 --json", "tables --json", "show "+a.text(), "join "+a.text(),
		"export "+a.text(), "register '"+a.text()+"' --bot", "new "+a.text(), "help "+a.text(), strings.Repeat("who ", 1000))
}

// puppets has a new member lose a game to the attacker.
func puppets(ctx context.Context, a *attacker) error {
	puppet := attacker{Campaign: a.Campaign, group: a.group, name: fmt.Sprintf("x%08x", rand.Uint32())}
	plays := func(role *attacker, said ...string) func() error {
		script := script{n: len(said), every: 2 * time.Second, line: lines(said...)}
		return func() error { return asMember(script.try)(ctx, role) }
	}
	var both errgroup.Group
	both.Go(plays(a, "new block seats=2 bots=never target=25\nready\n", "", "ready\n", "", "leave\n"))
	both.Go(plays(&puppet, "", "quick block\n", "ready\n", "resign\nyes\n", ""))
	return both.Wait()
}

// badLine is a bad line for a table; the last one is very long, or leaves.
func badLine(a *attacker, n int) string {
	if n == badLines {
		return one("", strings.Repeat("x", 1<<20)+"\n", `{"leave":true}`+"\n")
	}
	text, _ := json.Marshal(a.text())
	return one(`{"ready":true}`, string(garbage(300)), "{}", "[]", `{"play":"6-6"}`, `{"play":"6-6","id":"1","version":1}`,
		`{"play":"6-6","id":"1"}`, `{"play":"0-0","arm":"L","version":18446744073709551615}`, `{"play":"9-9"}`, `{"sit":-1}`,
		`{"sit":99999999999999999999}`, `{"swap":1}`, `{"say":`+string(text)+`}`, `{"say":"/ban `+a.name+`"}`,
		`{"ready":true,"leave":true}`, `{"add_bot":3}`, `{"remove_bot":2}`, `{"vote":"claim"}`, strings.Repeat(`{"play":`, 400),
		`{"state":true}`, `{"pause":true}`) + "\n"
}

// coach plays a game, resigns, and asks the coach about that game and others' games.
func coach(ctx context.Context, a *attacker) error {
	err := script{n: 3, every: 4 * time.Second,
		line: lines("new block seats=2 bots=now target=25\nready\n", "resign\nyes\n", "resign\nyes\n")}.try(ctx, a)
	if err != nil {
		return err
	}
	const games, open, coached, back, down = "4", "\r", "c", "q", "\x1b[B"
	return script{size: sized(120, 40), n: 60, every: tenth,
		line: lines(open, coached, back, back, down, down, games)}.try(ctx, a)
}
