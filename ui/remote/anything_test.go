package remote_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/plain/plaintest"
	"boneyard/ui/remote"
)

// programLines are lines that programs send.
var programLines = []string{
	`{"ready":true}`, `{"ready":false}`, `{"play":"6-6"}`, `{"play":"6-4","arm":"L"}`, `{"play":"0-0","version":1}`, `{"play":"9-9"}`,
	`{"play":""}`,
	`{"play":"6-6","leave":true}`, `{"sit":0}`, `{"sit":2}`, `{"sit":-1}`, `{"swap":2}`, `{"add_bot":2,"strength":"expert"}`,
	`{"add_bot":0,"strength":"x"}`,
	`{"remove_bot":2}`, `{"unseat":2}`, `{"say":"hello","id":"1"}`, `{"say":"/close 1"}`, `{"say":""}`, `{"vote":"claim"}`, `{"vote":""}`,
	`{"pause":true}`,
	`{"pause":false}`, `{"state":true}`, `{"rematch":true}`, `{"resign":true}`, `{"leave":true}`, `{}`, `[]`, `null`, `{"play":null}`,
	`{"play":`, "",
}

// Whatever commands are run, by anybody and in any order, each ends with a documented status and none with an internal error.
func TestAnythingCanBeAsked(t *testing.T) {
	plaintest.Seeds(t, 300, func(t *testing.T, seed uint64, steps int) {
		bubble(t, func(t *testing.T, c *club) { askAnything(t, c, seed, steps) },
			func(cfg *lobby.Config) { cfg.Daily, cfg.Exhibition = true, true })
	})
}

func askAnything(t *testing.T, c *club, seed uint64, steps int) {
	rng := rand.New(rand.NewPCG(seed, 0))
	people := []*person{c.member("ana"), c.member("ben"), c.member("cleo"), c.stranger(), nil}
	people[0].boss = true
	for i, tag := range []string{"AAA", "BBB"} {
		v := people[i].enter()
		_, err := v.CreateTeam(t.Context(), "Team "+tag, tag)
		require.NoError(t, err)
		defer v.Close(table.Left)
	}
	one, two := people[0].enter(), people[1].enter()
	c.playOut(c.table("classic target=25", one, two), one, two)
	one.Close(table.Left)
	two.Close(table.Left)
	names := remote.Names()
	for _, words := range []string{"arena new length=120 in=5 programs=on", "league new in=1h name=Winter", "cup new in=1h name=Spring",
		"duplicate new classic"} {
		c.ok(people[0], words)
	}
	var made struct{ Arena int64 }
	require.NoError(t, json.Unmarshal([]byte(c.ok(nil, "arena --json")), &made))
	programs := []string{fmt.Sprint("arena ", made.Arena, " play --json --bot"), "play new classic seats=2 bots=now target=25 --json --bot",
		"play 1 --json --bot"}
	var did []string
	var wg sync.WaitGroup
	for range steps {
		who := people[rng.IntN(len(people))]
		words := plaintest.Command(rng, names)
		if rng.IntN(6) == 0 {
			words = strings.Fields(programs[rng.IntN(len(programs))])
		}
		in, typed := io.Pipe()
		lines := make([]string, rng.IntN(20))
		for i := range lines {
			lines[i] = programLines[rng.IntN(len(programLines))] + "\n"
		}
		if did = append(did, strings.Join(words, " ")); len(did) > 30 {
			did = did[1:]
		}
		var out, errs bytes.Buffer
		s := c.session(who, "")
		s.Command, s.In, s.Out, s.Err = words, incoming(in), &out, &errs
		s.Origin.Exempt = true
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+rng.IntN(40))*time.Second)
		before := slices.Clone(did)
		wg.Go(func() {
			for _, l := range lines {
				if _, err := io.WriteString(typed, l); err != nil {
					return
				}
				time.Sleep(time.Second / 2)
			}
		})
		wg.Go(func() {
			defer cancel()
			defer func() { _ = in.Close() }() // as the server does
			status := remote.Run(ctx, &s)
			if !slices.Contains([]int{0, 1, 2}, status) || strings.Contains(errs.String()+out.String(), "on our side") {
				t.Errorf("status %d, %q after\n%s\nto repeat: %s", status, errs.String(), strings.Join(before, "\n"),
					plaintest.Repeat(t, "./ui/remote", seed))
			}
		})
		if rng.IntN(3) > 0 {
			wg.Wait() // else the next one comes while this one is carried out
		}
		synctest.Wait()
		if rng.IntN(10) == 0 {
			time.Sleep(time.Duration(rng.IntN(3)) * time.Minute)
		}
		if t.Failed() {
			break
		}
	}
	wg.Wait()
}
