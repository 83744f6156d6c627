package cluster

import "testing"

// At makes the node tell the others that it is at another address.
func (c Config) At(addr string) Config {
	c.advertise = addr
	return c
}

// Hand makes another node the leader of the log, if this one is.
func (n *Node) Hand(to *Node) {
	_ = n.yieldTo(string(to.at))
}

// SetTrailing sets how many entries stay in the log, and makes its files small, until the test ends. No other
// test may run.
func SetTrailing(t *testing.T, entries uint64, bytes int) {
	trailingWas, segmentWas := trailing, segment
	trailing, segment = entries, bytes
	t.Cleanup(func() { trailing, segment = trailingWas, segmentWas })
}

// Room returns how many entries may stay in a log of at most so many bytes. No other test may run.
func (n *Node) Room(bytes uint64) (uint64, error) {
	defer func(was uint64) { mostLog = was }(mostLog)
	mostLog = bytes
	return n.room()
}

// Cut drops older entries from the log.
func (n *Node) Cut() error { return n.raft.Load().Snapshot().Error() }
