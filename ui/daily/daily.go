// Package daily has the page of the daily deal: today's, with the reader's result and what others chose, the
// month's table, and the last days to play for fun. It asks the club, and must not know the rules of a game.
package daily

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/event/daily"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

type visit interface {
	Player() table.Player
	Today() (deal *daily.Day, open bool)
	Daily(ctx context.Context, key string) (*daily.Deal, error)
	DailyMonth(ctx context.Context, month string) ([]daily.MonthRow, error)
	DailyPast(ctx context.Context) ([]*daily.Day, error)
	PlayDaily(ctx context.Context, key string) (table.ID, error)
	page.Speaker
}

type leaf int

const (
	today leaf = iota
	month
	past
)

var leafNames = []string{"The deal", "Month", "Past days"}

// Page is the page of the daily deal.
type Page struct {
	page.Listed
	env  *page.Env
	club visit
	key  string // of the day shown; empty: today

	at     leaf
	day    *daily.Deal
	months []daily.MonthRow
	days   page.List[*daily.Day] // the last ones
	fault  string
	load   page.Question
	seat   page.Question
	talk   page.Talk
	today  int       // today's deal and its changes when last checked
	body   page.Text // of the day and the month
}

var (
	keyPlay = page.Bind("enter", "play", "enter")
	keyShow = page.Bind("s", "show that day", "s")
	keyCopy = page.Bind("c", "copy your result", "c")
	keyTurn = page.Bind("←→", "the deal, month, past days", "left", "right")
)

// New returns the page of the day of a target.
func New(e *page.Env, v visit, to page.Target) *Page {
	p := &Page{env: e, club: v, key: to.Day, at: leaf(to.PanelOf(len(leafNames)))}
	p.Sheet = p.sheet
	p.talk.Begin(e, v)
	p.changed()
	return p
}

// changed reports whether today's deal has changed since the last call.
func (p *Page) changed() bool {
	d, _ := p.club.Today()
	before := p.today
	if p.today = 0; d != nil {
		p.today = d.Number<<32 + d.Changes
	}
	return p.today != before
}

type loaded struct {
	day    *daily.Deal
	months []daily.MonthRow
	days   []*daily.Day
}

// Init requests all that the page shows.
func (p *Page) Init() tea.Cmd {
	key := p.key
	return page.Find(p.load.Ask, p.env, func(ctx context.Context) (l loaded, err error) {
		if l.day, err = p.club.Daily(ctx, key); err != nil {
			return l, err
		}
		if l.months, err = p.club.DailyMonth(ctx, l.day.Key[:len("2006-01")]); err != nil {
			return l, err
		}
		l.days, err = p.club.DailyPast(ctx)
		return l, err
	}, p.take)
}

func (p *Page) take(l loaded, err error) tea.Cmd {
	if err != nil {
		p.fault = plain.Sentence(err)
		return nil
	}
	p.day, p.months, p.fault = l.day, l.months, ""
	p.days.Set(l.days)
	return p.talk.Ask(daily.Kind, p.day.ID)
}

func (p *Page) Chrome() page.Chrome {
	line := &p.talk.Line
	return page.Chrome{Title: "Daily deal", Widest: page.WidestText, Reopen: page.Target{Kind: page.Daily, Day: p.key, Panel: int(p.at)},
		Typing: line.Active(), Cursor: line.FootCursor(p.env.Theme, p.Size)}
}

func (p *Page) Actions() (does page.Actions) {
	if p.talk.Line.Active() {
		return p.talk.Talking()
	}
	play, may, listed := keyPlay, p.day != nil && p.day.MayPlay, p.at == past && p.days.Len() > 0
	switch {
	case p.at == past:
		play, may = page.Named(play, "play it for fun"), listed && p.day != nil
	case p.day != nil && p.day.ForFun:
		play, may = page.Named(play, "play it for fun"), true
	case p.day != nil && p.day.Mine != nil:
		play = page.Named(play, "resume")
	}
	does.Open(may, play, p.play)
	does.Add(p.day != nil && p.day.Share() != "", keyCopy, func() tea.Cmd {
		p.env.Copy(p.day.Share())
		return page.Send(page.Say(p.day.Share()))
	})
	if listed {
		does.Go(true, keyShow, page.Target{Kind: page.Daily, Day: (*p.days.Chosen()).Key})
	}
	does.Leaves(keyTurn, int(p.at), 0, p.Width, leafNames, func(to int) tea.Cmd {
		p.at = leaf(to)
		p.body.Top()
		return nil
	})
	does.Move(p.at == past && p.days.Len() > 0, page.KeyMove, p.Move)
	does.Scroll(p.Scrolls(), page.KeyScroll, p.Move)
	if p.at == today && p.day != nil {
		p.talk.Add(&does)
	}
	return does
}

func (p *Page) Update(msg tea.Msg) tea.Cmd {
	switch _, news := msg.(page.ClubUpdateMsg); {
	case !news:
		p.talk.Line.Handle(msg)
	case (p.changed() || p.day != nil && !p.env.Now().Before(p.day.Ends)) && (p.day == nil || !p.day.Over):
		return p.Init()
	case p.day != nil:
		return p.talk.Ask(daily.Kind, p.day.ID)
	}
	return nil
}

func (p *Page) play() tea.Cmd {
	day := p.key
	if p.at == past {
		day = (*p.days.Chosen()).Key
	}
	return page.Get(p.seat.Once, p.env, func(ctx context.Context) (table.ID, error) { return p.club.PlayDaily(ctx, day) },
		func(at table.ID) tea.Cmd { return page.Open(page.Target{Kind: page.Table, Table: at}) })
}

const (
	points  = 60 // columns from which the day's table has points made and given
	allDays = 64 // columns from which the last days have the reader's result, and the best
)

func (p *Page) sheet() page.Sheet {
	w := p.Width
	s := page.Sheet{Above: []string{" " + page.Choices(p.env.Theme, leafNames, leafNames[p.at], true), ""}}
	switch {
	case p.fault != "":
		s.Above = append(s.Above, p.text(theme.Bad, p.fault, w)...)
	case p.day == nil:
		s.Above = append(s.Above, p.text(theme.Faint, "Opening the daily deal"+p.env.Theme.Glyphs().Ellipsis, w)...)
	case p.at == month:
		s.Rows = p.body.Of(p.monthLines(w))
	case p.at == past:
		p.past(&s, w)
	default:
		s.Rows, s.Below = p.body.Of(p.dayLines(w)), p.talk.Foot(p.Size)
	}
	return s
}

func (p *Page) text(role theme.Role, s string, w int) []string {
	return page.Paragraph(p.env.Theme, role, s, 1, w-2)
}

// dayLines returns the deal, the reader's result, the table, what others chose, and the hashes.
func (p *Page) dayLines(w int) []string {
	const tableRows = 8 // how many rows of the day's table come above what others chose; the reader's own is always among them
	t, d := p.env.Theme, p.day
	lines := p.text(theme.Title, plain.DailyHead(d.Day, p.env.Now()), w)
	if s := d.Share(); s != "" {
		lines = append(lines, "", " "+t.Paint(theme.Accent, page.Clip(t, p.chart(s), w-2)))
	}
	lines = append(lines, "")
	for i, s := range plain.DailyState(d) {
		role := theme.Text
		if i > 0 {
			role = theme.Muted
		}
		lines = append(lines, p.text(role, s, w)...)
	}
	lines = append(lines, "", " "+page.Rule(t, "Results", w-2))
	if s := plain.DailyHidden(d.Day); s != "" {
		lines = append(lines, p.text(theme.Muted, s, w)...)
	}
	me := p.club.Player().ID
	own := slices.IndexFunc(d.Rows, func(r daily.Row) bool { return r.Player == me })
	for i := range d.Rows {
		switch {
		case i < tableRows, i == own, own < 0 && d.Over:
			lines = append(lines, p.row(&d.Rows[i], i == own, w))
		case i == tableRows:
			lines = append(lines, "   "+t.Paint(theme.Faint, fmt.Sprintf("%d more", len(d.Rows)-tableRows)))
		}
	}
	if len(d.Decided) > 0 {
		lines = append(lines, "", " "+page.Rule(t, "What a master plays", w-2))
		for _, s := range plain.DailyDecisions(d.Decided) {
			for i, line := range p.text(theme.Text, s, w-2) {
				if i > 0 {
					line = "  " + line
				}
				lines = append(lines, line)
			}
		}
	}
	lines = append(lines, "", " "+page.Rule(t, "Check the deals", w-2))
	for _, s := range plain.DailySeed(d) {
		lines = append(lines, p.text(theme.Faint, s, w)...)
	}
	return lines
}

func (p *Page) chart(s string) string {
	if p.env.Theme.Faces() != theme.ASCII || p.day.Share() == "" {
		return s
	}
	d := *p.day
	d.Rounds = nil
	return d.Share()
}

func (p *Page) row(r *daily.Row, own bool, w int) string {
	t := p.env.Theme
	diff, score := "", ""
	switch {
	case r.Played:
		diff, score = text.Signed(r.Diff()), fmt.Sprintf("%d:%d", r.For, r.Against)
	case r.Playing:
		score = "playing"
	default:
		score = "not finished"
	}
	widths, cells := []int{-5, 23, -6, -12}, []string{plain.DailyPlace(r), r.Name, diff, score}
	if w < points { // the reader's line above has them
		if widths = []int{-5, w - 29, -12}; !r.Played {
			diff = score
		}
		cells = []string{plain.DailyPlace(r), r.Name, diff}
	}
	line := page.Columns(t, widths, cells)
	emphasis := page.Usual
	switch {
	case own:
		emphasis = page.Own
	case r.Place == 0:
		emphasis = page.Pale
	}
	return page.Mark(t, line, false, emphasis)
}

func (p *Page) monthLines(w int) []string {
	t := p.env.Theme
	lines := p.text(theme.Muted, plain.DailyMonth(p.day.Key[:len("2006-01")]), w)
	lines = append(lines, "")
	if len(p.months) == 0 {
		return append(lines, p.text(theme.Muted, "Nobody is ranked yet.", w)...)
	}
	widths := []int{-4, min(w-26, 24), -5, -7}
	lines = append(lines, page.Mark(t, page.Columns(t, widths, []string{"#", "Name", "Days", "Points"}), false, page.Pale))
	for i := range p.months {
		r := &p.months[i]
		emphasis := page.Usual
		if r.Player == p.club.Player().ID {
			emphasis = page.Own
		}
		cells := []string{strconv.Itoa(r.Place), r.Name, strconv.Itoa(r.Days), strconv.Itoa(r.Points)}
		lines = append(lines, page.Mark(t, page.Columns(t, widths, cells), false, emphasis))
	}
	return lines
}

func (p *Page) past(s *page.Sheet, w int) {
	t := p.env.Theme
	if p.days.Len() == 0 {
		s.Above = append(s.Above, p.text(theme.Muted, "There are no earlier days yet.", w)...)
		return
	}
	widths := []int{-5, 10, 8, -7, -8, 16}
	if w < allDays {
		widths = []int{-4, 10, 7, -7}
	}
	cut := func(cells ...string) string { return page.Columns(t, widths, cells[:len(widths)]) }
	s.Above = append(s.Above, "   "+t.Paint(theme.Muted, cut("Deal", "Day", "Game", "Players", "You", "Best")))
	me := p.club.Player().ID
	s.Rows = p.days.Drawn(func(_ int, day **daily.Day, chosen bool) string {
		d := *day
		mine, best, played := "", "", 0
		for k := range d.Rows {
			if d.Rows[k].Played {
				played++
			}
		}
		if r := d.Of(me); r != nil && r.Played {
			mine = text.Signed(r.Diff())
		}
		if d.Placed() > 0 {
			best = text.Signed(d.Rows[0].Diff()) + " " + d.Rows[0].Name
		}
		game, _, _ := strings.Cut(plain.DailyGame(&d.Config), ",")
		return page.Mark(t, cut(strconv.Itoa(d.Number), d.Key, game, strconv.Itoa(played), mine, best), chosen, page.Usual)
	})
}
