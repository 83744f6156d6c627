package feature

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/text"
	"boneyard/ui/plain"
)

const (
	errDuplicate Usage = "Use duplicate, duplicate N, duplicate N enter A or B, duplicate N leave, duplicate N " +
		"start or off for its creator, or duplicate new WORDS, such as duplicate new classic pace=fast."
	errField Usage = "Use field, field N, field N enter, field N enter with NAME, field N leave, field N off " +
		"for its creator, or field new WORDS, such as field new in=10 classic rounds=6."
)

var duplicates = eventKind{
	kind: duplicate.Kind, usage: errDuplicate, leaves: true,
	list: lists(plain.Duplicates, (*lobby.Visit).Duplicates),
	create: func(ctx context.Context, v *lobby.Visit, words []string) (event.ID, error) {
		return NewDuplicate(ctx, v, words)
	},
	do: func(ctx context.Context, q *Ask, id event.ID, words []string) error {
		switch strings.ToLower(strings.Join(words, " ")) {
		case "enter a":
			return q.Visit.EnterDuplicate(ctx, id, duplicate.A)
		case "enter b":
			return q.Visit.EnterDuplicate(ctx, id, duplicate.B)
		case "start":
			return q.Visit.StartDuplicate(ctx, id)
		}
		return errDuplicate
	},
	show: shows((*lobby.Visit).Duplicate, showDuplicate),
}

// showDuplicate describes a match to its reader: who plays where and, when it is over, the comparison.
func showDuplicate(q *Ask, d *duplicate.View) Answer {
	ans := listed(q, plain.Duplicates, *d)
	for i, r := range d.Rounds {
		ans.Rows = append(ans.Rows, plain.DuplicateRounds.JSON(&plain.DuplicateRound{No: i + 1, First: r[0], Second: r[1]}))
	}
	say := func(lines ...string) { ans.Lines = append(ans.Lines, lines...) }
	say("")
	for no := range 2 {
		line := fmt.Sprintf("table %d: seats 1+3 team %v %s; seats 2+4 team %v %s",
			no+1, duplicate.Team(no+1), plain.PairOf(d, no, 0), duplicate.Team(2-no), plain.PairOf(d, 1-no, 1))
		switch at := d.At[int64(no+1)]; {
		case d.Over:
		case at != 0:
			line += fmt.Sprintf("; they are playing at table %d of the club", at)
		case d.Ended[no]:
			line += "; their game has ended"
		}
		say(line)
	}
	switch {
	case d.Over:
		say("", d.Outcome(0))
	case !d.Begun:
		early := "Once each team has a player, its creator can start it"
		if d.MayStart() {
			early = "Its creator can start it now"
		}
		say(fmt.Sprintf("%s missing: duplicate %d enter A or B. %s, with house masters in the free seats: duplicate %d start",
			text.Number(d.Missing(), "player"), d.ID, early, d.ID))
	}
	if !d.Over || len(d.Rounds) == 0 {
		return ans
	}
	c := plain.Compare(d, q.Visit.Player().ID)
	var rows [][]string
	for i, r := range append(c.Rounds, c.Sum) {
		rows = append(rows, []string{strconv.Itoa(i + 1), text.Signed(r[0]), text.Signed(r[1]), text.Signed(r[0] - r[1])})
	}
	rows[len(c.Rounds)][0] = "all"
	say("", c.Title)
	if q.Way != SSH {
		for i, r := range rows {
			round := "Round " + r[0]
			if i == len(c.Rounds) {
				round = "All rounds"
			}
			say(fmt.Sprintf("%s. %s %s, %s %s, margin %s.", round, c.First, r[1], c.Second, r[2], r[3]))
		}
		return ans
	}
	say(plain.Cells(">ROUND >"+strings.ToUpper(c.First)+" >"+strings.ToUpper(c.Second)+" >MARGIN", rows)...)
	return ans
}

// Maker makes duplicate matches and duplicate arenas; a visit does.
type Maker interface {
	NewDuplicate(ctx context.Context, cfg duplicate.Config) (event.ID, error)
	EventsNow() time.Time
	NewField(ctx context.Context, cfg field.Config, begins time.Time) (event.ID, error)
}

// NewDuplicate makes the match that words describe, such as "classic rounds=6 pace=fast name=Friday four".
func NewDuplicate(ctx context.Context, club Maker, words []string) (event.ID, error) {
	t, err := parseTable(append([]string{usualPace}, words...))
	if err != nil {
		return 0, err
	}
	return club.NewDuplicate(ctx, duplicate.Config{Name: t.Name, Rules: t.RuleText, Pace: t.Pace})
}

var fields = eventKind{
	kind: field.Kind, usage: errField, enters: true, leaves: true,
	list: lists(plain.Fields, (*lobby.Visit).Fields),
	create: func(ctx context.Context, v *lobby.Visit, words []string) (event.ID, error) {
		return NewField(ctx, v, words)
	},
	show: shows((*lobby.Visit).Field, showField),
}

// showField describes a duplicate arena to its reader: who takes part and, when it is over, the standings and
// the reader's own rounds.
func showField(q *Ask, f *field.View) Answer {
	ans, me := listed(q, plain.Fields, *f), q.Visit.Player().ID
	say := func(lines ...string) { ans.Lines = append(ans.Lines, lines...) }
	say("")
	switch {
	case f.Over:
		say(f.Outcome() + ".")
	case f.Begun:
		say(fmt.Sprintf("%d of %s finished; results are shown when all have.", plain.FieldEnded(f), text.Number(len(f.Tables), "table")))
		if no, _ := f.Of(me); no > 0 && f.At[int64(no)] != 0 {
			say(fmt.Sprintf("You play at table %d of the club.", f.At[int64(no)]))
		}
	default:
		if len(f.Entrants) > 0 {
			say(plain.FieldEntrants(f))
		}
		if f.Has(me) {
			say(fmt.Sprintf("You take part; to leave: field %d leave", f.ID))
		} else {
			say(takePart(field.Kind, f.ID, f.Config.Pairs))
		}
	}
	var places []plain.FieldPlace
	var rounds, own []plain.FieldRound
	for i := range f.Final.Places {
		p := &f.Final.Places[i]
		places = append(places, plain.FieldPlace{Place: p, In: f})
		for k, r := range f.RoundsOf(p) {
			rounds = append(rounds, plain.FieldRound{Name: p.Name, Round: k + 1, Points: r.Points, Over: r.Over, In: f})
			if p.Of(me) {
				own = append(own, rounds[len(rounds)-1])
			}
		}
	}
	if len(places) > 0 {
		ans.add(listed(q, plain.FieldPlaces, places...))
	}
	if len(own) > 0 {
		say("", "Your rounds, and how they compare with the average of everybody in your seat:")
		say(listed(q, plain.FieldRounds, own...).Lines...)
	}
	ans.Rows = append(ans.Rows, plain.FieldRounds.Objects(rounds)...)
	return ans
}

// NewField makes the duplicate arena that words describe, such as "in=30 classic rounds=6 pace=fast
// name=Friday".
func NewField(ctx context.Context, club Maker, words []string) (event.ID, error) {
	const fieldIn = 10 * time.Minute // how soon a duplicate arena begins by default
	now := club.EventsNow()
	t, begins, err := newEvent(words, now.Add(fieldIn), now, []string{usualPace}, nil)
	if err != nil {
		return 0, err
	}
	return club.NewField(ctx, field.Config{Name: t.Name, Rules: t.RuleText, Pace: t.Pace}, begins)
}
