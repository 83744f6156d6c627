package store

import (
	"context"
	"fmt"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/rating"
	"boneyard/lobby/text"
	"boneyard/table"
)

func (s *Store) CreateTeam(ctx context.Context, captain table.PlayerID, name, skeleton, tag string, now time.Time) (*lobby.Team, error) {
	o := &createTeam{Captain: captain, Name: name, Skeleton: skeleton, Tag: tag, TagSkeleton: text.Skeleton(tag), At: now}
	if err := s.run(ctx, o); err != nil {
		return nil, during(err, "new team %q", name)
	}
	t, err := s.Team(ctx, o.id)
	if err != nil { // the team exists all the same
		t = &lobby.Team{ID: o.id, Name: name, Tag: tag, Captain: captain, Created: now}
	}
	return t, nil
}

type createTeam struct {
	Captain          table.PlayerID
	Name, Skeleton   string
	Tag, TagSkeleton string
	At               time.Time

	id table.TeamID
}

func (o *createTeam) apply(t *tx) error {
	err := t.queryRow(`INSERT INTO teams (name, skeleton, tag, tag_skeleton, captain, created) VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
		o.Name, o.Skeleton, o.Tag, o.TagSkeleton, o.Captain, nanos(o.At)).Scan(&o.id)
	if taken(err) {
		return lobby.ErrTaken
	}
	if err != nil {
		return err
	}
	return t.join(o.id, o.Captain, o.At)
}

// join puts a member on a team's roster, or returns lobby.ErrHasTeam.
func (t *tx) join(team table.TeamID, player table.PlayerID, now time.Time) error {
	err := t.exec(`INSERT INTO team_members (player, team, joined) VALUES (?, ?, ?)`, player, team, nanos(now))
	if taken(err) {
		return lobby.ErrHasTeam
	}
	return err
}

const selectTeam = `SELECT id, name, tag, captain, created, ended FROM teams`

func scanTeam(scan scanner) (t lobby.Team, err error) {
	return t, scan(&t.ID, &t.Name, &t.Tag, &t.Captain, timeOf{&t.Created}, timeOf{&t.Ended})
}

func (s *Store) Team(ctx context.Context, id table.TeamID) (*lobby.Team, error) {
	t, err := s.team(ctx, selectTeam+` WHERE id = ? AND ended IS NULL`, id)
	return t, during(err, "team %d", id)
}

func (s *Store) FindTeam(ctx context.Context, word string) (*lobby.Team, error) {
	t, err := s.team(ctx, selectTeam+` WHERE tag_skeleton = ?1 OR skeleton = ?1
		ORDER BY ended IS NULL DESC, tag_skeleton = ?1 DESC`, text.Skeleton(word))
	return t, during(err, "team %q", word)
}

func (s *Store) team(ctx context.Context, query string, arg any) (*lobby.Team, error) {
	t, err := one(ctx, s.read, scanTeam, query, arg)
	if err == nil {
		err = s.fillTeam(ctx, &t)
	}
	if err != nil {
		return nil, found(err)
	}
	return &t, nil
}

func (s *Store) fillTeam(ctx context.Context, t *lobby.Team) (err error) {
	const recentGames = 10 // how many games a team's page shows
	t.Members, err = collect(ctx, s.read, func(scan scanner) (m lobby.Member, err error) {
		return m, scan(&m.ID, &m.Name, timeOf{&m.Joined}, timeOf{&m.Seen})
	}, `SELECT accounts.id, accounts.name, team_members.joined, accounts.seen
		FROM team_members JOIN accounts ON accounts.id = team_members.player
		WHERE team_members.team = ? ORDER BY team_members.joined, team_members.player`, t.ID)
	if err != nil {
		return err
	}
	for i := range t.Members {
		if t.Members[i].Stand, err = s.standing(ctx, lobby.KindPlayer, int64(t.Members[i].ID)); err != nil {
			return err
		}
	}
	if t.Stand, err = s.standing(ctx, lobby.KindTeam, int64(t.ID)); err != nil {
		return err
	}
	if t.Recent, err = s.teamGames(ctx, t.ID, recentGames); err != nil {
		return err
	}
	t.Invited, err = column[string](ctx, s.read, `SELECT accounts.name FROM invitations JOIN accounts ON accounts.id = invitations.player
		WHERE invitations.team = ? ORDER BY invitations.at, accounts.id`, t.ID)
	return err
}

func (s *Store) ListTeams(ctx context.Context, after string, limit int) ([]lobby.TeamRow, error) {
	teams, err := collect(ctx, s.read, scanTeamRow, `SELECT teams.id, teams.name, teams.tag, accounts.name,
			(SELECT count(*) FROM team_members WHERE team = teams.id), coalesce(s.games, 0), coalesce(s.mu, 0), coalesce(s.sigma, 0),
			coalesce(s.provisional, 0), coalesce(s.won, 0), coalesce(s.shared, 0), coalesce(s.points, 0),
			coalesce(s.against, 0), coalesce(s.streak, 0), coalesce(s.last, '')
		FROM teams CROSS JOIN accounts ON accounts.id = teams.captain
		LEFT JOIN standings s ON s.kind = 'team' AND s.game = '' AND s.month = '' AND s.id = teams.id
		WHERE teams.ended IS NULL AND teams.skeleton > ? ORDER BY teams.skeleton LIMIT ?`, after, limit)
	return teams, during(err, "teams")
}

// scanTeamRow scans a row without the history of its standing: reading those takes longer than all else.
func scanTeamRow(scan scanner) (t lobby.TeamRow, err error) {
	var v lobby.Standing
	var r rating.Rating
	err = scan(&t.ID, &t.Name, &t.Tag, &t.Captain, &t.Members, &v.Games, &r.Mu, &r.Sigma, &v.Provisional, &v.Won,
		&v.Shared, &v.For, &v.Against, &v.Streak, &v.LastFive)
	if v.Games > 0 {
		v.ID, v.Name, v.Tag, v.Rating, v.Lost = int64(t.ID), t.Name, t.Tag, r.Number(), v.Games-v.Won-v.Shared
		t.Stand = &v
	}
	return t, err
}

func (s *Store) Invite(ctx context.Context, team table.TeamID, by, player table.PlayerID, now time.Time) error {
	o := &inviteMember{Team: team, By: by, Player: player, At: now}
	if s.knows(o) {
		return during(s.run(ctx, o), invitation, player, team)
	}
	return during(s.run(ctx, (*invite)(o)), invitation, player, team)
}

// inviteMember is invite that deletes the team's oldest invitation if there are too many.
type inviteMember invite

func (o *inviteMember) apply(t *tx) error {
	const invitationsKept = 50 // how many invitations of a team may be unanswered: all are on its page
	if err := (*invite)(o).apply(t); err != nil {
		return err
	}
	return t.exec(`DELETE FROM invitations WHERE team = ?1 AND (SELECT count(*) FROM invitations WHERE team = ?1) > ?2
		AND player = (SELECT player FROM (SELECT player, min(at) FROM invitations WHERE team = ?1))`, o.Team, invitationsKept)
}

type invite struct {
	Team       table.TeamID
	By, Player table.PlayerID
	At         time.Time
}

func (o *invite) apply(t *tx) error {
	var captain table.PlayerID
	err := t.queryRow(`SELECT captain FROM teams WHERE id = ? AND ended IS NULL`, o.Team).Scan(&captain)
	switch {
	case err != nil:
		return found(err)
	case captain != o.By:
		return lobby.ErrCaptain
	}
	var exists, member bool
	err = t.queryRow(`SELECT EXISTS (SELECT 1 FROM accounts WHERE id = ?2), EXISTS (SELECT 1 FROM team_members
		WHERE team = ?1 AND player = ?2)`,
		o.Team, o.Player).Scan(&exists, &member)
	switch {
	case err != nil:
		return err
	case !exists:
		return lobby.ErrNotFound
	case member:
		return lobby.ErrInTeam
	}
	return t.exec(`INSERT INTO invitations (team, player, inviter, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		o.Team, o.Player, o.By, nanos(o.At))
}

func (s *Store) Invitations(ctx context.Context, player table.PlayerID) ([]lobby.Invitation, error) {
	const invitationsRead = 50 // how many invitations of a member are read: any number of teams may invite them
	all, err := collect(ctx, s.entrance, func(scan scanner) (v lobby.Invitation, err error) {
		return v, scan(&v.Team, &v.Name, &v.Tag, &v.From, timeOf{&v.At})
	}, `SELECT teams.id, teams.name, teams.tag, accounts.name, invitations.at
		FROM invitations JOIN teams ON teams.id = invitations.team JOIN accounts ON accounts.id = invitations.inviter
		WHERE invitations.player = ? ORDER BY invitations.at DESC, invitations.team DESC LIMIT ?`, player, invitationsRead)
	return all, during(err, "invitations of member %d", player)
}

func (s *Store) Accept(ctx context.Context, team table.TeamID, player table.PlayerID, now time.Time) error {
	return during(s.run(ctx, &acceptInvitation{Team: team, Player: player, At: now}), invitation, player, team)
}

type acceptInvitation struct {
	Team   table.TeamID
	Player table.PlayerID
	At     time.Time
}

func (o *acceptInvitation) apply(t *tx) error {
	if err := t.decline(o.Team, o.Player); err != nil {
		return err
	}
	return t.join(o.Team, o.Player, o.At)
}

func (s *Store) Decline(ctx context.Context, team table.TeamID, player table.PlayerID) error {
	return during(s.run(ctx, &declineInvitation{Team: team, Player: player}), invitation, player, team)
}

type declineInvitation struct {
	Team   table.TeamID
	Player table.PlayerID
}

func (o *declineInvitation) apply(t *tx) error { return t.decline(o.Team, o.Player) }

func (t *tx) decline(team table.TeamID, player table.PlayerID) error {
	return found(t.change(`DELETE FROM invitations WHERE team = ? AND player = ?`, team, player))
}

const invitation = "invitation of member %d to team %d"

// LeaveTeam takes a player off the roster. It returns lobby.ErrNotFound for a player without a team, and
// lobby.ErrHandOver for a captain who is not the last member. The last to leave ends the team: one that has
// begun a game keeps its results, name and tag; the name and tag of another are free again. Its row stays, as
// a league may still refer to it.
func (s *Store) LeaveTeam(ctx context.Context, player table.PlayerID, now time.Time) error {
	return during(s.run(ctx, &quitTeam{Player: player, At: now}), "member %d leaves the team", player)
}

type quitTeam struct {
	Player table.PlayerID
	At     time.Time
}

func (o *quitTeam) apply(t *tx) error { return t.leave(o.Player, o.At, true) }

// leaveTeam is quitTeam of earlier versions: a team without a game was deleted, even if a league had it.
type leaveTeam quitTeam

func (o *leaveTeam) apply(t *tx) error { return t.leave(o.Player, o.At, false) }

// leave takes a player off the roster; keep says whether a team that has not begun a game is kept when it ends.
func (t *tx) leave(player table.PlayerID, at time.Time, keep bool) error {
	var team table.TeamID
	var captain, played bool
	var members int
	err := t.queryRow(`SELECT teams.id, teams.captain = ?1, (SELECT count(*) FROM team_members WHERE team = teams.id),
		EXISTS (SELECT 1 FROM games WHERE team1 <> 0 AND team1 = teams.id) OR EXISTS (SELECT 1 FROM games WHERE team1 <> 0 AND team2 = teams.id)
		FROM team_members JOIN teams ON teams.id = team_members.team WHERE team_members.player = ?1`, player).
		Scan(&team, &captain, &members, &played)
	if err != nil {
		return found(err)
	}
	switch {
	case members > 1 && captain:
		return lobby.ErrHandOver
	case members > 1:
		return t.change(`DELETE FROM team_members WHERE player = ?`, player)
	case !played && !keep:
		return t.change(`DELETE FROM teams WHERE id = ?`, team)
	}
	if err := t.change(`DELETE FROM team_members WHERE player = ?`, player); err != nil {
		return err
	}
	if err := t.exec(`DELETE FROM invitations WHERE team = ?`, team); err != nil {
		return err
	}
	if !played { // no name has a skeleton with a space
		if err := t.change(`UPDATE teams SET skeleton = ' ' || id, tag_skeleton = ' ' || id WHERE id = ?`, team); err != nil {
			return err
		}
	}
	return t.change(`UPDATE teams SET ended = ? WHERE id = ?`, nanos(at), team)
}

func (s *Store) HandOver(ctx context.Context, team table.TeamID, to table.PlayerID) error {
	return during(s.run(ctx, &handOver{Team: team, To: to}), "team %d to member %d", team, to)
}

type handOver struct {
	Team table.TeamID
	To   table.PlayerID
}

func (o *handOver) apply(t *tx) error {
	return found(t.change(`UPDATE teams SET captain = ?2 WHERE id = ?1 AND EXISTS (SELECT 1 FROM team_members
		WHERE team = ?1 AND player = ?2)`, o.Team, o.To))
}

// tags returns the tags of a game's teams, empty where there is none.
func (t *tx) tags(teams [2]table.TeamID) (tags [2]string, err error) {
	for i, id := range teams {
		if id == 0 {
			continue
		}
		if err := t.queryRow(`SELECT tag FROM teams WHERE id = ?`, id).Scan(&tags[i]); err != nil {
			return tags, fmt.Errorf("team %d: %w", id, found(err))
		}
	}
	return tags, nil
}
