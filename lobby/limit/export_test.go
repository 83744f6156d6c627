package limit

// Len is how many counts are kept.
func (l *Limits) Len() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.books {
		n += len(l.books[i].of)
	}
	return n
}
