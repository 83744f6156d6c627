package client

import (
	"context"
	"math/rand/v2"
	"regexp"
	"strings"
	"time"
)

// Keys, as terminals send them.
const (
	KeyEnter = "\r"
	keyDown  = "\x1b[B"
	keyRight = "\x1b[C"
)

// The words on the club's screens when a person has to do something.
const (
	SayLobby   = " Lobby"
	sayForm    = "Who may sit"
	SayReady   = "Ready? Press Space."
	sayAgain   = "Press r for another game with the same seats."
	sayGoOn    = "Press Enter to continue;"
	sayYours   = "Your move."
	sayPlays   = "enter plays"
	sayPropose = "? ↑↓"
	sayStandIn = "Press Enter to take your seat back"
)

// Person plays at a table by looking at the screen: the first tile that fits, where the club proposes it.
type Person struct {
	*Screen
	Pace time.Duration // from the beginning of a turn to the first key, half as much more or less
	Gate *Gate         // nobody moves while it is shut
}

// tableNumber is in the header of a table's page.
var tableNumber = regexp.MustCompile(`Table ([0-9]+):`)

// Host opens a table with so many seats through the form, bots on all but those for people, and returns its
// number.
func (s *Screen) Host(ctx context.Context, seats, people int) (number string, err error) {
	look := func(want string, ok func(text string) bool) {
		if err == nil {
			_, err = s.Until(ctx, want, ok)
		}
	}
	press := func(keys string) {
		if err == nil {
			err = s.Send(keys)
		}
	}
	contains := func(want string) func(string) bool {
		return func(text string) bool { return strings.Contains(text, want) }
	}
	look("lobby", contains(SayLobby))
	press("n")
	look("form", contains(sayForm))
	// The second row of the form is the number of seats, and two are proposed.
	press(keyDown + strings.Repeat(keyRight, seats-2) + KeyEnter)
	look("table", func(text string) bool {
		if m := tableNumber.FindStringSubmatch(text); m != nil {
			number = m[1]
		}
		return number != "" && strings.Contains(text, SayReady)
	})
	for bots := 1; bots <= seats-people; bots++ {
		press("b")
		look("bot", func(text string) bool { return strings.Count(text, "bot, regular") >= bots })
	}
	return number, err
}

// Begun waits for the first round.
func (p *Person) Begun(ctx context.Context) error {
	_, err := p.Until(ctx, "first round", func(string) bool { return p.round != "" })
	return err
}

// Play plays until ctx ends, which is no error.
func (p *Person) Play(ctx context.Context) error {
	type question struct { // what is asked, and in which state of the table
		row     string
		version uint64
	}
	var asked, answered question // no key is pressed twice at the same
	played, thought := 0, -1     // moves, and before which of them it has thought: once, however many come to watch meanwhile
	for {
		keys := ""
		text, err := p.Until(ctx, "turn", func(text string) bool {
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
		if !p.Gate.pass(ctx) {
			return nil
		}
		// People do not all think for the same time; if they did, all tables would move at the same moment.
		if strings.Contains(text, sayYours) && thought != played {
			if !Sleep(ctx, p.Pace/2+rand.N(p.Pace+1)) {
				return nil
			}
			thought = played
			continue // and look again
		}
		plays := strings.Contains(text, sayPlays)
		version, at := p.Mark(), time.Now()
		if plays {
			p.Table.moved(version, at)
		}
		if err := p.Send(keys); err != nil {
			return err
		}
		answered = asked
		switch {
		case plays:
			_, err = p.Until(ctx, "move on the screen", func(string) bool { return p.version > version })
			if err == nil {
				p.Table.acknowledged(time.Since(at))
				played++
			}
		case keys == " ": // a second one would take it back
			_, err = p.Until(ctx, "answer to being ready", func(text string) bool { return !strings.Contains(text, SayReady) })
		}
		if err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// todo is the key that a screen asks for, if any, and the row in which it asks.
func todo(text string) (key, row string) {
	for _, t := range []struct{ say, key string }{
		{SayReady, " "}, {sayAgain, "r"}, {sayGoOn, KeyEnter}, {sayStandIn, KeyEnter},
		{sayYours, KeyEnter}, {sayPlays, KeyEnter}, {sayPropose, KeyEnter},
	} {
		for row := range strings.Lines(text) {
			if strings.Contains(row, t.say) {
				return t.key, row
			}
		}
	}
	return "", ""
}
