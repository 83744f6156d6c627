package client

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"boneyard/cmd/sshload/figures"
)

// Teller does at the bare server what a [Program] does at the club: it belongs to a group of clients, and all of them are sent what one of
// them says. In each group, one talks.
type Teller struct {
	*Client
	Pace time.Duration

	back chan time.Time // when what it said came back
}

// NewTeller makes a teller of a client that is logged in at the bare server.
func NewTeller(c *Client, pace time.Duration) *Teller {
	return &Teller{Client: c, Pace: pace, back: make(chan time.Time, 1)}
}

// Join begins the session, in a group.
func (t *Teller) Join(group string) error {
	return t.open(0, 0, "group "+group, func(p []byte) {
		if bytes.IndexByte(p, '\n') >= 0 { // nobody else says a line in this group
			select {
			case t.back <- time.Now():
			default:
			}
		}
	})
}

// Talk says a line at the pace of a program until ctx ends, which is no error, and adds to delays how long each takes to come back. It
// returns how many came back.
func (t *Teller) Talk(ctx context.Context, delays *figures.Recorder) (n int64, err error) {
	for Sleep(ctx, t.Pace/2+rand.N(t.Pace+1)) {
		at := time.Now()
		if err := t.Send("\n"); err != nil {
			return n, err
		}
		select {
		case came := <-t.back:
			delays.Add(came.Sub(at))
			n++
		case <-t.Ended:
			return n, errors.New("the bare server ended a session")
		case <-ctx.Done():
		}
	}
	return n, nil
}

// Size is how many bytes have come at a time, on average; 0 if none have.
func (c *Client) Size() float64 {
	n := c.Writes.Load()
	if n == 0 {
		return 0
	}
	return float64(c.bytes.Load()) / float64(n)
}
