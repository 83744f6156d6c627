package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

func TestLobbyChatComesBack(t *testing.T) {
	path := newPath(t)
	s := mustOpen(t, path, options(t))
	var said []lobby.Line
	for i := range 30 {
		l := lobby.Line{At: noon.Add(time.Duration(i)), From: table.Player{ID: 1, Name: "ana", Tag: "ABC"}, Text: fmt.Sprint("línea ", i), House: i%7 == 0}
		seq, err := s.Say(ctx, l)
		require.NoError(t, err)
		require.EqualValues(t, i+1, seq)
		l.Seq = seq
		said = append(said, l)
	}
	mustClose(t, s)
	s = mustOpen(t, path, options(t))
	history, err := s.History(ctx, 20)
	require.NoError(t, err)
	require.Equal(t, said[10:], history)
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
	require.Equal(t, []lobby.NewsItem{{ID: 5, At: noon, Kind: "result", Text: "item 4", Game: 4}, {ID: 4, At: noon, Kind: "result", Text: "item 3", Game: 3}}, news)
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
		r := lobby.Report{At: noon.Add(time.Duration(i)), By: ana.ID - table.PlayerID(2*i), About: "ben", Text: "rude", Where: fmt.Sprint("table ", i)}
		require.NoError(t, s.AddReport(ctx, r))
		r.Name = names[r.By]
		reports = append([]lobby.Report{r}, reports...)
	}
	log, err := s.AuditLog(ctx, 2)
	require.NoError(t, err)
	require.Equal(t, audit[:2], log)
	all, err := s.Reports(ctx, 10)
	require.NoError(t, err)
	require.Equal(t, reports, all)
}
