package table_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"boneyard/rules"
	"boneyard/table"
)

// laws checks what must hold at rest.
func (s *simulation) laws() {
	if err := s.table.CheckLaws(); err != nil {
		s.t.Errorf("law: %v", err)
	}
	s.sameViews()
	s.journalOnce()
	if s.rng.IntN(4) > 0 {
		return
	}
	saved, _ := s.journal.Load(context.Background())
	if len(saved) == 0 {
		return
	}
	if err := s.table.CheckRestore(saved[0]); err != nil {
		s.t.Errorf("restore: %v", err)
	}
}

// sameViews checks that all readers of a version and a point of view see the same, now and later, and nothing hidden.
func (s *simulation) sameViews() {
	var clocks []string
	for _, p := range s.people {
		if p.sub == nil {
			continue
		}
		v := p.sub.View()
		if v.State == table.Closed {
			continue
		}
		if want := v.SeatOf(p.ID); v.POV != want {
			s.t.Errorf("%s sits at %d and sees what %d sees", p.Name, want, v.POV)
		}
		key := viewKey{v.Version, v.POV}
		switch old := s.views[key]; {
		case old == nil:
			s.views[key] = v
			s.digests[v] = digest(v)
			if err := hidden(v); err != nil {
				s.t.Errorf("version %d for seat %d: %v", v.Version, v.POV, err)
			}
		case old != v && digest(old) != digest(v):
			s.t.Errorf("version %d for seat %d has two views:\n%s\n%s", v.Version, v.POV, digest(old), digest(v))
		}
		if !v.TurnEnds.IsZero() {
			clocks = append(clocks, fmt.Sprint(v.Version, v.Play.Turn))
		}
	}
	for i, c := range clocks {
		if c != clocks[0] {
			s.t.Errorf("clocks run for two: %v", clocks[:i+1])
		}
	}
	if s.rng.IntN(10) == 0 {
		for v, was := range s.digests {
			if digest(v) != was {
				s.t.Errorf("version %d for seat %d was changed after it was shown", v.Version, v.POV)
			}
		}
		clear(s.digests)
	}
}

// digest is what a view says, of the log and the chat the newest lines.
func digest(v *table.View) string {
	w := *v
	w.Play.Layout, w.Play.Rules, w.Config = rules.Layout{}, rules.Ruleset{}, table.Config{}
	var log []table.Entry
	for _, e := range w.Log[max(0, len(w.Log)-4):] {
		log = append(log, *e)
	}
	w.Summary = table.Bare(w.Summary)
	w.Log, w.Chat = nil, w.Chat[max(0, len(w.Chat)-4):]
	if v.Result != nil {
		r := *v.Result
		w.Result = nil
		return fmt.Sprintf("%+v %+v %+v %v", w, log, r, v.Play.Layout.Count())
	}
	return fmt.Sprintf("%+v %+v %v", w, log, v.Play.Layout.Count())
}

// hidden reports what a view shows that its reader may not know.
func hidden(v *table.View) error {
	over := v.State == table.Gathering || v.State == table.Countdown || v.State == table.Finished || v.State == table.Closed
	inGame := !over && (v.State != table.Frozen || v.Game != 0 && v.Seed == "" && v.Result == nil)
	switch {
	case v.Play.Phase == rules.Playing && v.Play.Open != [rules.MaxSeats]rules.Hand{}:
		return errors.New("open hands")
	case v.Play.Seat != v.POV, v.POV == 0 && v.Play.Hand != 0:
		return errors.New("another seat's hand")
	case inGame && v.Seed != "":
		return errors.New("the seed")
	case v.POV == 0 && v.Code != "":
		return errors.New("the code of the table")
	}
	for _, e := range v.Log {
		if e.Event.Kind == rules.Draw && e.Event.Seat != v.POV && e.Event.Tile != rules.NoTile {
			return errors.New("a tile that another has drawn")
		}
	}
	if inGame && v.POV != 0 {
		for i, l := range v.Chat {
			// Before the game players heard the watchers; what comes after the first move of the house in it must be the players'.
			if l.Room == table.RoomWatchers && v.Log != nil && l.At.After(v.Log[0].At) && len(v.Log) < 400 {
				return fmt.Errorf("line %d of the watchers", i)
			}
		}
	}
	return nil
}

// journalOnce checks that each acknowledged move is in the journal once, and no refused one.
func (s *simulation) journalOnce() {
	s.journal.mu.Lock()
	defer s.journal.mu.Unlock()
	found := map[string]int{}
	for _, g := range s.journal.games {
		for _, r := range g.rows {
			if r.Command != "" && strings.Contains("1234", r.Line[:1]) {
				found[r.Command]++
			}
		}
	}
	for id, n := range found {
		if n != 1 || s.refused[id] {
			s.t.Errorf("move %s is %d times in the journal, refused: %v", id, n, s.refused[id])
		}
	}
	for id := range s.acked {
		if found[id] == 0 {
			s.t.Errorf("move %s was acknowledged and is lost", id)
		}
	}
}
