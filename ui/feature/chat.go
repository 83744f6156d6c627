package feature

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
)

// chatFeatures returns the chat commands that the lobby itself carries out. Line mode takes them without a
// slash, too, unless that is the name of another feature.
func chatFeatures(others []Feature) []Feature {
	return text.Each(lobby.Commands(), func(c lobby.Command) Feature {
		f := Feature{Name: c.Name, In: Chat | Line, Args: c.Args, Does: c.Does, Operator: c.Operator}
		if slices.ContainsFunc(others, func(o Feature) bool { return o.In == Line && (o.Name == c.Name || slices.Contains(o.Short, c.Name)) }) {
			f.In = Chat
		}
		return f
	})
}

// Talker is a visit whose lines of chat may also ask for features.
type Talker struct{ *lobby.Visit }

// Say says a line in the lobby, or answers a line that begins with a slash, to this person only.
func (t Talker) Say(ctx context.Context, line string) (string, error) {
	return t.answer(ctx, line, func() (string, error) { return t.Visit.Say(ctx, line) })
}

// SayIn is Say for an event.
func (t Talker) SayIn(ctx context.Context, kind event.Kind, id event.ID, line string) (string, error) {
	return t.answer(ctx, line, func() (string, error) { return t.Visit.SayIn(ctx, kind, id, line) })
}

// SayAt is Say for a table.
func (t Talker) SayAt(ctx context.Context, at table.ID, line string) (string, error) {
	return t.SayOnce(ctx, at, "", line)
}

// SayOnce is SayAt for a line that may be sent again: with the same request id it is said once.
func (t Talker) SayOnce(ctx context.Context, at table.ID, request, line string) (string, error) {
	return t.answer(ctx, line, func() (string, error) { return t.Visit.SayOnce(ctx, at, request, line) })
}

// answer answers a line that asks for a feature; say passes any other line to the lobby.
func (t Talker) answer(ctx context.Context, line string, say func() (string, error)) (string, error) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0][0] != '/' {
		return say()
	}
	f, ok := Find(Chat, words[0][1:])
	if !ok || f.Run == nil {
		return say()
	}
	ans, err := f.Carry(ctx, &Ask{Way: Chat, Visit: t.Visit, Words: words[1:], Now: time.Now()})
	if ans.Go != 0 {
		t.Lead(ans.Go)
	}
	return strings.Join(ans.Lines, "\n"), err
}

// People says how many people there are.
func People(n int) string {
	if n == 1 {
		return "1 person"
	}
	return strconv.Itoa(n) + " people"
}
