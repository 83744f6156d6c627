package table

import (
	"fmt"
	"slices"
	"time"

	"boneyard/rules"
)

// shownLog is how many entries of a game's log a view has at most.
const shownLog = 400

// note adds an entry to the log. Now and then it drops many old ones; earlier states share the slice.
func (g *game) note(e *Entry) {
	if len(g.log) >= 2*shownLog {
		g.dropped += shownLog
		g.log = slices.Clone(g.log[shownLog:])
	}
	g.log = append(g.log, e)
}

// tell adds a line by the house to the log.
func (g *game) tell(version uint64, at time.Time, text string) {
	g.note(&Entry{Version: version, Round: g.play.Round(), At: at.Round(0), Text: text})
}

func (g *game) dealt(play rules.Game, version uint64, at time.Time) {
	g.play, g.number, g.turn = play, 0, 0
	g.dealtAt, g.drawn = at, nil
	g.tell(version, at, fmt.Sprintf("Round %d: %s leads.", play.Round(), g.name(play.Leader())))
}

// moved records a move, completing its entry, and updates the game's best play and largest deficits.
func (g *game) moved(play rules.Game, entry Entry) {
	g.number++
	e := entry.Event
	entry.Round, entry.Number, entry.Turn, entry.After = g.play.Round(), g.number, g.turn+1, StandingOf(&play)
	if e.Kind != rules.Draw {
		g.turn++
	}
	if e.Kind == rules.Play && play.Rules().Multiple != 0 {
		entry.Terms = play.Layout().Terms(play.Rules().Count)
	}
	if e.Kind == rules.Draw {
		g.drawn = append(g.drawn, drawn{e.Tile, entry.At})
	}
	entry.At = entry.At.Round(0)
	g.note(&entry)
	if e.Kind == rules.Play {
		g.plays[e.Seat-1]++
	}
	if e.Kind == rules.Play && e.Points > g.best {
		g.best, g.bestBy = e.Points, e.Seat
	}
	g.play = play
	var most rules.Points
	for i := range play.Sides() {
		if score := play.Score(rules.Side(i + 1)); i == 0 || score > most {
			most = score
		}
	}
	for i := range play.Sides() {
		g.behind[i] = max(g.behind[i], most-play.Score(rules.Side(i+1)))
	}
}

func (g *game) name(n rules.Seat) string { return g.start.Seats[n-1].Name }
