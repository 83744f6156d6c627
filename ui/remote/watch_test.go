package remote_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/golden"
	"boneyard/ui/plain"
	"boneyard/ui/remote"
)

// started is a command that runs.
type started struct {
	status int
	done   chan struct{}
	cancel context.CancelFunc
}

// start begins a command whose output goes to out.
func (c *club) start(p *person, words string, in io.Reader, out io.Writer) *started {
	ctx, cancel := context.WithCancel(context.Background())
	r := &started{done: make(chan struct{}), cancel: cancel}
	s := c.session(p, words)
	s.In, s.Out, s.Err = incoming(in), out, out
	go func() {
		defer close(r.done)
		r.status = remote.Run(ctx, &s)
	}()
	return r
}

func TestWatchTellsAGame(t *testing.T) {
	for _, format := range []string{"", " --json"} {
		bubble(t, func(t *testing.T, c *club) {
			a, b := c.member("ana").enter(), c.member("ben").enter()
			tab := c.table("classic target=25", a, b)
			c.step(tab, a, b)
			var out bytes.Buffer
			r := c.start(c.member("cem"), "watch 1"+format, strings.NewReader(""), &out)
			c.playOut(tab, a, b)
			<-r.done
			require.Zero(t, r.status)
			golden.Check(t, "watch"+strings.ReplaceAll(format, " --", ".")+".txt", out.String())
		})
	}
}

// written is what a command writes while it runs.
type written struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

// take returns what has been written since the last call.
func (w *written) take() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.text.String()
	w.text.Reset()
	return s
}

// At a table with open hands, a watcher sees them whenever they change: when a tile has been held for long
// enough, and when one has been played.
func TestWatchShowsOpenHands(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a, b := c.member("ana").enter(), c.member("ben").enter()
		tab := c.tableWith(func(cfg *table.Config) { cfg.OpenHands = true }, "classic", a, b)
		var out, words written
		c.start(c.member("cem"), "watch 1 --json", strings.NewReader(""), &out)
		c.start(c.member("dia"), "watch 1", strings.NewReader(""), &words)
		type object struct {
			Type      string
			OpenHands [][]string `json:"open_hands"`
		}
		seen := func() (all []object) { // the states that cem was sent since the last call
			published()
			for line := range strings.Lines(out.take()) {
				var s object
				require.NoError(t, json.Unmarshal([]byte(line), &s))
				if s.Type == "state" {
					all = append(all, s)
				}
			}
			return all
		}
		held := func() [][]string {
			return [][]string{plain.Tiles(c.view(tab, a).Play.Hand), plain.Tiles(c.view(tab, b).Play.Hand)}
		}

		states := seen()
		require.Len(t, states, 1)
		require.Empty(t, states[0].OpenHands, "nothing has been held for two minutes")
		require.NotContains(t, words.take(), "Held for 2 minutes")

		time.Sleep(2 * time.Minute)
		states = seen()
		require.Len(t, states, 1)
		require.Equal(t, held(), states[0].OpenHands)
		require.Contains(t, words.take(), "Held for 2 minutes: ana ")

		for n := tab.Summary(); ; { // until a tile is played
			c.step(tab, a, b)
			if now := tab.Summary(); now.Turn != n.Turn {
				break
			}
		}
		states = seen()
		require.NotEmpty(t, states)
		was := states[len(states)-1].OpenHands
		for i, hand := range held() { // a tile that was drawn before the play is shown later
			require.Subset(t, hand, was[i])
		}
		time.Sleep(2 * time.Minute)
		if later := seen(); len(later) > 0 {
			was = later[len(later)-1].OpenHands
		}
		require.Equal(t, held(), was)
		require.Empty(t, seen(), "nothing has changed")
	})
}

// A reader that stops reading for the whole of a game gets all moves of it, in order, even if the next has begun.
func TestWatchWaitsForSlowReaders(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a, b := c.member("ana").enter(), c.member("ben").enter()
		tab := c.table("classic target=60", a, b)
		var fast bytes.Buffer
		quick := c.start(nil, "watch 1", strings.NewReader(""), &fast)
		slow, w := io.Pipe()
		late := c.start(nil, "watch 1", strings.NewReader(""), w)
		c.playOut(tab, a, b)
		<-quick.done
		ctx := context.Background()
		require.NoError(t, a.Do(ctx, tab.ID(), table.Rematch{}))
		require.NoError(t, b.Do(ctx, tab.ID(), table.Rematch{}))
		synctest.Wait()
		require.Equal(t, table.GameID(2), tab.Summary().Game)
		var got []string
		s := bufio.NewScanner(slow)
		go func() {
			<-late.done
			_ = w.Close()
		}()
		for s.Scan() {
			got = append(got, s.Text())
		}
		require.Zero(t, late.status)
		require.Equal(t, moves(fast.String()), moves(strings.Join(got, "\n")))
		require.Contains(t, got[len(got)-1], "wins the game")
	})
}

func moves(out string) (list []string) {
	for line := range strings.Lines(out) {
		if line[0] >= '0' && line[0] <= '9' {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

func TestWatchEndsWithTheTable(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.member("ana").enter()
		cfg := table.DefaultConfig()
		cfg.Fill = table.FillNever
		_, err := ana.NewTable(context.Background(), cfg)
		require.NoError(t, err)
		var out bytes.Buffer
		r := c.start(nil, "watch 1", strings.NewReader(""), &out)
		published()
		op, err := c.Enter(context.Background(), nil, lobby.Origin{Operator: true})
		require.NoError(t, err)
		_, err = op.Say(context.Background(), "/close 1")
		require.NoError(t, err)
		<-r.done
		require.Zero(t, r.status)
		require.Contains(t, out.String(), "The table is closed.\n")
	})
}

func TestWatchEndsWithTheServer(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a, b := c.member("ana").enter(), c.member("ben").enter()
		c.table("classic", a, b)
		var out bytes.Buffer
		r := c.start(nil, "watch 1", strings.NewReader(""), &out)
		published()
		r.cancel()
		<-r.done
		require.Equal(t, 1, r.status)
		require.True(t, strings.HasSuffix(out.String(), lobby.NoticeDraining+"\n"))
	})
}

// Between games a restarted server has the result of the last one, but no game. Watchers wait for the next.
func TestWatchBetweenGamesAfterARestart(t *testing.T) {
	for _, format := range []string{"", " --json"} {
		bubble(t, func(t *testing.T, c *club) {
			ctx := context.Background()
			a, b := c.member("ana"), c.member("ben")
			va, vb := a.enter(), b.enter()
			tab := c.table("classic target=25", va, vb)
			c.playOut(tab, va, vb)
			require.NoError(t, c.Close(ctx))
			l, err := lobby.New(lobby.DefaultConfig(), lobby.Deps{Stores: c.Store.Stores()})
			require.NoError(t, err)
			defer func() { require.NoError(t, l.Close(ctx)) }()
			require.NoError(t, l.Start(ctx))
			c.Lobby = l

			var out bytes.Buffer
			r := c.start(c.member("cem"), "watch 1"+format, strings.NewReader(""), &out)
			synctest.Wait()
			select {
			case <-r.done:
				require.Fail(t, "it ended", out.String())
			default:
			}
			require.NotContains(t, out.String(), `"type":"result"`)
			r.cancel()
			<-r.done
		})
	}
}

// What is written once for all readers of a version is the same for each of them.
func TestAllReadersAreShownTheSame(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		people := []*lobby.Visit{c.member("ana").enter(), c.member("ben").enter()}
		tab := c.table("classic target=60", people...)
		stranger, compared := c.member("cem").enter(), 0
		for over := false; !over; over = c.step(tab, people...) {
			seen := c.view(tab, stranger)
			for _, p := range people {
				if v := c.view(tab, p); v.Version == seen.Version {
					require.Equal(t, remote.Shown(seen), remote.Shown(v))
					compared++
				}
			}
		}
		require.Positive(t, compared)
	})
}

// A table of a league or a cup says how its match stands; a game that is over counts.
func TestStateOfAMatch(t *testing.T) {
	v := &table.View{Play: rules.View{Seats: 4}}
	shown := func() string {
		b, err := json.Marshal(remote.Shown(v))
		require.NoError(t, err)
		return string(b)
	}
	require.NotContains(t, shown(), `"match"`)
	v.Config.Event = table.Event{ID: 7, Match: table.Match{Wins: 2, Tags: [2]string{"OWL", "CAT"}, Won: [2]int{1, 0}, Kept: time.Unix(0, 0)}}
	require.Contains(t, shown(), `"match":{"event":7,"tags":["OWL","CAT"],"won":[1,0],"wins":2,"kept":"1970-01-01T00:00:00Z"}`)
	v.Result = &table.Result{Winner: 2}
	require.Contains(t, shown(), `"won":[1,1]`)
}
