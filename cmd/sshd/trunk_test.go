package main

import (
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/store/cluster"
)

// A node that is heard and takes no connection is reported once, and not one that has just died.
func TestAPortThatIsBlockedIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		s := newSwitchboard(nil, "", nil, slog.New(slog.NewTextHandler(&log, nil)), nil)
		owner, dead := cluster.Member{Node: "one", Run: "1", Relay: "10.0.0.1:7401"}, cluster.Member{Node: "two", Run: "1"}
		reports := func() int { return strings.Count(log.String(), "not on its second port") }
		s.blame(dead, io.EOF)
		s.blame(owner, io.EOF)
		s.blame(owner, io.EOF)
		time.Sleep(ownerGone / 2)
		s.blame(owner, io.EOF)
		require.Zero(t, reports())
		time.Sleep(ownerGone)
		s.blame(owner, io.EOF)
		s.blame(owner, io.EOF)
		require.Equal(t, 1, reports(), log.String())
		require.Contains(t, log.String(), "node=one addr=10.0.0.1:7401")

		s.blame(owner, nil)
		s.blame(owner, io.EOF)
		time.Sleep(ownerGone)
		s.blame(owner, io.EOF)
		require.Equal(t, 2, reports(), "it was open in between")
	})
}
