package person

import (
	"boneyard/lobby"
	"boneyard/ui/page"
)

// Showing returns the page of a person, loaded.
func Showing(e *page.Env, who *lobby.Profile) *Page {
	p := New(e, page.Target{Name: who.Name})
	p.take(who, nil)
	return p
}
