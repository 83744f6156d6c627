// Package lobbytest keeps a club in memory, for tests of those who use one: it knows what a store promises, and must not
// know how a real one does it.
package lobbytest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules/coach"
	"boneyard/table"
)

var _ lobby.Store = (*Store)(nil)

// Store is a lobby.Store in memory. What it returns shares nothing with what it keeps. Standings are what Table says, as
// nobody is rated here.
type Store struct {
	mu        sync.Mutex
	fault     error
	stalled   chan struct{} // nil: never stalled; closed: not any more
	slow      time.Duration
	slowReads time.Duration
	asked     int // how often it was read or written
	accounts  []lobby.Account
	skeletons map[string]table.PlayerID
	seen      map[table.PlayerID]time.Time
	teams     []lobby.Team
	ended     map[table.TeamID]bool
	invited   []invitation
	chat      []lobby.Line
	tells     map[table.PlayerID][]lobby.Line
	news      []lobby.NewsItem
	sanctions []lobby.Sanction
	lifted    map[int64]bool
	audit     []lobby.AuditEntry
	reports   []lobby.Report
	reviews   map[reviewed]*coach.Report
	journal   journal
	events    []*journaled
	time      time.Time
	wall      time.Time

	// Table is what Standings answers, if it is not nil. It is set before the store is used.
	Table func(lobby.StandingsQuery) []lobby.Standing
	// Suspects is what Suspicions answers, if it is not nil; likewise.
	Suspects func(since time.Time, limit int) []lobby.Suspicion
	// TeamGames is what Team says of a team's games, if it is not nil; likewise.
	TeamGames func(table.TeamID) []lobby.GameInfo
}

type invitation struct {
	player table.PlayerID
	lobby.Invitation
}

// New makes an empty store.
func New() *Store {
	return &Store{
		skeletons: map[string]table.PlayerID{}, seen: map[table.PlayerID]time.Time{},
		ended: map[table.TeamID]bool{}, lifted: map[int64]bool{}, reviews: map[reviewed]*coach.Report{},
		journal: journal{tables: map[table.ID]*savedTable{}, games: map[table.GameID]*game{}},
	}
}

// Fail has everything that writes fail with err from now on, and work again if it is nil.
func (s *Store) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = err
}

// Stall has everything that writes wait until release is called, or its context ends, as on a disk that does not answer.
func (s *Store) Stall() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stalled := make(chan struct{})
	s.stalled = stalled
	return func() { close(stalled) }
}

// Slow has everything that writes take a while from now on, as disks do.
func (s *Store) Slow(by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slow = by
}

// SlowReads has everything that only reads take a while from now on.
func (s *Store) SlowReads(by time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slowReads = by
}

// write runs f unless the store is to fail.
func (s *Store) write(ctx context.Context, f func() error) error {
	s.mu.Lock()
	stalled, slow := s.stalled, s.slow
	s.mu.Unlock()
	time.Sleep(slow)
	if stalled != nil {
		select {
		case <-stalled:
		case <-ctx.Done():
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if s.fault != nil {
		return s.fault
	}
	return f()
}

// read runs f.
func (s *Store) read(ctx context.Context, f func() error) error {
	s.mu.Lock()
	slow := s.slowReads
	s.mu.Unlock()
	time.Sleep(slow)
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	return f()
}

// Asked is how often the store was read or written.
func (s *Store) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// find returns a copy of the account that fits, with the team it is in.
func (s *Store) find(ctx context.Context, fits func(*lobby.Account) bool) (*lobby.Account, error) {
	var found *lobby.Account
	err := s.read(ctx, func() error {
		i := slices.IndexFunc(s.accounts, func(a lobby.Account) bool { return fits(&a) })
		if i < 0 {
			return lobby.ErrNotFound
		}
		a := s.accounts[i]
		a.Settings.Ignored, a.Settings.IgnoredNets = slices.Clone(a.Settings.Ignored), slices.Clone(a.Settings.IgnoredNets)
		if t := s.teamOf(a.ID); t != nil {
			a.Team, a.Tag, a.TeamName = t.ID, t.Tag, t.Name
		}
		found = &a
		return nil
	})
	return found, err
}

// ByKey implements lobby.Accounts.
func (s *Store) ByKey(ctx context.Context, key lobby.KeyID) (*lobby.Account, error) {
	return s.find(ctx, func(a *lobby.Account) bool { return a.Key == key })
}

// ByName implements lobby.Accounts.
func (s *Store) ByName(ctx context.Context, name string) (*lobby.Account, error) {
	skeleton := text.Skeleton(name)
	return s.find(ctx, func(a *lobby.Account) bool { return text.Skeleton(a.Name) == skeleton })
}

// Create implements lobby.Accounts.
func (s *Store) Create(ctx context.Context, key lobby.KeyID, name, skeleton string, now time.Time) (*lobby.Account, error) {
	var made lobby.Account
	err := s.write(ctx, func() error {
		taken := slices.ContainsFunc(s.accounts, func(a lobby.Account) bool { return a.Key == key })
		if s.skeletons[skeleton] != 0 || taken {
			return lobby.ErrTaken
		}
		made = lobby.Account{ID: table.PlayerID(len(s.accounts) + 1), Name: name, Key: key, Created: now}
		s.accounts = append(s.accounts, made)
		s.skeletons[skeleton] = made.ID
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &made, nil
}

// account is a member by number. With mu held.
func (s *Store) account(id table.PlayerID) *lobby.Account {
	if id < 1 || int(id) > len(s.accounts) {
		return nil
	}
	return &s.accounts[id-1]
}

// Save implements lobby.Accounts.
func (s *Store) Save(ctx context.Context, id table.PlayerID, settings lobby.Settings, bot bool) error {
	return s.write(ctx, func() error {
		a := s.account(id)
		if a == nil {
			return lobby.ErrNotFound
		}
		settings.Ignored, settings.IgnoredNets = slices.Clone(settings.Ignored), slices.Clone(settings.IgnoredNets)
		a.Settings, a.Bot = settings, bot
		return nil
	})
}

// Seen implements lobby.Accounts.
func (s *Store) Seen(ctx context.Context, id table.PlayerID, now time.Time) error {
	return s.write(ctx, func() error {
		if s.account(id) == nil {
			return lobby.ErrNotFound
		}
		s.seen[id] = now
		return nil
	})
}

// Say implements lobby.Talk.
func (s *Store) Say(ctx context.Context, l lobby.Line) (int64, error) {
	err := s.write(ctx, func() error {
		l.Seq = int64(len(s.chat) + 1)
		s.chat = append(s.chat, l)
		return nil
	})
	return l.Seq, err
}

// History implements lobby.Talk.
func (s *Store) History(ctx context.Context, limit int) (list []lobby.Line, err error) {
	err = s.read(ctx, func() error {
		list = slices.Clone(s.chat[max(0, len(s.chat)-limit):])
		return nil
	})
	return list, err
}

// KeepTell implements lobby.Talk.
func (s *Store) KeepTell(ctx context.Context, to table.PlayerID, l lobby.Line, most, each int) (kept bool, err error) {
	err = s.write(ctx, func() error {
		own := 0
		for _, old := range s.tells[to] {
			if old.From.ID == l.From.ID {
				own++
			}
		}
		if kept = len(s.tells[to]) < most && own < each; kept {
			if s.tells == nil {
				s.tells = map[table.PlayerID][]lobby.Line{}
			}
			s.tells[to] = append(s.tells[to], l)
		}
		return nil
	})
	return kept, err
}

// TakeTells implements lobby.Talk.
func (s *Store) TakeTells(ctx context.Context, to table.PlayerID) (list []lobby.Line, err error) {
	err = s.write(ctx, func() error {
		list = s.tells[to]
		delete(s.tells, to)
		return nil
	})
	return list, err
}

// AddNews implements lobby.Talk.
func (s *Store) AddNews(ctx context.Context, n lobby.NewsItem) (int64, error) {
	err := s.write(ctx, func() error {
		n.ID = int64(len(s.news) + 1)
		s.news = append(s.news, n)
		return nil
	})
	return n.ID, err
}

// News implements lobby.Talk.
func (s *Store) News(ctx context.Context, limit int) (list []lobby.NewsItem, err error) {
	err = s.read(ctx, func() error {
		list = newest(s.news, limit)
		return nil
	})
	return list, err
}

// AddSanction implements lobby.Moderation.
func (s *Store) AddSanction(ctx context.Context, v lobby.Sanction) (int64, error) {
	err := s.write(ctx, func() error {
		v.ID = int64(len(s.sanctions) + 1)
		s.sanctions = append(s.sanctions, v)
		return nil
	})
	return v.ID, err
}

func (s *Store) inForce(v *lobby.Sanction, now time.Time) bool {
	return !s.lifted[v.ID] && (v.Until.IsZero() || now.Before(v.Until))
}

// LiftSanction implements lobby.Moderation; whom is a name or a network here.
func (s *Store) LiftSanction(ctx context.Context, kind, whom string, now time.Time) (lifted int, err error) {
	err = s.write(ctx, func() error {
		for i := range s.sanctions {
			v := &s.sanctions[i]
			named := v.Name != "" && text.Skeleton(v.Name) == text.Skeleton(whom) || v.Net != "" && v.Net == whom
			if v.Kind == kind && named && s.inForce(v, now) {
				s.lifted[v.ID] = true
				lifted++
			}
		}
		return nil
	})
	return lifted, err
}

// Sanctions implements lobby.Moderation.
func (s *Store) Sanctions(ctx context.Context, now time.Time) (list []lobby.Sanction, err error) {
	err = s.read(ctx, func() error {
		for _, v := range slices.Backward(s.sanctions) {
			if s.inForce(&v, now) {
				list = append(list, v)
			}
		}
		return nil
	})
	return list, err
}

// Audit implements lobby.Moderation.
func (s *Store) Audit(ctx context.Context, e lobby.AuditEntry) error {
	return s.write(ctx, func() error { s.audit = append(s.audit, e); return nil })
}

// AuditLog implements lobby.Moderation.
func (s *Store) AuditLog(ctx context.Context, limit int) (list []lobby.AuditEntry, err error) {
	err = s.read(ctx, func() error { list = newest(s.audit, limit); return nil })
	return list, err
}

// AddReport implements lobby.Moderation.
func (s *Store) AddReport(ctx context.Context, r lobby.Report) (last time.Time, err error) {
	r.Times, r.Network = 1, ""
	if r.By.Guest() {
		r.By = 0
	} else if a := s.account(r.By); a != nil {
		r.Name = a.Name
	}
	err = s.write(ctx, func() error {
		s.reports = slices.DeleteFunc(s.reports, func(old lobby.Report) bool {
			same := old.By == r.By && text.Skeleton(old.About) == text.Skeleton(r.About)
			if same {
				last, r.Times, r.Text = old.At, old.Times+1, old.Text+" / "+r.Text
			}
			return same
		})
		s.reports = append(s.reports, r)
		return nil
	})
	return last, err
}

// Reports implements lobby.Moderation.
func (s *Store) Reports(ctx context.Context, limit int) (list []lobby.Report, err error) {
	err = s.read(ctx, func() error { list = newest(s.reports, limit); return nil })
	return list, err
}

// Suspicions implements lobby.Moderation.
func (s *Store) Suspicions(ctx context.Context, since time.Time, limit int) (list []lobby.Suspicion, err error) {
	err = s.read(ctx, func() error {
		if s.Suspects != nil {
			list = s.Suspects(since, limit)
		}
		return nil
	})
	return list, err
}

// newest returns the last items, the newest first.
func newest[T any](all []T, limit int) []T {
	list := slices.Clone(all[max(0, len(all)-limit):])
	slices.Reverse(list)
	return list
}

// words reports whether each word of a search is found in a text, without regard to case.
func words(search, in string) bool {
	for _, w := range strings.Fields(strings.ToLower(search)) {
		if !strings.Contains(strings.ToLower(in), w) {
			return false
		}
	}
	return true
}
