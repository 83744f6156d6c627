package play

import (
	"boneyard/rules"
	"boneyard/ui/board"
	"boneyard/ui/english"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// Rules returns the table's rule string, with which the rulebook opens.
func (p *Page) Rules() string {
	if p.view == nil {
		return ""
	}
	return p.view.Config.RuleText
}

// shownPlays are laid to explain a game, as far as its rules allow: a spinner with its four edges.
var shownPlays = []rules.Choice{
	{Tile: rules.NewTile(5, 5), Arm: rules.NoArm},
	{Tile: rules.NewTile(5, 0), Arm: rules.ArmR},
	{Tile: rules.NewTile(5, 4), Arm: rules.ArmL},
	{Tile: rules.NewTile(6, 5), Arm: rules.ArmU},
}

// Explain explains how this game scores, with a spinner that is counted tile by tile.
func (p *Page) Explain(w, h int) []string {
	if p.view == nil {
		return nil
	}
	t, r := p.env.Theme, &p.view.Config.Rules
	var lines []string
	say := func(s string) {
		for _, l := range page.Wrap(page.Plain(t, s), w) {
			lines = append(lines, t.Paint(theme.Text, l))
		}
	}
	lines = append(lines, page.Rule(t, page.Clip(t, english.Title(r.Preset), w-4), w))
	say(english.Difference(r.Preset))
	say(english.Brief(r))
	if house := english.House(r); house != "" {
		say(house)
	}
	if r.Multiple > 0 {
		say("A double at an end counts both halves.")
	}
	if r.Spinner != rules.SpinnerNone {
		say(english.SpinnerBrief(r))
	}
	v := rules.View{Rules: *r}
	var counts []string
	for i, c := range shownPlays {
		next := v.After(c)
		if next.Len() != i+1 {
			break
		}
		v.Layout = next
		if r.Multiple > 0 {
			arm := c.Arm.String()
			if arm == "" {
				arm = " "
			}
			counts = append(counts, t.Paint(theme.Tile, c.Tile.Name())+" "+t.Paint(theme.Key, arm)+" "+t.Paint(theme.Text, english.Receipt(r, &v.Layout)))
		}
	}
	if r.Spinner != rules.SpinnerNone {
		const rows = 7
		for _, s := range board.Draw(&v.Layout, board.Options{Width: min(w, 24), Height: rows, Theme: t, Largest: board.Small}) {
			if page.Width(s) > 0 {
				lines = append(lines, s)
			}
		}
	}
	lines = append(lines, counts...)
	end := "When you can't play, draws and passes are made for you."
	if r.Draw == rules.DrawNone {
		end = "When you can't play, the pass is made for you; nobody draws."
	}
	say(end)
	return lines[:min(len(lines), h)]
}
