package lobby_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// summary is a table with people at its seats; "" is a free seat, "+" a bot.
func summary(id table.ID, state table.State, seats ...string) table.Summary {
	cfg := table.DefaultConfig()
	s := table.Summary{Table: id, State: state, Config: cfg, Turn: 1}
	for _, name := range seats {
		var v table.SeatView
		switch name {
		case "":
		case "+":
			v.Player.Name, v.House = "nora.bot", table.Regular
		default:
			v.Player = table.Player{Name: name, ID: table.PlayerID(name[0])}
		}
		s.Seats = append(s.Seats, v)
	}
	return s
}

func TestSorting(t *testing.T) {
	ana := table.Reader{Player: table.Player{ID: 'a', Name: "ana", Team: 7}}
	with := func(s table.Summary, f func(*table.Summary)) table.Summary { f(&s); return s }
	teams := func(ids ...table.TeamID) func(*table.Summary) {
		return func(s *table.Summary) { s.Config.Access = table.AccessTeams; copy(s.Config.Teams[:], ids) }
	}
	s := &lobby.Snapshot{Tables: lobby.Sorted([]table.Summary{
		summary(1, table.Finished, "x", "y"),
		with(summary(2, table.Playing, "+", "+"), func(s *table.Summary) { s.Config.House = true }),
		summary(3, table.Playing, "x", "y"),
		with(summary(4, table.Playing, "x", "y"), func(s *table.Summary) { s.Config.Watchers = false }),
		with(summary(5, table.Gathering, "x", ""), func(s *table.Summary) { s.Config.Access = table.AccessCode }),
		summary(6, table.Gathering, "", ""),
		summary(7, table.Gathering, "x", "+"),
		summary(8, table.Finished, "x", ""),
		with(summary(9, table.Gathering, "x", "", "", ""), teams(7, 8)),
		with(summary(10, table.Gathering, "x", "", "", ""), teams(5, 6)),
		summary(11, table.Playing, "x", "ana"),
		summary(12, table.Playing, "ana", "y"),
		with(summary(13, table.Gathering, "x", "", "", ""), teams(8)),
		summary(14, table.Finished, "x", "+"),
		summary(15, table.Adjourned, "x", "y"),
		summary(16, table.Paused, "x", "y"),
		with(summary(17, table.Finished, "+", "+"), func(s *table.Summary) { s.Config.House = true }),
		summary(18, table.Finished, "ana", "y"),
		with(summary(19, table.Playing, "x", "y"), func(s *table.Summary) { s.Asleep = true }),
	})}
	var order []table.ID
	joinable := map[table.ID]bool{}
	for _, sum := range s.SortFor(ana) {
		order = append(order, sum.Table)
		joinable[sum.Table] = sum.MayJoin(ana)
	}
	require.Equal(t, []table.ID{12, 11, 18, 9, 13, 7, 6, 5, 10, 3, 16, 2, 4, 15, 17, 19, 8, 1, 14}, order)
	for id, want := range map[table.ID]bool{7: true, 8: true, 9: true, 13: true, 6: true, 5: false, 10: false, 11: false, 14: false} {
		require.Equal(t, want, joinable[id], "table %d", id)
	}
	require.EqualValues(t, 7, s.Tables[0].Table, "the snapshot stays as it is")
}

func TestFilter(t *testing.T) {
	ana := table.Reader{Player: table.Player{ID: 'a', Name: "ana"}}
	playing, open := summary(17, table.Playing, "ana", "y"), summary(4, table.Gathering, "Xenia", "")
	open.Config.Name = "Corner table"
	for _, tt := range []struct {
		f    lobby.Filter
		want string
	}{
		{lobby.Filter{}, "17 4"},
		{lobby.Filter{Joinable: true}, "4"},
		{lobby.Filter{Mine: true}, "17"},
		{lobby.Filter{Access: table.AccessCode}, ""},
		{lobby.Filter{Game: "classic", Pace: table.PaceRelaxed}, "17 4"},
		{lobby.Filter{Game: "block"}, ""},
		{lobby.Filter{Text: "xen"}, "4"},
		{lobby.Filter{Text: "CORNER"}, "4"},
		{lobby.Filter{Text: "17"}, "17"},
	} {
		got := ""
		for _, s := range []*table.Summary{&playing, &open} {
			if tt.f.Match(s, ana) {
				got += fmt.Sprint(" ", s.Table)
			}
		}
		require.Equal(t, tt.want, strip(got), "%+v", tt.f)
	}
}

func strip(s string) string {
	if s == "" {
		return s
	}
	return s[1:]
}
