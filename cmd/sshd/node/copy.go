package node

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"boneyard/store"
	"boneyard/store/cluster"
	"boneyard/store/fsync"
)

// copyProtocol, negotiated by ALPN, requests a copy of another node's data file: the length in eight bytes,
// big-endian, then the file.
const copyProtocol = "boneyard-copy/1"

// startGrace is how long a node without a data file listens for one that has a file.
const startGrace = 2500 * time.Millisecond

// seed copies the data file of another node to this one, which has none, as soon as that node has opened it. If
// no node in reach has one, it copies nothing: a new club begins, unless a node that is heard later has a file
// after all.
func (n *Node) seed(ctx context.Context) error {
	const sayAgain = time.Minute // how often a node says that it still waits for another one's data file
	since, over := time.Now(), false
	grace := time.NewTicker(startGrace)
	defer grace.Stop()
	for {
		members, changed := n.Members()
		opening := "" // a node that still verifies its file, which may take minutes
		var errs []error
		for _, m := range members {
			if m.Base == "" {
				if !m.Bare {
					opening = m.Node
				}
				continue
			}
			n.log.Info("this node has no data file yet; copying another's", "node", m.Node)
			began := time.Now()
			size, err := n.fetch(ctx, m)
			if err == nil {
				n.log.Info("data file copied", "node", m.Node, "bytes", size, "took", time.Since(began))
				return nil
			}
			errs = append(errs, fmt.Errorf("copy the data file of node %s: %w", m.Node, err))
		}
		if len(errs) > 0 {
			return errors.Join(errs...)
		}
		if over && opening == "" {
			return nil
		}
		select {
		case <-changed:
		case <-grace.C:
			if over = true; opening != "" {
				grace.Reset(sayAgain)
				n.log.Info("this node has no data file yet; waiting for another node to open its",
					"node", opening, "for", time.Since(since).Round(time.Second))
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// fetch copies another node's data file.
func (n *Node) fetch(ctx context.Context, from cluster.Member) (size int64, err error) {
	conn, err := n.dial(ctx, from, copyProtocol)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if err := binary.Read(conn, binary.BigEndian, &size); err != nil {
		return 0, err
	}
	return size, fsync.Create(n.data, func(f *os.File) error {
		_, err := io.CopyN(f, conn, size)
		return err
	})
}

// give sends a copy of the data file to another node.
func give(ctx context.Context, conn net.Conn, data string) error {
	before, after := filepath.Base(data)+".", ".copy"
	path := filepath.Join(filepath.Dir(data), before+rand.Text()+after)
	err := fsync.Sweep(filepath.Dir(data), func(name string) bool { return strings.HasPrefix(name, before) && strings.HasSuffix(name, after) })
	if err != nil {
		return err
	}
	if err := store.Backup(ctx, data, path, nil); err != nil {
		return err
	}
	defer os.Remove(path) // for systems that cannot remove an open file
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_ = os.Remove(path) // at once, in case this process is killed
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := binary.Write(conn, binary.BigEndian, info.Size()); err != nil {
		return err
	}
	_, err = io.Copy(conn, f)
	return err
}
