package duplicate

import (
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// The kinds of entries, in addition to event.KindOver, and their data.
const (
	kindEnter  = "enter"
	kindLeave  = "leave"
	kindStart  = "start"
	kindResult = "result"
)

type entered struct {
	Team   Team         `json:"team"`
	Player table.Player `json:"player"`
	Net    string       `json:"net,omitempty"` // hash of the network; missing in matches of older programs
}

type left struct {
	ID table.PlayerID `json:"id"`
}

// Enter returns the entries for a player who joins a team; with the eighth player the match begins.
func (m *Match) Enter(p table.Player, net string, t Team) ([]event.Entry, error) {
	switch {
	case !m.began.IsZero():
		return nil, ErrBegun
	case p.Bot:
		return nil, ErrPrograms
	case m.has(p.ID):
		return nil, ErrIn
	case len(m.v.Teams[t-1]) >= Size:
		return nil, ErrFull
	}
	entries := []event.Entry{event.New(kindEnter, entered{t, p, net})}
	if len(m.v.Teams[0])+len(m.v.Teams[1])+1 == 2*Size {
		entries = append(entries, event.New(kindStart, nil))
	}
	return entries, nil
}

// Leave returns the entries for a player who no longer wants to take part.
func (m *Match) Leave(p table.PlayerID) ([]event.Entry, error) {
	switch {
	case !m.has(p):
		return nil, ErrNotIn
	case !m.began.IsZero():
		return nil, ErrBegun
	}
	return []event.Entry{event.New(kindLeave, left{p})}, nil
}

// Start returns the entries that begin the match early, at the request of its creator or an operator.
func (m *Match) Start(by string, operator bool) ([]event.Entry, error) {
	switch {
	case !m.began.IsZero():
		return nil, ErrBegun
	case by != m.v.Config.By && !operator:
		return nil, ErrMaker
	case !m.v.MayStart():
		return nil, ErrLonely
	}
	return []event.Entry{event.New(kindStart, nil)}, nil
}

func (m *Match) CallOff() ([]event.Entry, error) {
	if !m.began.IsZero() {
		return nil, ErrBegun
	}
	return []event.Entry{event.New(event.KindOver, m.final())}, nil
}

// Ended implements [event.Rules]. An abandoned game ends the match, since there is nothing to compare.
func (m *Match) Ended(_ time.Time, p event.Played) []event.Entry {
	no := p.Start.Event.Pairing
	if no < 1 || no > 2 || m.games[no-1].Game != 0 {
		return nil
	}
	r := event.ResultOf(p)
	entries := []event.Entry{event.New(kindResult, r)}
	if after := m.after(r); after.empty != 0 || m.games[2-no].Game != 0 {
		entries = append(entries, event.New(event.KindOver, after.final()))
	}
	return entries
}

// after returns the match after another result.
func (m *Match) after(r Game) *Match {
	after := *m
	after.games[r.No-1] = r
	if r.Ending == table.EndAbandoned && m.empty == 0 {
		after.empty = int(r.No)
	}
	return &after
}

func (m *Match) HasResult(g table.GameID) bool {
	return slices.ContainsFunc(m.games[:], func(x Game) bool { return x.Game == g })
}

// Due implements [event.Rules]: a match that is not played to its end ends after some hours.
func (m *Match) Due(now time.Time) []event.Entry {
	at := m.v.Begins.Add(gathering)
	if !m.began.IsZero() {
		at = m.began.Add(playing)
	}
	if now.Before(at) {
		return nil
	}
	return []event.Entry{event.New(event.KindOver, m.final())}
}

func (m *Match) Next() time.Time {
	if m.began.IsZero() {
		return m.v.Begins.Add(gathering)
	}
	return m.began.Add(playing)
}

func (m *Match) Apply(e event.Entry) error { return entries.Apply(m, e) }

var entries = event.Entries[*Match]{
	kindEnter:      event.On((*Match).enter),
	kindLeave:      event.Does((*Match).leave),
	kindStart:      event.Does(func(m *Match, at time.Time, _ event.Nothing) { m.began = at }),
	kindResult:     event.On((*Match).take),
	event.KindOver: event.Does(func(m *Match, _ time.Time, x Final) { m.v.Over, m.closing = true, x }),
}

func (m *Match) enter(_ time.Time, x entered) error {
	if x.Team != A && x.Team != B || len(m.v.Teams[x.Team-1]) >= Size || m.has(x.Player.ID) {
		return fmt.Errorf("%s joins team %d, which cannot be", x.Player.Name, x.Team)
	}
	m.v.Teams[x.Team-1] = append(m.v.Teams[x.Team-1], x.Player)
	m.v.nets[x.Player.ID] = x.Net
	return nil
}

func (m *Match) leave(_ time.Time, x left) {
	for i := range m.v.Teams {
		m.v.Teams[i] = slices.DeleteFunc(m.v.Teams[i], func(p table.Player) bool { return p.ID == x.ID })
	}
}

func (m *Match) take(_ time.Time, x Game) error {
	if x.No < 1 || x.No > 2 || m.games[x.No-1].Game != 0 {
		return fmt.Errorf("a result of table %d", x.No)
	}
	*m = *m.after(x)
	return nil
}

func (m *Match) has(p table.PlayerID) bool {
	return event.Has(m.v.Teams[0], p) || event.Has(m.v.Teams[1], p)
}

func (m *Match) Check(games []event.Played) (faults []string) {
	for i := range m.games {
		faults = append(faults, event.Differs(games, &m.games[i], m.games[i], event.ResultOf)...)
	}
	if want := m.final(); m.v.Over && m.closing != want {
		faults = append(faults, fmt.Sprintf("it ended as %+v, and its games come to %+v", m.closing, want))
	}
	return faults
}
