package lobby_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// A member's list of friends is private: friends who are here come first, and arrivals are announced, unless
// either side does not want that, and never to people whom the friend ignores.
func TestFriends(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		b, z := c.member("ben"), c.member("zoe")
		ana, guest := c.come("ana"), c.guest("192.0.2.1")
		require.ErrorIs(t, guest.Befriend(ctx, "ben", true), lobby.ErrMembersOnly)
		require.ErrorIs(t, ana.Befriend(ctx, "ana", true), lobby.ErrYourself)
		require.ErrorIs(t, ana.Befriend(ctx, "nobody", true), lobby.ErrNoMember)
		require.ErrorIs(t, ana.Befriend(ctx, "ben", false), lobby.ErrNoFriend)
		require.NoError(t, ana.Befriend(ctx, "BEN", true))
		require.NoError(t, ana.Befriend(ctx, "zoe", true))
		require.NoError(t, ana.Befriend(ctx, "zoe", true), "again")
		require.Equal(t, []lobby.Friend{{Name: "ben"}, {Name: "zoe"}}, ana.Friends())

		zoe := c.enter(z)
		require.Equal(t, []string{"zoe is here."}, heard(ana))
		require.Empty(t, heard(zoe))
		list := ana.FriendsFirst(seen(ana).People)
		require.Equal(t, []int{2}, list.Friends)
		for i, name := range []string{"zoe", "ana", guest.Player().Name} {
			require.Equal(t, name, list.At(i).Player.Name)
		}
		require.Equal(t, []string{"ana", guest.Player().Name, "zoe"}, names(seen(ana)), "the snapshot is everybody's")
		require.Equal(t, "zoe", ana.Friends()[0].Here.Player.Name)
		who, err := zoe.Profile(ctx, "ana")
		require.NoError(t, err)
		said, err := json.Marshal(who)
		require.NoError(t, err)
		require.NotContains(t, string(said)+fmt.Sprint(who.Sentences(time.Now(), 9), *who.Here), "ben")

		ben := c.enter(b)
		require.Len(t, heard(ana), 2)
		change := func(v *lobby.Visit, choice string) {
			t.Helper()
			s := v.Settings()
			s.SetFriendNotes(choice)
			require.Equal(t, choice, s.FriendNotes())
			require.NoError(t, v.SaveSettings(ctx, s))
		}
		again := func() {
			t.Helper()
			ben.Close(table.Left)
			time.Sleep(time.Hour) // within no limit
			ben = c.enter(b)
		}
		change(ben, "told")
		again()
		require.Len(t, heard(ana), 2, "ben comes quietly")
		change(ben, "both")
		change(ana, "seen")
		again()
		require.Len(t, heard(ana), 2, "ana does not want it")
		change(ana, "both")
		again()
		require.Len(t, heard(ana), 3)
		say(t, ana, "/ignore ben")
		again()
		require.Len(t, heard(ana), 3)

		require.NoError(t, ana.Befriend(ctx, "ben", false))
		require.NoError(t, ana.SaveSettings(ctx, lobby.Settings{}), "which changes no friends")
		require.Len(t, ana.Friends(), 1)
	})
}

// TestFriendsOfASlowDisk: what is saved while somebody reconnects is not lost when an earlier change is on disk.
func TestFriendsOfASlowDisk(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana")
		c.comeAll("ben", "cem")
		c.store.Slow(time.Second)
		saved := make(chan error, 2)
		go func() { saved <- ana.Befriend(ctx, "ben", true) }()
		synctest.Wait()
		ana.Close(table.Disconnected)
		ana = c.back("ana")
		c.store.Slow(0)
		go func() { saved <- ana.Befriend(ctx, "cem", true) }()
		require.NoError(t, <-saved)
		require.NoError(t, <-saved)
		require.Len(t, ana.Friends(), 2)
		a, err := c.store.ByName(ctx, "ana")
		require.NoError(t, err)
		require.Equal(t, []string{"ben", "cem"}, a.Settings.Friends)
	})
}

// Lists of friends survive a restart and are limited; a friend who comes and goes all the time is not
// announced.
func TestFriendsAreKeptAndBounded(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		b := c.member("ben")
		ana := c.come("ana")
		require.NoError(t, ana.Befriend(ctx, "ben", true))
		c.restart()
		ana = c.back("ana")
		for range 50 {
			ben := c.enter(b)
			ben.Close(table.Left)
		}
		synctest.Wait()
		require.Len(t, heard(ana), 2)

		done, before := make(chan error), len(ana.Friends())
		for i := range 200 {
			name := fmt.Sprint("pal", i)
			c.member(name)
			visit := ana
			go func() {
				var err error
				for err = lobby.ErrTooFast; err == lobby.ErrTooFast; {
					time.Sleep(time.Second)
					err = visit.Befriend(ctx, name, true)
				}
				done <- err
			}()
		}
		refused := 0
		for range 200 {
			if err := <-done; err != nil {
				require.ErrorIs(t, err, lobby.ErrManyFriends)
				refused++
			}
		}
		require.Equal(t, 200-100+before, refused)
		require.Len(t, ana.Friends(), 100)
		synctest.Wait()
	})
}
