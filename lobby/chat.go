package lobby

import (
	"context"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
)

// Say says something in the lobby. A line that begins with / is a command; its reply is for this person only.
// It refuses with ErrTooMuch, a *SanctionError, the refusals of a line, or what the command says.
func (v *Visit) Say(ctx context.Context, line string) (reply string, err error) {
	if isSlash(line) {
		return v.slash(ctx, 0, line)
	}
	line, err = v.mayTalk(line)
	if err != nil {
		return "", err
	}
	l := v.lobby
	if v.newcomer() {
		if err := v.may(&l.limits.newLines, ErrManyNewcomers); err != nil {
			return "", err
		}
	}
	said := Line{At: l.now(), From: v.Player(), Text: line}
	said.Seq, err = l.stores.Talk.Say(ctx, said) // nobody reads what is not on disk
	if err != nil {
		return "", l.trouble("keep a line of chat", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.chat = keepChat(l.chat, said)
	l.changed(partChat)
	return "", nil
}

// keepChat returns the chat with one line more, in the order in which lines were put on disk. It is a copy: snapshots
// share the old one.
func keepChat(chat []Line, said Line) []Line {
	at := len(chat)
	for at > 0 && chat[at-1].Seq > said.Seq {
		at--
	}
	chat = slices.Insert(slices.Clip(chat), at, said)
	return chat[max(0, len(chat)-keptChat):]
}

// SayAt says something at a table, to the players or among the watchers, as the person sits or watches.
// Commands and refusals are as with Say.
func (v *Visit) SayAt(ctx context.Context, id table.ID, line string) (reply string, err error) {
	return v.SayOnce(ctx, id, "", line)
}

// SayOnce is SayAt for a line that may be repeated: with the same request id it is said once. An empty id
// stands for a new one.
func (v *Visit) SayOnce(ctx context.Context, at table.ID, request, line string) (reply string, err error) {
	if isSlash(line) {
		return v.slash(ctx, at, line)
	}
	line, err = v.mayTalk(line)
	if err != nil {
		return "", err
	}
	return "", v.do(ctx, at, request, table.Say{Text: line})
}

func isSlash(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "/") }

// mayTalk returns a line as it is kept, if the person may speak now.
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

// newcomer reports whether the person is a guest, or a member of less than a day.
func (v *Visit) newcomer() bool {
	a := v.account()
	return a.ID.Guest() || v.lobby.now().Sub(a.Created) < 24*time.Hour
}
