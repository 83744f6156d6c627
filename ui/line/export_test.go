package line

import (
	"maps"
	"slices"
)

// Own are the names of the features that are carried out here.
func Own() []string { return slices.Collect(maps.Keys(own)) }
