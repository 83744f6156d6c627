package daily

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Refusals about the daily deal.
const (
	ErrOff     text.Refusal = "This club has no daily deal."
	ErrNone    text.Refusal = "There is no daily deal for that day."
	ErrClosed  text.Refusal = "The deal of this day is over already, by a clock that was ahead; the next begins at midnight UTC."
	ErrMembers text.Refusal = "The daily deal is for members, since everybody has one attempt. You can play the deals " +
		"of the past days for fun."
	ErrPlayed text.Refusal = "You have had your attempt at this deal."
	ErrToCome text.Refusal = "That deal is not over yet; it can be played for fun afterwards."
)

const (
	newAccount = 7 * 24 * time.Hour
	// newGames is how many games played to their end a ranked account has at least: two evenings, which every
	// regular has played after a week, and which somebody who wants to look at a deal with another key would
	// have to spend first.
	newGames  = 10
	shownDays = 14 // of the last days, to play for fun
	monthDays = 20 // that count in a month, the best ones
)

// Why a result is listed separately.
const (
	listedNew  = "Your account is new: its results are listed separately until it is a week old and has finished ten games."
	listedNear = "Another attempt at this deal came from your network, so both are listed separately."
)

// Person is somebody who asks for a deal: what the deals may know about them besides, and what the club does
// for them.
type Person interface {
	event.Person
	// Regular reports whether the person has had an account for so long and finished so many games.
	Regular(ctx context.Context, age time.Duration, games int) (bool, error)
	// Coach runs a job about finished games, unless too many ask for that.
	Coach(ctx context.Context, job func()) (crowded bool, err error)
	// Place is Network where that means one household or so: empty for one that many share.
	Place() string
	// Attempt begins an attempt, with room for its table if there is none yet.
	Attempt(fresh bool, begin func() error) error
	// PlayAlone makes a table at which only the person sits, with the deals of a seed.
	PlayAlone(ctx context.Context, cfg table.Config, seed rules.Seed) (table.ID, error)
}

// Desk takes a person's requests about the daily deal.
type Desk struct {
	c     *event.Caller
	p     Person
	deals *deals
}

// NewDesk returns the desk for a caller, who is that person.
func NewDesk(c *event.Caller, p Person) Desk { return Desk{c, p, c.Events.State(Kind).(*deals)} }

// Deal is the deal of a day as one person may see it.
type Deal struct {
	*Day
	Mine     *Row   // the person's attempt; nil: they have not begun
	Next     string // the hash of the seed of the next day; empty if that is not known yet
	Streak   int    // days in a row that the person has played, up to today or yesterday, MostStreak at most
	Rounds   []int  // what each round brought them, once they have played
	Decided  []Decision
	Crowded  bool   // Decided is missing, since too many ask for what the coach works out
	MayPlay  bool   // today's attempt is there to be made
	ForFun   bool   // it is over and can be played for fun
	ListedBy string // why the person is or would be listed apart; empty if not
}

// Share is the line to share with others: "Boneyard daily 128 +35, 4th of 61 ▂▅▇▃▆"; empty before the person
// has played.
func (d *Deal) Share() string {
	if d.Mine == nil || !d.Mine.Played {
		return ""
	}
	s := fmt.Sprintf("Boneyard daily %d %+d", d.Number, d.Mine.Diff())
	if d.Mine.Place > 0 {
		s += fmt.Sprintf(", %s of %d", text.Ordinal(d.Mine.Place), d.Placed())
	}
	return s + " " + Chart(d.Rounds)
}

// Today returns, without a wait, today's deal as the person may see it, nil if there is none, and whether
// they may still play it. While its Changes are the same, nothing has changed.
func (d Desk) Today() (today *Day, open bool) {
	id := d.c.Player().ID
	for _, r := range d.c.Events.Rooms(Kind) {
		day, ok := r.View().(*Day)
		if now := d.c.Events.Now(); ok && !now.Before(day.Begins) && now.Before(day.Ends) {
			mine := day.Of(id)
			return day.SeenBy(id), !id.Guest() && (mine == nil || mine.Game == 0)
		}
	}
	return nil, false
}

// Daily returns the deal of a day such as "2026-11-21", or today's if key is empty. ErrOff, ErrNone,
// ErrTooFast.
func (d Desk) Daily(ctx context.Context, key string) (*Deal, error) {
	return event.Once(ctx, d.c, nil, func(ctx context.Context) (*Deal, error) { return d.read(ctx, key) })
}

// read does what Daily says.
func (k Desk) read(ctx context.Context, key string) (*Deal, error) {
	today, room, err := k.deals.today(ctx)
	if err != nil {
		return nil, err
	}
	key = cmp.Or(key, today)
	d := &Deal{}
	if room != nil && key == today {
		if err := room.Settle(ctx); err != nil && !errors.Is(err, event.ErrOver) { // so that somebody who has just played finds the result
			return nil, k.deals.club.Trouble("wait for the daily deal", err)
		}
		d.Day, _ = room.View().(*Day)
	} else if d.Day, err = k.deals.past(ctx, key); err != nil {
		return nil, err
	}
	if d.Day == nil {
		return nil, ErrNone
	}
	me := k.c.Player().ID
	d.Day = d.SeenBy(me)
	d.ForFun = d.Over
	if !d.Over {
		d.MayPlay = !me.Guest()
		for _, r := range k.c.Events.Rooms(Kind) {
			if next, ok := r.View().(*Day); ok && next.Begins.Equal(d.Ends) {
				d.Next = next.Commit
			}
		}
	}
	if me.Guest() {
		return d, nil
	}
	if d.Streak, err = k.deals.streak(ctx, room, me); err != nil {
		return nil, err
	}
	if d.Mine = d.Of(me); d.Mine == nil {
		if !d.Over {
			d.ListedBy, err = k.listedNew(ctx)
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
		return d, nil
	}
	d.MayPlay = false
	if !d.Mine.Played {
		return d, nil
	}
	if d.Rounds, err = k.c.Events.Margins(ctx, d.Mine.Game, "the daily deal"); err != nil {
		return nil, err
	}
	d.Decided, d.Crowded, err = k.decisions(ctx, d.Day, d.Mine.Game)
	return d, err
}

// decisions compares a game's decisions with those of others who have played the day, unless the coach is
// crowded.
func (k Desk) decisions(ctx context.Context, d *Day, game table.GameID) (list []Decision, crowded bool, err error) {
	c := k.deals.choicesOf(d)
	for _, id := range append(d.Compared(compared), game) {
		if c.Has(id) {
			continue
		}
		lines, err := k.deals.journal.Moves(ctx, id)
		if err != nil {
			return nil, false, k.deals.club.Trouble("read a game of the daily deal", err)
		}
		if err := c.Add(id, lines); err != nil {
			return nil, false, k.deals.club.Trouble("replay a game of the daily deal", err)
		}
	}
	crowded, err = k.p.Coach(ctx, func() { list = c.Decisions(game) })
	return list, crowded, err
}

// listedNew is why the person's result would be listed separately, empty if it would not.
func (d Desk) listedNew(ctx context.Context) (string, error) {
	if regular, err := d.p.Regular(ctx, newAccount, newGames); regular || err != nil {
		return "", err
	}
	return listedNew, nil
}

// PlayDaily returns the table where the person plays the deal of a day: today's if key is empty, once; an
// earlier one for fun, as often as they like. It refuses with ErrMembers, ErrPlayed or ErrToCome, or as a new
// table is refused.
func (d Desk) PlayDaily(ctx context.Context, key string) (table.ID, error) {
	if err := d.c.Asks(); err != nil {
		return 0, err
	}
	today, room, err := d.deals.today(ctx)
	switch {
	case err != nil:
		return 0, err
	case key != "" && key != today:
		return d.playPast(ctx, key)
	case room == nil:
		return 0, ErrClosed
	}
	me := d.c.Player()
	if me.ID.Guest() {
		return 0, ErrMembers
	}
	err = d.p.Attempt(room.View().(*Day).Of(me.ID) == nil, func() error {
		apart, err := d.listedNew(ctx)
		if err != nil {
			return err
		}
		err = room.Do(ctx, Attempt(me, apart != "", d.p.Place()))
		switch {
		case errors.Is(err, event.ErrOver):
			return ErrToCome
		case err != nil:
			return d.deals.club.Trouble("begin the daily deal", err)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	mine := room.View().(*Day).Of(me.ID)
	if mine == nil || mine.Game != 0 {
		return 0, ErrPlayed
	}
	id, ok := room.Table(mine.No)
	if !ok { // such as a full disk: the table is made as soon as possible
		return 0, d.deals.club.Trouble("wait for a table of the daily deal", context.DeadlineExceeded)
	}
	return id, nil
}

// playPast makes a table with the deals of a day that is over.
func (d Desk) playPast(ctx context.Context, key string) (table.ID, error) {
	day, err := d.deals.past(ctx, key)
	if err != nil {
		return 0, err
	}
	if !day.Over {
		return 0, ErrToCome
	}
	seed, err := rules.ParseSeed(day.Seed)
	if err != nil {
		return 0, d.deals.club.Trouble("read the seed of a day", err)
	}
	cfg := TableConfig(&day.Config)
	cfg.Name += ", for fun"
	return d.p.PlayAlone(ctx, cfg, seed)
}
