package lobby

import (
	"context"
	"errors"
	"slices"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/rules/coach"
	"boneyard/table"
)

// Reviews keeps what the coach has said.
type Reviews interface {
	// Review is what was said about a member's decisions in a game; nil if nothing was.
	Review(ctx context.Context, who table.PlayerID, game table.GameID) (*coach.Report, error)
	KeepReview(ctx context.Context, who table.PlayerID, game table.GameID, r *coach.Report) error
	// Accuracies are those of the games that were looked at, the oldest first, at most limit of the newest.
	Accuracies(ctx context.Context, who table.PlayerID, limit int) ([]float64, error)
}

// What the coach refuses.
const (
	// ErrNotYourGame is returned for a game in which the person did not play.
	ErrNotYourGame text.Refusal = "The coach looks at your own games only, and you did not play in that one."
	// ErrCoachBusy is returned while the coach looks at another game of the same person.
	ErrCoachBusy text.Refusal = "The coach is still looking at a game of yours; please wait a moment."
	// ErrCoachSilent is returned to a person who plays a rated game.
	ErrCoachSilent text.Refusal = "The coach does not speak while you play a rated game."
)

// keptAccuracies is how many games a person's accuracy is shown for.
const keptAccuracies = 24

// Coached is what the coach says about a person's decisions in a game.
type Coached struct {
	Game       GameInfo
	Report     *coach.Report
	Accuracies []float64 // in the games that the coach has looked at, this one among them, the oldest first; of a guest none
}

// Coach looks through the person's decisions in a finished game. It may take a second of CPU, and more while others ask; it ends
// with ctx. What it says is kept with the game. ErrNoGame, ErrNotYourGame, ErrCoachBusy, ErrCoachSilent.
func (v *Visit) Coach(ctx context.Context, id table.GameID) (*Coached, error) {
	l, me := v.lobby, v.Player()
	if v.inRatedGame() {
		return nil, ErrCoachSilent
	}
	leave, ok := l.toCoach(me.ID)
	if !ok {
		return nil, ErrCoachBusy
	}
	defer leave()
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
		if c.Report, err = l.store.Review(ctx, me.ID, id); err != nil {
			return nil, l.trouble("read a review", err)
		}
	}
	if c.Report == nil {
		if c.Report, err = l.review(ctx, me.ID, id, lines, rules.Seat(seat)); err != nil {
			return nil, err
		}
	}
	if me.ID > 0 {
		if c.Accuracies, err = l.store.Accuracies(ctx, me.ID, keptAccuracies); err != nil {
			return nil, l.trouble("read the accuracy of a member", err)
		}
	}
	return c, nil
}

// review has the coach look at a game, one at a time for the whole club, and keeps what it says of a member.
func (l *Lobby) review(ctx context.Context, who table.PlayerID, id table.GameID, lines []string, seat rules.Seat) (*coach.Report, error) {
	release, err := turn(ctx, l.coach)
	if err != nil {
		return nil, err
	}
	r, err := coach.Review(ctx, strings.NewReader(strings.Join(lines, "\n")+"\n"), seat)
	release()
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, l.trouble("review a game", err)
	case who <= 0:
		return r, nil
	}
	if err := l.store.KeepReview(ctx, who, id, r); err != nil && !errors.Is(err, ctx.Err()) {
		l.log.Warn("store: keep a review", "game", id, "err", err)
	}
	return r, nil
}

// toCoach takes the person's one place with the coach; leave gives it back.
func (l *Lobby) toCoach(who table.PlayerID) (leave func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, busy := l.coached[who]; busy {
		return nil, false
	}
	l.coached[who] = struct{}{}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.coached, who)
	}, true
}

// inRatedGame reports whether the person has a seat in a rated game that is being played. Slow games, which take weeks, silence
// nobody.
func (v *Visit) inRatedGame() bool {
	return slices.ContainsFunc(v.MyTables(), func(s table.Summary) bool { return playing(&s) && s.Rated && s.Config.Pace != table.PaceSlow })
}
