package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// openWithOperator opens a club with an operator, olga, who is a member.
func openWithOperator(t *testing.T) (*Main, gossh.Signer) {
	t.Helper()
	boss := newKey(t)
	m := openClub(t, func(m *Main) {
		m.Settings.Exhibition = false
		m.Settings.Operators = []string{gossh.FingerprintSHA256(boss.PublicKey())}
	})
	ask(t, m, boss, "olga", "register olga")
	return m, boss
}

// talks types a line of chat, in the lobby, where one goes on typing, or at a table.
func (c *terminal) talks(line string) {
	c.t.Helper()
	if !strings.Contains(c.see(), "enter send") {
		c.press("t")
		c.shows("enter send")
	}
	c.press(line + enter)
}

// audited reads what operators did, the oldest first, from the data of a club that is closed.
func audited(t *testing.T, m *Main) []string {
	t.Helper()
	require.NoError(t, m.Close())
	status, out, errs := sshd("admin", "audit", "--data", m.Settings.Data)
	require.Equal(t, exitOK, status, errs)
	var did []string
	for _, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] { // below the headings
		did = append([]string{strings.Join(strings.Fields(line)[2:], " ")}, did...) // without the time
	}
	return did
}

// TestKick: an operator ends the session of a player: on the pages, in line mode, and as a program. They read
// why on a restored terminal, their seat is kept as for players who are away, and they may come back.
func TestKick(t *testing.T) {
	t.Parallel()
	m, boss := openWithOperator(t)
	ana := newcomer(t, m, "ana", 80, 24)
	key := newKey(t)
	ben := register(t, m, key, "ben", 80, 24)
	number := makeTable(ana, "classic target=100", never)
	ben.join(number)
	ana.press(" ")
	ben.press(" ")
	ben.shows("Round 1")
	olga := sit(t, m, boss, "olga", 100, 30)
	olga.until("the lobby", inLobby)

	olga.talks("/kick ben take a walk")
	olga.shows("ben has been disconnected.")
	_ = ben.leaves()
	out := string(ben.bytes())
	last := strings.LastIndex(out, "\x1b[?1049l")
	require.Greater(t, last, strings.LastIndex(out, "\x1b[?1049h"), "the terminal is given back")
	require.Greater(t, strings.LastIndex(out, "\x1b[?25h"), strings.LastIndex(out, "\x1b[?25l"), "and its cursor")
	require.Contains(t, out[last:], "An operator has ended your session: take a walk\r\n")
	ana.shows("ben has left")

	again := startLine(t, m, key, "dumb", "")
	again.until(`You are ben\. .*Seat 2: ben, you`)
	ana.until("ben's return", func(s string) bool { return !strings.Contains(s, "ben has left") })
	olga.talks("/kick Ben")
	again.until(`An operator has ended your session\.`)
	require.NoError(t, again.sess.Wait())

	bot := startProgram(t, m, key, "ben", "play "+number+" --json --bot")
	bot.next(0, "a seat", func(o *object) bool { return o.Seat == 2 })
	olga.talks("/kick ben enough")
	bot.next(0, "why", func(o *object) bool { return o.Text == "An operator has ended your session: enough" })
	bot.ends()

	sit(t, m, key, "ben", 80, 24).shows("Table "+number, "Round 1")
	require.Equal(t, []string{"olga kick ben take a walk", "olga kick Ben -", "olga kick ben enough"}, audited(t, m))
}

// TestOperatorsCommands types operators' other commands, in the lobby and at a table, and checks their
// effects.
func TestOperatorsCommands(t *testing.T) {
	t.Parallel()
	m, boss := openWithOperator(t)
	key := newKey(t)
	ben := register(t, m, key, "ben", 100, 30)
	cleo := startLine(t, m, member(t, m, "cleo"), "", "")
	cleo.until("You are cleo")
	olga := sit(t, m, boss, "olga", 100, 30)
	olga.until("the lobby", inLobby)

	olga.talks("/announce back up at noon")
	olga.shows("It is on all screens now.")
	ben.shows("back up at noon")
	cleo.until("Notice: back up at noon")

	olga.talks("/mute ben both 10m too loud")
	olga.shows("ben is muted by key and network (")
	ben.shows("You can't talk for now. too loud")
	ben.talks("psst")
	ben.shows("You are muted until", "too loud")
	olga.talks("/unmute ben")
	olga.shows("1 lifted.")
	ben.press("\x15") // the line that was refused
	ben.talks("there I am")
	cleo.until("ben says: there I am")

	// At a table, which is closed then.
	ben.press("\x1b")
	ben.until("the lobby", inLobby)
	number := makeTable(ben, "classic target=50", never)
	olga.press("\x1b")
	olga.until("the lobby", inLobby)
	olga.press("j")
	olga.shows("enter join")
	olga.press(number + enter)
	olga.shows("Table "+number, "ready")
	ben.press(" ")
	olga.press(" ")
	ben.shows("Round 1")
	olga.talks("/close " + number)
	ben.shows("The game ended without a result.", "The table has been closed.")
	until(t, "the table to be gone", func() bool { return !strings.Contains(ask(t, m, nil, "guest", "tables"), "ben") })
	require.Contains(t, ask(t, m, nil, "guest", "games ben --json"), "abandoned")

	olga.press("q")
	olga.until("the lobby", inLobby)
	olga.talks("/ban ben 1h enough")
	olga.shows("ben is banned by key (", "; sessions ended: 1.")
	_ = ben.leaves()
	refusedLike(t, m, key, "ben", `^You are banned from this club until [-0-9: ]+ UTC: enough\n$`)
	olga.talks("/unban ben")
	olga.shows("1 lifted.")
	ben = sit(t, m, key, "ben", 80, 24)
	ben.shows("back up at noon")
	olga.talks("/announce")
	ben.until("the end of the notice", func(s string) bool { return inLobby(s) && !strings.Contains(s, "back up at noon") })

	require.Equal(t, []string{
		"olga announce - back up at noon", "olga mute ben by key and network, 10m: too loud", "olga unmute ben -",
		"olga close table " + number + " -",
		"olga ban ben by key, 1h: enough", "olga unban ben -", "olga announce - -",
	}, audited(t, m))
}

// TestOthersAreNoOperators: a member and a guest try operators' commands wherever a line can be typed. They
// read one sentence, and nothing else happens.
func TestOthersAreNoOperators(t *testing.T) {
	t.Parallel()
	m, boss := openWithOperator(t)
	olga := sit(t, m, boss, "olga", 100, 30)
	olga.until("the lobby", inLobby)
	ben := startProgram(t, m, member(t, m, "ben"), "ben", "play new classic bots=never --json --bot")
	ben.next(0, "state", func(o *object) bool { return o.Type == "state" })
	cleo := newcomer(t, m, "cleo", 100, 30)
	guest := startLine(t, m, nil, "dumb", "")
	guest.until("help for all commands")
	for i, command := range []string{
		"/mute olga", "/unmute olga", "/kick olga you go", "/ban olga", "/ban 127.0.0.0/8", "/unban olga", "/announce hear me", "/close 1",
		"/KICK olga",
	} {
		answer := ben.say(fmt.Sprint(i), fmt.Sprintf(`"say":%q`, command))
		require.Equal(t, "Only an operator may do that.", answer.Error, command)
		guest.say(command)
		guest.until(`Only an operator may do that\.`)
		cleo.press("\x15")
		cleo.talks(command)
		cleo.shows("Only an operator may do that.", command)
	}
	cleo.press("\x15")
	cleo.talks("/help")
	require.NotContains(t, cleo.shows("/report NAME TEXT"), "/kick")
	olga.shows("cleo", "ben", "Tables 1")
	require.NotContains(t, olga.see(), "hear me")
	require.Empty(t, audited(t, m))
}

// TestReport reports a person to the operators: those in the club read it at once, the others find it later.
func TestReport(t *testing.T) {
	t.Parallel()
	m, boss := openWithOperator(t)
	ana := newcomer(t, m, "ana", 100, 30)
	ben := newcomer(t, m, "ben", 100, 30)
	olga := sit(t, m, boss, "olga", 100, 30)
	olga.until("the lobby", inLobby)

	ana.talks("/report ben he shouts")
	ana.shows("Thanks; the operators will read it.")
	olga.shows("ana reports ben (lobby): he shouts")
	number := makeTableTalking(ana)
	ana.talks("/report ben here, too")
	ana.shows("Thanks; the operators will read it.")
	ana.talks("/report cem he as well")
	olga.shows("ana reports cem (table " + number + "): he as well")
	require.NotContains(t, string(olga.bytes()), "here, too", "operators hear of one person once")
	ben.talks("/report ana")
	ben.shows("Use /report NAME TEXT.")
	require.NotContains(t, string(ben.bytes()), "shouts")
	require.NoError(t, m.Close())
	status, out, errs := sshd("admin", "reports", "--data", m.Settings.Data)
	require.Equal(t, exitOK, status, errs)
	require.Regexp(t, `(?s)ana +cem +1 +table `+number+` +he as well\n.*ana +ben +2 +table `+number+` +he shouts / here, too\n$`, out)
}

// makeTableTalking makes a table after something was said in the lobby.
func makeTableTalking(p *terminal) string {
	p.t.Helper()
	p.press("\x1b")
	p.until("the end of the line", func(s string) bool { return !strings.Contains(s, "enter send") })
	return makeTable(p, "classic target=50", never)
}

// TestIgnore: people ignore what another person says, in the lobby and at a table: on a screen, in line mode,
// and as a program. Everybody else reads it. It lasts over reconnects, until they end it.
func TestIgnore(t *testing.T) {
	t.Parallel()
	m, _ := openWithOperator(t)
	screenKey, lineKey, programKey := member(t, m, "sara"), member(t, m, "lena"), member(t, m, "paul")
	ben := newcomer(t, m, "ben", 100, 30)
	cleo := newcomer(t, m, "cleo", 100, 30)
	sara := sit(t, m, screenKey, "sara", 100, 30)
	lena := startLine(t, m, lineKey, "dumb", "")
	lena.until("You are lena")

	ben.talks("the first earwig")
	sara.shows("the first earwig")
	lena.until("ben says: the first earwig")
	sara.talks("/ignore BEN")
	sara.shows("You no longer see what BEN says.")
	sara.until("the lines without his", func(s string) bool { return !strings.Contains(s, "earwig") })
	lena.say("/ignore ben")
	lena.until(`You no longer see what ben says\.`)
	ben.talks("the second earwig")
	cleo.shows("the second earwig")
	cleo.talks("nobody listens to him")
	require.NotContains(t, sara.shows("nobody listens to him"), "earwig")
	require.NotContains(t, lena.until("cleo says: nobody listens to him"), "earwig")

	// It holds in the next session, where the talk of the last one is shown.
	require.NoError(t, sara.client.Close())
	sara = sit(t, m, screenKey, "sara", 100, 30)
	sara.shows("nobody listens to him")
	lena.say("quit")
	require.NoError(t, lena.sess.Wait())
	lena = startLine(t, m, lineKey, "", "")
	lena.until("You are lena")
	lena.say("chat")
	require.NotContains(t, lena.until("cleo says: nobody listens to him"), "earwig")

	// At a table, from the gallery and from a seat.
	ben.press("\x1b")
	ben.until("the end of the line", func(s string) bool { return !strings.Contains(s, "enter send") })
	number := makeTable(ben, "classic target=50", never)
	paul := startProgram(t, m, programKey, "paul", "play "+number+" --json --bot")
	paul.next(0, "a seat", func(o *object) bool { return o.Seat == 2 })
	require.Equal(t, "ok", paul.say("hush", `"say":"/ignore ben"`).Type)
	sara.shows("ben : paul")
	sara.press(enter)
	sara.shows("Table " + number)
	lena.say("watch " + number)
	lena.until("Seat 1: ben")
	ben.talks("the third earwig")
	ben.shows("ben: the third earwig")
	require.Equal(t, "ok", paul.say("talk", `"say":"I hear nothing"`).Type)
	ben.shows("ben: the third earwig", "paul: I hear nothing")
	require.NotContains(t, sara.shows("paul: I hear nothing"), "earwig")
	require.NotContains(t, lena.until("paul says: I hear nothing"), "earwig")
	require.NotContains(t, string(paul.bytes()), "earwig")
	require.NotContains(t, string(sara.bytes()), "earwig", "not for a moment")

	sara.talks("/unignore ben")
	sara.shows("ben: the third earwig")
	lena.say("/unignore ben")
	lena.until(`You see what ben says again\.`)
	lena.say("chat")
	lena.until("ben says: the third earwig")
}

// TestAnIgnoredGuestComesBack has an ignored guest reconnect again and again: under another name, but still not heard. Other guests are.
func TestAnIgnoredGuestComesBack(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.ExemptNetworks = nil }) // by network, as for everybody else
	sara := newcomer(t, m, "sara", 100, 30)
	guest := func(user string) *terminal {
		p := sit(t, m, nil, user, 100, 30)
		p.until("the lobby", inLobby)
		return p
	}
	troll := guest("troll")
	troll.talks("the first earwig")
	said := regexp.MustCompile(`(guest-\w+)\s+the first earwig`).FindStringSubmatch(sara.shows("the first earwig"))
	require.NotNil(t, said, sara.see())
	sara.talks("/ignore " + said[1])
	sara.shows("or what guests from the same network")
	for _, word := range []string{"second", "third"} {
		require.NoError(t, troll.client.Close())
		troll = guest("troll")
		troll.talks("the " + word + " earwig")
		troll.shows("the " + word + " earwig")
	}
	guest("gus").talks("hello from elsewhere")
	screen := sara.shows("hello from elsewhere")
	require.NotContains(t, screen, "earwig")
	require.NotContains(t, string(sara.bytes()), "second")
	require.NotContains(t, string(sara.bytes()), "third")
}
