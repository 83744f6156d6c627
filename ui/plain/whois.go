package plain

import (
	"encoding/json"
	"time"

	"boneyard/lobby"
)

// Whois describes what everybody may know about a person.
var Whois = &Rows[lobby.Profile]{
	Object: "whois", About: "The answer to `whois`. For a guest, only the first five fields have values.",
	Columns: []Column[lobby.Profile]{
		Col("name", "", func(p *lobby.Profile) string { return p.Name }),
		Col("kind", "`member`, `guest` or `bot`", func(p *lobby.Profile) string {
			switch {
			case p.Guest:
				return Guest
			case p.Bot:
				return Bot
			}
			return Member
		}),
		Col("here", "in the club now", func(p *lobby.Profile) bool { return p.Here != nil }),
		Col("doing", "as in [person](#person)",
			func(p *lobby.Profile) string { return here(p).Doing }),
		Col("table", "", func(p *lobby.Profile) No { return No(here(p).Table) }),
		Col("member", "since when", func(p *lobby.Profile) time.Time { return p.Member }).Optional(),
		Col("tag", "", func(p *lobby.Profile) string { return team(p).Tag }),
		Col("team", "", func(p *lobby.Profile) string { return team(p).Name }),
		Col("standing", "a [standing](#standing), or null", func(p *lobby.Profile) json.RawMessage {
			if p.Standing == nil {
				return nil
			}
			return Standings.JSON(p.Standing)
		}).Of("standing"),
		Col("shield", "holds the shield of the season", func(p *lobby.Profile) bool { return p.Shield }),
		Col("won", "within a year, as [title](#title) objects", func(p *lobby.Profile) []any { return Titles.Objects(p.Titles) }).Of("title"),
		Col("games", "the last ones, as [game](#game) objects",
			func(p *lobby.Profile) []any { return Games.Objects(p.Games) }).Of("games"),
		Col("versus", "your games against them, a [versus](#versus), or null", func(p *lobby.Profile) *Versus {
			if p.Versus == nil {
				return nil
			}
			return &Versus{p.Versus.Won, p.Versus.Lost, p.Versus.Shared}
		}).Of("versus"),
	},
}

// here returns what somebody is doing in the club; zero if they are not there.
func here(p *lobby.Profile) lobby.Person {
	if p.Here == nil {
		return lobby.Person{}
	}
	return *p.Here
}

func team(p *lobby.Profile) lobby.Team {
	if p.Team == nil {
		return lobby.Team{}
	}
	return *p.Team
}

// Versus is the asker's record against a player.
type Versus struct {
	Won    int `json:"won" means:"won by you"`
	Lost   int `json:"lost" means:"won by them"`
	Shared int `json:"shared" means:"with equal highest scores"`
}
