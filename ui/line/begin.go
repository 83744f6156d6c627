package line

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

// begin lets the person in, after asking for a name on the first visit.
func (m *mode) begin(ctx context.Context) {
	if m.Key == nil || m.Account != nil {
		m.enter(ctx)
		return
	}
	m.say("Welcome to the domino club: five games of the fives family, with people and bots.",
		"Your SSH key is your account; there is no password. All you need is a name; then quick finds you a game.")
	m.askName(ctx)
}

func (m *mode) askName(ctx context.Context) {
	proposed := m.Club.ProposeName(ctx, m.User)
	m.say("Your name, of 2 to 16 letters, digits, - or _ (an empty line takes " + proposed + "):")
	m.answer = func(ctx context.Context, line string) error {
		name := strings.TrimSpace(line)
		if _, command := feature.Find(feature.Line, name); command {
			m.say(name + " is a command. First you need a name.")
			m.askName(ctx)
			return nil
		}
		name = cmp.Or(name, proposed)
		a, err := m.Club.Register(ctx, m.Origin, name)
		if err != nil {
			m.say(plain.Sentence(err))
			m.askName(ctx)
			return nil
		}
		m.Account = a
		m.enter(ctx)
		return nil
	}
}

func (m *mode) enter(ctx context.Context) {
	v, err := m.Club.Enter(ctx, m.Account, m.Origin)
	if err != nil {
		m.refuse(err)
		return
	}
	m.visit = v
	v.Listen()
	if m.Entered != nil {
		m.Entered(v.Player())
	}
	s := v.Snapshot()
	m.heard.begin(s)
	first := "quick for a game"
	if v.Newcomer() {
		first = "quick for a first round with a guide"
	} else if !v.MayPlay() {
		first = "tables for what you can watch"
	}
	me, here := v.Player(), len(s.People)
	if !slices.ContainsFunc(s.People, func(p lobby.Person) bool { return p.Player.ID == me.ID }) { // they may not be listed yet
		here++
	}
	m.say("You are " + me.Name + ". " + feature.People(here) + " here, " +
		text.Number(len(s.Tables), "table") + ". Type " + first + ", rules for how to play, or help for all commands.")
	if deal, open := v.Today(); open && !v.Newcomer() {
		m.say("Daily deal " + strconv.Itoa(deal.Number) + ", the same five rounds for everybody: daily says more, daily play starts it.")
	}
	if s.Notice != "" {
		m.say(s.Notice)
	}
	switch err := m.start(ctx); {
	case err != nil && !m.Echo && !m.Back:
		m.refuse(err) // for a script, the command has failed
	case err != nil:
		m.say(plain.Sentence(err))
	case !m.Echo && m.Start.Join != "":
		m.warn("This is line mode, because there is no terminal; ssh -t gives you the full screens.")
	}
}

func (m *mode) start(ctx context.Context) error {
	switch {
	case m.Start.Draft.Make:
		return m.command(ctx, "new "+m.Start.Draft.Words)
	case m.Start.Join != "":
		return m.command(ctx, "join "+m.Start.Join)
	case m.Start.Kind == page.Wall:
		return plain.ErrWall
	case m.Start.Table != 0:
		return m.open(ctx, m.Start.Table)
	}
	if id, ok := m.visit.Seat(); ok {
		return m.open(ctx, id)
	}
	m.awaited() // slow games do not open by themselves
	return nil
}

// awaited announces tables other than the open one where it has become the person's move.
func (m *mode) awaited() {
	waits := m.visit.Awaited()
	for _, id := range waits {
		if !slices.Contains(m.heard.waits, id) && (m.at == nil || m.at.id != id) {
			n := strconv.FormatInt(int64(id), 10)
			m.say("It's your move at table " + n + "; watch " + n + " goes there.")
			m.ring()
		}
	}
	m.heard.waits = waits
}

// lobbyHeard is how much of the club's chat, news and notices has been said.
type lobbyHeard struct {
	chat    int64
	news    int64
	notice  string
	note    int
	waits   []table.ID // that wait for the person's move
	invited []lobby.Invitation
}

func (h *lobbyHeard) begin(s *lobby.Snapshot) {
	if n := len(s.Chat); n > 0 {
		h.chat = s.Chat[n-1].Seq
	}
	if len(s.News) > 0 {
		h.news = s.News[0].ID
	}
	h.notice = s.Notice
}

// clubChanged announces changes in the club: chat and news only to people in the lobby, notes and notices to
// everybody.
func (m *mode) clubChanged(ctx context.Context) {
	s, h := m.visit.Snapshot(), &m.heard
	if m.at == nil {
		for _, l := range s.Chat {
			if l.Seq > h.chat {
				h.chat = l.Seq
				m.spoken(&l)
			}
		}
		for i := len(s.News) - 1; i >= 0; i-- {
			if n := s.News[i]; n.ID > h.news {
				h.news = n.ID
				m.say("News: " + plain.NewsFor(&n, m.visit.Player()))
			}
		}
	}
	if s.Notice != h.notice {
		h.notice = s.Notice
		if s.Notice != "" && (m.at == nil || m.at.view.Notice != s.Notice) {
			m.say("Notice: " + s.Notice)
		}
	}
	m.goWhereCalled(ctx)
	m.awaited()
	m.heed()
}

// heed says what the club has told the person and then what it asks them. It holds a question back while
// another waits for its answer, so that a yes answers the question that was asked last.
func (m *mode) heed() {
	asked, explained := m.visit.Prompt(), false // read before the notes, one of which explains it, unless another session heard that
	for _, n := range m.visit.Notes() {
		if n.Seq > m.heard.note {
			if m.heard.note = n.Seq; n.Table != 0 && m.at != nil && m.at.id == n.Table { // they have been led there
				continue
			}
			m.say(n.Text)
			explained = explained || asked != nil && n.Text == asked.Note()
			if n.Rings && m.Echo {
				m.out.bell()
			}
		}
	}
	m.invited(asked)
	if asked == m.prompt || m.answer != nil {
		return
	}
	m.prompt = asked
	if asked == nil || asked == m.rung {
		return
	}
	m.rung = asked
	if !explained {
		m.say(text.Printable(asked.Text) + ".")
	}
	what := "the team"
	if asked.Table != 0 {
		what = "table " + strconv.FormatInt(int64(asked.Table), 10)
	}
	m.say("Type yes to join " + what + ", or no.")
	m.ring()
}

// invited announces the teams that invite the person, except one about which they are asked.
func (m *mode) invited(asked *lobby.Prompt) {
	by := m.visit.Invited()
	for _, i := range by {
		if !slices.Contains(m.heard.invited, i) && (asked == nil || asked.Team != i.Team) {
			m.say(feature.Invites(&i))
		}
	}
	m.heard.invited = by
}

// answerPrompt answers the club's question, and goes to the table, if any.
func answerPrompt(yes bool) func(context.Context, *mode, string) error {
	return func(ctx context.Context, m *mode, _ string) error {
		if m.prompt == nil {
			return errNotAsked
		}
		at, err := m.visit.Answer(ctx, m.prompt, yes)
		switch {
		case at != 0:
			if err != nil {
				m.say(plain.Sentence(err))
			}
			return m.open(ctx, at)
		case err == nil && yes:
			m.say("You are in the team.")
		case err == nil:
			m.say("You have declined.")
		}
		return err
	}
}

// goWhereCalled opens the table to which an event calls the person, if any. During a game the call waits.
func (m *mode) goWhereCalled(ctx context.Context) {
	if m.at != nil && m.at.view.InGame() {
		return
	}
	if id := m.visit.Called(); id != 0 && (m.at == nil || m.at.id != id) {
		if err := m.open(ctx, id); err != nil {
			m.say(plain.Sentence(err))
		}
	}
}

func (m *mode) spoken(l *table.ChatLine) {
	switch {
	case l.House:
		m.say(l.Text)
	case !m.visit.Hears(l.From):
	case l.Room == table.RoomWatchers:
		m.say(text.Printable(l.From.Name) + ", watching, says: " + l.Text)
	default:
		m.say(plain.SaidLine(l))
	}
}
