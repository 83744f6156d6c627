package lobby

import (
	"errors"
	"fmt"

	"boneyard/lobby/event"
	"boneyard/table"
)

// recollect reads again what people change and the lobby keeps in memory, after a time in which nothing could be
// written: a change may have been made although the answer was ErrUnsure. It is a background job.
func (l *Lobby) recollect() {
	l.clock.Keep(l.ctx) // it is written after all changes before it, so that they are decided
	err := errors.Join(l.recollectOrders(), l.recollectMembers(), l.recollectChat(), l.events.Start(l.ctx))
	l.answers.forget()
	l.said.forget()
	if err != nil && l.ctx.Err() == nil {
		l.log.Warn("store: read what may have changed while nothing could be written", "err", err)
		l.later(recallAgain, l.recollect)
	}
}

// recollectOrders reads the sanctions and the announcement.
func (l *Lobby) recollectOrders() error {
	release, err := event.Turn(l.ctx, l.sanction)
	if err != nil {
		return err
	}
	defer release()
	if err := l.loadSanctions(l.ctx); err != nil {
		return fmt.Errorf("load sanctions: %w", err)
	}
	l.sweep()
	notice, err := l.lastAnnounced(l.ctx)
	if err != nil {
		return fmt.Errorf("load the announcement: %w", err)
	}
	l.announce(notice)
	return nil
}

// recollectMembers reads the accounts and the invitations of the members who are here.
func (l *Lobby) recollectMembers() (err error) {
	var here []Account
	l.mu.Lock()
	for id, p := range l.people {
		if !id.Guest() {
			here = append(here, p.account)
		}
	}
	l.mu.Unlock()
	release, err := event.Turn(l.ctx, l.roster)
	if err != nil {
		return err
	}
	defer release()
	for i := range here {
		err = errors.Join(err, l.recollectMember(here[i].ID, here[i].Key))
	}
	return err
}

func (l *Lobby) recollectMember(id table.PlayerID, key KeyID) error {
	release, err := event.Turn(l.ctx, l.savingOf(id))
	if err != nil {
		return err
	}
	defer release()
	a, err := l.stores.Accounts.ByKey(l.ctx, key)
	if err != nil {
		return fmt.Errorf("account of member %d: %w", id, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.edits++
	p := l.people[id]
	if p == nil {
		return nil
	}
	before := p.player
	if p.become(*a); p.player != before {
		l.introduce(id)
	}
	p.wake()
	l.changed(partPeople)
	l.recallInvitations(id)
	return nil
}

// recollectChat adds lines of the lobby's chat that are not shown.
func (l *Lobby) recollectChat() error {
	chat, err := l.stores.Talk.History(l.ctx, 0, keptChat)
	if err != nil {
		return fmt.Errorf("load chat: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range chat {
		l.chat = keepChat(l.chat, line)
	}
	l.changed(partChat)
	return nil
}
