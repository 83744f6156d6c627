package match

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/limit"
	"boneyard/lobby/text"
)

const ErrMany text.Refusal = "There are too many leagues and cups; call one off, or wait until one is over."

// worth is what a match is worth: 10 points, with the other team as the only rival.
var worth = &event.Worth{Rival: 10}

var bound = &event.Bound{Quota: limit.Quota{All: 50}, Full: ErrMany}

// Past is a league or a cup that is over.
type Past struct {
	ID     event.ID
	Kind   event.Kind
	Ended  time.Time
	Called bool // it was called off, or not played
	few    bool // not played because too few teams had signed up
	Final
}

// Finals returns the results of all leagues or cups that are over.
func Finals(ctx context.Context, s *event.Events, kind event.Kind) (all []Past, err error) {
	deps := s.Deps()
	closings, err := deps.Journal.Closings(ctx, kind, 0)
	if err != nil {
		return nil, deps.Club.Trouble("read the results of leagues and cups", err)
	}
	for _, c := range closings {
		f, err := event.Read[Final](c.Last)
		if err != nil {
			deps.Log.Error("the last entry of an event cannot be read", "event", c.Event.ID, "err", err)
			continue
		}
		all = append(all, past(c.Event, c.Last.At, f))
	}
	return all, nil
}

func past(e event.Event, ended time.Time, f Final) Past {
	called := len(f.Trophies) == 0 && !f.Held
	return Past{ID: e.ID, Kind: e.Kind, Ended: ended, Final: f, Called: called, few: called && !ended.Before(e.Begins)}
}

// Type is a kind of events in which teams meet, with a configuration C.
func Type[C any, F interface {
	*C
	Format
}](kind event.Kind, title string) *event.Type {
	return &event.Type{
		Kind: kind, Config: *new(C), Data: entries.Data(),
		New:   func(e event.Event) (event.Rules, error) { return newCore(e, F(new(C))) },
		Title: title, None: ErrNone, Over: ErrOver, Leads: true,
		News: string(kind), Dated: true, Gathers: "sign-up", Bound: bound, Keep: keep,
		Season: worth,
	}
}

// keep announces the news of leagues and cups.
func keep(s *event.Events) *event.Keeper {
	return &event.Keeper{
		Changed: func(r *event.Room) { announce(s, r.View().(*View), s.Now()) }, News: endNews, Sort: event.Rare,
		Ended: func(e *event.Event, view event.View) {
			v := view.(*View)
			announce(s, v, v.ended)
			tellOff(s, e, v)
		},
		State: make(chan struct{}, 1), // held while arranging a match
	}
}

// resultIsNew is how long a match's result is news; older ones are not announced.
const resultIsNew = time.Hour

// announce announces matches that have just been decided.
func announce(s *event.Events, v *View, now time.Time) {
	v.news(now, func(m *Match, say string) { s.Deps().Club.News(m.Decided, string(v.Kind), say, event.Results) })
}

// fewResults is how many results of one moment are news of their own; more are one piece of news, since there
// may be only so many.
const fewResults = 2

// news tells the results of matches that have been decided lately.
func (v *View) news(now time.Time, tell func(m *Match, say string)) {
	const mostResults = 10 // how many results one piece of news names; the others are counted
	for m := range v.all() {
		if !m.Done || now.Sub(m.Decided).Abs() >= resultIsNew {
			continue
		}
		var same []*Match // decided with it, as at the end of a window
		for o := range v.all() {
			if o.Done && o.Round == m.Round && o.Decided.Equal(m.Decided) {
				same = append(same, o)
			}
		}
		switch _, round := v.Round(m.Round); {
		case len(same) <= fewResults:
			tell(m, v.result(m))
		case same[0] == m:
			says := text.Each(same[:min(len(same), mostResults)], v.brief)
			if more := len(same) - mostResults; more > 0 {
				says = append(says, "and "+text.Number(more, "other result"))
			}
			tell(m, "In "+round+" of "+v.Config.Name+": "+strings.Join(says, ", "))
		}
	}
}

// result says who has won a match, and if nobody has, who advances in a cup.
func (v *View) result(m *Match) string {
	round, _ := v.Round(m.Round)
	in := " in " + round + " of " + v.Config.Name
	named := func(side int) string { return m.Sides[side].Name + " [" + m.Sides[side].Tag + "]" }
	if m.Winner == 0 {
		say := "No winner between " + named(0) + " and " + named(1) + in
		if side := v.seeded(m); side >= 0 {
			say += "; " + named(side) + " advances with the better seed"
		}
		return say
	}
	return m.beat(named, func(won, lost int) string { return fmt.Sprintf("by %s to %d", text.Number(won, "game"), lost) }) + in
}

// brief says the same with tags alone, and without the round.
func (v *View) brief(m *Match) string {
	tag := func(side int) string { return "[" + m.Sides[side].Tag + "]" }
	if m.Winner == 0 {
		say := "no winner between " + tag(0) + " and " + tag(1)
		if side := v.seeded(m); side >= 0 {
			say += " (" + tag(side) + " advances)"
		}
		return say
	}
	return m.beat(tag, func(won, lost int) string { return fmt.Sprintf("%d:%d", won, lost) })
}

// beat says who has won a match, and by how many games.
func (m *Match) beat(named func(side int) string, games func(won, lost int) string) string {
	winner, loser := m.Winner-1, 2-m.Winner
	how := "by default"
	if !m.Walkover {
		how = games(m.Sides[winner].Wins, m.Sides[loser].Wins)
	}
	return named(winner) + " beat " + named(loser) + " " + how
}

// seeded returns the side that advances from a match that nobody has won, since it has the better seed, or -1.
func (v *View) seeded(m *Match) int {
	for _, t := range slices.Concat(v.Rounds...) {
		if t.Match == m.No && v.BySeed(&t) {
			return m.Of(t.Teams[t.Winner-1].ID)
		}
	}
	return -1
}

// tellOff informs the teams of a league or a cup that was not played.
func tellOff(s *event.Events, e *event.Event, v *View) {
	if !past(*e, v.ended, v.Final).Called {
		return
	}
	says := endNews(e, v)[0] + "."
	for _, t := range v.Teams {
		tellTeam(s, t.ID, says)
	}
}

// endNews says how a league or a cup ended. Its teams may no longer exist.
func endNews(e *event.Event, view event.View) (all []string) {
	v := view.(*View)
	p, teams := past(*e, v.ended, v.Final), v.Teams
	switch {
	case p.few:
		return []string{p.Name + " was not played: too few teams signed up"}
	case p.Called:
		return []string{p.Name + " was called off"}
	}
	for _, t := range p.Trophies {
		what, ok := strings.CutPrefix(t.Title, WinnerOf)
		if i := slices.IndexFunc(teams, func(o Team) bool { return o.ID == t.Team }); ok && i >= 0 {
			all = append(all, fmt.Sprintf("%s [%s] won %s", teams[i].Name, teams[i].Tag, what))
		}
	}
	if p.Held && len(all) == 0 {
		all = append(all, p.Name+" is over, and nobody has won it")
	}
	return all
}
