package lobby

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Prompt asks a person who is here a question that they answer with one key: to sit down at a table, or to
// join a team. It is also a note, which remains. Both are restored when a person who was disconnected comes
// back. A Prompt does not change.
type Prompt struct {
	Text  string // a sentence
	Later string // how to answer the note
	At    time.Time
	Table table.ID
	Team  table.TeamID // instead of Table

	by   table.PlayerID
	code string // of a private table
}

// Note returns the prompt as a note.
func (p *Prompt) Note() string { return text.Printable(p.Text + " (" + p.Later + ")") }

// PromptLasts is how long a prompt can be answered.
const PromptLasts = 3 * time.Minute

// Prompt returns what the person is being asked, or nil.
func (v *Visit) Prompt() *Prompt {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.prompts[v.person.id]
	if p == nil || l.expired(p) {
		return nil
	}
	if by := l.people[p.by]; by != nil && !l.hears(v.person, by.player) {
		return nil
	}
	if p.Team != 0 && !slices.ContainsFunc(v.person.invited, func(i Invitation) bool { return i.Team == p.Team }) {
		return nil
	}
	if e := l.directory[p.Table]; p.Table != 0 &&
		(e == nil || e.table == nil || l.sits(v.person.player.ID, p.Table) || !e.sum.MaySit(v.reader())) {
		return nil
	}
	return p
}

// Answer answers a prompt. With yes, the person gets a seat at the table and is ready, or joins the team;
// without, whoever asked is notified. Answer returns the table, or 0, and ErrNotInvited or errors of Do and
// Accept.
func (v *Visit) Answer(ctx context.Context, asked *Prompt, yes bool) (at table.ID, err error) {
	l := v.lobby
	if asked == nil || v.Prompt() != asked {
		return 0, ErrNotInvited
	}
	switch {
	case asked.Team != 0 && yes:
		err = v.Accept(ctx, asked.Team)
	case asked.Team != 0:
		err = v.Decline(ctx, asked.Team)
	case yes:
		if err = v.Do(ctx, asked.Table, table.Sit{Code: asked.code}); err == nil {
			at, err = asked.Table, v.Do(ctx, asked.Table, table.Ready{On: true})
		}
	default:
		err = v.allow()
	}
	if err != nil && at == 0 {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.prompts[v.person.id] == asked {
		delete(l.prompts, v.person.id)
		v.person.wake()
		if p := l.people[asked.by]; p != nil && !yes {
			to := "your team"
			if asked.Table != 0 {
				to = "table " + numbered(asked.Table)
			}
			l.note(p, "%s declines your invitation to %s.", v.person.player.Name, to)
		}
	}
	return at, err
}

// prompt asks a person something, unless they are asked too often, and reports whether it did. With mu held.
func (l *Lobby) prompt(p *person, ask Prompt) bool {
	if !l.limits.Allow(&l.limits.prompts, onePerson(p.id)) {
		return false
	}
	maps.DeleteFunc(l.prompts, func(_ table.PlayerID, old *Prompt) bool { return l.expired(old) })
	ask.At = l.now()
	l.prompts[p.id] = &ask
	l.notePrivately(p, Line{At: ask.At, Text: ask.Note()})
	return true
}

func (l *Lobby) expired(p *Prompt) bool { return l.now().Sub(p.At) > PromptLasts }

// promptOf returns an invitation to a table on a player's behalf, which begins with why.
func promptOf(t *table.Table, by table.PlayerID, why string) Prompt {
	s := t.Summary()
	game := offered(&s.Config, s.Casual())
	return Prompt{
		Text: fmt.Sprintf("%s table %d: %s", why, t.ID(), game), Later: "later: j " + cmp.Or(t.Code(), numbered(t.ID())) + " in the lobby",
		Table: t.ID(), by: by, code: t.Code(),
	}
}

// offered describes what is played, and why it will not count, if that is known.
func offered(c *table.Config, casual string) string {
	if casual != "" {
		return c.Game() + "; casual: " + casual
	}
	return c.Game()
}

// callTeam invites the members of a person's team who are here to a team table that the person opened.
func (v *Visit) callTeam(t *table.Table) {
	me := v.Player()
	ask := promptOf(t, me.ID, me.Name+" calls your team to")
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.people {
		if p.player.Team == me.Team && p != v.person && l.hears(p, me) {
			l.prompt(p, ask)
		}
	}
}

// MayChallenge returns nil, or why the person may not challenge anybody now.
func (v *Visit) MayChallenge() error {
	if err := v.muted(); err != nil {
		return err
	}
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.draining {
		return ErrDraining
	}
	return v.maySit()
}

// MayChallengeTeam is MayChallenge for teams; own is the person's team, or nil.
func (v *Visit) MayChallengeTeam(own *Team) error {
	if own == nil || own.Captain != v.Player().ID {
		return ErrChallenger
	}
	return v.MayChallenge()
}

// Challenge makes a table and invites a person, or if team is set, the members of that team and of one's own;
// the challenger is ready. If nobody who is here can be invited, the person or the team's captain gets a
// message, there is no table, and the error says so. Only captains challenge teams: ErrChallenger. Challenge
// also returns the refusals of NewTable, ErrNoTeam, ErrInTeam, ErrManyTells, ErrNotWanted, ErrYourself and
// ErrNoMember.
func (v *Visit) Challenge(ctx context.Context, cfg table.Config, team table.TeamID, name string) (*table.Table, error) {
	l, me := v.lobby, v.Player()
	whom, _, err := v.opponent(ctx, &cfg, team, &name)
	if err != nil {
		return nil, err
	}
	wanted := func(p *person) bool {
		return p != v.person && l.hears(p, me) && (team != 0 && p.player.Team == team || team == 0 && p == l.byName(name))
	}
	rule, _ := v.tells()
	here, asked := false, make(map[*person]bool)
	l.mu.Lock()
	for _, p := range l.people {
		if wanted(p) {
			here = true
			if l.limits.Allow(rule, onePerson(p.player.ID)) {
				asked[p] = true
			}
		}
	}
	l.mu.Unlock()
	if here && len(asked) == 0 {
		return nil, ErrManyTells
	}
	if !here {
		cfg.RuleText = cfg.Rules.String()
		reply, err := v.tell(ctx, name, fmt.Sprintf("I challenge %s to %s. Tell me when.", whom, offered(&cfg, cfg.Casual())), nil)
		if err == nil {
			err = text.Refusal(reply)
		}
		return nil, err
	}
	t, err := v.newTable(ctx, cfg, false)
	if err != nil {
		return t, err
	}
	ask := promptOf(t, me.ID, fmt.Sprintf("%s challenges %s at", me.Name, whom))
	var invited []string
	l.mu.Lock()
	for _, p := range l.people {
		if asked[p] && wanted(p) && l.prompt(p, ask) {
			invited = append(invited, p.player.Name)
		}
	}
	slices.Sort(invited)
	l.note(v.person, "Invited: %s.", strings.Join(invited, ", "))
	l.mu.Unlock()
	return t, v.Do(ctx, t.ID(), table.Ready{On: true})
}

// slashInvite invites people to the person's table; name beginnings will do. Absent members get a message.
func slashInvite(ctx context.Context, v *Visit, at where, args []string) (string, error) {
	l := v.lobby
	t, err := l.find(at.table)
	if err != nil {
		return "", ErrInviteWhere
	}
	s := t.Summary()
	if s.SeatOf(v.Player().ID) == 0 {
		return "", ErrInviteWhere
	}
	if s.Config.Event.ID != 0 || s.Room() == 0 {
		return "", ErrInviteFull
	}
	if len(args) >= rules.MaxSeats {
		return "", ErrInviteMany
	}
	ask := promptOf(t, v.Player().ID, v.Player().Name+" invites you to")
	code := cmp.Or(t.Code(), numbered(t.ID()))
	var replies []string
	for _, name := range args {
		name, err := v.meant(ctx, name)
		reply := ""
		if err == nil {
			reply, err = v.tell(ctx, name, fmt.Sprintf("join me at table %d: press 1, j, type %s; in line mode, join %[2]s", t.ID(), code), &ask)
		}
		switch {
		case err != nil && len(args) == 1:
			return "", err
		case err != nil:
			reply = name + ": " + err.Error()
		}
		replies = append(replies, reply)
	}
	return strings.Join(replies, " "), nil
}

// meant returns the name of a person who is here from its first letters, unless somebody has them as a name.
// What begins no name, or several, stays as it is. It returns a refusal for people kept apart.
func (v *Visit) meant(ctx context.Context, name string) (string, error) {
	l := v.lobby
	p, exact := v.begun(name)
	if p == nil {
		return name, nil
	}
	if !exact {
		if _, err := l.stores.Accounts.ByName(ctx, name); !errors.Is(err, ErrNotFound) {
			return name, nil
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if held := l.sealedBetween(p.id, v.person.id); held != nil {
		return name, held.Refusal()
	}
	return p.player.Name, nil
}

// begun returns the person here with a name, or the only one whose name begins with it, or nil.
func (v *Visit) begun(name string) (p *person, exact bool) {
	l, begins := v.lobby, text.Skeleton(name)
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.byName(name); p != nil {
		return p, true
	}
	for like, other := range l.present {
		if other != v.person && begins != "" && strings.HasPrefix(like, begins) {
			if p != nil {
				return nil, false
			}
			p = other
		}
	}
	return p, false
}
