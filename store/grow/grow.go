// Package grow makes the data file of a club that has been played in for years, from a seed, to measure
// queries and commands on it. It knows the store and the rules, and must not know tables or how people enter.
package grow

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/store"
	"boneyard/table"
)

// Plan is the size of the club.
type Plan struct {
	Games   int    `flag:"games" about:"games, each played to its end"`
	Members int    `flag:"members" about:"members"`
	Teams   int    `flag:"teams" about:"teams of two"`
	Chat    int    `flag:"chat" about:"lines of the lobby's chat, and pieces of news"`
	Seed    uint64 `flag:"seed" about:"seed of all that is played"`
}

// DefaultPlan is a club of years.
func DefaultPlan() Plan {
	return Plan{Games: 150_000, Members: 5000, Teams: 2000, Chat: 10_000, Seed: 1}
}

// Validate reports the first setting that is not possible.
func (p Plan) Validate() error {
	switch {
	case p.Games < 1 || p.Games > 1_000_000:
		return fmt.Errorf("games are 1 to 1000000, not %d", p.Games)
	case p.Members < 8 || p.Members > 100_000:
		return fmt.Errorf("members are 8 to 100000, not %d", p.Members)
	case p.Teams < 2 || p.Teams > min(p.Members/2, 10_000):
		return fmt.Errorf("teams are 2 to half the members, at most 10000, not %d", p.Teams)
	case p.Chat < 0 || p.Chat > 100_000:
		return fmt.Errorf("lines of chat are 0 to 100000, not %d", p.Chat)
	}
	return nil
}

// Club is the people of a grown club.
type Club struct {
	Members []table.Player
	Teams   []table.TeamID // team i has the members 2i and 2i+1
}

// Fill plays a club into an empty store. The same plan makes the same club. progress, which may be nil, is
// called now and then with the number of steps done and in all.
func Fill(ctx context.Context, s *store.Store, p Plan, progress func(done, of int)) (*Club, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	g := &grower{Plan: p, store: s, rng: rand.New(rand.NewPCG(p.Seed, 0)), of: p.Members + p.Teams + p.Games + p.Chat, progress: progress}
	for _, step := range []func(context.Context) error{g.addMembers, g.addTeams, g.playGames, g.talk} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return &g.club, nil
}

type grower struct {
	Plan
	store    *store.Store
	rng      *rand.Rand
	club     Club
	done, of int
	progress func(done, of int)
}

var opened = time.Date(2024, 1, 1, 18, 0, 0, 0, time.UTC)

func (g *grower) stepped() {
	const every = 100
	if g.done++; g.progress != nil && (g.done%every == 0 || g.done == g.of) {
		g.progress(g.done, g.of)
	}
}

// syllables make names that do not look alike.
var syllables = []string{"ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "za", "ju"}

func name(n int) string {
	s := ""
	for range 4 {
		s += syllables[n%len(syllables)]
		n /= len(syllables)
	}
	return s
}

// tag returns a tag of letters that nobody confuses.
func tag(n int) string {
	const letters = "ABDEFHKPTX"
	b := make([]byte, 4)
	for i := range b {
		b[i] = letters[n%len(letters)]
		n /= len(letters)
	}
	return string(b)
}

// KeyOf returns the key of the n-th member of a plan, with which measurements log in.
func (p Plan) KeyOf(n int) (ssh.Signer, error) {
	rng := rand.New(rand.NewPCG(p.Seed, uint64(n)+1))
	seed := make([]byte, 0, ed25519.SeedSize)
	for len(seed) < ed25519.SeedSize {
		seed = binary.LittleEndian.AppendUint64(seed, rng.Uint64())
	}
	return ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed))
}

func (g *grower) addMembers(ctx context.Context) error {
	for i := range g.Members {
		n := name(i)
		key, err := g.KeyOf(i)
		if err != nil {
			return err
		}
		a, err := g.store.Create(ctx, sha256.Sum256(key.PublicKey().Marshal()), n, text.Skeleton(n), opened.Add(time.Duration(i)*time.Minute))
		if err != nil {
			return err
		}
		g.club.Members = append(g.club.Members, table.Player{ID: a.ID, Name: n})
		g.stepped()
	}
	return nil
}

func (g *grower) addTeams(ctx context.Context) error {
	for i := range g.Teams {
		captain, other := g.club.Members[2*i], g.club.Members[2*i+1]
		called := "Team " + name(i)
		tag := tag(i)
		t, err := g.store.CreateTeam(ctx, captain.ID, called, text.Skeleton(called), tag, opened)
		if err != nil {
			return err
		}
		if err := g.store.Invite(ctx, t.ID, captain.ID, other.ID, opened); err != nil {
			return err
		}
		if err := g.store.Accept(ctx, t.ID, other.ID, opened); err != nil {
			return err
		}
		g.club.Teams = append(g.club.Teams, t.ID)
		g.stepped()
	}
	return nil
}

// playGames plays ten whole games an hour, with random moves.
func (g *grower) playGames(ctx context.Context) error {
	for i := range g.Games {
		at, err := g.store.NextTable(ctx)
		if err != nil {
			return err
		}
		id, err := g.store.NextGame(ctx)
		if err != nil {
			return err
		}
		m := g.match(i)
		b, err := m.play(id, at)
		if err != nil {
			return err
		}
		if _, err := table.Commit(g.store, b); err != nil {
			return err
		}
		g.stepped()
	}
	return nil
}

// kinds are the rules to play, the frequent ones more often. Most games are short: with a target of 60,
// random moves take about as long as thinking players do with 150.
var kinds = []string{"classic target=60", "classic target=60", "azneef target=60", "azneef", "sniff target=60",
	"spruce target=60", "block target=60",
	"classic target=60 count=flank"}

// match chooses the players and rules of the i-th game. Some members play much more often than others; one
// game in ten is between teams, one in ten casual.
func (g *grower) match(i int) *match {
	m := &match{rules: kinds[g.rng.IntN(len(kinds))], rng: g.rng, at: opened.Add(time.Duration(i) * 6 * time.Minute)}
	for b := range m.seed {
		m.seed[b] = byte(g.rng.Uint32())
	}
	switch {
	case i%10 == 0:
		a := g.rng.IntN(g.Teams)
		b := (a + 1 + g.rng.IntN(g.Teams-1)) % g.Teams
		m.rules += " teams=on"
		m.teams = [2]table.TeamID{g.club.Teams[a], g.club.Teams[b]}
		m.seats = []table.Player{g.club.Members[2*a], g.club.Members[2*b], g.club.Members[2*a+1], g.club.Members[2*b+1]}
		return m
	case i%10 == 1:
		m.casual = true
	}
	seats := 2 + g.rng.IntN(3)
	if strings.HasPrefix(m.rules, "block") { // which is always played in teams
		seats = 4
	}
	for len(m.seats) < seats {
		f := g.rng.Float64()
		p := g.club.Members[int(f*f*float64(g.Members))]
		if !m.sits(p) {
			m.seats = append(m.seats, p)
		}
	}
	if seats == 4 && !strings.HasPrefix(m.rules, "block") && g.rng.IntN(2) == 0 {
		m.rules += " teams=on"
	}
	return m
}

func (g *grower) talk(ctx context.Context) error {
	for i := range g.Chat {
		at := opened.Add(time.Duration(i) * time.Minute)
		from := g.club.Members[g.rng.IntN(g.Members)]
		if _, err := g.store.Say(ctx, 0, lobby.Line{At: at, From: from, Text: fmt.Sprintf("good evening, number %d", i)}); err != nil {
			return err
		}
		n := lobby.NewsItem{At: at, Kind: lobby.NewsResult, Text: from.Name + " won", Game: table.GameID(1 + g.rng.IntN(g.Games))}
		if _, err := g.store.AddNews(ctx, n); err != nil {
			return err
		}
		g.stepped()
	}
	return nil
}
