package feature

import (
	"cmp"
	"context"
	"slices"

	"boneyard/lobby"
	"boneyard/ui/plain"
)

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}

// settings tells what the person has chosen.
func settings(_ context.Context, q *Ask) (Answer, error) {
	s := q.Visit.Settings()
	ans := Say("line is "+onOff(s.LineMode)+": line mode on every terminal.", "bell is "+onOff(s.Bell)+".", "mouse is "+onOff(s.Mouse)+".",
		"friends is "+s.FriendNotes()+".", "theme is "+cmp.Or(s.Theme, "auto")+".", "faces is "+cmp.Or(s.Faces, "digits")+".", "set changes them, such as: set bell on.")
	if names := s.IgnoredNames(); len(names) > 0 {
		ans.Lines = append(ans.Lines, "You ignore "+plain.List(names)+".")
	}
	return ans, nil
}

var setHelp = []string{
	"set line on|off: line mode on every terminal, from your next visit on.",
	"set bell on|off: a bell when it is your move.",
	"set friends off|told|seen|both: whether you are told when a friend comes, and people who have you as a friend when you come.",
	"set mouse on|off, set theme auto|dark|light|mono, set faces digits|pips|ascii: for the screen.",
}

func set(ctx context.Context, q *Ask) (Answer, error) {
	s := q.Visit.Settings()
	what, value := q.Words[0], q.Words[1]
	toggles := map[string]*bool{"line": &s.LineMode, "bell": &s.Bell, "mouse": &s.Mouse}
	switch field, ok := toggles[what]; {
	case ok && (value == "on" || value == "off"):
		*field = value == "on"
	case what == "friends" && slices.Contains(lobby.FriendNotes(), value):
		s.SetFriendNotes(value)
	case what == "theme" && value == "auto":
		s.Theme = ""
	case what == "theme" && slices.Contains([]string{"dark", "light", "mono"}, value):
		s.Theme = value
	case what == "faces" && slices.Contains([]string{"digits", "pips", "ascii"}, value):
		s.Faces = value
	default:
		return Say(setHelp...), nil
	}
	return said(what+" is "+value+".", q.Visit.SaveSettings(ctx, s))
}
