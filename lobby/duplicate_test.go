package lobby_test

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/duplicate"
	"boneyard/table"
)

// beginDuplicate has two people begin a match of the first, who plays for A, against the other.
func beginDuplicate(t *testing.T, cfg duplicate.Config, a, b *lobby.Visit) event.ID {
	t.Helper()
	id, err := a.NewDuplicate(ctx, cfg)
	require.NoError(t, err)
	require.NoError(t, a.EnterDuplicate(ctx, id, duplicate.A))
	require.NoError(t, b.EnterDuplicate(ctx, id, duplicate.B))
	require.NoError(t, a.StartDuplicate(ctx, id))
	return id
}

// playDuplicate makes people play at one table of a match until its game has ended.
func playDuplicate(t *testing.T, id table.EventID, no int, people ...*lobby.Visit) {
	t.Helper()
	for range 5000 {
		d := duplicateNow(t, people[0], id)
		if d.Over || d.Ended[no-1] {
			return
		}
		for _, v := range people {
			moves(t, v, d.At[int64(no)])
		}
		time.Sleep(time.Second)
	}
	require.FailNow(t, "the game does not end")
}

// duplicateNow is what somebody sees of a match, once all is done.
func duplicateNow(t *testing.T, v *lobby.Visit, id event.ID) *duplicate.View {
	t.Helper()
	return seenOf(t, v.Duplicate, id)
}

// recompare computes a comparison from the scores of two records: by how much seats 1 and 3 did better in each round.
func recompare(t *testing.T, c *club, games [2]duplicate.Game) (rounds [][2]int) {
	t.Helper()
	for i, g := range games {
		lines, err := c.store.Moves(ctx, g.Game)
		require.NoError(t, err)
		before := 0
		n := 0
		for _, line := range lines {
			words := strings.Fields(line)
			if len(words) == 0 || words[0] != "score" {
				continue
			}
			now := mustInt(t, words[1]) - mustInt(t, words[2])
			if i == 0 {
				rounds = append(rounds, [2]int{})
			}
			rounds[n][i] = now - before
			before, n = now, n+1
		}
	}
	return rounds
}

// Eight people play the same deals at two tables, across a restart. The comparison follows from the two records, and nothing is shown of
// them until both games have ended.
func TestDuplicate(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		names := []string{"ana", "ben", "cem", "dora", "eva", "finn", "gil", "hana"}
		people := c.comeAll(names...)
		guest := c.guest("10.9.9.9")
		id := c.made(people[0].NewDuplicate(ctx, duplicate.Config{Name: "Friday", Rules: "classic rounds=3", Pace: table.PaceNormal}))
		_, err := people[0].NewDuplicate(ctx, duplicate.Config{Rules: "classic", Pace: table.PaceNormal})
		require.ErrorIs(t, err, duplicate.ErrMany)
		require.ErrorIs(t, guest.EnterDuplicate(ctx, id, duplicate.A), lobby.ErrMembersOnly)
		require.ErrorIs(t, people[1].StartDuplicate(ctx, id), duplicate.ErrMaker)
		require.ErrorIs(t, people[0].StartDuplicate(ctx, id), duplicate.ErrLonely)
		for i, v := range people {
			require.NoError(t, v.EnterDuplicate(ctx, id, duplicate.Team(i/4+1)))
			if i == 3 {
				require.ErrorIs(t, people[7].EnterDuplicate(ctx, id, duplicate.A), duplicate.ErrFull)
				require.ErrorIs(t, v.EnterDuplicate(ctx, id, duplicate.B), duplicate.ErrIn)
			}
		}
		d := duplicateNow(t, people[0], id)
		require.True(t, d.Begun)
		require.Contains(t, d.Rules, "next=lead", "who leads does not depend on what happened at the table")
		require.ErrorIs(t, people[0].LeaveEvent(ctx, duplicate.Kind, id), duplicate.ErrBegun)
		one, two := []*lobby.Visit{people[0], people[6], people[1], people[7]}, []*lobby.Visit{people[4], people[2], people[5], people[3]}
		var hands [2]string
		for no, at := range [][]*lobby.Visit{one, two} {
			for seat, v := range at {
				require.Equal(t, d.At[int64(no+1)], v.Called(), "all are led to their tables")
				sub, err := watch(v, d.At[int64(no+1)])
				require.NoError(t, err)
				view := sub.View()
				require.EqualValues(t, seat+1, view.POV)
				hands[no] += view.Play.Hand.String() + "/"
				sub.Close()
				if view.MyMove() {
					require.Equal(t, []table.ID{d.At[int64(no+1)]}, v.Awaited(), "also whoever is at another table is told")
				}
			}
			require.Error(t, errOf(watch(guest, d.At[int64(no+1)])), "nobody watches")
		}
		require.Equal(t, hands[0], hands[1], "the same deals")
		require.Error(t, errOf(watch(people[0], d.At[2])), "nor the players of the other table")

		playDuplicate(t, id, 1, one...)
		d = duplicateNow(t, people[4], id)
		require.Equal(t, [2]bool{true, false}, d.Ended)
		require.Empty(t, newsTexts(people[4]))
		require.Empty(t, d.Seed)
		require.Zero(t, d.Games)
		require.Empty(t, d.Rounds)
		played, err := c.store.EventGames(ctx, id)
		require.NoError(t, err)
		require.Len(t, played, 1)
		_, _, err = people[4].Record(ctx, played[0].Game)
		require.Error(t, err, "nobody gets the record of the first table")

		leave(table.Disconnected, people...)
		c.restart()
		two = two[:0]
		for _, i := range []int{4, 2, 5, 3} {
			two = append(two, c.back(names[i]))
		}
		playDuplicate(t, id, 2, two...)
		d = duplicateNow(t, two[0], id)
		require.True(t, d.Over)
		require.True(t, d.Played)
		require.NotEmpty(t, d.Seed)
		want := recompare(t, c, d.Games)
		require.Len(t, want, 3)
		require.Equal(t, want, d.Rounds)
		sum := 0
		for _, r := range want {
			sum += r[0] - r[1]
		}
		require.Equal(t, sum, d.Margin)
		require.Equal(t, sum > 0, d.Winner == duplicate.A)
		require.Equal(t, sum < 0, d.Winner == duplicate.B)
		require.Contains(t, newsTexts(two[0]), strings.TrimSuffix(d.Outcome(0), "."), "the result is news")
		_, _, err = two[0].Record(ctx, d.Games[0].Game)
		require.NoError(t, err, "then it is everybody's")
	})
}

// Two friends play against two others, and masters of the house take the other seats.
func TestDuplicateWithMasters(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		id := beginDuplicate(t, duplicate.Config{Rules: "block rounds=2", Pace: table.PaceFast}, ana, ben)
		d := duplicateNow(t, ana, id)
		here := ana.Show(lobby.Place{Table: d.At[1]})
		sub, err := here.Watch(ctx)
		require.NoError(t, err)
		wait(10 * time.Second)
		for i, s := range sub.View().Seats {
			if i != 0 {
				require.True(t, strings.HasSuffix(s.Player.Name, ".master"), s.Player.Name)
			}
		}
		require.False(t, sub.View().Rated)
		sub.Close()
		here.Close()
		playDuplicate(t, id, 1, ana)
		playDuplicate(t, id, 2, ben)
		d = duplicateNow(t, ana, id)
		require.True(t, d.Over && d.Played)
		require.Equal(t, recompare(t, c, d.Games), d.Rounds)
	})
}

// A team that gives up a game loses the match, even at a table with house masters only: nobody can cancel a
// match that they are about to lose.
func TestGivingUpAgainstMasters(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		id := gaveUp(t, ana, ben)
		d := duplicateNow(t, ben, id)
		require.True(t, d.Over)
		require.Equal(t, duplicate.B, d.Winner)
	})
}

// gaveUp has two people play a match in which ana gives her game up.
func gaveUp(t *testing.T, ana, ben *lobby.Visit) event.ID {
	id := beginDuplicate(t, duplicate.Config{Rules: "block rounds=2", Pace: table.PaceFast}, ana, ben)
	d := duplicateNow(t, ana, id)
	do(t, ana, d.At[1], table.Resign{})
	playDuplicate(t, id, 2, ben)
	return id
}

// A match ends once nobody has attended to one of its tables for 15 minutes, whether nobody came or everybody
// left, even after a restart.
func TestDuplicateWithADesertedTable(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		begin := func() event.ID {
			return beginDuplicate(t, duplicate.Config{Rules: "block", Pace: table.PaceNormal}, ana, ben)
		}
		play := func(v *lobby.Visit, id table.ID) {
			for range 60 {
				synctest.Wait()
				moves(t, v, id)
				time.Sleep(time.Second)
			}
		}
		id := begin()
		ben.Close(table.Disconnected)
		play(ana, duplicateNow(t, ana, id).At[1])
		time.Sleep(event.Kept - 2*time.Minute)
		require.False(t, duplicateNow(t, ana, id).Over, "ben may still come")
		time.Sleep(time.Minute)
		d := duplicateNow(t, ana, id)
		require.True(t, d.Over)
		require.Equal(t, "Duplicate match 1 has no winner: the game at table 2 was abandoned.", d.Outcome(duplicate.A))

		ben = c.back("ben")
		id = begin()
		d = duplicateNow(t, ana, id)
		play(ana, d.At[1])
		play(ben, d.At[2])
		ana.Close(table.Left)
		ben.Close(table.Disconnected)
		time.Sleep(event.Kept - time.Minute)
		require.False(t, duplicateNow(t, ana, id).Over, "they may come back")
		c.stop()
		time.Sleep(time.Hour)
		c.start()
		time.Sleep(2*time.Minute - time.Second)
		ana = c.enter(c.member("anna"))
		require.False(t, duplicateNow(t, ana, id).Over, "nobody could come back while the server was down")
		time.Sleep(2 * time.Second)
		require.NotZero(t, duplicateNow(t, ana, id).Empty)
		require.Empty(t, ana.Duplicates())
	})
}

// A match to which nobody comes ends eventually.
func TestDuplicateThatNobodyPlays(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come("ana")
		id := c.made(ana.NewDuplicate(ctx, duplicate.Config{Rules: "classic", Pace: table.PaceNormal}))
		require.NoError(t, ana.EnterDuplicate(ctx, id, duplicate.A))
		require.NoError(t, ana.LeaveEvent(ctx, duplicate.Kind, id))
		require.ErrorIs(t, ana.LeaveEvent(ctx, duplicate.Kind, id), duplicate.ErrNotIn)
		require.Len(t, ana.Duplicates(), 1)
		wait(3 * time.Hour)
		require.Empty(t, ana.Duplicates())
		d := duplicateNow(t, ana, id)
		require.True(t, d.Over)
		require.Equal(t, "Duplicate match 1 was not played.", d.Outcome(0))
		require.ErrorIs(t, errOf(ana.Duplicate(ctx, 99)), duplicate.ErrNone)
	})
}

func mustInt(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	require.NoError(t, err)
	return n
}

// The number of matches is limited, for the club and each address, no matter how many members create them.
func TestMatchesAreBounded(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		made := func(people int, from func(n int) string) (made int) {
			for n := range people {
				v := c.enter(c.member("m"+strings.NewReplacer(".", "x").Replace(from(n))+strconv.Itoa(n)), at(from(n)))
				defer v.Close(table.Left)
				switch _, err := v.NewDuplicate(t.Context(), duplicate.Config{Rules: "classic", Pace: table.PaceNormal}); err {
				case nil:
					made++
				default:
					require.ErrorIs(t, err, event.ErrDealtMade)
				}
			}
			return made
		}
		require.Equal(t, 3, made(10, func(int) string { return "10.1.1.1" }))
		require.Equal(t, 57, made(70, func(n int) string { return "10.2." + strconv.Itoa(n) + ".1" }))
		require.Len(t, c.come("olga", operator).Duplicates(), 60)
	})
}

// A player in two events plays in one after the other: a table of the second opens when all its players have
// finished in the first.
func TestOneTableOfEventsAtATime(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come("ana"), c.come("ben"), c.come("cem")
		begin := func(by *lobby.Visit, other *lobby.Visit) event.ID {
			id := c.made(by.NewDuplicate(ctx, duplicate.Config{Rules: "classic rounds=1", Pace: table.PaceNormal}))
			require.NoError(t, other.EnterDuplicate(ctx, id, duplicate.A))
			require.NoError(t, by.EnterDuplicate(ctx, id, duplicate.B))
			require.NoError(t, by.StartDuplicate(ctx, id))
			return id
		}
		tables := func(id event.ID) [2]table.ID {
			at := duplicateNow(t, ana, id).At
			return [2]table.ID{at[1], at[2]}
		}
		first, second := begin(ben, ana), begin(cem, ana)
		require.NotZero(t, tables(first)[0])
		require.Zero(t, tables(second)[0], "ana plays in the first")
		require.NotZero(t, tables(second)[1], "cem's table")
		playDuplicate(t, first, 1, ana)
		require.NotZero(t, tables(second)[0])
	})
}
