package client

import "testing"

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
