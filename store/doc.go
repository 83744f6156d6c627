// Package store keeps the club in one SQLite file: the journal of every game, members, teams, talk, and the standings
// computed from the journal. It knows SQL and files, and must not know what a move means, who may do what, or that there
// are screens; how records are checked and ratings computed it asks of rules/record and lobby/rating.
//
// All that is written goes through one goroutine. It takes whatever is waiting, writes it in one transaction and
// acknowledges all of it after the commit, so that a hundred tables cost one fsync, not a hundred (see writer). What is
// read comes from connections of its own that cannot write, and sees all that was acknowledged before.
//
// The standings are a projection: nothing is in them that does not follow from the rated games, taken in the order in
// which they ended. [Rebuild] computes them again, [Check] compares.
package store
