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
	of      map[PlayerID][]string // the oldest first
	players []PlayerID            // whose they are; who sent the newest comes last
}

func (r *recent) has(d commandID) bool { return d.ID != "" && slices.Contains(r.of[d.By], d.ID) }

// add remembers a command; sits reports whether a player sits at the table.
func (r *recent) add(d commandID, sits func(PlayerID) bool) {
	if d.ID == "" || r.has(d) {
		return
	}
	if r.of == nil {
		r.of = make(map[PlayerID][]string)
	}
	ids := append(r.of[d.By], d.ID)
	r.of[d.By] = ids[max(0, len(ids)-recentMost):]
	r.players = append(slices.DeleteFunc(r.players, func(id PlayerID) bool { return id == d.By }), d.By)
	if len(r.players) > recentPlayers {
		oldest := slices.IndexFunc(r.players, func(id PlayerID) bool { return !sits(id) })
		delete(r.of, r.players[oldest])
		r.players = slices.Delete(r.players, oldest, oldest+1)
	}
}

// newest returns the last commands of a player, the oldest first.
func (r *recent) newest(by PlayerID) (list []commandID) {
	ids := r.of[by]
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
