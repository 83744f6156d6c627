package line

import (
	"maps"
	"slices"

	"boneyard/ui/feature"
)

// Own are the names of the features that are carried out here.
func Own() []string { return slices.Collect(maps.Keys(own)) }

// Names are the names of the features that line mode leads to, with the shorter ones.
func Names() (names []string) {
	for _, f := range feature.All() {
		if f.In&feature.Line != 0 {
			names = append(names, f.Name)
			names = append(names, f.Short...)
		}
	}
	return names
}
