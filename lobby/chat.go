package lobby

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Say says something in the lobby. A line that begins with / is a command; its reply is for this person only.
// Say returns ErrTooMuch, a *SanctionError, the refusals of a line, or those of the command.
func (v *Visit) Say(ctx context.Context, line string) (reply string, err error) {
	if isSlash(line) {
		return v.slash(ctx, where{}, line)
	}
	return "", v.say(ctx, 0, line)
}

// SayIn says something at an event. It treats commands as Say does, and returns the refusals of Say and Said.
func (v *Visit) SayIn(ctx context.Context, kind event.Kind, id event.ID, line string) (reply string, err error) {
	if err := v.mayHear(ctx, kind, id); err != nil {
		return "", err
	}
	if isSlash(line) {
		return v.slash(ctx, where{event: kinds[kind].Titled(id, "")}, line)
	}
	return "", v.say(ctx, id, line)
}

// say says something at an event, or in the lobby if at is 0.
func (v *Visit) say(ctx context.Context, at event.ID, line string) error {
	line, err := v.mayTalk(line)
	if err != nil {
		return err
	}
	l := v.lobby
	if v.newcomer() {
		if err := v.may(&l.limits.newLines, ErrManyNewcomers); err != nil {
			return err
		}
	}
	ctx, done := event.Lasting(ctx)
	defer done()
	said := Line{At: l.now(), From: v.Player(), Text: line}
	said.Seq, err = l.stores.Talk.Say(ctx, at, said) // nobody reads what is not on disk
	if err != nil {
		return l.trouble("keep a line of chat", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if at == 0 {
		l.chat = keepChat(l.chat, said)
		l.changed(partChat)
	} else {
		l.said.forget()
		l.changed(partEvents)
	}
	return nil
}

// ErrHushed is returned to players of deals that others still play.
const ErrHushed text.Refusal = "You play the deals of this event: you can read its chat, and talk there, when it is over."

// Said returns what was said at an event, newest last, without people whom the person does not hear. It
// returns ErrHushed, or the kind's refusal if there is no such event.
func (v *Visit) Said(ctx context.Context, kind event.Kind, id event.ID) ([]Line, error) {
	if err := v.mayHear(ctx, kind, id); err != nil {
		return nil, err
	}
	l := v.lobby
	lines, err := askOnce(ctx, v, &l.said, id, func(ctx context.Context) ([]Line, error) { return l.stores.Talk.History(ctx, id, keptChat) })
	if err != nil {
		return nil, l.trouble("read the chat of an event", err)
	}
	return slices.DeleteFunc(slices.Clone(lines), func(said Line) bool { return !l.hears(v.person, said.From) }), nil
}

// mayHear returns an error if the person may not read and write the chat of an event.
func (v *Visit) mayHear(ctx context.Context, kind event.Kind, id event.ID) error {
	l := v.lobby
	if r := l.events.RoomOf(kind, id); r != nil {
		if r.Hushes(v.person.id) {
			return ErrHushed
		}
		return nil
	}
	_, err := askOnce(ctx, v, &l.titles, fmt.Sprint("talk of ", kind, id), func(ctx context.Context) (event.Event, error) {
		return l.events.Past(ctx, id, kind)
	})
	return err
}

// keepChat returns the chat with one more line, unless it has that, in the order of their numbers on disk. It
// copies, since snapshots share the old chat.
func keepChat(chat []Line, said Line) []Line {
	at := len(chat)
	for at > 0 && chat[at-1].Seq > said.Seq {
		at--
	}
	if at > 0 && chat[at-1].Seq == said.Seq {
		return chat
	}
	chat = slices.Insert(slices.Clip(chat), at, said)
	return chat[max(0, len(chat)-keptChat):]
}

// SayAt says something at a table, to its players or its watchers. Commands and refusals are as in Say.
func (v *Visit) SayAt(ctx context.Context, id table.ID, line string) (reply string, err error) {
	return v.SayOnce(ctx, id, "", line)
}

// SayOnce is SayAt for a line that may be repeated: the same request id is carried out once. An empty id is
// new.
func (v *Visit) SayOnce(ctx context.Context, at table.ID, request, line string) (reply string, err error) {
	if isSlash(line) {
		return v.slash(ctx, where{table: at}, line)
	}
	line, err = v.mayTalk(line)
	if err != nil {
		return "", err
	}
	return "", v.do(ctx, at, request, table.Say{Text: line})
}

func isSlash(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "/") }

// mayTalk returns a line as it is stored, if the person may speak now.
func (v *Visit) mayTalk(line string) (string, error) {
	if _, err := v.alive(); err != nil {
		return "", err
	}
	if err := v.muted(); err != nil {
		return "", err
	}
	line, err := text.CleanLine(line)
	if err != nil {
		return "", err
	}
	return line, v.may(&v.lobby.limits.lines, ErrTooMuch)
}

// newcomer reports whether the person is a guest, or a member for less than a day.
func (v *Visit) newcomer() bool {
	a := v.account()
	return a.ID.Guest() || v.lobby.now().Sub(a.Created) < 24*time.Hour
}
