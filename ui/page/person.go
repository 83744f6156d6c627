package page

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/ui/plain"
)

var (
	keyFollow   = Bind("f", "follow", "f")
	keyFriend   = Bind("+", "add to your friends", "+")
	keyNoFriend = Bind("+", "remove from your friends", "+")
)

// KeyChallenge challenges a person or a team.
var KeyChallenge = Bind("v", "challenge", "v")

// Challenge adds the key that challenges a person or a team; if err is not nil, the key is refused with it.
func (a *Actions) Challenge(err error, whom Target) {
	whom.Kind = NewTable
	a.Offer(err == nil, KeyChallenge, func() tea.Cmd {
		if err != nil {
			return Refused(err)
		}
		return Open(whom)
	})
}

const errNowhere text.Refusal = "They aren't at a table that you can watch."

// Friendly is what Meet needs from the club.
type Friendly interface {
	Account() *lobby.Account
	Befriend(ctx context.Context, name string, on bool) error
}

// Meet adds what can be done with a person other than the reader, wherever their name is chosen: make a
// member a friend, and follow a person who is here.
func (a *Actions) Meet(e *Env, club Friendly, name string, here *lobby.Person) {
	me := club.Account()
	if me != nil && me.Name == name {
		return
	}
	if here != nil {
		a.Offer(here.Table != 0, keyFollow, func() tea.Cmd {
			if here.Table == 0 {
				return Refused(errNowhere)
			}
			return Open(Target{Kind: Table, Table: here.Table, Follow: here.Player})
		})
	}
	if me == nil || here != nil && here.Guest {
		return
	}
	has, key := me.Settings.IsFriend(name), keyFriend
	if has {
		key = keyNoFriend
	}
	a.Add(true, key, func() tea.Cmd {
		befriend := func(ctx context.Context) error { return club.Befriend(ctx, name, !has) }
		return e.DoAndSay(befriend, plain.Befriended(name, !has))
	})
}
