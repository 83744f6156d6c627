package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/table"
)

// teamwork does something for, or with, a team.
func (p *monthPerson) teamwork() {
	ctx, v := p.ctx, p.visit
	a := v.Account()
	if p.team = a.Team; p.team == 0 {
		if invited, err := v.Invitations(ctx); err == nil && len(invited) > 0 {
			_ = v.Accept(ctx, invited[p.rng.IntN(len(invited))].Team)
		} else if p.number%2 == 0 {
			p.teams++
			_, _ = v.CreateTeam(ctx, fmt.Sprint("Team ", p.name, " ", p.teams), fmt.Sprintf("%c%d", 'A'+p.number, p.teams))
		}
		return
	}
	for _, d := range v.Calendar() {
		if d.Own && !d.Deadline() && (d.Kind == league.Kind || d.Kind == cup.Kind) && d.Begins.After(time.Now()) {
			p.agreed(d.Begins, p.team)
			break
		}
	}
	open := slices.DeleteFunc(v.Contests(), func(c match.View) bool { return c.Begun && !c.Has(p.team) })
	if !p.chance(2) || len(open) == 0 && !p.chance(4) {
		return
	}
	t, err := v.Team(ctx, p.team)
	if err != nil {
		return
	}
	// Some teams are dissolved when their match has been agreed on, or before that.
	if len(open) > 0 && open[0].Has(p.team) && p.shared(4, "doomed", p.team) {
		if m := open[0].Current(p.team); m != nil && (!m.At.IsZero() || p.chance(20)) {
			if t.Captain == a.ID && len(t.Members) > 1 {
				_ = v.HandOver(ctx, t.Members[slices.IndexFunc(t.Members, func(o lobby.Member) bool { return o.ID != a.ID })].Name)
			}
			_ = v.LeaveTeam(ctx)
			return
		}
	}
	if t.Captain != a.ID {
		return
	}
	if len(t.Members) < 2 {
		_ = v.Invite(ctx, monthNames[p.number+1])
	} else if len(t.Members) < 4 && p.chance(6) {
		_ = v.Invite(ctx, monthNames[p.rng.IntN(len(monthNames)-1)])
	}
	for _, c := range open {
		p.lead(&c)
	}
}

// lead does what a captain does about a league or a cup.
func (p *monthPerson) lead(c *match.View) {
	ctx, v, now := p.ctx, p.visit, time.Now()
	if !c.Begun {
		if !c.Has(p.team) {
			_ = v.SignUp(ctx, c.ID, true)
		}
		return
	}
	m := c.Current(p.team)
	if m == nil || m.Pairing != 0 || m.At.After(now) {
		return
	}
	own := m.Of(p.team)
	switch offer := m.Sides[1-own].Offer; {
	case offer.After(now) && !p.chance(8):
		if v.AcceptTime(ctx, c.ID, time.Time{}) == nil {
			p.agreed(offer, m.Sides[0].ID, m.Sides[1].ID)
		}
	case m.Sides[own].Offer.Before(now) || p.chance(40):
		at := now.Add(p.between(15*time.Minute, max(20*time.Minute, m.Closes.Sub(now)/2))).Round(5 * time.Minute)
		if h := at.UTC().Hour(); h < 1 || h > quietHour+2 {
			_ = v.ProposeTime(ctx, c.ID, at)
		}
	}
}

// agreed tells the members of teams when their match is.
func (p *monthPerson) agreed(at time.Time, teams ...table.TeamID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range teams {
		p.dates[t] = at
	}
}

// steward is the operator, who comes each morning and makes events.
type steward struct{ monthPerson }

func newSteward(m *month) *steward {
	return &steward{*newMonthPerson(m, len(monthNames)-1)}
}

// weeklyAt is the time of the day at which the weekly arena begins.
const weeklyAt = 19 * time.Hour

// arenasADay is the number of arenas that the steward creates each day, most of which nobody enters.
const arenasADay = 16

func (s *steward) live(ctx context.Context) {
	s.ctx = ctx
	for day := 0; s.pass(time.Until(s.clock.began.Add(time.Duration(day)*24*time.Hour + 30*time.Minute))); day++ {
		for ctx.Err() == nil && !s.come(true) {
			s.pass(10 * time.Second)
		}
		if ctx.Err() != nil {
			return
		}
		s.plan(day)
		s.leave(table.Left)
	}
}

// plan makes the events of a day.
func (s *steward) plan(day int) {
	ctx, v, today := s.ctx, s.visit, s.clock.began.Add(time.Duration(day)*24*time.Hour)
	make := func(what string, err error) {
		if err != nil {
			s.log.note("the steward cannot make a %s: %v", what, err)
		}
		s.pass(10 * time.Second) // for the limits
	}
	newArena := func(at time.Time, cfg arena.Config) {
		cfg.Pace = table.PaceFast
		_, err := v.NewArena(ctx, cfg, at, 20*time.Minute)
		make("arena", err)
	}
	if day == 0 {
		newArena(today.Add(weeklyAt), arena.Config{Rules: "azneef target=60", Name: "Weekly", Weekly: true})
	}
	for range arenasADay {
		newArena(today.Add(s.between(time.Hour, 24*time.Hour)).Truncate(time.Minute),
			arena.Config{Rules: pickOf(s.rng, "azneef", "azneef target=40", "sniff target=40", "spruce target=40"), Battle: s.chance(4)})
	}
	games := match.Config{Rules: pickOf(s.rng, "block", "azneef teams=on", "block target=40"), Pace: table.PaceFast}
	switch day % 3 {
	case 0:
		games.Name = fmt.Sprint("League ", day)
		var after event.ID
		if past, err := v.FinishedContests(ctx, league.Kind); err == nil && len(past) > 0 {
			after = past[0].ID
		}
		_, err := v.NewLeague(ctx, league.Config{Config: games, Window: s.between(5*time.Hour, 12*time.Hour).Round(time.Minute), Size: 4},
			today.Add(10*time.Hour), after)
		make("league", err)
	case 1:
		games.Name = fmt.Sprint("Cup ", day)
		_, err := v.NewCup(ctx, cup.Config{Config: games, Round: s.between(4*time.Hour, 12*time.Hour).Round(time.Minute)},
			today.Add(10*time.Hour))
		make("cup", err)
	}
}
