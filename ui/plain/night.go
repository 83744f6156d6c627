package plain

import (
	"time"

	"boneyard/lobby/event/night"
)

// ClubNights describes club nights.
var ClubNights = &Rows[night.View]{
	Object: "clubnight", About: "A row of `clubnight`.", Text: "NIGHT STATE ENDS BY FOR",
	None: "There is no club night. Operators and captains begin one: clubnight new length=4h",
	Columns: []Column[night.View]{
		Col("clubnight", "the number", func(v *night.View) No { return No(v.ID) }).As("NIGHT", nil),
		Col("state", "`running` or `over`", func(v *night.View) string { return EventState(true, v.Over(), "", "running") }),
		Col("by", "who holds it", func(v *night.View) string { return v.Config.By }),
		Col("for", "`all members`, or those of a team", func(v *night.View) string { return v.Config.For() }),
		Col("begins", "", func(v *night.View) time.Time { return v.Begins }),
		Col("ends", "or when it ended", func(v *night.View) time.Time { return v.Ends }),
	},
}
