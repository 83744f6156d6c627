package remote

import (
	"maps"
	"slices"

	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/plain"
)

// Own are the names of the features that are carried out here.
func Own() []string { return slices.Collect(maps.Keys(own)) }

// Names are the names of the features that ssh leads to.
func Names() (names []string) {
	for _, f := range feature.All() {
		if f.In&feature.SSH != 0 {
			names = append(names, f.Name)
		}
	}
	return names
}

// Objects describes all objects of JSON that commands write and read.
func Objects() (all []plain.Object) {
	var rows []plain.Describer
	for _, f := range feature.All() {
		rows = append(rows, f.Rows...)
	}
	for _, r := range append(rows, []plain.Describer{
		takens,
		plain.Struct[Registered]("The answer to `register`."),
		plain.Struct[State]("A table as its reader may see it: the answer to `show` for a table, the first object of `watch` " +
			"(at a table with [open hands](#open-hands) sent again\nwhenever the open hands have changed), and in `play` sent " +
			"whenever it has changed."),
		plain.Struct[MatchState]("In a state: how the match stands that the game belongs to."),
		plain.Struct[Piece]("In a state: a tile on the table."),
		plain.Struct[End]("In a state: where a tile may be joined."),
		plain.Struct[Option]("In a state: something that you may play now."),
		plain.Struct[Move]("A move that was made."),
		plain.Struct[Scoring]("A round is over and has been scored."),
		plain.Struct[Result]("A game is over."),
		plain.Struct[Change]("In a result."),
		plain.Struct[Note]("The house says something."),
		plain.Struct[Chat]("Somebody says something; in `play` only."),
		gameHeads,
		plain.Struct[RoundHead]("A round of a game that is shown begins."),
		plain.Struct[Input]("A line that your program sends in `play`. It has exactly one of the fields from `play` on; `arm` " +
			"and `strength` only accompany another."),
		plain.Struct[Done]("A line with an `id` was carried out."),
		plain.Struct[Failure]("A line was refused, and nothing has changed."),
		plain.Struct[Bye]("The server has ended the session; this is its last object."),
	}...) {
		all = append(all, r.Described())
	}
	return all
}

// Shown is what is written once for all readers of a version.
func Shown(v *table.View) any { return shownOf(v) }
