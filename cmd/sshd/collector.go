package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A collection of garbage costs about 1 ms of processor time for each megabyte in use, and comes when a percentage
// of that has been allocated (GOGC). So each megabyte allocated costs 1 ms at busyPercent and 5 ms at calmPercent:
// 1 % of a processor at calmRate, in exchange for most of the room that is kept for garbage.
const (
	busyPercent = 100
	calmPercent = 20
	calmRate    = 2 << 20 // bytes allocated a second

	// calmLook is after how long without a collection a busy program looks whether it has become calm.
	calmLook = 2 * time.Second
)

// spareMemory keeps little room for garbage while little is allocated, until ctx ends. look is calmLook outside
// tests.
func spareMemory(ctx context.Context, look time.Duration) {
	defer debug.SetGCPercent(debug.SetGCPercent(busyPercent))
	wait := time.NewTimer(look)
	defer wait.Stop()
	collected := make(chan struct{}, 1)
	watchCollection(collected)
	calm, allocated, at := false, allocatedBytes(), time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-collected:
			watchCollection(collected)
		case <-wait.C:
		}
		now, total := time.Now(), allocatedBytes()
		was := calm
		calm = float64(total-allocated) <= calmRate*now.Sub(at).Seconds()
		allocated, at = total, now
		switch {
		case !calm:
			wait.Reset(look) // a calm program waits for the next collection
			if was {
				debug.SetGCPercent(busyPercent)
			}
		case !was:
			debug.FreeOSMemory()
			debug.SetGCPercent(calmPercent)
		}
	}
}

// watchCollection sends to collected, which has room, after the next collection.
func watchCollection(collected chan<- struct{}) {
	runtime.AddCleanup(new([1]*int), func(collected chan<- struct{}) { collected <- struct{}{} }, collected)
}

// allocatedBytes returns how many bytes the program has allocated since it began.
func allocatedBytes() uint64 {
	read := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(read)
	return read[0].Value.Uint64()
}
