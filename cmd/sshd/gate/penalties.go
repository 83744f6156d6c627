package gate

import (
	"container/heap"
	"sync"
	"time"
)

// penalties holds the sources that have misbehaved, after OpenSSH's PerSourcePenalties: each offence adds to
// the source's time, and once that exceeds the minimum the source is shut out until the time has run out. The
// table is bounded; when it is full, the penalty that ends soonest is dropped.
type penalties struct {
	rules PenaltyRules
	now   func() time.Time

	mu     sync.Mutex
	of     map[source]*penalty
	byTime penaltyHeap
}

type penalty struct {
	src    source
	until  time.Time
	active bool // the minimum was exceeded
	index  int  // in byTime
}

func newPenalties(rules PenaltyRules, now func() time.Time) *penalties {
	return &penalties{rules: rules, now: now, of: make(map[source]*penalty)}
}

// add penalises a source for an offence that costs d.
func (p *penalties) add(src source, d time.Duration) {
	if d <= 0 {
		return
	}
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expire(now)
	e := p.of[src]
	if e == nil {
		if len(p.of) >= p.rules.Sources {
			p.drop(p.byTime[0])
		}
		e = &penalty{src: src, until: now}
		p.of[src] = e
		heap.Push(&p.byTime, e)
	}
	e.until = e.until.Add(d)
	if latest := now.Add(p.rules.Max); e.until.After(latest) {
		e.until = latest
	}
	e.active = e.active || e.until.Sub(now) > p.rules.Min
	heap.Fix(&p.byTime, e.index)
}

// shutOut reports whether connections from src are refused now.
func (p *penalties) shutOut(src source) bool {
	now := p.now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expire(now)
	e := p.of[src]
	return e != nil && e.active
}

// expire drops the penalties that have run out. Called with mu held.
func (p *penalties) expire(now time.Time) {
	for len(p.byTime) > 0 && !p.byTime[0].until.After(now) {
		p.drop(p.byTime[0])
	}
}

// drop removes one penalty. Called with mu held.
func (p *penalties) drop(e *penalty) {
	heap.Remove(&p.byTime, e.index)
	delete(p.of, e.src)
}

// penaltyHeap orders penalties by their end, soonest first.
type penaltyHeap []*penalty

func (h penaltyHeap) Len() int           { return len(h) }
func (h penaltyHeap) Less(i, j int) bool { return h[i].until.Before(h[j].until) }
func (h penaltyHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *penaltyHeap) Push(x any) {
	e := x.(*penalty)
	e.index = len(*h)
	*h = append(*h, e)
}

func (h *penaltyHeap) Pop() any {
	old := *h
	e := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return e
}
