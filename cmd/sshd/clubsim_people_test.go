package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// simulatedPerson is a person with a client. It hangs up when it is not answered, and reconnects to a node
// where the club is open; there it repeats, under its id, a command at a table that was not acknowledged.
type simulatedPerson struct {
	*simulatedCluster
	name   string
	number int
	rng    *rand.Rand
	watch  bool // does not play

	run     *simulatedRun // nil while not connected
	visit   *lobby.Visit
	showing *lobby.Showing
	sub     *table.Subscription
	at      table.ID // the table that is shown
	pending *simulatedCommand
	sent    int
	grudge  int // answers in a row that say that the club stands still
}

// simulatedCommand is a command at a table.
type simulatedCommand struct {
	id string
	at table.ID
	table.Command
}

func newSimulatedPerson(s *simulatedCluster, i int) *simulatedPerson {
	return &simulatedPerson{simulatedCluster: s, name: fmt.Sprint("person", string(rune('a'+i))), number: i,
		rng: rand.New(rand.NewPCG(s.seed, uint64(100+i))), watch: i%4 == 3}
}

// live has the person do things until ctx ends.
func (p *simulatedPerson) live(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(50*time.Millisecond + time.Duration(p.rng.Int64N(int64(400*time.Millisecond))))
		switch {
		case p.run == nil:
			p.connect()
		case len(p.visit.Kicked()) > 0:
			p.hangUp()
		default:
			p.act()
		}
	}
	p.pending = nil
	if p.run != nil {
		p.hangUp()
	}
}

// errUnanswered is the error of a call that was not answered.
var errUnanswered = errors.New("not answered")

// call makes a call at the node that the person is connected to, and hangs up if there is no answer. told
// gets the answer even if nobody waits for it any more: the node has given it.
func (p *simulatedPerson) call(do func() error, told func(error)) error {
	const patience = 6 * time.Second
	run := p.run
	answer := make(chan error, 1)
	p.calls.Go(func() {
		if run.net.Runs(context.Background()) != nil {
			return
		}
		err := do()
		if told != nil {
			told(err)
		}
		if run.net.Runs(context.Background()) == nil {
			answer <- err
		}
	})
	var err error
	select {
	case err = <-answer:
		return err
	case <-time.After(patience):
	case <-run.killed:
	}
	p.hangUp()
	return errUnanswered
}

// hangUp ends the connection; the node hears of it, if it can.
func (p *simulatedPerson) hangUp() {
	run, visit, showing := p.run, p.visit, p.showing
	p.run, p.visit, p.showing, p.sub, p.at, p.grudge = nil, nil, nil, nil, 0, 0
	if visit == nil {
		return
	}
	how := table.Disconnected
	if p.rng.IntN(4) == 0 {
		how = table.Left
	}
	p.calls.Go(func() {
		if run.net.Runs(context.Background()) != nil {
			return
		}
		showing.Close()
		visit.Close(how)
	})
}

// connect comes to a node where the club is open.
func (p *simulatedPerson) connect() {
	open := p.open()
	if len(open) == 0 {
		return
	}
	run := open[p.rng.IntN(len(open))]
	c := run.opened()
	origin := lobby.Origin{Key: sha256.Sum256([]byte(p.name)), Net: fmt.Sprintf("10.%d.0.1", p.number)}
	p.run = run
	var visit *lobby.Visit
	err := p.call(func() error {
		v, registered, err := enterClub(c.lobby, origin, p.name)
		if registered {
			p.reg.acked(run, acknowledged{kind: "createAccount", text: p.name})
		}
		visit = v
		return err
	}, nil)
	switch {
	case errors.Is(err, errUnanswered):
	case err != nil:
		p.run = nil
	default:
		p.visit = visit
	}
}

// act does one thing.
func (p *simulatedPerson) act() {
	if p.pending != nil {
		p.send()
		return
	}
	switch p.rng.IntN(40) {
	case 0:
		p.say()
		return
	case 1:
		p.found()
		return
	case 2: // to see what else is going on
		p.look(0)
		return
	case 3:
		p.hangUp()
		return
	}
	if p.at == 0 && !p.choose() {
		return
	}
	v := p.view()
	if v == nil {
		return
	}
	if c := p.command(v); c != nil {
		p.sent++
		p.pending = &simulatedCommand{id: fmt.Sprintf("%s-%d", p.name, p.sent), at: v.Table, Command: c}
		p.send()
	}
}

// say says something in the lobby. It has no id, so that it is not sent again.
func (p *simulatedPerson) say() {
	p.sent++
	line, run, visit := fmt.Sprintf("line %d of %s", p.sent, p.name), p.run, p.visit
	_ = p.call(func() error {
		_, err := visit.Say(context.Background(), line)
		return err
	}, func(err error) { p.reg.answered(run, acknowledged{kind: "say", text: line}, err) })
}

// found founds a team, or leaves it.
func (p *simulatedPerson) found() {
	p.sent++
	name, run, visit := fmt.Sprintf("Team %s %d", p.name, p.sent), p.run, p.visit
	if visit.Account().Team != 0 {
		_ = p.call(func() error { return visit.LeaveTeam(context.Background()) }, nil)
		return
	}
	tag := fmt.Sprintf("%c%d", 'A'+p.number, p.sent%1000)
	_ = p.call(func() error {
		_, err := visit.CreateTeam(context.Background(), name, tag)
		return err
	}, func(err error) { p.reg.answered(run, acknowledged{kind: "createTeam", text: name}, err) })
}

// choose goes to a table of the person's, or to another, or makes one.
func (p *simulatedPerson) choose() bool {
	tables := p.visit.Snapshot().Tables
	mine := p.visit.MyTables()
	switch {
	case p.watch && len(tables) > 0:
		p.look(tables[p.rng.IntN(len(tables))].Table)
	case p.watch:
	case len(mine) > 0:
		p.look(mine[p.rng.IntN(len(mine))].Table)
	case len(tables) > 0 && p.rng.IntN(3) > 0:
		p.look(tables[p.rng.IntN(len(tables))].Table)
	case len(tables) < 4:
		p.makeTable()
	}
	return p.at != 0
}

func (p *simulatedPerson) makeTable() {
	cfg := table.DefaultConfig()
	cfg.RuleText, cfg.Rules = pickOf(p.rng, "azneef target=60", "classic target=40", "sniff target=60"), rules.Ruleset{}
	cfg.Pace = pickOf(p.rng, table.PaceNone, table.PaceFast, table.PaceRelaxed)
	cfg.Absence = pickOf(p.rng, table.AbsenceBot, table.AbsenceWait, table.AbsenceForfeit)
	cfg.Fill, cfg.Seats = table.FillNever, 2
	visit := p.visit
	var at table.ID
	if p.call(func() error {
		t, err := visit.NewTable(context.Background(), cfg)
		if t != nil {
			at = t.ID()
		}
		return err
	}, nil) == nil {
		p.look(at)
	}
}

// look shows a table, or the lobby.
func (p *simulatedPerson) look(at table.ID) {
	p.sub, p.at = nil, 0
	visit, before := p.visit, p.showing
	p.showing = nil
	var showing *lobby.Showing
	var sub *table.Subscription
	err := p.call(func() (err error) {
		before.Close()
		if at != 0 {
			showing = visit.Show(lobby.Place{Table: at})
			sub, err = showing.Watch(context.Background())
		}
		return err
	}, nil)
	if !errors.Is(err, errUnanswered) {
		p.showing = showing
	}
	if err == nil && at != 0 {
		p.sub, p.at = sub, at
	}
}

// view is the table that the person looks at. Others see it as well.
func (p *simulatedPerson) view() *table.View {
	v := p.sub.View()
	p.reg.saw(p.t, v)
	if v.State == table.Closed || v.State == table.Finished && p.rng.IntN(8) == 0 {
		p.look(0)
		return nil
	}
	return v
}

// command is what somebody does at a table, nil for nothing.
func (p *simulatedPerson) command(v *table.View) table.Command {
	if p.rng.IntN(15) == 0 {
		return table.Say{Text: fmt.Sprintf("word %d of %s", p.sent, p.name)}
	}
	if v.POV == 0 {
		if p.watch || p.rng.IntN(4) > 0 {
			if p.rng.IntN(6) == 0 {
				p.look(0)
			}
			return nil
		}
		return table.Sit{}
	}
	switch v.State {
	case table.Gathering, table.Countdown:
		if p.rng.IntN(40) == 0 {
			return table.Stand{}
		}
		if !v.Seats[v.POV-1].Ready {
			return table.Ready{On: true}
		}
	case table.Playing:
		if move := anyMove(p.rng, v); move != nil {
			return move
		}
		if p.rng.IntN(100) == 0 {
			return table.Pause{On: true}
		}
	case table.Paused:
		return table.Pause{}
	case table.Scoring:
		return table.Continue{}
	case table.Waiting, table.Adjourned:
		return table.CastVote{Vote: table.VoteBot, On: true}
	case table.Finished:
		if !v.Seats[v.POV-1].Ready {
			return pickOf[table.Command](p.rng, table.Rematch{}, table.Rematch{}, table.Stand{})
		}
	}
	return nil
}

// anyMove is a move that somebody may make at a table, nil if there is none.
func anyMove(rng *rand.Rand, v *table.View) table.Command {
	if len(v.Play.Options) == 0 {
		return nil
	}
	o := v.Play.Options[rng.IntN(len(v.Play.Options))]
	return table.Move{Version: v.Version,
		Move: rules.Move{Seat: v.POV, Kind: v.Play.Duty, Tile: o.Tile, Arm: o.Arm, HighLeft: rng.IntN(2) == 0}}
}

func pickOf[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }

// send sends the command that has not been acknowledged.
func (p *simulatedPerson) send() {
	c, run, visit := p.pending, p.run, p.visit
	a := acknowledged{kind: "command", text: c.id, player: visit.Player().ID}
	if say, ok := c.Command.(table.Say); ok {
		a = acknowledged{kind: "word", text: say.Text}
	}
	_, move := c.Command.(table.Move)
	if !move && a.kind == "command" {
		a.kind = "other"
	}
	err := p.call(func() error { return visit.DoOnce(context.Background(), c.at, c.id, c.Command) }, func(err error) {
		if err == nil || final(err) {
			p.reg.answered(run, a, err)
		}
	})
	switch {
	case err == nil || final(err):
		p.pending, p.grudge = nil, 0
	case errors.Is(err, errUnanswered):
	default: // the club stands still here; perhaps it runs elsewhere
		if p.grudge++; p.grudge > 12 {
			p.hangUp()
		}
	}
}

// final reports whether a refusal says that the command was not carried out and will not be.
func final(err error) bool {
	var atTable table.Refusal
	var refusal text.Refusal
	switch {
	case errors.Is(err, table.ErrFrozen), errors.Is(err, table.ErrDraining), errors.Is(err, table.ErrClosed),
		errors.Is(err, lobby.ErrDraining), errors.Is(err, lobby.ErrOver), errors.Is(err, lobby.ErrTrouble):
		return false
	case errors.As(err, &atTable), errors.As(err, &refusal):
		return true
	}
	return false
}
