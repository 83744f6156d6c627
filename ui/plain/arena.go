package plain

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Arenas describes arenas.
var Arenas = &Rows[arena.View]{
	Object: "arena", About: "A row of `arena`, and the first one of `arena N`.",
	Text: "ARENA STATE BEGINS MIN GAME PACE KIND PLAYERS PLAYING GAMES NAME",
	None: "No arena is planned. Captains and operators create them: arena new in=30 length=60 classic",
	Columns: []Column[arena.View]{
		Col("arena", "", func(a *arena.View) No { return No(a.ID) }),
		Col("name", "may be empty", func(a *arena.View) string { return a.Config.Name }),
		Col("state", "`planned`, `running`, `over`, `called off` (was never played)", func(a *arena.View) string { return EventState(a.Begun, a.Over, "planned", "running") }),
		Col("begins", "", func(a *arena.View) time.Time { return a.Begins }),
		Col("ends", "no new games after this", func(a *arena.View) time.Time { return a.Ends }),
		TextCol("MIN", func(a *arena.View) string { return strconv.Itoa(int(a.Ends.Sub(a.Begins).Minutes())) }).Number(),
		Col("rules", "a rule string", func(a *arena.View) string { return a.Config.Rules }).As("GAME", nil),
		Col("pace", "", func(a *arena.View) string { return string(a.Config.Pace) }),
		TextCol("KIND", func(a *arena.View) string {
			kind := "single"
			if a.Config.Pairs {
				kind = "pairs"
			}
			if a.Config.Battle {
				kind += ",teams"
			}
			return kind
		}),
		Col("pairs", "whether it is for pairs, who play as partners", func(a *arena.View) bool { return a.Config.Pairs }),
		Col("battle", "whether it is a battle of teams", func(a *arena.View) bool { return a.Config.Battle }),
		Col("programs", "whether programs may take part", func(a *arena.View) bool { return a.Config.Programs }),
		Col("weekly", "another one follows a week after it", func(a *arena.View) bool { return a.Config.Weekly }),
		Col("players", "players, or pairs", func(a *arena.View) int { return len(a.Entrants) }),
		Col("playing", "games in progress", func(a *arena.View) int { return len(a.Games) }),
		Col("games", "games that count", func(a *arena.View) int { return a.Played }),
	},
}

// ArenaPlace is a place in an arena's standing.
type ArenaPlace struct {
	*arena.Entrant
	of *arena.View
}

// ArenaPlaces describes an arena's standing.
var ArenaPlaces = &Rows[ArenaPlace]{
	Object: "arenaplace", About: "A row of the standings of `arena N`.", Text: "RANK NAME TEAM SCORE MEAN GAMES WON ROW STATE TABLE",
	Columns: []Column[ArenaPlace]{
		Col("rank", "", func(p *ArenaPlace) int { return p.Rank }),
		Col("names", "one, or two who play as partners", func(p *ArenaPlace) []string { return namesOf(p.Members) }).As("NAME", func(p *ArenaPlace) string {
			return strings.Join(namesOf(p.Members), "+")
		}),
		Col("tag", "of the team", func(p *ArenaPlace) string { return p.Members[0].Tag }).As("TEAM", nil),
		Col("score", "", func(p *ArenaPlace) int { return p.Score }),
		Col("mean", "of the opponents' scores", func(p *ArenaPlace) float64 { return p.Tie }),
		Col("games", "", func(p *ArenaPlace) int { return p.Games }),
		Col("won", "", func(p *ArenaPlace) int { return p.Won }),
		Col("row", "how many wins in a row", func(p *ArenaPlace) int { return p.Row }),
		Col("state", "`waiting`, `playing`, `away` (has left), `idle` (did not move), or `over` with the arena", func(p *ArenaPlace) string {
			return ArenaState(p.of, p.Entrant)
		}),
		Col("table", "where they play, 0 for nowhere", func(p *ArenaPlace) No { return No(p.of.At[p.Game]) }),
	},
}

// ArenaTeams describes the standing of a battle of teams.
var ArenaTeams = &Rows[arena.Team]{
	Object: "arenateam", About: "A team in a battle; these rows come after the first one of `arena N`.", Text: "RANK TEAM SCORE",
	Columns: []Column[arena.Team]{
		Typed[arena.Team]("team"),
		Col("rank", "", func(t *arena.Team) int { return t.Rank }),
		Col("tag", "", func(t *arena.Team) string { return t.Tag }).As("TEAM", nil),
		Col("score", "of its best five, or three pairs", func(t *arena.Team) int { return t.Score }),
	},
}

// ArenaState says what somebody in an arena is doing.
func ArenaState(a *arena.View, e *arena.Entrant) string {
	switch {
	case a.Over:
		return "over"
	case e.Game != 0:
		return "playing"
	case e.Idle:
		return "idle"
	case e.Away:
		return "away"
	}
	return "waiting"
}

// placesShown is how many places of an arena are listed as text.
const placesShown = 100

// ArenaUsage is the command's syntax, on the command line and in line mode.
const ArenaUsage = "[N [WORDS]|new WORDS]"

const errArena text.Refusal = "Use arena, arena N, arena N enter, arena N enter with NAME, arena N leave, or arena new WORDS; its creator: arena N off; operators: arena N once."

// AskArena runs the command arena.
func AskArena(ctx context.Context, v *lobby.Visit, words []string, now time.Time) (Answer, error) {
	return eventCommand{
		kind: arena.Kind,
		list: func() (Answer, error) { return Arenas.List(v.Arenas()), nil },
		create: func(words []string) (event.ID, error) {
			cfg, begins, length, err := parseArena(ctx, v, words, now)
			if err != nil {
				return 0, err
			}
			return v.NewArena(ctx, cfg, begins, length)
		},
		enters: true, leaves: true,
		do: func(id event.ID, words []string) error {
			if len(words) == 1 && words[0] == "once" {
				return v.EndWeekly(ctx, id)
			}
			return errArena
		},
		show:  func(id event.ID) (Answer, error) { return arenaShown(ctx, v, id) },
		usage: errArena,
	}.run(ctx, v, words)
}

func arenaShown(ctx context.Context, v *lobby.Visit, id event.ID) (ans Answer, err error) {
	a, err := v.Arena(ctx, id)
	if err != nil {
		return ans, err
	}
	ans = Arenas.List([]arena.View{*a})
	if len(a.Teams) > 0 {
		ans.Add("", ArenaTeams.List(a.Teams))
	}
	places := make([]ArenaPlace, len(a.Entrants))
	for i := range a.Entrants {
		places[i] = ArenaPlace{&a.Entrants[i], a}
	}
	shown := min(placesShown, len(places))
	ans.Add("", Answer{ArenaPlaces.Lines(places[:shown]), ArenaPlaces.Objects(places)})
	if more := len(places) - shown; more > 0 {
		ans.Lines = append(ans.Lines, fmt.Sprintf("and %d more", more))
	}
	return ans, nil
}

const errArenaWords text.Refusal = "Describe an arena with words such as: in=30 (minutes) or at=2026-11-27T20:00, length=60, battle=on, teams=OWL,CAT, programs=on, repeat=weekly, pace=fast, a game with house rules, name=TEXT."

// parseArena parses the words of a new arena. Words that do not concern the arena configure its tables.
func parseArena(ctx context.Context, v *lobby.Visit, words []string, now time.Time) (cfg arena.Config, begins time.Time, length time.Duration, err error) {
	length = time.Hour
	var t table.Config
	t, begins, err = newEvent(words, now, now, []string{usualPace}, func(key, value string) (taken bool, err error) {
		on := value == "on"
		switch key {
		case "length":
			length, err = period(value)
		case "repeat":
			cfg.Weekly = true
			if value != "weekly" {
				err = errArenaWords
			}
		case "battle", "programs":
			if !on && value != "off" {
				return true, errArenaWords
			}
			if key == "battle" {
				cfg.Battle = on
			} else {
				cfg.Programs = on
			}
		case "teams":
			if on || value == "off" {
				return false, nil // a rule of the game
			}
			for tag := range strings.SplitSeq(value, ",") {
				t, err := v.FindTeam(ctx, tag)
				if err != nil {
					return true, err
				}
				cfg.Teams = append(cfg.Teams, t.ID)
			}
			cfg.Battle = true
		default:
			return false, nil
		}
		return true, err
	})
	cfg.Name, cfg.Rules, cfg.Pace, cfg.Pairs = t.Name, t.RuleText, t.Pace, t.Rules.Teams
	return cfg, begins, length, err
}
