package main

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/lobby/text"
)

// rank tells the gate what the holder of a key is to the club.
func (c *club) rank(ctx context.Context, key gate.KeyID) gate.Rank {
	if c.ops[key] {
		return gate.Operator
	}
	account, err := c.lobby.Account(ctx, lobby.KeyID(key))
	switch {
	case errors.Is(err, lobby.ErrNotFound):
		return gate.Stranger
	case err == nil && c.lobby.Plays(account.ID):
		return gate.Seated
	}
	return gate.Member // even if the store does not answer: that is not the caller's fault
}

// nameTime is how long people may think about a name. Until then the key counts as a stranger's, of which a
// network may have few.
const nameTime = 3 * time.Minute

// errNoName ends a session in which nobody has chosen a name.
const errNoName text.Refusal = "You have not chosen a name for three minutes, so others are let in first. Please call " +
	"again when you have one."

// nameless tracks the sessions of keys that have no name yet.
type nameless struct {
	mu    sync.Mutex
	time  time.Duration // replaces nameTime, if not 0
	stops map[lobby.KeyID]map[*time.Timer]struct{}
}

// await returns a context that ends if the person does not choose a name in time. Call over afterwards.
func (n *nameless) await(ctx context.Context, key lobby.KeyID) (naming context.Context, over func()) {
	naming, cancel := context.WithCancelCause(ctx)
	n.mu.Lock()
	defer n.mu.Unlock()
	timer := time.AfterFunc(cmp.Or(n.time, nameTime), func() { cancel(errNoName) })
	if n.stops == nil {
		n.stops = make(map[lobby.KeyID]map[*time.Timer]struct{})
	}
	if n.stops[key] == nil {
		n.stops[key] = make(map[*time.Timer]struct{})
	}
	n.stops[key][timer] = struct{}{}
	return naming, func() {
		timer.Stop()
		cancel(nil)
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.stops[key], timer)
		if len(n.stops[key]) == 0 {
			delete(n.stops, key)
		}
	}
}

// named records that a key has a name.
func (n *nameless) named(key lobby.KeyID) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for timer := range n.stops[key] {
		timer.Stop()
	}
	delete(n.stops, key)
}
