package attack

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
)

// Attacks on what the club works out and keeps for its guests: events, messages, people's pages, walls, the coach.

// typed sends lines or keys one after another, until ctx ends.
func typed(ctx context.Context, ch ssh.Channel, n int, every time.Duration, what func() string) error {
	for range n {
		if _, err := io.WriteString(ch, what()); err != nil {
			return err
		}
		if !client.Sleep(ctx, every) {
			return nil
		}
	}
	return nil
}

// somebody is the name of an ordinary program, of an attacker, or of nobody.
func (a *attacker) somebody() string { return client.ProgramName(a.Run, rand.IntN(2*a.Names)) }

// tell sends messages to everybody, here or away, many of them to the same person, and ignores some of them.
func tell(ctx context.Context, a *attacker) error {
	_ = a.member(ctx) // hanging up is reported as an error; without an account there will be another
	c, ch, err := a.enter(ctx, client.Caller{User: "tell", Key: a.key}, "", 0, 0, "")
	if err != nil {
		return err
	}
	defer c.HangUp()
	return typed(ctx, ch, 40, time.Second/8, func() string {
		return []string{"/tell " + a.somebody() + " " + a.text(), "/tell " + client.ProgramName(a.Run, 0) + " " + a.text(), "/r " + a.text(), "/ignore " + a.somebody(), "/tell " + a.text()}[rand.IntN(5)] + "\n"
	})
}

// whois asks about people, existing or not, in lines and on pages.
func whois(ctx context.Context, a *attacker) error {
	c, ch, err := a.enter(ctx, client.Caller{User: "whois"}, "", 0, 0, "")
	if err != nil {
		return err
	}
	defer c.HangUp()
	return typed(ctx, ch, 40, time.Second/8, func() string { return []string{"whois ", "/whois ", "games "}[rand.IntN(3)] + a.somebody() + "\n" })
}

// lists asks for everything that may be long, in line mode, as fast as lines are read.
func lists(ctx context.Context, a *attacker) error {
	c, ch, err := a.enter(ctx, client.Caller{User: "lists"}, "", 0, 0, "")
	if err != nil {
		return err
	}
	defer c.HangUp()
	long := []string{"who", "tables", "teams", "standings", "news", "chat", "calendar", "arena", "arena 1", "league", "league 1", "cup", "duplicate", "field", "daily", "daily month"}
	return typed(ctx, ch, 80, time.Second/8, func() string { return long[rand.IntN(len(long))] + "\n" })
}

// walls opens walls of tables and resizes them all the time.
func walls(ctx context.Context, a *attacker) error {
	return atOnce(2, func() error {
		c, ch, err := a.enter(ctx, client.Caller{User: "walls"}, client.TermName, 500, 200, "wall")
		if err != nil {
			return err
		}
		defer c.HangUp()
		for n := range 200 {
			if err := resized(ch, []uint32{80, 500}[n%2], []uint32{24, 200}[n%2]); err != nil {
				return err
			}
			if !client.Sleep(ctx, 20*time.Millisecond) {
				return nil
			}
		}
		return nil
	})
}

// hop goes from table to table and back, so that forecasts are computed again and again.
func hop(ctx context.Context, a *attacker) error {
	c, ch, err := a.enter(ctx, client.Caller{User: "hop"}, client.TermName, 120, 40, "watch "+a.table())
	if err != nil {
		return err
	}
	defer c.HangUp()
	return typed(ctx, ch, 100, 50*time.Millisecond, func() string { return []string{"]", "[", "v", "f"}[rand.IntN(4)] })
}

// coach plays a game, resigns, and asks the coach about it and about others' games.
func coach(ctx context.Context, a *attacker) error {
	_ = a.member(ctx)
	if a.key == nil {
		return errTurnedAway
	}
	who := client.Caller{User: "coach", Key: a.key}
	c, ch, err := a.enter(ctx, who, "", 0, 0, "")
	if err != nil {
		return err
	}
	err = typed(ctx, ch, 1, 10*time.Second, func() string { return "new block seats=2 bots=now target=25\nready\n" })
	if err == nil {
		err = typed(ctx, ch, 2, time.Second, func() string { return "resign\nyes\n" })
	}
	c.HangUp()
	if err != nil {
		return err
	}
	if c, ch, err = a.enter(ctx, who, client.TermName, 120, 40, ""); err != nil {
		return err
	}
	defer c.HangUp()
	const games, open, coached, back, down = "4", "\r", "c", "q", "\x1b[B"
	keys := []string{games, open, coached, back, back, down, down}
	n := 0
	return typed(ctx, ch, 60, 100*time.Millisecond, func() string {
		n++
		return keys[n%len(keys)]
	})
}

// events lists all events, and tries to take part in events that exist and in ones that do not.
func events(ctx context.Context, a *attacker) error {
	_ = a.member(ctx)
	c, ch, err := a.enter(ctx, client.Caller{User: "events", Key: a.key}, "", 0, 0, "")
	if err != nil {
		return err
	}
	defer c.HangUp()
	kinds := []string{"arena", "league", "cup", "duplicate", "field"}
	does := []string{"", "", "enter", "enter A", "enter with " + a.name, "leave", "start", "join", "accept", "propose 2000-01-01T20:00", "lineup anybody", "off", a.text()}
	return typed(ctx, ch, 40, time.Second/8, func() string {
		if rand.IntN(4) == 0 {
			return []string{"calendar", "daily", "daily month", "daily play", "duplicate new classic", "field new classic in=20000", "arena new", "league new name=" + a.text(), "team new XXX X"}[rand.IntN(9)] + "\n"
		}
		return strings.TrimSpace(fmt.Sprint(kinds[rand.IntN(len(kinds))], " ", rand.IntN(8), " ", does[rand.IntN(len(does))])) + "\n"
	})
}
