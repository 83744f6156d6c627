package games_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby/text/texttest"
	"boneyard/table"
	"boneyard/ui/games"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/theme"
)

// drive opens the page of games.
func drive(t *testing.T, c *club) (*pagetest.Driver, *page.Env) {
	e := pagetest.Env(t, c.visit)
	return pagetest.Drive(games.New(e, page.Target{Kind: page.Games})), e
}

// body returns the page as plain text.
func body(d *pagetest.Driver, w, h int) string {
	return ansi.Strip(strings.Join(d.Lines(w, h), "\n"))
}

// listed returns the numbers of the games on the screen.
func listed(d *pagetest.Driver, h int) (list []string) {
	for _, l := range strings.Split(body(d, 80, h), "\n")[2:] {
		f := strings.Fields(strings.TrimLeft(l, " ▸"))
		if len(f) == 0 {
			break // the rest is about the chosen game
		}
		list = append(list, f[0])
	}
	return list
}

func TestScreens(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		d, e := drive(t, c)
		pagetest.Golden(t, e, d.Page, "empty")
		c.some()
		d, e = drive(t, c)
		d.Press("down", "down")
		pagetest.Golden(t, e, d.Page, "games", pagetest.Large)
		d.Press("/")
		d.Type("ben")
		pagetest.Golden(t, e, d.Page, "searching", pagetest.Large)
		d.Press("enter")
		pagetest.Golden(t, e, d.Page, "found")
		d.Press("/")
		d.Type(" nobody")
		d.Press("enter")
		pagetest.Golden(t, e, d.Page, "nothing")
	})
}

// How a game ended is never cut.
func TestEndingsAreWhole(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.some()
		d, _ := drive(t, c)
		for range 6 { // a narrow list leaves that to the detail
			d.Press("down")
			for w := 60; w <= 80; w++ {
				require.Regexp(t, `\d rounds?.*(in progress|abandoned|forfeit|played)`, strings.Split(body(d, w, 20), "\n")[18])
			}
		}
		for _, w := range []int{80, 100, 120} {
			for _, ending := range []string{"in progress", "abandoned", "forfeit", "played"} {
				require.Contains(t, body(d, w, 20), ending, "%d columns", w)
			}
			require.Contains(t, body(d, w, 20), "rated", "%d columns", w)
		}
	})
}

// On a narrow screen names stay readable; other columns are omitted.
func TestNamesAreReadable(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.add(game{seats: "marguerite bartholomew cleopatra dominique", end: won(2, 4, 105, 180, 95, 120)})
		d, _ := drive(t, c)
		for w := 61; w <= 120; w++ {
			row := strings.Split(body(d, w, 20), "\n")[2]
			for _, name := range []string{"mar", "bar", "cle", "dom"} {
				require.Contains(t, row, name, "%d columns", w)
			}
		}
	})
}

// Readers are "you" in the list.
func TestOwnGames(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.some()
		d, _ := drive(t, c)
		require.Contains(t, body(d, 80, 20), "✓you 105 : 80 ben")
		require.Contains(t, body(d, 80, 20), "you+cleo 88 : 104 ✓ben+dan")
		require.NotContains(t, body(d, 80, 20), "ana")
	})
}

func TestSearch(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.some()
		d, _ := drive(t, c)
		require.Equal(t, []string{"6", "5", "4", "3", "2", "1"}, listed(d, 20), "the newest first, with one's own that goes on")
		d.Press("/")
		require.True(t, d.Page.Chrome().Typing)
		d.Type("cleo ")
		require.Equal(t, []string{"4", "3", "2"}, listed(d, 20))
		d.Paste("bl\nock\x1b[2J")
		require.Contains(t, body(d, 80, 20), "No match.", "pasted text is text")
		d.Press("esc")
		require.Equal(t, []string{"6", "5", "4", "3", "2", "1"}, listed(d, 20))
		require.False(t, d.Page.Chrome().Typing)
		d.Press("m")
		require.Equal(t, []string{"6", "3", "1"}, listed(d, 20))
		d.Press("/")
		d.Type("q?1block")
		require.Contains(t, body(d, 80, 20), "q?1block", "letters are typed, not keys")
		d.Press("enter", "esc")
		require.Equal(t, []string{"6", "5", "4", "3", "2", "1"}, listed(d, 20), "Esc shows all, also when the search is done")
	})
}

// An answer that comes after a later request is not shown.
func TestLatestQuestionWins(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.some()
		d, _ := drive(t, c)
		d.Press("/")
		d.Type("be")
		early, _ := page.Give(d.Page, pagetest.Key("n"))
		answer := early()
		d.Type(" block")
		require.Equal(t, []string{"3"}, listed(d, 20))
		d.Do(page.Send(answer))
		require.Equal(t, []string{"3"}, listed(d, 20))
	})
}

func TestPages(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		for range 130 {
			c.add(game{seats: "cleo dan", end: won(1, 3, 100, 50)})
		}
		d, _ := drive(t, c)
		require.Contains(t, body(d, 80, 20), "50+")
		seen := map[string]bool{}
		for range 200 {
			for _, id := range listed(d, 20) {
				seen[id] = true
			}
			d.Press("down")
		}
		require.Len(t, seen, 130, "all are reached by going down")
		require.Contains(t, body(d, 80, 20), " 130 ")
		last := listed(d, 20)
		require.Equal(t, "1", last[len(last)-1], "and the oldest is the last")
		d.Press("home")
		require.Equal(t, "130", listed(d, 20)[0])
	})
}

// A list that ends with a full page is known to be complete; one that could not be loaded further is not.
func TestTheEndOfAPage(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		for range 50 {
			c.add(game{seats: "cleo dan", end: won(1, 3, 100, 50)})
		}
		d, _ := drive(t, c)
		require.Contains(t, body(d, 80, 20), " 50 games")
		c.add(game{seats: "cleo dan", end: won(1, 3, 100, 50)})
		d.Press("r")
		require.Contains(t, body(d, 80, 20), " 50+ games")
		c.store.SlowReads(time.Hour)
		d.Press("end")
		require.Contains(t, body(d, 80, 20), " 50+ games")
		c.store.SlowReads(0)
		d.Press("end")
		require.Contains(t, body(d, 80, 20), " 51 games")
	})
}

func TestOpens(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.some()
		d, e := drive(t, c)
		copied := ""
		e.Copy = func(s string) bool { copied = s; return true }
		d.Press("x")
		require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "when it is over")
		require.Empty(t, copied)
		d.Press("enter")
		require.Equal(t, page.Target{Kind: page.Table, Table: 6}, pagetest.Take[page.GotoMsg](t, d).To, "one's own goes on at its table")
		d.Press("down", "enter")
		require.Equal(t, page.Target{Kind: page.Replay, Game: 5}, pagetest.Take[page.GotoMsg](t, d).To)
		d.Press("x")
		require.Equal(t, "ssh -p 2222 club.example.org export 5 > 5.dom", copied)
		require.Equal(t, copied, pagetest.Take[page.Toast](t, d).Text)

		body(d, 80, 20)
		d.Click(10, 4)
		d.Click(10, 4)
		require.Equal(t, page.Target{Kind: page.Replay, Game: 4}, pagetest.Take[page.GotoMsg](t, d).To)
		d.Click(10, 19)
		require.Empty(t, d.Sent)
	})
}

// Other people's unfinished games are not shown.
func TestOthersUnfinished(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.add(game{seats: "ben cleo"})
		d, _ := drive(t, c)
		require.NotContains(t, body(d, 80, 20), "cleo")
	})
}

func TestTrouble(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.some()
		e := pagetest.Env(t, c.visit)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		e.Context = ctx
		d := pagetest.Drive(games.New(e, page.Target{Kind: page.Games}))
		require.Equal(t, theme.Bad, pagetest.Take[page.Toast](t, d).Role)
		require.NotPanics(t, func() { d.Press("enter", "x", "down", "G") })
	})
}

// Names of strangers are harmless on the screen.
func TestHostile(t *testing.T) {
	for _, h := range texttest.Hostile() {
		t.Run(h.Name, func(t *testing.T) {
			bubble(t, func(t *testing.T, c *club) {
				name := strings.ReplaceAll(h.Text, " ", "_")
				c.add(game{seats: name + " ben", end: won(1, 3, 100, 50)})
				d, _ := drive(t, c)
				require.Contains(t, body(d, 80, 20), "50 ben")
				pagetest.CheckHostile(t, d.Page, h)
				d.Press("/")
				d.Paste(h.Text)
				pagetest.CheckHostile(t, d.Page, h)
				d.Press("enter")
				pagetest.CheckHostile(t, d.Page, h)
			})
		})
	}
}

func TestReplay(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		id := c.addFile("azneef-teams-4p-01", "ana ben cleo dan", won(1, 4, 155, 65))
		e := pagetest.Env(t, c.visit)
		p := games.NewReplay(e, id, false)
		require.Contains(t, strings.Join(pagetest.Lines(p, 80, 20), "\n"), "Opening game 1")
		d := pagetest.Drive(p)
		pagetest.Golden(t, e, d.Page, "replay")
		require.Regexp(t, `[▁-█]{40} ana\+cleo wins \d+ %`, body(d, 80, 20))
		d.Press("t")
		require.NotContains(t, body(d, 80, 20), " 0 of 92")
		require.Contains(t, body(d, 80, 20), "◆")
		d.Press("g")
		require.True(t, p.Chrome().Typing)
		d.Type("42")
		d.Press("enter")
		require.Contains(t, body(d, 80, 20), "42 of 92")
		d.Press("space")
		require.Equal(t, pagetest.Now.Add(1e9), p.NextTick(pagetest.Now))
		d.Send(page.TickMsg{Now: pagetest.Now.Add(1e9)})
		require.Contains(t, body(d, 80, 20), "43 of 92")
		copied := ""
		e.Copy = func(s string) bool { copied = s; return true }
		d.Press("x")
		require.Equal(t, "ssh -p 2222 club.example.org export 1 > 1.dom", copied)
	})
}

func TestReplayOfNothing(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		goesOn := c.add(game{seats: "ana ben", lines: file(t, "cut-turn-4p-01")})
		never := c.add(game{seats: "ana ben", lines: "domino 1\nrules classic\nseat 1 ana\nseat 2 ben",
			end: &table.Result{Ending: table.EndAbandoned}})
		for id, want := range map[table.GameID]string{77: "No finished game has", goesOn: "No finished game has", never: "Nothing was played"} {
			d := pagetest.Drive(games.NewReplay(pagetest.Env(t, c.visit), id, false))
			require.Contains(t, body(d, 80, 20), want)
			require.NotPanics(t, func() { d.Press("right", "s", "g", "enter", "space") })
		}
	})
}

// A damaged record is shown up to the damage, with the number of its line.
func TestReplayOfDamaged(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		lines := strings.Replace(file(t, "azneef-teams-4p-01"), "2 6-4 R = 16", "2 6-4 R = 15", 1)
		id := c.add(game{seats: "ana ben cleo dan", rules: "azneef teams=on", lines: lines, end: won(1, 4, 155, 65)})
		d := pagetest.Drive(games.NewReplay(pagetest.Env(t, c.visit), id, false))
		require.Contains(t, pagetest.Take[page.Toast](t, d).Text, "Line 17")
		d.Press("end")
		require.Contains(t, body(d, 80, 20), "1 of 1")

		id = c.add(game{seats: "ana ben", lines: "domino 2", end: won(1, 1, 100, 0)})
		d = pagetest.Drive(games.NewReplay(pagetest.Env(t, c.visit), id, false))
		require.Contains(t, body(d, 80, 20), "Line 1")
	})
}

// The summary of a game that was not played to its end says how it ended.
func TestEndings(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		for want, end := range map[string]*table.Result{
			"abandoned":                 {Ending: table.EndAbandoned},
			"forfeited: ben+dan won":    {Ending: table.EndForfeit, Winner: 2},
			"before the game was won: ": {Ending: table.EndForfeit, Winner: 1},
		} {
			id := c.addFile("cut-turn-4p-01", "ana ben cleo dan", end)
			d := pagetest.Drive(games.NewReplay(pagetest.Env(t, c.visit), id, false))
			d.Press("s")
			require.Contains(t, body(d, 80, 20), want)
		}
	})
}

// After a replay the list is as it was left.
func TestPlace(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		for range 70 {
			c.add(game{seats: "cleo dan", end: won(1, 3, 100, 50)})
			c.add(game{seats: "ana ben", end: won(1, 3, 100, 50)})
		}
		d, e := drive(t, c)
		require.Equal(t, page.Target{Kind: page.Games}, d.Page.Chrome().Reopen)
		d.Press("/")
		d.Type("cleo")
		d.Press("enter")
		for range 60 {
			d.Press("down")
		}
		d.Press("enter")
		opened := pagetest.Take[page.GotoMsg](t, d).To
		place := d.Page.Chrome().Reopen
		require.Equal(t, page.Target{Kind: page.Games, Search: "cleo", Game: opened.Game}, place)

		again := pagetest.Drive(games.New(e, place))
		require.Contains(t, body(again, 80, 20), "cleo")
		again.Press("enter")
		require.Equal(t, opened, pagetest.Take[page.GotoMsg](t, again).To)

		place.Game, place.Search, place.Mine = 1000, "ben", true
		again = pagetest.Drive(games.New(e, place))
		require.Equal(t, "140", listed(again, 20)[0], "a game that is not listed is not looked for forever")
		place.Game, place.Search = 1, ""
		again = pagetest.Drive(games.New(e, place))
		require.Contains(t, body(again, 80, 20), "My games")
	})
}

// A game that ends appears by itself if the reader is at the top of the list; further down nothing moves.
func TestNews(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.some()
		top, _ := drive(t, c)
		top.Send(page.ClubUpdateMsg{})
		below, _ := drive(t, c)
		below.Press("down")
		c.forfeit("ben", "cleo")
		for _, d := range []*pagetest.Driver{top, below} {
			d.Send(page.ClubUpdateMsg{})
		}
		require.Equal(t, "7", listed(top, 20)[0])
		require.Equal(t, "6", listed(below, 20)[0])
		below.Press("r")
		require.Equal(t, "7", listed(below, 20)[0])
	})
}

// Sides without a name or a score do not break a row.
func TestOddInfo(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		for _, end := range []*table.Result{won(4, 1), won(0, 0, 1, 2, 3), won(-1, 0)} {
			for _, rule := range []string{"classic", "block"} {
				c.add(game{seats: "ana ben cleo", rules: rule, end: end, casual: true})
				c.add(game{seats: "ana", rules: rule, end: end, casual: true})
			}
		}
		d, _ := drive(t, c)
		for _, w := range []int{40, 60, 80, 99, 100, 120, 200} {
			pagetest.CheckFits(t, d.Lines(w, 30), w, 30)
		}
	})
}

// Numbers of games with more digits, as after years, are whole.
func TestNumbersAreWhole(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		start := table.Start{Rules: "classic", Seats: []table.Player{{ID: c.account("ana"), Name: "ana"}, {ID: c.account("ben"), Name: "ben"}}}
		b := &table.Batch{Table: 1, Final: true, Game: 1234567, Rows: []table.Row{{At: time.Now()}}, Start: &start, End: won(1, 2, 100, 20)}
		_, err := table.Commit(c.store, b)
		require.NoError(t, err)
		d, _ := drive(t, c)
		for _, w := range []int{40, 80, 120} {
			require.Contains(t, body(d, w, 20), "▸ 1234567  ", "%d columns", w)
		}
	})
}

// A wide list has its other columns beside names, not at their expense.
func TestNamesAreWholeInAWideList(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.add(game{seats: "vohubaba sehudeba noradeba puhufiba", rules: "block", end: won(2, 7, 35, 66)})
		d, _ := drive(t, c)
		for w := 100; w <= 200; w++ {
			require.Contains(t, strings.Split(body(d, w, 30), "\n")[2], "vohubaba+noradeba 35 : 66 ✓sehudeba+puhufiba ", "%d columns", w)
		}
	})
}

// Cut names fill their column.
func TestNamesHaveAllTheRoom(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.add(game{seats: "deborah-ann johannes-k seraphinas mirabellas", rules: "sniff", end: won(3, 2, 20, 20, 75, 45)})
		d, _ := drive(t, c)
		require.Contains(t, body(d, 100, 30), "deborah-… 20, johannes… 20, ✓seraphin… 75, mirabel… 45  played")
		c.add(game{seats: "deborah-ann nora.regular otto.regular vera.regular", rules: "sniff", end: won(3, 2, 20, 20, 75, 45)})
		d.Press("r")
		require.Contains(t, body(d, 100, 30), "deborah-ann 20, nora 20, ✓otto 75, vera 45 ")
	})
}
