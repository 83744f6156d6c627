package play

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// After a game a labelled line shows for each seat whether its player wants another.
func TestWhoWantsAnotherGame(t *testing.T) {
	s := sit(t, "block", 3, "ana", "ben", "cleopatra", "dora")
	s.toGameEnd()
	s.view.Result = &table.Result{Ending: table.EndPlayed, Winner: 1}
	s.view.Seats[1].Ready = true
	for _, size := range sizes {
		screen := strings.Join(strings.Fields(screenAs(s.of(1), size[0], size[1])), " ")
		require.Regexp(t, "Again ana not yet .*ben yes .*cleopatra not yet .*dora not yet", screen, "%v", size)
	}
}

// Where nobody may watch, whoever loses their seat is led away: to the results that their game is compared with, or back.
func TestLosingASeatWhereNobodyMayWatch(t *testing.T) {
	s := sit(t, "classic", 3, "ana", "ben")
	s.deal()
	blank, err := rules.New(s.view.Config.Rules, len(s.view.Seats))
	require.NoError(t, err)
	for _, c := range []struct {
		of   table.Event
		game bool
		to   tea.Msg
		say  string
	}{
		{table.Event{ID: 7, Solo: true}, true, page.GotoMsg{To: page.Target{Kind: page.Daily}, Replace: true}, "You have resigned."},
		{table.Event{}, true, page.BackMsg{}, "You have resigned."},
		{table.Event{}, false, page.BackMsg{}, "You have left your seat, and nobody may watch this table."},
	} {
		s.view.Config.Event = c.of
		v := *s.of(1)
		if !c.game {
			v.State = table.Gathering
		}
		p := at(t, &v)
		p.sub = &fakeSub{&table.View{
			Summary: table.Summary{State: table.Closed, Config: v.Config, Seats: v.Seats}, Play: blank.View(0), Notice: string(table.ErrWatchers),
		}}
		p.run(p.Update(page.WokenMsg{}))
		require.Equal(t, []tea.Msg{c.to, page.Say(c.say)}, p.said)
		require.NotContains(t, strings.Join(screenOf(p.Page, 80, 24), "\n"), "closed")
	}
}

// After a game with shared deals, a key opens the event's page, also for a player who has stood up.
func TestWayToOthersGames(t *testing.T) {
	s := sit(t, "classic target=60", 3, "ana", "ben")
	s.toGameEnd()
	s.view.Result = &table.Result{Ending: table.EndPlayed, Winner: 1}
	for says, after := range map[string]struct {
		event table.Event
		to    page.Target
	}{
		"Press d to see what others played.": {table.Event{ID: 7, Private: true, Solo: true}, page.Target{Kind: page.Daily}},
		"Press d for the match;":             {table.Event{ID: 7, Private: true, Sealed: true}, page.Target{Kind: page.Duplicate, Event: 7}},
		"Press d for the duplicate arena;": {table.Event{ID: 7, Private: true, Sealed: true, Field: true},
			page.Target{Kind: page.Field, Event: 7}},
	} {
		s.view.Config.Event, s.view.Config.Seats = after.event, 2
		if after.to.Kind == page.Duplicate {
			s.view.Config.Seats = 4
		}
		for _, pov := range []rules.Seat{1, 0} {
			require.Contains(t, screenAs(s.of(pov), 80, 24), says)
			p := at(t, s.of(pov))
			require.True(t, slices.ContainsFunc(p.Actions().Keys(), func(b key.Binding) bool { return b.Help().Key == "d" }), "seat %d", pov)
			p.press("d")
			require.Equal(t, []tea.Msg{page.GotoMsg{To: after.to, Replace: true}}, p.said, "seat %d", pov)
		}
		blank, err := rules.New(s.view.Config.Rules, len(s.view.Seats))
		require.NoError(t, err)
		// A table shows this to a player who has stood up and may not watch.
		hidden := &table.View{Summary: table.Summary{Table: 12, State: table.Closed, Config: s.view.Config, Seats: s.view.Seats},
			Play: blank.View(0)}
		p := at(t, hidden)
		require.Contains(t, screenAs(hidden, 80, 24), "d "+p.Actions().Keys()[0].Help().Desc)
		p.press("r", "d")
		require.Equal(t, []tea.Msg{page.GotoMsg{To: after.to, Replace: true}}, p.said)
	}
}

// The tables of a match say for whom a game waits, and after it whether another one follows, also once they are closed.
func TestTableOfAMatch(t *testing.T) {
	s := sit(t, "block", 3, "ana", "ben", "cleopatra", "dora")
	s.view.Config.Event = table.Event{ID: 7, Wait: true, Match: table.Match{
		Wins: 2, Tags: [2]string{"OWL", "CAT"}, Kept: epoch.Add(15 * time.Minute), Ends: epoch.Add(time.Hour),
	}}
	for i := range s.view.Seats {
		s.view.Seats[i].Ready = true
	}
	s.view.Seats[1].Presence = table.Disconnected
	for _, size := range sizes {
		for _, pov := range []rules.Seat{1, 0} {
			screen := screenAs(s.of(pov), size[0], size[1])
			require.Contains(t, screen, "Waiting for ben until "+epoch.Add(15*time.Minute).UTC().Format("15:04"))
			require.NotContains(t, screen, "To change")
		}
	}
	s.view.Seats[1].Presence = table.Here
	require.Contains(t, screenAs(s.of(1), 80, 24), "You're ready.")
	s.toGameEnd()
	s.view.Result = &table.Result{Ending: table.EndPlayed, Winner: 1}
	for _, state := range []table.State{table.Finished, table.Closed} {
		s.view.State = state
		if state == table.Closed {
			s.view.Notice = "The table has been closed."
		}
		p := at(t, s.of(1))
		p.press("o")
		require.Equal(t, []tea.Msg{page.GotoMsg{To: page.Target{Kind: page.Replay, Game: s.view.Game}}}, p.said, state)
		for _, size := range sizes {
			require.Regexp(t, "OWL 1, CAT 0; (its|the) next game ", screenAs(s.of(1), size[0], size[1]), "%v %v", state, size)
			require.Regexp(t, "OWL 1, CAT 0; (its|the) next game ", screenAs(s.of(0), size[0], size[1]), "%v %v", state, size)
		}
	}
}

// A game that is won in mid-round shows the play that won it; it was on no other screen.
func TestLastPlay(t *testing.T) {
	s := sit(t, "classic target=60", 3, "ana", "ben")
	s.toGameEnd()
	s.view.Result = &table.Result{Ending: table.EndPlayed, Winner: 1}
	last := s.log[len(s.log)-1]
	require.Equal(t, 0, int(last.Event.End), "the round is not over")
	did := s.view.Names[last.Event.Seat-1] + " .*" + last.Event.Tile.Name() + " (?s:.*), scores [0-9]+ *"
	for _, size := range sizes[1:] {
		require.Regexp(t, did, screenAs(s.of(2), size[0], size[1]))
	}
	require.Regexp(t, "(?m)^ Last +"+did+"$", screenAs(s.of(2), 80, 24))
	s.view.Result.Ending = table.EndForfeit
	require.NotContains(t, screenAs(s.of(2), 80, 24), " Last ")
}

// The card of a finished game is asked for once; keys show how the game ended and copy the line to share.
func TestCard(t *testing.T) {
	var sc scene
	for _, s := range scenes(t) {
		if s.name == "card" {
			sc = s
		}
	}
	made := sc.open(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits))
	p := at(t, sc.view)
	p.club.card = made.card
	p.club.card.Game.ID = sc.view.Game
	p.Resize(52, 21)
	require.NotContains(t, strings.Join(p.Lines(), "\n"), "export", "a part of the command is no use")
	p.Resize(64, 21)
	require.Contains(t, strings.Join(p.Lines(), "\n"), " ssh -p 2222 club.example.org export 412 | boneyard verify -")
	p.Resize(72, 21)
	require.Contains(t, strings.Join(p.Lines(), "\n"), " Deals: ssh -p 2222 club.example.org export 412 | boneyard verify -")
	p.Resize(40, 12)
	require.NotContains(t, strings.Join(p.Lines(), "\n"), "seed", "a part of the seed is no use either")
	p.Resize(80, 21)
	shows := func(s string) { require.Contains(t, strings.Join(p.Lines(), "\n"), s) }
	shows("Check the deals")
	p.run(p.askCard())
	require.Nil(t, p.askCard(), "once")
	shows("Chance of ana+cleo to win")
	p.press("e")
	shows("Check the deals")
	p.press("e")
	shows("92 moves")
	copied := ""
	p.env.Copy = func(s string) bool { copied = s; return true }
	p.press("y")
	require.Contains(t, copied, "ana+cleo 155 : ben+dan 65")
	require.Contains(t, copied, "ssh -p 2222 club.example.org card 412")
	p.said = nil
	p.press("c")
	require.Contains(t, fmt.Sprintf("%+v", p.said), "replay 412 coach=on")
	p.view = &table.View{Summary: table.Summary{State: table.Playing}}
	require.Nil(t, p.askCard())
	require.Nil(t, p.card, "the next game has begun")
}
