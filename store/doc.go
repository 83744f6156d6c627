// Package store keeps the club in one SQLite file: the journal of every game, members, teams, chat, and the
// standings computed from the journal. It knows SQL and files, and must not know what a move means, who may
// do what, or that there are screens; rules/record checks records for it, and lobby/rating computes ratings.
//
// One goroutine makes all writes. It takes all requests that are waiting, writes them in one transaction and
// acknowledges them after the commit, so that a hundred tables cost one fsync, not a hundred (see writer).
// Reads use read-only connections of their own and see everything that was acknowledged before.
//
// The standings are a projection: they follow from the rated games alone, taken in the order in which they
// ended. [Store.Rebuild] computes them again; [Check] compares.
package store
