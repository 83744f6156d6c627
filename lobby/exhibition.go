package lobby

import (
	"time"

	"boneyard/rules"
	"boneyard/table"
)

// exhibition is the table where house bots play slowly while somebody looks. A house table moves only while
// it is watched, so the lobby watches it as long as anybody looks at the club. The table begins a new game
// when one is over, and is replaced if an operator closes it. Lobby.mu guards all fields; only background
// jobs call the table.
type exhibition struct {
	due    bool                // a background job is queued
	looked bool                // whether anybody looked at the club when the last job was queued
	eye    *table.Subscription // the lobby's own; nil while nobody looks
}

func exhibitionConfig() table.Config {
	cfg := table.DefaultConfig()
	cfg.Name, cfg.House = "The house plays", true
	cfg.Rules, cfg.RuleText = rules.Classic.Rules(), rules.Classic.String()
	cfg.Pace, cfg.Fill, cfg.Strength = table.PaceNone, table.FillNow, table.Master
	return cfg
}

// showingChanged updates the exhibition when people begin or cease to look at the club. With mu held.
func (l *Lobby) showingChanged() {
	if looked := len(l.publisher.showing) > 0; looked != l.exhibition.looked {
		l.exhibition.looked = looked
		l.queueExhibition()
	}
}

// queueExhibition queues a job that updates the exhibition. With mu held.
func (l *Lobby) queueExhibition() {
	if l.started && !l.exhibition.due {
		l.exhibition.due = true
		l.jobs.run(l.tendExhibition)
	}
}

// exhibitionAgain is how long after a failure the exhibition is updated again.
const exhibitionAgain = 10 * time.Second

// tendExhibition makes, watches or closes the exhibition. It is a background job, since it calls tables.
func (l *Lobby) tendExhibition() {
	l.mu.Lock()
	h := &l.exhibition
	h.due = false
	closing := l.draining || l.closed
	exhibits := l.cfg.Exhibition && !closing
	look := exhibits && h.looked
	tables := l.exhibitionTables()
	eye := h.eye
	if !look {
		h.eye = nil
	}
	l.mu.Unlock()

	if eye != nil && !look {
		eye.Close()
	}
	if closing {
		return // the table stays, for the next start
	}
	if !exhibits {
		for _, t := range tables { // left from when exhibitions were on
			l.closeExhibition(t)
		}
		return
	}
	if len(tables) == 0 {
		t, err := table.Make(l.ctx, l.tables, exhibitionConfig(), table.Player{})
		if err != nil {
			l.log.Warn("make the exhibition table", "err", err)
			l.later(exhibitionAgain, l.tendExhibition)
			return
		}
		l.register(t, places{})
		tables = append(tables, t)
	}
	if !look || eye != nil {
		return
	}
	eye, err := tables[0].Subscribe(table.Player{Name: "the lobby"}, "")
	if err != nil {
		l.log.Warn("watch the exhibition table", "table", tables[0].ID(), "err", err)
		l.later(exhibitionAgain, l.tendExhibition)
		return
	}
	l.mu.Lock()
	e := l.directory[tables[0].ID()]
	there := e != nil && e.table == tables[0]
	if there {
		h.eye = eye
	} else {
		l.queueExhibition() // it has closed in the meantime; the next one is made and watched
	}
	l.mu.Unlock()
	if !there {
		eye.Close()
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

func (l *Lobby) closeExhibition(t *table.Table) {
	if err := t.Do(l.ctx, table.Request{Command: table.Close{}}); err != nil && !hasClosed(err) {
		l.log.Warn("close the exhibition table", "table", t.ID(), "err", err)
	}
}

// exhibitionClosed forgets the exhibition's table after it has closed, so that another is made. With mu held.
func (l *Lobby) exhibitionClosed() {
	if eye := l.exhibition.eye; eye != nil {
		l.exhibition.eye = nil
		l.jobs.run(eye.Close)
	}
	l.queueExhibition()
}
