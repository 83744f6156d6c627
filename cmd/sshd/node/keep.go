package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"boneyard/lobby"
	"boneyard/store"
	"boneyard/store/cluster"
)

// Seat is a node's place in its cluster.
type Seat interface {
	ID() string
	Members() ([]cluster.Member, <-chan struct{})
	Misfit() error
	SetOwner(epoch uint64)
	SetDigests(base string, last store.Digest)
	Reachable() bool
	Leads() bool
	GiveBack(owner string) bool
	Complete() bool
}

// Keep follows the club's log and opens the club here when this node leads the log; it suspends the club
// while no majority is reachable. It returns when ctx ends, or with the error that ends the node.
func Keep(ctx context.Context, node Seat, st *store.Store, log *slog.Logger, open func() (*lobby.Lobby, error)) error {
	const claimTime = time.Second // how long a claim waits before checking again whether this node still leads the log
	var here *lobby.Lobby         // nil until the club is open here
	apart := false                // the club is suspended
	for {
		at, moved, err := st.Replica()
		if err != nil {
			return err
		}
		opened := here != nil
		if opened && at.Owner != node.ID() {
			return ErrTaken
		}
		node.SetDigests(at.Base, at.Digest)
		_, changed := node.Members()
		if err := node.Misfit(); errors.Is(err, store.ErrDiffers) {
			return errors.Join(err, st.Distrust())
		} else if err != nil {
			return err
		}
		if opened && apart == node.Reachable() {
			apart = !apart
			why := ""
			if apart {
				why = fmt.Sprintf(sayApart, time.Now().UTC().Format("15:04"))
			}
			here.Suspend(why)
		}
		// Before the first claim, all nodes' files are compared: another node may have the club.
		if !opened && node.Leads() && (at.Epoch > 0 || node.Complete()) && !node.GiveBack(at.Owner) {
			log.Info("cluster: claiming the club", "epoch", at.Epoch+1, "owner_before", at.Owner)
			within, cancel := context.WithTimeout(ctx, claimTime)
			err := st.Claim(within)
			cancel()
			switch {
			case err == nil:
				node.SetOwner(at.Epoch + 1) // callers wait here until the club is open
				if here, err = open(); err != nil {
					return err
				}
			case ctx.Err() != nil:
				return nil // this node is stopping; if its claim is in the log, the next one supersedes it
			case !errors.Is(err, store.ErrNotOwner) && !errors.Is(err, context.DeadlineExceeded):
				return err
			}
			continue
		}
		select {
		case <-moved:
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}
