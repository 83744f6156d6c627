package page

import (
	"reflect"
	"strconv"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/table"
)

// Target names a page: Kind says which, the other fields what is on it. The zero Target is the person's seat,
// or else the lobby. A session that moves to another node begins at the text of its Target.
type Target struct {
	Kind  Kind
	Table table.ID
	Game  table.GameID
	Team  table.TeamID
	Other table.TeamID // head to head
	Rules string       // a rule string, for the page of rules
	Name  string       // of a person
	Event event.ID     // an arena, a league, a cup, a duplicate match or arena, or the event that a wall shows; 0 for all
	Coach bool         // on the page of a replay: it opens with the coach's review
	Day   string       // on the page of the daily deal: its date, such as 2026-11-21; empty for today's

	// On the page of games: the search, and whether only the reader's own are listed; Game is the chosen one.
	Search string
	Mine   bool

	Join    string       // instead of Table: the code or the number of the table at which to sit down
	Follow  table.Player // on a table's page: the player followed from table to table; ID and Name
	Toggled bool         // likewise: the panel for watchers is shown or hidden against the default

	Filter lobby.Filter         // in the lobby: which tables are shown; Table is the chosen one
	Panel  int                  // likewise: the panel with the cursor; Name is the chosen person. On other pages with several: the shown one
	Query  lobby.StandingsQuery // on the page of standings: what is shown, without Limit; on that of the season, the month
	Draft  Draft                // on the page of a new table or arena: its choices
}

// PanelOf returns the panel that is shown on a page with n.
func (t *Target) PanelOf(n int) int { return max(min(t.Panel, n-1), 0) }

// Draft is the page of a new table or arena as it was left.
type Draft struct {
	Words string // as [plain.ParseTable] reads them; empty if nothing has been chosen yet
	Make  bool   // the table is made at once, and its page opened
	House bool   // the house rules are shown
	Row   int    // the chosen row in the sheet of the table
	Rule  int    // and in the sheet of its house rules
	When  int    // of a challenge or an arena: in how many minutes; 0: now

	Length int // of an arena, in minutes
}

// Kind names one of the club's pages, by its word in a Target's text. A page may declare its own in package
// feature; ui/pages.go says which page is meant.
type Kind string

// The pages.
const (
	Lobby     Kind = "lobby"
	Teams     Kind = "teams"
	Standings Kind = "standings"
	Games     Kind = "games"
	Rules     Kind = "rules"
	Settings  Kind = "settings"
	Table     Kind = "watch"
	NewTable  Kind = "new"
	NewArena  Kind = "newarena"
	Replay    Kind = "replay"
	TeamPage  Kind = "team"
	Admin     Kind = "admin"
	Wall      Kind = "wall"
	Person    Kind = "player"
	Arena     Kind = "arena"
	Daily     Kind = "daily"
	Contest   Kind = "contest"
	Duplicate Kind = "duplicate"
	Calendar  Kind = "calendar"
	Field     Kind = "field"
	Season    Kind = "season"
)

// abouts are the fields that follow the word of a page in a Target's text without a key.
var abouts = map[Kind]string{
	Rules: "rules", Table: "table", NewTable: "words", NewArena: "words", Replay: "game", TeamPage: "team", Wall: "event",
	Person: "name", Arena: "event", Daily: "day", Contest: "event", Duplicate: "event", Field: "event",
}

// field is a field of a Target in its text.
type field struct {
	key string
	at  any // a pointer to a number, a text or a bool
}

func (t *Target) fields() []field {
	return []field{
		{"table", &t.Table}, {"game", &t.Game}, {"team", &t.Team}, {"other", &t.Other}, {"rules", &t.Rules}, {"name", &t.Name},
		{"event", &t.Event}, {"coach", &t.Coach}, {"day", &t.Day}, {"search", &t.Search}, {"own", &t.Mine}, {"join", &t.Join},
		{"follow", &t.Follow.ID}, {"followed", &t.Follow.Name}, {"toggled", &t.Toggled},
		{"free", &t.Filter.Joinable}, {"mine", &t.Filter.Mine}, {"access", &t.Filter.Access}, {"preset", &t.Filter.Game},
		{"pace", &t.Filter.Pace}, {"find", &t.Filter.Text}, {"panel", &t.Panel},
		{"kind", &t.Query.Kind}, {"ranked", &t.Query.Game}, {"month", &t.Query.Month},
		{"words", &t.Draft.Words}, {"make", &t.Draft.Make}, {"house", &t.Draft.House}, {"row", &t.Draft.Row}, {"rule", &t.Draft.Rule},
		{"when", &t.Draft.When}, {"length", &t.Draft.Length},
	}
}

// Characters with a meaning in a Target's text are replaced in values.
var (
	asWord = strings.NewReplacer("%", "%25", "+", "%2B", "=", "%3D", " ", "+")
	ofWord = strings.NewReplacer("%25", "%", "%2B", "+", "%3D", "=", "+", " ")
)

// String returns the target as words: the page, what it is about, and its settings, such as "standings
// kind=pair month=2026-11". It is empty for the zero Target.
func (t Target) String() string {
	if t.Kind == "" {
		return ""
	}
	words := []string{string(t.Kind)}
	for _, f := range t.fields() {
		v := reflect.ValueOf(f.at).Elem()
		if v.IsZero() {
			continue
		}
		word := asWord.Replace(v.String())
		switch {
		case v.CanInt():
			word = strconv.FormatInt(v.Int(), 10)
		case v.Kind() == reflect.Bool:
			word = "on"
		}
		if f.key != abouts[t.Kind] {
			word = f.key + "=" + word
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// ParseTarget parses the words of a [Target]'s text, and reports whether the settings are valid, not
// whether there is such a page.
func ParseTarget(words []string) (t Target, ok bool) {
	if len(words) == 0 {
		return t, true
	}
	t.Kind = Kind(words[0])
	for _, w := range words[1:] {
		key, value, named := strings.Cut(w, "=")
		if !named {
			key, value = abouts[t.Kind], w
		}
		if !t.set(key, ofWord.Replace(value)) {
			return Target{}, false
		}
	}
	return t, true
}

// set sets a field by its key, and reports whether both are valid.
func (t *Target) set(key, value string) bool {
	for _, f := range t.fields() {
		if f.key != key {
			continue
		}
		switch v := reflect.ValueOf(f.at).Elem(); {
		case v.CanInt():
			n, err := strconv.ParseInt(value, 10, 64)
			v.SetInt(n)
			return err == nil && n != 0
		case v.Kind() == reflect.Bool:
			v.SetBool(true)
			return value == "on"
		default:
			v.SetString(value)
			return value != ""
		}
	}
	return false
}
