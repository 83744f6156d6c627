package table_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
)

// restart kills the table and starts it anew from what is on disk, after a time during which the server is down.
func (f *fixture) restart(down time.Duration) {
	f.tb.Helper()
	disk := f.journal.clone()
	require.NoError(f.tb, f.Close(context.Background())) // writes to the disk that is left behind
	f.journal, f.deps.Journal = disk, disk
	time.Sleep(down)
	saved, err := disk.Load(context.Background())
	require.NoError(f.tb, err)
	require.Len(f.tb, saved, 1)
	t, err := table.Restore(f.deps, saved[0])
	require.NoError(f.tb, err)
	f.Table = t
	clear(f.seen)
	f.tb.Cleanup(func() { _ = t.Close(context.Background()) })
}

func TestRestart(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic", 3) }), func(t *testing.T, f *fixture) {
		f.seat(ana, ben, cal)
		for range 60 {
			p, v := f.turn(ana, ben, cal)
			if v.State == table.Scoring {
				time.Sleep(20 * time.Second)
				continue
			}
			f.play(p, v)
		}
		said := chat("still here")
		said.ID = "said"
		f.must(ana, said)
		p, before := f.turn(ana, ben, cal)
		time.Sleep(31 * time.Second) // one second of the bank
		move := moveOf(before)
		move.ID = "last"
		f.must(p, move)
		f.turn(ana, ben, cal)
		old := map[table.PlayerID]*table.View{}
		for _, q := range []table.Player{ana, ben, cal, eve} {
			old[q.ID] = f.see(q)
		}
		time.Sleep(10 * time.Second)

		f.restart(time.Hour)
		for _, q := range []table.Player{ana, ben, cal} {
			v, o := f.see(q), old[q.ID]
			require.Equal(t, o.Play, v.Play)
			require.Equal(t, o.POV, v.POV)
			require.Greater(t, v.Version, o.Version)
			require.Equal(t, len(o.Log), len(v.Log))
			for i := range o.Log {
				a, b := o.Log[i], v.Log[i]
				a.Version, b.Version = 0, 0
				a.At, b.At = a.At.UTC(), b.At.UTC()
				require.Equal(t, a, b)
			}
			require.Equal(t, "still here", v.Chat[len(v.Chat)-1].Text)
			require.Equal(t, o.Commitment, v.Commitment)
			require.Equal(t, o.Rated, v.Rated)
			for i := range v.Seats {
				require.Equal(t, o.Seats[i].Bank, v.Seats[i].Bank)
				require.Equal(t, o.Seats[i].Player, v.Seats[i].Player)
				require.Equal(t, table.Disconnected, v.Seats[i].Presence)
			}
			require.Zero(t, v.TurnEnds, "nobody is here yet")
		}
		time.Sleep(time.Hour)
		f.Presence(ben.ID, table.Here)
		v := f.see(eve)
		require.Equal(t, 50*time.Second, time.Until(v.TurnEnds), "the turn and 20 s")
		f.must(p, move) // acknowledged before, and sent again
		f.must(ana, said)
		require.Equal(t, v.Play, f.see(eve).Play)
		require.Equal(t, len(old[eve.ID].Chat), len(f.see(eve).Chat))
		f.Presence(ana.ID, table.Here)
		f.Presence(cal.ID, table.Here)
		f.journal.checkRecord(t, f.playOut(ana, ben, cal).Game)
	})
}

func TestRestartAfterDrainKeepsTheClock(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		_, _, v := begin(f)
		time.Sleep(40 * time.Second)
		require.NoError(t, f.Drain(context.Background()))
		w := f.see(eve)
		require.Zero(t, w.TurnEnds)
		require.NotEmpty(t, w.Notice)
		require.ErrorIs(t, f.do(ana, chat("hm")), table.ErrDraining)
		require.NoError(t, f.Drain(context.Background()))
		time.Sleep(time.Hour)
		f.restart(time.Hour)
		f.Presence(ana.ID, table.Here)
		w = f.see(eve)
		require.Equal(t, 20*time.Second, time.Until(w.TurnEnds))
		require.Equal(t, 110*time.Second, w.Seats[v.POV-1].Bank)
	})
}

// A table that cannot be written while the server goes down says so each time it is asked, also to whoever closes it, and who
// looks on reads why nothing moves.
func TestDrainWithoutAJournal(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		begin(f)
		time.Sleep(40 * time.Second) // the clock is to be written
		f.journal.setFail(table.ErrUnavailable)
		for range 2 {
			require.ErrorIs(t, f.Drain(context.Background()), table.ErrUnavailable)
			require.Equal(t, table.ErrDraining.Error(), f.see(eve).Notice)
			require.ErrorIs(t, f.do(ana, chat("hm")), table.ErrDraining)
		}
		require.ErrorIs(t, f.Close(context.Background()), table.ErrUnavailable)
		require.ErrorIs(t, f.Close(context.Background()), table.ErrUnavailable)
	})
}

// The state of a table that was killed right after a game's end was written before the ratings were known.
func TestRestartKeepsWhatAGameDidToTheRatings(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		want := f.playOut(ana, ben).Result
		require.NotEmpty(t, want.Changes)
		f.restart(0)
		require.Equal(t, want, f.see(eve).Result)
	})
}

func TestVersionsAreNeverShownTwice(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		for range 3 {
			for range 1200 { // nothing of this is kept on disk
				f.Presence(ana.ID, table.Disconnected)
				f.Presence(ana.ID, table.Here)
			}
			last := f.see(eve).Version
			f.restart(0)
			require.Greater(t, f.see(eve).Version, last)
		}
	})
}

func TestRestartOfAFinishedTable(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic target=20", 2) }), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		end := f.playOut(ana, ben)
		f.restart(time.Minute)
		f.Presence(ana.ID, table.Here)
		f.Presence(ben.ID, table.Here)
		v := f.see(ana)
		require.Equal(t, table.Gathering, v.State)
		require.Equal(t, end.Result.Winner, v.Result.Winner)
		f.seat(ana, ben)
		require.Equal(t, end.Game+1, f.see(ana).Game)
	})
}

func TestGuestsDoNotComeBack(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic", 3) }), func(t *testing.T, f *fixture) {
		f.seat(ana, guest, ben)
		f.restart(time.Second)
		v := f.see(eve)
		require.Equal(t, table.Regular, v.Seats[1].House)
		require.Equal(t, "ana", v.Seats[0].Name())
		require.Equal(t, table.Playing, v.State)
	})
	bubble(t, config(func(c *table.Config) { c.Fill = table.FillNow }), func(t *testing.T, f *fixture) {
		f.must(guest, sit(1))
		f.must(guest, ready(true))
		game := f.see(guest).Game
		require.NotZero(t, game)
		f.restart(time.Second)
		time.Sleep(3 * time.Minute)
		<-f.Done()
		require.Equal(t, table.EndAbandoned, f.journal.games[game].end.Ending)
		require.Empty(t, f.journal.tables)
	})
}

func TestRestartWhileItStandsStill(t *testing.T) {
	for _, test := range []struct {
		state table.State
		enter func(f *fixture)
		check func(t *testing.T, f *fixture)
	}{
		{table.Paused, func(f *fixture) { f.must(ana, table.Command{Kind: table.Pause, On: true}) }, func(t *testing.T, f *fixture) {
			require.Equal(t, 2*time.Minute, time.Until(f.see(eve).Deadline))
			require.Equal(t, 1, f.see(eve).Seats[0].Pauses)
			f.must(ana, table.Command{Kind: table.Pause})
			require.Equal(t, table.Playing, f.see(eve).State)
		}},
		{table.Adjourned, func(f *fixture) {
			f.Presence(ben.ID, table.Disconnected)
			f.must(ana, vote(table.VoteAdjourn))
		}, func(t *testing.T, f *fixture) {
			f.Presence(ana.ID, table.Here)
			require.Equal(t, table.Adjourned, f.see(eve).State)
			f.Presence(ben.ID, table.Here)
			require.Equal(t, table.Playing, f.see(eve).State)
		}},
	} {
		t.Run(string(test.state), func(t *testing.T) {
			bubble(t, config(nil), func(t *testing.T, f *fixture) {
				begin(f)
				test.enter(f)
				require.Equal(t, test.state, f.see(eve).State)
				f.restart(time.Hour)
				require.Equal(t, test.state, f.see(eve).State)
				test.check(t, f)
			})
		})
	}
}

func TestADamagedTableIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, 1, config(nil))
		p, _, v := begin(f)
		f.play(p, v)
		saved, err := f.journal.Load(context.Background())
		require.NoError(t, err)
		good := saved[0]
		for name, damage := range map[string]func(*table.Saved){
			"state":     func(s *table.Saved) { s.State = []byte("{") },
			"rules":     func(s *table.Saved) { s.State = []byte(`{"config":{"rules":"whist"}}`) },
			"a row":     func(s *table.Saved) { s.Rows[len(s.Rows)-1].Line = "1 0-0 R = 3 +90" },
			"a hand":    func(s *table.Saved) { s.Rows[9].Line = "deal 1 0-0" },
			"no rows":   func(s *table.Saved) { s.Rows = nil },
			"no start":  func(s *table.Saved) { s.Start = nil },
			"no game":   func(s *table.Saved) { s.Game = 0 },
			"the seed":  func(s *table.Saved) { s.Start.Seed = rules.Seed{}.String() },
			"the seats": func(s *table.Saved) { s.Start.Seats = s.Start.Seats[:1] },
		} {
			s := good
			start := *good.Start
			s.Start, s.Rows = &start, append([]table.Row(nil), good.Rows...)
			damage(&s)
			_, err := table.Restore(f.deps, s)
			require.ErrorIs(t, err, table.ErrSaved, name)
		}
	})
}
