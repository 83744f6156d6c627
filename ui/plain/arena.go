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

// Arena is an arena as a row.
type Arena struct {
	Arena    int64     `json:"arena"`
	Name     string    `json:"name"`
	State    string    `json:"state"` // planned, running, over, or called off
	Begins   time.Time `json:"begins"`
	Ends     time.Time `json:"ends"`
	Rules    string    `json:"rules"`
	Pace     string    `json:"pace"`
	Pairs    bool      `json:"pairs"`
	Battle   bool      `json:"battle"`   // between teams
	Programs bool      `json:"programs"` // may take part
	Weekly   bool      `json:"weekly"`   // repeated a week later
	Players  int       `json:"players"`  // or pairs
	Playing  int       `json:"playing"`  // games in progress
	Games    int       `json:"games"`    // games that count
}

// ArenaPlace is a row of an arena's standing.
type ArenaPlace struct {
	Rank  int      `json:"rank"`
	Names []string `json:"names"` // one, or two who play as partners
	Tag   string   `json:"tag"`   // of the team
	Score int      `json:"score"`
	Mean  float64  `json:"mean"` // of the opponents' scores
	Games int      `json:"games"`
	Won   int      `json:"won"`
	Row   int      `json:"row"`   // wins in a row
	State string   `json:"state"` // waiting, playing, away, idle, or over with the arena
	Table int64    `json:"table"` // where they play, 0 if they do not
}

// ArenaTeam is a row of a team battle's standing.
type ArenaTeam struct {
	Type  string `json:"type"` // "team"
	Rank  int    `json:"rank"`
	Tag   string `json:"tag"`
	Score int    `json:"score"`
}

// ArenaRow returns an arena as a row.
func ArenaRow(a *lobby.Arena) Arena {
	c := &a.Config
	return Arena{
		Arena: int64(a.ID), Name: text.Printable(c.Name), State: EventState(a.Begun, a.Over, "planned", "running"), Begins: Moment(a.Begins), Ends: Moment(a.Ends), Rules: c.Rules, Pace: string(c.Pace),
		Pairs: c.Pairs, Battle: c.Battle, Programs: c.Programs, Weekly: c.Weekly, Players: len(a.Entrants), Playing: len(a.Games), Games: a.Played,
	}
}

// arenaPlaces returns the rows of an arena's standing.
func arenaPlaces(a *lobby.Arena) []ArenaPlace {
	var rows []ArenaPlace
	for i := range a.Entrants {
		e := &a.Entrants[i]
		p := ArenaPlace{Rank: e.Rank, Tag: text.Printable(e.Members[0].Tag), Score: e.Score, Mean: e.Tie, Games: e.Games, Won: e.Won, Row: e.Row, State: ArenaState(a.View, e), Table: int64(a.Tables[e.Game])}
		for _, m := range e.Members {
			p.Names = append(p.Names, text.Printable(m.Name))
		}
		rows = append(rows, p)
	}
	return rows
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

// Arenas formats arenas in columns.
func Arenas(list []Arena) []string {
	if len(list) == 0 {
		return []string{"No arena is planned. Captains and operators create them: arena new in=30 length=60 classic"}
	}
	return listed([]Column{
		{Head: "ARENA", Right: true}, {Head: "STATE"}, {Head: "BEGINS"}, {Head: "MIN", Right: true}, {Head: "GAME"}, {Head: "PACE"}, {Head: "KIND"},
		{Head: "PLAYERS", Right: true}, {Head: "PLAYING", Right: true}, {Head: "GAMES", Right: true}, {Head: "NAME"},
	}, list, func(a *Arena) []string {
		return []string{
			number(a.Arena), a.State, a.Begins.Format("2006-01-02T15:04Z"), strconv.Itoa(int(a.Ends.Sub(a.Begins).Minutes())), a.Rules, a.Pace, arenaKind(a),
			strconv.Itoa(a.Players), strconv.Itoa(a.Playing), strconv.Itoa(a.Games), a.Name,
		}
	})
}

func arenaKind(a *Arena) string {
	kind := "single"
	if a.Pairs {
		kind = "pairs"
	}
	if a.Battle {
		kind += ",teams"
	}
	return kind
}

// placesShown is how many places of an arena are listed as text.
const placesShown = 100

// arenaStanding formats an arena's standing in columns: the first places.
func arenaStanding(a *lobby.Arena, places []ArenaPlace) []string {
	lines := Arenas([]Arena{ArenaRow(a)})
	if len(a.Teams) > 0 {
		lines = append(lines, "")
		lines = append(lines, listed([]Column{{Head: "RANK", Right: true}, {Head: "TEAM"}, {Head: "SCORE", Right: true}}, a.Teams, func(t *arena.Team) []string {
			return []string{strconv.Itoa(t.Rank), t.Tag, strconv.Itoa(t.Score)}
		})...)
	}
	first := places[:min(placesShown, len(places))]
	lines = append(lines, "")
	lines = append(lines, listed([]Column{
		{Head: "RANK", Right: true}, {Head: "NAME"}, {Head: "TEAM"}, {Head: "SCORE", Right: true}, {Head: "MEAN", Right: true}, {Head: "GAMES", Right: true},
		{Head: "WON", Right: true}, {Head: "ROW", Right: true}, {Head: "STATE"}, {Head: "TABLE", Right: true},
	}, first, func(p *ArenaPlace) []string {
		return []string{
			strconv.Itoa(p.Rank), strings.Join(p.Names, "+"), p.Tag, strconv.Itoa(p.Score), strconv.FormatFloat(p.Mean, 'f', 1, 64), strconv.Itoa(p.Games),
			strconv.Itoa(p.Won), strconv.Itoa(p.Row), p.State, number(p.Table),
		}
	})...)
	if more := len(places) - len(first); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}

// ArenaUsage is the command's syntax, on the command line and in line mode.
const ArenaUsage = "[N [WORDS]|new WORDS]"

const errArena text.Refusal = "Use arena, arena N, arena N enter, arena N enter with NAME, arena N leave, or arena new WORDS; its creator: arena N off; operators: arena N once."

// AskArena runs the command arena.
func AskArena(ctx context.Context, v *lobby.Visit, words []string, now time.Time) (Answer, error) {
	return eventCommand{
		kind: arena.Kind,
		list: func() (Answer, error) { return answerOf(v.Arenas(), ArenaRow, Arenas), nil },
		create: func(words []string) (event.ID, error) {
			cfg, begins, length, err := parseArena(ctx, v, words, now)
			if err != nil {
				return 0, err
			}
			return v.NewArena(ctx, cfg, begins, length)
		},
		enter: v.EnterArena,
		leave: v.LeaveArena,
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
	ans.Rows = append(ans.Rows, ArenaRow(a))
	for _, t := range a.Teams {
		ans.Rows = append(ans.Rows, ArenaTeam{Type: "team", Rank: t.Rank, Tag: text.Printable(t.Tag), Score: t.Score})
	}
	places := arenaPlaces(a)
	for _, p := range places {
		ans.Rows = append(ans.Rows, p)
	}
	ans.Lines = arenaStanding(a, places)
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
