package play

import (
	"slices"

	"boneyard/rules"
	"boneyard/ui/board"
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// Rules returns the table's rule string, at which the rulebook opens.
func (p *Page) Rules() string {
	if p.view == nil {
		return ""
	}
	return p.view.Config.RuleText
}

// shownPlays explain a game, as far as its rules allow them: a spinner with its four edges.
var shownPlays = []rules.Choice{
	{Tile: rules.NewTile(5, 5), Arm: rules.NoArm},
	{Tile: rules.NewTile(5, 0), Arm: rules.ArmR},
	{Tile: rules.NewTile(5, 4), Arm: rules.ArmL},
	{Tile: rules.NewTile(6, 5), Arm: rules.ArmU},
}

// Explain explains how this game scores, with a spinner counted tile by tile. It omits parts without room.
func (p *Page) Explain(w, h int) []string {
	if p.view == nil {
		return nil
	}
	t, r := p.env.Theme, &p.view.Config.Rules
	say := func(texts ...string) (lines []string) {
		for _, s := range texts {
			for _, l := range page.Wrap(page.Plain(t, s), w) {
				if s != "" {
					lines = append(lines, t.Paint(theme.Text, l))
				}
			}
		}
		return lines
	}
	title := page.Rule(t, page.Clip(t, english.Title(r.Preset), w-4), w)
	difference := say(english.Difference(r.Preset))
	scores := []string{english.Brief(r), english.House(r)}
	if r.Multiple > 0 {
		scores = append(scores, "A double at an end counts both halves.")
	}
	body := say(append(scores, english.SpinnerBrief(r))...)
	end := say("Draws and passes are made for you.")
	if r.Draw == rules.DrawNone {
		end = say("When you can't play, the pass is made for you; nobody draws.")
	}
	hand := "7" + t.Glyphs().Back + " is seven tiles in hand."
	if p.env.Marked {
		hand += " v12 counts changes here: whoever reads the same number sees the same."
	}
	mark := say(hand)
	const upright, bent = 8, 6 // rows of the spinner, whose arms turn if there are few
	var lines []string
	for _, try := range []func() []string{
		func() []string { return slices.Concat(difference, body, p.shown(w, upright), end, mark) },
		func() []string { return slices.Concat(difference, body, p.shown(w, bent), end, mark) },
		func() []string { return slices.Concat(body, p.shown(w, upright), end, mark) },
		func() []string { return slices.Concat(body, p.shown(w, bent), end, mark) },
		func() []string { return slices.Concat(body, p.shown(w, bent), mark) },
		func() []string { return slices.Concat(body, p.shown(w, bent)) },
	} {
		if lines = append([]string{title}, try()...); len(lines) <= h {
			return lines
		}
	}
	return lines[:h]
}

// shown lays the plays that explain a game in at most rows rows, and returns their counts.
func (p *Page) shown(w, rows int) []string {
	t, r := p.env.Theme, &p.view.Config.Rules
	v := rules.View{Rules: *r}
	var counts []string
	for i, c := range shownPlays {
		next := v.After(c)
		if next.Len() != i+1 {
			break
		}
		v.Layout = next
		if r.Multiple > 0 {
			counted, _ := board.Counted(&v, r.InPlay(next.Count()), t)
			counts = append(counts, t.Paint(theme.Tile, c.Tile.Name())+counted)
		}
	}
	if r.Spinner == rules.SpinnerNone {
		return counts
	}
	_, lines := board.Trim(board.Draw(&v.Layout, board.Options{Width: min(w, 24), Height: rows, Theme: t, Largest: board.Small}))
	return append(lines, counts...)
}
