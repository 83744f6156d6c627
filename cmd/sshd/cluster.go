package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/cmd/sshd/gate"
	"boneyard/cmd/sshd/node"
	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/store"
	"boneyard/store/cluster"
)

// clusterConfig returns the cluster's part of the settings.
func clusterConfig(s Settings, log *slog.Logger) (c cluster.Config, err error) {
	c = cluster.Config{Name: s.Cluster, Node: s.Node, Listen: s.ClusterListen, Peers: s.Peers, Folder: clusterFolder(s.Data), Log: log}
	if c.Key, err = readClusterKey(s.ClusterKey); err != nil {
		return c, settingError{"--cluster-key", err}
	}
	if err := c.Validate(); err != nil {
		return c, settingError{"--cluster", err}
	}
	return c, nil
}

// clusterFolder returns the folder with a node's replica of the log.
func clusterFolder(data string) string { return data + ".cluster" }

// refuseNodeFile returns an error, with advice, for a node's data file: other nodes would miss the change.
func refuseNodeFile(data, instead string) error {
	folder := clusterFolder(data)
	_, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w (%w)", store.ErrNoPermission, err)
	case err != nil:
		return fmt.Errorf("look whether this is the data file of a node: %w", err)
	}
	return fmt.Errorf("this is the data file of a node: the other nodes would not learn of the change; %s. "+
		"If the club is on one machine again, move %s away first", instead, folder)
}

// adviseNode adds advice on a node's unusable data file: a backup is needed only if no other node has the
// club.
func adviseNode(data string, err error) error {
	for _, unusable := range []error{store.ErrDamaged, store.ErrLog, store.ErrBehind, store.ErrForked, store.ErrMissing} {
		if errors.Is(err, unusable) {
			return fmt.Errorf("this node's data file cannot be used: move %s away, with everything beside it "+
				"that begins with the same name, and restart: the node copies another's; only if no other node has the club: %w", data, err)
		}
	}
	return err
}

// readClusterKey reads the nodes' shared secret: base64 of at least 32 bytes.
func readClusterKey(path string) ([]byte, error) {
	if path == "" {
		return nil, errors.New(`must name a file; make one with "openssl rand -base64 48 > FILE", the same for all nodes`)
	}
	b, err := gate.ReadPrivate(path)
	if err != nil {
		return nil, err
	}
	key, err := base64.StdEncoding.DecodeString(string(bytes.TrimSpace(b)))
	if err != nil {
		return nil, fmt.Errorf("%s: not base64: %w", path, err)
	}
	return key, nil
}

// enter connects the server to the other nodes, and copies a data file from one of them if it has none.
func (m *Main) enter(ctx context.Context, s Settings, keys, next []gossh.Signer) error {
	c, err := clusterConfig(s, m.log)
	if err != nil {
		return err
	}
	c.Hosts, c.Next = text.Each(keys, fingerprint), text.Each(next, fingerprint)
	m.cluster, err = node.Enter(ctx, c, s.Data)
	return err
}

// join makes the node accept callers, and open the club when it is this node's turn.
func (m *Main) join(st *store.Store, data string, ln net.Listener, cfg gate.Config, reg prometheus.Registerer,
	open func() (*club, *gate.Server, error), reads func(context.Context) (node.Reader, error),
) (err error) {
	reg.MustRegister(nodeFigures{m.cluster.Node})
	m.server, err = m.cluster.Join(st, cfg, node.Club{
		Open: func() (*lobby.Lobby, *gate.Server, error) {
			c, server, err := open()
			if err != nil {
				return nil, nil, err
			}
			return c.lobby, server, nil
		},
		Read: reads,
		Stays: func(words []string, terminal bool) bool {
			_, stays := wanted(words, terminal)
			return stays
		},
		Pages: func(at string) bool { return faceOf(at, "") == onPages },
		Failed: func(err error) {
			select {
			case m.failed <- adviseNode(data, err):
			default: // it is already ending
			}
		},
	})
	if err == nil {
		m.accept(ln)
	}
	return err
}
