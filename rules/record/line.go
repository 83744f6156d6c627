package record

import (
	"strconv"

	"boneyard/rules"
)

// Line is one line of a record other than blank lines and comments: [Version], [Rules], [Seat], [Tag],
// [Seed], [Round], [Deal], [Stock], [Lead], [Options], [Play], [Draw], [Pass], [End], [Score] or [Won]. Its
// String is the canonical text, without the LF.
type Line interface{ String() string }

// Version is the first line, "domino 1".
type Version struct{ N int }

// Rules is "rules classic target=100".
type Rules struct{ Rules rules.Ruleset }

// Seat is "seat 1 ana".
type Seat struct {
	Seat rules.Seat
	Name string
}

// Tag is "tag date 2026-11-21": a key and free text. The text may be empty.
type Tag struct{ Key, Text string }

// Seed is "seed" and 64 hex digits.
type Seed struct{ Seed rules.Seed }

// Round is "round 1".
type Round struct{ N int }

// Deal is "deal 1 0-0 1-6 …": the tiles dealt to a seat.
type Deal struct {
	Seat rules.Seat
	Hand rules.Hand
}

// Stock is "stock 0-1 0-2 …": the boneyard, in the order in which it is drawn.
type Stock struct{ Tiles []rules.Tile }

// Lead is "lead 2": the seat that leads.
type Lead struct{ Seat rules.Seat }

// Options is "options 7": how many choices the player to move has.
type Options struct{ N int }

// Play is "1 5-0 R = 10 +10"; the lead has no arm.
type Play struct {
	Seat    rules.Seat
	A, B    rules.Pip    // the halves as written: canonically A touches the layout; for a lead, A lies at L
	Arm     rules.Arm    // [rules.NoArm] for the lead
	Counted bool         // "= Count" is written: always, unless the game has no points in play
	Count   rules.Points // the count after the play
	Points  rules.Points // points credited, 0 if "+" is not written
}

// Draw is "2 draw 3-4".
type Draw struct {
	Seat rules.Seat
	Tile rules.Tile
}

// Pass is "2 pass".
type Pass struct{ Seat rules.Seat }

// End is "end domino 2 left 12 0", or "end blocked left 12 5".
type End struct {
	How  rules.RoundEnd
	Seat rules.Seat     // the seat that dominoed, 0 if the round was blocked
	Left []rules.Points // the weights left, seat by seat
}

// Score is "score 20 35": totals after the round, side by side.
type Score struct{ Totals []rules.Points }

// Won is "won 2": the side that won the game.
type Won struct{ Side rules.Side }

func number[T ~int | ~int32 | ~uint8](n T) string { return strconv.Itoa(int(n)) }

// TagCommitment is the key of the tag with the commitment to the seed that was shown before the game, see
// [rules.Seed.Commitment]. To a checker it is text, like all tags.
const TagCommitment = "commitment"

// TagNight is the key of the tag with the numbers of the club nights under which a game is rated.
const TagNight = "club-night"

// TagRules is the key of the tag with the version of the rules of a game, see [rules.Version].
const TagRules = "rules-version"

func (l Version) String() string { return "domino " + number(l.N) }
func (l Rules) String() string   { return "rules " + l.Rules.String() }
func (l Seat) String() string    { return "seat " + number(l.Seat) + " " + l.Name }
func (l Seed) String() string    { return "seed " + l.Seed.String() }
func (l Round) String() string   { return "round " + number(l.N) }
func (l Lead) String() string    { return "lead " + number(l.Seat) }
func (l Options) String() string { return "options " + number(l.N) }
func (l Draw) String() string    { return number(l.Seat) + " draw " + l.Tile.String() }
func (l Pass) String() string    { return number(l.Seat) + " pass" }
func (l Score) String() string   { return "score" + points(l.Totals) }
func (l Won) String() string     { return "won " + number(l.Side) }

func (l Tag) String() string {
	if l.Text == "" {
		return "tag " + l.Key
	}
	return "tag " + l.Key + " " + l.Text
}

func (l Deal) String() string {
	if l.Hand.Empty() {
		return "deal " + number(l.Seat)
	}
	return "deal " + number(l.Seat) + " " + l.Hand.String()
}

func (l Stock) String() string {
	b := append(make([]byte, 0, 5+4*len(l.Tiles)), "stock"...)
	for _, t := range l.Tiles {
		b = append(append(b, ' '), t.String()...)
	}
	return string(b)
}

func (l Play) String() string {
	b := make([]byte, 0, 24)
	b = append(b, '0'+byte(l.Seat), ' ', '0'+byte(l.A), '-', '0'+byte(l.B))
	if l.Arm != rules.NoArm {
		b = append(append(b, ' '), l.Arm.String()...)
	}
	if l.Counted {
		b = strconv.AppendInt(append(b, " = "...), int64(l.Count), 10)
	}
	if l.Points != 0 {
		b = strconv.AppendInt(append(b, " +"...), int64(l.Points), 10)
	}
	return string(b)
}

func (l End) String() string {
	if l.How == rules.Domino {
		return "end domino " + number(l.Seat) + " left" + points(l.Left)
	}
	return "end blocked left" + points(l.Left)
}

func points(all []rules.Points) string {
	var b []byte
	for _, p := range all {
		b = strconv.AppendInt(append(b, ' '), int64(p), 10)
	}
	return string(b)
}
