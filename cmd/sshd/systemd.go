package main

import (
	"fmt"
	"net"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"

	"boneyard/lobby/text"
)

// inherited returns the socket that systemd opened for this process (boneyard.socket), or nil. Since systemd
// keeps it open, callers wait in its queue during a restart of the server.
func inherited() (net.Listener, error) {
	all, err := activation.Listeners()
	if err != nil {
		return nil, fmt.Errorf("sockets of systemd: %w", err)
	}
	switch {
	case len(all) == 0:
		return nil, nil
	case len(all) > 1 || all[0] == nil || all[0].Addr().Network() != "tcp":
		for _, ln := range all {
			if ln != nil {
				_ = ln.Close()
			}
		}
		return nil, fmt.Errorf("systemd hands over %s: it must be one, for SSH over TCP; name one ListenStream, a port",
			text.Number(len(all), "socket"))
	}
	return all[0], nil
}

// notify reports the server's state to systemd, if that started this process.
func (m *Main) notify(state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		m.log.Warn("notify systemd", "err", err)
	}
}
