package lobby_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
)

// TestPeopleAtOnce: whatever members and operators do at the same moment while they come and go, disk and memory
// agree about everybody's settings and about who is banned or silenced, nobody who is banned is in the club,
// and a team that somebody leads who is banned for good can be taken over.
func TestPeopleAtOnce(t *testing.T) { atOnce(t, peopleAtOnce) }

// over reports whether a visit is over.
func over(v *lobby.Visit) bool {
	return errors.Is(v.Befriend(ctx, "nobody", false), lobby.ErrOver)
}

func peopleAtOnce(t *testing.T, rng *rand.Rand) {
	const people, sessions = 5, 3
	c := open(t)
	names := c.kits(people)
	bosses := []*lobby.Visit{c.come("olga", operator), c.come("otto", operator)}
	made := 0
	for range 30 {
		c.store.Slow(3 * time.Millisecond)
		c.store.SlowReads(time.Millisecond)
		var mu sync.Mutex
		var visits []*lobby.Visit
		var wg sync.WaitGroup
		for n := range people * sessions {
			r := rand.New(rand.NewPCG(rng.Uint64(), 1))
			made++
			tag := fmt.Sprintf("T%02d", made%100)
			wg.Go(func() {
				var v *lobby.Visit
				for range 8 {
					time.Sleep(time.Duration(r.IntN(12)) * time.Millisecond)
					if v == nil || r.IntN(4) == 0 {
						if v != nil {
							go v.Close(table.Left)
						}
						a, err := c.store.ByName(ctx, names[n/sessions])
						if err == nil {
							a, err = c.Account(ctx, a.Key)
						}
						if err == nil {
							v, err = c.Enter(ctx, a, lobby.Origin{Key: a.Key, Net: fmt.Sprintf("10.0.0.%d", n/sessions)})
						}
						if err != nil {
							v = nil
							continue
						}
						mu.Lock()
						visits = append(visits, v)
						mu.Unlock()
					}
					err := actAlone(ctx, v, r, names, tag)
					if err != nil && !errors.As(err, new(text.Refusal)) && !errors.As(err, new(*lobby.SanctionError)) {
						t.Errorf("not a sentence for a player: %v", err)
					}
				}
			})
		}
		for _, boss := range bosses {
			r := rand.New(rand.NewPCG(rng.Uint64(), 1))
			wg.Go(func() {
				for range 8 {
					time.Sleep(time.Duration(r.IntN(12)) * time.Millisecond)
					_, _ = boss.Say(ctx, fmt.Sprint([]string{"/ban ", "/unban ", "/mute ", "/unmute ", "/kick "}[r.IntN(5)], names[r.IntN(people)]))
				}
			})
		}
		wg.Wait()
		c.calm()
		in, err := c.store.Sanctions(ctx, time.Now())
		require.NoError(t, err)
		banned := map[table.PlayerID]bool{}
		for _, s := range in {
			banned[s.Player] = banned[s.Player] || s.Kind == lobby.SanctionBan
		}
		for _, name := range names {
			a, err := c.store.ByName(ctx, name)
			require.NoError(t, err)
			_, _, is := c.Banned(netip.MustParseAddr("10.9.9.9"), a.Key)
			require.Equal(t, banned[a.ID], is, name)
			if a.Team != 0 {
				team, err := c.store.Team(ctx, a.Team)
				require.NoError(t, err)
				for _, v := range visits {
					if me := v.Player(); banned[team.Captain] && me.Team == team.ID && !banned[me.ID] && !over(v) {
						require.True(t, v.MayTakeOver(team), "%s is led by somebody who is banned", team.Name)
					}
				}
			}
		}
		for _, v := range visits {
			a, err := c.store.ByName(ctx, v.Player().Name)
			require.NoError(t, err)
			if here := v.Account(); !over(v) {
				require.False(t, banned[a.ID], "%s is banned, and here", a.Name)
				require.Equal(t, fmt.Sprint(a.Settings), fmt.Sprint(here.Settings), a.Name)
				require.Equal(t, a.Bot, here.Bot, a.Name)
				require.Equal(t, a.Team, here.Team, a.Name)
			}
			v.Close(table.Left)
		}
		for _, name := range names {
			require.NoError(t, errOf(bosses[0].Say(ctx, "/unban "+name)))
		}
		time.Sleep(3 * time.Hour) // so that nobody is too fast
	}
}

func actAlone(ctx context.Context, v *lobby.Visit, r *rand.Rand, names []string, tag string) error {
	name := names[r.IntN(len(names))]
	switch r.IntN(10) {
	case 0, 1:
		return v.Befriend(ctx, name, r.IntN(2) == 0)
	case 2, 3:
		return errOf(v.Say(ctx, fmt.Sprint([]string{"/ignore ", "/unignore "}[r.IntN(2)], name)))
	case 4, 5:
		s := v.Settings()
		s.LineMode = !s.LineMode
		return v.SaveSettings(ctx, s)
	case 6:
		return v.SetBot(ctx, r.IntN(2) == 0)
	case 7:
		if r.IntN(2) == 0 {
			return v.LeaveTeam(ctx)
		}
		return errOf(v.CreateTeam(ctx, fmt.Sprint("The ", tag), tag))
	case 8:
		if r.IntN(2) == 0 {
			return v.HandOver(ctx, name)
		}
		return v.Invite(ctx, name)
	default:
		for _, in := range v.Invited() {
			return v.Accept(ctx, in.Team)
		}
	}
	return nil
}
