package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/event/daily"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Refusals about the daily deal.
const (
	// ErrDailyOff is returned if the club has no daily deal.
	ErrDailyOff text.Refusal = "This club has no daily deal."
	// ErrNoDaily is returned for a day without one.
	ErrNoDaily text.Refusal = "There is no daily deal for that day."
	// ErrDailyMembers is returned to a guest who wants to play today's deal.
	ErrDailyMembers text.Refusal = "The daily deal is for members, since everybody has one attempt. You can play the deals of the past days for fun."
	// ErrDailyPlayed is returned to somebody who has had their attempt.
	ErrDailyPlayed text.Refusal = "You have had your attempt at this deal."
	// ErrDailyToCome is returned to somebody who wants to play for fun a deal whose day is not over.
	ErrDailyToCome text.Refusal = "That deal is not over yet; it can be played for fun afterwards."
)

// What the club remembers of its daily deals.
const (
	dailyDaysKept    = 400 // days that are over
	dailyChoicesKept = 3   // days whose decisions are known
	dailyCompared    = 500 // games of a day with which others are compared
	dailyShownDays   = 14  // of the last days, to play for fun
	dailyMonthDays   = 20  // that count in a month, the best ones
	dailyNewAccount  = 7 * 24 * time.Hour
	// dailyNewGames is how many games played to their end a ranked account has at least: two evenings, which every regular has
	// played after a week, and which somebody who wants to look at a deal with another key would have to spend first.
	dailyNewGames  = 10
	dailyNewLooked = 50 // newest games in which they are looked for
)

// dailyMemory caches days that are over, which no longer change.
type dailyMemory struct {
	mu      sync.Mutex
	days    map[string]*daily.Day // by key; nil: there was none
	choices map[event.ID]*daily.Choices
	order   []event.ID // of choices, the oldest first

	making chan struct{} // the turn to make a day
}

// Daily is the deal of a day as one person may see it.
type Daily struct {
	*daily.Day
	Mine     *daily.Row // the person's attempt; nil: they have not begun
	Table    table.ID   // where they play it; 0: nowhere
	Next     string     // the hash of the seed of the next day; empty if that is not known yet
	Streak   int        // days in a row that the person has played, up to today or yesterday
	Rounds   []int      // what each round brought them, once they have played
	Decided  []daily.Decision
	Crowded  bool   // Decided is missing, since too many ask for what the coach works out
	MayPlay  bool   // today's attempt is there to be made
	ForFun   bool   // it is over and can be played for fun
	ListedBy string // why the person is or would be listed apart; empty if not
}

// Share is the line to share with others: "Boneyard daily 128 +35, 4th of 61 ▂▅▇▃▆"; empty before the person has played.
func (d *Daily) Share() string {
	if d.Mine == nil || !d.Mine.Played {
		return ""
	}
	s := fmt.Sprintf("Boneyard daily %d %+d", d.Number, d.Mine.Diff())
	if d.Mine.Place > 0 {
		s += fmt.Sprintf(", %s of %d", ordinal(d.Mine.Place), d.Placed())
	}
	return s + " " + daily.Chart(d.Rounds)
}

// ordinal is 1st, 2nd, 3rd, 4th.
func ordinal(n int) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return fmt.Sprint(n, end)
}

// tendDaily makes sure that today's deal exists, and tomorrow's with its hash. It is a background job.
func (l *Lobby) tendDaily() {
	if _, err := l.today(l.ctx); err != nil && l.ctx.Err() == nil {
		l.log.Warn("make the daily deal", "err", err) // tried again when somebody asks for it
	}
}

// today returns the room of today's deal, and creates it if necessary.
func (l *Lobby) today(ctx context.Context) (*event.Room, error) {
	if !l.cfg.Daily {
		return nil, ErrDailyOff
	}
	release, err := turn(ctx, l.daily.making)
	if err != nil {
		return nil, err
	}
	defer release()
	now := l.clock.Now()
	var room *event.Room
	rooms := l.events.Rooms(daily.Kind)
	find := func(key string) *event.Room {
		if i := slices.IndexFunc(rooms, func(r *event.Room) bool { return r.Event().Key == key }); i >= 0 {
			return rooms[i]
		}
		return nil
	}
	for i := range 2 {
		at := now.AddDate(0, 0, i)
		r := find(daily.KeyOf(at))
		if r == nil {
			if r, err = l.makeDaily(ctx, at); err != nil {
				return nil, err
			}
		}
		if i == 0 {
			room = r
		}
	}
	return room, nil
}

// makeDaily makes the deal of the day in which a moment lies.
func (l *Lobby) makeDaily(ctx context.Context, at time.Time) (*event.Room, error) {
	number := 1
	last, err := l.stores.Events.Events(ctx, daily.Kind, 1)
	if err != nil {
		return nil, l.trouble("look for the last daily deal", err)
	}
	if len(last) > 0 {
		var c daily.Config
		if err := json.Unmarshal(last[0].Config, &c); err != nil {
			return nil, l.trouble("read the last daily deal", err)
		}
		begins, _ := daily.Bounds(at)
		number = max(1, c.Number+int(begins.Sub(last[0].Begins)/(24*time.Hour)))
	}
	room, err := l.events.Create(ctx, daily.Make(at, number, l.newSeed()))
	if err != nil {
		return nil, l.trouble("make the daily deal", err)
	}
	return room, nil
}

// Today returns, without a wait, today's deal as the person may see it, nil if there is none, and whether they may still play it. While its
// Changes are the same, nothing has changed.
func (v *Visit) Today() (d *daily.Day, open bool) {
	id := v.Player().ID
	for _, r := range v.EventRooms(daily.Kind) {
		d, ok := r.View().(*daily.Day)
		if now := v.lobby.clock.Now(); ok && !now.Before(d.Begins) && now.Before(d.Ends) {
			mine := d.Of(id)
			return d.SeenBy(id), !id.Guest() && (mine == nil || mine.Game == 0)
		}
	}
	return nil, false
}

// Daily returns the deal of a day such as "2026-11-21", or today's if key is empty. ErrDailyOff, ErrNoDaily, ErrTooFast.
func (v *Visit) Daily(ctx context.Context, key string) (*Daily, error) {
	return ask(v, func() (*Daily, error) { return v.readDaily(ctx, key) })
}

func (v *Visit) readDaily(ctx context.Context, key string) (*Daily, error) {
	l := v.lobby
	room, err := l.today(ctx)
	if err != nil {
		return nil, err
	}
	d := &Daily{}
	if key == "" || key == room.Event().Key {
		if err := room.Settle(ctx); err != nil && !errors.Is(err, event.ErrOver) { // so that somebody who has just played finds the result
			return nil, l.trouble("wait for the daily deal", err)
		}
		d.Day, _ = room.View().(*daily.Day)
	} else if d.Day, err = l.pastDay(ctx, key); err != nil {
		return nil, err
	}
	if d.Day == nil {
		return nil, ErrNoDaily
	}
	me := v.Player().ID
	d.Day = d.SeenBy(me)
	d.ForFun = d.Over
	if !d.Over {
		d.MayPlay = !me.Guest()
		for _, r := range l.events.Rooms(daily.Kind) {
			if next, ok := r.View().(*daily.Day); ok && next.Begins.Equal(d.Ends) {
				d.Next = next.Commit
			}
		}
	}
	if me.Guest() {
		return d, nil
	}
	if d.Streak, err = l.dailyStreak(ctx, room, me); err != nil {
		return nil, err
	}
	if d.Mine = d.Of(me); d.Mine == nil {
		if !d.Over {
			d.ListedBy, err = v.newAccount(ctx)
		}
		return d, err
	}
	switch {
	case d.Mine.New:
		d.ListedBy = listedNew
	case d.Mine.Apart:
		d.ListedBy = listedNear
	}
	if d.Mine.Game == 0 {
		d.Table, _ = room.Table(d.Mine.No)
		return d, nil
	}
	d.MayPlay = false
	if !d.Mine.Played {
		return d, nil
	}
	lines, err := l.stores.Events.Moves(ctx, d.Mine.Game)
	if err != nil {
		return nil, l.trouble("read a game of the daily deal", err)
	}
	d.Rounds = daily.Margins(lines)
	d.Decided, err = v.dailyDecisions(ctx, d.Day, d.Mine.Game)
	if errors.Is(err, ErrCoachCrowded) {
		d.Crowded, err = true, nil
	}
	return d, err
}

// dailyStreak counts the days in a row that somebody has played, up to today, or to yesterday if they have not played today.
func (l *Lobby) dailyStreak(ctx context.Context, today *event.Room, who table.PlayerID) (n int, err error) {
	if d, ok := today.View().(*daily.Day); ok {
		if r := d.Of(who); r != nil && r.Played {
			n++
		}
	}
	for at := today.Event().Begins.AddDate(0, 0, -1); n < dailyDaysKept; at = at.AddDate(0, 0, -1) {
		d, err := l.pastDay(ctx, daily.KeyOf(at))
		if errors.Is(err, ErrNoDaily) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		switch r := d.Of(who); {
		case r != nil && r.Played:
			n++
		case !d.Spared:
			return n, nil
		}
	}
	return n, nil
}

// dailyDecisions compares a game's decisions with those of others who have played the day. ErrCoachCrowded.
func (v *Visit) dailyDecisions(ctx context.Context, d *daily.Day, game table.GameID) (list []daily.Decision, err error) {
	l := v.lobby
	c := l.choicesOf(d)
	for _, id := range append(d.Compared(dailyCompared), game) {
		if c.Has(id) {
			continue
		}
		lines, err := l.stores.Events.Moves(ctx, id)
		if err != nil {
			return nil, l.trouble("read a game of the daily deal", err)
		}
		if err := c.Add(id, lines); err != nil {
			return nil, l.trouble("replay a game of the daily deal", err)
		}
	}
	err = v.atCoach(ctx, func() error {
		list = c.Decisions(game)
		return nil
	})
	return list, err
}

// choicesOf returns the choices made on a day as far as they are known. It forgets those of other days, and those of games that were
// only added to be compared themselves, when there are many.
func (l *Lobby) choicesOf(d *daily.Day) *daily.Choices {
	m := &l.daily
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.choices[d.ID]
	if c == nil {
		if m.order = append(m.order, d.ID); len(m.order) > dailyChoicesKept {
			delete(m.choices, m.order[0])
			m.order = m.order[1:]
		}
	}
	if c == nil || c.Len() > 2*dailyCompared {
		c = daily.NewChoices()
		m.choices[d.ID] = c
	}
	return c
}
