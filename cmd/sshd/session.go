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
	"boneyard/ui/feature"
	"boneyard/ui/line"
	"boneyard/ui/page"
	"boneyard/ui/remote"
)

// Serve leads one caller through the club, which has three faces: pages on a terminal's screen, line mode for terminals
// that cannot show them, for people who prefer it and for those who have none, and the answers to commands.
//
// While a session waits it keeps up to four times the stack that is in use, so all from here down to where it waits have
// small frames, and pass pointers.
func (c *club) Serve(ctx context.Context, call *gate.Call) int {
	s, err := c.caller(ctx, call)
	if err != nil {
		return c.ended(call, err)
	}
	face, to := wayOf(s, call)
	if to == nil {
		return remote.Run(ctx, &remote.Session{Caller: *s, Command: call.Command, In: call.In, Err: call.Err, Terminal: call.Term != nil})
	}
	if s.Key != nil && s.Account == nil && to.Kind != page.Admin {
		var named func()
		ctx, named = c.nameless.await(ctx, *s.Key)
		defer named()
	}
	s.Start = *to
	s.Moved, s.Entered = keeps(call, face, s.Origin.Guest)
	if face == inLines {
		return c.ended(call, c.lines(ctx, s, call))
	}
	return c.ended(call, c.pages(ctx, s, call))
}

// wayOf returns how the club shows itself to a caller who stays, and where they go first; nil if they do not.
func wayOf(s *feature.Caller, call *gate.Call) (face string, to *page.Target) {
	at, stays := wanted(call.Command, call.Term != nil)
	stays = stays && (at.Kind != page.Admin || s.Origin.Operator)
	face = onPages
	if call.Term == nil || at.Kind != page.Admin && (dumb(call.Term.Name) || s.Account != nil && s.Account.Settings.LineMode) {
		face = inLines
	}
	if call.Resume != nil {
		if call.Term != nil {
			face = faceOf(*call.Resume, face)
		}
		if at, stays = resumed(*call.Resume), true; at.Kind == page.Admin && !s.Origin.Operator {
			at = page.Target{}
		}
		s.Origin.Guest = guestOf(*call.Resume)
	}
	if !stays {
		return "", nil
	}
	return face, &at
}

// Where somebody is who stays is kept, so that another node can go on with the session: how the club shows
// itself, who a guest is, then the text of a [page.Target].
const (
	onPages = "pages"
	inLines = "lines"

	asGuest = "guest=" // their number, a colon and their name follow
)

// keeps returns what keeps where a caller is, and who a guest is.
func keeps(call *gate.Call, face string, guest lobby.Guest) (moved func(page.Target), entered func(table.Player)) {
	var at page.Target
	moved = func(to page.Target) {
		at = to
		call.Keep(func() string { return kept(face, guest, at) })
	}
	return moved, func(p table.Player) {
		if p.ID.Guest() {
			guest = lobby.Guest{ID: p.ID, Name: p.Name}
			moved(at)
		}
	}
}

// kept encodes where somebody is, and which guest they are; the zero Guest is none. A text that would be too
// long is shortened to the page.
func kept(face string, guest lobby.Guest, at page.Target) string {
	if guest.ID.Guest() {
		face += fmt.Sprintf(" %s%d:%s", asGuest, guest.ID, guest.Name)
	}
	all := strings.TrimSpace(face + " " + at.String())
	if len(all) > gate.MaxKept {
		return face + " " + page.Target{Kind: at.Kind}.String()
	}
	return all
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
func resumed(at string) page.Target {
	words := slices.DeleteFunc(strings.Split(at, " "), func(w string) bool { return strings.HasPrefix(w, asGuest) })
	to, _ := page.ParseTarget(words[min(1, len(words)):])
	return to
}

// faceOf reads how the club showed itself; otherwise is for somebody of whom nothing was kept.
func faceOf(at, otherwise string) string {
	if face, _, _ := strings.Cut(at, " "); face != "" {
		return face
	}
	return otherwise
}

// wanted reads a command of somebody who stays: none leads to the lobby, "join CODE" and "play TABLE" to a
// seat, "play new" to a new table and, on a terminal, "watch TABLE" to the gallery, "wall" to many tables at
// once and "arena NUMBER" to an arena. All other commands are answered, and end.
func wanted(words []string, terminal bool) (to page.Target, stays bool) {
	if len(words) == 0 {
		return to, true
	}
	words = append([]string{strings.ToLower(words[0])}, words[1:]...) // as [feature.Find] has it
	switch n := len(words); {
	case slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") }):
		return to, false
	case words[0] == "play" && n > 1 && words[1] == "new":
		return page.Target{Kind: page.NewTable, Draft: page.Draft{Make: true, Words: strings.Join(words[2:], " ")}}, true
	case words[0] == "join" && (n == 2 || n == 3), words[0] == "play" && n == 2: // a code may have a space between its groups
		return page.Target{Kind: page.Table, Join: strings.Join(words[1:], "")}, true
	}
	to, ok := page.ParseTarget(words)
	plain := ok && len(words) <= 2 && !strings.Contains(strings.Join(words, ""), "=")
	one := to.Kind == page.Table && to.Table != 0 || to.Kind == page.Arena && to.Event != 0
	return to, plain && terminal && (to.Kind == page.Wall || to.Kind == page.Admin || one)
}

// dumb reports whether a terminal of that name cannot move its cursor, or does not say what it can.
func dumb(term string) bool {
	return term == "" || term == "dumb" || term == "unknown" || term == "network"
}

// ended is the exit status of a session that returned err, which goes to the log; the caller reads a sentence.
func (c *club) ended(call *gate.Call, err error) int {
	switch {
	case err == nil:
		return gate.ExitOK
	case errors.Is(err, line.ErrRefused): // and has read it
		return gate.ExitFailed
	case errors.Is(err, context.Canceled): // the line ended while the club was asked
		return gate.ExitFailed
	}
	if panicked, ok := errors.AsType[*ui.PanicError](err); ok {
		call.Panicked(panicked.Value, panicked.Stack) // the caller reads what the gate says to that
		return gate.ExitFailed
	}
	c.log.Warn("session", "addr", call.Addr, "err", err)
	call.Warn("Something went wrong on our side. Your games are kept: please call again.")
	return gate.ExitFailed
}

// caller is what all faces of the club need to know of somebody.
func (c *club) caller(ctx context.Context, call *gate.Call) (*feature.Caller, error) {
	s := &feature.Caller{
		Club: c.lobby, Origin: lobby.Origin{Net: call.Addr.String(), Key: lobby.KeyID(call.Key), Exempt: call.Exempt, Shared: call.Shared,
			Operator: call.HasKey && c.ops[call.Key]},
		User: call.User, Address: c.address, Out: call.Out, Log: c.log,
	}
	if call.Term != nil {
		s.Origin.Terminal = call.Term.Name
	}
	if !call.HasKey {
		return s, nil
	}
	s.Key = new(lobby.KeyID(call.Key))
	account, err := c.lobby.Account(ctx, *s.Key)
	if err != nil && !errors.Is(err, lobby.ErrNotFound) {
		return s, err
	}
	s.Account = account
	return s, nil
}

// pages shows the club on a terminal's screen.
func (c *club) pages(ctx context.Context, s *feature.Caller, call *gate.Call) error {
	shown := &ui.Session{Caller: *s, In: call.In, Term: call.Term.Name, Env: call.Env, Size: call.Term.Size, Resizes: call.Term.Resizes,
		Version: c.version}
	if s.Origin.Operator {
		shown.Figures = c.figures
	}
	return ui.Run(ctx, shown)
}

// lines tells the club line by line, on a terminal or without one.
func (c *club) lines(ctx context.Context, s *feature.Caller, call *gate.Call) error {
	s.Moved(page.Target{}) // before a command is carried out, which is done once
	l := &line.Session{Caller: *s, In: call.In, Err: call.Err, Back: call.Resume != nil}
	if call.Term != nil {
		l.Echo, l.Size, l.Resizes = true, call.Term.Size, call.Term.Resizes
	}
	return line.Run(ctx, l)
}
