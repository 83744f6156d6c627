package lobby

import (
	"context"
	"errors"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/rules/coach"
	"boneyard/rules/replay"
	"boneyard/table"
)

// Reviews keeps the coach's reviews.
type Reviews interface {
	// Review returns the review of a member's decisions in a game, or nil.
	Review(ctx context.Context, who table.PlayerID, game table.GameID) (*coach.Report, error)
	KeepReview(ctx context.Context, who table.PlayerID, game table.GameID, r *coach.Report) error
	// Accuracies returns the accuracies in the newest reviewed games with decisions, at most limit, oldest first.
	Accuracies(ctx context.Context, who table.PlayerID, limit int) ([]float64, error)
}

// The coach's refusals.
const (
	ErrNotYourGame  text.Refusal = "The coach looks only at your own games, and you didn't play in that one."
	ErrCoachBusy    text.Refusal = "The coach is still looking at a game of yours; please wait a moment."
	ErrManyReviews  text.Refusal = "The coach has looked at many games for you; please ask again in a few minutes."
	ErrCoachCrowded text.Refusal = "The coach is busy with other people's games; please ask again in a moment."
	ErrCoachSilent  text.Refusal = "The coach isn't available while you play a rated game."
)

// keptAccuracies is the number of games whose accuracies are shown.
const keptAccuracies = 24

// Coached is the coach's review of a person's decisions in a game.
type Coached struct {
	Game       GameInfo
	Report     *coach.Report
	Accuracies []float64 // in the newest reviewed games with decisions, oldest first; nil for a guest
}

// Coach reviews the person's decisions in a finished game, and stores the review. It may take a second of
// CPU, and longer while others ask; it ends with ctx. It returns ErrNoGame, ErrNotYourGame, ErrCoachBusy,
// ErrManyReviews, ErrCoachCrowded or ErrCoachSilent.
func (v *Visit) Coach(ctx context.Context, id table.GameID) (*Coached, error) {
	l, me := v.lobby, v.Player()
	inRated := func(s table.Summary) bool { return unfinished(&s) && s.Rated && s.Config.Pace != table.PaceSlow }
	if slices.ContainsFunc(v.MyTables(), inRated) {
		return nil, ErrCoachSilent
	}
	place, err := v.reserve(&l.bounds.coached)
	if err != nil {
		return nil, err
	}
	defer place.Free()
	info, lines, err := v.Record(ctx, id)
	if err != nil {
		return nil, err
	}
	seat := slices.Index(info.Seats, me.Name) + 1
	if seat == 0 {
		return nil, ErrNotYourGame
	}
	c := &Coached{Game: info}
	if me.ID > 0 {
		if c.Report, err = ask(v, func() (*coach.Report, error) { return l.stores.Reviews.Review(ctx, me.ID, id) }); err != nil {
			return nil, l.trouble("read a review", err)
		}
	}
	if c.Report == nil {
		if err := v.may(&l.limits.reviews, ErrManyReviews); err != nil {
			return nil, err
		}
		if c.Report, err = v.review(ctx, id, lines, rules.Seat(seat)); err != nil {
			return nil, err
		}
	}
	if me.ID > 0 {
		if c.Accuracies, err = l.stores.Reviews.Accuracies(ctx, me.ID, keptAccuracies); err != nil {
			return nil, l.trouble("read the accuracy of a member", err)
		}
	}
	return c, nil
}

// review reviews a game, and stores a member's review.
func (v *Visit) review(ctx context.Context, id table.GameID, lines []string, seat rules.Seat) (r *coach.Report, err error) {
	l, who := v.lobby, v.Player().ID
	err = v.AtCoach(ctx, func() error {
		rec, err := replay.ReadLines(lines)
		if err == nil {
			r, err = coach.Review(ctx, rec, seat)
		}
		return err
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, l.trouble("review a game", err)
	case who <= 0:
		return r, nil
	}
	if err := l.stores.Reviews.KeepReview(ctx, who, id, r); err != nil && !errors.Is(err, ctx.Err()) {
		l.log.Warn("store: keep a review", "game", id, "err", err)
	}
	return r, nil
}

// AtCoach runs a job about a finished game, one at a time for the whole club. All jobs together are limited
// to a share of the machine, since one person may have many addresses and games. Few may wait, including for
// people who have left if others ask the same; more get ErrCoachCrowded.
func (v *Visit) AtCoach(ctx context.Context, work func() error) error {
	l := v.lobby
	place, err := v.reserve(&l.bounds.atCoach)
	if err != nil {
		return err
	}
	defer place.Free()
	release, err := event.Turn(ctx, l.coach)
	if err != nil {
		return err
	}
	defer release()
	if err := v.may(&l.limits.coaching, ErrCoachCrowded); err != nil {
		return err
	}
	began := l.now()
	err = work()
	l.limits.Charge(&l.limits.coaching, v.who, int(l.now().Sub(began)/time.Millisecond))
	return err
}

// Card is a finished game at a glance.
type Card struct {
	Game        GameInfo
	Record      *replay.Record
	Gains       [][]int       // points of each round, by side
	Chances     coach.Chances // each side's chance to win at each moment
	Best, Worst int           // moments of the best and the worst play, from [replay.Record.Extremes]
}

// cardOf is the question for a game's card.
type cardOf table.GameID

// Card returns a finished game at a glance, or ErrNoGame or ErrTooFast. It is shared; nobody may change it.
func (v *Visit) Card(ctx context.Context, id table.GameID) (*Card, error) {
	return askOnce(ctx, v, &v.lobby.cards, cardOf(id), func(ctx context.Context) (*Card, error) { return v.lobby.card(ctx, id) })
}

func (l *Lobby) card(ctx context.Context, id table.GameID) (*Card, error) {
	info, lines, err := l.stores.Games.Record(ctx, id)
	if err != nil {
		return nil, l.missing(ErrNoGame, "read a game", err)
	}
	r, err := replay.ReadLines(lines)
	if err != nil {
		return nil, l.trouble("read a record", err)
	}
	r.Teams = info.Teams
	c := &Card{Game: info, Record: r, Gains: r.Gains(), Chances: coach.Follow(r)}
	c.Best, c.Worst = r.Extremes()
	return c, nil
}
