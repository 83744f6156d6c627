package lobby

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/event/field"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Refusals of duplicate arenas, besides those of package field.
const (
	// ErrManyFields is returned to somebody whose last duplicate arena is not over.
	ErrManyFields text.Refusal = "Your last duplicate arena is not over yet."
	// ErrFieldTime is returned for a duplicate arena at a time that is not allowed.
	ErrFieldTime text.Refusal = "A duplicate arena begins within two weeks."
)

// Field is a duplicate arena as it is now.
type Field struct {
	ID event.ID
	*field.View
	At     []table.ID // where its games are played, by table; 0 for none
	Rounds [][]int    // when it is over, by table: what seat 1 made more than seat 2 in each round; nil for a game that is not compared
}

// NewField creates a duplicate arena that begins at the given time. Its refusals are ErrMembersOnly, ErrManyFields, ErrFieldTime,
// ErrDuplicatesMade, and the errors of [field.Config.Complete].
func (v *Visit) NewField(ctx context.Context, cfg field.Config, begins time.Time) (event.ID, error) {
	a, err := v.memberAsks()
	if err != nil {
		return 0, err
	}
	cfg.By = a.Name
	l := v.lobby
	now := l.clock.Now()
	if begins.Before(now) {
		begins = now
	}
	if begins.After(now.Add(arenaAhead)) {
		return 0, ErrFieldTime
	}
	if cfg.Name, err = v.publicTitle(cfg.Name); err != nil {
		return 0, err
	}
	if err := cfg.Complete(); err != nil {
		return 0, refused(err)
	}
	room, err := v.createEvent(ctx, field.Make(cfg, l.newSeed(), begins))
	if err != nil {
		return 0, err
	}
	l.announceStart(room)
	return room.Event().ID, nil
}

// Fields lists the duplicate arenas that are not over, by number.
func (v *Visit) Fields() []Field { return roomsOf(v.lobby, field.Kind, fieldOf) }

func fieldOf(r *event.Room) Field {
	f := Field{ID: r.Event().ID, View: r.View().(*field.View)}
	for i := range f.Tables {
		id, _ := r.Table(int64(i + 1))
		if f.Tables[i].Ended {
			id = 0
		}
		f.At = append(f.At, id)
	}
	return f
}

// Field returns a duplicate arena by number; one that is over is compared round by round. It refuses
// with field.ErrNone.
func (v *Visit) Field(ctx context.Context, id event.ID) (*Field, error) {
	return eventOf(ctx, v, id, fieldOf, v.lobby.pastField, field.Kind)
}

func (l *Lobby) pastField(ctx context.Context, id event.ID) (*Field, error) {
	_, rules, err := l.pastEvent(ctx, id, field.Kind)
	if err != nil {
		return nil, err
	}
	f := &Field{ID: id, View: rules.View().(*field.View)}
	if !f.Over {
		return f, nil
	}
	for _, g := range f.Games {
		var margins []int
		if g.Ending == table.EndPlayed {
			lines, err := l.stores.Events.Moves(ctx, g.Game)
			if err != nil {
				return nil, l.trouble("read a game of a duplicate arena", err)
			}
			margins = daily.Margins(lines)
		}
		f.Rounds = append(f.Rounds, margins)
	}
	return f, nil
}

// PastField is a duplicate arena that is over.
type PastField struct {
	ID    event.ID
	Name  string
	By    string
	Ended time.Time
	field.Final
}

// PastFields lists the most recent duplicate arenas that were played, newest first. The list is shared: callers must not change it.
func (v *Visit) PastFields(ctx context.Context) ([]PastField, error) {
	return askOnce(ctx, v, &v.lobby.titles, "fields", func(ctx context.Context) ([]PastField, error) {
		return pastEvents(ctx, v.lobby, field.Kind, func(c event.Closing, cfg field.Config, end field.Final) (PastField, bool) {
			return PastField{ID: c.Event.ID, Name: cfg.Name, By: cfg.By, Ended: c.Last.At, Final: end}, end.Begun
		})
	})
}

// EnterField enters the person in a duplicate arena that has not begun; in one for pairs with a partner who is here, once both have
// named each other. Its refusals are ErrMembersOnly, field.ErrNone, ErrNobody, ErrNotWanted, and those of package field.
func (v *Visit) EnterField(ctx context.Context, id event.ID, partner string) error {
	if _, err := v.member(); err != nil {
		return err
	}
	me, net := v.sender()
	with, withNet, err := v.partner(partner)
	if err != nil {
		return err
	}
	asked, news := false, false
	err = wish(ctx, v, field.Kind, id, func(f *field.Field) (entries []event.Entry, err error) {
		entries, err = f.Enter(me, net, with, withNet)
		news = len(entries) > 0
		asked = news && with != nil
		return entries, err
	})
	r := v.lobby.roomOf(field.Kind, id)
	if err != nil || r == nil {
		return err
	}
	if asked && !r.View().(*field.View).Has(with.ID) {
		v.askPartner(with.ID, field.Kind, "duplicate arena", id)
	}
	if news {
		v.warnBooked(r)
	}
	return nil
}

// LeaveField withdraws the person, and their partner, from a duplicate arena that has not begun.
func (v *Visit) LeaveField(ctx context.Context, id event.ID) error {
	me := v.Player().ID
	return wish(ctx, v, field.Kind, id, func(f *field.Field) ([]event.Entry, error) { return f.Leave(me) })
}

// Result returns what a player's place in a duplicate arena is worth: how much more they made than the mean of the field in their
// seat, such as "+12.5".
func (f *Field) Result(p *field.Place) string { return Above(p.Over, f.Final.Tables) }

// Above formats a difference from a mean, rounded to tenths. over is n times that difference.
func Above(over, n int) string {
	s := strconv.FormatFloat(float64(over)/float64(max(n, 1)), 'f', 1, 64)
	switch {
	case s == "-0.0":
		return "0.0"
	case s[0] != '-' && s != "0.0":
		return "+" + s
	}
	return s
}

// RoundsOf returns how a player did in each round of a duplicate arena that is over: what they made more than their opponent, and
// by how much that exceeds the mean of the field, times the number of compared tables. It is empty for a game that is not compared.
func (f *Field) RoundsOf(p *field.Place) (rounds []FieldRound) {
	if len(f.Rounds) < p.Table {
		return nil
	}
	sign := 1
	if p.Seat == 2 {
		sign = -1
	}
	for i, own := range f.Rounds[p.Table-1] {
		sum := 0
		for _, other := range f.Rounds {
			if i < len(other) {
				sum += other[i]
			}
		}
		rounds = append(rounds, FieldRound{sign * own, sign * (f.Final.Tables*own - sum)})
	}
	return rounds
}

// FieldRound is how a player did in a round of a duplicate arena.
type FieldRound struct{ Points, Over int }

// title returns what to call a duplicate arena.
func (f *Field) title() string { return kinds[field.Kind].Titled(f.ID, f.Config.Name) }

// Outcome says how a duplicate arena ended.
func (f *Field) Outcome() string {
	if f.Final.Off {
		return f.title() + " was called off"
	}
	if !f.Final.Begun {
		if f.Config.Pairs {
			return f.title() + " was not played: it needs two pairs"
		}
		return f.title() + " was not played: it needs two players"
	}
	if len(f.Final.Places) == 0 || f.Final.Places[0].Rank == 0 {
		return f.title() + " has no winner: too few games were played to their ends"
	}
	first := &f.Final.Places[0]
	names := first.Name
	for i := range f.Final.Places[1:] {
		if p := &f.Final.Places[1+i]; p.Rank == 1 {
			names += " and " + p.Name
		}
	}
	return fmt.Sprintf("%s: %s first with %s against the field", f.title(), names, f.Result(first))
}

// announceField tells a duplicate arena's players that it is over. It is a background job.
func (l *Lobby) announceField(id event.ID) {
	f, err := l.pastField(l.ctx, id)
	if err != nil || !f.Over || !f.Begun {
		return // already logged, still in progress, or nothing was played
	}
	l.tellResult(NewsDuplicate, f.Outcome())
	l.tellAll(f.View.Players(), 0, fmt.Sprintf("%s. The comparison: D in the lobby, or field %d", f.Outcome(), id))
}
