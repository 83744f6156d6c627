package table

// done is a command that was carried out.
type done struct {
	By PlayerID `json:"by"`
	ID string   `json:"id"`
}

const (
	recentMost = 128 // commands that a table remembers
	recentKept = 32  // of those that left no row, how many are kept on disk
)

// recent remembers the commands that were carried out last, so that one sent again has no effect.
type recent struct {
	ring []done
	at   int
	set  map[done]struct{}
}

func (r *recent) has(d done) bool {
	_, ok := r.set[d]
	return ok && d.ID != ""
}

func (r *recent) add(d done) {
	if d.ID == "" || r.has(d) {
		return
	}
	if r.set == nil {
		r.set = make(map[done]struct{})
	}
	r.set[d] = struct{}{}
	if len(r.ring) < recentMost {
		r.ring = append(r.ring, d)
		return
	}
	delete(r.set, r.ring[r.at])
	r.ring[r.at] = d
	r.at = (r.at + 1) % recentMost
}

// appendDone returns the list with one more command, the last recentKept of them. The list itself stays as it is.
func appendDone(list []done, d done) []done {
	if drop := len(list) + 1 - recentKept; drop > 0 {
		list = list[drop:]
	}
	return append(list[:len(list):len(list)], d)
}
