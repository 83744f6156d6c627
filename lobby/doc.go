// Package lobby knows who is in the club and what is going on in it: people, tables, teams, chat, news and
// standings. It must not know screens, connections or SQL: pages call it, and it calls the stores declared
// here.
//
// Whoever enters gets a [Visit], through which a page asks and does everything. What everybody may see of the
// club is a [Snapshot], immutable and shared by all. Snapshots are published in batches: at most one each
// [Config.Batch], no matter how many people arrive or tables move, and none while nothing changes or nobody
// looks.
//
// # Who owns what
//
// Lobby.mu guards all of the lobby's memory: people, visits, the directory of tables, chat, news. It is held
// for reading and changing memory and for sends that cannot block, never during a call to a table or a store;
// "with mu held" in a function's comment means this lock. Tables call onChange and onEnd on their own
// goroutines; both take mu only for a moment and leave what needs a store to the lobby's background jobs,
// which run one after another on a goroutine that exists only while there are any.
//
// A visit has no goroutine. The turns of the lobby, such as the one to be seated by QuickPlay, may be held
// during calls to tables and stores. They are never taken with mu held, or by a table or a store.
package lobby
