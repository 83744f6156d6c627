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
	kind   event.Kind
	list   func() (Answer, error)
	create func(words []string) (event.ID, error)
	enters bool                                    // alone or with a partner
	leaves bool                                    // who has entered
	do     func(id event.ID, words []string) error // what else may follow an event's number; nil for nothing
	show   func(id event.ID) (Answer, error)
	usage  text.Refusal
}

// run lists the events without words, creates one with new, and otherwise does what the words after a number say. It shows the event.
func (c eventCommand) run(ctx context.Context, v *lobby.Visit, words []string) (ans Answer, err error) {
	if err := v.List(); err != nil {
		return ans, err
	}
	if len(words) == 0 {
		return c.list()
	}
	var id event.ID
	if words[0] == "new" {
		id, err = c.create(words[1:])
	} else {
		n, wrong := strconv.ParseInt(words[0], 10, 64)
		if wrong != nil {
			return ans, c.usage
		}
		id = event.ID(n)
		err = c.act(ctx, v, id, words[1:])
	}
	if err != nil {
		return ans, err
	}
	return c.show(id)
}

// act carries out the words after an event's number.
func (c eventCommand) act(ctx context.Context, v *lobby.Visit, id event.ID, words []string) error {
	switch {
	case len(words) == 0:
		return nil
	case len(words) == 1 && words[0] == "off":
		return v.CallOff(ctx, c.kind, id)
	case len(words) == 1 && words[0] == "leave" && c.leaves:
		return v.LeaveEvent(ctx, c.kind, id)
	case len(words) == 1 && words[0] == "enter" && c.enters:
		return v.EnterEvent(ctx, c.kind, id, "")
	case len(words) == 3 && words[0] == "enter" && words[1] == "with" && c.enters:
		return v.EnterEvent(ctx, c.kind, id, words[2])
	case c.do != nil:
		return c.do(id, words)
	}
	return c.usage
}
