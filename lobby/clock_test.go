package lobby_test

import (
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/daily"
	"boneyard/table"
)

// A wrong clock closes nothing: around midnight, or off by a year, while the club is open or when it starts.
// An arena and the daily deal end on time, and after days of being closed the club goes on by itself.
func TestAClockThatIsWrongForAWhile(t *testing.T) {
	for name, leap := range map[string]time.Duration{"over midnight": 18 * time.Hour, "a year": 365 * 24 * time.Hour,
		"back": -365 * 24 * time.Hour} {
		for _, restart := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				var off atomic.Int64
				c := openAhead(t, &off, withDaily)
				time.Sleep(12 * time.Hour)
				boss := c.come("olga", operator)
				id := newArena(t, boss, hour, time.Hour)
				day := dayNow(t, boss, "")
				require.NoError(t, errOf(boss.PlayDaily(ctx, "")))
				ends := arenaNow(t, boss, id).Ends
				wrong := func(by time.Duration) {
					off.Store(int64(by))
					if restart {
						boss.Close(table.Left)
						c.restart()
						a, err := c.store.ByName(ctx, "olga")
						require.NoError(t, err)
						boss = c.enter(a, operator)
					}
				}
				wrong(leap)
				lasts := 14 * time.Minute
				if restart && leap > 0 && leap < 24*time.Hour { // as after a night in which the server was off
					lasts = 50 * time.Second
				}
				for range 14 {
					time.Sleep(lasts / 14)
					require.False(t, arenaNow(t, boss, id).Begun, name)
					now := dayNow(t, boss, "")
					require.Equal(t, day.Key, now.Key)
					require.False(t, now.Over)
					require.NotNil(t, now.Mine)
				}
				wrong(0)
				time.Sleep(time.Until(ends) - time.Second)
				require.False(t, arenaNow(t, boss, id).Over)
				time.Sleep(time.Second)
				require.True(t, arenaNow(t, boss, id).Over)
				time.Sleep(time.Until(day.Ends) + time.Minute)
				require.Equal(t, day.Number+1, dayNow(t, boss, "").Number)
				days, err := c.store.Events(ctx, "daily", 0)
				require.NoError(t, err)
				require.Len(t, days, 3, "no deal was made for another year")

				boss.Close(table.Left)
				c.stop()
				time.Sleep(3 * 24 * time.Hour)
				c.start()
				wait(16 * time.Minute)
				live, err := c.store.Events(ctx, "", 0)
				require.NoError(t, err)
				require.Len(t, live, 2, "today and tomorrow")
			})
		}
	}
}

// TestDailyAfterAClockThatWasAhead: a clock that was a day ahead and is corrected leaves a day whose deal is
// over. That day can be read, and so can earlier ones.
func TestDailyAfterAClockThatWasAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64
		c := openAhead(t, &ahead, withDaily)
		ana := c.come("ana")
		time.Sleep(12 * time.Hour)
		require.NoError(t, errOf(ana.Daily(ctx, "")))
		ahead.Store(int64(24 * time.Hour))
		wait(2 * time.Hour)
		require.NoError(t, errOf(ana.Daily(ctx, "")), "a day ahead")
		ahead.Store(0)
		wait(2 * time.Hour)
		require.NoError(t, errOf(ana.DailyPast(ctx)), "the days before")
		require.NoError(t, errOf(ana.DailyMonth(ctx, time.Now().UTC().Format("2006-01"))), "the month")
		require.True(t, dayNow(t, ana, "").Over, "set right again")
		require.ErrorIs(t, errOf(ana.PlayDaily(ctx, "")), daily.ErrClosed)
	})
}

// TestAClockThatIsSetBack: activity before the clock was set back does not count as recent. So quick play
// leads nobody to a player who sleeps, and messages told on a dead connection wait.
func TestAClockThatIsSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64
		c := openAhead(t, &ahead)
		ana, ben := c.come("ana"), c.come("ben")
		waits := sits(t, ana)
		do(t, ana, waits.ID(), table.Ready{On: true})
		ahead.Store(-int64(time.Hour))
		time.Sleep(time.Minute)
		require.NotEqual(t, waits.ID(), quick(t, ben, lobby.QuickPrefs{}).Table, "ana sleeps")
		say(t, ben, "/tell ana one")
		ana.Close(table.Disconnected)
		synctest.Wait()
		ana = c.back("ana")
		synctest.Wait()
		require.Equal(t, []string{"ben tells you: one"}, stampless(heard(ana)))
		ana.Active()
		require.Equal(t, waits.ID(), quick(t, c.come("cem"), lobby.QuickPrefs{}).Table, "ana is awake")
	})
}

// TestNotesAreNumbered: after the clock was set back, a new note has an older time than the one before it.
func TestNotesAreNumbered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64
		c := openAhead(t, &ahead, withDaily)
		ana, ben := c.come("ana"), c.come("ben")
		ahead.Store(int64(24 * time.Hour))
		time.Sleep(2 * time.Hour)
		say(t, ana, "/tell ben one")
		ahead.Store(0)
		time.Sleep(2 * time.Hour)
		say(t, ana, "/tell ben two")
		notes := ben.Notes()
		require.Len(t, notes, 2)
		require.False(t, notes[1].At.After(notes[0].At))
		require.Greater(t, notes[1].Seq, notes[0].Seq)
	})
}

// A server that starts with a clock far ahead still bans people once the clock is right again, even if
// another ban was lifted in between. Until then operators find the ban, and can lift it.
func TestBansOutlastAClockThatWasAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64
		c := openAhead(t, &ahead)
		ann, ben := c.member("ann"), c.member("ben")
		boss := c.come("olga", operator)
		say(t, boss, "/ban ann 7d")
		say(t, boss, "/ban ben")
		ahead.Store(int64(365 * 24 * time.Hour))
		c.restart()
		boss = c.back("olga", operator)
		banned := func(a *lobby.Account) bool {
			_, _, is := c.Banned(netip.MustParseAddr("192.0.2.9"), a.Key)
			return is
		}
		for range 2 {
			ahead.Store(0)
			require.True(t, banned(ann))
			ahead.Store(int64(365 * 24 * time.Hour))
			require.True(t, banned(ann), "nor does it end while nobody believes the clock")
			say(t, boss, "/unban ben")
		}
		all, err := boss.Sanctions(ctx)
		require.NoError(t, err)
		require.Len(t, all, 1, "that on ann is still there to be lifted")
		require.Equal(t, "1 lifted.", say(t, boss, "/unban ann"))
		ahead.Store(0)
		require.False(t, banned(ann))
		require.False(t, banned(ben))
	})
}

// TestNothingBeginsJustBeforeTheClockLeaps: after a stop of an hour, events go by the old time for a minute.
// Anything created in that minute would be over as soon as the clock is believed.
func TestNothingBeginsJustBeforeTheClockLeaps(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		boss.Close(table.Left)
		c.stop()
		time.Sleep(time.Hour)
		c.start()
		boss = c.back("olga", operator)
		made := 0
		for range 4 {
			id, err := boss.NewArena(ctx, hour, time.Time{}, 20*time.Minute)
			if err == nil {
				made++
				time.Sleep(19 * time.Minute)
				require.False(t, arenaNow(t, boss, id).Over)
				time.Sleep(2 * time.Minute)
				require.True(t, arenaNow(t, boss, id).Over)
				continue
			}
			require.EqualError(t, err, "The club is checking its clock; please try again in 1 minute.")
			time.Sleep(time.Minute)
		}
		require.Equal(t, 3, made)
	})
}
