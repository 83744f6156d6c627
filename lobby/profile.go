package lobby

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/event/season"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

const (
	profileGames    = 20  // games listed
	profileTogether = 100 // games of two people against each other that are counted
)

// Profile is what everybody may know about a person. A guest's has only ID, Name, Guest and Here. It is
// shared; nobody may change it.
type Profile struct {
	ID       table.PlayerID
	Name     string
	Guest    bool
	Bot      bool    // the account is a program's
	Here     *Person // nil if not in the club
	Member   time.Time
	Team     *Team          // nil without one
	Standing *Standing      // as a player; nil before the first rated game
	Titles   []season.Title // won within a year
	Shield   bool           // holds the season's shield
	Games    []GameInfo     // the latest finished ones, newest first
	Versus   *Versus        // the asker's games against the person; nil without any, or for guests

	Accuracies []float64 // in reviewed games, oldest first; only on the asker's own page
}

// Versus counts two players' results against each other in their last 100 games, except as partners.
type Versus struct {
	Won, Lost, Shared int // by the asker
}

// Profile returns the profile of a member by name, or of a guest who is here, or ErrNoMember.
func (v *Visit) Profile(ctx context.Context, name string) (*Profile, error) {
	l := v.lobby
	l.mu.Lock()
	var here *Person
	if p := l.byName(name); p != nil {
		here = new(l.describe(p))
	}
	l.mu.Unlock()
	if here != nil && here.Guest {
		return &Profile{ID: here.Player.ID, Name: here.Player.Name, Guest: true, Here: here}, nil
	}
	a, err := ask(v, func() (*Account, error) { return l.stores.Accounts.ByName(ctx, name) })
	if err != nil {
		return nil, l.missing(ErrNoMember, "look for a name", err)
	}
	p := &Profile{ID: a.ID, Name: a.Name, Bot: a.Bot, Here: here, Member: a.Created}
	if a.Team != 0 {
		if p.Team, err = v.Team(ctx, a.Team); err != nil && !errors.Is(err, ErrNoTeam) {
			return nil, err
		}
	}
	p.Standing, err = kept(ctx, v, a.ID, "", "read a standing", func(ctx context.Context) (*Standing, error) {
		s, err := l.stores.Standings.Standing(ctx, KindPlayer, int64(a.ID))
		if s != nil {
			s.Shield = v.Shields().Players[a.ID]
		}
		return s, err
	})
	if err != nil {
		return nil, err
	}
	if p.Titles, err = v.Titles(ctx, a.ID, 0); err != nil {
		return nil, err
	}
	p.Shield = v.Shields().Players[a.ID]
	if p.Games, err = v.Games(ctx, GamesQuery{Player: a.ID, Limit: profileGames}); err != nil {
		return nil, err
	}
	p.Games = slices.DeleteFunc(p.Games, func(g GameInfo) bool { return !g.Finished })
	own := v.Player()
	switch {
	case own.ID == a.ID:
		if p.Accuracies, err = l.stores.Reviews.Accuracies(ctx, a.ID, keptAccuracies); err != nil {
			return nil, l.trouble("read the accuracy of a member", err)
		}
		return p, nil
	case own.ID.Guest():
		return p, nil
	}
	together, err := v.Games(ctx, GamesQuery{Player: own.ID, With: a.ID, Limit: profileTogether})
	if err != nil {
		return nil, err
	}
	p.Versus = versus(together, own.Name, a.Name)
	return p, nil
}

// versus counts the games of two players on different sides; nil if there is none.
func versus(games []GameInfo, own, other string) *Versus {
	var v Versus
	for i := range games {
		g := &games[i]
		if !g.Finished || g.partners(own, other) {
			continue
		}
		switch one, two := g.How(own), g.How(other); {
		case one == "won":
			v.Won++
		case two == "won":
			v.Lost++
		case one == "shared" && two == "shared":
			v.Shared++
		}
	}
	if v == (Versus{}) {
		return nil
	}
	return &v
}

// partners reports whether two players were on the same side, or one of them did not play under that name.
func (g *GameInfo) partners(a, b string) bool {
	one, two := g.sideOf(a), g.sideOf(b)
	return one == 0 || two == 0 || one == two
}

// How returns a word for how a game ended for a player.
func (g *GameInfo) How(name string) string { return g.HowFor(g.sideOf(name)) }

// HowFor returns the same for a side.
func (g *GameInfo) HowFor(side rules.Side) string {
	i := int(side) - 1
	switch {
	case g.Ending == table.EndAbandoned:
		return "abandoned"
	case g.Winner == int(side):
		return "won"
	case g.Winner == 0 && i < len(g.Scores) && g.Scores[i] == slices.Max(g.Scores):
		return "shared"
	}
	return "lost"
}

// Sentences describe the person, with at most so many games: what they are doing, membership, team, rating
// and its history, latest games, and results against the asker.
func (p *Profile) Sentences(now time.Time, games int) []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, text.Printable(fmt.Sprintf(format, args...))) }
	if p.Here != nil {
		add("%s %s, here for %s.", p.Name, p.Here.does(now), ago(now.Sub(p.Here.Since)))
	}
	if p.Guest {
		return append(lines, "A guest; their games are not saved.")
	}
	facts := []string{"has been a member since " + p.Member.UTC().Format("2 January 2006")}
	if p.Bot {
		facts = append(facts, "is a program")
	}
	if p.Team != nil {
		facts = append(facts, "plays for "+p.Team.Name+" ["+p.Team.Tag+"]")
	}
	add("%s %s.", p.Name, text.List(facts))
	if s := p.Standing; s != nil {
		add("%s", s.sentence())
	}
	if p.Shield {
		add("%s holds the shield of the season.", p.Name)
	}
	if len(p.Titles) > 0 {
		add("Within a year: %s.", season.Summary(p.Titles))
	}
	for i := range p.Games[:min(len(p.Games), games)] {
		g := &p.Games[i]
		at := g.Started.UTC().Format("2 January 2006")
		add("Game %d, %s, %s: %s, %s.", g.ID, at, rules.Words(g.Rules), strings.Join(g.Seats, ", "), g.How(p.Name))
	}
	if v := p.Versus; v != nil {
		add("%s", v.Sentence(p.Name))
	}
	return lines
}

// Sentence describes the results against a player.
func (v *Versus) Sentence(name string) string {
	say := fmt.Sprintf("Against each other: you won %d, %s won %d", v.Won, name, v.Lost)
	if v.Shared > 0 {
		say += fmt.Sprintf(", %d shared", v.Shared)
	}
	return say + "."
}

// Number formats the rating: "1578", or "1578 (provisional)" after few games.
func (s *Standing) Number() string {
	if s.Provisional {
		return strconv.Itoa(s.Rating) + " (provisional)"
	}
	return strconv.Itoa(s.Rating)
}

// sentence describes a rating, with the latest ones.
func (s *Standing) sentence() string {
	line := fmt.Sprintf("Rating %s, rank %d; %s, %d won.", s.Number(), s.Rank, text.Number(s.Games, "game"), s.Won)
	if n := len(s.History); n > 1 {
		line += " Latest ratings: " + strings.Join(text.Each(s.History[max(0, n-8):], strconv.Itoa), ", ") + "."
	}
	return line
}
