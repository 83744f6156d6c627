package lobby_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/match"
	"boneyard/table"
)

// teller hands a lobby ends of games as tables do.
func teller(t *testing.T, c *club) func(table.GameID, table.Start, table.Result) {
	t.Helper()
	return lobby.OnEnd(c.Lobby)
}

func TestNews(t *testing.T) {
	who := func(name string) table.Player { return table.Player{ID: table.PlayerID(name[0]), Name: name} }
	bot := table.Player{Name: "nora.bot"}
	for _, tt := range []struct {
		name   string
		start  table.Start
		result table.Result
		want   []string
	}{
		{
			"two people", table.Start{Rules: "classic", Rated: true, Seats: []table.Player{who("ana"), who("ben")}},
			table.Result{Ending: table.EndPlayed, Winner: 2, Scores: []int{140, 205}, Rated: true},
			[]string{"result: ben beat ana at classic, 205:140"},
		},
		{
			"a guest makes it casual", table.Start{Rules: "sniff", Seats: []table.Player{who("ana"), {ID: -3, Name: "guest-fig"}}},
			table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{205, 40}},
			[]string{"result: ana beat guest-fig at sniff, 205:40, casual"},
		},
		{
			"three for themselves", table.Start{Rules: "spruce", Rated: true, Seats: []table.Player{who("ana"), who("ben"), who("cem")}},
			table.Result{Ending: table.EndPlayed, Winner: 2, Scores: []int{10, 200, 30}, Rated: true},
			[]string{"result: ben beat ana and cem at spruce, 200:10:30"},
		},
		{
			"four for themselves",
			table.Start{Rules: "azneef", Rated: true, Seats: []table.Player{who("ana"), who("ben"), who("cem"), who("dia")}},
			table.Result{Ending: table.EndPlayed, Winner: 2, Scores: []int{10, 200, 30, 20}, Rated: true},
			[]string{"result: ben beat ana, cem and dia at azneef, 200:10:30:20"},
		},
		{
			"shared", table.Start{Rules: "classic rounds=2", Rated: true, Seats: []table.Player{who("ana"), who("ben")}},
			table.Result{Ending: table.EndPlayed, Scores: []int{40, 40}, Rated: true},
			[]string{"result: ana and ben shared a game of classic, 40:40"},
		},
		{
			"shared by two of three",
			table.Start{Rules: "classic rounds=2", Seats: []table.Player{who("ana"), who("ben"), who("cem")}},
			table.Result{Ending: table.EndPlayed, Scores: []int{40, 15, 40}},
			[]string{"result: ana and cem shared a game of classic ahead of ben, 40:40:15, casual"},
		},
		{
			"partners, with a bot", table.Start{Rules: "block", Seats: []table.Player{who("ana"), who("ben"), who("cem"), bot}},
			table.Result{Ending: table.EndForfeit, Winner: 1, Scores: []int{20, 10}},
			[]string{"result: ana + cem beat ben + nora.bot at block, 20:10, given up, casual"},
		},
		{
			"teams", table.Start{
				Rules: "block", Rated: true, Teams: [2]table.TeamID{1, 2},
				Seats: []table.Player{{ID: 1, Name: "ana", Tag: "BON"}, {ID: 2, Name: "ben", Tag: "SIX"}, {ID: 3, Name: "cem", Tag: "BON"},
					{ID: 4, Name: "dia", Tag: "SIX"}},
			},
			table.Result{Ending: table.EndPlayed, Winner: 2, Scores: []int{20, 101}, Rated: true},
			[]string{"result: [SIX] ben + dia beat [BON] ana + cem at block, 101:20"},
		},
		{
			"behind by two fifths of the target", table.Start{Rules: "classic", Rated: true, Seats: []table.Player{who("ana"), who("ben")}},
			table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{200, 195}, Deficit: 80, Rated: true},
			[]string{"result: ana beat ben at classic, 200:195", "comeback: ana came back from 80 points behind at classic"},
		},
		{
			"behind by less", table.Start{Rules: "classic", Rated: true, Seats: []table.Player{who("ana"), who("ben")}},
			table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{200, 195}, Deficit: 79, Rated: true},
			[]string{"result: ana beat ben at classic, 200:195"},
		},
		{
			"a bot finished it for the winner", table.Start{Rules: "classic", Seats: []table.Player{who("ana"), who("ben")}},
			table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{200, 195}, Deficit: 180, Leavers: []int{1}},
			[]string{"result: ana beat ben at classic, 200:195, ana left before the end, casual"},
		},
		{
			"one person and a bot", table.Start{Rules: "classic", Seats: []table.Player{who("ana"), bot}},
			table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{200, 195}, Deficit: 180}, nil,
		},
		{
			"a great play against a bot", table.Start{Rules: "classic", Seats: []table.Player{who("ana"), bot}},
			table.Result{Ending: table.EndPlayed, Winner: 2, Scores: []int{20, 200}, Best: 30, BestBy: 1},
			[]string{"best: 30 points in one play: ana at classic, the best of the day"},
		},
		{
			"a game of an event", table.Start{
				Event: table.Event{ID: 3, Pairing: 1}, Rules: "classic", Rated: true,
				Seats: []table.Player{who("ana"), who("ben")},
			},
			table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{200, 195}, Deficit: 180, Best: 30, BestBy: 1, Rated: true},
			[]string{"best: 30 points in one play: ana at classic, the best of the day"},
		},
		{
			"a bot's great play", table.Start{Rules: "classic", Seats: []table.Player{who("ana"), bot}},
			table.Result{Ending: table.EndPlayed, Winner: 2, Scores: []int{20, 200}, Best: 40, BestBy: 2}, nil,
		},
		{
			"the exhibition", table.Start{Rules: "classic", Seats: []table.Player{bot, bot}},
			table.Result{Ending: table.EndPlayed, Winner: 2, Scores: []int{20, 200}, Best: 40, BestBy: 2}, nil,
		},
		{
			"abandoned", table.Start{Rules: "classic", Seats: []table.Player{who("ana"), who("ben")}},
			table.Result{Ending: table.EndAbandoned, Scores: []int{20, 30}, Best: 50, BestBy: 1}, nil,
		},
	} {
		t.Run(tt.name, inClub(func(t *testing.T, c *club) {
			v := c.come("eve")
			teller(t, c)(7, tt.start, tt.result)
			got := news(seen(v))
			for i, j := 0, len(got)-1; i < j; i, j = i+1, j-1 { // the newest is first
				got[i], got[j] = got[j], got[i]
			}
			require.Equal(t, tt.want, got)
			for _, n := range v.Snapshot().News {
				require.EqualValues(t, 7, n.Game)
			}
		}))
	}
}

// Only a better play than all others of the day is the best of the day, even after a restart.
func TestBestOfTheDay(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := table.Player{ID: 1, Name: "ana"}
		play := func(points int) {
			teller(t, c)(1, table.Start{Rules: "classic", Seats: []table.Player{ana, {}}},
				table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{1, 0}, Best: points, BestBy: 1})
		}
		count := func(want int) {
			t.Helper()
			v := c.guest("10.1.0.1")
			defer v.Close(table.Left)
			require.Len(t, seen(v).News, want)
		}
		play(29)
		count(0)
		play(35)
		count(1)
		play(35)
		play(30)
		count(1)
		c.restart()
		play(34)
		count(1)
		play(40)
		count(2)
		time.Sleep(24 * time.Hour)
		play(30)
		count(3)
	})
}

// Five wins in a row of rated games are news, and ten; casual games neither count nor end a streak.
func TestStreak(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.member("ana"), c.member("ben")
		v := c.come("eve")
		seats := []table.Player{{ID: ana.ID, Name: "ana"}, {ID: ben.ID, Name: "ben"}}
		var won atomic.Int64 // by ana in a row, as the standings have it
		c.store.Table = func(lobby.StandingsQuery) []lobby.Standing {
			return []lobby.Standing{{ID: int64(ana.ID), Name: "ana", Streak: int(won.Load())}}
		}
		finish := func(winner int, rated bool) {
			t.Helper()
			time.Sleep(5 * time.Minute) // who ends games faster is news less often
			id, err := c.store.NextGame(ctx)
			require.NoError(t, err)
			switch {
			case rated && winner == 1:
				won.Store(max(won.Load(), 0) + 1)
			case rated:
				won.Store(-1)
			}
			start := table.Start{Rules: "classic", Seats: seats, Rated: rated}
			teller(t, c)(id, start, table.Result{Ending: table.EndPlayed, Winner: winner, Scores: []int{200, 100}, Rated: rated})
			seen(v)
		}
		left := func(leavers ...int) { // the standings count a win over two others only if nobody has left
			time.Sleep(5 * time.Minute)
			start := table.Start{Rules: "classic", Seats: append(seats, table.Player{ID: 9, Name: "cem"}), Rated: true}
			teller(t, c)(99, start,
				table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{200, 100, 50}, Rated: true, Leavers: leavers})
		}
		streaks := func() (n int) {
			for _, item := range seen(v).News {
				if item.Kind == lobby.NewsStreak {
					n++
				}
			}
			return n
		}
		for i := range 4 {
			finish(1, true)
			finish(1+i%2, false)
		}
		require.Zero(t, streaks())
		finish(1, true)
		require.Equal(t, 1, streaks())
		require.Equal(t, "streak: ana has won 5 in a row", news(seen(v))[0])
		left(3)
		require.Equal(t, 1, streaks())
		finish(2, true)
		for range 4 {
			finish(1, true)
		}
		require.Equal(t, 1, streaks())
		for range 6 {
			finish(1, true)
		}
		require.Equal(t, 3, streaks())
		require.Contains(t, news(seen(v)), "streak: ana has won 10 in a row")
		c.store.SlowReads(time.Minute)
		won.Store(14)
		finish(1, true)
		c.store.SlowReads(0)
		require.Equal(t, 3, streaks())
		time.Sleep(3 * time.Minute)
		require.Equal(t, 4, streaks(), "read later, from a store that did not answer")
	})
}

// A few people who play one short game after another do not fill the news; guests are identified by network.
func TestNobodyFillsTheNews(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		v := c.guest("10.1.0.1")
		ana := table.Player{ID: 1, Name: "ana"}
		for i := range 60 {
			other := c.guest("10.9.0.1").Player()
			teller(t, c)(table.GameID(2*i), table.Start{Rules: "classic", Seats: []table.Player{ana, {ID: table.PlayerID(100 + i), Name: "x"}}},
				table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{i, 0}})
			teller(t, c)(table.GameID(2*i+1), table.Start{Rules: "classic", Seats: []table.Player{other, {ID: table.PlayerID(300 + i), Name: "y"}}},
				table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{i, 0}})
		}
		require.Len(t, seen(v).News, 12)
		time.Sleep(5 * time.Minute)
		teller(t, c)(500, table.Start{Rules: "classic", Seats: []table.Player{ana, {ID: 9, Name: "ben"}}},
			table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{9, 0}})
		require.Len(t, seen(v).News, 13)
	})
}

// A team is news with its first game.
func TestTeamsFirstGame(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		owls, err := ana.CreateTeam(ctx, "Night Owls", "OWL")
		require.NoError(t, err)
		old, err := ben.CreateTeam(ctx, "Old Hands", "OLD")
		require.NoError(t, err)
		end := table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{9, 0}}
		c.store.AddGame(t, time.Now(), table.Start{Rules: "block", Teams: [2]table.TeamID{old.ID, old.ID}}, &end, "x")
		start := table.Start{Rules: "block", Teams: [2]table.TeamID{owls.ID, old.ID}}
		teller(t, c)(c.store.AddGame(t, time.Now(), start, &end, "x"), start, end)
		require.Equal(t, []string{"team: Night Owls [OWL] has played its first game"}, news(seen(ana)))
	})
}

func TestNewsAreFew(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		v := c.guest("10.1.0.1")
		for i := range 70 {
			two := []table.Player{{ID: table.PlayerID(1000 + 2*i), Name: "ana"}, {ID: table.PlayerID(1001 + 2*i), Name: "ben"}}
			teller(t, c)(table.GameID(i), table.Start{Rules: "classic", Seats: two},
				table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{i, 0}})
		}
		s := seen(v)
		require.Len(t, s.News, 50)
		require.Equal(t, fmt.Sprintf("ana beat ben at classic, %d:0, casual", 69), s.News[0].Text)
		c.store.Fail(table.ErrUnavailable)
		teller(t, c)(71, table.Start{Rules: "classic", Seats: []table.Player{{ID: 1, Name: "ana"}, {ID: 2, Name: "ben"}}},
			table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{1, 0}})
		require.Equal(t, s.News, seen(v).News, "what is not on disk is no news")
		c.store.Fail(nil)
	})
}

// News told while the clock was wrong is told again once the clock is right.
func TestNewsOnceIsToldAgainUnderARightClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var off atomic.Int64
		c := openAhead(t, &off)
		v := c.come("ana")
		for _, leap := range []time.Duration{0, 365 * 24 * time.Hour, 0, -365 * 24 * time.Hour, 0} {
			off.Store(int64(leap))
			before := len(seen(v).News)
			c.NewsOnce("The hour arena begins.")
			c.NewsOnce("The hour arena begins.")
			require.Len(t, seen(v).News, before+1, leap)
			time.Sleep(2 * time.Hour)
		}
	})
}

// A clock that leaps a day ahead, and is set right, begins no new day.
func TestTheBestOfTheDayWhenTheClockLeaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var off atomic.Int64
		c := openAhead(t, &off)
		v := c.come("eve")
		for i, points := range []int{60, 40, 50, 70} {
			off.Store([]int64{0, int64(24 * time.Hour), 0, 0}[i])
			lobby.OnEnd(c.Lobby)(1, table.Start{Rules: "classic", Seats: []table.Player{v.Player(), {Name: "ada.expert"}}},
				table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{200, 100}, Best: points, BestBy: 1})
			time.Sleep(10 * time.Minute)
		}
		require.Len(t, news(seen(v)), 2)
	})
}

// TestBestOfTheDayOverARestart: a busy day has more news than a lobby shows.
func TestBestOfTheDayOverARestart(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana")
		best := func(points int) {
			start := table.Start{Rules: "classic", Seats: []table.Player{ana.Player(), {Name: "ada.expert"}}}
			lobby.OnEnd(c.Lobby)(1, start, table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{200, 100}, Best: points, BestBy: 1})
			synctest.Wait()
		}
		best(60)
		for i := range 60 {
			_, err := c.store.AddNews(ctx, lobby.NewsItem{At: time.Now(), Kind: lobby.NewsResult, Text: fmt.Sprint("result ", i)})
			require.NoError(t, err)
		}
		ana.Close(table.Left)
		c.restart()
		ana = c.back("ana")
		time.Sleep(10 * time.Minute)
		best(35)
		require.NotContains(t, fmt.Sprint(news(seen(ana))), "35 points in one play")
	})
}

// measuredNews is a store that records how much news was read at once.
type measuredNews struct {
	lobby.Talk
	most *int
}

func (m measuredNews) News(ctx context.Context, limit int) ([]lobby.NewsItem, error) {
	*m.most = max(*m.most, limit)
	return m.Talk.News(ctx, limit)
}

// TestAStartReadsOnlyLatestNews: old news is not read to open a club.
func TestAStartReadsOnlyLatestNews(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.stop()
		for i := range 1000 {
			at := time.Now().Add(-3 * 24 * time.Hour)
			if i >= 940 {
				at = time.Now()
			}
			require.NoError(t, errOf(c.store.AddNews(ctx, lobby.NewsItem{At: at, Kind: lobby.NewsTeam, Text: fmt.Sprint("news ", i)})))
		}
		most := 0
		c.deps = func(d *lobby.Deps) { d.Stores.Talk = measuredNews{d.Stores.Talk, &most} }
		c.start()
		require.Len(t, seen(c.come("ana")).News, 50)
		require.LessOrEqual(t, most, 200)
	})
}

// lostNews is a store for a server that ends whenever it is about to add news.
type lostNews struct{ lobby.Talk }

func (lostNews) AddNews(context.Context, lobby.NewsItem) (int64, error) {
	return 0, table.ErrUnavailable
}

// TestNewsThatACrashKeptIsToldThoughTheClockLagged: after a long stop events go by the old time for a while, and
// other news by the new time. An event that has ended in the meantime is news after a crash, too.
func TestNewsThatACrashKeptIsToldThoughTheClockLagged(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		id := c.made(c.come("olga", operator).NewCup(ctx, cup.Config{Config: block, Round: time.Hour}, time.Now().Add(24*time.Hour)))
		c.stop()
		time.Sleep(10 * time.Hour)
		c.deps = func(d *lobby.Deps) { d.Stores.Talk = lostNews{d.Stores.Talk} }
		c.start()
		olga, err := c.store.ByName(ctx, "olga")
		require.NoError(t, err)
		require.NoError(t, c.enter(olga, operator).CallOff(ctx, cup.Kind, id))
		synctest.Wait()
		require.NoError(t, errOf(c.store.AddNews(ctx, lobby.NewsItem{At: time.Now(), Kind: lobby.NewsResult, Text: "another game"})))
		c.stop()
		c.deps = nil
		for range 2 {
			c.start()
			synctest.Wait()
			require.Equal(t, []string{"cup: Winter was called off", "result: another game"}, news(seen(c.enter(olga, operator)))[:2])
			c.stop()
		}
		c.start()
	})
}

// TestNewsThatACrashKeptIsToldOfALongEvent: an event that was planned before hundreds of others is news, too.
func TestNewsThatACrashKeptIsToldOfALongEvent(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		long := c.made(boss.NewCup(ctx, cup.Config{Config: block, Round: time.Hour}, time.Now().Add(24*time.Hour)))
		other, err := c.store.EventByID(ctx, long)
		require.NoError(t, err)
		c.stop()
		over := func(e event.Event, name string) {
			t.Helper()
			end := event.New(event.KindOver, match.Final{Name: name})
			end.Seq, end.At = 1, time.Now()
			require.NoError(t, c.store.AppendEvent(ctx, e.ID, 0, []event.Entry{end}, true))
		}
		for n := range 300 {
			e, err := c.store.CreateEvent(ctx, event.Event{Kind: cup.Kind, Key: fmt.Sprint(n), Begins: other.Begins, Config: other.Config})
			require.NoError(t, err)
			over(e, "Autumn")
		}
		over(other, "Winter")
		time.Sleep(time.Minute)
		c.start()
		synctest.Wait()
		require.Contains(t, fmt.Sprint(news(seen(c.back("olga")))), "Winter was called off")
	})
}
