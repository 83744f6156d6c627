package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/rules"
	"boneyard/rules/record"
)

func (d *draft) start() error {
	id, err := d.nextGame()
	if err != nil {
		return fmt.Errorf("number of a new game: %w", err)
	}
	play, err := rules.New(d.cfg.Rules, d.cfg.Seats)
	if err != nil {
		return err
	}
	seed, err := rules.ParseSeed(d.Seed)
	if err != nil {
		return err
	}
	d.Seed = d.newSeed().String()
	night := d.night()
	why := d.casual(night)
	start := Start{
		Rules: d.cfg.RuleText, Rated: why == "", Why: why, Fair: Fair, Teams: d.Teams,
		Commit: seed.Commitment(), Seed: seed.String(), Event: d.cfg.Event,
	}
	if d.plain {
		start.Rated, start.Why, start.Teams = false, "it could not be recorded", [2]TeamID{}
	}
	if d.Night = ""; start.Rated {
		d.Night = night
	}
	head := record.Header{Rules: d.cfg.Rules, Seed: &seed}
	for n, q := range d.seats() {
		p := q.Player.Player
		start.Seats = append(start.Seats, p)
		head.Names = append(head.Names, recordName(p.Name, n))
		q.Ready, q.Quick, q.Bank, q.Timeouts, q.late = false, false, d.cfg.Pace.Bank(), 0, 0
	}
	event := "rated"
	if !start.Rated {
		event = "casual"
	}
	tags := []record.Tag{
		{Key: "date", Text: d.now.UTC().Format(time.RFC3339)},
		{Key: "table", Text: strconv.FormatInt(int64(d.id), 10)},
		{Key: "event", Text: event},
		{Key: record.TagCommitment, Text: start.Commit},
		{Key: record.TagRules, Text: strconv.Itoa(rules.Version)},
	}
	if d.Night != "" {
		tags = append(tags, record.Tag{Key: record.TagNight, Text: d.Night})
	}
	d.lines(head.Lines(tags...))
	d.game = game{id: id, start: start, play: play, started: d.now.Round(0)}
	d.begun = &start
	d.Result, d.Paused, d.PausedBy, d.Votes, d.Swap, d.Filled = nil, [rules.MaxSeats]int{}, 0, votes{}, SwapWish{}, false
	d.HeardUpTo, d.Hints = d.ChatSeq, false
	return d.deal()
}

// recordName returns a player's name in the form that records allow, as the lobby's names already are.
func recordName(name string, n rules.Seat) string {
	clean := make([]byte, 0, len(name))
	for _, r := range name {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.' || r == '-' || r == ':') {
			clean = append(clean, byte(r))
		} else {
			clean = append(clean, '_')
		}
	}
	if len(clean) == 0 {
		return "seat:" + strconv.Itoa(int(n))
	}
	return string(clean[:min(len(clean), 32)])
}

func (d *draft) deal() error {
	seed, err := rules.ParseSeed(d.game.start.Seed)
	if err != nil {
		return err
	}
	r := d.game.play.Rules()
	tiles := seed.Deal(&r, d.cfg.Seats, d.game.play.Round()+1)
	play, err := d.game.play.Deal(tiles)
	if err != nil {
		return err
	}
	d.takeOver()
	d.row("")
	d.lines(record.RoundLines(&play, &tiles))
	d.game.dealt(play, d.version+1, d.now)
	for _, q := range d.seats() {
		q.Ready = false
	}
	d.Resigns = 0
	d.resume()
	d.newTurn()
	return nil
}

// newTurn resets the clock and the pause of the turn before.
func (d *draft) newTurn() {
	d.stopClock(d.now)
	d.Clock, d.autoAt, d.overdue, d.turnAt = clock{}, time.Time{}, false, time.Time{}
}

type mover int

const (
	byPlayer mover = iota
	byTable        // forced, or by a bot that stands in
	byClock        // the player ran out of time
)

// move carries out a move of the game.
func (d *draft) move(m rules.Move, by mover) error {
	play, e, err := d.game.play.Apply(m)
	if err != nil {
		return err
	}
	d.lines(record.MoveLines(&play, e))
	d.newTurn()
	d.game.moved(play, Entry{Version: d.version + 1, At: d.now, Event: e, Auto: by != byPlayer, Late: by == byClock})
	switch {
	case e.GameOver:
		d.finish(EndPlayed, e.Winner, "")
	case e.End != rules.NotEnded:
		d.Phase = Scoring
		d.setDeadline(d.times.Scoring)
	}
	return nil
}

// playerMoves carries out a player's own move.
func (d *draft) playerMoves(c Move, n rules.Seat) error {
	switch {
	case !d.inGame():
		return ErrNoGame
	case c.Version < d.position || c.Version > d.version:
		return ErrStale
	case d.Phase == Scoring:
		return ErrNotYourTurn
	case d.Phase != Playing:
		return ErrStopped
	case d.game.play.Turn() != n:
		return ErrNotYourTurn
	}
	m := c.Move
	m.Seat = n
	m.HighLeft = m.HighLeft && m.Arm == rules.NoArm && !m.Tile.Double() // as in the record
	d.game.own[n-1]++
	if err := d.move(m, byPlayer); err != nil {
		return err
	}
	d.seat(n).Timeouts, d.seat(n).silent = 0, false
	return nil
}

// auto makes the move that the rules force, or that a bot has chosen.
func (d *draft) auto() error {
	turn := d.game.play.Turn()
	if duty := d.game.play.Duty(); duty != rules.Play {
		return d.move(rules.Move{Seat: turn, Kind: duty}, byTable)
	}
	m := d.chosen()
	if m == nil {
		d.overdue, d.autoAt = true, time.Time{} // it moves once there is a choice
		return nil
	}
	if d.seat(turn).House != "" {
		return d.move(*m, byPlayer)
	}
	return d.move(*m, byTable)
}

// outOfTime follows the name in the remark before a move for a player who ran out of time.
const outOfTime = " is out of time."

// timedOut moves for a player who ran out of time; after two in a row the seat is absent.
func (d *draft) timedOut() error {
	turn := d.game.play.Turn()
	q := d.seat(turn)
	q.Timeouts++
	d.remark(q.Player.Name + outOfTime)
	if err := d.move(d.hasty(turn), byClock); err != nil {
		return err
	}
	if q.Timeouts >= 2 && d.inGame() {
		d.goAbsent(turn)
	}
	return nil
}

// playedNothing reports whether the losing sides have not chosen a single tile.
func (d *draft) playedNothing(winner rules.Side) bool {
	for i, own := range d.game.own[:d.cfg.Seats] {
		if d.sideOf(rules.Seat(i+1)) != winner && own > 0 {
			return false
		}
	}
	return true
}

// scoresOf returns a game's points by side.
func scoresOf(g *rules.Game) (all []int) {
	for i := range g.Sides() {
		all = append(all, int(g.Score(rules.Side(i+1))))
	}
	return all
}

// finish ends the game. The winner is a side, 0 for none; text says how it ended if the rules do not.
func (d *draft) finish(how Ending, winner rules.Side, text string) {
	if text != "" {
		d.remark(text)
	}
	g := &d.game
	res := &Result{
		Ending: how, Winner: int(winner), Rounds: g.play.Result().Round, Leavers: d.leavers(),
		Plays: slices.Clone(g.plays[:d.cfg.Seats]), Own: slices.Clone(g.own[:d.cfg.Seats]),
		Best: int(g.best), BestBy: int(g.bestBy), Scores: scoresOf(&g.play),
	}
	if how == EndPlayed {
		res.Rounds = g.play.Round()
	}
	if winner != 0 {
		res.Deficit = int(g.behind[winner-1])
	}
	res.Rated = g.start.Rated && (how != EndAbandoned || len(res.Leavers) > 0)
	if d.plain || how == EndForfeit && d.cfg.Event.ID != 0 && d.playedNothing(winner) {
		res.Rated = false
	}
	if how == EndForfeit {
		first, _, _ := strings.Cut(text, ". ") // who it was, without the consequence
		res.Why = strings.TrimSuffix(first, ".") + "."
	}
	d.newTurn()
	d.Phase, d.Result, d.ended, d.nets = Finished, res, res, d.networks()
	d.PausedBy, d.Votes, d.Resigns = 0, votes{}, 0
	d.deadline, d.Left = time.Time{}, 0
	switch {
	case d.cfg.House:
		d.setDeadline(d.times.Scoring)
	case d.cfg.Event.ID != 0 && !d.cfg.Event.Solo:
		d.setDeadline(d.times.Linger)
	}
	for _, q := range d.seats() {
		if q.Gone {
			*q = seatState{}
			continue
		}
		q.Ready, q.Timeouts, q.Absent, q.StandIn, q.back = false, 0, false, false, false
		if q.Next.ID != 0 && !q.nextAway { // the seat is theirs now, though not in this game
			*q = seatState{Player: q.Next, presence: Here, since: d.now, Ready: true, Quick: true}
		}
		q.Next = sender{}
	}
	d.claimSides()
}
