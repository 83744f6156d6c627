package remote

import (
	"context"

	"boneyard/lobby/event"
	of "boneyard/lobby/event/arena"
	"boneyard/ui/plain"
)

// arena answers about arenas, and has people and programs take part.
func arena(ctx context.Context, c *call) error {
	if n := len(c.opt.args); n == 2 && c.opt.args[1] == "play" {
		id, err := numbered(c.opt.args[0])
		if err != nil {
			return err
		}
		if err := c.mayProgram(); err != nil {
			return err
		}
		return c.program(ctx, func(p *participant, ctx context.Context) error {
			if p.arena = p.visit.EventRoom(event.ID(id)); p.arena == nil {
				return of.ErrNone
			}
			if err := p.visit.EnterArena(ctx, event.ID(id), ""); err != nil {
				return err
			}
			for _, s := range p.visit.MyTables() { // a game that was left by a line that was lost
				if s.Config.Event.ID == event.ID(id) {
					return p.goTo(ctx, s.Table)
				}
			}
			return nil
		})
	}
	return events(plain.AskArena)(ctx, c)
}
