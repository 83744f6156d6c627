// Package table owns tables: one goroutine holds one table's seats, game, clock, watchers and chat, and
// journals every step before anybody sees it. It knows nothing of connections, screens, SQL or other tables.
//
// Callers send a table a [Command] through [Table.Do], and see it through a [Subscription]. A step is:
// validate and compute purely, commit to the [Journal], install the new state, publish, acknowledge.
package table
