package cluster

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"boneyard/store"
)

// Compared is how a node's file compares with that of the node that reports it.
type Compared struct {
	At      uint64   `json:",omitempty"` // the last entry at which both had a digest; 0: none since the other node's start
	Differs []string `json:",omitempty"` // the tables that differed then, or before

	run string // of the other node
}

const digestsKept = 8

// compareFiles compares this node's file with the others' by their digests. If more of the others agree with
// each other than with this node, this node is a misfit. With mu held.
func (m *Peers) compareFiles() {
	type found struct {
		nodes  int
		at     uint64
		tables []string // that differ
	}
	alike, others := make(map[uint64]int), make(map[string]found) // by entry, and by digest
	for _, v := range m.others {
		i := slices.IndexFunc(m.digests, func(own store.Digest) bool { return own.Position == v.Digest.Position })
		if i < 0 {
			continue
		}
		tables, known := m.digests[i].Differ(v.Digest)
		if !known {
			continue
		}
		at, file := v.Digest.Position, m.file(&v)
		if len(tables) == 0 {
			alike[at]++
		} else {
			sum := fmt.Sprint(at, v.Digest.Tables)
			others[sum] = found{others[sum].nodes + 1, at, tables}
			if file.At != at {
				m.log.Error("cluster: this node's data file and another's differ", "node", v.Node, "entry", at, "tables", strings.Join(tables, ", "))
			}
			file.Differs = tables
		}
		file.At = max(file.At, at)
		m.files[v.Relay] = file
	}
	for _, f := range others {
		if f.nodes > max(alike[f.at], 1) {
			m.misfit = fmt.Errorf("%w (at entry %d, in: %s)", store.ErrDiffers, f.at, strings.Join(f.tables, ", "))
		}
	}
}

// file returns how another node's file compares with this one's. With mu held.
func (m *Peers) file(v *Member) Compared {
	if c := m.files[v.Relay]; c.run == v.Run {
		return c
	}
	return Compared{run: v.Run}
}

// errOtherClub ends a node whose data file differed from the others' when the log began, errEmpty one whose
// file was empty, and errOtherVersion one whose file could not be compared.
var (
	errOtherClub = errors.New("this node's data file differed from that of most other nodes when their log began: " +
		"move it away and restart: the node copies another's")
	errEmpty = errors.New("this node began with an empty data file, for it heard no other, and another node has a club's: " +
		"stop all nodes, and go on as after a restore, with that one's file (see docs/cluster.md)")
	errOtherVersion = errors.New("this node and most others were of different versions of the program when their log began, " +
		"so that their files could not be compared: run the same version on all nodes, " +
		"move this node's data file away and restart: the node copies another's")
)

// compareBase compares the files as they were when the log began. In a tie the club's owner is right; before
// there is one, a node that had a file when it started is. With mu held.
func (m *Peers) compareBase() error {
	if m.own.Base == "" {
		return nil
	}
	alike, differ, why := 1, 0, errOtherVersion
	begins := m.own.Epoch == 0 && OwnerOf(slices.Collect(maps.Values(m.others))).Epoch == 0
	for _, v := range m.others {
		switch {
		case v.Base == "":
		case v.Base == m.own.Base:
			alike++
		case begins && v.Bare && !m.own.Bare: // it could not know that another node had the club
		case begins && m.own.Bare && !v.Bare:
			return errEmpty
		default:
			differ++
			if !store.OtherLayout(v.Base, m.own.Base) {
				why = errOtherClub
			}
		}
	}
	if differ > alike || differ == alike && m.own.Epoch == 0 {
		return why
	}
	return nil
}
