package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/rules"
)

// A witness watches a game through one session. It records which tiles it has seen, in any form, when, and of
// which round, if known.
type witness struct {
	name string
	seat int // 0 in the gallery

	mu   sync.Mutex
	saw  []sighting
	raw  bytes.Buffer
	came []arrival
}

// sighting is a tile that was seen. round is 0 where it might be of an earlier round, too, such as in a log.
type sighting struct {
	tile  rules.Tile
	round int
	at    time.Time
	how   string
}

// arrival says when all bytes before an offset had come.
type arrival struct {
	end int
	at  time.Time
}

// Tiles as text and as drawn in one line. The characters around them exclude dates, scores, and the like.
var (
	writtenTile = regexp.MustCompile(`(?:^|[^0-9-])([0-6])-([0-6])(?:$|[^0-9-])`)
	drawnTile   = regexp.MustCompile(`[\[(▸>╣#]([0-6])[│|◆*║#┆:]([0-6])[\])╠#]`)
	roundOfLine = regexp.MustCompile(`^([0-9]+)\.[0-9]+ `)
)

func tilesIn(re *regexp.Regexp, text string) (tiles []rules.Tile) {
	for text != "" {
		m := re.FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		tiles = append(tiles, rules.NewTile(rules.Pip(text[m[2]]-'0'), rules.Pip(text[m[4]]-'0')))
		text = text[m[3]:] // the sign behind may be the one before the next
	}
	return tiles
}

// note writes down bytes that came.
func (w *witness) note(p []byte) {
	w.raw.Write(p)
	w.came = append(w.came, arrival{w.raw.Len(), time.Now()})
}

// line takes a line of a session without a terminal: an object, or a line of text.
func (w *witness) line(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(p)
	round := 0
	var o object
	if json.Unmarshal(p, &o) == nil {
		round = o.Round
	} else if m := roundOfLine.FindSubmatch(p); m != nil {
		round, _ = strconv.Atoi(string(m[1]))
	}
	w.see(round, string(p), tilesIn(writtenTile, string(p)))
}

// screen takes a terminal's bytes, and its screen after them.
func (w *witness) screen(p []byte, screen string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note(p)
	for _, text := range []string{string(p), screen} {
		w.see(0, text, tilesIn(writtenTile, text))
		w.see(0, text, tilesIn(drawnTile, text))
	}
	w.see(0, screen, standingTiles(screen))
}

func (w *witness) see(round int, how string, tiles []rules.Tile) {
	now := time.Now()
	for _, t := range tiles {
		w.saw = append(w.saw, sighting{t, round, now, how})
	}
}

// standingTiles finds the small tiles that stand: a digit in the border above and below a bar.
func standingTiles(screen string) (tiles []rules.Tile) {
	var rows [][]rune
	for line := range strings.SplitSeq(screen, "\n") {
		rows = append(rows, []rune(line))
	}
	at := func(x, y int) rune {
		if y < len(rows) && x < len(rows[y]) {
			return rows[y][x]
		}
		return ' '
	}
	edge := func(x, y int) bool {
		return strings.ContainsRune("┌┐└┘╔╗╚╝╭╮╰╯┏┓┗┛+#.:", at(x-1, y)) && strings.ContainsRune("┌┐└┘╔╗╚╝╭╮╰╯┏┓┗┛+#.:", at(x+1, y))
	}
	for y := range rows {
		for x := 1; x < len(rows[y]); x++ {
			a, b := at(x, y), at(x, y+2)
			if a < '0' || a > '6' || b < '0' || b > '6' || !strings.ContainsRune("─═━╌-=◆*", at(x, y+1)) || !edge(x, y) || !edge(x, y+2) {
				continue
			}
			tiles = append(tiles, rules.NewTile(rules.Pip(a-'0'), rules.Pip(b-'0')))
		}
	}
	return tiles
}

// knowledge says when each seat, and the gallery at 0, may first know a tile in each round.
type knowledge map[[2]int]map[rules.Tile]time.Time // by seat and round

func (k knowledge) learn(seat, round int, t rules.Tile, at time.Time) {
	key := [2]int{seat, round}
	if k[key] == nil {
		k[key] = map[rules.Tile]time.Time{}
	}
	if since, known := k[key][t]; !known || at.Before(since) {
		k[key][t] = at
	}
}

// may reports whether a seat might know a tile at a time. Round 0 is any.
func (k knowledge) may(seat, round, rounds int, t rules.Tile, at time.Time) bool {
	for r := 1; r <= rounds; r++ {
		if since, known := k[[2]int{seat, r}][t]; (round == 0 || r == round) && known && !since.After(at) {
			return true
		}
	}
	return false
}

// readJournal reads from the data file what a game's journal says, and when.
func readJournal(t *testing.T, file string, game int64, seats int) (k knowledge, rounds int, seed string, over time.Time) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.Query(`SELECT line, at FROM journal WHERE game = ? ORDER BY seq`, game)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()

	k = knowledge{}
	all := func(t rules.Tile, at time.Time) {
		for seat := range seats + 1 {
			k.learn(seat, rounds, t, at)
		}
	}
	var held, stock []rules.Tile // of this round: in hands at any time, and in the boneyard at first
	tile := func(word string) rules.Tile {
		tile, _, _, err := rules.ParseTile(word)
		require.NoError(t, err)
		return tile
	}
	for rows.Next() {
		var line string
		var nanos int64
		require.NoError(t, rows.Scan(&line, &nanos))
		at := time.Unix(0, nanos)
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		seat, err := strconv.Atoi(words[0])
		switch {
		case words[0] == "seed":
			seed = words[1]
		case words[0] == "round":
			rounds++
			held, stock = nil, nil
		case words[0] == "deal":
			seat, err := strconv.Atoi(words[1])
			require.NoError(t, err)
			for _, w := range words[2:] {
				held = append(held, tile(w))
				k.learn(seat, rounds, tile(w), at)
			}
		case words[0] == "stock":
			for _, w := range words[1:] {
				stock = append(stock, tile(w))
			}
		case words[0] == "end":
			for _, tile := range held { // hands are laid open
				all(tile, at)
			}
		case words[0] == "won":
			for _, tile := range slices.Concat(held, stock) { // the seed is shown
				all(tile, at)
			}
			over = at
		case err == nil && words[1] == "draw":
			held = append(held, tile(words[2]))
			k.learn(seat, rounds, tile(words[2]), at)
		case err == nil && words[1] != "pass":
			all(tile(words[1]), at)
		}
	}
	require.NoError(t, rows.Err())
	require.False(t, over.IsZero(), "the game is not over")
	return k, rounds, seed, over
}

// early returns an error for a tile that the witness saw before somebody at a seat may know it.
func (w *witness) early(seat int, k knowledge, rounds int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.saw {
		if !k.may(seat, s.round, rounds, s.tile, s.at) {
			return fmt.Errorf("%s saw %s before its time, in:\n%s", w.name, s.tile, s.how)
		}
	}
	return nil
}

// openHands has the gallery know each tile of a hand some time after its holder.
func (k knowledge) openHands(seats, rounds int, late time.Duration) {
	for seat := 1; seat <= seats; seat++ {
		for round := 1; round <= rounds; round++ {
			for t, at := range k[[2]int{seat, round}] {
				k.learn(0, round, t, at.Add(late))
			}
		}
	}
}

// judge returns an error for a tile that the witness saw before somebody at a seat may know it, and for a
// seed before the end. It also returns one if the witness missed what it had to see: a search that finds
// nothing proves nothing.
func (w *witness) judge(seat int, k knowledge, rounds int, seed string, over time.Time) error {
	if err := w.early(seat, k, rounds); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := map[rules.Tile]bool{}
	for _, s := range w.saw {
		seen[s.tile] = true
	}
	shown, missed := 0, 0
	for tile, since := range k[[2]int{seat, 1}] {
		if !since.Before(over) {
			continue
		}
		shown++
		if !seen[tile] {
			missed++
		}
	}
	if missed > shown/2 { // hands may be laid open as a sum of pips only, and frames are left out on a busy machine
		return fmt.Errorf("%s saw %d of the %d tiles that were shown in the first round", w.name, shown-missed, shown)
	}
	for from := 0; ; {
		i := bytes.Index(w.raw.Bytes()[from:], []byte(seed))
		if i < 0 {
			return nil
		}
		from += i + len(seed)
		n, _ := slices.BinarySearchFunc(w.came, from, func(a arrival, end int) int { return a.end - end })
		if w.came[n].at.Before(over) {
			return fmt.Errorf("%s got the seed before the end", w.name)
		}
	}
}

// TestNobodySeesAHiddenTile plays a whole game through real sessions of all kinds, and searches all bytes
// that any of them received, and each resulting screen, for tiles that its reader could not know yet. The
// journal says when a reader may know a tile: its holder when it is dealt or drawn, everybody when it is
// played or left in a hand at the end of a round, and everybody the boneyard after the game. The test and the
// server share a clock, and a row of the journal gets its time before anybody sees it. To prove that the
// search works, each player is also judged by what another may know, which must fail.
func TestNobodySeesAHiddenTile(t *testing.T) {
	t.Parallel()
	m := openClub(t, func(m *Main) { m.Settings.Exhibition = false })
	var all []*witness
	look := func(name string, seat int) *witness {
		w := &witness{name: name, seat: seat}
		all = append(all, w)
		return w
	}
	const words = "classic target=100 seats=4 bots=never"
	ana := startTapped(t, m, member(t, m, "ana"), "ana", "play new "+words+" --json --bot", look("a program at seat 1", 1).line)
	first, _ := ana.next(0, "state", func(o *object) bool { return o.Type == "state" })
	number := strconv.FormatInt(first.Table, 10)
	ben := startTapped(t, m, member(t, m, "ben"), "ben", "play "+number+" --json --bot", look("a program at seat 2", 2).line)
	ben.next(0, "state", func(o *object) bool { return o.Type == "state" && o.Seat == 2 })
	cleo := sit(t, m, member(t, m, "cleo"), "cleo", 40, 12, "play", number)
	cleo.taps(look("a terminal at seat 3", 3))
	cleo.shows("cleo", "space ready")
	cleo.press(" ")
	dina := startLineTapped(t, m, member(t, m, "dina"), "", "play "+number, look("a reader in line mode at seat 4", 4).line)
	dina.until("Seat 4: dina, you")
	dina.say("ready")

	watchers := []*program{
		startTapped(t, m, nil, "dora", "watch "+number+" --json", look("a program in the gallery", 0).line),
		startTapped(t, m, nil, "emil", "watch "+number, look("a reader in the gallery", 0).line),
	}
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		name := fmt.Sprintf("a terminal of %d×%d in the gallery", size[0], size[1])
		s := sit(t, m, nil, "guest", size[0], size[1], "watch", number)
		s.taps(look(name, 0))
		s.shows("ana", "ben")
	}

	fay := startLineTapped(t, m, nil, "dumb", "watch "+number, look("a dumb terminal in the gallery", 0).line)
	fay.until("Seat 1: ana")

	asker := member(t, m, "finn")
	answers := look("a member who asks what the table is like", 0)
	var players sync.WaitGroup
	players.Go(func() {
		ana.playGame(func(*object) { answers.line([]byte(ask(t, m, asker, "finn", "show table "+number+" --json"))) })
	})
	players.Go(func() { ben.playGame(nil) })
	players.Go(func() { cleo.drive("something to do", stepOnASmallScreen, gameOver) })
	players.Go(func() { _ = dina.playGame() })
	players.Wait()
	fay.until("wins the game.")
	fay.say("seed")
	fay.until("The deals follow from the seed ")
	for _, w := range watchers {
		w.ends()
	}

	k, rounds, seed, over := readJournal(t, m.Settings.Data, 1, 4)
	require.Greater(t, rounds, 1)
	require.Len(t, seed, 64)
	for _, w := range all {
		require.NoError(t, w.judge(w.seat, k, rounds, seed, over))
		for seat := range 5 {
			if w.seat != 0 && w.seat != seat {
				require.ErrorContains(t, w.judge(seat, k, rounds, seed, over), "before its time", "%s in the place of %d", w.name, seat)
			}
		}
	}
}

// TestOpenHandsAreHiddenForTwoMinutes plays a game at a table whose watchers see the hands two minutes late,
// and searches what they got as TestNobodySeesAHiddenTile does: they see nothing earlier. If the hands are
// shown at once, the search finds them.
func TestOpenHandsAreHiddenForTwoMinutes(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{2 * time.Minute, time.Nanosecond} {
		m := openClub(t, func(m *Main) {
			m.Settings.Exhibition = false
			m.Settings.RateOneNetwork = true // or watchers here would be taken for players
			m.tables.Times.OpenHands = late
		})
		ana := startTapped(t, m, member(t, m, "ana"), "ana", "play new classic target=50 bots=never openhands=2m --json --bot", func([]byte) {})
		first, _ := ana.next(0, "state", func(o *object) bool { return o.Type == "state" })
		number := strconv.FormatInt(first.Table, 10)
		witnesses := []*witness{{name: "a program"}, {name: "a terminal"}}
		watcher := startTapped(t, m, nil, "dora", "watch "+number+" --json", witnesses[0].line)
		watcher.next(0, "state", func(o *object) bool { return o.Type == "state" })
		screen := sit(t, m, nil, "guest", 120, 40, "watch", number)
		screen.taps(witnesses[1])
		screen.shows("ana")
		ben := startTapped(t, m, member(t, m, "ben"), "ben", "play "+number+" --json --bot", func([]byte) {})
		var players sync.WaitGroup
		players.Go(func() { ana.playGame(nil) })
		players.Go(func() { ben.playGame(nil) })
		players.Wait()
		watcher.ends()
		screen.shows("wins")

		k, rounds, _, _ := readJournal(t, m.Settings.Data, 1, 2)
		if late > time.Minute {
			k.openHands(2, rounds, late)
			for _, w := range witnesses {
				require.NoError(t, w.early(0, k, rounds))
			}
			continue
		}
		require.ErrorContains(t, witnesses[1].early(0, k, rounds), "before its time")
	}
}

// chosenAsText is the chosen tile in a hand of so many that they are drawn as text.
var chosenAsText = regexp.MustCompile(`▸[0-6]-[0-6]`)

// stepOnASmallScreen is step for a screen with room for only one question, at which end the chosen tile goes,
// and for a hand of up to twelve drawn tiles.
func stepOnASmallScreen(screen string) string {
	if strings.Contains(screen, "? ↑↓") || chosenAsText.MatchString(screen) {
		return enter
	}
	return step(screen)
}

// taps makes a witness watch a terminal, beginning with its current screen.
func (c *terminal) taps(w *witness) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.screen(c.raw.Bytes(), c.text())
	c.tap = w.screen
}

// ends waits for the session's end.
func (p *program) ends() {
	p.t.Helper()
	limit := time.After(patience)
	for {
		p.mu.Lock()
		ended, changed := p.ended, p.changed
		p.mu.Unlock()
		if ended {
			return
		}
		select {
		case <-changed:
		case <-limit:
			p.t.Fatalf("%s: the session does not end; it got:\n%s", p.name, p.bytes())
		}
	}
}
