package newtable

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/text"
	"boneyard/lobby/text/texttest"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/english"
	"boneyard/ui/golden"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/theme"
)

// fakeClub records the tables it is asked for.
type fakeClub struct {
	asked  []table.Config
	told   []table.Command
	answer error
	me     table.PlayerID

	planned []time.Time
	arena   arena.Config
	length  time.Duration
}

func (c *fakeClub) NewArena(_ context.Context, cfg arena.Config, begins time.Time, length time.Duration) (event.ID, error) {
	c.arena, c.length, c.planned = cfg, length, append(c.planned, begins)
	return 7, c.answer
}

func (c *fakeClub) EventsNow() time.Time { return pagetest.Now }

func (c *fakeClub) Player() table.Player { return table.Player{ID: c.me} }

func (c *fakeClub) NewTable(_ context.Context, cfg table.Config) (*table.Table, error) {
	c.asked = append(c.asked, cfg)
	return nil, c.answer
}

func (c *fakeClub) Do(_ context.Context, _ table.ID, cmd table.Command) error {
	c.told = append(c.told, cmd)
	return c.answer
}

func (c *fakeClub) Challenge(ctx context.Context, cfg table.Config, _ table.TeamID, _ string) (*table.Table, error) {
	return c.NewTable(ctx, cfg)
}

func (c *fakeClub) ChallengeAt(_ context.Context, _ table.Config, _ table.TeamID, _ string, at time.Time) (string, error) {
	c.planned = append(c.planned, at)
	return "planned", nil
}

func open(faces theme.Faces, c *fakeClub) *Page {
	th := theme.Get(theme.Mono, colorprofile.NoTTY, faces)
	p := New(&page.Env{Context: context.Background(), Theme: th}, c, page.Target{})
	p.Resize(80, 20)
	return p
}

// press presses keys one after the other, and returns the page's messages.
func press(p *Page, keys ...string) []tea.Msg {
	var said []tea.Msg
	for _, k := range keys {
		said = append(said, send(p, keyMsg(k))...)
	}
	return said
}

func send(p *Page, msg tea.Msg) []tea.Msg {
	d := pagetest.Driver{Page: p}
	d.Send(msg)
	return d.Sent
}

func keyMsg(k string) tea.KeyPressMsg { return pagetest.Key(k) }

// letters returns the keys that type a text.
func letters(s string) []string { return strings.Split(s, "") }

func TestGolden(t *testing.T) {
	for _, sc := range []struct {
		name string
		keys []string
	}{
		{"first", nil},
		{"block", []string{"right"}},
		{"sniff", []string{"left", "left"}},
		{"house", []string{"tab", "down", "down", "down", "right"}},
		{"typing", append([]string{"e", "end"}, letters(" target=10")...)},
		{"name", append(append([]string{"end", "e"}, letters("Friday night")...), "enter")},
	} {
		t.Run(sc.name, func(t *testing.T) {
			var b strings.Builder
			for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
				for _, faces := range []theme.Faces{theme.Digits, theme.ASCII} {
					p := open(faces, &fakeClub{})
					require.Empty(t, press(p, sc.keys...))
					fmt.Fprintf(&b, "== %d×%d %s\n", size[0], size[1], faces)
					_, rows := page.Room(size[1])
					header := page.Header(p.env.Theme, p.Chrome().Title, "ana", size[0])
					does := p.Actions()
					if !p.Chrome().Typing {
						does = does.And(page.KeyBack, page.KeyHelp)
					}
					for _, line := range page.Around(p.env.Theme, size[0], size[1], header, pagetest.Lines(p, size[0], rows), "", does) {
						require.LessOrEqual(t, ansi.StringWidth(line), size[0], line)
						if faces == theme.ASCII {
							require.Equal(t, utf8.RuneCountInString(line), len(line), "more than ASCII: %s", line)
						}
						b.WriteString(strings.TrimRight(line, " ") + "\n")
					}
				}
			}
			golden.Check(t, sc.name+".txt", b.String())
		})
	}
}

func TestOpen(t *testing.T) {
	c := &fakeClub{answer: table.ErrDraining}
	p := open(theme.Digits, c)
	said := press(p, "enter")
	require.Equal(t, []tea.Msg{page.Complain(table.ErrDraining)}, said)
	want := table.DefaultConfig()
	require.Equal(t, []table.Config{want}, c.asked)
	require.NoError(t, c.asked[0].Validate())

	// It is asked for once, however often the key is pressed.
	cmd, _ := page.Give(p, keyMsg("enter"))
	again, _ := page.Give(p, keyMsg("enter"))
	require.Nil(t, again)
	cmd()
	require.Len(t, c.asked, 2)
}

// Whatever is chosen, the form makes a valid table, or says why not and makes none.
func TestEveryChoiceCanBeMade(t *testing.T) {
	for _, sheet := range []string{"home", "tab"} {
		for row := range 20 {
			for _, change := range []string{"left", "right"} {
				for _, times := range []int{1, 2, 3, 4, 5} {
					c := &fakeClub{}
					p := open(theme.Digits, c)
					press(p, sheet, "home")
					for range row {
						press(p, "down")
					}
					for range times {
						press(p, change)
					}
					if p.Chrome().Typing {
						continue // the row of the name
					}
					if said := press(p, "enter"); len(c.asked) == 0 {
						require.Len(t, said, 1)
						require.Equal(t, theme.Bad, said[0].(page.Toast).Role)
						continue
					}
					require.NoError(t, c.asked[0].Validate(), "row %d, %s × %d: %s", row, change, times, c.asked[0].RuleText)
				}
			}
		}
	}
}

func TestTypedRules(t *testing.T) {
	c := &fakeClub{}
	p := open(theme.Digits, c)
	press(p, "e")
	require.True(t, p.Chrome().Typing)
	require.True(t, p.Chrome().Cursor.Visible)
	for range len("classic") {
		press(p, "left")
	}
	send(p, tea.PasteMsg{Content: "azneef target=250\r\n"}) // pasted text is text
	require.Empty(t, c.asked)
	for range len("classic") {
		send(p, tea.KeyPressMsg{Code: tea.KeyDelete})
	}
	require.Empty(t, press(p, "enter"))
	require.Equal(t, "azneef target=250", p.config.Rules.String())

	press(p, "e")
	press(p, letters("x")...)
	said := press(p, "enter")
	require.Len(t, said, 1, "what the rules forbid is told")
	require.True(t, p.Chrome().Typing, "and may be put right")
	press(p, "esc")
	require.False(t, p.Chrome().Typing)
	require.Equal(t, "azneef target=250", p.config.Rules.String())

	press(p, "enter")
	require.Equal(t, "azneef target=250", c.asked[0].RuleText)
}

// Rules with partners set four seats, and a table for two teams sets partners.
func TestSeatsFollow(t *testing.T) {
	p := open(theme.Digits, &fakeClub{})
	r, err := rules.Parse("block")
	require.NoError(t, err)
	p.take(r, nil)
	require.Equal(t, 4, p.config.Seats)
	require.Len(t, pressOn(p, "Seats", "right"), 1, "block is played by four, and that is said")
	require.Equal(t, 4, p.config.Seats)

	p = open(theme.Digits, &fakeClub{})
	require.Empty(t, pressOn(p, "Who may sit", "left"))
	require.Equal(t, table.AccessTeams, p.config.Access)
	require.Equal(t, 4, p.config.Seats)
	require.True(t, p.config.Rules.Teams)
	require.NoError(t, p.config.Validate())
	require.Empty(t, pressOn(p, "Seats", "left"))
	require.Equal(t, table.AccessOpen, p.config.Access, "three seats have no teams")
	require.NoError(t, p.config.Validate())
}

// The form reopens as it was left, and the rulebook opens at the chosen rules.
func TestComesBackAsItWasLeft(t *testing.T) {
	p := open(theme.Digits, &fakeClub{})
	pressOn(p, "Game", "right")
	pressOn(p, "Seats", "right", "right")
	pressOn(p, "Who may sit", "right")
	press(p, "tab", "down", "down", "right")
	require.True(t, p.onRules)
	require.Equal(t, p.config.Rules.String(), p.Rules())
	again := New(p.env, p.club, p.Chrome().Reopen)
	again.Resize(80, 20)
	require.Equal(t, p.Lines(), again.Lines())
	require.Equal(t, p.config, again.config)
	press(p, "tab")
	press(again, "esc")
	require.False(t, again.onRules)
	require.Equal(t, p.Lines(), again.Lines())
}

// Digits type the number of the row under the cursor; on other rows they open pages.
func TestDigitsEditNumbers(t *testing.T) {
	p := open(theme.Digits, &fakeClub{})
	require.False(t, p.Chrome().Digits)
	require.Empty(t, pressOn(p, "Target", "5", "0"))
	require.True(t, p.Chrome().Digits)
	require.Equal(t, "classic target=50", p.Rules())
	p.Resize(40, 10)
	require.Empty(t, press(p, "1", "backspace", "up", "down", "7", "5"), "a number begins anew where the cursor comes back")
	require.Equal(t, "classic target=75", p.Rules())
	require.Len(t, press(p, "up", "down", "0"), 1, "no target is 0")
	require.Equal(t, "classic target=75", p.Rules())
	require.Empty(t, pressOn(p, "Seats", "4", "3"))
	require.Equal(t, 3, p.config.Seats)
	require.Len(t, pressOn(p, "Seats", "9"), 1)
	require.Equal(t, 3, p.config.Seats)
	press(p, "tab", "home")
	require.Empty(t, press(p, "6"))
	require.Equal(t, "classic hand=6 target=75", p.Rules())
}

// pressOn presses keys on the named row.
func pressOn(p *Page, name string, keys ...string) []tea.Msg {
	press(p, "home")
	for p.rows()[p.cursor[0].At].name != name {
		press(p, "down")
	}
	return press(p, keys...)
}

func TestName(t *testing.T) {
	p := open(theme.Digits, &fakeClub{})
	pressOn(p, nameRow, "right")
	require.True(t, p.Chrome().Typing)
	press(p, letters("Friday")...)
	require.Empty(t, press(p, "enter"))
	require.Equal(t, "Friday", p.config.Name)
	press(p, "e", "x", "esc")
	require.Equal(t, "Friday", p.config.Name)

	p = open(theme.Digits, &fakeClub{})
	pressOn(p, nameRow)
	press(p, letters("quick jokers 2")...)
	require.Empty(t, press(p, "enter"))
	require.Equal(t, "quick jokers 2", p.config.Name, "typing opens the field, also with letters that are keys elsewhere")
	require.Equal(t, []tea.Msg{page.BackMsg{}}, press(p, "esc"), "q is a letter there")
	require.Empty(t, press(p, "tab", "esc"), "back to the table")
	require.Equal(t, []tea.Msg{page.BackMsg{}}, press(p, "up", "esc"))

	p = open(theme.Digits, &fakeClub{})
	send(p, tea.PasteMsg{Content: "elsewhere"})
	require.False(t, p.Chrome().Typing)
	pressOn(p, nameRow)
	send(p, tea.PasteMsg{Content: "Friday night"})
	require.Empty(t, press(p, "enter"))
	require.Equal(t, "Friday night", p.config.Name, "and so does pasting")
	for _, c := range texttest.Hostile() {
		p.name.Set("")
		press(p, "e")
		send(p, tea.PasteMsg{Content: c.Text})
		press(p, "enter", "esc")
		for _, line := range pagetest.Lines(p, 80, 20) {
			require.NoError(t, texttest.Inert(line), c.Name)
		}
	}
}

// At 120 columns the meaning of a house rule is beside it as a whole.
func TestHouseRulesAreWhole(t *testing.T) {
	for _, preset := range rules.Presets() {
		base := preset.Rules()
		for _, k := range rules.Keys() {
			values, ok := numbers[k.Name]
			if !ok {
				values = strings.Split(k.Values, "|")
			}
			for _, v := range values {
				r, err := with(base, k.Name, v)
				if err != nil {
					continue
				}
				p := open(theme.Digits, &fakeClub{})
				p.take(r, nil)
				press(p, "tab")
				lines := strings.Join(pagetest.Lines(p, 120, 36), "\n")
				require.NotContains(t, lines, "…", "%s %s=%s", preset, k.Name, v)
			}
		}
	}
}

// At every width a row lists its choices whole or not at all, and the chosen row's help is whole or has an
// ellipsis.
func TestChoicesAreWhole(t *testing.T) {
	th := theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
	for _, to := range []page.Target{{}, {Name: "ben"}, {Kind: page.NewArena}} {
		p := New(&page.Env{Context: context.Background(), Theme: th, Now: func() time.Time { return pagetest.Now }}, &fakeClub{}, to)
		for _, key := range []string{"", "tab"} {
			press(p, strings.Fields(key)...)
			for w := page.MinWidth; w <= 140; w++ {
				p.Resize(w, 12)
				for i, r := range p.rows() {
					line := ansi.Strip(r.draw(th, false, w-p.nameWidth()-4))
					for _, v := range r.values {
						require.True(t, !strings.Contains(line, "[") || strings.Contains(line, v), "%s in %d columns: %q", v, w, line)
					}
					p.cursor[p.sheet()].At = i
					said := strings.Join(strings.Fields(strings.Join(p.Lines()[p.Height-3:], " ")), " ")
					whole := r.help == "" || strings.Contains(said, text.Sentence(r.help)) ||
						strings.Contains(said, english.Difference(p.config.Rules.Preset))
					require.True(t, whole || strings.Contains(said, "…"), "%s in %d columns: %q", r.name, w, said)
				}
			}
		}
	}
}

// A challenge is for now, or for a time that is chosen or typed; the form keeps it.
func TestWhenAChallengeIs(t *testing.T) {
	c := &fakeClub{}
	th := theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
	e := &page.Env{Context: context.Background(), Theme: th, Now: func() time.Time { return pagetest.Now }}
	d := pagetest.Drive(New(e, c, page.Target{Name: "ben"}))
	d.Press("down", "right", "enter")
	require.Equal(t, []time.Time{pagetest.Now.Add(10 * time.Minute)}, c.planned)
	d.Press("4", "5")
	require.Contains(t, strings.Join(d.Lines(80, 24), "\n"), "in 45 min")
	require.Equal(t, 45, d.Page.Chrome().Reopen.Draft.When)
	d.Press("left", "left", "enter")
	require.Empty(t, c.asked)
	pagetest.Golden(t, e, d.Page, "challenge")
}

// A member makes an arena with the form, which opens its page and comes back as it was left.
func TestAnArena(t *testing.T) {
	c := &fakeClub{}
	th := theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)
	e := &page.Env{Context: context.Background(), Theme: th, Now: func() time.Time { return pagetest.Now }}
	d := pagetest.Drive(New(e, c, page.Target{Kind: page.NewArena}))
	pagetest.Golden(t, e, d.Page, "arena")
	d.Press("d")
	require.Empty(t, c.asked, "no table is dealt")
	d.Press("right", "right", "right", "down", "5", "down", "1", "5", "down", "down", "right", "down", "left", "down", "right", "down")
	d.Type("Friday")
	d.Press("enter")
	require.Contains(t, strings.Join(d.Lines(80, 24), "\n"), "15 min")
	d = pagetest.Drive(New(e, c, d.Page.Chrome().Reopen))
	d.Press("enter")
	require.Equal(t, arena.Config{Name: "Friday", Rules: "sniff teams=on", Pace: table.PaceNormal, Pairs: true}, c.arena)
	require.Equal(t, 15*time.Minute, c.length)
	require.Equal(t, []time.Time{pagetest.Now.Add(5 * time.Minute)}, c.planned)
	require.Equal(t, page.Target{Kind: page.Arena, Event: 7}, pagetest.Take[page.GotoMsg](t, d).To)
	c.answer = arena.ErrNone
	d.Press("enter")
	require.Equal(t, string(arena.ErrNone), pagetest.Take[page.Toast](t, d).Text)
}

// No game of a guest counts, and the form says so before the table exists.
func TestAGuestsTableIsCasual(t *testing.T) {
	for me, says := range map[table.PlayerID]string{7: "rated if only members play", -7: "casual: with a guest"} {
		p := open(theme.Digits, &fakeClub{me: me})
		_, line := p.ruleLine(80)
		require.Contains(t, ansi.Strip(line), says)
	}
}
