package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
)

func TestMembersAreFoundByKeyAndName(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	made, err := s.Create(ctx, keyOf("ana"), "Ana", text.Skeleton("Ana"), noon)
	require.NoError(t, err)
	require.Positive(t, made.ID)
	settings := lobby.Settings{Theme: "dark", Faces: "pips", Bell: true, Ignored: []string{"ben"}}
	require.NoError(t, s.Save(ctx, made.ID, settings, true))
	require.NoError(t, s.Seen(ctx, made.ID, noon.Add(time.Hour)))
	mustClose(t, s)

	s = mustOpen(t, path, options(t))
	want := &lobby.Account{ID: made.ID, Name: "Ana", Key: keyOf("ana"), Bot: true, Created: noon, Settings: settings}
	for _, name := range []string{"Ana", "ana", "ANA"} {
		got, err := s.ByName(ctx, name)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	got, err := s.ByKey(ctx, keyOf("ana"))
	require.NoError(t, err)
	require.Equal(t, want, got)

	require.ErrorIs(t, errOf(s.ByKey(ctx, keyOf("ben"))), lobby.ErrNotFound)
	require.ErrorIs(t, errOf(s.ByName(ctx, "ben")), lobby.ErrNotFound)
	require.ErrorIs(t, s.Save(ctx, 99, settings, false), lobby.ErrNotFound)
	require.ErrorIs(t, s.Seen(ctx, 99, noon), lobby.ErrNotFound)
}

func TestOneNameOneKeyOneMember(t *testing.T) {
	s := newStore(t)
	var all sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		all.Go(func() {
			key := keyOf("ana")
			if i%2 == 0 {
				key[31] = byte(i) // the same name with another key
				_, errs[i] = s.Create(ctx, key, "ana", text.Skeleton("ana"), noon)
				return
			}
			_, errs[i] = s.Create(ctx, keyOf("odd"), "odd", text.Skeleton("odd"), noon) // the same key too
		})
	}
	all.Wait()
	made := 0
	for _, err := range errs {
		if err == nil {
			made++
			continue
		}
		require.ErrorIs(t, err, lobby.ErrTaken)
	}
	require.Equal(t, 2, made)
}

func TestTeamFromItsBeginningToItsEnd(t *testing.T) {
	s := newStore(t)
	who := mustCreateAll(t, s, "ana", "ben", "cleo", "dan", "eve")
	ana, ben, cleo, dan, eve := who[0], who[1], who[2], who[3], who[4]
	create := func(captain table.Player, name, tag string) (table.TeamID, error) {
		team, err := s.CreateTeam(ctx, captain.ID, name, text.Skeleton(name), tag, noon)
		if err != nil {
			return 0, err
		}
		return team.ID, nil
	}
	id, err := create(ana, "Full House", "FH")
	require.NoError(t, err)
	require.ErrorIs(t, errOf(create(ben, "Full-House", "XY")), lobby.ErrTaken, "a name that looks the same")
	require.ErrorIs(t, errOf(create(ben, "Other", "fh")), lobby.ErrTaken, "a tag that looks the same")
	require.ErrorIs(t, errOf(create(ana, "Another", "AN")), lobby.ErrHasTeam)
	require.ErrorIs(t, errOf(s.FindTeam(ctx, "AN")), lobby.ErrNotFound, "half a team")

	require.ErrorIs(t, s.Invite(ctx, id, ben.ID, cleo.ID, noon), lobby.ErrCaptain)
	require.ErrorIs(t, s.Invite(ctx, id, ana.ID, 99, noon), lobby.ErrNotFound)
	require.ErrorIs(t, s.Invite(ctx, 99, ana.ID, ben.ID, noon), lobby.ErrNotFound)
	require.ErrorIs(t, s.Accept(ctx, id, ben.ID, noon), lobby.ErrNotFound, "nobody has asked")
	for i, p := range []table.Player{ben, cleo, dan, ben} {
		require.NoError(t, s.Invite(ctx, id, ana.ID, p.ID, noon.Add(time.Duration(i)*time.Minute)))
	}
	crowd, err := create(eve, "Crowd", "CR")
	require.NoError(t, err)
	for i := range 60 {
		m := mustCreate(t, s, fmt.Sprint("member", i))
		require.NoError(t, s.Invite(ctx, crowd, eve.ID, m.ID, noon.Add(time.Duration(i)*time.Minute)))
	}
	many, err := s.FindTeam(ctx, "cr")
	require.NoError(t, err)
	require.Len(t, many.Invited, 50)
	require.Equal(t, "member59", many.Invited[49], "the newest wait")
	require.NoError(t, s.LeaveTeam(ctx, eve.ID, noon))
	asked, err := s.Invitations(ctx, ben.ID)
	require.NoError(t, err)
	require.Equal(t, []lobby.Invitation{{Team: id, Name: "Full House", Tag: "FH", From: "ana", At: noon}}, asked)

	require.NoError(t, s.Accept(ctx, id, ben.ID, noon.Add(time.Hour)))
	require.NoError(t, s.Decline(ctx, id, cleo.ID))
	require.ErrorIs(t, s.Decline(ctx, id, cleo.ID), lobby.ErrNotFound)
	require.ErrorIs(t, s.Invite(ctx, id, ana.ID, ben.ID, noon), lobby.ErrInTeam)
	other, err := create(eve, "Other", "OT")
	require.NoError(t, err)
	require.NoError(t, s.Invite(ctx, other, eve.ID, ben.ID, noon), "members of a team may be invited")
	require.ErrorIs(t, s.Accept(ctx, other, ben.ID, noon), lobby.ErrHasTeam)
	asked, err = s.Invitations(ctx, ben.ID)
	require.NoError(t, err)
	require.Len(t, asked, 1, "the invitation stands until the other team has been left")

	team, err := s.FindTeam(ctx, "fh")
	require.NoError(t, err)
	require.Equal(t, &lobby.Team{
		ID: id, Name: "Full House", Tag: "FH", Captain: ana.ID, Created: noon, Invited: []string{"dan"},
		Members: []lobby.Member{{ID: ana.ID, Name: "ana", Joined: noon, Seen: noon},
			{ID: ben.ID, Name: "ben", Joined: noon.Add(time.Hour), Seen: noon}},
	}, team)
	account, err := s.ByName(ctx, "ben")
	require.NoError(t, err)
	require.Equal(t, []any{id, "FH"}, []any{account.Team, account.Tag})

	require.ErrorIs(t, s.LeaveTeam(ctx, ana.ID, noon), lobby.ErrHandOver)
	require.ErrorIs(t, s.LeaveTeam(ctx, dan.ID, noon), lobby.ErrNotFound)
	require.ErrorIs(t, s.HandOver(ctx, id, dan.ID), lobby.ErrNotFound)
	require.NoError(t, s.HandOver(ctx, id, ben.ID))
	require.NoError(t, s.LeaveTeam(ctx, ana.ID, noon))

	// When the last member leaves a team that never played, its name is free again. A league may still have
	// it play.
	require.NoError(t, s.LeaveTeam(ctx, ben.ID, noon))
	require.ErrorIs(t, errOf(s.FindTeam(ctx, "FH")), lobby.ErrNotFound)
	require.ErrorIs(t, errOf(s.Team(ctx, id)), lobby.ErrNotFound)
	asked, err = s.Invitations(ctx, dan.ID)
	require.NoError(t, err)
	require.Empty(t, asked)
	again, err := create(dan, "Full House", "FH")
	require.NoError(t, err)
	require.NotEqual(t, id, again)
	gil, fay := mustCreate(t, s, "gil"), mustCreate(t, s, "fay")
	mustPlay(t, s, match{rules: "block target=10", seats: []table.Player{ana, gil, ben, fay}, teams: [2]table.TeamID{id, again}, at: noon})
	require.NoError(t, s.LeaveTeam(ctx, dan.ID, noon))
	require.ErrorIs(t, errOf(create(dan, "Full House", "FH")), lobby.ErrTaken, "it has played")
}

func TestEndedTeamKeepsItsResults(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	who := mustCreateAll(t, s, "ana", "ben", "cleo", "dan", "eve")
	abc, cat := mustTeam(t, s, "ABC", who[0], who[2]), mustTeam(t, s, "CAT", who[1], who[3])
	game, _ := mustPlay(t, s, match{rules: "block target=10", seats: who[:4], teams: [2]table.TeamID{abc, cat}, at: noon})
	team, err := s.Team(ctx, abc)
	require.NoError(t, err)
	require.Equal(t, []any{1, 1}, []any{team.Stand.Games, team.Members[0].Stand.Games})
	require.Equal(t, game, team.Recent[0].ID)
	teams, err := s.ListTeams(ctx, "", 1)
	require.NoError(t, err)
	require.Len(t, teams, 1)
	more, err := s.ListTeams(ctx, text.Skeleton(teams[0].Name), 10)
	require.NoError(t, err)
	teams = append(teams, more...)
	require.Len(t, teams, 2)
	for _, word := range []string{"abc", "team-abc"} {
		found, err := s.FindTeam(ctx, word)
		require.NoError(t, err)
		require.Equal(t, abc, found.ID, "by its tag, or by its name")
	}
	require.Equal(t, lobby.TeamRow{ID: abc, Name: "Team ABC", Tag: "ABC", Captain: "ana", Members: 2, Stand: teams[0].Stand}, teams[0])
	stands := mustStandings(t, s, lobby.StandingsQuery{Kind: lobby.KindTeam})
	for i := range stands {
		stands[i].Rank, stands[i].History = 0, nil
	}
	require.ElementsMatch(t, stands, []lobby.Standing{*teams[0].Stand, *teams[1].Stand})

	require.NoError(t, s.LeaveTeam(ctx, who[2].ID, noon))
	require.NoError(t, s.LeaveTeam(ctx, who[0].ID, noon))
	require.ErrorIs(t, errOf(s.Team(ctx, abc)), lobby.ErrNotFound)
	ended, err := s.FindTeam(ctx, "abc")
	require.NoError(t, err)
	require.Equal(t, []any{abc, noon}, []any{ended.ID, ended.Ended})
	teams, err = s.ListTeams(ctx, "", 10)
	require.NoError(t, err)
	require.Len(t, teams, 1)
	require.ErrorIs(t, errOf(s.CreateTeam(ctx, who[4].ID, "Team ABC", text.Skeleton("Team ABC"), "NEW", noon)), lobby.ErrTaken)
	require.Len(t, mustStandings(t, s, lobby.StandingsQuery{Kind: lobby.KindTeam}), 2)
	h, err := s.HeadToHead(ctx, abc, cat)
	require.NoError(t, err)
	require.Len(t, h.Games, 1)

	before := projection(t, path)
	require.Zero(t, mustRebuild(t, s).Changed)
	require.Equal(t, before, projection(t, path))
}
