package lobby_test

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
)

// A player at a table invites people, each of whom answers at once, later by the table's number or code, or
// not at all. The inviter learns about each of them.
func TestInviteToATable(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		require.ErrorIs(t, errOf(ana.Say(ctx, "/invite ben")), lobby.ErrInviteWhere, "in the lobby")
		public, private := sits(t, ana), sits(t, ana, func(c *table.Config) { c.Access = table.AccessCode })
		require.ErrorIs(t, errOf(ben.SayAt(ctx, public.ID(), "/invite cem")), lobby.ErrInviteWhere, "at somebody else's table")
		require.ErrorIs(t, errOf(ana.SayAt(ctx, public.ID(), "/invite dan")), lobby.ErrNoMember)
		require.ErrorIs(t, errOf(ana.SayAt(ctx, public.ID(), "/invite a b c d")), lobby.ErrInviteMany)
		for _, tab := range []*table.Table{public, private} {
			time.Sleep(time.Minute)
			reply, err := ana.SayAt(ctx, tab.ID(), "/invite B ana dan")
			require.NoError(t, err)
			require.Equal(t, "ben is invited. ana: "+lobby.ErrYourself.Error()+" dan: "+lobby.ErrNoMember.Error(), reply)
			said := heard(ben)
			require.Equal(t, ben.Prompt().Note(), said[len(said)-1], "it can be read again")
			at, err := ben.Answer(ctx, ben.Prompt(), true)
			require.NoError(t, err)
			require.Equal(t, tab.ID(), at)
			seat := tab.Summary().SeatOf(ben.Player().ID)
			require.True(t, tab.Summary().Seats[seat-1].Ready)
			require.Nil(t, ben.Prompt())
		}
		full := sits(t, ana)
		require.NoError(t, ben.Do(ctx, full.ID(), table.Sit{}))
		require.ErrorIs(t, errOf(ana.SayAt(ctx, full.ID(), "/invite cem")), lobby.ErrInviteFull)
		say(t, cem, "/ignore ana")
		time.Sleep(time.Minute)
		require.NoError(t, ben.Do(ctx, full.ID(), table.Stand{}))
		require.ErrorIs(t, errOf(ana.SayAt(ctx, full.ID(), "/invite cem")), lobby.ErrNotWanted)
	})
}

// An invitation says what is played, and if the game will not count, why.
func TestAnInvitationSaysThatTheGameWillNotCount(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		for rule, want := range map[string]string{
			"classic":                    ": classic to 200",
			"classic target=50 teams=on": ": classic to 50, partners; casual: a lower target than usual",
			"classic hand=5":             ": classic to 200, hand=5; casual: house rules",
		} {
			time.Sleep(time.Minute)
			tab := sits(t, ana, func(c *table.Config) { c.Seats, c.Rules, c.RuleText = 4, ruleset(t, rule), rule })
			require.NoError(t, errOf(ana.SayAt(t.Context(), tab.ID(), "/invite ben")))
			_, what, _ := strings.Cut(ben.Prompt().Text, strconv.FormatInt(int64(tab.ID()), 10))
			require.Equal(t, want, what)
		}
	})
}

// Challengers are told who was invited.
func TestAChallengeSaysWhoIsInvited(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		require.NoError(t, errOf(ana.Challenge(t.Context(), table.DefaultConfig(), 0, "ben")))
		require.Equal(t, "Invited: ben.", latest(ana))
		require.Contains(t, ben.Prompt().Text, "ana challenges you at table ")
	})
}

// A prompt ends with its answer, after a while, or when there is no seat; after that, answers do nothing.
func TestAPromptEnds(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		require.ErrorIs(t, errOf(ben.Answer(ctx, ben.Prompt(), true)), lobby.ErrNotInvited)
		tab := sits(t, ana)
		invited := func() *lobby.Prompt {
			time.Sleep(time.Minute)
			require.NoError(t, errOf(ana.SayAt(ctx, tab.ID(), "/invite ben")))
			require.NotNil(t, ben.Prompt())
			return ben.Prompt()
		}
		gone := func(asked *lobby.Prompt) {
			require.Nil(t, ben.Prompt())
			require.ErrorIs(t, errOf(ben.Answer(ctx, asked, true)), lobby.ErrNotInvited)
		}
		asked := invited()
		require.NoError(t, errOf(ben.Answer(ctx, asked, false)))
		gone(asked)
		said := heard(ana)
		require.Contains(t, said[len(said)-1], "ben declines")

		asked = invited()
		require.NotEqual(t, asked, invited())
		require.ErrorIs(t, errOf(ben.Answer(ctx, asked, true)), lobby.ErrNotInvited, "the older one of two")

		asked = invited()
		time.Sleep(time.Hour)
		gone(asked)

		asked = invited()
		require.NoError(t, ben.Do(ctx, tab.ID(), table.Sit{}))
		gone(asked)
		require.NoError(t, ben.Do(ctx, tab.ID(), table.Stand{}))

		asked = invited()
		require.NoError(t, cem.Do(ctx, tab.ID(), table.Sit{}))
		gone(asked)
	})
}

// A person who reconnects is prompted again, or reads the question if it is too old to be answered.
func TestADeadLineLosesNoPrompt(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, b := c.come("ana"), c.member("ben")
		ben := c.enter(b)
		tab := sits(t, ana, func(c *table.Config) { c.Access = table.AccessCode })
		for _, away := range []time.Duration{time.Second, time.Hour} {
			time.Sleep(time.Minute)
			require.NoError(t, errOf(ana.SayAt(ctx, tab.ID(), "/invite ben")))
			asked := ben.Prompt()
			ben.Close(table.Disconnected)
			time.Sleep(away)
			ben = c.enter(b)
			synctest.Wait()
			require.Equal(t, []string{asked.Note()}, stampless(heard(ben)))
			if away > lobby.PromptLasts {
				require.Nil(t, ben.Prompt())
				continue
			}
			require.Equal(t, asked, ben.Prompt())
			at, err := ben.Answer(ctx, asked, true)
			require.NoError(t, err)
			require.Equal(t, tab.ID(), at)
			require.NoError(t, ben.Do(ctx, at, table.Stand{}))
			require.Nil(t, ben.Prompt())
			time.Sleep(time.Second)
			ben.Active()
		}
		require.NoError(t, errOf(ana.SayAt(ctx, tab.ID(), "/invite ben")))
		ben.Close(table.Left)
		ben = c.enter(b)
		synctest.Wait()
		require.Nil(t, ben.Prompt(), "who left did not want to answer")
		require.Empty(t, heard(ben))
	})
}

// A team table calls the team of its maker, and a team's invitation is answered like one to a table.
func TestATeamIsCalled(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		require.NoError(t, errOf(ana.CreateTeam(ctx, "Night Owls", "OWL")))
		require.NoError(t, ana.Invite(ctx, "ben"))
		time.Sleep(time.Second) // the invitation is read from disk
		require.Contains(t, ben.Prompt().Text, "Night Owls")
		require.NoError(t, errOf(ben.Answer(ctx, ben.Prompt(), true)))
		require.Equal(t, "OWL", ben.Player().Tag)
		tab := sits(t, ana, func(c *table.Config) {
			c.Access, c.Seats, c.Rules, c.RuleText = table.AccessTeams, 4, rules.Block.Rules(), "block"
		})
		at, err := ben.Answer(ctx, ben.Prompt(), true)
		require.NoError(t, err)
		require.Equal(t, tab.ID(), at)
		require.Nil(t, cem.Prompt())
		require.Nil(t, ana.Prompt())
	})
}

// A word that is a member's name is not taken for the beginning of another name, and a word without letters
// for no name. A person who was ignored since can no longer prompt.
func TestAPromptIsForWhoIsMeant(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, bell, bella := c.come("ana"), c.come("bell"), c.come("bella")
		bell.Close(table.Left)
		tab := sits(t, ana)
		reply, err := ana.SayAt(ctx, tab.ID(), "/invite bell")
		require.NoError(t, err)
		require.Equal(t, "bell is away and will read it on their next visit.", reply)
		bell = c.back("bell")
		time.Sleep(time.Second)
		require.Contains(t, bell.Notes()[0].Text, "join me at table 1: press 1, j, type 1; in line mode, join 1")
		bell.Close(table.Left)
		require.ErrorIs(t, errOf(ana.SayAt(ctx, tab.ID(), "/invite -")), lobby.ErrNoMember)
		require.Nil(t, bella.Prompt())
		require.NoError(t, errOf(ana.SayAt(ctx, tab.ID(), "/invite bella")))
		require.NotNil(t, bella.Prompt())
		say(t, bella, "/ignore ana")
		require.Nil(t, bella.Prompt())
	})
}

// TestADeclinedTeamIsTold: a captain reads who has declined an invitation to the team, as with one to a
// table. People who have since ignored the captain are not prompted any more.
func TestADeclinedTeamIsTold(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		require.NoError(t, errOf(ana.CreateTeam(ctx, "The Bones", "BNS")))
		for _, v := range []*lobby.Visit{ben, cem} {
			require.NoError(t, ana.Invite(ctx, v.Player().Name))
			synctest.Wait()
			require.NotNil(t, v.Prompt())
		}
		require.NoError(t, errOf(ben.Answer(ctx, ben.Prompt(), false)))
		require.Equal(t, "ben declines your invitation to your team.", latest(ana))
		say(t, cem, "/ignore ana")
		require.Nil(t, cem.Prompt())
	})
}
