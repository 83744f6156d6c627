package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/store"
	"boneyard/table"
	"boneyard/table/thinker"

	"github.com/prometheus/client_golang/prometheus"
)

// clubMetrics holds the metrics of the club.
type clubMetrics struct {
	moves   prometheus.Counter
	games   *prometheus.CounterVec
	failed  prometheus.Counter
	appends prometheus.Histogram
	commits prometheus.Histogram
	groups  prometheus.Histogram
	choices *prometheus.CounterVec
	choice  prometheus.Histogram
	recent  recentTimes
}

func newClubMetrics(reg prometheus.Registerer) *clubMetrics {
	latencies := prometheus.ExponentialBuckets(0.00025, 2, 15) // 0.25 ms to 4 s
	budgets := text.Each(thinker.Budgets[:], strconv.Itoa)
	return &clubMetrics{
		moves: counter(reg, "boneyard_moves_total", "Moves on disk: plays, draws and passes."),
		games: counters(reg, "boneyard_games_total", "Games begun, and games ended, by how they ended.", "event",
			"begun", string(table.EndPlayed), string(table.EndForfeit), string(table.EndAbandoned)),
		failed:  counter(reg, "boneyard_journal_failures_total", "Steps of tables that could not be written."),
		appends: histogram(reg, "boneyard_journal_append_seconds", "How long a table's step took to reach the disk.", latencies),
		commits: histogram(reg, "boneyard_journal_commit_seconds", "Time of one transaction of the store.", latencies),
		groups: histogram(reg, "boneyard_journal_group_requests", "Requests written in one transaction.",
			prometheus.ExponentialBuckets(1, 2, 9)),
		choices: counters(reg, "boneyard_bot_choices_total",
			"Choices by masters, by playouts: fewer when many are waiting, 0 when the expert's choice was kept.", "playouts", budgets...),
		choice: histogram(reg, "boneyard_bot_choice_seconds",
			"How long a master's choice took from the start of the bot's pause, which is 0.6 s or more.", latencies),
	}
}

// committed is the store's hook: it records one transaction.
func (m *clubMetrics) committed(g store.Group) {
	m.commits.Observe(g.Took.Seconds())
	m.groups.Observe(float64(g.Changes))
}

// chosen records one choice of a master.
func (m *clubMetrics) chosen(playouts int, took time.Duration) {
	m.choices.WithLabelValues(strconv.Itoa(playouts)).Inc()
	m.choice.Observe(took.Seconds())
}

// appended records one step of a table. A canceled one is no failure: somebody disconnected while their table
// was being made, and it was not.
func (m *clubMetrics) appended(b *table.Batch, took time.Duration, err error) {
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			m.failed.Inc()
		}
		return
	}
	m.appends.Observe(took.Seconds())
	m.recent.add(took)
	m.moves.Add(float64(movesIn(b)))
	if b.Start != nil {
		m.games.WithLabelValues("begun").Inc()
	}
	if b.End != nil {
		m.games.WithLabelValues(string(b.End.Ending)).Inc()
	}
}

// movesIn counts the lines that are moves: those that begin with the number of a seat (docs/record.md).
func movesIn(b *table.Batch) (n int) {
	for _, r := range b.Rows {
		if r.Line != "" && r.Line[0] >= '1' && r.Line[0] <= '9' {
			n++
		}
	}
	return n
}

// watchedStore is the club's store, with hooks on the journal and on new accounts.
type watchedStore struct {
	*store.Store
	club *club
}

// Stores returns the store as each of the lobby's stores.
func (s watchedStore) Stores() lobby.Stores {
	all := s.Store.Stores()
	all.Tables, all.Accounts = s, s
	return all
}

// Commit measures how long the table waits for the store's Commit.
func (s watchedStore) Commit(b *table.Batch, done func([]table.Delta, error)) {
	began := time.Now()
	s.Store.Commit(b, func(changes []table.Delta, err error) {
		s.club.metrics.appended(b, time.Since(began), err)
		done(changes, err)
	})
}

// Create is the store's Create; it tells the gate that the key has a name.
func (s watchedStore) Create(ctx context.Context, key lobby.KeyID, name, skeleton string, now time.Time) (*lobby.Account, error) {
	a, err := s.Store.Create(ctx, key, name, skeleton, now)
	if err == nil && s.club.named != nil {
		s.club.named(key)
	}
	return a, err
}

// lobbyFigures collects the lobby's metrics at each scrape.
type lobbyFigures struct{ lobby *lobby.Lobby }

// Describe implements prometheus.Collector.
func (f lobbyFigures) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(f, ch) }

// Collect implements prometheus.Collector.
func (f lobbyFigures) Collect(ch chan<- prometheus.Metric) {
	s := f.lobby.Stats()
	gauge := gaugesIn(ch)
	gauge("boneyard_people", "People in the club now, members and guests.", float64(s.People))
	gauge("boneyard_visits", "Sessions that are inside the club now.", float64(s.Sessions))
	gauge("boneyard_tables", "Tables that are open now.", float64(s.Tables))
	gauge("boneyard_tables_playing", "Tables where somebody is to move now.", float64(s.Playing))
	for kind, n := range s.Events {
		gauge("boneyard_events", "Events that are not over, by kind.", float64(n), "kind", string(kind))
	}
	for _, state := range table.States() {
		gauge("boneyard_tables_by_state", "Tables that are open now, by state.", float64(s.States[state]), "state", string(state))
	}
	gauge("boneyard_tables_set_aside", "Tables that could not be read at the start.", float64(s.SetAside))
	gauge("boneyard_clock_leap_seconds", "By how much the server's clock is ahead of the time that events go by; 0 unless it has leapt.",
		float64(s.Leap/time.Second))
	ch <- prometheus.MustNewConstMetric(prometheus.NewDesc("boneyard_snapshots_total", "Times the lobby was published.", nil, nil),
		prometheus.CounterValue, float64(s.Published))
}

// recentTimes keeps the latest durations, to show how things are now rather than since the start.
type recentTimes struct {
	mu    sync.Mutex
	last  [512]time.Duration
	count int // ever added
}

func (r *recentTimes) add(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last[r.count%len(r.last)] = d
	r.count++
}

// quantiles returns the median and the 99th percentile of the latest durations, and their number, or zeros.
func (r *recentTimes) quantiles() (median, p99 time.Duration, of int) {
	r.mu.Lock()
	of = min(r.count, len(r.last))
	sorted := slices.Clone(r.last[:of])
	r.mu.Unlock()
	if of == 0 {
		return 0, 0, 0
	}
	slices.Sort(sorted)
	return sorted[of/2], sorted[of*99/100], of
}
