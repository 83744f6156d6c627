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
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/cmd/sshd/gate"
	"boneyard/store"
	"boneyard/store/cluster"
)

// errTaken ends a node that was unreachable while another took the club over. The last input of its sessions
// was not acknowledged.
var errTaken = errors.New("another node has taken over the club; restart this one, and it will stand by")

// errHandedOver ends a node that an operator wanted to hand the club over.
var errHandedOver = errors.New("the club was handed over to another node, as an operator wanted; restart this one, and it will stand by")

// clusterConfig makes the cluster's configuration from the settings.
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

// clusterFolder is where a node keeps its part of the log.
func clusterFolder(data string) string { return data + ".cluster" }

// refuseNodeFile refuses to change the data file of a node, since the other nodes would not learn of it.
func refuseNodeFile(data string) error {
	folder := clusterFolder(data)
	_, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("this is the data file of a node: the other nodes would not learn of the change; moderate inside the club: type /help there. "+
		"If the club is on one machine again, move %s away first", folder)
}

// adviseNode adds to an error of an unusable data file what to do on a node: a backup would have to be
// restored only if no other node had the club.
func adviseNode(data string, err error) error {
	for _, unusable := range []error{store.ErrDamaged, store.ErrLog, store.ErrBehind, store.ErrForked, store.ErrMissing} {
		if errors.Is(err, unusable) {
			return fmt.Errorf("this node's data file cannot be used: move %s away, with everything beside it that begins with the same name, and restart: "+
				"the node copies another's; only if no other node has the club: %w", data, err)
		}
	}
	return err
}

// readClusterKey reads the secret that the nodes share: base64 of at least 32 bytes.
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

// membership is a node's part in its cluster.
type membership struct {
	node        *cluster.Node
	switchboard *switchboard       // nil until it has joined
	end         context.CancelFunc // ends keepClub
	keeping     sync.WaitGroup     // keepClub
}

// enter connects the server to the other nodes of its cluster, and copies the data file from one of them if
// it has none.
func (m *Main) enter(ctx context.Context, s Settings, keys, next []gossh.Signer) error {
	c, err := clusterConfig(s, m.log)
	if err != nil {
		return err
	}
	c.Hosts, c.Next = fingerprints(keys), fingerprints(next)
	node, err := cluster.Start(c)
	if err != nil {
		return err
	}
	m.cluster = &membership{node: node, end: func() {}}
	return seed(ctx, node, s.Data, m.log)
}

func fingerprints(keys []gossh.Signer) (all []string) {
	for _, k := range keys {
		all = append(all, fingerprint(k))
	}
	return all
}

// join makes the node follow the club's log, take callers, who are served by the owner, and open the club
// here when it is this node's turn.
func (m *Main) join(st *store.Store, data string, ln net.Listener, cfg gate.Config, reg prometheus.Registerer,
	open func() (*club, *gate.Server, error), reads func(context.Context) (*club, error),
) error {
	v := m.cluster
	relay := v.node.ListenRelay(append(callsProtocols(), copyProtocol)...)
	if err := st.Follow(v.node.ID(), v.node); err != nil {
		return errors.Join(err, relay.Close())
	}
	v.node.CompareBy(st.CompareFiles)
	reg.MustRegister(nodeFigures{v.node})
	var ctx context.Context
	ctx, v.end = context.WithCancel(context.Background())
	v.switchboard = newSwitchboard(v.node, data, relay, m.log, reads)
	cfg.Passes = true
	server, err := gate.New(cfg, v.switchboard)
	if err != nil {
		return errors.Join(err, relay.Close())
	}
	m.server = server
	v.switchboard.start()
	m.accept(ln)
	v.keeping.Go(func() {
		if err := keepClub(ctx, v.node, st, m.log, func() (*club, error) {
			c, server, err := open()
			if err == nil {
				v.switchboard.opened(server)
			}
			return c, err
		}); err != nil {
			m.failed <- adviseNode(data, err)
		}
	})
	v.keeping.Go(func() {
		select {
		case <-v.node.HandOver():
			m.failed <- errHandedOver
		case <-ctx.Done():
		}
	})
	m.log.Info("this is a node of a cluster", "node", v.node.Name(), "nodes", v.node.Size())
	return nil
}

// stop makes sure that the club is not opened from now on.
func (v *membership) stop() {
	v.end()
	v.keeping.Wait()
}

// close leaves the cluster. The gate and the store must already be closed.
func (v *membership) close() (err error) {
	if v.switchboard != nil {
		err = v.switchboard.Close()
	}
	v.node.Leave()
	v.node.Close()
	return err
}

// seat is a node's place in its cluster.
type seat interface {
	ID() string
	Members() ([]cluster.Member, <-chan struct{})
	Misfit() error
	SetOwner(epoch uint64)
	SetDigests(base string, last store.Digest)
	Reachable() bool
	Leads() bool
	GiveBack(owner string) bool
}

// keepClub follows the club's log and opens the club here when this node leads the log; while no majority is
// reached, it suspends the club. It returns when ctx ends, or with the error that ends the node.
func keepClub(ctx context.Context, node seat, st *store.Store, log *slog.Logger, open func() (*club, error)) error {
	var here *club // nil until it is open at this node
	apart := false // it is suspended
	for {
		at, moved, err := st.Replica()
		if err != nil {
			return err
		}
		opened := here != nil
		if opened && at.Owner != node.ID() {
			return errTaken
		}
		node.SetDigests(at.Base, at.Digest)
		_, changed := node.Members()
		if err := node.Misfit(); errors.Is(err, store.ErrDiffers) {
			return errors.Join(err, st.Distrust())
		} else if err != nil {
			return err
		}
		if opened && apart == node.Reachable() {
			apart = !apart
			why := ""
			if apart {
				why = fmt.Sprintf(sayApart, time.Now().UTC().Format("15:04"))
			}
			here.lobby.Suspend(why)
		}
		if !opened && node.Leads() && !node.GiveBack(at.Owner) {
			log.Info("cluster: claiming the club", "epoch", at.Epoch+1, "owner_before", at.Owner)
			within, cancel := context.WithTimeout(ctx, claimTime)
			err := st.Claim(within)
			cancel()
			switch {
			case err == nil:
				node.SetOwner(at.Epoch + 1) // callers wait here until the club is open
				if here, err = open(); err != nil {
					return err
				}
			case ctx.Err() != nil:
				return nil // this node is stopping; if the claim is in the log, the next one supersedes it
			case !errors.Is(err, store.ErrNotOwner) && !errors.Is(err, context.DeadlineExceeded):
				return err
			}
			continue
		}
		select {
		case <-moved:
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// claimTime is how long a claim waits before it is asked again whether this node still leads the log.
const claimTime = time.Second
