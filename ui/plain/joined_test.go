package plain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/plain"
)

func TestJoined(t *testing.T) {
	const me = 7
	seat := func(name string, id table.PlayerID) table.SeatView {
		s := table.SeatView{Player: table.Player{ID: id, Name: name}, Presence: table.Here}
		if id == 0 && name != "" {
			s.House = table.Regular
		}
		return s
	}
	of := func(ruleText string, state table.State, round int, scores []int, seats ...table.SeatView) *table.Summary {
		r, err := rules.Parse(ruleText)
		require.NoError(t, err)
		return &table.Summary{Config: table.Config{Rules: r, RuleText: ruleText, Seats: len(seats)}, State: state, Round: round, Scores: scores,
			Seats: seats}
	}
	ana, ben, bot, free := seat("ana", me), seat("ben", 8), seat("nora.regular", 0), seat("", 0)
	promised := bot
	promised.Next = table.Player{ID: me, Name: "ana"}
	for want, s := range map[string]*table.Summary{
		"Classic to 200 against ben.": of("classic", table.Gathering, 0, nil, ben, ana),
		"Classic to 200 against nora.regular, level 3 of 5 by your results; casual.": of("classic", table.Playing, 1, []int{0, 0}, ana, bot),
		"Classic to 200.":             of("classic", table.Gathering, 0, nil, ana, free),
		"Classic to 500 against ben.": of("classic target=500", table.Gathering, 0, nil, ben, ana),
		"Back in your game: Spruce to 250 against ben, round 3.": of("spruce", table.Playing, 3, []int{10, 5}, ben,
			ana),
		"Block to 100 with ben, nora.regular and nora.regular; casual: house bot at the table.": of("block", table.Playing, 1, []int{0, 0}, ben,
			bot, ana, bot),
		"Classic to 200: after round 2 you take nora.regular's seat, with 15 points.": of("classic", table.Playing, 2, []int{40, 15}, ben,
			promised),
		"": of("classic", table.Playing, 2, []int{40, 15}, ben, bot),
	} {
		require.Equal(t, want, plain.Joined(s, me))
	}
}
