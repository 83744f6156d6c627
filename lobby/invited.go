package lobby

import (
	"slices"

	"boneyard/lobby/text"
	"boneyard/table"
)

// Invited are the invitations that wait for this person's answer, the newest first, as far as the club remembers them: it
// asks no disk, and is for drawing. The slice is shared; nobody may change it.
func (v *Visit) Invited() []Invitation {
	v.lobby.mu.Lock()
	defer v.lobby.mu.Unlock()
	return v.person.invited
}

// recallInvitations has a member's sessions know which invitations wait, and wakes them if others do than before. It does not
// wait; what is asked later is read later, so that the last answer is the one that stays.
func (l *Lobby) recallInvitations(id table.PlayerID) {
	l.jobs.run(func() {
		list, err := l.stores.Teams.Invitations(l.ctx, id)
		if err != nil {
			l.log.Warn("store: list invitations", "player", id, "err", err)
			return
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if p := l.people[id]; p != nil && !slices.Equal(p.invited, list) {
			p.invited = list
			p.wake()
		}
	})
}

// recallAll is recallInvitations for those of these members who are here.
func (l *Lobby) recallAll(names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range names {
		if p := l.present[text.Skeleton(name)]; p != nil {
			l.recallInvitations(p.player.ID)
		}
	}
}
