package line

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules/replay"
	"boneyard/table"
	"boneyard/ui/plain"
)

// The commands of standings and finished games.

func standings(ctx context.Context, m *mode, args string) error {
	q := lobby.StandingsQuery{Kind: lobby.KindPlayer, Limit: 100}
	for _, w := range strings.Fields(strings.ToLower(args)) {
		switch w {
		case "teams", "team":
			q.Kind = lobby.KindTeam
		case "pairs", "pair":
			q.Kind = lobby.KindPair
		case "players", "player":
			q.Kind = lobby.KindPlayer
		default:
			switch {
			case isPreset(w):
				q.Game = w
			case month.MatchString(w):
				q.Month = w
			default:
				return text.Refusal("Use standings with teams, pairs or players, a game, and a month such as 2026-11.")
			}
		}
	}
	list, err := m.visit.Standings(ctx, q)
	if err != nil {
		return err
	}
	lines := []string{"Standings of " + string(q.Kind) + "s" + with(" in ", q.Game) + with(" of ", q.Month) + "."}
	for i := range list {
		lines = append(lines, standing(&list[i]))
	}
	if len(list) == 0 {
		lines = append(lines, "Nobody is ranked there yet.")
	}
	m.page(lines)
	return nil
}

// month is how a month is written.
var month = regexp.MustCompile(`^[0-9]{4}-(0[1-9]|1[0-2])$`)

func with(before, s string) string {
	if s == "" {
		return ""
	}
	return before + s
}

func standing(row *lobby.Standing) string {
	out := strconv.Itoa(row.Rank) + ". " + row.Name
	if row.Tag != "" {
		out += " [" + row.Tag + "]"
	}
	out += ", rating " + strconv.Itoa(row.Rating)
	if row.Provisional {
		out += ", provisional"
	}
	out += fmt.Sprintf(", %s, won %d, lost %d", plain.Number(row.Games, "game"), row.Won, row.Lost)
	if row.Shared > 0 {
		out += fmt.Sprintf(", shared %d", row.Shared)
	}
	out += fmt.Sprintf(", points %d to %d", row.For, row.Against)
	switch {
	case row.Streak > 1:
		out += fmt.Sprintf(", %d wins in a row", row.Streak)
	case row.Streak < -1:
		out += fmt.Sprintf(", %d losses in a row", -row.Streak)
	}
	if row.LastFive != "" {
		out += ", last " + row.LastFive
	}
	return out + "."
}

func games(ctx context.Context, m *mode, args string) error {
	list, err := m.visit.Games(ctx, lobby.GamesQuery{Text: args, Limit: 100, Mine: m.visit.Player().ID})
	if err != nil {
		return err
	}
	var lines []string
	for i := range list {
		lines = append(lines, plain.SayGame(&list[i], m.visit.Player()))
	}
	if len(lines) == 0 {
		lines = []string{"No games match."}
	}
	m.page(lines)
	return nil
}

func replayGame(ctx context.Context, m *mode, args string) error {
	words := strings.Fields(args)
	var numbers []int64
	for _, w := range words {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return errNumber
		}
		numbers = append(numbers, n)
	}
	if len(numbers) == 0 && m.at != nil && m.at.view.Result != nil {
		numbers = append(numbers, int64(m.at.view.Game))
	}
	if len(numbers) == 0 || len(numbers) > 2 {
		return text.Refusal("Say which game: replay and its number, and a round's number if you like.")
	}
	info, lines, err := m.visit.Record(ctx, table.GameID(numbers[0]))
	if err != nil {
		return err
	}
	r, err := replay.ReadLines(lines)
	if err != nil {
		m.Log.Error("replay", "game", info.ID, "err", err)
		return text.Refusal("That game's record can't be read.")
	}
	r.Teams = info.Teams
	out := []string{plain.SayGame(&info, m.visit.Player())}
	for i := range r.Rounds {
		if len(numbers) == 1 || int64(r.Rounds[i].Number) == numbers[1] {
			out = append(out, plain.ReplayedRound(r, &r.Rounds[i])...)
		}
	}
	if len(numbers) == 1 {
		out = append(out, plain.PointsLeft(r)...)
		out = append(out, plain.Result(plain.Tagged(plain.Sides(r.Names, r.Rules.Teams), info.Teams), r.Rules.Teams, &table.Result{Ending: info.Ending, Winner: info.Winner, Scores: info.Scores})...)
	} else if len(out) == 1 {
		return text.Refusal("That game has " + plain.Number(len(r.Rounds), "round") + ".")
	}
	m.page(out)
	return nil
}

// settings tells what the person has chosen.
func settings(_ context.Context, m *mode, _ string) error {
	s := m.visit.Settings()
	on := func(b bool) string {
		if b {
			return "on"
		}
		return "off"
	}
	m.say("line is "+on(s.LineMode)+": line mode on every terminal.", "bell is "+on(s.Bell)+".", "mouse is "+on(s.Mouse)+".",
		"theme is "+cmp.Or(s.Theme, "auto")+".", "faces is "+cmp.Or(s.Faces, "digits")+".", "set changes them, such as: set bell on.")
	if names := s.IgnoredNames(); len(names) > 0 {
		m.say("You ignore " + plain.List(names) + ".")
	}
	return nil
}

var setHelp = []string{
	"set line on|off: line mode on every terminal, from your next visit on.",
	"set bell on|off: a bell when it is your move.",
	"set mouse on|off, set theme auto|dark|light|mono, set faces digits|pips|ascii: for the screen.",
}

func set(ctx context.Context, m *mode, args string) error {
	s := m.visit.Settings()
	what, value, _ := strings.Cut(args, " ")
	value = strings.TrimSpace(value)
	toggle := func(b *bool) bool {
		*b = value == "on"
		return value == "on" || value == "off"
	}
	choose := func(field *string, values ...string) bool {
		for _, v := range values {
			if v == value {
				*field = v
				return true
			}
		}
		return false
	}
	ok := false
	switch what {
	case "line":
		ok = toggle(&s.LineMode)
	case "bell":
		ok = toggle(&s.Bell)
	case "mouse":
		ok = toggle(&s.Mouse)
	case "theme":
		if ok = choose(&s.Theme, "auto", "dark", "light", "mono"); s.Theme == "auto" {
			s.Theme = ""
		}
	case "faces":
		ok = choose(&s.Faces, "digits", "pips", "ascii")
	}
	if !ok {
		m.say(setHelp...)
		return nil
	}
	return m.done(m.visit.SaveSettings(ctx, s), what+" is "+value+".")
}
