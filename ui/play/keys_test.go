package play

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/plain"
	"boneyard/ui/theme"
)

// person is a page with a fake club, and what the page has sent to the frame around it.
type person struct {
	*Page
	t    *testing.T
	club *fakeClub
	said []tea.Msg
}

func at(t *testing.T, v *table.View) *person {
	c := &fakeClub{}
	p := newPage(envFor(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)), c, v.Table)
	p.view = v
	return &person{Page: p, t: t, club: c}
}

// press presses keys one after the other, and carries out what follows at once.
func (p *person) press(keys ...string) {
	for _, k := range keys {
		p.update(keyMsg(k))
	}
}

func (p *person) click(x, y int) { p.run(page.Click(p.Page, x, y)) }

func (p *person) update(msg tea.Msg) {
	cmd, _ := page.Give(p, msg)
	p.run(cmd)
}

func (p *person) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			p.run(c)
		}
	case page.Then:
		p.run(msg())
	default:
		p.said = append(p.said, msg)
	}
}

// asked returns what the page has asked the table for since the last call.
func (p *person) asked() []table.Command {
	asked := p.club.asked
	p.club.asked = nil
	return asked
}

func keyMsg(k string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "left": tea.KeyLeft, "right": tea.KeyRight, "up": tea.KeyUp,
		"down": tea.KeyDown, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
	}
	if code, ok := named[k]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
}

// lead is a table at which seat 1 leads any tile of 6-4 5-5 4-3 2-1 1-0 0-0 6-5.
func lead(t *testing.T) *sitting {
	s := sit(t, "classic", 1, "ana", "ben")
	var d rules.Deal
	for _, tile := range []string{"6-4", "5-5", "4-3", "2-1", "1-0", "0-0", "6-5"} {
		x, _, _, err := rules.ParseTile(tile)
		require.NoError(t, err)
		d.Hands[0] = d.Hands[0].With(x)
	}
	rest := rules.FullSet &^ d.Hands[0]
	for i, x := range rest.Tiles() {
		if i < 7 {
			d.Hands[1] = d.Hands[1].With(x)
		} else {
			d.Stock = append(d.Stock, x)
		}
	}
	d.Lot = 1
	next, err := s.game.Deal(d)
	require.NoError(t, err)
	s.game, s.view.State, s.view.Game = next, table.Playing, 412
	return s
}

// answer is the table after seat 1 led 5-5 and seat 2 played a five on L; seat 1 is to move.
func answer(t *testing.T) *sitting {
	s := lead(t)
	for _, m := range []rules.Move{
		{Seat: 1, Kind: rules.Play, Tile: rules.NewTile(5, 5), Arm: rules.NoArm},
		{Seat: 2, Kind: rules.Play, Tile: s.fitting(5), Arm: rules.ArmL},
	} {
		next, _, err := s.game.Apply(m)
		require.NoError(t, err)
		s.game = next
	}
	return s
}

// fitting returns a tile of seat 2 with a pip.
func (s *sitting) fitting(p rules.Pip) rules.Tile {
	h := s.game.Hand(2) & rules.WithPip(p)
	require.False(s.tb, h.Empty())
	return h.Lowest()
}

func TestPlayByKeys(t *testing.T) {
	tile := rules.NewTile
	for _, c := range []struct {
		name string
		keys []string
		tile rules.Tile
		arm  rules.Arm
	}{
		{"the first tile is proposed by enter", []string{"enter", "enter"}, tile(0, 0), rules.NoArm},
		{"arrows", []string{"right", "right", "left", "left", "enter"}, tile(6, 5), rules.NoArm},
		{"typed, a digit that no tile has left out", []string{"6", "9", "6", "4", "enter"}, tile(6, 4), rules.NoArm},
		{"typed", []string{"6", "4", "enter"}, tile(6, 4), rules.NoArm},
		{"typed, the lower half first", []string{"4", "6", "enter"}, tile(6, 4), rules.NoArm},
		{"typed as hands show it", []string{"4", "-", "3", "enter"}, tile(4, 3), rules.NoArm},
	} {
		t.Run("lead: "+c.name, func(t *testing.T) {
			p := at(t, lead(t).of(1))
			p.press(c.keys...)
			require.Equal(t, []table.Command{table.Move{
				Version: p.view.Version, Move: rules.Move{Seat: 1, Kind: rules.Play, Tile: c.tile, Arm: c.arm},
			}}, p.asked())
		})
	}
	s := answer(t) // 6-5 of seat 1 fits R, U and D
	for _, c := range []struct {
		name string
		keys []string
		arm  rules.Arm
	}{
		{"enter takes the proposal, and plays it", []string{"6", "5", "enter", "enter"}, rules.ArmR},
		{"a letter", []string{"6", "5", "d", "enter"}, rules.ArmD},
		{"typed as the rules write it", []string{"6", "5", "space", "u", "enter"}, rules.ArmU},
		{"down", []string{"6", "5", "down", "enter"}, rules.ArmD},
		{"tab and round", []string{"6", "5", "tab", "tab", "tab", "enter"}, rules.ArmR},
		{"up", []string{"6", "5", "up", "enter"}, rules.ArmU},
	} {
		t.Run("end: "+c.name, func(t *testing.T) {
			p := at(t, s.of(1))
			p.press(c.keys...)
			asked := p.asked()
			require.Len(t, asked, 1)
			move := asked[0].(table.Move).Move
			require.Equal(t, rules.Choice{Tile: tile(6, 5), Arm: c.arm}, rules.Choice{Tile: move.Tile, Arm: move.Arm})
		})
	}
}

func TestEnterAsksForTheEnd(t *testing.T) {
	p := at(t, answer(t).of(1))
	p.press("6", "5", "enter")
	require.Empty(t, p.asked(), "three ends are open to it")
	p.press("esc")
	require.Equal(t, nothing, p.pick)
	p.press("enter")
	require.Empty(t, p.asked(), "nothing was chosen")
}

// The prompt says what Enter does to a tile that fits several ends, and that it has chosen one. The choice
// stays: if no other tile can be played, the arrows keep it.
func TestTheFirstEnterIsAnswered(t *testing.T) {
	p := at(t, answer(t).of(1))
	prompt := func() string { return strings.Join(strings.Fields(strings.Join(pagetest.Lines(p, 80, 20), " ")), " ") }
	p.press("6", "5")
	require.Contains(t, prompt(), "or U, D? ↑↓ enter chooses R")
	p.press("enter")
	require.Contains(t, prompt(), "R chosen enter plays, or U, D")
	p.press("right")
	require.NotContains(t, prompt(), "chosen", "of another tile")
	p.press("6", "5", "u")
	require.Contains(t, prompt(), "U chosen enter plays, or R, D")

	v := *p.view
	v.Play.Options = slices.DeleteFunc(slices.Clone(v.Play.Options), func(o rules.Option) bool { return o.Tile != rules.NewTile(6, 5) })
	p.view = &v
	p.press("right", "left")
	require.Contains(t, prompt(), "U chosen enter plays, or R, D")
	p.press("enter")
	require.Len(t, p.asked(), 1)
}

func TestRefusedKeys(t *testing.T) {
	p := at(t, answer(t).of(1))
	p.press("2", "1")
	require.Equal(t, []tea.Msg{page.Say("2-1 doesn't fit 5 or 0.")}, p.said)
	p.press("6", "5", "l", "enter")
	require.Contains(t, p.said, tea.Msg(page.Say("6-5 does not fit there.")))
	require.Empty(t, p.asked())

	other := at(t, answer(t).of(2))
	other.press("1", "enter", "r", "enter", "right", "enter", "space")
	require.Empty(t, other.asked(), "it is not their turn")
}

// A player sees that it is their move, and what they are about to play, although another player is away.
func TestChoosingWhileSomebodyIsAway(t *testing.T) {
	s := answer(t)
	s.view.Seats[1].Presence = table.Disconnected
	p := at(t, s.of(1))
	require.Contains(t, shown(p, 80, 24), "Your move. ben lost connection.")
	p.press("6", "5")
	require.Contains(t, shown(p, 80, 24), "enter chooses R")
	p.press("esc")
	require.Contains(t, shown(p, 80, 24), "ben lost connection.")
	s.view.Config.Absence = table.AbsenceForfeit
	require.Contains(t, shown(at(t, s.of(1)), 80, 24), "ben lost connection; whoever stays away loses.")
	require.Contains(t, shown(at(t, s.of(2)), 80, 24), "ana is to move.")
}

// Who leads is not offered the keys for ends.
func TestEndsAreNamedOnceThereAreAny(t *testing.T) {
	for s, named := range map[*sitting]bool{lead(t): false, answer(t): true} {
		p := at(t, s.of(1))
		p.press("right")
		for _, k := range []key.Binding{keyEnd, keyArm} {
			require.Equal(t, named, slices.ContainsFunc(p.Actions().Keys(), func(b key.Binding) bool { return b.Help() == k.Help() }), k.Help().Key)
		}
	}
}

// Whoever has not moved yet in an arena's game reads that it is called off soon, at every width.
func TestTheFirstMoveOfAnArena(t *testing.T) {
	s := answer(t)
	require.NotContains(t, shown(at(t, s.of(1)), 80, 24), "Move within")
	s.view.Config.Event.Prompt, s.view.Log = true, nil
	require.Contains(t, shown(at(t, s.of(1)), 120, 40), "Move within 30 seconds, or the game is called off.")
	require.Contains(t, shown(at(t, s.of(1)), 80, 24), "Move within 30 seconds, or the game is called off.")
	require.Contains(t, shown(at(t, s.of(1)), 40, 12), "Move within 30 seconds.")
	require.NotContains(t, shown(at(t, s.of(2)), 80, 24), "Move within")
}

func TestAMoveIsSentOnce(t *testing.T) {
	p := at(t, lead(t).of(1))
	p.press("right")
	cmd, _ := page.Give(p, keyMsg("enter"))
	for _, k := range []string{"enter", "right", "enter", "2", "enter"} {
		more, _ := page.Give(p, keyMsg(k))
		require.Nil(t, more)
	}
	p.club.answer = table.ErrFrozen
	p.run(cmd)
	require.Len(t, p.asked(), 1)
	require.Equal(t, []tea.Msg{page.Complain(table.ErrFrozen)}, p.said)
	p.press("enter")
	require.Len(t, p.asked(), 1, "after a refusal it may be sent again")
}

// keysAnywhere are all keys with a use on some page.
var keysAnywhere = []string{"enter", "space", "r", "s", "u", "x", "b", "p", "X", "v", "a", "c", "i", "o", "t", "m", "[", "]", "n", "1",
	"left", "tab"}

func TestEscNeverLeaves(t *testing.T) {
	for _, sc := range scenes(t) {
		p := at(t, sc.view)
		p.press("esc", "esc")
		p.press("t", "h", "i", "esc", "esc")
		require.Empty(t, p.asked(), sc.name)
		require.Empty(t, p.said, sc.name)
	}
}

func TestPasteIsNeverAKey(t *testing.T) {
	for _, sc := range scenes(t) {
		p := at(t, sc.view)
		for _, k := range keysAnywhere {
			p.update(tea.PasteMsg{Content: k + "\n" + k})
		}
		p.update(tea.PasteMsg{Content: "1\r\n\r\nX\ny\n"})
		require.Empty(t, p.asked(), sc.name)
		require.Empty(t, p.said, sc.name)
	}
	p := at(t, lead(t).of(1))
	p.press("t")
	p.update(tea.PasteMsg{Content: "1\r\n\x1b[201~enter\r\n"})
	require.Empty(t, p.asked())
	p.press("enter")
	require.Equal(t, []table.Command{table.Say{Text: "1 [201~enter"}}, p.asked())
}

func TestTalk(t *testing.T) {
	p := at(t, lead(t).of(1))
	p.press("t")
	require.True(t, p.Chrome().Typing)
	require.True(t, p.Chrome().Cursor.Visible)
	p.press("q", "X", "1", "enter")
	require.Equal(t, []table.Command{table.Say{Text: "qX1"}}, p.asked())
	require.False(t, p.Chrome().Typing)
	p.press("t", "enter")
	require.Empty(t, p.asked(), "nothing was said")

	w := at(t, lead(t).of(0))
	w.press("t", "h", "o", "enter")
	require.Equal(t, []table.Command{table.Say{Text: "ho"}}, w.asked())
}

func TestResignIsAsked(t *testing.T) {
	p := at(t, lead(t).of(1))
	p.press("X")
	require.Empty(t, p.asked())
	require.Len(t, p.said, 1)
	ask := p.said[0].(page.AskMsg)
	p.run(page.Send(ask.Then))
	require.Equal(t, []table.Command{table.Resign{}}, p.asked())

	p.view.Seats[0].Resigns = true
	p.said = nil
	p.press("X")
	ask = p.said[0].(page.AskMsg)
	require.Contains(t, ask.Question, "Take that back")
	p.view.Seats[0].Resigns = false // the next round has begun meanwhile
	p.run(page.Send(ask.Then))
	require.Equal(t, []table.Command{table.Resign{Back: true}}, p.asked(), "what was asked, whatever has happened since")

	p.view.Config.Event, p.said = table.Event{ID: 1, Solo: true}, nil
	p.press("X")
	require.Contains(t, p.said[0].(page.AskMsg).Question, "Your only attempt ends", "the daily deal is dealt once")
}

func TestGatheringKeys(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ben", "", "")
	s.view.Seats[3] = table.SeatView{House: table.Regular, Player: table.Player{Name: "nora.bot"}, Ready: true}
	p := at(t, s.of(1))
	p.press("space")
	require.Equal(t, []table.Command{table.Ready{On: true}}, p.asked())
	p.press("u", "b")
	require.Equal(t, []table.Command{table.Stand{UnlessPlaying: true}, table.AddBot{Seat: 3, Strength: table.Regular}}, p.asked())
	p.press("x")
	require.Empty(t, p.asked(), "no seat is chosen")
	p.press("right", "x")
	require.Equal(t, []table.Command{table.Swap{With: 2}}, p.asked())
	p.press("left", "left", "b")
	require.Equal(t, []table.Command{
		table.RemoveBot{Seat: 4}, table.AddBot{Seat: 4, Strength: table.Expert},
	}, p.asked(), "a regular bot becomes an expert")
	require.Contains(t, strings.Join(pagetest.Lines(p, 80, 20), "\n"), "nora.bot: Takes the most points at once")
	s.view.Seats[3].House = table.Casual // the last of them
	p.view = s.of(1)
	p.press("b")
	require.Equal(t, []table.Command{table.RemoveBot{Seat: 4}}, p.asked())

	s.view.Swap = table.SwapWish{From: 2, With: 1}
	agree := at(t, s.of(1))
	agree.press("x")
	require.Equal(t, []table.Command{table.Swap{With: 2}}, agree.asked())

	s.view.State = table.Countdown
	s.view.Seats[0].Ready = true
	stop := at(t, s.of(1))
	stop.press("space")
	require.Equal(t, []table.Command{table.Ready{}}, stop.asked())

	guest := at(t, s.of(0))
	guest.press("space", "b", "u", "x")
	require.Empty(t, guest.asked())
	guest.press("s", "down", "down", "down", "enter")
	require.Equal(t, []table.Command{table.Sit{}, table.Sit{Seat: 3}}, guest.asked())
}

// A watcher is offered only a seat that they may have; asking for another one tells why they may not.
func TestSeatsForWatchers(t *testing.T) {
	for name, c := range map[string]struct {
		edit  func(*table.View)
		offer bool
	}{
		"open":                      {func(*table.View) {}, true},
		"for two teams":             {func(v *table.View) { v.Config.Access = table.AccessTeams }, false},
		"private":                   {func(v *table.View) { v.Config.Access = table.AccessCode }, false},
		"private, made by the same": {func(v *table.View) { v.Config.Access, v.Maker = table.AccessCode, 1 }, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := sit(t, "classic", 1, "", "ben", "", "dan")
			over := sit(t, "classic", 1, "ana", "ben")
			over.toGameEnd()
			over.view.Result = &table.Result{Ending: table.EndPlayed, Winner: 1}
			over.view.Seats[0] = table.SeatView{}
			for _, sitting := range []*sitting{s, over} {
				c.edit(&sitting.view)
				p := at(t, sitting.of(0))
				for _, size := range sizes {
					screen := strings.Join(screenOf(p.Page, size[0], size[1]), "\n")
					require.Equal(t, c.offer, strings.Contains(screen, "ress s to sit"), screen)
					require.Equal(t, c.offer, strings.Contains(screen, "s sit down"), screen)
				}
				p.press("s")
				require.Equal(t, []table.Command{table.Sit{}}, p.asked())
			}
			p := at(t, s.of(0))
			p.press("down", "enter")
			require.Equal(t, c.offer, len(p.asked()) == 1, "a seat is pointed at")
		})
	}

	s := sit(t, "classic", 1, "", "ben", "", "dan")
	s.view.Config.Access = table.AccessTeams
	stranger := at(t, s.of(0))
	member := at(t, stranger.view)
	member.club.team = 7
	require.NotContains(t, strings.Join(screenOf(stranger.Page, 80, 24), "\n"), "s sit down")
	require.Contains(t, strings.Join(screenOf(member.Page, 80, 24), "\n"), "s sit down", "of the same view")
}

func TestBetweenRoundsAndAfter(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ben")
	s.deal()
	s.toRoundEnd()
	p := at(t, s.of(1))
	p.press("enter")
	require.Equal(t, []table.Command{table.Continue{}}, p.asked())

	s.toGameEnd()
	s.view.Result = &table.Result{Ending: table.EndPlayed, Winner: 1}
	p = at(t, s.of(1))
	p.press("r", "u", "o")
	require.Equal(t, []table.Command{table.Rematch{}, table.Stand{UnlessPlaying: true}}, p.asked())
	require.Equal(t, []tea.Msg{page.GotoMsg{To: page.Target{Kind: page.Replay, Game: 412}}}, p.said)
}

func TestPauseVoteReturn(t *testing.T) {
	s := lead(t)
	s.view.May = table.May{Pause: true}
	p := at(t, s.of(2))
	p.press("p", "v", "a", "c")
	require.Equal(t, []table.Command{table.Pause{On: true}}, p.asked(), "nobody is away, so there is no vote")
	s.view.State, s.view.PausedBy, s.view.May = table.Paused, 2, table.May{Resume: true}
	p.view = s.of(2)
	require.Contains(t, p.picture().notice(), "You paused; play resumes in ")
	require.Equal(t, "end the pause", p.Actions().Keys()[0].Help().Desc, "the first of the keys, which a narrow screen shows")
	p.press("p")
	require.Equal(t, []table.Command{table.Pause{}}, p.asked())

	s.view.State, s.view.May = table.Waiting,
		table.May{Vote: map[table.Vote]bool{table.VoteBot: true, table.VoteAdjourn: true, table.VoteClaim: true}}
	s.view.Seats[0].Presence = table.Absent
	p.view = s.of(2)
	p.press("v", "a", "c")
	require.Equal(t, []table.Command{
		table.CastVote{Vote: table.VoteBot, On: true},
		table.CastVote{Vote: table.VoteAdjourn, On: true},
		table.CastVote{Vote: table.VoteClaim, On: true},
	}, p.asked())
	s.view.Votes = map[table.Vote]table.Tally{table.VoteBot: {For: 1, Of: 2, Own: true}, table.VoteAdjourn: {For: 1, Of: 2}}
	p.view = s.of(2)
	p.press("v", "a")
	require.Equal(t, []table.Command{table.CastVote{Vote: table.VoteBot}, table.CastVote{Vote: table.VoteAdjourn, On: true}}, p.asked())

	s.view.State = table.Playing
	s.view.Seats[0].StandIn = true
	p = at(t, s.of(1))
	p.press("1", "enter")
	require.Equal(t, []table.Command{table.Return{}}, p.asked(), "the seat is taken back before anything is played")
}

// The prompt shows at every size what to press, and how many votes are missing.
func TestPromptsShowTheirKeys(t *testing.T) {
	prompts := map[string]func(v *table.View) []string{
		"votes": func(v *table.View) []string {
			v.State, v.May = table.Waiting, table.May{Vote: map[table.Vote]bool{table.VoteBot: true, table.VoteAdjourn: true, table.VoteClaim: true}}
			v.Seats[1].Presence = table.Left
			return []string{"v: a bot", "a: adjourn", "c: claim"}
		},
		"cast": func(v *table.View) []string {
			v.State, v.May = table.Waiting, table.May{Vote: map[table.Vote]bool{table.VoteBot: true}}
			v.Votes = map[table.Vote]table.Tally{table.VoteBot: {For: 1, Of: 2}}
			v.Seats[1].Presence = table.Disconnected
			return []string{"v: a bot", "(1 of 2 sides for it)"}
		},
		"replaced": func(v *table.View) []string {
			v.Seats[0].StandIn = true
			return []string{"Press Enter"}
		},
		"asleep": func(v *table.View) []string {
			v.Seats[0].StandIn, v.Asleep = true, true
			return []string{"Press Enter"}
		},
		"resigns": func(v *table.View) []string {
			v.Seats[0].Resigns, v.Play.Turn = true, 2
			return []string{"X takes it back"}
		},
		"partner": func(v *table.View) []string {
			v.Seats[2].Resigns, v.Play.Turn = true, 2
			return []string{"Press X to "}
		},
		"swap": func(v *table.View) []string {
			v.State, v.Swap = table.Gathering, table.SwapWish{From: 2, With: 1}
			return []string{"Press x to "}
		},
	}
	for name, prepare := range prompts {
		s := sit(t, "block", 2, "ana", "abcdefghijklmnop", "ABCDEFGHIJKLMNOP", "dora")
		s.deal()
		want := prepare(&s.view)
		for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {100, 30}, {120, 40}, {200, 60}} {
			for _, say := range want {
				require.Contains(t, screenAs(s.of(1), size[0], size[1]), say, "%s at %v", name, size)
			}
		}
	}
}

// While the list of moves is open, no key plays a tile.
func TestMoves(t *testing.T) {
	p := at(t, lead(t).of(1))
	p.press("right", "m")
	require.Contains(t, strings.Join(pagetest.Lines(p, 80, 20), "\n"), "Round 1 so far")
	p.press("enter")
	require.Empty(t, p.asked())
	require.NotContains(t, strings.Join(pagetest.Lines(p, 80, 20), "\n"), "Round 1 so far")
	p.press("m", "t", "h", "enter")
	require.Equal(t, []table.Command{table.Say{Text: "h"}}, p.asked())
	p.press("m", "enter")
	require.Len(t, p.asked(), 1)
}

func TestOtherTables(t *testing.T) {
	p := at(t, lead(t).of(0))
	open := table.Config{Watchers: true}
	p.club.tables = []table.Summary{
		{Table: 3, Config: open}, {Table: 12, Config: open}, {Table: 15}, {Table: 16, Config: open, State: table.Closed},
		{Table: 20, Config: open},
	}
	p.press("]", "[")
	require.Equal(t, []tea.Msg{
		page.GotoMsg{To: page.Target{Kind: page.Table, Table: 20}, Replace: true},
		page.GotoMsg{To: page.Target{Kind: page.Table, Table: 3}, Replace: true},
	}, p.said)
	p.said, p.club.tables = nil, p.club.tables[1:4]
	p.press("]")
	require.Equal(t, []tea.Msg{page.Say("There is no other table to watch.")}, p.said)
}

func TestInvitation(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "")
	const club = "-p 2222 localhost"
	require.Equal(t, "ssh -t -p 2222 localhost join 12", plain.Invitation(s.of(1), club))
	s.view.Config.Access = table.AccessCode
	require.Equal(t, "ssh -t -p 2222 localhost join K7QX-4HDM", plain.Invitation(s.of(1), club))
	require.Equal(t, "ssh -t -p 2222 localhost watch 12", plain.Invitation(s.of(0), club), "the gallery does not know the code")
	s.view.Config.Watchers = false
	require.Empty(t, plain.Invitation(s.of(0), club))

	p := at(t, s.of(1))
	var copied string
	p.env.Copy = func(text string) bool { copied = text; return true }
	p.press("i")
	require.Equal(t, "ssh -t -p 2222 club.example.org join K7QX-4HDM", copied)
}

func TestMouse(t *testing.T) {
	p := at(t, answer(t).of(1))
	pagetest.Lines(p, 80, 20)
	click := p.click
	find := func(tile rules.Tile) (int, int) {
		for y := range 20 {
			for x := range 80 {
				if got, ok := p.picture().tileAt(x, y); ok && got == tile {
					return x, y
				}
			}
		}
		t.Fatal("the tile is not on the screen")
		return 0, 0
	}
	x, y := find(rules.NewTile(6, 5))
	click(x, y)
	require.Equal(t, rules.NewTile(6, 5), p.pick.tile)
	require.Empty(t, p.asked())
	place := p.places()
	for y := place.y; y < place.y+place.h && p.pick.arm != rules.ArmD; y++ {
		for x := place.x; x < place.x+place.w; x++ {
			if arm, ok := p.picture().armAt(x, y); ok && arm == rules.ArmD {
				click(x, y)
				break
			}
		}
	}
	require.Equal(t, rules.ArmD, p.pick.arm)
	require.Empty(t, p.asked())
	click(x, y)
	asked := p.asked()
	require.Len(t, asked, 1)
	require.Equal(t, rules.ArmD, asked[0].(table.Move).Move.Arm)
}

func (p *person) places() rect { return p.picture().places().board }

func TestBell(t *testing.T) {
	s := lead(t)
	for _, wanted := range []bool{false, true} {
		rung := 0
		c := &fakeClub{settings: lobby.Settings{Bell: wanted}}
		p := newPage(envFor(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)), c, 12)
		p.env.Bell = func() { rung++ }
		sub := &fakeSub{view: s.of(1)}
		p.sub = sub
		paused := *s.of(1)
		paused.State = table.Paused
		sub.view = &paused
		p.Update(page.WokenMsg{})
		require.Zero(t, rung)
		sub.view = s.of(1)
		p.Update(page.WokenMsg{})
		p.Update(page.WokenMsg{})
		require.Equal(t, map[bool]int{false: 0, true: 1}[wanted], rung)
	}
}

// Leaving after a game gives the seat back, and so does going back before one; leaving during one keeps it.
func TestOnLeave(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ben")
	back := true
	goes := func() []table.Command {
		p := at(t, s.of(1))
		p.run(p.OnLeave(back))
		return p.asked()
	}
	require.Equal(t, []table.Command{table.Stand{UnlessPlaying: true}}, goes())
	back = false
	require.Empty(t, goes())
	require.Empty(t, at(t, s.of(1)).Chrome().Leaving)
	s.deal()
	require.Empty(t, goes())
	require.NotEmpty(t, at(t, s.of(1)).Chrome().Leaving)
	require.Empty(t, at(t, s.of(0)).Chrome().Leaving)
	s.toGameEnd()
	s.view.Result = &table.Result{Ending: table.EndPlayed, Winner: 1}
	require.Equal(t, []table.Command{table.Stand{UnlessPlaying: true}}, goes())
	require.Empty(t, at(t, s.of(1)).Chrome().Leaving)
}

// In a casual game against bots the hint key shows what an expert would play, and has the table mark the
// game; against people there is no such key.
func TestHintKey(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ada.expert")
	s.deal()
	s.moveTo(1, 1)
	s.view.Seats[1] = table.SeatView{House: table.Expert, Player: table.Player{Name: "ada.expert"}}
	s.view.State, s.view.Casual, s.view.May.Hint = table.Playing, "house bot at the table", true
	p := at(t, s.of(1))
	p.press("h")
	require.Equal(t, []table.Command{table.TakeHints{}}, p.asked())
	require.Contains(t, fmt.Sprint(p.said), "Hint: ")

	s.view.May.Hint = false
	p = at(t, s.of(1))
	p.press("h")
	require.Empty(t, p.asked())
}
