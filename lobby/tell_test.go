package lobby_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

func heard(v *lobby.Visit) (list []string) {
	for _, n := range v.Notes() {
		list = append(list, n.Text)
	}
	return list
}

// A message to one person is read by nobody else, answered with /r, refused to the muted and the ignored, and
// kept for people who are away.
func TestTell(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		b := c.member("ben")
		op, eve, fay, ana, ben, cem := c.come("olga", operator), c.come("eve"), c.come("fay"), c.come("ana"), c.enter(b), c.come("cem")
		require.Equal(t, "You tell ben: meet me at two", say(t, ana, "/tell BEN meet me at two"))
		require.Equal(t, []string{"ana tells you: meet me at two"}, heard(ben))
		require.Empty(t, heard(cem))
		require.Empty(t, seen(cem).Chat)
		require.Equal(t, "Nobody has sent you a message yet.", say(t, cem, "/messages"))
		require.Regexp(t, `\n\d\d:\d\d ana tells you: meet me at two$`, say(t, ben, "/messages"))
		say(t, ben, "/r at three")
		require.Equal(t, []string{"ben tells you: at three"}, heard(ana))
		require.ErrorIs(t, errOf(cem.Say(ctx, "/r hello")), lobby.ErrNoReply)
		require.ErrorIs(t, errOf(ana.Say(ctx, "/tell ana hello")), lobby.ErrYourself)
		require.ErrorIs(t, errOf(ana.Say(ctx, "/tell nobody hello")), lobby.ErrNoMember, "nor a guest who is here")

		say(t, ben, "/ignore cem")
		require.ErrorIs(t, errOf(cem.Say(ctx, "/tell ben buy this")), lobby.ErrNotWanted)
		ben.Close(table.Left)
		synctest.Wait()
		require.ErrorIs(t, errOf(cem.Say(ctx, "/tell ben buy this")), lobby.ErrNotWanted, "away as well")
		say(t, op, "/mute ana key 1m")
		require.ErrorAs(t, errOf(ana.Say(ctx, "/tell ben but")), new(*lobby.SanctionError))
		time.Sleep(time.Minute)

		for i := range 5 {
			require.Equal(t, "ben is away and will read it on their next visit.", say(t, ana, fmt.Sprint("/tell ben line ", i)))
			time.Sleep(2 * time.Second)
		}
		require.ErrorIs(t, errOf(ana.Say(ctx, "/tell ben one more")), lobby.ErrTellsFull, "of one sender")
		for i := range 15 {
			v := c.come(fmt.Sprint("dia", i))
			_, err := v.Say(ctx, "/tell ben hello")
			if i < 5 {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, lobby.ErrTellsFull, "the rest of the room is for those who are members for longer")
			}
			v.Close(table.Left)
		}
		require.ErrorIs(t, errOf(op.Say(ctx, "/tell ben hello")), lobby.ErrTellsFull)
		time.Sleep(24 * time.Hour)
		for range 5 {
			say(t, eve, "/tell ben hello")
			say(t, fay, "/tell ben hello")
			time.Sleep(2 * time.Second)
		}
		require.ErrorIs(t, errOf(op.Say(ctx, "/tell ben hello")), lobby.ErrTellsFull)
		require.ErrorIs(t, errOf(c.guest("10.9.0.1").Say(ctx, "/tell ben hello")), lobby.ErrAway)

		time.Sleep(time.Hour)
		c.restart()
		ben = c.enter(b)
		synctest.Wait()
		require.Len(t, heard(ben), 20)
		require.Regexp(t, `^ana tells you \(2000-01-01 \d\d:\d\d UTC\): line 0$`, heard(ben)[0])
		ben.Close(table.Left)
		synctest.Wait()
		again := c.enter(b)
		synctest.Wait()
		require.Empty(t, heard(again), "read once")
	})
}

// However many people write to a person, they read a few lines; those of newcomers do not displace others'.
func TestNobodyIsFloodedWithMessages(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		friend, ben := c.come("ana"), c.come("ben")
		time.Sleep(25 * time.Hour)
		const seconds = 60
		told, refused := 0, 0
		for second := range seconds {
			for n := range 40 {
				v := c.guest(fmt.Sprintf("10.9.%d.1", n))
				switch _, err := v.Say(ctx, "/tell ben buy this"); err {
				case nil:
					told++
				default:
					require.ErrorIs(t, err, lobby.ErrManyTells)
					refused++
				}
				v.Close(table.Left)
			}
			if second%4 == 3 {
				say(t, friend, "/tell ben are you coming?")
			}
			time.Sleep(time.Second)
		}
		require.InDelta(t, 10+seconds/3, told, 2)
		require.Positive(t, refused)
		require.Contains(t, heard(ben), "ana tells you: are you coming?")
	})
}

// Messages for members who are away are counted by key, by address and by network.
func TestMessagesLeftAreCounted(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		for n := range 100 {
			c.member(fmt.Sprint("kit", n))
		}
		leaves := func(from string) (left int) {
			v := c.come(fmt.Sprint("eve", c.keys), at(from))
			defer v.Close(table.Left)
			for n := range 100 {
				switch _, err := v.Say(ctx, fmt.Sprintf("/tell kit%d buy this", n)); err {
				case nil:
					left++
				default:
					require.ErrorIs(t, err, lobby.ErrManyTellsLeft)
				}
				time.Sleep(time.Second)
			}
			return left
		}
		require.InDelta(t, 11, leaves("192.0.2.1"), 1)
		require.InDelta(t, 11, leaves("192.0.2.1"), 4)
		require.Less(t, leaves("192.0.2.1"), 8, "an address")
	})
}

// What is told about a person: membership, team, rating history, latest games, and results against the asker.
func TestWhois(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		c.store.Table = func(lobby.StandingsQuery) []lobby.Standing {
			return []lobby.Standing{{ID: 99},
				{ID: int64(ben.Player().ID), Rank: 2, Rating: 1578, Games: 12, Won: 7, History: []int{1500, 1540, 1578}}}
		}
		require.NoError(t, errOf(ben.CreateTeam(ctx, "Night Owls", "OWL")))
		for winner := range 3 {
			start := table.Start{Rules: "classic", Seats: []table.Player{ana.Player(), ben.Player()}}
			end := table.Result{Ending: table.EndPlayed, Winner: 1 + winner%2, Scores: []int{200, 100}}
			c.store.AddGame(t, time.Now(), start, &end, "x")
		}
		whois := func(name string) string {
			p, err := ana.Profile(ctx, name)
			require.NoError(t, err)
			return strings.Join(p.Sentences(time.Now(), 5), "\n")
		}
		said := whois("BEN")
		for _, part := range []string{
			"ben is in the lobby, here for less than a minute.", "ben has been a member since 1 January 2000 and plays for Night Owls [OWL].",
			"Rating 1578, rank 2; 12 games, 7 won. Latest ratings: 1500, 1540, 1578.", "classic: ana, ben, won.", "classic: ana, ben, lost.",
			"Against each other: you won 2, ben won 1.",
		} {
			require.Contains(t, said, part)
		}
		g := c.guest("10.9.0.1")
		require.Contains(t, whois(g.Player().Name), "A guest; their games are not saved")
		require.ErrorIs(t, errOf(ana.Profile(ctx, "nobody")), lobby.ErrNoMember)
		time.Sleep(7 * 24 * time.Hour)
		require.Contains(t, whois("ben"), "ben is in the lobby, idle 7 days, here for 7 days.")
		ben.Close(table.Left)
		require.NotContains(t, whois("ben"), "in the lobby")
	})
}

// TestMessagesWaitForWhoListens: the session of a command or a program shows no notes, and takes no messages
// from sessions that do.
func TestMessagesWaitForWhoListens(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		b := c.member("ben")
		ana := c.come("ana")
		require.Contains(t, say(t, ana, "/tell ben one"), "is away")
		command, err := c.Enter(ctx, b, lobby.Origin{Key: b.Key, Net: "10.0.0.1"})
		require.NoError(t, err)
		synctest.Wait()
		require.Contains(t, say(t, ana, "/tell ben two"), "is away", "nobody reads at that session")
		require.Empty(t, heard(command))
		command.Close(table.Disconnected)
		synctest.Wait()
		c.restart()
		ben := c.enter(b)
		synctest.Wait()
		require.Equal(t, []string{"ana tells you: one", "ana tells you: two"}, stampless(heard(ben)))
	})
}

// TestADeadLineLosesNoMessage: messages told since the person's last key, on a connection that died or before
// the server stopped, wait for the next visit. Messages that they answered, or left after, do not.
func TestADeadLineLosesNoMessage(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, b := c.come("ana"), c.member("ben")
		ben := c.enter(b)
		tell := func(what string) {
			t.Helper()
			require.Equal(t, "You tell ben: "+what, say(t, ana, "/tell ben "+what))
			time.Sleep(time.Second)
		}
		again := func(how func(), want ...string) {
			t.Helper()
			how()
			synctest.Wait()
			ben = c.enter(b)
			synctest.Wait()
			require.Equal(t, want, stampless(heard(ben)))
		}
		lost := func() { ben.Close(table.Disconnected) }
		tell("one")
		ben.Active()
		time.Sleep(time.Second)
		tell("two")
		tell("three")
		again(lost, "ana tells you: two", "ana tells you: three")
		again(lost, "ana tells you: two", "ana tells you: three") // no key was pressed
		time.Sleep(time.Second)
		ben.Active()
		again(lost)
		tell("four")
		again(func() { ben.Close(table.Left) })
		tell("five")
		again(func() { c.restart() }, "ana tells you: five")
	})
}

// stampless are notes without their times.
func stampless(notes []string) (all []string) {
	for _, n := range notes {
		all = append(all, regexp.MustCompile(` \(2[^)]*\)`).ReplaceAllString(n, ""))
	}
	return all
}

// Messages that waited can all be read, even if the club says something else soon afterwards.
func TestMessagesThatWaitedAreNotDisplaced(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		b := c.member("ben")
		senders := c.comeAll("ana", "cem", "dia", "eve")
		time.Sleep(25 * time.Hour)
		for i := range 5 {
			for _, v := range senders {
				say(t, v, fmt.Sprint("/tell ben line ", i))
			}
			time.Sleep(2 * time.Second)
		}
		ben := c.enter(b)
		synctest.Wait()
		for range 5 {
			say(t, senders[0], "/tell ben welcome back")
			time.Sleep(2 * time.Second)
		}
		require.Contains(t, say(t, ben, "/messages"), "ana tells you: line 0")
	})
}

// A message told on a dead connection while the disk is full is stored later.
func TestAMessageIsKeptWhenTheDiskCanBeWrittenAgain(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		time.Sleep(time.Second)
		require.NoError(t, errOf(ana.Say(ctx, "/tell ben the match is at eight")))
		c.store.Fail(table.ErrUnavailable)
		ben.Close(table.Disconnected)
		time.Sleep(10 * time.Second)
		c.store.Fail(nil)
		time.Sleep(5 * time.Minute)
		ben = c.back("ben")
		time.Sleep(time.Second)
		require.Contains(t, lastNotes(ben), "the match is at eight")
	})
}

// TestMessagesOfOtherDays: in a session that lasts for days, messages include their day.
func TestMessagesOfOtherDays(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		say(t, ana, "/tell ben meet me at two")
		require.Regexp(t, `\n\d\d:\d\d ana tells you: meet me at two$`, say(t, ben, "/messages"))
		time.Sleep(3 * 24 * time.Hour)
		require.Regexp(t, `\n\d+ \w{3} \d\d:\d\d ana tells you: meet me at two$`, say(t, ben, "/messages"))
	})
}
