package lobby_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/table"
)

// TestTeamsAtOnce: whatever people ask of their teams at the same moment, also in several sessions each, memory
// and disk agree about who is in which team, a team has a captain of its own and no more members than it may,
// and a cup that has not begun has no team that has ended.
func TestTeamsAtOnce(t *testing.T) { atOnce(t, teamsAtOnce) }

func teamsAtOnce(t *testing.T, rng *rand.Rand) {
	const size, people, sessions = 3, 4, 3
	c := open(t, func(cfg *lobby.Config) { cfg.TeamSize = size })
	names := c.kits(people)
	boss := c.come("olga", operator)
	cupID := c.made(boss.NewCup(ctx, cup.Config{Config: block, Round: match.Week}, time.Now().Add(300*24*time.Hour)))
	made := 0
	for range 30 {
		var visits []*lobby.Visit
		for n := range people * sessions {
			visits = append(visits, c.back(names[n/sessions]))
		}
		c.store.Slow(3 * time.Millisecond)
		c.store.SlowReads(time.Millisecond)
		var wg sync.WaitGroup
		for _, v := range visits {
			r := rand.New(rand.NewPCG(rng.Uint64(), 1))
			made++
			tag := fmt.Sprintf("T%02d", made%100)
			wg.Go(func() {
				for range 6 {
					time.Sleep(time.Duration(r.IntN(12)) * time.Millisecond)
					err := actInTeam(ctx, v, r, names, fmt.Sprint("The ", tag), tag, cupID)
					if err != nil && !errors.As(err, new(text.Refusal)) {
						t.Errorf("not a sentence for a player: %v", err)
					}
				}
			})
		}
		wg.Wait()
		c.calm()
		living := map[table.TeamID]bool{}
		for n, name := range names {
			a, err := c.store.ByName(ctx, name)
			require.NoError(t, err)
			require.Equal(t, a.Team, visits[n*sessions].Player().Team, "%s on disk and in memory", name)
			if a.Team == 0 {
				continue
			}
			living[a.Team] = true
			team, err := c.store.Team(ctx, a.Team)
			require.NoError(t, err)
			require.LessOrEqual(t, len(team.Members), size)
			captain := false
			for _, m := range team.Members {
				captain = captain || m.ID == team.Captain
			}
			require.True(t, captain, "%s has a captain", team.Name)
			list, err := c.store.Invitations(ctx, a.ID)
			require.NoError(t, err)
			require.Equal(t, list, visits[n*sessions].Invited())
		}
		for _, in := range contestNow(t, boss, cupID).Teams {
			require.True(t, living[in.ID], "team %s has ended and takes part", in.Tag)
		}
		leave(table.Left, visits...)
		time.Sleep(3 * time.Hour) // so that nobody is too fast
	}
}

func actInTeam(ctx context.Context, v *lobby.Visit, r *rand.Rand, names []string, name, tag string, id event.ID) error {
	switch r.IntN(10) {
	case 0:
		return errOf(v.CreateTeam(ctx, name, tag))
	case 1, 2, 3:
		return v.LeaveTeam(ctx)
	case 4:
		return v.HandOver(ctx, names[r.IntN(len(names))])
	case 5, 6:
		return v.Invite(ctx, names[r.IntN(len(names))])
	case 7, 8:
		for _, in := range v.Invited() {
			return v.Accept(ctx, in.Team)
		}
	default:
		return v.SignUp(ctx, id, true)
	}
	return nil
}
