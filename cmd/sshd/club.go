package main

import (
	"context"
	"io"
	"log/slog"

	"boneyard/cmd/sshd/gate"

	"github.com/prometheus/client_golang/prometheus"
)

// newClub returns what lies behind the gate, and what to close when the gate is shut. This is the one
// place where the club is wired together.
func newClub(s Settings, ops Operators, log *slog.Logger, reg prometheus.Registerer) (gate.Handler, io.Closer, error) {
	return notOpen{}, io.NopCloser(nil), nil
}

// notOpen answers every call by saying that there is no club yet.
type notOpen struct{}

func (notOpen) Serve(_ context.Context, c *gate.Call) int {
	_, _ = io.WriteString(c.Out, "The club is not open yet. Please call again.\r\n")
	return 1
}
