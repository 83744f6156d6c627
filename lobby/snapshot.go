package lobby

import (
	"time"

	"boneyard/table"
)

// Person is somebody who is in the club now.
type Person struct {
	Player   table.Player // without Net
	Guest    bool
	Doing    string   // "in the lobby", "playing at 12", "watching 12", …
	Table    table.ID // where, 0 in the lobby
	Since    time.Time
	Sessions int
	Operator bool

	folded string // the name in small letters, to sort by
}

// Snapshot is the club at one moment. It is immutable and shared by all readers.
type Snapshot struct {
	Version uint64
	Tables  []table.Summary // sorted: what can be joined first, then what can be watched; then by number
	People  []Person        // by name
	Chat    []Line          // the last 200 lines, the newest last
	News    []NewsItem      // the newest first, the last 50
	Notice  string          // to all: an announcement, or that the server is going down
}

// What a snapshot keeps.
const (
	keptChat = 200 // lines
	keptNews = 50  // items
)
