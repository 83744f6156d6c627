package line_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/text/texttest"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/golden"
	"boneyard/ui/line"
)

func TestFirstVisit(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.key("ben")
		p := c.come(c.key(""), func(s *line.Session) { s.User = "maple" })
		require.Contains(t, flat(p.fresh()), "Your SSH key is your account")
		p.wants("b", "A name has 2 to 16 characters", "Your name, of 2 to 16")
		p.wants("ben", "Somebody has that name")
		p.wants("quick", "quick is a command. First you need a name.", "Your name, of 2 to 16")
		p.wants("o who", "letters a to z")
		p.wants("", "You are maple. 1 person here, 0 tables.")
		p.wants("who", "1 person here. maple, in the lobby.")
		p.hangUp()
		p = c.come(p.key)
		require.Contains(t, p.fresh(), "You are maple.")
		p.hangUp()
	})
}

// Requests for long lists are counted against a limit, whoever makes them.
func TestListsAreCounted(t *testing.T) {
	for _, command := range []string{"who", "tables", "teams", "calendar", "arena", "arena 1", "league", "cup", "duplicate", "field", "daily",
		"daily month"} {
		t.Run(command, func(t *testing.T) {
			bubble(t, func(t *testing.T, c *club) {
				p := c.come(nil)
				p.fresh()
				for range 60 {
					p.typing(command + "\n")
					time.Sleep(time.Second / 8)
				}
				require.Contains(t, p.fresh(), lobby.ErrTooFast)
				p.hangUp()
			})
		})
	}
}

func TestGuests(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		p := c.come(nil)
		require.Contains(t, p.fresh(), "You are guest-")
		p.wants("team new AB Alphas", "That's for members")
		p.wants("quick classic", "Seat 1: guest-", "you.")
		p.hangUp()
	})
	bubble(t, func(t *testing.T, c *club) {
		p := c.come(nil)
		<-p.done
		require.ErrorIs(t, p.err, line.ErrRefused)
		require.Contains(t, p.text(), "Guests can't enter")
	}, func(cfg *lobby.Config) { cfg.Guests = lobby.GuestsOff })
}

// Everything that the pages offer can be done by words.
func TestTheClubByWords(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		c.Store.Table = func(q lobby.StandingsQuery) []lobby.Standing {
			if q.Game == "block" {
				return nil
			}
			return []lobby.Standing{{Rank: 1, Name: "ana", Tag: "AB", Rating: 1530, Games: 12, Won: 8, Lost: 4, For: 900, Against: 700, Streak: 3,
				LastFive: "LLWWW"}}
		}
		ana, ben := c.come(c.key("ana")), c.come(c.key("ben"))
		ana.wants("help", "tables [mine|open|WORDS] (ls): the tables")
		ana.wants("help new", "RULES, azneef|sniff", "target=N")
		ana.wants("help watch", "watch N|best (w, go): watches a table")
		ana.wants("help export", "export is a command over ssh: ssh club.example.org export N", "the record of a finished game")
		ana.wants("export 1", "export is a command over ssh: ssh club.example.org export N")
		ana.wants("card 1 2", "Use card N.")
		ana.wants("who ben now", "Use who [NAME].")
		ana.wants("news today", "Use news.")
		ana.wants("dance", `There is no command "dance"; help lists them.`)
		ana.wants("tabels", `There is no command "tabels"; do you mean tables? help lists all.`)
		ana.wants("ban ben", "Only an operator may do that.")
		ana.wants("tell zed hello", "No member has that name.")
		ana.wants("help tell", "tell NAME TEXT: sends somebody a message")
		ana.wants("ready", "You are not at a table")
		ana.wants("tables", "No tables: type new to create one")
		ana.wants("who", "2 people here.", "ben, in the lobby.")
		ana.wants("say hello all")
		require.Contains(t, ben.fresh(), "ana says: hello all")
		ben.wants("'hello ana")
		require.Contains(t, ana.fresh(), "ben says: hello ana")
		ana.wants("chat", "ana says: hello all", "ben says: hello ana")
		ana.wants("/who ben", "ben is in the lobby")
		ana.wants("/ignore ben", "You no longer see what ben says")
		ben.wants("say again")
		require.NotContains(t, ana.fresh(), "again")
		ana.wants("/unignore ben", "You see what ben says again")
		ana.wants("friends", "You have no friends here yet")
		ana.wants("friends ben", "ben is among your friends now; they are not told.")
		ana.wants("/friends", "ben, in the lobby.")
		ana.wants("who", "ben, in the lobby. ana, in the lobby.")
		ana.wants("friends ben off", "ben is no longer among your friends.")

		ana.wants("teams", "No teams yet")
		ana.wants("team", "You are not in a team:")
		ana.wants("help team", "team new TAG NAME: creates a team.")
		ana.wants("team new AB Alpha Bets", "[AB] Alpha Bets is ready")
		ana.wants("news", "No news.")
		ana.wants("/tell ben are you in?", "You tell ben: are you in?")
		require.Contains(t, flat(ben.fresh()), "ana tells you: are you in?")
		ben.wants("/r yes", "You tell ana: yes")
		require.Contains(t, flat(ana.fresh()), "ben tells you: yes")
		ana.wants("team invite ben", "ben is invited.")
		require.Contains(t, flat(ben.fresh()), "ana invites you to the team Alpha Bets [AB]")
		ben.wants("team", "ana invites you to [AB] Alpha Bets: team accept AB")
		ben.wants("team accept XX", "That invitation is no longer open")
		ben.wants("team accept ab", "You are in the team [AB] Alpha Bets.")
		ana.wants("team", "ana, captain.", "ben.")
		ana.wants("team XY", "There is no team with that tag")
		ana.wants("team leave", "Leave your team? Type yes")
		ana.wants("yes", "Hand the team over")
		ana.wants("team captain ben", "ben is the captain now.")
		ana.wants("team leave", "Type yes to do it.")
		ana.wants("no", "Nothing was done.")
		ana.wants("team leave", "Type yes to do it.")
		ana.wants("yes", "You have left your team.")
		ana.wants("team new CD Cedars", "is ready")
		ben.wants("team captain Ben", "You are the captain now.")
		ben.wants("challenge team CD in=30 name=Our block night", "Challenge", "block to 100")
		ana.wants("challenge 1 off", "That challenge is off.")
		ana.wants("versus AB cd", "Alpha Bets against Cedars: games 0 to 0")
		ana.wants("teams", "[AB] Alpha Bets, 1 member.", "[CD] Cedars, 1 member.")

		ana.wants("standings", "1. ana [AB], rating 1530, 12 games, won 8, lost 4, points 900 to 700, 3 wins in a row, last LLWWW.")
		ana.wants("standings teams block 2026-11", "Standings of teams in block of 2026-11. Nobody is ranked there yet.")
		ana.wants("standings chess", "Use standings with teams")
		ana.wants("games", "No games match.")
		ana.wants("replay 7", "No finished game has that number.")
		ana.wants("rules", "block: Block in two teams.")
		ana.wants("rules sniff", "Two to four players, each alone.")
		ana.wants("rules chess", "chess")
		ana.wants("settings", "bell is off.", "theme is auto.")
		ana.wants("set bell on", "bell is on.")
		ana.wants("set faces ascii", "faces is ascii.")
		ana.wants("set colours pink", "colours can't be \"pink\".", "set theme auto|dark|light|mono")
		ana.wants("set foo on", "There is no setting \"foo\".", "set bell off|on")
		ana.wants("set line on", "line is on.")
		a, err := c.Account(context.Background(), *ana.key)
		require.NoError(t, err)
		require.Equal(t, lobby.Settings{Faces: "ascii", Bell: true, LineMode: true}, a.Settings)

		ana.wants("new block access=teams name=The derby", "Table 1, The derby: block to 100, gathering", "partner of seat 3")
		ben.wants("tables", "Table 1, The derby: block to 100, gathering, for two teams, 60 s a turn. ana sits there, 3 seats free. You can sit down.")
		ben.wants("join 1", "Seat 2: ben [AB], partner of seat 4, you.")
		ben.wants("seats", "Seat 1: ana [CD]")
		ben.wants("sit 3", "The other two seats belong to your team.")
		ben.wants("bot", "Bots don't play for teams.")
		ben.wants("stand", "You no longer have a seat here; you are watching.")
		ben.wants("say nice table")
		ben.wants("lobby", "You are in the lobby.")
		ana.wants("tables mine", "You sit there.")
		ana.wants("go 1", "Seat 1: ana [CD]")
		ana.wants("stand", "ana stands up.")
		ana.wants("new classic bots=now", "Table 2: classic to 200, gathering", "nora.regular")
		ana.wants("seats", "Seat 2: nora.regular, regular house bot. Takes the most points at once, then the heaviest tile.")
		ana.wants("nobot 2", "nora.regular goes.")
		ana.wants("bot 2 expret", "Say a seat from 1 to 4, a strength, or both, such as bot 2 expert.")
		ana.wants("bot 2 Novice", "kit.novice sits down.")
		ana.wants("lobby", "You are in the lobby.")
		ana.wants("quick Classic 2", "Table 3: classic to 200, playing", "sam.casual")
		ana.wants("quit", "Goodbye.")
		<-ana.done
		golden.Check(t, "club.txt", ana.text())
		ben.hangUp()
	})
}

// begins has two people sit at a table where a game has begun; the first to lead is returned first.
func begins(t *testing.T, c *club, words string) (turn, other *person) {
	t.Helper()
	ana, ben := c.come(c.key("ana")), c.come(c.key("ben"))
	ana.wants("new "+words, "Table 1")
	ben.wants("join 1", "Seat 2: ben")
	ana.wants("ready", "You are ready.")
	ana.wants("look", "You are ready: the game begins when all are.")
	ben.say("ready")
	time.Sleep(6 * time.Second)
	require.Contains(t, ana.fresh(), "Round 1: ana leads.")
	return ana, ben
}

// Goodbye is said once, however somebody leaves.
func TestGoodbyeIsSaidOnce(t *testing.T) {
	const seat = "Your seat at table 1 was taken over by another session of yours."
	for name, leave := range map[string]struct {
		terminal bool
		by       func(c *club, p *person)
		say      string
	}{
		"quit":          {by: func(_ *club, p *person) { p.typing("quit\n") }, say: "Goodbye."},
		"end of input":  {by: func(_ *club, p *person) { _ = p.in.Close() }, say: "Goodbye."},
		"ctrl+d":        {terminal: true, by: func(_ *club, p *person) { p.typing("\x04") }, say: "Goodbye."},
		"ctrl+c":        {terminal: true, by: func(_ *club, p *person) { p.typing("loo\x03") }, say: "Goodbye."},
		"shutdown":      {by: func(_ *club, p *person) { p.cancel() }, say: lobby.NoticeDraining},
		"another visit": {by: func(c *club, p *person) { c.come(p.key) }, say: seat},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, c *club) {
				ana := c.come(c.key("ana"), func(s *line.Session) { s.Echo = leave.terminal })
				ana.typing("new classic bots=never\r")
				leave.by(c, ana)
				<-ana.done
				text := flat(ana.text())
				require.Equal(t, 1, strings.Count(text, leave.say), text)
				require.True(t, strings.HasSuffix(text, leave.say), text)
				require.Equal(t, leave.say == "Goodbye.", strings.Contains(text, "Goodbye"), text)
			})
		})
	}
}

func TestATableByWords(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := begins(t, c, "classic bots=never")
		cem := c.come(nil)
		cem.wants("watch 1", "Game 1, round 1. ana is to move.", "Nothing is on the table.")
		cem.wants("1", "ana is to move.")
		cem.wants("hand", "You aren't seated at this table.")
		cem.wants("say psst")
		require.NotContains(t, ana.fresh(), "psst", "players do not hear watchers")
		ben.wants("1", "ana is to move.")
		ana.wants("77", "That number is not in the list")
		ana.wants("9", "That number is not in the list")
		ana.wants("6-6", "You don't hold 6-6.")
		ana.wants("7-7", "A move is a number from the list, or a tile and an end")
		ana.wants("0-0 up up", "A move is a number from the list, or a tile and an end")
		ana.wants("play fast", "A move is a number from the list")
		ana.wants("moves", "You lead: play any tile. Your move:", ") 5-5: counts 10, scores 10")
		ana.wants("clock", "You have", "for this turn, and 2 min in the bank.")
		ana.wants("score", "Score: ana 0, ben 0; 200 wins.", "Tiles: ana 7, ben 7; boneyard 14.")
		ana.wants("55", "You lead 5-5: 10, scores 10.")
		require.Contains(t, cem.fresh(), "ana leads 5-5: 10, scores 10.")
		ben.wants("moves", "Your move:")
		ben.wants("5-2 7u", "5-2 doesn't fit there now")
		ben.wants("5-2 on right", "You play 5-2 on the right: 10 + 2 = 12, no score.")
		ana.wants("layout", "Layout: 5-5; right: 5-2.")
		ana.wants("ends", "Ends: left 5, right 2, top 5, bottom 5.")
		ana.wants("log", "Round 1: ana leads.", "ben plays 5-2 on the right")
		ana.wants("hand", "Your hand: ")
		ben.wants("pause", "ben asks for a pause.", "The game is paused for up to 2 min. Type resume to go on.")
		paused := flat(ana.fresh())
		require.Contains(t, paused, "The game is paused for up to 2 min.")
		require.NotContains(t, paused, "resume", "only ben can end it")
		ana.wants("1", "No move needed: the table is paused.")
		ana.wants("resume", "isn't possible at the moment")
		ben.wants("resume", "ben ends the pause.")
		require.Contains(t, flat(ana.fresh()), "Your move:")
		ana.wants("vote bot", "Everybody is here")
		ana.wants("vote rain", "Say what to vote for: vote bot")
		ana.wants("stand", "resign leaves it for good")

		ben.hangUp()
		require.Contains(t, flat(ana.fresh()), "ben lost connection.")
		ana.wants("vote adjourn", "The game is adjourned")
		ben = c.come(ben.key)
		require.Contains(t, flat(ana.fresh()), "Everyone is back; the game continues.")
		ben.wants("go 1", "Seat 2: ben, you.", "Game 1, round 1.")
		ana.wants("resign", "Resign? You lose the game, and rating points. Type yes to do it.")
		ana.wants("yes", "ana has resigned. The game is forfeited: ben wins.", "ana 10, ben 0: ben wins the game by forfeit.",
			"You no longer have a seat here; you are watching.")
		ana.hangUp()
		ben.hangUp()
		cem.hangUp()
	})
}

// Two turns that run out make somebody absent; they are told, and take their seat back.
func TestAwayAndBack(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := begins(t, c, "classic bots=never pace=fast")
		time.Sleep(16 * time.Second)
		require.Contains(t, flat(ana.fresh()), "Your time for this turn is used up; the bank has 2 min.")
		ben.fresh()
		time.Sleep(10 * time.Minute)
		require.Contains(t, flat(ana.text()), "You are out of time.")
		require.Regexp(t, `Time! (\d-\d) was played for you\. You lead (\d-\d)`, flat(ana.text()))
		require.Contains(t, flat(ana.text()), "You were away and a bot is playing for you. Type return to take your seat back.")
		ana.wants("return", "You are back.")
		ana.hangUp()
		ben.hangUp()
	})
}

// waitsForAna begins a game at a table that has agreed to wait, in which ben plays and ana does not.
func waitsForAna(t *testing.T, c *club) (ana, ben *person) {
	ana, ben = begins(t, c, "classic bots=never pace=fast absence=wait")
	for range 8 {
		time.Sleep(time.Minute)
		if strings.Contains(ben.fresh(), "Your move:") {
			ben.say("1")
		}
	}
	return ana, ben
}

// At a table that has agreed to wait, the others decide about somebody who is away.
func TestVotesAboutSomebodyAway(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := waitsForAna(t, c)
		require.Contains(t, flat(ben.text()), "ana is absent; the table waits.")
		require.Regexp(t, `Somebody is away: the table waits for up to \d+ h\. Type vote bot for a bot to play on,`, flat(ben.text()))
		ben.wants("vote claim", "you may claim the game later")
		ben.wants("vote bot", "A bot plays on for ana, as the others have voted.")
		ana.wants("return", "You are back.")
		ana.hangUp()
		ben.hangUp()
	})
}

// When the table has waited for its time, whoever is still there may claim the game.
func TestClaimingAGame(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := waitsForAna(t, c)
		ben.wants("look", "the table waits for up to 24 h", "or vote claim to win when the time is over.")
		time.Sleep(24 * time.Hour)
		ben.wants("look", "Somebody is away: the table waits. Type vote bot for a bot to play on,", "or vote claim to win.")
		ben.wants("Vote Claim", "ana has not come back. The game is forfeited: ben wins.")
		ana.hangUp()
		ben.hangUp()
	})
}

// Taking a vote back is announced, like casting it.
func TestAVoteIsTakenBack(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come(c.key("ana")), c.come(c.key("ben")), c.come(c.key("cem"))
		ana.wants("new classic seats=3 bots=never pace=fast absence=wait", "Table 1")
		ben.wants("join 1", "Seat 2: ben")
		cem.wants("join 1", "Seat 3: cem")
		for _, p := range []*person{ana, ben, cem} {
			p.say("ready")
		}
		for range 12 { // ana does not play
			time.Sleep(time.Minute)
			for _, p := range []*person{ben, cem} {
				if strings.Contains(p.fresh(), "Your move:") {
					p.say("1")
				}
			}
		}
		require.Contains(t, flat(ben.text()), "ana is absent; the table waits.")
		ben.say("vote bot")
		cem.fresh()
		ben.say("vote bot no")
		time.Sleep(time.Second)
		require.Contains(t, flat(cem.text()), "1 of 2 for: a bot plays on.")
		require.Contains(t, flat(cem.text()), "A vote that a bot plays on was taken back.")
		for _, p := range []*person{ana, ben, cem} {
			p.hangUp()
		}
	})
}

func TestTheBellRings(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come(c.key("ana"), func(s *line.Session) { s.Echo = true })
		for _, bell := range []string{"off", "on"} {
			ana.typing("set bell " + bell + "\r")
			ana.typing("new classic bots=now pace=none\r")
			ana.typing("ready\r")
			time.Sleep(time.Minute)
			require.Contains(t, ana.text(), "Your move:")
			require.Equal(t, bell == "on", strings.Contains(ana.text(), "\a"))
		}
		ana.typing("\x03")
		<-ana.done
	})
}

// A reminder of what begins soon rings, whatever the bell for one's turn is, unless reminders are off.
func TestAReminderRings(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come(c.key("ana"), func(s *line.Session) { s.Echo = true })
		ana.typing("arena new classic in=1h\r")
		ana.typing("arena 1 enter\r")
		time.Sleep(20 * time.Minute)
		require.NotContains(t, ana.text(), "\a")
		time.Sleep(12 * time.Minute)
		require.Regexp(t, "In 30 minutes: Arena 1.*\\.\r?\n(.*\n)*.*\a", ana.text())
		ana.typing("set reminders off\r")
		time.Sleep(26 * time.Minute)
		require.NotContains(t, ana.text(), "In 5 min")
		ana.typing("\x03")
		<-ana.done
	})
}

// Events during typing get lines of their own, followed by the typed text again.
func TestTypingIsNotGarbled(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come(c.key("ana"), func(s *line.Session) { s.Echo = true })
		ben := c.come(c.key("ben"))
		ana.fresh()
		ana.typing("say good mor")
		require.Equal(t, "say good mor", ana.fresh())
		ben.say("say hi")
		require.Equal(t, "\r\nben says: hi\r\nsay good mor", ana.fresh())
		ana.typing("x\x7fning\r")
		time.Sleep(time.Second)
		require.Equal(t, "x\b \bning\r\nana says: good morning\r\n", ana.fresh())
		require.Contains(t, ben.fresh(), "ana says: good morning\n")
		ana.typing("half a line\x15")
		require.Equal(t, "half a line"+strings.Repeat("\b \b", 11), ana.fresh())
		ana.typing("\x04")
		<-ana.done
		ben.hangUp()
	})
}

// A number that was being typed when the list changed is not applied to the new list.
func TestANumberOfAnOlderList(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come(c.key("ana"), func(s *line.Session) { s.Echo = true })
		ana.wants("new classic bots=now pace=none", "Table 1")
		ana.typing("ready\r")
		ana.typing("1\r2")
		for range 10 {
			time.Sleep(5 * time.Second)
			if strings.Count(ana.text(), "Your move:") > 1 {
				break
			}
		}
		ana.fresh()
		ana.typing("\r")
		require.Contains(t, ana.fresh(), "The game has moved on; please look again.")
		ana.typing("2\r")
		require.Contains(t, ana.fresh(), "You play ")
		ana.hangUp()
	})
}

// Tables are listed as on the club's page: the person's own before the others.
func TestTablesOfOneself(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come(c.key("ana")), c.come(c.key("ben"))
		ana.wants("new classic bots=never", "Table 1")
		ben.wants("new classic bots=never", "Table 2")
		lines := strings.Split(ben.wants("tables", "Table 1", "Table 2"), "\n")
		require.Contains(t, lines[0]+lines[1], "Table 2")
	})
}

func TestEndsFromOutside(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come(c.key("ana"))
		ana.wants("new classic bots=never", "Table 1")
		second := c.come(ana.key)
		<-ana.done
		require.Contains(t, flat(ana.fresh()), "Your seat at table 1 was taken over by another session of yours.")
		op, err := c.Enter(context.Background(), nil, lobby.Origin{Operator: true})
		require.NoError(t, err)
		_, err = op.Say(context.Background(), "/announce back at ten")
		require.NoError(t, err)
		time.Sleep(time.Second)
		require.Contains(t, second.fresh(), "Notice: back at ten")
		_, err = op.Say(context.Background(), "/close 1")
		require.NoError(t, err)
		require.Contains(t, flat(second.fresh()), "The table is closed. You are in the lobby.")
		second.wants("new classic bots=now", "Table 2")
		second.wants("ready", "Round 1")
		_, err = op.Say(context.Background(), "/close 2")
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(flat(second.fresh()), "The table has been closed."), "not again as the notice")
		second.cancel()
		<-second.done
		require.Contains(t, flat(second.fresh()), "The server is going down for a moment")
	})
}

// Players at a table read once that the server is going down, although the club, the table and the end of the session all say it.
func TestTheEndOfTheServerIsSaidOnce(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben := c.come(c.key("ana")), c.come(c.key("ben"))
		ana.wants("new classic bots=never", "Table 1")
		require.NoError(t, c.Drain(context.Background()))
		time.Sleep(time.Second)
		for _, p := range []*person{ana, ben} {
			p.cancel()
			<-p.done
			require.Equal(t, 1, strings.Count(flat(p.text()), "going down"), p.text())
		}
	})
}

func TestStartsAtATable(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		key := c.key("ana")
		p := c.come(key, func(s *line.Session) { s.Start.Draft.Make, s.Start.Draft.Words = true, "sniff bots=never" })
		require.Contains(t, p.fresh(), "Table 1: sniff")
		var hint strings.Builder
		ben := c.come(c.key("ben"), func(s *line.Session) { s.Start.Join, s.Err = "1", &hint })
		require.Contains(t, ben.fresh(), "Seat 2: ben, you.")
		require.Equal(t, "This is line mode, because there is no terminal; ssh -t gives you the full screens.", flat(hint.String()))
		require.NotContains(t, ben.text(), "ssh -t", "what is read aloud stays as it is")
		cem := c.come(nil, func(s *line.Session) { s.Start.Table = 1 })
		require.Contains(t, cem.fresh(), "Table 1: sniff")
		dan := c.come(nil, func(s *line.Session) { s.Start.Table, s.Echo = 9, true })
		require.Contains(t, dan.fresh(), "There is no such table.")
		eve := c.come(nil, func(s *line.Session) { s.Start.Join = "NONE" })
		<-eve.done
		require.ErrorIs(t, eve.err, line.ErrRefused, "without a terminal it is a command that fails")
		require.Contains(t, eve.text(), string(lobby.ErrNoCode))
		fay := c.come(c.key("fay"), func(s *line.Session) { s.Start.Join = "1" })
		require.Contains(t, flat(fay.fresh()), "Watch it? Type yes to do it.")
		_ = fay.in.Close()
		<-fay.done
		require.ErrorIs(t, fay.err, line.ErrRefused, "nobody has answered")
		p.hangUp()
		p = c.come(key)
		require.Contains(t, p.fresh(), "Seat 1: ana, you.", "back at the seat")
		for _, q := range []*person{p, ben, cem, dan} {
			q.hangUp()
		}
	})
}

// Whatever people's names and words are, line mode writes printable text and its own line ends.
func TestHostileTextIsInert(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		for i, hostile := range texttest.Hostile() {
			key := c.key("")
			_, err := c.Store.Create(context.Background(), *key, hostile.Text, string(rune('a'+i)), time.Now())
			require.NoError(t, err)
			p := c.come(key)
			p.typing("new classic bots=now pace=none\n")
			p.typing(strings.ReplaceAll(strings.ReplaceAll("say "+hostile.Text, "\n", " "), "\r", " ") + "\n")
			watcher := c.come(nil, func(s *line.Session) { s.Start.Table = table.ID(i + 1) })
			for _, l := range []string{"ready", "1", "who", "tables", "seats", "look", "log", "chat", "resign", "yes", "games", "replay 1",
				hostile.Text} {
				p.say("%s", l)
				watcher.say("%s", l)
			}
			for _, q := range []*person{p, watcher} {
				q.hangUp()
				for l := range strings.Lines(q.text()) {
					require.NoError(t, texttest.Inert(strings.TrimSuffix(l, "\n")), "%s: %q", hostile.Name, l)
				}
				require.Empty(t, hostile.Leak(q.text()), hostile.Name)
			}
			time.Sleep(5 * time.Minute) // the table closes
		}
	})
}

// Each feature that line mode leads to is carried out, by itself or here.
func TestEveryFeatureIsCarriedOut(t *testing.T) {
	own := line.Own()
	for _, name := range own {
		_, ok := feature.Find(feature.Line, name)
		require.True(t, ok, name)
	}
	for _, f := range feature.All() {
		if f.In&feature.Line != 0 {
			require.Equal(t, f.Run == nil && f.In&feature.Chat == 0, slices.Contains(own, f.Name), "%s needs a Run, or else a line in own", f.Name)
		}
	}
}

// Lists of events are sentences for people who do not see columns, and so is each event.
func TestEventsAreReadAloud(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		p := c.come(c.key("ana"), func(s *line.Session) { s.Origin.Operator = true })
		p.say("width 0")
		p.say("team new OWL Owls")
		for _, list := range []struct{ create, one, said string }{
			{"arena new in=5 battle=on name=Friday", "arena 1", "Arena 1, Friday, planned, from "},
			{"league new in=1h name=Winter", "league 2", "League 2, Winter, planned, from "},
			{"cup new in=1h name=Spring", "cup 3", "Cup 3, Spring, planned, from "},
			{"duplicate new classic", "duplicate 4", "Duplicate match 4, gathering, classic"},
			{"field new classic", "field 5", "Duplicate arena 5, planned, from "},
			{"clubnight new", "clubnight 6", "Club night 6 of ana, for all members, running, ends "},
			{"calendar", "calendar", " UTC, Arena 1, Friday."},
		} {
			for _, ask := range []string{list.create, list.one, strings.Fields(list.one)[0]} {
				got := p.say("%s", ask)
				require.Contains(t, got, list.said, ask)
				require.NotRegexp(t, `\S  +\S|[A-Z]{4}|\n\s*\n\s*\n`, got, "no columns, no gaps: %s", ask)
			}
		}
		require.Contains(t, p.say("arena 1"), ", pace normal, team battle, players 0,")
		require.Contains(t, p.say("duplicate 4 enter A"), "Once each team has a player, its creator can start it, with house masters")
		p.hangUp()
	})
}

// A duplicate match is played and compared by words: for its players their pair and the other, for anybody else
// the teams.
func TestADuplicateMatchByWords(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, ben, cem := c.come(c.key("ana")), c.come(c.key("ben")), c.come(c.key("cem"))
		ana.wants("duplicate new classic rounds=2 pace=fast", "8 players missing: duplicate 1 enter A or B.")
		ana.wants("duplicate 1 enter a", "team A ana + free")
		ben.wants("duplicate 1 enter B", "team B ben + free", "Its creator can start it now")
		ben.wants("duplicate 1 start", "Only the match's creator can start it early")
		got := map[*person]string{ben: "", ana: ana.wants("duplicate 1 start", "they are playing at table 2 of the club")}
		choices := regexp.MustCompile(`(?m)^(\d+)\) `)
		for len(got) > 0 {
			time.Sleep(time.Second)
			for p := range got {
				got[p] += p.fresh()
				if strings.Contains(flat(got[p]), "Type duplicate 1 for the match, or lobby to go back;") {
					delete(got, p)
				} else if n := choices.FindAllStringSubmatch(got[p], -1); n != nil {
					choice := n[0][1]
					if p == ben {
						choice = n[len(n)-1][1]
					}
					got[p] = p.say("%s", choice)
				}
			}
		}
		compared := regexp.MustCompile(`Round 1\. (\w+) (\S+), (\w+) (\S+), margin (\S+)\. Round 2\. .* ` +
			`All rounds\. \w+ (\S+), \w+ (\S+), margin (\S+)\.`)
		read := func(p *person) []string {
			said := flat(p.say("duplicate 1"))
			require.Regexp(t, compared, said)
			return compared.FindStringSubmatch(said)[1:]
		}
		a, b, teams := read(ana), read(ben), read(cem)
		require.NotContains(t, ana.text()+ben.text(), "Your next game is at table", "they were led there")
		require.Equal(t, []string{"Yours", "Theirs", "A", "B"}, []string{a[0], a[2], teams[0], teams[2]})
		require.Equal(t, []string{a[3], a[1], a[6], a[5]}, []string{b[1], b[3], b[5], b[6]}, "the other side of the same comparison")
		require.Equal(t, []string{a[1], a[3], a[4], a[5], a[6], a[7]}, []string{teams[1], teams[3], teams[4], teams[5], teams[6], teams[7]})
		require.NotEqual(t, "0", a[7])
	})
}

// A first round that is given up ends the table, whose last state has no game.
func TestNoGameBeginsWhereOneIsGivenUp(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana := c.come(c.key("ana"))
		ana.wants("quick", "Classic for 1 round against")
		ana.wants("resign", "Nobody else plays: the game ends without a result.")
		got := ana.say("yes") + ana.fresh()
		require.Contains(t, got, "Game 1 is over")
		require.NotContains(t, got, "begins")
		require.NotContains(t, got, "watching")
		ana.hangUp()
	})
}

// Somebody who was invited to a team while they were not here hears of it when they come, once.
func TestAnInvitationWaitsForThePerson(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		key := c.key("ben")
		c.come(key).hangUp()
		ana := c.come(c.key("ana"))
		ana.wants("team new AB Alpha Bets", "is ready")
		ana.wants("team invite ben", "ben is invited.")
		ben := c.come(key)
		ben.wants("yes", "No question waits for a yes or no.")
		said := flat(ben.text())
		require.Equal(t, 1, strings.Count(said, "ana invites you to [AB] Alpha Bets: team accept AB, or team decline AB."), said)
		for _, p := range []*person{ana, ben} {
			p.hangUp()
		}
	})
}

// Somebody who opens a second session is asked again, and is told there, too, what it is about.
func TestAQuestionIsExplainedInEachSession(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		ana, key := c.come(c.key("ana")), c.key("ben")
		ben := c.come(key)
		ana.wants("new classic bots=never", "Type ready when you are")
		ana.wants("invite ben", "ben is invited")
		require.Contains(t, flat(ben.fresh()), "ana invites you to table 1")
		again := c.come(key)
		require.Regexp(t, `ana invites you to table 1: classic to 200.*\. Type yes to join table 1, or no\.`, flat(again.fresh()))
		for _, p := range []*person{ana, ben, again} {
			p.hangUp()
		}
	})
}
