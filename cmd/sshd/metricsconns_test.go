package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// However many connections come to the metrics and stay, few are held: each takes a file that the club needs.
func TestMetricsHoldFewConnections(t *testing.T) {
	m := openClub(t, func(m *Main) { m.Settings.Metrics = "127.0.0.1:0" })
	addr := m.MetricsAddr().String()
	var held []net.Conn
	for range 100 {
		conn, err := net.Dial("tcp", addr)
		require.NoError(t, err)
		defer conn.Close()
		fmt.Fprint(conn, "HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
		held = append(held, conn)
	}
	open := 0
	for _, conn := range held {
		_ = conn.SetReadDeadline(time.Now().Add(patience))
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			open++
		}
	}
	require.LessOrEqual(t, open, 32)
	require.NotZero(t, open)
	for _, conn := range held {
		_ = conn.Close()
	}
	require.Eventually(t, func() bool { // the places are free again
		r, err := http.Get("http://" + addr + "/metrics")
		if err != nil {
			return false
		}
		defer r.Body.Close()
		_, err = io.Copy(io.Discard, r.Body)
		return err == nil && r.StatusCode == http.StatusOK
	}, patience, 10*time.Millisecond)
}
