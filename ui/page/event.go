package page

import (
	"cmp"
	"context"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/challenge"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/duplicate"
	fields "boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/season"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// EventDoor is how to reach the events of a kind.
type EventDoor struct {
	Page Kind
	List Kind        // the page that lists the events which are announced before they begin
	Key  key.Binding // leads there from the lobby
}

// EventDoors are the doors of all kinds.
var EventDoors = map[event.Kind]EventDoor{
	arena.Kind:     {Arena, Arena, KeyArenas},
	challenge.Kind: {Page: Calendar}, // challenges have no page of their own
	cup.Kind:       {Page: Contest},
	daily.Kind:     {Page: Daily},
	duplicate.Kind: {Duplicate, Duplicate, KeyDuplicates},
	fields.Kind:    {Field, Duplicate, KeyDuplicates},
	league.Kind:    {Page: Contest},
}

// EventTarget is the page of an event; key is the date of a daily deal, empty for today's.
func EventTarget(kind event.Kind, id event.ID, key string) Target {
	if kind == daily.Kind {
		return Target{Kind: Daily, Day: key}
	}
	return Target{Kind: EventDoors[kind].Page, Event: id}
}

// Organizer enters people into events, and calls events off; a visit does.
type Organizer interface {
	Speaker
	Player() table.Player
	EnterEvent(ctx context.Context, kind event.Kind, id event.ID, partner string) error
	LeaveEvent(ctx context.Context, kind event.Kind, id event.ID) error
	MayCallOff(by string) bool
	CallOff(ctx context.Context, kind event.Kind, id event.ID) error
	PastEvents(ctx context.Context, player table.PlayerID, team table.TeamID) ([]season.Past, error)
}

// EventPage is what the pages of events share: one event, loaded again until it is over, or a list of all if
// ID is 0. A page embeds it and calls Begin.
type EventPage[T any] struct {
	Listed
	All   List[EventRow]
	Env   *Env
	ID    event.ID // 0: the list
	One   *T       // nil until it is known
	Fault string   // why there is nothing to show
	Line  Input    // what is typed at the foot
	talk  Talk
	load  Question   // for One, or for past
	past  []EventRow // the events of the list that are over
	is    EventOf[T]
}

// EventOf is what an [EventPage] needs from the page of one kind of event.
type EventOf[T any] struct {
	Club  Organizer
	Find  func(ctx context.Context, id event.ID) (*T, error)
	Take  func()                     // takes up One, which is new
	Acts  func() Actions             // of One, without those that all events have
	More  func() Actions             // of the list; may be nil
	Does  string                     // what Enter does with the line at the foot
	Enter func(typed string) tea.Cmd // that; nil: the line names a partner
	Sheet func() Sheet               // One
	List  func() []EventRow          // that are not over; nil on a page without a list
	Kinds []event.Kind               // of those that are over and listed, too
	Also  func() tea.Cmd             // asks for what else the page of one event shows; may be nil
	Until func(one *T) time.Time     // to when the displayed time counts; zero: no time; nil: to none
	Title func() string              // of the page
	None  string                     // is said where nothing is listed
	Typed bool                       // a line may be typed below the list
}

// EventRow is an event in a list.
type EventRow struct {
	Page              Kind
	ID                event.ID
	Name, State, Says string
}

// Begin sets what the page shows.
func (p *EventPage[T]) Begin(e *Env, id event.ID, line Input, is EventOf[T]) {
	p.Env, p.ID, p.Line, p.is = e, id, line, is
	p.talk.Begin(e, is.Club)
	p.Listed.Sheet = p.sheet
}

func (p *EventPage[T]) Init() tea.Cmd {
	switch {
	case p.ID == 0 && p.is.List == nil:
		return nil
	case p.ID == 0:
		p.relist()
		find := func(ctx context.Context) ([]season.Past, error) { return p.is.Club.PastEvents(ctx, 0, 0) }
		return Find(p.load.Once, p.Env, find, p.takePast)
	}
	find := Find(p.load.Once, p.Env, func(ctx context.Context) (*T, error) { return p.is.Find(ctx, p.ID) }, p.take)
	if p.is.Also == nil {
		return find
	}
	return tea.Batch(find, p.is.Also())
}

// Entrants counts those who have entered an event: "3 players", or "1 pair".
func Entrants(n int, pairs bool) string {
	if pairs {
		return text.Number(n, "pair")
	}
	return text.Number(n, "player")
}

var _ Clock = (*EventPage[event.View])(nil)

const (
	soon    = 90 * time.Minute // an event that begins sooner is shown with the minutes until then
	closing = 90 * time.Second // seconds are shown from then on
)

// Begins says when an event begins that has not begun: "begins in 12 min", or "begins Thu 26 Nov 20:15 UTC".
func (p *EventPage[T]) Begins(at time.Time) string {
	if in := at.Sub(p.Env.Now()); in <= soon {
		return "begins in " + plain.Time(in)
	}
	return "begins " + event.DayAndTime(at)
}

// In is Begins for a list: "in 12 min", or "on 26 Nov 20:15 UTC".
func (p *EventPage[T]) In(begins time.Time) string {
	if in := begins.Sub(p.Env.Now()); in <= soon {
		return "in " + plain.Time(in)
	}
	return begins.UTC().Format("on 2 Jan 15:04 UTC")
}

// NextTick returns when the displayed time changes.
func (p *EventPage[T]) NextTick(now time.Time) time.Time {
	switch {
	case p.ID == 0 && p.All.Len() > len(p.past): // some are listed that are not over
		return now.Truncate(time.Minute).Add(time.Minute)
	case p.One == nil || p.is.Until == nil || p.plan().Over:
		return time.Time{}
	}
	at := p.is.Until(p.One)
	left := at.Sub(now)
	step := time.Minute
	switch {
	case left <= 0:
		return time.Time{}
	case left > soon:
		return at.Add(-soon)
	case left <= closing:
		step = 5 * time.Second
	}
	return at.Add(-(left - 1) / step * step)
}

func (p *EventPage[T]) takePast(all []season.Past, err error) tea.Cmd {
	const mostPast = 50 // the most past events in a list
	if err != nil {
		return nil // the other events are listed all the same
	}
	p.past = nil
	for i := range all {
		if e := &all[i]; slices.Contains(p.is.Kinds, e.Kind) && len(p.past) < mostPast {
			p.past = append(p.past, EventRow{Page: EventDoors[e.Kind].Page, ID: e.Event, Name: e.Title,
				State: "over " + e.At.UTC().Format("2 Jan 2006"), Says: plain.Podium(e)})
		}
	}
	p.relist()
	return nil
}

// relist updates the list.
func (p *EventPage[T]) relist() {
	p.All.Update(append(p.is.List(), p.past...), func(a, b *EventRow) bool { return a.ID == b.ID })
}

func (p *EventPage[T]) listActions() (does Actions) {
	if e := p.All.Chosen(); e != nil {
		does.OpenPage(true, KeyOpen, Target{Kind: e.Page, Event: e.ID})
	}
	if p.is.More != nil {
		does = append(does, p.is.More()...)
	}
	does.Move(p.All.Len() > 0, KeyMove, p.Move)
	return does
}

func (p *EventPage[T]) listing() (s Sheet) {
	if p.is.Typed && !p.Line.Active() {
		s.Below = []string{""}
	}
	if p.All.Len() == 0 {
		s.Above = p.Says(theme.Muted, p.is.None)
		return s
	}
	// The name of an event gives way to its state, and anything else to both.
	const widest, least, gap = 40, 12, 2 // in fewer columns nothing can be read
	longest := func(of func(*EventRow) string) (n int) {
		for i := range p.All.Items() {
			n = max(n, text.Width(of(&p.All.Items()[i])))
		}
		return n
	}
	state := longest(func(e *EventRow) string { return e.State })
	name := min(longest(func(e *EventRow) string { return e.Name }), widest, p.Width-4-gap-state)
	says := p.Width - 4 - name - gap - state - gap
	s.Rows = p.All.Drawn(func(_ int, e *EventRow, chosen bool) string {
		r := NewLine(p.Env.Theme)
		r.Add(theme.Title, e.Name, name)
		r.Gap(gap)
		r.Add(theme.Text, e.State, state)
		if says >= least {
			r.Gap(gap)
			r.Add(theme.Muted, Parts(Plain(p.Env.Theme, e.Says), says), says)
		}
		return r.Draw(chosen)
	})
	return s
}

// take shows the event.
func (p *EventPage[T]) take(one *T, err error) tea.Cmd {
	if err != nil {
		p.Fault = plain.Sentence(err)
		return nil
	}
	p.One = one
	p.Fit()
	p.is.Take()
	p.Fit()
	return p.listen()
}

func (p *EventPage[T]) plan() event.Plan { return any(p.One).(event.View).Plan() }

// listen asks for the event's chat.
func (p *EventPage[T]) listen() tea.Cmd { return p.talk.Ask(p.plan().Kind, p.ID) }

func (p *EventPage[T]) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case TickMsg:
		if p.ID == 0 {
			p.relist()
		}
	case ClubUpdateMsg:
		if p.One != nil && p.plan().Over {
			return p.listen()
		}
		return p.Init()
	}
	p.talk.Typed(&p.Line).Handle(msg)
	return nil
}

func (p *EventPage[T]) Actions() Actions {
	switch {
	case p.talk.Line.Active():
		return p.talk.Talking()
	case p.Line.Active() && p.is.Enter == nil:
		return p.Line.Actions("done", p.name)
	case p.Line.Active():
		return p.Line.Actions(p.is.Does, p.is.Enter)
	case p.ID == 0:
		return p.listActions()
	case p.One == nil:
		return nil
	}
	does := p.is.Acts()
	p.talk.Add(&does)
	p.callOff(&does)
	return does
}

// Do returns a function that asks the club for something about the event, and shows its error, or say.
func (p *EventPage[T]) Do(f func(ctx context.Context, id event.ID) error, say string) func() tea.Cmd {
	return func() tea.Cmd {
		return p.Env.DoAndSay(func(ctx context.Context) error { return f(ctx, p.ID) }, say)
	}
}

// Enter adds the key that enters the event, and then shows say; for pairs it asks for a partner's name first.
func (p *EventPage[T]) Enter(does *Actions, may bool, b key.Binding, pairs bool, say string) {
	if pairs {
		does.Set(may, b, p.Line.Focus)
		return
	}
	does.Add(may, b, p.Do(p.with(""), say))
}

// name enters the event with a partner.
func (p *EventPage[T]) name(typed string) tea.Cmd {
	if typed == "" {
		return nil
	}
	return p.Do(p.with(typed), "You're in together once both of you have named each other.")()
}

// with returns the call that enters the event with a partner, or alone.
func (p *EventPage[T]) with(partner string) func(context.Context, event.ID) error {
	kind := p.plan().Kind
	return func(ctx context.Context, id event.ID) error { return p.is.Club.EnterEvent(ctx, kind, id, partner) }
}

// Leave adds the key that leaves the event.
func (p *EventPage[T]) Leave(does *Actions, may bool, b key.Binding, say string) {
	kind := p.plan().Kind
	does.Add(may, b, p.Do(func(ctx context.Context, id event.ID) error { return p.is.Club.LeaveEvent(ctx, kind, id) }, say))
}

var (
	keyOff = Bind("X", "call it off", "X")
	keyEnd = Bind("X", "end it now", "X")
)

// callOff adds the key that calls the event off, for its maker and operators until it has begun; then
// operators may end it, if it can be ended.
func (p *EventPage[T]) callOff(does *Actions) {
	f := p.plan()
	off, question, done := keyOff, "Call this event off? Everyone who has entered will be told.", "Called off."
	if f.Begun {
		off, question, done = keyEnd, "End this event now? Everyone who has entered will be told.", "Ended."
		f.By = "" // no maker has that name: only operators may
	}
	does.Add((!f.Begun || f.Endable) && !f.Over && p.is.Club.MayCallOff(f.By), off, func() tea.Cmd {
		do := p.Do(func(ctx context.Context, id event.ID) error { return p.is.Club.CallOff(ctx, f.Kind, id) }, done)
		return Ask(question, do)
	})
}

// sheet is the page's body, with the input line at its foot.
func (p *EventPage[T]) sheet() (s Sheet) {
	switch {
	case p.ID == 0:
		s = p.listing()
	case p.One == nil:
		return Sheet{Above: p.Says(theme.Muted, cmp.Or(p.Fault, Looking(p.Env.Theme)))}
	default:
		s = p.is.Sheet()
		s.Below = append(s.Below, p.guests()...)
		s.Below = append(s.Below, p.talk.Foot(p.Size)...)
	}
	s.Below = append(s.Below, p.Line.Foot(p.Env.Theme, p.Width)...)
	return s
}

// guests tells guests who may take part, while somebody still may.
func (p *EventPage[T]) guests() []string {
	f, says := p.plan(), "Members can take part. To be one, make a key with ssh-keygen: the key is your account."
	switch {
	case !p.is.Club.Player().ID.Guest() || f.Over || f.Begun && f.Kind != arena.Kind:
		return nil
	case f.Kind == league.Kind || f.Kind == cup.Kind:
		says = "Teams of members take part. To be a member, make a key with ssh-keygen: the key is your account."
	}
	return p.Says(theme.Warn, says)
}

// State draws what is played in an event and its state: in one line, or in more if that would shorten the
// first on a high screen, or to almost nothing on a low one.
func (p *EventPage[T]) State(what, state string) []string {
	const least = 16
	room := p.Width - 4 - Width(state)
	if text.Width(what) > room && (p.Height >= RoomyBody || room < least) {
		return append(p.Says(theme.Muted, what), " "+p.Text(theme.Accent, state, p.Width-2))
	}
	return []string{Right(" "+p.Text(theme.Muted, Parts(what, room), room), p.Text(theme.Accent, state, p.Width-2)+" ", p.Width)}
}

// Text paints any text in at most w columns.
func (p *EventPage[T]) Text(r theme.Role, s string, w int) string { return Fit(p.Env.Theme, r, s, w) }

// Says draws a sentence in lines as wide as the page.
func (p *EventPage[T]) Says(r theme.Role, s string) []string {
	return Paragraph(p.Env.Theme, r, text.Printable(s), 1, p.Width-2)
}

// Titled returns the title of the list or of the event: its number, which commands need, and its name if it
// has one.
func (p *EventPage[T]) Titled(list, what string) string {
	name := ""
	switch {
	case p.ID == 0:
		return list
	case p.One != nil:
		name = p.plan().Name
	}
	return text.Printable(event.Titled(what, p.ID, name))
}

// Chrome implements [Page].
func (p *EventPage[T]) Chrome() Chrome {
	line := p.talk.Typed(&p.Line)
	return Chrome{Title: p.is.Title(), Widest: WidestList, Typing: line.Active(), Cursor: line.FootCursor(p.Env.Theme, p.Size)}
}
