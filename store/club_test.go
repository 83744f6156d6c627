package store_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/store"
	"boneyard/table"
)

// club is members and teams who play at random.
type club struct {
	tb      testing.TB
	store   *store.Store
	rng     *rand.Rand
	members []table.Player
	teams   []table.TeamID // of the members 1+2, 3+4, 5+6
	now     time.Time
	counted int // games that the standings take
}

func newClub(tb testing.TB, s *store.Store, seed uint64) *club {
	tb.Helper()
	c := &club{tb: tb, store: s, rng: rand.New(rand.NewPCG(seed, 2)), now: noon}
	c.members = mustCreateAll(tb, s, "ana", "ben", "cleo", "dan", "eve", "fritz", "gul", "hana", "igor", "jo")
	for i, tag := range []string{"ABC", "CAT", "EFG"} {
		id := mustTeam(tb, s, tag, c.members[2*i], c.members[2*i+1])
		c.teams = append(c.teams, id)
		c.members[2*i].Team, c.members[2*i+1].Team = id, id
	}
	return c
}

// short are rules of games that are soon over.
var short = []string{"azneef target=10", "sniff above=10", "spruce target=10", "classic target=10", "block target=20"}

// match draws up a game: of teams, of partners, of two to four alone; sometimes casual, given up, or abandoned.
func (c *club) match() match {
	m := match{rules: short[c.rng.IntN(len(short))], at: c.now, seed: c.rng.Uint64()}
	c.now = c.now.Add(time.Duration(c.rng.IntN(72)) * time.Hour)
	r, err := rules.Parse(m.rules)
	require.NoError(c.tb, err)
	seats := 2 + c.rng.IntN(3)
	if !r.Teams && c.rng.IntN(3) == 0 {
		m.rules, r.Teams = m.rules+" teams=on", true
	}
	if r.Teams {
		seats = 4
	}
	for _, i := range c.rng.Perm(len(c.members))[:seats] {
		m.seats = append(m.seats, c.members[i])
	}
	if r.Teams && c.rng.IntN(2) == 0 {
		t := c.rng.Perm(len(c.teams))
		m.teams = [2]table.TeamID{c.teams[t[0]], c.teams[t[1]]}
		m.seats = []table.Player{c.members[2*t[0]], c.members[2*t[1]], c.members[2*t[0]+1], c.members[2*t[1]+1]}
	}
	switch c.rng.IntN(10) {
	case 0:
		m.casual = true
	case 1:
		m.stop, m.ending = 1+c.rng.IntN(20), table.EndAbandoned
	case 2:
		m.stop, m.ending, m.winner = 1+c.rng.IntN(20), table.EndForfeit, 1+c.rng.IntN(rules.SideCount(seats, r.Teams))
	}
	return m
}

// play plays so many games. Their ends come in an order of their own, as at tables side by side.
func (c *club) play(games int) {
	c.tb.Helper()
	for games > 0 {
		some := min(games, 1+c.rng.IntN(4))
		var open [][]*table.Batch
		for range some {
			id, at := mustNumbers(c.tb, c.store)
			open = append(open, condense(c.match().batches(c.tb, id, at)))
		}
		for len(open) > 0 {
			i := c.rng.IntN(len(open))
			c.commit(open[i][0])
			if open[i] = open[i][1:]; len(open[i]) == 0 {
				open = append(open[:i], open[i+1:]...)
			}
		}
		games -= some
	}
}

// condense makes of all steps of a game but the first one big step.
func condense(all []*table.Batch) []*table.Batch {
	rest := *all[1]
	for _, b := range all[2:] {
		rest.Rows = append(rest.Rows, b.Rows...)
		rest.State, rest.End = b.State, b.End
	}
	return []*table.Batch{all[0], &rest}
}

func (c *club) commit(b *table.Batch) {
	changes, err := table.Commit(c.store, b)
	require.NoError(c.tb, err)
	if b.End != nil && b.End.Rated && b.End.Ending != table.EndAbandoned {
		c.counted++
		require.NotEmpty(c.tb, changes)
	} else {
		require.Empty(c.tb, changes)
	}
}
