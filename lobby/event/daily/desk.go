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
	ErrClosed  text.Refusal = "The deal of this day is over already, by a clock that was ahead; the next begins when the days that it closed are over."
	ErrMembers text.Refusal = "The daily deal is for members, since everybody has one attempt. You can play the deals " +
		"of the past days for fun."
	ErrPlayed text.Refusal = "You have had your attempt at this deal."
	ErrToCome text.Refusal = "That deal is not over yet; it can be played for fun afterwards."
)

const (
	newAccount = 7 * 24 * time.Hour
	// newGames is how many games an account must have finished to be ranked. A regular has done so after a
	// week, in two evenings; it is the price of a second key for peeking at a deal.
	newGames  = 10
	shownDays = 14 // past days listed, to play for fun
	monthDays = 20 // days that count in a month, best first
)

// Why a result is listed separately.
const (
	listedNew  = "Your account is new: its results are listed separately until it is a week old and has finished ten games."
	listedNear = "Another attempt at this deal came from your network, so both are listed separately."
)

// Person is a person who asks for a deal: what the deals may know about them, and what the club does for
// them, in addition to [event.Person].
type Person interface {
	event.Person
	// Regular reports whether the person's account is that old and has finished that many games.
	Regular(ctx context.Context, age time.Duration, games int) (bool, error)
	// Coach runs a job that analyses games, unless too many people ask for that.
	Coach(ctx context.Context, job func()) (crowded bool, err error)
	// Place returns the network's hash if the network is about one household, or "".
	Place() string
	// Attempt calls begin, which begins an attempt; if fresh is set, it first reserves the attempt's table.
	Attempt(fresh bool, begin func() error) error
	// PlayAlone makes a table for the person alone, with the deals of a seed.
	PlayAlone(ctx context.Context, cfg table.Config, seed rules.Seed) (table.ID, error)
}

// Desk takes a person's requests about the daily deal.
type Desk struct {
	c     *event.Caller
	p     Person
	deals *deals
}

// NewDesk returns the desk of a caller; p is the same person.
func NewDesk(c *event.Caller, p Person) Desk { return Desk{c, p, c.Events.State(Kind).(*deals)} }

// Deal is the deal of a day as one person may see it.
type Deal struct {
	*Day
	Mine     *Row   // the person's attempt; nil before they have begun
	Next     string // the hash of the next day's seed, if known
	Streak   int    // successive days that the person has played, up to today or yesterday, at most MostStreak
	Rounds   []int  // what each round brought the person, once they have played
	Decided  []Decision
	Crowded  bool   // Decided is missing because too many people ask for analyses
	MayPlay  bool   // the person may begin or continue today's attempt
	ForFun   bool   // the day is over, and its deals can be played for fun
	ListedBy string // why the person is or would be listed apart; empty if they are not
}

// Share returns a line to share with others: "Boneyard daily 128 +35, 4th of 61 ▂▅▇▃▆"; empty before the
// person has played.
func (d *Deal) Share() string {
	if d.Mine == nil || !d.Mine.Played {
		return ""
	}
	s := fmt.Sprintf("Boneyard daily %d %s", d.Number, text.Signed(d.Mine.Diff()))
	if d.Mine.Place > 0 {
		s += fmt.Sprintf(", %s of %d", text.Ordinal(d.Mine.Place), d.Placed())
	}
	return s + " " + Chart(d.Rounds)
}

// Today returns today's deal as the person may see it, or nil, and whether they may still play it, without
// waiting. It is unchanged as long as its Changes are.
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

// Daily returns the deal of a day such as "2026-11-21", or today's if key is empty. It returns ErrOff,
// ErrNone or the refusal of too many questions.
func (d Desk) Daily(ctx context.Context, key string) (*Deal, error) {
	return event.Once(ctx, d.c, nil, func(ctx context.Context) (*Deal, error) { return d.read(ctx, key) })
}

// read is Daily without limits.
func (k Desk) read(ctx context.Context, key string) (*Deal, error) {
	today, room, err := k.deals.today(ctx)
	if err != nil {
		return nil, err
	}
	key = cmp.Or(key, today)
	d := &Deal{}
	if room != nil && key == today {
		// Players find the result of a game that has just ended.
		if err := room.Settle(ctx); err != nil && !errors.Is(err, event.ErrOver) {
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

// decisions compares a game's decisions with those of other players of the day, unless the coach is crowded.
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

// listedNew returns why the person's result would be listed separately, or "".
func (d Desk) listedNew(ctx context.Context) (string, error) {
	if regular, err := d.p.Regular(ctx, newAccount, newGames); regular || err != nil {
		return "", err
	}
	return listedNew, nil
}

// PlayDaily returns the table where the person plays the deal of a day: today's if key is empty, once; an
// earlier one for fun, any number of times. It returns ErrMembers, ErrPlayed, ErrToCome, ErrClosed, or the
// refusal of a new table.
func (d Desk) PlayDaily(ctx context.Context, key string) (table.ID, error) {
	if err := d.c.CountRequest(); err != nil {
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
	if !ok { // perhaps the disk is full: the table is made as soon as possible
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
