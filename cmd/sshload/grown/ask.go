package grown

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"boneyard/cmd/sshload/client"
	"boneyard/cmd/sshload/figures"
)

// answer sends a command in a connection of its own, and returns what it prints.
func (g *grown) answer(ctx context.Context, key ssh.Signer, command string) (string, error) {
	c, err := client.Login(ctx, g.club.Addr, "grown", key)
	if err != nil {
		return "", err
	}
	return c.Run(ctx, command)
}

// enter measures the time from connecting with a terminal to the lobby's first screen.
func (g *grown) enter(ctx context.Context) (err error) {
	g.report.Enter, err = g.cost("to the lobby's first screen", g.times, func() error {
		s, err := g.sit(ctx)
		if err != nil {
			return err
		}
		s.Close()
		return nil
	})
	return err
}

// sit comes in with a terminal and waits for the lobby.
func (g *grown) sit(ctx context.Context) (*client.Screen, error) {
	ctx, cancel := client.Sight(ctx)
	defer cancel()
	c, err := client.Login(ctx, g.club.Addr, "grown", g.key)
	if err != nil {
		return nil, err
	}
	s := client.NewScreen(c, 120, 40)
	if err := s.Enter(""); err != nil {
		c.HangUp()
		return nil, err
	}
	if _, err := s.Shows(ctx, "Tables"); err != nil {
		c.HangUp()
		return nil, err
	}
	return s, nil
}

// asked are the arguments with which the club's commands are measured, by their names.
func (g *grown) asked(name, tag string) map[string][]string {
	last := strconv.Itoa(g.plan.Games)
	return map[string][]string{
		"help":      {"help"},
		"who":       {"who"},
		"whois":     {"whois " + name},
		"tables":    {"tables"},
		"wall":      {}, // shows tables until it is ended
		"standings": {"standings players", "standings pairs", "standings teams", "standings players --game azneef", "standings teams --month 2024-01"},
		"games":     {"games", "games " + name, "games " + name + " azneef", "games " + tag, "games 2024-01-01", "games nobody-has-this-name", "games --before 2"},
		"show":      {"show game 1", "show game " + last, "show --json game " + last},
		"export":    {"export 1", "export " + last},
		"coach":     {}, // thinks for a second or more about each game, once
		"register":  {},
		"watch":     {},
		"new":       {},
		"join":      {},
		"play":      {},
	}
}

// ask measures the commands. An unknown command is an error: it has to be measured, or listed above as one that waits for tables.
func (g *grown) ask(ctx context.Context) error {
	listed, err := g.answer(ctx, g.key, "help --json")
	if err != nil {
		return err
	}
	name, tag, err := g.who(ctx)
	if err != nil {
		return err
	}
	known := g.asked(name, tag)
	entering := 0.0 // with a command, without what it does: the first, which is help
	for line := range strings.Lines(listed) {
		var h struct {
			Command string `json:"command"`
		}
		if err := json.Unmarshal([]byte(line), &h); err != nil {
			return fmt.Errorf("help --json: %w", err)
		}
		commands, ok := known[h.Command]
		if !ok {
			commands = []string{h.Command} // as it is without arguments
		}
		for _, command := range commands {
			c, err := g.cost(command, g.times, func() error {
				_, err := g.answer(ctx, g.key, command)
				return err
			})
			if err != nil {
				return err
			}
			if h.Command == "help" {
				entering = c.All
			}
			c.Own, c.First, c.Goal = max(0, c.All-entering), max(0, c.First-entering), goal
			g.report.Asked = append(g.report.Asked, c)
		}
	}
	return nil
}

// who returns the name of somebody who has played, and a team's tag.
func (g *grown) who(ctx context.Context) (name, tag string, err error) {
	first := func(command string, to any) error {
		said, err := g.answer(ctx, g.key, command)
		if err != nil {
			return err
		}
		line, _, _ := strings.Cut(said, "\n")
		return json.Unmarshal([]byte(line), to)
	}
	var player struct {
		Name string `json:"name"`
	}
	var team struct {
		Tag string `json:"tag"`
	}
	if err := first("standings players --json --limit 1", &player); err != nil {
		return "", "", fmt.Errorf("the first of the players: %w", err)
	}
	if err := first("standings teams --json --limit 1", &team); err != nil {
		return "", "", fmt.Errorf("the first of the teams: %w", err)
	}
	return player.Name, team.Tag, nil
}

// walk is the way through the pages: the keys that lead to each, and a regular expression for what it then shows. Standings show the number
// of rows once these have loaded.
var walk = []struct{ what, keys, shows string }{
	{"teams", "2", "Captain"},
	{"a team", "\r", "Roster"},
	{"standings of teams", "3", `\[Teams\].*\n.*all games +\d`},
	{"standings of pairs", "\x1b[C", `\[Pairs\].*\n.*all games +\d`},
	{"standings of players", "\x1b[C", `\[Players\].*\n.*all games +\d`},
	{"a person", "\r", "Member since"},
	{"standings, from a person", "q", `\[Players\].*\n.*all games +\d`},
	{"standings of a month", "m", `20\d\d +g all games +\d`},
	{"standings of one game", "g", `20\d\d +g azneef( +\d+\+? players?)? *\n`},
	{"games", "4", "All games"},
	{"my games", "m", "games"},
	{"games, once more", "m", "All games"},
	{"a game's replay", "\r", `wins \d+ %`},
	{turningPoints, "t", "round"},
	{"points left on the table", "s", "Points left"},
	{"the replay again", "s", "round"},
	{"the next round", "\x1b[6~", "round"},
	{"games, from a replay", "q", "All games"},
	{"rules", "5", "house rules"},
	{"settings", "6", "Colours"},
	{"lobby", "1", "News"},
	{"the wall", "W", "The wall"},
	{"lobby, from the wall", "q", "News"},
	{"arenas", "A", "Arenas"},
	{"lobby, from the arenas", "q", "News"},
	{"daily deal", "d", "Daily deal"},
	{"lobby, from the daily deal", "q", "News"},
	{"operators", "0", "Audit log"},
	{"tables, for operators", "\x1b[C", "Audit log"},
	{"mutes and bans", "\x1b[C", "Audit log"},
	{"reports", "\x1b[C", "Audit log"},
	{"audit log", "\x1b[C", "Audit log"},
	{"suspicions", "\x1b[C", "Audit log"},
}

// turningPoints are computed once a game, when somebody asks; like the coach's review, they may take long.
const turningPoints = "turning points"

// rest is how long a screen must not change before a page counts as shown: its parts come one after another.
const rest = 200 * time.Millisecond

// show measures the pages, on the way through them.
func (g *grown) show(ctx context.Context) error {
	costs := make([]Cost, len(walk))
	for round := range g.times {
		s, err := g.sit(ctx)
		if err != nil {
			return err
		}
		if err := s.Rests(ctx, rest); err != nil {
			return err
		}
		for i, p := range walk {
			shown := regexp.MustCompile("(?i)" + p.shows)
			c, err := g.cost(p.what, 1, func() error {
				if err := s.Send(p.keys); err != nil {
					return err
				}
				if err := s.Rests(ctx, rest); err != nil {
					return err
				}
				if shown.MatchString(s.Picture()) {
					return nil
				}
				seen, cancel := client.Sight(ctx)
				defer cancel()
				if _, err := s.Until(seen, p.shows, shown.MatchString); err != nil {
					return err
				}
				return s.Rests(ctx, rest)
			})
			if err != nil {
				s.Close()
				return err
			}
			if round == 0 {
				costs[i].What, costs[i].First = p.what, c.First
				if p.what != turningPoints {
					costs[i].Goal = goal
				}
			}
			costs[i].Own += c.Own / float64(g.times)
			costs[i].All += c.All / float64(g.times)
			costs[i].Wall += (c.Wall - figures.Milliseconds(rest)) / float64(g.times)
		}
		s.Close()
	}
	g.report.Pages = costs
	return nil
}
