package attack

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
)

const (
	sec      = time.Second
	tenth    = time.Second / 10
	eighth   = time.Second / 8
	moment   = 50 * time.Millisecond
	everLast = math.MaxInt // times: as often as the attempt's time allows

	placesHeld            = 41       // one more than the places before login of an address
	badLines              = 24       // before the last
	hugeWidth, hugeHeight = 500, 200 // the largest window that the club draws
)

// Kinds returns the kinds with these names, or all. Each hostile client has one. Most are a [script], typed
// in one session, or [commands], each on its own connection.
func Kinds(only ...string) []Kind {
	absurd := []uint32{0, 1, 2, 7, 80, 200, 500, 501, math.MaxInt16, math.MaxUint16, math.MaxInt32, math.MaxUint32} // sizes of windows
	shared, alone := false, true
	usual, huge := sized(80, 24), sized(hugeWidth, hugeHeight)
	register := func(name func(a *attacker) string) way { // with one new key after another
		return tries(10, 1, withNewKey(commands(1, 1, func(a *attacker) string { return "register " + name(a) })))
	}
	all := []Kind{
		// Before login and at it.
		{"stall", "connect and say nothing", sec, shared, raw(func(*attacker, net.Conn) {})},
		{"noise", "random bytes instead of SSH", 2 * sec, shared, raw(func(_ *attacker, conn net.Conn) { _, _ = conn.Write(garbage(64 << 10)) })},
		{"banner", "SSH's greeting, then garbage", 2 * sec, shared, raw(func(a *attacker, conn net.Conn) {
			_, _ = fmt.Fprintf(conn, "SSH-2.0-OpenSSH_9.9 %s\r\n%s", a.text(), garbage(64<<10))
		})},
		{"half", "hang up in the middle of the key exchange", 2 * sec, shared, dialled(half)},
		{"keys", "offer many useless keys, and login methods that do not exist", 2 * sec, shared, dialled(keys)},
		{"drip", "hold places before login with a byte now and then", sec, alone, tries(placesHeld, placesHeld, raw(drip))},
		{"loiter", "log in, open no session, hang up in time", sec, alone, tries(placesHeld, placesHeld, loiter)},
		{"nameless", "fill the club with keys that choose no name", sec, alone, tries(20, 20, withNewKey(script{size: usual, stay: true}.try))},
		// In a session, apart from its text.
		{"deaf", "watch a table on a huge window and never read", 2 * sec, shared, script{
			size: huge, at: watch, n: everLast, every: moment, do: deaf,
		}.try},
		{"paste", "paste hundreds of thousands of keys", 4 * sec, shared, script{size: usual, at: (*attacker).place, n: 5, line: paste}.try},
		{"resize", "thousands of absurd window sizes a second", 4 * sec, shared, script{
			size: sized(math.MaxUint32, math.MaxUint32), at: (*attacker).place, n: 60, every: moment,
			do: func(_ *attacker, c *client.Client, _ int) (err error) {
				for n := 0; n < 100 && err == nil; n++ {
					err = c.Resize(one(absurd...), one(absurd...))
				}
				return err
			},
		}.try},
		{"channels", "dozens of channels, forwardings, agents, subsystems", 3 * sec, shared, channels},
		{"env", "thousands of environment variables", 3 * sec, shared, script{before: environment}.try},
		{"rekey", "new keys all the time, and unknown requests", 4 * sec, shared, script{
			size: usual, rekey: 256, at: watch, n: 5 * len(requests), every: moment, do: func(a *attacker, c *client.Client, n int) error {
				_, _, err := c.Conn.SendRequest(strings.ReplaceAll(requests[n%len(requests)], "TEXT", a.text()), true, garbage(400))
				return err
			},
		}.try},
		{"prove", "ask for proofs of the host key without end", sec, alone, script{
			size: usual, n: everLast, do: func(_ *attacker, c *client.Client, _ int) error {
				_, _, err := c.Conn.SendRequest("hostkeys-prove-00@openssh.com", true, ssh.Marshal(struct{ Key []byte }{c.Host.Marshal()}))
				return err
			},
		}.try},
		{"edges", "odd keys on windows of odd sizes", sec, alone, script{
			size: oddSize, at: func(a *attacker) string { return one("join "+one(a.Open...), a.place()) }, n: 60, every: moment,
			do: func(_ *attacker, c *client.Client, _ int) error {
				err := c.Send(one("tab\x1b[D\x1bd", "\x1bd", "\x1b[3;5~", "\x17", "\x1b\x7f", "\x1b[1;3D", "\x1b[1;8A", "\x1bOP",
					"\x1b[200~x\x1b[201~", string(rune(' '+rand.IntN(95))), "\x1b"+string(rune('a'+rand.IntN(26))), "\r"))
				if err == nil && rand.IntN(5) == 0 {
					err = c.Resize(oddSize())
				}
				return err
			},
		}.try},
		{"scroll", "scroll on a large window, faster than anybody reads", sec, alone, script{
			size: sized(300, 80), at: (*attacker).place, n: everLast, every: tenth, line: func(_ *attacker, n int) string {
				if n == 0 {
					return "?"
				}
				return strings.Repeat("\x1b[B\x1b[A", 13)
			},
		}.try},
		{"walls", "show many tables at once, and rearrange them all the time", sec, alone, tries(2, 2, script{
			size: huge, at: says("wall"), n: 200, every: moment * 2 / 5, do: func(_ *attacker, c *client.Client, n int) error {
				return c.Resize([]uint32{80, hugeWidth}[n%2], []uint32{24, hugeHeight}[n%2])
			},
		}.try)},
		// By talking, asking and playing.
		{"text", "hostile text as name, terminal, chat and command", 2 * sec, shared, hostileText},
		{"commands", "commands in bursts", 4 * sec, shared, commands(10, 10, burst)},
		{"protocol", "garbage, endless lines and forbidden moves in the line protocol", 3 * sec, shared, asMember(script{
			at: func(a *attacker) string {
				return one("play new classic seats=2 bots=now", "play new block seats=4 bots=now", "play "+a.table()) + " --json"
			}, n: badLines + 1, line: badLine,
		}.try)},
		{"seats", "sit down at an open table and leave at once", sec, shared, script{
			size: func() (w, h uint32) { return one(sized(0, 0), usual)() }, at: func(a *attacker) string { return "join " + one(a.Open...) },
			n: 1, line: func(*attacker, int) string { return one("", "quit\n") },
		}.try},
		{"unread", "send half a megabyte of lines faster than anybody reads", sec, alone, tries(4, 4, script{
			n: 1, line: func(*attacker, int) string { return strings.Repeat("who\n", 128<<10) }, stay: true,
		}.try)},
		{"guess", "guess codes of private tables, one per connection", sec, alone, commands(20, 1, func(*attacker) string {
			return "join " + letters(8, "ABCDEFGHJKLMNPQRSTUVWXYZ")
		})},
		{"search", "search for many short words", sec, alone, commands(10, 1, func(*attacker) string {
			words := "games"
			for range 165 {
				words += " " + letters(2, "abcdefghijklmnopqrstuvwxy")
			}
			return words
		})},
		{"words", "search for words that are frequent but never together", sec, alone, script{
			n: everLast, every: eighth, line: func(*attacker, int) string {
				line := "games"
				for _, w := range rand.Perm(len(inMany))[:5+rand.IntN(4)] {
					line += " " + inMany[w]
				}
				return line + "\n"
			},
		}.try},
		{"reconnect", "come and go as fast as possible", sec, alone, commands(50, 1, says("who"))},
		{"accounts", "make one account after another", sec, alone, register(func(*attacker) string {
			return fmt.Sprintf("x%08x", rand.Uint32())
		})},
		{"alike", "take names that can be mistaken for other people's", sec, alone, register(func(a *attacker) string {
			return strings.NewReplacer(one(alike...)...).Replace(a.somebody())
		})},
		{"puppets", "give games to somebody, as members made for that", sec, alone, puppets},
		{"idle", "make tables where everybody may sit down, and do nothing there", sec, alone, script{
			n: 1, line: lines("new classic seats=2\nready\n"), stay: true,
		}.try},
		{"nag", "talk and report, and reconnect when told to slow down", sec, alone, script{n: 9, line: func(_ *attacker, n int) string {
			if n == 8 {
				return "quit\n"
			}
			return fmt.Sprintf("say nag %d\nreport nag%d nag %d\n", rand.Uint32(), rand.Uint32(), n)
		}, stay: true}.try},
		{"hoard", "make tables and events, all at once, and leave", 2 * sec, alone, asMember(commands(4, 4, func(*attacker) string {
			return one("new classic bots=never", "field new classic in=20000", "duplicate new classic") // each might be the last
		}))},
		{"tell", "send messages to everybody, present or not", sec, alone, asMember(script{
			n: 40, every: eighth, line: func(a *attacker, _ int) string {
				return one("/tell "+a.somebody()+" "+a.text(), "/tell "+client.Name(a.Run, 0)+" "+a.text(), "/r "+a.text(),
					"/ignore "+a.somebody(), "/tell "+a.text()) + "\n"
			},
		}.try)},
		{"whois", "run whois on everybody", sec, alone, script{n: 40, every: eighth, line: func(a *attacker, _ int) string {
			return one("whois ", "/whois ", "games ") + a.somebody() + "\n"
		}}.try},
		{"lists", "ask for long lists again and again", sec, alone, script{n: 80, every: eighth, line: func(*attacker, int) string {
			return one("who", "tables", "teams", "standings", "news", "chat", "calendar", "arena", "arena 1", "league", "league 1", "cup",
				"duplicate", "field", "daily", "daily month") + "\n"
		}}.try},
		{"hop", "watch table after table, so that the chances are computed", sec, alone, script{
			size: sized(120, 40), at: watch, n: 100, every: moment, line: func(*attacker, int) string { return one("]", "[", "v", "f") },
		}.try},
		{"coach", "have the coach review games", sec, alone, asMember(coach)},
		{"events", "ask for events, and try to join all", sec, alone, asMember(script{
			n: 40, every: eighth, line: func(a *attacker, _ int) string {
				if rand.IntN(4) == 0 {
					return one("calendar", "daily", "daily month", "daily play", "duplicate new classic", "field new classic in=20000", "arena new",
						"league new name="+a.text(), "team new XXX X") + "\n"
				}
				does := one("", "", "enter", "enter A", "enter with "+a.name, "leave", "start", "join", "accept", "propose 2000-01-01T20:00",
					"lineup anybody", "off", a.text())
				return strings.TrimSpace(fmt.Sprint(one("arena", "league", "cup", "duplicate", "field"), " ", rand.IntN(8), " ", does)) + "\n"
			},
		}.try)},
	}
	if len(only) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(a Kind) bool { return !slices.Contains(only, a.Name) })
}

func oddSize() (w, h uint32) { return uint32(20 + rand.IntN(181)), uint32(5 + rand.IntN(56)) }

// requests are global requests; TEXT is replaced.
var requests = []string{
	"tcpip-forward", "cancel-tcpip-forward", "streamlocal-forward@openssh.com", "hostkeys-00@openssh.com", "keepalive@openssh.com",
	"no-more-sessions@openssh.com", "TEXT", "",
}

// alike are letters of names, each with one that looks like it.
var alike = [][]string{{"l", "1"}, {"o", "0"}, {"m", "rn"}, {"a", "\u0430"}, {"0", "O"}, {"1", "l"}}

// inMany are words that are each in many games, but never together.
var inMany = strings.Fields("azneef block classic sniff spruce January February March April May June July August September " +
	"October November December")
