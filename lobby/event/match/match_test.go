package match_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
	"boneyard/lobby/event/eventtest"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/table"
)

// duel is a league of two teams, 1 and 2, with members 10, 11, 12 and 20, 21, 22, and a week for its one match.
type duel struct {
	*eventtest.Hall
}

func begin(t *testing.T, change func(h *eventtest.Hall)) *duel { return beginWith(t, 2, change) }

func beginWith(t *testing.T, teams table.TeamID, change func(h *eventtest.Hall)) *duel {
	t.Helper()
	h := eventtest.New(t, event.KindsOf(league.Type))
	for id := table.TeamID(1); id <= teams; id++ {
		h.AddTeam(id, 1500, 3)
	}
	h.Start()
	d := &duel{h}
	cfg := league.Config{Config: match.Config{Name: "Duel", Rules: "block", Pace: table.PaceFast}, Window: match.Week, Size: 8}
	_, err := h.Events.Create(context.Background(), event.Make(league.Kind, cfg, time.Now().Add(time.Hour).Round(0)))
	require.NoError(t, err)
	for id := table.TeamID(1); id <= teams; id++ {
		require.NoError(t, d.do(func(c *match.Core, _ time.Time) ([]event.Entry, error) {
			return c.SignUp(match.Team{ID: id, Tag: fmt.Sprint("T", id)}, 3)
		}))
	}
	if change != nil {
		change(h)
	}
	time.Sleep(time.Hour)
	synctest.Wait()
	return d
}

func (d *duel) do(f func(c *match.Core, now time.Time) ([]event.Entry, error)) error {
	r := d.Events.Room(1)
	if r == nil {
		return event.ErrOver
	}
	return r.Do(context.Background(), func(r event.Rules, now time.Time) ([]event.Entry, error) { return f(r.(*match.Core), now) })
}

func (d *duel) propose(team table.TeamID, at time.Time) error {
	return d.do(func(c *match.Core, now time.Time) ([]event.Entry, error) { return c.Propose(team, at, now) })
}

func (d *duel) accept(team table.TeamID) error {
	return d.do(func(c *match.Core, now time.Time) ([]event.Entry, error) { return c.Accept(team, now) })
}

func (d *duel) lineUp(team table.TeamID, playing bool, ids ...table.PlayerID) error {
	return d.do(func(c *match.Core, _ time.Time) ([]event.Entry, error) { return c.SetLineUp(team, ids, playing) })
}

// away has players leave the club.
func (d *duel) away(ids ...table.PlayerID) {
	d.Change(func() {
		for _, id := range ids {
			d.Away[id] = true
		}
	})
}

func (d *duel) match() match.Match {
	synctest.Wait()
	if r := d.Events.Room(1); r != nil {
		return r.View().(*match.View).Matches[0]
	}
	all, _ := d.Store.Events(context.Background(), league.Kind, 0)
	rules, _, err := event.Replay(context.Background(), d.Store, d.Kinds, all[0])
	require.NoError(d.T, err)
	games, err := d.Store.EventGames(context.Background(), 1)
	require.NoError(d.T, err)
	require.Empty(d.T, rules.(event.Checker).Check(games))
	return rules.View(nil).(*match.View).Matches[0]
}

// seats are the players at the only table.
func (d *duel) seats() [2][2]table.PlayerID {
	d.T.Helper()
	synctest.Wait()
	require.Len(d.T, d.Tables(), 1)
	var s [2][2]table.PlayerID
	for _, t := range d.Tables() {
		for i, p := range t.Occasion.Seats {
			if p.Team == d.match().Sides[0].ID {
				s[0][i/2] = p.ID
			} else {
				s[1][i/2] = p.ID
			}
		}
	}
	return s
}

// end ends the game at the only table.
func (d *duel) end(winner table.TeamID, ending table.Ending) {
	d.T.Helper()
	synctest.Wait()
	require.Len(d.T, d.Tables(), 1)
	for of, t := range d.Tables() {
		r := table.Result{Ending: ending, Scores: []int{50, 20}}
		for i, id := range t.Config.Teams {
			if id == winner {
				r.Winner = i + 1
			}
		}
		d.Events.Ended(d.Play(of, r))
	}
	synctest.Wait()
}

func in(d time.Duration) time.Time { return time.Now().UTC().Add(d).Round(0) }

// Captains may propose and accept times, but not at all times.
func TestTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := begin(t, nil)
		require.ErrorIs(t, d.propose(3, in(time.Hour)), match.ErrNotIn)
		require.ErrorIs(t, d.propose(1, in(-time.Hour)), match.ErrTime)
		require.ErrorIs(t, d.propose(1, in(match.Week)), match.ErrTime, "too late")
		require.ErrorIs(t, d.accept(1), match.ErrNoOffer)
		require.NoError(t, d.propose(1, in(time.Hour)))
		require.ErrorIs(t, d.accept(1), match.ErrNoOffer, "nobody agrees with themselves")
		require.NoError(t, d.propose(1, in(2*time.Hour)))
		require.NoError(t, d.propose(1, time.Time{}))
		require.ErrorIs(t, d.accept(2), match.ErrNoOffer, "it was taken back")

		at := in(3 * time.Hour)
		require.NoError(t, d.propose(1, at))
		require.NoError(t, d.propose(2, at), "to propose the same is to agree")
		require.Equal(t, at, d.match().At)
		require.NoError(t, d.propose(2, at.Add(time.Hour)))
		require.Equal(t, at, d.match().At, "what is agreed on stays until the other side agrees")
		require.NoError(t, d.accept(1))
		require.Equal(t, at.Add(time.Hour), d.match().At)

		time.Sleep(4 * time.Hour)
		require.NotZero(t, d.match().Pairing)
		require.ErrorIs(t, d.propose(1, in(time.Hour)), match.ErrPlaying)
		d.end(1, table.EndPlayed)
		require.ErrorIs(t, d.propose(1, in(time.Hour)), match.ErrPlaying, "between two games, too")
		time.Sleep(time.Minute)
		d.end(2, table.EndPlayed)
		time.Sleep(time.Minute)
		d.end(2, table.EndForfeit)
		m := d.match()
		require.True(t, m.Done)
		require.Equal(t, table.TeamID(2), m.Sides[m.Winner-1].ID)
		require.False(t, m.Walkover)
		require.ErrorIs(t, d.propose(1, in(time.Hour)), event.ErrOver)
	})
}

// An unanswered proposal holds if it was made a day ahead, but not if it was made an hour ahead.
func TestUnansweredProposals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := begin(t, nil)
		require.NoError(t, d.propose(1, in(time.Hour)))
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		require.Empty(t, d.Tables())
		d.away(20, 21, 22)
		require.NoError(t, d.propose(1, in(25*time.Hour)))
		time.Sleep(25 * time.Hour)
		d.seats()
		time.Sleep(match.Kept)
		m := d.match()
		require.Zero(t, m.Pairing)
		require.False(t, m.Done, "they may still play it")
		v := d.Events.Room(1).View().(*match.View)
		require.Contains(t, v.Remind(&m, 1, false), ", and wins if they don't play; captains propose a time.")
		require.Contains(t, v.Remind(&m, 2, false), ", and loses if they don't play; captains propose a time.")
		time.Sleep(match.Week)
		m = d.match()
		require.True(t, m.Done)
		require.True(t, m.Walkover)
		require.Equal(t, table.TeamID(1), m.Sides[m.Winner-1].ID, "the side that proposed and came")
	})
}

// A proposal that the other side has answered does not hold by itself: neither after a counter-proposal,
// whatever becomes of that, nor after it was declined. The last one holds.
func TestAnsweredProposals(t *testing.T) {
	decline := func(d *duel, team table.TeamID) error {
		return d.do(func(c *match.Core, _ time.Time) ([]event.Entry, error) { return c.Decline(team) })
	}
	for _, answer := range []string{"declined", "countered", "withdrawn", "again"} {
		synctest.Test(t, func(t *testing.T) {
			d := begin(t, nil)
			first, second := in(25*time.Hour), in(26*time.Hour)
			require.ErrorIs(t, decline(d, 2), match.ErrNoOffer)
			require.NoError(t, d.propose(1, first))
			require.True(t, ours(d).Binds(0))
			require.ErrorIs(t, decline(d, 1), match.ErrNoOffer, "nobody declines their own")
			at := time.Time{}
			switch answer {
			case "declined":
				require.NoError(t, decline(d, 2))
				require.Equal(t, first, ours(d).Sides[0].Declined)
			case "countered":
				require.NoError(t, d.propose(2, second))
				require.Equal(t, first, ours(d).Sides[0].Offer, "both are shown")
				at = second
			case "withdrawn":
				require.NoError(t, d.propose(2, second))
				require.NoError(t, d.propose(2, time.Time{}))
			case "again":
				require.NoError(t, d.propose(2, second))
				require.NoError(t, d.propose(1, first.Add(-30*time.Minute)))
				at = first.Add(-30 * time.Minute)
				require.Zero(t, ours(d).At)
			}
			for time.Now().Before(second.Add(time.Minute)) && len(d.Tables()) == 0 {
				time.Sleep(time.Minute)
				synctest.Wait()
			}
			require.Equal(t, !at.IsZero(), len(d.Tables()) == 1, answer)
			if !at.IsZero() {
				require.WithinDuration(t, at, time.Now(), time.Minute)
			}
		})
	}
}

// ours is the match with team 1 as side 0.
func ours(d *duel) *match.Match {
	m := d.match()
	if m.Sides[0].ID != 1 {
		m.Sides[0], m.Sides[1] = m.Sides[1], m.Sides[0]
	}
	return &m
}

// If both sides stay away, or each comes once when the other does not, nobody wins.
func TestNobodyWins(t *testing.T) {
	for _, both := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d := begin(t, nil)
			for team := table.TeamID(1); team <= 2; team++ {
				d.Change(func() {
					for id := range table.PlayerID(30) {
						d.Away[id] = !both || table.TeamID(id/10) != team
					}
				})
				require.NoError(t, d.propose(team, in(25*time.Hour)))
				time.Sleep(26 * time.Hour)
			}
			time.Sleep(match.Week)
			m := d.match()
			require.True(t, m.Done)
			require.Zero(t, m.Winner)
			require.Empty(t, m.Games)
		})
	}
}

// A side that once came alone does not win by that after games were played: at one game each, nobody wins.
func TestWhoCameDecidesNoGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := begin(t, nil)
		d.away(20, 21, 22)
		require.NoError(t, d.propose(1, in(25*time.Hour)))
		time.Sleep(26 * time.Hour)
		synctest.Wait()
		d.Change(func() { clear(d.Away) })
		require.NoError(t, d.propose(2, in(25*time.Hour)))
		time.Sleep(25 * time.Hour)
		d.end(1, table.EndPlayed)
		time.Sleep(time.Minute)
		d.end(2, table.EndPlayed)
		time.Sleep(time.Minute)
		d.end(0, table.EndAbandoned)
		time.Sleep(match.Week)
		m := d.match()
		require.True(t, m.Done)
		require.Len(t, m.Games, 2)
		require.Zero(t, m.Winner)
		require.False(t, m.Walkover)
	})
}

// A side that is absent from a later game loses that game. If neither comes, the rest can be played at
// another time; otherwise the side ahead wins.
func TestLaterGames(t *testing.T) {
	for _, who := range []string{"one", "nobody"} {
		synctest.Test(t, func(t *testing.T) {
			d := begin(t, nil)
			require.NoError(t, d.propose(1, in(25*time.Hour)))
			time.Sleep(25 * time.Hour)
			d.end(1, table.EndPlayed)
			d.Change(func() {
				for id := range table.PlayerID(30) {
					d.Away[id] = id/10 == 2 || who == "nobody"
				}
			})
			time.Sleep(time.Minute)
			d.seats()
			time.Sleep(match.Kept)
			m := d.match()
			if who == "one" {
				require.True(t, m.Done)
				require.Equal(t, table.TeamID(1), m.Sides[m.Winner-1].ID)
				require.Len(t, m.Games, 2)
				require.Zero(t, m.Games[1].ID, "it was not played")
				require.False(t, m.Walkover)
				return
			}
			require.False(t, m.Done)
			require.NoError(t, d.propose(1, in(25*time.Hour)))
			d.Change(func() { clear(d.Away) })
			time.Sleep(25 * time.Hour)
			d.seats()
			d.end(2, table.EndAbandoned)
			require.Len(t, d.match().Games, 2, "the result says who has won")
		})
	}
}

// TestBetweenTwoGames: during a match nobody is asked for a time, or books another match.
func TestBetweenTwoGames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := begin(t, nil)
		require.NoError(t, d.propose(1, in(25*time.Hour)))
		time.Sleep(25 * time.Hour)
		d.end(1, table.EndPlayed)
		require.Empty(t, d.Tables())
		require.ErrorIs(t, d.propose(1, in(time.Hour)), match.ErrPlaying)
		m := d.match()
		require.Equal(t, time.Minute, time.Until(m.PlayedAt()))
		v := d.Events.Room(1).View().(*match.View)
		say, due := v.Reminder(1)
		require.Equal(t, "Your team plays Team 2 now; the table of the next game opens in a moment.", say)
		require.Zero(t, due)
		other := match.Match{Sides: [2]match.Side{{Team: match.Team{ID: 1}}, {Team: match.Team{ID: 3}}}, Closes: time.Now().Add(match.Week)}
		require.Error(t, match.Booked(d.Events, 2, &other, in(time.Hour), other.Sides[:]...))
		time.Sleep(time.Minute)
		d.end(0, table.EndAbandoned)
		m = d.match()
		require.False(t, m.Playing())
		require.NoError(t, d.propose(1, in(time.Hour)))
	})
}

// A game without a result stops the match; the side ahead at the end of its time wins.
func TestGamesWithoutAResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := begin(t, nil)
		require.NoError(t, d.propose(1, in(25*time.Hour)))
		time.Sleep(25 * time.Hour)
		d.end(0, table.EndAbandoned)
		require.Empty(t, d.match().Games)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Empty(t, d.Tables())
		require.NoError(t, d.propose(2, in(25*time.Hour)))
		time.Sleep(25 * time.Hour)
		d.end(0, table.EndPlayed)
		require.Len(t, d.match().Games, 1, "a shared game is a game of the match")
		time.Sleep(time.Minute)
		d.end(2, table.EndPlayed)
		time.Sleep(time.Minute)
		d.end(0, table.EndAbandoned)
		require.False(t, d.match().Done)
		time.Sleep(match.Week)
		m := d.match()
		require.True(t, m.Done)
		require.Equal(t, table.TeamID(2), m.Sides[m.Winner-1].ID)
	})
}

// The captain chooses the players, from the roster at the beginning of the period; otherwise members in the
// club play. A waiting table is made again, and its time goes on.
func TestLineUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := begin(t, nil)
		require.ErrorIs(t, d.lineUp(1, false, 10), match.ErrLineUp)
		require.ErrorIs(t, d.lineUp(1, false, 10, 10), match.ErrLineUp)
		require.ErrorIs(t, d.lineUp(1, false, 10, 20), match.ErrLineUp)
		r := d.Teams[1]
		r.Members = append(r.Members, table.Player{ID: 13, Team: 1})
		d.Change(func() { d.Teams[1] = r })
		require.ErrorIs(t, d.lineUp(1, false, 10, 13), match.ErrLineUp, "has come too late")
		require.NoError(t, d.lineUp(1, false, 12, 10))
		d.away(20)
		require.NoError(t, d.propose(1, in(25*time.Hour)))
		time.Sleep(25 * time.Hour)
		require.Equal(t, [2][2]table.PlayerID{{12, 10}, {21, 22}}, ordered(d))

		time.Sleep(10 * time.Minute)
		require.NoError(t, d.lineUp(2, false, 20, 22))
		require.Equal(t, [2][2]table.PlayerID{{12, 10}, {20, 22}}, ordered(d))
		require.Len(t, d.ClosedTables(), 1)
		time.Sleep(5 * time.Minute)
		m := d.match()
		require.Zero(t, m.Pairing, "20 is not here, and the 15 minutes are over")
		require.True(t, m.Sides[m.Of(1)].Came)

		d.Change(func() { delete(d.Away, 20) })
		require.NoError(t, d.propose(1, in(25*time.Hour)))
		time.Sleep(25 * time.Hour)
		d.seats()
		for _, at := range d.Tables() {
			d.Change(func() { d.Begun[at.ID] = true })
		}
		require.NoError(t, d.lineUp(2, true, 21, 22), "for the next game")
		require.Equal(t, [2][2]table.PlayerID{{12, 10}, {20, 22}}, ordered(d))
		time.Sleep(time.Hour)
		require.NotZero(t, d.match().Pairing, "a game that has begun goes on")
		d.end(2, table.EndPlayed)
		time.Sleep(time.Minute)
		require.Equal(t, [2][2]table.PlayerID{{12, 10}, {21, 22}}, ordered(d))
	})
}

// ordered returns the seats of team 1, then those of team 2.
func ordered(d *duel) [2][2]table.PlayerID {
	s := d.seats()
	if d.match().Sides[0].ID == 2 {
		s[0], s[1] = s[1], s[0]
	}
	return s
}

// A team without enough members loses its next match.
func TestTeamsThatAreGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := eventtest.New(t, event.KindsOf(league.Type))
		for id := table.TeamID(1); id <= 3; id++ {
			h.Teams[id] = event.Roster{Team: id, Members: []table.Player{{ID: table.PlayerID(10 * id)}, {ID: table.PlayerID(10*id + 1)}}}
		}
		h.Start()
		d := &duel{h}
		cfg := league.Config{Config: match.Config{Name: "Trio", Rules: "block", Pace: table.PaceFast}, Window: match.Week, Size: 8}
		_, err := h.Events.Create(context.Background(), event.Make(league.Kind, cfg, in(time.Hour)))
		require.NoError(t, err)
		for id := table.TeamID(1); id <= 3; id++ {
			require.NoError(t, d.do(func(c *match.Core, _ time.Time) ([]event.Entry, error) { return c.SignUp(match.Team{ID: id}, 2) }))
		}
		time.Sleep(time.Hour + time.Minute)
		d.Change(func() { delete(d.Teams, 3) })
		time.Sleep(3 * match.Week)
		d.match()
		all, err := d.Store.Events(context.Background(), league.Kind, 0)
		require.NoError(t, err)
		rules, _, err := event.Replay(context.Background(), d.Store, d.Kinds, all[0])
		require.NoError(t, err)
		for _, m := range rules.View(nil).(*match.View).Matches {
			gone := m.Of(3)
			switch {
			case gone < 0 || m.Round == 1:
				require.Zero(t, m.Winner)
			default:
				require.True(t, m.Walkover)
				require.Equal(t, 2-gone, m.Winner)
			}
		}
	})
}

// Configurations that cannot be played are refused.
func TestValidate(t *testing.T) {
	ok := match.Config{Name: "x", Rules: "block", Pace: table.PaceNormal}
	require.NoError(t, ok.Validate())
	for _, c := range []match.Config{{Rules: "chess", Pace: table.PaceFast}, {Rules: "classic", Pace: table.PaceFast},
		{Rules: "block", Pace: table.PaceSlow}, {Rules: "block rounds=5", Pace: table.PaceFast}} {
		require.Error(t, c.Validate(), "%+v", c)
	}
}

// A lapsed proposal is no longer in a team's reminder.
func TestALapsedProposalIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := begin(t, nil)
		require.NoError(t, d.propose(1, in(time.Hour)))
		time.Sleep(2*time.Hour + time.Minute)
		synctest.Wait()
		what, _ := d.Events.Room(1).View().(*match.View).Reminder(2)
		require.NotContains(t, what, "they propose")
		what, _ = d.Events.Room(1).View().(*match.View).Reminder(1)
		require.NotContains(t, what, "you have proposed")
	})
}

// A deadline without an appointment says whom to play, in words that fit beside its date.
func TestADeadlineSaysWhomToPlay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := begin(t, nil)
		other := ours(d).Sides[1].Name
		all := d.Events.Room(1).View().(*match.View).Appointments(table.Player{ID: 10, Team: 1}, event.Appointment{})
		require.Len(t, all, 1)
		require.Equal(t, "Duel: play "+other+" by then", all[0].Title)
	})
}

// The time during which the server is down does not count towards keeping the seats of a match.
func TestSeatsAreKeptOverAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := begin(t, nil)
		require.NoError(t, d.propose(1, in(25*time.Hour)))
		time.Sleep(25 * time.Hour)
		d.end(1, table.EndPlayed)
		time.Sleep(time.Minute)
		d.seats() // of the second game
		time.Sleep(time.Minute)
		d.Stop()
		time.Sleep(30 * time.Minute)
		d.away(10, 11, 12, 20, 21, 22) // they were disconnected
		d.Start()
		time.Sleep(30 * time.Second)
		d.Change(func() { delete(d.Away, 10); delete(d.Away, 11); delete(d.Away, 12) })
		d.Events.Recheck()
		time.Sleep(90 * time.Second)
		d.Change(func() { clear(d.Away) })
		d.Events.Recheck()
		m := d.match()
		require.False(t, m.Done, "%+v", m.Games)
		d.seats()
	})
}

// A result that was written just before the club was closed is taken after it has opened. That does not make the
// club one that was open when the period of other matches ended.
func TestAResultThatIsTakenLateCostsOtherMatchesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := beginWith(t, 4, nil)
		all := func() []match.Match { return d.Events.Room(1).View().(*match.View).Matches }
		m := d.Events.Room(1).View().(*match.View).Current(1)
		require.NoError(t, d.propose(1, in(match.Week-2*time.Hour)))
		require.NoError(t, d.accept(m.Sides[1-m.Of(1)].Team.ID))
		time.Sleep(match.Week - 2*time.Hour)
		synctest.Wait()
		require.Len(t, d.Tables(), 1)
		for of := range d.Tables() {
			d.Play(of, table.Result{Ending: table.EndPlayed, Scores: []int{50, 20}, Winner: 1})
		}
		d.Stop()
		time.Sleep(9 * 24 * time.Hour)
		d.Start()
		time.Sleep(time.Minute)
		require.Len(t, all()[m.No-1].Games, 1)
		for _, other := range all()[:2] {
			if other.No != m.No {
				require.False(t, other.Done)
				require.InDelta(t, 24, time.Until(other.Closes).Hours(), 0.1)
			}
		}
	})
}

// TestAMatchWhoseTimeEndsWhileTheClubIsClosed: it gets another day, even if the club was closed at the agreed
// time, or all the time. If the club is open at the end of that day, the match is over.
func TestAMatchWhoseTimeEndsWhileTheClubIsClosed(t *testing.T) {
	for _, when := range []string{"no time agreed on", "just before its end"} {
		for _, played := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				d := begin(t, nil)
				if when == "just before its end" {
					require.NoError(t, d.propose(1, in(match.Week-2*time.Minute)))
					require.NoError(t, d.accept(2))
				}
				time.Sleep(match.Week - time.Hour)
				d.Stop()
				time.Sleep(9 * 24 * time.Hour)
				d.Start()
				if when == "just before its end" {
					d.away(20, 21, 22)
					d.seats()
					time.Sleep(match.Kept + 2*time.Minute)
				}
				m := d.match()
				require.False(t, m.Done, when)
				require.InDelta(t, 24, time.Until(m.Closes).Hours(), 0.1, when)
				winner := 0
				if played {
					require.NoError(t, d.propose(1, in(time.Hour)))
					require.NoError(t, d.accept(2))
					d.Change(func() { clear(d.Away) })
					time.Sleep(time.Hour)
					d.end(2, table.EndPlayed)
					time.Sleep(2 * time.Minute)
					d.end(2, table.EndPlayed)
					winner = 1 + m.Of(2)
				}
				time.Sleep(25 * time.Hour)
				m = d.match()
				require.True(t, m.Done, when)
				require.Equal(t, winner, m.Winner, when)
			})
		}
	}
	synctest.Test(t, func(t *testing.T) { // all the time
		d := begin(t, func(h *eventtest.Hall) {
			for id := table.TeamID(3); id <= 4; id++ {
				h.AddTeam(id, 1500, 3)
				require.NoError(t, h.Events.Room(1).Do(context.Background(), func(r event.Rules, _ time.Time) ([]event.Entry, error) {
					return r.(*match.Core).SignUp(match.Team{ID: id, Tag: fmt.Sprint("T", id)}, 3)
				}))
			}
		})
		time.Sleep(time.Hour)
		d.Stop()
		time.Sleep(5 * match.Week)
		d.Start()
		synctest.Wait()
		all := d.Events.Room(1).View().(*match.View).Matches
		require.Len(t, all, 6)
		for i := range all {
			require.False(t, all[i].Done)
			require.InDelta(t, 24, time.Until(all[i].Closes).Hours(), 0.1, "match %d", all[i].No)
		}
		time.Sleep(25 * time.Hour)
		synctest.Wait()
		require.Nil(t, d.Events.Room(1))
	})
}

// TestAnOutageMakesNobodyAbsent: the club is closed when the time for a game comes, or while seats are kept,
// and opens hours later. A side that happens to be there wins nothing, and the match can be played later.
func TestAnOutageMakesNobodyAbsent(t *testing.T) {
	for _, game := range []int{1, 2} {
		for _, when := range []string{"before the table", "while the seats are kept"} {
			synctest.Test(t, func(t *testing.T) {
				d := begin(t, nil)
				require.NoError(t, d.propose(1, in(25*time.Hour)))
				time.Sleep(25*time.Hour - time.Second)
				if game == 2 {
					time.Sleep(time.Second)
					d.end(2, table.EndPlayed)
				}
				if when != "before the table" {
					time.Sleep(2 * time.Minute)
					d.seats()
				}
				d.Stop()
				d.away(20, 21, 22)
				time.Sleep(5 * time.Hour)
				d.Start()
				d.seats()
				time.Sleep(match.Kept + 2*time.Minute)
				m := d.match()
				require.Len(t, m.Games, game-1, "%s of game %d", when, game)
				require.False(t, m.Sides[0].Came)
				require.Zero(t, m.Pairing)
				require.NoError(t, d.propose(1, in(25*time.Hour)), "at another time")
				time.Sleep(match.Week)
				m = d.match()
				require.True(t, m.Done)
				require.Equal(t, table.TeamID(1), m.Sides[m.Winner-1].ID, "the others did not come, and the club was open")
			})
		}
	}
}
