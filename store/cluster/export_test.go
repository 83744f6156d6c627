package cluster

import "time"

// ShortestElection is how long NATS waits at least before it elects another leader.
const ShortestElection = 4 * time.Second

// At makes the node tell the others that it is at another address.
func (c Config) At(addr string) Config {
	c.advertise = addr
	return c
}

// Inside is where NATS listens on loopback: for clients, of which this process is the only one, and for those who come in by the door.
func (n *Node) Inside() []string {
	return []string{n.server.Addr().String(), n.server.ClusterAddr().String()}
}
