package line

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/ui/plain"
)

// command is one command. The first of its words is its name; the others are shorter.
type command struct {
	words []string
	args  string
	does  string
	where scope
	run   func(ctx context.Context, m *mode, args string) error
}

// scope is where a command may be used.
type scope uint8

const (
	anywhere scope = iota
	atTable        // while a table is looked at
)

// Refusals of commands.
const (
	errNoCommand text.Refusal = "There is no such command; help lists them."
	errNoTable   text.Refusal = "You are not at a table; type tables for a list, or quick for a game."
	errNumber    text.Refusal = "That needs a number."
	errMore      text.Refusal = "That was all."
)

// commands are shown by help in this order. It is a function, since one of them lists them.
func commands() []command {
	return []command{
		{[]string{"help", "h", "?"}, "[COMMAND]", "this list, or one command", anywhere, help},
		{[]string{"more", "m"}, "", "shows the rest of a long answer", anywhere, more},
		{[]string{"quit", "bye", "exit"}, "", "leaves the club, and gives up your seats where no game is in progress", anywhere, quit},

		{[]string{"who"}, "", "who is here, and what they are doing", anywhere, who},
		{[]string{"whois"}, "NAME", "a person: rating, last games, and your results against them", anywhere, whois},
		{[]string{"tables", "ls"}, "[mine|open|WORDS]", "the tables, yours, those you can join, or those with a player or game", anywhere, tables},
		{[]string{"quick", "p"}, "[GAME] [SEATS] [easy|hard]", "finds you a game: with somebody who is ready, in a bot's seat, or at a new table with bots of your strength", anywhere, quick},
		{[]string{"daily"}, "[play] [DAY] | month", "the daily deal, the same for everybody; daily play plays it, or one of the past days for fun", anywhere, dailyDeal},
		{[]string{"new", "n"}, "[WORDS]", "creates a table, such as: new classic target=100 seats=4 bots=now; help new lists all words", anywhere, newTable},
		{[]string{"join", "j"}, "CODE|N", "takes a seat at a table", anywhere, join},
		{[]string{"watch", "w", "go"}, "N|best", "watches a table, or returns to your seat there; best is the live game with the best players", anywhere, watch},
		{[]string{"arena"}, plain.ArenaUsage, "arenas, or the standings of one; arena N enter joins it (with NAME as a pair), and arena N leave leaves it", anywhere, events(plain.AskArena)},
		{[]string{"league"}, plain.ContestUsage, "leagues of teams, or the standings and matches of one; captains: league N join, propose TIME, accept, lineup NAME NAME", anywhere, events(plain.AskLeague)},
		{[]string{"cup"}, plain.ContestUsage, "cups of teams, or the bracket and matches of one, with the same words", anywhere, events(plain.AskCup)},
		{[]string{"duplicate"}, plain.DuplicateUsage, "matches of two teams that play the same deals at two tables, or the comparison of one", anywhere, events(plain.AskDuplicate)},
		{[]string{"field"}, plain.FieldUsage, "duplicate arenas: everybody plays the same deals and is compared; field N enter joins it (with NAME as a pair), and field N leave leaves it", anywhere, events(plain.AskField)},
		{[]string{"calendar"}, "", "what is coming up: events, and your team's matches", anywhere, calendar},
		{[]string{"wall"}, "", "many tables on one screen; not in line mode", anywhere, wall},
		{[]string{"lobby", "back", "q"}, "", "goes back to the lobby; your seat stays yours", anywhere, backToLobby},
		{[]string{"say", "t", "'"}, "TEXT", "says something where you are; /help lists the commands of the chat", anywhere, say},
		{[]string{"chat"}, "", "the latest chat here", anywhere, chat},
		{[]string{"news"}, "", "news of the club", anywhere, news},
		{[]string{"standings", "rank"}, "[teams|pairs|players] [GAME] [MONTH]", "the standings", anywhere, standings},
		{[]string{"versus", "vs"}, "TAG TAG", "two teams head to head", anywhere, versus},
		{[]string{"games"}, "[WORDS]", "finished games with a player, team, game or date", anywhere, games},
		{[]string{"replay"}, "[N [ROUND]]", "a finished game move by move, or one round of it; without a number, the one just finished at this table", anywhere, replayGame},
		{[]string{"teams"}, "", "all teams", anywhere, teams},
		{[]string{"team"}, "[TAG]", "a team, or yours; help team says how to create and lead one", anywhere, team},
		{[]string{"rules"}, "[RULES]", "the rules of a game, or of the table where you are", anywhere, rulesOf},
		{[]string{"settings"}, "", "your settings", anywhere, settings},
		{[]string{"width"}, "N", "wraps lines at N columns; 0 turns wrapping off", anywhere, width},
		{[]string{"set"}, "WHAT VALUE", "changes a setting: theme, faces, bell, mouse, line", anywhere, set},

		{[]string{"look", "s"}, "", "the table as it is now", atTable, look},
		{[]string{"moves", "."}, "", "what you can play", atTable, moves},
		{[]string{"play"}, "N | TILE [ARM]", "plays, also without the word: 1, or 6-4 left, or 64l", atTable, playWord},
		{[]string{"hint"}, "", "what an expert would play, in a casual game against bots; the record says that you took hints", atTable, hint},
		{[]string{"hand"}, "", "your tiles", atTable, hand},
		{[]string{"ends", "e"}, "", "the open ends and the count", atTable, ends},
		{[]string{"layout"}, "", "all tiles on the table", atTable, layout},
		{[]string{"score"}, "", "the scores, and how many tiles each player holds", atTable, score},
		{[]string{"seats"}, "", "who sits where", atTable, seats},
		{[]string{"clock"}, "", "how much time is left", atTable, clock},
		{[]string{"log"}, "", "the moves of this round", atTable, log},
		{[]string{"seed"}, "", "the seed of this game's deals, with which anyone can check them", atTable, seed},
		{[]string{"invite"}, "", "how others can join this table", atTable, invite},

		{[]string{"sit"}, "[SEAT]", "takes a seat, or another one", atTable, sit},
		{[]string{"stand"}, "", "gives up your seat, before or after a game", atTable, stand},
		{[]string{"swap"}, "[SEAT]", "asks to swap seats, or agrees to", atTable, swap},
		{[]string{"bot"}, "[SEAT] [STRENGTH]", "puts a bot on a free seat: novice, casual, regular, expert or master", atTable, bot},
		{[]string{"deal"}, "", "puts bots on all free seats and says that you are ready", atTable, deal},
		{[]string{"nobot"}, "SEAT", "sends a bot away", atTable, noBot},
		{[]string{"unseat"}, "SEAT", "makes another player stand up, before a game at a table you created", atTable, unseat},
		{[]string{"ready", "r"}, "", "you are ready; when everybody is, the game begins", atTable, ready},
		{[]string{"unready"}, "", "you are not ready; stops the countdown", atTable, unready},
		{[]string{"next"}, "", "continues after a round's scoring", atTable, next},
		{[]string{"pause"}, "", "asks for a pause of two minutes, twice in a game", atTable, pause},
		{[]string{"resume"}, "", "ends your side's pause", atTable, resume},
		{[]string{"return"}, "", "takes your seat back from the bot that plays for you", atTable, takeBack},
		{[]string{"vote"}, "bot|adjourn|claim [no]", "votes, while somebody is away: a bot plays on, the game is adjourned, or you win it", atTable, vote},
		{[]string{"resign"}, "", "leaves the game for good", atTable, resign},
		{[]string{"rematch"}, "", "asks for another game with the same seats", atTable, rematch},
	}
}

// find is the command that a word names.
func find(word string) (command, bool) {
	for _, c := range commands() {
		if slices.Contains(c.words, strings.ToLower(word)) {
			return c, true
		}
	}
	return command{}, false
}

// command carries out a line: a command, a line of chat that begins with ' or /, or a move.
func (m *mode) command(ctx context.Context, line string) error {
	line = strings.TrimSpace(line)
	switch {
	case line == "":
		return nil
	case m.visit == nil:
		return errNoCommand
	case line[0] == '/':
		return say(ctx, m, line)
	case line[0] == '\'':
		return say(ctx, m, strings.TrimSpace(line[1:]))
	}
	word, args, _ := strings.Cut(line, " ")
	if c, ok := find(word); ok {
		if c.where == atTable && m.at == nil {
			return errNoTable
		}
		return c.run(ctx, m, strings.TrimSpace(args))
	}
	if m.at != nil && isMove(line) {
		return playWord(ctx, m, line)
	}
	return errNoCommand
}

// help lists the commands that make sense where the person is, or explains one.
func help(_ context.Context, m *mode, args string) error {
	if args != "" {
		c, ok := find(args)
		if !ok {
			return errNoCommand
		}
		m.say(c.usage() + ": " + c.does + ".")
		switch c.words[0] {
		case "new":
			for _, w := range plain.TableWords() {
				m.say(w[0] + ", " + w[1] + ": " + w[2] + ".")
			}
			m.say("House rules:")
			for _, k := range rules.Keys() {
				m.say(k.Name + "=" + k.Values + ": " + k.Help + ".")
			}
		case "team":
			m.say(teamHelp...)
		case "set":
			m.say(setHelp...)
		}
		return nil
	}
	var lines []string
	if m.at != nil {
		lines = append(lines, "At the table:")
		for _, c := range commands() {
			if c.where == atTable {
				lines = append(lines, c.usage()+": "+c.does+".")
			}
		}
		lines = append(lines, "Everywhere:")
	}
	for _, c := range commands() {
		if c.where == anywhere {
			lines = append(lines, c.usage()+": "+c.does+".")
		}
	}
	m.page(lines)
	return nil
}

// usage is the form of a command, with its shorter words: "watch N (w, go)".
func (c *command) usage() string {
	s := strings.TrimSpace(c.words[0] + " " + c.args)
	if len(c.words) > 1 {
		s += " (" + strings.Join(c.words[1:], ", ") + ")"
	}
	return s
}

func more(_ context.Context, m *mode, _ string) error {
	if len(m.rest) == 0 {
		return errMore
	}
	m.page(m.rest)
	return nil
}

// width says where lines are broken from now on, in this session.
func width(_ context.Context, m *mode, args string) error {
	n, err := strconv.Atoi(args)
	if err != nil || n < 0 || n > 0 && n < 20 || n > 500 {
		return text.Refusal("Say how many columns: width with a number from 20 to 500, or 0 for no wrapping.")
	}
	m.out.width = n
	if n == 0 {
		m.say("Lines are not wrapped.")
	} else {
		m.say("Lines are wrapped at " + strconv.Itoa(n) + " columns.")
	}
	return nil
}

// confirm asks a question, and does something if the answer is yes.
func (m *mode) confirm(question string, yes func(ctx context.Context) error) {
	m.say(question + " Type yes to do it.")
	m.answer = func(ctx context.Context, line string) error {
		if s := strings.ToLower(strings.TrimSpace(line)); s != "yes" && s != "y" {
			m.say("Nothing was done.")
			return nil
		}
		return yes(ctx)
	}
}
