// Package play is the page of one table: people gather there, play, see the outcome of a round or a game, and watch. It knows
// what a view of the table says and which commands a table takes; it does not know how a table works, and applies no rule of a
// game except through what a view offers.
//
// What a watcher sees is drawn once for all watchers with the same size and theme, see [Page.Frame]. A move changes little on the
// screen: numbers stay in their columns, and the newest line of the log replaces the oldest.
package play

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/event/season"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/plain"
)

// club is what the page needs from the club.
type club interface {
	Player() table.Player
	Reader() table.Reader
	Settings() lobby.Settings
	Snapshot() *lobby.Snapshot
	Galleries() int
	Hears(from table.Player) bool
	Shields() *season.Shields
	SaveSettings(ctx context.Context, s lobby.Settings) error
	Novice(ctx context.Context) bool // reports whether the player has played few games
	Show(p lobby.Place) *lobby.Showing
	Do(ctx context.Context, id table.ID, c table.Command) error
	Follow(id table.PlayerID)
	PlaysAt(id table.PlayerID) table.ID
	BestGame(ctx context.Context) (table.ID, error)
	SayAt(ctx context.Context, id table.ID, line string) (reply string, err error)
	Card(ctx context.Context, id table.GameID) (*lobby.Card, error)
}

// subscription is a [table.Subscription].
type subscription interface {
	Tell(f func())
	View() *table.View
}

// visit is a lobby's visit as the page uses it.
type visit struct{ feature.Talker }

// Novice reports whether to explain the rule; to guests it always is.
func (v visit) Novice(ctx context.Context) bool {
	const learning = 3 // how many games a player plays before the table stops explaining the rule
	a := v.Account()
	if a == nil {
		return true
	}
	games, err := v.Games(ctx, lobby.GamesQuery{Player: a.ID, Limit: learning})
	return err == nil && len(games) < learning
}

// Page is one table, seen from the reader's seat or from the gallery.
type Page struct {
	page.Size
	env   *page.Env
	club  club
	id    table.ID
	here  *lobby.Showing // from Init to Close
	sub   subscription   // nil until the table is open
	view  *table.View    // the last one drawn; nil before the first
	fault string         // why there is nothing to show

	own
	answer  *page.Answer // a reply being read, or nil
	follow  table.Player // the player followed from table to table; zero for nobody
	toggled bool         // a watcher has shown the panel of known tiles, or hidden it where it is shown by default
	noGlow  bool         // the person asked for calm
	skipped moment       // the last move that may not glow any more
	novice  bool         // the player has played few games, and the rule is explained
	card    *lobby.Card  // of the game that is over; nil until it has come, or if there is none
	carded  table.GameID // the game whose card was asked for last
	deals   bool         // how the game ended, and how to check its deals, is shown instead
	muted   bool         // a player whom the reader ignores has spoken here
}

var (
	_ page.Closer    = (*Page)(nil)
	_ page.Clock     = (*Page)(nil)
	_ page.Framer    = (*Page)(nil)
	_ page.OnLeave   = (*Page)(nil)
	_ page.Explainer = (*Page)(nil)
	_ page.Pointed   = (*Page)(nil)
)

// New returns the page of a target's table.
func New(e *page.Env, to page.Target) page.Page {
	p := newPage(e, visit{feature.Talker{Visit: e.Visit}}, to.Table)
	p.follow, p.toggled = to.Follow, to.Toggled
	return p
}

func newPage(e *page.Env, c club, id table.ID) *Page {
	return &Page{env: e, club: c, id: id, own: own{pick: nothing}, noGlow: c.Settings().Calm}
}

// Init starts watching the table.
func (p *Page) Init() tea.Cmd {
	p.here = p.club.Show(lobby.Place{Table: p.id})
	here := p.here
	if p.follow.ID != 0 {
		p.club.Follow(p.follow.ID)
	}
	return p.env.Call(func(ctx context.Context) tea.Msg {
		sub, err := here.Watch(ctx)
		novice := err == nil && p.club.Novice(ctx)
		return page.Then(func() tea.Cmd {
			if err != nil {
				p.fault = plain.Sentence(err)
				return nil
			}
			p.sub, p.novice = sub, novice
			p.sub.Tell(p.env.Wake)
			return tea.Batch(p.look(), p.goAlong())
		})
	})
}

// Close stops watching the table.
func (p *Page) Close() { p.here.Close() }

// Chrome implements [page.Page].
func (p *Page) Chrome() page.Chrome {
	return page.Chrome{
		Title: p.title(), Subtitle: p.subtitle(), Cursor: p.cursor(), Typing: p.typing(), Leaving: p.leaving(), Turn: p.turn(),
		Opening: p.opening(), Digits: p.opening() || p.view != nil && p.view.POV != 0 && p.view.InGame(), // they name tiles
	}
}

// Resize implements [page.Page].
func (p *Page) Resize(w, h int) {
	p.Size.Resize(w, h)
	p.answer.Resize(p.env.Theme, w, h)
}

// opening reports whether there is nothing to show yet.
func (p *Page) opening() bool { return p.view == nil && p.fault == "" }

// title names the table and the game played there.
func (p *Page) title() string {
	title := "Table " + strconv.FormatInt(int64(p.id), 10)
	if p.view == nil {
		return title
	}
	if name := p.view.Config.Name; name != "" {
		title += " " + text.Printable(name)
	}
	return title + ": " + gameTo(p.view)
}

// gameTo names the game, its goal, its house rules and the teams: "classic to 200, partners, hand=5", or
// "block to 100, Night Owls v Elbow Grease".
func gameTo(v *table.View) string {
	say := v.Config.Game()
	if v.Teams[0] != "" && v.Teams[1] != "" {
		say = strings.Replace(say, ", "+rules.Partners, "", 1) + ", " + text.Printable(v.Teams[0]) + " v " + text.Printable(v.Teams[1])
	}
	return say
}

// subtitle tells watchers that they watch. It does not name them, since watchers share it.
func (p *Page) subtitle() string {
	switch {
	case p.view == nil || p.view.POV != 0:
		return ""
	case p.takes():
		return "you play from the next round"
	case p.follow.ID != 0:
		return "following " + p.follow.Name
	}
	return "watching"
}

// takes reports whether the person takes over a bot's seat in the next round.
func (p *Page) takes() bool {
	return p.view != nil && slices.ContainsFunc(p.view.Seats, func(s table.SeatView) bool {
		return s.Next.ID != 0 && s.Next.ID == p.club.Player().ID
	})
}

// leaving returns the question to ask before the player leaves a game in progress.
func (p *Page) leaving() string {
	if p.view == nil || p.view.POV == 0 || !p.view.InGame() {
		return ""
	}
	return "Leave for now? The game continues, and your seat is kept. "
}

// OnLeave gives up the seat after a game, and before one if the player goes back, not just to the lobby.
func (p *Page) OnLeave(back bool) tea.Cmd {
	stand := func(ctx context.Context) error { return p.club.Do(ctx, p.id, table.Stand{UnlessPlaying: true}) }
	switch {
	case p.view != nil && p.view.MayStand() && stageOf(p.view) == gathering:
		if back {
			return p.env.DoAndSay(stand, "You have left your seat. Next time, 1 shows the lobby and keeps it.")
		}
	case p.view != nil && p.view.POV != 0 && stageOf(p.view) == finished && p.view.State != table.Closed, p.takes():
		return p.env.Do(stand)
	}
	return nil
}

// typing reports whether all keys belong to the page, because a line is being typed or a reply read.
func (p *Page) typing() bool { return p.talking() || p.answer != nil }

// talking reports whether a line is being typed.
func (p *Page) talking() bool { return p.line != nil && p.line.Active() }

// NextTick returns when the clock, the talk or the glow changes next.
func (p *Page) NextTick(now time.Time) time.Time {
	if p.view == nil {
		return time.Time{}
	}
	_, next := timerAt(p.view, now)
	_, talk := talkAt(p.view, p.club.Hears, now)
	_, _, glow := p.glow(now)
	for _, end := range []time.Time{talk, glow} {
		if !end.IsZero() && (next.IsZero() || end.Before(next)) {
			next = end
		}
	}
	return next
}

// Update handles messages from the table, the club and the player.
func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case page.WokenMsg:
		return p.look()
	case page.ClubUpdateMsg:
		return p.goAlong()
	case tea.PasteMsg:
		if p.talking() {
			p.line.Update(msg)
		}
	}
	return nil
}

// Key implements [page.KeyHandler]. Any key ends the glow.
func (p *Page) Key(msg tea.KeyPressMsg) tea.Cmd {
	p.skip()
	talked := p.talking()
	cmd := p.key(msg)
	if talked && !p.talking() { // the followed player may have gone elsewhere meanwhile
		cmd = tea.Batch(cmd, p.goAlong())
	}
	return cmd
}

// look takes the latest view.
func (p *Page) look() tea.Cmd {
	if p.sub == nil {
		return nil
	}
	before, v := p.view, p.sub.View()
	if v == before {
		return nil
	}
	if before != nil && v.State == table.Closed && v.Notice == string(table.ErrWatchers) {
		return p.shutOut(before)
	}
	p.view = v
	early := p.playLaid(before)
	if before == nil || stageOf(before) != stageOf(v) || before.Play.Round != v.Play.Round {
		p.moves = false
	}
	if !v.InGame() || before != nil && before.Game != v.Game {
		p.past = moment{}
	}
	if before != nil && before.Game != v.Game {
		p.skipped = moment{}
	}
	if p.seat != 0 && int(p.seat) > len(v.Seats) || v.InGame() {
		p.seat = 0
	}
	p.listen()
	p.promptLine()
	if before != nil && p.turn() != 0 && !before.MyMove() && p.club.Settings().Bell {
		p.env.Bell()
	}
	if (p.past != (moment{}) || p.moves || p.answer != nil) && before != nil {
		if say := announce(before, v); say != "" {
			return tea.Batch(early, p.askCard(), page.Send(page.Say(say)))
		}
	}
	return tea.Batch(early, p.askCard(), p.overhear(before))
}

// shutOut leads away from a table that nobody may watch, after the player has lost their seat there.
func (p *Page) shutOut(before *table.View) tea.Cmd {
	say, to := "You have left your seat, and nobody may watch this table.", page.Send(page.BackMsg{})
	if before.InGame() {
		say = "You have resigned."
	}
	if comparing(before) {
		to = page.Send(page.GotoMsg{To: compared(before), Replace: true})
	}
	return tea.Batch(to, page.Send(page.Say(say)))
}

// askCard asks once for the card of a game that is over; a sealed game has none.
func (p *Page) askCard() tea.Cmd {
	v := p.view
	if stageOf(v) != finished {
		p.card, p.carded, p.deals = nil, 0, false
		return nil
	}
	if v.Game == p.carded || v.Result == nil || v.Config.Event.Sealed {
		return nil
	}
	p.carded = v.Game
	id := v.Game
	find := func(ctx context.Context) (*lobby.Card, error) { return p.club.Card(ctx, id) }
	return page.Find((*page.Env).Call, p.env, find, func(c *lobby.Card, err error) tea.Cmd {
		if err == nil && p.carded == id { // without it the page shows how the game ended
			p.card = c
		}
		return nil
	})
}

// offerBell mentions once, after the player's first play, that there is a bell.
func (p *Page) offerBell() tea.Cmd {
	s := p.club.Settings()
	if s.Bell || s.BellOffered {
		return nil
	}
	s.BellOffered = true
	return p.env.Call(func(ctx context.Context) tea.Msg {
		if err := p.club.SaveSettings(ctx, s); err != nil {
			return nil // offer it again later
		}
		return page.Say("Press B for a bell on your turn.")
	})
}

// endGuide ends the guide for good.
func (p *Page) endGuide() tea.Cmd {
	s := p.club.Settings()
	s.NoGuide = true
	save := func(ctx context.Context) error { return p.club.SaveSettings(ctx, s) }
	return p.env.DoAndSay(save, "The guide is off; ? shows all keys, and 5 the rules.")
}

// ring turns the bell on or off.
func (p *Page) ring() tea.Cmd {
	s := p.club.Settings()
	s.Bell, s.BellOffered = !s.Bell, true
	say := "Bell off."
	if s.Bell {
		say = "Bell on: it rings when it's your turn."
	}
	return p.env.DoAndSay(func(ctx context.Context) error { return p.club.SaveSettings(ctx, s) }, say)
}

// turn returns this table's ID if the player has to choose a tile here.
func (p *Page) turn() table.ID {
	if p.view.MyMove() && !p.sending {
		return p.id
	}
	return 0
}

// listen notes whether a player whom the reader ignores has spoken here.
func (p *Page) listen() {
	p.muted = slices.ContainsFunc(p.view.Chat, func(l table.ChatLine) bool { return !l.House && !p.club.Hears(l.From) })
}

// overhear shows new lines of chat at the foot of screens without room for the chat.
func (p *Page) overhear(before *table.View) tea.Cmd {
	if before == nil || p.Height >= tall || len(p.view.Chat) == 0 {
		return nil
	}
	l := p.view.Chat[len(p.view.Chat)-1]
	if n := len(before.Chat); n > 0 && l.Seq <= before.Chat[n-1].Seq || l.House || l.From.ID == p.club.Player().ID || !p.club.Hears(l.From) {
		return nil
	}
	return page.Send(page.Say(l.From.Name + " says: " + l.Text))
}
