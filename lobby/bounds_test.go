package lobby_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/challenge"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/table"
)

// bounded is a kind of thing whose number is limited, and how to make one.
type bounded struct {
	one, address, network, all int // by one person, from one address, from one network, from anywhere; 0: that says another bound
	make                       func(v *lobby.Visit) error
	members                    bool // whoever makes it has a team
	operators                  bool
	gone                       bool // a restart ends it
	again                      bool // whoever has made it gets it again
}

// boundedThings are the things whose number is limited.
func boundedThings(at func() table.ID, hold func() chan struct{}) map[string]bounded {
	in := func(d time.Duration) time.Time { return time.Now().Add(d) }
	const days = 13 * 24 * time.Hour
	contest := match.Config{Name: "Autumn", Rules: "block", Pace: table.PaceNormal}
	return map[string]bounded{
		"table": {one: 3, address: 8, network: 24, all: 40, make: func(v *lobby.Visit) error {
			cfg := table.DefaultConfig()
			cfg.Fill = table.FillNever
			return errOf(v.NewTable(ctx, cfg))
		}},
		"daily deal": {again: true, address: 8, network: 24, all: 40, make: func(v *lobby.Visit) error {
			return errOf(v.PlayDaily(ctx, ""))
		}},
		"seat": {one: 8, gone: true, make: func(v *lobby.Visit) error { return v.Do(ctx, at(), table.Sit{}) }},
		"arena": {one: 1, address: 3, network: 6, all: 60, members: true, make: func(v *lobby.Visit) error {
			return errOf(v.NewArena(ctx, hour, in(days), time.Hour))
		}},
		"field": {one: 1, address: 3, network: 6, all: 60, make: func(v *lobby.Visit) error {
			return errOf(v.NewField(ctx, field.Config{Rules: "classic", Pace: table.PaceNormal}, in(days)))
		}},
		"duplicate": {one: 1, address: 3, network: 6, all: 60, make: func(v *lobby.Visit) error {
			return errOf(v.NewDuplicate(ctx, duplicate.Config{Rules: "block", Pace: table.PaceNormal}))
		}},
		"club night": {one: 1, operators: true, make: func(v *lobby.Visit) error { return errOf(v.NewClubNight(ctx, 12*time.Hour)) }},
		"challenge": {one: 3, address: 6, network: 12, make: func(v *lobby.Visit) error {
			return errOf(v.Plan(ctx, challenge.Config{Table: duel()}, in(days)))
		}},
		"league": {all: 50, operators: true, make: func(v *lobby.Visit) error {
			return errOf(v.NewLeague(ctx, league.Config{Config: contest, Window: 24 * time.Hour, Size: league.Smallest}, in(days), 0))
		}},
		"cup": {all: 50, operators: true, make: func(v *lobby.Visit) error {
			return errOf(v.NewCup(ctx, cup.Config{Config: contest, Round: 24 * time.Hour}, in(days)))
		}},
		"wall": {one: 2, gone: true, make: func(v *lobby.Visit) error { return errOf(v.Wall(0, func() {})) }},
		"coach": {network: 8, all: 16, gone: true, make: func(v *lobby.Visit) error {
			return v.AtCoach(ctx, func() error { <-hold(); return nil })
		}},
	}
}

// However many ask at once, exactly as many things are made as their bound allows; failed attempts take no
// place; and whatever was made still counts after a restart.
func TestBoundsHoldInARace(t *testing.T) {
	const sessions = 72
	for name := range boundedThings(nil, nil) {
		for _, crowd := range []string{"one", "address", "network", "all"} {
			t.Run(name+"/"+crowd, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var mu sync.Mutex
					var tables []table.ID
					next := func() table.ID {
						mu.Lock()
						defer mu.Unlock()
						tables = append(tables[1:], tables[0])
						return tables[0]
					}
					release := make(chan struct{})
					thing := boundedThings(next, func() chan struct{} { return release })[name]
					want := map[string]int{"one": thing.one, "address": thing.address, "network": thing.network, "all": thing.all}[crowd]
					if want == 0 {
						return
					}
					c := open(t, withDaily, func(c *lobby.Config) { c.Salt, c.MaxTables, c.TablesNet = []byte("a server keeps it"), 40, 8 })
					synctest.Wait()
					origin := func(n int) func(*lobby.Origin) {
						return func(o *lobby.Origin) {
							o.Net = map[string]string{"address": "192.0.2.1", "network": fmt.Sprintf("192.0.2.%d", n)}[crowd]
							if o.Net == "" {
								o.Net = fmt.Sprintf("10.9.%d.1", n)
							}
							o.Operator = thing.operators
						}
					}
					if name == "seat" {
						for n := range 10 {
							tables = append(tables, sits(t, c.come(fmt.Sprint("hanna", n))).ID())
						}
					}
					var people []*lobby.Account
					for n := range sessions {
						if crowd == "one" && n > 0 {
							people = append(people, people[0])
							continue
						}
						a := c.member(fmt.Sprint("kit", n))
						if thing.members {
							v := c.enter(a, at(fmt.Sprintf("10.7.%d.1", n)))
							require.NoError(t, errOf(v.CreateTeam(ctx, fmt.Sprint("The ", n), fmt.Sprint("T", n))))
							v.Close(table.Left)
						}
						people = append(people, a)
					}
					all := func() (made int) {
						var visits []*lobby.Visit
						for n, a := range people {
							visits = append(visits, c.enter(a, origin(n)))
							defer visits[n].Close(table.Disconnected)
						}
						errs := make([]error, sessions)
						var wg sync.WaitGroup
						for n, v := range visits {
							wg.Go(func() { errs[n] = thing.make(v) })
						}
						if name == "coach" {
							synctest.Wait()
							close(release)
						}
						wg.Wait()
						for n, err := range errs {
							if err == nil {
								made++
							} else if !errors.Is(err, lobby.ErrTrouble) {
								require.ErrorAs(t, err, new(text.Refusal), n)
							}
						}
						synctest.Wait()
						return made
					}
					c.store.Slow(time.Millisecond)
					switch name {
					case "coach", "wall": // which need no store
					default:
						c.store.Fail(errors.New("the disk is full"))
						require.Zero(t, all())
						c.store.Fail(nil)
						time.Sleep(3 * time.Hour) // so that nobody is too fast
					}
					require.Equal(t, want, all())
					if !thing.gone {
						c.restart()
						synctest.Wait()
						if !thing.again {
							want = 0
						}
						require.Equal(t, want, all(), "after a restart")
					}
				})
			})
		}
	}
}

// TestWhoeverOnlyAsksIsCounted: one person's bounds apply to commands that do not enter the club, too.
func TestWhoeverOnlyAsksIsCounted(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana")
		wait := make(chan struct{})
		for range 16 {
			asking, err := c.Ask(account(t, c, ana), lobby.Origin{Net: "10.0.0.1"})
			require.NoError(t, err)
			go func() { _ = asking.AtCoach(ctx, func() error { <-wait; return nil }) }()
			synctest.Wait()
		}
		cem, errC := c.Ask(account(t, c, c.come("cem")), lobby.Origin{Net: "203.0.113.9"})
		require.NoError(t, errC)
		got := make(chan error, 1)
		go func() { got <- cem.AtCoach(ctx, func() error { return nil }) }()
		synctest.Wait()
		close(wait)
		require.NotErrorIs(t, <-got, lobby.ErrCoachCrowded, "one person holds all 16 places")
	})
}
