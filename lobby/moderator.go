package lobby

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
)

// Moderator carries out operators' commands on the stores: for a visit, or while no lobby runs on them.
type Moderator struct {
	Accounts
	Moderation
	Teams
	By  string           // the operator, for the audit log
	Now func() time.Time // the wall clock
}

// Punish mutes or bans a member by name, or a network, or an address, which stands for its [limit.Household].
// args are what it applies to (key for a member, net for a network; the other is refused), how long (30m, 2h,
// 7d, 4w or forever; by default, usual) and why. It returns the sanction. It returns ErrNoMember, ErrNotNetwork, or the
// refusals of chat.
func (m *Moderator) Punish(ctx context.Context, kind, whom string, args []string, usual time.Duration) (Sanction, error) {
	t, err := findTarget(ctx, m.Accounts, whom)
	if err != nil {
		return Sanction{}, err
	}
	p, err := newPenalty(kind, t, args, usual)
	if err != nil {
		return Sanction{}, err
	}
	done, err := m.put(ctx, p)
	if err != nil {
		return Sanction{}, err
	}
	_, _, err = m.succeed(ctx, p)
	return done[0], err
}

// Pardon lifts all sanctions of a kind that are in force at now, by name, network or the sanction's number,
// and returns how many.
func (m *Moderator) Pardon(ctx context.Context, kind, whom string, now time.Time) (int, error) {
	if net, ok := parseNet(whom); ok {
		whom = net.String()
	}
	if err := m.audit(ctx, "un"+kind, text.Printable(strings.TrimSpace(whom)), ""); err != nil {
		return 0, err
	}
	n, err := m.LiftSanction(ctx, kind, whom, now)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return 0, fmt.Errorf("lift a sanction: %w", err)
	}
	return n, nil
}

// penalty is a mute or a ban as an operator asks for it.
type penalty struct {
	kind string
	*target
	term time.Duration // 0: for good
	why  string
}

// newPenalty parses the arguments after the name.
func newPenalty(kind string, t *target, args []string, usual time.Duration) (*penalty, error) {
	by, args := parseReach(args)
	d, words, err := term(args, usual)
	if err != nil {
		return nil, err
	}
	if by == reachUsual && len(words) < len(args) { // the two may come in either order
		by, words = parseReach(words)
	}
	why := strings.Join(words, " ")
	if why != "" {
		if why, err = text.CleanLine(why); err != nil {
			return nil, err
		}
	}
	return &penalty{kind: kind, target: t, term: d, why: why}, t.narrow(kind, by)
}

// put writes a penalty to the audit log and then to the store; if the former fails, it does nothing. A person
// with several networks gets a sanction for each. put returns the stored ones, even with an error.
func (m *Moderator) put(ctx context.Context, p *penalty) (done []Sanction, err error) {
	if err := m.audit(ctx, p.kind, p.name, p.by()+", "+termText(p.term, p.why)); err != nil {
		return nil, err
	}
	now := m.Now()
	s := Sanction{Kind: p.kind, Name: p.name, Why: p.why, By: m.By, At: now}
	if p.term != 0 {
		s.Until = now.Add(p.term).Round(0) // by the wall clock, even after the machine was asleep
	}
	if p.key != nil {
		s.Player = p.id
		if p.kind == SanctionBan {
			s.Key = p.key
		}
	}
	for i := range max(len(p.nets), 1) {
		if i < len(p.nets) {
			s.Net = p.nets[i].String()
		}
		if s.ID, err = m.AddSanction(ctx, s); err != nil {
			return done, fmt.Errorf("add a sanction: %w", err)
		}
		done = append(done, s)
		s.Player, s.Key = 0, nil // one sanction by key is enough
	}
	return done, nil
}

// succeed replaces a captain who is banned for good by the longest-standing member who is not. It returns the
// team and its new captain, or nil.
func (m *Moderator) succeed(ctx context.Context, p *penalty) (*Team, *Member, error) {
	if p.kind != SanctionBan || p.key == nil || p.term != 0 {
		return nil, nil, nil
	}
	a, err := m.ByKey(ctx, *p.key)
	if err != nil || a.Team == 0 {
		return nil, nil, err
	}
	t, err := m.Team(ctx, a.Team)
	if err != nil || t.Captain != a.ID {
		return nil, nil, err
	}
	inForce, err := m.Sanctions(ctx, m.Now())
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(t.Members, func(o Member) bool { return !outForGood(inForce, o.ID) })
	if i < 0 || !outForGood(inForce, a.ID) { // the ban may have been lifted in the meantime
		return nil, nil, nil
	}
	return t, &t.Members[i], m.HandOver(ctx, t.ID, t.Members[i].ID)
}

// outForGood reports whether one of the sanctions in force bans a player without end.
func outForGood(inForce []Sanction, id table.PlayerID) bool {
	return slices.ContainsFunc(inForce, func(s Sanction) bool { return s.Kind == SanctionBan && s.Player == id && s.Until.IsZero() })
}

// audit records what is about to be done; if that fails, it must not be done.
func (m *Moderator) audit(ctx context.Context, did, whom, why string) error {
	if err := m.Audit(ctx, AuditEntry{At: m.Now(), By: m.By, Did: did, Whom: whom, Why: why}); err != nil {
		return fmt.Errorf("write the audit log: %w", err)
	}
	return nil
}
