package lobby_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/field"
	"boneyard/table"
)

func TestIgnore(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		ana, ben := c.enter(a), c.come("ben")
		require.True(t, ana.Hears(ben.Player()))
		say(t, ana, "/ignore BEN")
		require.False(t, ana.Hears(ben.Player()))
		require.False(t, c.enter(a).Hears(ben.Player()), "in all sessions, and later")
		require.True(t, ben.Hears(ana.Player()))
		say(t, ana, "/unignore ben")
		require.True(t, ana.Hears(ben.Player()))
		require.EqualError(t, errOf(ana.Say(ctx, "/unignore")), "Use /unignore NAME.")
	})
}

// Since a guest is somebody new with each visit, guests are ignored by network, including their next lines,
// at tables and in earlier chat. Guests from elsewhere are heard, and all if an address identifies nobody.
func TestIgnoreGuests(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		ana := c.enter(a)
		troll, other := c.guest("192.0.2.1"), c.guest("192.0.2.2")
		say(t, troll, "buy this")
		name := troll.Player().Name
		require.Equal(t, "You no longer see what "+name+" says, or what guests from the same network say.", say(t, ana, "/ignore "+name))
		for range 3 {
			require.False(t, ana.Hears(troll.Player()))
			require.True(t, ana.Hears(other.Player()))
			require.ErrorIs(t, errOf(troll.Say(ctx, "/tell ana buy this")), lobby.ErrNotWanted)
			troll.Close(table.Left)
			require.False(t, ana.Hears(troll.Player()), "what they said is still in the chat")
			troll = c.guest("192.0.2.1")
			time.Sleep(time.Minute)
		}
		require.False(t, c.enter(a).Hears(troll.Player()), "in the next visit as well")
		settings := ana.Settings()
		require.Equal(t, []string{name}, settings.IgnoredNames())
		require.Equal(t, "You ignore "+name+".", say(t, ana, "/ignore"))
		require.True(t, ana.Hears(c.come("ben", at("192.0.2.1")).Player()), "a member is heard")
		require.NoError(t, ana.SaveSettings(ctx, lobby.Settings{Theme: "mono"}))
		require.False(t, ana.Hears(troll.Player()))
		say(t, ana, "/unignore "+troll.Player().Name)
		require.True(t, ana.Hears(troll.Player()))

		// Somebody who is ignored as a member is not heard as a guest either.
		dan := c.come("dan", at("192.0.2.9"))
		say(t, ana, "/ignore dan")
		dan.Close(table.Left)
		require.False(t, ana.Hears(c.guest("192.0.2.9").Player()))
		say(t, ana, "/unignore dan")
		require.True(t, ana.Hears(c.guest("192.0.2.9").Player()))
		require.Equal(t, "You ignore nobody.", say(t, ana, "/ignore"))

		// Behind a proxy that passes no addresses on, all guests have the same one, so only the name tells them apart.
		shared := func() *lobby.Visit {
			v, err := c.Enter(ctx, nil, lobby.Origin{Net: "10.88.0.1", Shared: true})
			require.NoError(t, err)
			return v
		}
		one, two := shared(), shared()
		say(t, ana, "/ignore "+one.Player().Name)
		require.False(t, ana.Hears(one.Player()))
		require.True(t, ana.Hears(two.Player()))
	})
}

// The memory for guests and ignored people is limited, but people who are here are remembered.
func TestIgnoringIsBounded(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, troll := c.come("ana"), c.guest("192.0.2.1")
		say(t, ana, "/ignore "+troll.Player().Name)
		for n := range lobby.GuestsKnown + 100 {
			c.guest(fmt.Sprintf("10.%d.%d.1", n/256, n%256)).Close(table.Left)
		}
		require.Equal(t, lobby.GuestsKnown, c.Guests())
		require.False(t, ana.Hears(troll.Player()))
		for n := range 150 {
			say(t, ana, "/ignore "+c.guest(fmt.Sprintf("10.200.%d.1", n)).Player().Name)
			say(t, ana, fmt.Sprint("/ignore nobody", n))
			time.Sleep(time.Second)
		}
		require.Len(t, ana.Settings().Ignored, 100)
		require.Len(t, ana.Settings().IgnoredNets, 100)
	})
}

// Only operators moderate; what they do is in the audit log, and nothing is done that cannot be logged there.
func TestOperators(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		op, ana := c.come("olga", operator), c.come("ana")
		for _, line := range []string{"/mute olga", "/unmute olga", "/kick olga", "/ban olga", "/unban olga", "/announce hi", "/close 1"} {
			require.ErrorIs(t, errOf(ana.Say(ctx, line)), lobby.ErrOperatorsOnly, line)
			time.Sleep(time.Second)
		}
		require.ErrorIs(t, errOf(ana.AuditLog(ctx, 10)), lobby.ErrOperatorsOnly)
		require.ErrorIs(t, errOf(op.Say(ctx, "/nonsense")), lobby.ErrNoCommand)

		c.store.Fail(errors.New("disk on fire"))
		for _, line := range []string{"/mute ana", "/kick ana", "/ban ana", "/announce hi"} {
			require.ErrorIs(t, errOf(op.Say(ctx, line)), lobby.ErrTrouble, line)
		}
		c.store.Fail(nil)
		require.Empty(t, ana.Kicked())
		require.Empty(t, seen(ana).Notice)

		tab := sits(t, ana)
		require.Equal(t, "Table 1 is closed.", say(t, op, "/close 1"))
		synctest.Wait()
		require.Equal(t, table.Closed, tab.Summary().State)
		require.Empty(t, seen(ana).Tables)
		say(t, op, "/mute ana 2h rude words")
		say(t, op, "/kick ana go home")
		require.Equal(t, "An operator has ended your session: go home", <-ana.Kicked())
		log, err := op.AuditLog(ctx, 10)
		require.NoError(t, err)
		var did []string
		for _, e := range log {
			require.Equal(t, "olga", e.By)
			did = append(did, strings.Join([]string{e.Did, e.Whom, e.Why}, "|"))
		}
		require.Equal(t, []string{"kick|ana|go home", "mute|ana|by key and network, 2h: rude words", "close|table 1|"}, did)
	})
}

func TestMute(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		op, ana := c.come("olga", operator), c.enter(a)
		tab := sits(t, ana)
		require.Equal(t, "ana is muted by key and network (10m).", say(t, op, "/mute Ana 10m enough of this"))
		require.Len(t, ana.Notes(), 1)
		muted := &lobby.SanctionError{}
		require.ErrorAs(t, errOf(ana.Say(ctx, "but")), &muted)
		require.Equal(t, "enough of this", muted.Why)
		require.ErrorAs(t, ana.Do(ctx, tab.ID(), table.Say{Text: "but"}), &muted)
		do(t, ana, tab.ID(), table.Ready{On: true}) // plays on
		require.ErrorIs(t, errOf(ana.Where("oleg")), lobby.ErrNobody)
		c.restart()
		op, ana = c.enter(c.member("oleg"), operator), c.enter(a)
		require.ErrorAs(t, errOf(ana.Say(ctx, "after a restart, too")), &muted)
		time.Sleep(10 * time.Minute)
		say(t, ana, "at last")

		say(t, op, "/mute ana")
		require.ErrorAs(t, errOf(ana.Say(ctx, "again")), &muted)
		require.Equal(t, "1 lifted.", say(t, op, "/unmute ana"))
		say(t, ana, "thanks")
		require.ErrorIs(t, errOf(op.Say(ctx, "/mute nobody")), lobby.ErrNoMember)

		g := c.guest("2001:db8::1")
		say(t, op, "/mute "+g.Player().Name+" 1h")
		g.Close(table.Left)
		again := c.guest("2001:db8::2")
		require.ErrorAs(t, errOf(again.Say(ctx, "a new guest from the same network")), &muted)
		say(t, c.guest("2001:db8:0:1::1"), "from another one")
	})
}

// A mute by key and network applies to another key from that address and to its guests, and to everything
// that others read: talk, teams, the names of tables, invitations.
func TestMuteSilences(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		home := at("203.0.113.7")
		a, cap := c.member("ana"), c.member("cap")
		op, ana, captain := c.come("olga", operator, home), c.enter(a, home), c.enter(cap, home)
		require.NoError(t, errOf(captain.CreateTeam(ctx, "The Caps", "CAP")))
		c.come("ben")
		c.member("hal") // and is not here
		muted := &lobby.SanctionError{}
		named := table.DefaultConfig()
		named.Name = "ana is back"
		plain := named
		plain.Name = ""
		silent := func(v *lobby.Visit, is bool) {
			t.Helper()
			_, err := v.Say(ctx, "hello")
			require.Equal(t, is, errors.As(err, &muted), err)
			_, err = v.NewTable(ctx, named)
			require.Equal(t, is, errors.As(err, &muted), err)
			if v.Account() != nil {
				_, err = v.CreateTeam(ctx, "A team of "+v.Player().Name, v.Player().Name)
				require.Equal(t, is, errors.As(err, &muted), err)
			}
		}
		require.Equal(t, "ana is muted by key and network (10m).", say(t, op, "/mute ana 10m"))
		silent(ana, true)
		silent(c.enter(a, at("198.51.100.1")), true)
		silent(c.guest("203.0.113.7"), true)
		silent(c.come("eve", home), true)
		silent(c.guest("203.0.113.8"), false)
		require.ErrorAs(t, captain.Invite(ctx, "ben"), &muted)
		say(t, op, "operators are not silenced with their network")
		require.NoError(t, errOf(ana.NewTable(ctx, plain)), "the muted play")
		time.Sleep(10 * time.Minute)
		require.NoError(t, captain.Invite(ctx, "ben"))

		require.Equal(t, "ana is muted by key (30m).", say(t, op, "/mute ana key"))
		silent(ana, true)
		silent(c.come("fay", home), false)
		require.Equal(t, "1 lifted.", say(t, op, "/unmute ana"))
		require.Equal(t, "ana is muted by network (2h).", say(t, op, "/mute ana NET 2h"))
		time.Sleep(time.Minute)
		require.NoError(t, errOf(c.enter(a, at("198.51.100.2")).Say(ctx, "from elsewhere")))
		silent(c.come("gus", home), true)
		list, err := op.Sanctions(ctx)
		require.NoError(t, err)
		require.Equal(t, "198.51.100.1/32", list[len(list)-1].Finds())
		_, err = op.Say(ctx, "/mute 2001:db8::1/128") // stands for its /64
		require.NoError(t, err)
		require.Equal(t, "1 lifted.", say(t, op, "/unmute 2001:db8::/64"))
		require.Equal(t, "2 lifted.", say(t, op, "/unmute ana"), "one for each network that she was here from")

		for line, want := range map[string]error{
			"/mute 192.0.2.0/24 key": lobby.ErrNoKey, "/ban 192.0.2.0/24 both": lobby.ErrNoKey, "/mute hal net": lobby.ErrNoNetwork,
			"/ban hal both":     lobby.ErrNoNetwork,
			"/ban 192.0.2.0/33": lobby.ErrNotNetwork, "/ban ::ffff:192.0.2.0/120": lobby.ErrNotNetwork, "/mute 192.0.2": lobby.ErrNotNetwork,
			"/ban 192.0.2.0/2": lobby.ErrWideNetwork, "/mute 2001:db8::/3": lobby.ErrWideNetwork,
		} {
			require.ErrorIs(t, errOf(op.Say(ctx, line)), want, line)
		}
	})
}

// A muted person can ask nobody to be their partner in an event of pairs, but may agree to be somebody's.
func TestTheMutedAskNobodyToBeTheirPartner(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		op, ana, ben := c.come("olga", operator), c.come("ana"), c.come("ben")
		pairs := arena.Config{Rules: "block", Pace: table.PaceFast, Pairs: true}
		made := c.made(op.NewArena(ctx, pairs, time.Now().Add(time.Hour), time.Hour))
		dealt := c.made(op.NewField(ctx, field.Config{Rules: "block", Pace: table.PaceNormal, Pairs: true}, time.Now().Add(3*time.Hour)))
		say(t, op, "/mute ana 10m")
		muted := &lobby.SanctionError{}
		for kind, id := range map[event.Kind]event.ID{arena.Kind: made, field.Kind: dealt} {
			before := len(ben.Notes())
			require.ErrorAs(t, ana.EnterEvent(ctx, kind, id, "ben"), &muted)
			require.Len(t, ben.Notes(), before)
			require.NoError(t, ben.EnterEvent(ctx, kind, id, "ana"))
			require.NoError(t, ana.EnterEvent(ctx, kind, id, "ben"))
			require.Len(t, ana.EventRoom(id).View().Players(), 2)
		}
	})
}

// A person banned by key and network cannot return as a guest, or with another key. People behind a shared
// address are not banned with them, unless the operator says so.
func TestBanByKeyAndNetwork(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a, op := c.member("ana"), c.come("olga", operator)
		banned := &lobby.SanctionError{}
		first, second := c.enter(a, at("203.0.113.7")), c.enter(a, at("2001:db8::1"))
		require.Equal(t, "ana is banned by key and network (1h); sessions ended: 2.", say(t, op, "/ban ana 1h both"), "as \"both 1h\"")
		<-first.Kicked()
		<-second.Kicked()
		for _, net := range []string{"203.0.113.7", "2001:db8::2"} {
			require.ErrorAs(t, errOf(c.Enter(ctx, nil, lobby.Origin{Net: net})), &banned, net)
			require.ErrorAs(t, errOf(c.Register(ctx, lobby.Origin{Net: net, Key: lobby.KeyID{99}}, "anna")), &banned, net)
		}
		require.ErrorAs(t, errOf(c.Enter(ctx, a, lobby.Origin{Net: "198.51.100.1", Key: a.Key})), &banned)
		time.Sleep(time.Hour)
		c.guest("203.0.113.7")

		shared := func(o *lobby.Origin) { o.Net, o.Shared = "10.88.0.1", true }
		c.enter(a, shared)
		require.Equal(t, "ana is muted by key (30m).", say(t, op, "/mute ana"))
		g, err := c.Enter(ctx, nil, lobby.Origin{Net: "10.88.0.1", Shared: true})
		require.NoError(t, err)
		require.ErrorIs(t, errOf(op.Say(ctx, "/mute "+g.Player().Name)), lobby.ErrSharedAddress)
		require.Contains(t, say(t, op, "/mute "+g.Player().Name+" net"), "by network")
	})
}

func TestBan(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		op := c.come("olga", operator, func(o *lobby.Origin) { o.Net = "192.0.2.1" })
		one, two, ben := c.enter(a), c.enter(a), c.come("ben")
		for _, long := range []string{"7days", "99999d", "0d", "7", "1.5h"} {
			require.ErrorContains(t, errOf(op.Say(ctx, "/ban ana "+long+" cheats")), "Write how long as", "%s is not for good", long)
		}
		require.Equal(t, "ana is banned by key (7d); sessions ended: 2.", say(t, op, "/ban ana 7d cheats"))
		for _, v := range []*lobby.Visit{one, two} {
			require.Contains(t, <-v.Kicked(), "You are banned from this club until ")
		}
		require.Empty(t, ben.Kicked())
		banned := &lobby.SanctionError{}
		require.ErrorAs(t, errOf(c.Enter(ctx, a, lobby.Origin{Key: a.Key, Net: "10.99.0.1"})), &banned)
		require.Equal(t, "cheats", banned.Why)
		require.True(t, time.Now().Add(7*24*time.Hour).Equal(banned.Until))
		why, until, is := c.Banned(netip.MustParseAddr("10.99.0.1"), a.Key)
		require.True(t, is)
		require.Equal(t, "cheats", why)
		require.Equal(t, banned.Until, until)
		_, _, is = c.Banned(netip.MustParseAddr("10.99.0.1"), lobby.KeyID{})
		require.False(t, is)
		time.Sleep(7 * 24 * time.Hour)
		c.enter(a)

		require.EqualError(t, errOf(op.Say(ctx, "/ban olga")), "That would ban you, too.")
		require.EqualError(t, errOf(op.Say(ctx, "/ban 192.0.2.0/24")), "That would ban you, too.")

		g, other := c.guest("203.0.113.77"), c.guest("203.0.114.1")
		require.Equal(t, "203.0.113.0/24 is banned by network (for good); sessions ended: 1.",
			say(t, op, "/ban 203.0.113.9/24 forever open proxy"))
		require.Equal(t, "You are banned from this club: open proxy", <-g.Kicked())
		require.Empty(t, other.Kicked())
		for addr, want := range map[string]bool{"203.0.113.1": true, "::ffff:203.0.113.1": true, "203.0.112.1": false, "2001:db8::1": false} {
			_, _, is = c.Banned(netip.MustParseAddr(addr), lobby.KeyID{9})
			require.Equal(t, want, is, addr)
		}
		require.Equal(t, "1 lifted.", say(t, op, "/unban 203.0.113.0/24"))
		c.guest("203.0.113.77")

		six := c.guest("2001:db8::1")
		say(t, op, "/ban "+six.Player().Name)
		_, _, is = c.Banned(netip.MustParseAddr("2001:db8::ffff"), lobby.KeyID{})
		require.True(t, is, "a guest's whole /64")
		_, _, is = c.Banned(netip.MustParseAddr("2001:db8:0:1::1"), lobby.KeyID{})
		require.False(t, is)
		list, err := op.Sanctions(ctx)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, "0 lifted.", say(t, op, "/unban nobody"))
	})
}

func TestKick(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		op, one, two, three := c.come("olga", operator), c.enter(a), c.enter(a), c.enter(a)
		require.Equal(t, "ana has been disconnected.", say(t, op, "/kick ana"))
		for _, v := range []*lobby.Visit{one, two, three} {
			require.Equal(t, "An operator has ended your session.", <-v.Kicked())
			v.Close(table.Left)
		}
		require.Equal(t, []string{"olga"}, names(seen(op)))
		c.enter(a)
		for line, want := range map[string]error{"/kick nobody": lobby.ErrNobody, "/close 7": lobby.ErrNoTable, "/close x": lobby.ErrNoTable} {
			require.ErrorIs(t, errOf(op.Say(ctx, line)), want, line)
		}
		log, err := op.AuditLog(ctx, 10)
		require.NoError(t, err)
		require.Len(t, log, 1, "what was not done is not in the log")
	})
}

// An operator's action is in the audit log before it is carried out. If it then fails, the log says so, too.
func TestAuditLogSaysWhatWasNotDone(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		op, ana := c.come("olga", operator), c.come("ana")
		tab := sits(t, ana)
		c.Suspend("The disk is being changed.")
		synctest.Wait()
		require.ErrorIs(t, ana.Do(ctx, tab.ID(), table.Ready{On: true}), table.ErrFrozen)
		require.ErrorIs(t, errOf(op.Say(ctx, "/close 1")), table.ErrClosing)
		require.NotEqual(t, table.Closed, tab.Summary().State)
		log, err := op.AuditLog(ctx, 10)
		require.NoError(t, err)
		require.Len(t, log, 2)
		require.Equal(t, "table 1", log[0].Whom)
		require.Equal(t, "not done: "+table.ErrClosing.Error(), log[0].Why)
		c.Suspend("")
		synctest.Wait()
		require.Equal(t, table.Closed, tab.Summary().State)
	})
}

// While nothing can be written, all tables stop, including new ones, and everybody reads why; afterwards the
// earlier announcement returns.
func TestSuspend(t *testing.T) {
	const why = "The disk is being changed."
	bubble(t, func(t *testing.T, c *club) {
		op, ana := c.come("olga", operator), c.come("ana")
		require.NoError(t, errOf(op.Say(ctx, "/announce tea at five")))
		tab := sits(t, ana)
		c.Suspend(why)
		require.Equal(t, why, seen(ana).Notice)
		require.Equal(t, table.Frozen, tab.Summary().State)
		other, _ := c.come("ben").NewTable(ctx, table.DefaultConfig()) // whose maker may still have sat down
		require.NotNil(t, other)
		synctest.Wait()
		require.Equal(t, table.Frozen, other.Summary().State)
		c.Suspend("")
		require.Equal(t, "tea at five", seen(ana).Notice)
		for _, tab := range []*table.Table{tab, other} {
			require.Equal(t, table.Gathering, tab.Summary().State)
		}
		c.Suspend(why)
		go func() { _ = c.Drain(ctx) }()
		synctest.Wait()
		require.Equal(t, lobby.NoticeDraining, seen(ana).Notice)
	})
}

// suspicious reports the suspicions that a test gives it.
type suspicious struct {
	lobby.Moderation
	whom func(since time.Time, limit int) []lobby.Suspicion
}

func (s suspicious) Suspicions(_ context.Context, since time.Time, limit int) ([]lobby.Suspicion, error) {
	return s.whom(since, limit), nil
}

// Operators see what may be cheating, and which people in the club share a network.
func TestSuspicions(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.come("olga", operator)
		ana, ben, cleo := c.come("ana", at("192.0.2.1")), c.come("ben", at("192.0.2.1")), c.come("cleo", at("192.0.2.2"))
		id := func(v *lobby.Visit) table.PlayerID { return v.Player().ID }
		var since time.Time
		c.store.Replace = func(all *lobby.Stores) {
			all.Moderation = suspicious{all.Moderation, func(from time.Time, limit int) []lobby.Suspicion {
				since = from
				require.Equal(t, 7, limit)
				return []lobby.Suspicion{{Player: id(ana), Other: id(ben), Games: 9}, {Player: id(ana), Other: id(cleo)}, {Player: id(ana)},
					{Player: 99, Other: 98}}
			}}
		}
		c.restart()
		op := c.back("olga", operator)
		ana = c.back("ana", at("192.0.2.1"))
		c.back("ben", at("192.0.2.1"))
		list, err := op.Suspicions(ctx, 7)
		require.NoError(t, err)
		require.Equal(t, []lobby.Suspicion{
			{Player: id(ana), Other: id(ben), Games: 9, OneNetwork: true}, {Player: id(ana), Other: id(cleo)}, {Player: id(ana)},
			{Player: 99, Other: 98},
		}, list)
		require.True(t, time.Now().Add(-7*24*time.Hour).Equal(since))
		require.ErrorIs(t, errOf(ana.Suspicions(ctx, 7)), lobby.ErrOperatorsOnly)
	})
}

func TestReport(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		op, ana := c.come("olga", operator), c.come("ana")
		tab := sits(t, ana)
		say(t, ana, "/report ben he shouts")
		reply, err := ana.SayAt(ctx, tab.ID(), "/report ben here, too")
		require.NoError(t, err)
		require.Equal(t, "Thanks; the operators will read it.", reply)
		require.Equal(t, "ana reports ben (lobby): he shouts", op.Notes()[0].Text)
		list, err := op.Reports(ctx, 10)
		require.NoError(t, err)
		require.Equal(t, []lobby.Report{{At: list[0].At, By: ana.Player().ID, Name: "ana", About: "ben", Text: "he shouts / here, too",
			Where: "table 1", Times: 2}}, list)
		say(t, ana, "/report cem he is rude")
		ana.Close(table.Left)
		require.ErrorIs(t, errOf(c.enter(ana.Account()).Say(ctx, "/report ben three")), lobby.ErrManyReports, "in another visit as well")
		require.Len(t, op.Notes(), 2, "the operators hear of each person once")
		for i := range 40 {
			_, _ = c.guest(fmt.Sprintf("10.%d.0.1", i)).Say(ctx, fmt.Sprintf("/report ben%d spam", i))
		}
		require.Len(t, op.Notes(), 10, "and not of a flood")
		require.Empty(t, seen(ana).Chat, "commands are nobody else's to read")
	})
}

// TestReportsAfterAClockThatWasAhead: a report from before the clock was set back is not a recent one.
func TestReportsAfterAClockThatWasAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64
		c := openAhead(t, &ahead)
		op, ana := c.come("olga", operator), c.come("ana")
		ahead.Store(int64(5 * 7 * 24 * time.Hour))
		say(t, ana, "/report ben he shouts")
		ahead.Store(0)
		say(t, ana, "/report ben here, too")
		require.Len(t, op.Notes(), 2)
	})
}

// An address is an address, even if somebody's name looks like it.
func TestAnAddressIsNobodysName(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		op, eve := c.come("olga", operator), c.come("zo3oll39", at("198.51.100.1")) // looks like 203.0.113.9
		require.Equal(t, "203.0.113.9/32 is banned by network (for good); sessions ended: 0.", say(t, op, "/ban 203.0.113.9"))
		require.Empty(t, eve.Kicked())
		_, _, is := c.Banned(netip.MustParseAddr("203.0.113.9"), lobby.KeyID{})
		require.True(t, is)
	})
}

// TestATeamWhoseCaptainIsBanned: a captain who is banned for good, in the club or on its file, is replaced by
// the longest-standing member who is not banned; a captain who is banned for a time remains.
func TestATeamWhoseCaptainIsBanned(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, _, ben, bob := rivals(t, c)
		olga, cem := c.come("olga", operator), c.come("cem")
		require.NoError(t, ana.Invite(ctx, "cem"))
		require.NoError(t, cem.Accept(ctx, ana.Player().Team))
		captain := func(v *lobby.Visit) table.PlayerID {
			t.Helper()
			team, err := v.Team(ctx, v.Player().Team)
			require.NoError(t, err)
			return team.Captain
		}
		say(t, olga, "/ban ada")
		require.ErrorIs(t, ana.HandOver(ctx, "ada"), lobby.ErrBannedCaptain)
		say(t, olga, "/ban ana 7d")
		require.Equal(t, ana.Player().ID, captain(cem))
		say(t, olga, "/ban ana")
		require.Equal(t, cem.Player().ID, captain(cem))
		require.Equal(t, "cem is the captain of your team now.", latest(cem))
		say(t, olga, "/ban cem")
		require.Equal(t, cem.Player().ID, captain(cem), "there is nobody else")
		say(t, olga, "/unban ana")
		ana = c.back("ana")
		require.NoError(t, ana.HandOver(ctx, "ana"))
		require.Equal(t, ana.Player().ID, captain(ana), "there is somebody again")

		m := lobby.Moderator{Accounts: c.store, Moderation: c.store, Teams: c.store, By: "a test", Now: time.Now}
		require.Equal(t, ben.Player().ID, captain(bob))
		c.store.SlowReads(time.Minute)
		soon, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		require.NoError(t, errOf(olga.Say(soon, "/ban ben")))
		c.store.SlowReads(0)
		time.Sleep(2 * time.Minute)
		require.Equal(t, bob.Player().ID, captain(bob), "after a disk that was slow")
		say(t, olga, "/unban ben")
		require.NoError(t, errOf(m.Punish(ctx, lobby.SanctionBan, "bob", nil, 0)))
		team, err := c.store.Team(ctx, bob.Player().Team)
		require.NoError(t, err)
		require.Equal(t, ben.Player().ID, team.Captain)
	})
}

// heldTeams are teams that change hands when a test lets them.
type heldTeams struct {
	lobby.Teams
	held chan struct{}
}

func (h heldTeams) HandOver(ctx context.Context, team table.TeamID, to table.PlayerID) error {
	<-h.held
	return h.Teams.HandOver(ctx, team, to)
}

// A captain who hands a team over while being banned is followed once, by whom they chose.
func TestACaptainIsFollowedOnce(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.stop()
		held := make(chan struct{})
		c.store.Replace = func(all *lobby.Stores) { all.Teams = heldTeams{all.Teams, held} }
		c.start()
		olga, ana := c.come("olga", operator), c.come("ana")
		others := c.comeAll("ben", "cem")
		team := unite(t, "Owls", "OWL", ana, others...)
		go func() { require.NoError(t, ana.HandOver(ctx, "cem")) }()
		synctest.Wait()
		go say(t, olga, "/ban ana")
		synctest.Wait()
		close(held)
		synctest.Wait()
		require.NotEmpty(t, ana.Kicked())
		now, err := olga.Team(ctx, team.ID)
		require.NoError(t, err)
		require.Equal(t, others[1].Player().ID, now.Captain)
		require.NotContains(t, fmt.Sprint(heard(others[1])), "ben is the captain")
	})
}

// Of two announcements made at the same moment, the one that is last on disk is shown, as after a restart.
func TestAnnouncementsAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		olga, otto := c.come("olga", operator), c.come("otto", operator)
		for n := range 100 {
			var wg sync.WaitGroup
			for _, v := range []*lobby.Visit{olga, otto} {
				wg.Go(func() { say(t, v, fmt.Sprintf("/announce number %d of %s", n, v.Player().Name)) })
			}
			wg.Wait()
			log, err := c.store.AuditLog(ctx, 1)
			require.NoError(t, err)
			require.Equal(t, log[0].Why, seen(otto).Notice)
		}
	})
}
