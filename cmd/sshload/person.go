package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Keys, as terminals send them.
const (
	keyEnter = "\r"
	keyDown  = "\x1b[B"
	keyRight = "\x1b[C"
)

// What the club's screens say where a person has to do something. A change of these words breaks the load generator, and
// the test of this package.
const (
	sayLobby   = " Lobby"
	sayForm    = "Who may sit"
	sayReady   = "Ready? Press Space."
	sayAgain   = "Press r for another game with the same seats."
	sayGoOn    = "Press Enter to continue;"
	sayYours   = "Your move."
	sayPlays   = "enter plays"
	sayPropose = "? ↑↓"
	sayStandIn = "Press Enter to take your seat back"
)

// person plays at a table by looking at the screen: the first tile that fits, where the club proposes it.
type person struct {
	*screen
	pace time.Duration // from the beginning of a turn to the first key, half as much more or less
	gate *gate         // nobody moves while it is shut
}

// tableNumber is in the header of a table's page.
var tableNumber = regexp.MustCompile(`Table ([0-9]+):`)

// host opens a table with so many seats through the form, bots on all but those for people, and returns its number.
func (s *screen) host(ctx context.Context, seats, people int) (string, error) {
	if _, err := s.shows(ctx, sayLobby); err != nil {
		return "", err
	}
	if err := s.press(ctx, "n", sayForm); err != nil {
		return "", err
	}
	// The second row of the form is the number of seats, and two are proposed.
	if err := s.send(keyDown + strings.Repeat(keyRight, seats-2) + keyEnter); err != nil {
		return "", err
	}
	text, err := s.until(ctx, "the table", func(text string) bool {
		return tableNumber.MatchString(text) && strings.Contains(text, sayReady)
	})
	if err != nil {
		return "", err
	}
	number := tableNumber.FindStringSubmatch(text)[1]
	for bots := 1; bots <= seats-people; bots++ {
		if err := s.send("b"); err != nil {
			return "", err
		}
		if _, err := s.until(ctx, fmt.Sprint(bots, " bots"), func(text string) bool {
			return strings.Count(text, "bot, regular") >= bots
		}); err != nil {
			return "", err
		}
	}
	return number, nil
}

// press sends keys and waits for what they lead to.
func (s *screen) press(ctx context.Context, keys, want string) error {
	if err := s.send(keys); err != nil {
		return err
	}
	_, err := s.shows(ctx, want)
	return err
}

// begun waits for the first round.
func (p *person) begun(ctx context.Context) error {
	_, err := p.until(ctx, "the first round", func(string) bool { return p.round != "" })
	return err
}

// play plays until ctx ends, which is no error.
func (p *person) play(ctx context.Context) error {
	type question struct { // what is asked, and in which state of the table
		row     string
		version uint64
	}
	var asked, thought, answered question // no key is pressed twice at the same
	for {
		keys := ""
		text, err := p.until(ctx, "something to do", func(text string) bool {
			keys, asked.row = todo(text)
			asked.version = p.version
			return keys != "" && asked != answered
		})
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if !p.gate.pass(ctx) {
			return nil
		}
		// People do not all think for the same time; if they did, all tables would move at the same moment.
		if strings.Contains(text, sayYours) && asked != thought {
			if !sleep(ctx, p.pace/2+rand.N(p.pace+1)) {
				return nil
			}
			thought = asked
			continue // and look again
		}
		plays := strings.Contains(text, sayPlays)
		version, at := p.mark(), time.Now()
		if plays {
			p.table.moved(version, at)
		}
		if err := p.send(keys); err != nil {
			return err
		}
		answered = asked
		switch {
		case plays:
			_, err = p.until(ctx, "the move", func(string) bool { return p.version > version })
			if err == nil {
				p.table.acknowledged(time.Since(at))
			}
		case keys == " ": // a second one would take it back
			_, err = p.until(ctx, "being ready", func(text string) bool { return !strings.Contains(text, sayReady) })
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// todo is the key that a screen asks for, if it asks for one, and the row in which it does.
func todo(text string) (key, row string) {
	for _, t := range []struct{ say, key string }{
		{sayReady, " "}, {sayAgain, "r"}, {sayGoOn, keyEnter}, {sayStandIn, keyEnter},
		{sayYours, keyEnter}, {sayPlays, keyEnter}, {sayPropose, keyEnter},
	} {
		for row := range strings.Lines(text) {
			if strings.Contains(row, t.say) {
				return t.key, row
			}
		}
	}
	return "", ""
}

// sleep waits; it reports false when ctx has ended.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// gate is open or shut, and people wait before it.
type gate struct {
	mu   sync.Mutex
	open chan struct{} // closed while the gate is open
}

func newGate() *gate { return &gate{open: make(chan struct{})} }

func (g *gate) set(open bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.open:
		if !open {
			g.open = make(chan struct{})
		}
	default:
		if open {
			close(g.open)
		}
	}
}

// pass waits for the gate to be open; it reports false when ctx has ended.
func (g *gate) pass(ctx context.Context) bool {
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	select {
	case <-open:
		return true
	case <-ctx.Done():
		return false
	}
}
