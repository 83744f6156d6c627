package client

import (
	"context"
	"testing"
)

// A player waits for its turn while somebody else waits for the first round: neither takes the other's ring.
func TestABellWakesAll(t *testing.T) {
	var b bell
	b.ring() // nobody waits
	one, two := b.next(), b.next()
	select {
	case <-one:
		t.Fatal("a ring from before was heard")
	default:
	}
	b.ring()
	<-one
	<-two
	three := b.next()
	select {
	case <-three:
		t.Fatal("a ring was heard twice")
	default:
	}
}

func TestAGateHoldsUntilItOpens(t *testing.T) {
	var g Gate
	passed := make(chan bool)
	go func() { passed <- g.pass(t.Context()) }()
	select {
	case <-passed:
		t.Fatal("a shut gate let somebody pass")
	default:
	}
	g.Set(true)
	if !<-passed || !g.pass(t.Context()) {
		t.Fatal("an open gate holds")
	}
	g.Set(false)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { passed <- g.pass(ctx) }()
	cancel()
	if <-passed {
		t.Fatal("a shut gate let somebody pass")
	}
}
