package cluster

import (
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
)

// Config describes this node and names the others.
type Config struct {
	Name   string   // of the club; nodes of other clubs are refused
	Node   string   // this node's name, which must be unique
	Listen string   // HOST:PORT, where the other nodes reach this one
	Peers  []string // HOST:PORT of the others
	Key    []byte   // the secret that all nodes share
	Folder string   // for the log
	Bare   bool     // there is no data file yet
	Hosts  []string // fingerprints of the host keys, the same on all nodes; none: not compared
	Next   []string // fingerprints of this node's next host keys
	Log    *slog.Logger

	advertise string // where other nodes reach this one, if not at Listen; tests put slow proxies there
}

// size returns the number of nodes of the club.
func (c Config) size() int { return len(c.Peers) + 1 }

// Validate returns an error for settings that cannot work.
func (c Config) Validate() error {
	switch {
	case !isName(c.Name):
		return fmt.Errorf("name of the cluster: %q: use letters, digits and hyphens", c.Name)
	case !isName(c.Node):
		return fmt.Errorf("name of the node: %q: use letters, digits and hyphens", c.Node)
	case c.size() < 3 || c.size()%2 == 0:
		return fmt.Errorf("%d nodes: must be 3 or 5, so that a majority is left when one fails", c.size())
	case len(c.Key) < 32:
		return fmt.Errorf("the cluster's key has %d bytes: must have at least 32", len(c.Key))
	}
	return c.validateAddresses()
}

// validateAddresses returns an error for an invalid or repeated address.
func (c Config) validateAddresses() error {
	used := make(map[string]string)
	for _, addr := range append([]string{c.Listen}, c.Peers...) {
		host, port, err := splitPort(addr)
		if err != nil {
			return err
		}
		at := net.JoinHostPort(host, strconv.Itoa(port))
		if by, ok := used[at]; ok {
			return fmt.Errorf("%s and %s are not two nodes: peers are the other nodes only", by, addr)
		}
		used[at] = addr
	}
	return nil
}

func isName(s string) bool {
	return s != "" && len(s) <= 32 && strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// CheckAddress returns an error if an address cannot be a node's.
func CheckAddress(addr string) error {
	_, _, err := splitPort(addr)
	return err
}

func splitPort(addr string) (host string, port int, err error) {
	host, p, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, fmt.Errorf("%q: must be HOST:PORT: %w", addr, err)
	}
	if port, err = strconv.Atoi(p); err != nil || port < 1 || port > 65535 {
		return "", 0, fmt.Errorf("%q: the port must be from 1 to 65535", addr)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		return "", 0, fmt.Errorf("%q: must have a host where the other nodes reach this one", addr)
	}
	return host, port, nil
}
