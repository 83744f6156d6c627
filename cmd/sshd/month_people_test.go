package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/rules"
	"boneyard/table"
)

// monthNames are the people of a simulated club, and at last its steward. The last regulars of them play each day's deal to its end; the
// others are in teams, or look for one.
var monthNames = []string{"ana", "ben", "cem", "dia", "eli", "fay", "gus", "hal", "ivo", "jon", "kim", "lea", "mia", "ned", "ole", "pam",
	"steward"}

const regulars = 3

// monthPerson is somebody with a client who comes a few times a day.
type monthPerson struct {
	*month
	name   string
	number int
	rng    *rand.Rand
	ctx    context.Context

	run   *monthRun
	visit *lobby.Visit
	until time.Time // when the person wants to leave
	team  table.TeamID
	teams int // founded
}

func newMonthPerson(m *month, i int) *monthPerson {
	return &monthPerson{month: m, name: monthNames[i], number: i, rng: rand.New(rand.NewPCG(m.seed, uint64(100+i)))}
}

func (p *monthPerson) regular() bool { return p.number >= len(monthNames)-1-regulars }

// chance returns true once in n times.
func (p *monthPerson) chance(n int) bool { return p.rng.IntN(n) == 0 }

// shared is a chance with one result for all who ask, such as to vanish from one game.
func (p *monthPerson) shared(n int, of ...any) bool {
	sum := sha256.Sum256(fmt.Append(nil, append([]any{p.seed}, of...)...))
	return int(sum[0])%n == 0
}

// pass waits, or returns false when the month is over.
func (p *monthPerson) pass(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-p.ctx.Done():
		return false
	}
}

func (p *monthPerson) between(a, b time.Duration) time.Duration {
	return a + time.Duration(p.rng.Int64N(int64(b-a)))
}

// live comes and goes until the month is over.
func (p *monthPerson) live(ctx context.Context) {
	p.ctx = ctx
	for p.staysAway() { // which is also how somebody vanishes
		p.until = time.Now().Add(p.between(15*time.Minute, 75*time.Minute))
		p.stay()
	}
}

// staysAway waits some hours, or the night, or until the team has a match. It returns false when the month is over.
func (p *monthPerson) staysAway() bool {
	next := time.Now().Add(p.between(20*time.Minute, 4*time.Hour))
	if h := next.UTC().Hour(); h >= 2 && h < quietHour+2 {
		next = next.Truncate(24 * time.Hour).Add((quietHour + 2) * time.Hour).Add(p.between(0, 3*time.Hour))
	}
	const looks = 10 * time.Minute // at what the team has agreed on meanwhile
	forgets := p.chance(15)
	for time.Now().Before(next) {
		if at := p.date(); !forgets && time.Until(at) < looks && at.After(time.Now()) {
			return p.pass(time.Until(at) - time.Minute)
		}
		if !p.pass(min(looks, time.Until(next))) {
			return false
		}
	}
	return p.ctx.Err() == nil
}

// date is when the team's next match is.
func (p *monthPerson) date() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dates[p.team]
}

// come connects; false if that is not possible now.
func (p *monthPerson) come(operator bool) bool {
	r := p.now()
	if r == nil {
		return false
	}
	v, _, err := enterClub(r.lobby,
		lobby.Origin{Key: sha256.Sum256([]byte(p.name)), Net: fmt.Sprintf("10.%d.0.1", p.number), Operator: operator}, p.name)
	if err != nil {
		return false
	}
	p.run, p.visit = r, v
	p.isHere(true)
	p.visit.Show(lobby.Place{})
	return true
}

// enterClub lets somebody in, who becomes a member with the first visit; registered reports whether this is the first.
func enterClub(l *lobby.Lobby, o lobby.Origin, name string) (v *lobby.Visit, registered bool, err error) {
	a, err := l.Account(context.Background(), o.Key)
	if errors.Is(err, lobby.ErrNotFound) {
		a, err = l.Register(context.Background(), o, name)
		registered = err == nil
	}
	if err == nil {
		v, err = l.Enter(context.Background(), a, o)
	}
	return v, registered, err
}

func (p *monthPerson) isHere(here bool) {
	id := p.visit.Player().ID
	p.mu.Lock()
	defer p.mu.Unlock()
	p.here[id], p.laws.seen[id] = here, time.Now()
}

func (p *monthPerson) leave(how table.Presence) {
	p.isHere(false)
	p.visit.Close(how)
}

// lost reports whether the connection has ended.
func (p *monthPerson) lost() bool {
	select {
	case <-p.run.over:
		return true
	case <-p.ctx.Done():
		return true
	default:
		return len(p.visit.Kicked()) > 0
	}
}

// stay is in the club until the person wants to leave, or vanishes.
func (p *monthPerson) stay() {
	for p.ctx.Err() == nil {
		if !p.come(false) {
			p.pass(10 * time.Second)
			continue
		}
		for !p.lost() {
			if at := p.date(); time.Until(at) < 15*time.Minute && at.After(p.until.Add(-20*time.Minute)) {
				p.until = at.Add(20 * time.Minute)
			}
			mine := p.visit.MyTables()
			p.laws.oneTableAtATime(p.name, mine)
			mine = slices.DeleteFunc(mine, func(s table.Summary) bool { return !s.State.Gathers() && !p.inGame(&s) })
			late := time.Now().After(p.until)
			if late && (len(mine) == 0 || time.Since(p.until) > time.Hour) {
				p.leave(table.Left)
				return
			}
			if len(mine) > 0 {
				if p.plays(&mine[0]) {
					p.leave(table.Disconnected)
					return
				}
			} else if !late {
				p.wish()
			}
			select {
			case <-p.visit.Updates():
			case <-time.After(p.between(10*time.Second, 50*time.Second)):
			case <-p.run.over:
			case <-p.ctx.Done():
			}
		}
		p.leave(table.Disconnected)
		p.pass(p.between(5*time.Second, 30*time.Second))
	}
}

// inGame reports whether the person is playing at a table.
func (p *monthPerson) inGame(s *table.Summary) bool {
	switch s.State {
	case table.Playing, table.Scoring, table.Paused, table.Waiting, table.Adjourned, table.Frozen:
		return true
	}
	return false
}

// plays plays at a table until the game is over; it returns whether the person vanishes.
func (p *monthPerson) plays(s *table.Summary) (vanishes bool) {
	showing := p.visit.Show(lobby.Place{Table: s.Table})
	defer showing.Close()
	sub, err := showing.Watch(p.ctx)
	if err != nil {
		return false
	}
	of := s.Config.Event
	all := of.ID != 0 && !of.Solo && p.shared(12, of.ID, of.Pairing) // all of them vanish
	vanishes = all || !p.regular() && p.chance(60)
	for moves := 0; !p.lost(); {
		v := sub.View()
		switch {
		case v.POV == 0, v.State == table.Closed, v.State == table.Gathering && time.Now().After(p.until):
			return false
		case v.State == table.Finished:
			p.pass(p.between(2*time.Second, 10*time.Second))
			if of.ID != 0 {
				return false
			}
			if p.chance(2) || p.visit.Do(p.ctx, s.Table, table.Rematch{}) != nil {
				_ = p.visit.Do(p.ctx, s.Table, table.Stand{})
				return false
			}
		case vanishes && v.State == table.Playing && moves >= p.rng.IntN(3):
			return true
		case time.Since(p.until) > time.Hour:
			return false
		}
		if c := answerTo(p.rng, v); c != nil {
			if !p.pass(p.between(time.Second, 5*time.Second)) {
				return false
			}
			if _, ok := c.(table.Move); ok {
				moves++
			}
			_ = p.visit.Do(p.ctx, s.Table, c)
		}
		select {
		case <-sub.C():
		case <-time.After(15 * time.Second):
		case <-p.run.over:
		case <-p.ctx.Done():
		}
	}
	return false
}

// answerTo is what a table waits for from somebody, nil for nothing.
func answerTo(rng *rand.Rand, v *table.View) table.Command {
	switch v.State {
	case table.Gathering, table.Countdown:
		if !v.Seats[v.POV-1].Ready {
			return table.Ready{On: true}
		}
	case table.Playing:
		return anyMove(rng, v)
	case table.Paused:
		return table.Pause{}
	case table.Scoring:
		return table.Continue{}
	case table.Waiting, table.Adjourned:
		return table.CastVote{Vote: table.VoteBot, On: true}
	}
	return nil
}

// wish does one thing in the lobby. A refusal is accepted.
func (p *monthPerson) wish() {
	ctx, v := p.ctx, p.visit
	if asked := v.Prompt(); asked != nil {
		_, _ = v.Answer(ctx, asked, !p.chance(4))
		return
	}
	if _, open := v.Today(); open && (p.regular() || p.shared(2, p.name, time.Now().YearDay())) {
		if _, err := v.PlayDaily(ctx, ""); err == nil {
			return
		}
	}
	me := v.Player().ID
	switch p.rng.IntN(10) {
	case 0, 1:
		for _, a := range v.Arenas() {
			if time.Until(a.Begins) < 10*time.Minute && (a.Of(me) == nil || a.Of(me).Away) && !p.chance(3) {
				_ = v.EnterEvent(ctx, arena.Kind, a.ID, "")
			}
		}
	case 2:
		for _, f := range v.Fields() {
			if !f.Begun && !f.Has(me) {
				_ = v.EnterEvent(ctx, field.Kind, f.ID, "")
			}
		}
		if len(v.Fields()) == 0 && p.chance(20) {
			_, _ = v.NewField(ctx, field.Config{Rules: pickOf(p.rng, "classic rounds=2", "azneef rounds=2"), Pace: table.PaceFast},
				time.Now().Add(p.between(5*time.Minute, 40*time.Minute)))
		}
	case 3:
		for _, d := range v.Duplicates() {
			_ = v.EnterDuplicate(ctx, d.ID, duplicate.Team(1+p.rng.IntN(2)))
			if p.chance(3) {
				_ = v.StartDuplicate(ctx, d.ID)
			}
		}
		if len(v.Duplicates()) == 0 && p.chance(8) {
			_, _ = v.NewDuplicate(ctx, duplicate.Config{Rules: "classic rounds=2", Pace: table.PaceFast})
		}
	case 4:
		if !p.chance(15) {
			break
		}
		cfg := table.DefaultConfig()
		cfg.RuleText, cfg.Rules, cfg.Seats, cfg.Fill = pickOf(p.rng, "azneef target=40", "sniff target=40"), rules.Ruleset{}, 2,
			pickOf(p.rng, table.FillNow, table.FillSoon)
		if p.chance(2) {
			cfg.Fill = table.FillNever
			cfg.Rules, _ = rules.Parse(cfg.RuleText)
			_, _ = v.ChallengeAt(ctx, cfg, 0, pickOf(p.rng, monthNames...), time.Now().Add(p.between(10*time.Minute, 3*time.Hour)))
			break
		}
		_, _ = v.NewTable(ctx, cfg)
	case 5:
		if s := v.Snapshot().Tables; len(s) > 0 {
			_ = v.Do(ctx, s[p.rng.IntN(len(s))].Table, table.Sit{})
		}
	case 6:
		if !p.chance(60) {
			break
		}
		if mine := v.Challenges(); len(mine) > 0 {
			_ = v.EndChallenge(ctx, mine[0].ID)
		} else {
			_, _ = v.NewClubNight(ctx, 4*time.Hour) // for the captain's team
		}
	default:
		p.teamwork()
	}
}
