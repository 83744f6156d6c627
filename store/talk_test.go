package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/store"
	"boneyard/table"
)

func TestLobbyChatComesBack(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	var said []lobby.Line
	for i := range 30 {
		l := lobby.Line{At: noon.Add(time.Duration(i)), From: table.Player{ID: 1, Name: "ana", Tag: "ABC"}, Text: fmt.Sprint("línea ", i),
			House: i%7 == 0}
		seq, err := s.Say(ctx, 0, l)
		require.NoError(t, err)
		require.EqualValues(t, i+1, seq)
		l.Seq = seq
		said = append(said, l)
	}
	mustClose(t, s)
	s = mustOpen(t, path, options(t))
	history, err := s.History(ctx, 0, 20)
	require.NoError(t, err)
	require.Equal(t, said[10:], history)
}

// For a member who is away, the newest lines from the club are kept, and the first from a person.
func TestTheNewestOfTheClubWaits(t *testing.T) {
	s := newStore(t)
	tell := func(from table.PlayerID, n, at int) bool {
		line := lobby.Line{At: noon.Add(time.Duration(at)), From: table.Player{ID: from}, Text: fmt.Sprint(from, " ", n)}
		kept, err := s.KeepTell(ctx, 4, line, 6, 3)
		require.NoError(t, err)
		return kept
	}
	wait := func(want ...string) {
		t.Helper()
		lines, err := s.TakeTells(ctx, 4)
		require.NoError(t, err)
		var got []string
		for _, l := range lines {
			got = append(got, l.Text)
		}
		require.Equal(t, want, got)
	}
	for n := range 5 {
		require.True(t, tell(0, n, n))
		require.Equal(t, n < 3, tell(1, n, n))
	}
	wait("1 0", "1 1", "0 2", "1 2", "0 3", "0 4")
	for n := range 6 {
		require.True(t, tell(table.PlayerID(1+n/3), n, n))
	}
	require.False(t, tell(0, 0, 9), "others have taken the room")
	wait("1 0", "1 1", "1 2", "2 3", "2 4", "2 5")
	for n := range 3 {
		require.True(t, tell(0, n, n))
	}
	require.True(t, tell(0, 3, -1), "put back, since it was not read")
	wait("0 0", "0 1", "0 2")
}

// Each event keeps its last lines, apart from the lobby's.
func TestChatOfEventsComesBack(t *testing.T) {
	s := newStore(t)
	for i := range 250 {
		for _, at := range []table.EventID{0, 7, 8} {
			_, err := s.Say(ctx, at, lobby.Line{At: noon, From: table.Player{ID: 1, Name: "ana"}, Text: fmt.Sprint(at, " ", i)})
			require.NoError(t, err)
		}
	}
	for at, kept := range map[table.EventID]int{0: 250, 7: 200, 8: 200} {
		all, err := s.History(ctx, at, 1000)
		require.NoError(t, err)
		require.Len(t, all, kept)
		require.Equal(t, fmt.Sprint(at, " 249"), all[kept-1].Text)
	}
}

func TestNewsComesBack(t *testing.T) {
	s := newStore(t)
	for i := range 5 {
		id, err := s.AddNews(ctx, lobby.NewsItem{At: noon, Kind: "result", Text: fmt.Sprint("item ", i), Game: table.GameID(i)})
		require.NoError(t, err)
		require.EqualValues(t, i+1, id)
	}
	news, err := s.News(ctx, 2)
	require.NoError(t, err)
	require.Equal(t, []lobby.NewsItem{{ID: 5, At: noon, Kind: "result", Text: "item 4", Game: 4},
		{ID: 4, At: noon, Kind: "result", Text: "item 3", Game: 3}}, news)
}

// The points of a best play are stored; a migration reads those of older files from the sentence.
func TestPointsOfNews(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	for _, n := range []lobby.NewsItem{
		{At: noon, Kind: lobby.NewsBest, Text: "35 points in one play: ana at classic, the best of the day", Points: 35},
		{At: noon, Kind: lobby.NewsResult, Text: "7 of 9", Game: 4},
	} {
		require.NoError(t, errOf(s.AddNews(ctx, n)))
	}
	points := func(s *store.Store) (all []int) {
		news, err := s.News(ctx, 10)
		require.NoError(t, err)
		for _, n := range news {
			all = append(all, n.Points)
		}
		return all
	}
	require.Equal(t, []int{0, 35}, points(s))
	mustClose(t, s)
	beside(t, path, `ALTER TABLE news DROP COLUMN points`, `DELETE FROM goose_db_version WHERE version_id = 80`)
	require.Equal(t, []int{0, 35}, points(mustOpen(t, path, options(t))))
}

func TestSanctions(t *testing.T) {
	s := newStore(t)
	key := keyOf("ben")
	add := func(v lobby.Sanction) lobby.Sanction {
		v.By, v.At, v.Why = "op", noon, "spam"
		id, err := s.AddSanction(ctx, v)
		require.NoError(t, err)
		v.ID = id
		return v
	}
	mute := add(lobby.Sanction{Kind: "mute", Player: 4, Name: "Ben", Until: noon.Add(time.Hour)})
	ban := add(lobby.Sanction{Kind: "ban", Player: 4, Name: "Ben", Key: &key})
	net := add(lobby.Sanction{Kind: "ban", Net: "192.0.2.0/24"})
	short := add(lobby.Sanction{Kind: "ban", Name: "cleo", Until: noon.Add(time.Minute)})
	inForce := func(now time.Time, want ...lobby.Sanction) {
		t.Helper()
		got, err := s.Sanctions(ctx, now)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	lift := func(kind, whom string, want int) {
		t.Helper()
		n, err := s.LiftSanction(ctx, kind, whom, noon)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	inForce(noon, short, net, ban, mute)
	inForce(noon.Add(time.Minute), net, ban, mute)
	inForce(noon.Add(24*time.Hour), net, ban)

	lift("mute", "192.0.2.0/24", 0)
	lift("ban", "", 0)
	lift("ban", "ben", 1) // as it looks; the mute stays
	lift("ban", "ben", 0)
	lift("ban", "192.0.2.0/24", 1)
	lift("ban", fmt.Sprint(short.ID), 1)
	inForce(noon, mute)
}

func TestAuditLogAndReports(t *testing.T) {
	s := newStore(t)
	ana, err := s.Create(ctx, keyOf("ana"), "ana", "ana", noon)
	require.NoError(t, err)
	names := map[table.PlayerID]string{ana.ID: "ana"} // the others are guests
	var audit []lobby.AuditEntry
	var reports []lobby.Report
	for i := range 3 {
		e := lobby.AuditEntry{At: noon.Add(time.Duration(i)), By: "op", Did: "mute", Whom: "ben", Why: fmt.Sprint("reason ", i)}
		require.NoError(t, s.Audit(ctx, e))
		audit = append([]lobby.AuditEntry{e}, audit...)
		r := lobby.Report{At: noon.Add(time.Duration(i)), By: ana.ID - table.PlayerID(2*i), About: fmt.Sprint("ben", i), Text: "rude",
			Where: fmt.Sprint("table ", i)}
		last, err := s.AddReport(ctx, r)
		require.NoError(t, err)
		require.Zero(t, last)
		r.Name, r.Times = names[r.By], 1
		if r.By.Guest() {
			r.By = 0
		}
		reports = append([]lobby.Report{r}, reports...)
	}
	log, err := s.AuditLog(ctx, 2)
	require.NoError(t, err)
	require.Equal(t, audit[:2], log)
	all, err := s.Reports(ctx, 10)
	require.NoError(t, err)
	require.Equal(t, reports, all)
}

// Reports by one person about another are one row; however many come, few are kept, and those of many people
// are not displaced by those of a few.
func TestReportsAreMergedAndBounded(t *testing.T) {
	s := newStore(t)
	network := ""
	report := func(i int, by table.PlayerID, about, what string) time.Time {
		last, err := s.AddReport(ctx,
			lobby.Report{At: noon.Add(time.Duration(i)), By: by, About: about, Text: what, Where: "lobby", Network: network})
		require.NoError(t, err)
		return last
	}
	require.Zero(t, report(1, 7, "Ben", "he shouts"))
	require.Equal(t, noon.Add(1), report(2, 7, "b-e-n", "he shouts"))
	require.Equal(t, noon.Add(2), report(3, 7, "ben", "he curses"))
	require.Zero(t, report(4, 8, "ben", "spam"))
	require.Zero(t, report(5, -5, "ben", "spam"))
	require.Equal(t, noon.Add(5), report(6, -6, "ben", "spam"), "guests of one network are one reporter")
	network = "honest"
	require.Zero(t, report(6, -6, "ben", "spam"), "and of another, another")
	all, err := s.Reports(ctx, 10)
	require.NoError(t, err)
	require.Len(t, all, 4)
	require.Equal(t, lobby.Report{At: noon.Add(3), By: 7, About: "Ben", Text: "he shouts / he curses", Where: "lobby", Times: 3}, all[3])
	for i := range 100 {
		report(10+i, 7, "ben", fmt.Sprint(i, strings.Repeat("é", 100)))
	}
	all, err = s.Reports(ctx, 1)
	require.NoError(t, err)
	require.LessOrEqual(t, len(all[0].Text), 1000)
	require.Equal(t, "99"+strings.Repeat("é", 100), all[0].Text[len(all[0].Text)-202:])

	n := 1000
	flood := func(by table.PlayerID, most int) {
		for range most {
			n++
			report(n, by, fmt.Sprint("x", n), "spam")
		}
	}
	for by := range table.PlayerID(41) {
		flood(1000+by, 51)
	}
	all, err = s.Reports(ctx, 5000)
	require.NoError(t, err)
	require.Len(t, all, 2000)
	each := map[table.PlayerID]int{}
	for _, r := range all {
		each[r.By]++
	}
	require.LessOrEqual(t, each[1001], 50)
	require.Equal(t, 1, each[8], "an honest report stays")
	for n := range 41 {
		network = fmt.Sprint("10.9.", n)
		flood(-1, 51)
	}
	all, err = s.Reports(ctx, 5000)
	require.NoError(t, err)
	require.Len(t, all, 2000)
	for _, r := range []lobby.Report{{At: noon.Add(4), By: 8}, {At: noon.Add(6)}} {
		require.True(t, slices.ContainsFunc(all,
			func(kept lobby.Report) bool { return kept.About == "ben" && kept.By == r.By && kept.At.Equal(r.At) }), r)
	}
}

// Lifting a sanction by its number or network lifts no other: numbers and networks look like names, and like
// each other's digits.
func TestLiftingOneSanctionLiftsNoOther(t *testing.T) {
	s := newStore(t)
	add := func(v lobby.Sanction) lobby.Sanction {
		v.Kind, v.By, v.At = "ban", "op", noon
		id, err := s.AddSanction(ctx, v)
		require.NoError(t, err)
		v.ID = id
		return v
	}
	key := keyOf("lo")
	lo := add(lobby.Sanction{Player: 4, Name: "lo", Key: &key}) // looks like 10
	for n := lo.ID + 1; n < 10; n++ {
		add(lobby.Sanction{Name: fmt.Sprint("somebody", n)})
	}
	ten := add(lobby.Sanction{Name: "cleo"})
	require.EqualValues(t, 10, ten.ID)
	a := add(lobby.Sanction{Name: "192.0.2.11/32", Net: "192.0.2.11/32"})
	b := add(lobby.Sanction{Name: "192.0.21.1/32", Net: "192.0.21.1/32"})

	left := func() (names []string) {
		all, err := s.Sanctions(ctx, noon)
		require.NoError(t, err)
		for _, v := range all {
			names = append(names, v.Name)
		}
		return names
	}
	n, err := s.LiftSanction(ctx, "ban", "10", noon)
	require.NoError(t, err)
	require.Equal(t, 1, n, "number 10 only")
	require.Contains(t, left(), lo.Name)

	n, err = s.LiftSanction(ctx, "ban", a.Net, noon)
	require.NoError(t, err)
	require.Equal(t, 1, n, "that address only")
	require.Contains(t, left(), b.Name)
}
