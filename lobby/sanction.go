package lobby

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/table"
)

// sanctions are the sanctions in force, for lookups without a lock. They are immutable: a change makes a new
// set. Operators add each one by hand, so there are few enough for a linear search.
type sanctions struct {
	all  []Sanction
	nets []netip.Prefix // of each sanction; invalid without one
}

func newSanctions(all []Sanction) *sanctions {
	s := &sanctions{all: all}
	for i := range all {
		net, _ := parseNet(all[i].Net)
		s.nets = append(s.nets, net)
	}
	return s
}

// find returns, of the sanctions of a kind in force, the longest-lasting one that own accepts, or else one on
// a network that contains net, or nil.
func (s *sanctions) find(kind string, net netip.Prefix, now time.Time, own func(*Sanction) bool) *Sanction {
	var byKey, byNet *Sanction
	for i := range s.all {
		switch a := &s.all[i]; {
		case a.Kind != kind || !a.Until.IsZero() && !now.Before(a.Until):
		case own(a):
			byKey = longer(byKey, a)
		case net.IsValid() && s.nets[i].Bits() <= net.Bits() && s.nets[i].Contains(net.Addr()):
			byNet = longer(byNet, a)
		}
	}
	return cmp.Or(byKey, byNet)
}

// longer returns the sanction that lasts longer, a if they are equal; a may be nil.
func longer(a, b *Sanction) *Sanction {
	if a == nil || !a.Until.IsZero() && (b.Until.IsZero() || b.Until.After(a.Until)) {
		return b
	}
	return a
}

func (s *sanctions) banned(net netip.Prefix, key KeyID, now time.Time) *Sanction {
	return s.find(SanctionBan, net, now, func(a *Sanction) bool { return a.Key != nil && *a.Key == key })
}

// muted returns a *SanctionError if the person may not talk to others in any way.
func (v *Visit) muted() error {
	l := v.lobby
	if v.Operator() {
		return nil // a mute of their own network does not silence operators
	}
	me := v.Player().ID
	if s := l.sanctions.Load().find(SanctionMute, v.net, l.earlierTime(), func(a *Sanction) bool { return a.Player == me }); s != nil {
		return &SanctionError{Kind: SanctionMute, Why: s.Why, Until: s.Until}
	}
	return nil
}

// publicTitle cleans a title that everybody reads, and that the muted may not give. It may be empty.
func (v *Visit) publicTitle(title string) (string, error) {
	if title == "" {
		return "", nil
	}
	title, err := text.CleanTitle(title)
	if err != nil {
		return "", err
	}
	return title, v.mayName()
}

// Banned reports whether a caller from an address with a key is banned, and why, and until when (zero: for
// good). The key is zero for a guest. It reads only memory.
func (l *Lobby) Banned(addr netip.Addr, key KeyID) (why string, until time.Time, banned bool) {
	if s := l.sanctions.Load().banned(limit.Household(addr), key, l.earlierTime()); s != nil {
		return s.Why, s.Until, true
	}
	return "", time.Time{}, false
}

// parseNet parses a network: a prefix, or an address, which stands for its [limit.Household]. It returns false
// for other texts, and for a prefix of IPv4 written as IPv6.
func parseNet(text string) (net netip.Prefix, ok bool) {
	if p, err := netip.ParsePrefix(text); err == nil {
		if net = p.Masked(); p.Addr().Is6() && p.Bits() > 64 {
			net = limit.Household(p.Addr())
		}
		return net, !p.Addr().Is4In6()
	}
	a, err := netip.ParseAddr(text)
	return limit.Household(a), err == nil
}

// parseTerm parses a duration: 30m, 2h, 7d, 4w, or forever, which is 0.
func parseTerm(word string) (time.Duration, bool) {
	if strings.EqualFold(word, "forever") {
		return 0, true
	}
	if len(word) < 2 {
		return 0, false
	}
	n, err := strconv.Atoi(word[:len(word)-1])
	if err != nil || n < 1 || n > 10_000 {
		return 0, false
	}
	units := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	unit, ok := units[word[len(word)-1]]
	return time.Duration(n) * unit, ok
}

// reach is what a sanction applies to.
type reach string

// The key alone, the network alone, or both: then it applies to the key from anywhere, and to the network
// with any key or none.
const (
	reachUsual   reach = ""
	reachKey     reach = "key"
	reachNetwork reach = "net"
	reachBoth    reach = "both"
)

// parseReach takes an optional reach off the front of the arguments.
func parseReach(args []string) (reach, []string) {
	if len(args) > 0 {
		switch r := reach(strings.ToLower(args[0])); r {
		case reachKey, reachNetwork, reachBoth:
			return r, args[1:]
		}
	}
	return reachUsual, args
}

// target is what an operator names: a person who is here, a member, or a network.
type target struct {
	name   string // for the records
	id     table.PlayerID
	key    *KeyID
	nets   []netip.Prefix // the networks that they are here from, newest first, or the network named
	shared bool           // other people share the address
	person *person        // nil if not here; its fields need mu
}

// inNets are characters of networks that no name has, though names that only look like the others are found, too.
const inNets = "./:"

// sanctionTarget finds the target that an operator names.
func (v *Visit) sanctionTarget(ctx context.Context, whom string) (*target, error) {
	l := v.lobby
	l.mu.Lock()
	if p := l.byName(whom); p != nil && !strings.ContainsAny(whom, inNets) {
		t := &target{name: p.player.Name, id: p.player.ID, person: p}
		for _, visit := range slices.Backward(p.visits) {
			t.shared = t.shared || visit.origin.Shared || visit.origin.Exempt
			if visit.net.IsValid() && !slices.Contains(t.nets, visit.net) {
				t.nets = append(t.nets, visit.net)
			}
		}
		if !t.id.Guest() {
			t.key = new(p.account.Key) // a copy, since the account may be replaced
		}
		l.mu.Unlock()
		return t, nil
	}
	l.mu.Unlock()
	t, err := findTarget(ctx, l.stores.Accounts, whom)
	return t, l.trouble("look for a name", err)
}

// findTarget finds a network, or a member, here or not.
func findTarget(ctx context.Context, accounts Accounts, whom string) (*target, error) {
	if net, ok := parseNet(whom); ok {
		if net.Bits() < 8 || net.Addr().Is6() && net.Bits() < 16 { // a slip, as /2 for /24
			return nil, ErrWideNetwork
		}
		return &target{name: net.String(), nets: []netip.Prefix{net}}, nil
	}
	if strings.ContainsAny(whom, inNets) {
		return nil, ErrNotNetwork
	}
	a, err := accounts.ByName(ctx, whom)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, ErrNoMember
	case err != nil:
		return nil, fmt.Errorf("look for a name: %w", err)
	}
	return &target{name: a.Name, id: a.ID, key: &a.Key}, nil
}

// narrow reduces a target to what a sanction applies to. By default a mute is by key and network, since
// another key is made in a second, and a ban is by key: it may be for good, and the address may pass to
// others. Guests, who have no key, and networks are found by network.
func (t *target) narrow(kind string, by reach) error {
	if by == reachUsual {
		switch {
		case t.key == nil && t.shared:
			return ErrSharedAddress
		case t.key == nil:
			by = reachNetwork
		case kind == SanctionBan || t.shared || len(t.nets) == 0:
			by = reachKey
		default:
			by = reachBoth
		}
	}
	switch {
	case by != reachNetwork && t.key == nil:
		return ErrNoKey
	case by != reachKey && len(t.nets) == 0:
		return ErrNoNetwork
	case by == reachKey:
		t.nets = nil
	case by == reachNetwork:
		t.id, t.key = 0, nil
	}
	return nil
}

func (t *target) hits(v *Visit) bool {
	return t.key != nil && *t.key == v.origin.Key ||
		v.net.IsValid() && slices.ContainsFunc(t.nets, func(net netip.Prefix) bool { return net.Contains(v.net.Addr()) })
}

// by describes for operators what a target is found by.
func (t *target) by() string {
	switch {
	case len(t.nets) == 0:
		return "by key"
	case t.key == nil:
		return "by network"
	}
	return "by key and network"
}

// punish mutes or bans the target that a command names, on disk and in force. may refuses a target.
func (v *Visit) punish(ctx context.Context, kind string, args []string, usual time.Duration, may func(*target) error) (*penalty, error) {
	l := v.lobby
	t, err := v.sanctionTarget(ctx, args[0])
	if err != nil {
		return nil, err
	}
	p, err := newPenalty(kind, t, args[1:], usual)
	if err == nil {
		err = may(t)
	}
	if err != nil {
		return nil, err
	}
	ctx, release, err := event.Change(ctx, l.sanction)
	if err != nil {
		return nil, l.trouble("wait to add a sanction", err)
	}
	defer release()
	done, err := v.moderator().put(ctx, p)
	l.sanctions.Store(newSanctions(append(slices.Clone(l.sanctions.Load().all), done...)))
	if err != nil {
		return nil, l.trouble("add a sanction", err)
	}
	v.succeed(ctx, p)
	return p, nil
}

// succeed finds another captain for the team of somebody who is banned, see [Moderator.succeed], once they hand no team over; once
// more later, if the store does not answer now.
func (v *Visit) succeed(ctx context.Context, p *penalty) {
	l := v.lobby
	release, err := event.Turn(ctx, l.roster)
	if err == nil {
		defer release()
		var team *Team
		var captain *Member
		if team, captain, err = v.moderator().succeed(ctx, p); team != nil && err == nil {
			l.handedOver(team, captain, p.id)
		}
	}
	if err != nil {
		l.log.Error("store: find another captain for a team", "player", p.id, "err", err)
		l.later(recallAgain, func() { v.succeed(l.ctx, p) })
	}
}

func (v *Visit) moderator() *Moderator {
	return &Moderator{v.lobby.stores.Accounts, v.lobby.stores.Moderation, v.lobby.stores.Teams, v.Player().Name, v.lobby.now}
}

// pardon lifts the sanctions of a kind on a target, on disk and in force.
func (v *Visit) pardon(ctx context.Context, kind, whom string) (int, error) {
	l := v.lobby
	ctx, release, err := event.Change(ctx, l.sanction)
	if err != nil {
		return 0, l.trouble("wait to lift a sanction", err)
	}
	defer release()
	n, err := v.moderator().Pardon(ctx, kind, whom, l.earlierTime())
	if err != nil {
		return 0, l.trouble("lift a sanction", err)
	}
	return n, l.trouble("load sanctions", l.loadSanctions(ctx))
}

// earlierTime returns the earlier of the two clocks' times, since the later clock may be set right. It
// decides which sanctions are in force, and whether captains are away.
func (l *Lobby) earlierTime() time.Time {
	now, trusted := l.now(), l.clock.Now()
	if trusted.Before(now) {
		return trusted
	}
	return now
}

// loadSanctions loads the sanctions in force from the store.
func (l *Lobby) loadSanctions(ctx context.Context) error {
	all, err := l.stores.Moderation.Sanctions(ctx, l.earlierTime())
	if err == nil {
		l.sanctions.Store(newSanctions(all))
	}
	return err
}

// audit records what an operator is about to do; if that fails, it must not be done.
func (v *Visit) audit(ctx context.Context, did, whom, why string) error {
	return v.lobby.trouble("write the audit log", v.moderator().audit(ctx, did, whom, why))
}

// audited records what an operator is about to do, and does it; if recording fails, it does nothing. If do
// fails, that is recorded, too.
func (v *Visit) audited(ctx context.Context, did, whom, why string, do func() error) error {
	if err := v.audit(ctx, did, whom, why); err != nil {
		return err
	}
	err := do()
	if err == nil {
		return nil
	}
	return errors.Join(v.lobby.trouble(did, err), v.audit(ctx, did, whom, "not done: "+reason(err)))
}

// reason returns why something was not done, for the audit log. Internal errors are in the program's log.
func reason(err error) string {
	if refusal, ok := errors.AsType[text.Refusal](err); ok {
		return refusal.Error()
	}
	return "an internal error"
}

// termText formats a duration and a reason for the audit log.
func termText(term time.Duration, why string) string {
	long := strconv.Itoa(int(term/time.Minute)) + "m"
	switch {
	case term == 0:
		long = "for good"
	case term%(24*time.Hour) == 0:
		long = strconv.Itoa(int(term/(24*time.Hour))) + "d"
	case term%time.Hour == 0:
		long = strconv.Itoa(int(term/time.Hour)) + "h"
	}
	if why == "" {
		return long
	}
	return long + ": " + why
}

// AuditLog lists what operators did, newest first. For operators only.
func (v *Visit) AuditLog(ctx context.Context, limit int) ([]AuditEntry, error) {
	return operatorsRead(v, "read the audit log", func() ([]AuditEntry, error) { return v.lobby.stores.Moderation.AuditLog(ctx, limit) })
}

// Reports lists complaints, newest first, without those of people from whom an event keeps the operator apart.
// For operators only.
func (v *Visit) Reports(ctx context.Context, limit int) ([]Report, error) {
	list, err := operatorsRead(v, "read the reports", func() ([]Report, error) { return v.lobby.stores.Moderation.Reports(ctx, limit) })
	return slices.DeleteFunc(list, func(r Report) bool { return v.lobby.sealedBetween(v.person.id, r.By) != nil }), err
}

// Sanctions lists the sanctions in force. For operators only.
func (v *Visit) Sanctions(ctx context.Context) ([]Sanction, error) {
	now := v.lobby.earlierTime()
	return operatorsRead(v, "read the sanctions", func() ([]Sanction, error) { return v.lobby.stores.Moderation.Sanctions(ctx, now) })
}

// SuspectTime is how far back Suspicions searches.
const SuspectTime = 7 * 24 * time.Hour

// Suspicions lists possible tricks to gain rating, at most limit of each kind. For operators only.
func (v *Visit) Suspicions(ctx context.Context, limit int) ([]Suspicion, error) {
	l := v.lobby
	list, err := operatorsRead(v, "look for suspicions", func() ([]Suspicion, error) {
		return l.stores.Moderation.Suspicions(ctx, l.now().Add(-SuspectTime), limit)
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range list {
		s := &list[i]
		a, b := l.people[s.Player], l.people[s.Other]
		s.OneNetwork = a != nil && b != nil && a.net != "" && a.net == b.net
	}
	return list, err
}

func operatorsRead[T any](v *Visit, doing string, read func() ([]T, error)) ([]T, error) {
	if !v.Operator() {
		return nil, ErrOperatorsOnly
	}
	list, err := read()
	return list, v.lobby.trouble(doing, err)
}
