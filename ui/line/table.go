package line

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/plain"
)

// openTable is the table that the person is looking at, from a seat or from the gallery.
type openTable struct {
	id     table.ID
	here   *lobby.Showing
	sub    *table.Subscription
	view   *table.View // the last one that was announced
	follow plain.Follower

	turn     turn             // the turn that was announced; zero if it is not the person's
	replaced bool             // a bot plays for the person, and they were told
	options  []plain.Playable // the plays, as last numbered
	typing   bool             // a line was being typed when they were written: its number may be from an older list
	late     *time.Timer      // runs until the bank starts, on the person's turn at a table with clocks
}

type turn struct {
	game  table.GameID
	round int
	laid  int // tiles on the table
	stock int
	held  int
}

// open shows a table, from the person's seat there if they have one.
func (m *mode) open(ctx context.Context, id table.ID) error {
	here := m.visit.Show(lobby.Place{Table: id})
	sub, err := here.Watch(ctx)
	if err != nil {
		here.Close()
		return err
	}
	m.leaveTable()
	v := sub.View()
	m.at = &openTable{id: id, here: here, sub: sub, view: v}
	m.at.follow.Begin(v)
	m.moved(id)
	m.say(plain.State(v)...)
	for i := max(0, len(v.Chat)-3); i < len(v.Chat); i++ {
		if !v.Chat[i].House {
			m.spoken(&v.Chat[i])
		}
	}
	m.hint(v)
	m.tellTurn(v, true)
	return nil
}

// leaveTable closes the table. The person keeps a seat there.
func (m *mode) leaveTable() {
	if m.at == nil {
		return
	}
	m.at.stopClock()
	m.at.here.Close()
	if m.at.view.MyMove() { // they know this
		m.heard.waits = append(m.heard.waits, m.at.id)
	}
	m.at = nil
	m.moved(0)
}

func (s *openTable) stopClock() {
	if s.late != nil {
		s.late.Stop()
		s.late = nil
	}
}

// tableChanged announces what has happened since the last view.
func (m *mode) tableChanged(v *table.View) {
	before := m.at.view
	m.at.view = v
	names := plain.Names(v)
	if before.Game != v.Game && v.Game != 0 {
		m.say("Game " + strconv.FormatInt(int64(v.Game), 10) + " begins. " + plain.Stake(v) + " Type seed to see how its deals can be checked.")
	}
	for _, h := range m.at.follow.Next(v) {
		m.happened(v, &h, names)
	}
	m.tellFew(before, v)
	m.tellSeats(before, v)
	switch n := v.Notice; {
	case n == "" || n == before.Notice || n == table.ErrDraining.Error(): // the club announces a shutdown itself
	case v.State == table.Frozen && before.State != table.Frozen: // the hint says it
	case len(v.Log) > 0 && v.Log[len(v.Log)-1].Text == n: // the game ended with it
	default:
		m.say(n)
	}
	if v.State != before.State {
		m.hint(v)
	}
	for _, what := range []table.Vote{table.VoteBot, table.VoteAdjourn, table.VoteClaim} {
		switch votes, was := v.Votes[what], before.Votes[what]; {
		case votes.For > was.For:
			m.say(plain.Votes(v, votes) + ": " + plain.VoteMeans[what] + ".")
		case votes.For < was.For && v.State == before.State:
			m.say("A vote that " + plain.VoteMeans[what] + " was taken back.")
		}
	}
	if v.State == table.Closed {
		m.say("The table is closed. You are in the lobby.")
		m.leaveTable()
		return
	}
	m.tellTurn(v, false)
}

func (m *mode) happened(v *table.View, h *plain.Happening, names []string) {
	switch {
	case h.Entry != nil:
		if e := h.Entry; e.Late && e.Event.Seat == v.POV {
			m.say(plain.Late(&e.Event, "you"))
		}
		m.say(plain.OwnEntry(v, h.Entry))
		if say := plain.GuideMove(v, h.Entry); say != "" && m.guided() {
			m.say(say)
		}
		if e := h.Entry; e.Number == 0 && v.POV != 0 && e.Round == v.Play.Round && v.Play.Layout.Len() == 0 && v.State == table.Playing &&
			!v.MyMove() {
			m.say("Your hand: " + plain.Hand(v.Play.Hand) + ".")
		}
	case h.Scoring != nil:
		m.say(plain.Scoring(&v.Play.Rules, h.Scoring, names, plain.OwnSides(v, "you"), v.POV)...)
	case h.Result != nil:
		m.say(plain.OwnResult(v, h.Result)...)
	case h.Chat != nil:
		m.spoken(h.Chat)
	case h.Missed:
		m.say("Some moves are not shown.")
	case h.Lost != 0:
		m.say("Game " + strconv.FormatInt(int64(h.Lost), 10) + " is over; type replay and its number to see how it went.")
	}
}

// tellFew announces other players who have few tiles left.
func (m *mode) tellFew(before, v *table.View) {
	const few = 2 // the number of tiles left from which tellFew announces a player
	if v.State != table.Playing || before.Play.Round != v.Play.Round || before.Game != v.Game {
		return
	}
	for i := range v.Seats {
		if n := v.Play.Held[i]; n < before.Play.Held[i] && n > 0 && n <= few && rules.Seat(i+1) != v.POV {
			m.say(plain.Names(v)[i] + " has " + text.Number(n, "tile") + " left.")
		}
	}
}

// tellSeats announces changes of the seats that the house does not: who is ready, who is away, and the
// person's own seat.
func (m *mode) tellSeats(before, v *table.View) {
	for i := range v.Seats {
		n := rules.Seat(i + 1)
		was, is := &before.Seats[i], &v.Seats[i]
		if was.Player.ID != is.Player.ID || is.Player.ID == 0 || n == v.POV {
			continue
		}
		name := text.Printable(is.Name())
		if was.Ready != is.Ready {
			switch {
			case !v.State.Gathers() && v.State != table.Finished:
			case is.Ready && v.State == table.Finished:
				m.say(name + " wants a rematch.")
			case is.Ready:
				m.say(name + " is ready.")
			case before.State != table.Finished:
				m.say(name + " is not ready any more.")
			}
		}
		if was.Presence != is.Presence {
			switch is.Presence {
			case table.Disconnected:
				m.say(name + " lost connection.")
			case table.Left:
				m.say(name + " has gone.")
			case table.Here:
				if was.Presence != table.Absent { // the house says that
					m.say(name + " is back.")
				}
			}
		}
	}
	if v.POV != before.POV {
		switch {
		case v.POV != 0:
			m.say("You have seat " + strconv.Itoa(int(v.POV)) + ".")
		case v.State == table.Closed:
			m.say("You no longer have a seat here.")
		default:
			m.say("You no longer have a seat here; you are watching.")
		}
	}
	if v.Swap.With == v.POV && v.POV != 0 && v.Swap != before.Swap {
		m.say("Type swap to agree.")
	}
}

func (m *mode) hint(v *table.View) {
	seated := v.POV != 0
	left, during := "", ""
	if !v.Deadline.IsZero() {
		ends := time.Until(v.Deadline)
		if left = plain.Time(ends); ends > 0 { // a wait may go on, until the others vote
			during = " for up to " + left
		}
	}
	var lines []string
	switch v.State {
	case table.Gathering:
		if v.MaySit(m.visit.Reader()) {
			lines = append(lines, "Type sit to take a seat.")
		}
		if say := plain.MatchWaits(v); say != "" {
			lines = append(lines, say)
		}
		if v.Arranges() {
			more := "Type deal to play with bots at once, or invite to see how others can join."
			if !v.MayDeal() {
				more = "Type invite to see how others can join."
			}
			ready := "Type ready when you are: the game begins when all are. "
			if v.Own().Ready {
				ready = "You are ready: the game begins when all are. "
			}
			lines = append(lines, ready+more)
		}
		if left != "" {
			lines = append(lines, "Bots join in "+left+".")
		}
	case table.Countdown:
		lines = append(lines, "The game begins in "+left+".")
		if v.Arranges() {
			lines = append(lines, "Type unready to stop it.")
		}
	case table.Playing:
		if v.Asleep && (!seated || v.Replaced()) { // a seated player wakes it
			lines = append(lines, "Nobody is here to play; the game sleeps until a player is back.")
		}
	case table.Scoring:
		if seated {
			say := "Type next to go on"
			if left != "" {
				say += "; the next deal is in " + left
			}
			lines = append(lines, say+".")
		}
	case table.Paused:
		lines = append(lines, "The game is paused"+during+".")
		if v.MayResume() {
			lines = append(lines, "Type resume to go on.")
		}
	case table.Waiting:
		lines = append(lines, "Somebody is away: the table waits"+during+".")
		if say := votes(v); say != "" {
			lines = append(lines, say)
		}
	case table.Adjourned:
		lines = append(lines, "The game is adjourned; it resumes when everyone is back.")
	case table.Frozen:
		lines = append(lines, v.Notice)
	case table.Finished:
		if stands, _ := plain.MatchStands(v, time.Now()); stands != "" {
			lines = append(lines, stands)
		}
		switch e := v.Config.Event; {
		case e.Solo:
			lines = append(lines, "Type daily to see what others played, or lobby to go back.")
		case e.Field:
			lines = append(lines, fmt.Sprintf("Type field %d for the duplicate arena, or lobby to go back; results are compared "+
				"when everybody has finished.", e.ID))
		case e.Sealed:
			lines = append(lines, fmt.Sprintf("Type duplicate %d for the match, or lobby to go back; the tables are compared "+
				"when both have finished.", e.ID))
		}
		if v.Config.Event.Private {
			break
		}
		if m.guided() {
			lines = append(lines, plain.GuideEnd("Type lobby, then quick"))
		}
		if seated && v.Config.Event.ID == 0 {
			lines = append(lines, "Type rematch to play again.")
		}
		lines = append(lines, "Type replay to read the game again, seed to see how its deals can be checked, or lobby to go back.")
	}
	if len(lines) > 0 {
		m.say(strings.Join(lines, " "))
	}
}

// votes says what a player may vote for while the table waits for somebody; empty if nothing.
func votes(v *table.View) string {
	var ways []string
	now := time.Now()
	if v.MayVote(table.VoteBot, now) {
		ways = append(ways, "vote bot for a bot to play on")
	}
	if v.MayVote(table.VoteAdjourn, now) {
		ways = append(ways, "vote adjourn for the game to sleep")
	}
	switch {
	case v.MayVote(table.VoteClaim, now):
		ways = append(ways, "vote claim to win")
	case v.MayVote(table.VoteClaim, v.Deadline):
		ways = append(ways, "vote claim to win when the time is over")
	}
	if len(ways) == 0 {
		return ""
	}
	return "Type " + text.Join(ways, ", or ") + "."
}

// guided reports whether the person is shown how to play.
func (m *mode) guided() bool {
	return m.at.view.Config.Guide && m.at.view.POV != 0 && !m.visit.Settings().NoGuide
}

// tellTurn announces the person's move, once a turn; told means that the ends and the hand have just been
// written.
func (m *mode) tellTurn(v *table.View, told bool) {
	s := m.at
	replaced := v.POV != 0 && v.Seats[v.POV-1].StandIn
	if replaced && !s.replaced {
		m.say("You were away and a bot is playing for you. Type return to take your seat back.")
	}
	s.replaced = replaced
	if !v.MyMove() {
		s.turn = turn{}
		s.stopClock()
		return
	}
	now := turn{game: v.Game, round: v.Play.Round, laid: v.Play.Layout.Len(), stock: v.Play.Stock, held: v.Play.Hand.Len()}
	if s.turn == now {
		return
	}
	if s.turn = now; !told {
		m.tellHolding(v)
	}
	if m.guided() {
		m.say(plain.GuideNow(v))
	}
	m.tellMove(v)
	m.ring()
	s.stopClock()
	if !v.TurnEnds.IsZero() && v.BankEnds.After(v.TurnEnds) {
		s.late = time.NewTimer(time.Until(v.TurnEnds))
	}
}

func (m *mode) tellMove(v *table.View) {
	const howOften = 2 // how many times in a visit the person is told how to choose a play
	p := &v.Play
	m.at.options, m.at.typing = plain.Choices(p), m.ed.line != ""
	yours := "Your move:"
	if m.shown < howOften { // then people know
		m.shown++
		yours = "Your move: type the number of a play."
		if len(m.at.options) > 0 {
			yours = "Your move: type the number of a play, such as 1, or its tile, such as " + m.at.options[0].Tile.Name() + "."
		}
	}
	if p.Layout.Len() == 0 || p.Forced != rules.NoTile {
		yours = english.Reason(p) + " " + yours
	}
	if hurry, _ := plain.FirstMove(v); hurry != "" {
		yours = hurry + " " + yours
	}
	m.say(yours)
	for i := range m.at.options {
		m.say(strconv.Itoa(i+1) + ") " + plain.Option(p, &m.at.options[i]))
	}
}

// tellHolding writes the ends and the hand.
func (m *mode) tellHolding(v *table.View) {
	if v.Play.Layout.Len() > 0 {
		m.say(plain.Ends(&v.Play))
	}
	m.say("Your hand: " + plain.Hand(v.Play.Hand) + ".")
}

func (m *mode) ring() {
	if m.visit.Settings().Bell && m.Echo {
		m.out.bell()
	}
}

// bankRuns warns that the turn's own time is used up.
func (m *mode) bankRuns() {
	v := m.at.view
	m.at.stopClock()
	if v.MyMove() && !v.BankEnds.IsZero() {
		m.say("Your time for this turn is used up; the bank has " + plain.Time(time.Until(v.BankEnds)) + ".")
		m.ring()
	}
}
