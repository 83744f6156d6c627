package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/feature"
)

// Input is a line from a program that plays. Exactly one of its fields says what to do; ID, Version, Arm and
// Strength qualify it.
type Input struct {
	ID      string `json:"id" means:"at most 64 characters; the line is carried out once, unless it says a command that begins with \"/\""`
	Version uint64 `json:"version" means:"of the state that a play answers, by default the last one"`

	Play *string `json:"play" means:"a tile, with the higher or the lower half first"`
	Arm  string  `json:"arm" means:"where; may be missing where the tile fits one arm only"`

	Ready     *bool   `json:"ready" means:"ready for the game, or not"`
	Rematch   *bool   `json:"rematch" means:"\"true\": another game with the same seats"`
	Leave     *bool   `json:"leave" means:"stands up, or resigns in a game, and ends the session"`
	Resign    *bool   `json:"resign" means:"leaves the game, and stays; false takes that back while the partner has not agreed"`
	Say       *string `json:"say" means:"a line of chat, or a command that begins with \"/\", answered by notes"`
	Sit       *int    `json:"sit" means:"takes another seat; 0: any"`
	Swap      *int    `json:"swap" means:"asks to swap with a seat, or grants it"`
	AddBot    *int    `json:"add_bot" means:"on a seat; 0: any"`
	Strength  string  `json:"strength" means:"of the bot: \"novice\", \"casual\", \"regular\", \"expert\" or \"master\""`
	RemoveBot *int    `json:"remove_bot" means:"a seat"`
	Unseat    *int    `json:"unseat" means:"a player's seat, at a table that you created, not during a game"`
	Pause     *bool   `json:"pause" means:"asks for a pause, or ends it"`
	Vote      *string `json:"vote" means:"bot, adjourn or claim"`
	State     *bool   `json:"state" means:"\"true\": writes the state again"`
}

const (
	errOneThing text.Refusal = "A line must ask for exactly one thing."
	errNoTile   text.Refusal = "Write a tile like 6-4."
	errNoArm    text.Refusal = "That tile fits more than one arm; say which."
	errNoSeat   text.Refusal = "A seat is a number from 1 to 4."
	errLongID   text.Refusal = "An id has at most 64 characters."
)

func (p *participant) obey(ctx context.Context, line []byte) {
	in, err := readInput(line)
	if err != nil {
		p.fail("", text.Refusal("That line can't be understood: "+text.Printable(fault(err))+"."))
		return
	}
	if utf8.RuneCountInString(in.ID) > 64 {
		p.fail("", errLongID)
		return
	}
	if err := p.carryOut(ctx, &in); err != nil {
		p.fail(in.ID, err)
		return
	}
	if in.ID != "" {
		p.out.json(Done{Type: "ok", ID: text.Printable(in.ID)})
	}
}

func readInput(line []byte) (in Input, err error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	err = dec.Decode(&in)
	if err == nil && dec.Decode(new(any)) != io.EOF {
		err = errors.New("a line holds one object")
	}
	for _, asks := range []**bool{&in.Rematch, &in.Leave, &in.State} {
		if *asks != nil && !**asks {
			*asks = nil // false asks for nothing
		}
	}
	return in, err
}

// fault says what is wrong with a line, in JSON's terms rather than Go's.
func fault(err error) string {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Sprintf("it is not JSON, from byte %d on", syntax.Offset)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "its object has no end"
	case !errors.As(err, &wrong):
		return text.Clip(strings.TrimPrefix(err.Error(), "json: "), 4*quoted)
	}
	value := "a " + wrong.Value
	if strings.ContainsAny(wrong.Value[:1], "ao") { // an array, an object
		value = "an " + wrong.Value
	}
	if wrong.Field == "" {
		return "a line holds one object, not " + value
	}
	return fmt.Sprintf("%q cannot be %s", text.Clip(wrong.Field, quoted), value)
}

func (p *participant) carryOut(ctx context.Context, in *Input) error {
	c, err := p.command(in)
	if err != nil {
		return err
	}
	switch {
	case p.sub == nil && in.Leave != nil:
		p.left = true
		return nil
	case p.sub == nil:
		return errNotCalled
	case in.State != nil:
		p.version = 0 // so that the state is written again
		p.show(ctx, p.sub.View())
		return nil
	case in.Say != nil:
		reply, err := feature.Talker{Visit: p.visit}.SayOnce(ctx, p.table, in.ID, *in.Say)
		if reply != "" {
			p.note(text.Printable(reply))
		}
		return err
	case in.Leave != nil:
		p.left = true
		if err := p.visit.DoOnce(ctx, p.table, in.ID, c); err != nil && !errors.Is(err, table.ErrNotSeated) {
			p.left = false
			return err
		}
		return nil
	}
	return p.visit.DoOnce(ctx, p.table, in.ID, c)
}

// command returns a line's command for the table; nil if it has none. The error says what is wrong with the
// line.
func (p *participant) command(in *Input) (table.Command, error) {
	var c table.Command
	var err error
	said := 0
	one := func(given bool, what func() table.Command) {
		if given {
			said++
			c = what()
		}
	}
	on := func(given *bool, what func(on bool) table.Command) {
		one(given != nil, func() table.Command { return what(*given) })
	}
	seat := func(given *int, what func(n rules.Seat) table.Command) {
		one(given != nil, func() table.Command {
			if *given < 0 || *given > rules.MaxSeats {
				err = errNoSeat
				return nil
			}
			return what(rules.Seat(*given))
		})
	}
	on(in.Ready, func(on bool) table.Command { return table.Ready{On: on} })
	on(in.Rematch, func(bool) table.Command { return table.Rematch{} })
	on(in.Leave, func(bool) table.Command { return table.Stand{} })
	on(in.Resign, func(on bool) table.Command { return table.Resign{Back: !on} })
	on(in.Pause, func(on bool) table.Command { return table.Pause{On: on} })
	on(in.State, func(bool) table.Command { return nil })
	seat(in.Sit, func(n rules.Seat) table.Command { return table.Sit{Seat: n} })
	seat(in.Swap, func(n rules.Seat) table.Command { return table.Swap{With: n} })
	seat(in.AddBot, func(n rules.Seat) table.Command { return table.AddBot{Seat: n, Strength: table.Strength(in.Strength)} })
	seat(in.RemoveBot, func(n rules.Seat) table.Command { return table.RemoveBot{Seat: n} })
	seat(in.Unseat, func(n rules.Seat) table.Command { return table.Unseat{Seat: n} })
	one(in.Say != nil, func() table.Command { return table.Say{Text: *in.Say} })
	one(in.Vote != nil, func() table.Command { return table.CastVote{Vote: table.Vote(*in.Vote), On: true} })
	one(in.Play != nil, func() table.Command {
		m := table.Move{Version: cmp.Or(in.Version, p.version)}
		m.Move, err = p.move(*in.Play, in.Arm)
		return m
	})
	if said != 1 {
		err = errOneThing
	}
	return c, err
}

// move parses a tile and an arm. The table decides whether the move is allowed.
func (p *participant) move(tile, arm string) (rules.Move, error) {
	t, _, _, err := rules.ParseTile(tile)
	if err != nil {
		return rules.Move{}, errNoTile
	}
	m := rules.Move{Kind: rules.Play, Tile: t, Arm: rules.NoArm}
	if arm != "" {
		if m.Arm, err = rules.ParseArm(arm); err != nil {
			return m, text.Refusal("An arm is L, R, U, D or one such as 7U.")
		}
		return m, nil
	}
	if p.view == nil {
		return m, errNotCalled
	}
	fits := 0
	for _, o := range p.view.Play.Options {
		if o.Tile == t {
			m.Arm = o.Arm
			fits++
		}
	}
	if fits > 1 {
		return m, errNoArm
	}
	return m, nil
}
