package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/rules"
	"boneyard/rules/record"
)

// savedTable is a table as JSON.
type savedTable struct {
	Config Config `json:"config"`
	Code   string `json:"code,omitempty"`
	Maker  Player `json:"maker"`
	From   string `json:"from,omitempty"`
	kept
}

// saved returns the table as JSON when its game has so many rows.
func (t *Table) saved(s *state, rows int) ([]byte, error) {
	s.Rows = rows
	b, err := json.Marshal(savedTable{Config: t.cfg, Code: t.code, Maker: s.maker, From: t.deps.From, kept: s.kept})
	if err != nil {
		return nil, fmt.Errorf("table %d: %w", t.id, err)
	}
	return b, nil
}

// unsaved is saved, but returns nil if a restart would read the same from disk and the rows.
func (t *Table) unsaved(s *state, rows int) ([]byte, error) {
	s.Rows = rows
	if s.reads(t.disk, rows) {
		return nil, nil
	}
	return t.saved(s, rows)
}

// ErrSaved is returned when the journal's data is not a valid table: the database is damaged.
var ErrSaved = errors.New("a saved table cannot be read")

// ErrOtherRules is returned for a saved table whose game began under a version of the rules that this program
// does not have. Use [Adjourn] for it.
var ErrOtherRules = errors.New("its game was begun under different rules")

// Restore restores a table as of its last step on disk, by replaying its rows by the rules, and starts its
// goroutine. Nobody is there at first: [Table.Presence] says who comes back. The seat to move gets extra
// time, and downtime of the server counts for nobody. The error wraps [ErrSaved].
func Restore(deps Deps, saved Saved) (*Table, error) {
	t, err := restore(deps, saved)
	if err != nil {
		return nil, err
	}
	t.begin()
	return t, nil
}

// Readable returns why a saved table could not be restored, ErrSaved or ErrOtherRules; nil if it could.
func Readable(saved Saved) error {
	_, err := restore(Deps{Journal: noJournal{}}, saved)
	return err
}

// noJournal is a journal for a table that does nothing.
type noJournal struct{ Journal }

// rulesVersion returns the version of the rules of the table's game.
func (s *Saved) rulesVersion() int {
	return record.RulesVersion(func(yield func(string) bool) {
		for _, r := range s.Rows {
			if !yield(r.Line) {
				return
			}
		}
	})
}

// Adjourn closes a saved table that is not restored: its game ends as it stands, without a result, and its
// record says why. If that can never be written, since even its number of lines is unknown, only the table is
// closed.
func Adjourn(j Journal, saved Saved, why string, now time.Time) error {
	b := &Batch{Table: saved.Table, Final: true}
	if saved.Game != 0 {
		b.Game, b.Seq = saved.Game, len(saved.Rows)
		b.Rows = []Row{{Line: "# " + why, At: now.Round(0)}}
		b.End = &Result{Ending: EndAbandoned, Scores: saved.scores()}
	}
	_, err := Commit(j, b)
	if err != nil && !errors.Is(err, ErrUnavailable) {
		_, err = Commit(j, &Batch{Table: saved.Table, Final: true})
	}
	return err
}

// scores returns the points according to the record: after the last round, if the rules cannot be asked.
func (s *Saved) scores() []int {
	if g := s.played(); g.Seats() > 0 {
		return scoresOf(&g)
	}
	for _, r := range slices.Backward(s.Rows) {
		if text, ok := strings.CutPrefix(r.Line, "score "); ok {
			var scores []int
			for _, word := range strings.Fields(text) {
				n, _ := strconv.Atoi(word)
				scores = append(scores, n)
			}
			return scores
		}
	}
	if s.Start == nil {
		return nil
	}
	sides := len(s.Start.Seats)
	if r, err := rules.Parse(s.Start.Rules); err == nil {
		sides = rules.SideCount(sides, r.Teams)
	}
	return make([]int, sides)
}

// played returns the game as far as its record can be replayed; zero if that is not to its first round.
func (s *Saved) played() rules.Game {
	var c record.Checker
	if !rules.Plays(s.rulesVersion()) {
		return c.Game()
	}
	for i, r := range s.Rows {
		l, err := record.ParseLine(r.Line)
		if err == nil && l != nil {
			_, err = c.Take(i+1, l)
		}
		if err != nil {
			break
		}
	}
	return c.Game()
}

func (k *savedTable) consistent() bool {
	seats := k.Config.Seats
	return slices.Contains([]State{Gathering, Countdown, Playing, Scoring, Paused, Waiting, Adjourned, Finished}, k.Phase) &&
		int(k.Clock.Seat) <= seats && int(k.PausedBy) <= seats && int(k.Swap.From) <= seats && int(k.Swap.With) <= seats
}

// restore is Restore without the goroutine.
func restore(deps Deps, saved Saved) (_ *Table, err error) {
	defer func() { // a state may be well formed and yet make no sense
		if fault := recover(); fault != nil {
			err = fmt.Errorf("table %d: %w: %v", saved.Table, ErrSaved, fault)
		}
	}()
	deps.complete()
	k, err := saved.read()
	if err != nil {
		return nil, fmt.Errorf("table %d: %w", saved.Table, err)
	}
	deps.From = k.From
	t := newTable(deps, saved.Table, k.Config, k.Code, k.Maker)
	s := &t.state
	s.kept = k.kept
	s.version, s.position = s.Mark, s.Mark
	if saved.Game != 0 {
		if err := s.game.replay(&k.Config, &saved, s.version); err != nil {
			return nil, fmt.Errorf("table %d: game %d: %w: %w", saved.Table, saved.Game, ErrSaved, err)
		}
	}
	if s.Rows == 0 {
		s.Rows = s.game.rows
	}
	t.disk = s.kept
	s.read(&s.kept, s.game.rows)
	if s.inGame() != (saved.Game != 0 && s.game.play.Phase() != rules.Over) {
		return nil, fmt.Errorf("table %d: %w: its state is %s, and game %d is not", saved.Table, ErrSaved, s.Phase, saved.Game)
	}
	s.restarted(&deps, deps.Now())
	for _, r := range saved.Rows {
		t.recent.add(commandID{By: r.By, ID: r.Command}, t.sits)
	}
	for _, d := range s.Recent {
		t.recent.add(d, t.sits)
	}
	if s.Result != nil && s.Result.Changes == nil {
		s.Result.Changes = saved.Changes
	}
	t.chat.hushed = s.inGame()
	t.chat.add(saved.Chat, s)
	return t, nil
}

// read decodes the table and checks what can be checked without its game.
func (s *Saved) read() (k savedTable, err error) {
	if v := s.rulesVersion(); !rules.Plays(v) {
		return k, fmt.Errorf("game %d: %w (version %d)", s.Game, ErrOtherRules, v)
	}
	if err = s.Fault; err == nil {
		err = json.Unmarshal(s.State, &k)
	}
	if err == nil {
		_, err = rules.ParseSeed(k.Seed)
	}
	if err == nil {
		err = k.Config.complete()
	}
	if err == nil && !k.consistent() {
		err = errors.New("it cannot be read")
	}
	if err != nil {
		return k, fmt.Errorf("%w: %w", ErrSaved, err)
	}
	return k, nil
}

// restarted makes a table go on after a restart: nobody is there yet, and downtime counts for nobody.
func (s *state) restarted(deps *Deps, now time.Time) {
	switch {
	case s.Phase == Finished && s.cfg.Event.ID != 0:
		s.Left, s.deadline = 0, now // it closes at once: nobody is connected to read the result
	case s.Phase == Countdown, s.Phase == Finished && s.game.id == 0:
		s.Phase, s.Left = Gathering, 0
	case s.Phase == Playing && s.Clock.Seat != 0:
		s.Clock.Left += deps.Times.Restart
	}
	if s.Left > 0 || s.Phase == Paused || s.Phase == Scoring { // a table may have been frozen past its deadline
		s.deadline = now.Add(s.Left)
	}
	for _, q := range s.seats() {
		if q.presence, q.since = Disconnected, now; q.House != "" {
			q.presence = Here
		}
		q.nextAway, q.unseen = true, q.House == "" && s.cfg.Pace != PaceSlow && s.cfg.Event.ID == 0
	}
	if !s.Nobody.IsZero() { // people get a moment to come back after the restart
		most := max(s.patience(&deps.Times)-deps.Times.Empty, 0)
		until := now
		if s.cfg.Event.ID == 0 && !deps.Stopped.IsZero() && deps.Stopped.Before(now) { // an event does not wait for the server
			until = deps.Stopped
		}
		s.Nobody = now.Add(-min(max(until.Sub(s.Nobody), 0), most))
	}
}

// replay replays the game from its rows.
func (g *game) replay(cfg *Config, saved *Saved, version uint64) error {
	if saved.Start == nil || len(saved.Start.Seats) != cfg.Seats || saved.Start.Rules != cfg.RuleText {
		return errors.New("it does not fit its table")
	}
	*g = game{id: saved.Game, start: *saved.Start, rows: len(saved.Rows), play: g.play}
	g.start.Seats, g.start.Event = slices.Clone(saved.Start.Seats), cfg.Event
	for i, p := range g.start.Seats {
		if p.Was != "" {
			g.start.Seats[i] = Player{Name: p.Was}
		}
	}
	var c record.Checker
	remark := "" // on the row before
	for i, r := range saved.Rows {
		if i == 0 {
			g.started = r.At
		}
		if text, ok := strings.CutPrefix(r.Line, "# "); ok {
			g.takenOver(text, saved.Start.Seats)
			g.tell(version, r.At, text)
			remark = text
			continue
		}
		l, err := record.ParseLine(r.Line)
		if err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
		if l == nil {
			continue
		}
		step, err := c.Take(i+1, l)
		if err != nil {
			return err
		}
		switch l.(type) {
		case record.Lead:
			g.dealt(step.Game, version, r.At)
		case record.Play, record.Draw, record.Pass:
			if r.By != 0 && step.Event.Kind == rules.Play {
				g.own[step.Event.Seat-1]++
			}
			g.moved(step.Game, Entry{
				Version: version, At: r.At, Event: step.Event, Auto: g.auto(step.Event, r.By),
				Late: remark == g.name(step.Event.Seat)+outOfTime,
			})
			remark = ""
		}
	}
	if !c.Started() {
		return errors.New("it has not begun")
	}
	if seed := c.Header().Seed; seed == nil || seed.String() != g.start.Seed {
		return errors.New("its seed is different")
	}
	return nil
}

// auto reports whether a move in the journal was made by the table: a player's own names the player, and a
// house bot's plays are its own.
func (g *game) auto(e rules.Event, by PlayerID) bool {
	return by == 0 && (e.Kind != rules.Play || g.start.Seats[e.Seat-1].ID != 0)
}
