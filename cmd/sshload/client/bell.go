package client

import "sync"

// bell wakes all who wait for something to happen. The zero value is ready.
type bell struct {
	mu   sync.Mutex
	rung chan struct{} // closed at the next ring; nil while nobody waits
}

// next is closed at the next ring. Ask for it before you look whether there is anything to wait for.
func (b *bell) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung == nil {
		b.rung = make(chan struct{})
	}
	return b.rung
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung != nil {
		close(b.rung)
		b.rung = nil
	}
}
