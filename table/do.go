package table

// command carries out a command of somebody and returns the answer. Called on the table's goroutine.
func (t *Table) command(c Command) error {
	id := done{By: c.By.ID, ID: c.ID}
	if t.recent.has(id) {
		return nil
	}
	if n := t.state.seatOf(c.By.ID); n != 0 && c.By.ID != 0 {
		if q := t.state.seat(n); q.Absent || q.silent {
			t.change(func() { q.back, q.silent = q.Absent, false })
		}
	}
	return t.step(func(d *draft) error {
		d.command, d.by = id, id
		err := d.carryOut(&c)
		d.keep = len(d.rows) == 0
		return err
	})
}

// carryOut makes of the draft what the command asks for.
func (d *draft) carryOut(c *Command) error {
	if c.Kind == CloseCmd {
		d.close("The table has been closed.")
		return nil
	}
	if c.By.ID == 0 {
		return ErrUnknown
	}
	n := d.seatOf(c.By.ID)
	switch c.Kind {
	case Chat:
		return d.talk(c, n != 0)
	case Sit:
		return d.sit(c)
	case AddBot, RemoveBot:
		if n == 0 && c.By.ID != d.maker.ID {
			return ErrNotSeated
		}
		if c.Kind == AddBot {
			return d.addBot(c)
		}
		return d.removeBot(c)
	case Unseat:
		return d.unseat(c)
	case Stand:
		if d.giveUpTaking(c.By.ID) {
			return nil
		}
	}
	if n == 0 {
		return ErrNotSeated
	}
	switch c.Kind {
	case Stand:
		if err := d.between(); err == nil {
			d.stand(n)
			return nil
		}
		return d.resign(n)
	case Resign:
		return d.resign(n)
	case Swap:
		return d.swap(c, n)
	case Ready:
		return d.ready(n, c.On)
	case Hint:
		return d.takeHints(n)
	case Rematch:
		if d.Phase != Finished {
			return ErrNotNow
		}
		return d.ready(n, true)
	case Continue:
		if d.Phase != Scoring {
			return ErrNotNow
		}
		d.seat(n).Ready = true
		return nil
	case MoveCmd:
		return d.playerMoves(c, n)
	case Pause:
		return d.pause(n, c.On)
	case VoteCmd:
		return d.vote(n, c.Vote, c.On)
	case Return:
		return nil // to give a command is to be back
	}
	return ErrUnknown
}

// talk says something: players to all, everybody else to the other watchers.
func (d *draft) talk(c *Command, seated bool) error {
	if c.Text == "" {
		return ErrNothingSaid
	}
	room := RoomPlayers
	if !seated {
		room = RoomWatchers
		if !d.cfg.Watchers {
			return ErrWatchers
		}
	}
	d.say(c.By, room, c.Text, false)
	return nil
}
