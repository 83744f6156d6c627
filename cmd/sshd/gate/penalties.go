package gate

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// penalties holds the sources that have misbehaved, after OpenSSH's PerSourcePenalties: each offence adds to
// the source's time, and once that exceeds the minimum the source is shut out until the time has run out. The
// table is bounded; when it is full, the penalties that end soonest are dropped.
type penalties struct {
	rules PenaltyRules
	now   func() time.Time

	mu sync.Mutex
	of map[source]*penalty
}

type penalty struct {
	src    source
	until  time.Time
	active bool // the minimum was exceeded
}

func newPenalties(rules PenaltyRules, now func() time.Time) *penalties {
	return &penalties{rules: rules, now: now, of: make(map[source]*penalty)}
}

// add penalises a source for an offence that costs d.
func (p *penalties) add(src source, d time.Duration) {
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.of[src]
	if e == nil {
		if len(p.of) >= p.rules.Sources {
			p.makeRoom()
		}
		e = &penalty{src: src}
		p.of[src] = e
	}
	if !e.until.After(now) {
		e.until, e.active = now, false
	}
	e.until = e.until.Add(d)
	if latest := now.Add(p.rules.Max); e.until.After(latest) {
		e.until = latest
	}
	e.active = e.active || e.until.Sub(now) > p.rules.Min
}

// shutOut reports whether connections from src are refused now.
func (p *penalties) shutOut(src source) bool {
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.of[src]
	if e != nil && !e.until.After(now) {
		delete(p.of, src)
		return false
	}
	return e != nil && e.active
}

// makeRoom drops a sixteenth of the penalties: those that have run out, and then those that end soonest. Called
// with mu held.
func (p *penalties) makeRoom() {
	soonest := slices.SortedFunc(maps.Values(p.of), func(a, b *penalty) int { return a.until.Compare(b.until) })
	for _, e := range soonest[:(len(soonest)+15)/16] {
		delete(p.of, e.src)
	}
}
