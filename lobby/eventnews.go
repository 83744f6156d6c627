package lobby

import (
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/match"
	"boneyard/lobby/limit"
	"boneyard/table"
)

// resultIsNew is for how long a match's result is news, so that a restarted server does not announce old ones.
const resultIsNew = time.Hour

// tellOnce adds news of an event, unless the same was told within the last hour or there was too much news. It is a background job.
func (l *Lobby) tellOnce(kind, what string) { l.tellOnceBy(&l.limits.arenaNews, kind, what) }

// tellResult adds an event's result, as tellOnce does.
func (l *Lobby) tellResult(kind, what string) { l.tellOnceBy(&l.limits.eventNews, kind, what) }

func (l *Lobby) tellOnceBy(rule *limit.Rule, kind, what string) {
	l.telling.Lock() // so that two jobs do not tell the same news
	defer l.telling.Unlock()
	n := NewsItem{At: l.now(), Kind: kind, Text: what}
	l.mu.Lock()
	told := slices.ContainsFunc(l.news, func(old NewsItem) bool {
		return old.Kind == n.Kind && old.Text == n.Text && n.At.Sub(old.At) < resultIsNew
	})
	l.mu.Unlock()
	if !told && l.limits.Allow(rule, limit.Who{}) {
		l.addNews(n)
	}
}

// tellAll says something to those of an event's players who are here, but for one.
func (l *Lobby) tellAll(players []table.Player, but table.PlayerID, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range players {
		if p := l.people[players[i].ID]; p != nil && players[i].ID != but {
			l.note(p, "%s", what)
		}
	}
}

// announceMatches announces the matches of a league or a cup that have just been decided by their games. It is a background job.
func (l *Lobby) announceMatches(r *event.Room) {
	c := contestOf(r)
	v := c.View()
	for i := range v.Matches {
		m := &v.Matches[i]
		if m.Done && m.Winner != 0 && !m.Walkover && l.clock.Now().Sub(m.Decided) < resultIsNew {
			l.tellResult(string(c.Kind), matchResult(v, m))
		}
	}
}

// matchResult says who won a match.
func matchResult(v *match.View, m *match.Match) string {
	winner, loser := &m.Sides[m.Winner-1], &m.Sides[2-m.Winner]
	return fmt.Sprintf("%s [%s] beat %s [%s] by %d games to %d in round %d of %s",
		winner.Name, winner.Tag, loser.Name, loser.Tag, winner.Wins, loser.Wins, m.Round, v.Config.Name)
}

// announceArenaResult announces who won an arena, or a battle of teams, if id was one. It is a background job.
func (l *Lobby) announceArenaResult(id event.ID) {
	a, err := l.pastArena(l.ctx, id)
	if err != nil || !a.Over || a.Played == 0 {
		return // already logged, still in progress, or nothing was played
	}
	name := kinds[arena.Kind].Titled(id, a.Config.Name)
	switch {
	case len(a.Teams) > 1 && a.Teams[0].Score == a.Teams[1].Score:
		l.tellResult(NewsArena, fmt.Sprintf("%s: [%s] and [%s] share the battle with %d each", name, a.Teams[0].Tag, a.Teams[1].Tag, a.Teams[0].Score))
	case len(a.Teams) > 1:
		l.tellResult(NewsArena, fmt.Sprintf("%s: [%s] wins the battle by %d to %d against [%s]", name, a.Teams[0].Tag, a.Teams[0].Score, a.Teams[1].Score, a.Teams[1].Tag))
	case len(a.Teams) == 0:
		first := &a.Entrants[0]
		l.tellResult(NewsArena, fmt.Sprintf("%s: %s is first with %d points", name, first.Name(), first.Score))
	}
}
