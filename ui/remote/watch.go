package remote

import (
	"context"
	"fmt"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/plain"
)

// watch writes what happens at a table until its game is over.
func watch(ctx context.Context, c *call) error {
	n, err := feature.Number(c.args[0])
	if err != nil {
		return err
	}
	v, err := c.enter(ctx)
	if err != nil {
		return err
	}
	defer v.Close(table.Disconnected) // the caller has not left the tables where they sit
	here := v.Show(lobby.Place{Table: table.ID(n)})
	defer here.Close()
	sub, err := here.Watch(ctx)
	if err != nil {
		return err
	}
	w := watcher{call: c, visit: v}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case why := <-v.Kicked():
			return text.Refusal(text.Printable(why))
		case <-sub.C():
		}
		done, err := w.show(ctx, sub.View())
		if err != nil {
			return err
		}
		if err := c.out.flush(); err != nil || done {
			return err
		}
	}
}

// watcher writes the views of a table as they come.
type watcher struct {
	*call
	visit  *lobby.Visit
	follow plain.Follower
	begun  bool
	// The last move that was written.
	round, number int
	hands         *[rules.MaxSeats]rules.Hand // last shown, at a table with open hands
}

// show writes the news of a view, and reports whether it was the last.
func (w *watcher) show(ctx context.Context, v *table.View) (done bool, err error) {
	if !w.begun {
		w.begun, w.hands = true, v.OpenHands
		w.follow.Begin(v)
		w.state(v)
		if n := len(v.Log); n > 0 {
			w.round, w.number = v.Log[n-1].Round, v.Log[n-1].Number
		}
		over := v.Result != nil && v.Game != 0 // after a restart a table has the result of a game, but not the game
		if over && w.opt.JSON {
			w.out.json(resultOf(v.Game, v.Seed, v.Result))
		}
		return over || v.State == table.Closed, nil
	}
	for _, h := range w.follow.Next(v) {
		if h.Lost != 0 {
			return true, w.lost(ctx, h.Lost)
		}
		w.tell(v, &h)
		done = done || h.Result != nil
	}
	if v.State == table.Closed && !done {
		w.note("The table is closed.")
		done = true
	}
	if !done {
		w.openHands(v)
	}
	return done, nil
}

// openHands writes the hands at a table with open hands if they have changed.
func (w *watcher) openHands(v *table.View) {
	shown := w.hands
	w.hands = v.OpenHands
	switch {
	case v.OpenHands == nil || shown != nil && *shown == *v.OpenHands:
	case w.opt.JSON:
		w.state(v)
	default:
		w.out.line(plain.OpenHands(v))
	}
}

// tell writes one thing that has happened, except chat.
func (w *watcher) tell(v *table.View, h *plain.Happening) {
	names := plain.Names(v)
	switch {
	case h.Entry != nil && h.Entry.Number != 0:
		e := h.Entry
		w.round, w.number = e.Round, e.Number
		w.entry(v.Game, e, names)
	case h.Entry != nil:
		w.note(text.Printable(h.Entry.Text))
	case h.Scoring != nil:
		w.scoring(v.Game, &v.Play.Rules, h.Scoring, names)
	case h.Result != nil:
		w.result(v.Game, v.Seed, h.Result, names, v.Play.Rules.Teams)
	case h.Missed:
		w.note("Some moves are not shown.")
	}
}

// lost writes the rest of a game that ended and was replaced by another before its end was read.
func (w *watcher) lost(ctx context.Context, game table.GameID) error {
	info, r, err := feature.Record(ctx, w.visit, game)
	if err != nil {
		return err
	}
	w.rest(info, r, nil, w.round, w.number)
	return nil
}

// entry writes a move of a table's log.
func (c *call) entry(game table.GameID, e *table.Entry, names []string) {
	if !c.opt.JSON {
		say := plain.Entry(names, e)
		if e.Event.Kind != rules.Draw {
			say = fmt.Sprintf("%d.%d %s", e.Round, e.Turn, say)
		}
		c.out.line(say)
		return
	}
	m := moveOf(game, e.Round, e.Number, &e.Event, e.Terms, names)
	m.Auto = e.Auto
	c.out.json(m)
}

// note writes something that the house says.
func (c *call) note(s string) { c.write(Note{Type: "note", Text: s}, s) }
