package lobby_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/lobbytest"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

func withDaily(c *lobby.Config) { c.Daily = true }

// enterAs lets a member in, and first creates the account if nobody has the name.
func enterAs(t *testing.T, l *lobby.Lobby, s *lobbytest.Store, name string) *lobby.Visit {
	t.Helper()
	key := lobby.KeyID{}
	copy(key[:], name)
	a, err := s.ByKey(ctx, key)
	if err != nil {
		a, err = s.Create(ctx, key, name, text.Skeleton(name), time.Now())
	}
	require.NoError(t, err)
	v, err := l.Enter(ctx, a, lobby.Origin{Key: key, Net: fmt.Sprintf("10.%d.%d.%d", key[0], key[1], key[2])})
	require.NoError(t, err)
	return v
}

// playOut plays a game to its end, or some moves of it, by choosing among the options, and returns all moves
// as the player sees them.
func playOut(t *testing.T, v *lobby.Visit, id table.ID, choose func(n int) int, most int) (moves []string) {
	t.Helper()
	here := v.Show(lobby.Place{Table: id})
	defer here.Close()
	sub, err := here.Watch(ctx)
	require.NoError(t, err)
	for n := 0; ; {
		synctest.Wait()
		view := sub.View()
		require.NotEqual(t, table.Closed, view.State)
		switch {
		case view.State == table.Finished || n == most:
			require.Equal(t, view.State == table.Finished && !view.Config.Event.Sealed, view.Seed != "")
			for _, e := range view.Log {
				if e.Number > 0 {
					moves = append(moves, fmt.Sprint(e.Round, e.Event.Seat, e.Event.Kind, e.Event.Tile, e.Event.Arm))
				}
			}
			return moves
		case view.State == table.Scoring:
			require.NoError(t, v.Do(ctx, id, table.Continue{}))
		case view.MyMove():
			o := view.Play.Options[choose(len(view.Play.Options))]
			n++
			require.NoError(t, v.Do(ctx, id, table.Move{Version: view.Version, Move: rules.Move{Kind: rules.Play, Tile: o.Tile, Arm: o.Arm}}))
		default:
			time.Sleep(time.Second)
		}
	}
}

// watch tries to look at a table.
func watch(v *lobby.Visit, id table.ID) (*table.Subscription, error) {
	here := v.Show(lobby.Place{Table: id})
	defer here.Close()
	return here.Watch(ctx)
}

// dayNow is what somebody sees of a day, once all is done.
func dayNow(t *testing.T, v *lobby.Visit, key string) *daily.Deal {
	t.Helper()
	return seenOf(t, v.Daily, key)
}

// attempt begins or goes on with somebody's attempt at a day's deal.
func attempt(t *testing.T, v *lobby.Visit, key string) table.ID {
	t.Helper()
	synctest.Wait()
	id, err := v.PlayDaily(ctx, key)
	require.NoError(t, err)
	return id
}

func first(int) int  { return 0 }
func last(n int) int { return n - 1 }

// TestDailyDeal: three members play one day's deal in three ways, a fourth across a disconnection; the day is
// read during and after it.
func TestDailyDeal(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		l, s := c.Lobby, c.Store
		ana, ben, cleo, dina := enterAs(t, l, s, "ana"), enterAs(t, l, s, "ben"), enterAs(t, l, s, "cleo"), enterAs(t, l, s, "dina")
		guest, err := l.Enter(ctx, nil, lobby.Origin{Net: "192.0.2.9"})
		require.NoError(t, err)
		synctest.Wait()

		before := dayNow(t, ana, "")
		require.True(t, before.MayPlay)
		require.Empty(t, before.Seed)
		require.Len(t, before.Commit, 64)
		require.Len(t, before.Next, 64)
		require.NotEmpty(t, before.ListedBy, "the account is new")
		today, open := ana.Today()
		require.Equal(t, 1, today.Number)
		require.True(t, open)
		require.ErrorIs(t, errOf(guest.PlayDaily(ctx, "")), daily.ErrMembers)

		play := func(v *lobby.Visit, choose func(int) int) []string {
			id := attempt(t, v, "")
			return playOut(t, v, id, choose, -1)
		}
		one := play(ana, first)
		require.Equal(t, one, play(ben, first), "who plays alike gets the same replies")
		require.NotEqual(t, one, play(cleo, last))

		id := attempt(t, dina, "")
		playOut(t, dina, id, first, 3)
		require.Equal(t, id, attempt(t, dina, ""), "one attempt, which goes on")
		require.True(t, dayNow(t, dina, "").Mine.Playing)
		for _, sum := range seen(ana).Tables {
			require.NotEqual(t, id, sum.Table, "no list has it")
		}
		require.ErrorIs(t, errOf(watch(ana, id)), table.ErrWatchers)
		require.ErrorIs(t, errOf(ana.GalleryView(id)), table.ErrWatchers)
		dina.Close(table.Disconnected)
		dina = enterAs(t, l, s, "dina")
		seat, ok := dina.Seat()
		require.True(t, ok)
		require.Equal(t, id, seat)
		require.Equal(t, one, playOut(t, dina, id, first, -1))

		require.ErrorIs(t, errOf(ana.PlayDaily(ctx, "")), daily.ErrPlayed)
		_, open = ana.Today()
		require.False(t, open)
		d := dayNow(t, ana, "")
		require.False(t, d.MayPlay)
		require.Empty(t, d.Seed)
		require.Equal(t, 1, d.Streak)
		require.Len(t, d.Rounds, daily.Rounds)
		sum := 0
		for _, n := range d.Rounds {
			sum += n
		}
		require.Equal(t, d.Mine.Diff(), sum)
		require.Regexp(t, fmt.Sprintf(`^Boneyard daily 1 %+d [▁▂▃▄▅▆▇█]{5}$`, sum), d.Share())
		require.NotEmpty(t, d.Decided)
		require.Equal(t, 3, d.Decided[0].Met, "ben and dina chose alike, cleo may have")
		for _, c := range d.Decided {
			percent := 0
			for _, o := range c.Others {
				percent += o.Percent
			}
			require.InDelta(t, 100, percent, 2, "%+v", c)
			require.GreaterOrEqual(t, c.Met, 2, "two others have played the same")
		}
		games, err := ana.Games(ctx, lobby.GamesQuery{Limit: 10})
		require.NoError(t, err)
		require.Empty(t, games)
		_, _, err = ana.Record(ctx, d.Mine.Game)
		require.ErrorIs(t, err, lobby.ErrNoGame)
		require.ErrorIs(t, errOf(ana.Coach(ctx, d.Mine.Game)), lobby.ErrNoGame)
		require.Empty(t, seen(ana).News)
		require.ErrorIs(t, errOf(ana.PlayDaily(ctx, "2000-01-02")), daily.ErrNone)

		eve := enterAs(t, l, s, "eve")
		late := attempt(t, eve, "")
		playOut(t, eve, late, first, 2)
		wait(time.Until(before.Ends))
		require.ErrorIs(t, errOf(watch(eve, late)), lobby.ErrNoTable, "the day is over, and what was not finished does not count")

		after := dayNow(t, ana, before.Key)
		require.True(t, after.Over)
		seed, err := rules.ParseSeed(after.Seed)
		require.NoError(t, err)
		require.Equal(t, before.Commit, seed.Commitment())
		require.Equal(t, d.Rounds, after.Rounds)
		tried := dayNow(t, eve, before.Key).Mine
		require.False(t, tried.Played || tried.Playing, "it ends with its day")
		_, lines, err := ana.Record(ctx, d.Mine.Game)
		require.NoError(t, err)
		require.Contains(t, strings.Join(lines, "\n"), after.Seed)
		next := dayNow(t, ana, "")
		require.Equal(t, 2, next.Number)
		require.Equal(t, before.Next, next.Commit, "its hash was shown the day before")
		require.Equal(t, 1, next.Streak)
		require.NotEqual(t, before.Rules, next.Rules)
		past, err := ana.DailyPast(ctx)
		require.NoError(t, err)
		require.Len(t, past, 1)

		for _, v := range []*lobby.Visit{guest, ana} { // for fun
			require.Equal(t, one, playOut(t, v, attempt(t, v, before.Key), first, -1))
		}
		require.Equal(t, after.Rows, dayNow(t, ana, before.Key).Rows, "it does not count")
	}, withDaily)
}

// Every day's deal can be played to its end; equal plays get equal replies, even from partners; streaks last.
func TestEveryDayCanBePlayed(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		const days = 6 // the five games, and the first one again
		for day := range days {
			var moves [2][]string
			for i, name := range []string{"ana", "ben"} {
				v := enterAs(t, c.Lobby, c.Store, name)
				id := attempt(t, v, "")
				moves[i] = playOut(t, v, id, last, -1)
				d, err := v.Daily(ctx, "") // at once: players find the result of a game that has just ended
				require.NoError(t, err)
				require.True(t, d.Mine.Played)
				require.Len(t, d.Rounds, daily.Rounds)
				require.NotEmpty(t, d.Decided)
				require.Equal(t, day+1, d.Streak)
				v.Close(table.Left)
			}
			require.Equal(t, moves[0], moves[1])
			wait(24 * time.Hour)
		}
	}, withDaily)
}

// Days of block were once created with rules of no game. An attempt at one goes on, the day can be played for
// fun when it is over, and it ends no streak.
func TestDaysThatNobodyCouldPlay(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := enterAs(t, c.Lobby, c.store, "ana")
		c.stop()
		made := func(back, number int, log ...event.Entry) string {
			e := daily.Make(time.Now().AddDate(0, 0, -back), number, rules.Seed{byte(number)})
			if number%5 == 4 {
				e.Config = bytes.Replace(e.Config, []byte("block rounds=5"), []byte("block teams=off rounds=5"), 1)
			}
			e, err := c.store.CreateEvent(ctx, e)
			require.NoError(t, err)
			if back > 0 {
				log = append(log, event.New(event.KindOver, nil))
			}
			write(t, c, e.ID, e.Begins, log, back > 0)
			return e.Key
		}
		tried := event.New("attempt", map[string]any{"no": 1, "player": ana.Player().ID, "name": "ana"})
		made(6, 3, tried, event.New("result", map[string]any{"no": 1, "game": 1000, "for": 10, "played": true}))
		missed := made(5, 4, tried)
		for n := 5; n < 9; n++ {
			made(9-n, n, tried, event.New("result", map[string]any{"no": 1, "game": 1000 + n, "for": 10, "played": true}))
		}
		made(0, 9, tried)
		c.cfg.Daily = true
		c.start()
		ana = enterAs(t, c.Lobby, c.store, "ana")
		d := dayNow(t, ana, "")
		require.Equal(t, 5, d.Streak)
		at := d.At[d.Mine.No]
		require.NotZero(t, at, "it is under way")
		playOut(t, ana, at, first, -1)
		d = dayNow(t, ana, "")
		require.True(t, d.Mine.Played)
		require.Equal(t, 6, d.Streak)
		id := attempt(t, ana, missed)
		playOut(t, ana, id, first, -1)
	})
}

// write stores the whole journal of an event.
func write(t *testing.T, c *club, id event.ID, at time.Time, log []event.Entry, over bool) {
	t.Helper()
	for i := range log {
		log[i].Seq, log[i].At = i+1, at
	}
	require.NoError(t, c.store.AppendEvent(ctx, id, 0, log, over))
}

// TestALongStreakIsRemembered: a streak of more than a year is not read day by day each time, even if the
// club had days without a deal.
func TestALongStreakIsRemembered(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := enterAs(t, c.Lobby, c.store, "ana")
		c.stop()
		for back := daily.MostStreak + 20; back > 0; back-- {
			if back%30 == 0 {
				continue
			}
			e, err := c.store.CreateEvent(ctx, daily.Make(time.Now().AddDate(0, 0, -back), 1000-back, rules.Seed{1}))
			require.NoError(t, err)
			log := []event.Entry{event.New("attempt", map[string]any{"no": 1, "player": ana.Player().ID, "name": "ana"}),
				event.New("result", map[string]any{"no": 1, "game": back, "for": 10, "played": true}), event.New(event.KindOver, nil)}
			write(t, c, e.ID, e.Ends, log, true)
		}
		c.cfg.Daily = true
		c.start()
		ana = enterAs(t, c.Lobby, c.store, "ana")
		before := 0
		for range 2 {
			before = c.store.Asked()
			require.Equal(t, daily.MostStreak, dayNow(t, ana, "").Streak)
			time.Sleep(time.Minute) // what was just asked is answered from memory
		}
		require.Less(t, c.store.Asked()-before, 20)
	})
}

// Days on which the club was closed end no streak; a day on which it was open does.
func TestAClosedClubEndsNoStreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, withDaily, func(cfg *lobby.Config) { cfg.ClockConfirm = 0 })
		streak := func(plays bool, want int) {
			t.Helper()
			ana := enterAs(t, c.Lobby, c.store, "ana")
			defer ana.Close(table.Left)
			synctest.Wait()
			if plays {
				id := attempt(t, ana, "")
				playOut(t, ana, id, first, -1)
			}
			require.Equal(t, want, dayNow(t, ana, "").Streak)
		}
		noon := func(days int) {
			time.Sleep(time.Until(time.Now().Truncate(24 * time.Hour).Add(time.Duration(days)*24*time.Hour + 12*time.Hour)))
		}
		noon(1)
		streak(true, 1)
		for _, days := range []int{1, 2, 5, 20} {
			c.stop()
			noon(days)
			c.start()
			streak(false, 1)
		}
		streak(true, 2)
		noon(1)
		streak(false, 2)
		noon(1)
		streak(false, 0)
	})
}

// An attempt goes on over restarts of the server as though nothing had happened: with the same deals, the same replies and one result.
func TestDailyOverRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, withDaily)
		ana := enterAs(t, c.Lobby, c.store, "ana")
		id := attempt(t, ana, "")
		one := playOut(t, ana, id, first, -1)
		before := dayNow(t, ana, "")
		require.Len(t, before.Rounds, daily.Rounds)

		ben := enterAs(t, c.Lobby, c.store, "ben")
		restart := func() {
			ben.Close(table.Disconnected)
			c.restart()
			ben = enterAs(t, c.Lobby, c.store, "ben")
			synctest.Wait()
		}
		id = attempt(t, ben, "")
		var moves []string
		for restarts := 0; ; restarts++ {
			moves = playOut(t, ben, id, first, 3)
			restart()
			if now, err := ben.Daily(ctx, ""); err != nil || !now.MayPlay {
				require.NoError(t, err)
				require.Positive(t, restarts)
				break
			}
			seat, ok := ben.Seat()
			require.True(t, ok)
			require.Equal(t, id, seat)
			require.Equal(t, id, attempt(t, ben, ""), "the same attempt")
		}
		require.Equal(t, one, moves)
		require.ErrorIs(t, errOf(ben.PlayDaily(ctx, "")), daily.ErrPlayed)
		d := dayNow(t, ben, "")
		require.Equal(t, before.Commit, d.Commit)
		require.Equal(t, before.Next, d.Next)
		require.Equal(t, before.Rounds, d.Rounds)
		require.Len(t, d.Rows, 2)
		require.Equal(t, before.Mine.Diff(), d.Mine.Diff())

		wait(time.Until(before.Ends))
		restart()
		after := dayNow(t, ben, before.Key)
		require.Equal(t, d.Rows, after.Rows)
		_, lines, err := ben.Record(ctx, d.Mine.Game)
		require.NoError(t, err)
		require.Contains(t, strings.Join(lines, "\n"), after.Seed)
	})
}

// The comparison uses the coach's time. If others have used it up, everything else is still shown.
func TestDailyDealWhileTheCoachIsBusy(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		ana := enterAs(t, c.Lobby, c.Store, "ana")
		id := attempt(t, ana, "")
		playOut(t, ana, id, first, -1)
		for ana.AtCoach(ctx, func() error { time.Sleep(time.Second); return nil }) == nil {
		}
		d := dayNow(t, ana, "")
		require.True(t, d.Crowded)
		require.Empty(t, d.Decided)
		require.Len(t, d.Rounds, daily.Rounds)
		time.Sleep(time.Minute)
		d = dayNow(t, ana, "")
		require.False(t, d.Crowded)
		require.NotEmpty(t, d.Decided)
	}, withDaily)
}

// TestDailyMonth counts the best days, and lists new accounts separately.
func TestDailyMonth(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		l, s := c.Lobby, c.Store
		names := []string{"ana", "ben", "cleo"}
		for day := range 3 {
			for i, name := range names {
				v := enterAs(t, l, s, name)
				id := attempt(t, v, "")
				require.NotZero(t, id)
				if i != day { // each misses one
					playOut(t, v, id, []func(int) int{first, last}[i%2], -1)
				}
				v.Close(table.Left)
			}
			wait(24 * time.Hour)
		}
		v := enterAs(t, l, s, "ana")
		rows, err := v.DailyMonth(ctx, "2000-01")
		require.NoError(t, err)
		require.Empty(t, rows, "less than three finished games each when they began")
		d := dayNow(t, v, "2000-01-03")
		require.Len(t, d.Rows, 3)
		require.True(t, d.Rows[0].Apart)
		require.Zero(t, d.Placed())
		d = dayNow(t, v, "")
		require.Equal(t, 2, d.Streak, "she missed the first day only")
	}, withDaily)
}

// monthOf is the table of December 1999, on each day of which so many people have some points.
func monthOf(t *testing.T, days int, points func(day int) []int) (rows []daily.MonthRow) {
	t.Helper()
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		for day := range days {
			e, err := c.Store.CreateEvent(ctx, daily.Make(time.Date(1999, 12, 1+day, 12, 0, 0, 0, time.UTC), day, rules.Seed{byte(day)}))
			require.NoError(t, err)
			var log []event.Entry
			for i, n := range points(day) {
				no := len(log)/2 + 1
				log = append(log, event.New("attempt", map[string]any{"no": no, "player": 100 + i, "name": fmt.Sprint("p", i)}),
					event.New("result", map[string]any{"no": no, "game": 1000 + 10*day + i, "for": n, "played": true}))
			}
			log = append(log, event.New(event.KindOver, nil))
			for i := range log {
				log[i].Seq, log[i].At = i+1, e.Ends
			}
			require.NoError(t, c.Store.AppendEvent(ctx, e.ID, 0, log, true))
		}
		var err error
		rows, err = enterAs(t, c.Lobby, c.Store, "dora").DailyMonth(ctx, "1999-12")
		require.NoError(t, err)
	}, withDaily)
	return rows
}

// Only everybody's best 20 days of a month count: a player who was first on 20 days and second on four gets points for the 20.
func TestTheBestDaysOfAMonth(t *testing.T) {
	const days = 24
	require.Equal(t, []daily.MonthRow{
		{Place: 1, Player: 100, Name: "p0", Days: days, Points: 20 * 100},
		{Place: 2, Player: 101, Name: "p1", Days: days, Points: 4*100 + 16*50},
		{Place: 3, Player: 102, Name: "p2", Days: days},
	}, monthOf(t, days, func(day int) []int {
		if day%6 == 5 {
			return []int{150, 200, 100}
		}
		return []int{200, 150, 100}
	}))
}

// Those with equal points in a month share a place, also if sums of fractions differ in the last bit.
func TestAPlaceOfAMonthIsShared(t *testing.T) {
	rows := monthOf(t, 4, func(day int) []int {
		return [][]int{{1, 2, 4, 3}, {2, 3, 4, 1}, {4, 3, 2, 1}, {4, 3, 2, 1}}[day]
	})
	require.Equal(t, []daily.MonthRow{
		{Place: 1, Player: 102, Name: "p2", Days: 4, Points: 267},
		{Place: 2, Player: 100, Name: "p0", Days: 4, Points: 233},
		{Place: 2, Player: 101, Name: "p1", Days: 4, Points: 233},
		{Place: 4, Player: 103, Name: "p3", Days: 4, Points: 67},
	}, rows)
}

// Before a player's own attempt has ended, no answer of the club shows how others did, or today's part of the
// month; afterwards, and when the day is over, all of that is shown.
func TestNobodySeesResultsBeforeTheirOwn(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		ana := enterAs(t, c.Lobby, c.Store, "ana")
		wait(8 * 24 * time.Hour)
		for range 10 { // so that she is ranked
			played(t, ana)
		}
		guest, err := c.Lobby.Enter(ctx, nil, lobby.Origin{Net: "192.0.2.9"})
		require.NoError(t, err)
		fresh, begun := enterAs(t, c.Lobby, c.Store, "fresh"), enterAs(t, c.Lobby, c.Store, "begun")
		id := attempt(t, ana, "")
		playOut(t, ana, id, first, -1)
		own := dayNow(t, ana, "")
		require.Equal(t, 1, own.Mine.Place)
		at := attempt(t, begun, "")
		playOut(t, begun, at, last, 3)

		// tells is all that the club answers to somebody, but for who they are.
		tells := func(v *lobby.Visit) string {
			d := dayNow(t, v, "")
			same := dayNow(t, v, own.Key)
			month, err := v.DailyMonth(ctx, own.Key[:len("2006-01")])
			require.NoError(t, err)
			past, err := v.DailyPast(ctx)
			require.NoError(t, err)
			now, _ := v.Today()
			games, err := v.Games(ctx, lobby.GamesQuery{Player: ana.Player().ID, Limit: 1})
			require.NoError(t, err)
			days := []*daily.Day{d.Day, same.Day, now}
			for _, d := range past {
				if d.Key >= own.Key {
					days = append(days, d)
				}
			}
			said := fmt.Sprint(month, d.Decided, d.Share(), newsTexts(v))
			for _, d := range days {
				for _, r := range d.Rows {
					if r.Player != v.Player().ID {
						said += fmt.Sprint(r)
					}
				}
			}
			for _, g := range games {
				require.NotEqual(t, own.Mine.Game, g.ID)
			}
			return said
		}
		for _, v := range []*lobby.Visit{guest, fresh, begun} {
			require.NotContains(t, tells(v), "ana")
		}
		playOut(t, begun, at, last, -1)
		require.Contains(t, tells(begun), "ana")
		wait(24 * time.Hour)
		for _, v := range []*lobby.Visit{guest, fresh} {
			require.Equal(t, own.Mine.Diff(), dayNow(t, v, own.Key).Of(ana.Player().ID).Diff())
			month, err := v.DailyMonth(ctx, own.Key[:len("2006-01")])
			require.NoError(t, err)
			require.Contains(t, fmt.Sprint(month), "ana")
		}
	}, withDaily)
}

// played makes a member play a game against bots to its end.
func played(t *testing.T, v *lobby.Visit) {
	t.Helper()
	tab, err := v.NewTable(ctx, quickGame(t))
	require.NoError(t, err)
	do(t, v, tab.ID(), table.Ready{On: true})
	playOut(t, v, tab.ID(), first, -1)
	do(t, v, tab.ID(), table.Stand{})
	time.Sleep(time.Hour)
}

// givenUp makes a member give up a game against bots.
func givenUp(t *testing.T, v *lobby.Visit) {
	t.Helper()
	tab, err := v.NewTable(ctx, quickGame(t))
	require.NoError(t, err)
	do(t, v, tab.ID(), table.Ready{On: true})
	time.Sleep(time.Minute)
	do(t, v, tab.ID(), table.Resign{})
}

// quickGame is a game of one round against a bot.
func quickGame(t *testing.T) table.Config {
	cfg := table.DefaultConfig()
	cfg.Rules, cfg.RuleText, cfg.Fill = ruleset(t, "classic rounds=1"), "classic rounds=1", table.FillNow
	return cfg
}

// Attempts from one network are all listed apart, in any order, and wherever else they were begun or
// continued. Only accounts that are a week old and have finished ten games are ranked.
func TestWhoIsRanked(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		come := func(name, net string, change ...func(*lobby.Origin)) *lobby.Visit {
			enterAs(t, c.Lobby, c.Store, name).Close(table.Left)
			a, err := c.Store.ByName(ctx, name)
			require.NoError(t, err)
			o := lobby.Origin{Key: a.Key, Net: net}
			for _, f := range change {
				f(&o)
			}
			v, err := c.Lobby.Enter(ctx, a, o)
			require.NoError(t, err)
			return v
		}
		shared := func(o *lobby.Origin) { o.Shared = true }
		regulars := []string{"ana", "ben", "cleo", "dina", "emil", "fay", "gus", "hal"}
		for _, name := range regulars {
			come(name, "192.0.2.1").Close(table.Left)
		}
		time.Sleep(7*24*time.Hour - 12*time.Hour)
		for _, name := range regulars {
			v := come(name, "192.0.2.1")
			for range 10 {
				played(t, v)
			}
			for range 60 { // games against bots that nobody plays to their end make nobody a newcomer
				if name == "ben" {
					givenUp(t, v)
				}
			}
			v.Close(table.Left)
		}
		nine := come("nine", "192.0.2.1")
		time.Sleep(8 * 24 * time.Hour)
		for range 9 {
			played(t, nine)
		}
		young := come("young", "192.0.2.1")
		for range 10 {
			played(t, young)
		}
		leave(table.Left, nine, young)
		synctest.Wait()

		type part struct {
			name, net string
			moves     int
			change    []func(*lobby.Origin)
		}
		for _, p := range []part{
			{"ana", "198.51.100.1", -1, nil},
			{"ben", "198.51.100.2", -1, nil},                          // on his own
			{"nine", "198.51.100.1", -1, nil},                         // ana's network
			{"cleo", "198.51.100.3", 2, nil},                          // begun here,
			{"dina", "198.51.100.4", -1, nil},                         // where dina is,
			{"cleo", "198.51.100.4", -1, nil},                         // and continued there
			{"emil", "2001:db8::1", -1, nil},                          // two at one place
			{"fay", "2001:db8::2", 1, nil},                            // who doesn't finish
			{"gus", "203.0.113.1", -1, []func(*lobby.Origin){shared}}, // where so many are
			{"hal", "203.0.113.1", -1, []func(*lobby.Origin){shared}},
			{"young", "198.51.100.9", -1, nil},
		} {
			v := come(p.name, p.net, p.change...)
			id := attempt(t, v, "")
			playOut(t, v, id, first, p.moves)
			v.Close(table.Left)
		}
		v := come("ben", "198.51.100.2")
		d := dayNow(t, v, "")
		apart := map[string]bool{}
		for _, r := range d.Rows {
			apart[r.Name] = r.Apart
			require.Equal(t, r.Played && !r.Apart, r.Place > 0, r.Name)
		}
		require.Equal(t, map[string]bool{
			"ana": true, "ben": false, "nine": true, "cleo": true, "dina": true, "emil": true, "fay": true, "gus": false, "hal": false,
			"young": true,
		}, apart)
		require.Empty(t, d.ListedBy)
		for name, why := range map[string]string{"ana": "network", "cleo": "network", "nine": "new", "young": "new"} {
			d := dayNow(t, come(name, "198.51.100.77"), "")
			require.Contains(t, d.ListedBy, why)
			require.NotContains(t, fmt.Sprint(d.Day), "198.51")
		}
	}, withDaily)
}

// TestADayOf25Hours: the next day's deal, with its hash, exists even if the local time zone sets the clock
// back.
func TestADayOf25Hours(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		c := open(t, withDaily, func(c *lobby.Config) { c.ClockConfirm = 0 })
		c.stop()
		late := time.Until(time.Date(2000, 10, 28, 23, 30, 0, 0, time.UTC)) // in Berlin half past one, for the first time
		c.deps = func(d *lobby.Deps) { d.Now = func() time.Time { return time.Now().Add(late).In(berlin) } }
		c.start()
		require.Equal(t, "2000-10-28", dayNow(t, c.come("ana"), "").Key)
		require.NoError(t, errOf(c.store.Event(ctx, daily.Kind, "2000-10-29")))
	})
}

// A day that a fast clock skipped gets its deal when it comes.
func TestDaysThatAClockLeaptOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const day = 24 * time.Hour
		var by atomic.Int64
		c := openAhead(t, &by, func(c *lobby.Config) { c.Daily = true })
		olga, ana := c.come("olga", operator), c.come("ana")
		accept := func() {
			t.Helper()
			require.NoError(t, errOf(olga.Say(ctx, "/clock accept")))
		}
		start := time.Now().UTC().Truncate(day)
		require.NoError(t, errOf(ana.Daily(ctx, "")))
		by.Store(int64(5 * day))
		accept()
		require.NoError(t, errOf(ana.DailyPast(ctx)))
		by.Store(0)
		accept()
		time.Sleep(3*day + time.Hour)
		require.NoError(t, errOf(ana.Daily(ctx, "")))
		time.Sleep(day)
		past, err := ana.DailyPast(ctx)
		require.NoError(t, err)
		keys := []string{}
		for _, d := range past {
			keys = append(keys, d.Key)
		}
		require.Contains(t, keys, start.Add(3*day).Format(time.DateOnly))
	})
}
