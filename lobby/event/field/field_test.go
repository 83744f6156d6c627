package field_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
	"boneyard/lobby/event/eventtest"
	"boneyard/lobby/event/field"
	"boneyard/rules"
	"boneyard/table"
)

func kinds() event.Kinds { return event.KindsOf(field.Type) }

// begin makes a duplicate arena in a hall, which begins in ten minutes, and has people enter.
func begin(t *testing.T, restart bool, people int, change ...func(*event.Event)) (*eventtest.Hall, event.ID) {
	t.Helper()
	h := eventtest.New(t, kinds())
	h.Restart = restart
	h.Start()
	id := plan(t, h, "classic rounds=2", change...)
	for p := range people {
		do(t, h, id, func(f *field.Field) ([]event.Entry, error) {
			return f.Enter(player(p), fmt.Sprint("net", p), nil, "", time.Now())
		})
	}
	return h, id
}

// plan makes a duplicate arena that begins in ten minutes.
func plan(t *testing.T, h *eventtest.Hall, rule string, change ...func(*event.Event)) event.ID {
	t.Helper()
	c := field.Config{Rules: rule, Pace: table.PaceNormal, By: "ana"}
	require.NoError(t, c.Complete())
	e := field.Make(c, rules.Seed{7}, time.Now().Add(10*time.Minute))
	for _, f := range change {
		f(&e)
	}
	room, err := h.Events.Create(context.Background(), e)
	require.NoError(t, err)
	return room.Event().ID
}

func player(n int) table.Player {
	return table.Player{ID: table.PlayerID(n + 1), Name: string(rune('a' + n))}
}

func do(t *testing.T, h *eventtest.Hall, id event.ID, f func(m *field.Field) ([]event.Entry, error)) {
	t.Helper()
	require.NoError(t, h.Events.Room(id).Do(context.Background(), func(r event.Rules, _ time.Time) ([]event.Entry, error) {
		return f(r.(*field.Field))
	}))
	h.Settle()
}

// final is the state as the journal has it.
func final(t *testing.T, h *eventtest.Hall, id event.ID) (*field.View, event.Checker, []event.Played) {
	t.Helper()
	all, err := h.Store.Events(context.Background(), field.Kind, 0)
	require.NoError(t, err)
	r, _, err := event.Replay(context.Background(), h.Store, kinds(), all[0])
	require.NoError(t, err)
	games, err := h.Store.EventGames(context.Background(), id)
	require.NoError(t, err)
	return r.View(nil).(*field.View), r.(event.Checker), games
}

func result(ending table.Ending, winner, one, two int, own ...int) table.Result {
	return table.Result{Ending: ending, Winner: winner, Scores: []int{one, two}, Own: own, Rounds: 2}
}

// end ends the game of a table.
func end(h *eventtest.Hall, id event.ID, no int64, r table.Result) {
	p := h.Play(table.Event{ID: id, Pairing: no}, r)
	if !h.Restart { // else the server ends before the event is told
		h.Events.Ended(p)
	}
	h.Settle()
}

// A server that stops after every step loses nothing. Nothing is known before the last table is done; then
// everybody is compared with the mean of the same seat.
func TestFieldOverRestarts(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h, id := begin(t, restart, 7)
			do(t, h, id, func(f *field.Field) ([]event.Entry, error) { return f.Leave(7) })
			do(t, h, id, func(f *field.Field) ([]event.Entry, error) { return f.Enter(player(5), "twice", nil, "", time.Now()) })
			require.Empty(t, h.Tables())
			time.Sleep(10 * time.Minute)
			h.Settle()
			tables := h.Tables()
			require.Len(t, tables, 3)
			seen := map[table.PlayerID]bool{}
			for of, at := range tables {
				require.Equal(t, rules.Seed{7}, at.Occasion.Seed)
				require.True(t, at.Config.Event.Sealed && at.Config.Event.Private && at.Config.Event.Fixed && !at.Config.Watchers)
				v := h.Events.Room(id).View().(*field.View)
				for k, p := range at.Occasion.Seats {
					require.False(t, seen[p.ID])
					seen[p.ID] = true
					no, seat := v.Of(p.ID)
					require.Equal(t, [2]int{int(of.Pairing), k + 1}, [2]int{no, seat})
				}
			}
			require.Len(t, seen, 6)
			require.ErrorIs(t, h.Events.Room(id).Do(context.Background(), func(r event.Rules, _ time.Time) ([]event.Entry, error) {
				return r.(*field.Field).Enter(player(9), "late", nil, "", time.Now())
			}), field.ErrBegun)

			// Seat 1 makes 30, 0 and -6 more than seat 2: 8 on average.
			end(h, id, 2, result(table.EndPlayed, 0, 40, 40, 5, 5))
			end(h, id, 1, result(table.EndPlayed, 1, 50, 20, 5, 5))
			v := h.Events.Room(id).View().(*field.View)
			require.True(t, v.Tables[0].Ended && v.Tables[1].Ended && !v.Tables[2].Ended)
			require.Zero(t, v.Final)
			require.Empty(t, v.Games)
			require.Empty(t, v.Seed)
			end(h, id, 3, result(table.EndPlayed, 2, 10, 16, 5, 5))
			require.Nil(t, h.Events.Room(id))
			require.Empty(t, h.Tables())

			v, check, games := final(t, h, id)
			require.Equal(t, rules.Seed{7}.String(), v.Seed)
			require.Equal(t, 3, v.Final.Tables)
			type line struct{ rank, table, seat, points, over int }
			var got []line
			for _, p := range v.Final.Places {
				require.Equal(t, field.Compared, p.State)
				got = append(got, line{p.Rank, p.Table, p.Seat, p.Points, p.Over})
			}
			require.Equal(t, []line{{1, 1, 1, 30, 66}, {2, 3, 2, 6, 42}, {3, 2, 2, 0, 24}, {4, 2, 1, 0, -24}, {5, 3, 1, -6, -42},
				{6, 1, 2, -30, -66}}, got)
			require.Empty(t, check.Check(games))
			games[1].Result.Scores = []int{51, 20}
			require.Len(t, check.Check(games), 1)
			require.Len(t, check.Check(games[:1]), 2)
		})
	}
}

// Players who give up, do not play or do not finish have no place; an abandoned opponent gets the average.
func TestGamesThatDoNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, id := begin(t, false, 9) // the tenth is a master of the house
		time.Sleep(10 * time.Minute)
		h.Settle()
		require.Len(t, h.Tables(), 5)
		end(h, id, 1, result(table.EndPlayed, 1, 30, 10, 5, 5))
		end(h, id, 2, result(table.EndPlayed, 1, 20, 10, 5, 0)) // the house played for one who never came
		end(h, id, 3, result(table.EndForfeit, 1, 5, 0, 5, 5))
		end(h, id, 4, result(table.EndAbandoned, 0, 0, 0, 0, 0)) // nobody came
		require.Len(t, h.Tables(), 1)
		time.Sleep(3 * time.Hour)
		h.Settle()
		require.Empty(t, h.Tables())
		v, check, games := final(t, h, id)
		require.Equal(t, 2, v.Final.Tables)
		got := map[string]int{}
		for _, p := range v.Final.Places {
			got[fmt.Sprintf("%d/%d %s %d", p.Table, p.Seat, p.State, p.Over)] = p.Rank
		}
		require.Equal(t, map[string]int{
			"1/1 compared 10": 1, "3/1 left 0": 2, "2/1 compared -10": 3, "1/2 compared -10": 3,
			"2/2 absent 0": 0, "3/2 gave up 0": 0, "4/1 absent 0": 0, "4/2 absent 0": 0, "5/1 unfinished 0": 0,
		}, got)
		require.Empty(t, check.Check(games))
	})
}

// A player who gives up takes nothing from the opponent, who keeps a lead over the field, or else gets the
// average. In an arena of an older program it is always the average.
func TestGivingUpHarmsNobody(t *testing.T) {
	for _, older := range []bool{false, true} {
		for _, tt := range []struct{ one, two, over int }{{50, 0, 70}, {15, 0, 0}, {16, 0, 2}, {0, 40, 0}} {
			synctest.Test(t, func(t *testing.T) {
				h, id := begin(t, false, 6, func(e *event.Event) {
					if older {
						e.Config = bytes.Replace(e.Config, []byte(`,"leads":true`), nil, 1)
					}
				})
				time.Sleep(10 * time.Minute)
				h.Settle()
				end(h, id, 1, result(table.EndPlayed, 1, 30, 10, 5, 5))
				end(h, id, 2, result(table.EndPlayed, 1, 20, 10, 5, 5))
				end(h, id, 3, result(table.EndForfeit, 1, tt.one, tt.two, 5, 5))
				v, check, games := final(t, h, id)
				i := slices.IndexFunc(v.Final.Places, func(p field.Place) bool { return p.State == field.Left })
				if older {
					tt.over = 0
				}
				require.Equal(t, tt.over, v.Final.Places[i].Over)
				require.Empty(t, check.Check(games))
			})
		}
	}
}

// TestAStartThatWasMissed: if the club was closed at the start, the arena begins late, if it is not yet over.
func TestAStartThatWasMissed(t *testing.T) {
	for by, tables := range map[time.Duration]int{2 * time.Hour: 2, 20 * 24 * time.Hour: 0} {
		synctest.Test(t, func(t *testing.T) {
			h, id := begin(t, false, 4)
			h.Stop()
			time.Sleep(by)
			h.Start()
			h.Settle()
			require.Len(t, h.Tables(), tables)
			v, check, games := final(t, h, id)
			require.Equal(t, tables == 0, v.Over)
			require.Equal(t, tables == 0, v.Final.Off)
			require.Empty(t, check.Check(games))
		})
	}
}

// Two entrants get two tables, so that there is something to compare; a single one does not begin.
func TestFewPlayers(t *testing.T) {
	for people, tables := range []int{0, 0, 2, 2, 2, 3} {
		synctest.Test(t, func(t *testing.T) {
			h, id := begin(t, false, people)
			time.Sleep(10 * time.Minute)
			h.Settle()
			require.Len(t, h.Tables(), tables)
			require.Equal(t, tables == 0, h.Events.Room(id) == nil)
		})
	}
}

// People from one network hold the same hands as far as possible, and do not meet.
func TestOneNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, id := begin(t, false, 5)
		for p := 5; p < 8; p++ {
			do(t, h, id, func(f *field.Field) ([]event.Entry, error) { return f.Enter(player(p), "net0", nil, "", time.Now()) })
		}
		time.Sleep(10 * time.Minute)
		h.Settle()
		v := h.Events.Room(id).View().(*field.View)
		home := map[table.PlayerID]bool{1: true, 6: true, 7: true, 8: true}
		for _, at := range v.Tables {
			require.False(t, home[at.Seats[0].ID] && home[at.Seats[1].ID])
		}
	})
}

func TestConfig(t *testing.T) {
	c := field.Config{Rules: "classic", Pace: table.PaceFast}
	require.NoError(t, c.Complete())
	r, err := rules.Parse(c.Rules)
	require.NoError(t, err)
	require.Equal(t, field.Rounds, r.Rounds)
	require.Equal(t, rules.NextLead, r.Next)
	require.False(t, c.Pairs)
	pairs := field.Config{Rules: "block", Pace: table.PaceFast}
	require.NoError(t, pairs.Complete())
	require.True(t, pairs.Pairs)
	for _, c := range []field.Config{{Rules: "chess", Pace: table.PaceFast}, {Rules: "classic", Pace: table.PaceNone}} {
		require.ErrorIs(t, c.Complete(), field.ErrConfig)
	}
}

// Two enter together once both have named each other, and play as partners: they are compared with the pairs in the same seats.
func TestPairs(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := eventtest.New(t, kinds())
			h.Restart = restart
			h.Start()
			id := plan(t, h, "block rounds=2")
			name := func(p, with int) {
				other := player(with)
				do(t, h, id, func(f *field.Field) ([]event.Entry, error) {
					return f.Enter(player(p), fmt.Sprint("net", p), &other, fmt.Sprint("net", with), time.Now())
				})
			}
			refused := func(want error, p int, partner *table.Player) {
				t.Helper()
				require.ErrorIs(t, h.Events.Room(id).Do(context.Background(), func(r event.Rules, _ time.Time) ([]event.Entry, error) {
					return r.(*field.Field).Enter(player(p), "net", partner, "net", time.Now())
				}), want)
			}
			names := func() (all []string) {
				for _, e := range h.Events.Room(id).View().(*field.View).Entrants {
					all = append(all, e.Name())
				}
				return all
			}
			refused(field.ErrPartner, 0, nil)
			refused(field.ErrPartner, 0, &table.Player{ID: 1})
			refused(field.ErrPrograms, 0, &table.Player{ID: 9, Bot: true})
			name(0, 1)
			name(0, 1)
			require.Empty(t, names(), "b has not answered")
			name(2, 0)
			name(1, 0)
			require.Equal(t, []string{"a + b"}, names())
			other := player(0)
			refused(event.ErrPaired, 2, &other)
			refused(event.ErrPaired, 0, new(player(2)))
			do(t, h, id, func(f *field.Field) ([]event.Entry, error) { return f.Leave(3) }) // takes its question back
			for p := 2; p < 10; p += 2 {
				name(p, p+1)
				name(p+1, p)
			}
			do(t, h, id, func(f *field.Field) ([]event.Entry, error) { return f.Leave(10) })
			do(t, h, id, func(f *field.Field) ([]event.Entry, error) { return f.Enter(player(0), "net", nil, "", time.Now()) })
			require.Equal(t, []string{"a + b", "c + d", "e + f", "g + h"}, names())
			time.Sleep(10 * time.Minute)
			h.Settle()
			tables := h.Tables()
			require.Len(t, tables, 2)
			v := h.Events.Room(id).View().(*field.View)
			side := map[table.PlayerID][2]int{}
			for of, at := range tables {
				seats := at.Occasion.Seats
				require.Len(t, seats, 4)
				require.Equal(t, 4, at.Config.Seats)
				for k := range 2 {
					require.Equal(t, seats[k].ID%2, table.PlayerID(1))
					require.Equal(t, seats[k].ID+1, seats[k+2].ID, "partners sit opposite each other")
					side[seats[k].ID] = [2]int{int(of.Pairing), k + 1}
				}
				no, seat := v.Of(seats[3].ID)
				require.Equal(t, [2]int{int(of.Pairing), 4}, [2]int{no, seat})
			}
			// Seats 1 and 3 make 30 and -10 more than seats 2 and 4: 10 on average.
			end(h, id, 2, result(table.EndPlayed, 2, 20, 30, 0, 5, 5, 0))
			require.Zero(t, h.Events.Room(id).View().(*field.View).Final)
			end(h, id, 1, result(table.EndPlayed, 1, 50, 20, 5, 0, 0, 0))
			v, check, games := final(t, h, id)
			require.Len(t, v.Final.Places, 4)
			for _, p := range v.Final.Places {
				require.Equal(t, side[p.Player], [2]int{p.Table, p.Seat})
				require.True(t, p.Of(p.Player) && p.Of(p.Player+1) && !p.Of(0) && !p.Of(p.Player+2))
				require.Equal(t, player(int(p.Player)-1).Name+" + "+player(int(p.Player)).Name, p.Name)
				switch side[p.Player] {
				case [2]int{1, 1}:
					require.Equal(t, [3]int{30, 40, 1}, [3]int{p.Points, p.Over, p.Rank})
				case [2]int{1, 2}:
					require.Equal(t, field.Absent, p.State, "neither has played a tile")
				case [2]int{2, 1}:
					require.Equal(t, [3]int{-10, -40, 3}, [3]int{p.Points, p.Over, p.Rank})
				case [2]int{2, 2}:
					require.Equal(t, [3]int{10, 40, 1}, [3]int{p.Points, p.Over, p.Rank})
				}
			}
			require.Empty(t, check.Check(games))
		})
	}
}

// A game that does not end in time is unfinished, whoever played in it.
func TestAGameThatHasNotEndedIsUnfinished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, id := begin(t, false, 6)
		time.Sleep(10 * time.Minute)
		h.Settle()
		end(h, id, 1, result(table.EndPlayed, 0, 40, 40, 5, 5))
		end(h, id, 2, result(table.EndPlayed, 0, 40, 40, 5, 5))
		time.Sleep(3 * time.Hour)
		h.Settle()
		v, check, games := final(t, h, id)
		require.True(t, v.Over)
		require.Empty(t, check.Check(games))
		for _, p := range v.Final.Places {
			if p.Table == 3 {
				require.Equal(t, field.Unfinished, p.State)
			}
		}
	})
}

// Nobody has a partner in an arena of single players, whether they have entered or not.
func TestNoPartners(t *testing.T) {
	for _, entered := range []int{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			h, id := begin(t, false, entered)
			require.ErrorIs(t, h.Events.Room(id).Do(t.Context(), func(r event.Rules, _ time.Time) ([]event.Entry, error) {
				return r.(*field.Field).Enter(player(0), "net", new(player(2)), "net", time.Now())
			}), field.ErrSingle)
		})
	}
}

// A result has one decimal, and a sign if it is not the mean.
func TestAbove(t *testing.T) {
	for want, over := range map[string]int{"0.0": -1, "+0.1": 2, "-0.1": -2, "+2.0": 48} {
		require.Equal(t, want, field.Above(over, 24))
	}
	require.Equal(t, "0.0", field.Above(1, 24))
	require.Equal(t, "+3.0", field.Above(3, 0))
}

// Three who share the first place are listed as in any sentence.
func TestOutcomeOfThree(t *testing.T) {
	v := field.View{Tables: make([]field.Table, 3)}
	v.Final.Begun = true
	v.Final.Places = []field.Place{{Name: "ana", Rank: 1}, {Name: "ben", Rank: 1}, {Name: "cem", Rank: 1}, {Name: "dia", Rank: 4}}
	require.Contains(t, v.Outcome(), "ana, ben and cem first with")
}
