package feature

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/ui/theme"
)

// Setting is something that a person can choose on the settings page and in line mode.
type Setting struct {
	Word    string   // in line mode
	Name    string   // on the page; empty: not shown there
	Help    string   // one sentence or two
	Choices []string // in the order in which they are offered
	Get     func(*lobby.Settings) string
	Set     func(*lobby.Settings, string)
}

// Settings are all settings.
var Settings = []Setting{
	{"faces", "Tiles", "Pips show on large tiles only. ASCII uses plain characters everywhere.",
		text.Each(theme.AllFaces(), func(f theme.Faces) string { return string(f) }),
		func(s *lobby.Settings) string { return cmp.Or(s.Faces, string(theme.Digits)) },
		func(s *lobby.Settings, v string) { s.Faces = v }},
	{"theme", "Colours", "Auto follows your terminal's background; mono has no colours.",
		append([]string{byGround}, text.Each(theme.Names(), func(n theme.Name) string { return string(n) })...),
		func(s *lobby.Settings) string { return cmp.Or(s.Theme, byGround) },
		func(s *lobby.Settings, v string) { s.Theme = strings.TrimPrefix(v, byGround) }},
	onOff("bell", "Bell", "Rings when it is your turn.", true, func(s *lobby.Settings) *bool { return &s.Bell }),
	onOff("mouse", "Mouse", "Lets you click tiles and ends. Hold Shift to select text.", true,
		func(s *lobby.Settings) *bool { return &s.Mouse }),
	onOff("line", "Line mode", "Plain text, for screen readers and slow connections; from your next visit on, "+
		"if you have a key.", true, func(s *lobby.Settings) *bool { return &s.LineMode }),
	onOff("earnings", "Earnings", "Shows what each tile you can play would score at best.", false,
		func(s *lobby.Settings) *bool { return &s.NoEarnings }),
	{"friends", "Friends", "You are told when a friend comes (told), people who have you as a friend when you come (seen).",
		lobby.FriendNotes(), (*lobby.Settings).FriendNotes, (*lobby.Settings).SetFriendNotes},
	onOff("reminders", "", "You are told, 30 and 5 minutes before, that something begins in which you take part.", false,
		func(s *lobby.Settings) *bool { return &s.NoReminders }),
	onOff("calm", "Calm", "Scores are shown at once: nothing lights up when a play scores.", true,
		func(s *lobby.Settings) *bool { return &s.Calm }),
}

// byGround is the theme choice that follows the terminal's background.
const byGround = "auto"

// onOff returns a setting that is off or on; on is the field's value when it is on.
func onOff(word, name, help string, on bool, field func(*lobby.Settings) *bool) Setting {
	return Setting{word, name, help, []string{"off", "on"},
		func(s *lobby.Settings) string { return map[bool]string{false: "off", true: "on"}[*field(s) == on] },
		func(s *lobby.Settings, v string) { *field(s) = (v == "on") == on }}
}

func settings(_ context.Context, q *Ask) (ans Answer, _ error) {
	s := q.Visit.Settings()
	for _, one := range Settings {
		ans.Lines = append(ans.Lines, one.Word+" is "+one.Get(&s)+".")
	}
	ans.Lines = append(ans.Lines, "set changes them, such as: set bell on.")
	if names := s.IgnoredNames(); len(names) > 0 {
		ans.Lines = append(ans.Lines, "You ignore "+text.List(names)+".")
	}
	return ans, nil
}

func set(ctx context.Context, q *Ask) (Answer, error) {
	word := q.Words[0]
	i := slices.IndexFunc(Settings, func(s Setting) bool { return s.Word == word || strings.EqualFold(s.Name, word) })
	if i < 0 {
		return Say(append([]string{"There is no setting " + quoted(word) + "."}, setHelp()...)...), nil
	}
	one := &Settings[i]
	if len(q.Words) == 1 {
		return Say(one.help()), nil
	}
	value := q.Words[1]
	if !slices.Contains(one.Choices, value) {
		return Say(word+" can't be "+quoted(value)+".", one.help()), nil
	}
	s := q.Visit.Settings()
	one.Set(&s, value)
	return said(word+" is "+value+".", q.Visit.SaveSettings(ctx, s))
}

// setHelp returns the commands that change settings, each with its purpose.
func setHelp() []string { return text.Each(Settings, func(s Setting) string { return s.help() }) }

func (s *Setting) help() string {
	return "set " + s.Word + " " + strings.Join(s.Choices, "|") + ": " + strings.ToLower(s.Help[:1]) + s.Help[1:]
}
