package cup_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/eventtest"
	"boneyard/lobby/event/match"
	"boneyard/table"
)

func kinds() event.Kinds { return event.KindsOf(cup.Type) }

// begin makes a cup of n teams that begins in an hour; team 1 is the best rated.
func begin(t *testing.T, n int, restart bool) (*eventtest.Hall, event.ID) {
	t.Helper()
	h := eventtest.New(t, kinds())
	h.Restart = restart
	h.Start()
	cfg := cup.Config{Config: match.Config{Name: "Winter cup", Rules: "block", Pace: table.PaceFast}, Round: match.Week}
	room, err := h.Events.Create(context.Background(), event.Make(cup.Kind, cfg, time.Now().Add(time.Hour).Round(0)))
	require.NoError(t, err)
	for i := n; i > 0; i-- { // the worst sign up first
		id := table.TeamID(i)
		r := h.AddTeam(id, 2000-10*i, 2)
		require.NoError(t, do(h, room.Event().ID, func(c *match.Core, _ time.Time) ([]event.Entry, error) {
			return c.SignUp(match.Team{ID: id, Tag: r.Tag, Name: r.Name}, 2)
		}))
	}
	return h, room.Event().ID
}

func do(h *eventtest.Hall, id event.ID, f func(c *match.Core, now time.Time) ([]event.Entry, error)) error {
	return h.Events.Room(id).Do(context.Background(), func(r event.Rules, now time.Time) ([]event.Entry, error) {
		return f(r.(*match.Core), now)
	})
}

func view(t *testing.T, h *eventtest.Hall, id event.ID) *match.View {
	t.Helper()
	h.Settle()
	if r := h.Events.Room(id); r != nil {
		return r.View().(*match.View)
	}
	all, err := h.Store.Events(context.Background(), cup.Kind, 0)
	require.NoError(t, err)
	rules, _, err := event.Replay(context.Background(), h.Store, kinds(), all[0])
	require.NoError(t, err)
	games, err := h.Store.EventGames(context.Background(), id)
	require.NoError(t, err)
	require.Empty(t, rules.(event.Checker).Check(games))
	return rules.View(nil).(*match.View)
}

// win has a side win a match in two games at once.
func win(t *testing.T, h *eventtest.Hall, id event.ID, no, side int) {
	t.Helper()
	m := view(t, h, id).Matches[no-1]
	require.NoError(t, do(h, id, func(c *match.Core, now time.Time) ([]event.Entry, error) {
		return c.Propose(m.Sides[0].ID, now.Add(time.Minute).Round(0), now)
	}))
	require.NoError(t, do(h, id, func(c *match.Core, now time.Time) ([]event.Entry, error) { return c.Accept(m.Sides[1].ID, now) }))
	for range 2 {
		time.Sleep(time.Minute)
		m = view(t, h, id).Matches[no-1]
		of := table.Event{ID: id, Pairing: m.Pairing}
		at := h.Tables()[of]
		r := table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{100, 30}}
		if at.Config.Teams[0] != m.Sides[side].ID {
			r = table.Result{Ending: table.EndPlayed, Winner: 2, Scores: []int{30, 100}}
		}
		h.Events.Ended(h.Play(of, r))
		h.Settle()
	}
	require.Equal(t, side+1, view(t, h, id).Matches[no-1].Winner)
}

// TestCup plays a cup of 13 teams: three have a bye in the first round, the better seed goes on where nobody plays, favourites and outsiders
// win in turn, and the server is restarted at every step.
func TestCup(t *testing.T) {
	for _, restart := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h, id := begin(t, 13, restart)
			require.Empty(t, view(t, h, id).Rounds)
			time.Sleep(time.Hour)
			v := view(t, h, id)
			require.Len(t, v.Rounds, 4)
			require.Len(t, v.Matches, 5, "of eight places in the first round three rest")
			for _, tie := range v.Rounds[0] {
				if tie.Bye {
					require.LessOrEqual(t, tie.Teams[tie.Winner-1].ID, table.TeamID(3), "the best rest")
				}
			}
			require.Equal(t, table.TeamID(1), v.Rounds[1][0].Teams[0].ID)
			require.Zero(t, v.Rounds[1][0].Teams[1].ID, "that is not known yet")

			outsider := table.TeamID(13) // wins all that it plays
			for !view(t, h, id).Over {
				opened := time.Now()
				var open []match.Match
				for _, m := range view(t, h, id).Matches {
					if m.Open && !m.Done {
						open = append(open, m)
					}
				}
				require.NotEmpty(t, open)
				left := false
				for i, m := range open {
					if at := m.Of(outsider); at >= 0 {
						win(t, h, id, m.No, at)
					} else if i == 0 {
						left = true // nobody plays it
					} else {
						win(t, h, id, m.No, i%2)
					}
				}
				if left {
					require.Len(t, view(t, h, id).Matches, len(v.Matches), "the next round waits for all")
					time.Sleep(time.Until(opened.Add(match.Week)))
				}
				v = view(t, h, id)
				for _, tie := range v.Rounds[0] {
					if tie.Match == 0 {
						continue
					}
					if m := v.Matches[tie.Match-1]; m.Done && m.Winner == 0 {
						require.Equal(t, min(m.Sides[0].Seed, m.Sides[1].Seed), tie.Teams[tie.Winner-1].Seed, "the better seed goes on")
					}
				}
			}
			require.Len(t, v.Matches, 12, "each match puts one team out")
			require.Equal(t, outsider, v.Rounds[3][0].Teams[v.Rounds[3][0].Winner-1].ID)
			closings, err := h.Store.Closings(context.Background(), cup.Kind, 0)
			require.NoError(t, err)
			final, err := event.Read[match.Final](closings[0].Last)
			require.NoError(t, err)
			require.Equal(t, match.Trophy{Team: outsider, Title: "Winner of Winter cup"}, final.Trophies[0])
			require.Len(t, final.Trophies, 2)
		})
	}
}

// The best two teams can only meet in the final, no matter how many teams there are, and byes go to the best.
func TestBracket(t *testing.T) {
	for _, n := range []int{cup.Fewest, 5, 6, 7, 8, 9, 13, 16, 17, 31, 32, 33, cup.Most} {
		synctest.Test(t, func(t *testing.T) {
			h, id := begin(t, n, false)
			time.Sleep(time.Hour)
			v := view(t, h, id)
			places := 2 * len(v.Rounds[0])
			require.GreaterOrEqual(t, places, n)
			require.Less(t, places, 2*n)
			var seen []int
			half := map[int]int{}
			for i, tie := range v.Rounds[0] {
				for k, team := range tie.Teams {
					if team.ID == 0 {
						require.True(t, tie.Bye)
						require.LessOrEqual(t, tie.Teams[1-k].Seed, places-n)
						continue
					}
					require.Equal(t, int(team.ID), team.Seed)
					seen = append(seen, team.Seed)
					half[team.Seed] = 2 * i / len(v.Rounds[0])
				}
				if !tie.Bye {
					require.Equal(t, places+1, tie.Teams[0].Seed+tie.Teams[1].Seed)
				}
			}
			slices.Sort(seen)
			require.Len(t, slices.Compact(seen), n)
			require.NotEqual(t, half[1], half[2])
			require.Len(t, v.Matches, n-places/2)
		})
	}
}

// A cup in which nobody plays has no winner, and one whose final nobody wins has finalists: those of the two who have played a game.
func TestNoTitleWithoutAGame(t *testing.T) {
	for _, semifinal := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h, id := begin(t, 4, false)
			time.Sleep(time.Hour)
			if semifinal { // of 1 and 4
				win(t, h, id, 1, 1)
			}
			time.Sleep(2*match.Week + time.Minute)
			v := view(t, h, id)
			require.True(t, v.Over)
			require.True(t, v.Final.Held)
			require.Zero(t, v.Final.Winner(v.Teams...))
			require.Zero(t, v.Rounds[1][0].Winner)
			if semifinal {
				require.Equal(t, []match.Trophy{{Team: 4, Title: "Finalist of Winter cup"}}, v.Final.Trophies)
			} else {
				require.Empty(t, v.Final.Trophies)
			}
		})
	}
}

// A team that wins the final without having played a game has won it, and gets no title.
func TestAFinalWonByDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, id := begin(t, 4, false)
		time.Sleep(time.Hour)
		h.Settle()
		h.Change(func() {
			short := h.Teams[2]
			short.Members = short.Members[:1]
			h.Teams[2] = short
		})
		time.Sleep(2*match.Week + time.Minute)
		v := view(t, h, id)
		final := &v.Rounds[1][0]
		require.True(t, v.Over && v.MatchOf(final).Walkover)
		require.Equal(t, table.TeamID(1), final.Teams[final.Winner-1].ID)
		require.Empty(t, v.Final.Trophies)
	})
}

// A cup with only three teams is called off when it should begin.
func TestTooFewTeams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, id := begin(t, 3, false)
		time.Sleep(time.Hour)
		require.True(t, view(t, h, id).Over)
		require.Empty(t, view(t, h, id).Matches)
	})
}
