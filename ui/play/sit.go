package play

import (
	"context"

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

func (p *Page) dropSeat() tea.Cmd {
	p.seat = 0
	return nil
}

// sit takes the selected seat, or any. The table says why not.
func (p *Page) sit() tea.Cmd { return p.do(table.Sit{Seat: p.seat, Code: p.view.Code}) }

// stand gives up one's seat, or takes away that of the player who is selected.
func (p *Page) stand() tea.Cmd {
	if v := p.view; p.seat != 0 && p.seat != v.POV && v.Seats[p.seat-1].Player.ID != 0 {
		return p.do(table.Unseat{Seat: p.seat})
	}
	return p.do(table.Stand{})
}

// swap grants another player's request, or asks for the selected seat.
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

// bot puts a bot on the selected seat, or on the first free one. A bot that is already there gets the next strength, and finally leaves.
func (p *Page) bot() tea.Cmd {
	v := p.view
	seat := p.seat
	for i := range v.Seats {
		if seat == 0 && v.Seats[i].Free() {
			seat = rules.Seat(i + 1)
		}
	}
	for i := range v.Seats {
		if seat == 0 && v.Seats[i].House != "" {
			seat = rules.Seat(i + 1)
		}
	}
	if seat == 0 {
		return page.Send(page.Say("No seat is free for a bot."))
	}
	club, id := p.club, p.id
	switch s := &v.Seats[seat-1]; {
	case s.Free():
		return p.do(table.AddBot{Seat: seat, Strength: table.Regular})
	case s.House != "":
		next := strengthAfter(s.House)
		if next == "" {
			return p.do(table.RemoveBot{Seat: seat})
		}
		return p.env.Do(func(ctx context.Context) error {
			if err := club.Do(ctx, id, table.RemoveBot{Seat: seat}); err != nil {
				return err
			}
			return club.Do(ctx, id, table.AddBot{Seat: seat, Strength: next})
		})
	}
	return page.Send(page.Say("A player sits there; choose another seat with the arrows."))
}

// strengthAfter returns a bot seat's next strength when the bot key is pressed again: from regular up to master, then novice and
// casual, then none.
func strengthAfter(s table.Strength) table.Strength {
	switch s {
	case table.Regular:
		return table.Expert
	case table.Expert:
		return table.Master
	case table.Master:
		return table.Novice
	case table.Novice:
		return table.Casual
	}
	return ""
}
