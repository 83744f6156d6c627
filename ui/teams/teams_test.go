package teams_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/theme"
)

func TestScreensOfTheList(t *testing.T) {
	n := openNight(t)
	d, e := list(t, n.ben)
	d.Press("down")
	pagetest.Golden(t, e, d.Page, "teams", pagetest.Large)

	eve := n.Come("eve")
	require.NoError(t, n.cleo.Invite(context.Background(), "eve"))
	d, e = list(t, eve)
	pagetest.Golden(t, e, d.Page, "invited")
	d.Press("c")
	d.Type("Early Birds")
	d.Press("tab")
	pagetest.Golden(t, e, d.Page, "making")

	d, e = list(t, open(t).Guest())
	pagetest.Golden(t, e, d.Page, "empty")
}

// A wider window cuts no more of a name; with the captain beside it, it is whole from 78 on.
func TestNamesAtAnyWidth(t *testing.T) {
	n := openNight(t)
	long := strings.Repeat("W", text.MaxTitle)
	n.found(n.Come("eve"), long, "WWW")
	d, _ := list(t, n.cleo)
	for w := 40; w <= 140; w++ {
		shown := body(d, w, 20)
		require.Contains(t, shown, "   Night Owls ", "%d columns", w)
		require.True(t, w < 78 || strings.Contains(shown, long), "%d columns", w)
	}
}

func TestMakingATeam(t *testing.T) {
	n := openNight(t)
	eve := n.Come("eve")
	d, _ := list(t, eve)
	d.Press("c")
	require.True(t, d.Page.Chrome().Typing)
	d.Type("q night owls")
	d.Press("tab")
	d.Paste("ow\x1b[2Jl")
	d.Press("enter")
	require.Equal(t, theme.Bad, pagetest.Take[page.Toast](t, d).Role, "a tag of five letters at most")
	for range 5 {
		d.Press("backspace")
	}
	d.Type("owl")
	d.Press("enter")
	require.Equal(t, page.Complain(lobby.ErrTeamTaken), pagetest.Take[page.Toast](t, d))
	require.True(t, d.Page.Chrome().Typing, "what was typed can be corrected")
	for range 3 {
		d.Press("backspace")
	}
	d.Type("owl2")
	d.Press("enter")
	require.Equal(t, eve.Player().Team, pagetest.Take[page.GotoMsg](t, d).To.Team, "one's new team is opened")
	require.Equal(t, "OWL2", eve.Player().Tag)
	require.False(t, d.Page.Chrome().Typing)
	require.Contains(t, body(d, 80, 20), "You play for [OWL2] q night owls")
	d.Press("c")
	require.False(t, d.Page.Chrome().Typing, "one team is enough")
}

func TestAnsweringInvitations(t *testing.T) {
	n := openNight(t)
	eve := n.Come("eve")
	require.NoError(t, n.ana.Invite(context.Background(), "eve"))
	require.NoError(t, n.cleo.Invite(context.Background(), "eve"))
	d, _ := list(t, eve)
	require.Contains(t, body(d, 80, 20), "ana invites you to Night Owls")
	require.Contains(t, body(d, 80, 20), "cleo invites you to Red Foxes")
	d.Press("enter")
	require.Equal(t, n.foxes, pagetest.Take[page.GotoMsg](t, d).To.Team, "the newest comes first, and can be looked at")
	d.Press("d")
	require.NotContains(t, body(d, 80, 20), "cleo invites")
	d.Press("a")
	require.Equal(t, n.owls, eve.Player().Team)
	require.NotContains(t, body(d, 80, 20), "invites you")
	d.Sent = nil
	d.Press("a", "d")
	require.Empty(t, d.Sent, "on a team there is nothing to answer")
	d.Press("o")
	require.Equal(t, n.owls, pagetest.Take[page.GotoMsg](t, d).To.Team)
}

// An invitation appears by itself, and the cursor stays on the team it was on.
func TestInvitationsArrive(t *testing.T) {
	n := openNight(t)
	eve := n.Come("eve")
	d, _ := list(t, eve)
	d.Press("down")
	require.Contains(t, body(d, 80, 20), "▸ FOX")
	d.Send(page.ClubUpdateMsg{})
	require.NoError(t, n.cleo.Invite(context.Background(), "eve"))
	d.Send(page.ClubUpdateMsg{})
	require.Contains(t, body(d, 80, 20), "cleo invites you")
	require.Contains(t, body(d, 80, 20), "▸ FOX")
	d.Press("a")
	require.Equal(t, n.foxes, eve.Player().Team, "where there is one invitation, it is clear which is meant")
}

func TestOpensByMouse(t *testing.T) {
	n := openNight(t)
	d, _ := list(t, n.ben)
	body(d, 80, 20)
	d.Click(5, 4)
	require.Empty(t, d.Sent, "the first click chooses")
	d.Click(5, 4)
	require.Equal(t, n.foxes, pagetest.Take[page.GotoMsg](t, d).To.Team)
	d.Click(5, 15)
	require.Empty(t, d.Sent)
}

// Only the teams on the screen are read, no matter how many there are.
func TestListsTeamsAsTheyAreLookedAt(t *testing.T) {
	ctx := context.Background()
	n := openNight(t)
	for i := range 230 {
		called := fmt.Sprintf("captain%d", i)
		a, err := n.store.Create(ctx, lobby.KeyID{9, byte(i)}, called, text.Skeleton(called), pagetest.Now)
		require.NoError(t, err)
		const order = "acdefghjkp" // letters that look like no other stay in their order
		name := fmt.Sprintf("Aces %c%c%c", order[i/100], order[i/10%10], order[i%10])
		_, err = n.store.CreateTeam(ctx, a.ID, name, text.Skeleton(name), fmt.Sprintf("A%03d", i), pagetest.Now)
		require.NoError(t, err)
	}
	d, _ := list(t, n.ben)
	require.Contains(t, body(d, 80, 20), "You play for [OWL]; o opens your team.", "it comes later in the list")
	require.Equal(t, []string{""}, n.store.listed)
	d.Press("end")
	require.Contains(t, body(d, 80, 20), "▸ A099")
	require.Len(t, n.store.listed, 2)
	d.Press("end")
	require.Contains(t, body(d, 80, 20), "▸ A199")
	d.Press("end")
	require.Contains(t, body(d, 80, 20), "▸ MOL")
	require.Contains(t, body(d, 80, 20), "You play for [OWL] Night Owls")
	d.Press("end", "down")
	require.Len(t, n.store.listed, 3, "there are no more")
	d.Press("r")
	require.Contains(t, body(d, 80, 20), "▸ MOL", "the cursor stays where it is")
}

func TestGuestsMakeNoTeams(t *testing.T) {
	n := openNight(t)
	d, _ := list(t, n.Guest())
	d.Press("c", "o", "a")
	require.Empty(t, d.Sent)
	require.False(t, d.Page.Chrome().Typing)
	require.Contains(t, body(d, 80, 20), "Teams are for members")
}

func TestTrouble(t *testing.T) {
	n := openNight(t)
	d, e := list(t, n.ana)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	e.Context = ctx
	d.Press("r")
	require.Equal(t, theme.Bad, pagetest.Take[page.Toast](t, d).Role)
	require.Contains(t, body(d, 80, 20), "Night Owls", "what was there stays")
}

// Names of teams and players cannot act on a terminal, whatever a store holds.
func TestHostile(t *testing.T) {
	for _, h := range texttest.Hostile() {
		t.Run(h.Name, func(t *testing.T) {
			n := openNight(t)
			eve := n.Come("eve")
			ctx := context.Background()
			stranger, err := n.store.Create(ctx, lobby.KeyID{99}, h.Text, "stranger", pagetest.Now)
			require.NoError(t, err)
			made, err := n.store.CreateTeam(ctx, stranger.ID, h.Text, "strangers", h.Text, pagetest.Now)
			require.NoError(t, err)
			require.NoError(t, n.store.Invite(ctx, made.ID, stranger.ID, eve.Player().ID, pagetest.Now))
			n.store.games[0].Teams, n.store.games[0].Seats = [2]string{h.Text, h.Text}, []string{h.Text, h.Text, h.Text, h.Text}
			n.store.games[0].Rules = h.Text
			d, _ := list(t, eve)
			pagetest.CheckHostile(t, d.Page, h)
			d.Press("down")
			pagetest.CheckHostile(t, d.Page, h)
			d.Press("c")
			d.Paste(h.Text)
			pagetest.CheckHostile(t, d.Page, h)
			for _, other := range []table.TeamID{0, n.owls} {
				d, _ = team(t, eve, made.ID, other)
				require.Empty(t, h.Leak(d.Page.Chrome().Title))
				pagetest.CheckHostile(t, d.Page, h)
				d.Press("c")
				d.Paste(h.Text)
				pagetest.CheckHostile(t, d.Page, h)
			}
		})
	}
}
