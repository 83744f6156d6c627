package play

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
	"boneyard/ui/theme"
)

// After a round and a game the layout stays as it was, tile by tile; after a round it does not even move.
func TestFinalLayoutStays(t *testing.T) {
	for _, rule := range []string{"classic", "block", "sniff"} {
		for _, size := range [][2]int{{80, 24}, {100, 36}, {120, 40}, {200, 50}} {
			for seed := range byte(4) {
				s := sit(t, rule, seed, "ana", "ben", "cleopatra", "dora")
				s.deal()
				s.toRoundEnd()
				for _, pov := range []rules.Seat{0, 1} {
					p := watch(s)
					p.view = s.of(pov)
					p.Resize(size[0], size[1]-4)
					d := p.picture()
					a := d.places().board
					d.v.Play.Turn = 0
					inPlay := d.playing()
					require.Equal(t, rowsOf(a, inPlay), rowsOf(a, d.scoring()), "%s seed %d, seat %d at %v", rule, seed, pov, size)

					over := *p.view
					over.State, over.Seed = table.Finished, strings.Repeat("0", 64)
					over.Result = &table.Result{Ending: table.EndPlayed, Winner: 1, Rated: true, Rounds: 1,
						Changes: []table.Delta{{Kind: "player", Name: "ana", After: 1}, {Kind: "player", Name: "ben", After: 1}}}
					p.view = &over
					d = p.picture()
					before := strings.Trim(strings.Join(rowsOf(a, inPlay), "\n"), "\n")
					if rows := strings.Count(before, "\n"); rows < 9 || size[1] > 24 && rows < a.h*3/4 { // or there is no room for all
						all := rect{a.x, 0, a.w, p.Height}
						require.Contains(t, strings.Join(rowsOf(all, d.finished()), "\n"), before, "%s seed %d, seat %d at %v", rule, seed, pov, size)
					}
				}
			}
		}
	}
}

// rowsOf returns the rows of the board.
func rowsOf(a rect, lines []string) []string {
	rows := make([]string, a.h)
	for i := range rows {
		rows[i] = strings.TrimRight(ansi.Strip(ansi.Cut(lines[a.y+i], a.x, a.x+a.w)), " ")
	}
	return rows
}

// Players read how a game ended for them as "you".
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		rule   string
		names  []string
		scores []rules.Points
		result table.Result
		pov    rules.Seat
		want   string
	}{
		{"classic", []string{"ana", "ben"}, []rules.Points{200, 158}, table.Result{Ending: table.EndPlayed, Winner: 1}, 1, "You win 200–158."},
		{"classic", []string{"ana", "ben"}, []rules.Points{200, 158}, table.Result{Ending: table.EndPlayed, Winner: 1}, 2, "ana wins 200–158."},
		{"classic", []string{"ana", "ben"}, []rules.Points{200, 158}, table.Result{Ending: table.EndPlayed, Winner: 1}, 0, "ana wins 200–158."},
		{"classic", []string{"ana", "ben", "cem"}, []rules.Points{20, 205, 90}, table.Result{Ending: table.EndPlayed, Winner: 2}, 2,
			"You win with 205."},
		{"classic", []string{"ana", "ben", "cem"}, []rules.Points{20, 205, 90}, table.Result{Ending: table.EndPlayed, Winner: 2}, 3,
			"ben wins with 205; you have 90."},
		{"block", []string{"ana", "ben", "cem", "dan"}, []rules.Points{40, 105}, table.Result{Ending: table.EndPlayed, Winner: 2}, 4,
			"You and ben win 105–40."},
		{"block", []string{"ana", "ben", "cem", "dan"}, []rules.Points{40, 105}, table.Result{Ending: table.EndPlayed, Winner: 2}, 1,
			"ben and dan win 105–40."},
		{"block", []string{"ana", "ben", "cem", "dan"}, []rules.Points{40, 105}, table.Result{Ending: table.EndPlayed, Winner: 2}, 0,
			"ben and dan win 105–40."},
		{"block", []string{"ana", "ben", "cem", "dan"}, []rules.Points{40, 105},
			table.Result{Ending: table.EndPlayed, Winner: 2, Changes: []table.Delta{{Kind: "team", Name: "Owls"}, {Kind: "team", Name: "Cats"}}}, 2,
			"You and dan win 105–40 for Cats."},
		{"classic", []string{"ana", "ben"}, []rules.Points{20, 158}, table.Result{Ending: table.EndForfeit, Winner: 1, Why: "ben has resigned."},
			1, "You win: ben has resigned."},
		{"classic", []string{"ana", "ben"}, []rules.Points{30, 30}, table.Result{Ending: table.EndPlayed}, 1,
			"Nobody wins: the highest score is shared."},
		{"classic", []string{"ana", "ben"}, nil, table.Result{Ending: table.EndAbandoned}, 1, "The game ended without a result."},
	} {
		s := sit(t, c.rule, 1, c.names...)
		s.deal()
		v := s.of(c.pov)
		copy(v.Play.Scores[:], c.scores)
		v.Result = &c.result
		p := newPage(envFor(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)), &fakeClub{}, 1)
		p.view = v
		require.Equal(t, c.want, p.picture().verdict())
	}
}

// The smallest screen says the most important thing of a rare end whole.
func TestRareEndsOnTheSmallestScreen(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ben")
	s.deal()
	for want, change := range map[string]func(*table.View){
		" Adjourned until everyone is back.": func(v *table.View) { v.State = table.Adjourned },
		" ben is away. c: claim the game.": func(v *table.View) { // who has not come back in time
			v.State, v.Deadline, v.Seats = table.Waiting, epoch.Add(-time.Minute), slices.Clone(v.Seats)
			v.Seats[1].Presence, v.May.Vote = table.Absent, map[table.Vote]bool{table.VoteClaim: true}
		},
		" Nobody wins: the highest score is": func(v *table.View) {
			v.State, v.Result = table.Finished, &table.Result{Ending: table.EndPlayed}
		},
		" This game is over; press q to go back.": func(v *table.View) {
			v.State, v.Result, v.Config.Event = table.Finished, &table.Result{Ending: table.EndPlayed}, table.Event{ID: 7}
		},
	} {
		v := *s.of(1)
		change(&v)
		require.Contains(t, screenAs(&v, 40, 12), want)
	}
}

// A person who sat down after a game is not treated as one of its players.
func TestVerdictForWhoDidNotPlay(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ben")
	s.deal()
	v := s.of(2)
	v.Result = &table.Result{Ending: table.EndPlayed, Winner: 2}
	v.Seats = []table.SeatView{v.Seats[0], {Player: table.Player{ID: 9, Name: "zoe"}}}
	p := newPage(envFor(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)), &fakeClub{}, 1)
	p.view = v
	require.Equal(t, "ben wins 0–0.", p.picture().verdict())
}

// A result names the players who had left.
func TestLeaversAreNamed(t *testing.T) {
	s := sit(t, "block", 3, "ana", "ben", "cleopatra", "dora")
	s.toGameEnd()
	s.view.Result = &table.Result{Ending: table.EndPlayed, Winner: 1, Leavers: []int{2, 4}}
	for _, size := range sizes[1:] {
		require.Contains(t, screenAs(s.of(1), size[0], size[1]), "ben and dora left the game before it ended.")
	}
}

// After a round all hands are shown whole, even if one has drawn the whole boneyard.
func TestHandsLaidOpenAreWhole(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		for seed := range byte(20) {
			s := sit(t, "classic", seed, "ana", "ben", "cleopatra", "nora.regular")
			s.deal()
			s.toRoundEnd()
			s.view.Chances = []int{75, 25}
			screen := screenAs(s.of(0), size[0], size[1])
			for _, hand := range s.of(0).Play.Open {
				for _, tile := range hand.Tiles() {
					require.Regexp(t, tile.Name()+`|\[`+strings.Replace(tile.Name(), "-", "│", 1)+`\]`, screen, "seed %d", seed)
				}
			}
		}
	}
}

// A round's result names the team that won it.
func TestRoundOfATeam(t *testing.T) {
	s := sit(t, "classic teams=on", 1, "ana", "ben", "cleopatra", "dora")
	s.view.Config.Access = table.AccessTeams
	s.view.Teams = [2]string{"Night Owls", "Elbow Grease"}
	s.deal()
	s.toRoundEnd()
	for winner, want := range map[rules.Seat][2]string{
		1: {"you and cleopatra win it for Night Owls, +24.", "Night Owls wins it, +24."},
		4: {"Elbow Grease wins it. ana + cleopatra +24", "Elbow Grease wins it. ana + cleopatra +24"},
	} {
		v, watched := s.of(1), s.of(0)
		for _, res := range []*rules.RoundResult{&v.Play.Result, &watched.Play.Result} {
			res.Winner, res.Change = winner, [rules.MaxSeats]rules.Points{24}
		}
		require.Contains(t, screenAs(v, 80, 24), "Round 1 is over: "+want[0])
		require.Contains(t, screenAs(watched, 80, 24), "Round 1 is over: "+want[1])
	}
}

// Where hands cost points, the winner's loss is not taken for what the round was won with.
func TestRoundWonByATeamThatLoses(t *testing.T) {
	s := sit(t, "sniff teams=on", 1, "ana", "ben", "cleopatra", "dora")
	s.deal()
	s.toRoundEnd()
	v := s.of(1)
	v.Play.Result.Winner, v.Play.Result.Change = 2, [rules.MaxSeats]rules.Points{-25, -5}
	require.Contains(t, screenAs(v, 100, 30), "Round 1 is over: ben and dora win it (hands -5). ana + cleopatra -25")
}

// At both tables of a duplicate match a team has the letter that the match gives it.
func TestLettersOfADuplicateMatch(t *testing.T) {
	s := sit(t, "classic teams=on", 1, "ana", "ben", "cleopatra", "dora")
	s.deal()
	for _, c := range []struct {
		at   table.Event
		want string
	}{
		{table.Event{}, "A"},
		{table.Event{ID: 7, Pairing: 1, Sealed: true}, "A"},
		{table.Event{ID: 7, Pairing: 2, Sealed: true}, "B"},
		{table.Event{ID: 7, Pairing: 2, Sealed: true, Field: true}, "A"},
	} {
		v := s.of(2)
		v.Config.Event = c.at
		require.Regexp(t, `ana +`+c.want+` `, screenAs(v, 80, 24))
	}
}

// The row of chances names everybody whole where that has room: only two sides have a bar.
func TestChancesNameEverybody(t *testing.T) {
	names := []string{"cleopatra", "frank_the_great1", "marie-antoinette", "nora.regular"}
	require.Len(t, names[1], text.MaxName)
	s := sit(t, "classic", 1, names...)
	s.deal()
	s.view.Chances = []int{40, 30, 20, 10}
	for _, w := range []int{112, 120, 132} {
		lines := strings.Split(screenAs(s.of(0), w, 40), "\n")
		i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "To win") })
		require.GreaterOrEqual(t, i, 0)
		for _, name := range names {
			require.Contains(t, lines[i], name+" ", "%d columns", w)
		}
	}
}

// The longest names are whole beside the hands that a round left: below 60 columns, where a sentence about the round
// that names both partners has no room, and in the panel of a wide screen.
func TestLongNamesAreWholeWhenARoundIsOver(t *testing.T) {
	names := []string{strings.Repeat("A", text.MaxName), strings.Repeat("B", text.MaxName), strings.Repeat("C", text.MaxName), "dora"}
	s := sit(t, "block", 1, names...)
	s.deal()
	s.toRoundEnd()
	p := newPage(envFor(theme.Get(theme.Mono, colorprofile.NoTTY, theme.Digits)), &fakeClub{}, 1)
	p.view = s.of(1)
	clear(p.view.Play.Open[:]) // no tiles take their room
	for _, size := range [][2]int{{45, 12}, {120, 40}} {
		p.Resize(size[0], size[1])
		drawn := strings.Join(p.Lines(), "\n")
		for _, name := range names {
			require.Contains(t, drawn, name+"  ", drawn)
		}
		require.NotContains(t, strings.SplitN(drawn, "\n", 2)[0], "…")
	}
}
