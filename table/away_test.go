package table_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
)

func vote(v table.Vote) table.Command { return table.CastVote{Vote: v, On: true} }

func absence(a table.Absence) table.Config {
	return config(func(c *table.Config) { c.Absence = a })
}

// timeOut lets a player run out of time twice, while the other moves.
func timeOut(f *fixture, p, other table.Player) {
	f.tb.Helper()
	for range 50 {
		v := f.see(other)
		if q := v.Seats[f.see(p).POV-1]; q.Presence == table.Absent || v.State == table.Finished {
			return
		}
		switch {
		case v.Play.Duty == rules.Play:
			f.play(other, v)
		case v.BankEnds.IsZero():
			time.Sleep(time.Second)
		default:
			time.Sleep(time.Until(v.BankEnds))
		}
	}
	f.tb.Fatal("not absent")
}

func TestATableThatWaits(t *testing.T) {
	waiting := func(f *fixture) (p, other table.Player) {
		p, other, _ = begin(f)
		timeOut(f, p, other)
		for range 50 {
			v := f.see(other)
			if v.State == table.Waiting {
				return p, other
			}
			if v.Play.Duty == rules.Play {
				f.play(other, v)
			}
			time.Sleep(time.Second)
		}
		f.tb.Fatal("the table does not wait")
		return p, other
	}
	t.Run("claim", within(absence(table.AbsenceWait), func(t *testing.T, f *fixture) {
		p, other := waiting(f)
		seat := f.see(p).POV
		require.WithinDuration(t, time.Now().Add(24*time.Hour), f.see(other).Deadline, time.Second)
		require.ErrorIs(t, f.do(other, vote(table.VoteClaim)), table.ErrClaim)
		time.Sleep(24 * time.Hour)
		require.Equal(t, table.Waiting, f.see(other).State)
		f.must(other, vote(table.VoteClaim))
		v := f.see(other)
		require.Equal(t, table.Finished, v.State)
		require.Equal(t, table.EndForfeit, v.Result.Ending)
		require.EqualValues(t, 3-seat, v.Result.Winner)
		require.True(t, v.Result.Rated)
		f.journal.checkRecord(t, v.Game)
	}))
	t.Run("return", within(absence(table.AbsenceWait), func(t *testing.T, f *fixture) {
		p, _ := waiting(f)
		time.Sleep(23 * time.Hour)
		f.must(p, table.Return{})
		v := f.see(p)
		require.Equal(t, table.Playing, v.State)
		require.NotEmpty(t, v.Play.Options)
		require.Equal(t, 30*time.Second, time.Until(v.TurnEnds))
	}))
	t.Run("bot by vote", within(absence(table.AbsenceWait), func(t *testing.T, f *fixture) {
		p, other := waiting(f)
		f.must(other, vote(table.VoteBot))
		v := f.see(other)
		require.Equal(t, table.Playing, v.State)
		require.True(t, v.Seats[f.see(p).POV-1].StandIn)
		require.ErrorIs(t, f.do(other, vote(table.VoteBot)), table.ErrNotNow)
	}))
}

func TestATableThatForfeits(t *testing.T) {
	bubble(t, absence(table.AbsenceForfeit), func(t *testing.T, f *fixture) {
		p, other, v := begin(f)
		timeOut(f, p, other)
		w := f.see(other)
		require.Equal(t, table.Finished, w.State)
		require.Equal(t, table.EndForfeit, w.Result.Ending)
		require.EqualValues(t, 3-v.POV, w.Result.Winner)
		require.Contains(t, f.journal.text(v.Game), "The game is forfeited: "+other.Name+" wins.")
		require.NotEmpty(t, w.Seed)
		require.Zero(t, w.Play.Open, "nobody lays open a hand that was not played out")
	})
}

func TestForfeitAmongFour(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic", 4); c.Absence = table.AbsenceForfeit }), func(t *testing.T, f *fixture) {
		f.seat(ana, ben, cal, dan)
		f.must(cal, table.Resign{})
		v := f.see(ana)
		require.Equal(t, table.EndAbandoned, v.Result.Ending, "nobody is ahead")
		require.Zero(t, v.Result.Winner)
		require.True(t, v.Result.Rated, "for the player who has left")
		require.Equal(t, []int{3}, v.Result.Leavers)
	})
}

func TestVotes(t *testing.T) {
	teams := config(func(c *table.Config) { four(c); c.Pace = table.PaceRelaxed })
	bubble(t, teams, func(t *testing.T, f *fixture) {
		f.seat(ana, ben, cal, dan)
		require.ErrorIs(t, f.do(ana, vote(table.VoteAdjourn)), table.ErrNobodyAway)
		f.Presence(dan.ID, table.Disconnected)
		f.must(ana, vote(table.VoteAdjourn))
		f.must(cal, vote(table.VoteAdjourn))
		v := f.see(ana)
		require.Equal(t, table.Playing, v.State, "each side has to agree that has somebody here")
		half := table.Tally{For: 1, Of: 2, Own: true}
		require.Equal(t, half, v.Votes[table.VoteAdjourn])
		f.must(cal, table.CastVote{Vote: table.VoteAdjourn})
		require.Equal(t, half, f.see(ana).Votes[table.VoteAdjourn])
		f.must(ben, vote(table.VoteAdjourn))
		require.Equal(t, table.Adjourned, f.see(ana).State)

		f.Presence(ana.ID, table.Left) // adjourned until all are there
		f.Presence(dan.ID, table.Here)
		time.Sleep(10 * 24 * time.Hour)
		require.Equal(t, table.Adjourned, f.see(ben).State)
		f.Presence(ana.ID, table.Here)
		require.Equal(t, table.Playing, f.see(ben).State)

		f.Presence(ben.ID, table.Disconnected)
		f.Presence(dan.ID, table.Disconnected)
		f.must(ana, vote(table.VoteBot)) // the other side has nobody to ask
		v = f.see(ana)
		require.True(t, v.Seats[1].StandIn)
		require.True(t, v.Seats[3].StandIn)
		require.Empty(t, v.Votes)
		f.Presence(ben.ID, table.Here)
		require.False(t, f.see(ana).Seats[1].StandIn)
		f.journal.checkRecord(t, v.Game)
	})
}

// A game that is adjourned between two rounds goes on there.
func TestAdjournedBetweenRounds(t *testing.T) {
	bubble(t, config(func(c *table.Config) { c.Pace = table.PaceRelaxed }), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		p, v := f.turn(ana, ben)
		for ; v.State == table.Playing; p, v = f.turn(ana, ben) {
			f.play(p, v)
		}
		require.Equal(t, table.Scoring, v.State)
		require.ErrorIs(t, f.do(ana, table.Move{Version: v.Version}), table.ErrNotYourTurn)
		f.Presence(ben.ID, table.Disconnected)
		f.must(ana, vote(table.VoteAdjourn))
		require.Equal(t, table.Adjourned, f.see(ana).State)
		f.restart(time.Hour)
		f.Presence(ana.ID, table.Here)
		require.Equal(t, table.Adjourned, f.see(ana).State)
		f.Presence(ben.ID, table.Here)
		require.Equal(t, table.Scoring, f.see(ana).State)
		for _, p := range []table.Player{ana, ben} {
			f.must(p, table.Continue{})
		}
		v = f.see(ana)
		require.Equal(t, table.Playing, v.State)
		require.Equal(t, 2, v.Play.Round)
		f.journal.checkRecord(t, v.Game)
	})
}

func TestVotesAreForgottenWhenThePlayerComesBack(t *testing.T) {
	bubble(t, config(four), func(t *testing.T, f *fixture) {
		f.seat(ana, ben, cal, dan)
		f.Presence(dan.ID, table.Disconnected)
		f.must(ana, vote(table.VoteBot))
		require.True(t, f.see(ana).Votes[table.VoteBot].Own)
		require.False(t, f.see(cal).Votes[table.VoteBot].Own, "it is her partner's")
		f.must(ana, table.CastVote{Vote: table.VoteBot})
		require.Empty(t, f.see(ana).Votes)
		f.must(ana, vote(table.VoteBot))
		f.Presence(dan.ID, table.Here)
		require.Empty(t, f.see(ana).Votes)
	})
}

// A vote about a player who has come back is dropped, though somebody else is still away, and does not apply
// to the next absence.
func TestAVoteIsAboutOneAbsence(t *testing.T) {
	cfg := config(func(c *table.Config) {
		setRules(c, "classic", 4)
		c.Pace, c.Absence = table.PaceNone, table.AbsenceWait
	})
	for _, what := range []table.Vote{table.VoteClaim, table.VoteBot} {
		t.Run(string(what), within(cfg, func(t *testing.T, f *fixture) {
			f.seat(ana, ben, cal, dan)
			f.Presence(dan.ID, table.Disconnected)
			for _, p := range []table.Player{ana, ben, cal} {
				f.must(p, vote(table.VoteBot))
			}
			p, v := f.turn(ana, ben, cal)
			require.True(t, v.Seats[3].StandIn)
			others := slices.DeleteFunc([]table.Player{ana, ben, cal}, func(o table.Player) bool { return o.ID == p.ID })

			f.Presence(p.ID, table.Disconnected)
			time.Sleep(25 * time.Hour)
			require.Equal(t, table.Waiting, f.see(others[0]).State)
			f.must(others[0], vote(what))
			f.Presence(p.ID, table.Here)
			require.Empty(t, f.see(others[0]).Votes)

			f.Presence(p.ID, table.Disconnected)
			time.Sleep(time.Hour)
			f.Presence(others[1].ID, table.Disconnected)
			require.Equal(t, table.Waiting, f.see(others[0]).State)
		}))
	}
}

func TestResign(t *testing.T) {
	resign := table.Resign{}
	casual := func(c *table.Config) { setRules(c, "classic target=100", 2) }
	t.Run("a bot takes over", within(config(casual), func(t *testing.T, f *fixture) {
		require.ErrorIs(t, f.do(ana, resign), table.ErrNotSeated)
		p, other, v := begin(f)
		require.NotZero(t, f.see(p).Play.Hand)
		f.must(p, table.Stand{}) // during a game that is the same
		w := f.see(other)
		q := w.Seats[v.POV-1]
		require.Equal(t, table.Regular, q.House)
		require.Equal(t, p.Name, q.Name(), "the record keeps the name")
		require.Zero(t, w.SeatOf(p.ID))
		require.Zero(t, f.see(p).POV)
		require.Zero(t, f.see(p).Play.Hand, "a player who has left sees no hand")
		require.ErrorIs(t, f.do(p, table.Return{}), table.ErrNotSeated)
		end := f.playOut(other)
		require.Equal(t, table.EndPlayed, end.Result.Ending)
		require.True(t, end.Seats[v.POV-1].Free())
		f.journal.checkRecord(t, end.Game)
	}))
	t.Run("leaving a rated game is a loss", within(config(nil), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		f.must(ana, resign)
		v := f.see(ben)
		require.Equal(t, table.EndForfeit, v.Result.Ending)
		require.Equal(t, 2, v.Result.Winner)
		require.True(t, v.Result.Rated)
		require.Equal(t, []int{1}, v.Result.Leavers)
		require.Contains(t, v.Result.Why, "ana has resigned.")
	}))
	t.Run("among three a bot plays on", within(config(func(c *table.Config) { setRules(c, "classic", 3) }), func(t *testing.T, f *fixture) {
		f.seat(ana, ben, cal)
		f.must(cal, resign)
		require.Equal(t, table.Playing, f.see(ana).State)
		f.must(ben, resign)
		v := f.see(ana)
		require.Equal(t, table.EndForfeit, v.Result.Ending)
		require.Equal(t, 1, v.Result.Winner, "the last who stays")
		require.Equal(t, []int{2, 3}, v.Result.Leavers)
	}))
	t.Run("the last to leave", within(config(casual), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		f.must(ana, resign)
		f.must(ben, resign)
		v := f.see(eve)
		require.Equal(t, table.EndAbandoned, v.Result.Ending)
		require.Equal(t, table.Finished, v.State)
	}))
	t.Run("a rated team game", func(t *testing.T) {
		a, b, c, d := inTeam(ana, 7), inTeam(ben, 9), inTeam(cal, 7), inTeam(dan, 9)
		bubble(t, config(func(c *table.Config) { four(c); c.Access = table.AccessTeams }), func(t *testing.T, f *fixture) {
			f.seat(a, b, c, d)
			f.must(c, resign)
			require.Equal(t, table.Playing, f.see(a).State, "her partner has to agree")
			require.True(t, f.see(a).Seats[2].Resigns)
			f.must(c, resign)
			f.must(c, table.Stand{})
			require.True(t, f.see(a).Seats[2].Resigns, "to ask again is not to take it back")
			f.must(c, table.Resign{Back: true})
			require.False(t, f.see(a).Seats[2].Resigns, "taken back")
			f.must(a, table.Resign{Back: true})
			require.False(t, f.see(a).Seats[0].Resigns, "there was nothing to take back")
			f.must(c, resign)
			f.must(a, resign)
			v := f.see(a)
			require.Contains(t, v.Result.Why, "ana and cal have resigned.")
			require.Equal(t, table.EndForfeit, v.Result.Ending)
			require.Equal(t, 2, v.Result.Winner)
			require.True(t, v.Result.Rated)
		})
	})
	t.Run("a guest whose connection is lost", within(config(nil), func(t *testing.T, f *fixture) {
		f.seat(ana, guest)
		f.Presence(guest.ID, table.Disconnected)
		v := f.see(ana)
		require.Equal(t, table.Regular, v.Seats[1].House)
		require.Contains(t, f.journal.text(v.Game), "# guest-elm has left the game; a bot plays on.")
	}))
}

// A player who does not move at a table without clocks is named to those who may vote about it; if only a bot
// waits, to nobody.
func TestWhoDoesNotMoveIsNamedToOthers(t *testing.T) {
	for _, alone := range []bool{false, true} {
		bubble(t, config(func(c *table.Config) { c.Pace = table.PaceNone }), func(t *testing.T, f *fixture) {
			people := []table.Player{ana, ben}
			if alone {
				people = people[:1]
				f.must(ana, table.Sit{Seat: 1})
				f.must(ana, table.AddBot{Seat: 2})
			}
			f.seat(people...)
			p, _ := f.turn(people...)
			time.Sleep(5 * time.Minute)
			told := slices.ContainsFunc(f.see(p).Chat, func(l table.ChatLine) bool {
				return strings.HasPrefix(l.Text, p.Name+" has not moved for 3 minutes;")
			})
			require.Equal(t, !alone, told)
		})
	}
}
