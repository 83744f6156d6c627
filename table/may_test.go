package table_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

func reader(p table.Player) table.Reader { return table.NewReader(p, netOf(p.ID), true) }

// A seat is offered to everybody who would get one, and to nobody else.
func TestSeatsAreOfferedToWhoMaySit(t *testing.T) {
	inTeams := func(c *table.Config) { four(c); c.Access = table.AccessTeams }
	reserved := func(a, b table.TeamID) func(*table.Config) {
		return func(c *table.Config) { inTeams(c); c.Teams = [2]table.TeamID{a, b} }
	}
	private := func(c *table.Config) { c.Access = table.AccessCode }
	guide := func(c *table.Config) { c.Guide = true }
	owl, cat, owl2, cat2 := inTeam(ana, 7), inTeam(ben, 9), inTeam(cal, 7), inTeam(dan, 9)
	stranger, owl3 := inTeam(eve, 11), inTeam(player(6, "fay"), 7)
	for name, c := range map[string]struct {
		edit  func(*table.Config)
		seats []table.Player // who sits down first
		asks  table.Player
		may   bool
	}{
		"an open table":                    {nil, []table.Player{ana}, eve, true},
		"a full table":                     {nil, []table.Player{ana, ben}, eve, false},
		"a newcomer's table":               {guide, []table.Player{ana}, eve, false},
		"a private table, to a stranger":   {private, nil, ben, false},
		"a private table, to its maker":    {private, nil, ana, true},
		"a table for teams, to nobody's":   {inTeams, nil, eve, false},
		"a table for teams, to a guest":    {inTeams, nil, guest, false},
		"a table for any two teams":        {inTeams, []table.Player{owl}, stranger, true},
		"a table for two, to a third":      {inTeams, []table.Player{owl, cat}, stranger, false},
		"a table for two, to one of them":  {inTeams, []table.Player{owl, cat}, owl2, true},
		"a reserved table, to another":     {reserved(7, 9), nil, stranger, false},
		"a reserved table, to its team":    {reserved(7, 9), nil, cat, true},
		"a side that is full":              {reserved(7, 9), []table.Player{owl, owl2}, owl3, false},
		"the other side":                   {reserved(7, 9), []table.Player{owl, owl2}, cat, true},
		"a table half reserved":            {reserved(9, 0), nil, stranger, true},
		"no more, with both sides claimed": {reserved(9, 0), []table.Player{owl}, stranger, false},
		"no seat left":                     {reserved(7, 9), []table.Player{owl, owl2, cat, cat2}, owl3, false},
	} {
		t.Run(name, within(config(c.edit), func(t *testing.T, f *fixture) {
			for _, p := range c.seats {
				f.must(p, sit(0))
			}
			require.Equal(t, c.may, f.see(c.asks).MaySit(reader(c.asks)))
			require.Equal(t, c.may, f.do(c.asks, sit(0)) == nil)
			require.False(t, f.see(c.asks).MaySit(reader(c.asks)), "nor to somebody who sits")
		}))
	}
}

// No seat is offered to people whom the club gives none, whom the maker has unseated (a guest also under
// another name from the same network), or who have left the present game.
func TestSeatsAreNotOfferedInVain(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic", 3) }), func(t *testing.T, f *fixture) {
		again := table.Player{ID: -8, Name: "guest-oak"}
		offered := func(r table.Reader) bool {
			v, s := f.see(r.Player), f.Summary()
			require.Equal(t, v.MaySit(r) || v.MayTake(r), s.MayJoin(r) || s.MayTake(r), "the lobby says the same")
			return v.MaySit(r) || v.MayTake(r)
		}
		require.True(t, offered(reader(eve)))
		require.False(t, offered(table.NewReader(eve, netOf(eve.ID), false)))

		f.must(ana, sit(0))
		for _, p := range []table.Player{ben, guest} {
			f.must(p, sit(0))
			require.ErrorIs(t, f.do(ana, table.Unseat{Seat: 2, Player: eve.ID}), table.ErrNoPlayer, "somebody else sits there now")
			f.must(ana, table.Unseat{Seat: 2, Player: p.ID})
			require.False(t, offered(reader(p)), p.Name)
			require.ErrorIs(t, f.do(p, sit(0)), table.ErrUnseated)
		}
		require.False(t, offered(table.NewReader(again, netOf(guest.ID), true)), "from the same network")
		require.True(t, offered(reader(again)))

		f.must(cal, sit(0))
		f.must(ana, table.AddBot{})
		f.must(ana, table.Ready{On: true})
		f.must(cal, table.Ready{On: true})
		time.Sleep(6 * time.Second)
		require.Equal(t, table.Playing, f.see(ana).State)
		require.True(t, offered(reader(eve)), "a bot's seat, from the next round on")
		require.False(t, offered(reader(ben)))
		f.must(cal, table.Resign{})
		require.False(t, offered(reader(cal)), "who has left a game does not come back to it")
		require.Error(t, f.do(cal, sit(0)))
		f.restart(0)
		f.Presence(ana.ID, table.Here)
		require.False(t, offered(reader(cal)))
		require.False(t, offered(reader(ben)))
	})
}
