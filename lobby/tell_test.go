package lobby_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

func heard(v *lobby.Visit) (list []string) {
	for _, n := range v.Notes() {
		list = append(list, n.Text)
	}
	return list
}

// What is said to one person is read by nobody else, answered with /r, refused to the muted and the ignored, and kept for who is away.
func TestTell(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx := context.Background()
		c := open(t)
		b := c.member("ben")
		op, ana, ben, cem := c.come("olga", operator), c.come("ana"), c.enter(b), c.come("cem")
		require.Equal(t, "You tell ben: meet me at two", say(t, ana, "/tell BEN meet me at two"))
		require.Equal(t, []string{"ana tells you: meet me at two"}, heard(ben))
		require.Empty(t, heard(cem))
		require.Empty(t, seen(cem).Chat)
		say(t, ben, "/r at three")
		require.Equal(t, []string{"ben tells you: at three"}, heard(ana))
		_, err := cem.Say(ctx, "/r hello")
		require.ErrorIs(t, err, lobby.ErrNoReply)
		_, err = ana.Say(ctx, "/tell ana hello")
		require.ErrorIs(t, err, lobby.ErrYourself)
		_, err = ana.Say(ctx, "/tell nobody hello")
		require.ErrorIs(t, err, lobby.ErrNobody)

		say(t, ben, "/ignore cem")
		_, err = cem.Say(ctx, "/tell ben buy this")
		require.ErrorIs(t, err, lobby.ErrNotWanted)
		ben.Close(table.Left)
		synctest.Wait()
		_, err = cem.Say(ctx, "/tell ben buy this")
		require.ErrorIs(t, err, lobby.ErrNotWanted, "away as well")
		say(t, op, "/mute ana key 1m")
		_, err = ana.Say(ctx, "/tell ben but")
		require.ErrorAs(t, err, new(*lobby.SanctionError))
		time.Sleep(time.Minute)

		for i := range 5 {
			require.Equal(t, "ben is away, and reads it when they come.", say(t, ana, fmt.Sprint("/tell ben line ", i)))
			time.Sleep(2 * time.Second)
		}
		_, err = ana.Say(ctx, "/tell ben one more")
		require.ErrorIs(t, err, lobby.ErrTellsFull, "of one sender")
		for i := range 15 {
			v := c.come(fmt.Sprint("dia", i))
			say(t, v, "/tell ben hello")
			v.Close(table.Left)
		}
		_, err = op.Say(ctx, "/tell ben hello")
		require.ErrorIs(t, err, lobby.ErrTellsFull)
		_, err = c.guest("10.9.0.1").Say(ctx, "/tell ben hello")
		require.ErrorIs(t, err, lobby.ErrAway)

		time.Sleep(time.Hour)
		c.restart()
		ben = c.enter(b)
		synctest.Wait()
		require.Len(t, heard(ben), 20)
		require.Regexp(t, `^ana tells you \(2000-01-01 \d\d:\d\d\): line 0$`, heard(ben)[0])
		ben.Close(table.Left)
		synctest.Wait()
		again := c.enter(b)
		synctest.Wait()
		require.Empty(t, heard(again), "read once")
	})
}
