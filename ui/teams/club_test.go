package teams_test

import (
	"context"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/clubtest"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/teams"
)

// store is a store in memory whose teams have played: what they did is made up.
type store struct {
	*lobbytest.Store
	stands map[table.TeamID]*lobby.Standing
	games  []lobby.GameInfo
	listed []string // after which the teams were listed
}

// Team implements lobby.Teams.
func (s *store) Team(ctx context.Context, id table.TeamID) (*lobby.Team, error) {
	t, err := s.Store.Team(ctx, id)
	if err != nil {
		return nil, err
	}
	t.Stand, t.Recent = s.stands[id], s.games
	return t, nil
}

// ListTeams implements lobby.Teams.
func (s *store) ListTeams(ctx context.Context, after string, limit int) ([]lobby.TeamRow, error) {
	s.listed = append(s.listed, after)
	list, err := s.Store.ListTeams(ctx, after, limit)
	for i := range list {
		list[i].Stand = s.stands[list[i].ID]
	}
	return list, err
}

// HeadToHead implements lobby.Standings.
func (s *store) HeadToHead(ctx context.Context, a, b table.TeamID) (*lobby.HeadToHead, error) {
	h, err := s.Store.HeadToHead(ctx, a, b)
	if err != nil {
		return nil, err
	}
	h.WonA, h.WonB, h.PointsA, h.PointsB, h.Games = 2, 1, 405, 380, s.games
	for id, stand := range map[table.TeamID]*lobby.Standing{a: &h.A, b: &h.B} {
		if made := s.stands[id]; made != nil {
			made := *made
			made.ID, made.Name, made.Tag = stand.ID, stand.Name, stand.Tag
			*stand = made
		}
	}
	return h, nil
}

// club is a lobby over such a store.
type club struct {
	*clubtest.Club
	store *store
	t     *testing.T
}

func open(t *testing.T) *club {
	t.Helper()
	s := &store{stands: map[table.TeamID]*lobby.Standing{}}
	c := clubtest.Open(t, func(in *lobbytest.Store) {
		s.Store = in
		in.Replace = func(all *lobby.Stores) { all.Teams, all.Standings = s, s }
	})
	return &club{c, s, t}
}

// found makes a team.
func (c *club) found(v *lobby.Visit, name, tag string) table.TeamID {
	c.t.Helper()
	t, err := v.CreateTeam(context.Background(), name, tag)
	require.NoError(c.t, err)
	return t.ID
}

// join has somebody invited, who accepts.
func (c *club) join(captain, v *lobby.Visit, id table.TeamID) {
	c.t.Helper()
	require.NoError(c.t, captain.Invite(context.Background(), v.Player().Name))
	require.NoError(c.t, v.Accept(context.Background(), id))
}

// night is a club with three teams: ana's and ben's Night Owls, cleo's Red Foxes, and dan's, which has not played.
type night struct {
	*club
	ana, ben, cleo, dan *lobby.Visit
	owls, foxes, moles  table.TeamID
}

func openNight(t *testing.T) *night {
	n := &night{club: open(t)}
	n.ana, n.ben, n.cleo, n.dan = n.Come("ana"), n.Come("ben"), n.Come("cleo"), n.Come("dan")
	n.owls, n.foxes, n.moles = n.found(n.ana, "Night Owls", "OWL"), n.found(n.cleo, "Red Foxes", "FOX"), n.found(n.dan, "Moles", "MOL")
	n.join(n.ana, n.ben, n.owls)
	n.store.stands[n.owls] = &lobby.Standing{Rank: 1, Rating: 1634, Games: 3, Won: 2, Lost: 1, For: 405, Against: 380, Streak: 1,
		LastFive: "WLW", History: []int{1500, 1560, 1540, 1634}}
	n.store.stands[n.foxes] = &lobby.Standing{Rank: 2, Rating: 1466, Provisional: true, Games: 3, Won: 1, Lost: 2, For: 380, Against: 405,
		Streak: -1, LastFive: "LWL"}
	seats := []string{"ana", "cleo", "ben", "eve"}
	for i, scores := range [][]int{{155, 90}, {100, 155}, {150, 135}} {
		winner := 1
		if scores[1] > scores[0] {
			winner = 2
		}
		n.store.games = append(n.store.games, lobby.GameInfo{
			ID: table.GameID(9 - i), Rules: "block", Seats: seats, Scores: scores, Winner: winner, Ending: table.EndPlayed, Rated: true,
			Teams: [2]string{"OWL", "FOX"}, Started: pagetest.Now.AddDate(0, 0, -i), Finished: true,
		})
	}
	return n
}

// list enters the page of teams, team that of one.
func list(t *testing.T, v *lobby.Visit) (*pagetest.Driver, *page.Env) {
	e := pagetest.Env(t, v)
	return pagetest.Drive(teams.New(e)), e
}

func team(t *testing.T, v *lobby.Visit, id, other table.TeamID) (*pagetest.Driver, *page.Env) {
	e := pagetest.Env(t, v)
	return pagetest.Drive(teams.NewTeam(e, id, other)), e
}

func body(d *pagetest.Driver, w, h int) string {
	return ansi.Strip(strings.Join(d.Lines(w, h), "\n"))
}
