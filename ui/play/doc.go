// Package play is the page of one table: people gather there, play, see what a round and a game came to, and watch. It
// knows what a view of the table says and which commands a table takes; it does not know how a table works, and decides
// by no rule of a game but what a view offers.
//
// What a watcher sees is drawn once for all watchers with the same size and theme, see [Page.Frame]. What a move changes on
// the screen is kept small: numbers stay in their columns, the newest line of the log takes the place of the oldest.
package play
