// Package play is the page of one table: people gather there, play, see the outcome of a round or a game, and watch. It knows
// what a view of the table says and which commands a table takes; it does not know how a table works, and applies no rule of a
// game except through what a view offers.
//
// What a watcher sees is drawn once for all watchers with the same size and theme, see [Page.Frame]. A move changes little on the
// screen: numbers stay in their columns, and the newest line of the log replaces the oldest.
package play
