package page

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/table"
)

// Action is what a key does on a page now.
type Action struct {
	key.Binding
	Do    func(pressed string) tea.Cmd // with the name of the key, such as "up"
	Role  ActionRole
	point func(x, y int) (cmd tea.Cmd, hit bool) // what a click in the body does, if it hits the action's place; may be nil
	// Refused actions are not listed; their key only says why the club would refuse.
	Refused bool
	// Leads says that all that Do returns is [Open]: it is carried out at once, so that a key that was typed ahead, or
	// came with this one over a bad line, is for the page that it opens. A [KeyHandler] carries it out as any other.
	Leads bool
}

// ActionRole says what carries out an action besides its key.
type ActionRole int

// The roles of actions.
const (
	ByKey   ActionRole = iota // nothing else
	Chooses                   // the mouse's wheel, a row at a time
	Scrolls                   // the wheel, three rows at a time
	Opens                     // a click on the chosen row
)

// Actions are all that can be done on a page now, most useful first. The help line, the list of keys, and
// what keys and the mouse's wheel do follow from them.
type Actions []Action

// spare holds the memory of actions that were drawn.
var spare = sync.Pool{New: func() any { return new(Actions(make([]Action, 0, 40))) }}

// Drawn gives back the actions' memory: each frame asks for them, and they would be a third of what it allocates.
// They must not be used any more.
func (a Actions) Drawn() {
	if cap(a) == 0 {
		return
	}
	clear(a)
	a = a[:0]
	spare.Put(&a)
}

// add adds an action if it can be done now.
func (a *Actions) add(when bool, does Action) {
	if !when {
		return
	}
	if *a == nil {
		*a = *spare.Get().(*Actions)
	}
	*a = append(*a, does)
}

// Add adds what one key does, if when is true.
func (a *Actions) Add(when bool, b key.Binding, do func() tea.Cmd) {
	a.With(when, b, func(string) tea.Cmd { return do() })
}

// Set adds a key that only changes the page.
func (a *Actions) Set(when bool, b key.Binding, change func()) {
	a.Add(when, b, func() tea.Cmd {
		change()
		return nil
	})
}

// Leaves adds the keys that lead through the leaves of a page, of which one is shown; turned gets the next.
// Where their names stand in a row of the body, as Choices draws them behind a blank in at most w columns, a
// click on one shows it.
func (a *Actions) Leaves(b key.Binding, shown, row, w int, names []string, turned func(to int) tea.Cmd) {
	n := len(names)
	a.With(true, b, func(pressed string) tea.Cmd { return turned((shown + Step(pressed) + n) % n) })
	if ChoicesWidth(names) > w {
		return
	}
	a.Pointed(func(x, y int) (tea.Cmd, bool) {
		at := choiceAt(names, x-1)
		if y != row || at < 0 {
			return nil, false
		}
		return turned(at), true
	})
}

// Pointed lets clicks do what the action that was added last does: point is given a place of the body, and
// reports whether a click there hits anything.
func (a *Actions) Pointed(point func(x, y int) (cmd tea.Cmd, hit bool)) {
	(*a)[len(*a)-1].point = point
}

// Go adds a key that opens another page.
func (a *Actions) Go(when bool, b key.Binding, to Target) {
	if when {
		a.Lead(true, b, ByKey, func(string) tea.Cmd { return Open(to) })
	}
}

// OpenPage adds the key that opens the page of what is chosen; a click on it does the same.
func (a *Actions) OpenPage(when bool, b key.Binding, to Target) {
	if when {
		a.Lead(true, b, Opens, func(string) tea.Cmd { return Open(to) })
	}
}

// Table adds a key that opens the page of a table, unless that is 0; as one that Opens, a click on what is chosen
// does the same.
func (a *Actions) Table(when bool, b key.Binding, role ActionRole, at table.ID) {
	a.Lead(when && at != 0, b, role, func(string) tea.Cmd { return Open(Target{Kind: Table, Table: at}) })
}

// Page adds a key that opens another page as it is when nothing is chosen there.
func (a *Actions) Page(when bool, b key.Binding, kind Kind) {
	a.Lead(when, b, ByKey, func(string) tea.Cmd { return Open(Target{Kind: kind}) }) // each frame asks for it, and a target is large
}

// Lead adds keys that open another page: do gets the pressed one, and returns an [Open].
func (a *Actions) Lead(when bool, b key.Binding, role ActionRole, do func(pressed string) tea.Cmd) {
	a.add(when, Action{Binding: b, Do: do, Role: role, Leads: true})
}

// With adds what several keys do; do gets the pressed one.
func (a *Actions) With(when bool, b key.Binding, do func(pressed string) tea.Cmd) {
	a.add(when, Action{Binding: b, Do: do})
}

// Open adds the key that opens what is chosen; a click on it does the same.
func (a *Actions) Open(when bool, b key.Binding, do func() tea.Cmd) {
	a.add(when, Action{Binding: b, Do: func(string) tea.Cmd { return do() }, Role: Opens})
}

// Move adds the keys that choose something; the mouse's wheel and clicks do the same.
func (a *Actions) Move(when bool, b key.Binding, do func(pressed string) tea.Cmd) {
	a.add(when, Action{Binding: b, Do: do, Role: Chooses})
}

// Scroll adds the keys that scroll; the mouse's wheel does the same.
func (a *Actions) Scroll(when bool, b key.Binding, do func(pressed string) tea.Cmd) {
	a.add(when, Action{Binding: b, Do: do, Role: Scrolls})
}

// Offer adds what one key does if may is true; otherwise do must say why not, and the key is not listed.
func (a *Actions) Offer(may bool, b key.Binding, do func() tea.Cmd) {
	a.Add(may, b, do)
	a.Refuse(!may, b, do)
}

// OfferPage adds a key that opens another page, where may is true; else that page says why not, and the key is not
// listed.
func (a *Actions) OfferPage(may bool, b key.Binding, kind Kind) {
	a.Page(may, b, kind)
	a.Refuse(!may, b, func() tea.Cmd { return Open(Target{Kind: kind}) })
}

// Refuse adds a key that is not listed: do says why it does nothing.
func (a *Actions) Refuse(when bool, b key.Binding, do func() tea.Cmd) {
	a.add(when, Action{Binding: b, Do: func(string) tea.Cmd { return do() }, Refused: true})
}

// Of returns the action of a key, nil if there is none.
func (a Actions) Of(msg tea.KeyPressMsg) *Action {
	for i := range a {
		if key.Matches(msg, a[i].Binding) {
			return &a[i]
		}
	}
	return nil
}

// Press carries out the action of a key, and reports whether there is one.
func (a Actions) Press(msg tea.KeyPressMsg) (cmd tea.Cmd, ok bool) {
	if does := a.Of(msg); does != nil {
		return does.Do(msg.String()), true
	}
	return nil, false
}

// Pointed is a page on which a click chooses something.
type Pointed interface {
	// Point chooses what is drawn at a place of the body, and reports whether that was chosen already.
	Point(x, y int) (again bool, cmd tea.Cmd)
}

// Paneled is a page with several panels.
type Paneled interface {
	// FocusAt directs the keys that choose and scroll to the panel at a place of the body.
	FocusAt(x, y int)
}

// Click handles a click on a place of a page's body. If the page's keys choose or open something now, it
// chooses what is drawn there, or opens it if it is chosen already.
func Click(p Page, x, y int) tea.Cmd {
	does := p.Actions()
	for _, a := range does {
		if a.point != nil {
			if cmd, hit := a.point(x, y); hit {
				return cmd
			}
		}
	}
	at, ok := p.(Pointed)
	if !ok || !slices.ContainsFunc(does, func(a Action) bool { return a.Role == Chooses || a.Role == Opens }) {
		return nil
	}
	again, cmd := at.Point(x, y)
	if !again {
		return cmd
	}
	for _, a := range p.Actions() {
		if a.Role == Opens {
			return a.Do(a.Keys()[0])
		}
	}
	return cmd
}

// Step returns where one of a pair of keys leads: back (-1) or forth (1).
func Step(pressed string) int {
	switch pressed {
	case "left", "h", "up", "k", "shift+tab", "[", "pgup", "-", "home":
		return -1
	}
	return 1
}

// Next returns the choice that is by steps from now; "" is before the first and after the last.
func Next[T ~string](choices []T, now T, by int) T {
	n := len(choices) + 1
	if i := (slices.Index(choices, now) + 1 + by + n) % n; i > 0 {
		return choices[i-1]
	}
	return ""
}

// And adds keys of the club after the page's.
func (a Actions) And(keys ...key.Binding) Actions {
	for _, k := range keys {
		a.add(true, Action{Binding: k})
	}
	return a
}

// Keys returns the keys to list.
func (a Actions) Keys() []key.Binding {
	keys := make([]key.Binding, 0, len(a))
	for i := range a {
		if !a[i].Refused {
			keys = append(keys, a[i].Binding)
		}
	}
	return keys
}

// namedKeys are the keys that are not characters.
var namedKeys = map[string]rune{
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "enter": tea.KeyEnter, "esc": tea.KeyEscape,
	"tab": tea.KeyTab, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
}

// KeyPress returns the message of a key given its name: "down", "ctrl+b", "/", "space".
func KeyPress(name string) tea.KeyPressMsg {
	var mod tea.KeyMod
	for word, m := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "alt+": tea.ModAlt, "shift+": tea.ModShift} {
		if rest, ok := strings.CutPrefix(name, word); ok && rest != "" {
			name, mod = rest, m
		}
	}
	if code, ok := namedKeys[name]; ok {
		return tea.KeyPressMsg{Code: code, Mod: mod}
	}
	if name == "space" {
		name = " "
	}
	r, _ := utf8.DecodeRuneInString(name)
	k := tea.KeyPressMsg{Code: r, Mod: mod}
	if mod == 0 {
		k.Text = name
	}
	return k
}
