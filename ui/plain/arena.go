package plain

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/event/arena"
	"boneyard/rules"
	"boneyard/table"
)

// Arenas describes arenas.
var Arenas = &Rows[arena.View]{
	Object: "arena", About: "A row of `arena`, and the first one of `arena N`.",
	Text:  "ARENA STATE BEGINS MIN GAME PACE KIND PLAYERS PLAYING GAMES NAME",
	Aloud: "arena $ARENA, $NAME, $STATE, from $BEGINS, $MIN min, $GAME, pace $PACE, $KIND, players $PLAYERS, playing $PLAYING, games $GAMES",
	None:  "No arena is planned. Any member can create one: arena new in=30 length=60 classic",
	Columns: []Column[arena.View]{
		Col("arena", "", func(a *arena.View) No { return No(a.ID) }),
		Col("name", "", func(a *arena.View) string { return a.Config.Name }),
		Col("state", "`planned`, `running`, `over`, `called off`",
			func(a *arena.View) string { return EventState(a.Begun, a.Over, "planned", "running") }),
		Col("begins", "", func(a *arena.View) time.Time { return a.Begins }),
		Col("ends", "", func(a *arena.View) time.Time { return a.Ends }),
		TextCol("MIN", func(a *arena.View) string { return strconv.Itoa(int(a.Ends.Sub(a.Begins).Minutes())) }).Number(),
		ruleCol("GAME", rules.Words, func(a *arena.View) string { return a.Config.Rules }),
		Col("pace", "", func(a *arena.View) string { return string(a.Config.Pace) }),
		TextCol("KIND", ArenaKind),
		Col("pairs", "for pairs", func(a *arena.View) bool { return a.Config.Pairs }),
		Col("battle", "", func(a *arena.View) bool { return a.Config.Battle }),
		Col("programs", "may take part", func(a *arena.View) bool { return a.Config.Programs }),
		Col("weekly", "", func(a *arena.View) bool { return a.Config.Weekly }),
		Col("players", "or pairs", func(a *arena.View) int { return len(a.Entrants) }),
		Col("playing", "games", func(a *arena.View) int { return len(a.Games) }),
		Col("games", "games that count", func(a *arena.View) int { return a.Played }),
	},
}

// ArenaKind says who plays whom in an arena, and whether it is repeated: "team battle of pairs, weekly".
func ArenaKind(a *arena.View) string {
	kind := "singles"
	switch {
	case a.Config.Battle && a.Config.Pairs:
		kind = "team battle of pairs"
	case a.Config.Battle:
		kind = "team battle"
	case a.Config.Pairs:
		kind = "pairs"
	}
	if a.Config.Weekly {
		kind += ", weekly"
	}
	return kind
}

// ArenaPlace is a place in an arena's standings.
type ArenaPlace struct {
	*arena.Entrant
	In *arena.View
}

// ArenaPlaces describes an arena's standings.
var ArenaPlaces = &Rows[ArenaPlace]{
	Object: "arenaplace", About: "A row of the standings of `arena N`.", Text: "RANK NAME TEAM SCORE MEAN GAMES WON ROW STATE TABLE",
	Aloud: "rank $RANK, $NAME, team $TEAM, score $SCORE, opponents' mean $MEAN, games $GAMES, won $WON, in a row $ROW, $STATE, table $TABLE",
	Columns: []Column[ArenaPlace]{
		Typed[ArenaPlace]("place"),
		Col("rank", "", func(p *ArenaPlace) int { return p.Rank }),
		Col("names", "one, or two partners", func(p *ArenaPlace) []string { return table.Names(p.Members) }).As("NAME",
			func(p *ArenaPlace) string {
				return strings.Join(table.Names(p.Members), "+")
			}),
		Col("tag", "", func(p *ArenaPlace) string { return p.Members[0].Tag }).As("TEAM", nil),
		Col("score", "", func(p *ArenaPlace) int { return p.Score }),
		Col("mean", "of the opponents' scores", func(p *ArenaPlace) float64 { return p.Tie }),
		Col("games", "", func(p *ArenaPlace) int { return p.Games }),
		Col("won", "", func(p *ArenaPlace) int { return p.Won }),
		Col("row", "wins in a row", func(p *ArenaPlace) int { return p.Row }),
		Col("state", "`waiting`, `playing`, `away`, `idle` (did not move), `over`", func(p *ArenaPlace) string {
			return ArenaState(p.In, p.Entrant)
		}),
		Col("table", "", func(p *ArenaPlace) No { return No(p.In.At[p.Game]) }),
	},
}

// ArenaTeams describes the standings of a team battle.
var ArenaTeams = &Rows[arena.Team]{
	Object: "arenateam", About: "A team in a battle; these rows come after the first one of `arena N`.", Text: "RANK TEAM SCORE",
	Aloud: "rank $RANK, team $TEAM, score $SCORE",
	Columns: []Column[arena.Team]{
		Typed[arena.Team]("team"),
		Col("rank", "", func(t *arena.Team) int { return t.Rank }),
		Col("tag", "", func(t *arena.Team) string { return t.Tag }).As("TEAM", nil),
		Col("score", "", func(t *arena.Team) int { return t.Score }),
	},
}

// FirstMove warns a player whose first move in an arena's game is due, also in a few words; usually both are
// empty.
func FirstMove(v *table.View) (say, brief string) {
	if !v.Config.Event.Prompt || !v.MyMove() || v.Play.Round > 1 || slices.ContainsFunc(v.Log, func(e *table.Entry) bool {
		return e.Number != 0 && !e.Auto && e.Event.Seat == v.POV
	}) {
		return "", ""
	}
	s := strconv.Itoa(int(arena.MoveTime.Seconds()))
	return "Move within " + s + " seconds, or the game is called off.", "Move within " + s + " seconds."
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
