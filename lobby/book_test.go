package lobby_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Captains of four teams propose, accept and decline times in two leagues and a cup, all at once: no team
// ever has two matches within 90 minutes.
func TestNobodyIsBookedTwice(t *testing.T) {
	seeds := uint64(5)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		bubble(t, func(t *testing.T, c *club) {
			boss := c.come("olga", operator)
			at := time.Now().Add(time.Hour)
			var ids []event.ID
			for range 2 {
				id := c.made(boss.NewLeague(ctx, winter, at, 0))
				ids = append(ids, id)
			}
			id := c.made(boss.NewCup(ctx, cup.Config{Config: block, Round: match.Week}, at))
			ids = append(ids, id)
			var captains []*lobby.Visit
			for _, tag := range []string{"OWL", "CAT", "DOG", "FOX"} {
				team := newTeam(t, c, tag)
				captains = append(captains, team[0])
				for _, id := range ids {
					require.NoError(t, team[0].SignUp(ctx, id, true))
				}
			}
			time.Sleep(time.Hour)
			agreed := 0
			for step := range 100 {
				for i, v := range captains {
					rng := rand.New(rand.NewPCG(seed, uint64(10*step+i)))
					go func() {
						id := ids[rng.IntN(len(ids))]
						switch rng.IntN(5) {
						case 0:
							_ = v.DeclineTime(ctx, id)
						case 1, 2:
							_ = v.AcceptTime(ctx, id, time.Time{})
						default:
							_ = v.ProposeTime(ctx, id, time.Now().Add(24*time.Hour+time.Duration(rng.IntN(40))*15*time.Minute).Round(0))
						}
					}()
				}
				wait(5 * time.Minute)
				for _, v := range captains {
					var all []time.Time
					for _, d := range v.Calendar() {
						if d.Own && !d.Deadline() {
							all = append(all, d.Begins)
							agreed++
						}
					}
					slices.SortFunc(all, time.Time.Compare)
					for i := 1; i < len(all); i++ {
						require.GreaterOrEqual(t, all[i].Sub(all[i-1]), 90*time.Minute, "seed %d, step %d", seed, step)
					}
				}
			}
			require.Greater(t, agreed, 100)
		})
	}
}

// A player in a line-up who has entered an arena can't have a match during it, and a player who enters one
// during a match is told.
func TestAPlayersBook(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		id, boss, owl, cat := owlsAndCats(t, c)
		wait(time.Hour)
		begins := time.Now().Add(5 * time.Hour).Round(0)
		friday := c.made(boss.NewArena(ctx, hour, begins, arena.Longest))
		require.NoError(t, owl[1].EnterEvent(ctx, arena.Kind, friday, ""))
		require.NoError(t, owl[0].ProposeTime(ctx, id, begins), "nobody is lined up")
		require.NoError(t, cat[0].AcceptTime(ctx, id, time.Time{}))
		var refusal text.Refusal
		require.ErrorAs(t, owl[0].SetLineUp(ctx, id, []string{"capowl", "twoowl"}), &refusal)
		require.NoError(t, owl[0].ProposeTime(ctx, id, begins.Add(-3*time.Hour)))
		require.NoError(t, cat[0].AcceptTime(ctx, id, time.Time{}))
		require.NoError(t, owl[0].SetLineUp(ctx, id, []string{"capowl", "twoowl"}))
		require.ErrorContains(t, cat[0].ProposeTime(ctx, id, begins.Add(time.Hour)), "has entered Arena")
		require.NoError(t, cat[0].ProposeTime(ctx, id, begins.Add(3*time.Hour)))
		require.NoError(t, owl[0].AcceptTime(ctx, id, time.Time{}))

		time.Sleep(time.Second)
		late := c.made(boss.NewArena(ctx, hour, begins.Add(3*time.Hour), arena.Shortest))
		require.NoError(t, cat[1].EnterEvent(ctx, arena.Kind, late, ""))
		require.Contains(t, lastNotes(cat[1]), "Your team has a match then: against The OWL")
	})
}

// A match waits while one of its players plays elsewhere, and begins when that is over. Players who play
// elsewhere are not chosen if there are others.
func TestPresentMeansFree(t *testing.T) {
	for _, third := range []bool{false, true} {
		bubble(t, func(t *testing.T, c *club) {
			boss := c.come("olga", operator)
			id := c.made(boss.NewLeague(ctx, winter, time.Now().Add(time.Hour), 0))
			owl, cat := newTeam(t, c, "OWL"), newTeam(t, c, "CAT")
			if third {
				more := c.come("tri")
				require.NoError(t, owl[0].Invite(ctx, "tri"))
				require.NoError(t, more.Accept(ctx, owl[0].Player().Team))
			}
			require.NoError(t, owl[0].SignUp(ctx, id, true))
			require.NoError(t, cat[0].SignUp(ctx, id, true))
			wait(time.Hour)
			require.NoError(t, owl[0].ProposeTime(ctx, id, time.Now().Add(10*time.Minute)))
			require.NoError(t, cat[0].AcceptTime(ctx, id, time.Time{}))
			time.Sleep(9*time.Minute + 50*time.Second)
			game := playing(t, owl[1])
			time.Sleep(time.Minute)
			require.Len(t, contestNow(t, boss, id).At, 1)
			require.Equal(t, third, owl[0].MyTables()[0].State == table.Playing)
			if third {
				require.Len(t, owl[1].MyTables(), 1, "her own game")
				return
			}
			require.Len(t, owl[1].MyTables(), 2)
			do(t, owl[1], game.ID(), table.Resign{})
			wait(10 * time.Second)
			require.Equal(t, table.Playing, owl[0].MyTables()[0].State)
		})
	}
}
