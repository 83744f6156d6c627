package cluster

import "time"

// ShortestElection is how long NATS waits at least before it elects another leader.
const ShortestElection = 4 * time.Second
