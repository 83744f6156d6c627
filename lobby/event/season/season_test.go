package season_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/eventtest"
	"boneyard/lobby/event/field"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/event/season"
	"boneyard/rules"
	"boneyard/table"
)

var kinds = event.KindsOf(arena.Type, field.Type, duplicate.Type, daily.Type, league.Type, cup.Type)

// club is a club with events and the books about them.
type club struct {
	*eventtest.Hall
	rng   *rand.Rand
	net   func(table.PlayerID) string // from where somebody comes
	own   func(table.PlayerID) int    // tiles that they choose in a game
	teams bool                        // they play for teams, two for each
	sure  bool                        // of two, the one with the lower number wins each game
	all   []record
}

// record is an event as the test has seen it.
type record struct {
	id    event.ID
	kind  event.Kind
	games []event.Played
}

// make makes an event that begins in a minute.
func (c *club) make(kind event.Kind, key string) (e event.Event) {
	begins := time.Now().Add(time.Minute).Round(0)
	seed := rules.Seed{byte(c.rng.Int()), 1}
	cfg := match.Config{Name: key, Rules: "block", Pace: table.PaceFast}
	switch kind {
	case arena.Kind:
		e = event.Make(kind, arena.Config{Name: key, Rules: "classic", Pace: table.PaceFast}, begins)
		e.Ends = begins.Add(10 * time.Minute)
	case field.Kind:
		f := field.Config{Rules: "classic rounds=2", Pace: table.PaceNormal, By: "ana"}
		require.NoError(c.T, f.Complete())
		e = field.Make(f, seed, begins)
	case duplicate.Kind:
		d := duplicate.Config{Rules: "classic rounds=2", Pace: table.PaceNormal, By: "ana"}
		require.NoError(c.T, d.Complete())
		e = duplicate.Make(d, seed, begins)
	case daily.Kind:
		return daily.Make(time.Now(), c.rng.IntN(1000), seed) // it has a key
	case league.Kind:
		e = event.Make(kind, league.Config{Config: cfg, Window: 4 * time.Hour, Size: 4}, begins)
	case cup.Kind:
		e = event.Make(kind, cup.Config{Config: cfg, Round: 4 * time.Hour}, begins)
	}
	e.Key = key
	return e
}

// enter makes somebody take part, from some network.
func enter(r event.Rules, p table.Player, net string, now time.Time) ([]event.Entry, error) {
	switch r := r.(type) {
	case *arena.Arena:
		return r.Enter(p, net, nil, "", now)
	case *field.Field:
		return r.Enter(p, net, nil, "", now)
	case *duplicate.Match:
		return r.Enter(p, net, duplicate.Team(p.ID%2+1))
	case interface {
		SignUp(t match.Team, members int) ([]event.Entry, error)
	}:
		return r.SignUp(match.Team{ID: p.Team, Tag: p.Tag, Name: p.For}, 2)
	}
	return daily.Attempt(p, false, net)(r, now)
}

// arrange makes most teams agree on times for their matches.
func (c *club) arrange(room *event.Room) {
	type captains interface {
		Propose(team table.TeamID, at, now time.Time) ([]event.Entry, error)
		Accept(team table.TeamID, now time.Time) ([]event.Entry, error)
	}
	v, ok := room.View().(*match.View)
	if !ok {
		return
	}
	for i := range v.Matches {
		m := &v.Matches[i]
		if !m.Open || m.Done || m.Pairing != 0 || !m.At.IsZero() || c.rng.IntN(20) > 0 {
			continue
		}
		for side := range m.Sides { // an error: the time for it is over
			_ = room.Do(c.T.Context(), func(r event.Rules, now time.Time) ([]event.Entry, error) {
				if side == 0 {
					return r.(captains).Propose(m.Sides[0].ID, now.Add(time.Minute).Round(0), now)
				}
				return r.(captains).Accept(m.Sides[1].ID, now)
			})
		}
		synctest.Wait()
	}
}

// play holds an event for some people, until it is over: each game is played as soon as it has a table.
func (c *club) play(kind event.Kind, key string, people []table.Player) event.ID {
	c.T.Helper()
	room, err := c.Events.Create(c.T.Context(), c.make(kind, key))
	require.NoError(c.T, err)
	id := room.Event().ID
	for _, p := range people {
		require.NoError(c.T, room.Do(c.T.Context(), func(r event.Rules, now time.Time) ([]event.Entry, error) {
			return enter(r, p, c.net(p.ID), now)
		}))
	}
	if kind == duplicate.Kind {
		_ = room.Do(c.T.Context(), func(r event.Rules, _ time.Time) ([]event.Entry, error) { // an error: it has begun, or nobody is in a team
			return r.(*duplicate.Match).Start("ana", false)
		})
	}
	synctest.Wait()
	rec := record{id: id, kind: kind}
	step := time.Minute
	if kind == daily.Kind {
		step = time.Hour
	}
	for c.Events.Room(id) != nil {
		c.arrange(room)
		for of := range c.Tables() {
			if of.ID == id {
				rec.games = append(rec.games, c.end(of))
			}
		}
		synctest.Wait()
		time.Sleep(step)
		synctest.Wait()
	}
	c.all = append(c.all, rec)
	return id
}

// end plays the game of a table to some ending; it is rated if its players are from different networks.
func (c *club) end(of table.Event) event.Played {
	seats := c.Tables()[of].Occasion.Seats
	r := table.Result{Ending: table.EndPlayed, Winner: 1 + c.rng.IntN(2), Scores: []int{50, 50}, Rated: true}
	switch c.rng.IntN(12) {
	case 0:
		r.Ending = table.EndForfeit
	case 1:
		r.Ending, r.Winner = table.EndAbandoned, 0
	}
	if r.Winner != 0 {
		r.Scores[r.Winner-1] += 10 * c.rng.IntN(4) // so that there are equal results
	}
	if c.sure {
		r.Ending, r.Winner = table.EndPlayed, 1
		if seats[1].ID < seats[0].ID {
			r.Winner = 2
		}
	}
	for i, p := range seats {
		r.Own, r.Plays = append(r.Own, c.own(p.ID)), append(r.Plays, 8)
		for k, q := range seats[:i] {
			r.Rated = r.Rated && p.ID > 0 && q.ID > 0 && (k%2 == i%2 || c.net(p.ID) != c.net(q.ID))
		}
	}
	r.Rated = r.Rated && len(seats) > 1 && r.Ending != table.EndAbandoned
	p := c.Play(of, r)
	c.Events.Ended(p)
	return p
}

func (c *club) members(n int) (all []table.Player) {
	for i := range n {
		name := fmt.Sprint("p", i+1)
		a, err := c.Store.Create(c.T.Context(), lobby.KeyID{1, byte(i + 1)}, name, name, time.Now())
		require.NoError(c.T, err)
		all = append(all, table.Player{ID: a.ID, Name: name})
	}
	return all
}

// gather puts people into teams of two.
func (c *club) gather(people []table.Player) {
	for i := range people {
		p := &people[i]
		team := table.TeamID(i/2 + 1)
		r := c.AddTeam(team, 1500, 0)
		p.Team, p.Tag, p.For = team, r.Tag, r.Name
		r.Members = people[i-i%2 : i+1]
		c.Change(func() { c.Teams[team] = r })
	}
}

func points(t *testing.T, b *season.Book, month time.Time) map[table.PlayerID]int {
	t.Helper()
	year, err := b.Outcomes(t.Context())
	require.NoError(t, err)
	got := map[table.PlayerID]int{}
	rows := year.Table(month, false)
	for _, r := range rows {
		got[r.Player] = r.Points
	}
	require.Equal(t, season.Table(kinds, year.All, month, false), rows)
	if len(rows) > 0 {
		require.Same(t, &rows[0], &year.Table(month, false)[0], "computed for whoever asks")
	}
	return got
}

// For a month of any events, whoever comes, from wherever, and however they play, three books agree: one that
// followed the events, one that heard of each twice, and one begun after a restart. They also agree with what
// each place is worth when counted one by one from the games.
func TestBooksAgree(t *testing.T) {
	for kind, of := range lobby.EventKinds() {
		require.Equal(t, of.Season != nil, kinds[kind] != nil, kind)
	}
	equal := 0 // places, of any kind: there are few in an arena
	for _, of := range kinds.Sorted() {
		t.Run(string(of.Kind), func(t *testing.T) {
			scored, ranked := 0, 0
			seeds := uint64(12)
			if testing.Short() {
				seeds = 4
			}
			for seed := range seeds {
				rng := rand.New(rand.NewPCG(seed, 1))
				nets, size, events := 1+rng.IntN(6), 2+rng.IntN(7), 1+rng.IntN(2)
				synctest.Test(t, func(t *testing.T) {
					c := &club{Hall: eventtest.New(t, kinds), rng: rng, teams: of.Kind == league.Kind || of.Kind == cup.Kind}
					c.net = func(p table.PlayerID) string { return fmt.Sprint("a", p, ".n", int(p)%nets) }
					c.own = func(p table.PlayerID) int { return []int{4, 8, 8, 0}[int(p)%4] }
					c.Start()
					if c.teams {
						size = 8
					}
					people := c.members(size)
					if c.teams {
						c.gather(people)
					}
					followed := season.NewBook(c.Events)
					month := season.FirstDay(time.Now())
					for i := range events {
						e, err := c.Store.EventByID(t.Context(), c.play(of.Kind, fmt.Sprint(i), people))
						require.NoError(t, err)
						followed.Over(e)
						got := points(t, followed, month)
						followed.Over(e)
						require.Equal(t, got, points(t, followed, month))
						time.Sleep(24 * time.Hour) // for another daily deal
					}
					year, err := followed.Outcomes(t.Context())
					require.NoError(t, err)
					all := year.All
					for i := range all {
						c.check(&all[i], of.Season.Rival)
						for k, p := range all[i].Places {
							if ranked++; k > 0 && all[i].Places[k-1].Place == p.Place {
								equal++
							}
						}
					}
					got := points(t, followed, month)
					scored += len(got)
					c.Stop()
					c.Start()
					require.Equal(t, got, points(t, season.NewBook(c.Events), month))
				})
			}
			require.Positive(t, scored)
			require.Positive(t, ranked)
		})
	}
	require.Positive(t, equal)
}

// check counts what each place of an outcome is worth.
func (c *club) check(o *event.Outcome, each int) {
	var games []event.Played
	for _, r := range c.all {
		if r.id == o.Event {
			games = r.games
		}
	}
	plays := func(p table.Player) bool { // really, for points
		for _, g := range games {
			if i := slices.IndexFunc(g.Start.Seats, func(q table.Player) bool { return q.ID == p.ID }); i >= 0 && c.own(p.ID) > 4 &&
				g.Result.Ending != table.EndAbandoned && (g.Result.Rated || o.Kind == daily.Kind || o.Kind == field.Kind || o.Kind == duplicate.Kind) {
				return true
			}
		}
		return false
	}
	from := func(p table.Player) string {
		switch _, net, _ := strings.Cut(c.net(p.ID), "."); {
		case c.teams:
			return p.Tag // all of a team are one
		case o.Kind == daily.Kind: // from one network they have no place
			return p.Name
		default:
			return net
		}
	}
	void := o.Kind == duplicate.Kind && slices.ContainsFunc(games, func(g event.Played) bool { return g.Result.Ending != table.EndPlayed })
	seen := map[table.PlayerID]bool{}
	for _, p := range o.Places {
		rivals := map[string]bool{}
		for _, m := range p.Members {
			require.False(c.T, seen[m.ID], "two places")
			seen[m.ID] = true
		}
		one := p.Members[0]
		for _, q := range o.Places {
			if other := q.Members[0]; q.Place > p.Place && plays(one) && plays(other) && from(one) != from(other) && !void {
				rivals[from(other)] = true
			}
		}
		require.Equal(c.T, each*len(rivals), p.Points, "%s: %+v in %+v", o.Kind, p, o.Places)
	}
	for _, p := range o.Teams {
		require.LessOrEqual(c.T, p.Points, each)
	}
}

// A player from two networks makes them one, and a partner who has not played has no points.
func TestScore(t *testing.T) {
	who := func(place int, nets []string, earned ...table.PlayerID) event.Contender {
		all, has := []table.Player{}, map[table.PlayerID]bool{}
		for i := range nets {
			all = append(all, table.Player{ID: table.PlayerID(10*place + i), Name: fmt.Sprint("p", place, i)})
		}
		for _, p := range earned {
			has[p] = true
		}
		return event.Contend(place, all, nets, has)
	}
	w := event.Worth{Rival: 2}
	places := w.Score([]event.Contender{
		who(1, []string{"a.n1", "b.n2"}, 11), who(2, []string{"c.n3", "d.n4"}, 20), who(3, []string{"e.n4", "f.n5"}, 30, 31),
		who(4, []string{"g.n5"}), who(5, []string{"h.n6"}, 50), who(6, []string{"i.n6", "j.n1"}), who(7, []string{"k.n7"}, 70),
	})
	var got []int
	for _, p := range places {
		got = append(got, p.Points)
	}
	require.Equal(t, []int{6, 4, 4, 0, 2, 0, 0}, got)
	rows := season.Table(event.KindsOf(field.Type), []event.Outcome{{Kind: field.Kind, At: time.Now(), Places: places}},
		season.FirstDay(time.Now()), false)
	require.Len(t, rows, 5)
	require.Equal(t, table.PlayerID(11), rows[0].Player)

	seats := []table.Player{{ID: 1}, {ID: 2, Bot: true}, {ID: -3}, {}}
	g := event.Played{Start: table.Start{Seats: seats},
		Result: table.Result{Ending: table.EndPlayed, Own: []int{8, 8, 8, 8}, Plays: []int{8, 8, 8, 8}}}
	require.Equal(t, map[table.PlayerID]bool{1: true}, event.Earned([]event.Played{g}, false), "no program, guest or bot")
	require.Empty(t, event.Earned([]event.Played{g}, true))
}

// TestWonIsOfWhatCounts: of the events in which somebody was first, Won includes only those that count.
func TestWonIsOfWhatCounts(t *testing.T) {
	var all []event.Outcome
	for i := range arena.Type.Season.Best + 2 { // two in which the first has left only one rival behind
		p := event.Placing{Place: 1, Earned: []table.Player{{ID: 1, Name: "ana"}}, Points: 4}
		switch {
		case i < 2:
			p.Points = 2
		case i < 5:
			p.Place = 2
		}
		all = append(all, event.Outcome{Kind: arena.Kind, At: time.Now(), Places: []event.Placing{p}})
	}
	best := arena.Type.Season.Best
	want := []season.Row{{Place: 1, Player: 1, Name: "ana", Points: 4 * best, Events: best, Won: best - 3}}
	require.Equal(t, want, season.Table(kinds, all, season.FirstDay(time.Now()), false))
}

// A team has both its tag and name if any of its events knows both.
func TestATeamGoesByItsName(t *testing.T) {
	var all []event.Outcome
	for i, name := range []string{"[OWL]", "[OWL] Owls", "[OWL]"} {
		all = append(all, event.Outcome{Kind: arena.Kind, At: time.Now(), Teams: []event.Placing{{Place: i + 1, Team: 7, Name: name, Points: 1}}})
	}
	require.Equal(t, "[OWL] Owls", season.Table(kinds, all, season.FirstDay(time.Now()), true)[0].Name)
}

// eight opens a club with eight members on different networks, who play all of their tiles themselves, and no
// two of whom are equal.
func eight(t *testing.T) (*club, []table.Player) {
	c := &club{Hall: eventtest.New(t, kinds), rng: rand.New(rand.NewPCG(1, 1)), sure: true}
	c.Start()
	c.net = func(p table.PlayerID) string { return fmt.Sprint("a", p, ".n", p) }
	c.own = func(table.PlayerID) int { return 8 }
	return c, c.members(8)
}

// The shield goes to whoever was first in a month once it is over, and stays until somebody else wins it,
// even over months in which nobody plays.
func TestShield(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, people := eight(t)
		best := func(got map[table.PlayerID]int) (all map[table.PlayerID]bool) {
			most := 0
			for p, n := range got {
				if n > most {
					most, all = n, map[table.PlayerID]bool{}
				}
				if n == most {
					all[p] = true
				}
			}
			return all
		}
		b := season.NewBook(c.Events)
		holders := func() map[table.PlayerID]bool {
			points(t, b, time.Time{})
			return b.Shields().Players
		}
		require.Empty(t, holders())
		month := season.FirstDay(time.Now())
		e, err := c.Store.EventByID(t.Context(), c.play(arena.Kind, "first", people[:5]))
		require.NoError(t, err)
		b.Over(e)
		first := best(points(t, b, month))
		require.Len(t, first, 1)
		require.Empty(t, holders(), "the month is not over")
		time.Sleep(40 * 24 * time.Hour)
		require.Equal(t, first, holders())
		time.Sleep(90 * 24 * time.Hour)
		require.Equal(t, first, holders(), "nobody has taken it")
		month = season.FirstDay(time.Now())
		e, err = c.Store.EventByID(t.Context(), c.play(arena.Kind, "second", people[5:]))
		require.NoError(t, err)
		b.Over(e)
		second := best(points(t, b, month))
		require.Equal(t, first, holders())
		time.Sleep(40 * 24 * time.Hour)
		told := len(c.Told)
		require.Equal(t, second, holders())
		require.Len(t, c.Told[told:], 1)
		require.Contains(t, c.Told[told], " won the season of ")
		require.Equal(t, second, func() map[table.PlayerID]bool {
			again := season.NewBook(c.Events)
			points(t, again, time.Time{})
			return again.Shields().Players
		}(), "after a restart")
	})
}

// TestSeasonNewsOverARestart: the winner of a season is news also if the club was down when the month ended,
// however long.
func TestSeasonNewsOverARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, people := eight(t)
		b := season.NewBook(c.Events)
		points(t, b, time.Time{})
		e, err := c.Store.EventByID(t.Context(), c.play(arena.Kind, "first", people[:5]))
		require.NoError(t, err)
		b.Over(e)
		points(t, b, time.Time{})
		time.Sleep(season.Left(time.Now()) - time.Minute)
		told := time.Now()
		for _, down := range []time.Duration{2 * time.Minute, 24 * time.Hour} { // the month ends
			c.Stop()
			time.Sleep(down)
			c.Start()
			c.Told = nil
			again := season.NewBook(c.Events)
			again.Told(told)
			points(t, again, time.Time{})
			require.Len(t, again.Shields().Players, 1)
			require.Contains(t, strings.Join(c.Told, "\n"), " won the season of ")
		}
		again := season.NewBook(c.Events)
		points(t, again, time.Time{})
		require.Len(t, c.Told, 1, "there was news after the month")
	})
}

// TestASharedSeasonIsOnePieceOfNews: all players of a team may be first with the same points, and only a few
// news items are allowed at a time.
func TestASharedSeasonIsOnePieceOfNews(t *testing.T) {
	for kind, want := range map[event.Kind][]string{
		cup.Kind:       {`^p1 and p2 shared the season of \w+ \d+ with \d+ points$`, `^\[T1\] \S+.* won the season of `},
		duplicate.Kind: {`^p\d, p\d, p\d and 1 other shared the season of \w+ \d+ with \d+ points$`},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, people := eight(t)
			if kind == cup.Kind {
				c.gather(people)
			}
			b := season.NewBook(c.Events)
			points(t, b, time.Time{})
			e, err := c.Store.EventByID(t.Context(), c.play(kind, "first", people))
			require.NoError(t, err)
			b.Over(e)
			points(t, b, time.Time{})
			time.Sleep(season.Left(time.Now()))
			points(t, b, time.Time{})
			require.Len(t, c.Told, len(want), "%q", c.Told)
			for i := range want {
				require.Regexp(t, want[i], c.Told[i])
			}
		})
	}
}

// TestWhoeverWinsTwoSeasonsIsNewsTwice: a player who keeps the shield has won another season all the same.
func TestWhoeverWinsTwoSeasonsIsNewsTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, people := eight(t)
		b := season.NewBook(c.Events)
		points(t, b, time.Time{})
		won := func(name string) (holders map[table.PlayerID]bool, told []string) {
			time.Sleep(season.Left(time.Now()) + 24*time.Hour)
			before := len(c.Told)
			e, err := c.Store.EventByID(t.Context(), c.play(arena.Kind, name, people[:2]))
			require.NoError(t, err)
			b.Over(e)
			points(t, b, time.Time{})
			time.Sleep(season.Left(time.Now()) + 24*time.Hour)
			points(t, b, time.Time{})
			for _, s := range c.Told[before:] {
				if strings.Contains(s, " won the season of ") {
					told = append(told, s)
				}
			}
			return b.Shields().Players, told
		}
		first, told := won("first")
		require.Len(t, told, 1)
		for i := range 10 {
			again, told := won(strconv.Itoa(i))
			require.Len(t, told, 1, "%v %v", first, again)
			points(t, b, time.Time{})
		}
	})
}

// TestABookOfAClockThatWasAhead: what a book dropped when its clock was years ahead, it reads again later.
func TestABookOfAClockThatWasAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, people := eight(t)
		month := season.FirstDay(time.Now())
		c.play(arena.Kind, "first", people[:5])
		for _, early := range []bool{true, false} { // it is read before the clock leaps
			b := season.NewBook(c.Events)
			if early {
				require.NotEmpty(t, points(t, b, month))
			}
			c.Change(func() { c.Ahead = 2 * 365 * 24 * time.Hour })
			require.Empty(t, points(t, b, month))
			c.Change(func() { c.Ahead = 0 })
			require.NotEmpty(t, points(t, b, month))
		}
	})
}

// asker is a caller whose questions are never answered from memory.
type asker struct{ event.Person }

func (asker) Once(ctx context.Context, _ any, read func(context.Context) (any, error)) (any, error) {
	return read(ctx)
}

// TestNoMonthLosesItsPoints: a month's points are shown for a year, with or without a restart. After that the
// month is refused, rather than shown without points.
func TestNoMonthLosesItsPoints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, people := eight(t)
		month := season.FirstDay(time.Now())
		c.play(arena.Kind, "first", people[:5])
		known := 0
		for range 30 {
			d := season.Desk{Caller: &event.Caller{Person: asker{}, Events: c.Events}, Book: season.NewBook(c.Events)}
			for range 2 {
				rows, err := d.Season(t.Context(), season.Month(month), false)
				if err == nil {
					require.NotEmpty(t, rows)
					known++
				} else {
					require.ErrorIs(t, err, season.ErrOld)
				}
				time.Sleep(season.Left(time.Now()) / 2)
			}
			time.Sleep(season.Left(time.Now()) + time.Second)
		}
		require.Equal(t, 2*13, known)
	})
}
