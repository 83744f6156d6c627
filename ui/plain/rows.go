package plain

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
)

// The rows below are what lists are made of. Their JSON fields are described in docs/commands.md and never change, though new
// ones may be added.

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

// Person is somebody who is in the club.
type Person struct {
	Name     string    `json:"name"`
	Kind     string    `json:"kind"` // member, guest or bot
	Operator bool      `json:"operator"`
	Tag      string    `json:"tag"`   // of the team; empty without one
	Doing    string    `json:"doing"` // for example "in the lobby" or "plays at 12"
	Table    int64     `json:"table"` // where they are; 0 in the lobby
	Since    time.Time `json:"since"` // when they arrived
}

// PersonRow returns somebody who is in the club as a row.
func PersonRow(p *lobby.Person) Person {
	return Person{
		Name: text.Printable(p.Player.Name), Kind: KindOf(p.Player), Operator: p.Operator, Tag: text.Printable(p.Player.Tag),
		Doing: text.Printable(p.Doing), Table: int64(p.Table), Since: Moment(p.Since),
	}
}

// Moment returns a time as rows state it: UTC, in whole seconds; the zero time stays zero.
func Moment(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Second)
}

// People formats people in columns.
func People(list []Person) []string {
	return listed([]Column{{Head: "NAME"}, {Head: "TEAM"}, {Head: "KIND"}, {Head: "SINCE"}, {Head: "TABLE", Right: true}, {Head: "DOING"}}, list, func(p *Person) []string {
		kind := p.Kind
		if p.Operator {
			kind = "operator"
		}
		return []string{p.Name, p.Tag, kind, clock(p.Since), number(p.Table), p.Doing}
	})
}

func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("15:04Z")
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
	Seat     int    `json:"seat"` // from 1, in turn order
	Kind     string `json:"kind"` // free, member, guest, bot or house
	Name     string `json:"name"` // empty if nobody sits there
	Tag      string `json:"tag"`
	Presence string `json:"presence"` // "here", "lost the line", "left" or "absent"; empty for a free seat
	StandIn  bool   `json:"stand_in"` // a bot plays for the absent player
	Ready    bool   `json:"ready"`
}

// Seats returns a table's seats as rows.
func Seats(seats []table.SeatView) []Seat {
	list := make([]Seat, len(seats))
	for i := range seats {
		s := &seats[i]
		row := Seat{Seat: i + 1, Kind: KindOf(s.Player), Name: text.Printable(s.Player.Name), Tag: text.Printable(s.Player.Tag), StandIn: s.StandIn, Ready: s.Ready}
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

// Table is a table as a row.
type Table struct {
	Table     int64     `json:"table"`
	Name      string    `json:"name"` // empty if it has none
	Game      string    `json:"game"` // one of the five
	Rules     string    `json:"rules"`
	State     string    `json:"state"`
	Seats     []Seat    `json:"seats"`
	Joinable  bool      `json:"joinable"`  // the caller could take a seat now, without a code
	Yours     int       `json:"yours"`     // the caller's seat; 0 if none
	YourMove  bool      `json:"your_move"` // the table is waiting for the caller
	Access    string    `json:"access"`
	Pace      string    `json:"pace"`
	Fill      string    `json:"fill"`
	Absence   string    `json:"absence"`
	Watching  bool      `json:"watching"`   // people may watch
	OpenHands bool      `json:"open_hands"` // watchers see the hands, two minutes late
	Watchers  int       `json:"watchers"`
	Rated     bool      `json:"rated"`   // the current or last game
	GameID    int64     `json:"game_id"` // its number; 0 before the first
	Round     int       `json:"round"`
	Scores    []int     `json:"scores"` // by side
	Turn      int       `json:"turn"`   // the seat to move; 0 for none
	Started   time.Time `json:"started,omitzero"`
}

// TableRow returns a table as a row for the person who asks.
func TableRow(s *table.Summary, asks table.Reader) Table {
	scores := s.Scores
	if scores == nil {
		scores = []int{}
	}
	return Table{
		Table: int64(s.Table), Name: text.Printable(s.Config.Name), Game: s.Config.Rules.Preset.String(), Rules: s.Config.RuleText,
		State: string(s.State), Seats: Seats(s.Seats), Joinable: s.MayJoin(asks), Yours: int(s.SeatOf(asks.ID)),
		YourMove: s.MoveOf(asks.ID), Access: string(s.Config.Access), Pace: string(s.Config.Pace),
		Fill: string(s.Config.Fill), Absence: string(s.Config.Absence), Watching: s.Config.Watchers, OpenHands: s.Config.OpenHands, Watchers: s.Watchers,
		Rated: s.Rated, GameID: int64(s.Game), Round: s.Round, Scores: scores, Turn: int(s.Turn), Started: Moment(s.Started),
	}
}

// taken returns the number of occupied seats.
func (t *Table) taken() int {
	n := 0
	for i := range t.Seats {
		if t.Seats[i].Kind != Free {
			n++
		}
	}
	return n
}

// players lists the names at the seats, separated by commas; a free seat is "-".
func players(seats []Seat) string {
	names := make([]string, len(seats))
	for i := range seats {
		names[i] = cmp.Or(seats[i].Name, "-")
	}
	return strings.Join(names, ",")
}

func join(numbers []int) string {
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ":")
}

// Tables formats tables in columns.
func Tables(list []Table) []string {
	return listed([]Column{
		{Head: "TABLE", Right: true}, {Head: "GAME"}, {Head: "STATE"}, {Head: "SEATS"}, {Head: "ROUND", Right: true}, {Head: "SCORE"},
		{Head: "WATCH", Right: true}, {Head: "ACCESS"}, {Head: "PACE"}, {Head: "PLAYERS"}, {Head: "NAME"},
	}, list, func(t *Table) []string {
		game := t.Game
		if t.Rules != t.Game {
			game += "+" // with house rules
		}
		return []string{
			number(t.Table), game, t.State, strconv.Itoa(t.taken()) + "/" + strconv.Itoa(len(t.Seats)), number(t.Round), join(t.Scores),
			strconv.Itoa(t.Watchers), t.Access, t.Pace, players(t.Seats), t.Name,
		}
	})
}

// Say describes a table in a sentence or two, for reading aloud: "Table 12: classic, open, gathering. ana, one seat free."
func (t *Table) Say() string {
	var b strings.Builder
	b.WriteString("Table " + strconv.FormatInt(t.Table, 10))
	if t.Name != "" {
		b.WriteString(", " + t.Name)
	}
	b.WriteString(": " + t.Rules + ", " + t.State)
	if t.State == string(table.Playing) {
		b.WriteString(" round " + strconv.Itoa(t.Round))
	}
	switch {
	case len(t.Scores) == 0:
	case t.State == string(table.Gathering) || t.State == string(table.Countdown):
		b.WriteString(", score of the last game " + join(t.Scores))
	default:
		b.WriteString(", score " + join(t.Scores))
	}
	switch t.Access {
	case string(table.AccessCode):
		b.WriteString(", by code")
		if t.Watching {
			b.WriteString(", anyone may watch")
		} else {
			b.WriteString(", only its players see it")
		}
	case string(table.AccessTeams):
		b.WriteString(", for two teams")
	}
	if t.Pace != string(table.PaceNone) {
		b.WriteString(", " + Pace(table.Pace(t.Pace)))
	}
	if t.OpenHands {
		b.WriteString(", watchers see the hands after 2 minutes")
	}
	var names []string
	for i := range t.Seats {
		if n := t.Seats[i].Name; n != "" {
			names = append(names, n)
		}
	}
	b.WriteString(". ")
	if len(names) > 0 {
		b.WriteString(List(names) + " ")
		if len(names) == 1 {
			b.WriteString("sits there")
		} else {
			b.WriteString("sit there")
		}
		if free := len(t.Seats) - len(names); free > 0 {
			b.WriteString(", " + Number(free, "seat") + " free")
		}
	} else {
		b.WriteString("All " + strconv.Itoa(len(t.Seats)) + " seats are free")
	}
	if t.Watchers > 0 {
		b.WriteString(", " + Number(t.Watchers, "watcher"))
	}
	b.WriteString(".")
	switch {
	case t.YourMove:
		b.WriteString(" It's your turn.")
	case t.Yours != 0:
		b.WriteString(" You sit there.")
	case t.Joinable:
		b.WriteString(" You can sit down.")
	}
	return b.String()
}
