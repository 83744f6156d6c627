package plain

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event/challenge"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// The rows below are what lists are made of. docs/commands.md describes their JSON fields, which never
// change; new ones may be added.

// Kinds of people and bots that sit, watch or talk.
const (
	Free   = "free"   // nobody
	Member = "member" // has a key, which identifies the account
	Guest  = "guest"  // has no key
	Bot    = "bot"    // a member that is a program
	House  = "house"  // a bot of the house
)

// KindOf returns the kind of somebody who is not a bot of the house.
func KindOf(p table.Player) string {
	switch {
	case p.ID == 0:
		return Free
	case p.ID.Guest():
		return Guest
	case p.Bot:
		return Bot
	}
	return Member
}

// Challenges describes pending challenges.
var Challenges = &Rows[challenge.View]{
	Object: "challenge", About: "A row of `challenge`.", Text: "CHALLENGE BEGINS RULES NAME",
	Aloud: "challenge $CHALLENGE, $NAME, $RULES, $BEGINS",
	None:  "No challenge of yours is waiting for its time.",
	Columns: []Column[challenge.View]{
		Col("id", "", func(v *challenge.View) No { return No(v.ID) }).As("CHALLENGE", nil),
		Col("name", "", func(v *challenge.View) string { return v.Config.Name() }),
		ruleCol("RULES", rules.Words, func(v *challenge.View) string { return v.Config.Table.RuleText }),
		Col("begins", "", func(v *challenge.View) time.Time { return v.Begins }),
	},
}

// People describes who is in the club.
var People = &Rows[lobby.Person]{
	Object: "person", About: "A row of `who`.", Text: "NAME TEAM KIND SINCE TABLE DOING",
	Columns: []Column[lobby.Person]{
		Col("name", "", func(p *lobby.Person) string { return p.Player.Name }),
		Col("kind", "`member`, `guest` or `bot`", func(p *lobby.Person) string { return KindOf(p.Player) }).As("KIND",
			func(p *lobby.Person) string {
				if p.Operator {
					return "operator"
				}
				return KindOf(p.Player)
			}),
		Col("operator", "", func(p *lobby.Person) bool { return p.Operator }),
		Col("shield", "holds the shield of the season", func(p *lobby.Person) bool { return p.Shield }),
		Col("tag", "", func(p *lobby.Person) string { return p.Player.Tag }).As("TEAM", nil),
		Col("doing", `such as "in the lobby", "plays at 12", "sits at 12" or "watches 12"`, func(p *lobby.Person) string { return p.Doing }),
		Col("table", "", func(p *lobby.Person) No { return No(p.Table) }),
		Col("since", "", func(p *lobby.Person) time.Time { return p.Since }).As("SINCE", nil),
	},
}

// Moment returns a time as rows show it: UTC, in whole seconds; the zero time stays zero.
func Moment(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Second)
}

// MomentForm is how a time in UTC is written, as [ParseMoment] reads it.
const MomentForm = "2006-01-02T15:04"

const errMoment text.Refusal = "Write a time like 2026-11-27T20:00, in UTC."

// ParseMoment parses a time in UTC, such as 2026-11-27T20:00 or 2026-11-27T20:00Z.
func ParseMoment(s string) (time.Time, error) {
	at, err := time.Parse(MomentForm, strings.TrimSuffix(s, "Z"))
	if err != nil {
		return at, errMoment
	}
	return at, nil
}

// number formats a positive number; it returns "" for 0.
func number[N ~int | ~int64](n N) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}

// Seat is one seat of a table.
type Seat struct {
	Seat     int    `json:"seat"`
	Kind     string `json:"kind" means:"free, member, guest, bot or house"`
	Name     string `json:"name"`
	Tag      string `json:"tag"`
	Presence string `json:"presence" means:"\"here\", \"left\", \"silent\", \"absent\" or, while disconnected, \"lost the line\""`
	StandIn  bool   `json:"stand_in" means:"a bot plays for the absent player"`
	Ready    bool   `json:"ready" means:"for the game, a rematch, the next round"`
}

// Seats returns a table's seats as rows.
func Seats(seats []table.SeatView) []Seat {
	list := make([]Seat, len(seats))
	for i := range seats {
		s := &seats[i]
		row := Seat{Seat: i + 1, Kind: KindOf(s.Player), Name: text.Printable(s.Player.Name), Tag: text.Printable(s.Player.Tag),
			StandIn: s.StandIn, Ready: s.Ready}
		if s.House != "" {
			row.Kind = House
		}
		if !s.Free() {
			row.Presence = string(s.Presence)
		}
		list[i] = row
	}
	return list
}

// Listed is a table in a list, with the reader of the list.
type Listed struct {
	*table.Summary
	For table.Reader
}

// Game names the game of a rule string, with a plus if there are house rules.
func Game(rule string) string {
	name, house, _ := strings.Cut(rule, " ")
	if house != "" {
		name += "+"
	}
	return name
}

// Tables describes tables.
var Tables = &Rows[Listed]{
	Object: "table", Text: "TABLE GAME STATE SEATS ROUND SCORE WATCH ACCESS PACE PLAYERS NAME",
	About: "A row of `tables`; the tables where it is your move come first, then those where you sit, then team tables " +
		"with a seat for you, then others\nthat you can join.",
	Columns: []Column[Listed]{
		Col("table", "", func(t *Listed) No { return No(t.Table) }),
		Col("name", "", func(t *Listed) string { return t.Config.Name }),
		Col("game", "", func(t *Listed) string { return t.Config.Rules.Preset.String() }).
			As("GAME", func(t *Listed) string { return Game(t.Config.RuleText) }),
		ruleCol("RULES", rules.Words, func(t *Listed) string { return t.Config.RuleText }),
		Col("state", "[of a table](#states-of-a-table)", func(t *Listed) string { return string(t.State) }),
		Col("seats", "[seats](#seat)", func(t *Listed) []Seat { return Seats(t.Seats) }).Of("seats").As("SEATS",
			func(t *Listed) string {
				return fmt.Sprintf("%d/%d", len(t.Seats)-t.Free(), len(t.Seats))
			}),
		Col("joinable", "you could sit down now, without a code", func(t *Listed) bool { return t.MayJoin(t.For) }),
		Col("yours", "your seat", func(t *Listed) int { return int(t.SeatOf(t.For.ID)) }),
		Col("your_move", "", func(t *Listed) bool { return t.MoveOf(t.For.ID) }),
		Col("access", "`open`, `code` or `teams`", func(t *Listed) string { return string(t.Config.Access) }),
		Col("pace", "`none`, `relaxed` (60 s a turn), `normal` (30 s), `fast` (15 s) or `slow` (24 h)",
			func(t *Listed) string { return string(t.Config.Pace) }),
		Col("fill", "when bots take free seats: `now`, `soon` (after 30 s) or `never`", func(t *Listed) string { return string(t.Config.Fill) }),
		Col("absence", "of an absent player's seat: `bot`, `wait` or `forfeit`",
			func(t *Listed) string { return string(t.Config.Absence) }),
		Col("watching", "may be watched", func(t *Listed) bool { return t.Config.Watchers }),
		Col("open_hands", "[open hands](#open-hands)", func(t *Listed) bool { return t.Config.OpenHands }),
		Col("watchers", "", func(t *Listed) int { return t.Watchers }).As("WATCH", nil),
		Col("rated", "the current or last game", func(t *Listed) bool { return t.Rated }),
		Col("game_id", "", func(t *Listed) No { return No(t.Game) }),
		Col("round", "", func(t *Listed) No { return No(t.Round) }),
		Col("scores", "", func(t *Listed) []int { return t.Scores }).As("SCORE", nil),
		Col("turn", "the seat to move", func(t *Listed) No { return No(t.Turn) }),
		Col("started", "", func(t *Listed) time.Time { return t.Started }).Optional(),
		TextCol("PLAYERS", func(t *Listed) string {
			return strings.Join(text.Each(t.Seats, func(s table.SeatView) string { return cmp.Or(s.Player.Name, "-") }), ",")
		}),
	},
}

func join(numbers []int) string { return strings.Join(text.Each(numbers, strconv.Itoa), ":") }

// Say describes a table in a sentence or two, for reading aloud: "Table 12: classic, open, gathering. ana, one seat free."
func (t *Listed) Say() string {
	var b strings.Builder
	b.WriteString("Table " + strconv.FormatInt(int64(t.Table), 10))
	if t.Config.Name != "" {
		b.WriteString(", " + text.Printable(t.Config.Name))
	}
	b.WriteString(": " + t.Config.Game() + ", " + string(t.State))
	if t.State == table.Playing {
		b.WriteString(" round " + strconv.Itoa(t.Round))
	}
	switch {
	case len(t.Scores) == 0:
	case t.State.Gathers():
		b.WriteString(", score of the last game " + join(t.Scores))
	default:
		b.WriteString(", score " + join(t.Scores))
	}
	switch t.Config.Access {
	case table.AccessCode:
		b.WriteString(", by code")
		if t.Config.Watchers {
			b.WriteString(", anyone may watch")
		} else {
			b.WriteString(", only its players see it")
		}
	case table.AccessTeams:
		b.WriteString(", for two teams")
	}
	if t.Config.Pace != table.PaceNone {
		b.WriteString(", " + Pace(t.Config.Pace))
	}
	if t.Config.OpenHands {
		b.WriteString(", watchers see the hands after 2 minutes")
	}
	var names []string
	for i := range t.Seats {
		if n := t.Seats[i].Name(); n != "" {
			names = append(names, text.Printable(n))
		}
	}
	b.WriteString(". ")
	if len(names) > 0 {
		b.WriteString(text.List(Sides(names, t.Config.Rules.Teams)) + " ") // in the order of the scores
		if len(names) == 1 {
			b.WriteString("sits there")
		} else {
			b.WriteString("sit there")
		}
		if free := len(t.Seats) - len(names); free > 0 {
			b.WriteString(", " + text.Number(free, "seat") + " free")
		}
	} else if n := len(t.Seats); n == 2 {
		b.WriteString("Both seats are free")
	} else {
		b.WriteString("All " + strconv.Itoa(n) + " seats are free")
	}
	if t.Watchers > 0 {
		b.WriteString(", " + text.Number(t.Watchers, "watcher"))
	}
	b.WriteString(".")
	switch {
	case t.MoveOf(t.For.ID):
		b.WriteString(" It's your turn.")
	case t.SeatOf(t.For.ID) != 0:
		b.WriteString(" You sit there.")
	case t.MayJoin(t.For):
		b.WriteString(" You can sit down.")
	}
	return b.String()
}
