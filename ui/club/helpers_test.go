package club

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/daily"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

// fakeClub shows a snapshot made by the test, and records requests.
type fakeClub struct {
	deal    int // of today, to be played
	me      table.Player
	snap    *lobby.Snapshot
	ignored string
	did     []table.ID
	said    []string
	liked   []string
	joined  []string
	prefs   []lobby.QuickPrefs
	mine    []table.Summary
	watches bool // may not sit

	newcomer bool
	coming   []event.Appointment
	past     *daily.Day // yesterday's
	views    map[table.ID]*table.View
	glances  []table.ID

	reply string
	err   error
}

func (c *fakeClub) Player() table.Player         { return c.me }
func (c *fakeClub) Reader() table.Reader         { return table.NewReader(c.me, "", !c.watches) }
func (c *fakeClub) Newcomer() bool               { return c.newcomer }
func (c *fakeClub) MayPlay() bool                { return !c.watches }
func (c *fakeClub) Snapshot() *lobby.Snapshot    { return c.snap }
func (c *fakeClub) Hears(from table.Player) bool { return from.Name != c.ignored }

func (c *fakeClub) Do(_ context.Context, id table.ID, cmd table.Command) error {
	if _, sits := cmd.(table.Sit); sits {
		c.did = append(c.did, id)
	}
	return c.err
}

func (c *fakeClub) QuickPlay(_ context.Context, q lobby.QuickPrefs) (table.ID, error) {
	c.prefs = append(c.prefs, q)
	return 41, c.err
}

func (c *fakeClub) Account() *lobby.Account {
	return &lobby.Account{Name: c.me.Name, Settings: lobby.Settings{Friends: c.liked}}
}

func (c *fakeClub) Befriend(_ context.Context, name string, on bool) error {
	c.liked = slices.DeleteFunc(c.liked, func(other string) bool { return other == name })
	if on {
		c.liked = append(c.liked, name)
	}
	return c.err
}

func (c *fakeClub) FriendsFirst(people []lobby.Person) lobby.Roster {
	r := lobby.Roster{People: people}
	for i := range people {
		if slices.Contains(c.liked, people[i].Player.Name) {
			r.Friends = append(r.Friends, i)
		}
	}
	return r
}

func (c *fakeClub) MyTables() []table.Summary { return c.mine }

func (c *fakeClub) BestGame(context.Context) (table.ID, error) { return 42, c.err }

func (c *fakeClub) Join(_ context.Context, code string) (table.ID, error) {
	c.joined = append(c.joined, code)
	return 42, c.err
}

func (c *fakeClub) Say(_ context.Context, line string) (string, error) {
	c.said = append(c.said, line)
	return c.reply, c.err
}

// next publishes a changed copy of the snapshot.
func (c *fakeClub) next(change func(*lobby.Snapshot)) {
	s := *c.snap
	s.Version++
	change(&s)
	c.snap = &s
}

// tab makes a table: its rules, players ("" for a free seat, "nora.bot" for a bot), and changes.
func tab(id table.ID, ruleText string, names []string, change ...func(*table.Summary)) table.Summary {
	r, err := rules.Parse(ruleText)
	if err != nil {
		panic(err)
	}
	cfg := table.DefaultConfig()
	cfg.Rules, cfg.RuleText, cfg.Seats = r, r.String(), len(names)
	s := table.Summary{Table: id, Config: cfg, State: table.Gathering}
	for _, n := range names {
		var seat table.SeatView
		switch {
		case n == "":
		case strings.HasSuffix(n, ".bot"):
			seat = table.SeatView{Player: table.Player{Name: n}, House: table.Regular, Presence: table.Here}
		default:
			seat = table.SeatView{Player: player(n), Presence: table.Here}
		}
		s.Seats = append(s.Seats, seat)
	}
	for _, f := range change {
		f(&s)
	}
	return s
}

// player returns a player whose number follows from the name.
func player(name string) table.Player {
	id := table.PlayerID(0)
	for _, r := range name {
		id = id*31 + table.PlayerID(r)
	}
	p := table.Player{ID: id, Name: name}
	if strings.HasPrefix(name, "guest-") {
		p.ID = -id
	}
	return p
}

func plays(round int, turn rules.Seat, scores ...int) func(*table.Summary) {
	return func(s *table.Summary) {
		s.State, s.Round, s.Turn, s.Scores, s.Game = table.Playing, round, turn, scores, 400+table.GameID(s.Table)
	}
}

func watched(n int) func(*table.Summary) { return func(s *table.Summary) { s.Watchers = n } }

func with(change func(*table.Config)) func(*table.Summary) {
	return func(s *table.Summary) { change(&s.Config) }
}

func inState(st table.State) func(*table.Summary) {
	return func(s *table.Summary) { s.State = st }
}

// evening is a busy club, as ana sees it.
func evening() *fakeClub {
	at := func(min int) time.Time { return pagetest.Now.Add(time.Duration(min) * time.Minute) }
	s := &lobby.Snapshot{Version: 7}
	s.Tables = []table.Summary{
		tab(12, "classic target=100", []string{"ben", ""}),
		tab(19, "spruce", []string{"cleopatra", "nora.bot", ""}, with(func(c *table.Config) { c.Pace = table.PaceFast })),
		tab(23, "azneef", []string{"", "", "", ""}, with(func(c *table.Config) { c.Name, c.Pace = "Beginners welcome", table.PaceNone })),
		tab(17, "block", []string{"dee", "", "", ""}, with(func(c *table.Config) { c.Access = table.AccessTeams })),
		tab(21, "sniff", []string{"emil", ""}, with(func(c *table.Config) { c.Access, c.Watchers = table.AccessCode, false })),
		tab(4, "classic", []string{"ana", "otto"}, plays(3, 1, 45, 105), with(func(c *table.Config) { c.Pace = table.PaceSlow })),
		tab(8, "block", []string{"frank_the_great_1", "gina", "hana", "ivan"}, plays(5, 2, 62, 88), watched(12)),
		tab(9, "azneef", []string{"kim", "leo", "max", "guest-maple"}, plays(11, 3, 95, 120, 40, 5), watched(3)),
		tab(11, "classic", []string{"pia", "quinn"}, plays(7, 1, 180, 175), inState(table.Paused)),
		tab(14, "classic", []string{"rosa", "sam"}, plays(9, 1, 200, 145), inState(table.Finished)),
		tab(1, "classic", []string{"nora.bot", "rex.bot"}, plays(2, 1, 15, 30), with(func(c *table.Config) { c.House = true })),
	}
	doing := func(name, what string, at table.ID) lobby.Person {
		return lobby.Person{Player: player(name), Guest: strings.HasPrefix(name, "guest-"), Doing: what, Table: at}
	}
	s.People = []lobby.Person{
		doing("ana", "in the lobby", 0), doing("ben", "sits at 12", 12), doing("cleopatra", "sits at 19", 19),
		doing("dee", "sits at 17", 17), doing("frank_the_great_1", "plays at 8", 8), doing("gina", "plays at 8", 8),
		doing("guest-maple", "plays at 9", 9), doing("hana", "plays at 8", 8), doing("ivan", "plays at 8", 8),
		doing("kim", "plays at 9", 9), doing("leo", "plays at 9", 9), doing("zoe", "watches 8", 8),
	}
	s.People[1].Player.Tag, s.People[3].Player.Tag = "DOM", "FIVES"
	s.People[2].Operator, s.People[1].Shield = true, true
	said := func(min int, name, text string) {
		s.Chat = append(s.Chat, lobby.Line{Seq: int64(len(s.Chat) + 1), At: at(min), From: player(name), Text: text})
	}
	said(-200, "zoe", "good morning")
	said(-14, "ben", "anybody up for a game of classic? table 12 has a seat, and I promise not to lead the double six every single time")
	said(-12, "cleopatra", "after this one :)")
	said(-3, "zoe", "what a game at 8, look at the scores")
	said(-1, "ben", "I saw it. 30 in one play!")
	s.News = []lobby.NewsItem{
		{ID: 9, At: at(-1), Kind: lobby.NewsBest, Text: "30 points in one play: gina at block, the best of the day", Game: 408},
		{ID: 8, At: at(-4), Kind: lobby.NewsResult, Text: "rosa beat sam at classic, 200:145", Game: 414},
		{ID: 7, At: at(-60), Kind: lobby.NewsStreak, Text: "rosa has won 5 in a row"},
		{ID: 6, At: at(-90), Kind: lobby.NewsResult, Text: "[DOM] ben + cleopatra beat [FIVES] dee + emil at block, 100:85", Game: 390},
		{ID: 5, At: at(-1500), Kind: lobby.NewsTeam, Text: "dee founded the team Five Alive [FIVES]"},
		{ID: 4, At: at(-2900), Kind: lobby.NewsComeback, Text: "emil came back from 85 points behind at sniff", Game: 371},
	}
	return &fakeClub{me: player("ana"), snap: s}
}

// visitAs opens the lobby of a fake club.
func visitAs(t testing.TB, c *fakeClub) *pagetest.Driver {
	t.Helper()
	require.NotNil(t, c.snap)
	return pagetest.Drive(New(pagetest.Env(t, nil), c, page.Target{}))
}

func (c *fakeClub) Calendar() []event.Appointment { return c.coming }

func (c *fakeClub) Daily(_ context.Context, day string) (*daily.Deal, error) {
	if c.past == nil || c.past.Key != day {
		return nil, daily.ErrNone
	}
	return &daily.Deal{Day: c.past}, nil
}

func (c *fakeClub) Glance(id table.ID) (func() *table.View, error) {
	c.glances = append(c.glances, id)
	if id == 0 {
		return nil, nil
	}
	if c.views[id] == nil {
		return nil, table.ErrWatchers
	}
	return func() *table.View { return c.views[id] }, nil
}

func (c *fakeClub) Today() (*daily.Day, bool) {
	if c.deal == 0 {
		return nil, false
	}
	return &daily.Day{Config: daily.Config{Number: c.deal}}, true
}
