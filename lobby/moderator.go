package lobby

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"boneyard/lobby/text"
)

// Moderator does what the operators' commands do, while no lobby runs on the store: a lobby would not hear of it.
type Moderator struct {
	Store interface {
		Accounts
		Moderation
	}
	By  string           // who does it, for the audit log
	Now func() time.Time // the wall clock
}

// Punish mutes or bans somebody: a member by name, or a network, or an address, which stands for its place. args are by
// what (key for a member, net for a network; the other is refused), for how long (30m, 2h, 7d, 4w or forever; without it, usual) and why. It returns the sanction. It refuses with ErrNoMember, or
// as chat is refused.
func (m *Moderator) Punish(ctx context.Context, kind, whom string, args []string, usual time.Duration) (Sanction, error) {
	by, args := parseReach(args)
	d, why, err := term(args, usual)
	if err != nil {
		return Sanction{}, err
	}
	if why != "" {
		clean, err := text.CleanLine(why)
		if err != nil {
			return Sanction{}, err
		}
		why = clean
	}
	s := Sanction{Kind: kind, Why: why, By: m.By, At: m.Now()}
	if d != 0 {
		s.Until = s.At.Add(d)
	}
	if net, err := parseNet(whom); err == nil {
		if by == reachKey || by == reachBoth {
			return Sanction{}, ErrNoKey
		}
		s.Name, s.Net = net.String(), net.String()
	} else if by == reachNetwork || by == reachBoth {
		return Sanction{}, ErrNoNetwork
	} else {
		a, err := m.Store.ByName(ctx, whom)
		if errors.Is(err, ErrNotFound) {
			return Sanction{}, ErrNoMember
		} else if err != nil {
			return Sanction{}, fmt.Errorf("look for a name: %w", err)
		}
		s.Name, s.Player = a.Name, a.ID
		if kind == SanctionBan {
			s.Key = &a.Key
		}
	}
	if err := m.audit(ctx, kind, s.Name, termText(d, why)); err != nil {
		return Sanction{}, err
	}
	if s.ID, err = m.Store.AddSanction(ctx, s); err != nil {
		return Sanction{}, fmt.Errorf("add a sanction: %w", err)
	}
	return s, nil
}

// Pardon lifts all sanctions of a kind on somebody, by name, network or the sanction's number, and returns how many.
func (m *Moderator) Pardon(ctx context.Context, kind, whom string) (int, error) {
	if net, err := parseNet(whom); err == nil {
		whom = net.String()
	}
	if err := m.audit(ctx, "un"+kind, text.Printable(strings.TrimSpace(whom)), ""); err != nil {
		return 0, err
	}
	n, err := m.Store.LiftSanction(ctx, kind, whom, m.Now())
	if err != nil && !errors.Is(err, ErrNotFound) {
		return 0, fmt.Errorf("lift a sanction: %w", err)
	}
	return n, nil
}

// audit writes down what is about to be done; what could not be written down is not done.
func (m *Moderator) audit(ctx context.Context, did, whom, why string) error {
	err := m.Store.Audit(ctx, AuditEntry{At: m.Now(), By: m.By, Did: did, Whom: whom, Why: why})
	if err != nil {
		return fmt.Errorf("write the audit log: %w", err)
	}
	return nil
}
