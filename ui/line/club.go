package line

import (
	"context"
	"strings"

	"boneyard/table"
	"boneyard/ui/feature"
)

// The commands of the session.

func quit(_ context.Context, m *mode, _ string) error {
	m.leave()
	return nil
}

// leave ends the session as a person does who has said goodbye.
func (m *mode) leave() {
	m.say("Goodbye.")
	m.how, m.over = table.Left, true
}

func backToLobby(_ context.Context, m *mode, _ string) error {
	if m.at == nil {
		m.say("You are in the lobby; quit leaves the club.")
		return nil
	}
	m.leaveTable()
	m.say("You are in the lobby.")
	return nil
}

func say(ctx context.Context, m *mode, args string) error {
	var reply string
	var err error
	talker := feature.Talker{Visit: m.visit}
	if m.at != nil {
		reply, err = talker.SayAt(ctx, m.at.id, args)
	} else {
		reply, err = talker.Say(ctx, args)
	}
	if reply != "" {
		m.page(strings.Split(reply, "\n"))
	}
	return err
}

// chatShown is how many lines of talk are told again.
const chatShown = 20

func chat(_ context.Context, m *mode, _ string) error {
	lines := m.visit.Snapshot().Chat
	if m.at != nil {
		lines = m.at.view.Chat
	}
	lines = lines[max(0, len(lines)-chatShown):]
	if len(lines) == 0 {
		m.say("Nothing has been said.")
	}
	for i := range lines {
		m.spoken(&lines[i])
	}
	return nil
}
