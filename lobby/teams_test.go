package lobby_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

func TestTeams(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		b := c.member("ben")
		ana, ben, cem := c.come("ana"), c.enter(b), c.come("cem")

		_, err := ana.CreateTeam(ctx, "The\x07 Bones", "b!")
		require.Equal(t, text.ErrTag, err)
		bones, err := ana.CreateTeam(ctx, "The Bones", "bon")
		require.NoError(t, err)
		require.Equal(t, "BON", ana.Player().Tag)
		require.ErrorIs(t, errOf(ana.CreateTeam(ctx, "More Bones", "MOR")), lobby.ErrHasTeam)
		require.ErrorIs(t, errOf(cem.CreateTeam(ctx, "the b0nes", "XXX")), lobby.ErrTeamTaken)
		require.Empty(t, news(seen(cem)), "to found a team is no news")
		require.Equal(t, "BON", seen(cem).People[0].Player.Tag)

		require.ErrorIs(t, ben.Invite(ctx, "cem"), lobby.ErrNoTeam)
		require.ErrorIs(t, ana.Invite(ctx, "nobody"), lobby.ErrNoMember)
		require.ErrorIs(t, ana.Invite(ctx, "ana"), lobby.ErrInTeam)
		require.ErrorIs(t, ben.Accept(ctx, bones.ID), lobby.ErrNotInvited)
		require.NoError(t, ana.Invite(ctx, "Ben"))
		require.Contains(t, ben.Notes()[0].Text, "ana invites you to the team The Bones [BON]")
		list, err := ben.Invitations(ctx)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.NoError(t, ben.Accept(ctx, bones.ID))
		require.Equal(t, bones.ID, ben.Player().Team)
		require.Equal(t, "ben has joined your team.", ana.Notes()[0].Text)
		require.ErrorIs(t, ben.Invite(ctx, "cem"), lobby.ErrCaptain)
		require.NoError(t, ana.Invite(ctx, "cem"))
		require.NoError(t, cem.Decline(ctx, bones.ID))
		require.NoError(t, cem.Decline(ctx, bones.ID), "twice is as good as once")
		require.ErrorIs(t, cem.Accept(ctx, bones.ID), lobby.ErrNotInvited)

		one, err := ana.Team(ctx, bones.ID)
		require.NoError(t, err)
		require.Len(t, one.Members, 2)
		all, err := cem.Teams(ctx, "")
		require.NoError(t, err)
		require.Len(t, all, 1)

		require.ErrorIs(t, ana.LeaveTeam(ctx), lobby.ErrHandOver)
		require.ErrorIs(t, ana.HandOver(ctx, "cem"), lobby.ErrNoMember)
		require.NoError(t, ana.HandOver(ctx, "ben"))
		require.ErrorIs(t, ana.HandOver(ctx, "ana"), lobby.ErrCaptain)
		require.NoError(t, ana.LeaveTeam(ctx))
		require.Zero(t, ana.Player().Team)
		require.Empty(t, ana.Account().Tag)
		require.NoError(t, ben.LeaveTeam(ctx))
		all, err = cem.Teams(ctx, "")
		require.NoError(t, err)
		require.Empty(t, all)
		require.ErrorIs(t, errOf(cem.Team(ctx, bones.ID)), lobby.ErrNoTeam)
		require.ErrorIs(t, ben.LeaveTeam(ctx), lobby.ErrNoTeam)
		require.Empty(t, c.enter(b).Player().Tag)
	})
}

// A team's oldest invitation goes for the one that is too many, also in the memory of whoever it was for.
func TestTheOldestInvitationGoes(t *testing.T) {
	const kept = 50
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		unite(t, "The Bones", "BON", ana)
		require.NoError(t, ana.Invite(ctx, "ben"))
		for n := range kept {
			time.Sleep(time.Minute)
			require.Len(t, ben.Invited(), 1)
			name := fmt.Sprintf("kit%c%c", "abdefhkptx"[n/10], "abdefhkptx"[n%10])
			c.member(name)
			require.NoError(t, ana.Invite(ctx, name))
		}
		synctest.Wait()
		require.Empty(t, ben.Invited())
	})
}

// A member invited by a team sees that until they have answered, even after entering again.
func TestInvitationsThatWait(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		b := c.member("ben")
		ana, ben, cem := c.come("ana"), c.enter(b), c.come("cem")
		bones, err := ana.CreateTeam(ctx, "The Bones", "BON")
		require.NoError(t, err)
		owls, err := cem.CreateTeam(ctx, "Owls", "OWL")
		require.NoError(t, err)
		waits := func(v *lobby.Visit) (tags []string) {
			synctest.Wait()
			for _, i := range v.Invited() {
				tags = append(tags, i.Tag)
			}
			return tags
		}
		require.Empty(t, waits(ben))
		require.NoError(t, ana.Invite(ctx, "ben"))
		require.Equal(t, []string{"BON"}, waits(ben))
		ben.Close(table.Left)
		time.Sleep(time.Second)
		require.NoError(t, cem.Invite(ctx, "ben"))
		ben = c.enter(b)
		require.Equal(t, []string{"OWL", "BON"}, waits(ben))
		require.Len(t, ben.Updates(), 1, "the screen is updated")
		require.NoError(t, cem.LeaveTeam(ctx))
		require.Equal(t, []string{"BON"}, waits(ben), "the team has ended")
		require.NoError(t, ben.Decline(ctx, owls.ID))
		require.NoError(t, ben.Accept(ctx, bones.ID))
		require.Empty(t, waits(ben))
		require.NoError(t, ana.Invite(ctx, "cem"))
		require.NoError(t, cem.Decline(ctx, bones.ID))
		require.Empty(t, waits(cem))
		require.NoError(t, ana.Invite(ctx, "cem"))
		require.Equal(t, []string{"BON"}, waits(cem))
		require.NoError(t, c.store.Decline(ctx, bones.ID, cem.Player().ID)) // as for the oldest of too many
		require.ErrorIs(t, cem.Accept(ctx, bones.ID), lobby.ErrNotInvited)
		require.Empty(t, waits(cem))
	})
}

// Messages from before a session began are not among its notes.
func TestNotesAreOfOneSession(t *testing.T) {
	c := open(t)
	b := c.member("ben")
	op, ben := c.come("olga", operator), c.enter(b)
	mute := func() { _, err := op.Say(ctx, "/mute ben key"); require.NoError(t, err) }
	for range 18 {
		mute()
	}
	again := c.enter(b)
	require.Empty(t, again.Notes())
	require.Len(t, ben.Notes(), 18)
	mute()
	require.Len(t, again.Notes(), 1)
	require.Len(t, ben.Notes(), 19)
}

func TestTeamsAreFull(t *testing.T) {
	c := open(t, func(cfg *lobby.Config) { cfg.TeamSize = 2 })
	ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
	team, err := ana.CreateTeam(ctx, "The Bones", "BON")
	require.NoError(t, err)
	require.NoError(t, ana.Invite(ctx, "ben"))
	require.NoError(t, ana.Invite(ctx, "cem"))
	require.NoError(t, ben.Accept(ctx, team.ID))
	require.ErrorIs(t, cem.Accept(ctx, team.ID), lobby.ErrTeamFull)
	require.ErrorIs(t, ana.Invite(ctx, "cem"), lobby.ErrTeamFull)
}

// No matter who is faster, a team never exceeds its size, and the slower member reads why.
func TestTeamsInRaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(cfg *lobby.Config) { cfg.TeamSize = 2 })
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		team, err := ana.CreateTeam(ctx, "The Bones", "BON")
		require.NoError(t, err)
		require.NoError(t, ana.Invite(ctx, "ben"))
		require.NoError(t, ana.Invite(ctx, "cem"))
		// meanwhile has the first wait for its disk until the second is done, if that does not wait for the first.
		meanwhile := func(first, second func() error) (error, error) {
			c.store.Slow(time.Second)
			one, two := make(chan error, 1), make(chan error, 1)
			go func() { one <- first() }()
			synctest.Wait()
			c.store.Slow(0)
			go func() { two <- second() }()
			return <-one, <-two
		}
		accept := func(v *lobby.Visit) func() error { return func() error { return v.Accept(ctx, team.ID) } }

		one, two := meanwhile(accept(ben), accept(cem))
		require.NoError(t, one)
		require.ErrorIs(t, two, lobby.ErrTeamFull)
		now, err := ana.Team(ctx, team.ID)
		require.NoError(t, err)
		require.Len(t, now.Members, 2)

		handOver := func() error { return ana.HandOver(ctx, "ben") }
		one, two = meanwhile(handOver, handOver)
		require.NoError(t, one)
		require.ErrorIs(t, two, lobby.ErrCaptain)
		require.NoError(t, ben.HandOver(ctx, "ana"))

		leave := func(v *lobby.Visit) func() error { return func() error { return v.LeaveTeam(ctx) } }
		one, two = meanwhile(handOver, leave(ben))
		require.NoError(t, one)
		require.ErrorIs(t, two, lobby.ErrHandOver)
		require.NoError(t, ben.HandOver(ctx, "ana"))
		require.NoError(t, ben.LeaveTeam(ctx))
		one, two = meanwhile(accept(cem), func() error {
			return errOf(cem.CreateTeam(ctx, "Others", "OTH"))
		})
		require.NoError(t, one)
		require.ErrorIs(t, two, lobby.ErrHasTeam)
		one, two = meanwhile(leave(cem), leave(cem))
		require.NoError(t, one)
		require.ErrorIs(t, two, lobby.ErrNoTeam)
		one, two = meanwhile(func() error { return ana.Invite(ctx, "cem") }, leave(ana))
		require.NoError(t, one)
		require.NoError(t, two)
		synctest.Wait()
		require.Empty(t, cem.Invited())
	})
}

// Two teams sit at their own sides; a stranger is refused.
func TestTeamTable(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		var visits []*lobby.Visit
		var teams [2]table.TeamID
		for i, pair := range [][2]string{{"ana", "ben"}, {"cem", "dia"}} {
			one, two := c.come(pair[0]), c.come(pair[1])
			team, err := one.CreateTeam(ctx, "Team "+pair[0], "T"+pair[0])
			require.NoError(t, err)
			require.NoError(t, one.Invite(ctx, pair[1]))
			require.NoError(t, two.Accept(ctx, team.ID))
			teams[i] = team.ID
			visits = append(visits, one, two)
		}
		eve := c.come("eve")
		tab := sits(t, visits[0], func(cfg *table.Config) {
			cfg.Access, cfg.Seats, cfg.Teams = table.AccessTeams, 4, teams
			cfg.Rules, cfg.RuleText = rules.Block.Rules(), "block"
		})
		require.ErrorIs(t, eve.Do(ctx, tab.ID(), table.Sit{}), table.ErrTeam)
		begin(t, tab, visits...)
		var got []string
		for _, s := range tab.Summary().Seats {
			got = append(got, s.Player.Tag)
		}
		require.Equal(t, []string{"TANA", "TCEM", "TANA", "TCEM"}, got)
		require.True(t, tab.Summary().Rated)
		do(t, visits[3], tab.ID(), table.Resign{})
		do(t, visits[2], tab.ID(), table.Resign{}) // her partner agrees
		s := seen(eve)
		require.Equal(t, []string{"team: Team cem [TCEM] has played its first game", "team: Team ana [TANA] has played its first game"},
			news(s)[:2])
		require.Contains(t, news(s)[2], "result: [TANA] ana + ben beat [TCEM] cem + dia at block, ")
		require.Contains(t, news(s)[2], "given up")
		require.Equal(t, tab.Summary().Game, s.News[0].Game)

		require.ErrorIs(t, visits[1].LeaveTeam(ctx), lobby.ErrTeamSeat, "or a rematch would be played for a team without them")
		do(t, visits[1], tab.ID(), table.Stand{})
		require.NoError(t, visits[1].LeaveTeam(ctx))
	})
}

// Answers of the stores are kept until results or teams change.
func TestAnswersAreKept(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		asked := 0
		c.store.Table = func(q lobby.StandingsQuery) []lobby.Standing {
			if q.Limit == 0 { // somebody's own row, for the news
				return nil
			}
			asked++
			return []lobby.Standing{{Rank: asked}}
		}
		ana, ben := c.come("ana"), c.come("ben")
		rank := func(kind lobby.Kind) int {
			list, err := ana.Standings(ctx, lobby.StandingsQuery{Kind: kind, Limit: 10})
			require.NoError(t, err)
			return list[0].Rank
		}
		require.Equal(t, 1, rank(lobby.KindPlayer))
		require.Equal(t, 1, rank(lobby.KindPlayer))
		require.Equal(t, 2, rank(lobby.KindTeam))
		require.Equal(t, 1, rank(lobby.KindPlayer))
		tab := sits(t, ana, func(cfg *table.Config) { cfg.Absence = table.AbsenceForfeit })
		begin(t, tab, ana, ben)
		require.Equal(t, 1, rank(lobby.KindPlayer))
		do(t, ana, tab.ID(), table.Resign{})
		require.Equal(t, 3, rank(lobby.KindPlayer), "after a result")
		list, err := ana.Games(ctx, lobby.GamesQuery{Mine: ben.Player().ID, Limit: 10})
		require.NoError(t, err)
		require.Len(t, list, 1)
		_, lines, err := ana.Record(ctx, list[0].ID)
		require.NoError(t, err)
		require.NotEmpty(t, lines)
		_, _, err = ana.Record(ctx, 99)
		require.ErrorIs(t, err, lobby.ErrNoGame)
		months, err := ana.Months(ctx)
		require.NoError(t, err)
		require.Equal(t, []string{time.Now().UTC().Format("2006-01")}, months)
		require.ErrorIs(t, errOf(ana.HeadToHead(ctx, 1, 2)), lobby.ErrNoTeam)
	})
}

// TestNobodySitsForATeamThatTheyLeave: no game begins for a disbanded team.
func TestNobodySitsForATeamThatTheyLeave(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana")
		team, err := ana.CreateTeam(ctx, "Owls", "OWL")
		require.NoError(t, err)
		tab, err := ana.NewTable(ctx, func() table.Config {
			cfg := table.DefaultConfig()
			cfg.Rules, cfg.RuleText, cfg.Seats, cfg.Access = ruleset(t, "block"), "block", 4, table.AccessTeams
			return cfg
		}())
		require.NoError(t, err)
		do(t, ana, tab.ID(), table.Stand{})
		synctest.Wait()
		c.store.Slow(100 * time.Millisecond)
		left := make(chan error, 1)
		go func() { left <- ana.LeaveTeam(ctx) }()
		time.Sleep(50 * time.Millisecond)
		err = ana.Do(ctx, tab.ID(), table.Sit{})
		require.NoError(t, <-left)
		synctest.Wait()
		_, none := c.store.Team(ctx, team.ID)
		require.ErrorIs(t, none, lobby.ErrNotFound)
		require.ErrorIs(t, err, lobby.ErrLeaving)
	})
}

// Any member can take over a team whose captain has been away for 60 days; the captain is told.
func TestACaptainWhoStaysAwayIsFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64
		c := openAhead(t, &ahead)
		people := c.comeAll("ana", "ben")
		team, err := people[0].CreateTeam(ctx, "Owls", "OWL")
		require.NoError(t, err)
		require.NoError(t, people[0].Invite(ctx, "ben"))
		require.NoError(t, people[1].Accept(ctx, team.ID))
		owls := func(v *lobby.Visit) *lobby.Team {
			own, err := v.Team(ctx, team.ID)
			require.NoError(t, err)
			return own
		}
		day := func(n int) { time.Sleep(time.Duration(n) * 24 * time.Hour) }

		day(61) // ana stays for long, so that it counts when she leaves
		require.False(t, people[1].MayTakeOver(owls(people[1])))
		require.ErrorIs(t, people[1].HandOver(ctx, "ben"), lobby.ErrCaptain)
		people[0].Close(table.Left)
		people[1].Close(table.Left)
		day(59)
		people[1] = c.back("ben")
		for _, by := range []int{0, 365} { // a clock that is a year ahead may be set right
			ahead.Store(int64(by) * int64(24*time.Hour))
			require.False(t, people[1].MayTakeOver(owls(people[1])))
			require.ErrorIs(t, people[1].HandOver(ctx, "ben"), lobby.ErrCaptain)
		}
		ahead.Store(0)
		day(2)
		cem := c.come("cem")
		require.False(t, cem.MayTakeOver(owls(cem)), "no member of the team")
		require.ErrorIs(t, people[1].HandOver(ctx, "cem"), lobby.ErrCaptain, "only for oneself")
		require.True(t, people[1].MayTakeOver(owls(people[1])))
		require.NoError(t, people[1].HandOver(ctx, "ben"))
		require.Equal(t, people[1].Player().ID, owls(people[1]).Captain)
		require.False(t, people[1].MayTakeOver(owls(people[1])))
		synctest.Wait()

		ana := c.back("ana")
		synctest.Wait()
		require.Contains(t, fmt.Sprint(heard(ana)), "ben is the captain of your team now.")
		require.ErrorIs(t, ana.HandOver(ctx, "ana"), lobby.ErrCaptain)
	})
}
