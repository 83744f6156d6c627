package games

import (
	"boneyard/table"
	"boneyard/ui/page"
)

// NewReplay returns the page on which a game is played again.
func NewReplay(e *page.Env, _ table.GameID) page.Page { return New(e) }
