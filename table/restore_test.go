package table_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
)

// restart kills the table and restarts it from disk, after a time of downtime.
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
		require.NoError(t, f.once(ana, "said", said))
		p, before := f.turn(ana, ben, cal)
		time.Sleep(31 * time.Second) // one second of the bank
		move := moveOf(before)
		require.NoError(t, f.once(p, "last", move))
		f.turn(ana, ben, cal)
		old := map[table.PlayerID]*table.View{}
		for _, q := range []table.Player{ana, ben, cal, eve} {
			old[q.ID] = f.see(q)
		}
		time.Sleep(10 * time.Second)

		var banks [rules.MaxSeats]time.Duration
		for i := range old[eve.ID].Seats {
			banks[i], _ = f.Left(rules.Seat(i + 1))
		}
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
				bank, _ := f.Left(rules.Seat(i + 1))
				require.Equal(t, banks[i], bank)
				require.Equal(t, o.Seats[i].Player, v.Seats[i].Player)
				require.Equal(t, table.Disconnected, v.Seats[i].Presence)
			}
			require.Zero(t, v.TurnEnds, "nobody is here yet")
		}
		time.Sleep(time.Hour)
		f.Presence(ben.ID, table.Here)
		v := f.see(eve)
		require.Equal(t, 50*time.Second, time.Until(v.TurnEnds), "the turn and 20 s")
		require.NoError(t, f.once(p, "last", move)) // acknowledged before, and sent again
		require.NoError(t, f.once(ana, "said", said))
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
		bank, _ := f.Left(v.POV)
		require.Equal(t, 110*time.Second, bank)
	})
}

// The consequences of a move are not written beside its line: a restart gives the next turn its whole time.
func TestAMoveRewritesNoTable(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		p, _, v := begin(f)
		time.Sleep(20 * time.Second)
		f.journal.refuse = func(b *table.Batch) error {
			require.Nil(t, b.State)
			return nil
		}
		f.play(p, v)
		f.journal.refuse = nil
		p, _ = f.turn(ana, ben)
		time.Sleep(10 * time.Second)
		f.restart(time.Hour)
		f.Presence(p.ID, table.Here)
		require.Equal(t, 50*time.Second, time.Until(f.see(eve).TurnEnds))
	})
}

// Programs that wrote a table with each of its rows did not say with which.
func TestRestartOfATableWrittenWithEachRow(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		_, _, v := begin(f)
		time.Sleep(25 * time.Second)
		require.NoError(t, f.Drain(context.Background()))
		disk := f.journal.tables[f.ID()]
		state := bytes.Replace(disk.state, fmt.Appendf(nil, `,"rows":%d`, len(f.journal.games[v.Game].rows)), nil, 1)
		require.Less(t, len(state), len(disk.state))
		disk.state = state
		f.restart(time.Hour)
		f.Presence(ana.ID, table.Here)
		require.Equal(t, 25*time.Second, time.Until(f.see(eve).TurnEnds))
	})
}

// If a table cannot be written while the server goes down, Drain and Close return the error each time, and
// watchers read why nothing moves.
func TestDrainWithoutAJournal(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		begin(f)
		time.Sleep(40 * time.Second) // the clock is to be written
		require.Empty(t, f.see(eve).Notice)
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

// In a cluster a guest's session may go on at another node: the seat waits for that long, but no longer.
func TestGuestsComeBackInACluster(t *testing.T) {
	const kept = 15 * time.Second
	playing := func(f *fixture) {
		f.deps.Times = table.DefaultTimes()
		f.deps.Times.Guest = kept
		f.seat(ana, guest, ben)
		f.restart(time.Second)
		f.Presence(ana.ID, table.Here)
		f.Presence(ben.ID, table.Here)
		time.Sleep(kept - time.Second)
		require.Empty(f.tb, f.see(eve).Seats[1].House)
		require.Equal(f.tb, table.Disconnected, f.see(eve).Seats[1].Presence)
	}
	three := config(func(c *table.Config) { setRules(c, "classic", 3) })
	t.Run("in time", within(three, func(t *testing.T, f *fixture) {
		playing(f)
		f.Presence(guest.ID, table.Here)
		time.Sleep(time.Minute)
		require.Empty(t, f.see(eve).Seats[1].House)
		require.Equal(t, guest.Name, f.see(eve).Seats[1].Name())

		f.Presence(guest.ID, table.Disconnected)
		time.Sleep(kept - 1)
		require.Empty(t, f.see(eve).Seats[1].House)
		f.Presence(guest.ID, table.Here)
		f.Presence(guest.ID, table.Left)
		require.Equal(t, table.Regular, f.see(eve).Seats[1].House, "who hangs up does not come back")
	}))
	t.Run("too late", within(three, func(t *testing.T, f *fixture) {
		playing(f)
		time.Sleep(time.Second)
		require.Equal(t, table.Regular, f.see(eve).Seats[1].House)
		f.Presence(guest.ID, table.Here)
		require.Equal(t, table.Regular, f.see(eve).Seats[1].House)
	}))
	t.Run("before a game", within(three, func(t *testing.T, f *fixture) {
		f.deps.Times = table.DefaultTimes()
		f.deps.Times.Guest = kept
		f.must(ana, sit(1))
		f.must(guest, sit(2))
		f.restart(time.Second)
		f.Presence(ana.ID, table.Here)
		require.Equal(t, guest.Name, f.see(eve).Seats[1].Name())
		time.Sleep(kept)
		require.Empty(t, f.see(eve).Seats[1].Name())
	}))
}

func TestRestartWhileItStandsStill(t *testing.T) {
	for _, test := range []struct {
		state table.State
		enter func(f *fixture)
		check func(t *testing.T, f *fixture)
	}{
		{table.Paused, func(f *fixture) { f.must(ana, table.Pause{On: true}) }, func(t *testing.T, f *fixture) {
			require.Equal(t, 2*time.Minute, time.Until(f.see(eve).Deadline))
			_, pauses := f.Left(1)
			require.Equal(t, 1, pauses)
			f.must(ana, table.Pause{})
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
		t.Run(string(test.state), within(config(nil), func(t *testing.T, f *fixture) {
			begin(f)
			test.enter(f)
			require.Equal(t, test.state, f.see(eve).State)
			f.restart(time.Hour)
			require.Equal(t, test.state, f.see(eve).State)
			test.check(t, f)
		}))
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
			"state":    func(s *table.Saved) { s.State = []byte("{") },
			"rules":    func(s *table.Saved) { s.State = []byte(`{"config":{"rules":"whist"}}`) },
			"a row":    func(s *table.Saved) { s.Rows[len(s.Rows)-1].Line = "1 0-0 R = 3 +90" },
			"a hand":   func(s *table.Saved) { s.Rows[9].Line = "deal 1 0-0" },
			"no rows":  func(s *table.Saved) { s.Rows = nil },
			"no start": func(s *table.Saved) { s.Start = nil },
			"no game":  func(s *table.Saved) { s.Game = 0 },
			"the seed": func(s *table.Saved) { s.Start.Seed = rules.Seed{}.String() },
			"the chat": func(s *table.Saved) { s.Fault = errors.New("unexpected end of JSON input") },
			"nonsense": func(s *table.Saved) {
				s.State = bytes.Replace(s.State, []byte(`"clock":{"seat":`), []byte(`"clock":{"seat":7`), 1)
			},
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

// A repeated command is acknowledged after a kill and a restart, even the one that ended a game.
func TestOrdersOfAGameThatIsOverAreRememberedAfterARestart(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic target=20", 2) }), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		type sent struct {
			id      string
			command table.Command
		}
		orders := map[table.Player][]sent{}
		for n := 0; ; n++ {
			p, v := f.turn(ana, ben)
			if v.State == table.Finished {
				break
			}
			order := sent{fmt.Sprint("order ", n), table.Continue{}}
			if v.State == table.Playing {
				order.command = moveOf(v)
			}
			err := f.once(p, order.id, order.command)
			if v.State == table.Playing {
				require.NoError(t, err)
			} else {
				time.Sleep(20 * time.Second)
			}
			if err == nil {
				orders[p] = append(orders[p], order)
			}
		}
		f.restart(time.Minute)
		for p, all := range orders {
			for _, order := range all[max(0, len(all)-30):] {
				require.NoError(t, f.once(p, order.id, order.command), order.id)
			}
		}
	})
	bubble(t, config(func(c *table.Config) { c.Absence = table.AbsenceForfeit }), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		require.NoError(t, f.once(ana, "enough", table.Resign{}))
		require.Equal(t, table.Finished, f.see(eve).State)
		f.restart(time.Minute)
		require.NoError(t, f.once(ana, "enough", table.Resign{}))
	})
}

// Each player's commands are remembered, however many others send.
func TestOrdersAreRememberedByPlayer(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		say := func(p table.Player, n int) {
			require.NoError(t, f.once(p, fmt.Sprint("line ", n), chat("hello")))
		}
		lines := func(p table.Player) (n int) {
			saved, err := f.journal.Load(context.Background())
			require.NoError(t, err)
			for _, l := range saved[0].Chat {
				if l.From.ID == p.ID && !l.House {
					n++
				}
			}
			return n
		}
		for n := range 20 {
			say(ana, n)
		}
		for n := range 130 {
			say(ben, n)
			if n < 20 {
				say(table.Player{ID: table.PlayerID(1000 + n), Name: "w"}, n)
			}
		}
		for n := range 20 {
			say(ana, n)
		}
		require.Equal(t, 20, lines(ana), "said twice")
		f.restart(time.Minute)
		for n := range 20 {
			say(ana, n)
		}
		require.Equal(t, 20, lines(ana), "said twice after the restart")
	})
}

// A command without an id cannot be sent again, so nothing of it is kept.
func TestCommandsWithoutAnIDAreNotRemembered(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		recent := func() int {
			saved, err := f.journal.Load(context.Background())
			require.NoError(t, err)
			var state struct{ Recent []any }
			require.NoError(t, json.Unmarshal(saved[0].State, &state))
			return len(state.Recent)
		}
		before := recent()
		require.NoError(t, f.once(ana, "", chat("hello")))
		require.Equal(t, before, recent())
		f.must(ana, chat("hello"))
		require.Equal(t, before+1, recent())
	})
}

// A game begun under other rules is ended as it stands; its record says why.
func TestAGameOfOtherRulesIsAdjourned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		f := open(t, 1, config(func(c *table.Config) { setRules(c, "classic target=200", 2) }))
		p, _, v := begin(f)
		for range 30 {
			f.play(p, v)
			p, v = f.turn(ana, ben)
			if v.State == table.Scoring {
				time.Sleep(20 * time.Second)
				p, v = f.turn(ana, ben)
			}
		}
		require.NoError(t, f.Close(ctx))
		saved, err := f.journal.Load(ctx)
		require.NoError(t, err)
		s := saved[0]
		require.NoError(t, table.Readable(s))
		at := slices.IndexFunc(s.Rows, func(r table.Row) bool { return r.Line == "tag rules-version 1" })
		require.Positive(t, at, "a record names the version of its rules")
		s.Rows = slices.Clone(s.Rows)
		s.Rows[at].Line = "tag rules-version 99"
		s.Rows[len(s.Rows)-1].Line = "2 6-6 flies"
		require.ErrorIs(t, table.Readable(s), table.ErrOtherRules)
		_, err = table.Restore(f.deps, s)
		require.ErrorIs(t, err, table.ErrOtherRules)
		require.NoError(t, table.Adjourn(f.journal, s, "adjourned: other rules", time.Now()))
		saved, err = f.journal.Load(ctx)
		require.NoError(t, err)
		require.Empty(t, saved)
		g := f.journal.games[s.Game]
		require.Equal(t, table.EndAbandoned, g.end.Ending)
		require.Equal(t, "# adjourned: other rules", g.rows[len(g.rows)-1].Line)
		require.Len(t, g.end.Scores, 2)
	})
}

func TestRestartKnowsWhatWasPlayedForSomebody(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		_, _, v := begin(f)
		time.Sleep(time.Until(v.BankEnds))
		late := func() (tiles []rules.Tile) {
			for _, e := range f.see(eve).Log {
				if e.Late {
					tiles = append(tiles, e.Event.Tile)
				}
			}
			return tiles
		}
		before := late()
		require.Len(t, before, 1)
		f.restart(time.Minute)
		require.Equal(t, before, late())
	})
}

// A bot's seat stays promised over a restart to somebody who is back by the next round.
func TestAPromisedSeatOutlivesARestart(t *testing.T) {
	round := func(f *fixture) {
		f.tb.Helper()
		for {
			p, v := f.turn(ana)
			if v.State != table.Playing {
				break
			}
			f.play(p, v)
		}
		require.Equal(f.tb, table.Scoring, f.see(ana).State)
		f.must(ana, table.Continue{})
		time.Sleep(time.Minute)
	}
	for name, back := range map[string]bool{"is back": true, "is not": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, config(func(c *table.Config) { c.Fill = table.FillNow; setRules(c, "classic target=500", 2) }),
				func(t *testing.T, f *fixture) {
					f.must(ana, sit(1))
					f.must(ana, ready(true))
					time.Sleep(10 * time.Second)
					f.must(eve, table.Sit{})
					require.Equal(t, eve.ID, f.see(ana).Seats[1].Next.ID)
					f.restart(time.Minute)
					require.Equal(t, eve.ID, f.Summary().Seats[1].Next.ID)
					time.Sleep(time.Minute)
					require.True(t, f.Summary().Asleep, "it is a promise, and nobody there")
					f.Presence(ana.ID, table.Here)
					if back {
						f.Presence(eve.ID, table.Here)
					}
					round(f)
					v := f.see(eve)
					require.Equal(t, back, v.POV == 2)
					require.Equal(t, back, v.Seats[1].Player.ID == eve.ID)
					require.Zero(t, v.Seats[1].Next)
				})
		})
	}
	bubble(t, config(func(c *table.Config) { c.Fill = table.FillNow }), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		f.must(ana, ready(true))
		time.Sleep(10 * time.Second)
		f.must(eve, table.Sit{})
		f.Presence(eve.ID, table.Disconnected)
		f.restart(0)
		require.Zero(t, f.Summary().Seats[1].Next, "who left gave it up, and that is on disk")
	})
}

// A table that cannot be read can always be abandoned: with its game if that can be ended, else without.
func TestAdjourn(t *testing.T) {
	for _, read := range []bool{true, false} {
		bubble(t, config(nil), func(t *testing.T, f *fixture) {
			_, _, v := begin(f)
			saved, err := f.journal.Load(context.Background())
			require.NoError(t, err)
			if !read {
				saved[0].Rows, saved[0].Start = nil, nil
			}
			disk := f.journal.clone()
			disk.setFail(table.ErrUnavailable)
			require.ErrorIs(t, table.Adjourn(disk, saved[0], "given up", time.Now()), table.ErrUnavailable)
			disk.setFail(nil)
			require.Len(t, disk.tables, 1)
			require.NoError(t, table.Adjourn(disk, saved[0], "given up", time.Now()))
			require.Empty(t, disk.tables)
			require.Equal(t, read, disk.games[v.Game].end != nil)
		})
	}
}

// TestNobodySleepsWhileTheServerIsDown: a month of downtime, or a clock a month ahead at the start, ends no
// frozen game, and the times before and after it add up.
func TestNobodySleepsWhileTheServerIsDown(t *testing.T) {
	const day = 24 * time.Hour
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		_, _, v := begin(f)
		end := func() *table.Result {
			f.journal.mu.Lock()
			defer f.journal.mu.Unlock()
			return f.journal.games[v.Game].end
		}
		f.Presence(ana.ID, table.Left)
		f.Presence(ben.ID, table.Left)
		time.Sleep(10 * day)
		f.deps.Stopped = time.Now().Round(0)
		f.restart(40 * day)
		time.Sleep(10 * day)
		require.Nil(t, end())
		f.deps.Stopped = time.Now().Round(0)
		f.restart(40 * day)
		time.Sleep(9 * day)
		require.Nil(t, end())
		time.Sleep(2 * day)
		<-f.Done()
		require.Equal(t, table.EndAbandoned, end().Ending)
	})
}

// A restart during the countdown begins no game for players who are not back, nor for one of them.
func TestRestartDuringTheCountdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := open(t, 1, config(nil))
		f.must(ana, table.Sit{})
		f.must(ben, table.Sit{})
		f.must(ana, table.Ready{On: true})
		f.must(ben, table.Ready{On: true})
		require.Equal(t, table.Countdown, f.see(ana).State)
		f.restart(time.Minute)
		time.Sleep(10 * time.Second)
		require.Equal(t, table.Gathering, f.see(cal).State)
		f.Presence(ana.ID, table.Here)
		time.Sleep(10 * time.Second)
		require.Equal(t, table.Gathering, f.see(cal).State)
		f.Presence(ben.ID, table.Here)
		time.Sleep(10 * time.Second)
		require.Equal(t, table.Playing, f.see(cal).State)
	})
}
