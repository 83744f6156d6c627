package plain_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/plain"

	_ "boneyard/ui/golden" // for -update
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		width int
		text  string
		want  []string
	}{
		{0, "as it is, however long", []string{"as it is, however long"}},
		{20, "short", []string{"short"}},
		{20, "one two three four five six", []string{"one two three four", "  five six"}},
		{20, "x 0123456789012345678901234", []string{"x", "  012345678901234567", "  8901234"}},
		{10, "日本語日本語日本語", []string{"日本語日本", "語日本語"}},
		{1, "日本", []string{"日本"}},
		{2, "日本", []string{"日", "本"}},
	} {
		require.Equal(t, c.want, plain.Wrap(c.text, c.width), "%q at %d", c.text, c.width)
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("a word and another one", 7)
	f.Fuzz(func(t *testing.T, s string, width int) {
		s = text.Printable(s)
		if width < 2 || width > 200 || strings.Contains(s, "  ") {
			t.Skip()
		}
		all := ""
		for _, l := range plain.Wrap(s, width) {
			if text.Width(l) > width && len([]rune(strings.TrimSpace(l))) > 1 && text.Width(strings.TrimSpace(l)) > width {
				t.Fatalf("%q at %d has the line %q", s, width, l)
			}
			all += strings.ReplaceAll(l, " ", "")
		}
		if want := strings.ReplaceAll(s, " ", ""); all != want {
			t.Fatalf("%q at %d loses something: %q", s, width, all)
		}
	})
}

func TestTime(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0 s", 0: "0 s", 400 * time.Millisecond: "0 s", 30 * time.Second: "30 s", 2 * time.Minute: "2 min",
		89 * time.Minute: "89 min", 24 * time.Hour: "24 h",
	} {
		require.Equal(t, want, plain.Time(d))
	}
}

func TestSentence(t *testing.T) {
	require.Equal(t, "It's not your turn.", plain.Sentence(table.ErrNotYourTurn))
	require.Equal(t, "ana is to move.", plain.Sentence(text.Refusal("ana is to move.")))
	require.Equal(t, "Such a thing.", plain.Sentence(errors.New("such a thing")))
	require.Equal(t, "[31m.", plain.Sentence(errors.New("\x1b[31m")))
}

func TestParseTable(t *testing.T) {
	words := "sniff target=150 seats=3 access=code pace=fast bots=never strength=novice absence=wait watchers=off name=Three of us"
	cfg, err := plain.ParseTable(strings.Fields(words))
	require.NoError(t, err)
	require.Equal(t, table.Config{
		Name: "Three of us", Rules: cfg.Rules, RuleText: "sniff target=150", Seats: 3, Access: table.AccessCode, Pace: table.PaceFast,
		Fill: table.FillNever, Strength: table.Novice, Absence: table.AbsenceWait,
	}, cfg)
	require.Equal(t, rules.Points(150), cfg.Rules.TargetFor(3))

	cfg, err = plain.ParseTable(nil)
	require.NoError(t, err)
	require.Equal(t, table.DefaultConfig(), cfg)
	cfg, err = plain.ParseTable([]string{"openhands=2m"})
	require.NoError(t, err)
	require.True(t, cfg.OpenHands)
	cfg, err = plain.ParseTable([]string{"target=60"})
	require.NoError(t, err)
	require.Equal(t, "classic target=60", cfg.RuleText)
	cfg, err = plain.ParseTable([]string{"target=60", "sniff"})
	require.NoError(t, err)
	require.Equal(t, "sniff target=60", cfg.RuleText)
	cfg, err = plain.ParseTable([]string{"block"})
	require.NoError(t, err)
	require.Equal(t, 4, cfg.Seats)

	for _, bad := range []string{"chess", "classic seats=5", "classic pace=hasty", "classic access=me", "classic watchers=maybe",
		"classic openhands=1m", "classic openhands=2m watchers=off", "classic openhands=2m pace=slow", "block seats=2", "classic target=0"} {
		_, err := plain.ParseTable(strings.Fields(bad))
		require.Error(t, err, bad)
	}
	for bad, says := range map[string]string{
		"name=Friday seats=4":        "name= must come last: all that follows it is the name.",
		"classic away=wait":          "There is no word away=; help new lists those for a table.",
		"fill=never":                 "There is no word fill=; help new lists those for a table.",
		"classic target=60 target=1": "Target is given twice.",
		"classic pace=hasty":         "Write pace=none|relaxed|normal|fast|slow.",
		"bots":                       "Write bots=now|soon|never.",
		"seats=5":                    "Write seats=2|3|4.",
		"watchers=":                  "Write watchers=on|off.",
	} {
		_, err := plain.ParseTable(strings.Fields(bad))
		require.EqualError(t, err, says, bad)
	}
	cfg, err = plain.ParseTable(strings.Fields("seats=4 name=2 + 2 = 4"))
	require.NoError(t, err)
	require.Equal(t, "2 + 2 = 4", cfg.Name)
}

// entry is a move of a log, as a follower looks at it.
func entry(version uint64, round, number int, end rules.RoundEnd) *table.Entry {
	return &table.Entry{Version: version, Round: round, Number: number,
		Event: rules.Event{Move: rules.Move{Seat: 1, Kind: rules.Pass}, End: end}}
}

// kinds tells happenings in short.
func kinds(all []plain.Happening) (list []string) {
	for _, h := range all {
		switch {
		case h.Entry != nil && h.Entry.Number == 0:
			list = append(list, "remark")
		case h.Entry != nil:
			list = append(list, "move")
		case h.Scoring != nil:
			list = append(list, "scoring")
		case h.Result != nil:
			list = append(list, "result")
		case h.Chat != nil:
			list = append(list, h.Chat.Text)
		case h.Missed:
			list = append(list, "missed")
		case h.Lost != 0:
			list = append(list, "lost")
		}
	}
	return list
}

func TestFollower(t *testing.T) {
	remark := entry(2, 1, 0, 0)
	v := table.View{Summary: table.Summary{Version: 3, Game: 1}, Log: []*table.Entry{remark, entry(3, 1, 1, 0)},
		Chat: []table.ChatLine{{Seq: 1, Text: "old"}}}
	var f plain.Follower
	f.Begin(&v)
	require.Empty(t, f.Next(&v), "what was there at the beginning is not told")

	v.Version, v.Log = 6, append(v.Log, entry(4, 1, 2, rules.Domino), entry(6, 2, 0, 0))
	v.Play.Result = rules.RoundResult{Round: 1}
	v.Chat = append(v.Chat, table.ChatLine{Seq: 2, Text: "new"})
	require.Equal(t, []string{"move", "scoring", "remark", "new"}, kinds(f.Next(&v)))
	require.Empty(t, f.Next(&v))

	v.Version, v.Result = 8, &table.Result{}
	v.Log = append(v.Log, entry(8, 2, 1, 0))
	require.Equal(t, []string{"move", "result"}, kinds(f.Next(&v)))
	require.Empty(t, f.Next(&v))

	rematch := table.View{Summary: table.Summary{Version: 10, Game: 2}, Log: []*table.Entry{entry(9, 1, 0, 0), entry(10, 1, 1, 0)}}
	require.Equal(t, []string{"remark", "move"}, kinds(f.Next(&rematch)))
	third := table.View{Summary: table.Summary{Version: 99, Game: 3}, Log: []*table.Entry{entry(98, 1, 0, 0)}}
	require.Equal(t, []string{"lost", "remark"}, kinds(f.Next(&third)), "the end of the second was not seen")
	cut := table.View{Summary: table.Summary{Version: 700, Game: 3}, Log: []*table.Entry{entry(300, 4, 7, 0), entry(301, 4, 8, 0)}}
	require.Equal(t, []string{"missed", "move", "move"}, kinds(f.Next(&cut)), "the log does not reach back")
}

// Players hear what watchers said when the game is over, each line once.
func TestFollowerHearsWatchersLate(t *testing.T) {
	say := func(seq int64, room table.Room) table.ChatLine {
		return table.ChatLine{Seq: seq, Room: room, Text: string(room) + string(rune('0'+seq))}
	}
	var f plain.Follower
	v := table.View{Summary: table.Summary{Version: 1}}
	f.Begin(&v)
	v.Version, v.Chat = 2, []table.ChatLine{say(1, table.RoomPlayers), say(4, table.RoomPlayers)}
	require.Equal(t, []string{"players1", "players4"}, kinds(f.Next(&v)))
	v.Version = 3
	v.Chat = []table.ChatLine{say(1, table.RoomPlayers), say(2, table.RoomWatchers), say(3, table.RoomWatchers), say(4, table.RoomPlayers)}
	require.Equal(t, []string{"watchers2", "watchers3"}, kinds(f.Next(&v)))
}

// The results of a team table name the teams, and those of partners without a team both players.
func TestSidesInResults(t *testing.T) {
	v := table.View{Names: []string{"ana", "ben", "cem", "dan"}, Summary: table.Summary{Seats: make([]table.SeatView, 4)},
		Tags: [2]string{"OWL", ""}}
	v.Play.Rules.Teams = true
	sides := plain.SidesAt(&v)
	require.Equal(t, []string{"OWL ana + cem", "ben + dan"}, sides)
	res := table.Result{Ending: table.EndPlayed, Winner: 2, Scores: []int{158, 200}}
	require.Equal(t, []string{"OWL ana + cem 158, ben + dan 200: ben + dan win the game."}, plain.Result(sides, true, &res))
	res.Changes = []table.Delta{{Kind: "player", Name: "ana"}, {Kind: "team", Name: "Night Owls"}, {Kind: "team", Name: "Cats"}}
	require.Contains(t, plain.Result(sides, true, &res)[0], ": Cats wins the game.")
	scoring := plain.Scoring(&v.Play.Rules,
		&rules.RoundResult{Round: 3, How: rules.Domino, Last: 1, Totals: [rules.MaxSeats]rules.Points{35, 20}}, v.Names, sides, 0)
	require.Contains(t, scoring[len(scoring)-1], "Score after round 3: OWL ana + cem 35, ben + dan 20.")
}

// Whoever sits down after a game has neither played nor won it.
func TestAFinishedGameNamesItsPlayers(t *testing.T) {
	v := table.View{Names: []string{"ana", "ben"}, Summary: table.Summary{Config: table.DefaultConfig(), Game: 7,
		Seats: []table.SeatView{{Player: table.Player{Name: "ana"}}, {Player: table.Player{Name: "cal"}}}}}
	v.Play.Seats = 2
	require.Equal(t, []string{"ana", "ben"}, plain.Names(&v))
	v.POV = 2
	require.Equal(t, []string{"ana", "ben"}, plain.OwnSides(&v, "You"))
	v.POV = 1
	require.Equal(t, []string{"You", "ben"}, plain.OwnSides(&v, "You"))
	v.POV = 0
	v.Swap = table.SwapWish{From: 2, With: 1}
	require.Contains(t, plain.State(&v), "cal would like to swap seats with ana.")
}
