package main

import (
	"context"
	"errors"
	"io"

	"boneyard/cmd/sshd/gate"
)

// goodbye is the club with a last word for terminals on which it ends because the server does. The pages have told it
// before, but their screen is gone with them.
type goodbye struct{ *club }

var _ gate.Drainer = goodbye{}

// Serve leads one caller through the club.
func (g goodbye) Serve(ctx context.Context, call *gate.Call) int {
	status := g.club.Serve(ctx, call)
	closing := errors.Is(context.Cause(ctx), gate.ErrServerClosed)
	if call.Term != nil && closing {
		_, _ = io.WriteString(call.Out, "The server is going down for a moment. Every game is kept: come back and you are at your seat.\r\n") // the line may be gone
	}
	if closing && (call.Term != nil || status != exitOK) {
		return exitAgain
	}
	return status
}
