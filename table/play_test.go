package table_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/table"
)

func chat(text string) table.Command { return table.Say{Text: text} }

// drawing plays until somebody is forced to draw, and returns the view of that moment.
func drawing(t *testing.T, f *fixture, players ...table.Player) *table.View {
	for range 2000 {
		v := f.see(players[0])
		switch v.State {
		case table.Playing:
			for _, p := range players {
				w := f.see(p)
				if w.Play.Duty == rules.Draw {
					return w
				}
				if w.Play.Duty == rules.Play {
					f.play(p, w)
				}
			}
		case table.Scoring:
			for _, p := range players {
				if f.see(p).State == table.Scoring {
					f.must(p, table.Continue{})
				}
			}
		default:
			t.Fatalf("nobody ever draws: %s", v.State)
		}
	}
	t.Fatal("nobody ever draws")
	return nil
}

func TestForcedDrawsHappenOneByOne(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		v := drawing(t, f, ana, ben)
		who, stock := v.POV, v.Play.Stock
		gallery := f.see(eve)
		require.True(t, gallery.TurnEnds.IsZero(), "no clock runs while there is nothing to choose")
		time.Sleep(699 * time.Millisecond)
		require.Equal(t, stock, f.see(eve).Play.Stock)
		time.Sleep(time.Millisecond)
		w := f.see(eve)
		require.Equal(t, stock-1, w.Play.Stock)
		last := w.Log[len(w.Log)-1]
		require.Equal(t, rules.Draw, last.Event.Kind)
		require.Equal(t, rules.NoTile, last.Event.Tile)
		require.True(t, last.Auto)
		for _, p := range []table.Player{ana, ben} {
			own := f.see(p)
			tile := own.Log[len(own.Log)-1].Event.Tile
			require.Equal(t, own.POV == who, tile != rules.NoTile, "only the drawer sees the tile")
		}
	})
}

func TestAnOnlyOptionIsLeftToThePlayer(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "azneef", 2); c.Pace = table.PaceNone }), func(t *testing.T, f *fixture) {
		f.seat(ana, ben) // the lead is forced
		_, v := f.turn(ana, ben)
		require.Len(t, v.Play.Options, 1)
		time.Sleep(time.Hour)
		require.Zero(t, f.see(eve).Play.Layout.Len())
	})
}

func TestMovesAreStale(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		p, v := f.turn(ana, ben)
		other := ana
		if p == ana {
			other = ben
		}
		old := moveOf(v)
		f.must(other, chat("a line of chat makes no move stale"))
		f.Presence(other.ID, table.Disconnected)
		f.Presence(other.ID, table.Here)
		require.Greater(t, f.see(p).Version, v.Version)

		ahead := old
		ahead.Version += 100
		require.ErrorIs(t, f.do(p, ahead), table.ErrStale)
		require.ErrorIs(t, f.do(other, old), table.ErrNotYourTurn)
		require.ErrorIs(t, f.do(eve, old), table.ErrNotSeated)
		not := old
		not.Move.Tile = notHeld(v)
		require.ErrorIs(t, f.do(p, not), rules.ErrNotHeld)
		not.Move = rules.Move{Kind: rules.Pass}
		require.ErrorIs(t, f.do(p, not), rules.ErrMustPlay)
		rows := len(f.journal.games[v.Game].rows)

		f.must(p, old)
		require.Equal(t, rows+1, len(f.journal.games[v.Game].rows))
		require.ErrorIs(t, f.do(p, old), table.ErrStale)
	})
}

func notHeld(v *table.View) rules.Tile {
	for t := range rules.Tile(rules.SetSize) {
		if !v.Play.Hand.Has(t) {
			return t
		}
	}
	return rules.NoTile
}

func TestTwoMovesAtOnceFromTwoSessions(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		p, v := f.turn(ana, ben)
		require.Greater(t, len(v.Play.Options), 1)
		answers := make(chan error, 2)
		for i := range 2 {
			o := v.Play.Options[i]
			c := table.Request{ID: string(rune('x' + i)), By: p,
				Command: table.Move{Version: v.Version, Move: rules.Move{Kind: rules.Play, Tile: o.Tile, Arm: o.Arm}}}
			go func() { answers <- f.Do(context.Background(), c) }()
		}
		a, b := <-answers, <-answers
		if a != nil {
			a, b = b, a
		}
		require.NoError(t, a)
		require.ErrorIs(t, b, table.ErrStale)
		require.Equal(t, 1, f.see(eve).Play.Layout.Len())
	})
}

func TestACommandSentTwiceIsCarriedOutOnce(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		p, v := f.turn(ana, ben)
		c := moveOf(v)
		require.NoError(t, f.once(p, "m1", c))
		rows := len(f.journal.games[v.Game].rows)
		require.NoError(t, f.once(p, "m1", c))
		require.Equal(t, rows, len(f.journal.games[v.Game].rows))
		for _, from := range []table.Player{p, p, eve} { // ids are a player's own
			require.NoError(t, f.once(from, "s1", chat("once")))
		}
		lines := 0
		for _, l := range f.see(eve).Chat {
			if l.Text == "once" {
				lines++
			}
		}
		require.Equal(t, 2, lines)
	})
}

func TestScoringGoesOnWhenAllHaveSeenIt(t *testing.T) {
	reach := func(f *fixture) *table.View {
		for {
			p, v := f.turn(ana, ben)
			if v.State == table.Scoring {
				return v
			}
			f.play(p, v)
		}
	}
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		v := reach(f)
		require.Equal(t, 20*time.Second, time.Until(v.Deadline))
		require.NotZero(t, v.Play.Open)
		f.must(ana, table.Continue{})
		require.Equal(t, table.Scoring, f.see(ana).State)
		require.True(t, f.see(ana).Seats[0].Ready)
		f.must(ben, table.Continue{})
		v = f.see(ana)
		require.Equal(t, table.Playing, v.State)
		require.Equal(t, 2, v.Play.Round)
		require.ErrorIs(t, f.do(ana, table.Continue{}), table.ErrNotNow)

		reach(f)
		time.Sleep(20 * time.Second)
		require.Equal(t, 3, f.see(ana).Play.Round)

		reach(f)
		f.Presence(ben.ID, table.Disconnected) // nobody waits for an absent player
		f.must(ana, table.Continue{})
		require.Equal(t, 4, f.see(ana).Play.Round)
	})
}

func TestTheDealsFollowFromTheSeedShownAfterwards(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic target=20", 2) }), func(t *testing.T, f *fixture) {
		promised := f.see(eve).Commitment
		f.seat(ana, ben)
		before := f.see(eve)
		require.Empty(t, before.Seed)
		require.Equal(t, promised, before.Commitment, "it is shown before the game")
		hands := f.see(ana).Play.Hand
		require.ErrorIs(t, f.do(ana, table.Stand{UnlessPlaying: true}), table.ErrNotNow, "pressed before the game had begun")
		v := f.playOut(ana, ben)
		seed, err := rules.ParseSeed(v.Seed)
		require.NoError(t, err)
		require.Equal(t, before.Commitment, seed.Commitment())
		require.Equal(t, seed.Deal(&v.Config.Rules, 2, 1).Hands[0], hands)
		f.must(ana, table.Stand{UnlessPlaying: true})
		f.must(eve, sit(0))
		require.Empty(t, f.see(eve).Seed)
		require.NotEqual(t, promised, f.see(eve).Commitment, "the next game has a seed of its own")
	})
}

func TestResult(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic target=60", 2) }), func(t *testing.T, f *fixture) {
		f.seat(ana, ben)
		v := f.playOut(ana, ben)
		best, by := rules.Points(0), rules.Seat(0)
		round := 1
		for _, e := range v.Log {
			if e.Number == 0 {
				continue
			}
			require.GreaterOrEqual(t, e.Round, round)
			round = e.Round
			if e.Event.Points > best {
				best, by = e.Event.Points, e.Event.Seat
			}
			var sum rules.Points
			for _, term := range e.Terms {
				sum += term.Points
			}
			require.Equal(t, e.Event.Count, sum, "the receipt adds up")
			require.Equal(t, e.Event.End != rules.NotEnded || e.Event.GameOver, e.After.Open != nil, "hands are open when a round is over")
		}
		last := v.Log[len(v.Log)-1].After
		require.Equal(t, v.Play.Scores, last.Scores)
		require.EqualValues(t, v.Play.Stock, last.Stock)
		require.EqualValues(t, v.Play.Held[0], last.Held[0])
		r := v.Result
		require.EqualValues(t, best, r.Best)
		require.EqualValues(t, by, r.BestBy)
		require.EqualValues(t, v.Play.Winner, r.Winner)
		require.Equal(t, v.Play.Round, r.Rounds)
		var scores, behind [2]int
		for line := range strings.Lines(f.journal.text(v.Game)) {
			var seat, points int
			if _, after, ok := strings.Cut(line, " +"); ok {
				fmt.Sscan(line, &seat)
				fmt.Sscan(after, &points)
				scores[seat-1] += points
			}
			fmt.Sscanf(line, "score %d %d", &scores[0], &scores[1])
			for side := range behind {
				behind[side] = max(behind[side], scores[1-side]-scores[side])
			}
		}
		require.Positive(t, r.Deficit, "choose another seed")
		require.Equal(t, behind[r.Winner-1], r.Deficit)
		require.Equal(t, v.Rated, r.Rated)
		require.Equal(t, "ana", r.Changes[0].Name)
	})
}

func TestPlayersDoNotHearTheWatchersUntilTheGameIsOver(t *testing.T) {
	says := func(v *table.View, text string) bool {
		for _, l := range v.Chat {
			if l.Text == text {
				return true
			}
		}
		return false
	}
	bubble(t, config(func(c *table.Config) { setRules(c, "classic target=20", 2) }), func(t *testing.T, f *fixture) {
		f.must(ana, sit(1))
		f.must(eve, chat("before"))
		require.True(t, says(f.see(ana), "before"))
		f.seat(ana, ben)
		f.must(eve, chat("she holds the 5-5"))
		f.must(ana, chat("good luck"))
		require.True(t, says(f.see(ana), "before"))
		require.False(t, says(f.see(ana), "she holds the 5-5"))
		require.True(t, says(f.see(cal), "she holds the 5-5"))
		require.True(t, says(f.see(cal), "good luck"))
		f.playOut(ana, ben)
		require.True(t, says(f.see(ana), "she holds the 5-5"))
		f.must(ana, table.Rematch{})
		f.must(ben, table.Rematch{})
		f.must(eve, chat("again"))
		require.False(t, says(f.see(ben), "again"))
		require.True(t, says(f.see(ben), "she holds the 5-5"), "what was heard stays")
	})
}

func TestSubscriptions(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		a := f.watch(eve)
		b := f.watch(cal)
		<-a.C()
		require.Same(t, a.View(), b.View())
		for range 10 { // a slow reader gets the latest view and one signal
			f.must(ana, chat("hello"))
		}
		require.Same(t, a.View(), b.View())
		require.Len(t, a.C(), 1)
		require.Equal(t, f.Summary().Version, a.View().Version)

		f.must(eve, sit(1)) // the point of view follows
		require.EqualValues(t, 1, a.View().POV)
		require.Zero(t, b.View().POV)
		f.must(eve, table.Stand{})
		require.Same(t, a.View(), b.View())
		a.Close()
		a.Close()
		b.Close()
	})
}

// Seated readers are told of a new view before the gallery, which is told soon, also while the journal is
// busy; if nobody sits, at once.
func TestPlayersAreToldFirst(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		look := func(p table.Player) *table.Subscription {
			s := f.watch(p)
			<-s.C()
			return s
		}
		told := func(want bool, s *table.Subscription) {
			t.Helper()
			synctest.Wait()
			require.Len(t, s.C(), map[bool]int{true: 1}[want])
			if want {
				<-s.C()
			}
		}
		watcher := look(eve)
		time.Sleep(time.Second)
		told(true, watcher) // that she watches
		player := look(ana)
		time.Sleep(time.Second)
		told(true, watcher)
		told(true, player)

		f.must(cal, chat("before anybody sits")) // ana looks from the gallery, too
		told(true, watcher)
		told(true, player)

		f.must(ana, sit(1))
		told(true, player)
		told(false, watcher)
		require.Equal(t, player.View().Version, watcher.View().Version)
		f.journal.gate = make(chan struct{})
		go func() { _ = f.once(ana, "ready", ready(true)) }()
		time.Sleep(100 * time.Millisecond)
		told(true, watcher)
		f.journal.gate <- struct{}{}
		told(true, player)
		told(false, watcher)
		time.Sleep(100 * time.Millisecond)
		told(true, watcher)
		told(false, player)
		close(f.journal.gate) // the next batches are taken at once
	})
}

func TestWatchersAreToldTogether(t *testing.T) {
	bubble(t, config(nil), func(t *testing.T, f *fixture) {
		first := f.see(ana)
		for i := range 60 {
			_, err := f.Subscribe(player(100+i, "w"), "")
			require.NoError(t, err)
		}
		_, err := f.Subscribe(player(100, "w"), "") // a second screen
		require.NoError(t, err)
		synctest.Wait()
		require.Same(t, first, f.see(ana), "not yet")
		time.Sleep(500 * time.Millisecond)
		v := f.see(ana)
		require.Equal(t, first.Version+1, v.Version)
		require.Equal(t, 61, v.Watchers)
		require.Len(t, v.Watching, 50)
		require.Equal(t, "ana", v.Watching[0])
		require.Equal(t, 61, f.Summary().Watchers)
	})
}

// All readers of a version see the same number of watchers, also while it is being published or the journal
// writes.
func TestAVersionCountsWatchersOnce(t *testing.T) {
	type look struct {
		version uint64
		pov     rules.Seat
	}
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		counted := map[look]int{}
		var subs []*table.Subscription
		f := openWith(t, 1, config(nil), func(d *table.Deps) {
			d.Now = func() time.Time { // which the table asks between making one view and the next
				mu.Lock()
				defer mu.Unlock()
				for _, s := range subs {
					v := s.View()
					at := look{v.Version, v.POV}
					if was, ok := counted[at]; ok && was != v.Watchers {
						t.Errorf("version %d for seat %d: %d watchers, and %d", v.Version, v.POV, was, v.Watchers)
					}
					counted[at] = v.Watchers
				}
				return time.Now()
			}
		})
		for _, p := range []table.Player{ana, eve} {
			s := f.watch(p)
			mu.Lock()
			subs = append(subs, s)
			mu.Unlock()
			time.Sleep(time.Second)
		}
		f.must(ana, sit(1))
		f.must(ana, table.Stand{})
		f.must(ana, sit(1))
		f.must(ben, sit(2))
		f.must(ana, ready(true))
		f.must(ben, ready(true))
		time.Sleep(time.Second)
		v := f.see(eve)
		require.Equal(t, table.Countdown, v.State)
		require.Equal(t, 1, v.Watchers)

		goOn := f.journal.stall()
		drained := make(chan error)
		go func() { drained <- f.Drain(context.Background()) }()
		synctest.Wait()
		s := f.watch(cal)
		before := s.View()
		time.Sleep(time.Second) // cal is counted
		goOn()
		require.NoError(t, <-drained)
		require.Equal(t, 2, s.View().Watchers)
		require.Greater(t, s.View().Version, before.Version)
	})
}

func TestATableWithoutWatchers(t *testing.T) {
	bubble(t, config(func(c *table.Config) { c.Watchers = false }), func(t *testing.T, f *fixture) {
		_, err := f.Subscribe(eve, "")
		require.ErrorIs(t, err, table.ErrWatchers)
		require.ErrorIs(t, f.do(eve, chat("hi")), table.ErrWatchers)
		f.must(ana, sit(1))
		s := f.watch(ana)
		f.must(ana, table.Stand{})
		require.Equal(t, table.Closed, s.View().State)
		require.Equal(t, string(table.ErrWatchers), s.View().Notice)
		s.Close()
	})
}

func TestAWatcherIsToldEachMoveAndNothingHidden(t *testing.T) {
	bubble(t, config(func(c *table.Config) { setRules(c, "classic target=60", 2); c.Fill = table.FillNow }), func(t *testing.T, f *fixture) {
		s := f.watch(eve)
		moves := make(chan int)
		go func() {
			seen := 0
			for {
				select {
				case <-s.C():
				case <-f.Done():
					moves <- seen
					return
				}
				v := s.View()
				if err := hidden(v); err != nil {
					t.Error(err)
				}
				seen = max(seen, len(v.Log))
			}
		}()
		f.must(ana, sit(1))
		f.must(ana, ready(true))
		v := f.playOut(ana)
		require.NoError(t, f.Close(context.Background()))
		require.Equal(t, len(v.Log), <-moves)
	})
}
