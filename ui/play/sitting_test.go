package play

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/bot"
	"boneyard/table"
)

// epoch is the time in all tests that do not move the clock.
var epoch = time.Date(2026, 11, 21, 20, 15, 0, 0, time.UTC)

// sitting is a game between bots, from which views are made as a table makes them.
type sitting struct {
	tb      testing.TB
	seed    rules.Seed
	rng     *rand.Rand
	game    rules.Game
	view    table.View // what all views have in common
	log     []*table.Entry
	number  int
	turn    int
	version uint64
	now     time.Time // the time of log entries; long ago, unless a test sets it
	ahead   bool      // watchers see the chances to win
}

// sit gathers players at a table with these rules.
func sit(tb testing.TB, ruleText string, seed byte, names ...string) *sitting {
	tb.Helper()
	r, err := rules.Parse(ruleText)
	require.NoError(tb, err)
	g, err := rules.New(r, len(names))
	require.NoError(tb, err)
	s := &sitting{tb: tb, seed: rules.Seed{seed}, rng: rand.New(rand.NewPCG(uint64(seed), 5)), game: g, version: 100,
		now: epoch.Add(-time.Minute)}
	cfg := table.DefaultConfig()
	cfg.Rules, cfg.RuleText, cfg.Seats = r, r.String(), len(names)
	s.view = table.View{Summary: table.Summary{Table: 12, Config: cfg, State: table.Gathering, Watchers: 7},
		Watching: []string{"zoe", "max", "cleo9"}}
	for i, name := range names {
		seat := table.SeatView{Player: table.Player{ID: table.PlayerID(i + 1), Name: name}, Presence: table.Here}
		if name == "" {
			seat = table.SeatView{}
		}
		s.view.Seats = append(s.view.Seats, seat)
	}
	return s
}

// of returns the view of a seat, or of the gallery (0).
func (s *sitting) of(pov rules.Seat) *table.View {
	v := s.view
	v.POV, v.Version, v.Play = pov, s.version, s.game.View(pov)
	if pov == 0 && s.ahead {
		v.Chances = bot.Percent(bot.Chances(&v.Play))
	}
	for _, e := range s.log {
		v.Log = append(v.Log, e.For(pov))
	}
	if pov != 0 && v.Config.Access == table.AccessCode {
		v.Code = "K7QX-4HDM"
	}
	return &v
}

// deal begins the next round.
func (s *sitting) deal() {
	r := s.game.Rules()
	next, err := s.game.Deal(s.seed.Deal(&r, s.game.Seats(), s.game.Round()+1))
	require.NoError(s.tb, err)
	s.game, s.number, s.turn, s.view.State, s.view.Game = next, 0, 0, table.Playing, 412
	s.view.Names = nil
	for i := range s.view.Seats {
		s.view.Names = append(s.view.Names, s.view.Seats[i].Name())
	}
	s.tell(fmt.Sprintf("Round %d: %s leads.", next.Round(), s.view.Seats[next.Leader()-1].Name()))
}

func (s *sitting) tell(text string) {
	s.version++
	s.log = append(s.log, &table.Entry{Version: s.version, Round: s.game.Round(), At: epoch, Text: text})
}

// move plays for the seat to move as a bot would.
func (s *sitting) move() rules.Event {
	v := s.game.View(s.game.Turn())
	seen := bot.See(v, nil)
	next, e, err := s.game.Apply(bot.Regular.Choose(&seen, s.rng))
	require.NoError(s.tb, err)
	s.version++
	s.number++
	entry := &table.Entry{Version: s.version, Round: s.game.Round(), Number: s.number, Turn: s.turn + 1, At: s.now, Event: e,
		After: table.StandingOf(&next)}
	if e.Kind != rules.Draw {
		s.turn++
	}
	if e.Kind == rules.Play && next.Rules().Multiple != 0 {
		entry.Terms = next.Layout().Terms(next.Rules().Count)
	}
	s.log = append(s.log, entry)
	s.game = next
	switch {
	case e.GameOver:
		s.view.State = table.Finished
	case e.End != rules.NotEnded:
		s.view.State = table.Scoring
	}
	return e
}

// moveTo plays until the seat has to choose a tile, after at least n moves.
func (s *sitting) moveTo(seat rules.Seat, n int) {
	for i := 0; i < n || s.game.Turn() != seat || s.game.Duty() != rules.Play; i++ {
		s.move()
		require.Equal(s.tb, table.Playing, s.view.State, "the round is over too soon")
	}
}

// toRoundEnd plays until the round is over.
func (s *sitting) toRoundEnd() {
	for s.view.State == table.Playing {
		s.move()
	}
}

// toGameEnd plays until the game is over.
func (s *sitting) toGameEnd() {
	for s.view.State != table.Finished {
		if s.view.State != table.Playing {
			s.deal()
		}
		s.move()
	}
}

// say says something as the player at seat who, or as a watcher if who is a higher number.
func (s *sitting) say(who int, room table.Room, text string) {
	from := table.Player{ID: table.PlayerID(who), Name: "zoe"}
	if who <= len(s.view.Seats) {
		from = s.view.Seats[who-1].Player
	}
	s.version++
	s.view.Chat = append(s.view.Chat, table.ChatLine{Seq: int64(len(s.view.Chat) + 1), At: epoch, From: from, Text: text, Room: room})
}
