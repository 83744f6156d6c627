package lobby_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/challenge"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

var hour = arena.Config{Name: "Friday", Rules: "classic target=50", Pace: table.PaceFast, Programs: true}

func newArena(t *testing.T, v *lobby.Visit, cfg arena.Config, in time.Duration) event.ID {
	t.Helper()
	id, err := v.NewArena(ctx, cfg, time.Now().Add(in), 20*time.Minute)
	require.NoError(t, err)
	return id
}

func arenaNow(t *testing.T, v *lobby.Visit, id event.ID) *arena.View {
	t.Helper()
	return seenOf(t, v.Arena, id)
}

// moves plays a person's moves at a table for as long as it is their turn, and leaves after the game.
func moves(t *testing.T, v *lobby.Visit, id table.ID) {
	t.Helper()
	here := v.Show(lobby.Place{Table: id})
	defer here.Close()
	sub, err := here.Watch(ctx)
	if err != nil {
		return // it has closed
	}
	view := sub.View()
	if view.MyMove() {
		o := view.Play.Options[0]
		_ = v.Do(ctx, id,
			table.Move{Version: view.Version, Move: rules.Move{Seat: view.POV, Kind: rules.Play, Tile: o.Tile, Arm: o.Arm}})
	}
	if view.State == table.Scoring {
		_ = v.Do(ctx, id, table.Continue{})
	}
}

// playArena makes people play wherever they are called, until the arena is over or there were enough games.
func playArena(t *testing.T, id event.ID, games int, people ...*lobby.Visit) *arena.View {
	t.Helper()
	at := make([]table.ID, len(people))
	for range 20_000 {
		for i, v := range people {
			if to := v.Called(); to != 0 {
				at[i] = to
			}
			if at[i] != 0 {
				moves(t, v, at[i])
			}
		}
		time.Sleep(time.Second)
		if a := arenaNow(t, people[0], id); a.Over || a.Played >= games {
			return a
		}
	}
	require.FailNow(t, "the arena does not go on")
	return nil
}

// finishArena makes people play whatever game they find among their tables, until the arena is over.
func finishArena(t *testing.T, id event.ID, people []*lobby.Visit) *arena.View {
	t.Helper()
	for range 3000 {
		for _, v := range people {
			for _, s := range v.MyTables() {
				moves(t, v, s.Table)
			}
		}
		time.Sleep(time.Second)
		if a := arenaNow(t, people[0], id); a.Over {
			return a
		}
	}
	require.FailNow(t, "the arena is not over")
	return nil
}

// recomputed returns the scores that follow from the stored games.
func recomputed(t *testing.T, c *club, id event.ID) map[string]int {
	t.Helper()
	games, err := c.store.EventGames(ctx, id)
	require.NoError(t, err)
	scores, row := map[string]int{}, map[string]int{}
	for _, g := range games {
		for i, p := range g.Start.Seats {
			switch {
			case g.Result.Winner == 0 && !g.Result.Shared(): // called off
			case g.Result.Winner == i+1:
				row[p.Name]++
				scores[p.Name] += 2
				if row[p.Name] >= 3 {
					scores[p.Name] += 2
				}
			case g.Result.Winner == 0:
				row[p.Name] = 0
				scores[p.Name]++
			default:
				row[p.Name] = 0
				scores[p.Name] += 0
			}
		}
	}
	return scores
}

// soon is the arena that a visit's screen announces.
func soon(v *lobby.Visit) *event.Soon { return v.Snapshot().Soon(time.Now()) }

// The next arena is determined when one is planned, begins or is called off, and not for each screen.
func TestArenaSoon(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		later := newArena(t, boss, hour, 8*time.Minute)
		time.Sleep(time.Second)
		id := newArena(t, boss, hour, 5*time.Minute)
		time.Sleep(time.Second)
		require.Contains(t, soon(boss).Says, fmt.Sprintf("Arena %d,", id))
		s, now := boss.Snapshot(), time.Now()
		require.Zero(t, testing.AllocsPerRun(100, func() { s.Soon(now) }))
		require.NoError(t, boss.CallOff(ctx, arena.Kind, id))
		time.Sleep(time.Second)
		require.Contains(t, soon(boss).Says, fmt.Sprintf("Arena %d,", later))
		c.restart()
		boss = c.back("olga")
		time.Sleep(time.Second)
		require.Contains(t, soon(boss).Says, fmt.Sprintf("Arena %d,", later))
	})
}

// From the start of an arena, entrants are led from game to game; a restart in the middle changes nothing.
func TestArena(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		people := []*lobby.Visit{c.come("ana"), c.come("ben"), c.come("cem"), c.come("dora")}
		id := newArena(t, boss, hour, time.Hour)
		for _, v := range people {
			require.NoError(t, v.EnterEvent(ctx, arena.Kind, id, ""))
		}
		require.Nil(t, soon(boss))
		time.Sleep(51 * time.Minute)
		require.NotNil(t, soon(boss))
		require.Contains(t, news(seen(boss)),
			"arena: Arena 1, Friday, begins at "+time.Now().Add(9*time.Minute-time.Second).UTC().Format("15:04")+" UTC.")
		require.Zero(t, people[0].Called())
		time.Sleep(9 * time.Minute)
		a := arenaNow(t, boss, id)
		require.Len(t, a.Games, 2, "at once")
		require.Len(t, a.At, 2)

		a = playArena(t, id, 3, people...)
		require.False(t, a.Over)
		before := a.Entrants
		leave(table.Disconnected, people...)
		c.restart()
		for i, name := range []string{"ana", "ben", "cem", "dora"} {
			people[i] = c.back(name)
		}
		boss = people[0]
		a = arenaNow(t, boss, id)
		for i := range before {
			require.Equal(t, before[i].Score, a.Entrants[i].Score, "nothing is lost")
			require.Equal(t, before[i].Game, a.Entrants[i].Game)
		}
		a = finishArena(t, id, people)
		want := recomputed(t, c, id)
		require.NotEmpty(t, want)
		for _, e := range a.Entrants {
			require.Equal(t, want[e.Name()], e.Score, e.Name())
		}
		require.ErrorIs(t, boss.EnterEvent(ctx, arena.Kind, id, ""), arena.ErrOver)
		wait(time.Minute)
		require.Empty(t, boss.MyTables(), "the tables close after their games")
		best := &a.Entrants[0]
		lost := func(e arena.Entrant) bool { return e.Score != best.Score || e.Tie != best.Tie }
		first, did := slices.DeleteFunc(slices.Clone(a.Entrants), lost), "was first"
		if len(first) > 1 {
			did = "shared the first place"
		}
		names := text.List(text.Each(first, func(e arena.Entrant) string { return e.Name() }))
		result := fmt.Sprintf("Arena %d, Friday: %s %s with %d points", id, names, did, best.Score)
		told := slices.DeleteFunc(newsTexts(boss), func(n string) bool { return !strings.HasPrefix(n, "Arena 1, Friday: ") })
		require.Equal(t, []string{result}, told, "the result is news once it is known")
	})
}

// Members of two teams play a battle, and the winning team is news.
func TestTheResultOfABattleIsNews(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		from := func(net string) func(*lobby.Origin) { return func(o *lobby.Origin) { o.Net = net } }
		owl, cat := newTeam(t, c, "OWL", from("10.1.0.1")), newTeam(t, c, "CAT", from("10.2.0.1"))
		boss := c.come("olga", operator)
		cfg := hour
		cfg.Battle, cfg.Rules, cfg.Programs = true, "classic", false
		id := newArena(t, boss, cfg, 0)
		people := append(owl[:], cat[:]...)
		for _, v := range people {
			require.NoError(t, v.EnterEvent(ctx, arena.Kind, id, ""))
		}
		require.ErrorIs(t, boss.EnterEvent(ctx, arena.Kind, id, ""), arena.ErrTeam)
		a := finishArena(t, id, people)
		synctest.Wait()
		x, y := a.Teams[0], a.Teams[1]
		want := fmt.Sprintf("Arena %d, Friday: [%s] won the battle by %d to %d against [%s]", id, x.Tag, x.Score, y.Score, y.Tag)
		if x.Score == y.Score {
			want = fmt.Sprintf("Arena %d, Friday: [%s] and [%s] shared the battle with %d each", id, x.Tag, y.Tag, x.Score)
		}
		require.Contains(t, newsTexts(boss), want)
		sums := map[string]int{}
		for _, e := range a.Entrants {
			sums[e.Members[0].Tag] += e.Score
		}
		require.Equal(t, map[string]int{x.Tag: x.Score, y.Tag: y.Score}, sums)

		// The shield of the month is shown once it is over, though nothing happens and nobody asks.
		shields := func() (names []string) {
			for _, p := range seen(boss).People {
				if p.Shield {
					names = append(names, p.Player.Name)
				}
			}
			return names
		}
		require.Empty(t, shields())
		leaguesEnd(t, c, boss, time.Date(2000, 1, 31, 23, 59, 0, 0, time.UTC)) // more results than are news at once
		wait(time.Minute)
		require.NotEmpty(t, shields())
		best, err := boss.Profile(ctx, shields()[0])
		require.NoError(t, err)
		require.True(t, best.Shield && best.Standing.Shield)
		won := regexp.MustCompile("^" + regexp.QuoteMeta(shields()[0]) + "( won|(, | and ).* shared) the season of ")
		require.True(t, slices.ContainsFunc(newsTexts(boss), won.MatchString), "%v", newsTexts(boss))
	})
}

// leaguesEnd waits until the first matches of seven leagues end without a game.
func leaguesEnd(t *testing.T, c *club, boss *lobby.Visit, at time.Time) {
	t.Helper()
	cfg := winter
	cfg.Window = time.Hour
	time.Sleep(time.Until(at.Add(-2 * cfg.Window)))
	teams := [][2]*lobby.Visit{newTeam(t, c, "T1"), newTeam(t, c, "T2")}
	for i := range 7 {
		cfg.Name = fmt.Sprint("Winter ", i)
		id := c.made(boss.NewLeague(ctx, cfg, at.Add(-cfg.Window), 0))
		for _, team := range teams {
			require.NoError(t, team[0].SignUp(ctx, id, true))
		}
	}
	wait(time.Until(at))
	results := slices.DeleteFunc(newsTexts(boss), func(n string) bool { return !strings.HasPrefix(n, "No winner between") })
	require.Len(t, results, 6, "there is no room for the seventh")
}

// A weekly arena is followed by exactly one next arena, even if the club was stopped in between, until an operator ends the series.
func TestWeeklyArena(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		owl := newTeam(t, c, "OWL")
		cfg := hour
		cfg.Weekly = true
		require.ErrorIs(t, errOf(owl[0].NewArena(ctx, cfg, time.Now(), 20*time.Minute)), arena.ErrWeekly)
		first := newArena(t, boss, cfg, time.Hour)
		require.ErrorIs(t, owl[0].EndWeekly(ctx, first), arena.ErrWeekly)
		began := arenaNow(t, boss, first).Begins
		next := func() *arena.View {
			t.Helper()
			synctest.Wait()
			all := boss.Arenas()
			require.Len(t, all, 1)
			return &all[0]
		}
		time.Sleep(2 * time.Hour)
		second := next()
		require.True(t, began.Add(7*24*time.Hour).Equal(second.Begins))
		require.Equal(t, 20*time.Minute, second.Ends.Sub(second.Begins))
		require.Equal(t, arenaNow(t, boss, first).Config, second.Config)
		leave(table.Disconnected, boss, owl[0], owl[1])
		c.restart()
		boss = c.back("olga", operator)
		require.Equal(t, second.ID, next().ID, "there is one only")

		time.Sleep(7 * 24 * time.Hour)
		third := next()
		require.True(t, began.Add(14*24*time.Hour).Equal(third.Begins))
		require.NoError(t, boss.EndWeekly(ctx, third.ID))
		require.ErrorIs(t, boss.EndWeekly(ctx, third.ID), arena.ErrOnce)
		require.ErrorIs(t, boss.EndWeekly(ctx, 99), arena.ErrNone)
		wait(7 * 24 * time.Hour)
		require.Empty(t, boss.Arenas())
	})
}

// TestWeeklyAfterAWrongClock: a clock that is a year ahead, or behind, and believed for a day, leaves no gap of a year.
func TestWeeklyAfterAWrongClock(t *testing.T) {
	for _, wrong := range []time.Duration{365 * 24 * time.Hour, -365 * 24 * time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			var by atomic.Int64
			c := openAhead(t, &by)
			boss := c.come("olga", operator)
			cfg := hour
			cfg.Weekly = true
			newArena(t, boss, cfg, 3*24*time.Hour)
			begins := boss.Arenas()[0].Begins
			for _, d := range []time.Duration{wrong, 0} {
				by.Store(int64(d))
				wait(25 * time.Hour)
				require.Len(t, boss.Arenas(), 1)
				a := boss.Arenas()[0]
				ahead := a.Begins.Sub(time.Now().Add(d))
				require.Positive(t, ahead)
				require.LessOrEqual(t, ahead, 7*24*time.Hour, "%v", d)
				require.Zero(t, a.Begins.Sub(begins)%(7*24*time.Hour), "at the same time of the week")
			}
		})
	}
}

// A weekly arena goes on, even if a hundred others with higher numbers end before it, the club is restarted, or
// nothing can be written when the next one should be created.
func TestWeeklyForAQuarter(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		cfg := hour
		cfg.Weekly = true
		began := arenaNow(t, boss, newArena(t, boss, cfg, time.Hour)).Begins
		boss.Close(table.Left)
		other, err := json.Marshal(hour)
		require.NoError(t, err)
		weeks := 12
		if *long {
			weeks = 52
		}
		for week := range weeks {
			others := 3
			if week%10 == 0 {
				others = 101
			}
			for n := range others {
				e, err := c.store.CreateEvent(ctx,
					event.Event{Kind: arena.Kind, Key: fmt.Sprint(week, "/", n), Begins: time.Now(), Ends: time.Now(), Config: other})
				require.NoError(t, err)
				require.NoError(t, c.store.AppendEvent(ctx, e.ID, 0, []event.Entry{{Seq: 1, At: time.Now(), Kind: event.KindOver, Data: []byte("{}")}},
					true))
			}
			if week%3 == 0 {
				c.restart()
			}
			time.Sleep(time.Until(began.Add(19 * time.Minute)))
			if week%5 == 0 {
				c.store.Fail(table.ErrUnavailable)
			}
			time.Sleep(6 * time.Minute)
			c.store.Fail(nil)
			time.Sleep(10 * time.Minute)
			began = began.Add(7 * 24 * time.Hour)
			synctest.Wait()
			live, err := c.store.Events(ctx, "", 0)
			require.NoError(t, err)
			require.Len(t, live, 1, "week %d", week)
			require.True(t, began.Equal(live[0].Begins))
		}
	})
}

// Nobody is told that an arena begins if the server was down over its start. Whoever had entered is paired at once, or told that the
// arena was not played, if it would have ended meanwhile.
func TestAServerThatIsDownOverTheStartOfAnArena(t *testing.T) {
	for _, down := range []time.Duration{90 * time.Minute, 3 * time.Hour} {
		bubble(t, func(t *testing.T, c *club) {
			ana, ben := c.come("ana"), c.come("ben")
			id := newArena(t, c.come("olga", operator), hour, 80*time.Minute)
			require.NoError(t, ana.EnterEvent(ctx, arena.Kind, id, ""))
			require.NoError(t, ben.EnterEvent(ctx, arena.Kind, id, ""))
			c.stop()
			time.Sleep(down)
			c.start()
			require.NoError(t, errOf(c.back("olga", operator).Say(ctx, "/clock accept")))
			ana = c.back("ana")
			a := arenaNow(t, ana, id)
			require.Empty(t, newsTexts(ana))
			require.Equal(t, down > 2*time.Hour, a.Over)
			require.Equal(t, !a.Over, a.Begun)
			notPlayed := "Arena 1, Friday, was not played: too few had entered, or the club was closed."
			if a.Over {
				require.Contains(t, lastNotes(ana), notPlayed)
			} else {
				require.NotContains(t, lastNotes(ana), notPlayed)
				require.Len(t, a.Games, 1)
			}
			past, err := ana.PastEvents(ctx, 0, 0)
			require.NoError(t, err)
			require.Empty(t, past)
		})
	}
}

// The number of events is bounded, no matter who creates them.
func TestEventsAreBounded(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		begins := time.Now().Add(time.Hour)
		most := func(refusal error, create func() error) (n int) {
			t.Helper()
			for ; n < 1000; n++ {
				time.Sleep(time.Second) // operators are not that fast
				if err := create(); err != nil {
					require.ErrorIs(t, err, refusal)
					return n
				}
			}
			require.FailNow(t, "there is no end")
			return n
		}
		require.Equal(t, 100, most(arena.ErrMade, func() error {
			return errOf(boss.NewArena(ctx, hour, begins, 20*time.Minute))
		}))
		require.Equal(t, 50, most(match.ErrMany, func() error {
			return errOf(boss.NewLeague(ctx, winter, begins, 0))
		}))
		require.ErrorIs(t, errOf(boss.NewCup(ctx, cup.Config{Config: block, Round: match.Week}, begins)), match.ErrMany)
		require.Equal(t, map[event.Kind]int{arena.Kind: 100, league.Kind: 50, cup.Kind: 0, challenge.Kind: 0, "clubnight": 0, "daily": 0,
			"duplicate": 0, "field": 0}, c.Stats().Events)
	})
}

// Only an operator can end an arena that has begun: its entrants are told, nobody is paired any more, and
// games in progress count, even after a restart. Bots play in no battle.
func TestAnOperatorEndsAnArena(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss, ana, ben, cem := c.come("olga", operator), c.come("ana"), c.come("ben"), c.come("cem")
		battle := hour
		battle.Battle, battle.Bots = true, true
		require.ErrorIs(t, errOf(boss.NewArena(ctx, battle, time.Now(), 20*time.Minute)), arena.ErrBots)
		id := newArena(t, ana, hour, 0)
		for _, v := range []*lobby.Visit{ana, ben, cem} {
			require.NoError(t, v.EnterEvent(ctx, arena.Kind, id, ""))
		}
		a := playArena(t, id, 1, ana, ben, cem)
		require.Len(t, a.Games, 1)
		require.ErrorIs(t, ana.CallOff(ctx, arena.Kind, id), arena.ErrBegun)
		require.ErrorIs(t, ben.CallOff(ctx, arena.Kind, id), event.ErrCallOff)
		require.NoError(t, boss.CallOff(ctx, arena.Kind, id))
		for _, v := range []*lobby.Visit{ana, ben, cem} {
			require.Equal(t, "Arena 1, Friday, was ended by an operator. The games that are being played still count.", latest(v))
		}
		require.ErrorIs(t, boss.CallOff(ctx, arena.Kind, id), arena.ErrOver)
		require.WithinDuration(t, time.Now(), arenaNow(t, boss, id).Ends, 0)
		c.restart()
		people := []*lobby.Visit{c.back("ana"), c.back("ben"), c.back("cem")}
		require.False(t, arenaNow(t, people[0], id).Over)
		a = finishArena(t, id, people)
		require.Equal(t, 2, a.Played, "nobody was paired any more")
		want := recomputed(t, c, id)
		for _, e := range a.Entrants {
			require.Equal(t, want[e.Name()], e.Score, e.Name())
		}
	})
}

// A player who does not make the first move gets no more games until they return, and nobody's rating changes.
func TestIdleInAnArena(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss, ana, ben := c.come("olga", operator), c.come("ana"), c.come("ben")
		id := newArena(t, boss, hour, 0)
		require.NoError(t, ana.EnterEvent(ctx, arena.Kind, id, ""))
		require.NoError(t, ben.EnterEvent(ctx, arena.Kind, id, ""))
		a := arenaNow(t, boss, id)
		require.Len(t, a.Games, 1)
		tab := a.At[1]
		require.Equal(t, tab, ana.Called())
		require.Zero(t, ana.Called(), "once")
		time.Sleep(10 * time.Second)
		for _, v := range []*lobby.Visit{ana, ben} {
			require.ErrorIs(t, v.Do(ctx, tab, table.Pause{On: true}), table.ErrPauseLater, "the time for the first move goes on")
		}
		time.Sleep(21 * time.Second)
		a = arenaNow(t, boss, id)
		require.Empty(t, a.Games)
		require.Zero(t, ben.Called(), "nobody is led to a table that has closed")
		idle := slices.IndexFunc(a.Entrants, func(e arena.Entrant) bool { return e.Idle })
		require.GreaterOrEqual(t, idle, 0)
		require.False(t, a.Entrants[1-idle].Away, "the other waits for the next game")
		games, err := c.store.EventGames(ctx, id)
		require.NoError(t, err)
		require.Len(t, games, 1)
		require.Equal(t, table.EndAbandoned, games[0].Result.Ending)
		require.Zero(t, a.Played)
		people := map[string]*lobby.Visit{"ana": ana, "ben": ben}
		stays := func(a *arena.View) (back, stayed *lobby.Visit) {
			i := slices.IndexFunc(a.Entrants, func(e arena.Entrant) bool { return e.Idle })
			require.GreaterOrEqual(t, i, 0)
			return people[a.Entrants[i].Name()], people[a.Entrants[1-i].Name()]
		}
		back, stayed := stays(a)
		require.Contains(t, lastNotes(stayed), "The game was called off, since "+back.Player().Name+" didn't move.")
		require.NoError(t, back.EnterEvent(ctx, arena.Kind, id, ""))
		time.Sleep(11 * time.Second)
		a = arenaNow(t, boss, id)
		require.Len(t, a.Games, 1)
		for _, v := range people {
			defer v.Show(lobby.Place{Table: a.At[2]}).Close()
		}
		time.Sleep(31 * time.Second)
		back, _ = stays(arenaNow(t, boss, id))
		require.Equal(t, 1, strings.Count(lastNotes(ana)+lastNotes(ben), "called off"), "players at the table read it there")
		require.Contains(t, lastNotes(back), "You didn't move: you are out of arena 1.")
		require.NoError(t, back.EnterEvent(ctx, arena.Kind, id, ""))
		require.NoError(t, back.LeaveEvent(ctx, arena.Kind, id))
		require.True(t, arenaNow(t, boss, id).Of(back.Player().ID).Away)
	})
}

// What a request has done is told to those whom it concerns, even if whoever made it has hung up meanwhile, or no
// longer waits for a slow disk.
func TestWhatIsDoneIsToldWhoeverHangsUp(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		// late makes a request while the disk does not answer, and hangs up.
		late := func(request func(ctx context.Context) error) {
			t.Helper()
			release := c.store.Stall()
			ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			require.ErrorIs(t, request(ctx), lobby.ErrTrouble)
			release()
			synctest.Wait()
		}
		id, _, owl, cat := owlsAndCats(t, c)
		dog := newTeam(t, c, "DOG")
		late(func(ctx context.Context) error { return dog[0].SignUp(ctx, id, true) })
		require.Contains(t, lastNotes(dog[1]), "Your team is signed up for Winter")
		late(func(ctx context.Context) error { return dog[0].SignUp(ctx, id, false) })
		wait(time.Hour)
		late(func(ctx context.Context) error { return owl[0].ProposeTime(ctx, id, time.Now().Add(2*time.Hour)) })
		require.Contains(t, lastNotes(cat[1]), "they propose")

		pairs := c.made(owl[0].NewField(ctx, field.Config{Rules: "block", Pace: table.PaceFast}, time.Now().Add(time.Hour)))
		late(func(ctx context.Context) error { return owl[0].EnterEvent(ctx, field.Kind, pairs, "twoowl") })
		require.Contains(t, lastNotes(owl[1]), "asks you to be partners")
		require.NoError(t, owl[1].EnterEvent(ctx, field.Kind, pairs, "capowl"))
		late(func(ctx context.Context) error { return owl[0].CallOff(ctx, field.Kind, pairs) })
		require.Nil(t, owl[0].EventRoom(pairs))
		require.Contains(t, lastNotes(owl[1]), "Duplicate arena 2 was called off.")
	})
}

// A player has not made the first move when the disk is full for a moment: the game is called off once it is not.
func TestIdleWhileTheDiskIsFull(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss, ana, ben := c.come("olga", operator), c.come("ana"), c.come("ben")
		cfg := hour
		cfg.Pace = table.PaceRelaxed
		id := newArena(t, boss, cfg, 0)
		require.NoError(t, ana.EnterEvent(ctx, arena.Kind, id, ""))
		require.NoError(t, ben.EnterEvent(ctx, arena.Kind, id, ""))
		require.Len(t, arenaNow(t, boss, id).Games, 1)
		wait(arena.MoveTime - time.Second)
		c.store.Fail(fmt.Errorf("disk full: %w", table.ErrUnavailable))
		wait(2 * time.Second)
		c.store.Fail(nil)
		require.Len(t, arenaNow(t, boss, id).Games, 1)
		wait(10 * time.Second)
		require.Empty(t, arenaNow(t, boss, id).Games)
	})
}

// An arena that is over is found by its number, however many came after it, and only under its own kind.
func TestOldArenaIsFound(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		id := newArena(t, boss, hour, 0)
		wait(2 * time.Hour)
		for i := range 300 {
			e := event.Make(arena.Kind, hour, time.Now())
			e.Key = fmt.Sprint("later ", i)
			require.NoError(t, errOf(c.store.CreateEvent(ctx, e)))
		}
		a := arenaNow(t, boss, id)
		require.Equal(t, id, a.ID)
		require.True(t, a.Over)
		require.ErrorIs(t, errOf(boss.Field(ctx, id)), field.ErrNone)
		require.ErrorIs(t, errOf(boss.Arena(ctx, 9999)), arena.ErrNone)
	})
}

func TestWhoMakesArenas(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, guest := c.come("ana"), c.guest("10.9.9.9")
		battle := hour
		battle.Battle = true
		require.ErrorIs(t, errOf(ana.NewArena(ctx, battle, time.Now(), time.Hour)), arena.ErrMakers)
		require.ErrorIs(t, errOf(guest.NewArena(ctx, hour, time.Now(), time.Hour)), lobby.ErrMembersOnly)
		require.NoError(t, errOf(ana.CreateTeam(ctx, "The Bones", "BNS")))
		require.ErrorIs(t, errOf(ana.NewArena(ctx, hour, time.Now(), 5*time.Minute)), arena.ErrTime)
		_, err := ana.NewArena(ctx, arena.Config{Rules: "chess", Pace: table.PaceFast}, time.Now(), time.Hour)
		require.True(t, lobby.IsForPlayer(err), "%v", err)
		id := c.made(ana.NewArena(ctx, hour, time.Now(), time.Hour))
		require.ErrorIs(t, errOf(ana.NewArena(ctx, hour, time.Now(), time.Hour)), arena.ErrMany)
		require.ErrorIs(t, guest.EnterEvent(ctx, arena.Kind, id, ""), lobby.ErrMembersOnly)
		require.ErrorIs(t, ana.EnterEvent(ctx, arena.Kind, 99, ""), arena.ErrNone)
		require.ErrorIs(t, ana.EnterEvent(ctx, arena.Kind, id, "nobody"), lobby.ErrNobody)
		require.ErrorIs(t, errOf(ana.Arena(ctx, 99)), arena.ErrNone)
		time.Sleep(2 * time.Hour)
		require.True(t, arenaNow(t, ana, id).Over)
	})
}

// Members are reminded half an hour and five minutes before an arena that they have entered, once each,
// unless they want no reminders.
func TestReminders(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cleo := c.come("ana"), c.come("ben"), c.come("cleo")
		id := newArena(t, ana, hour, 2*time.Hour)
		for _, v := range []*lobby.Visit{ana, ben} {
			require.NoError(t, v.EnterEvent(t.Context(), arena.Kind, id, ""))
		}
		require.NoError(t, ben.SaveSettings(t.Context(), lobby.Settings{NoReminders: true}))
		rings := func(v *lobby.Visit) (all []string) {
			synctest.Wait()
			for _, n := range v.Notes() {
				if n.Rings {
					all = append(all, n.Text)
				}
			}
			return all
		}
		for _, at := range []struct {
			wait time.Duration
			want []string
		}{
			{89 * time.Minute, nil},
			{2 * time.Minute, []string{"In 30 minutes: Arena 1, Friday."}},
			{23 * time.Minute, []string{"In 30 minutes: Arena 1, Friday."}},
			{2 * time.Minute, []string{"In 30 minutes: Arena 1, Friday.", "In 5 minutes: Arena 1, Friday."}},
			{time.Hour, []string{"In 30 minutes: Arena 1, Friday.", "In 5 minutes: Arena 1, Friday."}},
		} {
			time.Sleep(at.wait)
			require.Equal(t, at.want, rings(ana))
			require.Empty(t, rings(ben))
			require.Empty(t, rings(cleo))
		}

		// Whoever was away at that moment, or came when the server was down, reads it on entering, and then in time.
		id = newArena(t, cleo, hour, 2*time.Hour)
		require.NoError(t, cleo.EnterEvent(t.Context(), arena.Kind, id, ""))
		time.Sleep(85 * time.Minute)
		leave(table.Left, ana, ben, cleo)
		c.stop()
		time.Sleep(10 * time.Minute)
		c.start()
		cleo = c.back("cleo")
		require.Equal(t, []string{"In 25 minutes: Arena 2, Friday."}, rings(cleo))
		time.Sleep(21 * time.Minute)
		require.Equal(t, []string{"In 25 minutes: Arena 2, Friday.", "In 5 minutes: Arena 2, Friday."}, rings(cleo))

		// Whoever comes at the last moment.
		for _, wait := range []time.Duration{3 * time.Minute, 45 * time.Second} {
			cleo.Close(table.Left)
			time.Sleep(wait)
			cleo = c.back("cleo")
			require.Contains(t, rings(cleo), "In 1 minute: Arena 2, Friday.")
		}
	})
}

// TestRoomsOfEventsThatAreOverGo: a club that runs for months keeps nothing of events that were called off.
func TestRoomsOfEventsThatAreOverGo(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		op := c.come("olga", operator)
		var kept []weak.Pointer[event.Room]
		for range 20 {
			id := newArena(t, op, arena.Config{Rules: "classic", Pace: table.PaceFast}, time.Hour)
			kept = append(kept, weak.Make(op.EventRoom(id)))
			require.NoError(t, op.CallOff(ctx, arena.Kind, id))
			wait(2 * time.Hour)
		}
		wait(24 * time.Hour)
		runtime.GC()
		runtime.GC()
		n := 0
		for _, w := range kept {
			if w.Value() != nil {
				n++
			}
		}
		require.LessOrEqual(t, n, 1, "rooms of events that are over are still there")
	})
}

// paired opens a club in which two play in an arena, and have not moved yet.
func paired(t *testing.T) (c *club, boss, ana, ben *lobby.Visit, id event.ID) {
	t.Helper()
	return pairedAt(t, new(atomic.Int64))
}

// pairedAt is paired with a clock that is ahead by a given time.
func pairedAt(t *testing.T, ahead *atomic.Int64) (c *club, boss, ana, ben *lobby.Visit, id event.ID) {
	t.Helper()
	c = openAhead(t, ahead)
	boss, ana, ben = c.come("olga", operator), c.come("ana"), c.come("ben")
	id = newArena(t, boss, hour, 0)
	for _, v := range []*lobby.Visit{ana, ben} {
		require.NoError(t, v.EnterEvent(ctx, arena.Kind, id, ""))
	}
	return c, boss, ana, ben, id
}

// After a restart, the player with the first move has the time that the table gives for reconnecting.
func TestNobodyIsOutOfAnArenaByARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, boss, _, _, id := paired(t)
		require.Len(t, arenaNow(t, boss, id).Games, 1)
		time.Sleep(5 * time.Second)
		c.restart()
		boss = c.back("olga", operator)
		time.Sleep(40 * time.Second) // both call again
		ana, ben := c.back("ana"), c.back("ben")
		a := arenaNow(t, boss, id)
		require.False(t, a.Of(ana.Player().ID).Away || a.Of(ben.Player().ID).Away)
		require.Len(t, a.Games, 1)
	})
}

// The time for the first move stops while the table does.
func TestNobodyIsOutOfAnArenaByAStandstill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, boss, ana, ben, id := paired(t)
		time.Sleep(5 * time.Second)
		c.store.Fail(table.ErrUnavailable)
		tab := arenaNow(t, boss, id).At[1]
		_ = ana.Do(ctx, tab, table.Say{Text: "hello"})
		v, err := boss.GalleryView(tab)
		require.NoError(t, err)
		require.Equal(t, table.Frozen, v.State)
		time.Sleep(12 * time.Second)
		c.store.Fail(nil)
		time.Sleep(14 * time.Second)
		a := arenaNow(t, boss, id)
		require.False(t, a.Of(ana.Player().ID).Away || a.Of(ben.Player().ID).Away)
		require.Len(t, a.Games, 1)
	})
}

// The time for the first move begins anew after the whole process stood still.
func TestNobodyIsOutOfAnArenaByAStandstillOfTheProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stood atomic.Int64
		_, boss, _, _, id := pairedAt(t, &stood)
		require.Len(t, arenaNow(t, boss, id).Games, 1)
		time.Sleep(arena.MoveTime - 2*time.Second)
		stood.Store(int64(100 * time.Second))
		time.Sleep(20 * time.Second)
		require.Len(t, arenaNow(t, boss, id).Games, 1)
		time.Sleep(arena.MoveTime)
		require.Empty(t, arenaNow(t, boss, id).Games)
	})
}
