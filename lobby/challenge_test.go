package lobby_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/challenge"
	"boneyard/table"
)

// duel is a challenge to a game of two.
func duel() table.Config {
	cfg := table.DefaultConfig()
	cfg.Access, cfg.Fill, cfg.Pace = table.AccessCode, table.FillNever, table.PaceNormal
	return cfg
}

// partners is a challenge to a game of two teams.
func partners(t *testing.T) table.Config {
	cfg := duel()
	cfg.Rules, cfg.RuleText, cfg.Seats = ruleset(t, "block"), "block", 4
	return cfg
}

// rivals are the captain and the other member of the team AA, and of BB.
func rivals(t *testing.T, c *club) (ana, ada, ben, bob *lobby.Visit) {
	t.Helper()
	people := c.comeAll("ana", "ada", "ben", "bob")
	for i, tag := range []string{"AA", "BB"} {
		unite(t, tag+" team", tag, people[2*i], people[2*i+1])
	}
	return people[0], people[1], people[2], people[3]
}

func latest(v *lobby.Visit) string {
	all := heard(v)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// A challenge for a time prompts both players then, even after a restart, or if the server was down at the
// time and comes back while the club would still wait.
func TestAChallengeForATime(t *testing.T) {
	for _, down := range []time.Duration{0, 30 * time.Minute, 40 * time.Minute} {
		bubble(t, func(t *testing.T, c *club) {
			b := c.member("ben")
			ana := c.come("ana")
			at := time.Now().Add(30 * time.Minute)
			require.ErrorIs(t, errOf(ana.ChallengeAt(ctx, duel(), 0, "ana", at)), lobby.ErrYourself)
			require.ErrorIs(t, errOf(ana.ChallengeAt(ctx, duel(), 0, "nobody", at)), lobby.ErrNoMember)
			require.ErrorIs(t, errOf(ana.ChallengeAt(ctx, duel(), 0, "ben", time.Now())), challenge.ErrLate)
			require.ErrorIs(t, errOf(c.guest("192.0.2.1").ChallengeAt(ctx, duel(), 0, "ben", at)), lobby.ErrMembersOnly)
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
			require.Contains(t, fmt.Sprint(heard(ben)), "I challenge you to classic to 200")
			require.Len(t, ben.Challenges(), 1)
			require.Empty(t, c.come("cem").Challenges(), "they concern nobody else")
			wait(max(30*time.Minute-down, 0) + 90*time.Second) // the clock is believed after a minute
			for _, v := range []*lobby.Visit{ana, ben} {
				require.Regexp(t, `^It is time for ana against ben, at table \d+: classic to \d+ \(later: j `, latest(v))
			}
			require.Empty(t, ana.Challenges())
			require.Len(t, seen(ana).Tables, 1, "one table, whatever happened")
		})
	}
}

// A clock that leaps, or a restart around the time, neither loses a challenge nor carries it out early or
// twice.
func TestAChallengeOverLeaps(t *testing.T) {
	const until = 30 * time.Minute
	for name, test := range map[string]struct {
		leap    time.Duration
		restart time.Duration // before its time; 0: none
		later   time.Duration // by how much it is carried out later
	}{
		"a month ahead":                {leap: 30 * 24 * time.Hour},
		"a month ahead, with a stop":   {leap: 30 * 24 * time.Hour, restart: 20 * time.Minute},
		"an hour back":                 {leap: -time.Hour, later: time.Hour},
		"an hour back, with a stop":    {leap: -time.Hour, restart: 20 * time.Minute, later: time.Hour},
		"another owner just before it": {restart: time.Second},
		"another owner just after it":  {restart: -time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var off atomic.Int64
				c := openAhead(t, &off)
				people := c.comeAll("ana", "ben")
				begun := time.Now()
				require.NoError(t, errOf(people[0].ChallengeAt(ctx, duel(), 0, "ben", begun.Add(until))))
				time.Sleep(5 * time.Minute)
				off.Store(int64(test.leap))
				asked := 0
				restart := func() {
					asked += times(people[0], "It is time for ana against ben, at table ")
					people[0].Active() // has read it, so that it is not told again
					c.restart()
					people = []*lobby.Visit{c.back("ana"), c.back("ben")}
				}
				if test.restart != 0 {
					time.Sleep(until - test.restart - time.Since(begun))
					restart()
				}
				if early := until + test.later - time.Minute - time.Since(begun); early > 0 {
					wait(early)
					require.Zero(t, times(people[1], "It is time"))
				}
				wait(3 * time.Minute)
				require.Equal(t, 1, asked+times(people[0], "It is time"))
				wait(2 * time.Hour)
				require.Equal(t, 1, asked+times(people[0], "It is time"), "once")
				require.Empty(t, people[0].Challenges())
			})
		})
	}
}

// times counts a person's notes that begin with a text.
func times(v *lobby.Visit, begin string) (n int) {
	for _, line := range heard(v) {
		if strings.HasPrefix(line, begin) {
			n++
		}
	}
	return n
}

// A challenge that cannot be played is off, with the reason: a player does not come, it is declined or called
// off, or the club was closed.
func TestAChallengeComesToNothing(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		plan := func() *challenge.View {
			t.Helper()
			require.NoError(t, errOf(ana.ChallengeAt(ctx, duel(), 0, "ben", time.Now().Add(10*time.Minute))))
			return &ana.Challenges()[0]
		}
		id := plan().ID
		require.ErrorIs(t, cem.EndChallenge(ctx, id), challenge.ErrNone)
		for v, other := range map[*lobby.Visit]string{ana: "ben", ben: "ana"} {
			all := v.Calendar()
			require.Equal(t, fmt.Sprintf("Challenge %d, against %s", id, other), all[len(all)-1].Title)
		}
		synctest.Wait()
		c.store.SlowReads(time.Minute) // that it is off is told all the same
		require.NoError(t, ben.EndChallenge(ctx, ben.Challenges()[0].ID))
		time.Sleep(5 * time.Minute)
		c.store.SlowReads(0)
		require.Equal(t, "ana against ben is off: ben declines.", latest(ana))
		require.NoError(t, ana.EndChallenge(ctx, plan().ID))
		synctest.Wait()
		require.Equal(t, "ana against ben is off: it was called off.", latest(ben))

		plan()
		ben.Close(table.Left)
		wait(12 * time.Minute)
		require.Regexp(t, `^ana against ben: waiting for ben until \d\d:\d\d UTC\.$`, latest(ana))
		c.restart()
		ana = c.back("ana")
		wait(event.Kept + time.Minute) // for ben to call again
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
		require.ErrorIs(t, errOf(ana.ChallengeAt(ctx, duel(), 0, "ben", time.Now().Add(10*time.Minute))), challenge.ErrMany)
	})
}

// A team's challenge waits for two members of each team and prompts all who are here, by the teams' current
// names. It is off if a team is disbanded.
func TestATeamsChallengeForATime(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ada, ben, bob := rivals(t, c)
		cfg := partners(t)
		require.ErrorIs(t, errOf(ada.ChallengeAt(ctx, cfg, ben.Player().Team, "", time.Now().Add(10*time.Minute))), lobby.ErrChallenger)
		plan := func() {
			t.Helper()
			require.NoError(t, errOf(ana.ChallengeAt(ctx, cfg, ben.Player().Team, "", time.Now().Add(10*time.Minute))))
			require.Contains(t, latest(ben), "I challenge your team to block to 100")
		}
		plan()
		bob.Close(table.Left)
		wait(12 * time.Minute)
		require.Contains(t, latest(ben), "[AA] against [BB]: waiting for a second member of BB team until ")
		bob = c.back("bob")
		wait(2 * time.Minute)
		for _, v := range []*lobby.Visit{ana, ada, ben, bob} {
			require.Contains(t, latest(v), "It is time for [AA] against [BB], at table 1: block to ")
			require.NoError(t, errOf(v.Answer(ctx, v.Prompt(), true)))
		}
		time.Sleep(10 * time.Second)
		require.Equal(t, table.Playing, seen(ana).Tables[0].State)

		plan()
		say(t, c.come("olga", operator), "/close 1")
		require.NoError(t, bob.LeaveTeam(ctx))
		require.NoError(t, ben.LeaveTeam(ctx))
		wait(12 * time.Minute)
		require.Equal(t, "[AA] against [BB] is off: one of the teams has ended.", latest(ana))
	})
}

// A person never reads challenges from people they ignore, here or away, made before or after. A refused
// challenge does not stay.
func TestAChallengeOfTheIgnored(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		challenges := func(name string) error {
			_, err := ana.ChallengeAt(ctx, duel(), 0, name, time.Now().Add(10*time.Minute))
			time.Sleep(2 * time.Second)
			return err
		}
		require.NoError(t, challenges("ben"))
		say(t, ben, "/ignore ana")
		say(t, cem, "/ignore ana")
		before := heard(ben)
		for range 3 {
			require.ErrorIs(t, challenges("ben"), lobby.ErrNotWanted)
			require.ErrorIs(t, challenges("cem"), lobby.ErrNotWanted)
		}
		first := ana.Challenges()[0].ID
		require.NoError(t, ana.EndChallenge(ctx, first))
		synctest.Wait()
		require.Equal(t, before, heard(ben))
		cem.Close(table.Left)
		require.ErrorIs(t, challenges("cem"), lobby.ErrNotWanted)
		require.Empty(t, ana.Challenges())

		dia := c.come("dia")
		require.NoError(t, challenges("dia"))
		require.Len(t, ana.Challenges(), 1)
		require.Equal(t, first+1, ana.Challenges()[0].ID, "those refused were never made")
		require.NoError(t, dia.EndChallenge(ctx, first+1))
		dia.Close(table.Left)
		until(t, lobby.ErrTellsFull, func() error {
			time.Sleep(time.Minute)
			return errOf(ana.Say(ctx, "/tell dia hello"))
		})
		require.ErrorIs(t, challenges("dia"), lobby.ErrTellsFull)
		synctest.Wait()
		require.Empty(t, ana.Challenges())
		made, err := c.store.Events(ctx, challenge.Kind, 0)
		require.NoError(t, err)
		require.Len(t, made, 2, "one that could not be told leaves no trace")
	})
}

// The name of a challenge's table is checked like that of any table, and a personal challenge calls no teams.
func TestTheTableOfAChallenge(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, _, ben, _ := rivals(t, c)
		at := func() time.Time { return time.Now().Add(10 * time.Minute) }
		cfg := partners(t)
		cfg.Access, cfg.Teams = table.AccessTeams, [2]table.TeamID{ana.Player().Team, ben.Player().Team}
		require.ErrorIs(t, errOf(ana.ChallengeAt(ctx, cfg, 0, "ben", at())), challenge.ErrTeams)
		cfg = duel()
		cfg.House, cfg.Guide, cfg.Event = true, true, table.Event{ID: 1, Sealed: true}
		cfg.Name = "red \x1b[31m \u202e table"
		require.NoError(t, errOf(ana.ChallengeAt(ctx, cfg, 0, "ben", at())))
		made := ana.Challenges()[0].Config.Table
		cfg.Guide = false
		usual, err := ana.NewTable(ctx, cfg)
		require.NoError(t, err)
		require.Equal(t, usual.Summary().Config.Name, made.Name)
		require.Zero(t, usual.Summary().Config.Event)
		require.NotEqual(t, cfg.Name, made.Name)
		require.Equal(t, usual.Summary().Config.Game(), made.Game())
		require.False(t, made.House || made.Guide)
		require.Zero(t, made.Event)
	})
}

// Only the two sides read that a challenge was called off, and they read once whom the club is waiting for.
func TestAChallengeIsPersonal(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		for _, comes := range []bool{true, false} {
			require.NoError(t, errOf(ana.ChallengeAt(ctx, duel(), 0, "ben", time.Now().Add(10*time.Minute))))
			if comes {
				require.NoError(t, ben.EndChallenge(ctx, ben.Challenges()[0].ID))
			} else {
				ben.Close(table.Left)
				time.Sleep(30 * time.Minute)
			}
			synctest.Wait()
			off, err := cem.CalledOff(ctx)
			require.NoError(t, err)
			require.Empty(t, off)
		}
		waits := 0
		for _, line := range heard(ana) {
			if strings.Contains(line, "waiting for ben") {
				waits++
			}
		}
		require.Equal(t, 1, waits)
		require.Equal(t, "ana against ben is off: ben did not come.", latest(ana))
	})
}

// A start of the server says once more whom the club is waiting for, not twice.
func TestAStartSaysOnceWhomAChallengeWaitsFor(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		require.NoError(t, errOf(ana.ChallengeAt(ctx, duel(), 0, "ben", time.Now().Add(10*time.Minute))))
		ben.Close(table.Left)
		time.Sleep(10*time.Minute + time.Second) // between two looks at who is here
		ana.Close(table.Left)
		c.restart()
		synctest.Wait()
		ana = c.back("ana")
		synctest.Wait()
		said := fmt.Sprint(heard(ana))
		require.Equal(t, 1, strings.Count(said, "waiting for ana and ben until"), said)
	})
}

// A team's challenge belongs to its current captain.
func TestATeamsChallengeIsItsCaptains(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ada, ben, bob := rivals(t, c)
		plan := func(v *lobby.Visit) event.ID {
			t.Helper()
			require.NoError(t, errOf(v.ChallengeAt(ctx, partners(t), ben.Player().Team, "", time.Now().Add(10*time.Minute))))
			return v.Challenges()[0].ID
		}
		id := plan(ana)
		require.ErrorIs(t, bob.EndChallenge(ctx, id), lobby.ErrCaptain)
		require.NoError(t, ben.HandOver(ctx, "bob"))
		require.ErrorIs(t, ben.EndChallenge(ctx, id), lobby.ErrCaptain)
		require.NoError(t, bob.EndChallenge(ctx, id))
		synctest.Wait()
		require.Equal(t, "[AA] against [BB] is off: bob declines.", latest(ana))

		id = plan(ana)
		require.NoError(t, ana.HandOver(ctx, "ada"))
		require.NoError(t, ana.LeaveTeam(ctx))
		require.Empty(t, ana.Challenges(), "who has left")
		require.ErrorIs(t, ana.EndChallenge(ctx, id), challenge.ErrNone)
		require.NoError(t, ada.EndChallenge(ctx, id))
		synctest.Wait()
		require.Equal(t, "[AA] against [BB] is off: it was called off.", latest(bob))
		require.NotContains(t, latest(ana), "called off", "who is no captain any more")

		id = plan(ada)
		require.NoError(t, bob.HandOver(ctx, "ben"))
		require.NoError(t, ada.EndChallenge(ctx, id))
		synctest.Wait()
		require.Equal(t, "[AA] against [BB] is off: it was called off.", latest(ben), "the captain of today")
		require.NotContains(t, latest(bob), "called off")
	})
}

// everybody is here.
type everybody struct{ event.Facts }

func (everybody) Here(table.PlayerID) bool { return true }

// If both came and the table could not be made, nobody is said to be missing.
func TestAChallengeWithoutATable(t *testing.T) {
	at := time.Date(2026, 11, 27, 20, 0, 0, 0, time.UTC)
	cfg := challenge.Config{Table: duel(), Sides: [2]table.Player{{ID: 1, Name: "ana"}, {ID: 2, Name: "ben"}}}
	rules, err := challenge.New(event.Make(challenge.Kind, cfg, at))
	require.NoError(t, err)
	apply := func(entries []event.Entry, err error) {
		t.Helper()
		require.NoError(t, err)
		require.Len(t, entries, 1)
		require.NoError(t, rules.Apply(entries[0]))
	}
	apply(rules.(event.Asker).Ask(t.Context(), at, everybody{}))
	apply(rules.Due(at.Add(event.Kept)), nil)
	require.Equal(t, "the table could not be opened", rules.View(nil).(*challenge.View).Why)
}

// TestChallengesOutliveAFault: a disk that fails for a second as the table is made, or then, costs no
// challenge.
func TestChallengesOutliveAFault(t *testing.T) {
	for name, is := range map[string]func(c *club, ana *lobby.Visit) bool{
		"the table is to be made":      func(_ *club, ana *lobby.Visit) bool { return ana.Challenges()[0].Called != nil },
		"the table has just been made": func(c *club, _ *lobby.Visit) bool { return c.Stats().Tables > 0 },
	} {
		t.Run(name, inClub(func(t *testing.T, c *club) {
			ana, ben := c.come("ana"), c.come("ben")
			require.NoError(t, errOf(ana.ChallengeAt(ctx, duel(), 0, "ben", time.Now().Add(30*time.Minute))))
			time.Sleep(30*time.Minute - time.Millisecond)
			c.failOnce(func() bool { return is(c, ana) })
			wait(20 * time.Second)
			require.Equal(t, 1, c.Stats().Tables)
			wait(20 * time.Minute)
			require.NotContains(t, fmt.Sprint(heard(ben)), "could not be opened")
		}))
	}
}

// untold is a store that keeps no messages for members who are away.
type untold struct{ lobby.Talk }

func (untold) KeepTell(context.Context, table.PlayerID, lobby.Line, int, int) (bool, error) {
	return false, table.ErrUnavailable
}

// A challenge that the other side could not be told of does not stay, and nobody hears that it is off.
func TestAChallengeThatNobodyIsToldOf(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.come("ben")
		c.deps = func(d *lobby.Deps) { d.Stores.Talk = untold{d.Stores.Talk} }
		c.restart()
		ana := c.come("ana")
		require.Error(t, errOf(ana.ChallengeAt(ctx, duel(), 0, "ben", time.Now().Add(time.Hour))))
		synctest.Wait()
		require.Empty(t, ana.Challenges())
		wait(2 * time.Hour)
		require.Empty(t, heard(ana))
		require.Zero(t, c.Stats().Tables)
	})
}

// Players who were there at the time, and whom a restart disconnects before they are invited, are invited when they
// are back.
func TestARestartBeforeTheInvitation(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana")
		c.come("ben")
		require.NoError(t, errOf(ana.ChallengeAt(ctx, duel(), 0, "ben", time.Now().Add(30*time.Minute))))
		time.Sleep(30*time.Minute - time.Millisecond)
		c.failOnce(func() bool { return ana.Challenges()[0].Called != nil })
		time.Sleep(500 * time.Millisecond)
		c.stop()
		time.Sleep(time.Second)
		c.store.Slow(0)
		c.start()
		ana = c.back("ana")
		wait(2 * time.Minute)
		require.Zero(t, c.Stats().Tables, "ben is reconnecting")
		ben := c.back("ben")
		wait(10 * time.Second)
		for _, v := range []*lobby.Visit{ana, ben} {
			require.Regexp(t, `^It is time for ana against ben, at table \d+: `, latest(v))
		}
		require.Empty(t, ana.Challenges())
	})
}

// A challenge that may not be made is refused, and one whose table the club has no room for is off, with the reason.
func TestAChallengeInAFullClub(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.cfg.MaxTables = 1
		c.restart()
		ana, ada, ben, _ := rivals(t, c)
		cem, in10 := c.come("cem"), time.Now().Add(10*time.Minute)
		for want, of := range map[error]struct {
			by   *lobby.Visit
			team table.TeamID
		}{
			lobby.ErrInTeam: {ana, ana.Player().Team}, lobby.ErrNoTeam: {ana, 77}, lobby.ErrChallenger: {ada, ben.Player().Team},
			lobby.ErrMembersOnly: {c.guest("192.0.2.1"), ana.Player().Team},
		} {
			require.ErrorIs(t, errOf(of.by.ChallengeAt(ctx, partners(t), of.team, "", in10)), want)
		}
		require.NoError(t, errOf(ana.ChallengeAt(ctx, duel(), 0, "ben", in10)))
		require.NoError(t, errOf(cem.ChallengeAt(ctx, duel(), 0, "ada", in10.Add(time.Second))))
		wait(11 * time.Minute)
		require.Contains(t, latest(ana), "It is time for ana against ben")
		for _, v := range []*lobby.Visit{cem, ada} {
			require.Equal(t, "cem against ada is off: there was no room for a table.", latest(v))
		}
	})
}

// The club's messages to a member who is away wait for them, once.
func TestAWordOfTheClubWaits(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		people := c.comeAll("ana", "ben")
		team, err := people[0].CreateTeam(ctx, "AA team", "AA")
		require.NoError(t, err)
		require.NoError(t, people[0].Invite(ctx, "ben"))
		require.NoError(t, errOf(people[0].ChallengeAt(ctx, duel(), 0, "ben", time.Now().Add(24*time.Hour))))
		people[0].Close(table.Left)
		synctest.Wait()
		require.NoError(t, people[1].Accept(ctx, team.ID))
		require.NoError(t, people[1].EndChallenge(ctx, people[1].Challenges()[0].ID))
		synctest.Wait()
		c.restart()

		time.Sleep(time.Hour)
		ana := c.back("ana")
		synctest.Wait()
		said := fmt.Sprint(heard(ana))
		require.Regexp(t, `ben has joined your team\. \(20\d\d-`, said)
		require.Regexp(t, `ana against ben is off: ben declines\. \(20\d\d-`, said)
		require.ErrorIs(t, errOf(ana.Say(ctx, "/r hello")), lobby.ErrNoReply, "the club reads nothing")
		ana.Active() // a key was pressed: they have read it
		ana.Close(table.Left)
		synctest.Wait()
		again := c.back("ana")
		synctest.Wait()
		require.NotContains(t, fmt.Sprint(heard(again)), "declines")
	})
}
