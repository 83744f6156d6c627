package lobby_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/contest"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/table"
)

var (
	block  = match.Config{Name: "Winter", Rules: "block target=20", Pace: table.PaceFast}
	winter = league.Config{Config: block, Window: match.Week, Size: 8}
)

// newTeam makes a team of two members, both in the club: the captain first.
func newTeam(t *testing.T, c *club, tag string, change ...func(*lobby.Origin)) [2]*lobby.Visit {
	t.Helper()
	a, b := c.come("cap"+strings.ToLower(tag), change...), c.come("two"+strings.ToLower(tag), change...)
	unite(t, "The "+tag, tag, a, b)
	return [2]*lobby.Visit{a, b}
}

// owlsAndCats creates a league that begins in an hour, for which the teams OWL and CAT have signed up. boss is
// an operator.
func owlsAndCats(t *testing.T, c *club) (id event.ID, boss *lobby.Visit, owl, cat [2]*lobby.Visit) {
	t.Helper()
	boss = c.come("olga", operator)
	id = c.made(boss.NewLeague(ctx, winter, time.Now().Add(time.Hour), 0))
	owl, cat = newTeam(t, c, "OWL"), newTeam(t, c, "CAT")
	require.NoError(t, owl[0].SignUp(ctx, id, true))
	require.NoError(t, cat[0].SignUp(ctx, id, true))
	return id, boss, owl, cat
}

func contestNow(t *testing.T, v *lobby.Visit, id event.ID) *match.View {
	t.Helper()
	return seenOf(t, v.Contest, id)
}

// playMatch makes people play wherever they sit, until the first match of a league is over.
func playMatch(t *testing.T, id event.ID, people ...*lobby.Visit) *match.View {
	t.Helper()
	for range 5000 {
		for _, v := range people {
			for _, s := range v.MyTables() {
				moves(t, v, s.Table)
			}
		}
		time.Sleep(time.Second)
		if c := contestNow(t, people[0], id); c.Matches[0].Done {
			return c
		}
	}
	require.FailNow(t, "the match does not go on")
	return nil
}

func lastNotes(v *lobby.Visit) string {
	var all []string
	for _, n := range v.Notes() {
		all = append(all, n.Text)
	}
	return strings.Join(all, "\n")
}

// A season may begin in ten minutes, as it is said, however long it takes to ask for it.
func TestTheSoonestSeason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		boss := open(t).come("olga", operator)
		time.Sleep(time.Minute / 2)
		begins := time.Now().Add(10 * time.Minute)
		time.Sleep(time.Millisecond)
		require.ErrorIs(t, errOf(boss.NewLeague(t.Context(), winter, begins.Add(-time.Minute), 0)), contest.ErrTime)
		require.NoError(t, errOf(boss.NewLeague(t.Context(), winter, begins, 0)))
	})
}

// Members read about what their captain does once, however often the captain repeats it, and a repeated
// proposal was made when it was made first.
func TestRepeatedWishesOfCaptainsChangeNothing(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		id, boss, owl, cat := owlsAndCats(t, c)
		for range 2 {
			require.NoError(t, owl[0].SignUp(ctx, id, true))
			require.NoError(t, cat[0].SignUp(ctx, id, true))
		}
		require.Equal(t, 1, strings.Count(lastNotes(owl[1]), "Your team is signed up"))
		wait(time.Hour)

		at := time.Now().Add(30 * time.Hour).Round(0)
		for range 3 {
			require.NoError(t, owl[0].ProposeTime(ctx, id, at))
			time.Sleep(5 * time.Hour)
		}
		require.Equal(t, 1, strings.Count(lastNotes(cat[1]), "they propose"))
		require.Contains(t, lastNotes(cat[1]), "which holds unless you answer")
		require.True(t, contestNow(t, boss, id).Matches[0].Binds(0))
		for range 3 {
			require.NoError(t, cat[0].ProposeTime(ctx, id, time.Time{}))
		}
		require.Equal(t, 1, strings.Count(lastNotes(owl[1]), "; you have proposed"), "nothing was withdrawn")

		cat[1].Close(table.Disconnected)
		require.NoError(t, cat[0].AcceptTime(ctx, id, at))
		cat[1] = c.back("twocat")
		synctest.Wait()
		require.Contains(t, lastNotes(cat[1]), "Your team plays The OWL on ")
		require.NotContains(t, lastNotes(cat[1]), "they propose", "what was told before the connection broke is overtaken")
	})
}

// Two teams play a season of one match: they sign up, are reminded on entering, agree on a time and are led to the table, and the winner
// gets a trophy. A restart between two games changes nothing.
func TestSeason(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		owl, cat := newTeam(t, c, "OWL"), newTeam(t, c, "CAT")
		require.ErrorIs(t, errOf(owl[0].NewLeague(ctx, winter, time.Now().Add(time.Hour), 0)), contest.ErrMakers)
		require.ErrorIs(t, errOf(boss.NewLeague(ctx, winter, time.Now(), 0)), contest.ErrTime)
		_, err := boss.NewLeague(ctx, league.Config{Config: match.Config{Name: "x", Rules: "chess"}, Window: match.Week, Size: 8},
			time.Now().Add(time.Hour), 0)
		require.True(t, lobby.IsForPlayer(err), "%v", err)
		require.ErrorIs(t, errOf(boss.NewLeague(ctx, winter, time.Now().Add(time.Hour), 99)), contest.ErrAfter)
		id := c.made(boss.NewLeague(ctx, winter, time.Now().Add(time.Hour), 0))
		synctest.Wait()
		require.Contains(t, strings.Join(news(seen(boss)), "\n"), "captains sign up their teams: league 1 join")

		require.ErrorIs(t, boss.SignUp(ctx, id, true), lobby.ErrNoTeam)
		require.ErrorIs(t, owl[1].SignUp(ctx, id, true), lobby.ErrCaptain)
		require.ErrorIs(t, owl[0].SignUp(ctx, 99, true), match.ErrNone)
		require.ErrorIs(t, owl[0].SignUp(ctx, id, false), match.ErrNotIn)
		require.NoError(t, owl[0].SignUp(ctx, id, true))
		require.Contains(t, lastNotes(owl[1]), "Your team is signed up for Winter")
		require.NoError(t, owl[0].SignUp(ctx, id, false))
		require.NoError(t, owl[0].SignUp(ctx, id, true))
		require.NoError(t, cat[0].SignUp(ctx, id, true))
		require.ErrorIs(t, owl[0].ProposeTime(ctx, id, time.Now().Add(time.Hour)), match.ErrNoMatch)
		wait(time.Hour)
		require.Contains(t, lastNotes(cat[1]), "Your team plays The OWL by ", "those who are here are told")
		require.ErrorIs(t, owl[0].SignUp(ctx, id, false), match.ErrBegun)
		require.ErrorIs(t, boss.CallOff(ctx, league.Kind, id), match.ErrCalledIn)

		owl[1].Close(table.Left)
		require.Contains(t, say(t, owl[0], "/tell twoowl it has begun"), "will read it")
		owl[1] = c.back("twoowl")
		synctest.Wait()
		require.Regexp(t, "it has begun\nYour team plays The CAT by [^\n]*$", lastNotes(owl[1]), "a screen shows only the last")
		require.Contains(t, lastNotes(owl[1]), "propose a time (L in the lobby, or league 1 propose).")
		at := time.Now().Add(2 * time.Hour).Round(0)
		cat[1].Close(table.Left)
		require.NoError(t, owl[0].ProposeTime(ctx, id, at))
		cat[1] = c.back("twocat")
		synctest.Wait()
		require.Equal(t, 1, strings.Count(lastNotes(cat[1]), "they propose"), "once, as it is now")
		require.Contains(t, lastNotes(cat[0]), "they propose "+at.UTC().Format("Mon 2 Jan 15:04")+" UTC")
		require.ErrorIs(t, cat[0].AcceptTime(ctx, id, at.Add(time.Hour)), match.ErrOtherOffer, "what the captain saw is proposed no more")
		require.NoError(t, cat[0].AcceptTime(ctx, id, at))
		require.Contains(t, lastNotes(owl[0]), "Your team plays The CAT on "+at.UTC().Format("Mon 2 Jan 15:04")+" UTC.")
		i := slices.IndexFunc(owl[1].Calendar(), func(a event.Appointment) bool { return a.Own })
		require.GreaterOrEqual(t, i, 0)
		require.Equal(t, "Winter: your team plays The CAT", owl[1].Calendar()[i].Title)
		require.True(t, at.Equal(owl[1].Calendar()[i].Begins))

		require.NoError(t, owl[0].ProposeTime(ctx, id, at))
		require.NotContains(t, lastNotes(cat[0]), "UTC; they propose", "the time is agreed")

		require.ErrorIs(t, owl[0].SetLineUp(ctx, id, []string{"capowl", "capcat"}), match.ErrLineUp)
		require.NoError(t, owl[0].SetLineUp(ctx, id, []string{"twoowl", "capowl"}))
		cat[1].Close(table.Left)
		time.Sleep(92 * time.Minute)
		require.Contains(t, lastNotes(owl[1]), "In 30 minutes: Winter: your team plays The CAT.")
		time.Sleep(28 * time.Minute)
		now := contestNow(t, boss, id)
		require.Len(t, now.At, 1)
		tab := now.TableOf(&now.Matches[0])
		require.Equal(t, tab, owl[1].Called())
		require.Contains(t, now.Remind(&now.Matches[0], owl[0].Player().Team, true), fmt.Sprintf("now, at table %d.", tab))
		require.Equal(t, table.Gathering, owl[0].MyTables()[0].State, "it waits for the fourth")
		time.Sleep(10 * time.Minute)
		cat[1] = c.back("twocat")
		wait(10 * time.Second)
		require.Equal(t, table.Playing, owl[0].MyTables()[0].State)

		for len(contestNow(t, owl[0], id).Matches[0].Games) == 0 {
			for _, v := range []*lobby.Visit{owl[0], owl[1], cat[0], cat[1]} {
				for _, s := range v.MyTables() {
					moves(t, v, s.Table)
				}
			}
			time.Sleep(time.Second)
		}
		before := contestNow(t, boss, id)
		for i := range 20 { // called off, which keeps none that was played from the lists
			e := event.Make(league.Kind, winter, time.Now())
			e.Key = fmt.Sprint("called off ", i)
			e, err := c.store.CreateEvent(ctx, e)
			require.NoError(t, err)
			over := event.New(event.KindOver, match.Final{Name: "Winter"})
			over.At = time.Now().Add(100 * 24 * time.Hour)
			require.NoError(t, c.store.AppendEvent(ctx, e.ID, 0, []event.Entry{over}, true))
		}
		leave(table.Disconnected, owl[0], owl[1], cat[0], cat[1], boss)
		c.restart()
		people := make([]*lobby.Visit, 0, 4)
		for _, name := range []string{"capowl", "twoowl", "capcat", "twocat"} {
			people = append(people, c.back(name))
		}
		require.Equal(t, before, contestNow(t, people[0], id))
		now = playMatch(t, id, people...)
		m := now.Matches[0]
		require.NotZero(t, m.Winner)
		require.True(t, contestNow(t, people[0], id).Over)
		synctest.Wait()
		require.Contains(t, strings.Join(news(seen(people[0])), "\n"), "won Winter")
		winner := m.Sides[m.Winner-1].ID
		won, err := people[0].Trophies(ctx, winner)
		require.NoError(t, err)
		require.Len(t, won, 1)
		require.Equal(t, "Winner of Winter", won[0].Title)
		finished, err := people[0].FinishedContests(ctx, league.Kind)
		require.NoError(t, err)
		require.Equal(t, []match.View{*contestNow(t, people[0], id)}, finished)
		require.Empty(t, people[0].Contests())
		wait(time.Minute)
		for _, v := range people {
			require.Empty(t, v.MyTables(), "the tables close after their games")
		}
		c.wins(t, winner, &m)
		require.Contains(t, strings.Join(newsTexts(people[0]), "\n"),
			fmt.Sprintf("by %d games to %d in round 1 of Winter", m.Sides[m.Winner-1].Wins, m.Sides[2-m.Winner].Wins))

		c.restart()
		back := c.back("capowl")
		synctest.Wait()
		asked := c.store.Asked()
		require.True(t, contestNow(t, back, id).Over)
		require.Equal(t, asked+2, c.store.Asked(), "the event and its journal, not all that are over")
	})
}

// If a team has several matches to play, the last note on entering is about the most urgent.
func TestMostUrgentReminderIsLast(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		short := c.made(boss.NewCup(ctx, cup.Config{Config: block, Round: 24 * time.Hour}, time.Now().Add(time.Hour)))
		long := c.made(boss.NewLeague(ctx, winter, time.Now().Add(time.Hour), 0))
		var captains []*lobby.Visit
		var ana *lobby.Visit
		for _, tag := range []string{"OWL", "CAT", "DOG", "FOX"} {
			team := newTeam(t, c, tag)
			captains = append(captains, team[0])
			for _, id := range []event.ID{short, long} {
				require.NoError(t, team[0].SignUp(ctx, id, true))
			}
			if ana == nil {
				ana = team[1]
			}
		}
		owl := captains[0]
		wait(time.Hour)
		agree := func(id event.ID, at time.Time) {
			t.Helper()
			require.NoError(t, owl.ProposeTime(ctx, id, at))
			m := contestNow(t, boss, id).Current(owl.Player().Team)
			other := slices.IndexFunc(captains[1:], func(v *lobby.Visit) bool { return m.Of(v.Player().Team) >= 0 })
			require.NoError(t, captains[1+other].AcceptTime(ctx, id, time.Time{}))
		}
		saysOf := func(id event.ID) string {
			t.Helper()
			now := contestNow(t, boss, id)
			return now.Remind(now.Current(owl.Player().Team), owl.Player().Team, true)
		}
		requireOrder := func(first, last event.ID, why string) {
			t.Helper()
			ana.Close(table.Left)
			ana = c.back("twoowl")
			require.Equal(t, saysOf(first)+"\n"+saysOf(last), lastNotes(ana), why)
		}
		requireOrder(long, short, "its window closes first")
		agree(long, time.Now().Add(4*time.Hour).Round(0))
		requireOrder(short, long, "it begins before the other's window closes")
		agree(short, time.Now().Add(2*time.Hour).Round(0))
		requireOrder(long, short, "it begins first")
		wait(2*time.Hour + time.Second) // nobody who is at the table has run out of time
		require.Contains(t, saysOf(short), "now, at table")
		requireOrder(long, short, "it is being played")
	})
}

// wins compares the match with the stored games.
func (c *club) wins(t *testing.T, winner table.TeamID, m *match.Match) {
	games, err := c.store.EventGames(ctx, 1)
	require.NoError(t, err)
	require.Len(t, games, len(m.Games))
	n := 0
	for _, g := range games {
		require.Equal(t, table.EndPlayed, g.Result.Ending)
		if g.Result.Winner > 0 && g.Start.Teams[g.Result.Winner-1] == winner {
			n++
		}
	}
	require.Equal(t, 2, n)
}

// Four teams play a cup. Each match that was decided by its games is told once, and then who has won the cup.
func TestResultsOfACupAreNews(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		id := c.made(boss.NewCup(ctx, cup.Config{Config: block, Round: 24 * time.Hour}, time.Now().Add(time.Hour)))
		var people []*lobby.Visit
		var captains []*lobby.Visit
		for _, tag := range []string{"OWL", "CAT", "DOG", "FOX"} {
			team := newTeam(t, c, tag)
			require.NoError(t, team[0].SignUp(ctx, id, true))
			captains, people = append(captains, team[0]), append(people, team[:]...)
		}
		time.Sleep(time.Hour)
		var v *match.View
		for range 20_000 {
			if v = contestNow(t, boss, id); v.Over {
				break
			}
			for _, cap := range captains {
				if m := v.Current(cap.Player().Team); m != nil && m.Pairing == 0 && m.At.IsZero() && len(m.Games) == 0 {
					require.NoError(t, cap.ProposeTime(ctx, id, m.Closes.Add(-23*time.Hour)))
				}
			}
			for _, p := range people {
				for _, s := range p.MyTables() {
					moves(t, p, s.Table)
				}
			}
			time.Sleep(5 * time.Second)
		}
		require.True(t, v.Over)
		require.Len(t, v.Matches, 3)
		synctest.Wait()
		var want []string
		for i := range v.Matches {
			m := &v.Matches[i]
			w, l := &m.Sides[m.Winner-1], &m.Sides[2-m.Winner]
			require.False(t, m.Walkover)
			want = append(want, fmt.Sprintf("%s [%s] beat %s [%s] by %d games to %d in %s of Winter", w.Name, w.Tag, l.Name, l.Tag, w.Wins,
				l.Wins, []string{"a semifinal", "a semifinal", "the final"}[i]))
			if i == 2 {
				want = append(want, fmt.Sprintf("%s [%s] won Winter", w.Name, w.Tag))
			}
		}
		var told []string
		for _, n := range newsTexts(boss) {
			if strings.HasSuffix(n, "Winter") { // the others are of games
				told = append(told, n)
			}
		}
		require.ElementsMatch(t, want, told)
	})
}

// TestResultsOfMatchesAreToldOnceOverRestarts: a match's result is news once, however often, however long and
// when the club is closed, with much other news, and even if the server ended before it could tell it.
func TestResultsOfMatchesAreToldOnceOverRestarts(t *testing.T) {
	for _, crash := range []bool{false, true} {
		for _, closed := range []time.Duration{0, 10 * time.Minute, 50 * time.Minute, 10 * time.Hour, 100 * 24 * time.Hour} {
			bubble(t, func(t *testing.T, c *club) {
				if crash {
					c.stop()
					c.deps = func(d *lobby.Deps) { d.Stores.Talk = lostNews{d.Stores.Talk} }
					c.start()
				}
				boss := c.come("olga", operator)
				id := c.made(boss.NewCup(ctx, cup.Config{Config: block, Round: 24 * time.Hour}, time.Now().Add(time.Hour)))
				for _, tag := range []string{"OWL", "CAT", "DOG", "FOX"} {
					require.NoError(t, newTeam(t, c, tag)[0].SignUp(ctx, id, true))
				}
				time.Sleep(25*time.Hour + time.Second)
				require.True(t, contestNow(t, boss, id).Matches[1].Done)
				if !crash {
					for i := range 60 {
						c.AddNews(lobby.NewsItem{At: time.Now(), Kind: lobby.NewsTeam, Text: fmt.Sprint("other ", i)})
					}
				}
				c.stop()
				c.deps = nil
				for range 3 {
					time.Sleep(closed)
					c.start()
					wait(2 * time.Minute) // it is news on the clock of the events, too
					c.stop()
					all, err := c.store.News(ctx, 1000)
					require.NoError(t, err)
					told := 0
					for _, n := range all {
						if strings.Contains(n.Text, "in a semifinal of Winter") {
							told++
						}
					}
					require.Equal(t, 2, told, "crash %v, closed %v", crash, closed)
				}
				c.start()
			})
		}
	}
}

// A cup that is called off is shown as called off.
func TestCupIsCalledOff(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		owl := newTeam(t, c, "OWL")
		id := c.made(boss.NewCup(ctx, cup.Config{Config: block, Round: match.Week}, time.Now().Add(24*time.Hour)))
		require.NoError(t, owl[0].SignUp(ctx, id, true))
		require.ErrorIs(t, owl[0].CallOff(ctx, cup.Kind, id), event.ErrCallOff)
		require.NoError(t, boss.CallOff(ctx, cup.Kind, id))
		require.True(t, contestNow(t, boss, id).Over)
		require.ErrorIs(t, owl[0].SignUp(ctx, id, true), match.ErrOver)
		for _, v := range owl {
			require.Contains(t, lastNotes(v), "Winter was called off.")
		}
		finished, err := boss.FinishedContests(ctx, cup.Kind)
		require.NoError(t, err)
		require.Empty(t, finished, "it was never played")
		require.Contains(t, news(seen(boss)), "cup: Winter was called off")
		require.ErrorIs(t, errOf(boss.Contest(ctx, 99)), match.ErrNone)

		id = c.made(boss.NewCup(ctx, cup.Config{Config: block, Round: match.Week}, time.Now().Add(time.Hour)))
		require.NoError(t, owl[0].SignUp(ctx, id, true))
		wait(time.Hour + time.Minute)
		require.Contains(t, news(seen(boss)), "cup: Winter was not played: too few teams signed up")
		require.Contains(t, lastNotes(owl[1]), "Winter was not played: too few teams signed up.")
	})
}

// TestATeamThatHasEndedIsSignedOff: a disbanded team holds no place in a league or a cup that has not begun.
func TestATeamThatHasEndedIsSignedOff(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		running, boss, owl, cat := owlsAndCats(t, c)
		planned := c.made(boss.NewCup(ctx, cup.Config{Config: block, Round: match.Week}, time.Now().Add(24*time.Hour)))
		require.NoError(t, owl[0].SignUp(ctx, planned, true))
		require.NoError(t, cat[0].SignUp(ctx, planned, true))
		wait(time.Hour)
		require.NoError(t, owl[1].LeaveTeam(ctx))
		require.Len(t, contestNow(t, boss, planned).Teams, 2)
		require.NoError(t, owl[0].LeaveTeam(ctx))
		now := contestNow(t, boss, planned)
		require.Len(t, now.Teams, 1)
		require.True(t, now.Has(cat[0].Player().Team))
		require.Len(t, contestNow(t, boss, running).Teams, 2)
		for _, v := range cat {
			require.Equal(t, 1, strings.Count(lastNotes(v), "The OWL [OWL], your opponents in Winter, have disbanded."))
			require.Contains(t, lastNotes(v), "propose one (L in the lobby, or league 1 propose): if they don't come, you win.")
		}
	})
}

// TestATeamThatEndsWhileItIsSignedUp: nor does a team that is disbanded before its captain's request is on disk.
func TestATeamThatEndsWhileItIsSignedUp(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss, owl := c.come("olga", operator), newTeam(t, c, "OWL")
		id := c.made(boss.NewCup(ctx, cup.Config{Config: block, Round: match.Week}, time.Now().Add(24*time.Hour)))
		c.store.Slow(time.Second)
		signed := make(chan error, 1)
		go func() { signed <- owl[0].SignUp(ctx, id, true) }()
		synctest.Wait()
		c.store.Slow(0)
		require.NoError(t, owl[1].LeaveTeam(ctx))
		require.NoError(t, owl[0].LeaveTeam(ctx))
		synctest.Wait()
		require.NoError(t, <-signed)
		require.Empty(t, contestNow(t, boss, id).Teams)
	})
}

// TestAMemberWhoHasLeftStillPlays: a match is played by the teams as of when its time began. Who has left one
// since arranges nothing, but is reminded, led to the table, and plays, even from the other team.
func TestAMemberWhoHasLeftStillPlays(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		id, _, owl, cat := owlsAndCats(t, c)
		wait(time.Hour)
		gone, of := owl[1], cat[0].Player().Team
		require.NoError(t, gone.LeaveTeam(ctx))
		require.ErrorIs(t, gone.ProposeTime(ctx, id, time.Now().Add(2*time.Hour)), lobby.ErrNoTeam)
		require.NoError(t, cat[0].Invite(ctx, "twoowl"))
		require.NoError(t, gone.Accept(ctx, of))
		require.ErrorIs(t, cat[0].SetLineUp(ctx, id, []string{"capcat", "twoowl"}), match.ErrLineUp, "has come too late")
		require.NoError(t, owl[0].SetLineUp(ctx, id, []string{"capowl", "twoowl"}))
		at := time.Now().Add(2 * time.Hour).Round(0)
		require.NoError(t, owl[0].ProposeTime(ctx, id, at))
		require.NoError(t, cat[0].AcceptTime(ctx, id, at))
		wait(95 * time.Minute)
		require.Contains(t, lastNotes(gone), "In 30 minutes: Winter: The OWL plays The CAT.")
		wait(25*time.Minute + 10*time.Second)
		require.NotZero(t, gone.Called())
		m := playMatch(t, id, owl[0], gone, cat[0], cat[1]).Matches[0]
		require.NotZero(t, m.Winner)
		require.Equal(t, len(m.Games), m.Played())
		require.Equal(t, of, gone.Player().Team)
	})
}

// TestNobodyArrangesAMatchThatIsWon: the opponents of a team with one member win when their time begins, and
// are not told to propose a time first.
func TestNobodyArrangesAMatchThatIsWon(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		people := map[string][2]*lobby.Visit{}
		id := c.made(boss.NewLeague(ctx, winter, time.Now().Add(time.Hour), 0))
		for _, tag := range []string{"OWL", "CAT", "DOG"} {
			people[tag] = newTeam(t, c, tag)
			require.NoError(t, people[tag][0].SignUp(ctx, id, true))
		}
		time.Sleep(time.Hour)
		now := contestNow(t, boss, id)
		resting := now.Teams[slices.IndexFunc(now.Teams, func(t match.Team) bool { return now.Matches[0].Of(t.ID) < 0 })]
		require.NoError(t, people[resting.Tag][1].LeaveTeam(ctx))
		time.Sleep(match.Week)
		m := contestNow(t, boss, id).Matches[1]
		side := m.Of(resting.ID)
		require.True(t, m.Done && m.Walkover && m.Winner == 2-side)
		for tag, team := range people {
			require.NotContains(t, lastNotes(team[0]), "Your team plays The "+resting.Tag, tag)
		}
	})
}

// TestALeagueContinuesOneWithPlaces: not one that is not over, or was called off and has no final order.
func TestALeagueContinuesOneWithPlaces(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		in := time.Now().Add(time.Hour)
		id := c.made(boss.NewLeague(ctx, winter, in, 0))
		require.ErrorIs(t, errOf(boss.NewLeague(ctx, winter, in, id)), contest.ErrAfter)
		require.NoError(t, boss.CallOff(ctx, league.Kind, id))
		synctest.Wait()
		require.ErrorIs(t, errOf(boss.NewLeague(ctx, winter, in, id)), contest.ErrAfter)
	})
}

// TestTheWinnerIsNewsThoughItIsGone: a team that is disbanded before its league is over can still win.
func TestTheWinnerIsNewsThoughItIsGone(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		people := make(map[table.TeamID][2]*lobby.Visit)
		id := c.made(boss.NewLeague(ctx, winter, time.Now().Add(time.Hour), 0))
		for _, tag := range []string{"OWL", "CAT", "DOG"} {
			team := newTeam(t, c, tag)
			people[team[0].Player().Team] = team
			require.NoError(t, team[0].SignUp(ctx, id, true))
		}
		time.Sleep(time.Hour)
		now := contestNow(t, boss, id)
		rests := func(t match.Team) bool { return now.Matches[2].Of(t.ID) < 0 } // in the last window
		best := now.Teams[slices.IndexFunc(now.Teams, rests)]
		own := people[best.ID]
		for range 2 {
			m := contestNow(t, boss, id).Current(best.ID)
			others := people[m.Sides[1-m.Of(best.ID)].ID]
			require.NoError(t, own[0].ProposeTime(ctx, id, time.Now().Add(time.Minute)))
			require.NoError(t, others[0].AcceptTime(ctx, id, time.Time{}))
			for range 2 { // they give up both games
				time.Sleep(time.Minute + 10*time.Second)
				now = contestNow(t, boss, id)
				for _, v := range others {
					do(t, v, now.TableOf(now.Current(best.ID)), table.Resign{})
				}
			}
			wait(match.Week)
		}
		require.NoError(t, own[1].LeaveTeam(ctx))
		require.NoError(t, own[0].LeaveTeam(ctx))
		time.Sleep(match.Week)
		require.True(t, contestNow(t, boss, id).Over)
		require.Contains(t, news(seen(boss)), fmt.Sprintf("league: %s [%s] won Winter", best.Name, best.Tag))
		require.ErrorIs(t, errOf(boss.FindTeam(ctx, best.Tag)), lobby.ErrNoTeam)
		gone, err := boss.AnyTeam(ctx, best.Tag)
		require.NoError(t, err)
		past, err := boss.PastEvents(ctx, 0, gone.ID)
		require.NoError(t, err)
		require.Len(t, past, 1, "what it has won is found")
	})
}

// A team that gives up a game without having played a tile loses it, but nobody's rating changes.
func TestForfeitsWithoutAMoveAreNotRated(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.come("olga", operator)
		owl, cat := newTeam(t, c, "OWL"), newTeam(t, c, "CAT")
		cfg := winter
		cfg.Rules = "block"
		id := c.made(boss.NewLeague(ctx, cfg, time.Now().Add(time.Hour), 0))
		require.NoError(t, owl[0].SignUp(ctx, id, true))
		require.NoError(t, cat[0].SignUp(ctx, id, true))
		wait(time.Hour)
		require.NoError(t, owl[0].ProposeTime(ctx, id, time.Now().Add(time.Minute)))
		require.NoError(t, cat[0].AcceptTime(ctx, id, time.Time{}))
		for range 2 {
			wait(time.Minute + 10*time.Second)
			s := cat[0].MyTables()
			at := slices.IndexFunc(s, func(s table.Summary) bool { return s.State == table.Playing })
			require.GreaterOrEqual(t, at, 0)
			require.True(t, s[at].Rated)
			for _, v := range cat {
				do(t, v, s[at].Table, table.Resign{})
			}
			synctest.Wait()
		}
		m := contestNow(t, boss, id).Matches[0]
		require.True(t, m.Done)
		require.Equal(t, owl[0].Player().Team, m.Sides[m.Winner-1].ID)
		games, err := c.store.EventGames(ctx, id)
		require.NoError(t, err)
		require.Len(t, games, 2)
		for _, g := range games {
			require.Equal(t, table.EndForfeit, g.Result.Ending)
			require.False(t, g.Result.Rated)
		}
	})
}
