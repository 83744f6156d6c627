package main

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/ui"
	"boneyard/ui/remote"
)

// Serve leads one caller through the club.
func (c *club) Serve(ctx context.Context, call *gate.Call) int {
	s, err := c.session(ctx, call)
	if err == nil && s.Origin.Operator && call.Term != nil && slices.Equal(call.Command, []string{"admin"}) {
		return c.ended(call, c.pages(ctx, s, call, ui.Start{Admin: true}))
	}
	if err == nil && call.Term != nil {
		if start, ok := parseStart(call.Command); ok {
			return c.ended(call, c.pages(ctx, s, call, start))
		}
	}
	if err == nil {
		return remote.Run(ctx, s)
	}
	return c.ended(call, err)
}

// ended is the exit status of a session that returned err, which goes to the log; the caller reads a sentence.
func (c *club) ended(call *gate.Call, err error) int {
	if err == nil {
		return exitOK
	}
	c.log.Warn("session", "addr", call.Addr, "err", err)
	end := "\n"
	if call.Term != nil {
		end = "\r\n"
	}
	// The caller may be gone.
	_, _ = call.Err.Write([]byte("Something went wrong on our side. Your games are kept: please call again." + end))
	return exitFailed
}

// session is what all faces of the club need to know of a caller.
func (c *club) session(ctx context.Context, call *gate.Call) (remote.Session, error) {
	s := remote.Session{
		Club: c.lobby, Origin: lobby.Origin{Net: call.Addr.String(), Key: lobby.KeyID(call.Key), Operator: call.HasKey && c.ops.Has(call.Key)},
		Address: c.address, Command: call.Command, In: call.In, Out: call.Out, Err: call.Err, Terminal: call.Term != nil, Log: c.log,
	}
	if len(s.Command) == 0 {
		s.Command = []string{"help"}
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
		Size: ui.Size{Width: call.Term.Size.Width, Height: call.Term.Size.Height}, Resized: resized(call.Term),
		OnStall: func() { call.Close("its terminal takes no output") }, Log: c.log,
	}
	if s.Origin.Operator {
		page.Figures = c.figures
	}
	return ui.Run(ctx, page)
}

// resized waits for the next size of a terminal's window.
func resized(t *gate.Terminal) func(context.Context) (ui.Size, bool) {
	return func(ctx context.Context) (ui.Size, bool) {
		select {
		case <-ctx.Done():
			return ui.Size{}, false
		case s := <-t.Resizes:
			return ui.Size{Width: s.Width, Height: s.Height}, true
		}
	}
}

// parseStart tells where a caller with a terminal wants to go: no command leads to the lobby, "watch TABLE", "join CODE"
// and "play TABLE" to a table. Other commands are answered, and end.
func parseStart(words []string) (start ui.Start, ok bool) {
	switch {
	case len(words) == 0:
		return start, true
	case len(words) == 2 && (words[0] == "join" || words[0] == "play"):
		return ui.Start{Join: words[1]}, true
	case len(words) == 2 && words[0] == "watch":
		n, err := strconv.ParseInt(words[1], 10, 64)
		return ui.Start{Watch: n}, err == nil && n > 0
	}
	return start, false
}
