package league_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
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

const teams = 13

func kinds() event.Kinds { return event.KindsOf(league.Type) }

// hall makes a club with teams of three members each.
func hall(t *testing.T, n int) *eventtest.Hall {
	h := eventtest.New(t, kinds())
	for id := table.TeamID(1); id <= table.TeamID(n); id++ {
		h.AddTeam(id, 2000-int(id), 3)
	}
	return h
}

// season plays a season and keeps its own account of what happened.
type season struct {
	*eventtest.Hall
	id     event.ID
	rng    *rand.Rand
	window time.Duration
	rows   map[table.TeamID]*match.Row
	met    map[[2]table.TeamID]table.TeamID // who has won
}

func begin(t *testing.T, h *eventtest.Hall, cfg league.Config, key string) *season {
	t.Helper()
	cfg.Config = match.Config{Name: "Season " + key, Rules: "block", Pace: table.PaceNormal}
	e := event.Make(league.Kind, cfg, time.Now().Add(24*time.Hour).Round(0))
	e.Key = key
	room, err := h.Events.Create(context.Background(), e)
	require.NoError(t, err)
	s := &season{Hall: h, id: room.Event().ID, rng: rand.New(rand.NewPCG(7, 7)), window: cfg.Window, rows: map[table.TeamID]*match.Row{},
		met: map[[2]table.TeamID]table.TeamID{}}
	for _, id := range slices.Sorted(maps.Keys(h.Teams)) {
		r := h.Teams[id]
		s.do(func(c *match.Core, _ time.Time) ([]event.Entry, error) {
			return c.SignUp(match.Team{ID: id, Tag: r.Tag, Name: r.Name}, len(r.Members))
		})
		s.rows[id] = &match.Row{}
	}
	s.Settle()
	return s
}

func (s *season) do(f func(c *match.Core, now time.Time) ([]event.Entry, error)) {
	s.T.Helper()
	require.NoError(s.T, s.try(f))
}

func (s *season) try(f func(c *match.Core, now time.Time) ([]event.Entry, error)) error {
	return s.Events.Room(s.id).Do(context.Background(), func(r event.Rules, now time.Time) ([]event.Entry, error) {
		return f(r.(*match.Core), now)
	})
}

func (s *season) view() *match.View {
	s.Settle()
	if r := s.Events.Room(s.id); r != nil {
		return r.View().(*match.View)
	}
	all, err := s.Store.Events(context.Background(), league.Kind, 0)
	require.NoError(s.T, err)
	i := slices.IndexFunc(all, func(e event.Event) bool { return e.ID == s.id })
	rules, _, err := event.Replay(context.Background(), s.Store, kinds(), all[i])
	require.NoError(s.T, err)
	return rules.View(nil).(*match.View)
}

// open lists the matches that can be played now.
func (s *season) open() (list []match.Match) {
	for _, m := range s.view().Matches {
		if m.Open && !m.Done {
			list = append(list, m)
		}
	}
	return list
}

func (s *season) team(m *match.Match, side int) table.TeamID { return m.Sides[side].ID }

// agree has one captain propose a time and the other accept it.
func (s *season) agree(m *match.Match, at time.Time) {
	s.T.Helper()
	s.do(func(c *match.Core, now time.Time) ([]event.Entry, error) { return c.Propose(s.team(m, 1), at, now) })
	s.Settle()
	s.do(func(c *match.Core, now time.Time) ([]event.Entry, error) { return c.Accept(s.team(m, 0), now) })
	s.Settle()
}

// table is the one at which a match is played.
func (s *season) table(no int) (table.Event, eventtest.Table) {
	s.T.Helper()
	m := s.view().Matches[no-1]
	of := table.Event{ID: s.id, Pairing: m.Pairing}
	at, ok := s.Tables()[of]
	require.True(s.T, ok, "match %d has no table: %+v", no, m)
	return of, at
}

// play plays games of a match until it is decided; told says whether the event hears of each at once.
func (s *season) play(no int, told bool) {
	s.T.Helper()
	won := [2]int{}
	var points [2]int
	var m match.Match
	for won[0] < 2 && won[1] < 2 {
		m = s.view().Matches[no-1]
		of, at := s.table(no)
		side := s.rng.IntN(2) // of the match
		score := [2]int{10 * s.rng.IntN(9), 10 * s.rng.IntN(9)}
		score[side] += 100
		first := 0
		if at.Config.Teams[0] != m.Sides[0].ID {
			first = 1
		}
		require.Equal(s.T, m.Sides[first].ID, at.Config.Teams[0])
		require.Equal(s.T, m.Sides[1-first].ID, at.Config.Teams[1])
		for i, p := range at.Occasion.Seats {
			require.Equal(s.T, at.Config.Teams[i%2], p.Team)
		}
		r := table.Result{Ending: table.EndPlayed, Winner: 1, Scores: []int{score[first], score[1-first]}}
		if side != first {
			r.Winner = 2
		}
		p := s.Play(of, r)
		if told {
			s.Events.Ended(p)
			s.Events.Ended(p)
			synctest.Wait()
		} else {
			s.Stop()
			s.Start()
		}
		won[side]++
		points[0], points[1] = points[0]+score[0], points[1]+score[1]
		time.Sleep(time.Minute)
		s.Settle()
	}
	winner := 0
	if won[1] == 2 {
		winner = 1
	}
	s.result(&m, winner, won, points)
	for i := range m.Sides {
		s.rows[m.Sides[i].ID].Games += won[0] + won[1]
	}
}

// result adds a match to the test's own account.
func (s *season) result(m *match.Match, winner int, games, points [2]int) {
	for i := range m.Sides {
		r := s.rows[m.Sides[i].ID]
		r.Played++
		r.GamesFor, r.GamesTo = r.GamesFor+games[i], r.GamesTo+games[1-i]
		r.For, r.Against = r.For+points[i], r.Against+points[1-i]
		switch winner {
		case i:
			r.Won++
			r.Score += 3
			s.met[[2]table.TeamID{m.Sides[i].ID, m.Sides[1-i].ID}] = m.Sides[i].ID
		case -1:
		default:
			r.Lost++
		}
	}
}

// away makes players leave the club, or come back.
func (s *season) away(away bool, side *match.Side) {
	synctest.Wait()
	s.Change(func() {
		for _, p := range side.Roster {
			s.Away[p.ID] = away
		}
	})
}

// window plays all matches of a window, each in a different way, and lets it end.
func (s *season) round(n int) {
	ends := time.Now().Add(s.window)
	list := s.open()
	for i := range list {
		m := &list[i]
		at := time.Now().Add(25 * time.Hour).Round(0)
		switch (n + i) % 6 {
		case 0: // nobody says anything
			s.result(m, -1, [2]int{}, [2]int{})
			continue
		case 1: // only one side comes
			s.agree(m, at)
			s.away(true, &m.Sides[0])
			time.Sleep(time.Until(at))
			s.Settle()
			s.table(m.No)
			time.Sleep(match.Kept + time.Minute) // the club may just have been restarted
			s.Settle()
			require.Zero(s.T, s.view().Matches[m.No-1].Pairing)
			require.Empty(s.T, s.Tables(), "nobody waits any more")
			s.away(false, &m.Sides[0])
			s.result(m, 1, [2]int{0, 2}, [2]int{})
		case 2: // a proposal that nobody answers holds, if it was made early enough
			s.do(func(c *match.Core, now time.Time) ([]event.Entry, error) { return c.Propose(s.team(m, 0), at, now) })
			time.Sleep(time.Until(at))
			s.Settle()
			s.play(m.No, true)
		default:
			s.agree(m, at)
			time.Sleep(time.Until(at.Add(-time.Second)))
			s.Settle()
			require.Empty(s.T, s.Tables())
			time.Sleep(time.Second)
			s.Settle()
			s.play(m.No, (n+i)%2 == 0)
		}
	}
	require.True(s.T, time.Now().Before(ends))
	time.Sleep(time.Until(ends))
	s.Settle()
}

// check compares the tables with the test's own account.
func (s *season) check() *match.View {
	s.T.Helper()
	v := s.view()
	for _, rows := range v.Divisions {
		for _, r := range rows {
			own := *s.rows[r.Team.ID]
			own.Division, own.Place, own.Team, own.Up, own.Down = r.Division, r.Place, r.Team, r.Up, r.Down
			require.Equal(s.T, own, r)
		}
		require.True(s.T, slices.IsSortedFunc(rows, func(a, b match.Row) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.GamesFor-b.GamesTo, a.GamesFor-a.GamesTo),
				cmp.Compare(b.For-b.Against, a.For-a.Against))
		}))
	}
	return v
}

// TestSeasons plays two seasons of seven weeks in a league of 13 teams and two divisions, with matches of all kinds and a restart at every
// step. The tables agree with the test's own account, the games with the journal, and the second season with promotion and relegation.
func TestSeasons(t *testing.T) {
	for _, restart := range []bool{false, true} {
		if testing.Short() && !restart {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			h := hall(t, teams)
			h.Restart = restart
			h.Start()
			cfg := league.Config{Window: match.Week, Size: 8}
			var last *match.View
			for n, key := range []string{"1", "2"} {
				s := begin(t, h, cfg, key)
				v := s.view()
				require.False(t, v.Begun)
				time.Sleep(24 * time.Hour)
				v = s.view()
				require.Len(t, v.Divisions, 2)
				require.Len(t, v.Divisions[0], 7)
				require.Len(t, v.Divisions[1], 6)
				require.Equal(t, 7, slices.MaxFunc(v.Matches, func(a, b match.Match) int { return a.Round - b.Round }).Round)
				require.Len(t, v.Matches, 7*6/2+6*5/2)
				if n > 0 {
					in := func(d int, id table.TeamID) bool {
						return slices.ContainsFunc(v.Divisions[d], func(r match.Row) bool { return r.Team.ID == id })
					}
					up, down := last.Divisions[1][0], last.Divisions[0][6]
					require.True(t, up.Up)
					require.True(t, down.Down)
					require.True(t, in(0, up.Team.ID), "goes up")
					require.True(t, in(1, down.Team.ID), "comes down")
					require.True(t, in(0, last.Divisions[0][5].Team.ID))
				}
				for w := range 7 {
					require.False(t, s.view().Over)
					s.round(w)
				}
				last = s.check()
				require.True(t, last.Over)
				require.Nil(t, s.Events.Room(s.id))
				s.compareWithGames(t)
				closings, err := h.Store.Closings(context.Background(), league.Kind, 1)
				require.NoError(t, err)
				final, err := event.Read[match.Final](closings[0].Last)
				require.NoError(t, err)
				require.Equal(t, []match.Trophy{
					{Team: last.Divisions[0][0].Team.ID, Title: "Winner of Season " + key + ", division 1"},
					{Team: last.Divisions[1][0].Team.ID, Title: "Winner of Season " + key + ", division 2"},
				}, final.Trophies)
				cfg.Order = final.Order
				time.Sleep(120 * 24 * time.Hour)
			}
		})
	}
}

// Titles, promotions and relegations require games: a season in which nobody plays has none, and if only the
// lower division plays, its winner gets a title but no promotion: no upper team is known to be worse.
func TestNoTitleWithoutAGame(t *testing.T) {
	for _, games := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := hall(t, 8)
			h.Start()
			s := begin(t, h, league.Config{Window: match.Week, Size: 4}, "x")
			time.Sleep(24 * time.Hour)
			var winner table.TeamID
			for _, m := range s.open() {
				if games && m.Division == 2 {
					s.agree(&m, time.Now().Add(time.Minute).Round(0))
					time.Sleep(time.Minute)
					s.Settle()
					s.play(m.No, true)
				}
			}
			time.Sleep(3 * match.Week)
			v := s.view()
			require.True(t, v.Over)
			require.True(t, v.Final.Held)
			require.False(t, v.Divisions[1][0].Up)
			require.False(t, v.Divisions[0][3].Down)
			require.Equal(t, []table.TeamID{1, 2, 3, 4}, v.Final.Order[:4])
			if games {
				winner = v.Divisions[1][0].Team.ID
				require.Equal(t, []match.Trophy{{Team: winner, Title: "Winner of Season x, division 2"}}, v.Final.Trophies)
			} else {
				require.Empty(t, v.Final.Trophies)
			}
		})
	}
}

// TestPlacesBehindAWinnerWithoutAGame: of three teams one is disbanded after winning the first match, so that
// the team that rested is first without a game. Nobody has won the season, and the others have places.
func TestPlacesBehindAWinnerWithoutAGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hall(t, 3)
		h.Start()
		s := begin(t, h, league.Config{Window: match.Week, Size: 4}, "x")
		time.Sleep(24 * time.Hour)
		first := s.open()[0]
		s.agree(&first, time.Now().Add(time.Minute).Round(0))
		time.Sleep(time.Minute)
		s.play(first.No, true)
		first = s.view().Matches[first.No-1]
		winner, loser := first.Sides[first.Winner-1].Team, first.Sides[2-first.Winner].Team
		s.Change(func() { delete(s.Teams, winner.ID) })
		time.Sleep(3 * match.Week)
		v := s.view()
		require.True(t, v.Over)
		require.Empty(t, v.Final.Trophies)
		require.Zero(t, v.Divisions[0][0].Games)
		all := v.Outcomes(&event.Event{}, nil)
		want := []event.Placing{{Place: 2, Team: winner.ID, Name: winner.Named()}, {Place: 3, Team: loser.ID, Name: loser.Named()}}
		require.Equal(t, want, all[len(all)-1].Teams)
	})
}

// compareWithGames compares the season with its games, as the check command does, and checks that one altered result is found.
func (s *season) compareWithGames(t *testing.T) {
	ctx := context.Background()
	games, err := s.Store.EventGames(ctx, s.id)
	require.NoError(t, err)
	require.NotEmpty(t, games)
	all, err := s.Store.Events(ctx, league.Kind, 0)
	require.NoError(t, err)
	i := slices.IndexFunc(all, func(e event.Event) bool { return e.ID == s.id })
	rules, _, err := event.Replay(ctx, s.Store, kinds(), all[i])
	require.NoError(t, err)
	check := rules.(event.Checker)
	require.Empty(t, check.Check(games))
	games[0].Result.Winner = 3 - games[0].Result.Winner
	require.NotEmpty(t, check.Check(games))
	require.NotEmpty(t, check.Check(games[1:]))
}

// Every team meets every other once, and none plays twice in a window, no matter how many teams there are.
func TestFixtures(t *testing.T) {
	for n := 2; n <= 24; n++ {
		synctest.Test(t, func(t *testing.T) {
			h := hall(t, n)
			h.Start()
			s := begin(t, h, league.Config{Window: time.Hour, Size: 8}, "x")
			time.Sleep(24 * time.Hour)
			v := s.view()
			require.Len(t, v.Divisions, (n+7)/8)
			met := map[[2]table.TeamID]bool{}
			busy := map[string]bool{}
			for _, m := range v.Matches {
				a, b := min(m.Sides[0].ID, m.Sides[1].ID), max(m.Sides[0].ID, m.Sides[1].ID)
				require.False(t, met[[2]table.TeamID{a, b}])
				met[[2]table.TeamID{a, b}] = true
				for _, id := range []table.TeamID{a, b} {
					key := fmt.Sprint(m.Round, "/", id)
					require.False(t, busy[key], "twice in a window")
					busy[key] = true
				}
			}
			want := 0
			for _, rows := range v.Divisions {
				require.LessOrEqual(t, len(rows), 8)
				require.GreaterOrEqual(t, len(rows), min(n, 4))
				want += len(rows) * (len(rows) - 1) / 2
			}
			require.Len(t, v.Matches, want)
		})
	}
}
