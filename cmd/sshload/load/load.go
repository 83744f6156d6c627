// Package load puts the load of a profile on a club, phase by phase, and reports what each took.
package load

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Load is what is put on the server, and how it is measured.
type Load struct {
	Name  string
	About string

	Tables int           // in play
	Seats  int           // at each
	People int           // at each, on screens; house bots take the other seats
	Lines  bool          // people are programs that use the line protocol instead of screens
	Bots   string        // how strong the house bots are at tables of programs; empty: as at any table
	Pace   time.Duration // from the beginning of a person's turn to the key

	Watchers int // on screens, dealt out to the tables in turn
	Slow     int // of them, that read a few hundred bytes a second and are not measured
	Lobby    int // sessions that look at the lobby
	Arrivals int // sessions that are logged in beforehand, and enter the lobby within one second

	Chat    float64 // lines a second, said by those in the lobby and the watchers in turn
	Resizes float64 // of watchers' windows a second, in turn

	Width, Height int // of the terminals

	Rest   time.Duration // how long idle sessions are looked at
	Play   time.Duration // how long a round of play is
	Rounds int           // of play; figures are medians of them

	Baseline bool // run the bare server, too
	Nodes    bool // the club is on three nodes, and people connect to all of them
}

// Bounds of a load: this is a tool for one machine, and stops by itself.
const (
	maxClients = 12000
	maxPhase   = 2 * time.Minute
	maxRounds  = 20
)

// profiles are the loads that have names.
func profiles() []Load {
	base := Load{Seats: 2, People: 2, Width: 80, Height: 24, Pace: 200 * time.Millisecond, Rest: 5 * time.Second, Play: 8 * time.Second, Rounds: 3}
	with := func(name, about string, set func(*Load)) Load {
		l := base
		l.Name, l.About = name, about
		set(&l)
		return l
	}
	watch := func(n int) Load {
		return with(fmt.Sprint("watch", n), fmt.Sprint(n, " watchers at one table"), func(l *Load) { l.Tables, l.Watchers = 1, n })
	}
	return []Load{
		watch(500), watch(1000), watch(2000), watch(4000),
		with("spread", "1000 watchers at 100 tables", func(l *Load) { l.Tables, l.Watchers, l.Pace = 100, 1000, time.Second }),
		with("idle", "1000 sessions in the lobby, and nothing happens", func(l *Load) { l.Lobby, l.Rest, l.Rounds = 1000, 20*time.Second, 0 }),
		with("handshakes", "500 people who connect", func(l *Load) { l.Lobby, l.Rest, l.Rounds = 500, 0, 0 }),
		with("arrivals", "1000 who connect within one second", func(l *Load) { l.Arrivals, l.Rest, l.Rounds = 1000, 0, 0 }),
		with("tables500", "500 tables of four programs, which move once a second", func(l *Load) {
			l.Tables, l.Seats, l.People, l.Lines, l.Pace, l.Play, l.Rounds, l.Rest = 500, 4, 4, true, time.Second, 15*time.Second, 1, 0
		}),
		with("screens500", "500 tables of four, a person at a screen and three bots at each", func(l *Load) {
			l.Tables, l.Seats, l.People, l.Pace, l.Play, l.Rounds, l.Rest = 500, 4, 1, time.Second, 15*time.Second, 1, 0
		}),
		with("masters500", "500 tables of four, a program and three house masters at each", func(l *Load) {
			l.Tables, l.Seats, l.People, l.Lines, l.Bots, l.Pace, l.Play, l.Rounds, l.Rest = 500, 4, 1, true, "master", time.Second, 15*time.Second, 1, 0
		}),
		with("busy", "everything at once: tables, watchers, talk, resizes, slow readers", func(l *Load) {
			l.Tables, l.Watchers, l.Slow, l.Lobby, l.Chat, l.Resizes, l.Pace = 20, 300, 20, 100, 5, 20, time.Second
		}),
		with("small", "a little of everything, for tests", func(l *Load) {
			l.Tables, l.Watchers, l.Arrivals, l.Pace, l.Rest, l.Play, l.Rounds = 1, 400, 50, 50*time.Millisecond, 2*time.Second, 5*time.Second, 2
		}),
	}
}

// profile finds a load by its name.
func profile(name string) (Load, error) {
	all := profiles()
	i := slices.IndexFunc(all, func(l Load) bool { return l.Name == name })
	if i < 0 {
		return Load{}, fmt.Errorf("there is no profile %q; see sshload --help", name)
	}
	return all[i], nil
}

// clients is how many connections the club gets.
func (l *Load) clients() int { return l.Tables*l.People + l.Watchers + l.Lobby + l.Arrivals }

// Validate reports the first thing that cannot be done, or would be too much.
func (l *Load) Validate() error {
	for _, n := range []int{l.Tables, l.Watchers, l.Slow, l.Lobby, l.Arrivals, l.Rounds} {
		if n < 0 {
			return errors.New("a number is below 0")
		}
	}
	switch {
	case l.Nodes && l.Baseline:
		return errors.New("the bare server is compared with a club on one machine")
	case l.clients() < 1:
		return errors.New("there is nobody in this load")
	case l.clients() > maxClients:
		return fmt.Errorf("%d clients are too many; %d are the most", l.clients(), maxClients)
	case l.Tables > 0 && (l.Seats < 2 || l.Seats > 4):
		return fmt.Errorf("a table has 2 to 4 seats, not %d", l.Seats)
	case l.Tables > 0 && (l.People < 1 || l.People > l.Seats):
		return fmt.Errorf("%d people cannot take %d seats", l.People, l.Seats)
	case l.Watchers > 0 && l.Tables == 0:
		return errors.New("watchers need a table")
	case l.Slow > l.Watchers:
		return errors.New("slow readers are watchers")
	case l.Rounds > maxRounds || l.Rest > maxPhase || l.Play > maxPhase:
		return fmt.Errorf("at most %d rounds, and %v for each phase", maxRounds, maxPhase)
	case l.Rounds > 0 && l.Play <= 0:
		return errors.New("a round of play takes some time")
	case l.Width < 40 || l.Width > 500 || l.Height < 12 || l.Height > 200:
		return errors.New("terminals have 40 to 500 columns and 12 to 200 rows")
	case l.Chat < 0 || l.Chat > 1000 || l.Resizes < 0 || l.Resizes > 1000:
		return errors.New("talk and resizes are 0 to 1000 a second")
	}
	return nil
}
