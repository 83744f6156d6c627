package line

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/plain"
)

// The commands of teams.

var teamHelp = []string{
	"team TAG: its members, record and games; team alone: yours, and who has invited you.",
	"team new TAG NAME: creates a team. team invite NAME: invites somebody.",
	"team accept TAG, team decline TAG: answers an invitation.",
	"team captain NAME: hands your team over. team leave: leaves it; the last to leave ends it.",
}

const errTag text.Refusal = "There is no team with that tag; teams lists them."

func teams(ctx context.Context, m *mode, _ string) error {
	if err := m.visit.List(); err != nil {
		return err
	}
	list, err := everyTeam(func(after string) ([]lobby.TeamRow, error) { return m.visit.Teams(ctx, after) })
	if err != nil {
		return err
	}
	var lines []string
	for i := range list {
		t := &list[i]
		lines = append(lines, "["+t.Tag+"] "+t.Name+", "+plain.Number(t.Members, "member")+".")
	}
	if len(lines) == 0 {
		lines = []string{"No teams yet: type team new TAG NAME to create one."}
	}
	m.page(lines)
	return nil
}

// everyTeam puts a list together that comes in parts, each from after a name on. It ends where a part brings no new team, so that a
// name that is not in its place cannot lead around in a circle.
func everyTeam(next func(after string) ([]lobby.TeamRow, error)) (all []lobby.TeamRow, err error) {
	seen := make(map[table.TeamID]bool)
	for last := ""; ; {
		part, err := next(last)
		if err != nil {
			return nil, err
		}
		before := len(all)
		for _, t := range part {
			if !seen[t.ID] {
				seen[t.ID] = true
				all = append(all, t)
			}
			last = t.Name
		}
		if len(part) < lobby.TeamsLength || len(all) == before {
			return all, nil
		}
	}
}

// team shows a team, or does what its first word says.
func team(ctx context.Context, m *mode, args string) error {
	word, rest, _ := strings.Cut(args, " ")
	rest = strings.TrimSpace(rest)
	if run, ok := teamCommands[strings.ToLower(word)]; ok && (rest != "" || word == "leave") {
		return run(ctx, m, rest)
	}
	if word == "" {
		return ownTeam(ctx, m)
	}
	t, err := m.teamOf(ctx, word)
	if err != nil {
		return err
	}
	m.showTeam(t)
	return nil
}

var teamCommands = map[string]func(ctx context.Context, m *mode, args string) error{
	"new":     teamNew,
	"invite":  teamInvite,
	"accept":  teamAccept,
	"decline": teamDecline,
	"captain": teamCaptain,
	"leave":   teamLeave,
}

// teamOf finds a team by its tag.
func (m *mode) teamOf(ctx context.Context, tag string) (*lobby.Team, error) {
	t, err := m.visit.FindTeam(ctx, tag)
	if errors.Is(err, lobby.ErrNoTeam) {
		return nil, errTag
	}
	return t, err
}

func ownTeam(ctx context.Context, m *mode) error {
	invitations, err := m.visit.Invitations(ctx)
	if err != nil {
		return err
	}
	for _, v := range invitations {
		m.say(v.From + " invites you to [" + v.Tag + "] " + v.Name + ": team accept " + v.Tag + ", or team decline " + v.Tag + ".")
	}
	id := m.visit.Player().Team
	if id == 0 {
		m.say("You are not in a team: type team new TAG NAME to create one.")
		return nil
	}
	t, err := m.visit.Team(ctx, id)
	if err != nil {
		return err
	}
	m.showTeam(t)
	return nil
}

func (m *mode) showTeam(t *lobby.Team) {
	lines := []string{"[" + t.Tag + "] " + t.Name + ", since " + t.Created.UTC().Format("2006-01-02") + "."}
	if s := t.Stand; s != nil {
		lines = append(lines, "Standing "+standing(s))
	}
	for _, p := range t.Members {
		s := p.Name
		if p.ID == t.Captain {
			s += ", captain"
		}
		if p.Stand != nil {
			s += ", rating " + strconv.Itoa(p.Stand.Rating)
		}
		lines = append(lines, s+".")
	}
	if len(t.Invited) > 0 {
		lines = append(lines, "Invited: "+plain.List(t.Invited)+".")
	}
	for i := range t.Recent {
		lines = append(lines, plain.SayGame(&t.Recent[i], m.visit.Player()))
	}
	m.page(lines)
}

func teamNew(ctx context.Context, m *mode, args string) error {
	tag, name, _ := strings.Cut(args, " ")
	t, err := m.visit.CreateTeam(ctx, strings.TrimSpace(name), tag)
	if err != nil {
		return err
	}
	m.say("The team [" + t.Tag + "] " + t.Name + " is ready, and you are its captain. Type team invite NAME to invite others.")
	return nil
}

func teamInvite(ctx context.Context, m *mode, name string) error {
	return m.done(m.visit.Invite(ctx, name), name+" is invited.")
}

// invitation finds an invitation by the tag of its team.
func (m *mode) invitation(ctx context.Context, tag string) (lobby.Invitation, error) {
	list, err := m.visit.Invitations(ctx)
	if err != nil {
		return lobby.Invitation{}, err
	}
	for _, v := range list {
		if strings.EqualFold(v.Tag, tag) {
			return v, nil
		}
	}
	return lobby.Invitation{}, lobby.ErrNotInvited
}

func teamAccept(ctx context.Context, m *mode, tag string) error {
	v, err := m.invitation(ctx, tag)
	if err != nil {
		return err
	}
	return m.done(m.visit.Accept(ctx, v.Team), "You are in the team ["+v.Tag+"] "+v.Name+".")
}

func teamDecline(ctx context.Context, m *mode, tag string) error {
	v, err := m.invitation(ctx, tag)
	if err != nil {
		return err
	}
	return m.done(m.visit.Decline(ctx, v.Team), "The invitation from ["+v.Tag+"] is declined.")
}

func teamCaptain(ctx context.Context, m *mode, name string) error {
	return m.done(m.visit.HandOver(ctx, name), name+" is the captain now.")
}

func teamLeave(_ context.Context, m *mode, _ string) error {
	m.confirm("Leave your team?", func(ctx context.Context) error {
		if err := m.visit.LeaveTeam(ctx); err != nil {
			return err
		}
		m.say("You have left your team.")
		return nil
	})
	return nil
}

// versus compares two teams.
func versus(ctx context.Context, m *mode, args string) error {
	tags := strings.Fields(args)
	if len(tags) != 2 {
		return text.Refusal("Say which two teams: versus TAG TAG.")
	}
	a, err := m.teamOf(ctx, tags[0])
	if err != nil {
		return err
	}
	b, err := m.teamOf(ctx, tags[1])
	if err != nil {
		return err
	}
	h, err := m.visit.HeadToHead(ctx, a.ID, b.ID)
	if err != nil {
		return err
	}
	lines := []string{
		a.Name + " against " + b.Name + ": games " + strconv.Itoa(h.WonA) + " to " + strconv.Itoa(h.WonB) +
			", points " + strconv.Itoa(h.PointsA) + " to " + strconv.Itoa(h.PointsB) + ".",
	}
	for i := range h.Games {
		lines = append(lines, plain.SayGame(&h.Games[i], m.visit.Player()))
	}
	m.page(lines)
	return nil
}
