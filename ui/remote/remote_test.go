package remote_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules/record"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/golden"
	"boneyard/ui/remote"
)

func standings(q lobby.StandingsQuery) []lobby.Standing {
	if q.Kind == lobby.KindTeam {
		return []lobby.Standing{{Rank: 1, ID: 1, Name: "Friday Night", Tag: "FRI", Rating: 1530, Games: 12, Won: 7, Lost: 5, For: 1200, Against: 1090, Streak: 2, LastFive: "LWLWW", History: []int{1500, 1530}}}
	}
	if q.Kind != lobby.KindPlayer || q.Month != "" {
		return nil
	}
	return []lobby.Standing{
		{Rank: 1, ID: 1, Name: "ana", Tag: "FRI", Rating: 1612, Games: 40, Won: 25, Lost: 15, For: 3900, Against: 3500, Streak: 3, LastFive: "LLWWW", History: []int{1590, 1612}},
		{Rank: 2, ID: 2, Name: "ben", Rating: 1488, Provisional: true, Games: 3, Won: 1, Lost: 2, For: 210, Against: 300, Streak: -2, LastFive: "WLL"},
	}
}

// evening is a club with a game that is over, one that is being played, a table that gathers and a guest.
func evening(t *testing.T, c *club) (ana, ben *person) {
	t.Helper()
	ctx := context.Background()
	c.Store.Table = standings
	ana, ben = c.member("ana"), c.member("ben")
	a, b := ana.enter(), ben.enter()
	first := c.table("classic target=25", a, b)
	c.playOut(first, a, b)
	require.NoError(t, a.Do(ctx, first.ID(), table.Rematch{}))
	require.NoError(t, b.Do(ctx, first.ID(), table.Rematch{}))
	published()
	for range 6 {
		c.step(first, a, b)
	}
	cfg := table.DefaultConfig()
	cfg.Name, cfg.Access, cfg.Fill = "Friday", table.AccessCode, table.FillNever
	_, err := b.NewTable(ctx, cfg)
	require.NoError(t, err)
	_, err = c.Enter(ctx, nil, lobby.Origin{Net: "10.9.9.8"})
	require.NoError(t, err)
	published()
	return ana, ben
}

func TestAnswers(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, _ := evening(t, c)
		for name, words := range map[string]string{
			"help": "help", "help_play": "help play", "help_games": "help games", "who": "who", "tables": "tables", "standings": "standings",
			"standings_teams": "standings teams", "standings_empty": "standings pairs --month 2026-11", "games": "games", "games_ana": "games ana",
			"whois": "whois ben", "show_game": "show game 1", "show_table": "show table 1", "export": "export 1",
			"card": "card 1",
		} {
			golden.Check(t, name+".txt", c.ok(ana, words))
			if name != "export" && name != "card" {
				out := c.ok(ana, words+" --json")
				golden.Check(t, name+".json", out)
			}
		}
		golden.Check(t, "show_game_chances.json", c.ok(ana, "show game 1 --json --chances"))
	})
}

// Whoever knows a command from line mode, or mistypes one, reads what to do.
func TestCommandsThatAreNotOverSSH(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, _ := evening(t, c)
		require.Contains(t, c.ok(ana, "help set"),
			"set is a command of line mode, which ssh -T club.example.org enters.\nset WHAT [VALUE]: changes")
		require.Contains(t, c.ok(ana, "help team"), "team new TAG NAME: creates a team.")
		for words, want := range map[string]string{
			"set bell on": "set is a command of line mode, which ssh -T club.example.org enters.\n",
			"/ban ana":    "ban is a command of line mode, which ssh -T club.example.org enters.\n",
			"admin":       "The operators' page is for operators, and needs a terminal: ssh -t club.example.org admin\n",
			"help teem":   `There is no command "teem"; do you mean teams? help lists all.` + "\n",
			"tabels":      `There is no command "tabels"; do you mean tables? help lists all.` + "\n",
			"x":           `There is no command "x"; help lists them.` + "\n",
			"/":           `There is no command ""; help lists them.` + "\n",
		} {
			status, _, errs := c.run(ana, words)
			require.Equal(t, 2, status, words)
			require.Equal(t, want, errs)
		}
	})
}

func TestHelpOfACommandAsAFlag(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, _ := evening(t, c)
		require.Equal(t, c.ok(ana, "help new"), c.ok(ana, "new --help"))
	})
}

func TestExportIsTheJournal(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, _ := evening(t, c)
		_, lines, err := c.Store.Record(context.Background(), 1)
		require.NoError(t, err)
		out := c.ok(ana, "export 1")
		require.Equal(t, strings.Join(lines, "\n")+"\n", out)
		require.NoError(t, record.Check(strings.NewReader(out)))
		status, out, errs := c.run(ana, "export 2")
		require.Equal(t, 1, status, "a game that is being played is exported to nobody")
		require.Empty(t, out)
		require.Equal(t, 1, strings.Count(errs, "\n"))
	})
}

func TestStatus(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, _ := evening(t, c)
		for words, want := range map[string]int{
			"show 1": 0, "show table 2": 0, "who --json": 0,
			"show 999": 1, "show game 2": 1, "show table 9": 1, "export 9": 1, "watch 999": 1, "join NONE --json": 1, "play 1 --json": 1,
			"join 2 --json": 1, "register other": 1,
			"": 2, "nothing": 2, "who is it": 2, "who --colour": 2, "standings cats": 2, "standings --game chess": 2,
			"standings --month may": 2,
			"show":                  2, "show one": 2, "show 1 --chances": 2, "show cat 1": 2, "watch": 2, "watch -1": 2, "export 0": 2,
			"games --limit 5000": 2, "games --limit x": 2,
			"new chess": 2, "new seats=9": 2, "play 1": 2, "help nothing": 2, "export 1 --json": 2, "card 2": 1, "card x": 2,
			"arena x": 2, "arena 9": 1, "arena 9 dance": 2, "arena new chess": 2, "arena new in=soon": 2, "arena new at=noon": 2, "league x": 2,
			"league 9 dance": 2, "league 9 propose noon": 2, "cup new round=x": 2, "duplicate x": 2, "duplicate new chess": 2, "field x": 2,
			"clubnight x": 2, "clubnight new length=x": 2, "past team": 2, "past nobody": 1,
		} {
			s := words
			if s == "" {
				s = "\x1b"
			}
			status, out, errs := c.run(ana, s)
			require.Equal(t, want, status, "%q: %s", words, errs)
			if want == 0 {
				require.Empty(t, errs, words)
				continue
			}
			require.Empty(t, out, words)
			require.Equal(t, 1, strings.Count(errs, "\n"), "%q: %q", words, errs)
			require.True(t, strings.HasSuffix(errs, "\n"), words)
			require.NotRegexp(t, `strconv|syntax|invalid argument|json:`, errs, words)
		}
	})
}

// A command that ends at once gets no bot's seat in a game: a promise for the next round ends with the session.
func TestJoinTakesNoSeatInAGame(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		g := c.program(c.member("bea"), "play new classic bots=now --json --bot")
		g.read("state")
		g.write(`{"ready":true}`)
		g.until(func(s *remote.State) bool { return s.Duty == "play" })
		status, out, errs := c.run(c.member("ana"), "join 1 --json")
		require.Equal(t, 1, status)
		require.Empty(t, out)
		require.Contains(t, errs, "A game is being played")
		g.quit()
	})
}

func TestWithoutAnAccount(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		evening(t, c)
		dan := c.stranger()
		require.Contains(t, c.ok(dan, "who"), "ana")
		for _, words := range []string{"new", "join 2 --json", "play 2 --json --bot"} {
			_, _, errs := c.run(dan, words)
			require.Contains(t, errs, "register NAME", words)
			_, _, errs = c.run(nil, words)
			require.Contains(t, errs, "Connect with an SSH key", words)
		}
		require.Equal(t, "{\"name\":\"dan\",\"kind\":\"bot\"}\n", c.ok(dan, "register dan --bot --json"))
		require.True(t, dan.account().Bot)
		out := c.ok(dan, "new classic target=50 access=code name=Our table --json")
		var row struct {
			Table int
			Name  string
			Rules string
			Yours int
			Code  string
		}
		require.NoError(t, json.Unmarshal([]byte(out), &row))
		require.Equal(t, "Our table", row.Name)
		require.Equal(t, "classic target=50", row.Rules)
		require.Equal(t, 1, row.Yours)
		require.Len(t, row.Code, 9)
		published()
		require.Contains(t, c.ok(dan, "show table 3"), "dan", "the seat is kept for a while")

		ana := c.member("eli")
		require.Contains(t, c.ok(ana, "new classic"), "It is kept for two minutes: ")
		require.Contains(t, c.ok(ana, "new classic pace=slow"), "It is kept for a day: ")
		time.Sleep(time.Hour)
		require.Contains(t, c.ok(ana, "tables mine"), "  slow  ")
		require.NotContains(t, c.ok(ana, "tables mine"), "  none  ")
	})
}

func TestLinesOfATerminal(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.member("ana")
		s := c.session(ana, "tables")
		var out, errs strings.Builder
		s.Out, s.Err, s.Terminal = &out, &errs, true
		require.Zero(t, run(s))
		require.Regexp(t, `^[^\r\n]+\r\n$`, out.String())
		s.Command = []string{"nothing"}
		require.Equal(t, 2, run(s))
		require.Regexp(t, `^[^\r\n]+\r\n$`, errs.String())
	})
}

// Whatever is asked with --json is answered by objects that docs/commands.md describes, and without it by lines.
func TestEveryFeatureAnswersPrograms(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, _ := evening(t, c)
		words := map[string]string{"whois": "ben", "show": "1", "coach": "1"}
		require.Empty(t, c.ok(ana, "challenge --json"))
		require.Contains(t, c.ok(ana, "challenge"), "No challenge")
		c.ok(ana, "challenge ben in=90m")
		for _, f := range feature.All() {
			if least, _ := f.Takes(); f.In&feature.SSH == 0 || f.NoJSON || f.Seats || least > 0 && words[f.Name] == "" {
				continue
			}
			time.Sleep(time.Minute) // in the bubble: so that nothing is asked too fast
			rows := c.ok(ana, f.Name+" --json "+words[f.Name])
			text := c.ok(ana, f.Name+" "+words[f.Name])
			require.NotEqual(t, '\n', text[0], "%s begins with a blank line", f.Name)
			if strings.Count(text, "\n") > 1 {
				require.NotEmpty(t, rows, "%s has %q for people, and nothing for programs", f.Name, text)
			}
		}
		time.Sleep(time.Minute)
		require.Empty(t, c.ok(ana, "daily month --json"))
		for words, says := range map[string]string{
			"arena 3 -1": "there is no flag -1", "who --jsn": "there is no flag --jsn", "games --limit": "--limit needs a value",
		} {
			status, _, fault := c.run(ana, words)
			require.Equal(t, 2, status)
			require.Contains(t, fault, says)
		}
		require.Regexp(t, `^Nobody is ranked yet.\n\nThe month 2000-01: each past day scores .*\.\n$`, c.ok(ana, "daily month"))
	}, func(c *lobby.Config) { c.Daily = true })
}

// Each feature that ssh leads to is carried out, by itself or here.
func TestEveryFeatureIsCarriedOut(t *testing.T) {
	own := remote.Own()
	for _, name := range own {
		_, ok := feature.Find(feature.SSH, name)
		require.True(t, ok, name)
	}
	for _, f := range feature.All() {
		if f.In&feature.SSH != 0 {
			require.Equal(t, f.Run == nil, slices.Contains(own, f.Name), "%s needs a Run, or else a line in own", f.Name)
		}
	}
}

// Help needs nothing of the club: it even answers people whom the club does not let in.
func TestHelpNeedsNoVisit(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		for words, want := range map[string]string{"help": "tables", "help new": "seats", "tables --help": "--json", "help --json": `"command":"tables"`} {
			status, out, errs := c.run(nil, words)
			require.Zero(t, status, "%s: %s", words, errs)
			require.Contains(t, out, want, words)
		}
		status, _, _ := c.run(nil, "tables")
		require.Equal(t, 1, status)
	}, func(cfg *lobby.Config) { cfg.Guests = lobby.GuestsOff })
}
