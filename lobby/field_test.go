package lobby_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/field"
	"boneyard/rules"
	"boneyard/table"
)

// fieldNow is what somebody sees of a field, once all is done.
func fieldNow(t *testing.T, v *lobby.Visit, id event.ID) *field.View {
	t.Helper()
	return seenOf(t, v.Field, id)
}

// playField makes people play at their tables of a duplicate arena until done returns true. Those at the
// third table are slower, so that the games do not all end at the same moment.
func playField(t *testing.T, id event.ID, people []*lobby.Visit, done func(f *field.View) bool) *field.View {
	t.Helper()
	for n := range 5000 {
		f := fieldNow(t, people[0], id)
		if f.Over || done(f) {
			return f
		}
		for _, v := range people {
			if no, _ := f.Of(v.Player().ID); no > 0 && f.At[int64(no)] != 0 && (no != 3 || n%4 == 0) {
				moves(t, v, f.At[int64(no)])
			}
		}
		time.Sleep(time.Second)
	}
	require.FailNow(t, "the games do not end")
	return nil
}

// Five people play the same deals at three tables, over a restart. Nothing about a table is available before
// all are done; then the comparison follows from the records.
func TestField(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		names := []string{"ana", "ben", "cem", "dora", "eva"}
		people := c.comeAll(names...)
		ana, guest := people[0], c.guest("10.9.9.9")
		id, err := ana.NewField(ctx, field.Config{Name: "Friday", Rules: "classic rounds=3", Pace: table.PaceNormal},
			time.Now().Add(20*time.Minute))
		require.NoError(t, err)
		require.ErrorIs(t, errOf(ana.NewField(ctx, field.Config{Rules: "classic", Pace: table.PaceNormal}, time.Now())), field.ErrMany)
		_, err = people[1].NewField(ctx, field.Config{Rules: "classic", Pace: table.PaceNormal}, time.Now().Add(15*24*time.Hour))
		require.ErrorIs(t, err, field.ErrTime)
		require.ErrorIs(t, guest.EnterEvent(ctx, field.Kind, id, ""), lobby.ErrMembersOnly)
		require.ErrorIs(t, ana.LeaveEvent(ctx, field.Kind, id), field.ErrNotIn)
		for _, v := range people {
			require.NoError(t, v.EnterEvent(ctx, field.Kind, id, ""))
		}
		require.Equal(t, "Duplicate arena 1, Friday", ana.Calendar()[len(ana.Calendar())-1].Title)
		require.Nil(t, soon(ana))
		wait(11 * time.Minute)
		require.Contains(t, newsTexts(ana), "Duplicate arena 1, Friday, begins at 00:20 UTC.")
		in20 := &event.Soon{Kind: field.Kind, Event: 1, Says: "Duplicate arena 1, Friday, begins at 00:20 UTC",
			Brief: "Duplicate arena 1, 00:20 UTC"}
		require.Equal(t, in20, soon(ana))
		wait(9 * time.Minute)
		require.Nil(t, soon(ana))
		f := fieldNow(t, ana, id)
		require.Len(t, f.Tables, 3)
		for _, v := range people {
			no, _ := f.Of(v.Player().ID)
			require.Equal(t, f.At[int64(no)], v.Called(), "all are led to their tables")
			for k := range f.Tables {
				if k != no-1 {
					require.Error(t, errOf(watch(v, f.At[int64(k+1)])), "a player of the event watches no other table")
				}
			}
		}
		require.Error(t, errOf(watch(guest, f.At[1])))

		// One table is done: nobody learns how, not even from the journal's games.
		f = playField(t, id, people, func(f *field.View) bool { return f.Tables[0].Ended || f.Tables[1].Ended || f.Tables[2].Ended })
		require.False(t, f.Over)
		secret := func() {
			f := fieldNow(t, ana, id)
			require.Zero(t, f.Final)
			require.Empty(t, f.Games)
			require.Empty(t, f.Rounds)
			require.Empty(t, f.Seed)
			played, err := c.store.EventGames(ctx, id)
			require.NoError(t, err)
			require.NotEmpty(t, played)
			for _, p := range played {
				_, _, err := ana.Record(ctx, p.Game)
				require.Error(t, err)
				_, _, err = guest.Record(ctx, p.Game)
				require.Error(t, err)
			}
			for _, n := range newsTexts(ana) {
				require.True(t, !strings.HasPrefix(n, "Duplicate arena") || strings.Contains(n, "begins at"), n)
			}
			past, err := ana.PastEvents(ctx, 0, 0)
			require.NoError(t, err)
			require.Empty(t, past)
		}
		secret()
		leave(table.Disconnected, people...)
		guest.Close(table.Left)
		c.restart()
		people = people[:0]
		for _, name := range names {
			people = append(people, c.back(name))
		}
		ana, guest = people[0], c.guest("10.9.9.9")
		synctest.Wait()
		secret()
		f = playField(t, id, people, func(*field.View) bool { return false })
		synctest.Wait()
		require.True(t, f.Over)
		f = fieldNow(t, ana, id)
		require.NotEmpty(t, f.Seed)
		require.Equal(t, 3, f.Final.Tables)
		require.Len(t, f.Final.Places, 5)

		// The comparison again, from the scores of the records alone.
		rounds := make([][]int, len(f.Games)) // what seat 1 made more
		for i, g := range f.Games {
			_, lines, err := guest.Record(ctx, g.Game)
			require.NoError(t, err, "then it is everybody's")
			before := 0
			for _, line := range lines {
				if words := strings.Fields(line); len(words) > 2 && words[0] == "score" {
					now := mustInt(t, words[1]) - mustInt(t, words[2])
					rounds[i] = append(rounds[i], now-before)
					before = now
				}
			}
			require.Len(t, rounds[i], 3)
		}
		require.Equal(t, rounds, f.Rounds)
		for i := range f.Final.Places {
			p := &f.Final.Places[i]
			sign, sum := 3-2*p.Seat, 0
			for k, r := range f.RoundsOf(p) {
				own := rounds[p.Table-1][k]
				mean := float64(rounds[0][k]+rounds[1][k]+rounds[2][k]) / 3
				require.Equal(t, sign*own, r.Points)
				require.InDelta(t, float64(sign)*(float64(own)-mean), float64(r.Over)/3, 1e-9)
				sum += r.Over
			}
			require.Equal(t, sum, p.Over)
			require.Equal(t, field.Above(sum, 3), f.Result(p))
		}
		past, err := ana.PastEvents(ctx, 0, 0)
		require.NoError(t, err)
		require.Len(t, past, 1)
		require.Equal(t, []any{f.Final.Places[0].Name, 1}, []any{past[0].Podium[0].Name, past[0].Podium[0].Place})
		require.Contains(t, newsTexts(ana), f.Outcome(), "the result is news")
	})
}

// Friends who have named each other play as partners, and nobody watches; a master of the house takes the seats of a missing pair.
func TestFieldOfPairs(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		people := c.comeAll("ana", "ben", "cem", "dora", "eva", "finn")
		id := c.made(people[0].NewField(ctx, field.Config{Rules: "block rounds=2", Pace: table.PaceFast}, time.Now().Add(time.Minute)))
		require.ErrorIs(t, people[0].EnterEvent(ctx, field.Kind, id, ""), field.ErrPartner)
		require.ErrorIs(t, people[0].EnterEvent(ctx, field.Kind, id, "nobody"), lobby.ErrNobody)
		for i := 0; i < len(people); i += 2 {
			a, b := people[i], people[i+1]
			require.NoError(t, a.EnterEvent(ctx, field.Kind, id, b.Player().Name))
			require.Contains(t, lastNotes(b),
				a.Player().Name+" asks you to be partners in duplicate arena 1: e on its page, or field 1 enter with "+a.Player().Name)
			require.NoError(t, b.EnterEvent(ctx, field.Kind, id, a.Player().Name))
			require.NotContains(t, lastNotes(a), "asks you", "who has answered is not asked")
		}
		time.Sleep(time.Minute)
		f := fieldNow(t, people[0], id)
		require.Len(t, f.Entrants, 3)
		require.Len(t, f.Tables, 2)
		for _, v := range people {
			no, _ := f.Of(v.Player().ID)
			require.Equal(t, f.At[int64(no)], v.Called())
			require.Error(t, errOf(watch(v, f.At[int64(3-no)])), "the other table is not watched")
		}
		playField(t, id, people, func(*field.View) bool { return false })
		f = fieldNow(t, people[0], id)
		require.Len(t, f.Final.Places, 3)
		for i := range f.Final.Places {
			p := &f.Final.Places[i]
			points, over := 0, 0
			for _, r := range f.RoundsOf(p) {
				points, over = points+r.Points, over+r.Over
			}
			require.Len(t, f.RoundsOf(p), 2)
			require.Equal(t, [2]int{p.Points, p.Over}, [2]int{points, over})
		}
		for _, v := range people {
			require.Contains(t, lastNotes(v), f.Outcome())
		}
	})
}

func newsTexts(v *lobby.Visit) (texts []string) {
	for _, n := range seen(v).News {
		texts = append(texts, n.Text)
	}
	return texts
}

// Differences to a mean are rounded to tenths.
func TestAbove(t *testing.T) {
	for want, c := range map[string][2]int{"+12.5": {25, 2}, "0.0": {0, 3}, "-0.3": {-1, 3}, "+33.3": {100, 3}, "+7.0": {7, 0}} {
		require.Equal(t, want, field.Above(c[0], c[1]))
	}
}

// Nobody gets a place by what the house plays for them: neither players who give up, nor those for whom the
// house has played most tiles.
func TestLeavingAFieldGivesNoPlace(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		people := c.comeAll("ana", "ben", "cem", "dora", "eva", "finn")
		id := c.made(people[0].NewField(ctx, field.Config{Rules: "classic rounds=3", Pace: table.PaceFast}, time.Now().Add(time.Minute)))
		for _, v := range people {
			require.NoError(t, v.EnterEvent(ctx, field.Kind, id, ""))
		}
		wait(time.Minute)
		f := playField(t, id, people, func(f *field.View) bool {
			for _, v := range people { // until all have played a tile
				no, _ := f.Of(v.Player().ID)
				if no == 0 || f.At[int64(no)] == 0 {
					return false
				}
				sub, err := watch(v, f.At[int64(no)])
				require.NoError(t, err)
				defer sub.Close()
				if len(slices.DeleteFunc(slices.Clone(sub.View().Log), func(e *table.Entry) bool { return e.Event.Kind != rules.Play })) < 2 {
					return false
				}
			}
			return true
		})
		var resigns, leaves *lobby.Visit
		for _, v := range people {
			switch no, seat := f.Of(v.Player().ID); {
			case no == 1 && seat == 1:
				resigns = v
				do(t, v, f.At[int64(no)], table.Resign{})
			case no == 2 && seat == 1:
				leaves = v
				v.Close(table.Left)
			}
		}
		var stay []*lobby.Visit
		for _, v := range people {
			if v != leaves {
				stay = append(stay, v)
			}
		}
		playField(t, id, stay, func(*field.View) bool { return false })
		f = fieldNow(t, stay[0], id)
		states := map[string]int{}
		for _, p := range f.Final.Places {
			states[p.State]++
			switch {
			case p.Of(resigns.Player().ID):
				require.Equal(t, field.GaveUp, p.State)
				require.Zero(t, p.Rank)
			case p.Of(leaves.Player().ID):
				require.Equal(t, field.Absent, p.State)
				require.Zero(t, p.Rank)
			}
		}
		require.Equal(t, map[string]int{field.GaveUp: 1, field.Left: 1, field.Absent: 1, field.Compared: 3}, states)
	})
}
