package lobby

import (
	"boneyard/table"
)

// Ask lets somebody ask without coming in; a is nil for a guest. The visit it returns is over from the start: it answers
// questions, changes nothing and says nothing, is not shown among the people, and no table hears of it. It need not be
// closed. It refuses as [Lobby.Enter] does.
func (l *Lobby) Ask(a *Account, o Origin) (*Visit, error) {
	if err := l.admit(a, &o); err != nil {
		return nil, err
	}
	v := &Visit{lobby: l, origin: o, net: o.network(), updates: make(chan struct{}, 1), kicked: make(chan string, 1), over: true}
	v.desks = newDesks(v)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, ErrDraining
	}
	if a == nil {
		v.person = newPerson(l.guest(Guest{}), l.now())
	} else {
		v.person = newPerson(*a, l.now())
	}
	v.who = o.who(v.person.account.Key, v.person.player.ID)
	return v, nil
}

// Look is a table as the gallery sees it at this moment, for its players, too. The view is shared; nobody may change
// it. It refuses with ErrTooFast, ErrNoTable, or table.ErrWatchers where nobody may look.
func (v *Visit) Look(id table.ID) (*table.View, error) {
	if err := v.may(&v.lobby.limits.looks, ErrTooFast); err != nil {
		return nil, err
	}
	t, err := v.lobby.find(id)
	if err != nil {
		return nil, err
	}
	view, err := t.Look()
	return view, v.sentence("look at a table", err)
}

// admit reports whether somebody may come in: a *SanctionError or ErrNoGuests.
func (l *Lobby) admit(a *Account, o *Origin) error {
	if s := l.sanctions.Load().banned(o.network(), o.Key, l.now()); s != nil {
		return &SanctionError{Kind: SanctionBan, Why: s.Why, Until: s.Until}
	}
	if a == nil && l.cfg.Guests == GuestsOff {
		return ErrNoGuests
	}
	return nil
}
