package lobby

import (
	"time"

	"boneyard/rules"
	"boneyard/table"
)

// exhibitionConfig is of the exhibition, the table where house bots play slowly while somebody looks at it, and a game
// for the first who look at the club. It begins a new game when one is over, and is replaced if an operator closes it.
func exhibitionConfig() table.Config {
	cfg := table.DefaultConfig()
	cfg.Name, cfg.House = "The house plays", true
	cfg.Rules, cfg.RuleText = rules.Classic.Rules(), rules.Classic.String()
	cfg.Pace, cfg.Fill, cfg.Strength = table.PaceNone, table.FillNow, table.Master
	return cfg
}

// showingChanged tells the exhibition when people begin or cease to look at the club. With mu held.
func (l *Lobby) showingChanged() {
	if looked := len(l.publisher.showing) > 0; looked != l.clubLooked {
		l.clubLooked = looked
		l.queueExhibition()
	}
}

// queueExhibition queues a job that updates the exhibition. With mu held.
func (l *Lobby) queueExhibition() {
	if l.started {
		l.jobs.run(l.tendExhibition)
	}
}

// tendExhibition makes the exhibition and tells it whether anybody looks at the club, or closes it. It is a
// background job, since it calls tables.
func (l *Lobby) tendExhibition() {
	const exhibitionAgain = 10 * time.Second // how long after a failure the exhibition is updated again
	l.mu.Lock()
	stays := l.draining || l.closed // for the next start
	tables, looked := l.exhibitionTables(), l.clubLooked
	l.mu.Unlock()
	if stays {
		return
	}
	if l.cfg.Exhibition && len(tables) == 0 {
		t, err := table.Make(l.ctx, l.tables, exhibitionConfig(), table.Player{})
		if err != nil {
			l.log.Warn("make the exhibition table", "err", err)
			l.later(exhibitionAgain, l.tendExhibition)
			return
		}
		l.register(t, places{})
		tables = append(tables, t)
	}
	for _, t := range tables {
		if l.cfg.Exhibition {
			t.Exhibit(looked)
		} else { // left from when exhibitions were on
			if err := t.Do(l.ctx, table.Request{Command: table.Close{}}); err != nil && !hasClosed(err) {
				l.log.Warn("close the exhibition table", "table", t.ID(), "err", err)
			}
		}
	}
}

// exhibitionTables lists the house tables. With mu held.
func (l *Lobby) exhibitionTables() []*table.Table {
	var list []*table.Table
	for _, e := range l.directory {
		if e.table != nil && e.sum.Config.House {
			list = append(list, e.table)
		}
	}
	return list
}
