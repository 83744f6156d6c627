package play

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event/season"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/screen"
	"boneyard/ui/theme"
)

// picture is everything that a body is drawn from: pictures with equal fields look the same.
type picture struct {
	common
	v     *table.View  // as it is, or was at the moment that is shown
	now   *table.View  // as it is
	glows *table.Entry // the move that lights up
	at    time.Time    // when it is drawn, for players
	own   own          // what only this reader sees; zero if the picture is shared by all watchers, as are the rest

	earnings bool                    // tiles have their points below them
	hears    func(table.Player) bool // nil: everybody
	guide    []string                // what a newcomer is told at a guided table, what matters most last
}

// common is what a picture shows besides the view, to watchers too. It is comparable.
type common struct {
	th      *theme.Theme
	w, h    int // of the body
	timer   timer
	address string      // the club's address, for invitations
	marked  bool        // the version is shown
	talk    bool        // the latest talk is shown in place of the last moves
	glow    glow        // what lights up
	novice  bool        // the rule is shown to the reader
	panel   bool        // the panel of known tiles is shown to a watcher
	card    *lobby.Card // shown when the game is over; nil to show how it ended
	offer   offer       // what a watcher may do
	shields *season.Shields
}

// own is what one reader alone does at a table, and sees.
type own struct {
	pick    picker
	seat    rules.Seat  // selected before a game; 0 for none
	sending bool        // a move was sent and is unanswered
	moves   bool        // the list of moves is shown
	back    int         // rows by which that is scrolled back
	past    moment      // whose board is shown; zero for the present one
	line    *page.Input // a line being typed or left unfinished, which is not drawn; usually nil, since an input takes kilobytes
}

// common returns what a body of w×h shows now to a reader who hears some players, or all if hears is nil.
func (p *Page) common(w, h int, hears func(table.Player) bool) (s common, glows *table.Entry) {
	now := p.env.Now()
	s = common{th: p.env.Theme, w: w, h: h, address: p.env.Address, marked: p.env.Marked, novice: p.novice, card: p.card,
		offer: p.offered(), shields: p.club.Shields()}
	s.panel = p.view.POV == 0 && (w >= knownFrom && h >= tall) != p.toggled
	if p.deals {
		s.card = nil
	}
	s.timer, _ = timerAt(p.view, now)
	s.talk, _ = talkAt(p.view, hears, now)
	s.glow, glows, _ = p.glow(now)
	return s, glows
}

func (p *Page) picture() *picture {
	d := &picture{now: p.view, at: p.env.Now(), own: p.own, earnings: !p.club.Settings().NoEarnings, hears: p.club.Hears}
	d.common, d.glows = p.common(p.Width, p.Height, p.club.Hears)
	if p.guided() {
		d.guide = guide(p.view)
	}
	if d.stepping() {
		d.v, d.timer, d.glow, d.glows = viewAt(p.view, p.past), timer{}, noGlow, nil
		if n := len(d.v.Log); n > 0 && d.v.Log[n-1].Event.Points > 0 && !p.calm() { // while it is shown
			d.glow, d.glows = sumStands, d.v.Log[n-1]
		}
	} else {
		d.v = ticking(p.view, d.glow, d.glows)
		if at := chooses(d.v); at != nil && p.pick != nothing {
			d.v = at
		}
	}
	if !p.talking() {
		d.own.line = nil
	}
	return d
}

// Lines draws the table.
func (p *Page) Lines() []string {
	if p.answer != nil {
		return p.answer.Lines()
	}
	if p.view == nil {
		say := cmp.Or(p.fault, "Opening the table.")
		return []string{"", " " + p.env.Theme.Paint(theme.Muted, text.Fit(say, p.Width-2))}
	}
	return p.picture().lines()
}

// frames are shared by watchers. The views in its keys are immutable and belong to one table of one club;
// with the rest of the key they determine the frame. So one cache serves all clubs of a process.
var frames = screen.NewCache[frameKey, *screen.Frame](512)

type frameKey struct {
	common
	view   *table.View
	height int    // of the screen
	who    string // what the header says about the watcher
}

// Frame returns a watcher's whole screen, which is the same for all watchers with the same size and theme. It
// is nil for players, and for a watcher with anything of their own on the screen.
func (p *Page) Frame(w, h int) *screen.Frame {
	v := p.view
	if v == nil || v.POV != 0 || p.muted || p.moves || p.past != (moment{}) || p.seat != 0 || p.deals || p.typing() {
		return nil
	}
	_, rows := page.Room(h)
	seen, glows := p.common(w, rows, nil)
	k := frameKey{seen, v, h, p.subtitle()}
	return frames.Get(k, func() *screen.Frame {
		d := &picture{common: k.common, v: ticking(v, k.glow, glows), now: v, glows: glows}
		return page.Shared(k.th, w, h, p.title(), k.who, d.lines(), "", p.actionsAt(v, k.offer, time.Time{}))
	})
}

// lines draws the body.
func (d *picture) lines() []string {
	if d.own.moves {
		return d.moves()
	}
	if d.stepping() {
		return d.playing()
	}
	switch stageOf(d.v) {
	case playing:
		if d.panelAlone() {
			return d.knownAlone()
		}
		return d.playing()
	case scoring:
		return d.scoring()
	case finished:
		return d.finished()
	}
	return d.gathering()
}

// paint paints a sentence in a role, using the theme's characters.
func (d *picture) paint(r theme.Role, s string) string { return d.th.Paint(r, page.Plain(d.th, s)) }

// fit paints a sentence in a role, cut to w columns.
func (d *picture) fit(r theme.Role, s string, w int) string { return page.Fit(d.th, r, s, w) }

// cell paints a sentence in exactly w columns.
func (d *picture) cell(r theme.Role, s string, w int) string {
	return d.th.Paint(r, page.Cut(d.th, page.Plain(d.th, s), w))
}

// wrap paints a sentence in lines of at most w columns.
func (d *picture) wrap(r theme.Role, s string, w int) []string {
	return page.Paragraph(d.th, r, text.Printable(s), 0, w)
}

// side returns the role in which a seat's side is painted.
func (d *picture) side(n rules.Seat) theme.Role { return theme.Side(int(d.v.Play.SideOf(n)) - 1) }

// who returns the name of the player who sits, or sat, at a seat.
func (d *picture) who(n rules.Seat) string {
	if len(d.v.Names) >= int(n) {
		return d.v.Names[n-1]
	}
	return d.v.Seats[n-1].Name()
}

// sideName names the players of a side, preceded by their team's tag.
func (d *picture) sideName(s rules.Side) string {
	name := d.who(rules.Seat(s))
	if d.v.Config.Rules.Teams {
		name += " + " + d.who(rules.Seat(s)+2)
		if tag := d.v.Tags[s-1]; tag != "" {
			name = tag + " " + name
		}
	}
	return name
}

// version returns the number of the view, for readers who asked for it to compare what they see with others.
func (d *picture) version() string {
	if !d.marked {
		return ""
	}
	role := theme.Faint
	if d.thrifty() {
		role = theme.Text
	}
	return " " + d.th.Paint(role, "v"+strconv.FormatUint(d.v.Version, 10))
}

// titled draws the first line of a screen: its subject, in the longest of these sentences that fits, and the number
// of watchers.
func (d *picture) titled(role theme.Role, titles ...string) string {
	right := d.paint(theme.Muted, d.watchers()) + d.version() + " "
	w := d.w - page.Width(right) - 3
	return page.Right(" "+strings.Join(page.Beginning(d.th, d.wrap(role, page.Longest(w, titles...), w), w, 1), ""), right, d.w)
}

// watchers returns the number of watchers.
func (d *picture) watchers() string {
	switch n := d.v.Watchers; {
	case n == 0:
		return ""
	case d.w < 60:
		return strconv.Itoa(n) + "w"
	default:
		return strconv.Itoa(n) + " watching"
	}
}

// watching names the people who watch.
func (d *picture) watching() string {
	v := d.v
	if v.Watchers == 0 || len(v.Watching) == 0 {
		return ""
	}
	const most = 3
	names := v.Watching[:min(len(v.Watching), most)]
	say := "Watching: " + strings.Join(names, ", ")
	if more := v.Watchers - len(names); more > 0 {
		say += " and " + strconv.Itoa(more) + " more"
	}
	return say
}

// clock draws the timer.
func (d *picture) clock() string {
	if d.timer.late {
		return d.th.Paint(theme.Warn, d.timer.text())
	}
	return d.th.Paint(theme.Text, d.timer.text())
}

// ask draws a prompt in at most w columns, or the input line instead.
func (d *picture) ask(prompt func(w int) string, w int) string {
	if d.own.line == nil {
		return prompt(w)
	}
	line, _ := d.own.line.Line(d.th, d.promptWidth())
	return " " + line
}

// promptWidth returns the width of the input line: beside the panels of a wide screen, or the whole row.
func (d *picture) promptWidth() int {
	if d.onBoard() && d.shape() == wide {
		return d.places().board.w
	}
	return d.w - 2
}

// onBoard reports whether the board is shown, with all parts in their places.
func (d *picture) onBoard() bool {
	return (stageOf(d.v) == playing && !d.panelAlone() || d.stepping()) && !d.own.moves
}

// notice returns what to show instead of the prompt, or "".
func (d *picture) notice() string {
	v := d.v
	switch {
	case v.Notice != "":
		return v.Notice
	case v.State == table.Closed:
		return "This table is closed."
	case v.State == table.Adjourned:
		return "Adjourned until everyone is back."
	case v.Asleep:
		return "Nobody is here to play; the game sleeps until a player is back."
	case v.State == table.Paused && v.PausedBy != 0:
		return sentence(d.people(v.PausedBy)) + " paused; play resumes in " + d.timer.text() + "."
	}
	return ""
}
