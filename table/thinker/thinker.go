// Package thinker chooses for the bots of all tables on one goroutine of its own, so that no table and no player
// waits for it, and all bots together never take more than one processor.
package thinker

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/table"
)

// Thinker is a [table.Chooser]. Every request is soon answered with what an expert would play, or a weaker level; masters then
// search further in the order in which they asked, with fewer playouts the more of them wait.
type Thinker struct {
	onChoice OnChoice

	mu     sync.Mutex
	fresh  []*job
	deep   []*job
	closed bool
	wake   chan struct{} // something has come in
	done   chan struct{}
}

// OnChoice is called on the thinker's goroutine with each choice of a master: the playouts that it got, and
// how long it took from when it was asked for. It may be nil.
type OnChoice func(playouts int, took time.Duration)

var _ table.Chooser = (*Thinker)(nil)

type job struct {
	level   bot.Level
	seen    bot.Seen
	seed    uint64
	found   func(rules.Move)
	asked   time.Time
	stopped atomic.Bool
}

// Budgets are the playouts of a master's choice, by how many wait: with the next lower budget each choice takes about a third of
// the time. 0 stands for none: the expert's answer is kept.
var Budgets = []int{bot.Playouts, 300, 100, 0}

// longest are the queues, in choices, up to which a budget is given. At some 2 ms for 1,000 playouts, none of these queues is
// longer than about a quarter of a second, and a bot's pause is at least twice that.
var longest = []int{100, 300, 900}

// budget is the number of playouts for a master behind whom so many wait.
func budget(waiting int) int {
	for i, n := range longest {
		if waiting <= n {
			return Budgets[i]
		}
	}
	return 0
}

// New starts a thinker, which runs until Close.
func New(onChoice OnChoice) *Thinker {
	t := &Thinker{onChoice: onChoice, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go t.run()
	return t
}

// Think implements [table.Chooser]. After Close nothing is found any more.
func (t *Thinker) Think(level bot.Level, s bot.Seen, seed uint64, found func(rules.Move)) (stop func()) {
	j := &job{level: level, seen: s, seed: seed, found: found, asked: time.Now()}
	t.mu.Lock()
	if !t.closed {
		t.fresh = append(t.fresh, j)
	}
	t.mu.Unlock()
	table.Signal(t.wake)
	return func() { j.stopped.Store(true) }
}

// Waiting is the number of choices that have been asked for and not made as well as they can be.
func (t *Thinker) Waiting() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.fresh) + len(t.deep)
}

// Close ends the thinker's goroutine and waits for it; what has not been chosen stays so. It may be called more than once.
func (t *Thinker) Close() {
	t.mu.Lock()
	t.closed, t.fresh, t.deep = true, nil, nil
	t.mu.Unlock()
	table.Signal(t.wake)
	<-t.done
}

func (t *Thinker) run() {
	defer close(t.done)
	for {
		j, playouts, closed := t.next()
		switch {
		case closed:
			return
		case j == nil:
			<-t.wake
		case playouts < 0:
			t.quick(j)
		default:
			t.search(j, playouts)
			runtime.Gosched()
		}
	}
}

// next takes a job: a fresh one, with -1, or else the oldest master's with its budget. There is none where the queues are empty.
func (t *Thinker) next() (j *job, playouts int, closed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, 0, true
	}
	if len(t.fresh) > 0 {
		j, t.fresh = take(t.fresh)
		return j, -1, false
	}
	if len(t.deep) > 0 {
		playouts = budget(len(t.deep))
		j, t.deep = take(t.deep)
	}
	return j, playouts, false
}

// take takes the first of a queue.
func take(queue []*job) (*job, []*job) {
	j := queue[0]
	queue[0] = nil // so that it is not kept alive
	if queue = queue[1:]; len(queue) == 0 {
		return j, nil
	}
	return j, queue
}

func (t *Thinker) quick(j *job) {
	if j.stopped.Load() {
		return
	}
	j.found(min(j.level, bot.Expert).Choose(&j.seen, j.rng()))
	if j.level != bot.Master || len(j.seen.Options) < 2 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.deep = append(t.deep, j)
	}
}

func (t *Thinker) search(j *job, playouts int) {
	if j.stopped.Load() {
		return
	}
	if playouts > 0 {
		best := bot.Search(&j.seen, playouts, j.rng()).Best()
		j.found(best.By(j.seen.Seat))
	}
	t.onChoice(playouts, time.Since(j.asked))
}

func (j *job) rng() *rand.Rand { return rand.New(rand.NewPCG(j.seed, 0)) }
