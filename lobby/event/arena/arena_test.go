package arena

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"boneyard/lobby/event"
	"boneyard/rules"
	_ "boneyard/rules/sameseed"
	"boneyard/table"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// hall holds an arena as a room does: entries are applied as they would be read from disk.
type hall struct {
	tb   testing.TB
	a    *Arena
	ev   event.Event
	log  []event.Entry
	now  time.Time
	game table.GameID

	played []event.Played
	busy   map[table.PlayerID]bool // who plays elsewhere

	event.Facts // nothing else is asked
}

// Busy implements [event.Facts].
func (h *hall) Busy(id table.PlayerID) bool { return h.busy[id] }

func hold(tb testing.TB, cfg Config) *hall {
	tb.Helper()
	if cfg.Rules == "" {
		cfg.Rules, cfg.Pace = "classic", table.PaceFast
	}
	e := event.Make(Kind, cfg, noon)
	e.ID, e.Ends = 1, noon.Add(time.Hour)
	h := &hall{tb: tb, ev: e, now: noon.Add(-time.Minute)}
	r, err := New(h.ev)
	require.NoError(tb, err)
	h.a = r.(*Arena)
	return h
}

func (h *hall) append(entries []event.Entry) {
	for _, e := range entries {
		h.log = append(h.log, event.Entry{Seq: len(h.log) + 1, At: h.now, Kind: e.Kind, Data: e.Data})
		require.NoError(h.tb, h.a.Apply(h.log[len(h.log)-1]))
	}
}

// at does what is due at a time.
func (h *hall) at(t time.Time) {
	h.now = t
	for range 1000 {
		if h.a.v.Over {
			return
		}
		due := h.a.Due(h.now)
		if len(due) == 0 {
			var err error
			due, err = h.a.Ask(context.Background(), h.now, h)
			require.NoError(h.tb, err)
		}
		if len(due) == 0 {
			require.True(h.tb, h.a.Next().After(h.now), "it would be asked again at once, for ever")
			return
		}
		h.append(due)
	}
	require.FailNow(h.tb, "it does not come to rest")
}

// Entrants who play elsewhere get no game until that is over.
func TestWhoPlaysElsewhereIsNotPaired(t *testing.T) {
	h := hold(t, Config{})
	h.busy = map[table.PlayerID]bool{2: true}
	h.at(noon)
	h.enter(who(1), "")
	h.enter(who(2), "")
	h.at(noon.Add(time.Minute))
	require.Empty(t, h.a.games)
	h.busy = nil
	h.at(noon.Add(2 * time.Minute))
	require.Len(t, h.a.games, 1)
}

func who(id int) table.Player { return table.Player{ID: table.PlayerID(id), Name: fmt.Sprint("p", id)} }

func (h *hall) enter(p table.Player, net string) {
	entries, err := h.a.Enter(p, net, nil, "", h.now)
	require.NoError(h.tb, err)
	h.append(entries)
	h.at(h.now)
}

// end ends a game; winner 0 is no result.
func (h *hall) end(no int64, winner table.PlayerID, ending table.Ending) {
	g := h.a.games[no]
	h.game++
	p := event.Played{Game: h.game, Start: table.Start{Event: table.Event{ID: 1, Pairing: no}},
		Result: table.Result{Ending: ending, Own: []int{9, 9, 9, 9}}}
	switch winner {
	case g.A:
		p.Result.Winner = 1
	case g.B:
		p.Result.Winner = 2
	}
	require.False(h.tb, h.a.HasResult(p.Game))
	h.played = append(h.played, p)
	h.append(h.a.Ended(h.now, p))
	require.True(h.tb, h.a.HasResult(p.Game))
	h.at(h.now)
}

func (h *hall) view() *View { return h.a.View(nil).(*View) }

// A win scores 2, and 4 from the third in a row on; ties are decided by the opponents' scores.
func TestScores(t *testing.T) {
	h := hold(t, Config{})
	h.at(noon)
	for i := 1; i <= 4; i++ {
		h.enter(who(i), "")
	}
	for i := 5; i <= 12; i++ {
		h.enter(who(i), "")
	}
	// next ends all games in play; the first player wins (1), loses (-1) or shares (0) theirs.
	next := func(result int, ending table.Ending) {
		own := h.a.games[h.a.of(1).Game]
		require.NotZero(t, own.No)
		winner := table.PlayerID(0)
		if result != 0 {
			winner = own.A + own.B - 1
		}
		if result > 0 {
			winner = 1
		}
		for _, no := range slices.Sorted(maps.Keys(h.a.games)) {
			if no != own.No {
				h.end(no, h.a.games[no].A, table.EndPlayed)
			}
		}
		h.end(own.No, winner, ending)
		h.at(h.now.Add(time.Minute))
	}
	for i, score := range []int{2, 4, 8, 12} {
		next(1, table.EndPlayed)
		require.Equal(t, score, h.a.of(1).Score, "win %d", i+1)
	}
	next(-1, table.EndPlayed)
	require.Equal(t, 12, h.a.of(1).Score)
	require.Zero(t, h.a.of(1).Row, "the row has ended")
	next(1, table.EndPlayed)
	require.Equal(t, 14, h.a.of(1).Score)
	next(0, table.EndPlayed)
	require.Equal(t, 15, h.a.of(1).Score, "a shared game is worth 1")
	next(0, table.EndAbandoned)
	require.Equal(t, 15, h.a.of(1).Score)
	require.Equal(t, 7, h.a.of(1).Games, "a game without a result counts for nobody")
}

func TestTies(t *testing.T) {
	h := hold(t, Config{})
	set := func(id, score int, met ...table.PlayerID) {
		h.a.entrants[table.PlayerID(id)] = &Entrant{ID: table.PlayerID(id), Entrant: event.Entrant{Members: []table.Player{who(id)}},
			Score: score, met: met, no: id}
	}
	set(1, 4, 3, 3)
	set(2, 4, 3, 4)
	set(3, 2)
	set(4, 8)
	var order []table.PlayerID
	for _, e := range h.view().Entrants {
		order = append(order, e.ID)
	}
	require.Equal(t, []table.PlayerID{4, 2, 1, 3}, order)
	require.InDelta(t, 5.0, h.a.entrants[2].Tie, 0)
}

// Free entrants are paired at once, but only after a wait with their last opponent or somebody from the same network.
func TestPairing(t *testing.T) {
	h := hold(t, Config{})
	h.enter(who(1), "")
	h.enter(who(2), "")
	require.Empty(t, h.a.games, "it has not begun")
	h.at(noon)
	require.Len(t, h.a.games, 1)
	h.end(1, 1, table.EndPlayed)
	require.Empty(t, h.a.games, "they have just met")
	require.Equal(t, h.now.Add(patience), h.a.Next())
	h.enter(who(3), "")
	require.Len(t, h.a.games, 1, "somebody else is there")
	require.NotZero(t, h.a.of(1).Game, "the next in rank plays")
	h.at(h.now.Add(patience))
	h.end(2, 3, table.EndPlayed)
	require.NotZero(t, h.a.of(2).Game, "who has waited plays")

	near := hold(t, Config{})
	near.at(noon)
	near.enter(who(1), "n")
	near.enter(who(2), "n")
	require.Empty(t, near.a.games)
	near.at(noon.Add(patience))
	require.Len(t, near.a.games, 1)

	for i := int64(1); i < meetings; i++ {
		near.end(i, 1, table.EndPlayed)
		near.at(near.now.Add(patience))
	}
	near.end(meetings, 1, table.EndPlayed)
	near.at(near.now.Add(10 * patience))
	require.Empty(t, near.a.games, "two meet so often in one arena, and no more")
	require.Equal(t, near.ev.Ends, near.a.Next())
}

// A player who does not move gets no more games until they return; the game counts for nobody.
func TestIdle(t *testing.T) {
	h := hold(t, Config{})
	h.at(noon)
	h.enter(who(1), "")
	h.enter(who(2), "")
	require.Empty(t, h.a.Idle(7, 1))
	h.append(h.a.Idle(1, 2))
	h.at(h.now)
	require.True(t, h.a.of(2).Away)
	require.True(t, h.a.of(2).Idle)
	require.Empty(t, h.a.games)
	require.Empty(t, h.a.Idle(1, 2), "once")
	h.enter(who(3), "")
	require.NotZero(t, h.a.of(1).Game, "the other plays on at once")
	h.enter(who(2), "")
	require.False(t, h.a.of(2).Away)
	entries, err := h.a.Leave(2)
	require.NoError(t, err)
	h.append(entries)
	h.at(h.now)
	h.enter(who(4), "")
	require.Zero(t, h.a.of(2).Game)
	_, err = h.a.Leave(9)
	require.ErrorIs(t, err, ErrNotIn)
	p := event.Played{Game: 77, Start: table.Start{Event: table.Event{Pairing: 1}}, Result: table.Result{Ending: table.EndForfeit, Winner: 1}}
	h.append(h.a.Ended(h.now, p))
	require.Zero(t, h.a.of(1).Score, "a result of the game that was called off")
}

// A game that the loser gave up at once adds nothing to a streak.
func TestQuickLosses(t *testing.T) {
	h := hold(t, Config{})
	h.a.games[1] = Game{No: 1, A: 1, B: 2}
	p := event.Played{Start: table.Start{Event: table.Event{Pairing: 1}},
		Result: table.Result{Ending: table.EndForfeit, Winner: 1, Own: []int{9, quick - 1}}}
	require.Equal(t, Taken{No: 1, Winner: 1, Quick: true}, h.a.Judge(p))
	p.Result.Own[1]++
	require.Equal(t, Taken{No: 1, Winner: 1}, h.a.Judge(p))
	p.Result = table.Result{Ending: table.EndPlayed, Winner: 2}
	require.Equal(t, Taken{No: 1, Winner: 2}, h.a.Judge(p))

	x, y := &Entrant{ID: 1, Row: 2}, &Entrant{ID: 2, Row: 2}
	score(x, y, Taken{Winner: 1, Quick: true})
	require.Equal(t, []int{1, 1, 2, 2}, []int{x.Games, x.Won, x.Score, x.Row}, "nor does it end it")
	require.Equal(t, []int{1, 0, 0, 0}, []int{y.Games, y.Won, y.Score, y.Row})
	score(x, nil, Taken{Winner: 0})
	require.Equal(t, []int{2, 1, 2, 2}, []int{x.Games, x.Won, x.Score, x.Row}, "lost to a bot")
}

// A game still in play at the end counts, but nobody is paired any more.
func TestEnd(t *testing.T) {
	h := hold(t, Config{})
	h.at(noon)
	for i := 1; i <= 4; i++ {
		h.enter(who(i), "")
	}
	h.at(h.ev.Ends)
	require.False(t, h.a.v.Over)
	h.end(1, 1, table.EndPlayed)
	require.Len(t, h.a.games, 1)
	_, err := h.a.Enter(who(5), "", nil, "", h.now)
	require.ErrorIs(t, err, ErrOver)
	h.at(h.ev.Ends.Add(time.Minute))
	h.end(2, 3, table.EndPlayed)
	require.True(t, h.a.v.Over)
	require.Equal(t, 2, h.view().Played)

	late := hold(t, Config{})
	late.at(noon)
	late.enter(who(1), "")
	late.enter(who(2), "")
	late.at(late.ev.Ends)
	late.at(late.ev.Ends.Add(overtime))
	require.True(t, late.a.v.Over, "it does not wait for ever")
	require.Empty(t, late.view().Games, "what was not finished is no longer in progress")
	require.Zero(t, late.view().Of(1).Game)
}

func TestPairs(t *testing.T) {
	h := hold(t, Config{Rules: "block", Pace: table.PaceFast, Pairs: true})
	h.at(noon)
	with := func(a, b int) error {
		partner := who(b)
		entries, err := h.a.Enter(who(a), "", &partner, "", h.now)
		h.append(entries)
		h.at(h.now)
		return err
	}
	_, err := h.a.Enter(who(1), "", nil, "", h.now)
	require.ErrorIs(t, err, ErrPartner)
	require.ErrorIs(t, with(1, 1), ErrPartner)
	require.NoError(t, with(1, 2))
	require.Empty(t, h.view().Entrants, "the partner has to agree")
	require.NoError(t, with(2, 1))
	require.Len(t, h.view().Entrants, 1)
	require.ErrorIs(t, with(3, 2), event.ErrPaired)
	require.NoError(t, with(3, 4))
	require.NoError(t, with(4, 3))
	wanted := h.a.Wanted()
	require.Len(t, wanted, 1)
	cfg := wanted[0].Config
	require.NoError(t, cfg.Validate())
	require.Equal(t, "block", cfg.RuleText)
	require.Equal(t, rules.Block, cfg.Rules.Preset)
	require.Equal(t, []any{4, table.PaceFast, table.FillNever}, []any{cfg.Seats, cfg.Pace, cfg.Fill})
	require.Equal(t, table.AbsenceForfeit, cfg.Absence)
	require.True(t, cfg.Event.Prompt, "nobody pauses before all have moved")
	seats := wanted[0].Occasion.Seats
	require.Len(t, seats, 4)
	require.True(t, h.a.of(seats[0].ID) == h.a.of(seats[2].ID) && h.a.of(seats[1].ID) == h.a.of(seats[3].ID), "partners sit opposite")
	require.Equal(t, "p1 + p2", func() string {
		e := h.a.of(1)
		slices.SortFunc(e.Members, func(x, y table.Player) int { return int(x.ID - y.ID) })
		return e.Name()
	}())
}

// Whoever is alone in an arena cannot name a partner there, whether they have entered or not.
func TestNobodyHasAPartnerInAnArenaOfSingles(t *testing.T) {
	h := hold(t, Config{})
	for range 2 {
		_, err := h.a.Enter(who(1), "", new(who(2)), "", h.now)
		require.ErrorIs(t, err, ErrSingle)
		h.enter(who(1), "")
	}
}

// Those whose scores and ties are equal share the first place in the news, as in the season.
func TestNewsOfWhoWasFirst(t *testing.T) {
	at := func(name string, score int, tie float64) Entrant {
		return Entrant{Entrant: event.Entrant{Members: []table.Player{{Name: name}}}, Score: score, Tie: tie}
	}
	team := func(tag string, score int) Team { return Team{Tag: tag, Score: score} }
	for want, v := range map[string]*View{
		"Arena 7: ana was first with 4 points":                     {Entrants: []Entrant{at("ana", 4, 2), at("ben", 4, 1)}},
		"Arena 7: ana and ben shared the first place with 1 point": {Entrants: []Entrant{at("ana", 1, 1), at("ben", 1, 1), at("cy", 1, 0)}},
		"Arena 7: [A] won the battle by 9 to 3 against [B]":        {Teams: []Team{team("A", 9), team("B", 3), team("C", 3)}},
		"Arena 7: [A] and [B] shared the battle with 3 each":       {Teams: []Team{team("A", 3), team("B", 3), team("C", 2)}},
		"Arena 7: [A], [B] and [C] shared the battle with 1 each":  {Teams: []Team{team("A", 1), team("B", 1), team("C", 1)}},
	} {
		if v.ID, v.Over, v.Played, v.Config.Battle = 7, true, 3, v.Teams != nil; v.Config.Battle {
			v.Entrants = make([]Entrant, 2)
		}
		require.Equal(t, []string{want}, news(nil, v))
	}
}

func TestBattle(t *testing.T) {
	h := hold(t, Config{Battle: true, Teams: []table.TeamID{1, 2}})
	h.at(noon)
	member := func(id int, team table.TeamID) table.Player {
		p := who(id)
		p.Team, p.Tag = team, fmt.Sprint("T", team)
		return p
	}
	_, err := h.a.Enter(who(1), "", nil, "", h.now)
	require.ErrorIs(t, err, ErrTeam)
	_, err = h.a.Enter(member(1, 3), "", nil, "", h.now)
	require.ErrorIs(t, err, ErrTeam)
	h.enter(member(1, 1), "")
	h.enter(member(2, 1), "")
	require.Empty(t, h.a.games, "not within a team")
	h.enter(member(3, 2), "")
	require.Len(t, h.a.games, 1)
	for i := 4; i <= 10; i++ {
		h.enter(member(i, 1), "")
	}
	for i, e := range []int{1, 2, 4, 5, 6, 7} {
		h.a.of(table.PlayerID(e)).Score = 2 * (i + 1)
	}
	h.a.of(3).Score = 12
	v := h.view()
	require.Equal(t, []Team{{1, "T1", 12 + 10 + 8 + 6 + 4, 1}, {2, "T2", 12, 2}}, v.Teams)
}

// TestPlacesAreOfThoseWhoHavePlayed: entrants without a game have no place, nor has their team, and nobody
// shares the place above.
func TestPlacesAreOfThoseWhoHavePlayed(t *testing.T) {
	entrant := func(id, score, games int, tie float64) Entrant {
		p := who(id)
		p.Team = table.TeamID(id)
		return Entrant{Entrant: event.Entrant{Members: []table.Player{p}}, Score: score, Games: games, Tie: tie}
	}
	v := &View{
		Over: true, Played: 1, Config: Config{Battle: true},
		Entrants: []Entrant{entrant(1, 2, 1, 0), entrant(2, 0, 1, 2), entrant(3, 0, 0, 0), entrant(4, 0, 1, 0), entrant(5, 0, 1, 0)},
	}
	o := v.Outcomes(&event.Event{}, nil)[0]
	places := map[table.PlayerID]int{}
	for _, p := range o.Places {
		places[p.Members[0].ID] = p.Place
	}
	require.Equal(t, map[table.PlayerID]int{1: 1, 2: 2, 4: 3, 5: 3}, places)
	of := map[table.TeamID]int{}
	for _, p := range o.Teams {
		of[p.Team] = p.Place
	}
	require.Equal(t, map[table.TeamID]int{1: 1, 2: 2, 4: 2, 5: 2}, of)
}

func TestPrograms(t *testing.T) {
	p := who(1)
	p.Bot = true
	_, err := hold(t, Config{}).a.Enter(p, "", nil, "", noon)
	require.ErrorIs(t, err, ErrPrograms)
	h := hold(t, Config{Rules: "classic", Pace: table.PaceFast, Programs: true})
	h.enter(p, "")
	require.NotNil(t, h.a.of(1))
}

// An arena that is full admits nobody else, but those who are in it as before.
func TestAFullArena(t *testing.T) {
	h := hold(t, Config{})
	for i := range most {
		h.enter(who(i+1), "")
	}
	_, err := h.a.Enter(who(most+1), "", nil, "", h.now)
	require.ErrorIs(t, err, ErrFull)
	left, err := h.a.Leave(1)
	require.NoError(t, err)
	h.append(left)
	h.enter(who(1), "")
}

func TestValidate(t *testing.T) {
	ok := Config{Rules: "classic", Pace: table.PaceFast}
	require.NoError(t, ok.Validate())
	for _, c := range []Config{{Rules: "chess", Pace: table.PaceFast}, {Rules: "classic", Pace: table.PaceSlow},
		{Rules: "classic", Pace: table.PaceFast, Pairs: true}, {Rules: "block", Pace: table.PaceFast}} {
		require.Error(t, c.Validate(), "%+v", c)
	}
}

// In any sequence of events, nobody is in two games, scores add up from the results, replaying the journal
// gives the same arena, and nobody who could play waits longer than patience.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := hold(t, Config{Battle: rapid.Bool().Draw(r, "battle"), Bots: rapid.Bool().Draw(r, "bots")})
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 1))
		h.at(noon)
		players := 2 + rng.IntN(12)
		for range 60 {
			h.at(h.now.Add(time.Duration(rng.IntN(20)) * time.Second))
			p := who(1 + rng.IntN(players))
			p.Team, p.Tag = table.TeamID(1+p.ID%3), "T"
			switch rng.IntN(6) {
			case 0, 1:
				entries, err := h.a.Enter(p, fmt.Sprint(rng.IntN(3)), nil, "", h.now)
				if err == nil {
					h.append(entries)
				}
			case 2:
				entries, _ := h.a.Leave(p.ID)
				h.append(entries)
			case 3:
				if e := h.a.of(p.ID); e != nil && e.Game != 0 {
					h.append(h.a.Idle(e.Game, p.ID))
				}
			default:
				if e := h.a.of(p.ID); e != nil && e.Game != 0 {
					g := h.a.games[e.Game]
					h.end(g.No, []table.PlayerID{g.A, g.B, 0}[rng.IntN(3)], []table.Ending{table.EndPlayed, table.EndForfeit}[rng.IntN(2)])
				}
			}
			h.at(h.now)
			busy := map[table.PlayerID]int64{}
			for no, g := range h.a.games {
				for _, e := range h.a.sides(g) {
					id := e.ID
					require.Zero(t, busy[id])
					busy[id] = no
					require.Equal(t, no, h.a.entrants[id].Game)
				}
			}
			free := h.a.free()
			for i, x := range free {
				require.Zero(t, busy[x.ID])
				for _, y := range free[i+1:] {
					require.False(t, h.a.mayMeet(x, y, h.now), "two wait who may play")
				}
			}
		}
		wins := 0
		for _, e := range h.a.entrants {
			bots := e.Games - len(e.met)
			require.True(t, bots == 0 || h.a.v.Config.Bots && bots > 0)
			require.GreaterOrEqual(t, e.Score, 2*e.Won-bots)
			require.LessOrEqual(t, e.Score, 4*len(e.met)+bots)
			wins += e.Won - min(bots, e.Won)
		}
		require.LessOrEqual(t, wins, h.a.v.Played)
		require.Empty(t, h.a.Check(h.played))
		for i := range h.played {
			if p := &h.played[i]; p.Result.Winner != 0 {
				p.Result.Winner = 3 - p.Result.Winner
				require.NotEmpty(t, h.a.Check(h.played), "another result of game %d", p.Game)
				p.Result.Winner = 3 - p.Result.Winner
			}
			if i+1 == len(h.played) {
				require.NotEmpty(t, h.a.Check(h.played[:i]), "a game is missing")
			}
		}
		again, err := New(h.ev)
		require.NoError(t, err)
		for _, e := range h.log {
			require.NoError(t, again.Apply(e))
		}
		require.Equal(t, h.a.View(nil), again.View(nil))
		require.Equal(t, h.a.Wanted(), again.Wanted())
		require.Equal(t, h.a.Next(), again.Next())
	})
}

// If the creator allows it, an entrant left over plays bots after a while, for half a win, if no person is
// free.
func TestBots(t *testing.T) {
	h := hold(t, Config{Bots: true})
	h.at(noon)
	for i := 1; i <= 3; i++ {
		h.enter(who(i), "")
	}
	require.Len(t, h.a.games, 1)
	h.at(noon.Add(lonely - time.Second))
	require.Len(t, h.a.games, 1)
	require.Equal(t, noon.Add(lonely), h.a.Next())
	h.at(noon.Add(lonely))
	require.Len(t, h.a.games, 2)
	last := h.a.Wanted()[1]
	require.Equal(t, table.FillNow, last.Config.Fill)
	require.NoError(t, last.Config.Validate())
	require.Equal(t, who(3), last.Occasion.Seats[0])
	require.Zero(t, last.Occasion.Seats[1])
	h.end(2, 3, table.EndPlayed)
	e := h.a.of(3)
	require.Equal(t, []int{1, 0, 1}, []int{e.Score, e.Row, e.Won})
	require.Zero(t, h.a.v.Played)
	h.at(h.now.Add(lonely - time.Second))
	require.Len(t, h.a.games, 1)
	h.enter(who(4), "")
	require.Equal(t, Game{No: 3, A: 3, B: 4}, h.a.games[3], "a person, where there is one")
	h.end(3, 4, table.EndPlayed)
	require.Empty(t, h.a.Check(h.played))

	h = hold(t, Config{})
	h.at(noon)
	h.enter(who(1), "")
	h.at(noon.Add(10 * time.Minute))
	require.Empty(t, h.a.games)
	require.ErrorIs(t, h.a.begin(noon, Game{No: 1, A: 1}), errEntrant)
}
