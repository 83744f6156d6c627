package main

import (
	"context"
	"errors"

	"boneyard/cmd/sshd/gate"
)

// goodbye is the club, with another exit status for sessions that end because the server shuts down.
type goodbye struct{ *club }

var _ gate.Drainer = goodbye{}

// Serve serves one caller.
func (g goodbye) Serve(ctx context.Context, call *gate.Call) int {
	status := g.club.Serve(ctx, call)
	if errors.Is(context.Cause(ctx), gate.ErrServerClosed) && (call.Term != nil || status != gate.ExitOK) {
		return gate.ExitAgain
	}
	return status
}
