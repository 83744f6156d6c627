package play

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

// club is what the page asks of the club.
type club interface {
	Player() table.Player
	Settings() lobby.Settings
	Snapshot() *lobby.Snapshot
	Hears(from table.Player) bool
	SaveSettings(ctx context.Context, s lobby.Settings) error
	Novice(ctx context.Context) bool // has played few games, or may have
	Watch(ctx context.Context, id table.ID) (subscription, error)
	Do(ctx context.Context, id table.ID, c table.Command) error
	SayAt(ctx context.Context, id table.ID, room table.Room, line string) (reply string, err error)
}

// subscription is a [table.Subscription].
type subscription interface {
	C() <-chan struct{}
	View() *table.View
	Close()
}

var (
	_ club         = visit{}
	_ subscription = (*table.Subscription)(nil)
)

// visit is a lobby's visit as the page uses it.
type visit struct{ *lobby.Visit }

func (v visit) Watch(ctx context.Context, id table.ID) (subscription, error) {
	sub, err := v.Visit.Watch(ctx, id)
	if err != nil {
		return nil, err
	}
	return sub, nil
}

// learning is how many games somebody plays before the rule is no longer told at the table.
const learning = 3

// Novice reports whether the rule is to be told: to guests always.
func (v visit) Novice(ctx context.Context) bool {
	a := v.Account()
	if a == nil {
		return true
	}
	games, err := v.Games(ctx, lobby.GamesQuery{Player: a.ID, Limit: learning})
	return err == nil && len(games) < learning
}

// Page is one table, from the seat one has there or from the gallery.
type Page struct {
	env  *page.Env
	club club
	id   table.ID
	held *held
	view *table.View // the latest that was drawn from; nil before there is one
	gone string      // why there is nothing to see

	pick    picker
	seat    rules.Seat   // pointed at, before a game; 0: none
	line    *page.Input  // what is being said, or was begun; nil for most, since an input takes kilobytes
	answer  *page.Answer // to a command, nil if none is being read
	moves   bool         // the round is shown move by move
	past    moment       // whose board is shown, the zero moment for the present one
	novice  bool         // the player has seen few games, and is told the rule
	sending bool         // a move has been sent and not been answered
	muted   bool         // somebody whom the player does not want to hear has spoken here
	w, h    int          // the body's size as last drawn, for the mouse
}

var (
	_ page.Page     = (*Page)(nil)
	_ page.Waker    = (*Page)(nil)
	_ page.Closer   = (*Page)(nil)
	_ page.Clock    = (*Page)(nil)
	_ page.Typist   = (*Page)(nil)
	_ page.Pointer  = (*Page)(nil)
	_ page.Leaver   = (*Page)(nil)
	_ page.Framer   = (*Page)(nil)
	_ page.OnLeave  = (*Page)(nil)
	_ page.Subtitle = (*Page)(nil)
	_ page.Turner   = (*Page)(nil)

	_ page.Explainer = (*Page)(nil)
)

type (
	watchedMsg struct { // the subscription is there
		err    error
		novice bool
	}
	answeredMsg struct{ err error } // the table has answered a move
	resignMsg   struct{}            // the player means it
	repliedMsg  struct {            // the club's answer to a line
		line, reply string
		err         error
	}
)

// New returns the page of a table.
func New(e *page.Env, id table.ID) page.Page { return newPage(e, visit{e.Visit}, id) }

func newPage(e *page.Env, c club, id table.ID) *Page {
	return &Page{env: e, club: c, id: id, held: &held{}, pick: nothing}
}

// held is the subscription, which the command that gets it and the page share: the page may have been left by then.
type held struct {
	mu     sync.Mutex
	sub    subscription
	cancel context.CancelFunc // calls off the command that gets it; nil before it runs
	closed bool
}

// begin returns the context for getting the subscription. It has ended when close returns, so that the club does not take the
// person to a table whose page has been left.
func (h *held) begin(ctx context.Context) context.Context {
	h.mu.Lock()
	defer h.mu.Unlock()
	ctx, h.cancel = context.WithCancel(ctx)
	if h.closed {
		h.cancel()
	}
	return ctx
}

// keep takes over a subscription; it is closed at once if the page has been left.
func (h *held) keep(sub subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		go sub.Close()
		return
	}
	h.sub = sub
}

func (h *held) get() subscription {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sub
}

func (h *held) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cancel != nil {
		h.cancel()
	}
	if h.sub != nil && !h.closed {
		go h.sub.Close() // the table may be waiting for its disk; nobody needs to wait for the table
	}
	h.closed = true
}

// Init looks at the table.
func (p *Page) Init() tea.Cmd {
	held, club, id := p.held, p.club, p.id
	return p.env.Call(func(ctx context.Context) tea.Msg {
		sub, err := club.Watch(held.begin(ctx), id)
		if err == nil {
			held.keep(sub)
		}
		return watchedMsg{err, err == nil && club.Novice(ctx)}
	})
}

// Close ends looking at the table.
func (p *Page) Close() { p.held.close() }

// Wake is ready when the table has changed.
func (p *Page) Wake() <-chan struct{} {
	if sub := p.held.get(); sub != nil {
		return sub.C()
	}
	return nil
}

// Title is the table and what is played there.
func (p *Page) Title() string {
	title := "Table " + strconv.FormatInt(int64(p.id), 10)
	if p.view == nil {
		return title
	}
	if name := p.view.Config.Name; name != "" {
		title += " " + text.Printable(name)
	}
	return title + ": " + p.view.Config.RuleText
}

// Subtitle tells a watcher that it is one. The names of watchers are not in the picture that they share.
func (p *Page) Subtitle() string {
	switch {
	case p.view == nil || p.view.POV != 0:
		return ""
	case p.takes():
		return "you play from the next round on"
	}
	return "watching"
}

// takes reports whether the person takes over a bot's seat with the next round.
func (p *Page) takes() bool {
	me := p.club.Player().ID
	return p.view != nil && slices.ContainsFunc(p.view.Seats, func(s table.SeatView) bool { return me != 0 && s.Next.ID == me })
}

// Opening reports whether the table has not shown itself yet.
func (p *Page) Opening() bool { return p.view == nil && p.gone == "" }

// Leaving asks before a game in play is left.
func (p *Page) Leaving() string {
	if p.view == nil || p.view.POV == 0 || !p.view.InGame() {
		return ""
	}
	return "The game continues and your seat is kept. Go to the lobby? "
}

// OnLeave gives the seat back after a game, or before it was taken: who goes then does not want it.
func (p *Page) OnLeave() tea.Cmd {
	waits := p.view != nil && p.view.POV != 0 && stageOf(p.view) == finished && p.view.State != table.Closed
	if !waits && !p.takes() {
		return nil
	}
	return p.do(table.Command{Kind: table.Stand})
}

// Typing reports whether all keys are the page's: a line is being typed, or an answer read.
func (p *Page) Typing() bool { return p.talking() || p.answer != nil }

// talking reports whether a line is being typed.
func (p *Page) talking() bool { return p.line != nil && p.line.Active() }

// NextTick is when the clock will read differently.
func (p *Page) NextTick(now time.Time) time.Time {
	if p.view == nil {
		return time.Time{}
	}
	_, next := timerAt(p.view, now)
	if talk, end := talkAt(p.view, p.club.Hears, now); talk && (next.IsZero() || end.Before(next)) {
		return end
	}
	return next
}

// Update takes in what the table, the club and the player do.
func (p *Page) Update(msg tea.Msg) (page.Page, tea.Cmd) {
	switch msg := msg.(type) {
	case watchedMsg:
		if msg.err != nil {
			p.gone = plain.Sentence(msg.err)
			return p, nil
		}
		p.novice = msg.novice
		return p, p.look()
	case page.WokenMsg:
		return p, p.look()
	case answeredMsg:
		p.sending = false
		if msg.err != nil {
			return p, tea.Batch(p.look(), page.Send(page.Complain(msg.err)))
		}
		return p, tea.Batch(p.look(), p.offerBell())
	case repliedMsg:
		return p, p.take(msg)
	case resignMsg:
		return p, p.do(table.Command{Kind: table.Resign})
	case tea.PasteMsg:
		if p.talking() {
			p.line.Update(msg)
		}
	case tea.KeyPressMsg:
		switch {
		case p.answer != nil:
			if !p.answer.Key(msg) {
				p.answer = nil
			}
			return p, nil
		case p.talking():
			return p, p.typed(msg)
		}
		return p, p.key(msg)
	case tea.MouseClickMsg:
		return p, p.click(msg)
	}
	return p, nil
}

// look takes up the latest view.
func (p *Page) look() tea.Cmd {
	sub := p.held.get()
	if sub == nil {
		return nil
	}
	before, v := p.view, sub.View()
	if v == before {
		return nil
	}
	p.view = v
	if _, ok := p.pick.option(&v.Play); !ok || !v.MyMove() {
		p.pick = nothing
	}
	if before == nil || stageOf(before) != stageOf(v) || before.Play.Round != v.Play.Round {
		p.moves = false
	}
	if !v.InGame() || before != nil && before.Game != v.Game {
		p.past = moment{}
	}
	if p.seat != 0 && int(p.seat) > len(v.Seats) || v.InGame() {
		p.seat = 0
	}
	p.listen()
	if before != nil && v.MyMove() && !before.MyMove() && p.club.Settings().Bell {
		p.env.Bell()
	}
	if p.past != (moment{}) && before != nil {
		if say := announce(before, v); say != "" {
			return page.Send(page.Say(say))
		}
	}
	return p.overhear(before)
}

// offerBell says once, after the first play of all, that there is a bell.
func (p *Page) offerBell() tea.Cmd {
	s := p.club.Settings()
	if s.Bell || s.BellOffered {
		return nil
	}
	s.BellOffered = true
	club := p.club
	return p.env.Call(func(ctx context.Context) tea.Msg {
		if err := club.SaveSettings(ctx, s); err != nil {
			return nil // it is offered again
		}
		return page.Say("Press B to hear a bell when it's your turn.")
	})
}

// ring turns the bell on or off.
func (p *Page) ring() tea.Cmd {
	s := p.club.Settings()
	s.Bell, s.BellOffered = !s.Bell, true
	say := "Bell off."
	if s.Bell {
		say = "Bell on: it rings when it's your turn."
	}
	club := p.club
	return p.env.Call(func(ctx context.Context) tea.Msg {
		if err := club.SaveSettings(ctx, s); err != nil {
			return page.Complain(err)
		}
		return page.Say(say)
	})
}

// Turn is this table if the player has to choose a tile here, for the terminal's title.
func (p *Page) Turn() table.ID {
	if p.view != nil && p.view.MyMove() {
		return p.id
	}
	return 0
}

// listen finds out whether the player wants to hear all who have spoken here.
func (p *Page) listen() {
	p.muted = slices.ContainsFunc(p.view.Chat, func(l table.ChatLine) bool { return !l.House && !p.club.Hears(l.From) })
}

// overhear shows what somebody has said where the screen has no room for the chat.
func (p *Page) overhear(before *table.View) tea.Cmd {
	if before == nil || p.h == 0 || p.h >= tall || len(p.view.Chat) == 0 {
		return nil
	}
	l := p.view.Chat[len(p.view.Chat)-1]
	if n := len(before.Chat); n > 0 && l.Seq <= before.Chat[n-1].Seq || l.House || l.From.ID == p.club.Player().ID || !p.club.Hears(l.From) {
		return nil
	}
	return page.Send(page.Say(l.From.Name + " says: " + l.Text))
}
