package server

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boneyard/store/cluster/freeport"
)

const nodes = 3

// StartNodes runs a club on three nodes, each a process with files of its own in dir, and more flags. It
// returns when one of them has the club: that is the first.
func StartNodes(ctx context.Context, program, dir string, flags ...string) (all []*Server, err error) {
	defer func() {
		if err != nil {
			for _, s := range all {
				s.Kill()
			}
			all = nil
		}
	}()
	key := make([]byte, 48)
	_, _ = rand.Read(key)
	secret := filepath.Join(dir, "cluster.key")
	if err := os.WriteFile(secret, []byte(base64.StdEncoding.EncodeToString(key)), 0o600); err != nil {
		return nil, err
	}
	var listen, links []string
	for range nodes {
		port, _, err := freeport.Take(3) // for as long as this program runs
		if err != nil {
			return nil, err
		}
		listen, links = append(listen, fmt.Sprint("127.0.0.1:", port)), append(links, fmt.Sprint("127.0.0.1:", port+1))
	}
	opened := make(chan int, nodes)
	for i := range nodes {
		folder := filepath.Join(dir, fmt.Sprint("node", i+1))
		if err := os.Mkdir(folder, 0o700); err != nil {
			return all, err
		}
		s, err := startClub(ctx, program, nodeOpen, append([]string{
			"--listen", listen[i], "--data", filepath.Join(folder, ClubData), "--host-keys", filepath.Join(dir, "keys"),
			"--cluster", "load", "--node", fmt.Sprint("n", i+1), "--cluster-listen", links[i],
			"--peers", strings.Join(slices.Delete(slices.Clone(links), i, i+1), ","), "--cluster-key", secret,
		}, flags...))
		if err != nil {
			return all, err
		}
		s.Name, s.Addr = fmt.Sprint("node ", i+1), listen[i]
		all = append(all, s)
		go func() {
			if s.saw(clubOpen) == nil {
				opened <- i
			}
		}()
	}
	select {
	case i := <-opened:
		all[0], all[i] = all[i], all[0]
		return all, nil
	case <-time.After(StartTime):
		return all, errors.New("none of the nodes opens the club")
	}
}
