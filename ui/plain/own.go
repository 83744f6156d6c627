package plain

import (
	"slices"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// you replaces the reader's own name in sentences about their games.
const you = "You"

// namesWith returns what Names does, with own for the reader's name, if it is one of them.
func namesWith(v *table.View, own string) []string {
	all := Names(v)
	if n := v.POV; n != 0 && all[n-1] == text.Printable(v.Seats[n-1].Name()) {
		all[n-1] = own
	}
	return all
}

// OwnSides returns the names of the sides, with own for the reader's.
func OwnSides(v *table.View, own string) []string {
	return Tagged(Sides(namesWith(v, own), v.Play.Rules.Teams), v.Tags)
}

// agree corrects the verb after "You" in sentences about the reader's moves and results, and in remarks.
var agree = strings.NewReplacer(", "+you+" ", ", you ", "+ "+you, "+ you", " "+you+" + ", " you + ",
	": "+you+" wins ", ": you win ", you+" plays ", you+" play ", you+" leads ", you+" lead ", you+" draws", you+" draw", you+" passes",
	you+" pass", you+" is ", you+" are ", you+" has ", you+" have ", you+" takes ", you+" take ")

// OwnEntry returns a line of the log in which the reader's own moves, and remarks about them, begin with "You".
func OwnEntry(v *table.View, e *table.Entry) string {
	if e.Number != 0 && e.Event.Seat == v.POV && v.POV != 0 {
		return agree.Replace(Entry(namesWith(v, you), e))
	}
	say := Entry(Names(v), e)
	if v.POV != 0 && e.Number == 0 {
		if rest, own := strings.CutPrefix(say, v.Own().Name()+" "); own {
			return agree.Replace(you + " " + rest)
		}
	}
	return say
}

// OwnResult says how a game ended, with "You" for the reader.
func OwnResult(v *table.View, r *table.Result) []string {
	lines := Result(OwnSides(v, you), v.Play.Rules.Teams, r)
	if v.POV != 0 {
		lines[0] = agree.Replace(lines[0])
	}
	return lines
}

// NewsFor words a piece of news for its reader: their own name becomes "you".
func NewsFor(n *lobby.NewsItem, to table.Player) string {
	switch n.Kind {
	case lobby.NewsResult, lobby.NewsBest, lobby.NewsStreak, lobby.NewsComeback:
	default:
		return n.Text
	}
	if to.Name == "" || to.ID.Guest() || !strings.Contains(n.Text, to.Name) || slices.Contains(newsWords, to.Name) {
		return n.Text
	}
	words := strings.Split(n.Text, " ")
	for i, w := range words {
		switch name, comma := strings.CutSuffix(w, ","); {
		case name != to.Name:
			continue
		case i == 0:
			words[i] = "You"
			if len(words) > 1 && words[1] == "has" {
				words[1] = "have"
			}
		case comma:
			words[i] = "you,"
		default:
			words[i] = "you"
		}
	}
	return strings.Join(words, " ")
}

// newsWords are words of the news that may also be somebody's name; these are not replaced.
var newsWords = func() []string {
	words := strings.Fields("in one play at the best of day beat and given up casual came back from points behind has won " +
		"row shared game ended without winner left before end")
	return append(words, rules.PresetNames()...)
}()
