package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAProgressBarIsForTerminals(t *testing.T) {
	var out bytes.Buffer
	progress, done := progressOn(&out, "check")
	require.Nil(t, progress)
	done()
	require.Empty(t, out.String())

	now := time.Unix(1000, 0)
	progress, done = bar(&out, "check", func() time.Time { return now })
	now = now.Add(9 * time.Second)
	progress(7, 400)
	require.Equal(t, "\rcheck [------------------------------] 1 %\x1b[K", out.String(), "too early to say how long it takes")
	out.Reset()
	now = now.Add(time.Second)
	progress(100, 400)
	require.Equal(t, "\rcheck [#######-----------------------] 25 %, 30s left\x1b[K", out.String())
	out.Reset()
	progress(0, 400)
	progress(200, 400)
	require.Empty(t, out.String(), "not again within a tenth of a second")
	progress(400, 400)
	require.Contains(t, out.String(), "[##############################] 100 %\x1b[K")
	done()
	require.True(t, bytes.HasSuffix(out.Bytes(), []byte("\r\x1b[K")))
}
