package play

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// At 80 columns and more the list of moves has whole names and receipts; the rest can be scrolled to.
func TestMovesAreWhole(t *testing.T) {
	s := sit(t, "classic", 1, "ana-maria-teresa", "ben", "cleopatra-7th-qu", "nora.bot")
	s.deal()
	for i := 0; i < 30 && s.game.Phase() == rules.Playing; i++ {
		s.move()
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		for _, pov := range []rules.Seat{0, 2} {
			p := at(t, s.of(pov))
			p.Resize(size[0], size[1]-4)
			p.press("m")
			all := ""
			for range 40 {
				all += shown(p, size[0], size[1]) + "\n"
				p.press("up")
			}
			require.True(t, p.moves, "scrolling does not leave the page")
			first := shown(p, size[0], size[1])
			p.press("up")
			require.Equal(t, first, shown(p, size[0], size[1]), "there is no more")
			require.Contains(t, first, " leads.")
			all = strings.Join(strings.Fields(all), " ")
			if pov != 0 || size[1] > 30 { // otherwise bytes are scarce
				for _, e := range p.view.Log {
					if e.Terms != nil {
						require.Contains(t, all, rules.Sum(e.Terms, e.Event.Count, "+")+", ", "%v, seat %d, move %d", size, pov, e.Number)
					}
				}
			}
			require.NotContains(t, all, "…")
			require.Contains(t, all, " cleopatra-7th-qu ")
			p.press("x")
			require.False(t, p.moves)
		}
	}
}

// A player who has drawn and runs out of time has had one turn, not two.
func TestLateTurnIsOne(t *testing.T) {
	v := &table.View{}
	v.Play.Round = 1
	for _, k := range []rules.MoveKind{rules.Draw, rules.Draw, 0, rules.Play} {
		e := &table.Entry{Round: 1, Number: len(v.Log) + 1, Event: rules.Event{Move: rules.Move{Seat: 2, Kind: k}}, Late: k == rules.Play}
		if k == 0 {
			e = &table.Entry{Round: 1, Text: "ben is out of time."}
		}
		v.Log = append(v.Log, e)
	}
	all := turns(v)
	require.Len(t, all, 1)
	require.Len(t, all[0], 3)
	require.Len(t, v.Log, 4, "a view is shared")
}

// A log of a single row shows the beginning of the last turn, not its end.
func TestLogOfOneRowBegins(t *testing.T) {
	s := sit(t, "classic", 1, "ana-maria-teresa", "ben", "cleopatra-7th-qu", "nora.bot")
	s.deal()
	for range 12 {
		s.move()
		all := turns(s.of(2))
		last := all[len(all)-1]
		require.Regexp(t, `▸ ?`+strconv.Itoa(last[len(last)-1].Turn)+" ", screenAs(s.of(2), 40, 12))
	}
	s.tell("A bot plays on for cleopatra-7th-qu, as the others have voted.")
	require.Contains(t, screenAs(s.of(2), 40, 12), "A bot plays on for cleo")
}

// The log beside the board wraps names and receipts instead of cutting them.
func TestLogIsWhole(t *testing.T) {
	s := sit(t, "classic", 1, "ana-maria-teresa", "ben", "cleopatra-7th-qu", "nora.bot")
	s.deal()
	for i := 0; i < 8; i++ {
		s.move()
	}
	p := at(t, s.of(2))
	screen := shown(p, 120, 40)
	for _, e := range p.view.Log {
		if e.Terms != nil {
			require.Contains(t, screen, rules.Sum(e.Terms, e.Event.Count, "+")+", ", "move %d", e.Number)
		}
	}
	require.Contains(t, screen, " cleopatra-7th-qu ")
	require.NotContains(t, screen, "cleopatra-7th-…")
}

// On wide screens the log begins with a whole turn; empty rows part it from the chat, and suits from hands.
func TestTheLogBesideTheBoard(t *testing.T) {
	first := regexp.MustCompile(`^[▸ ]{0,3}(\d+ |Round )`)
	for _, sc := range scenes(t) {
		for _, size := range [][2]int{{100, 30}, {120, 40}, {200, 50}, {160, 24}, {150, 19}} {
			screen := screenOf(sc.open(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)), size[0], size[1])
			for y, line := range screen {
				beside := func(title string) (x int, ok bool) {
					before, after, ok := strings.Cut(line, title)
					return ansi.StringWidth(before), ok && strings.HasPrefix(after, " ───") && y > 2
				}
				if x, ok := beside("Log"); ok {
					require.Regexp(t, first, ansi.Cut(screen[y+1], x, size[0]), "%s %v\n%s", sc.name, size, strings.Join(screen, "\n"))
				}
				if x, ok := beside("Hands"); ok && size[1] >= 40 {
					require.Empty(t, strings.TrimSpace(ansi.Cut(screen[y-1], x, size[0])), "%s %v\n%s", sc.name, size, strings.Join(screen, "\n"))
				}
				if x, ok := beside("Chat"); ok {
					require.Empty(t, strings.TrimSpace(ansi.Cut(screen[y-1], x, size[0])), "%s %v\n%s", sc.name, size, strings.Join(screen, "\n"))
				}
			}
		}
	}
}

// A wide and flat screen has log and chat beside the board.
func TestAFlatScreen(t *testing.T) {
	s := lead(t)
	for _, size := range [][2]int{{150, 19}, {160, 24}, {220, 24}} {
		screen := screenAs(s.of(1), size[0], size[1])
		require.Contains(t, screen, "Log ───")
		require.Contains(t, screen, "Chat ───")
		require.Contains(t, screen, "Your move.")
	}
}

// At 80 columns no name is cut for why its player is away, or for the tag of their team.
func TestLongNamesAreWhole(t *testing.T) {
	names := []string{"bartholomew-smit", "maximiliana-long", "cleopatra-of-ale", "theodora-the-gre"}
	for _, rule := range []string{"classic", "block"} { // alone and as partners
		s := sit(t, rule, 1, names...)
		s.deal()
		for i, how := range []table.Presence{table.Here, table.Disconnected, table.Left, table.Absent} {
			s.view.Seats[i].Presence = how
		}
		v := s.of(1)
		if v.Play.Rules.Teams {
			v.Tags = [2]string{"OWL", "GREAS"}
		}
		for _, w := range []int{80, 90, 111} {
			screen := screenAs(v, w, 24)
			for i, state := range []string{" you", " gone", " left", " away"} {
				require.Regexp(t, names[i]+" ?"+state, screen, "%s, %d columns", rule, w)
				require.True(t, !v.Play.Rules.Teams || strings.Contains(screen, state+" "+v.Tags[i%2]), "%d columns", w)
			}
		}
	}
}

// From 64 columns on, each name of a player who is there is whole; a bar gives way to it.
func TestNamesComeBeforeBars(t *testing.T) {
	names := []string{"bartholomew-smit", "maximiliana-long", "cleopatra-of-ale", "theodora-the-gre"}
	for _, rule := range []string{"classic", "block"} {
		s := sit(t, rule, 1, names...)
		s.deal()
		for w := 64; w < wideFrom; w++ {
			for _, pov := range []rules.Seat{0, 1} {
				screen := screenAs(s.of(pov), w, 20)
				for _, name := range names {
					require.Contains(t, screen, name, "%s, %d columns, seat %d", rule, w, pov)
				}
			}
		}
	}
}

// From 18 rows on, a spinner is drawn as a picture, also between four players.
func TestTheBoardHasRoomForASpinner(t *testing.T) {
	names := []string{"ana", "ben", "cem", "dora"}
	for n := 2; n <= len(names); n++ {
		s := sit(t, "classic", 1, names[:n]...)
		s.deal()
		p := at(t, s.of(1))
		for h := 18; h <= 60; h++ {
			for _, w := range []int{60, 72, 80, 160} {
				_, body := page.Room(h)
				p.Resize(w, body)
				require.GreaterOrEqual(t, p.places().h, spinnerRows, "%d players, %d×%d", n, w, h)
			}
		}
	}
}

// Partners' names are whole if there is room, side by side or with the letter of their side beside them.
func TestPartnersNamesAreWhole(t *testing.T) {
	names := []string{"bartholomew-smit", "maximiliana-long", "cleopatra-of-ale", "theodora-the-gre"}
	s := sit(t, "block", 1, names...)
	s.deal()
	for _, size := range [][2]int{{120, 40}, {120, 36}, {200, 40}} {
		screen := screenAs(s.of(0), size[0], size[1])
		for i, name := range names {
			if size[1] < 40 {
				name += " " + string("AB"[i%2]) + " "
			}
			require.Contains(t, screen, name, "%v", size)
		}
	}
}

// Where a bot's name does not fit, it loses the bot's strength.
func TestBotsHaveShortNames(t *testing.T) {
	s := sit(t, "classic", 1, "cleopatra", "nora.regular", "otto.regular", "viv.regular")
	s.deal()
	for range 3 {
		s.move()
	}
	small := screenAs(s.of(1), 40, 12)
	for _, name := range []string{"nora", "otto", "viv"} {
		require.Contains(t, small, name+" ")
		require.Contains(t, screenAs(s.of(1), 60, 20), name+".regular ")
	}
	require.NotContains(t, small, "nora.")
}

// The turns below the board have whole names.
func TestTurnsHaveWholeNames(t *testing.T) {
	s := sit(t, "classic", 1, strings.Repeat("A", text.MaxName), "ben")
	s.deal()
	for range 3 {
		s.move()
	}
	p := watch(s)
	p.view = s.of(1)
	for _, w := range []int{60, 80, 100} {
		p.Resize(w, 26)
		require.Regexp(t, `\d A{16} \d-\d`, ansi.Strip(strings.Join(p.Lines(), "\n")), "%d columns", w)
	}
}
