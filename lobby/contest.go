package lobby

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/league"
	"boneyard/lobby/event/match"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Refusals about leagues and cups, besides those of package match.
const (
	// ErrContestMakers is returned to people who may not make a league or a cup.
	ErrContestMakers text.Refusal = "Only operators can create leagues and cups."
	// ErrContestTime is returned for a start that leagues and cups may not have.
	ErrContestTime text.Refusal = "It must begin within a year, but not in the next ten minutes."
	// ErrManyContests is returned when the club already holds as many as it may at once.
	ErrManyContests text.Refusal = "There are too many leagues and cups; call one off, or wait until one is over."
	// ErrContestName is returned for one without a name.
	ErrContestName text.Refusal = "Give it a name, such as name=Winter league."
)

const (
	// mostContests is how many leagues and cups there may be at once.
	mostContests   = 50
	contestSoonest = 10 * time.Minute
	contestAhead   = 366 * 24 * time.Hour
)

// Contest is a league or a cup as it is now.
type Contest struct {
	ID     event.ID
	Kind   event.Kind
	League *league.View // one of the two is nil
	Cup    *cup.View
	Tables map[int64]table.ID // where games of matches are played, by pairing
}

// View is what leagues and cups have in common.
func (c *Contest) View() *match.View {
	if c.League != nil {
		return &c.League.View
	}
	return &c.Cup.View
}

// TableOf is the table at which a match is being played, 0 if there is none.
func (c *Contest) TableOf(m *match.Match) table.ID { return c.Tables[m.Pairing] }

// contestKinds are the kinds of events that are contests.
var contestKinds = []event.Kind{league.Kind, cup.Kind}

func isContest(kind event.Kind) bool { return slices.Contains(contestKinds, kind) }

// core is what the rules of a league and a cup have in common.
func core(r event.Rules) *match.Core {
	switch r := r.(type) {
	case *league.League:
		return &r.Core
	case *cup.Cup:
		return &r.Core
	}
	return nil
}

func contestOf(r *event.Room) Contest {
	c := contestShown(r.Event(), r.View())
	c.Tables = map[int64]table.ID{}
	for i := range c.View().Matches {
		if m := &c.View().Matches[i]; m.Pairing != 0 {
			if id, ok := r.Table(m.Pairing); ok {
				c.Tables[m.Pairing] = id
			}
		}
	}
	return c
}

func contestShown(e event.Event, view any) Contest {
	c := Contest{ID: e.ID, Kind: e.Kind}
	c.League, _ = view.(*league.View)
	c.Cup, _ = view.(*cup.View)
	return c
}

// contests lists the leagues and cups that are not over, by number.
func (l *Lobby) contests() []Contest {
	var all []Contest
	for _, kind := range contestKinds {
		all = append(all, roomsOf(l, kind, contestOf)...)
	}
	slices.SortFunc(all, func(a, b Contest) int { return int(a.ID - b.ID) })
	return all
}

// Contests lists the leagues and cups that are not over, by number.
func (v *Visit) Contests() []Contest { return v.lobby.contests() }

// PastContest is a league or a cup that is over.
type PastContest struct {
	ID     event.ID
	Kind   event.Kind
	Ended  time.Time
	Called bool // off: it was never played
	few    bool // since too few teams had signed up when it was to begin
	match.Final
}

// PastContests lists the latest leagues and cups that are over, the newest first. The list is shared; nobody may change it.
func (v *Visit) PastContests(ctx context.Context) ([]PastContest, error) {
	const shown = 20
	all, err := v.finals(ctx)
	if err != nil {
		return nil, err
	}
	return all[:min(shown, len(all)):min(shown, len(all))], nil
}

// FinishedContests lists the latest leagues or cups that were played, the newest first, as they ended. The list is shared; nobody may
// change it.
func (v *Visit) FinishedContests(ctx context.Context, kind event.Kind) ([]Contest, error) {
	const shown = 20
	l := v.lobby
	return askOnce(ctx, v, &l.titles, fmt.Sprint("finished ", kind), func(ctx context.Context) ([]Contest, error) {
		logs, err := l.stores.Events.EventLogs(ctx, kind, shown)
		if err != nil {
			return nil, l.trouble(fmt.Sprintf("list the past events of kind %s", kind), err)
		}
		var all []Contest
		for _, past := range logs {
			rules, err := EventKinds().Fold(past.Event, past.Log)
			if err != nil {
				return nil, l.trouble(fmt.Sprintf("read %s %d", kind, past.Event.ID), err)
			}
			if c := contestShown(past.Event, rules.View()); c.View().Begun {
				all = append(all, c)
			}
		}
		return all, nil
	})
}

// finals are the results of leagues and cups, the newest first.
func (v *Visit) finals(ctx context.Context) ([]PastContest, error) {
	all, err := askOnce(ctx, v, &v.lobby.titles, "finals", v.lobby.readFinals)
	if err != nil {
		return nil, v.sentence("read the results of leagues and cups", err)
	}
	return all, nil
}

func (l *Lobby) readFinals(ctx context.Context) (all []PastContest, err error) {
	for _, kind := range contestKinds {
		closings, err := l.stores.Events.Closings(ctx, kind, 0)
		if err != nil {
			return nil, l.trouble("read the results of leagues and cups", err)
		}
		for _, c := range closings {
			f, err := event.Read[match.Final](c.Last)
			if err != nil {
				l.log.Error("the last entry of an event cannot be read", "event", c.Event.ID, "err", err)
				continue
			}
			called := len(f.Trophies) == 0 && !f.Held
			all = append(all, PastContest{ID: c.Event.ID, Kind: kind, Ended: c.Last.At, Final: f, Called: called, few: called && !c.Last.At.Before(c.Event.Begins)})
		}
	}
	slices.SortFunc(all, func(a, b PastContest) int { return b.Ended.Compare(a.Ended) })
	return all, nil
}

// announceWinners announces the winner in the news if the event that ended was a league or a cup, or that it is not played. It is a
// background job.
func (l *Lobby) announceWinners(id event.ID) {
	all, err := l.readFinals(l.ctx)
	if err != nil {
		return // it is logged
	}
	for _, c := range all {
		if c.ID == id && c.Called {
			say := c.Name + " was called off"
			if c.few {
				say = c.Name + " is not played: too few teams signed up"
			}
			l.addNews(NewsItem{At: l.now(), Kind: string(c.Kind), Text: say})
		}
		if c.ID == id && c.Held && !slices.ContainsFunc(c.Trophies, func(t match.Trophy) bool { return strings.HasPrefix(t.Title, match.WinnerOf) }) {
			l.addNews(NewsItem{At: l.now(), Kind: string(c.Kind), Text: c.Name + " is over, and nobody has won it"})
		}
		for _, t := range c.Trophies {
			what, ok := strings.CutPrefix(t.Title, match.WinnerOf)
			if c.ID != id || !ok {
				continue
			}
			if team, err := l.stores.Teams.Team(l.ctx, t.Team); err == nil {
				l.addNews(NewsItem{At: l.now(), Kind: string(c.Kind), Text: fmt.Sprintf("%s [%s] wins %s", team.Name, team.Tag, what)})
			}
		}
	}
}

// Trophy is something that a team has won.
type Trophy struct {
	Event event.ID
	Kind  event.Kind
	Title string
	At    time.Time
}

// Trophies lists a team's trophies, the newest first.
func (v *Visit) Trophies(ctx context.Context, team table.TeamID) (won []Trophy, err error) {
	all, err := v.finals(ctx)
	for _, c := range all {
		for _, t := range c.Trophies {
			if t.Team == team {
				won = append(won, Trophy{c.ID, c.Kind, t.Title, c.Ended})
			}
		}
	}
	return won, err
}

// Contest returns the league or cup with a number, which may be over. match.ErrNone.
func (v *Visit) Contest(ctx context.Context, id event.ID) (*Contest, error) {
	return eventOf(ctx, v, id, contestOf, v.lobby.pastContest, contestKinds...)
}

func (l *Lobby) pastContest(ctx context.Context, id event.ID) (*Contest, error) {
	e, rules, err := l.pastEvent(ctx, id, contestKinds...)
	if err != nil {
		return nil, err
	}
	c := contestShown(e, rules.View())
	return &c, nil
}

// NewLeague makes a season, which begins at a time; after is the season whose places it goes on with, 0 for none. It refuses with
// ErrContestMakers, ErrContestTime, ErrContestName, match.ErrNone or the errors of [league.Config.Validate].
func (v *Visit) NewLeague(ctx context.Context, cfg league.Config, begins time.Time, after event.ID) (event.ID, error) {
	if err := v.mayMakeContest(&cfg.Config, begins); err != nil {
		return 0, err
	}
	if after != 0 {
		all, err := v.finals(ctx)
		if err != nil {
			return 0, err
		}
		i := slices.IndexFunc(all, func(p PastContest) bool { return p.ID == after && p.Kind == league.Kind })
		if i < 0 {
			return 0, match.ErrNone
		}
		cfg.Order = all[i].Order
	}
	cfg.Even = true
	if err := cfg.Validate(); err != nil {
		return 0, refused(err)
	}
	return v.makeContest(ctx, league.Kind, cfg.Name, cfg, begins)
}

// NewCup makes a cup, which begins at a time. It refuses as NewLeague does.
func (v *Visit) NewCup(ctx context.Context, cfg cup.Config, begins time.Time) (event.ID, error) {
	if err := v.mayMakeContest(&cfg.Config, begins); err != nil {
		return 0, err
	}
	if err := cfg.Validate(); err != nil {
		return 0, refused(err)
	}
	return v.makeContest(ctx, cup.Kind, cfg.Name, cfg, begins)
}

// mayMakeContest reports whether the person may make a league or a cup, whose name it cleans.
func (v *Visit) mayMakeContest(cfg *match.Config, begins time.Time) error {
	a, err := v.memberAsks()
	now := v.lobby.clock.Now()
	switch {
	case err != nil:
		return err
	case !v.Operator():
		return ErrContestMakers
	case cfg.Name == "":
		return ErrContestName
	case begins.Before(now.Add(contestSoonest)) || begins.After(now.Add(contestAhead)):
		return ErrContestTime
	}
	cfg.By = a.Name
	cfg.Name, err = v.publicTitle(cfg.Name)
	return err
}

func (v *Visit) makeContest(ctx context.Context, kind event.Kind, name string, cfg any, begins time.Time) (event.ID, error) {
	l := v.lobby
	room, err := v.createEvent(ctx, event.Make(kind, cfg, begins.Round(0)))
	if err != nil {
		return 0, err
	}
	id := room.Event().ID
	item := NewsItem{At: l.now(), Kind: string(kind), Text: fmt.Sprintf("%s begins on %s; captains sign up their teams: %s %d join", name, dayAndTime(begins), kind, id)}
	l.jobs.run(func() { l.addNews(item) })
	return id, nil
}

// dayAndTime is a moment in words: "Fri 27 Nov 20:00 UTC".
func dayAndTime(t time.Time) string { return t.UTC().Format("Mon 2 Jan 15:04") + " UTC" }

// inContest carries out a request of a captain in a league or a cup. It refuses with ErrMembersOnly, ErrNoTeam,
// ErrCaptain, match.ErrNone, or what f refuses.
func (v *Visit) inContest(ctx context.Context, id event.ID, f func(c *match.Core, t *Team, now time.Time) ([]event.Entry, error)) (*Team, error) {
	a, t, err := v.ownTeam(ctx)
	if err != nil {
		return nil, err
	}
	r := v.lobby.events.Room(id)
	switch {
	case r == nil || !isContest(r.Event().Kind):
		return nil, match.ErrNone
	case t.Captain != a.ID:
		return nil, ErrCaptain
	}
	if err := v.may(&v.lobby.limits.wishes, ErrManyWishes); err != nil {
		return nil, err
	}
	return t, v.doIn(ctx, r, match.ErrOver, func(rules event.Rules, now time.Time) ([]event.Entry, error) { return f(core(rules), t, now) })
}

// SignUp signs the person's team up for a league or a cup, or off again. It is for captains, before the event begins.
func (v *Visit) SignUp(ctx context.Context, id event.ID, on bool) error {
	t, err := v.inContest(ctx, id, func(c *match.Core, t *Team, _ time.Time) ([]event.Entry, error) {
		if !on {
			return c.SignOff(t.ID)
		}
		return c.SignUp(match.Team{ID: t.ID, Tag: t.Tag, Name: t.Name}, len(t.Members))
	})
	if err != nil {
		return err
	}
	if c, err := v.Contest(ctx, id); err == nil && on {
		v.lobby.tellTeam(t, v.Player().ID, fmt.Sprintf("Your team is signed up for %s, which begins on %s.", c.View().Config.Name, dayAndTime(c.View().Begins)))
	}
	return nil
}

// ProposeTime proposes a time for the current match of the person's team; the zero time takes the proposal back. Proposing the opponents'
// time agrees to it. It is for captains.
func (v *Visit) ProposeTime(ctx context.Context, id event.ID, at time.Time) error {
	return v.arrange(ctx, id, func(c *match.Core, t *Team, now time.Time) ([]event.Entry, error) {
		if m := c.Current(t.ID); m != nil && !at.IsZero() {
			if err := v.lobby.booked(id, m, at, m.Sides[:]...); err != nil {
				return nil, err
			}
		}
		return c.Propose(t.ID, at, now.Round(0))
	})
}

// AcceptTime agrees to the opponents' proposal. It is for captains.
func (v *Visit) AcceptTime(ctx context.Context, id event.ID) error {
	return v.arrange(ctx, id, func(c *match.Core, t *Team, now time.Time) ([]event.Entry, error) {
		if m := c.Current(t.ID); m != nil {
			if at := m.Sides[1-m.Of(t.ID)].Offer; !at.IsZero() {
				if err := v.lobby.booked(id, m, at, m.Sides[:]...); err != nil {
					return nil, err
				}
			}
		}
		return c.Accept(t.ID, now)
	})
}

// DeclineTime refuses the opponents' proposal. It is for captains.
func (v *Visit) DeclineTime(ctx context.Context, id event.ID) error {
	return v.arrange(ctx, id, func(c *match.Core, t *Team, _ time.Time) ([]event.Entry, error) { return c.Decline(t.ID) })
}

// arrange carries out a captain's request about the time of a match, and tells both teams. One is carried out at a time, so that each sees what
// the others have arranged.
func (v *Visit) arrange(ctx context.Context, id event.ID, f func(c *match.Core, t *Team, now time.Time) ([]event.Entry, error)) error {
	release, err := turn(ctx, v.lobby.booking)
	if err != nil {
		return v.sentence("arrange a match", err)
	}
	defer release()
	t, err := v.inContest(ctx, id, f)
	if err == nil {
		v.tellOfTime(ctx, id, t)
	}
	return err
}

// SetLineUp says which two members play the current match of the person's team; without names it is the members who are here. It is for
// captains.
func (v *Visit) SetLineUp(ctx context.Context, id event.ID, names []string) error {
	var playing bool
	if c, err := v.Contest(ctx, id); err == nil && c.Tables != nil {
		if m := c.View().Current(v.account().Team); m != nil && m.Pairing != 0 {
			playing, _ = eventClub{v.lobby}.Came(c.TableOf(m))
		}
	}
	release, err := turn(ctx, v.lobby.booking)
	if err != nil {
		return v.sentence("line up for a match", err)
	}
	defer release()
	_, err = v.inContest(ctx, id, func(c *match.Core, t *Team, _ time.Time) ([]event.Entry, error) {
		var players []table.PlayerID
		m := c.Current(t.ID)
		for _, name := range names {
			if m == nil {
				break
			}
			roster := m.Sides[m.Of(t.ID)].Roster
			i := slices.IndexFunc(roster, func(p table.Player) bool { return text.Skeleton(p.Name) == text.Skeleton(name) })
			if i < 0 {
				return nil, match.ErrLineUp
			}
			players = append(players, roster[i].ID)
		}
		if m != nil && m.Pairing == 0 && !playedAt(m).IsZero() {
			if err := v.lobby.booked(id, m, playedAt(m), match.Side{LineUp: players}); err != nil {
				return nil, err
			}
		}
		return c.SetLineUp(t.ID, players, playing)
	})
	return err
}
