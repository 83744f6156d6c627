package lobby

import (
	"context"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
)

// Say says something in the lobby. A line that begins with / is a command; its reply is for this person only. It refuses
// with ErrTooMuch, a *SanctionError, the refusals of a line, or what the command says.
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
	said := Line{At: l.now(), From: public(v.Player()), Text: line}
	said.Seq, err = l.store.Say(ctx, said) // nobody reads what is not on disk
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

// SayAt says something at a table, to the players or among the watchers; an empty room is the one for where the person
// sits. Commands and refusals are as with Say.
func (v *Visit) SayAt(ctx context.Context, id table.ID, room table.Room, line string) (reply string, err error) {
	return v.SayOnce(ctx, id, room, "", line)
}

// SayOnce is SayAt for a line that may come again: under the same command id it is not said again. An empty id stands for
// a new one.
func (v *Visit) SayOnce(ctx context.Context, at table.ID, room table.Room, id, line string) (reply string, err error) {
	if isSlash(line) {
		return v.slash(ctx, at, line)
	}
	line, err = v.mayTalk(line)
	if err != nil {
		return "", err
	}
	if room == "" {
		room = table.RoomWatchers
		l := v.lobby
		l.mu.Lock()
		if l.sits(v.person.player.ID, at) {
			room = table.RoomPlayers
		}
		l.mu.Unlock()
	}
	return "", v.do(ctx, at, table.Command{Kind: table.Chat, ID: id, Text: line, Room: room})
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

// setIgnored ignores somebody's chat, or no longer. Names of guests are forgotten with the guest's visit.
func (v *Visit) setIgnored(ctx context.Context, name string, on bool) error {
	const most = 100
	return v.save(ctx, func(a *Account) {
		ignored := slices.Clone(a.Settings.Ignored)
		ignored = slices.DeleteFunc(ignored, func(old string) bool { return text.Skeleton(old) == text.Skeleton(name) })
		if on {
			ignored = append(ignored, name)
		}
		a.Settings.Ignored = ignored[max(0, len(ignored)-most):]
	})
}
