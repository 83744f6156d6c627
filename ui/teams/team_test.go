package teams_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

func TestScreensOfATeam(t *testing.T) {
	n := openNight(t)
	n.Come("finn")
	require.NoError(t, n.ana.Invite(context.Background(), "finn"))
	d, e := team(t, n.ana, n.owls, 0)
	d.Press("down")
	pagetest.Golden(t, e, d.Page, "team", pagetest.Large)
	d.Press("i")
	d.Type("fi")
	pagetest.Golden(t, e, d.Page, "inviting")
	d, e = team(t, n.ana, n.owls, n.foxes)
	pagetest.Golden(t, e, d.Page, "against")
	n.store.games = nil
	d, e = team(t, n.dan, n.moles, 0)
	pagetest.Golden(t, e, d.Page, "new-team")
	d, _ = team(t, n.ana, n.moles, 0)
	require.NotContains(t, strings.Join(d.Lines(80, 20), "\n"), "press n", "to somebody from another team")
}

func TestInviting(t *testing.T) {
	n := openNight(t)
	eve := n.Come("eve")
	d, _ := team(t, n.ana, n.owls, 0)
	d.Press("i")
	d.Type("nobody")
	d.Press("enter")
	require.Equal(t, page.Complain(lobby.ErrNoMember), pagetest.Take[page.Toast](t, d))
	d.Press("i")
	d.Type("q")
	d.Press("esc", "i")
	d.Type("eve")
	d.Press("enter")
	require.Equal(t, page.Say("eve is invited."), pagetest.Take[page.Toast](t, d))
	require.Contains(t, body(d, 80, 20), "invited: eve")
	invitations, err := eve.Invitations(context.Background())
	require.NoError(t, err)
	require.Len(t, invitations, 1)

	d, _ = team(t, n.ben, n.owls, 0)
	d.Press("i")
	require.False(t, d.Page.Chrome().Typing, "the captain alone invites")
}

// Whoever is invited looks at the team, and answers there.
func TestAnsweringOnTheTeamsPage(t *testing.T) {
	n := openNight(t)
	for _, c := range []struct{ who, key, says string }{{"eve", "a", "You play for Night Owls now."}, {"fay", "d", "Invitation declined."}} {
		v := n.Come(c.who)
		d, _ := team(t, v, n.owls, 0)
		d.Press(c.key)
		require.Empty(t, d.Sent, "nobody has invited them")
		require.NoError(t, n.ana.Invite(context.Background(), c.who))
		d, _ = team(t, v, n.owls, 0)
		d.Press(c.key)
		require.Equal(t, page.Say(c.says), pagetest.Take[page.Toast](t, d))
		require.NotContains(t, body(d, 80, 20), "invited:")
		require.Equal(t, c.key == "a", v.Player().Team == n.owls)
	}
}

func TestHandingOver(t *testing.T) {
	n := openNight(t)
	d, _ := team(t, n.ana, n.owls, 0)
	d.Press("h")
	require.Empty(t, d.Sent, "not to oneself")
	d.Press("down", "h")
	ask := pagetest.Take[page.AskMsg](t, d)
	require.Contains(t, ask.Question, "Make ben the captain")
	require.Contains(t, body(d, 80, 20), "captain ana", "nothing is done before the answer")
	d.Send(ask.Then)
	require.Contains(t, body(d, 80, 20), "captain ben")
	d.Sent = nil
	d.Press("up", "h", "i")
	require.Empty(t, d.Sent)
	require.False(t, d.Page.Chrome().Typing, "ana is the captain no more")
}

// A member takes the team over from a captain who is banned for good.
func TestTakingOver(t *testing.T) {
	n := openNight(t)
	ctx := context.Background()
	d, _ := team(t, n.ben, n.owls, 0)
	d.Press("h")
	require.Empty(t, d.Sent, "ana is there")
	key := lobby.KeyID{200}
	a, err := n.Register(ctx, lobby.Origin{Key: key}, "olga")
	require.NoError(t, err)
	olga, err := n.Enter(ctx, a, lobby.Origin{Key: key, Operator: true})
	require.NoError(t, err)
	_, err = olga.Say(ctx, "/ban ana")
	require.NoError(t, err)
	d.Press("h")
	ask := pagetest.Take[page.AskMsg](t, d)
	require.Contains(t, ask.Question, "Become the captain?")
	d.Send(ask.Then)
	require.Equal(t, page.Say("You are the captain now."), pagetest.Take[page.Toast](t, d))
	require.Contains(t, body(d, 80, 20), "captain ben")
}

func TestLeaving(t *testing.T) {
	n := openNight(t)
	d, _ := team(t, n.ana, n.owls, 0)
	d.Press("l")
	require.Equal(t, page.Complain(lobby.ErrHandOver), pagetest.Take[page.Toast](t, d))

	d, _ = team(t, n.ben, n.owls, 0)
	d.Press("l")
	ask := pagetest.Take[page.AskMsg](t, d)
	require.Equal(t, n.owls, n.ben.Player().Team, "nothing is done before the answer")
	d.Send(ask.Then)
	require.Zero(t, n.ben.Player().Team)
	pagetest.Take[page.BackMsg](t, d)

	d, _ = team(t, n.ana, n.owls, 0)
	d.Press("l")
	ask = pagetest.Take[page.AskMsg](t, d)
	require.Contains(t, ask.Question, "the team ends")
	d.Send(ask.Then)
	require.Zero(t, n.ana.Player().Team)

	d, _ = team(t, n.cleo, n.owls, 0)
	require.Contains(t, body(d, 80, 20), "no longer exists")
	require.NotPanics(t, func() { d.Press("l", "h", "i", "c", "enter", "down") })
	d, _ = team(t, n.cleo, n.moles, 0)
	d.Press("l", "h")
	require.Empty(t, d.Sent, "nobody leaves a team of others")
}

func TestComparing(t *testing.T) {
	n := openNight(t)
	d, _ := team(t, n.ben, n.foxes, 0)
	d.Press("c")
	require.Contains(t, body(d, 80, 20), "[OWL]")
	d.Press("enter")
	require.Equal(t, page.GotoMsg{To: page.Target{Kind: page.TeamPage, Team: n.foxes, Other: n.owls}}, pagetest.Take[page.GotoMsg](t, d))
	d.Press("c")
	d.Type("moles")
	d.Press("enter")
	require.Equal(t, n.moles, pagetest.Take[page.GotoMsg](t, d).To.Other)
	for typed, want := range map[string]string{"zzz": "No team has that", "fox": "name another one"} {
		d.Press("c")
		d.Type(typed)
		d.Press("enter")
		require.Contains(t, pagetest.Take[page.Toast](t, d).Text, want)
		require.Contains(t, body(d, 80, 20), "Against "+typed, "it can be corrected")
		d.Press("esc")
	}
	d, _ = team(t, n.ben, n.foxes, n.owls)
	require.Contains(t, body(d, 80, 20), "[FOX] Red Foxes")
	require.Regexp(t, `won +2 +1`, body(d, 80, 20))
	d.Press("l", "i", "h")
	require.Empty(t, d.Sent, "a comparison is to be read only")
	d.Press("c")
	d.Type("mol")
	d.Press("enter")
	require.True(t, pagetest.Take[page.GotoMsg](t, d).Replace, "q leads back from one comparison, not through all")
}

// A refusal that comes while something else is typed leaves that line alone.
func TestALateRefusal(t *testing.T) {
	n := openNight(t)
	d, _ := team(t, n.ana, n.owls, 0)
	d.Press("i")
	d.Type("zoe77")
	refusal, _ := d.Page.Actions().Press(pagetest.Key("enter"))
	d.Press("c")
	d.Do(refusal)
	require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "No member")
	require.NotContains(t, body(d, 80, 20), "Against zoe77")
}

func TestOpeningGames(t *testing.T) {
	n := openNight(t)
	d, _ := team(t, n.cleo, n.owls, 0)
	d.Press("enter")
	require.Equal(t, page.Person, pagetest.Take[page.GotoMsg](t, d).To.Kind, "a member's page")
	d.Press("down", "down", "down", "enter")
	require.Equal(t, page.Target{Kind: page.Replay, Game: 8}, pagetest.Take[page.GotoMsg](t, d).To)
	d, _ = team(t, n.cleo, n.foxes, n.owls)
	require.Regexp(t, `lost +2026-11-21 +block +✓\[OWL\]`, body(d, 80, 20), "a game is told from the team's side")
	d.Press("end", "enter")
	require.Equal(t, page.Target{Kind: page.Replay, Game: 7}, pagetest.Take[page.GotoMsg](t, d).To)
	d, _ = team(t, n.cleo, n.owls, 0)
	d.Press("down", "down", "down")
	require.NoError(t, n.ben.LeaveTeam(t.Context()))
	d.Press("r", "enter")
	require.Equal(t, page.Target{Kind: page.Replay, Game: 8}, pagetest.Take[page.GotoMsg](t, d).To,
		"the row stays chosen, now that a member above is gone")
}

func TestRowsOfATeamByMouse(t *testing.T) {
	n := openNight(t)
	d, _ := team(t, n.ana, n.owls, 0)
	pagetest.Clicks(t, d)
	d.Click(5, 0)
	require.Empty(t, d.Sent, "the record is no row")
}
