package server

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/store/cluster/freeport"
)

// Nodes is the number of nodes of a club on several machines.
const Nodes = 3

// StartNodes runs a club on three nodes, each a process with files of its own in dir, and more flags. It returns when one of them has the
// club: that is the first.
func StartNodes(program, dir string, log io.Writer, flags ...string) (all []*Server, err error) {
	defer func() {
		if err != nil {
			for _, s := range all {
				err = errors.Join(err, s.Stop())
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
	for range Nodes {
		ports, _, err := freeport.Take(3) // for as long as this program runs
		if err != nil {
			return nil, err
		}
		listen, links = append(listen, "127.0.0.1:"+strconv.Itoa(ports)), append(links, "127.0.0.1:"+strconv.Itoa(ports+1))
	}
	opened := make(chan int, Nodes)
	for i := range Nodes {
		folder := filepath.Join(dir, "node"+strconv.Itoa(i+1))
		if err := os.Mkdir(folder, 0o700); err != nil {
			return all, err
		}
		s, lines, err := start(program, append([]string{
			"--listen", listen[i], "--data", filepath.Join(folder, ClubData), "--host-keys", filepath.Join(dir, "keys"), "--cluster", "load",
			"--node", "n" + strconv.Itoa(i+1), "--cluster-listen", links[i], "--peers", strings.Join(slices.Delete(slices.Clone(links), i, i+1), ","),
			"--cluster-key", secret,
		}, flags...), "this is a node of a cluster")
		if err != nil {
			return all, err
		}
		s.name, s.Addr = "node "+strconv.Itoa(i+1), listen[i]
		s.Stop = s.kill // ended one after the other, each would hand the club to the next, and the last would wait for a majority
		all = append(all, s)
		go func() {
			if _, err := lines.until("the club is open"); err == nil {
				opened <- i
			} else {
				_, _ = io.WriteString(&s.last, lines.all.String()) // it has ended
			}
			s.copyLog(log, lines)
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

// Name is the server's name in reports.
func (s *Server) Name() string { return s.name }
