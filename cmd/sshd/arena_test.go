package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

var arenaLong = flag.Duration("arena.long", 0, "let 40 programs play an arena for so long, with two kills of the server")

// contender is a program that plays in an arena and reconnects when the server is back.
type contender struct {
	name string
	key  gossh.Signer
}

// play plays wherever the club calls it until the connection ends.
func (c *contender) play(t testing.TB, m *Main, arena string) {
	client, err := dialQuietly(m, c.key, c.name)
	if err != nil {
		return
	}
	defer func() { _ = client.Close() }()
	sess, err := client.NewSession()
	if err != nil {
		return
	}
	in, err := sess.StdinPipe()
	if err != nil {
		return
	}
	out, err := sess.StdoutPipe()
	if err != nil || sess.Start("arena "+arena+" play --json --bot") != nil {
		return
	}
	read, write := json.NewDecoder(out), json.NewEncoder(in)
	for o := (object{}); read.Decode(&o) == nil; o = (object{}) {
		switch {
		case o.Type == "error": // the table has gone on meanwhile
			if write.Encode(map[string]any{"state": true}) != nil {
				return
			}
		case o.Duty == "play" && len(o.Options) > 0:
			if write.Encode(map[string]any{"play": o.Options[0].Play, "arm": o.Options[0].Arm, "version": o.Version}) != nil {
				return
			}
		}
	}
}

// dialQuietly connects without failing the test; it returns an error instead.
func dialQuietly(m *Main, key gossh.Signer, user string) (*gossh.Client, error) {
	conn, err := (&net.Dialer{LocalAddr: home(user, m.Addr()), Timeout: patience}).Dial("tcp", m.Addr().String())
	if err != nil {
		return nil, err
	}
	ssh, channels, requests, err := gossh.NewClientConn(conn, m.Addr().String(), &gossh.ClientConfig{
		User: user, Auth: []gossh.AuthMethod{gossh.PublicKeys(key)}, HostKeyCallback: gossh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return gossh.NewClient(ssh, channels, requests), nil
}

// arenaRow is a row of what "arena N --json" writes, as far as tests look at it.
type arenaRow struct {
	Type, Tag           string
	Names               []string
	Score, Games, Won   int
	Rank                int
	Arena, Playing      int64
	State               string
	Players, GamesCount int
}

// standingOf is an arena's standing, after its first row.
func standingOf(t testing.TB, m *Main, key gossh.Signer, arena string) (first arenaRow, rows []arenaRow) {
	t.Helper()
	for line := range strings.Lines(ask(t, m, key, "olga", "arena "+arena+" --json")) {
		var r arenaRow
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		rows = append(rows, r)
	}
	return rows[0], rows[1:]
}

// gameRow is a row of what "games --json" writes, as far as tests look at it.
type gameRow struct {
	Game     int64
	Players  []string
	Winner   int
	Ending   string
	Finished bool
	Rated    bool
	Teams    []string
	Scores   []int
}

// gamesIn are all games that the club lists, the newest first.
func gamesIn(t testing.TB, m *Main, key gossh.Signer) (games []gameRow) {
	t.Helper()
	command := "games --json --limit 1000"
	for {
		page := ask(t, m, key, "olga", command)
		if page == "" {
			return games
		}
		for line := range strings.Lines(page) {
			var g gameRow
			require.NoError(t, json.Unmarshal([]byte(line), &g))
			games = append(games, g)
		}
		command = fmt.Sprint("games --json --limit 1000 --before ", games[len(games)-1].Game)
	}
}

// scoresOf computes an arena's scores from the games that the club lists.
func scoresOf(t testing.TB, m *Main, key gossh.Signer) map[string]int {
	t.Helper()
	games := gamesIn(t, m, key)
	slices.Reverse(games)
	return arenaScores(t, games)
}

// arenaScores computes an arena's scores from its games, the oldest first.
func arenaScores(t testing.TB, games []gameRow) map[string]int {
	t.Helper()
	scores, row := map[string]int{}, map[string]int{}
	for _, g := range games { // somebody's games are one after another
		if !g.Finished || g.Winner == 0 {
			continue
		}
		require.Equal(t, "played", g.Ending, "nobody gives up here")
		for i, name := range g.Players {
			if len(g.Players) == 4 {
				i %= 2 // the side
			}
			if i+1 != g.Winner {
				row[name] = 0
				continue
			}
			row[name]++
			scores[name] += 2
			if row[name] >= 3 {
				scores[name] += 2
			}
		}
	}
	return scores
}

// Programs play an arena over real connections while the server is killed and restarted: its scores are those that follow from the games.
// The flag -arena.long makes this a longer test.
func TestArenaOfPrograms(t *testing.T) {
	t.Parallel()
	programs, kills, length := 8, 1, 8*time.Second
	if *arenaLong > 0 {
		programs, kills, length = 40, 2, *arenaLong
	}
	dir := t.TempDir()
	boss := newKey(t)
	op := gossh.FingerprintSHA256(boss.PublicKey())
	server := serveIn(t, dir, "--operators", op)
	ask(t, server.Main, boss, "olga", "register olga")
	said := ask(t, server.Main, boss, "olga", "arena new length=20 programs=on pace=normal classic target=50 name=Friday --json")
	var made arenaRow
	require.NoError(t, json.Unmarshal([]byte(said), &made))
	arena := fmt.Sprint(made.Arena)

	var at sync.Mutex
	now := server.Main
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for i := range programs {
		c := &contender{name: fmt.Sprintf("prog%d", i), key: newKey(t)}
		ask(t, server.Main, c.key, c.name, "register "+c.name+" --bot")
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				at.Lock()
				m := now
				at.Unlock()
				if m == nil {
					select {
					case <-stop:
						return
					case <-time.After(20 * time.Millisecond): // the server is being started
					}
					continue
				}
				c.play(t, m, arena)
			}
		})
	}
	played := func(n int) {
		t.Helper()
		late := time.Now().Add(patience + length)
		for {
			if gamesOf(t, server.Main, boss) >= n {
				return
			}
			require.True(t, time.Now().Before(late), "the arena does not go on: %s\n%s", &server.log,
				ask(t, server.Main, boss, "olga", "arena "+arena)+ask(t, server.Main, boss, "olga", "games"))
			time.Sleep(100 * time.Millisecond) // asks again; what it waits for is the games
		}
	}
	began := time.Now()
	for i := range kills {
		played((i + 1) * programs / 2)
		if *arenaLong > 0 {
			time.Sleep(time.Until(began.Add(length * time.Duration(i+1) / time.Duration(kills+1))))
		}
		at.Lock()
		now = nil
		at.Unlock()
		server.kill()
		server = serveIn(t, dir, "--operators", op)
		at.Lock()
		now = server.Main
		at.Unlock()
	}
	more := gamesOf(t, server.Main, boss) + programs/2
	played(more)
	if *arenaLong > 0 {
		time.Sleep(time.Until(began.Add(length)))
	}
	close(stop)
	at.Lock()
	now = nil
	at.Unlock()
	server.terminate(t) // all lines end, and no game goes on
	wg.Wait()

	server = serveIn(t, dir, "--operators", op)
	_, rows := standingOf(t, server.Main, boss, arena)
	want := scoresOf(t, server.Main, boss)
	got := map[string]int{}
	for _, r := range rows {
		if r.Score > 0 {
			got[r.Names[0]] = r.Score
		}
	}
	require.NotEmpty(t, want)
	require.Equal(t, want, got)
	require.Len(t, rows, programs)
	t.Logf("%d programs, %d games, scores %v", programs, gamesOf(t, server.Main, boss), slices.Sorted(maps.Values(got)))
	server.terminate(t)
	said, status := tell(t, dir, "check")
	require.Zero(t, status, said)
}

// gamesOf returns how many games have been played to an end.
func gamesOf(t testing.TB, m *Main, key gossh.Signer) (n int) {
	t.Helper()
	for _, g := range gamesIn(t, m, key) {
		if g.Ending == "played" {
			n++
		}
	}
	return n
}
