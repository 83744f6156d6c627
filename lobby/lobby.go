package lobby

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/season"
	"boneyard/lobby/limit"
	"boneyard/table"
)

// Lobby is the club. Its methods may be called by any goroutine.
type Lobby struct {
	cfg     Config
	stores  Stores
	now     func() time.Time
	rand    func() *rand.Rand
	log     *slog.Logger
	outside func(*NewsItem) // as in Deps
	tables  table.Deps      // the settings of each table
	limits  limits
	bounds  bounds
	id      atomic.Uint64 // see ClubID

	ctx       context.Context // ends when the lobby is closed
	cancel    context.CancelFunc
	jobs      jobs
	tellers   sync.WaitGroup    // goroutines that notify tables of people's presence
	quick     chan struct{}     // held while QuickPlay seats somebody
	sanction  chan struct{}     // held while changing sanctions or the announcement
	coach     chan struct{}     // held while the coach works
	roster    chan struct{}     // held while changing who is in a team, who leads it, or whom it invites
	naming    chan struct{}     // held while taking a name, for a person or a team
	saving    [64]chan struct{} // held while saving the settings of a person, by number
	sanctions atomic.Pointer[sanctions]
	sealed    atomic.Pointer[event.SealedSeats] // read without mu, for each line drawn
	answers   answers                           // from the stores; dropped when results change
	cards     answers                           // finished games, which do not change
	titles    answers                           // outcomes of leagues and cups; dropped when one ends
	said      answers                           // chat of events; dropped when somebody says something
	events    *event.Events
	clock     *event.Clock    // the events' time
	book      *season.Book    // the outcomes of events
	monthEnd  *time.Timer     // runs countSeason again; nil before the first time
	shown     *season.Shields // the holders of shields that are shown now
	guests    guests

	telling sync.Mutex            // held by background jobs that add news of events; taken before mu
	told    map[string]remembered // news of events, by kind and text; guarded by mu

	galleries atomic.Int32 // see Galleries

	mu         sync.Mutex
	started    bool
	draining   bool
	closed     bool
	people     map[table.PlayerID]*person
	prompts    map[table.PlayerID]*Prompt // the latest, also of people who were disconnected
	edits      uint64                     // number of changes to accounts; see lockFor
	present    map[string]*person         // the same people, by the skeletons of their names
	aside      map[table.ID]table.Saved   // tables that could not be restored
	directory  map[table.ID]*entry
	codes      map[string]table.ID
	leaving    map[table.PlayerID]int      // players who are leaving their teams, with the number of sessions
	promised   []promised                  // places; see promise
	created    map[event.ID]*limit.Place   // of events that are not over
	seating    map[table.PlayerID]event.ID // players for whom events are making tables
	holders    map[table.PlayerID]*holder
	followers  map[table.PlayerID]map[*Visit]struct{}
	chat       []Line     // replaced, never changed in place: snapshots share it
	news       []NewsItem // likewise
	notice     string
	suspended  string // why nothing can be written, or empty
	best       dayBest
	clubLooked bool // whether anybody looks at the club, as the exhibition knows

	publisher publisher
}

// New returns a lobby without people or tables; Start fills it.
func New(cfg Config, d Deps) (*Lobby, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	d.complete()
	if len(cfg.Salt) == 0 {
		cfg.Salt = []byte(crand.Text())
	}
	l := &Lobby{
		cfg: cfg, stores: d.Stores, now: d.Now, rand: d.Rand, log: d.Log, outside: d.Outside, tables: d.Table, limits: newLimits(d.Now),
		quick: make(chan struct{}, 1), sanction: make(chan struct{}, 1), roster: make(chan struct{}, 1), naming: make(chan struct{}, 1),
		people: map[table.PlayerID]*person{}, prompts: map[table.PlayerID]*Prompt{}, coach: make(chan struct{}, 1), present: map[string]*person{},
		directory: map[table.ID]*entry{}, created: map[event.ID]*limit.Place{},
		told:    map[string]remembered{},
		leaving: map[table.PlayerID]int{}, aside: map[table.ID]table.Saved{}, codes: map[string]table.ID{},
		seating: map[table.PlayerID]event.ID{}, holders: map[table.PlayerID]*holder{},
		followers: map[table.PlayerID]map[*Visit]struct{}{}, publisher: publisher{showing: map[*Visit]struct{}{}},
	}
	for i := range l.saving {
		l.saving[i] = make(chan struct{}, 1)
	}
	l.bounds = newBounds(&l.cfg, &l.limits)
	l.clock = event.NewClock(d.Now, cfg.ClockConfirm, d.Log)
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.events = event.NewEvents(event.Deps{
		Journal: d.Stores.Events, Club: eventClub{l}, Kinds: kinds, Now: l.clock.Now, Log: d.Log, Context: l.ctx,
		Daily: cfg.Daily, NewSeed: d.Table.NewSeed,
	})
	l.book = season.NewBook(l.events)
	l.shown = l.book.Shields()
	l.tables.Journal = d.Stores.Tables
	l.tables.OnChange = l.onChange
	l.tables.OnEnd = l.onEnd
	l.tables.OnUnseat = l.onUnseat
	l.tables.ClubNight = l.clubNight
	l.sanctions.Store(newSanctions(nil))
	l.sealed.Store(&event.SealedSeats{})
	l.publisher.last.Store(&Snapshot{})
	return l, nil
}

// Start restores what the stores have kept: open tables, chat, news and sanctions. It is called once, before
// anybody enters. A table that cannot be restored is set aside so that the others can open: it stays in the
// store, the log and the operators are notified, and an operator may close it. After an error the lobby must
// still be closed.
func (l *Lobby) Start(ctx context.Context) error {
	chat, err := l.stores.Talk.History(ctx, 0, keptChat)
	if err != nil {
		return fmt.Errorf("load chat: %w", err)
	}
	notice, err := l.lastAnnounced(ctx)
	if err != nil {
		return fmt.Errorf("load the announcement: %w", err)
	}
	last, stopped, err := l.clock.Start(l.ctx, l.stores.Events, l.jobs.run, l.empty)
	if err != nil {
		return fmt.Errorf("load the time: %w", err)
	}
	news, err := l.latestNews(ctx)
	if err != nil {
		return fmt.Errorf("load news: %w", err)
	}
	if err := l.recall(ctx, true); err != nil {
		return err
	}
	saved, err := l.stores.Tables.Load(ctx)
	if err != nil {
		return fmt.Errorf("load tables: %w", err)
	}
	told := l.events.Now().Add(-event.ToldOnce) // news of games is dated by the wall clock, and may be ahead of the events' time
	if len(news) > 0 && news[0].At.Before(told) {
		told = news[0].At
	}
	l.mu.Lock()
	for _, n := range slices.Backward(news) {
		if n.Game == 0 {
			l.remember(&n)
		}
	}
	l.chat, l.news, l.best, l.notice = chat, news[:min(len(news), keptNews)], bestIn(news, l.events.Now()), notice
	l.changed(partAll)
	l.mu.Unlock()
	l.book.Told(told)
	deps := l.tables
	deps.Stopped = stopped
	for _, s := range saved {
		t, err := table.Restore(deps, s)
		if err != nil {
			if err := l.setAside(s, err); err != nil {
				return fmt.Errorf("restore table %d: %w", s.Table, err)
			}
			continue
		}
		l.register(t, l.placesOf(t))
	}
	l.mu.Lock()
	l.started = true
	l.queueExhibition()
	l.build() // whoever enters now sees the restored tables
	l.mu.Unlock()
	if err := l.events.Start(ctx); err != nil {
		return err
	}
	l.events.Started(told, last, l.now())
	l.jobs.run(func() { l.jobs.run(l.clock.Tick) }) // after what these jobs queue
	l.jobs.run(l.countSeason)
	l.mu.Lock()
	for _, e := range l.directory { // with mu held, so that no newer summary comes before these
		if e.sum.Config.Event.ID != 0 {
			l.events.TableChanged(&e.sum)
		}
	}
	l.mu.Unlock()
	return nil
}

// StartAsking is called instead of Start for a lobby that only answers questions from the store, see
// [Lobby.Ask]: it has no tables, and nobody enters it.
func (l *Lobby) StartAsking(ctx context.Context) error { return l.recall(ctx, false) }

// recall loads what is needed to answer questions. With keep, the club's ID is stored if none is.
func (l *Lobby) recall(ctx context.Context, keep bool) error {
	if err := l.loadSanctions(ctx); err != nil {
		return fmt.Errorf("load sanctions: %w", err)
	}
	return l.recallID(ctx, keep)
}

// empty reports whether nobody is in the club.
func (l *Lobby) empty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.people) == 0
}

// Suspend stops all tables and their clocks because nothing can be written, and shows everybody why; an empty
// why resumes them, and reads again what may have been written meanwhile. It does not wait.
func (l *Lobby) Suspend(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if why == "" && l.suspended != "" && !l.closed {
		l.jobs.run(l.recollect)
	}
	l.suspended = why
	l.changed(partNotice)
	for _, t := range l.openTables() {
		t.Suspend(why)
	}
}

// Drain prepares the shutdown: nothing new begins, everybody sees a notice, and the tables write what they
// have and stop. It returns when that is done, or with ctx's error. It may be called again.
func (l *Lobby) Drain(ctx context.Context) error {
	l.mu.Lock()
	l.draining = true
	l.notice = NoticeDraining
	l.changed(partNotice)
	tables := l.openTables()
	l.mu.Unlock()

	stopped := l.events.Stop(ctx) // first, since events make tables
	errs := make([]error, len(tables))
	var wg sync.WaitGroup
	for i, t := range tables {
		wg.Go(func() { errs[i] = t.Drain(ctx) })
	}
	wg.Wait()
	told := within(ctx, l.jobs.wait) // what was decided is told while people are here, and kept for those who are not
	if stopped == nil && told == nil {
		l.clock.Keep(ctx)
	}
	return errors.Join(append(errs, stopped, told)...)
}

// within returns when wait does, or with ctx's error.
func within(ctx context.Context, wait func()) error {
	done := make(chan struct{})
	go func() {
		wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// NoticeDraining is shown to everybody when the server shuts down.
const NoticeDraining = string(table.ErrDraining) + " Come back, and you are at your seat."

// Close drains the lobby, ends every visit and goroutine, and returns when all have ended or ctx ends. In the
// latter case, whatever waits for a disk ends when the disk answers.
func (l *Lobby) Close(ctx context.Context) error {
	_ = l.Drain(ctx) // what it could not write or wait for is tried again below
	l.mu.Lock()
	l.closed = true
	for _, p := range l.people {
		for _, v := range slices.Clone(p.visits) {
			v.kick(NoticeDraining)
		}
	}
	l.publisher.stop()
	l.clock.Stop()
	if l.monthEnd != nil {
		l.monthEnd.Stop()
	}
	tables := l.openTables()
	l.mu.Unlock()

	errs := []error{l.events.Stop(ctx)}
	for _, t := range tables {
		errs = append(errs, t.Close(ctx))
	}
	errs = append(errs, within(ctx, func() { l.jobs.wait(); l.tellers.Wait() }))
	l.cancel()
	return errors.Join(errs...)
}

// Stats are figures for an operator.
type Stats struct {
	People    int // members and guests
	Sessions  int
	Tables    int
	Playing   int    // tables where a game is being played
	SetAside  int    // tables that could not be restored
	Published uint64 // snapshots since the start

	States map[table.State]int // tables by state
	Events map[event.Kind]int  // events that are not over, by kind
	Leap   time.Duration       // how far the server's clock is ahead of the events' time, after a leap
}

// Stats returns the current figures.
func (l *Lobby) Stats() Stats {
	events := l.events.Count()
	leap, _ := l.clock.Leap()
	l.mu.Lock()
	defer l.mu.Unlock()
	s := Stats{People: len(l.people), Events: events, Leap: leap, SetAside: len(l.aside),
		Published: l.publisher.last.Load().Version, States: make(map[table.State]int)}
	for _, p := range l.people {
		s.Sessions += len(p.visits)
	}
	for _, e := range l.directory {
		if e.table == nil {
			continue
		}
		s.Tables++
		s.States[e.sum.State]++
		if e.sum.State == table.Playing {
			s.Playing++
		}
	}
	return s
}

// jobs runs background jobs, one after another, on a goroutine that exists only while there are any.
type jobs struct {
	mu    sync.Mutex
	queue []func()
	idle  chan struct{} // closed when the queue is empty; nil while there is no goroutine
}

// run queues f without waiting.
func (j *jobs) run(f func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.queue = append(j.queue, f)
	if j.idle == nil {
		j.idle = make(chan struct{})
		go j.work()
	}
}

func (j *jobs) work() {
	for {
		j.mu.Lock()
		if len(j.queue) == 0 {
			close(j.idle)
			j.idle, j.queue = nil, nil
			j.mu.Unlock()
			return
		}
		f := j.queue[0]
		j.queue = j.queue[1:]
		j.mu.Unlock()
		f()
	}
}

// wait returns when the queue is empty. Jobs added meanwhile may still run. Several goroutines may wait.
func (j *jobs) wait() {
	j.mu.Lock()
	idle := j.idle
	j.mu.Unlock()
	if idle != nil {
		<-idle
	}
}
