package daily

import "boneyard/ui/page"

// Showing returns the page of a target in a fake club.
func Showing(e *page.Env, v visit, to page.Target) *Page { return newPage(e, v, to) }
