package lobby_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/field"
	"boneyard/table"
)

var errNotNow = errors.New("not just now")

type heldEvents interface{ lobby.Events }

// shakyEvents fails to list events while it is told to.
type shakyEvents struct {
	heldEvents
	fails *atomic.Bool
	asked *atomic.Int64
}

func (e shakyEvents) Closings(ctx context.Context, k event.Kind, n int) ([]event.Closing, error) {
	e.asked.Add(1)
	if e.fails.Load() {
		return nil, errNotNow
	}
	return e.heldEvents.Closings(ctx, k, n)
}

// unreadEvents fails to read the journals of events while it is told to.
type unreadEvents struct {
	heldEvents
	fails *atomic.Bool
}

func (e unreadEvents) EventLog(ctx context.Context, id event.ID) ([]event.Entry, error) {
	if e.fails.Load() {
		return nil, errNotNow
	}
	return e.heldEvents.EventLog(ctx, id)
}

// shakyTeams fails to list invitations while it is told to.
type shakyTeams struct {
	lobby.Teams
	fails *atomic.Bool
}

func (e shakyTeams) Invitations(ctx context.Context, id table.PlayerID) ([]lobby.Invitation, error) {
	if e.fails.Load() {
		return nil, errNotNow
	}
	return e.Teams.Invitations(ctx, id)
}

// What could not be read when it was needed is read a little later, even if nothing else happens in the club.
func TestWhatCouldNotBeReadIsReadLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fails atomic.Bool
		var asked atomic.Int64
		c := open(t, func(cfg *lobby.Config) { cfg.Daily = false })
		c.stop()
		c.store.Replace = func(all *lobby.Stores) {
			all.Events, all.Teams = shakyEvents{all.Events, &fails, &asked}, shakyTeams{all.Teams, &fails}
		}
		fails.Store(true)
		c.start()
		synctest.Wait()
		first := asked.Load()
		require.NotZero(t, first, "the season is counted at the start")
		ana, ben := c.come("ana"), c.come("ben")
		require.NoError(t, errOf(ana.CreateTeam(ctx, "The OWL", "OWL")))
		require.NoError(t, ana.Invite(ctx, "ben"))
		synctest.Wait()
		require.Empty(t, ben.Invited())
		wait(5 * time.Minute)
		require.Empty(t, ben.Invited())

		fails.Store(false)
		again := asked.Load()
		wait(2 * time.Minute)
		require.Len(t, ben.Invited(), 1)
		require.Greater(t, asked.Load(), again, "the season")
	})
}

// News that could not be kept when it happened, or looked for when the server started, is told a little later.
func TestNewsThatHadToWait(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		olga := c.come("olga", operator)
		c.store.Fail(fmt.Errorf("disk full: %w", table.ErrUnavailable))
		c.NewsOnce("A beat B")
		wait(5 * time.Second)
		c.store.Fail(nil)
		require.Empty(t, seen(olga).News)
		wait(2 * time.Minute)
		require.Equal(t, []string{"team: A beat B"}, news(seen(olga)))

		id := c.made(olga.NewCup(ctx, cup.Config{Config: block, Round: time.Hour}, time.Now().Add(24*time.Hour)))
		synctest.Wait()
		c.store.Replace = func(all *lobby.Stores) { all.Talk = lostNews{all.Talk} }
		c.restart()
		olga = c.back("olga", operator)
		require.NoError(t, olga.CallOff(ctx, cup.Kind, id))
		synctest.Wait()
		c.stop()
		var fails, unread atomic.Bool
		c.store.Replace = func(all *lobby.Stores) {
			all.Events = unreadEvents{shakyEvents{all.Events, &fails, new(atomic.Int64)}, &unread}
		}
		fails.Store(true)
		c.start()
		wait(5 * time.Second)
		unread.Store(true)
		fails.Store(false)
		wait(2 * time.Minute)
		unread.Store(false)
		wait(2 * time.Minute)
		require.Equal(t, "cup: Winter was called off", news(seen(c.back("olga")))[0])
	})
}

// An event whose time came while the server was restarted is over as soon as it has started: that is told once.
func TestAnEndAtTheStartIsToldOnce(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana")
		id := c.made(ana.NewField(ctx, field.Config{Rules: "classic", Pace: table.PaceFast}, time.Now().Add(5*time.Minute)))
		require.NoError(t, ana.EnterEvent(ctx, field.Kind, id, ""))
		c.stop()
		time.Sleep(10 * time.Minute)
		c.start()
		ana = c.back("ana")
		wait(time.Minute)
		require.Equal(t, 1, strings.Count(lastNotes(ana), "Duplicate arena 1 was not played"))
	})
}

// A person is banned while their entering reads the disk.
func TestABanMeetsWhoIsEntering(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, olga := c.member("ana"), c.come("olga", operator)
		c.store.SlowReads(time.Second)
		entered := make(chan error, 1)
		go func() {
			_, err := c.Enter(ctx, ana, lobby.Origin{Key: ana.Key, Net: "10.1.1.1", Terminal: "xterm"})
			entered <- err
		}()
		synctest.Wait()
		c.store.SlowReads(0)
		say(t, olga, "/ban ana cheats")
		var banned *lobby.SanctionError
		require.ErrorAs(t, <-entered, &banned)
	})
}

// What happened in an event is told once, however much other news there is in that hour.
func TestNewsOfAnEventAreToldOnce(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		v := c.come("ana")
		told := func() (n int) {
			for _, i := range seen(v).News {
				if i.Text == "A beat B" {
					n++
				}
			}
			return n
		}
		c.NewsOnce("A beat B")
		require.Equal(t, 1, told())
		for i := range 50 {
			c.AddNews(lobby.NewsItem{At: time.Now(), Kind: lobby.NewsTeam, Text: fmt.Sprint("other ", i)})
		}
		time.Sleep(time.Minute)
		c.NewsOnce("A beat B")
		require.Zero(t, told(), "it was told a minute ago")
		time.Sleep(event.ToldOnce)
		c.NewsOnce("A beat B")
		require.Equal(t, 1, told(), "it has happened again")
	})
}

// The fourth player of a league's only match sits down in the last seconds and hangs up in the countdown.
func TestALeagueEndsAfterACountdownThatWasBrokenOff(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		id, olga, owl, cat := owlsAndCats(t, c)
		wait(time.Hour)
		at := time.Now().Add(2 * time.Hour).Round(0)
		require.NoError(t, owl[0].ProposeTime(ctx, id, at))
		require.NoError(t, cat[0].AcceptTime(ctx, id, time.Time{}))
		cat[1].Close(table.Left)
		time.Sleep(time.Until(at) + time.Second)
		m := contestNow(t, olga, id).Matches[0]
		require.NotZero(t, m.Pairing)
		time.Sleep(time.Until(m.Until) - 2*time.Second)
		cat[1] = c.back("twocat")
		wait(3 * time.Second)
		require.Equal(t, table.Countdown, owl[0].MyTables()[0].State)
		cat[1].Close(table.Disconnected)
		wait(10 * time.Second)
		require.Equal(t, table.Gathering, owl[0].MyTables()[0].State)
		time.Sleep(60 * 24 * time.Hour)
		require.True(t, contestNow(t, olga, id).Over)
	})
}

// rosterless does not read teams after somebody has left one, until it is told to.
type rosterless struct {
	lobby.Teams
	fails *atomic.Bool
}

func (r rosterless) LeaveTeam(ctx context.Context, id table.PlayerID, now time.Time) error {
	defer r.fails.Store(true)
	return r.Teams.LeaveTeam(ctx, id, now)
}

func (r rosterless) Team(ctx context.Context, id table.TeamID) (*lobby.Team, error) {
	if r.fails.Load() {
		return nil, errNotNow
	}
	return r.Teams.Team(ctx, id)
}

// Teams are told what concerns them a little later, if nobody could read who is in them.
func TestATeamIsToldLater(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		var fails atomic.Bool
		c.stop()
		c.store.Replace = func(all *lobby.Stores) { all.Teams = rosterless{all.Teams, &fails} }
		c.start()
		_, _, owl, cat := owlsAndCats(t, c)
		wait(time.Hour)
		require.NoError(t, owl[1].LeaveTeam(ctx))
		fails.Store(false)
		require.NoError(t, owl[0].LeaveTeam(ctx))
		synctest.Wait()
		require.NotContains(t, lastNotes(cat[1]), "have disbanded")
		fails.Store(false)
		wait(2 * time.Minute)
		require.Equal(t, 1, strings.Count(lastNotes(cat[1]), "have disbanded"))
	})
}
