package cluster

import "time"

// ShortestElection is how long NATS waits at least before it elects another leader.
const ShortestElection = 4 * time.Second

// At makes the node tell the others that it is at another address.
func (c Config) At(addr string) Config {
	c.advertise = addr
	return c
}

// ForClients is where NATS listens for clients, of which this process is the only one.
func (n *Node) ForClients() string { return n.server.Addr().String() }
