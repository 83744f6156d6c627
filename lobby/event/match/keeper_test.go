package match

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The news say of each match who has won it, and how; if nobody has, who advances in a cup.
func TestResultInTheNews(t *testing.T) {
	owl, cat := Team{ID: 1, Tag: "OWL", Name: "Owls"}, Team{ID: 2, Tag: "CAT", Name: "Cats"}
	m := Match{No: 1, Round: 1, Done: true, Sides: [2]Side{{Team: owl, Wins: 1}, {Team: cat, Wins: 2}}}
	v := View{Config: Config{Name: "Winter"}}
	result := func(winner int, walkover bool) string {
		m.Winner, m.Walkover = winner, walkover
		return v.result(&m)
	}
	require.Equal(t, "Cats [CAT] beat Owls [OWL] by 2 games to 1 in round 1 of Winter", result(2, false))
	require.Equal(t, "Owls [OWL] beat Cats [CAT] by default in round 1 of Winter", result(1, true))
	require.Equal(t, "No winner between Owls [OWL] and Cats [CAT] in round 1 of Winter", result(0, false))
	v.Rounds = [][]Tie{{{Round: 1, Teams: [2]Team{cat, owl}, Match: 1, Winner: 2}}, nil}
	v.Matches = []Match{m}
	v.Matches[0].Winner = 0
	require.Equal(t, "No winner between Owls [OWL] and Cats [CAT] in a semifinal of Winter; Owls [OWL] advances with the better seed",
		result(0, false))
	require.Equal(t, "no winner between [OWL] and [CAT] ([OWL] advances)", v.brief(&v.Matches[0]))
	v.Rounds = v.Rounds[:1]
	require.Equal(t, "No winner between Owls [OWL] and Cats [CAT] in the final of Winter", result(0, false))
	v.Rounds = make([][]Tie, 4)
	require.Equal(t, "Cats [CAT] beat Owls [OWL] by 2 games to 1 in round 1 of Winter", result(2, false))
	require.Equal(t, "[CAT] beat [OWL] 2:1", v.brief(&m))
	one, all := v.Round(2)
	require.Equal(t, [2]string{"a quarterfinal", "the quarterfinals"}, [2]string{one, all})
}

// The matches that end with a window are one piece of news, since there may be only six at once.
func TestManyResultsAreOnePieceOfNews(t *testing.T) {
	now := time.Now()
	v := View{Config: Config{Name: "Winter"}}
	for no := 1; no <= 8; no++ {
		m := Match{No: no, Round: 2, Done: true, Decided: now, Winner: no % 3, Walkover: no == 4}
		m.Sides = [2]Side{{Team: Team{Tag: "A" + string(rune('0'+no))}, Wins: 2}, {Team: Team{Tag: "B" + string(rune('0'+no))}, Wins: 1}}
		v.Matches = append(v.Matches, m)
	}
	v.Matches[6].Decided = now.Add(-time.Minute)
	v.Matches[7].Decided = now.Add(-resultIsNew)
	news := func(now time.Time) (all []string) {
		v.news(now, func(_ *Match, say string) { all = append(all, say) })
		return all
	}
	require.Equal(t, []string{
		"In round 2 of Winter: [A1] beat [B1] 2:1, [B2] beat [A2] 1:2, no winner between [A3] and [B3], [A4] beat [B4] by default, " +
			"[B5] beat [A5] 1:2, no winner between [A6] and [B6]",
		" [A7] beat  [B7] by 2 games to 1 in round 2 of Winter",
	}, news(now))
	require.Empty(t, news(now.Add(-2*resultIsNew)), "the clock was set back since")
	v.Rounds = make([][]Tie, 4)
	require.Contains(t, news(now)[0], "In the quarterfinals of Winter: [A1] beat [B1] 2:1, ")
	for len(v.Matches) < 50 {
		v.Matches = append(v.Matches, v.Matches[0])
	}
	require.Regexp(t, `, \[A1\] beat \[B1\] 2:1, and 38 other results$`, news(now)[0])
	require.Less(t, len(news(now)[0]), 400)
}
