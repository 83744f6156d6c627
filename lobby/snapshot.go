package lobby

import (
	"sync/atomic"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// Person is a person who is in the club now.
type Person struct {
	Player   table.Player // without Net
	Guest    bool
	Doing    string   // "in the lobby", "plays at 12", "sits at 12", "watches 12", "at Daily deal 128"
	Table    table.ID // the table, or 0 in the lobby
	Since    time.Time
	Sessions int
	Operator bool
	Shield   bool // holds the season's shield

	active *atomic.Int64 // as in person; it changes while the snapshot stays
	folded string        // the name in lower case, for sorting
}

// Idle says how long a person has done nothing, such as "idle 4 min"; it is empty if unknown or short.
func (p *Person) Idle(now time.Time) string {
	const shown = 3 * time.Minute
	if p.active == nil || p.active.Load() == 0 {
		return ""
	}
	if d := now.Sub(time.Unix(0, p.active.Load())); d >= shown {
		return "idle " + ago(d)
	}
	return ""
}

// does returns what the person is doing, to follow their name in a sentence.
func (p *Person) does(now time.Time) string {
	s := p.Doing
	if p.Table == 0 {
		s = "is " + s
	}
	if idle := p.Idle(now); idle != "" {
		s += ", " + idle
	}
	return s
}

// Snapshot is the club at one moment. It is immutable, and shared by all readers.
type Snapshot struct {
	Version uint64
	Tables  []table.Summary // tables to join first, then those to watch, then others; each by number
	People  []Person        // by name
	Chat    []Line          // the last 200 lines, newest last
	News    []NewsItem      // the last 50, newest first
	Notice  string          // for everybody: an announcement, or that the server is shutting down
	Events  uint64          // number of changes to events, and so to the calendar

	next       *event.Soon // the next announced event, or nil
	nextBegins time.Time
}

// Soon returns the next announced event if it begins within ten minutes, else nil. It is for drawing.
func (s *Snapshot) Soon(now time.Time) *event.Soon {
	if s.next == nil || !s.nextBegins.Before(now.Add(event.SoonTime)) {
		return nil
	}
	return s.next
}

// Limits of a snapshot.
const (
	keptChat = 200 // lines
	keptNews = 50  // items
)

// LatestResult returns the number of the latest result in the news, which changes with each new game, or 0.
func (s *Snapshot) LatestResult() int64 {
	for i := range s.News {
		if s.News[i].Kind == NewsResult {
			return s.News[i].ID
		}
	}
	return 0
}
