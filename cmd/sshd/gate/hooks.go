package gate

import "time"

// Reason is why a connection was refused or ended. Reasons are few and fixed, so that they can label a
// metric.
type Reason string

// Reasons for refusing a connection or a session.
const (
	ReasonStartups  Reason = "startups"   // too many unauthenticated connections in all
	ReasonSource    Reason = "source"     // too many unauthenticated connections of one source
	ReasonPenalty   Reason = "penalty"    // the source is shut out for what it did before
	ReasonProxy     Reason = "proxy"      // a listed proxy sent no valid PROXY v2 header
	ReasonHeaders   Reason = "headers"    // too many connections of proxies waited for their header
	ReasonDisplaced Reason = "displaced"  // gave its place to another before login
	ReasonRate      Reason = "rate"       // too many connections of the source or its network lately
	ReasonGrace     Reason = "grace"      // no session within the login limit
	ReasonNoSession Reason = "no_session" // logged in, and left without a session
	ReasonNotSSH    Reason = "not_ssh"    // the first bytes were not an SSH client's
	ReasonHandshake Reason = "handshake"  // the handshake broke off
	ReasonAuth      Reason = "auth"       // no accepted way to log in
	ReasonBanned    Reason = "banned"     // the caller's key or network is banned
	ReasonPlayer    Reason = "player"     // the player has too many sessions
	ReasonStrangers Reason = "strangers"  // one source has too many sessions of guests and of keys without an account
	ReasonCrowd     Reason = "crowd"      // one source, or one network, has too many sessions
	ReasonFull      Reason = "full"       // too many sessions in all
	ReasonOneOnly   Reason = "one_only"   // a second session on one connection
	ReasonForbidden Reason = "forbidden"  // a channel or request that is not offered
	ReasonShutdown  Reason = "shutdown"   // the server stops
)

// Reasons for the end of a session; so may be those above.
const (
	ReasonDone   Reason = "done"    // the handler returned
	ReasonHungUp Reason = "hung_up" // the client went away
	ReasonSilent Reason = "silent"  // the client answered no keepalive
	ReasonStall  Reason = "stall"   // the client did not read
	ReasonFlood  Reason = "flood"   // the client sent too much for too long
	ReasonPanic  Reason = "panic"   // the handler panicked
	ReasonClub   Reason = "club"    // the handler closed the line
)

// Refusals returns the reasons that [Hooks.Refused] may get.
func Refusals() []Reason {
	return []Reason{ReasonStartups, ReasonSource, ReasonPenalty, ReasonProxy, ReasonHeaders, ReasonDisplaced,
		ReasonRate, ReasonGrace, ReasonNoSession,
		ReasonNotSSH, ReasonHandshake, ReasonAuth, ReasonBanned, ReasonPlayer, ReasonStrangers, ReasonCrowd,
		ReasonFull, ReasonOneOnly, ReasonForbidden, ReasonShutdown,
		ReasonStall, ReasonFlood}
}

// Endings returns the reasons that [Hooks.SessionClosed] may get.
func Endings() []Reason {
	return []Reason{ReasonDone, ReasonHungUp, ReasonSilent, ReasonStall, ReasonFlood, ReasonPanic, ReasonClub, ReasonBanned, ReasonShutdown}
}

// Hooks are called on events at the gate, for metrics, on the connection's goroutines. They must not block.
type Hooks struct {
	Accepted      func()                            // a connection was let in to the handshake
	Refused       func(Reason)                      // a connection, session, channel or request was refused
	Authenticated func(hasKey bool)                 // a client logged in
	SessionOpened func()                            // a handler was called
	SessionClosed func(why Reason, d time.Duration) // the handler returned after d
	WriteStall    func()                            // a client that did not read was closed
}

// NoHooks returns hooks that do nothing.
func NoHooks() Hooks {
	nothing := func() {}
	return Hooks{nothing, func(Reason) {}, func(bool) {}, nothing, func(Reason, time.Duration) {}, nothing}
}
