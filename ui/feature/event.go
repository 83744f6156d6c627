package feature

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/night"
	"boneyard/table"
	"boneyard/ui/plain"
)

// eventKind is what differs between the commands for the kinds of events.
type eventKind struct {
	kind   event.Kind
	usage  Usage
	enters bool // alone or with a partner
	leaves bool // an entrant may leave
	list   func(context.Context, *Ask) (Answer, error)
	create func(ctx context.Context, v *lobby.Visit, words []string) (event.ID, error)
	do     func(ctx context.Context, q *Ask, id event.ID, words []string) error // carries out other words after an event's number
	show   func(context.Context, *Ask, event.ID) (Answer, error)
}

// run lists the events if there are no words, creates one with new, and otherwise does what the words after a
// number say. It answers with the event.
func (k eventKind) run(ctx context.Context, q *Ask) (ans Answer, err error) {
	if len(q.Words) == 0 {
		return k.list(ctx, q)
	}
	var id event.ID
	if strings.EqualFold(q.Words[0], "new") {
		id, err = k.create(ctx, q.Visit, q.Words[1:])
	} else {
		n, wrong := strconv.ParseInt(q.Words[0], 10, 64)
		if wrong != nil {
			return ans, k.usage
		}
		id = event.ID(n)
		if ans, ok, err := q.talk(ctx, k.kind, id, q.Words[1:]); ok {
			return ans, err
		}
		err = k.act(ctx, q, id, q.Words[1:])
	}
	if err != nil {
		return ans, err
	}
	return k.show(ctx, q, id)
}

// act carries out the words after an event's number.
func (k eventKind) act(ctx context.Context, q *Ask, id event.ID, words []string) error {
	switch said := strings.ToLower(strings.Join(words, " ")); {
	case said == "":
		return nil
	case said == "off":
		return q.Visit.CallOff(ctx, k.kind, id)
	case said == "leave" && k.leaves:
		return q.Visit.LeaveEvent(ctx, k.kind, id)
	case said == "enter" && k.enters:
		return q.Visit.EnterEvent(ctx, k.kind, id, "")
	case len(words) == 3 && strings.HasPrefix(said, "enter with ") && k.enters:
		return q.Visit.EnterEvent(ctx, k.kind, id, words[2])
	case k.do != nil:
		return k.do(ctx, q, id, words)
	}
	return k.usage
}

// talk answers the words that say something at an event, or list what was said. ok is false for other words.
func (q *Ask) talk(ctx context.Context, kind event.Kind, id event.ID, words []string) (ans Answer, ok bool, err error) {
	switch {
	case len(words) == 1 && strings.EqualFold(words[0], "chat"):
		said, err := q.Visit.Said(ctx, kind, id)
		return list(q, plain.Said, said, "", "", plain.SaidLine), true, err
	case len(words) > 1 && isSay(words[0]):
		reply, err := Talker{q.Visit}.SayIn(ctx, kind, id, strings.Join(words[1:], " "))
		if reply != "" {
			ans = Say(strings.Split(reply, "\n")...)
		}
		return ans, true, err
	}
	return ans, false, nil
}

// takePart says which words enter an event.
func takePart(kind event.Kind, id event.ID, pairs bool) string {
	if pairs {
		return fmt.Sprintf("To take part, both partners name each other: %s %d enter with NAME", kind, id)
	}
	return fmt.Sprintf("To take part: %s %d enter", kind, id)
}

// lists returns a function that lists the events of one kind.
func lists[T any](rows *plain.Rows[T], all func(*lobby.Visit) []T) func(context.Context, *Ask) (Answer, error) {
	return func(_ context.Context, q *Ask) (Answer, error) { return listed(q, rows, all(q.Visit)...), nil }
}

// shows returns a function that finds an event of one kind and shows it.
func shows[T any](find func(*lobby.Visit, context.Context, event.ID) (*T, error), tell func(*Ask, *T) Answer) func(context.Context, *Ask,
	event.ID) (Answer, error) {
	return func(ctx context.Context, q *Ask, id event.ID) (Answer, error) {
		one, err := find(q.Visit, ctx, id)
		if err != nil {
			return Answer{}, err
		}
		return tell(q, one), nil
	}
}

// listed is list with what the rows themselves say.
func listed[T any](q *Ask, rows *plain.Rows[T], items ...T) Answer {
	return list(q, rows, items, "", "", nil)
}

// add appends another answer after a blank line.
func (a *Answer) add(more Answer) {
	if len(more.Lines) > 0 {
		a.Lines = append(append(a.Lines, ""), more.Lines...)
	}
	a.Rows = append(a.Rows, more.Rows...)
}

// eventWords are the words KEY=VALUE that only one kind of event has, with the functions that set their
// values.
type eventWords map[string]func(value string) error

// errOfGame is returned for a value that makes the word one of the game's house rules.
var errOfGame = errors.New("a house rule")

// newEvent parses the words of a new event: in= and at= say when it begins, own handles the words that only
// its kind has, and the others configure its tables, as in [parseTable], including all from name= on.
// begins is the default start; usual are words that the others override.
func newEvent(words []string, begins, now time.Time, usual []string, own eventWords) (table.Config, time.Time, error) {
	rest := usual
	for i, w := range words {
		key, value, _ := strings.Cut(w, "=")
		if key == "name" {
			rest = append(rest, words[i:]...)
			break
		}
		err := errOfGame
		switch take := own[key]; {
		case key == "in":
			var d time.Duration
			err = period(&d)(value)
			begins = now.Add(d)
		case key == "at":
			begins, err = moment(value)
		case take != nil:
			err = take(value)
		}
		if err == errOfGame {
			rest, err = append(rest, w), nil
		}
		if err != nil {
			return table.Config{}, begins, err
		}
	}
	t, err := parseTable(rest)
	return t, begins, err
}

// moment is [plain.ParseMoment] for words.
func moment(s string) (time.Time, error) {
	at, err := plain.ParseMoment(s)
	return at, misused(err)
}

// usualPace is the default pace of an event's tables.
const usualPace = "pace=" + string(table.PaceNormal)

// usualOfTeams returns the usual words of an event of teams, with their usual game if words name none.
func usualOfTeams(words []string, usual ...string) []string {
	for _, w := range words {
		if strings.HasPrefix(w, "name=") { // all that follows is the name
			break
		}
		if !strings.Contains(w, "=") {
			return usual
		}
	}
	return append(usual, "block")
}

const errPeriod Usage = "Write a period like 30 (minutes), 90m, 36h or 7d."

// period returns a function that parses a duration: 7d, 36h, 90m, or a number of minutes.
func period(to *time.Duration) func(string) error {
	const mostDays = 1000
	return func(s string) error {
		number, days := strings.CutSuffix(s, "d")
		unit := time.Duration(1)
		_, err := strconv.Atoi(number)
		switch {
		case days && err == nil:
			s, unit = number+"h", 24
		case err == nil:
			s += "m"
		}
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 || d > mostDays*24*time.Hour/unit {
			return errPeriod
		}
		*to = d * unit
		return nil
	}
}

const (
	errNight Usage = "Use clubnight, clubnight N, clubnight new, or clubnight new length=90m; its holder and operators: clubnight N off."
	// evening is how long a club night lasts by default.
	evening = 4 * time.Hour
)

var clubNights = eventKind{
	kind: night.Kind, usage: errNight,
	list: lists(plain.ClubNights, (*lobby.Visit).ClubNights),
	create: func(ctx context.Context, v *lobby.Visit, words []string) (event.ID, error) {
		length := evening
		for _, w := range words {
			value, ok := strings.CutPrefix(w, "length=")
			if !ok {
				return 0, errNight
			}
			if err := period(&length)(value); err != nil {
				return 0, err
			}
		}
		return v.NewClubNight(ctx, length)
	},
	show: shows((*lobby.Visit).ClubNight, func(q *Ask, n *night.View) Answer {
		return listed(q, plain.ClubNights, *n)
	}),
}
