package main

import (
	"context"
	"log/slog"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/store"
)

// newReading returns a club that only answers questions from a store: it has no tables, and nobody enters it.
func newReading(ctx context.Context, s Settings, st *store.Store, ops Operators, log *slog.Logger) (*club, error) {
	cfg, err := lobbyConfig(s)
	if err != nil {
		return nil, err
	}
	c := &club{store: st, ops: ops, address: sshAddress(s), log: log}
	if c.lobby, err = lobby.New(cfg, lobby.Deps{Stores: st.Stores(), Log: log}); err != nil {
		return nil, err
	}
	if err := c.lobby.StartAsking(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// Refuses implements node.Reader.
func (c *club) Refuses(call *gate.Call) string { return c.banned(call.Addr, call.Key) }
