package lobby_test

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/challenge"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/table"
)

// repeated is how often a caller makes every call at the same instant.
const repeated = 3_000

// whatCallersDo contains every method of a visit, called as an attacker would call it; those without arguments
// and errors need no thought.
func whatCallersDo(t *table.Table) map[string]func(v *lobby.Visit, n int) error {
	plain := func(f func(v *lobby.Visit)) func(*lobby.Visit, int) error {
		return func(v *lobby.Visit, _ int) error { f(v); return nil }
	}
	show := func(v *lobby.Visit, n int) error {
		if n%2 == 0 {
			defer v.Show(lobby.Place{Club: n%4 == 0}).Close()
		}
		here := v.Show(lobby.Place{Table: t.ID()})
		defer here.Close()
		return errOf(here.Watch(ctx))
	}
	calls := map[string]func(v *lobby.Visit, n int) error{
		"Glance":           func(v *lobby.Visit, n int) error { return errOf(v.Glance(t.ID() * table.ID(n%2))) },
		"Hears":            plain(func(v *lobby.Visit) { v.Hears(v.Player()) }),
		"Challenge":        func(v *lobby.Visit, _ int) error { return errOf(v.Challenge(ctx, table.DefaultConfig(), 0, "ben")) },
		"MayChallenge":     func(v *lobby.Visit, _ int) error { return v.MayChallenge() },
		"MayTakeOver":      plain(func(v *lobby.Visit) { _ = v.MayTakeOver(new(lobby.Team)) }),
		"MayChallengeTeam": plain(func(v *lobby.Visit) { _ = v.MayChallengeTeam(nil) }),
		"FriendsFirst":     plain(func(v *lobby.Visit) { v.FriendsFirst(nil) }),
		"Befriend":         func(v *lobby.Visit, n int) error { return v.Befriend(ctx, "ben", n%2 == 0) },
		"ChallengeAt": func(v *lobby.Visit, _ int) error {
			return errOf(v.ChallengeAt(ctx, table.DefaultConfig(), 0, "ben", time.Now().Add(time.Hour)))
		},
		"Plan": func(v *lobby.Visit, _ int) error {
			return errOf(v.Plan(ctx, challenge.Config{Table: table.DefaultConfig()}, time.Now().Add(time.Hour)))
		},
		"EndChallenge": func(v *lobby.Visit, n int) error { return v.EndChallenge(ctx, event.ID(n)) },
		"Answer":       func(v *lobby.Visit, n int) error { return errOf(v.Answer(ctx, v.Prompt(), n%2 == 0)) },
		"Follow":       func(v *lobby.Visit, n int) error { v.Follow(table.PlayerID(n)); return nil },
		"Lead":         func(v *lobby.Visit, n int) error { v.Lead(table.ID(n)); return nil },
		"PlaysAt":      func(v *lobby.Visit, n int) error { v.PlaysAt(table.PlayerID(n % 7)); return nil },
		"Close":        plain(func(v *lobby.Visit) { v.Close(table.Left) }),
		"List":         func(v *lobby.Visit, _ int) error { return v.List() },
		"Where":        func(v *lobby.Visit, _ int) error { return errOf(v.Where("ben")) },
		"EventRoom":    plain(func(v *lobby.Visit) { v.EventRoom(1) }),
		"Daily":        func(v *lobby.Visit, _ int) error { return errOf(v.Daily(ctx, "")) },
		"PlayDaily":    func(v *lobby.Visit, _ int) error { return errOf(v.PlayDaily(ctx, "")) },
		"DailyPast":    func(v *lobby.Visit, _ int) error { return errOf(v.DailyPast(ctx)) },
		"DailyMonth":   func(v *lobby.Visit, _ int) error { return errOf(v.DailyMonth(ctx, "2000-01")) },
		"EventRooms":   plain(func(v *lobby.Visit) { v.EventRooms("daily") }),

		"Duplicate":      func(v *lobby.Visit, n int) error { return errOf(v.Duplicate(ctx, event.ID(n))) },
		"EnterDuplicate": func(v *lobby.Visit, n int) error { return v.EnterDuplicate(ctx, event.ID(n), duplicate.A) },
		"StartDuplicate": func(v *lobby.Visit, n int) error { return v.StartDuplicate(ctx, event.ID(n)) },
		"NewDuplicate":   func(v *lobby.Visit, _ int) error { return errOf(v.NewDuplicate(ctx, duplicate.Config{})) },

		"Field":    func(v *lobby.Visit, n int) error { return errOf(v.Field(ctx, event.ID(n))) },
		"NewField": func(v *lobby.Visit, _ int) error { return errOf(v.NewField(ctx, field.Config{}, time.Time{})) },

		"Arena": func(v *lobby.Visit, n int) error { return errOf(v.Arena(ctx, event.ID(n))) },
		"EnterEvent": func(v *lobby.Visit, n int) error {
			return v.EnterEvent(ctx, []event.Kind{arena.Kind, field.Kind}[n%2], event.ID(n), []string{"", "ben"}[n%2])
		},
		"LeaveEvent": func(v *lobby.Visit, n int) error {
			return v.LeaveEvent(ctx, []event.Kind{arena.Kind, field.Kind, duplicate.Kind}[n%3], event.ID(n))
		},

		"ClubNight":    func(v *lobby.Visit, n int) error { return errOf(v.ClubNight(ctx, event.ID(n))) },
		"NewClubNight": func(v *lobby.Visit, _ int) error { return errOf(v.NewClubNight(ctx, time.Hour)) },
		"EndWeekly":    func(v *lobby.Visit, n int) error { return v.EndWeekly(ctx, event.ID(n)) },
		"NewArena": func(v *lobby.Visit, _ int) error {
			return errOf(v.NewArena(ctx, arena.Config{}, time.Time{}, time.Hour))
		},

		"CalledOff":        func(v *lobby.Visit, _ int) error { return errOf(v.CalledOff(ctx)) },
		"Contest":          func(v *lobby.Visit, n int) error { return errOf(v.Contest(ctx, event.ID(n))) },
		"FinishedContests": func(v *lobby.Visit, _ int) error { return errOf(v.FinishedContests(ctx, league.Kind)) },
		"Season":           func(v *lobby.Visit, _ int) error { return errOf(v.Season(ctx, "2026-11", false)) },
		"PastEvents":       func(v *lobby.Visit, n int) error { return errOf(v.PastEvents(ctx, table.PlayerID(n), 0)) },
		"Titles":           func(v *lobby.Visit, n int) error { return errOf(v.Titles(ctx, table.PlayerID(n), 0)) },
		"Trophies":         func(v *lobby.Visit, n int) error { return errOf(v.Trophies(ctx, table.TeamID(n))) },
		"NewLeague": func(v *lobby.Visit, n int) error {
			return errOf(v.NewLeague(ctx, league.Config{}, time.Time{}, event.ID(n)))
		},
		"NewCup":      func(v *lobby.Visit, _ int) error { return errOf(v.NewCup(ctx, cup.Config{}, time.Time{})) },
		"SignUp":      func(v *lobby.Visit, n int) error { return v.SignUp(ctx, event.ID(n), true) },
		"ProposeTime": func(v *lobby.Visit, n int) error { return v.ProposeTime(ctx, event.ID(n), time.Time{}) },
		"AcceptTime":  func(v *lobby.Visit, n int) error { return v.AcceptTime(ctx, event.ID(n), time.Time{}) },
		"DeclineTime": func(v *lobby.Visit, n int) error { return v.DeclineTime(ctx, event.ID(n)) },
		"SetLineUp":   func(v *lobby.Visit, n int) error { return v.SetLineUp(ctx, event.ID(n), nil) },
		"MayCallOff":  plain(func(v *lobby.Visit) { v.MayCallOff("ana") }),
		"CallOff":     func(v *lobby.Visit, n int) error { return v.CallOff(ctx, field.Kind, event.ID(n)) },

		"Said":        func(v *lobby.Visit, n int) error { return errOf(v.Said(ctx, arena.Kind, event.ID(n))) },
		"SayIn":       func(v *lobby.Visit, n int) error { return errOf(v.SayIn(ctx, arena.Kind, event.ID(n), "hello")) },
		"Show":        show,
		"GalleryView": func(v *lobby.Visit, _ int) error { return errOf(v.GalleryView(t.ID())) },
		"BestGame":    func(v *lobby.Visit, _ int) error { return errOf(v.BestGame(ctx)) },
		"Wall": func(v *lobby.Visit, _ int) error {
			w, err := v.Wall(0, func() {})
			if err == nil {
				w.Close()
			}
			return err
		},
		"Profile": func(v *lobby.Visit, n int) error { return errOf(v.Profile(ctx, fmt.Sprint("maker", n%20))) },
		"Standings": func(v *lobby.Visit, n int) error {
			return errOf(v.Standings(ctx, lobby.StandingsQuery{Kind: lobby.KindPlayer, Month: fmt.Sprint(n), Limit: n}))
		},
		"HeadToHead": func(v *lobby.Visit, n int) error { return errOf(v.HeadToHead(ctx, table.TeamID(n), table.TeamID(n+1))) },
		"Months":     func(v *lobby.Visit, _ int) error { return errOf(v.Months(ctx)) },
		"Games": func(v *lobby.Visit, n int) error {
			return errOf(v.Games(ctx, lobby.GamesQuery{Text: fmt.Sprint(n), Limit: 100}))
		},
		"Record": func(v *lobby.Visit, n int) error {
			_, _, err := v.Record(ctx, table.GameID(n))
			return err
		},
		"Coach": func(v *lobby.Visit, n int) error { return errOf(v.Coach(ctx, table.GameID(n))) },
		"Card":  func(v *lobby.Visit, n int) error { return errOf(v.Card(ctx, table.GameID(n))) },
		"AtCoach": func(v *lobby.Visit, _ int) error {
			return v.AtCoach(ctx, func() error {
				time.Sleep(100 * time.Millisecond) // as long as a whole game takes to be drawn
				return nil
			})
		},
		"Teams":       func(v *lobby.Visit, n int) error { return errOf(v.Teams(ctx, fmt.Sprint("Team ", n))) },
		"AnyTeam":     func(v *lobby.Visit, n int) error { return errOf(v.AnyTeam(ctx, fmt.Sprint("Team ", n))) },
		"FindTeam":    func(v *lobby.Visit, n int) error { return errOf(v.FindTeam(ctx, fmt.Sprint("Team ", n))) },
		"Team":        func(v *lobby.Visit, n int) error { return errOf(v.Team(ctx, table.TeamID(n))) },
		"Invitations": func(v *lobby.Visit, _ int) error { return errOf(v.Invitations(ctx)) },
		"CreateTeam": func(v *lobby.Visit, n int) error {
			return errOf(v.CreateTeam(ctx, fmt.Sprint("Team ", n), fmt.Sprint("T", n%1000)))
		},
		"Invite":    func(v *lobby.Visit, _ int) error { return v.Invite(ctx, "ben") },
		"Accept":    func(v *lobby.Visit, n int) error { return v.Accept(ctx, table.TeamID(n)) },
		"Decline":   func(v *lobby.Visit, n int) error { return v.Decline(ctx, table.TeamID(n)) },
		"LeaveTeam": func(v *lobby.Visit, _ int) error { return v.LeaveTeam(ctx) },
		"HandOver":  func(v *lobby.Visit, _ int) error { return v.HandOver(ctx, "ben") },

		"NewTable":     func(v *lobby.Visit, _ int) error { return errOf(v.NewTable(ctx, table.DefaultConfig())) },
		"QuickPlay":    func(v *lobby.Visit, _ int) error { return errOf(v.QuickPlay(ctx, lobby.QuickPrefs{})) },
		"Join":         func(v *lobby.Visit, n int) error { return errOf(v.Join(ctx, fmt.Sprint("K7QX", n))) },
		"Do":           func(v *lobby.Visit, n int) error { return v.Do(ctx, t.ID(), table.Ready{On: n%2 == 0}) },
		"DoOnce":       func(v *lobby.Visit, n int) error { return v.DoOnce(ctx, t.ID(), fmt.Sprint(n), table.Sit{}) },
		"Say":          func(v *lobby.Visit, _ int) error { return errOf(v.Say(ctx, "hello")) },
		"SayAt":        func(v *lobby.Visit, _ int) error { return errOf(v.SayAt(ctx, t.ID(), "hello")) },
		"SayOnce":      func(v *lobby.Visit, n int) error { return errOf(v.SayOnce(ctx, t.ID(), fmt.Sprint(n), "hello")) },
		"SaveSettings": func(v *lobby.Visit, _ int) error { return v.SaveSettings(ctx, lobby.Settings{}) },
		"SetBot":       func(v *lobby.Visit, n int) error { return v.SetBot(ctx, n%2 == 0) },

		"AuditLog":   func(v *lobby.Visit, _ int) error { return errOf(v.AuditLog(ctx, 100)) },
		"Reports":    func(v *lobby.Visit, _ int) error { return errOf(v.Reports(ctx, 100)) },
		"Sanctions":  func(v *lobby.Visit, _ int) error { return errOf(v.Sanctions(ctx)) },
		"Suspicions": func(v *lobby.Visit, _ int) error { return errOf(v.Suspicions(ctx, 100)) },
	}
	visit, failing := reflect.TypeFor[*lobby.Visit](), reflect.TypeFor[error]()
	for m := range visit.NumMethod() {
		method := visit.Method(m)
		last := method.Type.NumOut() - 1
		if calls[method.Name] == nil && method.Type.NumIn() == 1 && (last < 0 || method.Type.Out(last) != failing) {
			calls[method.Name] = plain(func(v *lobby.Visit) { method.Func.Call([]reflect.Value{reflect.ValueOf(v)}) })
		}
	}
	return calls
}

// Anything done thousands of times, even while reconnecting, is soon refused or costs next to nothing: the
// store is asked at most a few hundred times, and little else is done.
func TestWhateverIsRepeatedIsCheap(t *testing.T) {
	if testing.Short() {
		t.Skip("it counts what one goroutine allocates, of which the race detector takes a part")
	}
	visit := reflect.TypeFor[*lobby.Visit]()
	for m := range visit.NumMethod() {
		name := visit.Method(m).Name
		t.Run(name, inClub(func(t *testing.T, c *club) {
			c.member("ben")
			for n := range 6 {
				sits(t, c.come(fmt.Sprint("maker", n)))
			}
			tab := sits(t, c.come("cem"), func(cfg *table.Config) { cfg.Seats = 2 })
			do := whatCallersDo(tab)[name]
			require.NotNil(t, do, "nobody has thought of what happens when somebody repeats %s", name)
			a := c.member("ana")
			stays := c.enter(a)
			seen(stays)
			before := c.store.Asked()
			var began, ended runtime.MemStats
			runtime.ReadMemStats(&began)
			refused, v := 0, c.enter(a)
			for n := range repeated {
				if n%500 == 499 { // limits hold over visits
					v.Close(table.Left)
					v = c.enter(a)
				}
				if err := do(v, n); err != nil {
					require.True(t, errors.As(err, new(text.Refusal)) || errors.As(err, new(*lobby.SanctionError)), "%v", err)
					refused++
				}
			}
			runtime.ReadMemStats(&ended)
			asked, each := c.store.Asked()-before, (ended.TotalAlloc-began.TotalAlloc)/repeated
			t.Logf("refused %d, disk asked %d times, %d bytes each", refused, asked, each)
			require.LessOrEqual(t, asked, 1000)
			require.LessOrEqual(t, each, uint64(8<<10))
		}))
	}
}

// All commands typed as chat are counted.
func TestSlashCommandsAreCounted(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.member("ben")
		op := c.come("olga", operator)
		for _, command := range lobby.Commands() {
			time.Sleep(time.Minute)
			done := 0
			for range repeated {
				if _, err := op.Say(ctx, "/"+command.Name+" ben 1h word"); !errors.Is(err, lobby.ErrTooFast) {
					done++
				}
			}
			require.LessOrEqual(t, done, 20, command.Name)
		}
	})
}

// A query counts by the time it takes the store, by key and by address.
func TestQuestionsCountByWhatTheyCost(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ask := func(v *lobby.Visit, takes time.Duration) error {
			c.store.SlowReads(takes)
			return errOf(v.Games(ctx, lobby.GamesQuery{Text: "m", Limit: 10}))
		}
		asks := func(a *lobby.Account, takes time.Duration, change ...func(*lobby.Origin)) int {
			v := c.enter(a, change...)
			defer v.Close(table.Left)
			return until(t, lobby.ErrTooFast, func() error { return ask(v, takes) })
		}
		ana, ben, cem := c.member("ana"), c.member("ben"), c.member("cem")
		expensive := asks(ana, 40*time.Millisecond, at("192.0.2.1"))
		require.InDelta(t, 10, expensive, 2, "of 40 ms each, in 400")
		require.InDelta(t, 400, asks(ben, 0, at("198.51.100.1")), 5, "that cost nothing")
		require.Zero(t, asks(ben, 0, at("203.0.113.1")), "from elsewhere")
		require.InDelta(t, 10, asks(cem, 40*time.Millisecond, at("192.0.2.1")), 2, "the rest of the address")
		require.Less(t, asks(c.member("dia"), 0, at("192.0.2.1")), 20, "what is left of it")
		time.Sleep(time.Minute)
		require.InDelta(t, 11, asks(ana, time.Second, at("192.0.2.1")), 2, "a disk that stalls is not held against anybody for long")
		time.Sleep(3 * time.Second)
		require.NoError(t, ask(c.enter(ana), 0))
	})
}

// TestACardCountsOnce: a game's card is one query, not two.
func TestACardCountsOnce(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, n := c.come("ana"), 0
		for errors.Is(errOf(ana.Card(ctx, 12345)), lobby.ErrNoGame) {
			n++
		}
		require.Equal(t, 400, n)
	})
}

// Expensive searches share one budget, no matter from how many addresses and keys they come; other queries are not delayed.
func TestSearchesOfAllAreCountedTogether(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.store.SlowReads(40 * time.Millisecond)
		began, found := time.Now(), 0
		for n := range 200 {
			v := c.guest(fmt.Sprintf("10.%d.%d.1", 6+n/100, n%100))
			for range 5 {
				if _, err := v.Games(ctx, lobby.GamesQuery{Text: "block january", Limit: 10}); err == nil {
					found++
				} else {
					require.ErrorIs(t, err, lobby.ErrManySearches)
				}
			}
			v.Close(table.Left)
		}
		require.LessOrEqual(t, found, 55+int(time.Since(began)/(160*time.Millisecond)), "of 40 ms each: 2,000 ms, and 250 a second")
		require.Greater(t, found, 40)
		require.NoError(t, errOf(c.guest("192.0.2.1").Games(ctx, lobby.GamesQuery{Limit: 10})))
	})
}

// All the coach's work shares a quarter of a processor, however many addresses and keys ask, and few people
// wait.
func TestTheCoachsTimeIsForAllTogether(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		asks := func(n int) error {
			v := c.guest(fmt.Sprintf("10.%d.%d.1", 6+n/100, n%100))
			defer v.Close(table.Left)
			return v.AtCoach(t.Context(), func() error { time.Sleep(500 * time.Millisecond); return nil })
		}
		looked := 0
		for n := range 60 {
			if err := asks(n); err == nil {
				looked++
			} else {
				require.ErrorIs(t, err, lobby.ErrCoachCrowded)
			}
		}
		require.InDelta(t, 26, looked, 2, "of 500 ms each: 10 s, and 250 ms a second")

		time.Sleep(time.Minute)
		var answers [100]error
		var wg sync.WaitGroup
		for n := range answers {
			wg.Go(func() { answers[n] = asks(n) })
		}
		wg.Wait()
		looked = 0
		for _, err := range answers {
			if err == nil {
				looked++
			}
		}
		require.Equal(t, 16, looked)
	})
}

// A query that cost more than was counted is charged later.
func TestCharge(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	l := limit.New(10, func() time.Time { return now })
	r := &limit.Rule{Key: limit.Rate{Burst: 10, Every: time.Second}}
	w := limit.Who{Key: [32]byte{1}}
	require.True(t, l.Allow(r, w))
	l.Charge(r, w, 1000) // counts as the burst
	require.False(t, l.Allow(r, w))
	now = now.Add(time.Second)
	require.False(t, l.Allow(r, w))
	now = now.Add(2 * time.Second)
	require.True(t, l.Allow(r, w))
}

// Another session of the same person may change the account at any time. The race detector reports conflicts.
func TestTheAccountChangesMeanwhile(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		tab := sits(t, c.come("ben"))
		for _, call := range whatCallersDo(tab) {
			v, other := c.enter(a), c.enter(a)
			var wg sync.WaitGroup
			wg.Go(func() {
				for n := range 20 {
					_ = call(v, n)
				}
			})
			wg.Go(func() { _ = other.SetBot(t.Context(), true) })
			wg.Wait()
			v.Close(table.Left)
			other.Close(table.Left)
			time.Sleep(time.Minute)
		}
	})
}
