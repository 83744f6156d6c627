package feature

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/plain"
)

// tableFeatures returns the features for somebody at a table, in line mode.
func tableFeatures() []Feature {
	all := []Feature{
		{Name: "look", Short: []string{"s"}, Does: "the table as it is now"},
		{Name: "moves", Short: []string{"."}, Does: "what you can play"},
		{Name: "play", Args: "N | TILE [ARM]", Does: "plays, also without the word: 1, or 6-4 left, or 64l"},
		{Name: "noguide", Does: "ends the guide to your first round", Run: noGuide},
		{Name: "hint", Does: "what an expert would play, in a casual game against bots; the record says that you took hints", Run: hint},
		{Name: "hand", Does: "your tiles", Run: hand},
		{Name: "ends", Short: []string{"e"}, Does: "the open ends and the count",
			Run: tells(func(v *table.View) []string { return []string{plain.Ends(&v.Play)} })},
		{Name: "layout", Short: []string{"board"}, Does: "all tiles on the table",
			Run: tells(func(v *table.View) []string { return []string{plain.Layout(&v.Play)} })},
		{Name: "score", Does: "the scores, and how many tiles each player holds",
			Run: tells(func(v *table.View) []string { return []string{plain.Scores(v), plain.Held(v)} })},
		{Name: "seats", Does: "who sits where", Run: tells(seats)},
		{Name: "clock", Does: "how much time is left", Run: clock},
		{Name: "log", Does: "the moves of this round", Run: tells(moveLog)},
		{Name: "seed", Does: "the seed of this game's deals, with which anyone can check them", Run: seed},
		{Name: "invite", Args: "[NAME] [NAME] [NAME]", Does: "asks people to join this table, or says how others can", Run: invite},

		{Name: "sit", Args: "[SEAT]", Does: "takes a seat, or another one",
			Run: onSeat(func(q *Ask, n rules.Seat) table.Command { return table.Sit{Seat: n, Code: q.At.Code} })},
		{Name: "stand", Does: "gives up your seat, before or after a game", Run: stand},
		{Name: "swap", Args: "[SEAT]", Does: "asks to swap seats, or agrees to", Run: swap},
		{Name: "bot", Args: "[SEAT] [STRENGTH]", Does: "puts a bot on a free seat: novice, casual, regular, expert or master", Run: addBot},
		{Name: "deal", Does: "puts bots on all free seats and says that you are ready", Run: does(table.Ready{On: true, Bots: true})},
		{Name: "nobot", Args: "SEAT", Does: "sends a bot away",
			Run: onSeat(func(_ *Ask, n rules.Seat) table.Command { return table.RemoveBot{Seat: n} })},
		{Name: "unseat", Args: "SEAT", Does: "makes another player stand up, before a game at a table you created",
			Run: onSeat(func(_ *Ask, n rules.Seat) table.Command { return table.Unseat{Seat: n} })},
		{Name: "ready", Short: []string{"r"}, Does: "you are ready; when everybody is, the game begins",
			Run: does(table.Ready{On: true}, "You are ready.")},
		{Name: "unready", Does: "you are not ready; stops the countdown", Run: does(table.Ready{}, "You are not ready.")},
		{Name: "next", Does: "continues after a round's scoring", Run: does(table.Continue{})},
		{Name: "pause", Does: "asks for a pause of two minutes, twice in a game", Run: does(table.Pause{On: true})},
		{Name: "resume", Does: "ends your side's pause", Run: does(table.Pause{})},
		{Name: "return", Does: "takes your seat back from the bot that plays for you", Run: does(table.Return{})},
		{Name: "vote", Args: "bot|adjourn|claim [no]", Does: "votes, while somebody is away: a bot plays on, the game is " +
			"adjourned, or you win it", Run: vote},
		{Name: "resign", Does: "leaves the game for good", Run: resign},
		{Name: "rematch", Does: "asks for another game with the same seats", Run: does(table.Rematch{}, "You asked for a rematch.")},
	}
	for i := range all {
		all[i].In, all[i].AtTable = Line, true
	}
	return all
}

// tells returns the Run of a feature that describes the table.
func tells(what func(*table.View) []string) func(context.Context, *Ask) (Answer, error) {
	return func(_ context.Context, q *Ask) (Answer, error) { return Say(what(q.At)...), nil }
}

// does returns the Run of a feature that has the table carry out a command, and confirms it with said.
func does(c table.Command, said ...string) func(context.Context, *Ask) (Answer, error) {
	return func(ctx context.Context, q *Ask) (Answer, error) { return q.do(ctx, c, said...) }
}

// onSeat returns the Run of a feature about a seat; 0 if none is named.
func onSeat(what func(*Ask, rules.Seat) table.Command) func(context.Context, *Ask) (Answer, error) {
	return func(ctx context.Context, q *Ask) (Answer, error) {
		n, err := seatNumber(q.text())
		if err != nil {
			return Answer{}, err
		}
		return q.do(ctx, what(q, n))
	}
}

func (q *Ask) do(ctx context.Context, c table.Command, said ...string) (Answer, error) {
	if err := q.Visit.Do(ctx, q.At.Table, c); err != nil {
		return Answer{}, err
	}
	return Say(said...), nil
}

// NotMyMove says why the reader of a view cannot play.
func NotMyMove(v *table.View) error {
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

func noGuide(ctx context.Context, q *Ask) (Answer, error) {
	s := q.Visit.Settings()
	s.NoGuide = true
	return Say("The guide is off; help lists the commands."), q.Visit.SaveSettings(ctx, s)
}

func hint(ctx context.Context, q *Ask) (Answer, error) {
	if !q.At.MyMove() {
		return Answer{}, NotMyMove(q.At)
	}
	return q.do(ctx, table.TakeHints{}, plain.Hint(q.At))
}

func hand(_ context.Context, q *Ask) (Answer, error) {
	if q.At.POV == 0 {
		return Answer{}, table.ErrNotSeated
	}
	return Say("Your hand: " + plain.Hand(q.At.Play.Hand) + "."), nil
}

// seed shows what the game's deals follow from: the commitment during the game, and the seed itself after it.
func seed(_ context.Context, q *Ask) (Answer, error) {
	switch v := q.At; {
	case v.Game == 0:
		return Answer{}, text.Refusal("No game has begun.")
	case v.Seed == "":
		return Say("The deals follow from a seed that is shown after the game. Its SHA-256 is " + v.Commitment + "."), nil
	default:
		return Say("The deals follow from the seed "+v.Seed+".", "Its SHA-256, shown before the game: "+v.Commitment+".",
			"To check the deals: ssh "+q.Address+" export "+strconv.FormatInt(int64(v.Game), 10)+" | boneyard verify -"), nil
	}
}

func seats(v *table.View) (told []string) {
	for i := range v.Seats {
		seat := plain.Seating(v, rules.Seat(i+1))
		if s := &v.Seats[i]; s.House != "" {
			seat += " " + s.House.How()
		}
		told = append(told, seat)
	}
	if len(v.Watching) > 0 {
		told = append(told, "Watching: "+text.List(v.Watching)+".")
	}
	return told
}

func clock(_ context.Context, q *Ask) (Answer, error) {
	v := q.At
	switch {
	case v.TurnEnds.IsZero() && v.Deadline.IsZero():
		return Say("No clock is running."), nil
	case v.TurnEnds.IsZero():
		return Say(plain.Time(v.Deadline.Sub(q.Now)) + " left."), nil
	}
	turn := max(v.TurnEnds.Sub(q.Now), 0)
	who := plain.Names(v)[v.Play.Turn-1] + " has "
	if v.Play.Turn == v.POV {
		who = "You have "
	}
	return Say(who + plain.Time(turn) + " for this turn, and " + plain.Time(v.BankEnds.Sub(q.Now)-turn) + " in the bank."), nil
}

func moveLog(v *table.View) (told []string) {
	for i := range v.Log {
		if e := v.Log[i]; e.Round == v.Play.Round {
			told = append(told, plain.OwnEntry(v, e))
		}
	}
	if len(told) == 0 {
		told = []string{"No moves yet."}
	}
	return told
}

func invite(ctx context.Context, q *Ask) (Answer, error) {
	v := q.At
	if len(q.Words) > 0 {
		return said(q.Visit.SayAt(ctx, v.Table, "/invite "+q.text()))
	}
	command := plain.Invitation(v, q.Address)
	switch {
	case strings.Contains(command, " join "):
		return Say("To sit down: " + command), nil
	case command != "":
		return Say("To watch: " + command), nil
	case v.Config.Access == table.AccessCode && v.Code == "":
		return Answer{}, table.ErrCode
	}
	return Answer{}, table.ErrWatchers
}

// seatNumber parses a seat; an empty text is 0.
func seatNumber(s string) (rules.Seat, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > rules.MaxSeats {
		return 0, Usage("A seat is a number from 1 to 4.")
	}
	return rules.Seat(n), nil
}

func stand(ctx context.Context, q *Ask) (Answer, error) {
	if v := q.At; v.State.Gathers() || v.State == table.Finished || v.POV == 0 {
		return q.do(ctx, table.Stand{UnlessPlaying: true})
	}
	return Answer{}, text.Refusal("A game is being played; resign leaves it for good.")
}

func swap(ctx context.Context, q *Ask) (Answer, error) {
	v := q.At
	n, err := seatNumber(q.text())
	switch {
	case err != nil:
		return Answer{}, err
	case n == 0 && v.Swap.With == v.POV && v.Swap.From != 0:
		n = v.Swap.From
	case n == 0 && len(v.Seats) == 2 && v.POV != 0:
		n = v.POV.Next(2)
	case n == 0:
		return Answer{}, Usage("Say which seat, such as swap 2.")
	}
	return q.do(ctx, table.Swap{With: n})
}

func addBot(ctx context.Context, q *Ask) (Answer, error) {
	c := table.AddBot{Strength: table.Regular}
	for _, w := range q.Words {
		if s := table.Strength(strings.ToLower(w)); slices.Contains(table.Strengths(), s) {
			c.Strength = s
			continue
		}
		n, err := seatNumber(w)
		if err != nil {
			return Answer{}, Usage("Say a seat from 1 to 4, a strength, or both, such as bot 2 expert.")
		}
		c.Seat = n
	}
	return q.do(ctx, c)
}

func vote(ctx context.Context, q *Ask) (Answer, error) {
	what := table.Vote(strings.ToLower(q.Words[0]))
	if _, ok := plain.VoteMeans[what]; !ok {
		return Answer{}, Usage("Say what to vote for: vote bot, vote adjourn or vote claim. Add no to take your vote back.")
	}
	return q.do(ctx, table.CastVote{Vote: what, On: len(q.Words) < 2 || !strings.EqualFold(q.Words[1], "no")})
}

func resign(_ context.Context, q *Ask) (Answer, error) {
	if q.At.POV == 0 {
		return Answer{}, table.ErrNotSeated
	}
	c := table.Resign{Back: q.At.Own().Resigns}
	return Answer{Question: plain.AskResign(q.At), Yes: func(ctx context.Context, q *Ask) (Answer, error) {
		if q.At == nil {
			return Answer{}, ErrNoTable
		}
		return q.do(ctx, c)
	}}, nil
}

// ErrNoTable is returned to somebody who is not at a table, for a feature that needs one.
const ErrNoTable text.Refusal = "You are not at a table; type tables for a list, or quick for a game."
