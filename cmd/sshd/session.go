package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui"
	"boneyard/ui/line"
	"boneyard/ui/remote"
)

// Serve leads one caller through the club, which has three faces: pages on a terminal's screen, line mode for terminals
// that cannot show them, for people who prefer it and for those who have none, and the answers to commands.
func (c *club) Serve(ctx context.Context, call *gate.Call) int {
	s, err := c.session(ctx, call)
	if err != nil {
		return c.ended(call, err)
	}
	to, stays := destinationOf(call.Command, call.Term != nil)
	if s.Origin.Operator && call.Term != nil && slices.Equal(call.Command, []string{"admin"}) {
		to, stays = destination{Start: ui.Start{Admin: true}}, true
	}
	face := onPages
	if call.Term == nil || !to.Admin && (dumb(call.Term.Name) || s.Account != nil && s.Account.Settings.LineMode) {
		face = inLines
	}
	if call.Resume != nil {
		if call.Term != nil {
			face = faceOf(*call.Resume, face)
		}
		to, stays = resumed(*call.Resume), true
		to.Admin = to.Admin && s.Origin.Operator
		s.Origin.Guest = guestOf(*call.Resume)
	}
	if !stays {
		return remote.Run(ctx, s)
	}
	if s.Key != nil && s.Account == nil && !to.Admin {
		var named func()
		ctx, named = c.nameless.await(ctx, *s.Key)
		defer named()
	}
	if face == inLines {
		return c.ended(call, c.lines(ctx, s, call, to))
	}
	return c.ended(call, c.pages(ctx, s, call, to.Start))
}

// Where somebody is who stays is kept, so that another node can go on with the session: how the club shows itself, who a guest is, then the
// words of a command that leads there.
const (
	onPages = "pages"
	inLines = "lines"

	asGuest = "guest=" // their number, a colon and their name follow
)

// keeper keeps where a caller is.
type keeper struct {
	call  *gate.Call
	face  string
	at    ui.Start
	guest lobby.Guest
}

// moved keeps a place that is new.
func (k *keeper) moved(at ui.Start) {
	k.at = at
	k.call.Keep(kept(k.face, k.guest, at))
}

// entered keeps who a guest is.
func (k *keeper) entered(p table.Player) {
	if p.ID.Guest() {
		k.guest = lobby.Guest{ID: p.ID, Name: p.Name}
		k.moved(k.at)
	}
}

// kept writes down where somebody is, and which guest; the zero Guest is none.
func kept(face string, guest lobby.Guest, at ui.Start) string {
	if guest.ID.Guest() {
		face += fmt.Sprintf(" %s%d:%s", asGuest, guest.ID, guest.Name)
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	switch {
	case at.Admin:
		return face + " admin"
	case at.Wall && at.Event != 0:
		return face + " wall " + number(at.Event)
	case at.Wall:
		return face + " wall"
	case at.Event != 0:
		return face + " arena " + number(at.Event)
	case at.Watch != 0:
		return face + " watch " + number(at.Watch)
	case at.Join != "":
		return face + " join " + at.Join
	}
	return face
}

// guestOf reads which guest somebody was.
func guestOf(at string) (g lobby.Guest) {
	_, at, _ = strings.Cut(at, " ")
	if at, ok := strings.CutPrefix(at, asGuest); ok {
		at, _, _ = strings.Cut(at, " ")
		id, name, _ := strings.Cut(at, ":")
		n, err := strconv.ParseInt(id, 10, 64)
		if err == nil {
			g = lobby.Guest{ID: table.PlayerID(n), Name: name}
		}
	}
	return g
}

// resumed reads where somebody was.
func resumed(at string) (to destination) {
	words := slices.DeleteFunc(strings.Fields(at), func(w string) bool { return strings.HasPrefix(w, asGuest) })
	if len(words) < 2 {
		return to
	}
	if slices.Equal(words[1:], []string{"admin"}) {
		return destination{Start: ui.Start{Admin: true}}
	}
	to, _ = destinationOf(words[1:], true)
	to.New, to.Words, to.back = false, "", true
	return to
}

// faceOf reads how the club showed itself; otherwise is for somebody of whom nothing was kept.
func faceOf(at, otherwise string) string {
	if face, _, _ := strings.Cut(at, " "); face != "" {
		return face
	}
	return otherwise
}

// destination is where a caller who stays wants to go.
type destination struct {
	ui.Start
	back bool // they were there before
}

// destinationOf reads a command as a destination: none leads to the lobby, "join CODE" and "play TABLE" to a seat, "play new" to a new table
// and, on a terminal, "watch TABLE" to the gallery and "wall" to many tables at once. All other commands are answered, and end.
func destinationOf(words []string, terminal bool) (to destination, stays bool) {
	flag := func(w string) bool { return strings.HasPrefix(w, "-") }
	switch {
	case len(words) == 0:
		return to, true
	case slices.ContainsFunc(words, flag):
		return to, false
	case words[0] == "play" && len(words) > 1 && words[1] == "new":
		return destination{Start: ui.Start{New: true, Words: strings.Join(words[2:], " ")}}, true
	case len(words) == 2 && (words[0] == "join" || words[0] == "play"):
		return destination{Start: ui.Start{Join: words[1]}}, true
	case len(words) == 3 && words[0] == "join": // a code with a space between its groups
		return destination{Start: ui.Start{Join: words[1] + words[2]}}, true
	case len(words) == 1 && words[0] == "wall" && terminal:
		return destination{Start: ui.Start{Wall: true}}, true
	case len(words) == 2 && words[0] == "wall" && terminal:
		n, err := strconv.ParseInt(words[1], 10, 64)
		return destination{Start: ui.Start{Wall: true, Event: n}}, err == nil && n > 0
	case len(words) == 2 && words[0] == "arena" && terminal:
		n, err := strconv.ParseInt(words[1], 10, 64)
		return destination{Start: ui.Start{Event: n}}, err == nil && n > 0
	case len(words) == 2 && words[0] == "watch" && terminal:
		n, err := strconv.ParseInt(words[1], 10, 64)
		return destination{Start: ui.Start{Watch: n}}, err == nil && n > 0
	}
	return to, false
}

// dumb reports whether a terminal of that name cannot move its cursor, or does not say what it can.
func dumb(term string) bool {
	return term == "" || term == "dumb" || term == "unknown" || term == "network"
}

// ended is the exit status of a session that returned err, which goes to the log; the caller reads a sentence.
func (c *club) ended(call *gate.Call, err error) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, line.ErrRefused): // and has read it
		return exitFailed
	case errors.Is(err, context.Canceled): // the line ended while the club was asked
		return exitFailed
	}
	var panicked *ui.PanicError
	if errors.As(err, &panicked) {
		call.Panicked(panicked.Value, panicked.Stack) // the caller reads what the gate says to that
		return exitFailed
	}
	c.log.Warn("session", "addr", call.Addr, "err", err)
	call.Warn("Something went wrong on our side. Your games are kept: please call again.")
	return exitFailed
}

// session is what all faces of the club need to know of a caller.
func (c *club) session(ctx context.Context, call *gate.Call) (remote.Session, error) {
	s := remote.Session{
		Club: c.lobby, Origin: lobby.Origin{Net: call.Addr.String(), Key: lobby.KeyID(call.Key), Exempt: call.Exempt, Shared: call.Shared, Operator: call.HasKey && c.ops.Has(call.Key)},
		Address: c.address, Command: call.Command, In: call.In, Out: call.Out, Err: call.Err, Terminal: call.Term != nil, Log: c.log,
	}
	if call.Term != nil {
		s.Origin.Terminal = call.Term.Name
	}
	if !call.HasKey {
		return s, nil
	}
	key := lobby.KeyID(call.Key)
	s.Key = &key
	account, err := c.lobby.Account(ctx, key)
	if err != nil && !errors.Is(err, lobby.ErrNotFound) {
		return s, err
	}
	s.Account = account
	return s, nil
}

// pages shows the club on a terminal's screen.
func (c *club) pages(ctx context.Context, s remote.Session, call *gate.Call, start ui.Start) error {
	page := ui.Session{
		Club: c.lobby, Origin: s.Origin, Key: s.Key, Account: s.Account, User: call.User, Address: c.address, Start: start,
		In: call.In, Out: call.Out, Term: call.Term.Name, Env: call.Env,
		Size: call.Term.Size, Resizes: call.Term.Resizes,
		Log: c.log, Version: c.version,
	}
	k := &keeper{call: call, face: onPages, guest: s.Origin.Guest}
	page.Moved, page.Entered = k.moved, k.entered
	if s.Origin.Operator {
		page.Figures = c.figures
	}
	return ui.Run(ctx, page)
}

// lines tells the club line by line, on a terminal or without one.
func (c *club) lines(ctx context.Context, s remote.Session, call *gate.Call, to destination) error {
	l := line.Session{
		Club: c.lobby, Origin: s.Origin, Key: s.Key, Account: s.Account, User: call.User, Address: c.address,
		Start: line.Start{Watch: to.Watch, Join: to.Join, New: to.New, Words: to.Words, Wall: to.Wall, Back: to.back}, In: call.In, Out: call.Out, Err: call.Err, Log: c.log,
	}
	k := &keeper{call: call, face: inLines, guest: s.Origin.Guest}
	k.moved(ui.Start{}) // before a command is carried out, which is done once
	l.Moved, l.Entered = func(table int64) { k.moved(ui.Start{Watch: table}) }, k.entered
	if call.Term != nil {
		l.Echo, l.Size, l.Resizes = true, call.Term.Size, call.Term.Resizes
	}
	return line.Run(ctx, l)
}
