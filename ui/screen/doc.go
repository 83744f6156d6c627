// Package screen writes lines of text to one session's terminal, in as few bytes and with as little work as
// possible. It knows nothing of what the lines say, nor of SSH, games or pages.
//
// A page makes a [Frame], the whole picture with one line of text for each row of the terminal. [Screen.Show]
// takes it and never blocks. The screen compares the frame with the one last sent and writes the difference
// in one Write. If that is longer than a few hundred bytes, it is bracketed as a synchronized update (DEC
// mode 2026), which terminals that know the mode show at once. If nothing changed, nothing is written. During
// a Write only the newest frame waits; those in between are never sent, and with [Screen.Prepare] not even
// made. The writer decides how long a Write may take; a Write that fails ends the screen.
//
// An idle screen has no goroutine, no running timer and no buffer: it costs its struct and the frame last
// shown.
//
// # Sharing
//
// Frames are immutable, so any number of screens may show the same one. For frames made by [NewSharedFrame]
// the bytes that lead from one to the next are computed once, for all screens that make the same step: so a
// thousand people can watch one table. For that, a page caches the frame, not just its lines: for the same
// table version, point of view, size and theme it shows the same *Frame.
//
// If screens differ by a name or a cursor, as in the lobby, [Content.Alike] frames share the bytes of rows
// that change in the same way.
//
// # Few bytes
//
// Only the cells of a line that changed are sent. A jump costs 2 to 8 bytes, a change of colour 3 to 25, and
// a character beyond ASCII 2 or 3. So a page makes a move cheap by keeping things in place: the newest line
// of a log replaces the oldest instead of moving all of them up, numbers are padded to their widest, and the
// tile played last is marked on its face, so that its outline is not sent again with the next tile.
//
// # With Bubble Tea
//
// The program runs without its own renderer, with the options that ui.Run sets, and only the screen writes to
// the session. Bubble Tea still calls View after Init and after each Update, and View shows the frame.
// Showing the same frame again costs nothing, so a page that caches its frame can be asked after each
// message. On a tea.WindowSizeMsg the model calls [Screen.Repaint], because a terminal may have moved or cut
// its content. Bubble Tea's commands that write (tea.SetClipboard, tea.RequestBackgroundColor, tea.Raw,
// tea.Printf) have no effect; use [Screen.Copy] and [Screen.Ask]. The terminal's answers arrive as the usual
// messages.
package screen
