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

// Serve serves one caller. The club has three faces: pages on a terminal's screen; line mode, for terminals
// that cannot show pages, people who prefer it, and callers without a terminal; and answers to commands.
//
// The runtime keeps up to four times the stack that a waiting session uses, so everything from here down to
// where it waits has small frames and passes pointers.
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
		var over func()
		ctx, over = c.awaitName(ctx, *s.Key)
		defer over()
	}
	s.Start = *to
	s.Moved, s.Entered = keeps(call, face, s.Origin.Guest)
	if face == inLines {
		return c.ended(call, c.lines(ctx, s, call))
	}
	return c.ended(call, c.pages(ctx, s, call))
}

// wayOf returns the face and the first page for a caller who stays, or nil for one who does not.
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

// The place of a caller who stays is kept, so that another node can continue the session: the face, a guest's
// identity, then the text of a [page.Target].
const (
	onPages = "pages"
	inLines = "lines"

	asGuest = "guest=" // followed by number, colon and name
)

// keeps returns functions that keep where a caller is, and who a guest is.
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

// kept encodes where a caller is, and which guest they are; the zero Guest means none. A text that would be
// too long is reduced to the page.
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

// guestOf decodes which guest the caller was.
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

// resumed decodes where the caller was.
func resumed(at string) page.Target {
	words := slices.DeleteFunc(strings.Split(at, " "), func(w string) bool { return strings.HasPrefix(w, asGuest) })
	to, _ := page.ParseTarget(words[min(1, len(words)):])
	return to
}

// faceOf decodes the face that the club showed, or returns otherwise if none was kept.
func faceOf(at, otherwise string) string {
	if face, _, _ := strings.Cut(at, " "); face != "" {
		return face
	}
	return otherwise
}

// wanted parses the command of a caller who stays: without one, they go to the lobby; "join CODE" and "play
// TABLE" lead to a seat, "play new" to a new table, and on a terminal, "watch TABLE" to the gallery, "wall"
// to many tables at once and "arena NUMBER" to an arena. All other commands are answered, and end.
func wanted(words []string, terminal bool) (to page.Target, stays bool) {
	if len(words) == 0 {
		return to, true
	}
	words = append([]string{strings.ToLower(words[0])}, words[1:]...) // as in [feature.Find]
	switch n := len(words); {
	case slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") }):
		return to, false
	case words[0] == "play" && n > 1 && words[1] == "new":
		return page.Target{Kind: page.NewTable, Draft: page.Draft{Make: true, Words: strings.Join(words[2:], " ")}}, true
	case (words[0] == "join" || words[0] == "play") && (n == 2 || n == 3): // a code may have a space between its groups
		return page.Target{Kind: page.Table, Join: strings.Join(words[1:], "")}, true
	}
	to, ok := page.ParseTarget(words)
	plain := ok && len(words) <= 2 && !strings.Contains(strings.Join(words, ""), "=")
	one := to.Kind == page.Table && to.Table != 0 || to.Kind == page.Arena && to.Event != 0
	return to, plain && terminal && (to.Kind == page.Wall || to.Kind == page.Admin || one)
}

// dumb reports whether a terminal with this name cannot move its cursor, or may not.
func dumb(term string) bool {
	return term == "" || term == "dumb" || term == "unknown" || term == "network"
}

// ended logs the error of a session, tells the caller, and returns the exit status.
func (c *club) ended(call *gate.Call, err error) int {
	switch {
	case err == nil:
		return gate.ExitOK
	case errors.Is(err, line.ErrRefused): // the caller has read it
		return gate.ExitFailed
	case errors.Is(err, context.Canceled): // the caller disconnected during a request
		return gate.ExitFailed
	}
	if panicked, ok := errors.AsType[*ui.PanicError](err); ok {
		call.Panicked(panicked.Value, panicked.Stack) // the gate tells the caller
		return gate.ExitFailed
	}
	c.log.Warn("session", "addr", call.Addr, "err", err)
	call.Warn("Something went wrong on our side. Your games are kept: please connect again.")
	return gate.ExitFailed
}

// caller returns what all faces of the club need to know about a caller.
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

// lines shows the club in line mode, on a terminal or without one.
func (c *club) lines(ctx context.Context, s *feature.Caller, call *gate.Call) error {
	s.Moved(page.Target{}) // before a command is carried out, which must happen only once
	l := &line.Session{Caller: *s, In: call.In, Err: call.Err, Back: call.Resume != nil}
	if call.Term != nil {
		l.Echo, l.Size, l.Resizes = true, call.Term.Size, call.Term.Resizes
	}
	return line.Run(ctx, l)
}
