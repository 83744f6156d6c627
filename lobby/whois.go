package lobby

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/text"
)

// Sentences tell about the person, with so many games at most: what they do, since when they are a member, team, rating with how it
// went, last games, and what the asker and they did against each other.
func (p *Profile) Sentences(now time.Time, games int) []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, text.Printable(fmt.Sprintf(format, args...))) }
	if p.Here != nil {
		add("%s %s, here for %s.", p.Name, p.Here.does(now), ago(now.Sub(p.Here.Since)))
	}
	if p.Guest {
		return append(lines, "A guest; their games are not saved.")
	}
	since := p.Name + " has been a member since " + p.Member.UTC().Format("2 January 2006")
	if p.Bot {
		since += ", is a program"
	}
	if p.Team != nil {
		since += ", plays for " + p.Team.Name + " [" + p.Team.Tag + "]"
	}
	add("%s.", since)
	if s := p.Standing; s != nil {
		add("%s", s.sentence())
	}
	for i := range p.Games[:min(len(p.Games), games)] {
		g := &p.Games[i]
		add("Game %d, %s, %s: %s, %s.", g.ID, g.Started.UTC().Format("2 January 2006"), g.Rules, strings.Join(g.Seats, ", "), g.How(p.Name))
	}
	if v := p.Versus; v != nil {
		add("%s", v.Sentence(p.Name))
	}
	return lines
}

// Sentence says what the asker did against a player.
func (v *Versus) Sentence(name string) string {
	say := fmt.Sprintf("Against each other: you won %d, %s won %d", v.Won, name, v.Lost)
	if v.Shared > 0 {
		say += fmt.Sprintf(", %d shared", v.Shared)
	}
	return say + "."
}

// Number is the rating in words: "1578", or "1578 (provisional)" while few games stand behind it.
func (s *Standing) Number() string {
	if s.Provisional {
		return strconv.Itoa(s.Rating) + " (provisional)"
	}
	return strconv.Itoa(s.Rating)
}

// sentence tells a rating, with the last ones.
func (s *Standing) sentence() string {
	line := fmt.Sprintf("Rating %s, rank %d; %d games, %d won.", s.Number(), s.Rank, s.Games, s.Won)
	if n := len(s.History); n > 1 {
		var history []string
		for _, r := range s.History[max(0, n-8):] {
			history = append(history, strconv.Itoa(r))
		}
		line += " Latest ratings: " + strings.Join(history, ", ") + "."
	}
	return line
}
