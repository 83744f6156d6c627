package feature

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event/contest"
	"boneyard/lobby/text"
	"boneyard/table"
	"boneyard/ui/plain"
)

var teamHelp = []string{
	"team TAG: its members, record, trophies and games; team alone: yours, and who has invited you.",
	"team new TAG NAME: creates a team. team invite NAME: invites somebody.",
	"team accept TAG, team decline TAG: answers an invitation.",
	"team captain NAME: hands your team over; your own name takes it over from a captain who has not come for 60 days, or is banned for good.",
	"team leave: leaves it; the last to leave ends it.",
}

const errTag text.Refusal = "There is no team with that tag; teams lists them."

func teams(ctx context.Context, q *Ask) (Answer, error) {
	all, err := everyTeam(func(after string) ([]lobby.TeamRow, error) { return q.Visit.Teams(ctx, after) })
	return list(q, plain.Teams, all, "", "No teams yet: type team new TAG NAME to create one.", func(t *lobby.TeamRow) string {
		return "[" + t.Tag + "] " + t.Name + ", " + text.Number(t.Members, "member") + "."
	}), err
}

// everyTeam collects a list that comes in parts, each starting after a name. It stops at a part without new
// teams, so that a name out of order cannot cause an endless loop.
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

func team(ctx context.Context, q *Ask) (Answer, error) {
	if len(q.Words) == 0 {
		return q.ownTeam(ctx)
	}
	v, rest := q.Visit, strings.Join(q.Words[1:], " ")
	switch word := strings.ToLower(q.Words[0]); {
	case word == "leave":
		return Answer{Question: "Leave your team?", Yes: func(ctx context.Context, q *Ask) (Answer, error) {
			return said("You have left your team.", q.Visit.LeaveTeam(ctx))
		}}, nil
	case rest == "":
	case word == "new":
		t, err := v.CreateTeam(ctx, strings.Join(q.Words[2:], " "), q.Words[1])
		if err != nil {
			return Answer{}, err
		}
		return Say("The team [" + t.Tag + "] " + t.Name + " is ready, and you are its captain. Type team invite NAME to invite others."), nil
	case word == "invite":
		return said(rest+" is invited.", v.Invite(ctx, rest))
	case word == "captain":
		return said(Captain(v, rest), v.HandOver(ctx, rest))
	case word == "accept", word == "decline":
		i, err := q.invitation(ctx, rest)
		if err != nil {
			return Answer{}, err
		}
		if word == "decline" {
			return said("The invitation from ["+i.Tag+"] is declined.", v.Decline(ctx, i.Team))
		}
		return said("You are in the team ["+i.Tag+"] "+i.Name+".", v.Accept(ctx, i.Team))
	}
	t, err := q.teamOf(ctx, q.Words[0])
	if err != nil {
		return Answer{}, err
	}
	told, err := q.describe(ctx, t)
	return Say(told...), err
}

// Captain says who has become the captain of a team.
func Captain(v *lobby.Visit, name string) string {
	if text.Skeleton(name) == text.Skeleton(v.Player().Name) {
		return "You are the captain now."
	}
	return text.Printable(name) + " is the captain now."
}

func (q *Ask) teamOf(ctx context.Context, tag string) (*lobby.Team, error) {
	t, err := q.Visit.FindTeam(ctx, tag)
	if errors.Is(err, lobby.ErrNoTeam) {
		return nil, errTag
	}
	return t, err
}

// Invites says who invites to which team, and how to answer.
func Invites(i *lobby.Invitation) string {
	return i.From + " invites you to [" + i.Tag + "] " + i.Name + ": team accept " + i.Tag + ", or team decline " + i.Tag + "."
}

func (q *Ask) ownTeam(ctx context.Context) (ans Answer, err error) {
	invitations, err := q.Visit.Invitations(ctx)
	if err != nil {
		return ans, err
	}
	for _, i := range invitations {
		ans.Lines = append(ans.Lines, Invites(&i))
	}
	id := q.Visit.Player().Team
	if id == 0 {
		ans.Lines = append(ans.Lines, "You are not in a team: type team new TAG NAME to create one.")
		return ans, nil
	}
	t, err := q.Visit.Team(ctx, id)
	if err != nil {
		return ans, err
	}
	told, err := q.describe(ctx, t)
	ans.Lines = append(ans.Lines, told...)
	return ans, err
}

func (q *Ask) describe(ctx context.Context, t *lobby.Team) ([]string, error) {
	told := []string{"[" + t.Tag + "] " + t.Name + ", since " + t.Created.UTC().Format("2006-01-02") + "."}
	if t.Stand != nil {
		told = append(told, "Standing "+standing(t.Stand))
	}
	for _, p := range t.Members {
		s := p.Name
		if p.ID == t.Captain {
			s += ", captain"
		}
		if p.Stand != nil {
			s += ", rating " + strconv.Itoa(p.Stand.Rating)
		}
		told = append(told, s+".")
	}
	if len(t.Invited) > 0 {
		told = append(told, "Invited: "+text.List(t.Invited)+".")
	}
	won, err := Trophies(ctx, q.Visit, t.ID)
	for _, w := range won {
		told = append(told, "Trophy, "+w.At.UTC().Format(time.DateOnly)+": "+text.Printable(w.Title)+".")
	}
	return append(told, q.games(t.Recent)...), err
}

// Trophies returns what a team has won: all leagues and cups, and the seasons and battles of the last year,
// newest first.
func Trophies(ctx context.Context, visit *lobby.Visit, id table.TeamID) ([]contest.Trophy, error) {
	all, err := visit.Trophies(ctx, id)
	if err != nil {
		return nil, err
	}
	titles, err := visit.Titles(ctx, 0, id)
	all = slices.Clone(all)
	for _, t := range titles {
		if t.Event == 0 || !slices.ContainsFunc(all, func(o contest.Trophy) bool { return o.Event == t.Event }) {
			all = append(all, contest.Trophy{Event: t.Event, Title: text.Ordinal(t.Place) + ", " + t.What, At: t.At})
		}
	}
	slices.SortStableFunc(all, func(a, b contest.Trophy) int { return b.At.Compare(a.At) })
	return all, err
}

// invitation returns the invitation from the team with a tag.
func (q *Ask) invitation(ctx context.Context, tag string) (lobby.Invitation, error) {
	all, err := q.Visit.Invitations(ctx)
	if err != nil {
		return lobby.Invitation{}, err
	}
	for _, i := range all {
		if strings.EqualFold(i.Tag, tag) {
			return i, nil
		}
	}
	return lobby.Invitation{}, lobby.ErrNotInvited
}
