package remote

import (
	"boneyard/ui/feature"
	"boneyard/ui/plain"
)

// Objects describes all objects of JSON that the commands write and read, in the order of docs/commands.md.
func Objects() []plain.Object {
	return []plain.Object{
		plain.DescribedAs[feature.Help]("One per command."),
		plain.DescribedAs[feature.HelpFlag]("In `help`."),
		plain.DescribedAs[feature.HelpWord]("In `help`: a word that describes a new table."),
		plain.People.Described(),
		plain.Whois.Described(),
		plain.DescribedAs[plain.Versus]("In `whois`: your last 100 games with somebody on the other side."),
		plain.Tables.Described(),
		plain.DescribedAs[plain.Seat]("In a table's row, and in a state."),
		plain.Arenas.Described(),
		plain.Duplicates.Described(),
		plain.DuplicateRounds.Described(),
		plain.Fields.Described(),
		plain.FieldPlaces.Described(),
		plain.FieldRounds.Described(),
		plain.ArenaTeams.Described(),
		plain.ArenaPlaces.Described(),
		plain.Contests.Described(),
		plain.LeaguePlaces.Described(),
		plain.CupPlaces.Described(),
		plain.Fixtures.Described(),
		plain.Appointments.Described(),
		plain.Standings.Described(),
		plain.Games.Described(),
		takens.Described(),
		plain.DescribedAs[Registered]("The answer to `register`."),
		plain.DescribedAs[State]("A table as its reader may see it: the answer to `show` for a table, the first object of `watch` (at a table with [open hands](#open-hands) sent again\nwhenever the open hands have changed), and in `play` sent whenever it has changed."),
		plain.DescribedAs[Piece]("In a state: a tile on the table."),
		plain.DescribedAs[End]("In a state: where a tile may be joined."),
		plain.DescribedAs[Option]("In a state: something that you may play now."),
		plain.DescribedAs[Move]("A move that was made."),
		plain.DescribedAs[Scoring]("A round is over and has been scored."),
		plain.DescribedAs[Result]("A game is over."),
		plain.DescribedAs[Change]("In a result."),
		plain.DescribedAs[Note]("The house says something."),
		plain.DescribedAs[Chat]("Somebody says something; in `play` only."),
		gameHeads.Described(),
		plain.DescribedAs[RoundHead]("A round of a game that is shown begins."),
		plain.DescribedAs[feature.CoachHead]("`coach` with `--json` begins with this object; then come the rounds, and the decisions."),
		plain.DescribedAs[feature.CoachRound]("Points are those of the player's side minus the other sides' average. What `deal` and `draws` leave of `made` is what the play was worth."),
		plain.DescribedAs[feature.CoachDecision](""),
		plain.DescribedAs[feature.CoachChoice](""),
		plain.DescribedAs[feature.DailyHead]("`daily` with `--json` begins with this object; then come the rows of the day's standings, and your decisions. Before your own attempt has ended, or\nthe day is over, there are no rows of others."),
		plain.DescribedAs[feature.DailyRow](""),
		plain.DescribedAs[feature.DailyChoice](""),
		plain.DescribedAs[feature.DailyShare](""),
		plain.DescribedAs[Input]("A line that your program sends in `play`. It has exactly one of the fields from `play` on; `arm` and `strength` only accompany another."),
		plain.DescribedAs[Done]("A line with an `id` was carried out."),
		plain.DescribedAs[Failure]("A line was refused, and nothing has changed."),
		plain.DescribedAs[Bye]("The server has ended the session; this is its last object."),
	}
}
