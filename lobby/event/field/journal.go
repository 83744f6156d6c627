package field

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// Kinds of entries, in addition to event.KindOver.
const (
	kindEnter  = "enter"
	kindLeave  = "leave"
	kindBegin  = "begin"
	kindResult = "result"
)

type entered struct {
	Player table.Player `json:"player"`
	Net    string       `json:"net"`

	// In an arena for pairs.
	Partner    *table.Player `json:"partner,omitempty"`
	PartnerNet string        `json:"partner_net,omitempty"`
}

type left struct {
	ID table.PlayerID `json:"id"`
}

type begun struct {
	Tables [][]table.Player `json:"tables"`
}

// Enter returns the entries for a player who wants to take part, in an arena for pairs with a partner. A pair
// takes part once both have named each other.
func (f *Field) Enter(p table.Player, net string, partner *table.Player, partnerNet string, _ time.Time) ([]event.Entry, error) {
	at := find(f.v.Entrants, p.ID)
	switch {
	case !f.began.IsZero():
		return nil, ErrBegun
	case p.Bot || partner != nil && partner.Bot:
		return nil, ErrPrograms
	case at >= 0 && (partner == nil || f.v.Entrants[at].Has(partner.ID)):
		return nil, nil
	case at < 0 && f.full():
		return nil, ErrFull
	}
	has := func(id table.PlayerID) bool { return find(f.v.Entrants, id) >= 0 }
	members, nets, err := event.Party(f.v.Config.Pairs, p, net, partner, partnerNet, ErrSingle, ErrPartner, has)
	if err != nil {
		return nil, err
	}
	x := entered{Player: members[0], Net: nets[0]}
	if len(members) > 1 {
		x.Partner, x.PartnerNet = &members[1], nets[1]
	}
	return f.asked.Enter(members, event.New(kindEnter, x)), nil
}

func (f *Field) CallOff() ([]event.Entry, error) {
	if !f.began.IsZero() {
		return nil, ErrBegun
	}
	return off(), nil
}

func off() []event.Entry { return []event.Entry{event.New(event.KindOver, Final{Off: true})} }

func (f *Field) full() bool { return len(f.v.Entrants)*f.v.Config.seats()/2 >= most }

// Leave returns the entries for a player who withdraws, with their partner, or takes back naming a partner.
func (f *Field) Leave(p table.PlayerID) ([]event.Entry, error) {
	switch {
	case find(f.v.Entrants, p) < 0 && f.asked[p] == 0:
		return nil, ErrNotIn
	case !f.began.IsZero():
		return nil, ErrBegun
	}
	return []event.Entry{event.New(kindLeave, left{p})}, nil
}

// seating draws lots for the seats. Entrants from one network are adjacent in the order, so that they hold
// the same seat if possible, and none of them sees the hands of another one's opponent. The first half gets
// seat 1.
func (f *Field) seating() [][]table.Player {
	all := slices.Clone(f.v.Entrants)
	rng := rand.New(rand.NewChaCha8(sha256.Sum256([]byte("seating/" + f.seed.String()))))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	group := make([]int, len(all)) // index of the first entrant connected by networks
	for i := range all {
		group[i] = i
		for j := range i {
			if all[i].SharesNetwork(&all[j]) && group[i] != group[j] {
				join(group, group[i], group[j])
			}
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return group[i] - group[j] })
	n := max((len(all)+1)/2, fewest)
	tables := make([][]table.Player, n)
	for i := range tables {
		tables[i] = make([]table.Player, f.v.Config.seats())
	}
	for at, i := range order {
		for k, p := range all[i].Members {
			tables[at%n][at/n+2*k] = p
		}
	}
	return tables
}

// join merges two groups.
func join(group []int, a, b int) {
	for i, g := range group {
		if g == a || g == b {
			group[i] = min(a, b)
		}
	}
}

func (f *Field) Due(now time.Time) []event.Entry {
	switch {
	case f.began.IsZero() && !now.Before(f.v.Begins.Add(playing)): // the club was closed: entrants wait no longer
		return off()
	case f.began.IsZero() && !now.Before(f.v.Begins):
		if len(f.v.Entrants) < least {
			return []event.Entry{event.New(event.KindOver, Final{})}
		}
		return []event.Entry{event.New(kindBegin, begun{f.seating()})}
	case f.began.IsZero():
	case !slices.ContainsFunc(f.v.Tables, func(t Table) bool { return !t.Ended }), !now.Before(f.began.Add(playing)):
		return []event.Entry{event.New(event.KindOver, f.final())}
	}
	return nil
}

func (f *Field) Next() time.Time {
	if f.began.IsZero() {
		return f.v.Begins
	}
	return f.began.Add(playing)
}

func (f *Field) Ended(_ time.Time, p event.Played) []event.Entry {
	no := p.Start.Event.Pairing
	if no < 1 || int(no) > len(f.v.Tables) || f.v.Tables[no-1].Ended {
		return nil
	}
	return []event.Entry{event.New(kindResult, gameOf(p))}
}

func gameOf(p event.Played) Game {
	g := Game{Result: event.ResultOf(p)}
	copy(g.Own[:], p.Result.Own)
	copy(g.Plays[:], p.Result.Plays)
	return g
}

func (f *Field) HasResult(g table.GameID) bool {
	return slices.ContainsFunc(f.games, func(x Game) bool { return x.Game == g })
}

func (f *Field) Apply(e event.Entry) error { return entries.Apply(f, e) }

var entries = event.Entries[*Field]{
	kindEnter:      event.On((*Field).enter),
	event.KindAsk:  event.Does(func(f *Field, _ time.Time, x event.Named) { f.asked.Note(x) }),
	kindLeave:      event.On((*Field).leave),
	kindBegin:      event.On((*Field).begin),
	kindResult:     event.On((*Field).take),
	event.KindOver: event.Does(func(f *Field, _ time.Time, x Final) { f.v.Over, f.closing = true, x }),
}

func (f *Field) begin(at time.Time, x begun) error {
	for _, seats := range x.Tables {
		if len(seats) != f.v.Config.seats() || !f.began.IsZero() {
			return errors.New("it begins twice, or at a table that cannot be")
		}
		f.v.Tables = append(f.v.Tables, Table{Seats: seats})
	}
	f.began, f.games = at, make([]Game, len(f.v.Tables))
	return nil
}

func (f *Field) take(_ time.Time, x Game) error {
	if x.No < 1 || int(x.No) > len(f.v.Tables) || f.v.Tables[x.No-1].Ended {
		return fmt.Errorf("a result of table %d", x.No)
	}
	f.games[x.No-1], f.v.Tables[x.No-1].Ended = x, true
	return nil
}

func (f *Field) enter(_ time.Time, x entered) error {
	e := Entrant{Members: []table.Player{x.Player}, Nets: []string{x.Net}}
	if x.Partner != nil {
		e.Members, e.Nets = append(e.Members, *x.Partner), append(e.Nets, x.PartnerNet)
	}
	for _, m := range e.Members {
		if find(f.v.Entrants, m.ID) >= 0 || f.full() || !f.began.IsZero() || len(e.Members) != f.v.Config.seats()/2 {
			return fmt.Errorf("%s enters, which cannot be", m.Name)
		}
		delete(f.asked, m.ID)
	}
	f.v.Entrants = append(f.v.Entrants, e)
	return nil
}

func (f *Field) leave(_ time.Time, x left) error {
	i := find(f.v.Entrants, x.ID)
	if i < 0 && f.asked[x.ID] == 0 || !f.began.IsZero() {
		return fmt.Errorf("player %d leaves, which cannot be", x.ID)
	}
	delete(f.asked, x.ID)
	if i >= 0 {
		f.v.Entrants = slices.Delete(f.v.Entrants, i, i+1)
	}
	return nil
}

func (f *Field) Check(games []event.Played) (faults []string) {
	for i := range f.games {
		faults = append(faults, event.Differs(games, &f.games[i].Result, f.games[i], gameOf)...)
	}
	has, want := &f.closing, f.final()
	if f.v.Over && (has.Begun != want.Begun || has.Tables != want.Tables || !slices.Equal(has.Places, want.Places)) {
		faults = append(faults, fmt.Sprintf("it ended as %+v, and its games come to %+v", f.closing, want))
	}
	return faults
}
