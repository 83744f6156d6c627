package lobby_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/lobbytest"
	"boneyard/rules"
	"boneyard/table"
)

var ctx = context.Background()

// club is a lobby in a test, with its store.
type club struct {
	*lobby.Lobby
	t     testing.TB
	store *lobbytest.Store
	cfg   lobby.Config
	keys  int
	deps  func(*lobby.Deps) // nil: the usual
}

// open makes a club without an exhibition; it is closed with the test.
func open(t testing.TB, change ...func(*lobby.Config)) *club {
	t.Helper()
	cfg := lobby.DefaultConfig()
	cfg.Exhibition = false
	for _, f := range change {
		f(&cfg)
	}
	c := &club{t: t, store: lobbytest.New(t), cfg: cfg}
	c.start()
	t.Cleanup(c.stop)
	return c
}

func (c *club) start() {
	c.t.Helper()
	d := lobby.Deps{Stores: c.store.Stores(),
		Now: func() time.Time { return time.Now().UTC().Round(0) }} // times compare equal to those from the store
	if c.deps != nil {
		c.deps(&d)
	}
	l, err := lobby.New(c.cfg, d)
	require.NoError(c.t, err)
	require.NoError(c.t, l.Start(ctx))
	c.Lobby = l
}

func (c *club) stop() {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	require.NoError(c.t, c.Close(ctx))
}

// restart stops the server and starts it again.
func (c *club) restart() {
	c.t.Helper()
	c.stop()
	c.start()
}

// openAhead opens a club whose clock is ahead by a given time.
func openAhead(t testing.TB, by *atomic.Int64, change ...func(*lobby.Config)) *club {
	t.Helper()
	c := open(t, change...)
	c.stop()
	c.deps = func(d *lobby.Deps) {
		d.Now = func() time.Time { return time.Now().Add(time.Duration(by.Load())).UTC().Round(0) }
	}
	c.start()
	return c
}

// failOnce makes writes slow, and makes them fail for a second once a condition is met.
func (c *club) failOnce(is func() bool) {
	c.store.Slow(10 * time.Millisecond)
	go func() {
		for !is() {
			time.Sleep(time.Microsecond)
		}
		c.store.Fail(fmt.Errorf("disk full: %w", table.ErrUnavailable))
		time.Sleep(time.Second)
		c.store.Fail(nil)
	}()
}

// member registers somebody under a key of their own.
func (c *club) member(name string) *lobby.Account {
	c.t.Helper()
	c.keys++
	a, err := c.Register(ctx, lobby.Origin{Key: lobby.KeyID{1, byte(c.keys), byte(c.keys >> 8)}}, name)
	require.NoError(c.t, err)
	return a
}

// enter lets a member in, from an address of their own.
func (c *club) enter(a *lobby.Account, change ...func(*lobby.Origin)) *lobby.Visit {
	c.t.Helper()
	a, err := c.Account(ctx, a.Key)
	require.NoError(c.t, err)
	o := lobby.Origin{Key: a.Key, Net: fmt.Sprintf("10.0.%d.%d", a.ID/256, a.ID%256), Terminal: "xterm"}
	for _, f := range change {
		f(&o)
	}
	v, err := c.Enter(ctx, a, o)
	require.NoError(c.t, err)
	v.Listen()
	return v
}

// come registers a person and lets them in.
func (c *club) come(name string, change ...func(*lobby.Origin)) *lobby.Visit {
	c.t.Helper()
	return c.enter(c.member(name), change...)
}

// comeAll lets members in.
func (c *club) comeAll(names ...string) (people []*lobby.Visit) {
	c.t.Helper()
	for _, name := range names {
		people = append(people, c.come(name))
	}
	return people
}

// made is the event that a call has created.
func (c *club) made(id event.ID, err error) event.ID {
	c.t.Helper()
	require.NoError(c.t, err)
	return id
}

// unite creates a team of a captain and others who are here.
func unite(t testing.TB, name, tag string, captain *lobby.Visit, others ...*lobby.Visit) *lobby.Team {
	t.Helper()
	team, err := captain.CreateTeam(ctx, name, tag)
	require.NoError(t, err)
	for _, v := range others {
		require.NoError(t, captain.Invite(ctx, v.Player().Name))
		require.NoError(t, v.Accept(ctx, team.ID))
	}
	return team
}

// leave ends visits.
func leave(how table.Presence, visits ...*lobby.Visit) {
	for _, v := range visits {
		v.Close(how)
	}
}

// back lets a member in again.
func (c *club) back(name string, change ...func(*lobby.Origin)) *lobby.Visit {
	c.t.Helper()
	a, err := c.store.ByName(ctx, name)
	require.NoError(c.t, err)
	return c.enter(a, change...)
}

// errOf is the error of a call whose result does not matter.
func errOf[T any](_ T, err error) error { return err }

func operator(o *lobby.Origin) { o.Operator = true }

func (c *club) guest(net string) *lobby.Visit {
	c.t.Helper()
	v, err := c.Enter(ctx, nil, lobby.Origin{Net: net})
	require.NoError(c.t, err)
	return v
}

// sits makes an open table without bots at which somebody sits.
func sits(t testing.TB, v *lobby.Visit, change ...func(*table.Config)) *table.Table {
	t.Helper()
	cfg := table.DefaultConfig()
	cfg.Fill = table.FillNever
	for _, f := range change {
		f(&cfg)
	}
	tab, err := v.NewTable(ctx, cfg)
	require.NoError(t, err)
	return tab
}

// ruleset is what a rule string says.
func ruleset(t testing.TB, text string) rules.Ruleset {
	t.Helper()
	r, err := rules.Parse(text)
	require.NoError(t, err)
	return r
}

func do(t testing.TB, v *lobby.Visit, id table.ID, c table.Command) {
	t.Helper()
	require.NoError(t, v.Do(ctx, id, c))
}

func say(t testing.TB, v *lobby.Visit, line string) string {
	t.Helper()
	reply, err := v.Say(ctx, line)
	require.NoError(t, err)
	return reply
}

// begin seats people, makes them ready, and waits until the game has begun. Call it in a bubble.
func begin(t testing.TB, tab *table.Table, people ...*lobby.Visit) {
	t.Helper()
	for _, v := range people {
		if i := slices.IndexFunc(v.MyTables(), func(s table.Summary) bool { return s.Table == tab.ID() }); i < 0 {
			do(t, v, tab.ID(), table.Sit{})
		}
	}
	for _, v := range people {
		do(t, v, tab.ID(), table.Ready{On: true})
	}
	wait(time.Minute / 10) // the countdown
	require.Equal(t, table.Playing, tab.Summary().State)
}

// bubble runs a test with a club as [open] makes it, in which time stands still while anybody works.
func bubble(t *testing.T, f func(t *testing.T, c *club)) {
	t.Helper()
	inClub(f)(t)
}

// inClub is bubble for a case of a test.
func inClub(f func(t *testing.T, c *club)) func(t *testing.T) {
	return func(t *testing.T) { synctest.Test(t, func(t *testing.T) { f(t, open(t)) }) }
}

// wait lets time pass in a bubble, and all be done that is due by then.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// atOnce runs a law over what many do at the same moment, in a bubble.
func atOnce(t *testing.T, law func(t *testing.T, rng *rand.Rand)) {
	for _, seed := range seeds(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { law(t, rand.New(rand.NewPCG(seed, 0))) })
		})
	}
}

// kits registers members, and returns their names.
func (c *club) kits(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprint("kit", string(rune('a'+i))))
		c.member(names[i])
	}
	return names
}

// calm makes the store fast again, and waits until nothing is under way.
func (c *club) calm() {
	c.store.Slow(0)
	c.store.SlowReads(0)
	wait(time.Second)
}

// seenOf returns what a visit sees of an event or a day, once all is done. Call it in a bubble.
func seenOf[K, V any](t *testing.T, see func(context.Context, K) (*V, error), of K) *V {
	t.Helper()
	synctest.Wait()
	v, err := see(ctx, of)
	require.NoError(t, err)
	return v
}

// seen returns the lobby as a visit sees it once everything is published. Call it in a bubble.
func seen(v *lobby.Visit) *lobby.Snapshot {
	wait(time.Second)
	return v.Snapshot()
}

// texts are the lines of the lobby's chat.
func texts(s *lobby.Snapshot) (list []string) {
	for _, l := range s.Chat {
		list = append(list, l.Text)
	}
	return list
}

func names(s *lobby.Snapshot) (list []string) {
	for _, p := range s.People {
		list = append(list, p.Player.Name)
	}
	return list
}

func news(s *lobby.Snapshot) (list []string) {
	for _, n := range s.News {
		list = append(list, n.Kind+": "+n.Text)
	}
	return list
}
