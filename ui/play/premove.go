package play

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"boneyard/table"
	"boneyard/ui/page"
)

// A tile can be laid ready while somebody else is to move. That is known to this page alone: the table gets a move like any other
// once it is the player's turn, and nothing is laid on a page that is opened anew.

// chooses is the table from which the player chooses a tile: as it is on their turn, or as it would be then if the board stayed as
// it is. It is nil where nothing can be chosen.
func chooses(v *table.View) *table.View {
	switch {
	case v.MyMove():
		return v
	case v == nil || v.State != table.Playing || v.POV == 0 || v.Replaced():
		return nil
	}
	ahead, ok := v.Play.Ahead()
	if !ok {
		return nil
	}
	then := *v
	then.Play = ahead
	return &then
}

// playLaid plays the tile that was laid ready once it is the player's turn. It drops a choice that does not hold any more, and says so of
// one that was laid ready.
func (p *Page) playLaid(before *table.View) tea.Cmd {
	v, pick := p.view, p.pick
	switch {
	case !pick.holds(before, v):
		p.pick = nothing
		if pick.laid && before.Game == v.Game && before.Play.Round == v.Play.Round && v.Play.Hand.Has(pick.tile) {
			return page.Send(page.Say(pick.withdrawn(v)))
		}
	case pick.laid && v.MyMove():
		return p.enter()
	}
	return nil
}

// withdrawn says why a tile that was laid ready is not played.
func (p *picker) withdrawn(v *table.View) string {
	at, name := chooses(v), p.tile.Name()
	if at == nil {
		return name + " was taken back."
	}
	if o, fits := p.option(&at.Play); fits {
		return fmt.Sprintf("%s was taken back: it would score %d now.", name, o.Points)
	}
	return name + " was taken back: it no longer fits there."
}
