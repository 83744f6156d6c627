package line_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/ui/line"
	"boneyard/ui/plain/plaintest"
)

// Whatever people type, in whatever order, sessions go on until people leave them, and no command has an internal error.
func TestAnythingCanBeTyped(t *testing.T) {
	plaintest.Seeds(t, 400, func(t *testing.T, seed uint64, steps int) {
		bubble(t, func(t *testing.T, c *club) { typeAnything(t, c, seed, steps) },
			func(cfg *lobby.Config) { cfg.Daily, cfg.Exhibition = true, true })
	})
}

func typeAnything(t *testing.T, c *club, seed uint64, steps int) {
	rng := rand.New(rand.NewPCG(seed, 0))
	keys := []*lobby.KeyID{c.key("ana"), c.key("ben"), c.key("cleo"), nil}
	come := func(i int) *person {
		return c.come(keys[i], func(s *line.Session) {
			s.Origin.Exempt, s.Origin.Operator, s.Echo = true, i == 0, rng.IntN(2) == 0
			s.Size.Width = []int{0, 1, 20, 80}[rng.IntN(4)]
		})
	}
	var people []*person
	for i := range keys {
		people = append(people, come(i))
	}
	for i, first := range []string{"team new AAA Team A", "team new BBB Team B"} {
		people[i].say("%s", first)
	}
	for _, made := range []string{"arena new length=120 in=5 programs=on", "league new in=1h name=Winter", "cup new in=1h name=Spring",
		"duplicate new classic", "new block seats=2 bots=now target=25"} {
		people[0].say("%s", made)
	}
	names := append(line.Names(), "y", "1", "2", "66", "6-4", "r", "/who", "/tell ben", "/whois")
	var did []string
	for range steps {
		i := rng.IntN(len(people))
		p, words := people[i], strings.Join(plaintest.Command(rng, names), " ")
		if did = append(did, fmt.Sprintf("%d: %q", i, words)); len(did) > 30 {
			did = did[1:]
		}
		if _, err := io.WriteString(p.in, words+"\n"); err == nil && rng.IntN(3) > 0 {
			synctest.Wait() // else the next one types while this is carried out
		}
		if rng.IntN(20) == 0 {
			time.Sleep(time.Duration(rng.IntN(180)) * time.Second)
		}
		if rng.IntN(60) == 0 {
			p.cancel()
		}
		synctest.Wait()
		select {
		case <-p.done:
			people[i] = come(i)
		default:
		}
		require.NotContains(t, p.fresh(), "on our side", "after\n%s\nto repeat: %s", strings.Join(did, "\n"),
			plaintest.Repeat(t, "./ui/line", seed))
	}
	for _, p := range people {
		p.cancel()
		<-p.done
	}
}
