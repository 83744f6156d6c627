package lobby_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/cup"
	"boneyard/lobby/event/night"
	"boneyard/table"
)

// answered is what a store's caller learns of a change that was made: called after it, it returns the error.
type answered func() error

type (
	answeredAccounts struct {
		lobby.Accounts
		answered
	}
	answeredModeration struct {
		lobby.Moderation
		answered
	}
	answeredTeams struct {
		lobby.Teams
		answered
	}
	answeredTalk struct {
		lobby.Talk
		answered
	}
	answeredEvents struct {
		heldEvents
		answered
	}
)

func (a answeredAccounts) Save(ctx context.Context, id table.PlayerID, s lobby.Settings, bot bool) error {
	if err := a.Accounts.Save(ctx, id, s, bot); err != nil {
		return err
	}
	return a.answered()
}

func (a answeredModeration) AddSanction(ctx context.Context, s lobby.Sanction) (int64, error) {
	id, err := a.Moderation.AddSanction(ctx, s)
	if err == nil {
		err = a.answered()
	}
	return id, err
}

func (a answeredModeration) LiftSanction(ctx context.Context, kind, whom string, now time.Time) (int, error) {
	n, err := a.Moderation.LiftSanction(ctx, kind, whom, now)
	if err == nil {
		err = a.answered()
	}
	return n, err
}

func (a answeredModeration) Audit(ctx context.Context, e lobby.AuditEntry) error {
	if err := a.Moderation.Audit(ctx, e); err != nil || e.Did != "announce" {
		return err
	}
	return a.answered()
}

func (a answeredTeams) Accept(ctx context.Context, team table.TeamID, id table.PlayerID, now time.Time) error {
	if err := a.Teams.Accept(ctx, team, id, now); err != nil {
		return err
	}
	return a.answered()
}

func (a answeredTeams) Invite(ctx context.Context, team table.TeamID, by, whom table.PlayerID, now time.Time) error {
	if err := a.Teams.Invite(ctx, team, by, whom, now); err != nil {
		return err
	}
	return a.answered()
}

func (a answeredTalk) Say(ctx context.Context, at event.ID, l lobby.Line) (int64, error) {
	seq, err := a.Talk.Say(ctx, at, l)
	if err == nil {
		err = a.answered()
	}
	return seq, err
}

func (a answeredEvents) CreateEvent(ctx context.Context, e event.Event) (event.Event, error) {
	e, err := a.heldEvents.CreateEvent(ctx, e)
	if err == nil {
		err = a.answered()
	}
	return e, err
}

// answer calls f after each change that people make.
func answer(all *lobby.Stores, f answered) {
	all.Accounts, all.Moderation = answeredAccounts{all.Accounts, f}, answeredModeration{all.Moderation, f}
	all.Teams, all.Talk, all.Events = answeredTeams{all.Teams, f}, answeredTalk{all.Talk, f}, answeredEvents{all.Events, f}
}

// What was written while the club was cut off, although nobody could know it, holds as soon as the club is back.
func TestWhatWasUnsureHoldsAfterwards(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		var unsure error
		c.stop()
		c.store.Replace = func(all *lobby.Stores) { answer(all, func() error { return unsure }) }
		c.start()
		olga, ana, ben, cem, dan := c.come("olga", operator), c.come("ana"), c.come("ben"), c.come("cem"), c.come("dan")
		team := unite(t, "Owls", "OWL", ana)
		require.NoError(t, ana.Invite(ctx, "ben"))
		unsure = lobby.ErrUnsure
		require.ErrorIs(t, ben.Accept(ctx, team.ID), lobby.ErrUnsure)
		require.ErrorIs(t, ana.Invite(ctx, "dan"), lobby.ErrUnsure)
		require.ErrorIs(t, dan.SetBot(ctx, true), lobby.ErrUnsure)
		require.ErrorIs(t, errOf(olga.Say(ctx, "/ban cem")), lobby.ErrUnsure)
		require.ErrorIs(t, errOf(olga.Say(ctx, "/announce tea at five")), lobby.ErrUnsure)
		require.ErrorIs(t, errOf(ana.Say(ctx, "hello?")), lobby.ErrUnsure)
		require.ErrorIs(t, errOf(olga.NewClubNight(ctx, time.Hour)), lobby.ErrUnsure)
		c.Suspend("The rest of the club is away.")
		synctest.Wait()
		require.Empty(t, cem.Kicked())
		unsure = nil
		c.Suspend("")
		synctest.Wait()
		require.Len(t, cem.Kicked(), 1)
		require.Contains(t, <-cem.Kicked(), "banned")
		require.Equal(t, "OWL", ben.Player().Tag)
		require.Empty(t, ben.Invited())
		require.Len(t, dan.Invited(), 1)
		require.True(t, dan.Player().Bot)
		require.Equal(t, "tea at five", seen(ana).Notice)
		require.Equal(t, "hello?", seen(ana).Chat[len(seen(ana).Chat)-1].Text)
		require.Len(t, olga.ClubNights(), 1)
		said := len(seen(ana).Chat)
		c.Suspend("The rest of the club is away.")
		c.Suspend("")
		synctest.Wait()
		require.Len(t, seen(ana).Chat, said, "each line once")
	})
}

// What was written takes effect, and is told, even if the person who asked for it hangs up at that moment.
func TestWhoHangsUpAfterAChange(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		hangUp := func() {}
		c.stop()
		c.store.Replace = func(all *lobby.Stores) {
			answer(all, func() error { hangUp(); return nil })
		}
		c.start()
		olga, ana := c.come("olga", operator), c.come("ana")
		hung := func() (ctx context.Context) {
			ctx, hangUp = context.WithCancel(t.Context())
			return ctx
		}
		require.NoError(t, errOf(olga.NewClubNight(hung(), time.Hour)))
		require.NoError(t, errOf(olga.NewCup(hung(), cup.Config{Config: block, Round: time.Hour}, time.Now().Add(24*time.Hour))))
		require.NoError(t, errOf(olga.Say(hung(), "/mute ana")))
		require.Error(t, errOf(ana.Say(ctx, "hello?")))
		require.NoError(t, errOf(olga.Say(hung(), "/unmute ana")))
		require.NoError(t, errOf(ana.Say(ctx, "hello?")))
		synctest.Wait()
		told := news(seen(ana))
		require.Len(t, told, 2)
		require.Contains(t, told[1], string(night.Kind))
	})
}

// A line of chat and a report are shown once they are on disk, even if whoever wrote them hangs up before.
func TestWhoHangsUpDuringAWrite(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		olga, ana := c.come("olga", operator), c.come("ana")
		for _, line := range []string{"good night", "/report olga she is always right"} {
			release := c.store.Stall()
			ctx, hangUp := context.WithCancel(t.Context())
			go func() { _, _ = ana.Say(ctx, line) }()
			synctest.Wait()
			hangUp()
			synctest.Wait()
			release()
			synctest.Wait()
		}
		require.Len(t, seen(olga).Chat, 1)
		require.Contains(t, lastNotes(olga), "ana reports olga")
	})
}
