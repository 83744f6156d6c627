package table

import (
	"slices"

	"boneyard/rules"
)

// chatShown is how many lines of chat a view has at most.
const chatShown = 200

// chatLog is the table's chat. Views share its slices, which are appended to or replaced, never changed.
type chatLog struct {
	all     []ChatLine
	players []ChatLine // what players hear
	hushed  bool       // a game is being played: players do not hear the watchers
}

// add appends the lines of the step that led to the state.
func (c *chatLog) add(lines []ChatLine, s *state) {
	c.all = trimChat(append(c.all, lines...))
	hushed := s.inGame()
	if c.hushed && !hushed {
		c.hushed, c.players = false, slices.Clone(c.all)
		return
	}
	c.hushed = hushed
	for _, l := range lines {
		if !hushed || l.Room == RoomPlayers || l.Seq <= s.HeardUpTo {
			c.players = append(c.players, l)
		}
	}
	c.players = trimChat(c.players)
}

func trimChat(lines []ChatLine) []ChatLine {
	if len(lines) < 2*chatShown {
		return lines
	}
	return slices.Clone(lines[len(lines)-chatShown:])
}

// heardBy returns the chat as a point of view hears it.
func (c *chatLog) heardBy(pov rules.Seat) []ChatLine {
	lines := c.all
	if pov != 0 {
		lines = c.players
	}
	n := len(lines)
	return lines[max(0, n-chatShown):n:n]
}
