package play

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
)

// chooseSeat selects the next or previous seat.
func (p *Page) chooseSeat(pressed string) tea.Cmd {
	v := p.view
	n, by := len(v.Seats), 1
	if pressed == "up" || pressed == "left" {
		by = n - 1
	}
	switch {
	case p.seat != 0:
		p.seat = rules.Seat((int(p.seat)-1+by)%n + 1)
	case v.POV != 0:
		p.seat = rules.Seat((int(v.POV)-1+by)%n + 1)
	default:
		p.seat = 1
	}
	return nil
}

func (p *Page) dropSeat() { p.seat = 0 }

// sit takes the selected seat, or any. A refusal comes from the table.
func (p *Page) sit() tea.Cmd { return p.do(table.Sit{Seat: p.seat, Code: p.view.Code}) }

// stand gives up the player's own seat, or takes the selected player's seat away.
func (p *Page) stand() tea.Cmd {
	if v := p.view; p.seat != 0 && p.seat != v.POV && v.Seats[p.seat-1].Player.ID != 0 {
		return p.do(table.Unseat{Seat: p.seat, Player: v.Seats[p.seat-1].Player.ID})
	}
	return p.do(table.Stand{UnlessPlaying: true})
}

// swap grants another player's request, or asks to swap with the selected seat.
func (p *Page) swap() tea.Cmd {
	v := p.view
	with := p.seat
	switch {
	case v.Swap.With == v.POV && v.Swap.From != 0:
		with = v.Swap.From
	case len(v.Seats) == 2:
		with = v.POV.Next(2)
	}
	if with == 0 || with == v.POV {
		return page.Send(page.Say("Choose the other seat with the arrows first."))
	}
	return p.do(table.Swap{With: with})
}

// bot puts a bot on the selected seat, or the first free one. A bot that is there gets the next strength.
func (p *Page) bot() tea.Cmd {
	v := p.view
	first := func(is func(table.SeatView) bool) rules.Seat { return rules.Seat(1 + slices.IndexFunc(v.Seats, is)) }
	seat := cmp.Or(p.seat, first(func(s table.SeatView) bool { return s.Free() }), first(func(s table.SeatView) bool { return s.House != "" }))
	if seat == 0 {
		return page.Send(page.Say("No seat is free for a bot."))
	}
	switch s := &v.Seats[seat-1]; {
	case s.Free():
		return p.do(table.AddBot{Seat: seat, Strength: table.Regular})
	case s.House != "":
		next := strengthAfter[s.House]
		if next == "" {
			return p.do(table.RemoveBot{Seat: seat})
		}
		return p.env.Do(func(ctx context.Context) error {
			if err := p.club.Do(ctx, p.id, table.RemoveBot{Seat: seat}); err != nil {
				return err
			}
			return p.club.Do(ctx, p.id, table.AddBot{Seat: seat, Strength: next})
		})
	}
	return page.Send(page.Say("A player sits there; choose another seat with the arrows."))
}

// strengthAfter is a bot's next strength on each press: up to master, then novice and casual, then none.
var strengthAfter = map[table.Strength]table.Strength{
	table.Regular: table.Expert, table.Expert: table.Master, table.Master: table.Novice, table.Novice: table.Casual,
}
