package play

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// guest is a person in a real club who looks at a table.
type guest struct {
	*person
	visit *lobby.Visit
	woken chan struct{} // capacity 1
}

// come lets a member into the club.
func come(t *testing.T, club *lobby.Lobby, n int, name string) *lobby.Visit {
	ctx := context.Background()
	a, err := club.Register(ctx, lobby.Origin{Key: lobby.KeyID{byte(n)}}, name)
	require.NoError(t, err)
	v, err := club.Enter(ctx, a, lobby.Origin{Key: a.Key, Net: fmt.Sprintf("10.0.0.%d", n)})
	require.NoError(t, err)
	return v
}

// look opens the page of a table.
func look(t *testing.T, v *lobby.Visit, id table.ID) *guest {
	e := envFor(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits))
	woken := make(chan struct{}, 1)
	e.Now, e.Visit = time.Now, v
	e.Wake = func() {
		select {
		case woken <- struct{}{}:
		default:
		}
	}
	g := &guest{&person{Page: New(e, page.Target{Table: id}).(*Page), t: t, club: &fakeClub{}}, v, woken}
	g.run(g.Init())
	require.Empty(t, g.fault)
	return g
}

// wake shows the page what is new.
func (g *guest) wake() {
	select {
	case <-g.woken:
		g.update(page.WokenMsg{})
	default:
	}
}

// Two people play a game of each of the five on their pages, with bots where needed, and a watcher.
func TestWholeGames(t *testing.T) {
	for _, rule := range []string{"azneef target=40", "sniff above=30", "spruce target=40", "classic target=40", "block target=40"} {
		t.Run(rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { wholeGame(t, rule) })
		})
	}
}

func wholeGame(t *testing.T, rule string) {
	ctx := context.Background()
	cfg := lobby.DefaultConfig()
	cfg.Exhibition = false
	club, err := lobby.New(cfg, lobby.Deps{Stores: lobbytest.New(t).Stores()})
	require.NoError(t, err)
	require.NoError(t, club.Start(ctx))
	defer func() { require.NoError(t, club.Close(ctx)) }()

	ana, ben, zoe := come(t, club, 1, "ana"), come(t, club, 2, "ben"), come(t, club, 3, "zoe")
	c := table.DefaultConfig()
	c.Rules, err = rules.Parse(rule)
	require.NoError(t, err)
	if c.Rules.Teams {
		c.Seats = 4
	}
	made, err := ana.NewTable(ctx, c)
	require.NoError(t, err)
	players := []*guest{look(t, ana, made.ID()), look(t, ben, made.ID())}
	watcher := look(t, zoe, made.ID())
	players[1].press("s")
	for range c.Seats - 2 {
		synctest.Wait()
		players[0].wake()
		players[0].press("b")
	}
	offers := 0
	seen := 0 // versions that the watcher has seen
	for over := 0; over < len(players); {
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		before := watcher.view
		watcher.wake()
		if watcher.view != before {
			seen++
		}
		over = 0
		for _, p := range players {
			p.wake()
			v := p.view
			switch stageOf(v) {
			case gathering, scoring:
				if !v.Own().Ready {
					p.press("space")
				}
			case playing:
				if v.MyMove() {
					p.press("enter", "enter")
				}
			case finished:
				over++
			}
			p.said = slices.DeleteFunc(p.said, func(msg tea.Msg) bool {
				offer := msg == page.Say("Press B for a bell on your turn.")
				if offer {
					offers++
				}
				return offer
			})
			require.Empty(t, p.said)
		}
	}
	time.Sleep(100 * time.Millisecond) // watchers are told a moment after the players
	synctest.Wait()
	for _, g := range []*guest{players[0], players[1], watcher} {
		g.wake()
	}
	for _, g := range []*guest{players[0], players[1], watcher} {
		require.Equal(t, watcher.view.Version, g.view.Version)
		require.Equal(t, table.EndPlayed, g.view.Result.Ending)
		require.NotContains(t, strings.Join(screenOf(g.Page, 80, 24), "\n"), fmt.Sprintf("v%d", g.view.Version))
		g.env.Marked = true
		require.Contains(t, strings.Join(screenOf(g.Page, 80, 24), "\n"), fmt.Sprintf("v%d", g.view.Version), "it is asked for")
	}
	require.Equal(t, 2, offers, "the bell is offered once to each of the two")
	require.Greater(t, seen, 5, "the watcher has followed the game")

	// They play another game with the same seats.
	for _, p := range players {
		p.press("r")
	}
	synctest.Wait()
	players[0].wake()
	require.Equal(t, table.Playing, players[0].view.State)
	require.EqualValues(t, 1, players[0].view.POV)
	for _, g := range []*guest{players[0], players[1], watcher} {
		g.Close()
		g.visit.Close(table.Left)
	}
	synctest.Wait()
}
