package daily

import "boneyard/ui/page"

// Showing is the page of today's deal with what a club says.
func Showing(e *page.Env, v visit) *Page { return newPage(e, v, "") }
