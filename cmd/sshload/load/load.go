// Package load describes loads, puts them on a club step by step, and reports what each step takes.
package load

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"boneyard/cmd/sshd/flags"
	"boneyard/cmd/sshload/attack"
	"boneyard/store/grow"
)

// Load is what is put on a club, and how it is measured. What is 0 is left out. Fields with tags are flags.
type Load struct {
	Name, About, Long string
	Flags             string // that change it
	Goals             []Limit
	Progress          io.Writer

	Server   string `flag:"server" about:"the club's <program> (default: the sshd beside this program)"`
	JSON     bool   `flag:"json" about:"write the report as JSON"`
	Baseline bool   `flag:"baseline" about:"run a bare SSH server beside it and print the ratios"`

	Tables int           `flag:"tables" about:"tables in play"`
	Seats  int           // at each
	People int           // at each; bots take the other seats
	Lines  bool          // players are programs that speak the line protocol, not people at screens
	Bots   string        // when they come, and their strength
	Pace   time.Duration `flag:"pace" about:"how long players think"`
	Arena  int           `flag:"players" about:"programs that play"`
	Open   int           // tables where everybody may sit down, and nobody is ever ready
	Alone  int           // people at screens, each at a table with a house bot

	Watchers  int     `flag:"watchers" about:"watchers in all, dealt out to the tables in turn"`
	Lobby     int     `flag:"lobby" about:"sessions in the lobby"`
	Arrivals  int     // sessions that connect within one second
	Newcomers float64 // a second, who look at the lobby and leave

	Minutes float64       `flag:"minutes" about:"how long the attack lasts"`
	Hostile int           `flag:"hostile" about:"hostile clients"`
	Only    []string      `flag:"only" about:"names of the <attacks> to run (default all)"`
	Grown   string        `flag:"grown" about:"a data <file> to begin with, as grow makes it; it is copied"`
	Calm    time.Duration // of the round before the attack, at most

	Width, Height int           // of the terminals
	Rest          time.Duration `flag:"rest" about:"how long idle sessions are measured"`
	Play          time.Duration `flag:"play" about:"how long a round of play is"`
	Rounds        int           // of play; figures are medians of them

	Nodes  bool // first on a club on one machine, then on a club of three nodes, where people connect to all nodes
	Apart  bool // each client has its own address, in a network of its own
	Limits bool // the club limits callers by address; afterwards nothing may be lost or left behind
	Strict bool // a goal that is missed is an error

	Years grow.Plan // of a club that has been played in for years
	Chat  float64   // lines of chat a second, by watchers and those in the lobby in turn
	Data  string    `flag:"data" about:"the data <file>; empty: a new one, which is removed afterwards"`
	Times int       `flag:"times" about:"how often each page and command is measured"`
}

// Bounds of a load, since this is a tool for one machine.
const (
	maxClients = 16500 // 16,000 watchers and their players
	maxHostile = 2000
	maxPhase   = 5 * time.Minute
	maxMinutes = 60
)

// Loads are the loads that have names.
func Loads() []Load {
	const of = "server json "
	base := Load{
		Flags: of + "baseline tables pace watchers lobby rest play",
		Seats: 2, People: 2, Bots: "now", Width: 80, Height: 24,
		Pace: 200 * time.Millisecond, Rest: 5 * time.Second, Play: 8 * time.Second, Rounds: 3,
		Goals: []Limit{
			{Part: "entering", Name: "both", Ratio: true, Most: 2},
			{Part: "idle", Name: residentMemory, Ratio: true, Most: 2.5},
			{Part: "idle", Name: "CPU", Most: 1},
			{Part: inPlay, Name: "bytes of a move", Most: 150}, // on average, with moves that score
			{Part: inPlay, Name: botsChoices, Most: 800},       // the shortest pause of a bot
			{Part: "arrivals", Name: "frames", Most: 40},
		},
	}
	with := func(name, about string, set func(*Load)) Load {
		l := base
		l.Name, l.About = name, about
		set(&l)
		return l
	}
	goal := func(l *Load, part, name string, ratio bool, most float64) {
		l.Goals = append(slices.Clip(l.Goals), Limit{Part: part, Name: name, Ratio: ratio, Most: most})
	}
	fours := func(l *Load) {
		l.Tables, l.Seats, l.People, l.Lines, l.Pace, l.Play, l.Rounds, l.Rest = 500, 4, 4, true, time.Second, 15*time.Second, 1, 0
		goal(l, inPlay, moveAcknowledged, false, 10)
	}
	return []Load{
		with("watch1000", "1000 watchers at one table", func(l *Load) {
			l.Tables, l.Watchers = 1, 1000
			goal(l, inPlay, costOfUpdate, true, 2)
			goal(l, inPlay, keyToWatchers, false, 50) // on two processors, shared with the clients
		}),
		with("spread", "1000 watchers at 100 tables", func(l *Load) {
			l.Tables, l.Watchers, l.Pace = 100, 1000, time.Second
			goal(l, inPlay, keyToWatchers, false, 50)
			goal(l, inPlay, keyToScreen, false, 10)
		}),
		with("idle", "1000 sessions in the lobby, and nothing happens", func(l *Load) { l.Lobby, l.Rest, l.Rounds = 1000, 20*time.Second, 0 }),
		with("arrivals", "1000 who connect within one second", func(l *Load) { l.Arrivals, l.Rest, l.Rounds = 1000, 0, 0 }),
		with("tables500", "500 tables of four programs, which move once a second", fours),
		with("masters500", "500 tables of four, a program and three house masters at each", func(l *Load) {
			fours(l)
			l.People, l.Bots = 1, "now strength=master"
		}),
		with("small", "a little of everything, for tests", func(l *Load) {
			l.Tables, l.Watchers, l.Arrivals, l.Pace, l.Rest, l.Play, l.Rounds = 1, 400, 50, 50*time.Millisecond, 2*time.Second, 5*time.Second, 2
			goal(l, inPlay, costOfUpdate, true, 2)
		}),
		with("arena", "500 programs play an arena, and 200 sessions look at the lobby", func(l *Load) {
			l.Arena, l.Lobby, l.Pace, l.Rest, l.Play, l.Rounds, l.Apart, l.Strict = 500, 200, time.Second, 10*time.Second, time.Minute, 1, true, true
			l.Flags = of + "players lobby rest play pace"
			goal(l, inPlay, paired, false, 1000)
			l.Long = "Measures how long it takes from the end of a game until a player is at the next table, and what a session in\n" +
				"the lobby costs with and without an arena that begins soon. The exit status is 1 if a goal was missed."
		}),
		with("cluster", "500 tables and 3000 watchers on a club on one machine, then on three nodes", func(l *Load) {
			fours(l)
			l.Watchers, l.Flags, l.Nodes = 3000, of+"tables watchers play", true
			l.Long = "All nodes are on this machine, and everybody connects to one of them in turn."
		}),
		with("soak", "hostile clients attack a club while others play there", func(l *Load) {
			l.Tables, l.Lines, l.Pace, l.Open, l.Chat, l.Newcomers = 50, true, time.Second, 2, 0.5, 1
			l.Hostile, l.Minutes, l.Calm, l.Rounds, l.Rest, l.Apart, l.Limits, l.Strict = 300, 10, 10*time.Second, 2, 0, true, true, true
			l.Flags = of + "minutes hostile tables only grown"
			l.Goals = []Limit{
				{Part: underAttack, Name: moveAcknowledged, Most: 50}, {Part: underAttack, Name: newcomersLate, Most: 1},
				{Part: underAttack, Name: logWritten, Most: 30}, {Part: underAttack, Name: failures},
				{Part: afterwards, Name: leftGoroutines}, {Part: afterwards, Name: leftFiles}, {Part: afterwards, Name: leftSessions},
				{Part: afterwards, Name: tablesLost}, {Part: afterwards, Name: faultsMet}, {Part: afterwards, Name: errorsLogged},
			}
			l.Long = "The club has its usual limits. Afterwards it is checked whether anything was left behind, whether every table\n" +
				"is there as it was last acknowledged, and whether the data is valid. The exit status is 1 if a goal was\nmissed. The attacks are:\n"
			for _, a := range attack.Kinds() {
				l.Long += fmt.Sprintf("\n  %-10s %s", a.Name, a.About)
			}
		}),
		{
			Name: "grown", About: "a club that has been played in for years: its start, pages, commands and jobs",
			Flags: of + "games members teams chat seed data times", Years: grow.DefaultPlan(), Times: 4, Width: 120, Height: 40,
			Goals: []Limit{{Part: commandsPart, Unit: cpuUnit, Most: 20}, {Part: pagesPart, Unit: cpuUnit, Most: 20}},
			Long: "Makes the data file of a club of years, as grow does, and measures how much of a processor it takes to start a\n" +
				"club on it, to connect, to show each page, to answer each command, and to check, rebuild and back up the\n" +
				"file. With --data the file is kept, and made only if it is not there: give the same --seed then, since the\n" +
				"keys of its members are made from it.",
		},
	}
}

// AddFlags declares the flags that change the load.
func (l *Load) AddFlags(f *pflag.FlagSet) {
	f.SortFlags = false
	flags.Declare(f, l, strings.Fields(l.Flags)...)
}

// complete computes the fields that follow from flags.
func (l *Load) complete() {
	if l.Minutes > 0 {
		l.Play = time.Duration(l.Minutes * float64(time.Minute))
		l.Alone, l.Watchers, l.Lobby = (l.Tables+4)/5, l.Tables, max(l.Tables*4/5, 1)
	}
}

// people is the number of connections to the club.
func (l *Load) people() int {
	return l.Tables*l.People + l.Open + l.Alone + l.Arena + l.Watchers + l.Lobby + l.Arrivals
}

// Validate returns an error for a load that is impossible or too much.
func (l *Load) Validate() error {
	for _, name := range l.Only {
		if len(attack.Kinds(name)) == 0 {
			return fmt.Errorf("there is no attack %q", name)
		}
	}
	switch {
	case min(l.Tables, l.Watchers, l.Lobby, l.Hostile, l.Arena) < 0:
		return errors.New("a number is below 0")
	case l.Years != (grow.Plan{}) && l.Times < 1:
		return fmt.Errorf("--times: once at least, not %d", l.Times)
	case l.people() < 1 && l.Times < 1:
		return errors.New("there is nobody in this load")
	case l.people() > maxClients:
		return fmt.Errorf("%d clients are too many; %d are the most", l.people(), maxClients)
	case l.Watchers > 0 && l.Tables == 0, l.Hostile > 0 && l.Tables == 0:
		return errors.New("watchers and attackers need a table")
	case l.Limits && !(l.Minutes > 0 && l.Minutes <= maxMinutes):
		return fmt.Errorf("an attack takes more than 0 and at most %d minutes", maxMinutes)
	case l.Hostile > maxHostile:
		return fmt.Errorf("hostile clients are 0 to %d", maxHostile)
	case l.Rest > maxPhase || l.Play > maxPhase && !l.Limits:
		return fmt.Errorf("at most %v for each phase", maxPhase)
	case l.Rounds > 0 && l.Play <= 0:
		return errors.New("a round of play takes some time")
	}
	return nil
}
