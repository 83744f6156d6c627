package lobbytest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
)

// team is a team that has not ended. With mu held.
func (s *Store) team(id table.TeamID) *lobby.Team {
	if id < 1 || int(id) > len(s.teams) || s.ended[id] {
		return nil
	}
	return &s.teams[id-1]
}

// teamOf is the team that a member is in, nil if none. With mu held.
func (s *Store) teamOf(id table.PlayerID) *lobby.Team {
	for i := range s.teams {
		t := &s.teams[i]
		if slices.ContainsFunc(t.Members, func(m lobby.Member) bool { return m.ID == id }) {
			return t
		}
	}
	return nil
}

// copyOf is a team as it is given out. With mu held.
func (s *Store) copyOf(t *lobby.Team) lobby.Team {
	c := *t
	c.Members = slices.Clone(t.Members)
	for _, v := range s.invited {
		if a := s.account(v.player); v.Team == t.ID && a != nil {
			c.Invited = append(c.Invited, a.Name)
		}
	}
	return c
}

// CreateTeam implements lobby.Teams.
func (s *Store) CreateTeam(ctx context.Context, captain table.PlayerID, name, skeleton, tag string, now time.Time) (*lobby.Team, error) {
	var made lobby.Team
	err := s.write(ctx, func() error {
		taken := slices.ContainsFunc(s.teams, func(t lobby.Team) bool {
			return text.Skeleton(t.Name) == skeleton || text.Skeleton(t.Tag) == text.Skeleton(tag)
		})
		switch {
		case taken:
			return lobby.ErrTaken
		case s.teamOf(captain) != nil:
			return lobby.ErrHasTeam
		}
		t := lobby.Team{ID: table.TeamID(len(s.teams) + 1), Name: name, Tag: tag, Captain: captain, Created: now}
		t.Members = []lobby.Member{{ID: captain, Name: s.account(captain).Name, Joined: now}}
		s.teams = append(s.teams, t)
		made = s.copyOf(&t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &made, nil
}

// Team implements lobby.Teams.
func (s *Store) Team(ctx context.Context, id table.TeamID) (*lobby.Team, error) {
	t, err := s.findTeam(ctx, func(t *lobby.Team) bool { return t.ID == id })
	if err == nil && s.TeamGames != nil {
		t.Recent = s.TeamGames(id)
	}
	return t, err
}

// FindTeam implements lobby.Teams.
func (s *Store) FindTeam(ctx context.Context, word string) (*lobby.Team, error) {
	t, err := s.findTeam(ctx, func(t *lobby.Team) bool { return text.Skeleton(t.Tag) == text.Skeleton(word) })
	if errors.Is(err, lobby.ErrNotFound) {
		return s.findTeam(ctx, func(t *lobby.Team) bool { return text.Skeleton(t.Name) == text.Skeleton(word) })
	}
	return t, err
}

func (s *Store) findTeam(ctx context.Context, fits func(*lobby.Team) bool) (found *lobby.Team, err error) {
	err = s.read(ctx, func() error {
		for i := range s.teams {
			if t := &s.teams[i]; !s.ended[t.ID] && fits(t) {
				c := s.copyOf(t)
				found = &c
				return nil
			}
		}
		return lobby.ErrNotFound
	})
	return found, err
}

// ListTeams implements lobby.Teams.
func (s *Store) ListTeams(ctx context.Context, after string, limit int) (list []lobby.TeamRow, err error) {
	err = s.read(ctx, func() error {
		for i := range s.teams {
			if t := &s.teams[i]; !s.ended[t.ID] && text.Skeleton(t.Name) > after {
				list = append(list, lobby.TeamRow{ID: t.ID, Name: t.Name, Tag: t.Tag, Captain: s.account(t.Captain).Name, Members: len(t.Members)})
			}
		}
		slices.SortFunc(list, func(a, b lobby.TeamRow) int { return cmp.Compare(text.Skeleton(a.Name), text.Skeleton(b.Name)) })
		list = list[:min(limit, len(list))]
		return nil
	})
	return list, err
}

// Invite implements lobby.Teams.
func (s *Store) Invite(ctx context.Context, team table.TeamID, by, player table.PlayerID, now time.Time) error {
	return s.write(ctx, func() error {
		t := s.team(team)
		switch {
		case t == nil || s.account(player) == nil:
			return lobby.ErrNotFound
		case t.Captain != by:
			return lobby.ErrCaptain
		case s.teamOf(player) == t:
			return lobby.ErrInTeam
		case s.invitation(team, player) >= 0:
			return nil
		}
		s.invited = append(s.invited, invitation{player, lobby.Invitation{
			Team: team, Name: t.Name, Tag: t.Tag, From: s.account(by).Name, At: now,
		}})
		return nil
	})
}

func (s *Store) invitation(team table.TeamID, player table.PlayerID) int {
	return slices.IndexFunc(s.invited, func(v invitation) bool { return v.Team == team && v.player == player })
}

// Invitations implements lobby.Teams.
func (s *Store) Invitations(ctx context.Context, player table.PlayerID) (list []lobby.Invitation, err error) {
	err = s.read(ctx, func() error {
		for _, v := range slices.Backward(s.invited) {
			if v.player == player {
				list = append(list, v.Invitation)
			}
		}
		return nil
	})
	return list, err
}

// Accept implements lobby.Teams.
func (s *Store) Accept(ctx context.Context, team table.TeamID, player table.PlayerID, now time.Time) error {
	return s.write(ctx, func() error {
		t, i := s.team(team), s.invitation(team, player)
		switch {
		case t == nil || i < 0:
			return lobby.ErrNotFound
		case s.teamOf(player) != nil:
			return lobby.ErrHasTeam
		}
		s.invited = slices.Delete(s.invited, i, i+1)
		t.Members = append(t.Members, lobby.Member{ID: player, Name: s.account(player).Name, Joined: now})
		return nil
	})
}

// Decline implements lobby.Teams.
func (s *Store) Decline(ctx context.Context, team table.TeamID, player table.PlayerID) error {
	return s.write(ctx, func() error {
		i := s.invitation(team, player)
		if i < 0 {
			return lobby.ErrNotFound
		}
		s.invited = slices.Delete(s.invited, i, i+1)
		return nil
	})
}

// LeaveTeam implements lobby.Teams.
func (s *Store) LeaveTeam(ctx context.Context, player table.PlayerID, _ time.Time) error {
	return s.write(ctx, func() error {
		t := s.teamOf(player)
		switch {
		case t == nil:
			return lobby.ErrNotFound
		case t.Captain == player && len(t.Members) > 1:
			return lobby.ErrHandOver
		}
		t.Members = slices.DeleteFunc(t.Members, func(m lobby.Member) bool { return m.ID == player })
		if len(t.Members) == 0 {
			s.ended[t.ID] = true
			s.invited = slices.DeleteFunc(s.invited, func(v invitation) bool { return v.Team == t.ID })
		}
		return nil
	})
}

// HandOver implements lobby.Teams.
func (s *Store) HandOver(ctx context.Context, team table.TeamID, to table.PlayerID) error {
	return s.write(ctx, func() error {
		t := s.team(team)
		if t == nil || s.teamOf(to) != t {
			return lobby.ErrNotFound
		}
		t.Captain = to
		return nil
	})
}

// Standing implements lobby.Standings; see Table.
func (s *Store) Standing(ctx context.Context, kind lobby.Kind, id int64) (*lobby.Standing, error) {
	list, err := s.Standings(ctx, lobby.StandingsQuery{Kind: kind})
	for i := range list {
		if list[i].ID == id {
			return &list[i], err
		}
	}
	return nil, err
}

// HeadToHead implements lobby.Standings; the teams have no games here.
func (s *Store) HeadToHead(ctx context.Context, a, b table.TeamID) (*lobby.HeadToHead, error) {
	h := &lobby.HeadToHead{}
	for id, stand := range map[table.TeamID]*lobby.Standing{a: &h.A, b: &h.B} {
		t, err := s.Team(ctx, id)
		if err != nil {
			return nil, err
		}
		*stand = lobby.Standing{ID: int64(id), Name: t.Name, Tag: t.Tag}
	}
	return h, nil
}

// Ratings implements lobby.Standings; see Table.
func (s *Store) Ratings(ctx context.Context, limit int) (map[table.PlayerID]int, error) {
	all := map[table.PlayerID]int{}
	rows, err := s.Standings(ctx, lobby.StandingsQuery{Kind: lobby.KindPlayer, Limit: limit})
	for i := range rows {
		all[table.PlayerID(rows[i].ID)] = rows[i].Rating
	}
	return all, err
}

// Standings implements lobby.Standings; see Table.
func (s *Store) Standings(ctx context.Context, q lobby.StandingsQuery) ([]lobby.Standing, error) {
	if s.Table == nil {
		return nil, ctx.Err()
	}
	return s.Table(q), ctx.Err()
}
