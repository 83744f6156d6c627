package main

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
)

// TestTheLogKeepsSecrets runs the server, with everything logged, through a private game with chat, wrong
// codes and refused moves, a second game across a restart, and moderation; and searches the log for seeds,
// codes, tiles and what people said.
func TestTheLogKeepsSecrets(t *testing.T) {
	t.Parallel()
	for _, format := range []LogFormat{FormatText, FormatJSON} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			log := &syncBuffer{}
			m := openClub(t, func(m *Main) {
				m.Settings.LogLevel, m.Settings.LogFormat = slog.LevelDebug, format
				m.Settings.Exhibition = false
				m.Stderr = log
			})
			anaKey, benKey := member(t, m, "ana"), member(t, m, "ben")
			startProgram(t, m, benKey, "ben", "play WRONGCODE --json --bot").ends()
			var codes []string
			private := func() (ana, ben *program) {
				ana = startProgram(t, m, anaKey, "ana", "play new classic target=50 seats=2 bots=never access=code pace=none --json --bot")
				o, _ := ana.next(0, "state with a code", func(o *object) bool { return o.Type == "state" && o.Code != "" })
				codes = append(codes, o.Code)
				ben = startProgram(t, m, benKey, "ben", "play "+o.Code+" --json --bot")
				ben.next(0, "state", func(o *object) bool { return o.Type == "state" && o.Seat == 2 })
				return ana, ben
			}

			ana, ben := private()
			require.Equal(t, "ok", ana.say("one", `"say":"whisper at the table"`).Type)
			played := make(chan struct{})
			go func() {
				defer close(played)
				ben.playGame(nil)
			}()
			turns := 0
			ana.playGame(func(o *object) {
				turns++
				ana.say(fmt.Sprint("refused-", turns), fmt.Sprintf(`"play":%q,"version":1`, o.Options[0].Play))
			})
			<-played
			require.Equal(t, "ok", ana.say("leave", `"leave":true`).Type)
			require.Equal(t, "ok", ben.say("leave", `"leave":true`).Type)

			ana, ben = private()
			ana.send(`{"ready":true}`)
			ben.send(`{"ready":true}`)
			ben.next(0, "hand", func(o *object) bool { return o.Type == "state" && o.State == "playing" && len(o.Hand) > 0 })
			require.NoError(t, m.Close())
			require.NoError(t, m.Run())
			ctx := context.Background()
			v, err := m.club.(*club).lobby.Enter(ctx, nil, lobby.Origin{Net: "127.0.0.1", Operator: true})
			require.NoError(t, err)
			for _, line := range []string{"whisper in the lobby", "/report ana whisper", "/mute ana 1h whisper why", "/announce whisper",
				"/close 2"} {
				_, err = v.Say(ctx, line)
				require.NoError(t, err, line)
			}
			v.Close(table.Left)
			require.NoError(t, m.Close())

			text := log.String()
			require.Contains(t, text, "session opened", "nothing is logged: the search proves nothing")
			require.NotContains(t, strings.ToLower(text), "whisper")
			for _, code := range append(codes, "WRONGCODE") {
				require.NotContains(t, text, code)
			}
			seeds := seedsOf(t, m.Settings.Data)
			require.Len(t, seeds, 2)
			for _, seed := range seeds {
				require.NotContains(t, text, seed)
			}
			for line := range strings.SplitSeq(text, "\n") {
				require.Empty(t, tilesIn(writtenTile, line), line)
			}
		})
	}
}

// seedsOf reads the seeds of all games from the data file.
func seedsOf(t *testing.T, file string) (seeds []string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.Query(`SELECT seed FROM games`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var seed string
		require.NoError(t, rows.Scan(&seed))
		seeds = append(seeds, seed)
	}
	require.NoError(t, rows.Err())
	return seeds
}
