package feature_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/feature"

	_ "boneyard/ui/golden" // for -update
)

func enter(t *testing.T, c *lobbytest.Club, name string, operator bool) feature.Talker {
	t.Helper()
	o := lobby.Origin{Key: c.NewKey(), Net: "10.0.0.1", Operator: operator}
	a, err := c.Register(context.Background(), o, name)
	require.NoError(t, err)
	v, err := c.Enter(context.Background(), a, o)
	require.NoError(t, err)
	return feature.Talker{Visit: v}
}

// errOf is the error of a call whose result does not matter.
func errOf[T any](_ T, err error) error { return err }

// ask carries out a command of line mode.
func ask(t *testing.T, v feature.Talker, words ...string) error {
	t.Helper()
	f, ok := feature.Find(feature.Line, words[0])
	require.True(t, ok)
	_, err := f.Run(context.Background(), &feature.Ask{Way: feature.Line, Visit: v.Visit, Words: words[1:], Now: time.Now()})
	return err
}

// No way has two features of one name, and all features have help.
func TestNames(t *testing.T) {
	for _, way := range []feature.Way{feature.SSH, feature.Line, feature.Chat} {
		seen := map[string]bool{}
		for _, f := range feature.All() {
			if f.In&way == 0 {
				continue
			}
			require.NotEmpty(t, f.Does, f.Name)
			least, most := f.Takes()
			require.True(t, most < 0 || least <= most, f.Name)
			names := []string{f.Name}
			if way == feature.Line {
				names = append(names, f.Short...)
			}
			for _, name := range names {
				require.False(t, seen[name], "%s is the name of two features", name)
				seen[name] = true
				found, ok := feature.Find(way, name)
				require.True(t, ok, name)
				require.Equal(t, f.Name, found.Name)
			}
		}
	}
}

// Whatever programs can list, people can list over ssh and in line mode.
func TestRowsAreForAll(t *testing.T) {
	for _, f := range feature.All() {
		both := f.In&feature.SSH != 0 && f.In&feature.Line != 0
		require.True(t, len(f.Rows) == 0 || both, "%s has Rows: it needs both SSH and Line in In", f.Name)
		require.True(t, f.Run == nil || f.NoJSON || f.In&feature.SSH == 0 || both,
			"%s answers over ssh: it needs Line in In, too, or NoJSON", f.Name)
	}
}

// Arguments in brackets may be missing.
func TestTakes(t *testing.T) {
	for args, want := range map[string][2]int{
		"": {0, 0}, "NAME": {1, 1}, "[game|table] N": {1, 2}, "[N [WORDS]|new WORDS]": {0, -1}, "CODE|N|new [WORDS]": {1, -1}, "TAG TAG": {2, 2},
		"[N [ROUND]]": {0, 2},
	} {
		least, most := (&feature.Feature{Args: args}).Takes()
		require.Equal(t, want, [2]int{least, most}, args)
	}
}

// A request in a line of chat is answered to the person alone; operators' features are only in operators'
// help.
func TestChat(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		ctx := context.Background()
		ana, olga := enter(t, c, "ana", false), enter(t, c, "olga", true)
		time.Sleep(time.Second) // until the snapshot has both
		say := func(who feature.Talker, line string) string {
			t.Helper()
			reply, err := who.Say(ctx, line)
			require.NoError(t, err)
			return reply
		}
		require.Contains(t, say(ana, "/help"), "/help [COMMAND] - ")
		require.Contains(t, say(ana, "/HELP"), "/tell NAME TEXT - ")
		for _, cmd := range lobby.Commands() {
			require.Contains(t, say(olga, "/help"), "/"+cmd.Name+" ")
			require.Equal(t, !cmd.Operator, strings.Contains(say(ana, "/help"), "\n/"+cmd.Name+" "), cmd.Name)
			_, err := ana.Say(ctx, "/"+cmd.Name)
			require.Equal(t, cmd.Operator, errors.Is(err, lobby.ErrOperatorsOnly), cmd.Name)
		}
		require.Contains(t, say(ana, "/who"), "people here.\n")
		require.Contains(t, say(olga, "/who ANA"), "ana is in the lobby, here for")
		require.Contains(t, say(ana, "/whois olga"), "olga has been a member since")
		for line, want := range map[string]error{"/who nobody": lobby.ErrNobody, "/nonsense": lobby.ErrNoCommand, "/quit": lobby.ErrNoCommand} {
			_, err := ana.Say(ctx, line)
			require.ErrorIs(t, err, want, line)
		}
		_, err := ana.Say(ctx, "/whois")
		require.True(t, lobby.IsForPlayer(err))
		require.EqualError(t, err, "Use /whois NAME.")
		require.Empty(t, ana.Snapshot().Chat)
		set, _ := feature.Find(feature.Line, "set")
		for words, want := range map[string][]string{
			"": set.More(), "bell": {"set bell off|on: rings when it is your turn."},
			"foo": append([]string{`There is no setting "foo".`}, set.More()...),
		} {
			ans, err := set.Carry(ctx, &feature.Ask{Way: feature.Line, Visit: ana.Visit, Words: strings.Fields(words)})
			require.NoError(t, err)
			require.Equal(t, want, ans.Lines, "says what can be set")
		}
	})
}

// Features that are asked for in chat count against the same limits as the lobby's own commands.
func TestChatIsCounted(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		ana := enter(t, c, "ana", false)
		for _, line := range []string{"/help", "/who", "/who ana", "/whois ana"} {
			done := 0
			for range 10_000 {
				if _, err := ana.Say(context.Background(), line); err == nil {
					done++
				}
			}
			require.LessOrEqual(t, done, 500, line)
		}
	})
}

// TestWordsInCapitals: the words of events and challenges may be in capitals, and still count as doing
// something.
func TestWordsInCapitals(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		ana, ben := enter(t, c, "ana", false), enter(t, c, "ben", false)
		require.NoError(t, ask(t, ana, "arena", "NEW", "classic", "in=30"))
		for _, words := range []string{"Enter", "SAY hello", "Chat", "LEAVE", "Off"} {
			require.NoError(t, ask(t, ana, append([]string{"arena", "1"}, strings.Fields(words)...)...), words)
		}
		require.NoError(t, ask(t, ben, "challenge", "ana", "classic", "in=60"))
		require.NoError(t, ask(t, ben, "challenge", "2", "OFF"))
		for _, name := range []string{"arena", "league"} {
			f, _ := feature.Find(feature.Line, name)
			require.True(t, f.Acts([]string{"NEW"}), name)
		}
	})
}

// TestInMinutes: in= counts from the club's time, even while the server's clock is a year ahead and not
// trusted.
func TestInMinutes(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		boss := enter(t, c, "olga", true)
		enter(t, c, "ana", false)
		for _, words := range []string{
			"arena new in=10 classic", "field new classic", "challenge ana in=10 classic", "league new name=Spring", "cup new in=2d name=May",
		} {
			name, rest, _ := strings.Cut(words, " ")
			f, _ := feature.Find(feature.Line, name)
			_, err := f.Run(context.Background(), &feature.Ask{
				Way: feature.Line, Visit: boss.Visit, Words: strings.Fields(rest), Now: time.Now().AddDate(1, 1, 0),
			})
			require.NoError(t, err, words)
		}
	})
}

// TestPastOfATeamThatHasEnded: an ended team's wins can be listed by its tag, but the team cannot be shown or
// played.
func TestPastOfATeamThatHasEnded(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		ctx := context.Background()
		ana := enter(t, c, "ana", false)
		team, err := ana.CreateTeam(ctx, "Owls", "OWL")
		require.NoError(t, err)
		start := table.Start{Rules: "block", Teams: [2]table.TeamID{team.ID, team.ID}}
		c.Store.AddGame(t, time.Now(), start, &table.Result{Ending: table.EndAbandoned}, "x")
		require.NoError(t, ana.LeaveTeam(ctx))
		ask := func(words ...string) error { return ask(t, ana, words...) }
		require.NoError(t, ask("past", "team", "owl"))
		require.NoError(t, ask("past", "Team", "OWL"))
		require.Error(t, ask("past", "team", "cat"))
		require.Error(t, ask("team", "owl"))
	})
}

// A player who has asked to resign and waits for the partner is asked whether to take that back.
func TestResigningIsTakenBackByWhoeverIsAskedThat(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		ctx := context.Background()
		resign, _ := feature.Find(feature.Line, "resign")
		v := &table.View{Summary: table.Summary{Seats: []table.SeatView{{Resigns: true}}}, POV: 1}
		ans, err := resign.Carry(ctx, &feature.Ask{Way: feature.Line, Visit: enter(t, c, "ana", false).Visit, At: v})
		require.NoError(t, err)
		require.Equal(t, "You asked to resign. Take that back and play on?", ans.Question)
	})
}

// A challenge by chat names whom it invites, and to which table.
func TestAChallengeByChatNamesWhomItInvites(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		ana := enter(t, c, "ana", false)
		enter(t, c, "ben", false)
		f, ok := feature.Find(feature.Chat, "challenge")
		require.True(t, ok)
		ans, err := f.Run(t.Context(), &feature.Ask{Way: feature.Chat, Visit: ana.Visit, Words: []string{"ben"}, Now: time.Now()})
		require.NoError(t, err)
		require.Equal(t, []string{"You have a seat at table 1, and ben is invited."}, ans.Lines)
	})
}

// A challenger by chat is taken to the table, as on the page of new tables, but not away from a game.
func TestAChallengerByChatIsTakenAlong(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		ana := feature.Talker{Visit: enter(t, c, "ana", false).Visit}
		enter(t, c, "ben", false)
		require.NoError(t, errOf(ana.Say(t.Context(), "/challenge ben")))
		require.EqualValues(t, 1, ana.Called())
		cfg := table.DefaultConfig()
		cfg.Fill = table.FillNow
		tab, err := ana.NewTable(t.Context(), cfg)
		require.NoError(t, err)
		require.NoError(t, ana.Do(t.Context(), tab.ID(), table.Ready{On: true}))
		require.NoError(t, errOf(ana.Show(lobby.Place{Table: tab.ID()}).Watch(t.Context())))
		require.Eventually(t, func() bool { return tab.Summary().State == table.Playing }, time.Hour, time.Second)
		require.NoError(t, errOf(ana.SayAt(t.Context(), tab.ID(), "/challenge ben")))
		require.Zero(t, ana.Called())
	})
}
