package remote_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/replay"
	"boneyard/table"
	"boneyard/ui/plain"
	"boneyard/ui/remote"
)

// program is one that plays, at the other end of the line.
type program struct {
	*started
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Scanner
	last remote.State
	seen []string // the types of all objects
	text strings.Builder
}

// program starts play for somebody.
func (c *club) program(p *person, words string) *program {
	c.T.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	g := &program{t: c.T, in: inW, out: bufio.NewScanner(outR)}
	g.out.Buffer(nil, 1<<20)
	g.started = c.start(p, words, inR, outW)
	go func() {
		<-g.done
		_ = outW.Close()
		_ = inR.Close() // as the server does
	}()
	return g
}

// read reads objects until one of a type has come, and returns it.
func (g *program) read(typ string) (line string) {
	g.t.Helper()
	for g.out.Scan() {
		g.text.WriteString(g.out.Text() + "\n")
		var o struct{ Type string }
		require.NoError(g.t, json.Unmarshal(g.out.Bytes(), &o), g.out.Text())
		g.seen = append(g.seen, o.Type)
		if o.Type == "state" {
			g.last = remote.State{}
			require.NoError(g.t, json.Unmarshal(g.out.Bytes(), &g.last))
		}
		if o.Type == typ {
			return g.out.Text()
		}
	}
	g.t.Fatalf("no %s comes", typ)
	return ""
}

// until reads until a state is as wanted.
func (g *program) until(ok func(*remote.State) bool) {
	g.t.Helper()
	for g.read("state"); !ok(&g.last); g.read("state") {
	}
}

func (g *program) write(format string, args ...any) {
	g.t.Helper()
	_, err := fmt.Fprintf(g.in, format+"\n", args...)
	require.NoError(g.t, err)
}

// quit hangs up and reads what still comes.
func (g *program) quit() {
	_ = g.in.Close()
	g.rest()
}

// rest reads until the session ends.
func (g *program) rest() {
	for g.out.Scan() {
		g.text.WriteString(g.out.Text() + "\n")
	}
	<-g.done
}

// finish plays the first option each time, until the game is over.
func (g *program) finish() {
	g.t.Helper()
	for {
		g.until(func(s *remote.State) bool { return s.Duty == "play" || s.State == "finished" })
		if g.last.State == "finished" {
			return
		}
		o := g.last.Options[0]
		g.write(`{"play":%q,"arm":%q,"version":%d}`, o.Play, o.Arm, g.last.Version)
	}
}

func TestAProgramPlays(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		bea := c.member("bea")
		g := c.program(bea, "play new classic target=60 bots=now --json --bot")
		g.until(func(s *remote.State) bool { return s.Seats[1].Kind == "house" })
		g.write(`{"ready":true}`)
		g.finish()
		require.Contains(t, g.seen, "result")
		require.Contains(t, g.seen, "scoring")
		require.Equal(t, "with a program", g.last.Casual)
		require.NotEmpty(t, g.last.Seed)
		require.Equal(t, 1, g.last.Seat)
		g.write(`{"rematch":true}`)
		g.until(func(s *remote.State) bool { return s.Game == 2 && s.State == "playing" })
		g.write(`{"id":"bye","leave":true}`)
		require.Equal(t, `{"type":"ok","id":"bye"}`, g.read("ok"))
		g.quit()
		require.Zero(t, g.status)
		require.True(t, bea.account().Bot, "the account is marked")
		info, lines, err := c.Store.Record(context.Background(), 1)
		require.NoError(t, err)
		require.Equal(t, []string{"bea", "nora.regular"}, info.Seats)
		_ = lines
	})
}

// A program never receives the other hand's tiles before its time.
func TestAProgramSeesItsSeatOnly(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		g := c.program(c.member("bea"), "play new classic target=60 bots=now --json --bot")
		g.read("state")
		g.write(`{"ready":true}`)
		g.until(func(s *remote.State) bool { return s.Duty == "play" })
		text, open := g.text.String(), map[string]bool{}
		require.Empty(t, g.last.Seed)
		for _, tile := range g.last.Hand {
			open[tile] = true
		}
		for _, p := range g.last.Layout {
			open[p.Tile] = true
		}
		g.finish()
		_, lines, err := c.Store.Record(context.Background(), 1)
		require.NoError(t, err)
		r, err := replay.ReadLines(lines)
		require.NoError(t, err)
		hidden := append(plain.Tiles(r.Rounds[0].Hands[1]), plain.Tiles(rules.NewHand(r.Rounds[0].Stock...))...)
		require.Greater(t, len(hidden), 15)
		for _, tile := range hidden {
			if !open[tile] {
				require.NotContains(t, text, `"`+tile+`"`)
			}
		}
		require.NotContains(t, text, r.Seed.String())
		g.quit()
	})
}

func TestAProgramIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		g := c.program(c.member("bea"), "play new classic bots=now --json --bot")
		g.read("state")
		g.write(`{"add_bot":0,"strength":"clever"}`)
		require.Contains(t, g.read("error"), "A bot's strength is novice, casual, regular, expert or master.")
		g.write(`{"ready":true}`)
		g.until(func(s *remote.State) bool { return s.Duty == "play" })
		version := g.last.Version
		for line, why := range map[string]string{
			`nonsense`:                       "That line can't be understood: it is not JSON, from byte 2 on.",
			`{"play":`:                       "That line can't be understood: its object has no end.",
			`{"play":"6-4"} {"ready":true}`:  "That line can't be understood",
			`{"fly":true}`:                   `understood: unknown field \"fly\".`,
			`{"ready":1}`:                    `\"ready\" cannot be a number.`,
			`"ready"`:                        "a line holds one object, not a string.",
			`[]`:                             "a line holds one object, not an array.",
			`{"play":{}}`:                    `\"play\" cannot be an object.`,
			`{}`:                             "one thing",
			`{"ready":true,"leave":true}`:    "one thing",
			`{"leave":false}`:                "one thing",
			`{"leave":false,"play":"9-9"}`:   "Write a tile like 6-4",
			`{"rematch":false}`:              "one thing",
			`{"state":false}`:                "one thing",
			`{"play":"9-9"}`:                 "Write a tile like 6-4",
			`{"play":"6-4","arm":"X"}`:       "An arm is",
			`{"vote":"bots"}`:                "A vote is bot, adjourn or claim.",
			`{"sit":7}`:                      "A seat is a number",
			`{"vote":"bot"}`:                 "Everybody is here",
			`{"rematch":true}`:               "isn't possible at the moment",
			`{"say":""}`:                     "no readable text",
			`{"ready":true}`:                 "A game is being played",
			`{"play":"6-4","version":1}`:     "The game has moved on",
			`{"play":"6-4","version":99999}`: "The game has moved on",
		} {
			g.write("%s", line)
			require.Contains(t, g.read("error"), why, line)
		}
		g.write(`{"state":true}`)
		g.read("state")
		require.Equal(t, version, g.last.Version, "nothing has happened")
		g.write(`{"id":"a","say":"hello"}`)
		require.Contains(t, g.read("chat"), `"from":"bea","kind":"bot","room":"players","text":"hello"`)
		g.quit()
		require.Zero(t, g.status)
		published()
		require.Equal(t, table.Disconnected, c.seat(1, 1).Presence, "who says no goodbye has disconnected")
	})
}

// A line that is sent twice counts once.
func TestAProgramRepeatsALine(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		g := c.program(c.member("bea"), "play new classic bots=now --json --bot")
		g.read("state")
		g.write(`{"ready":true}`)
		g.until(func(s *remote.State) bool { return s.Duty == "play" })
		o := g.last.Options[0]
		move := fmt.Sprintf(`{"id":"m1","play":%q,"arm":%q}`, o.Play, o.Arm)
		g.write("%s", move)
		require.Contains(t, g.read("ok"), "m1")
		g.write("%s", move)
		require.Contains(t, g.read("ok"), "m1")
		g.quit()
	})
}

func TestAProgramIsHeldToARate(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		g := c.program(c.member("bea"), "play new classic bots=never --json --bot")
		g.read("state")
		began := time.Now()
		go func() {
			for range 100 {
				_, _ = io.WriteString(g.in, "{\"ready\":false}\n")
			}
			_, _ = io.WriteString(g.in, "{\"id\":\"last\",\"ready\":false}\n")
		}()
		require.Contains(t, g.read("ok"), "last")
		require.NotContains(t, g.seen, "error")
		require.GreaterOrEqual(t, time.Since(began), 10*time.Second)
		long := strings.Repeat("x", 5000)
		go func() { _, _ = io.WriteString(g.in, long+"\n") }()
		require.Contains(t, g.read("error"), "4096 bytes")
		g.quit()
		require.Equal(t, 2, g.status)
	})
}

func TestAProgramIsKicked(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		bea := c.member("bea")
		g := c.program(bea, "play new classic bots=never --json --bot")
		g.read("state")
		second := c.program(bea, "play 1 --json")
		second.read("state")
		require.Contains(t, g.read("bye"), "taken over by another session of yours")
		g.quit()
		require.Equal(t, 1, g.status)
		second.cancel()
		require.Contains(t, second.read("bye"), "The server is going down")
		second.quit()
	})
}

func TestPlayWantsADeclaredProgram(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.member("ana")
		status, _, errs := c.run(ana, "play new --json")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "--bot")
		require.False(t, ana.account().Bot)
		require.Empty(t, c.ok(ana, "tables --json"))
	})
}

// arenaOf makes an arena for programs, which begins in five minutes, and returns its number.
func (c *club) arenaOf(ana, bea *person, words string) int64 {
	c.T.Helper()
	v, w := ana.enter(), bea.enter()
	c.playOut(c.table("classic target=25", v, w), v, w)
	v.Close(table.Left)
	w.Close(table.Left)
	c.ok(ana, "arena new in=5 programs=on "+words)
	var made struct{ Arena int64 }
	require.NoError(c.T, json.Unmarshal([]byte(c.ok(nil, "arena --json")), &made))
	return made.Arena
}

// Programs that read slowly are still sent the end of their last game before the end of the arena.
func TestAProgramReadsHowItsLastGameInAnArenaEnded(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, bea := c.member("ana"), c.member("bea")
		id := c.arenaOf(ana, bea, "length=10 pace=fast classic target=20")
		var all []*program
		for _, p := range []*person{ana, bea, c.member("cem"), c.member("dan"), c.member("eve"), c.member("fay")} {
			all = append(all, c.program(p, fmt.Sprint("arena ", id, " play --json --bot")))
		}
		time.Sleep(6 * time.Minute)
		time.Sleep(2 * time.Hour) // they read nothing, and their games are called off
		for _, g := range all {
			g.rest()
			require.Regexp(t, `(?s)"type":"result".*\n{"type":"note","text":"The arena is over."}\n$`, g.text.String())
			require.Zero(t, g.status)
		}
	})
}

// A server that goes down while an arena runs tells its programs to come back, not that the arena is over.
func TestAProgramInAnArenaAsTheServerGoesDown(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, bea := c.member("ana"), c.member("bea")
		p := c.program(bea, fmt.Sprint("arena ", c.arenaOf(ana, bea, "length=120"), " play --json --bot"))
		var said []string
		read := make(chan struct{})
		go func() {
			defer close(read)
			for p.out.Scan() {
				said = append(said, p.out.Text())
			}
		}()
		time.Sleep(10 * time.Minute) // it runs for two hours
		require.NoError(t, c.Drain(context.Background()))
		<-p.done
		<-read
		require.Equal(t, 1, p.status)
		require.NotContains(t, strings.Join(said, "\n"), "The arena is over.")
		require.Contains(t, said[len(said)-1], table.ErrDraining.Error())
	})
}
