package lobby

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/table"
)

// whoisGames is how many games are told of, and among how many those against each other are looked for.
const (
	whoisShown  = 5
	whoisLooked = 100
)

// slashWhois tells about a person: what they do, since when they are a member, team, rating with how it went, last games, and what
// the asker and they did against each other.
func slashWhois(ctx context.Context, v *Visit, _ table.ID, args []string) (string, error) {
	l := v.lobby
	l.mu.Lock()
	here, guest := "", false
	if p := l.byName(args[0]); p != nil {
		guest = p.player.ID.Guest()
		d := l.describe(p)
		here = fmt.Sprintf("%s %s, here for %s.", d.Player.Name, d.does(l.now()), ago(l.now().Sub(d.Since)))
	}
	l.mu.Unlock()
	if guest {
		return here + "\nA guest: nothing is kept of their games.", nil
	}
	a, err := l.store.ByName(ctx, args[0])
	switch {
	case errors.Is(err, ErrNotFound):
		return "", ErrNoMember
	case err != nil:
		return "", l.trouble("look for a name", err)
	}
	var lines []string
	if here != "" {
		lines = append(lines, here)
	}
	since := a.Name + " is a member since " + a.Created.UTC().Format("2006-01-02")
	if a.Team != 0 {
		if t, err := v.Team(ctx, a.Team); err == nil {
			since += ", plays for " + t.Name + " [" + t.Tag + "]"
		}
	}
	lines = append(lines, since+".")
	ranks, err := v.Standings(ctx, StandingsQuery{Kind: KindPlayer, Limit: 1000})
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(ranks, func(s Standing) bool { return s.ID == int64(a.ID) }); i >= 0 {
		lines = append(lines, ranks[i].sentence(i+1))
	}
	games, err := v.Games(ctx, GamesQuery{Player: a.ID, Limit: whoisLooked})
	if err != nil {
		return "", err
	}
	own := v.Player()
	won, lost, shown := 0, 0, 0
	for i := range games {
		g := &games[i]
		if !g.Finished || g.Ending == table.EndAbandoned {
			continue
		}
		if a.ID != own.ID && !own.ID.Guest() && slices.Contains(g.Seats, own.Name) && g.Winner != 0 && wonBy(g, own.Name) != wonBy(g, a.Name) {
			if wonBy(g, own.Name) {
				won++
			} else if wonBy(g, a.Name) {
				lost++
			}
		}
		if shown++; shown <= whoisShown {
			how := "lost"
			switch {
			case g.Winner == 0:
				how = "shared"
			case wonBy(g, a.Name):
				how = "won"
			}
			lines = append(lines, fmt.Sprintf("Game %d, %s, %s: %s, %s.", g.ID, g.Started.UTC().Format("2006-01-02"), g.Rules, strings.Join(g.Seats, ", "), how))
		}
	}
	if won+lost > 0 {
		lines = append(lines, fmt.Sprintf("Against each other, in their last %d games: you won %d, %s won %d.", whoisLooked, won, a.Name, lost))
	}
	for i, s := range lines {
		lines[i] = text.Printable(s)
	}
	return strings.Join(lines, "\n"), nil
}

// sentence tells a rating, with the last ones.
func (s *Standing) sentence(rank int) string {
	rating := strconv.Itoa(s.Rating)
	if s.Provisional {
		rating += " (provisional)"
	}
	line := fmt.Sprintf("Rating %s, number %d of the standings; %d games, %d won.", rating, rank, s.Games, s.Won)
	if n := len(s.History); n > 1 {
		var course []string
		for _, r := range s.History[max(0, n-8):] {
			course = append(course, strconv.Itoa(r))
		}
		line += " Lately " + strings.Join(course, ", ") + "."
	}
	return line
}
