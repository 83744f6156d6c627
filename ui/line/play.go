package line

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/plain"
)

// The commands that depend on what the session has said about a table.

func look(_ context.Context, m *mode, _ string) error {
	m.say(plain.State(m.at.view)...)
	m.hint(m.at.view)
	if m.at.view.MyMove() {
		m.say("It's your move; type moves for what you can play.")
	}
	return nil
}

func moves(_ context.Context, m *mode, _ string) error {
	v := m.at.view
	if !v.MyMove() {
		return feature.NotMyMove(v)
	}
	m.tellHolding(v)
	m.tellMove(v)
	return nil
}

// move matches a number from the list of plays, or a tile and perhaps an arm: "1", "6-4 r", "64r", "64 7u",
// "6-4 on the left".
var move = regexp.MustCompile(`^(?:([0-9]{1,2})|([0-6])-?([0-6])(?: *(?:on|at) +(?:the +)?)? *([lrud]|left|right|top|bottom|up|down|` +
	`[0-9]{1,2} ?(?:u|d|up|down))?)$`)

// isMove reports whether a line is meant as a move.
func isMove(line string) bool { return line[0] >= '0' && line[0] <= '9' }

func playWord(ctx context.Context, m *mode, args string) error {
	v := m.at.view
	if !v.MyMove() {
		return feature.NotMyMove(v)
	}
	o, err := m.choice(&v.Play, strings.ToLower(strings.TrimSpace(args)))
	if err != nil {
		return err
	}
	// If the game has moved on since this view, the table refuses.
	return m.visit.Do(ctx, m.at.id, table.Move{Version: v.Version, Move: o.By(v.POV)})
}

// choice returns the option that s means. A number in the list takes precedence over a tile written without a
// dash.
func (m *mode) choice(v *rules.View, s string) (rules.Option, error) {
	part := move.FindStringSubmatch(s)
	if part == nil {
		return rules.Option{}, text.Refusal("A move is a number from the list, or a tile and an end, such as 6-4 left.")
	}
	if n, err := strconv.Atoi(part[1]); err == nil {
		if n >= 1 && n <= len(m.at.options) {
			if m.at.typing {
				m.at.typing = false
				return rules.Option{}, table.ErrStale
			}
			return m.at.options[n-1].Option, nil
		}
		if len(part[1]) != 2 || part[1][0] > '6' || part[1][1] > '6' {
			return rules.Option{}, text.Refusal("That number is not in the list; type moves to see it.")
		}
		part = []string{"", "", part[1][:1], part[1][1:], ""}
	}
	arm := strings.NewReplacer("left", "l", "right", "r", "top", "u", "bottom", "d", "up", "u", "down", "d", " ", "").Replace(part[4])
	tile := rules.NewTile(rules.Pip(part[2][0]-'0'), rules.Pip(part[3][0]-'0'))
	var fits []rules.Option
	for _, o := range v.Options {
		if o.Tile == tile && (arm == "" || strings.EqualFold(o.Arm.String(), arm)) {
			fits = append(fits, o)
		}
	}
	alike := func(c plain.Playable) bool { return c.Tile == tile && len(c.Arms) == len(fits) }
	switch {
	case len(fits) == 1, len(fits) > 1 && slices.ContainsFunc(plain.Choices(v), alike):
		return fits[0], nil
	case len(fits) > 1:
		arms := text.Each(fits, func(o rules.Option) string { return plain.At(o.Arm) })
		return rules.Option{}, text.Refusal(tile.Name() + " fits " + text.List(arms) + "; say which.")
	case !v.Hand.Has(tile):
		return rules.Option{}, text.Refusal("You don't hold " + tile.Name() + ".")
	}
	return rules.Option{}, text.Refusal(tile.Name() + " doesn't fit there now; type moves for what does.")
}
