package lobby

import (
	"context"
	"fmt"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/challenge"
	"boneyard/lobby/limit"
	"boneyard/table"
)

func (l eventClub) AskTo(ctx context.Context, cfg table.Config, players []table.PlayerID, by table.Player, what string) error {
	t, err := l.tableFor(ctx, cfg, by)
	if err != nil {
		return err
	}
	ask := promptOf(t, by.ID, "It is time for "+what+", at")
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, id := range players {
		asked := l.prompts[id] != nil && l.prompts[id].Table == t.ID()
		if p := l.people[id]; p != nil && !asked && l.hears(p, by) {
			l.prompt(p, ask)
		}
	}
	return nil
}

// tableFor makes the table of a challenge, or finds it.
func (l eventClub) tableFor(ctx context.Context, cfg table.Config, by table.Player) (*table.Table, error) {
	l.mu.Lock()
	for _, e := range l.directory {
		if e.table != nil && e.sum.Config.Challenge == cfg.Challenge {
			l.mu.Unlock()
			return e.table, nil
		}
	}
	if l.draining {
		l.mu.Unlock()
		return nil, ErrDraining
	}
	var taken places
	taken.table, _ = l.bounds.Take(l.bounds.eventTables.Quota, limit.Owner{})
	l.mu.Unlock()
	if taken.table == nil {
		return nil, ErrClubFull
	}
	deps := l.tables
	deps.NewCode = l.newCode
	t, err := table.Make(ctx, deps, cfg, by)
	if err != nil {
		taken.free()
		return nil, err
	}
	l.register(t, taken)
	return t, nil
}

// opponent prepares a challenge: for a team, it makes cfg a table for both teams and sets name to the team's
// captain. whom says who is challenged.
func (v *Visit) opponent(ctx context.Context, cfg *table.Config, team table.TeamID, name *string) (whom string, tags [2]string, err error) {
	if err := v.muted(); err != nil || team == 0 {
		return "you", tags, err
	}
	a, own, err := v.ownTeam(ctx)
	if err != nil {
		return "", tags, err
	}
	other, err := v.Team(ctx, team)
	switch {
	case err != nil:
		return "", tags, err
	case own.Captain != a.ID:
		return "", tags, ErrChallenger
	case other.ID == own.ID:
		return "", tags, ErrInTeam
	}
	captain := other.captain()
	if captain == nil {
		return "", tags, ErrNoTeam
	}
	cfg.Access, cfg.Teams, *name = table.AccessTeams, [2]table.TeamID{own.ID, team}, captain.Name
	return "your team", [2]string{own.Tag, other.Tag}, nil
}

// ChallengeAt challenges a person or a team to a game at a time, and leaves them a message. If both sides are
// here at that time, the club opens the table and invites them. reply says what has been done. ChallengeAt
// returns the refusals of Challenge and Plan.
func (v *Visit) ChallengeAt(ctx context.Context, cfg table.Config, team table.TeamID, name string, at time.Time) (reply string, err error) {
	l := v.lobby
	me, err := v.memberAsks()
	if err != nil {
		return "", err
	}
	if team == 0 && cfg.Access == table.AccessTeams {
		return "", challenge.ErrTeams
	}
	whom, tags, err := v.opponent(ctx, &cfg, team, &name)
	if err != nil {
		return "", err
	}
	if cfg.Name, err = v.publicTitle(cfg.Name); err != nil {
		return "", err
	}
	cfg.House, cfg.Guide, cfg.Event = false, false, table.Event{}
	a, err := ask(v, func() (*Account, error) { return l.stores.Accounts.ByName(ctx, name) })
	switch {
	case err != nil:
		return "", l.missing(ErrNoMember, "look for a name", err)
	case a.ID == me.ID:
		return "", ErrYourself
	}
	if s := l.sealedBetween(a.ID, me.ID); s != nil {
		return "", s.Refusal()
	}
	cfg.RuleText = cfg.Rules.String()
	when := event.DayAndTime(at)
	what, err := v.mayTalk(fmt.Sprintf("On %s I challenge %s to %s", when, whom, offered(&cfg, cfg.Casual())))
	if err != nil {
		return "", err
	}
	if a, err = v.recipient(ctx, name, true); err != nil {
		return "", err
	}
	id, err := v.Plan(ctx, challenge.Config{Table: cfg, Sides: [2]table.Player{1: {ID: a.ID, Name: a.Name}}, Teams: tags}, at)
	if err != nil {
		return "", err
	}
	reply, err = v.send(ctx, a, what+fmt.Sprintf(". To decline: challenge %d off", id), nil)
	if err != nil {
		if r := l.events.RoomOf(challenge.Kind, id); r != nil { // nobody knows about it: the disk failed in the meantime
			if err := r.Do(l.ctx, challenge.Withdraw); err != nil {
				l.log.Warn("withdraw a challenge", "event", id, "err", err)
			}
		}
		return "", err
	}
	return fmt.Sprintf("Challenge %d is set for %s. %s", id, when, reply), nil
}
