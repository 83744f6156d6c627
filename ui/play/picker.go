package play

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
)

// picker is what a player has chosen to play so far: a tile, then an end. It is comparable.
type picker struct {
	tile  rules.Tile // NoTile if none
	arm   rules.Arm
	sure  bool   // the end was chosen, or is the only one; otherwise it is a proposal
	laid  bool   // the tile is laid ready: played once it is the player's turn
	typed string // the first of the two digits of a tile being typed
}

var nothing = picker{tile: rules.NoTile, arm: rules.NoArm}

// ends returns the ways to play a tile, best score first; equal scores are in the order of the ends.
func ends(v *rules.View, t rules.Tile) []rules.Option {
	var all []rules.Option
	for _, o := range v.Options {
		if o.Tile == t {
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b rules.Option) int { return cmp.Compare(b.Points, a.Points) })
	return all
}

// option returns what would be played, or false if no legal play is chosen.
func (p *picker) option(v *rules.View) (rules.Option, bool) {
	for _, o := range v.Options {
		if o.Choice == (rules.Choice{Tile: p.tile, Arm: p.arm}) {
			return o, true
		}
	}
	return rules.Option{}, false
}

// holds reports whether the choice is still valid in v, the view after before: in the same round, it fits
// where it did and scores what it did. Chat never invalidates it.
func (p *picker) holds(before, v *table.View) bool {
	if *p == nothing {
		return true
	}
	then, now := chooses(before), chooses(v)
	if then == nil || now == nil || then.Game != now.Game || then.Play.Round != now.Play.Round {
		return false
	}
	was, chosen := p.option(&then.Play)
	is, fits := p.option(&now.Play)
	return chosen == fits && was.Points == is.Points
}

// choose selects a tile and the end where it scores most. It reports whether the tile may be played.
func (p *picker) choose(v *rules.View, t rules.Tile) bool {
	all := ends(v, t)
	if len(all) == 0 {
		return false
	}
	*p = picker{tile: t, arm: all[0].Arm, sure: len(all) == 1}
	return true
}

// step goes to the next or previous tile that may be played.
func (p *picker) step(v *rules.View, by int) {
	tiles := v.Playable().Tiles()
	if len(tiles) == 0 {
		return
	}
	at := slices.Index(tiles, p.tile)
	switch {
	case at >= 0 && len(tiles) == 1: // the end that was chosen stays
		return
	case at >= 0:
		at = (at + by + len(tiles)) % len(tiles)
	case by < 0:
		at = len(tiles) - 1
	default:
		at = 0
	}
	p.choose(v, tiles[at])
}

// turn goes to the next or previous end that the tile fits.
func (p *picker) turn(v *rules.View, by int) {
	p.typed = ""
	all := ends(v, p.tile)
	if len(all) == 0 {
		p.step(v, by)
		return
	}
	at := slices.IndexFunc(all, func(o rules.Option) bool { return o.Arm == p.arm })
	p.arm, p.sure = all[(at+by+len(all))%len(all)].Arm, true
}

// point selects the upper or lower end, if the tile fits there. Pressed again, or if there is no such end, it
// selects the left or right one, so that arrows reach all ends; failing that, the next.
func (p *picker) point(v *rules.View, up bool, name func(rules.Arm) string) {
	ways, by := [2]string{"d", "r"}, 1
	if up {
		ways, by = [2]string{"u", "l"}, -1
	}
	for i, letter := range ways {
		q := *p
		if q.letter(v, letter, name) && (q.arm != p.arm || i == 0 && !p.sure) {
			*p = q
			return
		}
	}
	p.turn(v, by)
}

// letter selects the end that the board names l, r, u or d. If the names of several arms end in that letter,
// as those of branches do, each press selects the next. It reports whether the tile fits such an end.
func (p *picker) letter(v *rules.View, letter string, name func(rules.Arm) string) bool {
	p.typed = ""
	all := slices.DeleteFunc(ends(v, p.tile), func(o rules.Option) bool {
		return !strings.HasSuffix(name(o.Arm), strings.ToUpper(letter))
	})
	if len(all) == 0 {
		return false
	}
	at := slices.IndexFunc(all, func(o rules.Option) bool { return o.Arm == p.arm })
	if at >= 0 && p.sure {
		at++
	}
	p.arm, p.sure = all[max(at, 0)%len(all)].Arm, true
	return true
}

// digit handles a digit, which is always half a tile: two digits choose a tile, and two more another one. It
// returns a tile that was named but may not be played, or NoTile.
func (p *picker) digit(v *rules.View, d byte) rules.Tile {
	if d > '0'+byte(rules.MaxPip) {
		p.typed = ""
		return rules.NoTile
	}
	if p.typed == "" {
		*p = nothing
		p.typed = string(d)
		return rules.NoTile
	}
	t := rules.NewTile(rules.Pip(p.typed[0]-'0'), rules.Pip(d-'0'))
	*p = nothing
	if !p.choose(v, t) {
		return t
	}
	return rules.NoTile
}

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
