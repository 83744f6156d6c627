package lobby

import (
	"sync/atomic"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// Person is somebody who is in the club now.
type Person struct {
	Player   table.Player // without Net
	Guest    bool
	Doing    string   // "in the lobby", "plays at 12", "sits at 12", "watches 12", "at Daily deal 128"
	Table    table.ID // where, 0 in the lobby
	Since    time.Time
	Sessions int
	Operator bool
	Shield   bool // holds the shield of the season

	active *atomic.Int64 // as in person: it goes on while the snapshot stays
	folded string        // the name in small letters, to sort by
}

// Idle says for how long somebody has done nothing, such as "idle 4 min"; nothing if that is not known or not worth to be told.
func (p *Person) Idle(now time.Time) string {
	const told = 3 * time.Minute
	if p.active == nil || p.active.Load() == 0 {
		return ""
	}
	if d := now.Sub(time.Unix(0, p.active.Load())); d >= told {
		return "idle " + ago(d)
	}
	return ""
}

// does is what somebody does, in a sentence that begins with their name.
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

// Snapshot is the club at one moment. It is immutable and shared by all readers.
type Snapshot struct {
	Version uint64
	Tables  []table.Summary // sorted: what can be joined first, then what can be watched; then by number
	People  []Person        // by name
	Chat    []Line          // the last 200 lines, the newest last
	News    []NewsItem      // the newest first, the last 50
	Notice  string          // to all: an announcement, or that the server is going down
	Events  uint64          // counts the changes of events, and so of the calendar

	next       *event.Soon // the next arena, nil if none is planned
	nextBegins time.Time
}

// Soon is the next event that is foretold if it begins within ten minutes, else nil. It is called whenever a
// screen is drawn.
func (s *Snapshot) Soon(now time.Time) *event.Soon {
	if s.next == nil || !s.nextBegins.Before(now.Add(event.SoonTime)) {
		return nil
	}
	return s.next
}

// What a snapshot keeps.
const (
	keptChat = 200 // lines
	keptNews = 50  // items

	newsOfADay = 1000 // items, among which a start looks for the best play of the day
)

// LatestResult is the number of the latest result in the news, by which a new game is noticed; 0 if there is none.
func (s *Snapshot) LatestResult() int64 {
	for i := range s.News {
		if s.News[i].Kind == NewsResult {
			return s.News[i].ID
		}
	}
	return 0
}
