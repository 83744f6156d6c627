package lobby

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// What is news. A game's result is, rated or not, if at least two people have played: games of one person
// against bots, or of bots alone, would drown out others. A person's best play of the day is news in any
// game, a streak in rated games. Games of an event are news together, as its result, except the best play.
const (
	newsBest   = 30 // the least points in one play
	newsStreak = 5  // wins in a row, and each multiple
	// A comeback is a game won after being behind by this share of the target.
	comebackPart, comebackWhole = 2, 5
)

// dayBest is the best play of a day. It is guarded by Lobby.mu.
type dayBest struct {
	day    string
	points int
}

func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// bestIn returns the best play of the day in the news.
func bestIn(news []NewsItem, now time.Time) dayBest {
	b := dayBest{day: dayOf(now)}
	for _, n := range news {
		if n.Kind == NewsBest && dayOf(n.At) == b.day {
			b.points = max(b.points, n.Points)
		}
	}
	return b
}

// latestNews reads the news that a lobby starts with, newest first: what it shows, the best plays of the day,
// and what events are not to tell again. A clock that was wrong may have dated single items wrongly.
func (l *Lobby) latestNews(ctx context.Context) (news []NewsItem, err error) {
	for limit := keptNews; ; limit *= 4 {
		if news, err = l.stores.Talk.News(ctx, limit); err != nil || len(news) < limit {
			return news, err
		}
		matters := slices.MinFunc([]time.Time{news[0].At, l.now(), l.events.Now()}, time.Time.Compare)
		matters = matters.Add(-2 * event.ToldOnce).Truncate(24 * time.Hour)
		if !slices.ContainsFunc(news[limit-keptNews:], func(n NewsItem) bool { return !n.At.Before(matters) }) {
			return news, nil
		}
	}
}

// onEnd receives a game that is over. It is called on the table's goroutine.
func (l *Lobby) onEnd(id table.GameID, start table.Start, result table.Result) {
	at := l.now()
	l.answers.forget() // before the players see the result, so that nobody finds old standings afterwards
	if start.Event.ID != 0 {
		l.events.Ended(event.Played{Game: id, Start: start, Result: result, Ended: l.clock.Now()})
	}
	l.playedHere(&start, &result)
	if start.Event.Private || result.Ending == table.EndAbandoned {
		return
	}
	l.jobs.run(func() {
		for _, n := range l.newsOf(at, id, &start, &result) {
			l.addNews(n)
		}
		l.readNews(func() ([]NewsItem, error) { return l.firstGames(at, id, &start) })
	})
}

// readNews adds news that read reads from the store, later if that fails. It is a background job.
func (l *Lobby) readNews(read func() ([]NewsItem, error)) {
	list, err := read()
	if err != nil {
		l.log.Warn("store: read for the news", "err", err)
		l.later(recallAgain, func() { l.readNews(read) })
		return
	}
	for _, n := range list {
		l.addNews(n)
	}
}

// addNews stores a news item and shows it, later if the store is unavailable. It is a background job.
func (l *Lobby) addNews(n NewsItem) {
	id, err := l.stores.Talk.AddNews(l.ctx, n)
	if err != nil {
		l.log.Warn("store: keep news", "kind", n.Kind, "game", n.Game, "err", err)
		if errors.Is(err, table.ErrUnavailable) && l.ctx.Err() == nil {
			l.later(recallAgain, func() { l.addNews(n) })
		}
		return
	}
	n.ID = id
	l.mu.Lock()
	l.news = slices.Insert(slices.Clone(l.news), 0, n)
	l.news = l.news[:min(keptNews, len(l.news))]
	l.changed(partNews)
	l.mu.Unlock()
	l.outside(&n) // without the lock, since it may log
}

// newsOf returns the news of a game, in order of appearance, and queues what has to be read. It is a background
// job.
func (l *Lobby) newsOf(at time.Time, id table.GameID, s *table.Start, r *table.Result) (list []NewsItem) {
	tell := func(kind, format string, args ...any) {
		list = append(list, NewsItem{At: at, Kind: kind, Text: fmt.Sprintf(format, args...), Game: id})
	}
	g := newEnded(s)
	alone := s.Event.ID == 0
	if alone && !l.newsworthy(s) {
		return nil
	}
	if alone && g.people >= 2 {
		tell(NewsResult, "%s", g.result(r))
		if r.Winner > 0 && len(r.Leavers) == 0 && g.target > 0 && r.Deficit*comebackWhole >= g.target*comebackPart {
			tell(NewsComeback, "%s came back from %d points behind at %s", g.side(r.Winner), r.Deficit, g.game)
		}
	}
	if by := r.BestBy - 1; r.Best >= newsBest && by >= 0 && by < len(s.Seats) && s.Seats[by].ID != 0 && l.isBest(r.Best) {
		tell(NewsBest, "%d points in one play: %s at %s, the best of the day", r.Best, s.Seats[by].Name, g.game)
		list[len(list)-1].Points = r.Best
	}
	if alone && g.countsAsWon(r) {
		l.jobs.run(func() { l.readNews(func() ([]NewsItem, error) { return l.streaks(at, id, g, r.Winner) }) })
	}
	return list
}

// newsworthy reports whether a game may be news: a few people's many short games must not fill the news.
func (l *Lobby) newsworthy(s *table.Start) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	var people []limit.Who
	for _, p := range s.Seats {
		if p.ID != 0 {
			people = append(people, l.newsWho(p.ID))
		}
	}
	for _, who := range people {
		if !l.limits.Open(&l.limits.news, who) {
			return false
		}
	}
	for _, who := range people {
		l.limits.Allow(&l.limits.news, who)
	}
	return true
}

// firstGames returns news of teams that have played their first game. Founding a team, which costs nothing,
// is not news. It is a background job.
func (l *Lobby) firstGames(at time.Time, id table.GameID, s *table.Start) (list []NewsItem, err error) {
	for _, team := range s.Teams {
		if team == 0 {
			continue
		}
		t, err := l.stores.Teams.Team(l.ctx, team)
		switch {
		case errors.Is(err, ErrNotFound): // it has been disbanded since
		case err != nil:
			return nil, fmt.Errorf("team %d: %w", team, err)
		case len(t.Recent) == 1 && t.Recent[0].ID == id:
			list = append(list, NewsItem{At: at, Kind: NewsTeam, Text: fmt.Sprintf("%s [%s] has played its first game", t.Name, t.Tag), Game: id})
		}
	}
	return list, nil
}

// isBest reports whether a play is the best of the day so far, and records it. The day is that of the events' time,
// so that it does not begin anew when the clock leaps.
func (l *Lobby) isBest(points int) bool {
	day := dayOf(l.events.Now())
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.best.day != day {
		l.best = dayBest{day: day}
	}
	if points <= l.best.points {
		return false
	}
	l.best.points = points
	return true
}

// ended is a game that is over, as news describe it.
type ended struct {
	*table.Start
	game     string // the preset
	target   int
	partners bool
	people   int
}

func newEnded(s *table.Start) *ended {
	g := &ended{Start: s, game: s.Rules}
	if r, err := rules.Parse(s.Rules); err == nil && len(s.Seats) >= 2 && len(s.Seats) <= rules.MaxSeats {
		g.game, g.target, g.partners = r.Preset.String(), int(r.TargetFor(len(s.Seats))), r.Teams
	}
	for i := range s.Seats {
		if s.Seats[i].ID != 0 {
			g.people++
		}
	}
	return g
}

func (g *ended) of(side int) []table.Player {
	var list []table.Player
	for i := range g.Seats {
		if int(rules.SideOf(rules.Seat(i+1), g.partners)) == side {
			list = append(list, g.Seats[i])
		}
	}
	return list
}

func (g *ended) side(side int) string {
	var names []string
	tag := ""
	for _, p := range g.of(side) {
		names = append(names, p.Name)
		if g.Teams != [2]table.TeamID{} && p.Tag != "" {
			tag = "[" + p.Tag + "] "
		}
	}
	return tag + strings.Join(names, " + ")
}

// result describes a game's result: who won against whom, or shared the highest score, and the scores, the best first.
func (g *ended) result(r *table.Result) string {
	var first, others, scores, lower []string
	for i, score := range r.Scores {
		if side := i + 1; side == r.Winner || r.Shared() && score == slices.Max(r.Scores) {
			first, scores = append(first, g.side(side)), append(scores, strconv.Itoa(score))
		} else {
			others, lower = append(others, g.side(side)), append(lower, strconv.Itoa(score))
		}
	}
	say := strings.Join(first, "") + " beat " + text.List(others) + " at " + g.game
	if r.Shared() {
		say = text.List(first) + " shared a game of " + g.game
		if len(others) > 0 {
			say += " ahead of " + text.List(others)
		}
	}
	say += ", " + strings.Join(append(scores, lower...), ":")
	switch {
	case r.Ending == table.EndForfeit:
		say += ", given up"
	case len(r.Leavers) > 0: // bots have played for them
		say += ", " + text.List(text.Each(r.Leavers, func(seat int) string { return g.Seats[seat-1].Name })) + " left before the end"
	}
	if !g.Rated {
		say += ", casual"
	}
	return say
}

// countsAsWon reports whether the standings count a game as won for the winning side: if somebody has left before
// the end, they may count it for nobody else.
func (g *ended) countsAsWon(r *table.Result) bool {
	ours := func(seat int) bool { return int(rules.SideOf(rules.Seat(seat), g.partners)) == r.Winner }
	return g.Rated && r.Winner > 0 && (len(r.Leavers) == 0 || len(r.Scores) == 2 && !slices.ContainsFunc(r.Leavers, ours))
}

// streaks returns the news of each winner, and of their team, with a newsworthy number of wins in a row.
func (l *Lobby) streaks(at time.Time, id table.GameID, g *ended, winner int) (list []NewsItem, err error) {
	news := func(kind Kind, of int64) {
		s, fails := l.stores.Standings.Standing(l.ctx, kind, of)
		if err = errors.Join(err, fails); s != nil && s.Streak > 0 && s.Streak%newsStreak == 0 {
			list = append(list, NewsItem{At: at, Kind: NewsStreak, Text: fmt.Sprintf("%s has won %d in a row", s.Name, s.Streak), Game: id})
		}
	}
	for _, p := range g.of(winner) {
		if p.ID > 0 {
			news(KindPlayer, int64(p.ID))
		}
	}
	if g.Teams != [2]table.TeamID{} && winner <= len(g.Teams) {
		news(KindTeam, int64(g.Teams[winner-1]))
	}
	return list, err
}

// wonBy reports whether the player's side won a game.
func wonBy(info *GameInfo, name string) bool {
	side := info.sideOf(name)
	return side != 0 && info.Winner == int(side)
}

// sideOf returns a player's side, or 0 if they did not play.
func (g *GameInfo) sideOf(name string) rules.Side {
	seat := slices.Index(g.Seats, name) + 1
	r, err := rules.Parse(g.Rules)
	if seat == 0 || err != nil {
		return 0
	}
	return rules.SideOf(rules.Seat(seat), r.Teams)
}
