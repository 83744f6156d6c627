package lobby_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/table"
)

func TestSettings(t *testing.T) {
	c := open(t)
	a := c.member("ana")
	one, two := c.enter(a), c.enter(a)
	say(t, one, "/ignore ben")
	require.NoError(t, one.SaveSettings(ctx, lobby.Settings{Theme: "mono", Bell: true}))
	require.NoError(t, one.SetBot(ctx, true))
	want := lobby.Settings{Theme: "mono", Bell: true, Ignored: []string{"ben"}}
	require.Equal(t, want, two.Settings())
	require.True(t, two.Player().Bot)
	one.Close(table.Left)
	two.Close(table.Left)
	again := c.enter(a)
	require.Equal(t, want, again.Settings())
	require.True(t, again.Account().Bot)
	c.store.Fail(table.ErrUnavailable)
	require.ErrorIs(t, again.SaveSettings(ctx, lobby.Settings{}), lobby.ErrTrouble)
	require.Equal(t, want, again.Settings(), "what is not on disk is not so")
	c.store.Fail(nil)
}

// Of settings saved at the same time, the last ones chosen stay, for the person and on disk.
func TestLastSettingsStay(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		ana, again := c.enter(a), c.enter(a)
		c.store.Slow(time.Second)
		done := make(chan error, 2)
		go func() { done <- ana.SaveSettings(ctx, lobby.Settings{Theme: "dark"}) }()
		synctest.Wait()
		c.store.Slow(0)
		go func() { done <- again.SaveSettings(ctx, lobby.Settings{Theme: "light"}) }()
		require.NoError(t, <-done)
		require.NoError(t, <-done)
		require.Equal(t, "light", ana.Settings().Theme)
		kept, err := c.Account(ctx, a.Key)
		require.NoError(t, err)
		require.Equal(t, "light", kept.Settings.Theme)
	})
}

// A person who enters with an account that another session has changed since gets and keeps its current
// state.
func TestWhoEntersHasTheLatestAccount(t *testing.T) {
	ctx := t.Context()
	c := open(t)
	a := c.member("ana")
	read, err := c.Account(ctx, a.Key)
	require.NoError(t, err)
	ana := c.enter(a)
	require.NoError(t, ana.SaveSettings(ctx, lobby.Settings{Theme: "mono"}))
	require.NoError(t, errOf(ana.CreateTeam(ctx, "Alley Cats", "CAT")))
	ana.Close(table.Left)
	again, err := c.Enter(ctx, read, lobby.Origin{Net: "10.0.0.1", Key: read.Key})
	require.NoError(t, err)
	defer again.Close(table.Left)
	require.Equal(t, "mono", again.Settings().Theme)
	require.Equal(t, "CAT", again.Player().Tag)
	s := again.Settings()
	s.Bell = true
	require.NoError(t, again.SaveSettings(ctx, s))
	kept, err := c.Account(ctx, a.Key)
	require.NoError(t, err)
	require.Equal(t, lobby.Settings{Theme: "mono", Bell: true}, kept.Settings)
}

// Settings that are saved while their session ends also apply to a session that has started since.
func TestSettingsOfASessionThatEnds(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		a := c.member("ana")
		ana := c.enter(a)
		c.store.Slow(time.Second)
		done := make(chan error, 1)
		go func() { done <- ana.SaveSettings(ctx, lobby.Settings{Theme: "light"}) }()
		synctest.Wait()
		c.store.Slow(0)
		ana.Close(table.Disconnected)
		again := c.enter(a)
		require.NoError(t, <-done)
		require.Equal(t, "light", again.Settings().Theme)
	})
}

// A program never plays for a rating, even one that takes over its owner's seat, before or during the game.
func TestAProgramTakesOverNoRatedGame(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		tab := sits(t, ana)
		begin(t, tab, ana, ben)
		require.True(t, tab.Summary().Rated)
		require.ErrorIs(t, ana.SetBot(ctx, true), lobby.ErrRatedSeat)
		require.False(t, ana.Player().Bot)
		do(t, ben, tab.ID(), table.Resign{})
		require.NoError(t, ana.SetBot(ctx, true))
		synctest.Wait()
		require.Equal(t, "with a program", tab.Summary().Casual(), "who watches sees it at once")
		begin(t, tab, ana, ben)
		require.False(t, tab.Summary().Rated)

		cid, dan := c.come("cid"), c.come("dan")
		tab = sits(t, cid)
		c.store.Slow(10 * time.Second)
		done := make(chan error, 1)
		go func() { done <- cid.SetBot(ctx, true) }()
		synctest.Wait()
		c.store.Slow(0)
		begin(t, tab, cid, dan)
		require.True(t, tab.Summary().Rated)
		require.ErrorIs(t, <-done, lobby.ErrRatedSeat, "the game began while the mark was saved")
		require.ErrorIs(t, cid.SetBot(ctx, true), lobby.ErrRatedSeat, "and the mark lets in nobody later")
		do(t, dan, tab.ID(), table.Resign{})
		require.NoError(t, cid.SetBot(ctx, true))
	})
}

// A program that was promised a bot's seat before it was marked as one has that seat as a program.
func TestAProgramTakesABotsSeatAsOne(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		tab := sits(t, ana)
		do(t, ana, tab.ID(), table.Ready{On: true, Bots: true})
		do(t, ben, tab.ID(), table.Sit{})
		require.True(t, tab.Summary().Takes(ben.Player().ID))
		require.NoError(t, ben.SetBot(t.Context(), true))
		synctest.Wait()
		do(t, ana, tab.ID(), table.Resign{}) // the bot's seat is ben's now
		s := tab.Summary()
		require.True(t, s.Seats[s.SeatOf(ben.Player().ID)-1].Player.Bot, "or another game there would be rated")
	})
}

// A player in an event without programs cannot hand their place to one, either before it or at its table.
func TestAProgramTakesOverNoPlaceInAnEvent(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come("ana"), c.come("ben")
		enter := map[string]func() error{
			"Arena": func() error {
				id := c.made(ana.NewArena(ctx, arena.Config{Rules: "classic", Pace: table.PaceFast}, time.Time{}, time.Hour))
				return ana.EnterEvent(ctx, arena.Kind, id, "")
			},
			"Duplicate arena": func() error {
				id := c.made(ana.NewField(ctx, field.Config{Rules: "classic", Pace: table.PaceNormal}, time.Now().Add(time.Minute)))
				return ana.EnterEvent(ctx, field.Kind, id, "")
			},
			"Duplicate match": func() error {
				id := c.made(ana.NewDuplicate(ctx, duplicate.Config{Rules: "classic", Pace: table.PaceNormal}))
				require.NoError(t, ben.EnterDuplicate(ctx, id, duplicate.B))
				require.NoError(t, ana.EnterDuplicate(ctx, id, duplicate.A))
				return ana.StartDuplicate(ctx, id)
			},
		}
		for title, enter := range enter {
			require.NoError(t, enter())
			require.ErrorContains(t, ana.SetBot(ctx, true), "You take part in "+title)
			c.restart()
			ana, ben = c.back("ana"), c.back("ben")
			require.ErrorContains(t, ana.SetBot(ctx, true), "You take part in ")
			for _, kind := range []event.Kind{arena.Kind, field.Kind, duplicate.Kind} {
				for _, r := range ana.EventRooms(kind) {
					require.NoError(t, r.Do(ctx, func(event.Rules, time.Time) ([]event.Entry, error) {
						return []event.Entry{event.New(event.KindOver, nil)}, nil
					}))
				}
			}
			synctest.Wait() // for the rooms, which close when their event is over
		}
		id := c.made(ben.NewArena(ctx, arena.Config{Rules: "classic", Pace: table.PaceFast, Programs: true}, time.Time{}, time.Hour))
		require.NoError(t, ana.EnterEvent(ctx, arena.Kind, id, ""))
		require.NoError(t, ana.SetBot(ctx, true))
	})
}

// Of an entry into an event without programs and a mark as a program at the same moment, one is refused.
func TestAProgramDoesNotEnterWhileItIsMarked(t *testing.T) {
	for _, first := range []string{"ana", "ben"} { // whose entry is being written when the mark is requested
		t.Run(first, inClub(func(t *testing.T, c *club) {
			people := map[string]*lobby.Visit{"ana": c.come("ana"), "ben": c.come("ben")}
			id, err := people["ben"].NewField(t.Context(), field.Config{Rules: "classic", Pace: table.PaceNormal}, time.Now().Add(time.Hour))
			require.NoError(t, err)
			done := make(chan error, 2)
			enter := func(name string) {
				go func() { done <- people[name].EnterEvent(t.Context(), field.Kind, id, "") }()
				synctest.Wait()
			}
			c.store.Slow(10 * time.Second)
			enter(first)
			c.store.Slow(0)
			if first != "ana" {
				enter("ana")
			}
			require.ErrorContains(t, people["ana"].SetBot(t.Context(), true), "You take part in Duplicate arena 1")
			require.NoError(t, <-done)
		}))
	}
}
