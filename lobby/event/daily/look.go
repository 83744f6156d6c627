package daily

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/rules/record"
	"boneyard/table"
)

// position is a position shared by all whose rounds went alike up to there.
type position struct {
	seen   bot.Seen
	counts map[rules.Choice]int
	master rules.Choice // what a master would play, if found is set
	found  bool
}

// Decision is a play by the player when there was a choice.
type Decision struct {
	Round  int
	Move   int // in the round, from 1, counting draws and passes
	Played rules.Choice
	Master rules.Choice // what a house master would play
	Others []Share      // what others played in the same position, most frequent first
	Met    int          // how many others met the position
}

// Share is the number of players who made a certain choice.
type Share struct {
	rules.Choice
	N       int
	Percent int // of those who met the position, rounded
}

// Choices holds the choices made in one day's games. Its methods may be called by any goroutine.
type Choices struct {
	mu        sync.Mutex
	games     map[table.GameID][]met
	positions map[string]*position
}

type met struct {
	at          string
	round, move int
	played      rules.Choice
}

// Has reports whether a game has been added.
func (c *Choices) Has(id table.GameID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.games[id]
	return ok
}

// Len returns the number of games added.
func (c *Choices) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.games)
}

// Add adds a game from its record, unless it has been added before.
func (c *Choices) Add(id table.GameID, lines []string) error {
	const seat = rules.Seat(1) // the person's seat; house bots have the others
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, twice := c.games[id]; twice {
		return nil
	}
	var before rules.Game
	var past []rules.Event
	var all []met
	for step, err := range record.Replay(strings.NewReader(strings.Join(lines, "\n") + "\n")) {
		if err != nil {
			return fmt.Errorf("game %d: %w", id, err)
		}
		switch step.Line.(type) {
		case record.Lead:
			past = past[:0]
		case record.Play, record.Draw, record.Pass:
			if step.Event.Kind == rules.Play && step.Event.Seat == seat {
				if v := before.View(seat); len(v.Options) > 1 {
					played := step.Event.Choice()
					m := met{at: key(before.Round(), past), round: before.Round(), move: len(past) + 1, played: played}
					all = append(all, m)
					if c.positions[m.at] == nil { // does no harm if the record breaks off: only games lead to positions
						c.positions[m.at] = &position{seen: bot.See(v, past), counts: map[rules.Choice]int{}}
					}
				}
			}
			past = append(past, step.Event)
		}
		before = step.Game
	}
	for _, m := range all {
		c.positions[m.at].counts[m.played]++
	}
	c.games[id] = all
	return nil
}

// key identifies the position after the moves of a round.
func key(round int, past []rules.Event) string {
	b := []byte{byte(round)}
	for _, e := range past {
		b = append(b, byte(e.Seat), byte(e.Kind), byte(e.Tile), byte(e.Arm))
	}
	return string(b)
}

// Decisions returns the decisions of a game that has been added, with what others chose and what a master
// would play. The latter takes a few milliseconds for each position that was not asked for before.
func (c *Choices) Decisions(id table.GameID) (list []Decision) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.games[id] {
		p := c.positions[m.at]
		if !p.found {
			sum := sha256.Sum256([]byte(m.at))
			rng := rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])))
			p.master, p.found = bot.Search(&p.seen, bot.Playouts, rng).Best().Choice, true
		}
		d := Decision{Round: m.round, Move: m.move, Played: m.played, Master: p.master}
		for _, choice := range slices.SortedFunc(maps.Keys(p.counts), func(a, b rules.Choice) int {
			return slices.Compare([]int{int(a.Tile), int(a.Arm)}, []int{int(b.Tile), int(b.Arm)})
		}) {
			n := p.counts[choice]
			if choice == m.played {
				n-- // the player themselves
			}
			if n > 0 {
				d.Others = append(d.Others, Share{Choice: choice, N: n})
				d.Met += n
			}
		}
		slices.SortStableFunc(d.Others, func(a, b Share) int { return b.N - a.N })
		for i := range d.Others {
			d.Others[i].Percent = (200*d.Others[i].N + d.Met) / (2 * d.Met)
		}
		list = append(list, d)
	}
	return list
}

// bars are the characters of a small chart, lowest first.
var bars = []rune("▁▂▃▄▅▆▇█")

// Chart draws numbers as bars side by side.
func Chart(list []int) string {
	if len(list) == 0 {
		return ""
	}
	low, high := slices.Min(list), slices.Max(list)
	var b strings.Builder
	for _, n := range list {
		i := len(bars) / 2
		if high > low {
			i = (n - low) * (len(bars) - 1) / (high - low)
		}
		b.WriteRune(bars[i])
	}
	return b.String()
}
