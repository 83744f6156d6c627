package newtable

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/page"
)

func (p *Page) rows() []row {
	if p.onRules {
		return p.houseRows()
	}
	if p.arena {
		return p.arenaRows()
	}
	c, numbers := &p.config, []string{"2", "3", "4"}
	seats := pick("Seats", strconv.Itoa(c.Seats), numbers, numbers, p.setSeats)
	seats.set = p.typeSeats
	rows := []row{
		p.gameRow(),
		p.ruleRow("Target", targetKey),
		seats,
		pick("Partners", onOff(c.Rules.Teams), []string{"off", "on"}, []string{"none", "1+3 against 2+4"}, p.setPartners),
		choice("Who may sit", &c.Access, []table.Access{table.AccessOpen, table.AccessCode, table.AccessTeams},
			[]string{"anyone", "by code", "two teams"}, p.setAccess),
		choice("Pace", &c.Pace, paces, paceLabels, nil),
		choice("Player away", &c.Absence, []table.Absence{table.AbsenceBot, table.AbsenceWait, table.AbsenceForfeit},
			[]string{"a bot plays on", "wait", "forfeit"}, nil),
		pick("Watchers", watchers(c), []string{"on", "hands", "off"}, []string{"welcome", "see hands after 2 min", "none"},
			func(v string) tea.Cmd {
				c.Watchers, c.OpenHands = v != "off", v == "hands"
				return nil
			}),
	}
	if p.challenges() {
		rows = slices.Insert(rows, 1, p.whenRow("When", "challenge"))
	}
	if c.Access != table.AccessTeams { // bots don't play for teams
		rows = append(rows, choice("Bots", &c.Fill, []table.Fill{table.FillNow, table.FillSoon, table.FillNever},
			[]string{"now", "after 30 s", "never"}, nil))
	}
	if c.Access != table.AccessTeams && c.Fill != table.FillNever {
		rows = append(rows, choice("Bots play", &c.Strength, table.Strengths(), []string{"novice", "casual", "regular", "expert", "master"}, nil))
	}
	return append(rows, p.titleRow())
}

// The paces of a table; those in the middle are also an arena's.
var (
	paces      = []table.Pace{table.PaceNone, table.PaceRelaxed, table.PaceNormal, table.PaceFast, table.PaceSlow}
	paceLabels = []string{"no clock", "60 s", "30 s", "15 s", "24 h"}
)

func (p *Page) arenaRows() []row {
	c := &p.config
	return []row{
		p.gameRow(),
		p.whenRow("Begins", "arena new"),
		p.lengthRow(),
		p.ruleRow("Target", targetKey),
		pick("Partners", onOff(c.Rules.Teams), []string{"off", "on"}, []string{"none", "two join together"}, p.setPartners),
		choice("Pace", &c.Pace, paces[1:4], paceLabels[1:4], nil),
		choice("Bots", &c.Fill, []table.Fill{table.FillSoon, table.FillNever}, []string{"after 30 s", "never"}, nil),
		p.titleRow(),
	}
}

func (p *Page) gameRow() row {
	games := rules.PresetNames()
	return pick("Game", p.config.Rules.Preset.String(), games, games, func(v string) tea.Cmd {
		return p.take(rules.Parse(v))
	})
}

func (p *Page) titleRow() row {
	name := cmp.Or(p.config.Name, "none")
	return row{name: nameRow, now: name, values: []string{name}, change: func(int) tea.Cmd {
		p.nameIt()
		return nil
	}}
}

// lengthRow sets the length of an arena; the club refuses one that is too short or too long.
func (p *Page) lengthRow() row {
	const help = "from the first game to the end, in minutes; another number can be typed"
	return minutes("Length", "", p.length, []string{"10", "20", "30", "60", "120"}, help,
		func(n int) tea.Cmd {
			p.length = n
			return nil
		})
}

// times are offered for a challenge or an arena, in minutes; others can be typed.
var times = []string{"0", "10", "30", "60", "120", "1440"}

// mostMinutes is how far ahead a challenge or an arena may be.
const mostMinutes = 14 * 24 * 60

// whenRow sets when a challenge or an arena begins; the feature accepts a time of day.
func (p *Page) whenRow(name, feature string) row {
	help := "type minutes; for a time of day use " + feature + " in line mode or the chat"
	return minutes(name, "in ", p.when, times, help, func(n int) tea.Cmd {
		if n > mostMinutes {
			return page.Send(page.Say("It can be at most two weeks ahead."))
		}
		p.when = n
		return nil
	})
}

// minutes is a row that sets a number of minutes, one of values or a typed one; in precedes it.
func minutes(name, in string, now int, values []string, help string, set func(n int) tea.Cmd) row {
	if v := strconv.Itoa(now); !slices.Contains(values, v) {
		values = append([]string{v}, values...)
	}
	labels := make([]string, len(values))
	for i, v := range values {
		n, _ := strconv.Atoi(v)
		switch {
		case n == 0:
			labels[i] = "now"
		case n%60 == 0:
			labels[i] = fmt.Sprintf("%s%d h", in, n/60)
		default:
			labels[i] = fmt.Sprintf("%s%d min", in, n)
		}
	}
	take := func(v string) tea.Cmd {
		n, err := strconv.Atoi(v)
		if err != nil {
			n = mostMinutes + 1
		}
		return set(n)
	}
	r := pick(name, strconv.Itoa(now), values, labels, take)
	r.help, r.set = help, take
	return r
}

// nameRow is the row of the table's name, which is typed.
const nameRow = "Name"

// watchers returns what watchers may see.
func watchers(c *table.Config) string {
	if c.OpenHands {
		return "hands"
	}
	return onOff(c.Watchers)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// pick is a row that chooses among values, displayed as labels.
func pick[T comparable](name string, now T, values []T, labels []string, set func(T) tea.Cmd) row {
	at := max(slices.Index(values, now), 0)
	return row{name: name, now: labels[at], values: labels, change: func(by int) tea.Cmd {
		return set(values[(at+by+len(values))%len(values)])
	}}
}

// choice is a row that sets a field; allow may refuse a value or do what follows from it.
func choice[T comparable](name string, field *T, values []T, labels []string, allow func(T) tea.Cmd) row {
	return pick(name, *field, values, labels, func(next T) tea.Cmd {
		*field = next
		if allow == nil {
			return nil
		}
		return allow(next)
	})
}

func (p *Page) setSeats(v string) tea.Cmd {
	n := int(v[0] - '0')
	r := p.config.Rules
	if r.Preset == rules.Block && n != 4 {
		return page.Send(page.Say("Block is always played by four."))
	}
	p.config.Seats = n
	if n != 4 && r.Teams {
		return p.setRule("teams", "off")
	}
	return nil
}

// typeSeats handles a number of seats, which is one digit.
func (p *Page) typeSeats(v string) tea.Cmd {
	p.digits = ""
	if v < "2" || v > "4" {
		return page.Send(page.Say("A table has two, three or four seats."))
	}
	return p.setSeats(v)
}

func (p *Page) setPartners(v string) tea.Cmd {
	if v == "on" {
		p.config.Seats = 4
	}
	return p.setRule("teams", v)
}

func (p *Page) setAccess(a table.Access) tea.Cmd {
	if a != table.AccessTeams {
		return nil
	}
	p.config.Seats = 4
	return p.setRule("teams", "on")
}

// setRule changes one house rule, unless the rules forbid the change.
func (p *Page) setRule(name, value string) tea.Cmd {
	return p.take(with(p.config.Rules, name, value))
}

func with(r rules.Ruleset, name, value string) (rules.Ruleset, error) {
	words := strings.Fields(r.String())
	drop := []string{name}
	switch name { // a game ends in one way only
	case "target", "above":
		drop = []string{"target", "above", "rounds"}
	case "rounds":
		drop = []string{"target", "above", "rounds", "win"}
	case "win":
		drop = []string{"win", "rounds"}
	}
	words = slices.DeleteFunc(words, func(w string) bool {
		k, _, _ := strings.Cut(w, "=")
		return slices.Contains(drop, k)
	})
	return rules.Parse(strings.Join(append(words, name+"="+value), " "))
}

// numbers are the offered values of keys that take a number; others can be typed.
var numbers = map[string][]string{
	"hand":   {"5", "6", "7", "9", "7/5/5", "7/6/5", "9/7/5"},
	"draw":   {"none", "1", "2", "3", "all"},
	"target": {"50", "61", "100", "150", "200", "250", "300", "500"},
	"above":  {"100", "150", "200", "250", "300", "500"},
	"rounds": {"1", "3", "5", "7", "10", "12", "20"},
}

// houseRows returns a row for each key that can be changed, except those of the first sheet.
func (p *Page) houseRows() []row {
	var rows []row
	for _, k := range rules.Keys() {
		if k.Name != "teams" && k.Name != "target" {
			rows = append(rows, p.ruleRow(k.Name, k))
		}
	}
	return rows
}

// targetKey is the house rule that most people want to change.
var targetKey = rules.Keys()[slices.IndexFunc(rules.Keys(), func(k rules.Key) bool { return k.Name == "target" })]

func (p *Page) ruleRow(name string, k rules.Key) row {
	r := p.config.Rules
	unset := "open" // as block leaves some rules
	switch {
	case k.Name != targetKey.Name:
	case r.Rounds > 0:
		unset = text.Number(r.Rounds, "round")
	default:
		unset = r.Goal(2)
	}
	now := cmp.Or(r.Value(k.Name), unset)
	values, number := numbers[k.Name]
	if !number {
		values = strings.Split(k.Values, "|")
	}
	if !slices.Contains(values, now) {
		values = append([]string{now}, values...)
	}
	set := func(value string) tea.Cmd { return p.setRule(k.Name, value) }
	made := pick(name, now, values, values, set)
	made.help = k.Help
	if means := english.Means(&r, k.Name); means != "" {
		made.help += ": " + means
	}
	if number {
		made.set = set
	}
	return made
}
