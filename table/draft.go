package table

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"boneyard/rules"
	"boneyard/rules/record"
)

// draft is one step of a table before it is on disk: the state after it, and what has to be written. If it
// cannot be written it is dropped, and nobody has seen it.
type draft struct {
	state
	now   time.Time
	times *Times
	rng   *rand.Rand

	newSeed  func() rules.Seed
	nextGame func() (GameID, error) // asks the journal, which may fail
	thought  *thought               // the bot's choice, if it has one

	command commandID // the command that is carried out, zero if the table acts by itself
	by      commandID // the command to which new rows belong: zero for what follows from it
	keep    bool      // keep the command with the state, as it leaves no row
	changed bool      // there may be something to see
	plain   bool      // write as little as possible: the game is casual, without teams

	rows    []Row
	chat    []ChatLine
	begun   *Start
	taken   []Player // the players by seat, if bots' seats were taken over
	stoodUp []stoodUp
	ended   *Result
	nets    []string // with ended, see [Batch.Nets]
	final   bool
}

// settle carries out what follows from the state, and what is due.
func (d *draft) settle() error {
	const alarmsAtOnce = 64 // more than can follow from one step
	d.by = commandID{}
	for range alarmsAtOnce {
		changed, err := d.follow()
		if err != nil {
			return err
		}
		if changed {
			d.changed = true
			continue
		}
		setSince(&d.Nobody, d.now, d.unattended())
		at, alarm := d.next(d.times)
		if alarm == nil || at.After(d.now) || d.Phase == Closed {
			d.setClock(d.now)
			return nil
		}
		d.changed = true
		if err := alarm(d); err != nil {
			return err
		}
	}
	return fmt.Errorf("table %d does not settle in state %s", d.id, d.Phase)
}

// follow does one thing that follows from the state at once, and reports whether there was one.
func (d *draft) follow() (bool, error) {
	if d.Phase == Closed {
		return false, nil
	}
	if changed := d.followPresence(); changed {
		return true, nil
	}
	if changed := d.followVotes(); changed {
		return true, nil
	}
	switch d.Phase {
	case Gathering:
		return d.followGathering()
	case Countdown:
		if !d.allReady() || d.waitsForPlayers() {
			d.gather()
			return true, nil
		}
	case Finished:
		if d.ended != nil {
			return false, nil // a step that ends one game does not begin the next
		}
		if d.allReady() {
			return true, d.start()
		}
		if _, free := d.counts(); free > 0 && d.any(func(q *seatState) bool { return q.Ready }) { // somebody wants to play again
			d.gather()
			return true, nil
		}
	case Playing:
		if d.waitsForTurn() {
			d.Phase = Waiting
			d.setDeadline(d.times.Wait)
			return true, nil
		}
	case Waiting:
		if !d.waitsForTurn() {
			d.resume()
			return true, nil
		}
	case Scoring:
		reads := func(q *seatState) bool { return d.here(q) && !q.Ready } // still looks at the scoring
		if d.any(d.here) && !d.any(reads) {
			return true, d.deal()
		}
	}
	return false, nil
}

// fallSilent notes that the player to move has not moved for long.
func (d *draft) fallSilent() {
	q := d.seat(d.game.play.Turn())
	q.silent, d.turnAt = true, time.Time{}
	if d.any(func(o *seatState) bool { return o != q && d.here(o) }) {
		d.announce(q.Player.Name + " has not moved for " + strconv.Itoa(int(d.times.Silent.Minutes())) +
			" minutes; the others may vote to go on.")
	}
}

// setDeadline makes the present phase end by itself after a while.
func (d *draft) setDeadline(after time.Duration) { d.deadline, d.Left = d.now.Add(after), after }

// resume goes on playing.
func (d *draft) resume() { d.Phase, d.deadline, d.Left = Playing, time.Time{}, 0 }

// row adds a line to the game's record.
func (d *draft) row(line string) {
	d.rows = append(d.rows, Row{Line: line, At: d.now.Round(0), Command: d.by.ID, By: d.by.By})
}

// lines adds lines to the game's record.
func (d *draft) lines(lines []record.Line) {
	for _, l := range lines {
		d.row(l.String())
	}
}

// remark adds something outside the rules to the log, and to the record as a comment.
func (d *draft) remark(text string) {
	d.row("# " + text)
	d.game.tell(d.version+1, d.now, text)
}

// announce adds a line of the club to the players' chat.
func (d *draft) announce(text string) { d.say(Player{}, RoomPlayers, text, true) }

func (d *draft) say(from Player, room Room, text string, house bool) {
	d.ChatSeq++
	d.chat = append(d.chat, ChatLine{Seq: d.ChatSeq, At: d.now.Round(0), From: from, Text: text, Room: room, House: house})
}

// close ends the table for good.
func (d *draft) close(why string) {
	if d.inGame() {
		d.finish(EndAbandoned, 0, why)
	}
	d.Phase, d.notice, d.final = Closed, why, true
	d.deadline = time.Time{}
}

// batch returns what the step writes to disk, nil for nothing. state is its JSON if that changes.
func (d *draft) batch(before *state, state []byte) *Batch {
	b := &Batch{
		Table: d.id, State: state, Rows: d.rows, Chat: d.chat, Start: d.begun, Taken: d.taken, End: d.ended, Nets: d.nets,
		Final: d.final,
	}
	if len(d.rows) > 0 {
		b.Game = d.game.id
		if before.game.id == d.game.id {
			b.Seq = before.game.rows
		}
	}
	if b.State == nil && len(b.Rows) == 0 && len(b.Chat) == 0 && !b.Final {
		return nil
	}
	return b
}
