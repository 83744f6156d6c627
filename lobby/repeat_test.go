package lobby_test

import (
	"context"
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

// whatCallersDo contains every method of a visit, called as an attacker would call it.
func whatCallersDo(t *table.Table) map[string]func(ctx context.Context, v *lobby.Visit, n int) error {
	plain := func(f func(v *lobby.Visit)) func(context.Context, *lobby.Visit, int) error {
		return func(_ context.Context, v *lobby.Visit, _ int) error { f(v); return nil }
	}
	glance := func(_ context.Context, v *lobby.Visit, n int) error {
		_, err := v.Glance(t.ID() * table.ID(n%2))
		return err
	}
	show := func(ctx context.Context, v *lobby.Visit, n int) error {
		if n%2 == 0 {
			defer v.Show(lobby.Place{Club: n%4 == 0}).Close()
		}
		here := v.Show(lobby.Place{Table: t.ID()})
		defer here.Close()
		_, err := here.Watch(ctx)
		return err
	}
	return map[string]func(ctx context.Context, v *lobby.Visit, n int) error{
		"Player": plain(func(v *lobby.Visit) { v.Player() }), "Account": plain(func(v *lobby.Visit) { v.Account() }),
		"Operator": plain(func(v *lobby.Visit) { v.Operator() }),
		"Settings": plain(func(v *lobby.Visit) { v.Settings() }), "Updates": plain(func(v *lobby.Visit) { v.Updates() }),
		"Snapshot": plain(func(v *lobby.Visit) { v.Snapshot() }), "Notes": plain(func(v *lobby.Visit) { v.Notes() }),
		"Listen":    plain(func(v *lobby.Visit) { v.Listen() }),
		"Galleries": plain(func(v *lobby.Visit) { v.Galleries() }), "Glance": glance,
		"Kicked": plain(func(v *lobby.Visit) { v.Kicked() }), "Active": plain(func(v *lobby.Visit) { v.Active() }),
		"Hears":    plain(func(v *lobby.Visit) { v.Hears(v.Player()) }),
		"MyTables": plain(func(v *lobby.Visit) { v.MyTables() }), "Awaited": plain(func(v *lobby.Visit) { v.Awaited() }),
		"Seat": plain(func(v *lobby.Visit) { v.Seat() }), "Invited": plain(func(v *lobby.Visit) { v.Invited() }),
		"Challenge": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.Challenge(ctx, table.DefaultConfig(), 0, "ben")
			return err
		},
		"MayChallenge":     plain(func(v *lobby.Visit) { _ = v.MayChallenge() }),
		"MayTakeOver":      plain(func(v *lobby.Visit) { _ = v.MayTakeOver(new(lobby.Team)) }),
		"MayChallengeTeam": plain(func(v *lobby.Visit) { _ = v.MayChallengeTeam(nil) }),
		"Friends":          plain(func(v *lobby.Visit) { v.Friends() }),
		"FriendsFirst":     plain(func(v *lobby.Visit) { v.FriendsFirst(nil) }),
		"Befriend": func(ctx context.Context, v *lobby.Visit, n int) error {
			return v.Befriend(ctx, "ben", n%2 == 0)
		},
		"Challenges": plain(func(v *lobby.Visit) { v.Challenges() }),
		"ChallengeAt": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.ChallengeAt(ctx, table.DefaultConfig(), 0, "ben", time.Now().Add(time.Hour))
			return err
		},
		"Plan": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.Plan(ctx, challenge.Config{Table: table.DefaultConfig()}, time.Now().Add(time.Hour))
			return err
		},
		"EndChallenge": func(ctx context.Context, v *lobby.Visit, n int) error { return v.EndChallenge(ctx, event.ID(n)) },
		"Prompt":       plain(func(v *lobby.Visit) { v.Prompt() }),
		"Answer": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Answer(ctx, v.Prompt(), n%2 == 0)
			return err
		},
		"Follow":  func(_ context.Context, v *lobby.Visit, n int) error { v.Follow(table.PlayerID(n)); return nil },
		"PlaysAt": func(_ context.Context, v *lobby.Visit, n int) error { v.PlaysAt(table.PlayerID(n % 7)); return nil },
		"Close":   plain(func(v *lobby.Visit) { v.Close(table.Left) }),
		"List":    func(_ context.Context, v *lobby.Visit, _ int) error { return v.List() },
		"Where":   func(_ context.Context, v *lobby.Visit, _ int) error { _, err := v.Where("ben"); return err },

		"EventRoom": plain(func(v *lobby.Visit) { v.EventRoom(1) }),
		"Today":     plain(func(v *lobby.Visit) { v.Today() }),
		"Daily":     func(ctx context.Context, v *lobby.Visit, _ int) error { _, err := v.Daily(ctx, ""); return err },
		"PlayDaily": func(ctx context.Context, v *lobby.Visit, _ int) error { _, err := v.PlayDaily(ctx, ""); return err },
		"DailyPast": func(ctx context.Context, v *lobby.Visit, _ int) error { _, err := v.DailyPast(ctx); return err },
		"DailyMonth": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.DailyMonth(ctx, "2000-01")
			return err
		},
		"EventsNow":  plain(func(v *lobby.Visit) { v.EventsNow() }),
		"EventRooms": plain(func(v *lobby.Visit) { v.EventRooms("daily") }),

		"Duplicates": plain(func(v *lobby.Visit) { v.Duplicates() }),
		"Duplicate": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Duplicate(ctx, event.ID(n))
			return err
		},
		"EnterDuplicate": func(ctx context.Context, v *lobby.Visit, n int) error {
			return v.EnterDuplicate(ctx, event.ID(n), duplicate.A)
		},
		"StartDuplicate": func(ctx context.Context, v *lobby.Visit, n int) error { return v.StartDuplicate(ctx, event.ID(n)) },
		"NewDuplicate": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.NewDuplicate(ctx, duplicate.Config{})
			return err
		},

		"Fields": plain(func(v *lobby.Visit) { v.Fields() }),
		"Field": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Field(ctx, event.ID(n))
			return err
		},
		"NewField": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.NewField(ctx, field.Config{}, time.Time{})
			return err
		},

		"Arenas":  plain(func(v *lobby.Visit) { v.Arenas() }),
		"Called":  plain(func(v *lobby.Visit) { v.Called() }),
		"MayPlay": plain(func(v *lobby.Visit) { v.MayPlay() }), "Newcomer": plain(func(v *lobby.Visit) { v.Newcomer() }),
		"Reader": plain(func(v *lobby.Visit) { v.Reader() }),
		"Arena": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Arena(ctx, event.ID(n))
			return err
		},
		"EnterEvent": func(ctx context.Context, v *lobby.Visit, n int) error {
			return v.EnterEvent(ctx, []event.Kind{arena.Kind, field.Kind}[n%2], event.ID(n), []string{"", "ben"}[n%2])
		},
		"LeaveEvent": func(ctx context.Context, v *lobby.Visit, n int) error {
			return v.LeaveEvent(ctx, []event.Kind{arena.Kind, field.Kind, duplicate.Kind}[n%3], event.ID(n))
		},
		"ClubNights": plain(func(v *lobby.Visit) { v.ClubNights() }),
		"ClubNight": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.ClubNight(ctx, event.ID(n))
			return err
		},
		"NewClubNight": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.NewClubNight(ctx, time.Hour)
			return err
		},
		"EndWeekly": func(ctx context.Context, v *lobby.Visit, n int) error { return v.EndWeekly(ctx, event.ID(n)) },
		"NewArena": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.NewArena(ctx, arena.Config{}, time.Time{}, time.Hour)
			return err
		},

		"Contests": plain(func(v *lobby.Visit) { v.Contests() }),
		"Calendar": plain(func(v *lobby.Visit) { v.Calendar() }),
		"ClubID":   plain(func(v *lobby.Visit) { v.ClubID() }),
		"CalledOff": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.CalledOff(ctx)
			return err
		},
		"Contest": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Contest(ctx, event.ID(n))
			return err
		},
		"FinishedContests": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.FinishedContests(ctx, league.Kind)
			return err
		},
		"Season": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.Season(ctx, "2026-11", false)
			return err
		},
		"PastEvents": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.PastEvents(ctx, table.PlayerID(n), 0)
			return err
		},
		"Titles": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Titles(ctx, table.PlayerID(n), 0)
			return err
		},
		"Shields": plain(func(v *lobby.Visit) { v.Shields() }),
		"Trophies": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Trophies(ctx, table.TeamID(n))
			return err
		},
		"NewLeague": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.NewLeague(ctx, league.Config{}, time.Time{}, event.ID(n))
			return err
		},
		"NewCup": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.NewCup(ctx, cup.Config{}, time.Time{})
			return err
		},
		"SignUp": func(ctx context.Context, v *lobby.Visit, n int) error { return v.SignUp(ctx, event.ID(n), true) },
		"ProposeTime": func(ctx context.Context, v *lobby.Visit, n int) error {
			return v.ProposeTime(ctx, event.ID(n), time.Time{})
		},
		"AcceptTime": func(ctx context.Context, v *lobby.Visit, n int) error {
			return v.AcceptTime(ctx, event.ID(n), time.Time{})
		},
		"DeclineTime": func(ctx context.Context, v *lobby.Visit, n int) error { return v.DeclineTime(ctx, event.ID(n)) },
		"SetLineUp":   func(ctx context.Context, v *lobby.Visit, n int) error { return v.SetLineUp(ctx, event.ID(n), nil) },
		"MayCallOff":  plain(func(v *lobby.Visit) { v.MayCallOff("ana") }),
		"CallOff":     func(ctx context.Context, v *lobby.Visit, n int) error { return v.CallOff(ctx, field.Kind, event.ID(n)) },

		"Said": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Said(ctx, arena.Kind, event.ID(n))
			return err
		},
		"SayIn": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.SayIn(ctx, arena.Kind, event.ID(n), "hello")
			return err
		},
		"Show":        show,
		"GalleryView": func(_ context.Context, v *lobby.Visit, _ int) error { _, err := v.GalleryView(t.ID()); return err },
		"BestGame":    func(ctx context.Context, v *lobby.Visit, _ int) error { _, err := v.BestGame(ctx); return err },
		"Wall": func(_ context.Context, v *lobby.Visit, _ int) error {
			w, err := v.Wall(0, func() {})
			if err == nil {
				w.Close()
			}
			return err
		},
		"Profile": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Profile(ctx, fmt.Sprint("maker", n%20))
			return err
		},
		"Standings": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Standings(ctx, lobby.StandingsQuery{Kind: lobby.KindPlayer, Month: fmt.Sprint(n), Limit: n})
			return err
		},
		"HeadToHead": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.HeadToHead(ctx, table.TeamID(n), table.TeamID(n+1))
			return err
		},
		"Months": func(ctx context.Context, v *lobby.Visit, _ int) error { _, err := v.Months(ctx); return err },
		"Games": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Games(ctx, lobby.GamesQuery{Text: fmt.Sprint(n), Limit: 100})
			return err
		},
		"Record": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, _, err := v.Record(ctx, table.GameID(n))
			return err
		},
		"Coach": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Coach(ctx, table.GameID(n))
			return err
		},
		"Card": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Card(ctx, table.GameID(n))
			return err
		},
		"AtCoach": func(ctx context.Context, v *lobby.Visit, _ int) error {
			return v.AtCoach(ctx, func() error {
				time.Sleep(100 * time.Millisecond) // as long as a whole game takes to be drawn
				return nil
			})
		},
		"Teams": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Teams(ctx, fmt.Sprint("Team ", n))
			return err
		},
		"AnyTeam": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.AnyTeam(ctx, fmt.Sprint("Team ", n))
			return err
		},
		"FindTeam": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.FindTeam(ctx, fmt.Sprint("Team ", n))
			return err
		},
		"Team": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Team(ctx, table.TeamID(n))
			return err
		},
		"Invitations": func(ctx context.Context, v *lobby.Visit, _ int) error { _, err := v.Invitations(ctx); return err },
		"CreateTeam": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.CreateTeam(ctx, fmt.Sprint("Team ", n), fmt.Sprint("T", n%1000))
			return err
		},
		"Invite":    func(ctx context.Context, v *lobby.Visit, _ int) error { return v.Invite(ctx, "ben") },
		"Accept":    func(ctx context.Context, v *lobby.Visit, n int) error { return v.Accept(ctx, table.TeamID(n)) },
		"Decline":   func(ctx context.Context, v *lobby.Visit, n int) error { return v.Decline(ctx, table.TeamID(n)) },
		"LeaveTeam": func(ctx context.Context, v *lobby.Visit, _ int) error { return v.LeaveTeam(ctx) },
		"HandOver":  func(ctx context.Context, v *lobby.Visit, _ int) error { return v.HandOver(ctx, "ben") },

		"NewTable": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.NewTable(ctx, table.DefaultConfig())
			return err
		},
		"QuickPlay": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.QuickPlay(ctx, lobby.QuickPrefs{})
			return err
		},
		"Join": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.Join(ctx, fmt.Sprint("K7QX", n))
			return err
		},
		"Do": func(ctx context.Context, v *lobby.Visit, n int) error {
			return v.Do(ctx, t.ID(), table.Ready{On: n%2 == 0})
		},
		"DoOnce": func(ctx context.Context, v *lobby.Visit, n int) error {
			return v.DoOnce(ctx, t.ID(), fmt.Sprint(n), table.Sit{})
		},
		"Say": func(ctx context.Context, v *lobby.Visit, _ int) error { _, err := v.Say(ctx, "hello"); return err },
		"SayAt": func(ctx context.Context, v *lobby.Visit, _ int) error {
			_, err := v.SayAt(ctx, t.ID(), "hello")
			return err
		},
		"SayOnce": func(ctx context.Context, v *lobby.Visit, n int) error {
			_, err := v.SayOnce(ctx, t.ID(), fmt.Sprint(n), "hello")
			return err
		},
		"SaveSettings": func(ctx context.Context, v *lobby.Visit, _ int) error { return v.SaveSettings(ctx, lobby.Settings{}) },
		"SetBot":       func(ctx context.Context, v *lobby.Visit, n int) error { return v.SetBot(ctx, n%2 == 0) },

		"AuditLog":   func(ctx context.Context, v *lobby.Visit, _ int) error { _, err := v.AuditLog(ctx, 100); return err },
		"Reports":    func(ctx context.Context, v *lobby.Visit, _ int) error { _, err := v.Reports(ctx, 100); return err },
		"Sanctions":  func(ctx context.Context, v *lobby.Visit, _ int) error { _, err := v.Sanctions(ctx); return err },
		"Suspicions": func(ctx context.Context, v *lobby.Visit, _ int) error { _, err := v.Suspicions(ctx, 100); return err },
	}
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
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, c *club) {
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
					if err := do(ctx, v, n); err != nil {
						require.True(t, errors.As(err, new(text.Refusal)) || errors.As(err, new(*lobby.SanctionError)), "%v", err)
						refused++
					}
				}
				runtime.ReadMemStats(&ended)
				asked, each := c.store.Asked()-before, (ended.TotalAlloc-began.TotalAlloc)/repeated
				t.Logf("refused %d, disk asked %d times, %d bytes each", refused, asked, each)
				require.LessOrEqual(t, asked, 1000)
				require.LessOrEqual(t, each, uint64(8<<10))
			})
		})
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
			_, err := v.Games(ctx, lobby.GamesQuery{Text: "m", Limit: 10})
			return err
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
		_, err := c.guest("192.0.2.1").Games(ctx, lobby.GamesQuery{Limit: 10})
		require.NoError(t, err)
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
					_ = call(t.Context(), v, n)
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
