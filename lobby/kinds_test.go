package lobby_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/table"
)

// An arena of either kind, or a duplicate match, can be called off before it begins, by its creator or an
// operator; otherwise a few people could hold all places for events for two weeks. Its players are told, and
// the creator may create another.
func TestCallOff(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		owl, boss := newTeam(t, c, "OWL"), c.come("olga", operator)
		ana, ben := owl[0], owl[1]
		later := time.Now().Add(13 * 24 * time.Hour)
		for _, k := range []struct {
			kind   event.Kind
			over   error
			create func() (event.ID, error)
			enter  func(id event.ID) error
			said   string
		}{
			{arena.Kind, arena.ErrOver, func() (event.ID, error) { return ana.NewArena(ctx, hour, later, time.Hour) },
				func(id event.ID) error { return ben.EnterEvent(ctx, arena.Kind, id, "") }, "Arena 1, Friday, was called off."},
			{duplicate.Kind, duplicate.ErrOver, func() (event.ID, error) {
				return ana.NewDuplicate(ctx, duplicate.Config{Rules: "classic", Pace: table.PaceNormal})
			}, func(id event.ID) error { return ben.EnterDuplicate(ctx, id, duplicate.A) }, "Duplicate match 3 was called off."},
			{field.Kind, field.ErrOver, func() (event.ID, error) {
				return ana.NewField(ctx, field.Config{Name: "Sunday", Rules: "classic", Pace: table.PaceNormal}, later)
			}, func(id event.ID) error { return ben.EnterEvent(ctx, field.Kind, id, "") }, "Duplicate arena 5, Sunday, was called off."},
		} {
			id, err := k.create()
			require.NoError(t, err)
			require.NoError(t, k.enter(id))
			require.ErrorIs(t, ben.CallOff(ctx, k.kind, id), event.ErrCallOff)
			require.ErrorIs(t, c.guest("10.9.9.9").CallOff(ctx, k.kind, id), lobby.ErrMembersOnly)
			synctest.Wait()
			asked := c.store.Asked()
			require.NoError(t, ana.CallOff(ctx, k.kind, id))
			synctest.Wait()
			require.LessOrEqual(t, c.store.Asked()-asked, 5, "nobody looks for the results of other kinds")
			require.Contains(t, lastNotes(ben), k.said)
			synctest.Wait()
			require.ErrorIs(t, ana.CallOff(ctx, k.kind, id), k.over)
			time.Sleep(10 * time.Minute)
			id, err = k.create()
			require.NoError(t, err, "there is room for another")
			require.NoError(t, boss.CallOff(ctx, k.kind, id))
			synctest.Wait()
			require.Nil(t, boss.EventRoom(id))
		}
		wait(time.Until(later))
		require.Empty(t, newsTexts(boss), "nobody is told that they begin")
		require.Equal(t, "Duplicate arena 5, Sunday, was called off", fieldNow(t, ana, 5).Outcome())
		past, err := ana.PastEvents(ctx, 0, 0)
		require.NoError(t, err)
		require.Empty(t, past)

		now := newArena(t, ana, hour, 0)
		require.True(t, arenaNow(t, boss, now).Begun)
		require.ErrorIs(t, ana.CallOff(ctx, arena.Kind, now), arena.ErrBegun)
		time.Sleep(time.Second)
		weekly := hour
		weekly.Weekly = true
		id := newArena(t, boss, weekly, time.Hour)
		begins := arenaNow(t, boss, id).Begins
		require.NoError(t, boss.CallOff(ctx, arena.Kind, id))
		synctest.Wait()
		all := boss.Arenas()
		require.Len(t, all, 2)
		require.True(t, begins.Add(7*24*time.Hour).Equal(all[1].Begins), "a weekly arena is left out once")
	})
}

// Players of an event that is not played are told so, or read it later.
func TestNotPlayed(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		f := c.made(ana.NewField(ctx, field.Config{Name: "Sunday", Rules: "classic", Pace: table.PaceNormal}, time.Now().Add(time.Hour)))
		require.NoError(t, ben.EnterEvent(ctx, field.Kind, f, ""))
		d := c.made(ana.NewDuplicate(ctx, duplicate.Config{Rules: "classic", Pace: table.PaceNormal}))
		require.NoError(t, ben.EnterDuplicate(ctx, d, duplicate.A))
		wait(61 * time.Minute)
		require.Contains(t, lastNotes(ben), "Duplicate arena 1, Sunday, was not played: too few had entered, or the club was closed.")
		ben.Close(table.Left)
		wait(time.Hour)
		ben = c.back("ben")
		synctest.Wait()
		require.Contains(t, lastNotes(ben), "Duplicate match 2 was not played: too few had entered, or the club was closed.")
		require.NotContains(t, lastNotes(ana), "was not played", "who has not entered")
	})
}

// Whatever is wrong with the rules of a new event, the refusal is a sentence, whatever it begins with.
func TestRefusedRulesAreSentences(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		for _, text := range []string{"azneef hand=8", "classic hand=8", "classic hand=99", "nosuch", "classic rounds=0", "", "é", "\"",
			"classic seats=9", "block teams=off"} {
			for i, create := range []func() error{
				func() error {
					return errOf(boss.NewDuplicate(ctx, duplicate.Config{Rules: text, Pace: table.PaceNormal}))
				},
				func() error {
					return errOf(boss.NewField(ctx, field.Config{Rules: text, Pace: table.PaceNormal}, time.Now()))
				},
				func() error {
					return errOf(boss.NewArena(ctx, arena.Config{Rules: text, Pace: table.PaceNormal}, time.Now(), time.Hour))
				},
				func() error {
					_, err := boss.NewCup(ctx, cup.Config{Config: match.Config{Name: "Winter", Rules: text, Pace: table.PaceNormal}, Round: match.Week},
						time.Now().Add(time.Hour))
					return err
				},
				func() error {
					_, err := boss.NewLeague(ctx,
						league.Config{Config: match.Config{Name: "Winter", Rules: text, Pace: table.PaceNormal}, Window: match.Week, Size: 8},
						time.Now().Add(time.Hour), 0)
					return err
				},
			} {
				if err := create(); err != nil {
					require.Regexp(t, `^[\p{Lu}0-9"][\pL\pN\pP\pS ]*[.]$`, err.Error(), "%q, %d", text, i)
				}
				time.Sleep(time.Hour)
			}
		}
	})
}
