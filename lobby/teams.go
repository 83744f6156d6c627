package lobby

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/match"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/table"
)

// TeamsLength is the number of teams that Teams lists at a time.
const TeamsLength = 100

// nextTeams is the question for the teams after a skeleton, teamLike the one for the team that a word means.
type (
	nextTeams string
	teamLike  string
)

// Teams lists the teams by name that follow after, or all if that is "": TeamsLength of them, or fewer at the
// end. The list is shared; nobody may change it.
func (v *Visit) Teams(ctx context.Context, after string) ([]TeamRow, error) {
	after = text.Skeleton(after)
	return kept(ctx, v, nextTeams(after), "", "list teams", func(ctx context.Context) ([]TeamRow, error) {
		list, err := v.lobby.stores.Teams.ListTeams(ctx, after, TeamsLength)
		shields := v.Shields()
		for i := range list {
			list[i].Shield = shields.Teams[list[i].ID]
		}
		return list, err
	})
}

// Team returns a team with its roster, record and games, or ErrNoTeam. It is shared; nobody may change it.
func (v *Visit) Team(ctx context.Context, id table.TeamID) (*Team, error) {
	return kept(ctx, v, id, ErrNoTeam, "read a team", func(ctx context.Context) (*Team, error) { return v.lobby.stores.Teams.Team(ctx, id) })
}

// FindTeam returns the team whose tag or name looks like word, or ErrNoTeam. It is shared: do not change it.
func (v *Visit) FindTeam(ctx context.Context, word string) (*Team, error) {
	t, err := v.AnyTeam(ctx, word)
	if err == nil && !t.Ended.IsZero() {
		return nil, ErrNoTeam
	}
	return t, err
}

// AnyTeam is FindTeam including disbanded teams.
func (v *Visit) AnyTeam(ctx context.Context, word string) (*Team, error) {
	word = text.Skeleton(word)
	return kept(ctx, v, teamLike(word), ErrNoTeam, "find a team",
		func(ctx context.Context) (*Team, error) { return v.lobby.stores.Teams.FindTeam(ctx, word) })
}

// ownTeam returns the team of a person who makes a request in its name, as it is on disk now.
func (v *Visit) ownTeam(ctx context.Context) (Account, *Team, error) {
	a, err := v.memberAsks()
	if err != nil {
		return a, nil, err
	}
	if a.Team == 0 {
		return a, nil, ErrNoTeam
	}
	t, err := ask(v, func() (*Team, error) { return v.lobby.stores.Teams.Team(ctx, a.Team) })
	return a, t, v.lobby.missing(ErrNoTeam, "read a team", err)
}

// CreateTeam creates a team with this person as captain and only member. It returns ErrMembersOnly,
// ErrHasTeam, ErrTeamTaken, or the refusals of a title and a tag.
func (v *Visit) CreateTeam(ctx context.Context, name, tag string) (*Team, error) {
	a, err := v.memberAsks()
	if err != nil {
		return nil, err
	}
	if a.Team != 0 {
		return nil, ErrHasTeam
	}
	if name, err = text.CleanTitle(name); err != nil {
		return nil, err
	}
	if err := v.mayName(); err != nil {
		return nil, err
	}
	if tag, err = text.CleanTag(tag); err != nil {
		return nil, err
	}
	l := v.lobby
	if err := v.may(&l.limits.teams, ErrManyTeams); err != nil {
		return nil, err
	}
	for _, turn := range []chan struct{}{l.naming, l.roster} {
		var release func()
		if ctx, release, err = event.Change(ctx, turn); err != nil {
			return nil, l.trouble("wait to make a team", err)
		}
		defer release()
	}
	for _, word := range []string{name, tag} {
		for _, like := range text.Lookalikes(word) {
			t, err := l.stores.Teams.FindTeam(ctx, like.Skeleton)
			switch {
			case err == nil && (strings.Contains(t.Name, like.Needs) || strings.Contains(t.Tag, like.Needs)):
				return nil, ErrTeamTaken
			case err != nil && !errors.Is(err, ErrNotFound):
				return nil, l.trouble("look for a team", err)
			}
		}
	}
	t, err := l.stores.Teams.CreateTeam(ctx, a.ID, name, text.Skeleton(name), tag, l.now())
	switch {
	case errors.Is(err, ErrTaken):
		return nil, ErrTeamTaken
	case err != nil:
		return nil, l.trouble("make a team", err)
	}
	l.joined(a.ID, t.ID, t.Tag, t.Name)
	return t, nil
}

// joined records that a member has another team, or none, for all sessions of the member.
func (l *Lobby) joined(id table.PlayerID, team table.TeamID, tag, name string) {
	l.answers.forget()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.edits++
	p := l.people[id]
	if p == nil {
		return
	}
	a := p.account
	a.Team, a.Tag, a.TeamName = team, tag, name
	p.become(a)
	p.wake()
	l.changed(partPeople)
}

// Invite invites a member to the person's team. It returns ErrCaptain, ErrTeamFull, ErrNoMember or ErrInTeam.
func (v *Visit) Invite(ctx context.Context, name string) error {
	l := v.lobby
	// One at a time: if the team is disbanded next, those whom it has invited are known.
	ctx, release, err := event.Change(ctx, l.roster)
	if err != nil {
		return l.trouble("wait to invite somebody", err)
	}
	defer release()
	a, t, err := v.ownTeam(ctx)
	if err != nil {
		return err
	}
	if err := v.muted(); err != nil {
		return err
	}
	switch {
	case t.Captain != a.ID:
		return ErrCaptain
	case len(t.Members) >= l.cfg.TeamSize:
		return ErrTeamFull
	}
	whom, err := l.stores.Accounts.ByName(ctx, name)
	switch {
	case err != nil:
		return l.missing(ErrNoMember, "look for a name", err)
	case whom.Team == t.ID:
		return ErrInTeam
	}
	if s := l.sealedBetween(a.ID, whom.ID); s != nil {
		return s.Refusal()
	}
	if whom.Settings.ignores(a.Name) {
		return ErrNotWanted
	}
	again := slices.ContainsFunc(t.Invited, func(name string) bool { return text.Skeleton(name) == text.Skeleton(whom.Name) })
	if !again {
		if err := v.may(&l.limits.invites, ErrManyInvitations); err != nil {
			return err
		}
	}
	if err := l.stores.Teams.Invite(ctx, t.ID, a.ID, whom.ID, l.now()); err != nil {
		return l.missing(ErrNoTeam, "invite somebody", err) // the team was disbanded in the meantime
	}
	l.recallAll(t.Invited[:min(1, len(t.Invited))]) // the oldest invitation may be gone for this one
	l.answers.forget()
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.people[whom.ID]; p != nil {
		l.recallInvitations(whom.ID)
		// Note each invitation once, and not when many come at once: they are on the page of teams.
		if again || !l.limits.Allow(&l.limits.inviteNotes, limit.Who{Key: whom.Key}) {
			return nil
		}
		l.prompt(p, Prompt{
			Text:  fmt.Sprintf("%s invites you to the team %s [%s]", a.Name, t.Name, t.Tag),
			Later: "later: page 2, or team accept " + t.Tag + " in line mode", Team: t.ID, by: a.ID,
		})
	}
	return nil
}

// Invitations lists the teams that invite this person; guests get none.
func (v *Visit) Invitations(ctx context.Context) ([]Invitation, error) {
	a := v.account()
	if a.ID.Guest() {
		return nil, nil
	}
	list, err := ask(v, func() ([]Invitation, error) { return v.lobby.stores.Teams.Invitations(ctx, a.ID) })
	return list, v.lobby.trouble("list invitations", err)
}

// Accept joins a team that invited this person. It returns ErrHasTeam, ErrNotInvited or ErrTeamFull.
func (v *Visit) Accept(ctx context.Context, id table.TeamID) error {
	a, err := v.memberAsks()
	if err != nil {
		return err
	}
	if a.Team != 0 {
		return ErrHasTeam
	}
	l := v.lobby
	defer l.recallInvitations(a.ID) // also if this one is gone
	// One at a time: of two people for whom there is one place, the second must find the team full.
	ctx, release, err := event.Change(ctx, l.roster)
	if err != nil {
		return l.trouble("wait to join a team", err)
	}
	defer release()
	t, err := l.stores.Teams.Team(ctx, id)
	switch {
	case err != nil:
		return l.missing(ErrNotInvited, "read a team", err)
	case len(t.Members) >= l.cfg.TeamSize:
		return ErrTeamFull
	}
	if err := l.stores.Teams.Accept(ctx, id, a.ID, l.now()); err != nil {
		return l.missing(ErrNotInvited, "join a team", err)
	}
	l.joined(a.ID, t.ID, t.Tag, t.Name)
	l.tellTeam(t, a.ID, fmt.Sprintf("%s has joined your team.", a.Name))
	return nil
}

// tellTeam sends a message to the members of a team, except one.
func (l *Lobby) tellTeam(t *Team, but table.PlayerID, what string) {
	eventClub{l}.Tell(rosterOf(t).Members, but, what)
}

// Decline declines an invitation, if it exists.
func (v *Visit) Decline(ctx context.Context, id table.TeamID) error {
	a, err := v.memberAsks()
	if err != nil {
		return err
	}
	if err := v.lobby.stores.Teams.Decline(ctx, id, a.ID); err != nil && !errors.Is(err, ErrNotFound) {
		return v.lobby.trouble("decline an invitation", err)
	}
	v.lobby.answers.forget()
	v.lobby.recallInvitations(a.ID)
	return nil
}

// LeaveTeam leaves the person's team, which is disbanded with its last member. A captain of others must hand
// it over first (ErrHandOver), and a player seated for the team must stand up (ErrTeamSeat), so that no game
// begins for a disbanded team.
func (v *Visit) LeaveTeam(ctx context.Context) error {
	l := v.lobby
	// One at a time: this is the team to leave, and nobody joins, leaves or is invited meanwhile.
	ctx, release, err := event.Change(ctx, l.roster)
	if err != nil {
		return l.trouble("wait to leave a team", err)
	}
	defer release()
	a, t, err := v.ownTeam(ctx)
	if err != nil {
		return err
	}
	if t.Captain == a.ID && len(t.Members) > 1 {
		return ErrHandOver
	}
	stay, err := l.keepFromTeamTables(a.ID)
	if err != nil {
		return err
	}
	defer stay()
	if err := l.stores.Teams.LeaveTeam(ctx, a.ID, l.now()); err != nil {
		return l.missing(ErrNoTeam, "leave a team", err) // they have just left in another session
	}
	l.joined(a.ID, 0, "", "")
	if len(t.Members) == 1 { // the team was disbanded, and its invitations with it
		l.recallAll(t.Invited)
		l.jobs.run(func() { match.SignOff(l.events, t.ID) })
	}
	l.tellTeam(t, a.ID, fmt.Sprintf("%s has left your team.", a.Name))
	return nil
}

// keepFromTeamTables keeps a player from sitting down at team tables until stay is called. It returns
// ErrTeamSeat if they sit at one, or are about to.
func (l *Lobby) keepFromTeamTables(id table.PlayerID) (stay func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seatedWhere(id, forTeams) {
		return nil, ErrTeamSeat
	}
	for _, p := range l.promised {
		if seat, ok := p.key.(seatOf); ok && seat.who == id && l.forTeams(seat.at) {
			return nil, ErrTeamSeat
		}
	}
	l.leaving[id]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.leaving[id]--; l.leaving[id] == 0 {
			delete(l.leaving, id)
		}
	}, nil
}

func forTeams(s *table.Summary) bool { return s.Config.Access == table.AccessTeams }

// forTeams reports whether a table is a team table. With mu held.
func (l *Lobby) forTeams(id table.ID) bool {
	e := l.directory[id]
	return e != nil && forTeams(&e.sum)
}

// captain returns the team's captain, or nil while they are leaving.
func (t *Team) captain() *Member {
	i := slices.IndexFunc(t.Members, func(m Member) bool { return m.ID == t.Captain })
	if i < 0 {
		return nil
	}
	return &t.Members[i]
}

// MayTakeOver reports whether the person is a member of a team whose captain was away for 60 days, or is
// banned for good: there was nobody else then.
func (v *Visit) MayTakeOver(t *Team) bool {
	const captainAway = 60 * 24 * time.Hour // how long a captain must have been away before another member may take over the team
	l, me := v.lobby, v.Player()
	captain := t.captain()
	if captain == nil || captain.ID == me.ID || me.Team != t.ID {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return outForGood(l.sanctions.Load().all, captain.ID) ||
		l.people[captain.ID] == nil && l.earlierTime().Sub(captain.Seen) >= captainAway
}

// HandOver makes another member the captain of the person's team, or the person, see [Visit.MayTakeOver]. It
// returns ErrCaptain, ErrNoMember, ErrBannedCaptain or ErrManyCaptains.
func (v *Visit) HandOver(ctx context.Context, name string) error {
	l := v.lobby
	// One at a time: once the captain has changed, others who want to hand over or take over are refused.
	ctx, release, err := event.Change(ctx, l.roster)
	if err != nil {
		return l.trouble("wait to hand a team over", err)
	}
	defer release()
	a, t, err := v.ownTeam(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(t.Members, func(m Member) bool { return text.Skeleton(m.Name) == text.Skeleton(name) })
	if t.Captain != a.ID && (i < 0 || t.Members[i].ID != a.ID || !v.MayTakeOver(t)) {
		return ErrCaptain
	}
	switch {
	case i < 0:
		return ErrNoMember
	case outForGood(l.sanctions.Load().all, t.Members[i].ID):
		return ErrBannedCaptain
	}
	if err := v.may(&l.limits.invites, ErrManyCaptains); err != nil { // all members are told
		return err
	}
	if err := l.stores.Teams.HandOver(ctx, t.ID, t.Members[i].ID); err != nil {
		return l.missing(ErrNoMember, "hand a team over", err) // they have left in the meantime
	}
	l.handedOver(t, &t.Members[i], a.ID)
	return nil
}

// handedOver tells the members of a team, except one, who is captain now.
func (l *Lobby) handedOver(t *Team, to *Member, but table.PlayerID) {
	l.answers.forget()
	l.tellTeam(t, but, to.Name+" is the captain of your team now.")
}

// Invited returns the invitations that wait for this person's answer, newest first, from memory: it is for
// drawing. The slice is shared; nobody may change it.
func (v *Visit) Invited() []Invitation {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.person.invited
}

// recallAgain is how long after a failure a store is tried again.
const recallAgain = time.Minute

// later runs a background job after a while.
func (l *Lobby) later(wait time.Duration, job func()) {
	time.AfterFunc(wait, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if !l.closed {
			l.jobs.run(job)
		}
	})
}

// recallInvitations reloads a member's invitations and wakes the member's sessions if they have changed. It
// does not wait; reads are made in the order of calls, so that the last answer stays.
func (l *Lobby) recallInvitations(id table.PlayerID) {
	l.jobs.run(func() {
		list, err := l.stores.Teams.Invitations(l.ctx, id)
		l.mu.Lock()
		defer l.mu.Unlock()
		p := l.people[id]
		switch {
		case p == nil, l.closed:
		case err != nil:
			l.log.Warn("store: list invitations", "player", id, "err", err)
			l.later(recallAgain, func() { l.recallInvitations(id) })
		case !slices.Equal(p.invited, list):
			p.invited = list
			p.wake()
		}
	})
}

// recallAll is recallInvitations for members who are here.
func (l *Lobby) recallAll(names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		if p := l.present[text.Skeleton(name)]; p != nil {
			l.recallInvitations(p.player.ID)
		}
	}
}
