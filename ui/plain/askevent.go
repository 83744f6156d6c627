package plain

import (
	"context"
	"strconv"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/text"
)

// Asking runs the command for a kind of event.
type Asking func(ctx context.Context, v *lobby.Visit, words []string, now time.Time) (Answer, error)

// eventCommand is what differs between the commands for the kinds of events.
type eventCommand struct {
	list   func() (Answer, error)
	create func(words []string) (event.ID, error)
	do     func(id event.ID, words []string) error // words follow the event's number; there is at least one
	show   func(id event.ID) (Answer, error)
	usage  text.Refusal
}

// run lists the events without words, creates one with new, and otherwise does what the words after a number say. It shows the event.
func (c eventCommand) run(v *lobby.Visit, words []string) (ans Answer, err error) {
	if err := v.List(); err != nil {
		return ans, err
	}
	if len(words) == 0 {
		return c.list()
	}
	if words[0] == "new" {
		id, err := c.create(words[1:])
		if err != nil {
			return ans, err
		}
		return c.show(id)
	}
	n, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil {
		return ans, c.usage
	}
	id := event.ID(n)
	if len(words) > 1 {
		if err := c.do(id, words[1:]); err != nil {
			return ans, err
		}
	}
	return c.show(id)
}
