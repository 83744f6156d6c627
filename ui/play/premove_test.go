package play

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
)

// waiting is the page of seat 2 while seat 1 is to move: L is open to zeros, and R, U and D to fives.
func waiting(t *testing.T) (*sitting, *person, rules.Option) {
	s := answer(t)
	p := at(t, s.of(2))
	p.sub = &fakeSub{view: p.view}
	ahead, ok := p.view.Play.Ahead()
	require.True(t, ok)
	require.NotEmpty(t, ahead.Options)
	return s, p, ahead.Options[0]
}

// lay lays an option ready by pressing keys.
func (p *person) lay(o rules.Option) {
	p.press(string('0'+rune(o.Tile.High())), string('0'+rune(o.Tile.Low())))
	for p.pick.arm != o.Arm {
		p.press("tab")
	}
	if !p.pick.sure {
		p.press("enter")
	}
	p.press("enter")
	require.True(p.t, p.pick.laid)
}

// shows gives the page the table's next view.
func (p *person) shows(v *table.View) {
	p.sub.(*fakeSub).view = v
	p.update(page.WokenMsg{})
}

// Whatever seat 1 plays, a tile that seat 2 has laid ready is played with one command if it fits and scores
// as before, and otherwise taken back. Until then the table does not know of it.
func TestATileLaidReady(t *testing.T) {
	s, first, _ := waiting(t)
	ahead, _ := first.view.Play.Ahead()
	played, taken := 0, 0
	for _, o := range ahead.Options {
		for _, c := range s.game.AppendChoices(nil) {
			_, p, _ := waiting(t)
			p.lay(o)
			require.Contains(t, shown(p, 80, 24), o.Tile.Name())
			require.Contains(t, shown(p, 80, 24), "on your turn   esc takes it back")
			require.Contains(t, shown(p, 40, 12), "esc takes it back")
			require.Empty(t, p.asked(), "it is nobody else's business")

			next, _, err := s.game.Apply(s.game.Move(c))
			require.NoError(t, err)
			then := *s
			then.game, then.version = next, s.version+1
			v := then.of(2)
			p.shows(v)
			holds := slices.ContainsFunc(v.Play.Options, func(is rules.Option) bool { return is.Choice == o.Choice && is.Points == o.Points })
			if !holds {
				taken++
				require.Empty(t, p.asked())
				require.Equal(t, nothing, p.pick)
				require.Contains(t, p.said[0].(page.Toast).Text, o.Tile.Name()+" was taken back: it ")
				continue
			}
			played++
			require.Equal(t, []table.Command{table.Move{
				Version: v.Version, Move: rules.Move{Seat: 2, Kind: rules.Play, Tile: o.Tile, Arm: o.Arm},
			}}, p.asked())
		}
	}
	require.Positive(t, played)
	require.Positive(t, taken)
}

// Esc and any other choice take back a tile that was laid ready, and so does anything that stops the game.
func TestALaidTileIsTakenBack(t *testing.T) {
	for _, keys := range [][]string{{"esc"}, {"right"}, {"6"}, {"tab"}} {
		_, p, o := waiting(t)
		p.lay(o)
		p.press(keys...)
		require.False(t, p.pick.laid, "%v", keys)
	}
	for name, change := range map[string]func(*table.View){
		"a pause":              func(v *table.View) { v.State = table.Paused },
		"a wait for somebody":  func(v *table.View) { v.State = table.Waiting },
		"a stand-in":           func(v *table.View) { v.Seats[1].StandIn = true },
		"the seat is given up": func(v *table.View) { v.POV, v.Play = 0, s0(v) },
		"the end of the round": func(v *table.View) { v.State, v.Play.Phase = table.Scoring, rules.Dealing },
		"the next round":       func(v *table.View) { v.Play.Round++ },
		"the next game":        func(v *table.View) { v.Game++ },
	} {
		s, p, o := waiting(t)
		p.lay(o)
		v := s.of(2)
		v.Seats = slices.Clone(v.Seats)
		change(v)
		p.shows(v)
		require.Equal(t, nothing, p.pick, name)
		p.shows(s.of(2))
		require.Equal(t, nothing, p.pick, "%s is over, and the tile is not laid again", name)
		require.Empty(t, p.asked(), name)
	}
}

// s0 is the gallery's view of a game in which seat 1 is to move.
func s0(v *table.View) rules.View {
	p := v.Play
	p.Seat, p.Hand = 0, 0
	return p
}

// Before the player's turn Enter alone chooses nothing, or the key that has just played would lay the next
// tile. A digit typed then is still the first half of a tile on the turn.
func TestKeysBeforeTheTurn(t *testing.T) {
	s, p, _ := waiting(t)
	p.press("enter", "enter", "space")
	require.Equal(t, nothing, p.pick)

	s.game, _, _ = s.game.Apply(s.game.Move(s.game.AppendChoices(nil)[0]))
	s.version++
	v := s.of(2)
	tile := v.Play.Options[0].Tile
	p.press(string('0' + rune(tile.High())))
	require.Contains(t, shown(p, 80, 24), "ana is to move. "+p.pick.typed+"_")
	p.shows(v)
	p.press(string('0' + rune(tile.Low())))
	require.Equal(t, tile, p.pick.tile)
	require.Empty(t, p.asked())
}

// A tile laid ready rings no bell and marks no title: the player has nothing left to do.
func TestALaidTileRingsNoBell(t *testing.T) {
	s, p, o := waiting(t)
	rung := 0
	p.env.Bell = func() { rung++ }
	p.club.settings.Bell = true
	p.lay(o)
	for _, c := range s.game.AppendChoices(nil) {
		next, _, err := s.game.Apply(s.game.Move(c))
		require.NoError(t, err)
		then := *s
		then.game, then.version = next, s.version+1
		v := then.of(2)
		if !p.pick.holds(p.view, v) {
			continue
		}
		p.sub.(*fakeSub).view = v
		p.Update(page.WokenMsg{}) // the answer has not come yet
		require.Zero(t, p.Chrome().Turn)
		require.Zero(t, rung)
		return
	}
	require.Fail(t, "no play leaves the tile where it was")
}
