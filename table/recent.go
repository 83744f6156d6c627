package table

import "slices"

// commandID is a command that was carried out. Only those with an id are remembered.
type commandID struct {
	By PlayerID `json:"by"`
	ID string   `json:"id"`
}

const (
	recentMost    = 128 // remembered commands of one player
	recentPlayers = 256 // players whose commands are remembered; those who sit are never dropped for others
	recentKept    = 32  // commands of one seated player that are kept on disk with the table's state
	recentOthers  = 64  // the same of all others together
)

// recent remembers the last commands of each player, so that one sent again has no effect.
type recent struct {
	of    map[PlayerID]*ring
	added uint64
}

// ring is the last commands of one player, the oldest at index at.
type ring struct {
	ids  []string
	at   int
	last uint64 // when the newest was added
}

func (r *recent) has(d commandID) bool {
	of := r.of[d.By]
	return d.ID != "" && of != nil && slices.Contains(of.ids, d.ID)
}

// add remembers a command; sits reports whether a player sits at the table.
func (r *recent) add(d commandID, sits func(PlayerID) bool) {
	if d.ID == "" || r.has(d) {
		return
	}
	if r.of == nil {
		r.of = make(map[PlayerID]*ring)
	}
	of := r.of[d.By]
	if of == nil {
		if len(r.of) >= recentPlayers {
			r.forgetOne(sits)
		}
		of = &ring{}
		r.of[d.By] = of
	}
	r.added++
	of.last = r.added
	if len(of.ids) < recentMost {
		of.ids = append(of.ids, d.ID)
		return
	}
	of.ids[of.at] = d.ID
	of.at = (of.at + 1) % recentMost
}

// forgetOne forgets the player without a seat whose last command is oldest.
func (r *recent) forgetOne(sits func(PlayerID) bool) {
	var oldest PlayerID
	for id, of := range r.of {
		if !sits(id) && (r.of[oldest] == nil || of.last < r.of[oldest].last) {
			oldest = id
		}
	}
	delete(r.of, oldest)
}

// newest returns the last commands of a player, the oldest first.
func (r *recent) newest(by PlayerID) []commandID {
	of := r.of[by]
	if of == nil {
		return nil
	}
	ids := slices.Concat(of.ids[of.at:], of.ids[:of.at])
	var list []commandID
	for _, id := range ids[max(0, len(ids)-recentKept):] {
		list = append(list, commandID{By: by, ID: id})
	}
	return list
}

// keepDone adds commands to the list kept on disk: of each seated player the last recentKept, of all others
// the last recentOthers. It does not change list.
func keepDone(list []commandID, sits func(PlayerID) bool, more ...commandID) []commandID {
	var kept []commandID
	count := make(map[PlayerID]int)
	all := slices.Concat(list, more)
	for i, d := range slices.Backward(all) {
		of, most := d.By, recentKept
		if !sits(d.By) {
			of, most = 0, recentOthers // no player has the number 0
		}
		if count[of] < most && !slices.Contains(all[i+1:], d) {
			count[of]++
			kept = append(kept, d)
		}
	}
	slices.Reverse(kept)
	return kept
}
