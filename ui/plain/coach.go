package plain

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/rules/coach"
)

const reader = "you" // in place of their own name

// You returns names, by seat, with "you" for the reader at seat.
func You(names []string, seat rules.Seat) []string {
	names = slices.Clone(names)
	names[seat-1] = reader
	return names
}

// Coach puts the coach's report into sentences: first the mistakes, from which one learns most, then the
// rounds. names are by seat; for the player whose report it is they come from [You].
func Coach(r *coach.Report, names []string) []string {
	name := names[r.Seat-1]
	if name == reader {
		name = text.Capital(name)
	}
	if r.Total.Decisions == 0 {
		return []string{name + " had nothing to decide in this game."}
	}
	lines := []string{fmt.Sprintf("%s: grade %s, accuracy %.0f %%. %s gave away %s in %s.", name, r.Total.Letter(), r.Total.Accuracy, name,
		given(r.Total.Lost), text.Number(r.Total.Decisions, "decision"))}
	lines = append(lines, "")
	for n, i := range r.Worst {
		lines = append(lines, strconv.Itoa(n+1)+". "+Mistake(r, &r.Decisions[i], names))
	}
	if len(r.Worst) == 0 {
		lines = append(lines, fmt.Sprintf("No mistakes: nothing that cost %.1f points or more.", coach.Least))
	}
	lines = append(lines, "")
	for i := range r.Rounds {
		lines = append(lines, coachedRound(&r.Rounds[i]))
	}
	if len(r.Worst) == 0 {
		return lines
	}
	return append(lines, "", fmt.Sprintf("Points are averages over many ways the hidden tiles can lie. Less than %.1f "+
		"cannot be told from chance and is not shown.",
		coach.Least))
}

// given formats points that a choice gave away: "12.4 points".
func given(points float64) string {
	switch {
	case points == 0:
		return "no points"
	case points >= 0.95 && points < 1.05:
		return "1.0 point"
	}
	return fmt.Sprintf("%.1f points", points)
}

// coachedRound separates a round's luck from its play.
func coachedRound(r *coach.Round) string {
	s := fmt.Sprintf("Round %d: grade %s", r.Number, r.Letter())
	if r.Lost > 0 {
		s += ", " + given(r.Lost) + " given away"
	}
	if !r.Whole {
		return s + "; the round was not played out."
	}
	return fmt.Sprintf("%s. Made %s: the deal was worth %s, the draws %s, the play %s.", s, signed(r.Made), signed(r.Deal),
		signed(r.Draws), signed(r.Play()))
}

func signed(x float64) string { return text.Signed(int(math.Round(x))) }

// Mistake describes a decision that gave points away, and why.
func Mistake(r *coach.Report, d *coach.Decision, names []string) string {
	where := fmt.Sprintf("Round %d", d.Round)
	if d.Turn > 0 {
		where += fmt.Sprintf(", move %d", d.Turn)
	}
	about := fmt.Sprintf("give or take %.1f", d.Error)
	if d.Exact {
		about = "exactly, as all tiles were known"
	}
	s := fmt.Sprintf("%s: %s played %s; %s was worth %s more (%s).", where, names[r.Seat-1],
		Choice(d.Played), Choice(d.Best), given(d.Lost), about)
	for i := range d.Why {
		s += " " + why(&d.Why[i], r, d, names)
	}
	return s
}

func why(r *coach.Reason, of *coach.Report, d *coach.Decision, names []string) string {
	who := names[of.Seat-1]
	best, played := d.Best.Tile.Name(), d.Played.Tile.Name()
	if best == played {
		best, played = Choice(d.Best), Choice(d.Played)
	}
	switch r.Kind {
	case coach.Scores:
		if r.Played == 0 {
			return fmt.Sprintf("%s scores %.0f at once, %s nothing.", best, r.Best, played)
		}
		return fmt.Sprintf("%s scores %.0f at once, %s only %.0f.", best, r.Best, played, r.Played)
	case coach.Answers:
		return fmt.Sprintf("After %s, %s's best answer scores %.1f on average; after %s, %.1f.", played, names[r.Next-1], r.Played, best, r.Best)
	case coach.Blocks:
		s := fmt.Sprintf("After %s, %s has nothing to play in %.0f %% of cases, after %s in %.0f %%", best, names[r.Next-1], 100*r.Best,
			played, 100*r.Played)
		for _, suit := range r.Suits {
			s += "; " + known(suit, who, names[r.Next-1])
		}
		return s + "."
	case coach.Keeps:
		return fmt.Sprintf("It leaves %s %s that can be played instead of %.0f.", who, text.Number(int(r.Best), "tile"), r.Played)
	case coach.Sheds:
		return fmt.Sprintf("It gets rid of %.0f pips, not %.0f.", r.Best, r.Played)
	case coach.Wins:
		if of.Partner != 0 {
			who += " or " + names[of.Partner-1]
		}
		goes := "goes"
		if who == reader {
			goes = "go"
		}
		return fmt.Sprintf("After %s, %s %s out in %.0f %% of cases; after %s, in %.0f %%.", best, who, goes, 100*r.Best, played, 100*r.Played)
	case coach.Rest:
		s := "That does not explain all of it; the rest shows only when the round is played out"
		if len(d.Why) == 1 {
			s = "No single reason explains it; it shows only when the round is played out"
		}
		if d.Exact {
			return s + "."
		}
		return fmt.Sprintf("%s: %s made more in %.0f %% of the cases looked at.", s, best, 100*d.Better)
	case coach.Out:
		return fmt.Sprintf("%s was the last tile: %s would have gone out.", best, who)
	}
	return ""
}

func known(s coach.Suit, who, next string) string {
	suitNames := [...]string{"blanks", "ones", "twos", "threes", "fours", "fives", "sixes"} // what players call the tiles of each suit
	var parts []string
	if s.Short {
		parts = append(parts, fmt.Sprintf("%s had no %d", next, s.Pip))
	}
	if s.Seen >= 4 {
		parts = append(parts, fmt.Sprintf("%s could see %d of the seven %s", who, s.Seen, suitNames[s.Pip]))
	}
	return strings.Join(parts, ", and ")
}

// Accuracies says how accurate somebody was in games that the coach has reviewed, oldest first; it is empty for fewer than two.
func Accuracies(list []float64) string {
	if len(list) < 2 {
		return ""
	}
	parts := text.Each(list, func(a float64) string { return fmt.Sprintf("%.0f", a) })
	return "Accuracy in your last " + text.Number(len(list), "game") + ": " + strings.Join(parts, ", ") + "."
}
