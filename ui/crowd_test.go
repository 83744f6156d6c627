package ui

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/page"
)

// crowd is several people in one club who press random keys, come and go at any moment, and get the club's
// messages sooner or later. What one of them does affects the others' pages.
type crowd struct {
	t    *testing.T
	club *lobbytest.Club
	seed uint64
	rng  *rand.Rand
	in   []*walker
	gone []*walker // their commands may still be running
	keys map[string]lobby.KeyID
}

// crowdNames are the people of a crowd: members, of whom ana is an operator, and one guest.
var crowdNames = []string{"ana", "ben", "cleo", "dora", ""}

// Nothing panics, no matter what people do to one another's pages.
func TestACrowdPressesKeys(t *testing.T) {
	seeds := []uint64{1, 2, 3}
	steps := 300
	if testing.Short() {
		seeds = seeds[:1]
	}
	if *walkLong {
		seeds, steps = nil, 4000
		for range 20 {
			seeds = append(seeds, rand.Uint64())
		}
	}
	if *walkSeed != 0 {
		seeds = []uint64{*walkSeed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			lobbytest.Bubble(t, func(t *testing.T, club *lobbytest.Club) {
				c := &crowd{t: t, club: club, seed: seed, rng: rand.New(rand.NewPCG(seed, 2)), keys: make(map[string]lobby.KeyID)}
				c.prepare()
				for range steps {
					c.step()
				}
			}, func(cfg *lobby.Config) { cfg.Exhibition, cfg.Daily = true, true })
		})
	}
}

// prepare lets everybody in, and gives the club events, teams and a table.
func (c *crowd) prepare() {
	for i, name := range crowdNames {
		if name != "" {
			c.keys[name] = lobby.KeyID{7, byte(i)}
			_, err := c.club.Register(c.t.Context(), lobby.Origin{Key: c.keys[name]}, name)
			require.NoError(c.t, err)
		}
		c.in = append(c.in, c.come(name))
	}
	ana := c.in[0].m.env.Visit
	for _, kind := range []string{"league", "cup"} {
		command, _ := feature.Find(feature.Line, kind)
		_, err := command.Carry(c.t.Context(), &feature.Ask{Visit: ana, Words: []string{"new", "in=1h", "name=Winter"}, Now: time.Now()})
		require.NoError(c.t, err)
	}
	_, err := ana.NewArena(c.t.Context(), arena.Config{Name: "Friday", Rules: "classic", Pace: table.PaceFast}, time.Time{}, time.Hour)
	require.NoError(c.t, err)
	_, err = ana.NewDuplicate(c.t.Context(), duplicate.Config{Rules: "classic", Pace: table.PaceFast})
	require.NoError(c.t, err)
	for i, tag := range []string{"AAA", "BBB"} {
		_, err := c.in[i].m.env.Visit.CreateTeam(c.t.Context(), "Team "+tag, tag)
		require.NoError(c.t, err)
	}
}

// come lets somebody in.
func (c *crowd) come(name string) *walker {
	s := Session{Caller: feature.Caller{User: "cleo",
		Origin: lobby.Origin{Net: fmt.Sprintf("10.0.%d.7", c.rng.IntN(50)), Exempt: true, Operator: name == "ana"}}}
	if key, ok := c.keys[name]; ok {
		a, err := c.club.Account(c.t.Context(), key)
		require.NoError(c.t, err)
		s.Key, s.Origin.Key, s.Account = &key, key, a
	}
	w := walk(c.t, c.club.Lobby, c.seed, s)
	w.did = append(w.did, name)
	return w
}

// step lets one of them do something.
func (c *crowd) step() {
	c.t.Helper()
	i := c.rng.IntN(len(c.in))
	w := c.in[i]
	w.m.screen.Repaint()
	switch n := c.rng.IntN(100); {
	case n < 12 && !w.quit:
		to := c.target(w)
		w.did = append(w.did, fmt.Sprintf("page %s (table %d, game %d, team %d, event %d, %q)", to.Kind, to.Table, to.Game, to.Team, to.Event,
			to.Name))
		w.push(page.GotoMsg{To: to, Replace: c.rng.IntN(3) == 0})
	case n < 15:
		w.push(tea.WindowSizeMsg{Width: 1 + c.rng.IntN(220), Height: 1 + c.rng.IntN(70)})
	case n < 17:
		w.push(tea.PasteMsg{Content: []string{"ana", "/close 1", "/tell ben hello", "/mute cleo 1m", "/kick ben", "/whois dora", "/unban ben",
			"K7QX"}[c.rng.IntN(8)]})
	case n < 20:
		w.push(tea.MouseClickMsg{X: c.rng.IntN(220), Y: c.rng.IntN(70), Button: tea.MouseLeft})
	case n < 26:
		time.Sleep(time.Duration(c.rng.IntN(40)) * time.Second)
	case n < 27:
		time.Sleep(time.Duration(c.rng.IntN(40)) * time.Minute)
	case n < 30 || w.quit: // the connection is lost, whatever is under way
		w.leave([]table.Presence{table.Left, table.Disconnected}[c.rng.IntN(2)])
		c.gone = append(c.gone, w)
		c.in[i] = c.come(crowdNames[i])
	case n < 60:
		k := []rune{tea.KeyEnter, tea.KeyDown, tea.KeyUp, tea.KeyLeft, tea.KeyRight, tea.KeyEscape, tea.KeySpace, tea.KeyTab, 'y', 'r', 's', 'n',
			'p'}[c.rng.IntN(13)]
		w.pushKey(tea.KeyPressMsg{Code: k, Text: textOf(k)})
	default:
		w.pushKey(everyKey[c.rng.IntN(len(everyKey)/4)]) // without modifiers, and with shift
	}
	for _, w := range c.in {
		w.some(c.rng.IntN(4))
	}
	synctest.Wait()
	for _, w := range append(c.in, c.gone...) {
		if caught := w.m.trap.err(); caught != nil {
			w.fail("%v\n%s", caught, caught.Stack)
		}
	}
	if len(c.gone) > 20 {
		c.gone = c.gone[10:]
	}
}

func textOf(k rune) string {
	if k >= ' ' && k < tea.KeyExtended {
		return string(k)
	}
	return ""
}

// target returns a random page with a random number, often one that exists.
func (c *crowd) target(w *walker) page.Target {
	kinds := slices.Sorted(maps.Keys(makers))
	to := page.Target{Kind: kinds[c.rng.IntN(len(kinds))]}
	tables := w.m.env.Visit.Snapshot().Tables
	to.Table = table.ID(c.rng.IntN(5))
	if len(tables) > 0 && c.rng.IntN(8) > 0 {
		to.Table = tables[c.rng.IntN(len(tables))].Table
	}
	to.Game, to.Team, to.Other = table.GameID(c.rng.IntN(12)), table.TeamID(c.rng.IntN(4)), table.TeamID(c.rng.IntN(4))
	to.Event, to.Name = event.ID(c.rng.IntN(8)), crowdNames[c.rng.IntN(len(crowdNames))]
	if c.rng.IntN(2) == 0 {
		to.Kind = page.Table
	}
	return to
}

// pushKey queues a key behind the messages that have come.
func (w *walker) pushKey(k tea.KeyPressMsg) {
	if w.did = append(w.did, fmt.Sprintf("%q", k.String())); len(w.did) > 60 {
		w.did = w.did[20:]
	}
	w.push(k)
}

// some hands the page up to n queued messages, in order.
func (w *walker) some(n int) {
	w.t.Helper()
	for range n {
		synctest.Wait()
		w.mu.Lock()
		if len(w.queue) == 0 || w.quit {
			w.mu.Unlock()
			return
		}
		msg := w.queue[0]
		w.queue = w.queue[1:]
		w.mu.Unlock()
		w.give(msg)
	}
}
