package ui

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/page"
)

// A session that leaves a table's page before the table answers is in the lobby, and takes over no seat.
func TestLateTableTakesNothingOver(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		l := club.Lobby
		ana := newMember(t, l, 7, "ana")
		w := walk(t, l, 1, ana)
		at := ownTable("classic", func(*table.Config) {})(t, l, w)

		other := visit(t, l, ana)
		sub, err := other.Show(lobby.Place{Table: at.Table}).Watch(t.Context())
		require.NoError(t, err)
		t.Cleanup(sub.Close)

		late := w.m.open(at, true)
		w.press(tea.KeyPressMsg{Code: 'q', Text: "q"})
		require.Equal(t, page.Lobby, w.m.at.Kind)
		w.carryOut(late)
		w.settle()
		require.Empty(t, other.Kicked(), "the session at the seat stays")
		other.Close(table.Left)
		time.Sleep(time.Second) // the snapshot's next batch
		w.settle()
		require.Equal(t, "in the lobby", w.m.env.Visit.Snapshot().People[0].Doing)
	})
}

// caller is a page that asks the club something with each key, and records the answers.
type caller struct {
	page.Size
	answers tea.Cmd
	got     []tea.Msg
}

func (p *caller) Init() tea.Cmd         { return nil }
func (p *caller) Lines() []string       { return nil }
func (p *caller) Chrome() page.Chrome   { return page.Chrome{Title: "Caller"} }
func (p *caller) Actions() page.Actions { return nil }

func (p *caller) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		return p.answers
	}
	p.got = append(p.got, msg)
	return nil
}

// An answer for a page that was left reaches no page, unless it is a line for the player.
func TestLateAnswers(t *testing.T) {
	type own struct{}
	goes, asks := page.GotoMsg{To: page.Target{Kind: page.Rules}}, page.AskMsg{Question: "Really?", Then: own{}}
	for name, c := range map[string]struct {
		answers func() tea.Cmd // carrying it out uses a list of commands up
		// What follows if the page that asked is still shown.
		got         int
		asked, left bool
	}{
		"its own": {answers: func() tea.Cmd { return page.Send(own{}) }, got: 1},
		"asked anew": {answers: func() tea.Cmd {
			var q page.Question
			e := &page.Env{Context: context.Background()}
			first := q.Ask(e, func(context.Context) tea.Msg { return own{} })
			return tea.Sequence(first, q.Ask(e, func(context.Context) tea.Msg { return own{} }))
		}, got: 1},
		"finds":       {answers: func() tea.Cmd { return page.Send(page.Then(func() tea.Cmd { return page.Send(own{}) })) }, got: 1},
		"goes":        {answers: func() tea.Cmd { return page.Send(goes) }, left: true},
		"goes back":   {answers: func() tea.Cmd { return page.Send(page.BackMsg{}) }, left: true},
		"asks":        {answers: func() tea.Cmd { return page.Send(asks) }, asked: true},
		"together":    {answers: func() tea.Cmd { return tea.Batch(page.Send(own{}), page.Send(asks)) }, got: 1, asked: true},
		"in sequence": {answers: func() tea.Cmd { return tea.Sequence(page.Send(own{}), page.Send(goes)) }, got: 1, left: true},
	} {
		t.Run(name, func(t *testing.T) {
			lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
				l := club.Lobby
				w := walk(t, l, 1, Session{Caller: feature.Caller{Origin: lobby.Origin{Net: "10.0.0.7"}}})
				call := func() (*caller, tea.Cmd) {
					w.carryOut(w.m.open(page.Target{Kind: page.Standings}, true))
					w.settle()
					p := &caller{answers: tea.Batch(c.answers(), page.Send(page.Say("It is done.")))}
					w.m.page = p
					_, cmd := w.m.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
					return p, cmd
				}
				shown, cmd := call()
				w.carryOut(cmd)
				w.settle()
				require.Len(t, shown.got, c.got)
				require.Equal(t, c.left, w.m.page != page.Page(shown))
				require.Equal(t, c.asked, w.m.asking != "")

				left, late := call()
				w.carryOut(w.m.open(page.Target{Kind: page.Settings}, false))
				w.settle()
				next := &caller{}
				w.m.page, w.m.toast = next, page.Toast{}
				w.carryOut(late)
				w.settle()
				require.Same(t, next, w.m.page)
				require.Empty(t, left.got)
				require.Empty(t, next.got)
				require.Empty(t, w.m.asking)
				require.Equal(t, "It is done.", w.m.toast.Text)
			})
		})
	}
}

// A refusal is shown even if the page that asked was left.
func TestALateRefusalIsShown(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		w := walk(t, club.Lobby, 1, Session{Caller: feature.Caller{Origin: lobby.Origin{Net: "10.0.0.7"}}})
		w.m.page = &caller{answers: page.Get((*page.Env).Call, w.m.env,
			func(context.Context) (int, error) { return 0, lobby.ErrNoTeam }, func(int) tea.Cmd { return nil })}
		_, late := w.m.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
		w.carryOut(w.m.open(page.Target{Kind: page.Settings}, false))
		w.carryOut(late)
		w.settle()
		require.Equal(t, lobby.ErrNoTeam.Error(), w.m.toast.Text)
	})
}

// Two pages of a kind number their questions alike; the answer for the one that was left does not reach the
// other.
func TestLateAnswerOfAnotherTeam(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		l := club.Lobby
		w := walk(t, l, 1, newMember(t, l, 7, "ana"))
		owls, err := w.m.env.Visit.CreateTeam(t.Context(), "Owls", "OWL")
		require.NoError(t, err)
		body := func() string { return strings.Join(w.m.page.Lines(), "\n") }

		late := w.m.open(page.Target{Kind: page.TeamPage, Team: owls.ID + 1}, true) // there is none
		w.carryOut(w.m.open(page.Target{Kind: page.TeamPage, Team: owls.ID}, true))
		w.settle()
		before := body()
		require.Contains(t, before, "captain ana")
		w.carryOut(late)
		w.settle()
		require.Equal(t, before, body())
	})
}

// Digits open pages from a table too, except for its players, to whom they are tiles. After a game, opening
// the lobby gives up the seat, as q does.
func TestDigitsAtATable(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
		w := walk(t, club.Lobby, 1, newMember(t, club.Lobby, 7, "ana"))
		digit := func(d rune, want page.Kind, listed bool) {
			require.Equal(t, listed, slices.ContainsFunc(w.m.bindings(), func(b key.Binding) bool { return b.Help().Desc == "Standings" }))
			w.press(tea.KeyPressMsg{Code: d, Text: string(d)})
			w.settle()
			require.Equal(t, want, w.m.at.Kind)
		}
		show := func(at page.Target) {
			w.carryOut(w.m.open(at, true))
			w.settle()
		}
		do := func(v *lobby.Visit, at page.Target, c table.Command) {
			require.NoError(t, v.Do(t.Context(), at.Table, c))
		}
		ana := w.m.env.Visit
		at := ownTable("classic", func(c *table.Config) { c.Seats = 2 })(t, club.Lobby, w)
		show(at)
		digit('3', page.Standings, true)

		ben := visit(t, club.Lobby, newMember(t, club.Lobby, 8, "ben"))
		sub, err := ben.Show(lobby.Place{Table: at.Table}).Watch(t.Context())
		require.NoError(t, err)
		t.Cleanup(sub.Close)
		do(ben, at, table.Sit{})
		do(ben, at, table.Ready{On: true})
		do(ana, at, table.Ready{On: true})
		time.Sleep(30 * time.Second)
		show(at)
		digit('3', page.Table, false)
		do(ben, at, table.Resign{})
		w.does("resigned", page.WokenMsg{})
		digit('3', page.Standings, true)

		show(at)
		seated := func() bool { return sub.View().SeatOf(ana.Player().ID) != 0 }
		require.True(t, seated())
		digit('1', page.Lobby, true)
		require.False(t, seated())
	})
}
