package page

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/event"
)

// Organizer calls events off; a [lobby.Visit] does.
type Organizer interface {
	MayCallOff(by string) bool
	CallOff(ctx context.Context, kind event.Kind, id event.ID) error
}

var keyOff = Bind("X", "call it off", "X")

// CallOff adds the key that calls an event off, which its maker and operators may as long as it has not begun. The page is then sent a
// [CallOffMsg].
func (a *Actions) CallOff(o Organizer, by string, begun bool) {
	a.Add(!begun && o.MayCallOff(by), keyOff, askOff)
}

// CallOffMsg is sent to the page of an event when the person has confirmed that it is to be called off.
type CallOffMsg struct{}

// askOff asks whether an event is to be called off.
func askOff() tea.Cmd {
	return Send(AskMsg{Question: "Call this event off? Everyone who has entered will be told. ", Then: CallOffMsg{}})
}

// CallOff calls an event off.
func (e *Env) CallOff(o Organizer, kind event.Kind, id event.ID) tea.Cmd {
	return e.DoAndSay(func(ctx context.Context) error { return o.CallOff(ctx, kind, id) }, "Called off.")
}
