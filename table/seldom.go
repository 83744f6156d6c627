package table

import "time"

// Seldom spaces out log lines about trouble that goes on: the first is due at once, the next after a minute,
// and each pause is twice as long as the one before. The zero value is ready.
type Seldom struct {
	next time.Time
	wait time.Duration
}

// Due reports whether a line is due. Trouble that comes back after twice the last pause is new.
func (s *Seldom) Due(now time.Time) bool {
	switch {
	case now.Before(s.next):
		return false
	case now.After(s.next.Add(s.wait)):
		s.wait = 0
	}
	s.wait = max(2*s.wait, time.Minute)
	s.next = now.Add(s.wait)
	return true
}
