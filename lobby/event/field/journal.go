package field

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// Kinds of entries and their data, besides event.KindOver.
const (
	kindEnter  = "enter"
	kindLeave  = "leave"
	kindBegin  = "begin"
	kindLooked = "looked" // who had played once seats were no longer kept
	kindResult = "result"
)

type entered struct {
	Player table.Player `json:"player"`
	Net    string       `json:"net"`
}

type left struct {
	ID table.PlayerID `json:"id"`
}

type begun struct {
	Tables [][2]table.Player `json:"tables"`
}

type looked struct {
	Empty []int `json:"empty,omitempty"` // the tables at which nobody played
}

type result struct {
	No     int64        `json:"no"`
	Game   table.GameID `json:"game"`
	Scores [2]int       `json:"scores"`
	Ending table.Ending `json:"ending"`
	Winner int          `json:"winner,omitempty"`
	Own    [2]int       `json:"own"`
}

// Enter returns what follows from a player's request to take part, from the given network.
func (f *Field) Enter(p table.Player, net string) ([]event.Entry, error) {
	switch {
	case f.over:
		return nil, ErrOver
	case !f.began.IsZero():
		return nil, ErrBegun
	case p.Bot:
		return nil, ErrPrograms
	case has(f.entrants, p.ID):
		return nil, nil
	case len(f.entrants) >= most:
		return nil, ErrFull
	}
	return []event.Entry{event.New(kindEnter, entered{p, net})}, nil
}

// Leave returns what follows from a player's request to withdraw.
func (f *Field) Leave(p table.PlayerID) ([]event.Entry, error) {
	switch {
	case !has(f.entrants, p):
		return nil, ErrNotIn
	case f.over:
		return nil, ErrOver
	case !f.began.IsZero():
		return nil, ErrBegun
	}
	return []event.Entry{event.New(kindLeave, left{p})}, nil
}

// seating draws lots for the seats. Players from one network are listed next to each other, so that as far as possible they hold
// the same seat and none of them sees the hands of another one's opponent. The first half gets seat 1.
func (f *Field) seating() [][2]table.Player {
	all := make([]int, len(f.entrants))
	for i := range all {
		all[i] = i
	}
	rng := rand.New(rand.NewChaCha8(sha256.Sum256([]byte("seating/" + f.seed.String()))))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	first := map[string]int{} // the position of each network
	for at, i := range all {
		if _, ok := first[f.nets[i]]; !ok {
			first[f.nets[i]] = at
		}
	}
	slices.SortStableFunc(all, func(i, j int) int { return first[f.nets[i]] - first[f.nets[j]] })
	n := max((len(all)+1)/2, fewest)
	tables := make([][2]table.Player, n)
	for at, i := range all {
		tables[at%n][at/n] = f.entrants[i]
	}
	return tables
}

// Due implements [event.Rules].
func (f *Field) Due(now time.Time) []event.Entry {
	switch {
	case f.over:
	case f.began.IsZero() && !now.Before(f.event.Begins):
		if len(f.entrants) < least {
			return []event.Entry{event.New(event.KindOver, Final{})}
		}
		return []event.Entry{event.New(kindBegin, begun{f.seating()})}
	case f.began.IsZero():
	case f.allEnded(), !now.Before(f.began.Add(playing)):
		return []event.Entry{event.New(event.KindOver, f.final())}
	}
	return nil
}

func (f *Field) allEnded() bool {
	return !slices.ContainsFunc(f.tables, func(t Table) bool { return !t.Ended })
}

// Next implements [event.Rules].
func (f *Field) Next() time.Time {
	switch {
	case f.began.IsZero():
		return f.event.Begins
	case !f.looked:
		return f.began.Add(event.Kept)
	}
	return f.began.Add(playing)
}

// Ask implements [event.Asker]: once seats are no longer kept, it calls off the tables at which nobody has played.
func (f *Field) Ask(_ context.Context, now time.Time, facts event.Facts) ([]event.Entry, error) {
	if f.over || f.looked || f.began.IsZero() || now.Before(f.began.Add(event.Kept)) {
		return nil, nil
	}
	var x looked
	for i := range f.tables {
		if came, _ := facts.Came(int64(i + 1)); !came && !f.tables[i].Ended {
			x.Empty = append(x.Empty, i+1)
		}
	}
	return []event.Entry{event.New(kindLooked, x)}, nil
}

// Ended implements [event.Rules]. The outcome of a game that was called off counts for nothing.
func (f *Field) Ended(_ time.Time, p event.Played) []event.Entry {
	no := p.Start.Event.Pairing
	if no < 1 || int(no) > len(f.tables) || f.tables[no-1].Ended {
		return nil
	}
	return []event.Entry{event.New(kindResult, resultOf(p))}
}

func resultOf(p event.Played) result {
	r := result{No: p.Start.Event.Pairing, Game: p.Game, Ending: p.Result.Ending, Winner: p.Result.Winner}
	copy(r.Scores[:], p.Result.Scores)
	copy(r.Own[:], p.Result.Own)
	return r
}

func (r *result) game() Game { return Game{r.Game, r.Scores, r.Ending, r.Winner, r.Own} }

// Took implements [event.Rules].
func (f *Field) Took(g table.GameID) bool {
	return slices.ContainsFunc(f.games, func(x Game) bool { return x.Game == g })
}

// Over implements [event.Rules].
func (f *Field) Over() bool { return f.over }

// Apply implements [event.Rules].
func (f *Field) Apply(e event.Entry) error {
	switch e.Kind {
	case kindEnter:
		return apply(e, f.enter)
	case kindLeave:
		return apply(e, f.leave)
	case kindBegin:
		return apply(e, func(x begun) error {
			f.began = e.At
			for _, seats := range x.Tables {
				f.tables = append(f.tables, Table{Seats: seats})
			}
			f.games = make([]Game, len(f.tables))
			return nil
		})
	case kindLooked:
		return apply(e, func(x looked) error {
			f.looked = true
			for _, no := range x.Empty {
				if no < 1 || no > len(f.tables) {
					return fmt.Errorf("table %d is called off", no)
				}
				f.tables[no-1].Ended, f.tables[no-1].Empty = true, true
			}
			return nil
		})
	case kindResult:
		return apply(e, func(x result) error {
			if x.No < 1 || int(x.No) > len(f.tables) || f.tables[x.No-1].Ended {
				return fmt.Errorf("a result of table %d", x.No)
			}
			f.games[x.No-1], f.tables[x.No-1].Ended = x.game(), true
			return nil
		})
	case event.KindOver:
		return apply(e, func(x Final) error {
			f.over, f.closing = true, x
			return nil
		})
	}
	return fmt.Errorf("an entry of the kind %q", e.Kind)
}

func apply[T any](e event.Entry, f func(x T) error) error {
	x, err := event.Read[T](e)
	if err != nil {
		return err
	}
	return f(x)
}

func (f *Field) enter(x entered) error {
	if has(f.entrants, x.Player.ID) || len(f.entrants) >= most || !f.began.IsZero() {
		return fmt.Errorf("%s enters, which cannot be", x.Player.Name)
	}
	f.entrants, f.nets = append(f.entrants, x.Player), append(f.nets, x.Net)
	return nil
}

func (f *Field) leave(x left) error {
	i := slices.IndexFunc(f.entrants, func(p table.Player) bool { return p.ID == x.ID })
	if i < 0 || !f.began.IsZero() {
		return fmt.Errorf("player %d leaves, which cannot be", x.ID)
	}
	f.entrants, f.nets = slices.Delete(f.entrants, i, i+1), slices.Delete(f.nets, i, i+1)
	return nil
}

// Check implements [event.Checker].
func (f *Field) Check(games []event.Played) (faults []string) {
	for i := range f.games {
		g := &f.games[i]
		if g.Game == 0 {
			continue
		}
		at := slices.IndexFunc(games, func(p event.Played) bool { return p.Game == g.Game })
		want := result{int64(i + 1), g.Game, g.Scores, g.Ending, g.Winner, g.Own}
		if at < 0 {
			faults = append(faults, fmt.Sprintf("table %d has the result of game %d, which is not among its games", i+1, g.Game))
		} else if got := resultOf(games[at]); got != want {
			faults = append(faults, fmt.Sprintf("table %d has %v, and game %d ended %v", i+1, g.Scores, g.Game, got.Scores))
		}
	}
	if want := f.final(); f.over && (f.closing.Begun != want.Begun || f.closing.Tables != want.Tables || !slices.Equal(f.closing.Places, want.Places)) {
		faults = append(faults, fmt.Sprintf("it ended as %+v, and its games come to %+v", f.closing, want))
	}
	return faults
}
