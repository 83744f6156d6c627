package lobby_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
)

// A thousand people who arrive within a second cause two or three snapshots, and visits that do not look at
// the club are woken for none of them. Nothing is published while nothing happens.
func TestArrivalsAreBatched(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		looks, plays := c.come("looks"), c.come("plays")
		plays.Show(lobby.Place{})
		seen(looks)
		drain(looks)
		drain(plays)
		before := c.Stats()

		for i := range 1000 {
			v := c.guest(fmt.Sprintf("10.1.%d.%d", i/250, i%250))
			v.Show(lobby.Place{Club: i%2 == 0})
			time.Sleep(time.Millisecond)
		}
		s := seen(looks)
		after := c.Stats()
		require.Len(t, s.People, 1002)
		require.Equal(t, 1002, after.Sessions)
		published := after.Published - before.Published
		require.LessOrEqual(t, published, uint64(4))
		require.GreaterOrEqual(t, published, uint64(2), "people do not wait a second to be seen")

		require.True(t, drain(looks))
		require.False(t, drain(plays))
		wait(time.Hour)
		require.Equal(t, after.Published, c.Stats().Published)
		require.False(t, drain(looks))
	})
}

// However many people look at the club while others come and go, at most 1,000 screens are drawn a second.
func TestDrawsAreBounded(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		var visits []*lobby.Visit
		const looking = 2000
		for i := range looking + 200 {
			visits = append(visits, c.guest(fmt.Sprintf("10.3.%d.%d", i/250, i%250)))
		}
		time.Sleep(time.Minute)
		before := c.Stats().Published
		for _, v := range visits[looking:] {
			v.Close(table.Left)
			time.Sleep(50 * time.Millisecond)
		}
		published := c.Stats().Published - before
		require.LessOrEqual(t, published*looking, uint64(10*1000+2*looking))
		require.GreaterOrEqual(t, published, uint64(4), "and no fewer than may be")
	})
}

// drain empties the channel of updates and reports whether there was one.
func drain(v *lobby.Visit) bool {
	select {
	case <-v.Updates():
		return true
	default:
		return false
	}
}

// While nobody looks, nothing is published; a later look finds the club as it is.
func TestNobodyLooks(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		v := c.come("ana")
		v.Show(lobby.Place{})
		seen(v)
		before := c.Stats().Published
		for i := range 50 {
			w := c.guest(fmt.Sprintf("10.1.0.%d", i))
			w.Show(lobby.Place{})
			time.Sleep(time.Second)
		}
		synctest.Wait()
		require.LessOrEqual(t, c.Stats().Published-before, uint64(50), "guests look for a moment when they enter")
		tab := sits(t, v)
		synctest.Wait()
		before = c.Stats().Published
		for i := range 50 {
			do(t, v, tab.ID(), table.Sit{Seat: rules.Seat(1 + i%2)})
			time.Sleep(time.Second)
		}
		require.Equal(t, before, c.Stats().Published)
		require.Len(t, v.Snapshot().People, 51)
		require.Equal(t, "ana", v.Snapshot().Tables[0].Seats[1].Name())
		require.Equal(t, before+1, c.Stats().Published)
	})
}

// A snapshot does not change while it is in use.
func TestSnapshotsDoNotChange(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana")
		say(t, ana, "hello")
		sits(t, ana)
		old := seen(ana)
		held := fmt.Sprintf("%+v", *old)

		ben := c.come("ben")
		for i := range 3 {
			say(t, ben, fmt.Sprint("line ", i))
		}
		do(t, ben, ana.MyTables()[0].Table, table.Sit{})
		s := seen(ana)
		require.Equal(t, held, fmt.Sprintf("%+v", *old))
		require.Greater(t, s.Version, old.Version)
		require.Equal(t, []string{"ana", "ben"}, names(s))
		require.Len(t, s.Chat, 4)
		require.Equal(t, "ben", s.Tables[0].Seats[1].Name())
		require.Same(t, s, seen(ben), "all look at the same")
	})
}

// An announcement reaches people at tables, too, and stays until it is removed, over restarts.
func TestAnnouncementsWakeEverybody(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		op, ana := c.come("olga", operator), c.come("ana")
		ana.Show(lobby.Place{})
		seen(ana)
		drain(ana)
		say(t, op, "/announce the finals begin at eight")
		synctest.Wait()
		time.Sleep(time.Second)
		require.True(t, drain(ana))
		require.Equal(t, "the finals begin at eight", ana.Snapshot().Notice)
		say(t, op, "/kick ana")
		c.restart()
		op = c.back("olga", operator)
		require.Equal(t, "the finals begin at eight", seen(op).Notice)
		say(t, op, "/announce")
		require.Empty(t, seen(op).Notice)
		c.restart()
		require.Empty(t, seen(c.back("ana")).Notice)
	})
}

func TestChatIsKept(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana", func(o *lobby.Origin) { o.Net = "198.51.100.7" })
		say(t, ana, "first \x1b[31mline")
		require.Equal(t, []string{"first [31mline"}, texts(seen(ana)))

		c.store.Fail(table.ErrUnavailable)
		_, err := ana.Say(ctx, "not on disk")
		require.ErrorIs(t, err, lobby.ErrTrouble)
		require.Equal(t, lobby.ErrTrouble.Error(), err.Error())
		require.Len(t, seen(ana).Chat, 1, "nobody reads what is not on disk")
		c.store.Fail(nil)

		for i := range 250 {
			say(t, ana, fmt.Sprint("line ", i))
			time.Sleep(time.Second)
		}
		s := seen(ana)
		require.Len(t, s.Chat, 200)
		require.Equal(t, "line 249", s.Chat[199].Text)
		c.restart()
		require.Equal(t, s.Chat, seen(c.come("ben")).Chat)
	})
}

// Lines are in the order of their numbers on disk, even if the disk answers in another order.
func TestChatOrder(t *testing.T) {
	var chat []lobby.Line
	for _, seq := range []int64{2, 1, 4, 3, 5} {
		before := fmt.Sprint(chat)
		longer := lobby.KeepChat(chat, lobby.Line{Seq: seq})
		require.Equal(t, before, fmt.Sprint(chat))
		chat = longer
	}
	for i, l := range chat {
		require.EqualValues(t, i+1, l.Seq)
	}
}

// After three lines in three seconds, chat is refused politely, for all of a person's sessions together.
func TestChatRate(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		one, two := c.enter(a), c.enter(a)
		tab := sits(t, one)
		say(t, one, "one")
		say(t, two, "two")
		require.NoError(t, errOf(one.SayAt(ctx, tab.ID(), "three")))
		require.ErrorIs(t, errOf(two.Say(ctx, "four")), lobby.ErrTooMuch)
		err := one.Do(ctx, tab.ID(), table.Say{Text: "four"})
		require.ErrorIs(t, err, lobby.ErrTooMuch)
		say(t, c.come("ben"), "another person has an allowance of their own")
		time.Sleep(time.Second)
		say(t, one, "four")
		require.ErrorIs(t, errOf(one.Say(ctx, "five")), lobby.ErrTooMuch)
		time.Sleep(3 * time.Second)
		for range 3 {
			say(t, one, "again")
		}
	})
}

// Of a hundred people who look at the club, few draw it at the same moment, but all of them soon.
func TestNotAllAreWokenAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		var visits []*lobby.Visit
		for i := range 100 {
			visits = append(visits, c.guest(fmt.Sprintf("10.2.0.%d", i)))
		}
		wait(time.Second)
		for _, v := range visits {
			drain(v)
		}
		require.NoError(t, errOf(visits[0].Say(ctx, "hello")))
		woken := 0
		for range 150 { // milliseconds
			synctest.Wait()
			now := 0
			for _, v := range visits {
				if drain(v) {
					now++
				}
			}
			require.LessOrEqual(t, now, 8)
			woken += now
			time.Sleep(time.Millisecond)
		}
		require.Equal(t, 100, woken)
	})
}
