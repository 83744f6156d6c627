// Package screen knows how lines of text get onto one session's terminal, in as few bytes and as little work
// as possible; it does not know what the lines say, and nothing of SSH, games or pages.
//
// A page makes a [Frame], which is the whole picture as one line of text for each row of the terminal.
// [Screen.Show] hands it over and never blocks. The screen compares the frame with the one last sent and
// writes what changed, in one Write, and if that is more than a few hundred bytes, bracketed as a
// synchronized update (DEC mode 2026), so that a terminal that knows the mode shows it at once. Nothing is
// written when nothing changed. While a Write is under way only the newest frame waits; the ones between are
// never sent; with [Screen.Prepare] they are not even made. How long a Write may take is the writer's
// business: one that fails ends the screen.
//
// An idle screen has no goroutine, no timer that runs and no buffer: it costs
// its struct and the frame last shown.
//
// # Sharing
//
// Frames are immutable, so one frame may be shown by any number of screens. For frames made by
// [NewSharedFrame] the bytes that lead from one to the next are computed once and used by all screens that
// make the same step: this is what lets a thousand people watch one table. A page gets there by keeping the
// frame, not just its lines, in its cache: same table version, point of view, size and theme, same *Frame.
//
// Where screens differ by a name or a cursor, as in the lobby, frames that are [Content.Alike] share the bytes of each row that changes in
// the same way.
//
// # Few bytes
//
// Within a line only the cells that changed are sent. A jump costs 2 to 8
// bytes, a change of colour 3 to 25, and a character beyond ASCII 2 or 3. So a page keeps a move small by
// what stays where it is: the newest line of a log takes the place of the oldest instead of moving all of
// them up, numbers are padded to their widest, and the tile played last is marked on its face, so that its
// outline is not sent again when the next is.
//
// # With Bubble Tea
//
// The program runs without its own renderer, and the screen is the only one that writes to the session;
// ui.Run says with which options. Bubble Tea still calls View after Init and after each Update: that is the
// place to show a frame. Showing the frame that is already shown costs nothing, so a page that keeps its
// frame until something changes is free to be asked after each message. On a tea.WindowSizeMsg the model
// calls [Screen.Repaint], because a terminal may have moved or cut what it showed. Commands of Bubble Tea
// that write (tea.SetClipboard, tea.RequestBackgroundColor, tea.Raw, tea.Printf) have nowhere to go;
// [Screen.Copy] and [Screen.Ask] take their place, and answers of the terminal arrive as the usual messages.
package screen
