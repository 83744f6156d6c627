package remote_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/stretchr/testify/require"
)

// team makes a team of two, a captain and another member.
func (c *club) team(tag string) *person {
	c.T.Helper()
	ctx := context.Background()
	captain, other := c.member("cap"+strings.ToLower(tag)), c.member("two"+strings.ToLower(tag))
	a, b := captain.enter(), other.enter()
	t, err := a.CreateTeam(ctx, "The "+tag, tag)
	require.NoError(c.T, err)
	require.NoError(c.T, a.Invite(ctx, b.Player().Name))
	require.NoError(c.T, b.Accept(ctx, t.ID))
	return captain
}

func moment(in time.Duration) string { return time.Now().Add(in).UTC().Format("2006-01-02T15:04") }

// rowsOf are the rows of a type in an answer.
func rowsOf[T any](t *testing.T, out, kind string) (rows []T) {
	t.Helper()
	for line := range strings.Lines(out) {
		if strings.Contains(line, `"type":"`+kind+`"`) {
			var r T
			require.NoError(t, json.Unmarshal([]byte(line), &r))
			rows = append(rows, r)
		}
	}
	return rows
}

// fixture is what the test reads of a match.
type fixture struct {
	Tags  [2]string
	State string
}

// Operators make leagues and cups, captains sign up and agree on times, and everybody can read the state.
func TestLeagueAndCup(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.member("olga")
		boss.boss = true
		require.Contains(t, c.ok(boss, "league"), "No league is planned")
		teams := []*person{c.team("OWL"), c.team("CAT"), c.team("DOG"), c.team("BAT"), c.team("FOX")}
		status, _, errs := c.run(teams[0], "league new at="+moment(time.Hour)+" name=Winter")
		require.Equal(t, 1, status)
		require.Contains(t, errs, "Only operators")
		for wrong, want := range map[string]int{
			"league new at=soon name=x": 2, "league new window=long name=x": 2, "league new divisions=many name=x": 2,
			"league new after=x name=x": 2,
			"league new chess name=x":   2, "league new divisions=99 name=xy": 2, "league new": 2, "league 99": 1,
			"league x": 2, "league 1 jump": 2, "cup 1": 1,
		} {
			status, _, errs = c.run(boss, wrong)
			require.Equal(t, want, status, wrong)
			require.NotEmpty(t, errs, wrong)
		}
		made := c.ok(boss, "league new at="+moment(time.Hour)+" window=7d block target=50 pace=fast name=Winter league --json")
		require.Contains(t, made, `"contest":1,"kind":"league","name":"Winter league","state":"planned"`)
		require.Contains(t, made, `"rules":"block target=50","pace":"fast","hours":168,"minutes":10080`)
		require.Contains(t, c.ok(boss, "cup new at="+moment(time.Hour)+" round=36h name=Winter cup --json"), `"contest":2,"kind":"cup"`)
		status, _, _ = c.run(boss, "cup 1")
		require.Equal(t, 1, status, "a league is no cup")
		status, _, _ = c.run(teams[0], "cup 1 join")
		require.Equal(t, 1, status, "a league is no cup")
		require.Contains(t, c.ok(boss, "league 1 --json"), `"teams":0`, "what is refused is not done")
		for _, captain := range teams {
			c.ok(captain, "league 1 join")
			require.Contains(t, c.ok(captain, "cup 2 join"), "Your team takes part; captains withdraw it: cup 2 leave\n")
		}
		require.NotContains(t, c.ok(teams[4], "league 1 leave"), "FOX")
		c.ok(teams[4], "league 1 join")
		const own = "You are in no team: wait to be invited, or make one in line mode: team new TAG NAME"
		require.Contains(t, c.ok(boss, "cup 2"), "To take part, captains sign up their team: cup 2 join\n"+own)
		require.NotContains(t, c.ok(teams[0], "cup 2"), own)
		for _, planned := range []string{"league 1 --json", "cup 2 --json"} {
			require.Contains(t, c.ok(boss, planned), `"tags":["OWL","CAT","DOG","BAT","FOX"]`)
		}
		time.Sleep(time.Hour)
		synctest.Wait()

		out := c.ok(boss, "league 1 --json")
		places, fixtures := rowsOf[map[string]any](t, out, "place"), rowsOf[fixture](t, out, "match")
		require.Len(t, places, 5)
		require.Len(t, fixtures, 10)
		bracket := rowsOf[map[string]any](t, c.ok(boss, "cup 2 --json"), "bracket")
		require.Len(t, bracket, 4+2+1)
		require.Contains(t, c.ok(boss, "cup 2"), "Semifinals:")
		require.Contains(t, c.ok(boss, "cup 2"), " has a bye")
		require.Regexp(t, `(?m)^    1  quarterfinal  [A-Z]`, c.ok(boss, "cup 2"))

		first := fixtures[0]
		by := func(tag string) *person { return teams[strings.Index("OWLCATDOGBATFOX", tag)/3] }
		a, b := by(first.Tags[0]), by(first.Tags[1])
		require.Contains(t, c.ok(a, "league 1"), "propose a time (L in the lobby, or league 1 propose).")
		at := moment(2 * time.Hour)
		require.Contains(t, c.ok(a, "league 1 propose "+at), "you have proposed")
		require.Contains(t, c.ok(b, "league 1"), "they propose")
		require.Contains(t, c.ok(a, "league 1 propose nothing"), "propose a time")
		c.ok(a, "league 1 propose "+at)
		require.Contains(t, c.ok(b, "league 1 accept"), "Your team plays The "+first.Tags[0]+" on ")
		low := func(i int) string { return strings.ToLower(first.Tags[i]) }
		c.ok(a, fmt.Sprintf("league 1 lineup two%s cap%s", low(0), low(0)))
		c.ok(a, "league 1 lineup anybody")
		status, _, _ = c.run(a, fmt.Sprintf("league 1 lineup two%s cap%s", low(0), low(1)))
		require.Equal(t, 1, status)
		require.Equal(t, "agreed", rowsOf[fixture](t, c.ok(boss, "league 1 --json"), "match")[0].State)

		text := c.ok(a, "calendar")
		for line := range strings.Lines(text) {
			require.True(t, strings.HasSuffix(line, "\r\n"), "%q", line)
			require.LessOrEqual(t, len(line), 77)
		}
		cal, err := ics.ParseCalendar(strings.NewReader(text))
		require.NoError(t, err)
		found := false
		for _, e := range cal.Events() {
			begins, err := e.GetStartAt()
			require.NoError(t, err)
			if strings.HasPrefix(e.Id(), "league-1-match-1@") {
				found = true
				require.Equal(t, at, begins.UTC().Format("2006-01-02T15:04"))
				require.Equal(t, "Winter league: your team plays The "+first.Tags[1], e.GetProperty(ics.ComponentPropertySummary).Value)
			}
		}
		require.True(t, found, text)
		require.Contains(t, c.ok(nil, "calendar --json"), `"title":"Winter cup: end of the quarterfinals"`)

		require.Contains(t, c.ok(boss, "cup new at="+moment(time.Hour)+" name=Spring"), "planned")
		require.Contains(t, c.ok(boss, "cup 3 off"), "called off")
		require.Contains(t, c.ok(boss, "arena new in=30 classic"), "\nTo take part: arena 4 enter\n")
		require.NotContains(t, c.ok(boss, "arena 4 enter"), "To take part")
	})
}

// planned is an entry of somebody's calendar.
type planned struct {
	begins, ends time.Time
	change       int
	off          bool
}

// calendar reads somebody's calendar, by identifier.
func (c *club) calendar(p *person) map[string]planned {
	c.T.Helper()
	cal, err := ics.ParseCalendar(strings.NewReader(c.ok(p, "calendar")))
	require.NoError(c.T, err)
	all := map[string]planned{}
	for _, e := range cal.Events() {
		var a planned
		a.begins, err = e.GetStartAt()
		require.NoError(c.T, err)
		a.ends, err = e.GetEndAt()
		require.NoError(c.T, err)
		require.Greater(c.T, a.ends, a.begins)
		a.change, err = strconv.Atoi(e.GetProperty(ics.ComponentPropertySequence).Value)
		require.NoError(c.T, err)
		status := e.GetProperty(ics.ComponentPropertyStatus)
		a.off = status != nil && status.Value == "CANCELLED"
		require.Equal(c.T, "ssh club.example.org", e.GetProperty(ics.ComponentPropertyLocation).Value)
		require.NotContains(c.T, all, e.Id())
		all[e.Id()] = a
	}
	return all
}

// An entry of a calendar stays until its time has come, perhaps as cancelled, and its sequence number grows
// when that or its time changes. No two clubs share an identifier.
func TestCalendarsCanBeReadAgain(t *testing.T) {
	var clubs []map[string]planned
	for range 2 {
		bubble(t, func(t *testing.T, c *club) {
			boss, owl, cat := c.member("olga"), c.team("OWL"), c.team("CAT")
			boss.boss = true
			in := func(n int) string { return moment(time.Duration(n) * time.Hour) }
			for _, create := range []string{"arena new length=60 block at=" + in(30), "field new block at=" + in(31), "cup new at=" + in(32) + " name=Spring", "league new at=" + in(2) + " name=Winter"} {
				c.ok(boss, create)
			}
			before, told := c.calendar(owl), 0
			require.Len(t, before, 4)
			clubs = append(clubs, before)
			for _, step := range []func(){
				func() { c.ok(boss, "arena 1 off") },
				func() { c.ok(boss, "field 2 off"); c.ok(boss, "cup 3 off") },
				func() { c.ok(owl, "league 4 join"); c.ok(cat, "league 4 join"); time.Sleep(2 * time.Hour) },
				func() { c.ok(owl, "league 4 propose "+in(40)); c.ok(cat, "league 4 accept") },
				func() { time.Sleep(time.Hour) },
				func() { c.ok(owl, "league 4 propose "+in(50)); c.ok(cat, "league 4 accept") },
				func() { time.Sleep(9 * 24 * time.Hour) },
			} {
				step()
				synctest.Wait()
				now := c.calendar(owl)
				for id, was := range before {
					is, there := now[id]
					if !there {
						require.False(t, was.ends.After(time.Now()), "%s has vanished", id)
						continue
					}
					if !strings.HasPrefix(id, "daily") && (!is.begins.Equal(was.begins) || is.off != was.off) {
						require.Greater(t, is.change, was.change, id)
						told++
					}
				}
				before = now
			}
			require.GreaterOrEqual(t, told, 3+2, "three were called off, and a match has moved twice")
			for id, a := range before {
				require.False(t, a.off, "%s is forgotten after a week", id)
			}
		})
	}
	for id := range clubs[0] {
		require.NotContains(t, clubs[1], id)
	}
}

// Lists tell the time for a match to the minute, also where it is less than an hour.
func TestTimeForAMatch(t *testing.T) {
	bubble(t, func(t *testing.T, c *club) {
		boss := c.member("olga")
		boss.boss = true
		for _, x := range []struct{ round, shown, fields string }{
			{"7d", "7 d", `"hours":168,"minutes":10080`}, {"36h", "36 h", `"hours":36,"minutes":2160`},
			{"90m", "90 min", `"hours":1,"minutes":90`}, {"20m", "20 min", `"hours":0,"minutes":20`},
		} {
			time.Sleep(time.Second) // one person makes one cup at a moment
			require.Contains(t, c.ok(boss, "cup new at="+moment(time.Hour)+" round="+x.round+" name=Spring --json"), x.fields)
			require.Regexp(t, ` planned +\S+ +`+x.shown+` +block `, c.ok(boss, "cup"))
		}
	})
}
