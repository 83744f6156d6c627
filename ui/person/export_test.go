package person

import (
	"boneyard/lobby"
	"boneyard/ui/page"
)

// Showing returns the page of a person, loaded.
func Showing(e *page.Env, who *lobby.Profile) *Page { return &Page{env: e, name: who.Name, who: who} }
