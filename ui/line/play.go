package line

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/plain"
)

// The commands at a table.

func (m *mode) do(ctx context.Context, c table.Command) error { return m.visit.Do(ctx, m.at.id, c) }

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
		return notMyMove(v)
	}
	m.tellHolding(v)
	m.tellMove(v)
	return nil
}

func notMyMove(v *table.View) error {
	switch {
	case v.State != table.Playing:
		return text.Refusal("No move needed: the table is " + string(v.State) + ".")
	case v.Play.Turn == 0:
		return table.ErrNotYourTurn
	case v.Play.Turn == v.POV:
		return text.Refusal(english.Reason(&v.Play))
	}
	return text.Refusal(plain.Names(v)[v.Play.Turn-1] + " is to move.")
}

func hint(ctx context.Context, m *mode, _ string) error {
	v := m.at.view
	if !v.MyMove() {
		return notMyMove(v)
	}
	if err := m.do(ctx, table.TakeHints{}); err != nil {
		return err
	}
	m.say(plain.Hint(v))
	return nil
}

func hand(_ context.Context, m *mode, _ string) error {
	if m.at.view.POV == 0 {
		return table.ErrNotSeated
	}
	m.say("Your hand: " + plain.Hand(m.at.view.Play.Hand) + ".")
	return nil
}

func ends(_ context.Context, m *mode, _ string) error {
	m.say(plain.Ends(&m.at.view.Play))
	return nil
}

func layout(_ context.Context, m *mode, _ string) error {
	m.say(plain.Layout(&m.at.view.Play))
	return nil
}

// seed tells what the deals of the game follow from: the commitment while it is played, and the seed itself after it.
func seed(_ context.Context, m *mode, _ string) error {
	v := m.at.view
	switch {
	case v.Game == 0:
		return text.Refusal("No game has begun.")
	case v.Seed == "":
		m.say("The deals follow from a seed that is shown after the game. Its SHA-256 is " + v.Commitment + ".")
	default:
		m.say("The deals follow from the seed "+v.Seed+".", "Its SHA-256, shown before the game: "+v.Commitment+".",
			"To check the deals: ssh "+m.Address+" export "+strconv.FormatInt(int64(v.Game), 10)+" | boneyard verify -")
	}
	return nil
}

func score(_ context.Context, m *mode, _ string) error {
	m.say(plain.Scores(m.at.view), plain.Held(m.at.view))
	return nil
}

func seats(_ context.Context, m *mode, _ string) error {
	v := m.at.view
	for i := range v.Seats {
		seat := plain.Seating(v, rules.Seat(i+1))
		if s := &v.Seats[i]; s.House != "" {
			seat += " " + s.House.How()
		}
		m.say(seat)
	}
	if len(v.Watching) > 0 {
		m.say("Watching: " + plain.List(v.Watching) + ".")
	}
	return nil
}

func clock(_ context.Context, m *mode, _ string) error {
	v := m.at.view
	switch {
	case v.TurnEnds.IsZero() && v.Deadline.IsZero():
		m.say("No clock is running.")
	case v.TurnEnds.IsZero():
		m.say(plain.Time(time.Until(v.Deadline)) + " left.")
	default:
		turn := max(time.Until(v.TurnEnds), 0)
		who := plain.Names(v)[v.Play.Turn-1] + " has "
		if v.Play.Turn == v.POV {
			who = "You have "
		}
		m.say(who + plain.Time(turn) + " for this turn, and " + plain.Time(time.Until(v.BankEnds)-turn) + " in the bank.")
	}
	return nil
}

func log(_ context.Context, m *mode, _ string) error {
	v := m.at.view
	var lines []string
	for i := range v.Log {
		if e := &v.Log[i]; e.Round == v.Play.Round {
			lines = append(lines, entry(v, e))
		}
	}
	if len(lines) == 0 {
		lines = []string{"No moves yet."}
	}
	m.page(lines)
	return nil
}

func invite(_ context.Context, m *mode, _ string) error {
	v := m.at.view
	command := plain.Invitation(v, m.Address)
	switch {
	case strings.Contains(command, " join "):
		m.say("To sit down: " + command)
		return nil
	case command != "":
		m.say("To watch: " + command)
		return nil
	case v.Config.Access == table.AccessCode && v.Code == "":
		return table.ErrCode
	}
	return table.ErrWatchers
}

// seatNumber reads a seat; an empty text is 0.
func seatNumber(s string) (rules.Seat, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > rules.MaxSeats {
		return 0, text.Refusal("A seat is a number from 1 to 4.")
	}
	return rules.Seat(n), nil
}

func sit(ctx context.Context, m *mode, args string) error {
	n, err := seatNumber(args)
	if err != nil {
		return err
	}
	return m.do(ctx, table.Sit{Seat: n, Code: m.at.view.Code})
}

func stand(ctx context.Context, m *mode, _ string) error {
	v := m.at.view
	switch {
	case v.State.Gathers(), v.State == table.Finished, v.POV == 0:
		return m.do(ctx, table.Stand{})
	}
	return text.Refusal("A game is being played; resign leaves it for good.")
}

func swap(ctx context.Context, m *mode, args string) error {
	v := m.at.view
	n, err := seatNumber(args)
	switch {
	case err != nil:
		return err
	case n == 0 && v.Swap.With == v.POV && v.Swap.From != 0:
		n = v.Swap.From
	case n == 0 && len(v.Seats) == 2 && v.POV != 0:
		n = v.POV.Next(2)
	case n == 0:
		return text.Refusal("Say which seat, such as swap 2.")
	}
	return m.do(ctx, table.Swap{With: n})
}

func bot(ctx context.Context, m *mode, args string) error {
	c := table.AddBot{Strength: table.Regular}
	for _, w := range strings.Fields(args) {
		if s := table.Strength(w); slices.Contains(table.Strengths(), s) {
			c.Strength = s
			continue
		}
		n, err := seatNumber(w)
		if err != nil {
			return err
		}
		c.Seat = n
	}
	return m.do(ctx, c)
}

func noBot(ctx context.Context, m *mode, args string) error {
	n, err := seatNumber(args)
	if err != nil {
		return err
	}
	return m.do(ctx, table.RemoveBot{Seat: n})
}

func unseat(ctx context.Context, m *mode, args string) error {
	n, err := seatNumber(args)
	if err != nil {
		return err
	}
	return m.do(ctx, table.Unseat{Seat: n})
}

func ready(ctx context.Context, m *mode, _ string) error {
	return m.done(m.do(ctx, table.Ready{On: true}), "You are ready.")
}

func deal(ctx context.Context, m *mode, _ string) error {
	return m.do(ctx, table.Ready{On: true, Bots: true})
}

func unready(ctx context.Context, m *mode, _ string) error {
	return m.done(m.do(ctx, table.Ready{}), "You are not ready.")
}

func next(ctx context.Context, m *mode, _ string) error {
	return m.do(ctx, table.Continue{})
}

func pause(ctx context.Context, m *mode, _ string) error {
	return m.do(ctx, table.Pause{On: true})
}

func resume(ctx context.Context, m *mode, _ string) error {
	return m.do(ctx, table.Pause{})
}

func takeBack(ctx context.Context, m *mode, _ string) error {
	return m.do(ctx, table.Return{})
}

func vote(ctx context.Context, m *mode, args string) error {
	what, no, _ := strings.Cut(args, " ")
	if _, ok := voteMeans[table.Vote(what)]; !ok {
		return text.Refusal("Say what to vote for: vote bot, vote adjourn or vote claim. Add no to take your vote back.")
	}
	return m.do(ctx, table.CastVote{Vote: table.Vote(what), On: strings.TrimSpace(no) != "no"})
}

func resign(_ context.Context, m *mode, _ string) error {
	v := m.at.view
	question := "Resign, and leave this game for good?"
	if v.Config.Absence == table.AbsenceForfeit || v.Config.Access == table.AccessTeams && v.Rated {
		question = "Resign? Your side loses the game."
	}
	m.confirm(question, func(ctx context.Context) error {
		if m.at == nil {
			return errNoTable
		}
		return m.do(ctx, table.Resign{})
	})
	return nil
}

func rematch(ctx context.Context, m *mode, _ string) error {
	return m.done(m.do(ctx, table.Rematch{}), "You asked for a rematch.")
}

// move matches a number of the list of what can be played, or a tile and perhaps an arm: "1", "6-4 r", "64r", "64 7u",
// "6-4 on left".
var move = regexp.MustCompile(`^(?:([0-9]{1,2})|([0-6])-?([0-6])(?: *on +)? *([lrud]|left|right|up|down|[0-9]{1,2} ?(?:u|d|up|down))?)$`)

// isMove reports whether a line may be a move.
func isMove(line string) bool { return move.MatchString(strings.ToLower(line)) }

// playWord plays what is typed.
func playWord(ctx context.Context, m *mode, args string) error {
	v := m.at.view
	if !v.MyMove() {
		return notMyMove(v)
	}
	o, err := m.choice(&v.Play, strings.ToLower(strings.TrimSpace(args)))
	if err != nil {
		return err
	}
	// If the game has gone on since this view, the table refuses.
	return m.do(ctx, table.Move{
		Version: v.Version, Move: rules.Move{Seat: v.POV, Kind: rules.Play, Tile: o.Tile, Arm: o.Arm},
	})
}

// choice finds the option that is meant. A number of the list comes before a tile that is written without a dash.
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
	arm := strings.NewReplacer("left", "l", "right", "r", "up", "u", "down", "d", " ", "").Replace(part[4])
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
		var arms []string
		for _, o := range fits {
			arms = append(arms, plain.Arm(o.Arm))
		}
		return rules.Option{}, text.Refusal(tile.Name() + " fits on " + plain.List(arms) + "; say which.")
	case !v.Hand.Has(tile):
		return rules.Option{}, text.Refusal("You don't hold " + tile.Name() + ".")
	}
	return rules.Option{}, text.Refusal(tile.Name() + " doesn't fit there now; type moves for what does.")
}
