package feature

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/plain"
)

// clubFeatures returns the features that are available everywhere in the club.
func clubFeatures() []Feature {
	const eventArgs = "[N [WORDS]|new WORDS]"
	return []Feature{
		{Name: "help",
			Rows: []plain.Describer{plain.Struct[Help]("One per command."), plain.Struct[HelpFlag]("In `help`."),
				plain.Struct[HelpWord]("In `help`: a word that describes a new table.")},
			Short: []string{"h", "?"}, In: SSH | Line | Chat, Disk: true, NoVisit: true, Args: "[COMMAND]",
			Does: "this list, or all about one command", Run: help},
		{Name: "more", Short: []string{"m"}, In: Line, Does: "shows the rest of a long answer"},
		{Name: "quit", Short: []string{"bye", "exit"}, In: Line, Does: "leaves the club, and gives up your seats where no game is in progress"},

		{Name: "who",
			Rows: []plain.Describer{plain.People},
			In:   SSH | Line | Chat, Args: "[NAME]", Does: "who is here, and what they are doing", Lists: true, Run: who},
		{Name: "whois",
			Rows: []plain.Describer{plain.Whois, plain.Titles,
				plain.Struct[plain.Versus]("In `whois`: your last 100 games with somebody on the other side.")},
			In: SSH | Line | Chat, Disk: true, Args: "NAME", Does: "a person: rating, last games, and your results against them", Run: whois},
		{Name: "friends", Short: []string{"friend"}, In: Line | Chat, Args: "[NAME] [off]",
			Does: "your friends, and what those who are here do; friends NAME adds somebody, who is not told, " +
				"and friends NAME off removes them", Run: friends},
		{Name: "tables",
			Rows:  []plain.Describer{plain.Tables, plain.Struct[plain.Seat]("In a table's row, and in a state.")},
			Short: []string{"ls"}, In: SSH | Line, Args: "[mine|open|WORDS]", Does: "the tables, yours, those you can join, or " +
				"those with a player or game", Lists: true, Run: tables},
		{Name: "quick", Short: []string{"p"}, In: Line, Args: "[GAME] [SEATS] [easy|hard]",
			Does: "finds you a game: with somebody who is ready, in a bot's seat, or at a new table with bots of your strength", Run: quick},
		{Name: "daily",
			Rows: []plain.Describer{dailyHeads, dailyTable, dailyChoices, dailyShares, dailyMonths},
			In:   SSH | Line, Args: "[play|month] [DAY] [chat|say TEXT]", Acts: saying, Does: "the daily deal, the same for everybody: your " +
				"result, the standings, what others played; daily month: who did best; daily play, in the club, plays it, or a past one " +
				"for fun", Run: dailyDeal},
		{Name: "new",
			Short: []string{"n"}, In: SSH | Line, Args: "[WORDS]", Does: "creates a table, such as: new classic target=100 " +
				"seats=4 bots=now; help new lists all words",
			Seats: true, Acts: always, Words: plain.TableWords, More: houseRules, Run: newTable},
		{Name: "join",
			Short: []string{"j"}, In: SSH | Line, Args: "CODE|N", Does: "takes a seat at a table", Seats: true, Acts: always, Run: join},
		{Name: "challenge",
			Rows: []plain.Describer{plain.Challenges},
			In:   SSH | Line | Chat, Args: "[NAME|team TAG|N] [WORDS]", Acts: func(words []string) bool { return len(words) > 0 }, Run: challenges,
			Does: "challenges a person or a team, now or with in=30 or at=2026-11-27T20:00; alone, " +
				"lists your challenges; challenge N off calls one off or declines it"},
		{Name: "yes", In: Line, Does: "accepts the invitation that you were sent last"},
		{Name: "no", In: Line, Does: "declines it"},
		{Name: "play",
			In: SSH, Args: "CODE|N|new [WORDS]", Does: "takes a seat and plays, with --json --bot as a program", Flags: botFlag,
			Words: plain.TableWords},
		{Name: "watch",
			In: SSH, Args: "N", Does: "a table, move by move until its game is over"},
		{Name: "watch", Short: []string{"w", "go"}, In: Line, Args: "N|best", Does: "watches a table, or returns to your seat " +
			"there; best is the live game with the best players", Run: watch},
		{Name: "arena",
			Rows: []plain.Describer{plain.Arenas, plain.ArenaTeams, plain.ArenaPlaces, plain.Said},
			In:   SSH | Line, Args: eventArgs, Acts: events, Flags: botFlag, Lists: true, Run: arenas.run,
			Does: "arenas, or the standings of one; arena N enter joins it (with NAME as a pair), arena N leave leaves it, " +
				"arena N say TEXT and arena N chat talk at it, as at all events, and arena N play --json --bot plays as a program"},
		{Name: "league",
			Rows: []plain.Describer{plain.Contests, plain.LeaguePlaces, plain.Fixtures},
			In:   SSH | Line, Args: eventArgs, Acts: events, Lists: true, Run: leagues.run,
			Does: "leagues of teams, or the standings and matches of one; captains: league N join, propose TIME, accept, lineup NAME NAME"},
		{Name: "cup",
			Rows: []plain.Describer{plain.CupPlaces},
			In:   SSH | Line, Args: eventArgs, Acts: events, Lists: true, Run: cups.run, Does: "cups of teams, or the bracket and matches of " +
				"one, with the same words"},
		{Name: "duplicate",
			Rows: []plain.Describer{plain.Duplicates, plain.DuplicateRounds},
			In:   SSH | Line, Args: "[N [enter A|B|leave|start|off|WORDS]|new WORDS]", Acts: events, Lists: true, Run: duplicates.run,
			Does: "matches of two teams that play the same deals at two tables, or the comparison of one"},
		{Name: "field",
			Rows: []plain.Describer{plain.Fields, plain.FieldPlaces, plain.FieldRounds},
			In:   SSH | Line, Args: eventArgs, Acts: events, Lists: true, Run: fields.run,
			Does: "duplicate arenas: everybody plays the same deals and is compared; field N enter joins it (with NAME as a " +
				"pair), and field N leave leaves it"},
		{Name: "clubnight",
			Rows: []plain.Describer{plain.ClubNights},
			In:   SSH | Line | Chat, Args: "[N [off]|new [length=4h]]", Acts: events, Lists: true, Run: clubNights.run,
			Does: "evenings on which games between people on one network are rated; operators, and captains for their teams: clubnight new, " +
				"clubnight new length=90m, clubnight N off"},
		{Name: "calendar",
			Rows: []plain.Describer{plain.Appointments},
			In:   SSH | Line, Does: "what is coming up: events, and your team's matches; over ssh as iCalendar: calendar > " +
				"boneyard.ics", Lists: true, Run: calendar},
		{Name: "wall",
			In: SSH | Line, Args: "[EVENT]", NoJSON: true, Does: "many tables on one screen, the best first; needs a terminal (ssh -t)",
			Run: func(context.Context, *Ask) (Answer, error) { return Answer{}, plain.ErrWall }},
		{Name: "register",
			In: SSH, Args: "NAME", Does: "creates an account for your key", Flags: botFlag},
		{Name: "lobby", Short: []string{"back", "leave", "q"}, In: Line, Does: "goes back to the lobby; your seat stays yours"},
		{Name: "say", Short: []string{"t", "'"}, In: Line, Args: "TEXT", Does: "says something where you are; /r TEXT replies to the last " +
			"message sent to you"},
		{Name: "chat", In: Line, Does: "the latest chat here"},
		{Name: "news", Rows: []plain.Describer{plain.News}, In: SSH | Line, Does: "news of the club", Lists: true, Run: news},
		{Name: "standings",
			Rows:  []plain.Describer{plain.Standings},
			Short: []string{"rank"}, In: SSH | Line, Disk: true, Args: "[teams|pairs|players] [GAME] [MONTH]", Does: "the standings",
			Flags: standingsFlags, Run: standings},
		{Name: "versus", Short: []string{"vs"}, In: Line, Args: "TAG TAG", Does: "two teams head to head", Run: versus},
		{Name: "season",
			Rows: []plain.Describer{plain.SeasonRows},
			In:   SSH | Line, Args: "[players|teams] [MONTH]", Does: "the points of a month over all events", Run: points},
		{Name: "past",
			Rows: []plain.Describer{plain.PastEvents, plain.Struct[plain.Winner]("In `past`: a place among the first three.")},
			In:   SSH | Line, Args: "[NAME|team TAG]", Run: past,
			Does: "events that are over and who was best: all, or those of a person or a team"},
		{Name: "games",
			Rows: []plain.Describer{plain.Games},
			In:   SSH | Line, Disk: true, Args: "[WORDS]", Does: "games with a player, team, rules or date; newest first", Flags: gamesFlags,
			Run: games},
		{Name: "show",
			In: SSH, Disk: true, Args: "[game|table] N", Does: "a finished game, or else a table as it is now", Flags: showFlags},
		{Name: "replay", In: Line, Args: "[N [ROUND]]", Does: "a finished game move by move, or one round of it; without a " +
			"number, the one just finished at this table", Run: replayGame},
		{Name: "export",
			In: SSH, Disk: true, NoJSON: true, Args: "N", Does: "the record of a finished game, for boneyard verify", Run: ofGame(export)},
		{Name: "card",
			In: SSH | Line, Disk: true, NoJSON: true, Args: "N", Does: "a finished game at a glance, with a line to share", Run: ofGame(cardOf)},
		{Name: "cast",
			In: SSH, Disk: true, NoJSON: true, Args: "N [SIZE]", Does: "a finished game as a recording for asciinema: cast N > " +
				"game.cast", Run: ofGame(cast)},
		{Name: "coach",
			Rows: []plain.Describer{coachHeads, coachRounds, coachDecisions, coachChoices},
			In:   SSH | Line, Args: "N", Does: "what your decisions in a finished game were worth", Run: ofGame(coached)},
		{Name: "teams", Rows: []plain.Describer{plain.Teams}, In: SSH | Line, Does: "all teams", Lists: true, Run: teams},
		{Name: "team", In: Line, Args: "[TAG|WORDS]", Does: "a team, or yours; help team says how to create and lead one",
			More: func() []string { return teamHelp }, Run: team},
		{Name: "rules", In: Line, Args: "[RULES]", Does: "the rules of a game, or of the table where you are", Run: rulesOf},
		{Name: "settings", In: Line, Does: "your settings", Run: settings},
		{Name: "width", In: Line, Args: "N", Does: "wraps lines at N columns; 0 turns wrapping off"},
		{Name: "set", In: Line, Args: "WHAT [VALUE]", Does: "changes a setting; help set lists them", More: setHelp, Run: set},
	}
}

func always([]string) bool { return true }

func saying(words []string) bool { return slices.ContainsFunc(words, isSay) }

func isSay(word string) bool { return strings.EqualFold(word, "say") }

// events reports whether the words of an event's command do something: there are more of them than the
// event's number, or new.
func events(words []string) bool {
	return len(words) > 1 || len(words) == 1 && strings.EqualFold(words[0], "new")
}

func houseRules() []string {
	says := func(k rules.Key) string { return k.Name + "=" + k.Values + ": " + k.Help + "." }
	return append([]string{"House rules:"}, text.Each(rules.Keys(), says)...)
}

func who(_ context.Context, q *Ask) (Answer, error) {
	here := q.Visit.Snapshot().People
	if len(q.Words) > 0 {
		asked := text.Skeleton(q.Words[0])
		here = slices.DeleteFunc(slices.Clone(here), func(p lobby.Person) bool { return text.Skeleton(p.Player.Name) != asked })
		if len(here) == 0 {
			return Answer{}, lobby.ErrNobody
		}
	}
	if len(q.Words) > 0 && q.Way != SSH {
		return said(q.Visit.Where(q.Words[0]))
	}
	const most = 100 // people in a chat's answer
	count := People(len(here))
	if q.Way != SSH {
		r := q.Visit.FriendsFirst(here)
		here = make([]lobby.Person, len(here))
		for i := range here {
			here[i] = *r.At(i)
		}
	}
	if q.Way == Chat {
		here = here[:min(most, len(here))]
	}
	return list(q, plain.People, here, count+" here.", "", q.person), nil
}

func (q *Ask) person(p *lobby.Person) string {
	s := text.Printable(p.Player.Name)
	if p.Player.Tag != "" {
		s += " [" + p.Player.Tag + "]"
	}
	switch {
	case p.Operator:
		s += ", an operator"
	case p.Shield:
		s += ", holds the shield of the season"
	case p.Player.Bot:
		s += ", a program"
	}
	s += ", " + p.Doing
	if idle := p.Idle(q.Now); idle != "" {
		s += ", " + idle
	}
	return s + "."
}

func friends(ctx context.Context, q *Ask) (Answer, error) {
	v := q.Visit
	switch {
	case len(q.Words) == 1, len(q.Words) == 2 && strings.EqualFold(q.Words[1], "off"):
		on := len(q.Words) == 1
		return said(plain.Befriended(q.Words[0], on), v.Befriend(ctx, q.Words[0], on))
	case len(q.Words) > 0:
		return Answer{}, Usage("Use friends NAME, or friends NAME off.")
	}
	if err := v.List(); err != nil {
		return Answer{}, err
	}
	var lines []string
	for _, f := range v.Friends() {
		say := f.Name + " is away."
		if f.Here != nil {
			say = q.person(f.Here)
		}
		lines = append(lines, say)
	}
	if len(lines) == 0 {
		lines = []string{"You have no friends here yet: friends NAME adds somebody, who is not told."}
	}
	return Say(lines...), nil
}

func whois(ctx context.Context, q *Ask) (Answer, error) {
	const whoisShown = 5 // how many games of a person the chat lists
	p, err := q.Visit.Profile(ctx, q.Words[0])
	if err != nil {
		return Answer{}, err
	}
	games := len(p.Games)
	if q.Way == Chat {
		games = whoisShown
	}
	return q.tell(plain.Whois.Objects([]lobby.Profile{*p}), p.Sentences(q.Now, games)...), nil
}

func tables(_ context.Context, q *Ask) (Answer, error) {
	reader := q.Visit.Reader()
	f := lobby.Filter{Text: q.text()}
	switch strings.ToLower(f.Text) {
	case "mine":
		f = lobby.Filter{Mine: true}
	case "open":
		f = lobby.Filter{Joinable: true}
	}
	found := slices.DeleteFunc(q.Visit.Snapshot().SortFor(reader), func(t *table.Summary) bool { return !f.Match(t, reader) })
	none := "No tables."
	if reader.MaySit() {
		none = "No tables: type new to create one, or quick for a game."
	}
	listed := text.Each(found, func(s *table.Summary) plain.Listed { return plain.Listed{Summary: s, For: reader} })
	return list(q, plain.Tables, listed, "", none, (*plain.Listed).Say), nil
}

func quick(ctx context.Context, q *Ask) (Answer, error) {
	var wish lobby.QuickPrefs
	for _, w := range q.Words {
		w = strings.ToLower(w)
		if n, err := strconv.Atoi(w); err == nil {
			wish.Seats = n
		} else if plain.IsGame(w) {
			wish.Game = w
		} else if how := lobby.QuickWish(w); how == lobby.QuickEasy || how == lobby.QuickHard {
			wish.Wish = how
		} else {
			return Answer{}, Usage("The games are " + text.List(rules.PresetNames()) + "; easy and hard set how strong the bots are.")
		}
	}
	wish.Guide = q.Visit.Newcomer() && wish == lobby.QuickPrefs{}
	id, err := q.Visit.QuickPlay(ctx, wish)
	if err != nil {
		return Answer{}, err
	}
	ans := Answer{Go: id}
	for _, s := range q.Visit.MyTables() {
		if s.Table == id {
			ans.Lines = append(ans.Lines, plain.Joined(&s, q.Visit.Player().ID))
		}
	}
	return ans, nil
}

func newTable(ctx context.Context, q *Ask) (Answer, error) {
	cfg, err := parseTable(q.Words)
	if err != nil {
		return Answer{}, err
	}
	t, err := q.Visit.NewTable(ctx, cfg)
	if t == nil || err != nil && q.Way == SSH {
		return Answer{}, err
	}
	ans := Answer{Go: t.ID(), Code: t.Code()}
	if err != nil {
		ans.Lines = []string{plain.Sentence(err)}
	}
	return ans, nil
}

func join(ctx context.Context, q *Ask) (Answer, error) {
	id, err := q.Visit.Join(ctx, strings.Join(q.Words, "")) // a code may be typed as two groups
	if question := plain.WatchInstead(id, err); question != "" && q.Way == Line {
		return Answer{Question: question, Yes: func(context.Context, *Ask) (Answer, error) { return Answer{Go: id}, nil }}, nil
	}
	return Answer{Go: id}, err
}

func watch(ctx context.Context, q *Ask) (Answer, error) {
	if strings.EqualFold(q.Words[0], "best") {
		best, err := q.Visit.BestGame(ctx)
		return Answer{Go: best}, err
	}
	n, err := strconv.ParseInt(q.Words[0], 10, 64)
	switch {
	case err != nil:
		return Answer{}, errNumber
	case n == 0: // an answer leads nowhere with it
		return Answer{}, lobby.ErrNoTable
	}
	return Answer{Go: table.ID(n)}, nil
}

func calendar(ctx context.Context, q *Ask) (Answer, error) {
	coming := q.Visit.Calendar()
	if q.Way != SSH || q.Options.JSON {
		ans := listed(q, plain.Appointments, coming...)
		if s := plain.NowAndNext(coming, q.Now); s != "" {
			ans.Lines = append(ans.Lines, text.Printable(s))
		}
		return ans, nil
	}
	off, err := q.Visit.CalledOff(ctx)
	if err != nil {
		return Answer{}, err
	}
	ans := Say(plain.ICalendar(append(coming, off...), q.Visit.ClubID(), q.Address, q.Now, false)...)
	ans.CRLF = true
	return ans, nil
}

func news(_ context.Context, q *Ask) (Answer, error) {
	return list(q, plain.News, q.Visit.Snapshot().News, "", "", func(n *lobby.NewsItem) string {
		s := plain.News.Column("WHEN_(UTC)").Cell(n) + " " + plain.NewsFor(n, q.Visit.Player())
		if n.Game != 0 {
			s += " (game " + strconv.FormatInt(int64(n.Game), 10) + ")"
		}
		return s
	}), nil
}

// rulesOf explains the rules of the games, of one rule string, or of the table.
func rulesOf(_ context.Context, q *Ask) (Answer, error) {
	rule, seats := q.text(), 0
	if rule == "" && q.At != nil {
		rule, seats = q.At.Config.RuleText, q.At.Config.Seats
	}
	if rule == "" {
		all := text.Each(rules.Presets(), func(p rules.Preset) string {
			return p.String() + ": " + english.Title(p) + ". " + english.Difference(p)
		})
		return Say(append(all, "Type rules and a game for all its rules, such as rules classic; rules classic target=100 adds "+
			"house rules.")...), nil
	}
	r, err := rules.Parse(rule)
	if err != nil {
		return Answer{}, text.Refusal(plain.Sentence(err))
	}
	return Say(english.Describe(r, seats)...), nil
}
