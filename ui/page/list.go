package page

import (
	tea "charm.land/bubbletea/v2"
)

// Cursor is a place in a list that scrolls: which row is chosen, and which one stands at the top.
type Cursor struct {
	At  int
	Top int
}

// Move handles the keys that move in a list of n rows of which h are seen; it reports whether the key was one of them.
func (c *Cursor) Move(msg tea.KeyPressMsg, n, h int) bool {
	switch msg.String() {
	case "up", "k":
		c.At--
	case "down", "j":
		c.At++
	case "pgup", "ctrl+b":
		c.At -= max(h-1, 1)
	case "pgdown", "ctrl+f":
		c.At += max(h-1, 1)
	case "home", "g":
		c.At = 0
	case "end", "G":
		c.At = n - 1
	default:
		return false
	}
	c.Clamp(n, h)
	return true
}

// Clamp keeps the chosen row within n rows, and in sight where h are seen.
func (c *Cursor) Clamp(n, h int) {
	c.At = max(min(c.At, n-1), 0)
	if c.At < c.Top {
		c.Top = c.At
	}
	if c.At >= c.Top+h {
		c.Top = c.At - h + 1
	}
	c.Top = max(min(c.Top, n-h), 0)
}
