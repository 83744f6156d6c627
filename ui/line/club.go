package line

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/plain"
)

// The commands of the club.

func quit(_ context.Context, m *mode, _ string) error {
	m.leave()
	return nil
}

// leave ends the session as a person does who has said goodbye.
func (m *mode) leave() {
	m.say("Goodbye.")
	m.how, m.over = table.Left, true
}

func who(_ context.Context, m *mode, _ string) error {
	if err := m.visit.List(); err != nil {
		return err
	}
	here := m.visit.Snapshot().People
	lines := []string{people(len(here)) + " here."}
	for i := range here {
		p := &here[i]
		s := p.Player.Name
		if p.Player.Tag != "" {
			s += " [" + p.Player.Tag + "]"
		}
		switch {
		case p.Operator:
			s += ", an operator"
		case p.Player.Bot:
			s += ", a program"
		}
		s += ", " + p.Doing
		if d := p.Idle(time.Now()); d > 0 {
			s += ", idle " + strconv.Itoa(int(d/time.Minute)) + " min"
		}
		lines = append(lines, s+".")
	}
	m.page(lines)
	return nil
}

func whois(ctx context.Context, m *mode, args string) error {
	who, err := m.visit.Profile(ctx, args)
	if err != nil {
		return err
	}
	m.page(who.Sentences(time.Now(), len(who.Games)))
	return nil
}

func tables(_ context.Context, m *mode, args string) error {
	if err := m.visit.List(); err != nil {
		return err
	}
	asks := m.visit.Reader()
	f := lobby.Filter{Text: args}
	switch args {
	case "mine":
		f = lobby.Filter{Mine: true}
	case "open":
		f = lobby.Filter{Joinable: true}
	}
	var lines []string
	for _, t := range m.visit.Snapshot().SortFor(asks) {
		if f.Match(t, asks) {
			row := plain.Listed{Summary: t, For: asks}
			lines = append(lines, row.Say())
		}
	}
	if len(lines) == 0 {
		lines = []string{"No tables."}
		if asks.MaySit() {
			lines = []string{"No tables: type new to create one, or quick for a game."}
		}
	}
	m.page(lines)
	return nil
}

func quick(ctx context.Context, m *mode, args string) error {
	var q lobby.QuickPrefs
	for _, w := range strings.Fields(args) {
		if n, err := strconv.Atoi(w); err == nil {
			q.Seats = n
		} else if isPreset(w) {
			q.Game = w
		} else if wish := lobby.QuickWish(w); wish == lobby.QuickEasy || wish == lobby.QuickHard {
			q.Wish = wish
		} else {
			return text.Refusal("The games are " + plain.List(rules.PresetNames()) + "; easy and hard set how strong the bots are.")
		}
	}
	id, err := m.visit.QuickPlay(ctx, q)
	if err != nil {
		return err
	}
	for _, s := range m.visit.MyTables() {
		if s.Table == id && s.Takes(m.visit.Player().ID) { // else the table tells all of it
			m.say(plain.Joined(&s, m.visit.Player().ID))
		}
	}
	return m.open(ctx, id)
}

// isPreset reports whether a word names one of the five games.
func isPreset(w string) bool {
	return slices.Contains(rules.PresetNames(), w)
}

func newTable(ctx context.Context, m *mode, args string) error {
	cfg, err := plain.ParseTable(strings.Fields(args))
	if err != nil {
		return err
	}
	t, err := m.visit.NewTable(ctx, cfg)
	if t == nil {
		return err
	}
	if err != nil {
		m.say(plain.Sentence(err))
	}
	return m.open(ctx, t.ID())
}

func join(ctx context.Context, m *mode, args string) error {
	if args == "" {
		return text.Refusal("Say which table: join and its code or number.")
	}
	id, err := m.visit.Join(ctx, args)
	if err != nil {
		return err
	}
	return m.open(ctx, id)
}

func watch(ctx context.Context, m *mode, args string) error {
	if args == "best" {
		best, err := m.visit.BestGame(ctx)
		if err != nil {
			return err
		}
		return m.open(ctx, best)
	}
	n, err := strconv.ParseInt(args, 10, 64)
	if err != nil {
		return errNumber
	}
	return m.open(ctx, table.ID(n))
}

// events returns the command for a kind of event.
func events(ask plain.Asking) func(context.Context, *mode, string) error {
	return func(ctx context.Context, m *mode, args string) error {
		ans, err := ask(ctx, m.visit, strings.Fields(args), time.Now())
		if err != nil {
			return err
		}
		m.page(ans.Lines)
		return nil
	}
}

func calendar(_ context.Context, m *mode, _ string) error {
	if err := m.visit.List(); err != nil {
		return err
	}
	m.page(plain.Appointments.Lines(m.visit.Calendar()))
	return nil
}

func wall(context.Context, *mode, string) error { return plain.ErrWall }

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
	if m.at != nil {
		reply, err = m.visit.SayAt(ctx, m.at.id, args)
	} else {
		reply, err = m.visit.Say(ctx, args)
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

func news(_ context.Context, m *mode, _ string) error {
	var lines []string
	for _, n := range m.visit.Snapshot().News {
		s := n.At.UTC().Format("2006-01-02 15:04") + " " + plain.NewsFor(&n, m.visit.Player())
		if n.Game != 0 {
			s += " (game " + strconv.FormatInt(int64(n.Game), 10) + ")"
		}
		lines = append(lines, s)
	}
	if len(lines) == 0 {
		lines = []string{"No news."}
	}
	m.page(lines)
	return nil
}

// rulesOf tells the rules of the games, of one rule string, or of the table.
func rulesOf(_ context.Context, m *mode, args string) error {
	seats := 0
	if args == "" && m.at != nil {
		args, seats = m.at.view.Config.RuleText, m.at.view.Config.Seats
	}
	if args == "" {
		var lines []string
		for _, p := range rules.Presets() {
			lines = append(lines, p.String()+": "+english.Title(p)+". "+english.Difference(p))
		}
		m.page(append(lines, "Type rules and a game for all its rules, such as rules classic; rules classic target=100 adds house rules."))
		return nil
	}
	r, err := rules.Parse(args)
	if err != nil {
		return text.Refusal(plain.Sentence(err))
	}
	m.page(english.Describe(r, seats))
	return nil
}
