package lobby_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/table"
)

// While others play the same deals, nothing that a player writes reaches a player at another table, in any
// way, before or after a restart; both are told, and it arrives when the event is over. Players at the same
// table, and everybody else, may talk.
func TestNoTableHelpsAnother(t *testing.T) {
	for _, kind := range []event.Kind{duplicate.Kind, field.Kind} {
		bubble(t, func(t *testing.T, c *club) {
			people := c.comeAll("ana", "ben", "cem", "dora")
			var id event.ID
			var err error
			soon := time.Now().Add(time.Minute)
			if kind == field.Kind {
				id, err = people[0].NewField(ctx, field.Config{Rules: "classic rounds=2", Pace: table.PaceNormal}, soon)
			} else {
				id, err = people[0].NewDuplicate(ctx, duplicate.Config{Rules: "classic rounds=2", Pace: table.PaceNormal})
			}
			require.NoError(t, err)
			for i, v := range people {
				if kind == field.Kind {
					require.NoError(t, v.EnterEvent(ctx, field.Kind, id, ""))
				} else {
					require.NoError(t, v.EnterDuplicate(ctx, id, duplicate.Team(i/2+1)))
				}
			}
			require.Contains(t, say(t, people[0], "/tell ben before"), "You tell")
			if kind == duplicate.Kind {
				require.NoError(t, people[0].StartDuplicate(ctx, id))
			}
			wait(time.Minute)
			at := make([]table.ID, 4)
			for i, v := range people {
				at[i] = v.Called()
				require.NotZero(t, at[i])
				require.Contains(t, fmt.Sprint(heard(v)), "until it is over", "everybody is told at the start")
			}
			// me is ana, mate is at her table, and far is at another one.
			me, mate, far, farther := 0, 0, 0, 0
			for i := 1; i < 4; i++ {
				switch {
				case at[i] == at[me]:
					mate = i
				case far == 0:
					far = i
				default:
					farther = i
				}
			}
			names := []string{"ana", "ben", "cem", "dora"}
			eve := c.come("eve")
			do(t, people[me], at[me], table.Resign{})
			synctest.Wait()

			other := sits(t, eve, func(c *table.Config) { c.Seats = 4 })
			do(t, people[me], other.ID(), table.Sit{})
			require.NoError(t, errOf(people[me].SayAt(ctx, other.ID(), "secret at a table")))
			say(t, people[me], "secret in the lobby")
			require.Contains(t, say(t, people[me], "/tell "+names[far]+" secret"), "will read it when that is over")
			time.Sleep(time.Minute)
			require.Contains(t, say(t, people[me], "/tell "+names[mate]+" secret"), "You tell")
			require.Contains(t, say(t, people[me], "/tell eve secret"), "You tell")
			require.ErrorIs(t, errOf(people[me].SayIn(ctx, kind, id, "secret at the event")), lobby.ErrHushed)
			require.NoError(t, errOf(eve.SayIn(ctx, kind, id, "good luck")))
			require.ErrorContains(t, errOf(people[me].SayAt(ctx, other.ID(), "/invite "+names[far])), "different tables")
			_, err = people[me].ChallengeAt(ctx, table.DefaultConfig(), 0, names[far], time.Now().Add(66*time.Minute))
			require.ErrorContains(t, err, "different tables", "the game and its time would tell something")
			operators := []*lobby.Visit{c.enter(people[far].Account(), operator), c.enter(people[mate].Account(), operator)}
			say(t, people[me], "/report eve secret for operators")
			for i, v := range operators {
				reports, err := v.Reports(ctx, 10)
				require.NoError(t, err)
				require.Len(t, reports, i)
				require.Equal(t, i == 1, strings.Contains(fmt.Sprint(heard(v)), "for operators"))
				v.Close(table.Disconnected)
			}
			require.ErrorIs(t, errOf(people[me].NewTable(ctx, table.Config{Name: "secret"})), lobby.ErrSealed)
			require.ErrorIs(t, errOf(people[me].CreateTeam(ctx, "secret", "SECR")), lobby.ErrSealed)
			_, err = people[mate].NewField(ctx, field.Config{Name: "secret", Rules: "classic", Pace: table.PaceNormal}, soon.Add(time.Hour))
			require.ErrorIs(t, err, lobby.ErrSealed)

			// reads is everything that a person can read of others.
			reads := func(v *lobby.Visit) string {
				said := fmt.Sprint(heard(v))
				s := seen(v)
				for _, l := range s.Chat {
					if v.Hears(l.From) {
						said += l.Text
					}
				}
				if sub, err := watch(v, other.ID()); err == nil {
					for _, l := range sub.View().Chat {
						if v.Hears(l.From) {
							said += l.Text
						}
					}
					sub.Close()
				}
				for _, tab := range s.Tables {
					said += tab.Config.Name
				}
				return said
			}
			require.NotContains(t, reads(people[far]), "secret")
			require.Contains(t, fmt.Sprint(heard(people[far])), "a message from ana waits", "and is told")
			require.Contains(t, reads(people[mate]), "secret in the lobby")
			require.Contains(t, reads(eve), "secret at a table")

			leave(table.Disconnected, append(people, eve)...)
			c.restart()
			for i, name := range names {
				people[i] = c.back(name)
			}
			synctest.Wait()
			require.Contains(t, fmt.Sprint(heard(people[far])), "until it is over")
			require.NotContains(t, reads(people[far]), "secret")
			require.Contains(t, say(t, people[far], "/tell ana what?"), "will read it")
			require.ErrorIs(t, errOf(people[far].Said(ctx, kind, id)), lobby.ErrHushed)

			// The others give up, too, and it is over.
			for _, i := range []int{far, farther, mate} {
				if at[i] != at[me] {
					_ = people[i].Do(ctx, at[i], table.Resign{})
				}
			}
			for range 4 * 60 {
				if c.Lobby != nil && people[0].EventRoom(id) == nil {
					break
				}
				wait(time.Minute)
			}
			require.Nil(t, people[0].EventRoom(id))
			synctest.Wait() // what waited is delivered in the background
			said, err := people[far].Said(ctx, kind, id)
			require.NoError(t, err)
			require.Len(t, said, 1)
			require.Contains(t, reads(people[far]), "ana tells you")
			require.Contains(t, reads(people[far]), "secret in the lobby")
			require.Contains(t, fmt.Sprint(heard(people[me])), "what?")
			require.Contains(t, say(t, people[me], "/tell "+names[far]+" well"), "You tell")
		})
	}
}
