package table

import "boneyard/rules"

// sender is a player and their network, which never leaves the table: nobody is shown a sender.
type sender struct {
	Player
	Net string `json:"net,omitempty"`
}

// request carries out a request and returns the answer. Called on the table's goroutine.
func (t *Table) request(r Request) error {
	id := commandID{By: r.By.ID, ID: r.ID}
	if t.recent.has(id) {
		return nil
	}
	if _, closing := r.Command.(Close); closing && t.state.frozen && !t.draining && !t.ended {
		return t.closeFrozen()
	}
	if n := t.state.seatOf(r.By.ID); n != 0 && r.By.ID != 0 {
		if q := t.state.seat(n); q.Absent || q.silent {
			t.change(func() { q.back, q.silent = q.Absent, false })
		}
	}
	return t.step(func(d *draft) error {
		d.command, d.by = id, id
		err := d.carryOut(&r)
		d.keep = len(d.rows) == 0
		return err
	})
}

// needsSeat reports whether only somebody who sits at the table may give a command.
func needsSeat(c Command) bool {
	switch c.(type) {
	case Sit, Stand, Unseat, AddBot, RemoveBot, Say, Close:
		return false
	}
	return true
}

// carryOut applies a request to the draft.
func (d *draft) carryOut(r *Request) error {
	n := d.seatOf(r.By.ID)
	_, closing := r.Command.(Close)
	switch {
	case r.Command == nil, r.By.ID == 0 && !closing:
		return ErrUnknown
	case n == 0 && needsSeat(r.Command):
		return ErrNotSeated
	}
	return r.Command.carryOut(d, &sender{Player: r.By, Net: r.Net}, n)
}

func (c Sit) carryOut(d *draft, from *sender, _ rules.Seat) error { return d.sit(c, from) }
func (c Unseat) carryOut(d *draft, from *sender, _ rules.Seat) error {
	return d.unseat(c, from.ID)
}
func (c Swap) carryOut(d *draft, _ *sender, n rules.Seat) error     { return d.swap(n, c.With) }
func (c Move) carryOut(d *draft, _ *sender, n rules.Seat) error     { return d.playerMoves(c, n) }
func (c Pause) carryOut(d *draft, _ *sender, n rules.Seat) error    { return d.pause(n, c.On) }
func (c CastVote) carryOut(d *draft, _ *sender, n rules.Seat) error { return d.vote(n, c.Vote, c.On) }
func (c Resign) carryOut(d *draft, _ *sender, n rules.Seat) error   { return d.resign(n, c.Back) }
func (TakeHints) carryOut(d *draft, _ *sender, n rules.Seat) error  { return d.takeHints(n) }
func (Return) carryOut(*draft, *sender, rules.Seat) error           { return nil } // any command says so

func (c Stand) carryOut(d *draft, from *sender, n rules.Seat) error {
	switch {
	case d.giveUpTaking(from.ID):
		return nil
	case n == 0:
		return ErrNotSeated
	case d.inGame() && c.UnlessPlaying:
		return ErrNotNow
	case d.inGame():
		return d.resign(n, false)
	case d.keepsSeats():
		return ErrEvent
	}
	d.stand(n)
	return nil
}

func (c Ready) carryOut(d *draft, _ *sender, n rules.Seat) error {
	err := d.ready(n, c.On)
	switch {
	case err != nil || !c.On || !c.Bots:
		return err
	case d.cfg.Access == AccessTeams:
		return ErrNoBots
	}
	d.fill()
	return nil
}

func (c AddBot) carryOut(d *draft, from *sender, n rules.Seat) error {
	if n == 0 && from.ID != d.maker.ID {
		return ErrNotSeated
	}
	return d.addBot(c)
}

func (c RemoveBot) carryOut(d *draft, from *sender, n rules.Seat) error {
	if n == 0 && from.ID != d.maker.ID {
		return ErrNotSeated
	}
	return d.removeBot(c.Seat)
}

func (Continue) carryOut(d *draft, _ *sender, n rules.Seat) error {
	if d.Phase != Scoring {
		return ErrNotNow
	}
	d.seat(n).Ready = true
	return nil
}

func (Rematch) carryOut(d *draft, _ *sender, n rules.Seat) error {
	if d.Phase != Finished {
		return ErrNotNow
	}
	return d.ready(n, true)
}

func (c Say) carryOut(d *draft, from *sender, n rules.Seat) error {
	room := RoomPlayers
	if n == 0 {
		room = RoomWatchers
		if !d.cfg.Watchers {
			return ErrWatchers
		}
	}
	d.say(from.Player, room, c.Text, false)
	return nil
}

func (c Close) carryOut(d *draft, _ *sender, _ rules.Seat) error {
	switch {
	case !c.UnlessOver || d.cfg.Event.ID == 0:
		d.close(noticeClosed)
	case d.Phase != Finished:
		d.close(d.unwanted())
	}
	return nil
}
