package lobby_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/challenge"
	"boneyard/table"
)

// duel is a challenge to a game of two.
func duel() table.Config {
	cfg := table.DefaultConfig()
	cfg.Access, cfg.Fill, cfg.Pace = table.AccessCode, table.FillNever, table.PaceNormal
	return cfg
}

func latest(v *lobby.Visit) string {
	all := heard(v)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// A challenge for a time asks both at that time, also after a restart, and where the server was down at the time, as long as they would
// have been waited for.
func TestAChallengeForATime(t *testing.T) {
	for _, down := range []time.Duration{0, 30 * time.Minute, 40 * time.Minute} {
		bubble(t, func(t *testing.T) {
			ctx := context.Background()
			c := open(t)
			b := c.member("ben")
			ana := c.come("ana")
			at := time.Now().Add(30 * time.Minute)
			_, err := ana.ChallengeAt(ctx, duel(), 0, "ana", at)
			require.ErrorIs(t, err, lobby.ErrYourself)
			_, err = ana.ChallengeAt(ctx, duel(), 0, "nobody", at)
			require.ErrorIs(t, err, lobby.ErrNoMember)
			_, err = ana.ChallengeAt(ctx, duel(), 0, "ben", time.Now())
			require.ErrorIs(t, err, challenge.ErrLate)
			_, err = c.guest("192.0.2.1").ChallengeAt(ctx, duel(), 0, "ben", at)
			require.ErrorIs(t, err, lobby.ErrMembersOnly)
			reply, err := ana.ChallengeAt(ctx, duel(), 0, "BEN", at)
			require.NoError(t, err)
			require.Contains(t, reply, "ben is away and will read it on their next visit.")
			require.Len(t, ana.Challenges(), 1)

			if down == 0 {
				c.restart()
			} else {
				c.stop()
				time.Sleep(down)
				c.start()
			}
			ana = c.back("ana")
			ben := c.enter(b)
			synctest.Wait()
			require.Contains(t, heard(ben)[0], "I challenge you to classic on ")
			require.Len(t, ben.Challenges(), 1)
			require.Empty(t, c.come("cem").Challenges(), "they concern nobody else")
			time.Sleep(max(30*time.Minute-down, 0) + 90*time.Second) // the clock is believed after a minute
			synctest.Wait()
			for _, v := range []*lobby.Visit{ana, ben} {
				require.Regexp(t, `^It is time for ana against ben, at table \d+: classic to \d+ \(later: j `, latest(v))
			}
			require.Empty(t, ana.Challenges())
			require.Len(t, seen(ana).Tables, 1, "one table, whatever happened")
		})
	}
}

// What cannot be played is off, and why is said: somebody does not come, it is declined or called off, or the club was closed.
func TestAChallengeComesToNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx := context.Background()
		c := open(t)
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		plan := func() *challenge.View {
			t.Helper()
			_, err := ana.ChallengeAt(ctx, duel(), 0, "ben", time.Now().Add(10*time.Minute))
			require.NoError(t, err)
			return &ana.Challenges()[0]
		}
		require.ErrorIs(t, cem.EndChallenge(ctx, plan().ID), challenge.ErrNone)
		require.NoError(t, ben.EndChallenge(ctx, ben.Challenges()[0].ID))
		synctest.Wait()
		require.Equal(t, "ana against ben is off: ben declines.", latest(ana))
		require.NoError(t, ana.EndChallenge(ctx, plan().ID))
		synctest.Wait()
		require.Equal(t, "ana against ben is off: it was called off.", latest(ben))

		plan()
		ben.Close(table.Left)
		time.Sleep(12 * time.Minute)
		synctest.Wait()
		require.Regexp(t, `^ana against ben: waiting for ben until \d\d:\d\d UTC\.$`, latest(ana))
		c.restart()
		ana = c.back("ana")
		time.Sleep(14 * time.Minute)
		synctest.Wait()
		require.Equal(t, "ana against ben is off: ben did not come.", latest(ana))
		require.Empty(t, seen(ana).Tables)

		plan()
		c.stop()
		time.Sleep(time.Hour)
		c.start()
		ana = c.back("ana")
		time.Sleep(30 * time.Minute) // the clock is believed
		require.Empty(t, ana.Challenges())
		require.Empty(t, seen(ana).Tables)

		for range 3 {
			plan()
			time.Sleep(time.Second)
		}
		_, err := ana.ChallengeAt(ctx, duel(), 0, "ben", time.Now().Add(10*time.Minute))
		require.ErrorIs(t, err, challenge.ErrMany)
	})
}

// A team's challenge waits for two members of each; it asks all who are here, by the names that the teams have then, and is off if one has ended.
func TestATeamsChallengeForATime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx := context.Background()
		c := open(t)
		people := c.comeAll("ana", "ada", "ben", "bob")
		for i, tag := range []string{"AA", "BB"} {
			team, err := people[2*i].CreateTeam(ctx, tag+" team", tag)
			require.NoError(t, err)
			require.NoError(t, people[2*i].Invite(ctx, people[2*i+1].Player().Name))
			require.NoError(t, people[2*i+1].Accept(ctx, team.ID))
		}
		ana, ada, ben, bob := people[0], people[1], people[2], people[3]
		cfg := duel()
		cfg.Rules, cfg.RuleText, cfg.Seats = ruleset(t, "block"), "block", 4
		_, err := ada.ChallengeAt(ctx, cfg, ben.Player().Team, "", time.Now().Add(10*time.Minute))
		require.ErrorIs(t, err, lobby.ErrChallenger)
		plan := func() {
			t.Helper()
			_, err := ana.ChallengeAt(ctx, cfg, ben.Player().Team, "", time.Now().Add(10*time.Minute))
			require.NoError(t, err)
			require.Contains(t, latest(ben), "I challenge your team to block on ")
		}
		plan()
		bob.Close(table.Left)
		time.Sleep(12 * time.Minute)
		synctest.Wait()
		require.Contains(t, latest(ben), "[AA] against [BB]: waiting for a second member of BB team until ")
		bob = c.back("bob")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		for _, v := range []*lobby.Visit{ana, ada, ben, bob} {
			require.Contains(t, latest(v), "It is time for [AA] against [BB], at table 1: block to ")
			_, err := v.Answer(ctx, v.Prompt(), true)
			require.NoError(t, err)
		}
		time.Sleep(10 * time.Second)
		require.Equal(t, table.Playing, seen(ana).Tables[0].State)

		plan()
		say(t, c.come("olga", operator), "/close 1")
		require.NoError(t, bob.LeaveTeam(ctx))
		require.NoError(t, ben.LeaveTeam(ctx))
		time.Sleep(12 * time.Minute)
		synctest.Wait()
		require.Equal(t, "[AA] against [BB] is off: one of the teams has ended.", latest(ana))
	})
}
