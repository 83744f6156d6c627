package plain

import (
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
)

// Whois is what everybody may know about a person.
type Whois struct {
	Name     string    `json:"name"`
	Kind     string    `json:"kind"`  // member, guest or bot
	Here     bool      `json:"here"`  // in the club now
	Doing    string    `json:"doing"` // as in who; empty for somebody who is not here
	Table    int64     `json:"table"` // likewise; 0 in the lobby
	Member   time.Time `json:"member,omitzero"`
	Tag      string    `json:"tag"`      // of the team; empty without one
	Team     string    `json:"team"`     // its name
	Standing *Standing `json:"standing"` // as a player; null before their first rated game
	Games    []Game    `json:"games"`    // the last finished ones, newest first
	Versus   *Versus   `json:"versus"`   // the asker's games against them; null if there are none
}

// Versus is the asker's record against a player.
type Versus struct {
	Won    int `json:"won"`
	Lost   int `json:"lost"`
	Shared int `json:"shared"`
}

// WhoisRow returns a person as a row.
func WhoisRow(p *lobby.Profile) Whois {
	row := Whois{Name: text.Printable(p.Name), Kind: Member, Here: p.Here != nil, Member: Moment(p.Member), Games: []Game{}}
	switch {
	case p.Guest:
		row.Kind = Guest
	case p.Bot:
		row.Kind = Bot
	}
	if p.Here != nil {
		row.Doing, row.Table = text.Printable(p.Here.Doing), int64(p.Here.Table)
	}
	if p.Team != nil {
		row.Tag, row.Team = text.Printable(p.Team.Tag), text.Printable(p.Team.Name)
	}
	if p.Standing != nil {
		s := StandingRow(p.Standing)
		row.Standing = &s
	}
	for i := range p.Games {
		row.Games = append(row.Games, GameRow(&p.Games[i]))
	}
	if v := p.Versus; v != nil {
		row.Versus = &Versus{v.Won, v.Lost, v.Shared}
	}
	return row
}
