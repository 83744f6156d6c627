package lobby_test

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
)

// crowd is a club of 500 tables and 1,000 visits, a number of which look at the club.
func crowd(b *testing.B, batch time.Duration, looking int) (*lobby.Lobby, []*lobby.Visit) {
	cfg := lobby.DefaultConfig()
	cfg.Exhibition, cfg.Batch = false, batch
	store := lobbytest.New(b)
	for range 500 {
		t, err := table.Make(b.Context(), table.Deps{Journal: store}, table.DefaultConfig(), table.Player{})
		if err != nil {
			b.Fatal(err)
		}
		if err := t.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	l, err := lobby.New(cfg, lobby.Deps{Stores: store.Stores()})
	if err != nil {
		b.Fatal(err)
	}
	if err := l.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = l.Close(ctx) })
	var visits []*lobby.Visit
	for i := range 1000 {
		v, err := l.Enter(b.Context(), nil, lobby.Origin{Net: fmt.Sprintf("10.0.%d.%d", i/250, i%250)})
		if err != nil {
			b.Fatal(err)
		}
		v.Show(lobby.Place{Club: i < looking})
		visits = append(visits, v)
	}
	b.ResetTimer()
	return l, visits
}

// One thing that happens in the lobby, seen by all who look: what a table says, a snapshot, and a signal to each.
func BenchmarkEvent(b *testing.B) {
	for _, looking := range []int{0, 10, 1000} {
		b.Run(fmt.Sprintf("looking=%d", looking), func(b *testing.B) {
			l, visits := crowd(b, time.Nanosecond, looking)
			for i := range b.N {
				lobby.OnChange(l)(&table.Summary{Table: 250, Version: 1<<40 + uint64(i), State: table.Playing, Turn: 1})
				for _, v := range visits[:looking] {
					<-v.Updates()
				}
			}
		})
	}
}

// The same in the usual batches: what an event costs when many come within one batch.
func BenchmarkEventInBatch(b *testing.B) {
	l, _ := crowd(b, 100*time.Millisecond, 1000)
	for i := range b.N {
		lobby.OnChange(l)(&table.Summary{Table: 250, Version: 1<<40 + uint64(i), State: table.Playing, Turn: 1})
	}
}

// Somebody comes in and goes while a thousand look.
func BenchmarkArrival(b *testing.B) {
	l, _ := crowd(b, 100*time.Millisecond, 1000)
	for range b.N {
		v, err := l.Enter(b.Context(), nil, lobby.Origin{Net: "192.0.2.1"})
		if err != nil {
			b.Fatal(err)
		}
		v.Close(table.Left)
	}
}

// What the gate asks of every connection.
func BenchmarkBanned(b *testing.B) {
	store := lobbytest.New(b)
	for i := range 10_000 {
		_, _ = store.AddSanction(b.Context(), lobby.Sanction{Kind: lobby.SanctionBan, Net: fmt.Sprintf("10.%d.%d.0/24", i/250, i%250)})
	}
	l, err := lobby.New(lobby.DefaultConfig(), lobby.Deps{Stores: store.Stores()})
	if err != nil {
		b.Fatal(err)
	}
	if err := l.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = l.Close(ctx) })
	addr := netip.MustParseAddr("192.0.2.1")
	b.ResetTimer()
	for range b.N {
		l.Banned(addr, lobby.KeyID{1})
	}
}
