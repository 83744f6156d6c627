package daily

import "boneyard/ui/page"

// Showing returns the page of today's deal in a fake club.
func Showing(e *page.Env, v visit) *Page { return newPage(e, v, "") }
