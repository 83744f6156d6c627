package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/store"
	"boneyard/table"
)

var (
	monthDays = flag.Int("month.days", 0, "how many days TestMonth simulates; 0: it is skipped")
	monthSeed = flag.Uint64("month.seed", 1, "its seed")
	monthLog  = flag.String("month.log", "", "the file to which TestMonth writes what the club logs")
)

// TestMonth simulates days, a month or a year of a club: people come, go and vanish, found teams and leave
// them, challenge each other, and play the daily deal, arenas, duplicate matches, duplicate arenas, leagues and
// cups at once, while about each hour the club is restarted or killed, and at times its clock is set or its
// disk stalls. The club is the real one, with its lobby, its tables and its file; only time is simulated.
//
// Whatever the people do, the laws in month_laws_test.go hold.
func TestMonth(t *testing.T) {
	days := *monthDays
	if days == 0 {
		t.Skip("is given days by -month.days, as in .ci/run")
	}
	t.Parallel()
	t.Logf("again with: go test ./cmd/sshd -run '^TestMonth$' -month.days %d -month.seed %d -timeout 3h", days, *monthSeed)
	m := &month{seed: *monthSeed, rng: rand.New(rand.NewPCG(*monthSeed, 0)), games: rand.New(rand.NewPCG(*monthSeed, 1)), dir: t.TempDir(),
		log: newMonthLog(io.Discard)}
	if *monthLog != "" {
		f, err := os.Create(*monthLog)
		require.NoError(t, err)
		defer f.Close()
		m.log = newMonthLog(f)
	}
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(30 * 24 * time.Hour) // so that the second day begins another month
		m.t = t
		m.laws = newLaws(m)
		m.goesOn(days)
	})
	m.t = t
	m.laws.judgeFile()
	m.laws.report()
}

// month is a club, with what happens to it.
type month struct {
	t     *testing.T
	seed  uint64
	rng   *rand.Rand // of what happens
	dir   string
	file  string // that the last run left
	runs  int    // of the program
	clock monthClock
	stall atomic.Int64 // until when the disk stands still, as monotonic time
	log   *monthLogger
	laws  *laws

	mu     sync.Mutex
	games  *rand.Rand // for seeds
	open   *monthRun  // nil while the program does not run
	here   map[table.PlayerID]bool
	dates  map[table.TeamID]time.Time // the teams' next matches
	living sync.WaitGroup
}

// monthRun is one run of the program.
type monthRun struct {
	*club
	path string
	dead atomic.Bool // killed: what it does is no longer seen by anybody
	over chan struct{}
}

// monthClock is the club's wall clock, which may be set. Monotonic time is unaffected.
type monthClock struct {
	began time.Time
	ahead atomic.Int64
}

// now is the time with a monotonic reading, as time.Now has outside of bubbles.
func (c *monthClock) now() time.Time { return setAhead(time.Duration(c.ahead.Load()), c.began) }

// setAhead returns the time of a wall clock that was set, with an unaffected monotonic reading since began.
// Package time cannot move the two readings apart.
func setAhead(by time.Duration, began time.Time) time.Time {
	const hasMonotonic, year1885 = 1 << 63, -2682288000
	t := time.Now().Add(by)
	parts := (*struct {
		wall uint64
		ext  int64
	})(unsafe.Pointer(&t))
	parts.wall = hasMonotonic | uint64(t.Unix()-year1885)<<30 | uint64(t.Nanosecond())
	parts.ext = int64(time.Since(began)) + 1
	return t
}

// goesOn lets so many days pass.
func (m *month) goesOn(days int) {
	m.clock.began = time.Now()
	m.here, m.dates = make(map[table.PlayerID]bool), make(map[table.TeamID]time.Time)
	m.start(filepath.Join(m.dir, "club.db"))
	ctx, end := context.WithCancel(context.Background())
	for i := range len(monthNames) - 1 {
		p := newMonthPerson(m, i)
		m.living.Go(func() { p.live(ctx) })
	}
	m.living.Go(func() { newSteward(m).live(ctx) })
	for day := range days {
		for hour := range 24 {
			at := m.clock.began.Add(time.Duration(24*day+hour)*time.Hour + time.Duration(m.rng.Int64N(int64(50*time.Minute))))
			time.Sleep(time.Until(at))
			m.laws.look()
			if day < 31 || hour%6 == quietHour%6 {
				m.happens(hour) // rarer in a year: each start verifies a file that grows
			}
			if hour == quietHour {
				m.laws.endOfDay(day)
			}
		}
	}
	end()
	m.living.Wait()
	m.file = m.stop()
}

// quietHour is the hour of the night in which nobody comes: all are out for two hours.
const quietHour = 5

// happens does something to the club, as each hour.
func (m *month) happens(hour int) {
	what := m.rng.IntN(16)
	if hour == quietHour {
		what = 15
	}
	switch {
	case what < 2:
		m.stalls()
	case what < 3:
		m.setClock()
	case what < 6:
		m.log.note("killed")
		m.kill()
	case what < 15:
		m.restart()
	}
}

func (m *month) restart() {
	m.log.note("restarted")
	path := m.stop()
	time.Sleep(2 * time.Second)
	m.start(path)
}

// start runs the program on a file.
func (m *month) start(path string) {
	r := &monthRun{path: path, over: make(chan struct{})}
	m.runs++
	log := slog.New(slog.NewTextHandler(m.log.of(r), &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	options := store.DefaultOptions()
	options.Fatal = func(err error) { m.t.Errorf("the store wants to end the process: %v", err) }
	options.Warn = func(err error) { log.Error("store", "err", err) }
	options.LookLater, options.CheckpointAfter = 1<<20, time.Hour
	options.Committed = func(store.Group) {
		time.Sleep(time.Duration(m.stall.Load()) - time.Since(m.clock.began))
	}
	st, err := store.Open(context.Background(), path, options)
	require.NoError(m.t, err)
	settings := DefaultSettings()
	settings.Exhibition, settings.HostKeys = false, m.dir
	reg := prometheus.NewRegistry()
	r.club, err = newClub(settings, st, newClubMetrics(reg), nil, table.Deps{NewSeed: m.newSeed, Rand: m.newRand, Now: m.clock.now}, log, reg)
	require.NoError(m.t, err)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.open = r
}

func (m *month) newSeed() (seed rules.Seed) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := 0; i < len(seed); i += 8 {
		binary.BigEndian.PutUint64(seed[i:], m.games.Uint64())
	}
	return seed
}

func (m *month) newRand() *rand.Rand {
	m.mu.Lock()
	defer m.mu.Unlock()
	return rand.New(rand.NewPCG(m.games.Uint64(), m.games.Uint64()))
}

// now returns the current run, or nil.
func (m *month) now() *monthRun {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.open
}

// stop ends the program in an orderly way, and returns its file.
func (m *month) stop() (path string) {
	m.mu.Lock()
	r := m.open
	m.open = nil
	m.mu.Unlock()
	close(r.over)
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	r.Drain(ctx)
	require.NoError(m.t, r.Close())
	return r.path
}

// kill ends the program at this moment: the next run gets copies of its files as they are now.
func (m *month) kill() {
	synctest.Wait()
	r := m.now()
	path := filepath.Join(m.dir, fmt.Sprintf("club%d.db", m.runs))
	for _, end := range []string{"", "-wal", ".mark"} {
		b, err := os.ReadFile(r.path + end)
		if os.IsNotExist(err) {
			continue
		}
		require.NoError(m.t, err)
		require.NoError(m.t, os.WriteFile(path+end, b, 0o600))
	}
	r.dead.Store(true)
	m.stop()
	for _, end := range []string{"", "-wal", "-shm", ".lock", ".mark"} {
		_ = os.Remove(r.path + end)
	}
	time.Sleep(2 * time.Second)
	m.start(path)
}

// stalls stalls the disk, if possible when a game is over, so that another may begin meanwhile.
func (m *month) stalls() {
	const long = time.Minute
	for range 600 {
		if m.now().lobby.Stats().States[table.Finished] > 0 {
			break
		}
		time.Sleep(time.Second)
	}
	m.log.note("the disk stalls: %v", m.now().lobby.Stats().States)
	m.stall.Store(int64(time.Since(m.clock.began) + long))
	time.Sleep(long / 2)
	m.laws.readersGoOn()
	time.Sleep(long)
}

// setClock makes the clock wrong for some minutes. The program may be restarted meanwhile.
func (m *month) setClock() {
	by := pickOf(m.rng, -3*time.Hour, 3*time.Hour, 26*time.Hour, 400*24*time.Hour)
	m.log.note("the clock is set by %v", by)
	m.clock.ahead.Store(int64(by))
	time.Sleep(5 * time.Minute)
	if m.rng.IntN(3) == 0 {
		m.restart()
		time.Sleep(2 * time.Minute)
	}
	m.clock.ahead.Store(0)
	m.log.note("the clock is right again")
	time.Sleep(2 * time.Minute)
}
