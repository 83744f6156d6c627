package line

import (
	"context"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/feature"
)

// own are the features that line mode carries out itself: they concern the session, or what it has said.
var own = map[string]func(ctx context.Context, m *mode, args string) error{
	"more": more, "quit": quit, "lobby": backToLobby, "say": say, "chat": chat, "width": width, "look": look, "moves": moves, "play": playWord,
	"yes": answerPrompt(true), "no": answerPrompt(false),
}

const (
	errMore     text.Refusal = "There is nothing more to show."
	errNotAsked text.Refusal = "No question waits for a yes or no."
)

// command carries out a line: a command, chat that begins with ' or /, or a move.
func (m *mode) command(ctx context.Context, line string) error {
	line = strings.TrimSpace(line)
	switch {
	case line == "":
		return nil
	case m.visit == nil:
		return feature.ErrOurSide
	case line[0] == '/':
		return say(ctx, m, line)
	case line[0] == '\'':
		return say(ctx, m, strings.TrimSpace(line[1:]))
	}
	word, args, _ := strings.Cut(line, " ")
	f, ok := feature.Find(feature.Line, word)
	switch {
	case !ok && m.at != nil && isMove(line):
		return playWord(ctx, m, line)
	case !ok:
		return feature.NoCommand(feature.Line, word, m.Address)
	case f.AtTable && m.at == nil:
		return feature.ErrNoTable
	}
	args = strings.TrimSpace(args)
	if run := own[f.Name]; run != nil {
		return run(ctx, m, args)
	}
	if f.Run == nil { // the lobby's
		return say(ctx, m, "/"+line)
	}
	q := m.ask(args)
	ans, err := f.Carry(ctx, q)
	if err != nil && ctx.Err() != nil { // the caller has hung up
		return err
	}
	if err != nil && !lobby.IsForPlayer(err) {
		m.Log.Error("command", "command", f.Name, "err", err)
		return feature.ErrOurSide
	}
	return m.answered(ctx, ans, err)
}

func (m *mode) ask(args string) *feature.Ask {
	q := &feature.Ask{Way: feature.Line, Visit: m.visit, Words: strings.Fields(args), Address: m.Address, Now: time.Now()}
	if m.at != nil {
		q.At = m.at.view
	}
	return q
}

// answered writes an answer, asks its question, and opens its table.
func (m *mode) answered(ctx context.Context, ans feature.Answer, err error) error {
	if err != nil {
		return err
	}
	if len(ans.Lines) > 0 {
		m.page(ans.Lines)
	}
	if ans.Yes != nil {
		m.say(ans.Question + " Type yes to do it.")
		m.answer = func(ctx context.Context, line string) error {
			if s := strings.ToLower(strings.TrimSpace(line)); s != "yes" && s != "y" {
				m.say("Nothing was done.")
				return nil
			}
			done, err := ans.Yes(ctx, m.ask(""))
			return m.answered(ctx, done, err)
		}
	}
	if ans.Go != 0 {
		return m.open(ctx, ans.Go)
	}
	return nil
}

func more(_ context.Context, m *mode, _ string) error {
	if len(m.rest) == 0 {
		return errMore
	}
	m.page(m.rest)
	return nil
}

// width sets the column at which this session wraps lines.
func width(_ context.Context, m *mode, args string) error {
	n, err := strconv.Atoi(args)
	if err != nil || n < 0 || n > 0 && n < 20 || n > 500 {
		return text.Refusal("Say how many columns, from 20 to 500, such as width 100, or width 0 for no wrapping.")
	}
	m.out.width, m.wide = n, true
	if n == 0 {
		m.say("Lines are not wrapped.")
	} else {
		m.say("Lines are wrapped at " + strconv.Itoa(n) + " columns.")
	}
	return nil
}

func quit(_ context.Context, m *mode, _ string) error {
	m.leave()
	return nil
}

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

func chat(_ context.Context, m *mode, _ string) error {
	const chatShown = 20 // how many lines the command chat repeats
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
