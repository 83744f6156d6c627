// Package lobby knows who is in the club and what is going on in it: people, tables, teams, chat, news and standings.
// It knows nothing of screens, lines or SQL: pages ask it, and it asks the stores declared here.
//
// Somebody who enters gets a [Visit]; all that a page may ask or do goes through it. What everybody may see of the club
// is a [Snapshot], immutable and shared by all. Snapshots are published in batches: at most one each [Config.Batch],
// however many people arrive or tables move meanwhile, and none while nothing changes or nobody looks.
//
// # Who owns what
//
// Lobby.mu guards all of the lobby's memory: people, visits, the directory of tables, chat, news. It is held
// for reading and changing memory and for sends that cannot block, never while a table or a store is called;
// functions whose comment says "with mu held" keep to that. Tables call onChange and onEnd on their own
// goroutines; both only take mu for a moment and leave work that must ask a store to the lobby's background
// jobs, which run one after another on a goroutine that exists only while there are any.
//
// A visit has no goroutine. Two locks are held over calls to tables and stores, and neither is ever taken
// with mu held or by a table or a store: the quick-play turn, which seats people one at a time, and the turn
// for sanctions.
package lobby
