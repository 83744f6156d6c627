package person

import (
	"boneyard/lobby"
	"boneyard/ui/page"
)

// Showing is the page of somebody who is loaded.
func Showing(e *page.Env, who *lobby.Profile) *Page { return &Page{env: e, name: who.Name, who: who} }
