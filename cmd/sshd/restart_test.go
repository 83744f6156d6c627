package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"
)

// tableState is what a seat sees of its table, but for what is new after every restart.
func tableState(t *testing.T, o object) map[string]any {
	t.Helper()
	var all map[string]any
	require.NoError(t, json.Unmarshal([]byte(o.line), &all))
	for _, field := range []string{"version", "turn_ends", "bank_ends", "watchers"} {
		delete(all, field)
	}
	return all
}

// turnLeft is how much of the turn's time is left in a state, the bank not counted. States tell times to the second.
func turnLeft(t *testing.T, o object) time.Duration {
	t.Helper()
	var s struct {
		TurnEnds time.Time `json:"turn_ends"`
	}
	require.NoError(t, json.Unmarshal([]byte(o.line), &s))
	require.False(t, s.TurnEnds.IsZero(), "no clock runs")
	return time.Until(s.TurnEnds)
}

const toTheSecond = time.Second

// look asks for the state as it is now.
func (p *program) look() object {
	p.t.Helper()
	from := p.now()
	p.send(`{"state":true}`)
	o, _ := p.next(from, "the state", func(o *object) bool { return o.Type == "state" })
	return o
}

// since are the objects that have come from index from on.
func (p *program) since(from int) []object {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.objects[from:]
}

// playOne makes the first move that is offered, and waits for the answer.
func (p *program) playOne(o object) {
	p.t.Helper()
	answer := p.say(fmt.Sprintf("%s-%d", p.name, o.Version), fmt.Sprintf(`"play":%q,"arm":%q`, o.Options[0].Play, o.Options[0].Arm))
	require.Equal(p.t, "ok", answer.Type, answer.Error)
}

// playSome has two programs make n moves between them and returns what each sees when one of them is to move again.
func playSome(ana, ben *program, n int) (ofAna, ofBen object) {
	ana.t.Helper()
	for late := time.Now().Add(patience); ; {
		ofAna, ofBen = ana.look(), ben.look() // which takes its time: programs may not ask faster
		switch mover := map[string]*program{ofAna.Duty: ana, ofBen.Duty: ben}["play"]; {
		case time.Now().After(late):
			ana.t.Fatalf("nobody is to move:\n%s%s", ofAna.line, ofBen.line)
		case mover == nil || ofAna.Version != ofBen.Version:
		case n == 0:
			return ofAna, ofBen
		default:
			n--
			mover.playOne(map[*program]object{ana: ofAna, ben: ofBen}[mover])
		}
	}
}

// TestRestartKeepsTheTable kills the server in a game at a private table with clocks. What both seats see afterwards is
// what they saw before: hands, layout, scores, commitment, code; and whoever is to move has 20 seconds more.
func TestRestartKeepsTheTable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server := serveIn(t, dir)
	keys := map[string]gossh.Signer{"ana": member(t, server.Main, "ana"), "ben": member(t, server.Main, "ben")}
	ana := startProgram(t, server.Main, keys["ana"], "ana", "play new classic access=code pace=relaxed seats=2 bots=never --json --bot")
	var at struct {
		Code  string
		Table int64
	}
	first, _ := ana.next(0, "state", func(o *object) bool { return o.Type == "state" })
	require.NoError(t, json.Unmarshal([]byte(first.line), &at))
	require.NotEmpty(t, at.Code)
	ben := startProgram(t, server.Main, keys["ben"], "ben", "play "+at.Code+" --json --bot")
	ben.next(0, "a seat", func(o *object) bool { return o.Seat == 2 })
	ana.send(`{"ready":true}`)
	ben.send(`{"ready":true}`)
	began := time.Now()
	ofAna, ofBen := playSome(ana, ben, 3)
	require.Len(t, ofAna.Layout, 3)
	left := turnLeft(t, ofAna)
	require.LessOrEqual(t, left, 60*time.Second+toTheSecond)
	server.kill()

	server = serveIn(t, dir)
	again := startProgram(t, server.Main, keys["ana"], "ana", "play "+at.Code+" --json")
	again.next(0, "the seat", func(o *object) bool { return o.Type == "state" && o.Seat == 1 })
	other := startProgram(t, server.Main, keys["ben"], "ben", fmt.Sprintf("play %d --json", at.Table))
	other.next(0, "the seat", func(o *object) bool { return o.Type == "state" && o.Seat == 2 })
	whole := func(o *object) bool { return o.Type == "state" && !strings.Contains(o.line, "lost the line") }
	again.next(0, "both", whole)
	other.next(0, "both", whole)
	nowAna, nowBen := again.look(), other.look()
	require.Equal(t, tableState(t, ofAna), tableState(t, nowAna))
	require.Equal(t, tableState(t, ofBen), tableState(t, nowBen))
	require.Greater(t, turnLeft(t, nowAna), 80*time.Second-time.Since(began)-toTheSecond, "time was given")
	require.LessOrEqual(t, turnLeft(t, nowAna), 80*time.Second+toTheSecond, "but 20 s at most")

	// A clock that was stopped in good order goes on where it stopped, with 20 seconds more.
	left = turnLeft(t, nowAna)
	stopped := time.Now()
	server.terminate(t)
	again.next(0, "goodbye", func(o *object) bool { return o.Type == "bye" })
	server = serveIn(t, dir)
	third := startProgram(t, server.Main, keys["ana"], "ana", "play "+at.Code+" --json")
	o, _ := third.next(0, "the clock", func(o *object) bool { return o.Type == "state" && strings.Contains(o.line, `"turn_ends":`) })
	require.LessOrEqual(t, turnLeft(t, o), left+20*time.Second+toTheSecond)
	require.Greater(t, turnLeft(t, o), left+20*time.Second-time.Since(stopped)-toTheSecond)
	server.terminate(t)
}

// TestEnteringLeadsBackToTheSeat kills the server under two people at their screens. A person who comes back
// is led to the seat without a question, reads what was said, and plays the game to its end.
func TestEnteringLeadsBackToTheSeat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server := serveIn(t, dir)
	keys := []gossh.Signer{newKey(t), newKey(t)}
	ana := register(t, server.Main, keys[0], "ana", 80, 24)
	ben := register(t, server.Main, keys[1], "ben", 120, 40)
	number := makeTable(ana, "classic target=30", never)
	ben.join(number)
	ana.press(" ")
	ben.press(" ")
	ana.shows("Round 1")
	ben.shows("Round 1")
	ben.press("t")
	ben.shows("enter send")
	ben.press("the lamp is lit" + enter)
	ana.shows("the lamp is lit")
	server.kill()
	for _, p := range []*terminal{ana, ben} {
		require.Error(t, p.leaves())
	}

	server = serveIn(t, dir)
	ana = sit(t, server.Main, keys[0], "ana", 80, 24)
	ben = sit(t, server.Main, keys[1], "ben", 120, 40)
	ana.shows("Table "+number, "Round 1", "the lamp is lit")
	ben.shows("Table "+number, "Round 1", "the lamp is lit")
	playOut(ana, ben)
	export(t, server.Main, ana.deals())
	server.terminate(t)
}

// TestSIGTERMTellsEverybody ends the server under people in the lobby and at a table: their screens say so,
// the process succeeds in time, and nobody is admitted meanwhile.
func TestSIGTERMTellsEverybody(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server := serveIn(t, dir)
	ana := newcomer(t, server.Main, "ana", 80, 24)
	makeTable(ana, "classic", now)
	ana.press(" ")
	ana.shows("Round 1")
	eve := sit(t, server.Main, nil, "eve", 80, 24)
	eve.until("the lobby", inLobby)
	lena := startLine(t, server.Main, newKey(t), "dumb", "")
	lena.until(`Your name, of 2 to 16 letters`)
	lena.say("lena")
	lena.until(`You are lena`)
	server.terminate(t)
	_ = lena.sess.Wait()
	lena.mu.Lock()
	require.Equal(t, 1, strings.Count(strings.Join(strings.Fields(lena.all.String()), " "), "going down for a moment"), "said once: %s",
		lena.all.String())
	lena.mu.Unlock()
	for _, p := range []*terminal{ana, eve} {
		_ = p.leaves()
		out := string(p.bytes())
		require.Contains(t, out[strings.LastIndex(out, "\x1b[?1049l"):], "Come back, and you\r\nare at your seat.\r\n", p.name)
	}
	_, err := net.Dial("tcp", server.Addr().String())
	require.Error(t, err)
	told(t, dir, "check")
}

func TestASecondServerIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server := serveIn(t, dir)
	second := launch(t, "sshd", dir)
	second.ends(t, exitFailed)
	require.Equal(t, fmt.Sprintf("boneyard: open %s: lock %[1]s.lock: another server uses this data file: process %d\n",
		filepath.Join(dir, "club.db"), server.cmd.Process.Pid), second.log.String())
	newcomer(t, server.Main, "ana", 80, 24) // the first one serves on
	server.terminate(t)
}

func TestADamagedFileIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server := serveIn(t, dir)
	key := newKey(t)
	register(t, server.Main, key, "ana", 80, 24)
	told(t, dir, "backup", filepath.Join(dir, "copy.db"))
	server.terminate(t)

	data := filepath.Join(dir, "club.db")
	whole := readFile(t, data)
	torn := append([]byte(nil), whole...)
	for i := 4096; i < len(torn); i += 4096 { // the heads of all pages but the first
		copy(torn[i:], "torn by a bad disk")
	}
	require.NoError(t, os.WriteFile(data, torn, 0o600))
	refused := launch(t, "sshd", dir)
	refused.ends(t, exitFailed)
	require.Contains(t, refused.log.String(), "the data file is damaged; to restore: ")
	require.Equal(t, 1, strings.Count(refused.log.String(), "\n"), "one line: %s", &refused.log)
	require.Equal(t, 1, strings.Count(refused.log.String(), "the data file is damaged"), "once: %s", &refused.log)
	said, status := tell(t, dir, "check")
	require.Equal(t, exitFailed, status, said)

	// As the line says: the backup in the place of the data, without what belongs to the data that were there.
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(data+end, data+".damaged"+end); !os.IsNotExist(err) {
			require.NoError(t, err)
		}
	}
	require.NoError(t, os.Rename(filepath.Join(dir, "copy.db"), data))
	told(t, dir, "check")
	server = serveIn(t, dir)
	sit(t, server.Main, key, "ana", 80, 24).until("the lobby", inLobby) // whose name the backup knows
	server.terminate(t)
}
