// Package gate knows connections, keys and terminals, and what a stranger may do with them before anybody
// plays; it must not know the club behind it: no players, tables or chat.
//
// A connection passes through it in this order:
//
//   - [Server.Serve] accepts it. Connections are turned away or displaced if their source is under penalty or
//     there are too many without a session, from one source or in all (startups.go, penalties.go). An address
//     that nearly all callers share counts as many (shared.go). A listed proxy's header is read first and
//     gives the real address (proxy.go).
//   - It becomes a line: the net.Conn that x/crypto reads from and writes to, with a limit on input in bytes
//     a second, a deadline on each write, and one way to end it (line.go).
//   - The handshake checks types and sizes of keys; callers without a key enter as guests (auth.go).
//   - One session per connection is accepted, and only those requests that a terminal needs (channel.go,
//     terminal.go).
//   - The player's session is counted, the [Call] is made and the [Handler] serves it (serve.go, sessions.go,
//     call.go), watched for silence (keepalive.go) and for a client that does not read (channel.go).
//   - At a node of a cluster the handler passes the call on to another gate, here or at another node, which
//     counts it with those of all nodes and has the club serve it (take.go, package relay).
package gate
