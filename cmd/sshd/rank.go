package main

import (
	"cmp"
	"context"
	"errors"
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
const errNoName text.Refusal = "You have not chosen a name for three minutes, so others are let in first. Please connect " +
	"again when you have one."

// awaitName returns a context that ends if the key has no name when the time is up. Call over afterwards.
func (c *club) awaitName(ctx context.Context, key lobby.KeyID) (naming context.Context, over func()) {
	const nameAgain = time.Minute // the pause after the store has not said whether a key has a name
	naming, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(cmp.Or(time.Duration(c.nameTime.Load()), nameTime), func() {
		for !c.ops[gate.KeyID(key)] && naming.Err() == nil {
			_, err := c.lobby.Account(naming, key)
			if err == nil {
				return
			}
			if errors.Is(err, lobby.ErrNotFound) {
				cancel(errNoName)
			}
			select {
			case <-time.After(nameAgain):
			case <-naming.Done():
			}
		}
	})
	return naming, func() {
		timer.Stop()
		cancel(nil)
	}
}
