package lobby_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Requests to events are limited, by key and by address, so that their journals stay small.
func TestWishesAtEventsAreCounted(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		id := newArena(t, c.come("olga", operator), hour, time.Hour)
		entries := func() int {
			synctest.Wait()
			log, err := c.store.EventLog(ctx, id)
			require.NoError(t, err)
			return len(log)
		}
		wish := func(a *lobby.Account, change ...func(*lobby.Origin)) {
			v := c.enter(a, change...)
			defer v.Close(table.Left)
			for range 200 {
				for _, err := range []error{v.EnterEvent(ctx, arena.Kind, id, ""), v.LeaveEvent(ctx, arena.Kind, id)} {
					require.True(t, err == nil || errors.As(err, new(text.Refusal)), "%v", err)
				}
				time.Sleep(10 * time.Millisecond)
			}
		}
		dora := c.come("dora")
		for range 50 {
			require.NoError(t, dora.EnterEvent(ctx, arena.Kind, id, ""), "entering again is free")
			time.Sleep(time.Second)
		}
		require.Equal(t, 1, entries())
		ana := c.member("ana")
		for range 20 { // over visits
			wish(ana)
		}
		require.LessOrEqual(t, entries(), 12+1)
		for n := range 20 {
			wish(c.member(fmt.Sprint("ben", n)), at("192.0.2.1"))
		}
		require.LessOrEqual(t, entries(), 12+1+40+5, "20 keys of one address")
	})
}

// Repeated requests to a partner count once; people whom the partner ignores are not heard, nor many at once.
func TestPartnersAreNotPestered(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		pairs := hour
		pairs.Rules, pairs.Pairs = "block target=50", true
		id := newArena(t, c.come("olga", operator), pairs, time.Hour)
		ben := c.come("ben")
		asked := func() (n int) {
			for _, note := range ben.Notes() {
				if strings.Contains(note.Text, "to be partners") {
					n++
				}
			}
			return n
		}
		ana := c.come("ana")
		for range 5 {
			require.NoError(t, ana.EnterEvent(ctx, arena.Kind, id, "ben"))
		}
		require.Equal(t, 1, asked())
		log, err := c.store.EventLog(ctx, id)
		require.NoError(t, err)
		require.Len(t, log, 1)

		say(t, ben, "/ignore cem")
		require.ErrorIs(t, c.come("cem").EnterEvent(ctx, arena.Kind, id, "ben"), lobby.ErrNotWanted)
		require.Equal(t, 1, asked())
		for n := range 20 {
			require.NoError(t, c.come(fmt.Sprint("dia", n)).EnterEvent(ctx, arena.Kind, id, "ben"))
		}
		require.LessOrEqual(t, asked(), 5)
	})
}

// The number of arenas that captains can create is limited, and only a few are news, no matter how many keys
// and addresses they have. Operators can still create theirs.
func TestArenasOfCaptainsAreBounded(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		made, byAddress := 0, 0
		for n := range 80 {
			v := c.come(fmt.Sprint("cap", n), at(fmt.Sprintf("10.9.%d.1", n)))
			require.NoError(t, errOf(v.CreateTeam(ctx, fmt.Sprint("The ", n), fmt.Sprint("T", n))))
			if _, err := v.NewArena(ctx, hour, time.Now().Add(11*time.Minute), time.Hour); err == nil {
				made++
			} else {
				require.ErrorIs(t, err, arena.ErrMade)
			}
			v.Close(table.Left)
		}
		require.Equal(t, 60, made)
		op := c.come("olga", operator)
		newArena(t, op, hour, time.Hour)
		time.Sleep(3 * time.Minute)
		news := 0
		for _, n := range seen(op).News {
			if n.Kind == arena.Type.News {
				news++
			}
		}
		require.Positive(t, news)
		require.LessOrEqual(t, news, 8)
		time.Sleep(4 * time.Hour)
		for n := range 10 {
			v := c.come(fmt.Sprint("fox", n), at("192.0.2.1"))
			if _, err := v.CreateTeam(ctx, fmt.Sprint("New ", n), fmt.Sprint("N", n)); err != nil {
				continue
			}
			if _, err := v.NewArena(ctx, hour, time.Now().Add(time.Hour), time.Hour); err == nil {
				byAddress++
			}
		}
		require.Equal(t, 3, byAddress)
	})
}

// Forty addresses, with any number of keys, leave room for other people's events, however long their own take
// and however often the server is restarted.
func TestEventsOfFewLeaveRoomForOthers(t *testing.T) {
	soon := func(ctx context.Context) map[string]func(v *lobby.Visit) error {
		return map[string]func(v *lobby.Visit) error{
			"field": func(v *lobby.Visit) error {
				return errOf(v.NewField(ctx, field.Config{Rules: "classic", Pace: table.PaceNormal}, time.Now().Add(13*24*time.Hour)))
			},
			"duplicate": func(v *lobby.Visit) error {
				return errOf(v.NewDuplicate(ctx, duplicate.Config{Rules: "block", Pace: table.PaceNormal}))
			},
			"arena": func(v *lobby.Visit) error {
				return errOf(v.NewArena(ctx, hour, time.Now().Add(13*24*time.Hour), time.Hour))
			},
		}
	}
	for kind, create := range soon(ctx) {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := open(t, func(c *lobby.Config) { c.Salt = []byte("a server keeps it") })
				attempt := func(from string) error {
					v := c.come(fmt.Sprint("cap", c.keys), at(from))
					defer v.Close(table.Left)
					if kind == "arena" {
						if _, err := v.CreateTeam(ctx, fmt.Sprint("The ", c.keys), fmt.Sprint("T", c.keys)); err != nil {
							return err
						}
					}
					return create(v)
				}
				for range 4 {
					for n := range 40 {
						if err := attempt(fmt.Sprintf("10.9.%d.1", n)); err != nil {
							require.ErrorAs(t, err, new(text.Refusal))
						}
					}
					time.Sleep(25 * time.Minute)
					c.restart() // which gives nobody another share
				}
				for n := range 10 {
					require.NoError(t, attempt(fmt.Sprintf("10.8.%d.1", n)))
				}
			})
		})
	}
}

// Attempts at the daily deal count as tables, towards the limits of an address and of the club.
func TestAttemptsAtTheDailyDealAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, withDaily, func(c *lobby.Config) { c.MaxTables = 60 })
		synctest.Wait()
		tries := func(n int, from func(int) string, full error) (made int) {
			for i := range n {
				v := c.come(fmt.Sprintf("kit%d", c.keys), at(from(i)))
				id, err := v.PlayDaily(ctx, "")
				if err == nil {
					made++
					require.Equal(t, id, attempt(t, v, ""), "the table that is there")
				} else {
					require.ErrorIs(t, err, full)
				}
				v.Close(table.Left)
			}
			return made
		}
		require.Equal(t, 24, tries(50, func(int) string { return "192.0.2.1" }, lobby.ErrManyFromHere))
		require.Equal(t, 36, tries(40, func(n int) string { return fmt.Sprintf("10.8.%d.1", n) }, lobby.ErrClubFull))
		d, _ := c.come("late").Today()
		require.IsType(t, &daily.Day{}, d)
	})
}

// Addresses with any number of keys do not fill the club with daily deals, today's or past ones.
func TestDailyDealsLeaveRoomForTables(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, withDaily, func(c *lobby.Config) { c.MaxTables, c.TablesNet = 60, 6 })
		synctest.Wait()
		past, _ := c.come("first").Today()
		wait(time.Until(past.Ends))
		ask := seen(c.come("second"))
		made := 0
		for minute := range 2 {
			for n := range 8 {
				from := at(fmt.Sprintf("10.9.%d.1", n))
				for k := range 9 {
					v := c.come(fmt.Sprintf("kit%d", c.keys), from)
					key := []string{"", past.Key}[(minute+k)%2]
					if _, err := v.PlayDaily(ctx, key); err == nil {
						made++
					} else {
						require.ErrorIs(t, err, lobby.ErrManyFromHere)
					}
					v.Close(table.Left)
				}
			}
			time.Sleep(time.Minute)
		}
		require.Equal(t, 8*6, made)
		require.Len(t, ask.Tables, 0)
		sits(t, c.come("honest"))
	})
}

// Tables made for several players of events take no room from people's tables, and have their own limit.
func TestEventsLeaveRoomForTables(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(c *lobby.Config) { c.MaxTables = 3 })
		var people []*lobby.Visit
		for n := range 10 {
			people = append(people, c.come(fmt.Sprint("kit", n)))
		}
		id := c.made(people[0].NewField(ctx, field.Config{Rules: "classic rounds=3", Pace: table.PaceNormal}, time.Now().Add(time.Minute)))
		for _, v := range people {
			require.NoError(t, v.EnterEvent(ctx, field.Kind, id, ""))
		}
		wait(time.Minute + time.Second) // one that was refused while others were being made is tried again
		require.Equal(t, 3, c.Stats().Tables)
		for range 3 {
			sits(t, c.come(fmt.Sprint("eve", c.keys)))
		}
		require.ErrorIs(t, errOf(c.come("late").NewTable(ctx, table.DefaultConfig())), lobby.ErrClubFull)
		f := playField(t, id, people, func(*field.View) bool { return false })
		require.True(t, f.Over, "the others are played when there is room")
	})
}
