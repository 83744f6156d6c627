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
	if looked := len(l.publisher.showing) > 0; looked != l.house.looked {
		l.house.looked = looked
		l.sendToHouse()
	}
}

// sendToHouse queues a job that updates the exhibition. With mu held.
func (l *Lobby) sendToHouse() {
	if l.started && !l.house.due {
		l.house.due = true
		l.jobs.run(l.tendHouse)
	}
}

// houseAgain is how long after a failure the exhibition is updated again.
const houseAgain = 10 * time.Second

// tendHouse makes, watches or closes the exhibition. It is a background job, since it calls tables.
func (l *Lobby) tendHouse() {
	l.mu.Lock()
	h := &l.house
	h.due = false
	closing := l.draining || l.closed
	exhibits := l.cfg.Exhibition && !closing
	look := exhibits && h.looked
	houses := l.houses()
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
		for _, t := range houses { // left from when exhibitions were on
			l.closeHouse(t)
		}
		return
	}
	if len(houses) == 0 {
		t, err := table.Make(l.ctx, l.tables, exhibitionConfig(), table.Player{})
		if err != nil {
			l.log.Warn("make the exhibition table", "err", err)
			l.later(houseAgain, l.tendHouse)
			return
		}
		l.register(t, places{})
		houses = append(houses, t)
	}
	if !look || eye != nil {
		return
	}
	eye, err := houses[0].Subscribe(table.Player{Name: "the lobby"}, "")
	if err != nil {
		l.log.Warn("watch the exhibition table", "table", houses[0].ID(), "err", err)
		l.later(houseAgain, l.tendHouse)
		return
	}
	l.mu.Lock()
	e := l.directory[houses[0].ID()]
	there := e != nil && e.table == houses[0]
	if there {
		h.eye = eye
	} else {
		l.sendToHouse() // it has closed in the meantime; the next one is made and watched
	}
	l.mu.Unlock()
	if !there {
		eye.Close()
	}
}

// houses lists the house's tables. With mu held.
func (l *Lobby) houses() []*table.Table {
	var list []*table.Table
	for _, e := range l.directory {
		if e.table != nil && e.sum.Config.House {
			list = append(list, e.table)
		}
	}
	return list
}

func (l *Lobby) closeHouse(t *table.Table) {
	if err := t.Do(l.ctx, table.Request{Command: table.Close{}}); err != nil && !hasClosed(err) {
		l.log.Warn("close the exhibition table", "table", t.ID(), "err", err)
	}
}

// houseClosed forgets the exhibition's table after it has closed, so that another is made. With mu held.
func (l *Lobby) houseClosed() {
	if eye := l.house.eye; eye != nil {
		l.house.eye = nil
		l.jobs.run(eye.Close)
	}
	l.sendToHouse()
}
