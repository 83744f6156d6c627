package main

import (
	"context"
	"runtime/metrics"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestSparesMemoryWhileCalm: a program that does nothing becomes calm, one that allocates busy, and calm again.
func TestSparesMemoryWhileCalm(t *testing.T) {
	percent := func() uint64 {
		read := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(read)
		return read[0].Value.Uint64()
	}
	before := percent()
	ctx, stop := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	ended.Go(func() { spareMemory(ctx, 50*time.Millisecond) })
	becomes := func(want uint64, meanwhile func()) {
		t.Helper()
		assert.Eventually(t, func() bool { meanwhile(); return percent() == want }, 20*time.Second, time.Millisecond)
	}
	var kept []byte
	for range 2 {
		becomes(calmPercent, func() {})
		becomes(busyPercent, func() { kept = make([]byte, 1<<20) })
	}
	becomes(calmPercent, func() {})
	stop()
	ended.Wait()
	assert.Equal(t, before, percent())
	assert.Len(t, kept, 1<<20)
}
