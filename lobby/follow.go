package lobby

import (
	"cmp"
	"context"
	"slices"

	"boneyard/lobby/rating"
	"boneyard/table"
)

// Follow wakes this visit whenever a player may have gone to another table, which PlaysAt returns. It ends
// with the next change of page, see [Visit.Show], or with Follow(0).
func (v *Visit) Follow(id table.PlayerID) {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	v.follow(id)
}

// follow is Follow with mu held.
func (v *Visit) follow(id table.PlayerID) {
	l := v.lobby
	if delete(l.followers[v.follows], v); len(l.followers[v.follows]) == 0 {
		delete(l.followers, v.follows)
	}
	v.follows = id
	if id == 0 || v.over {
		return
	}
	if l.followers[id] == nil {
		l.followers[id] = map[*Visit]struct{}{}
	}
	l.followers[id][v] = struct{}{}
}

// moved wakes the visits that follow a player. With mu held.
func (l *Lobby) moved(id table.PlayerID) {
	for v := range l.followers[id] {
		v.wake()
	}
}

// PlaysAt returns the table where a player plays and that may be watched, or 0: the one that they look at, if
// they sit there, else the first with a live game.
func (v *Visit) PlaysAt(id table.PlayerID) table.ID {
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	open := func(at table.ID) *table.Summary {
		if e := l.directory[at]; e != nil && e.table != nil && e.sum.Config.Watchers {
			return &e.sum
		}
		return nil
	}
	if p := l.people[id]; p != nil {
		for _, visit := range slices.Backward(p.visits) {
			if open(visit.at) != nil && l.sits(id, visit.at) {
				return visit.at
			}
		}
	}
	for _, s := range l.tablesOf(id) {
		if open(s.Table) != nil && live(&s) {
			return s.Table
		}
	}
	return 0
}

// BestGame returns the game to watch, or ErrNoLiveGame: live games before those that sleep, games of people
// before games with bots, then by higher ratings, then the closest. It compares all tables, and counts as a
// list of them: ErrTooFast.
func (v *Visit) BestGame(ctx context.Context) (table.ID, error) {
	if err := v.List(); err != nil {
		return 0, err
	}
	l := v.lobby
	ratings, err := l.ratings(ctx)
	if err != nil {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var best *table.Summary
	for _, e := range l.directory {
		s := &e.sum
		if e.table == nil || !Watchable(s) {
			continue
		}
		if best == nil || moreWorthWatching(s, best, ratings) < 0 {
			best = s
		}
	}
	if best == nil {
		return 0, ErrNoLiveGame
	}
	return best.Table, nil
}

func (l *Lobby) ratings(ctx context.Context) (map[table.PlayerID]int, error) {
	const mostRatings = 1000 // the most ratings that are read; players rated lower count as newcomers
	ratings, err := remember(ctx, &l.answers, "ratings", func(ctx context.Context) (map[table.PlayerID]int, error) {
		return l.stores.Standings.Ratings(ctx, mostRatings)
	})
	return ratings, l.trouble("read the ratings", err)
}

// moreWorthWatching compares two games for [Visit.BestGame]; it is negative if a is better.
func moreWorthWatching(a, b *table.Summary, ratings map[table.PlayerID]int) int {
	return cmp.Or(
		cmp.Compare(botsAt(a), botsAt(b)),
		-cmp.Compare(meanRating(a, ratings), meanRating(b, ratings)),
		cmp.Compare(leadOf(a), leadOf(b)),
		cmp.Compare(a.Table, b.Table),
	)
}

// botsAt returns 0 if no bots play at a table, 1 for some, 2 for only bots, 3 if the game sleeps.
func botsAt(s *table.Summary) int {
	switch n := humans(s); {
	case s.Asleep:
		return 3
	case n == 0:
		return 2
	case n == len(s.Seats):
		return 0
	}
	return 1
}

// meanRating returns the mean rating of a table's people, in whole points; newcomers have the initial one.
func meanRating(s *table.Summary, ratings map[table.PlayerID]int) int {
	sum, n := 0, 0
	for i := range s.Seats {
		id := s.Seats[i].Player.ID
		if id == 0 {
			continue
		}
		r, ok := ratings[id]
		if !ok {
			r = rating.Initial().Number()
		}
		sum, n = sum+r, n+1
	}
	return sum / max(n, 1)
}

// leadOf returns the best side's lead in thousandths of the target; in points if there is no target.
func leadOf(s *table.Summary) int {
	scores := slices.Clone(s.Scores)
	if len(scores) < 2 {
		return 0
	}
	slices.Sort(scores)
	lead := scores[len(scores)-1] - scores[len(scores)-2]
	if target := int(s.Config.Rules.TargetFor(s.Config.Seats)); target > 0 { // there is none if the number of rounds is set
		return 1000 * lead / target
	}
	return lead
}
