package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
)

const (
	suspectGames  = 2_000 // rated games to examine, the newest
	suspectMet    = 5     // games of two opponents against each other from which they are listed
	suspectLosses = 3     // quick losses from which a player is listed
	suspectNew    = 3     // beaten newcomers from which a player is listed
	newFor        = 24 * time.Hour
)

// Suspicions returns possible tricks to gain rating, in the newest of the rated games that have ended since:
// at most limit opponents who met often, those who met most first, then at most limit players who beat
// newcomers, and then as many with quick losses.
func (s *Store) Suspicions(ctx context.Context, since time.Time, limit int) ([]lobby.Suspicion, error) {
	games, err := collect(ctx, s.read, scanOutcome, selectOutcome+` AND ended > ? ORDER BY ended DESC LIMIT ?`, nanos(since), suspectGames)
	if err != nil {
		return nil, during(err, "suspicions")
	}
	t := tallies{met: make(map[[2]table.PlayerID]*lobby.Suspicion), losers: make(map[table.PlayerID]*lobby.Suspicion),
		prey: make(map[table.PlayerID]*prey)}
	if t.joined, err = s.joined(ctx, games); err != nil {
		return nil, during(err, "suspicions")
	}
	for i := range games {
		if err := t.add(&games[i]); err != nil {
			return nil, during(err, "suspicions")
		}
	}
	return t.list(limit), nil
}

// tallies count what happened in rated games.
type tallies struct {
	met    map[[2]table.PlayerID]*lobby.Suspicion // by player and opponent
	losers map[table.PlayerID]*lobby.Suspicion
	prey   map[table.PlayerID]*prey // by winner
	joined map[table.PlayerID]time.Time
}

// prey is the newcomers whom one player has beaten.
type prey struct {
	games         int
	who, networks map[string]bool
}

// joined returns when the players of games became members.
func (s *Store) joined(ctx context.Context, games []outcome) (map[table.PlayerID]time.Time, error) {
	at := make(map[table.PlayerID]time.Time)
	for i := range games {
		for _, p := range games[i].seats {
			at[p.ID] = time.Time{}
		}
	}
	err := each(ctx, s.read, func(scan scanner) error {
		var id table.PlayerID
		var joined time.Time
		err := scan(&id, timeOf{&joined})
		at[id] = joined
		return err
	}, `SELECT id, created FROM accounts WHERE id IN (SELECT value FROM json_each(?))`, asJSON{slices.Sorted(maps.Keys(at))})
	return at, err
}

func (t *tallies) add(o *outcome) error {
	r, err := rules.Parse(o.rules)
	if err != nil {
		return err
	}
	j := o.judge(r.Teams)
	side := func(i int) rules.Side { return rules.SideOf(rules.Seat(i+1), r.Teams) }
	lost := make([]bool, len(o.seats))
	for i := range lost {
		lost[i] = j.winner != 0 && int(side(i)) != j.winner
		if len(j.leavers) > 0 {
			lost[i] = slices.Contains(j.leavers, i+1)
		}
	}
	for i, p := range o.seats {
		if t.losers[p.ID] == nil {
			t.losers[p.ID] = &lobby.Suspicion{Player: p.ID, Name: p.Name}
			t.prey[p.ID] = &prey{who: map[string]bool{}, networks: map[string]bool{}}
		}
		l, newcomers, beaten := t.losers[p.ID], t.prey[p.ID], false
		l.Games++
		if lost[i] && (slices.Contains(o.leavers, i+1) || !j.earned[i]) {
			l.Count++
		}
		for k, q := range o.seats {
			if side(i) == side(k) {
				continue
			}
			ids := [2]table.PlayerID{p.ID, q.ID}
			if t.met[ids] == nil {
				t.met[ids] = &lobby.Suspicion{Player: p.ID, Name: p.Name, Other: q.ID, Against: q.Name}
			}
			t.met[ids].Games++
			if lost[i] || !lost[k] {
				continue
			}
			t.met[ids].Count++
			if o.ended.Sub(t.joined[q.ID]) <= newFor {
				newcomers.who[q.Name], newcomers.networks[o.network(k)], beaten = true, true, true
			}
		}
		if beaten {
			newcomers.games++
		}
	}
	return nil
}

func (t *tallies) list(limit int) []lobby.Suspicion {
	var met, hunters, lost []lobby.Suspicion
	for id, p := range t.prey {
		if len(p.who) >= suspectNew {
			all := t.losers[id]
			hunters = append(hunters, lobby.Suspicion{Player: id, Name: all.Name, Games: all.Games, Count: p.games,
				New: len(p.who), Networks: len(p.networks)})
		}
	}
	for _, v := range t.met {
		other := t.met[[2]table.PlayerID{v.Other, v.Player}]
		if v.Games >= suspectMet && (v.Count > other.Count || v.Count == other.Count && v.Player < v.Other) {
			met = append(met, *v)
		}
	}
	for _, v := range t.losers {
		if v.Count >= suspectLosses {
			lost = append(lost, *v)
		}
	}
	slices.SortFunc(met, func(a, b lobby.Suspicion) int {
		return cmp.Or(b.Games-a.Games, b.Count-a.Count, cmp.Compare(a.Player, b.Player), cmp.Compare(a.Other, b.Other))
	})
	slices.SortFunc(hunters, func(a, b lobby.Suspicion) int {
		return cmp.Or(b.New-a.New, b.Count-a.Count, cmp.Compare(a.Player, b.Player))
	})
	slices.SortFunc(lost, func(a, b lobby.Suspicion) int {
		return cmp.Or(b.Count-a.Count, a.Games-b.Games, cmp.Compare(a.Player, b.Player))
	})
	return slices.Concat(met[:min(limit, len(met))], hunters[:min(limit, len(hunters))], lost[:min(limit, len(lost))])
}
