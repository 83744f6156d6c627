package ui

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/lobby/event/arena"
	"boneyard/lobby/event/duplicate"
	"boneyard/lobby/event/field"
	"boneyard/lobby/lobbytest"
	"boneyard/table"
	"boneyard/ui/feature"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/screen"
)

var (
	walkLong = flag.Bool("walk.long", false, "press all keys with all modifiers on every page, and draw it at every size")
	walkSeed = flag.Uint64("walk.seed", 0, "the seed of a walk that is to be repeated")
)

// walker is a person at a terminal who presses every key there is. Every page they open is drawn.
type walker struct {
	t    *testing.T
	m    *model
	seed uint64
	rng  *rand.Rand
	did  []string // what was done last
	quit bool

	leave func(table.Presence) // ends the session; the first call counts

	mu    sync.Mutex
	queue []tea.Msg
}

// walk lets a person in, and opens a page.
func walk(t *testing.T, l *lobby.Lobby, seed uint64, s Session) *walker {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s.Club, s.Address, s.Term, s.Log = l, "-p 2222 club.example.org", "xterm-256color", slog.New(slog.DiscardHandler)
	s.Size = Size{Width: 80, Height: 24}
	scr := screen.New(io.Discard)
	w := &walker{t: t, m: newModel(ctx, &s, scr), seed: seed, rng: rand.New(rand.NewPCG(seed, 1))}
	w.m.trap.end = func() {}
	w.m.stopTicker = func() {}
	w.m.send = w.push
	var once sync.Once
	w.leave = func(how table.Presence) {
		once.Do(func() {
			w.m.how = how
			w.m.end()
			cancel()
			w.m.listener.join()
			_ = scr.Leave()
		})
	}
	t.Cleanup(func() { w.leave(table.Disconnected) })
	w.carryOut(w.m.Init())
	w.settle()
	return w
}

// newMember registers somebody, and returns what a session of theirs has from the server.
func newMember(t *testing.T, l *lobby.Lobby, n byte, name string) Session {
	t.Helper()
	key := lobby.KeyID{n}
	origin := lobby.Origin{Key: key, Net: fmt.Sprint("10.0.0.", n)}
	a, err := l.Register(t.Context(), origin, name)
	require.NoError(t, err)
	return Session{Caller: feature.Caller{Account: a, Key: &key, Origin: origin}}
}

// visit lets a session's owner in without its pages.
func visit(t *testing.T, l *lobby.Lobby, s Session) *lobby.Visit {
	t.Helper()
	v, err := l.Enter(t.Context(), s.Account, s.Origin)
	require.NoError(t, err)
	t.Cleanup(func() { v.Close(table.Left) })
	return v
}

func (w *walker) push(msg tea.Msg) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue = append(w.queue, msg)
}

// carryOut runs a command, as the program would.
func (w *walker) carryOut(cmd tea.Cmd) {
	if cmd != nil {
		go func() { w.follow(cmd()) }()
	}
}

func (w *walker) follow(msg tea.Msg) {
	list := reflect.ValueOf(msg)
	switch {
	case msg == nil:
	case list.Kind() == reflect.Slice && list.Type().ConvertibleTo(commands):
		_, together := msg.(tea.BatchMsg)
		for _, cmd := range list.Convert(commands).Interface().([]tea.Cmd) {
			switch {
			case cmd == nil:
			case together:
				w.carryOut(cmd)
			default:
				w.follow(cmd())
			}
		}
	default:
		w.push(msg)
	}
}

// settle hands the page the messages that follow, until no more come.
func (w *walker) settle() {
	w.t.Helper()
	for range 100 {
		synctest.Wait()
		w.mu.Lock()
		queue := w.queue
		w.queue = nil
		w.mu.Unlock()
		if len(queue) == 0 {
			w.draws()
			return
		}
		for _, msg := range queue {
			w.give(msg)
		}
	}
}

// give hands the page a message, and draws the screen.
func (w *walker) give(msg tea.Msg) {
	w.t.Helper()
	if _, ok := msg.(tea.QuitMsg); ok {
		w.quit = true
		return
	}
	if msg = filter(w.m, msg); msg != nil {
		_, cmd := w.m.Update(msg)
		w.carryOut(cmd)
	}
	w.look()
}

// look draws the screen.
func (w *walker) look() {
	w.t.Helper()
	w.m.View()
	if caught := w.m.trap.err(); caught != nil {
		w.fail("%v\n%s", caught, caught.Stack)
	}
	w.fits()
}

// fits checks the lines of the screen and its list of keys.
func (w *walker) fits() {
	w.t.Helper()
	f := w.m.frame()
	if f == nil {
		return
	}
	for _, line := range f.Lines {
		if got := ansi.StringWidth(line); got > w.m.width {
			w.fail("a line of %d columns: %q", got, ansi.Strip(line))
		}
	}
	if strings.Contains(strings.Join(f.Lines, ""), "\n") {
		w.fail("a line break in a line")
	}
	if w.m.env.Visit == nil {
		return
	}
	listed := map[entry]bool{}
	for _, e := range w.m.entries() {
		if listed[e] {
			w.fail("%q is in the list of keys twice, and the cursor would not come past it", e.does)
		}
		listed[e] = true
	}
}

func (w *walker) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%d×%d, page %T, after %s\nto repeat: go test ./ui -run '%s' -walk.seed=%d\n%s",
		w.m.width, w.m.height, w.m.page, strings.Join(w.did, " "), w.t.Name(), w.seed, fmt.Sprintf(format, args...))
}

// does records what is done next, and does it.
func (w *walker) does(what string, msg tea.Msg) {
	w.t.Helper()
	if w.did = append(w.did, what); len(w.did) > 40 {
		w.did = w.did[1:]
	}
	w.give(msg)
	w.settle()
}

// press presses a key, and checks that it changes nothing if neither the page nor the club uses it.
func (w *walker) press(k tea.KeyPressMsg) {
	w.t.Helper()
	means, at := w.means(k), w.m.page
	lines := func() []string { // of the page, which a skipped frame may draw at any time
		w.m.mu.Lock()
		defer w.m.mu.Unlock()
		return at.Lines()
	}
	var before []string
	if !means {
		w.give(tea.KeyPressMsg{Code: tea.KeyF12, Mod: tea.ModMeta}) // pressing any key shows that the person is there
		w.settle()
		at = w.m.page
		before = lines()
	}
	w.does(fmt.Sprintf("%q", k.String()), k)
	if !means && (w.m.page != at || !slices.Equal(before, lines())) {
		w.fail("the key is listed nowhere and does something; before it:\n%s", ansi.Strip(strings.Join(before, "\n")))
	}
}

// means reports whether a key may do something: on the page, in the club, as text, or by closing what is
// open.
func (w *walker) means(k tea.KeyPressMsg) bool {
	m := w.m
	if m.page == nil || m.env.Visit == nil || m.help.open || m.asking != "" || m.typing() || m.small() {
		return true
	}
	closes := func(a page.Action) bool { return slices.Contains(a.Keys(), "q") }
	actions := m.page.Actions()
	_, arrow := arrows[k.String()]
	return arrow || slices.ContainsFunc(actions, closes) || key.Matches(k, actions.Keys()...) ||
		key.Matches(k, keyQuit, keyNext, keyPrev, keyAdmin, keyPages, page.KeyHelp, page.KeyBack) || key.Matches(k, refused(actions)...)
}

// refused returns the keys that only say why they do nothing.
func refused(all page.Actions) (keys []key.Binding) {
	for _, a := range all {
		if a.Refused {
			keys = append(keys, a.Binding)
		}
	}
	return keys
}

// resize sets the size of the window.
func (w *walker) resize(width, height int) {
	w.does(fmt.Sprintf("%d×%d", width, height), tea.WindowSizeMsg{Width: width, Height: height})
}

// everyKey is each key that a terminal may send, with each of its modifiers.
var everyKey = func() (all []tea.KeyPressMsg) {
	var plain []rune
	for r := rune(' '); r <= '~'; r++ {
		plain = append(plain, r)
	}
	plain = append(plain, 'é', 'ß', '中', '\u0301', '🁣', '\u202e', '\u200b')
	named := []rune{
		tea.KeyUp, tea.KeyDown, tea.KeyLeft, tea.KeyRight, tea.KeyHome, tea.KeyEnd, tea.KeyPgUp, tea.KeyPgDown, tea.KeyInsert, tea.KeyDelete,
		tea.KeyBackspace, tea.KeyTab, tea.KeyEnter, tea.KeyEscape, tea.KeyF1, tea.KeyF2, tea.KeyF5, tea.KeyF12, tea.KeyKpEnter, tea.KeyMenu,
	}
	for mod := range tea.ModMeta << 1 { // all of shift, alt, ctrl and meta together
		for _, r := range plain {
			k := tea.KeyPressMsg{Code: r, Mod: mod}
			if mod&^tea.ModShift == 0 {
				k.Text = string(r)
			}
			all = append(all, k)
		}
		for _, r := range named {
			all = append(all, tea.KeyPressMsg{Code: r, Mod: mod})
		}
	}
	return all
}()

// everySize returns each size from 20×5 to 200×60; in the short form only each height at some widths, and
// each width at some heights, around which pages change.
func everySize() (all [][2]int) {
	widths := map[int]bool{20: true, 39: true, 40: true, 60: true, 76: true, 80: true, 120: true, 200: true}
	heights := map[int]bool{5: true, 12: true, 17: true, 24: true, 60: true}
	for w := 20; w <= 200; w++ {
		for h := 5; h <= 60; h++ {
			if *walkLong || widths[w] || heights[h] && w%5 == 0 {
				all = append(all, [2]int{w, h})
			}
		}
	}
	return all
}

// start is a page, and who opens it.
type start struct {
	who   string // a member's name; empty for a guest
	boss  bool   // an operator
	fresh bool   // on the first visit
	open  func(t *testing.T, l *lobby.Lobby, w *walker) page.Target
}

// pageOf is a start that needs no preparation.
func pageOf(kind page.Kind) func(*testing.T, *lobby.Lobby, *walker) page.Target {
	return func(*testing.T, *lobby.Lobby, *walker) page.Target { return page.Target{Kind: kind} }
}

// ownTable seats the walker at a new table.
func ownTable(words string, change func(*table.Config)) func(*testing.T, *lobby.Lobby, *walker) page.Target {
	return func(t *testing.T, _ *lobby.Lobby, w *walker) page.Target {
		cfg := table.DefaultConfig()
		cfg.RuleText, cfg.Seats, cfg.Fill = words, 4, table.FillNever
		change(&cfg)
		made, err := w.m.env.Visit.NewTable(t.Context(), cfg)
		require.NoError(t, err)
		if cfg.Fill == table.FillNow {
			require.NoError(t, w.m.env.Visit.Do(t.Context(), made.ID(), table.Ready{On: true}))
			time.Sleep(30 * time.Second)
		}
		return page.Target{Kind: page.Table, Table: made.ID()}
	}
}

// inArena enters the walker into an arena, and opens its page or the list of arenas.
func inArena(one bool) func(*testing.T, *lobby.Lobby, *walker) page.Target {
	return func(t *testing.T, _ *lobby.Lobby, w *walker) page.Target {
		v := w.m.env.Visit
		id, err := v.NewArena(t.Context(), arena.Config{Name: "Friday", Rules: "classic", Pace: table.PaceFast}, time.Time{}, time.Hour)
		require.NoError(t, err)
		require.NoError(t, v.EnterEvent(t.Context(), arena.Kind, id, ""))
		to := page.Target{Kind: page.Arena}
		if one {
			to.Event = id
		}
		return to
	}
}

// inContest makes a league or a cup in which the walker's team takes part, and opens its page or the list.
func inContest(kind string, opens page.Kind, one bool) func(*testing.T, *lobby.Lobby, *walker) page.Target {
	return func(t *testing.T, _ *lobby.Lobby, w *walker) page.Target {
		v := w.m.env.Visit
		command, _ := feature.Find(feature.Line, kind)
		_, err := command.Carry(t.Context(), &feature.Ask{Visit: v, Words: []string{"new", "in=1h", "name=Winter"}, Now: time.Now()})
		require.NoError(t, err)
		_, err = v.CreateTeam(t.Context(), "The Bones", "BNS")
		require.NoError(t, err)
		to := page.Target{Kind: opens}
		if one {
			to.Event = v.Contests()[0].ID
		}
		return to
	}
}

// inDuplicate makes a duplicate match with the walker in it, and opens its page or the list of matches.
func inDuplicate(one bool) func(*testing.T, *lobby.Lobby, *walker) page.Target {
	return func(t *testing.T, _ *lobby.Lobby, w *walker) page.Target {
		v := w.m.env.Visit
		id, err := v.NewDuplicate(t.Context(), duplicate.Config{Name: "Friday", Rules: "classic", Pace: table.PaceNormal})
		require.NoError(t, err)
		require.NoError(t, v.EnterDuplicate(t.Context(), id, duplicate.A))
		to := page.Target{Kind: page.Duplicate}
		if one {
			to.Event = id
		}
		return to
	}
}

// inField enters the walker into a duplicate arena, and opens its page.
func inField(t *testing.T, _ *lobby.Lobby, w *walker) page.Target {
	v := w.m.env.Visit
	id, err := v.NewField(t.Context(), field.Config{Name: "Sunday", Rules: "classic", Pace: table.PaceNormal}, time.Now().Add(time.Minute))
	require.NoError(t, err)
	require.NoError(t, v.EnterEvent(t.Context(), field.Kind, id, ""))
	return page.Target{Kind: page.Field, Event: id}
}

var starts = map[string]start{
	"first visit": {who: "", fresh: true},
	"lobby":       {who: "ana", open: pageOf(page.Lobby)},
	"guest":       {open: pageOf(page.Lobby)},
	"teams":       {who: "ana", open: pageOf(page.Teams)},
	"team": {who: "ana", open: func(t *testing.T, _ *lobby.Lobby, w *walker) page.Target {
		team, err := w.m.env.Visit.CreateTeam(t.Context(), "The Bones", "BNS")
		require.NoError(t, err)
		return page.Target{Kind: page.TeamPage, Team: team.ID}
	}},
	"person": {who: "ana", open: func(t *testing.T, _ *lobby.Lobby, w *walker) page.Target {
		played(t, w)
		return page.Target{Kind: page.Person, Name: "ana"}
	}},
	"standings": {who: "ana", open: pageOf(page.Standings)},
	"games":     {who: "ana", open: pageOf(page.Games)},
	"replay": {who: "ana", open: func(t *testing.T, l *lobby.Lobby, w *walker) page.Target {
		return page.Target{Kind: page.Replay, Game: played(t, w)}
	}},
	"rules":      {who: "ana", open: pageOf(page.Rules)},
	"settings":   {who: "ana", open: pageOf(page.Settings)},
	"new table":  {who: "ana", open: pageOf(page.NewTable)},
	"operators":  {who: "ana", boss: true, open: pageOf(page.Admin)},
	"gathering":  {who: "ana", open: ownTable("classic", func(c *table.Config) { c.Access = table.AccessCode })},
	"playing":    {who: "ana", open: ownTable("classic", func(c *table.Config) { c.Fill = table.FillNow })},
	"three":      {who: "ana", open: ownTable("azneef", func(c *table.Config) { c.Fill, c.Seats = table.FillNow, 3 })},
	"alone":      {who: "ana", open: ownTable("spruce teams=off", func(c *table.Config) { c.Fill = table.FillNow })},
	"short game": {who: "ana", open: ownTable("block target=30", func(c *table.Config) { c.Fill, c.Seats = table.FillNow, 2 })},
	"guide": {who: "ana", open: func(t *testing.T, _ *lobby.Lobby, w *walker) page.Target {
		id, err := w.m.env.Visit.QuickPlay(t.Context(), lobby.QuickPrefs{Guide: true})
		require.NoError(t, err)
		return page.Target{Kind: page.Table, Table: id}
	}},
	"wall":       {who: "ana", open: pageOf(page.Wall)},
	"arenas":     {who: "ana", boss: true, open: inArena(false)},
	"arena":      {who: "ana", boss: true, open: inArena(true)},
	"contests":   {who: "ana", boss: true, open: inContest("league", page.Contest, false)},
	"league":     {who: "ana", boss: true, open: inContest("league", page.Contest, true)},
	"cup":        {who: "ana", boss: true, open: inContest("cup", page.Contest, true)},
	"duplicates": {who: "ana", open: inDuplicate(false)},
	"duplicate":  {who: "ana", open: inDuplicate(true)},
	"field":      {who: "ana", open: inField},
	"calendar":   {who: "ana", boss: true, open: inContest("cup", page.Calendar, false)},
	"daily":      {who: "ana", open: pageOf(page.Daily)},
	"gallery": {who: "ana", open: func(t *testing.T, l *lobby.Lobby, w *walker) page.Target {
		own := &walker{m: &model{env: &page.Env{Visit: visit(t, l, newMember(t, l, 8, "ben"))}}}
		return ownTable("spruce", func(c *table.Config) { c.Fill = table.FillNow })(t, l, own)
	}},
}

// played watches bots play until a game is over.
func played(t *testing.T, w *walker) table.GameID {
	for range 1000 {
		if list, err := w.m.env.Visit.Games(t.Context(), lobby.GamesQuery{Limit: 1}); err == nil && len(list) > 0 {
			return list[0].ID
		}
		time.Sleep(time.Minute)
		w.settle()
	}
	require.FailNow(t, "no game is ever over")
	return 0
}

// Whatever keys are pressed on whatever page, and however large the window is, nothing panics, no line is too
// wide, and drawing changes nothing.
func TestEveryKeyOnEveryPage(t *testing.T) {
	seed := *walkSeed
	switch {
	case seed == 0 && *walkLong:
		seed = rand.Uint64()
	case seed == 0:
		seed = 1 // the long form looks for new faults
	}
	walked := make(map[page.Kind]bool)
	begin := func(name string, s start) {
		t.Run(name, func(t *testing.T) {
			lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
				_, at := s.walk(t, c.Lobby, seed)
				walked[at] = true
			}, func(c *lobby.Config) { c.Exhibition, c.Daily = true, true })
		})
	}
	for name, s := range starts {
		begin(name, s)
	}
	if len(walked) < 2 {
		return // one walk has been asked for
	}
	for k := range makers {
		if !walked[k] { // a page of which nothing needs to be known
			begin(page.Target{Kind: k}.String(), start{who: "ana", boss: true, open: pageOf(k)})
		}
	}
}

// A number key or another page leads to each kind of page.
func TestEveryPageIsLedTo(t *testing.T) {
	source := func(path string) string {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(b)
	}
	var all strings.Builder
	for _, pattern := range []string{"*.go", "*/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, f := range files {
			if !strings.HasSuffix(f, "_test.go") {
				all.WriteString(source(f))
			}
		}
	}
	itself := regexp.MustCompile(`(?ms)^func \(\w+ \*\w+\) Chrome\(\) page\.Chrome \{.*?^\}`) // Reopen leads back to the page that is open
	sources := itself.ReplaceAllString(all.String(), "")
	led := make(map[string]bool)
	for _, to := range regexp.MustCompile(`([!=]= )?\b(?:(?:page|feature)\.|Kind: (?:page\.)?)(\w+)(:?)`).FindAllStringSubmatch(sources, -1) {
		if to[1] == "" && to[3] == "" { // a comparison leads nowhere, and entries of makers end with a colon
			led[to[2]] = true
		}
	}
	declared := make(map[page.Kind]bool)
	for _, kind := range regexp.MustCompile(`\b(\w+) +(?:page\.)?Kind += "(\w+)"`).FindAllStringSubmatch(sources, -1) {
		name, word := kind[1], page.Kind(kind[2])
		declared[word] = true
		require.Contains(t, makers, word, "%s has no entry in makers (pages.go)", name)
		require.True(t, led[name],
			"nothing leads to page.%s: it has no entry in pages (pages.go), and no page opens it with page.Open or Actions.Go", name)
	}
	require.Len(t, declared, len(makers), "kinds of pages that are declared")
}

// Keys move through each list, also through one that is empty in the clubs of the walks.
func TestEveryListIsMovedThrough(t *testing.T) {
	lists, moves := regexp.MustCompile(`(?m)^\tpage\.(Listed|EventPage)\b`), regexp.MustCompile(`\bdoes\.(Move|Scroll)\(`)
	has, can := map[string]int{}, map[string]int{}
	files, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	for _, f := range files {
		b, err := os.ReadFile(f)
		require.NoError(t, err)
		has[filepath.Dir(f)] += len(lists.FindAll(b, -1))
		can[filepath.Dir(f)] += len(moves.FindAll(b, -1))
	}
	for folder, n := range has {
		require.LessOrEqual(t, n, can[folder], "%s has a page.Listed without Actions.Move or Actions.Scroll", folder)
	}
	require.Positive(t, has["season"])
}

// Each kind of page has a page, and pictures that were looked at: in its own package, or made here for a page
// that needs nothing but the club.
func TestEveryPageIsDrawn(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		w := (&start{who: "ana"}).enter(t, c.Lobby, 1)
		for k, maker := range makers {
			to := page.Target{Kind: k}
			typ := reflect.TypeOf(maker(w.m.env, to))
			_, folder, _ := strings.Cut(typ.Elem().PkgPath(), "/ui/")
			if found, err := filepath.Glob(folder + "/testdata/*.txt"); err == nil && len(found) > 0 {
				continue
			}
			w.carryOut(w.m.open(to, true))
			w.settle()
			pagetest.Golden(t, w.m.env, w.m.page, to.String())
		}
	})
}

// In a wide window, pages of text and lists are in the middle; those with pictures, and the operators', use all
// of it.
func TestPagesAreInTheMiddle(t *testing.T) {
	whole := []page.Kind{page.Table, page.Replay, page.Wall, page.Admin}
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		w := (&start{who: "ana"}).enter(t, c.Lobby, 1)
		for k, maker := range makers {
			widest := maker(w.m.env, page.Target{Kind: k}).Chrome().Widest
			require.Equal(t, slices.Contains(whole, k), widest == 0, "page %s", k)
		}
	})
}

// walk presses keys, and returns the kind of page on which the person began.
func (s *start) walk(t *testing.T, l *lobby.Lobby, seed uint64) (*walker, page.Kind) {
	w := s.enter(t, l, seed)
	var to page.Target
	if s.open != nil {
		to = s.open(t, l, w)
		for _, line := range []string{"Hello!", strings.Repeat("What is a spinner, and why? ", 5)} {
			if to.Table != 0 { // talk takes rows from all else
				_, err := w.m.env.Visit.SayAt(t.Context(), to.Table, line)
				require.NoError(t, err)
			}
		}
		w.carryOut(w.m.open(to, true))
		w.settle()
	}
	if !testing.Short() {
		w.sizes()
	}

	keys := append([]tea.KeyPressMsg(nil), everyKey...)
	w.rng.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	switch {
	case testing.Short():
		keys = keys[:30]
	case !*walkLong:
		keys = keys[:120]
	}
	for i, k := range keys {
		w.press(k)
		switch n := w.rng.IntN(60); {
		case n < 15: // keys that lead on, more often than others
			w.press(tea.KeyPressMsg{Code: []rune{tea.KeyEnter, tea.KeyDown, tea.KeyRight, tea.KeyEscape, tea.KeyBackspace, tea.KeyLeft}[n%6]})
		case n < 20:
			w.resize(20+w.rng.IntN(181), 5+w.rng.IntN(56))
		case n < 22:
			w.does("paste", tea.PasteMsg{Content: strings.Repeat("words \x1b[31m und 中文 ", w.rng.IntN(50))})
		case n < 25:
			w.does("click", tea.MouseClickMsg{X: w.rng.IntN(220) - 5, Y: w.rng.IntN(70) - 5, Button: tea.MouseLeft})
		case n < 26:
			w.does("wheel", tea.MouseWheelMsg{X: w.rng.IntN(200), Y: w.rng.IntN(60), Button: tea.MouseWheelDown})
		case n < 30:
			time.Sleep(time.Duration(w.rng.IntN(30)) * time.Second)
			w.settle()
		}
		if s.open != nil && (w.quit || w.m.at.Kind != to.Kind && w.rng.IntN(3) == 0) {
			w.quit = false
			w.carryOut(w.m.open(to, false))
			w.settle()
		}
		if *walkLong && i%400 == 0 {
			w.sizes()
		}
	}
	w.sizes()
	return w, to.Kind
}

// enter lets the walker in.
func (s *start) enter(t *testing.T, l *lobby.Lobby, seed uint64) *walker {
	session := Session{Caller: feature.Caller{User: "cleo", Origin: lobby.Origin{Net: "10.0.0.7", Operator: s.boss}}}
	if s.who != "" || s.fresh {
		session.Key, session.Origin.Key = &lobby.KeyID{7}, lobby.KeyID{7}
	}
	if s.who != "" {
		a, err := l.Register(t.Context(), session.Origin, s.who)
		require.NoError(t, err)
		session.Account = a
	}
	return walk(t, l, seed, session)
}

// sizes draws the page at every size.
func (w *walker) sizes() {
	w.t.Helper()
	was := [2]int{w.m.width, w.m.height}
	for _, size := range everySize() {
		w.m.width, w.m.height = size[0], size[1]
		w.m.resizePage()
		w.fits()
		if w.m.env.Visit != nil && !w.m.small() {
			for _, l := range w.m.sheet([]string{""}, w.m.width, w.m.height, w.m.widestKey()) {
				if strings.Contains(l, "…") {
					w.fail("a key whose use is cut: %q", ansi.Strip(l))
				}
			}
		}
	}
	w.resize(was[0], was[1])
}

// A newer program on another node may have pages that this one lacks.
func TestASessionOnAnUnknownPageComesToTheLobby(t *testing.T) {
	lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
		start, ok := page.ParseTarget([]string{"nowhere"})
		require.True(t, ok)
		session := Session{Caller: feature.Caller{Origin: lobby.Origin{Net: "10.0.0.7"}}}
		session.Start = start
		w := walk(t, c.Lobby, 1, session)
		require.Equal(t, page.Target{Kind: page.Lobby}, w.m.at)

		key := c.NewKey()
		session.Key, session.Origin.Key = &key, key
		a, err := c.Register(t.Context(), session.Origin, "ana")
		require.NoError(t, err)
		session.Account = a
		w = walk(t, c.Lobby, 1, session)
		seat := ownTable("classic", func(*table.Config) {})(t, c.Lobby, w)
		w.leave(table.Disconnected)
		require.Equal(t, seat, walk(t, c.Lobby, 1, session).m.at, "or to their seat")
	})
}

// A session that another node takes over, or that begins again, returns to its page as it was left.
func TestAMovedSessionComesBackToItsPage(t *testing.T) {
	for name, s := range starts {
		if s.fresh {
			continue
		}
		t.Run(name, func(t *testing.T) {
			lobbytest.Bubble(t, func(t *testing.T, c *lobbytest.Club) {
				var at page.Target
				session := Session{Caller: feature.Caller{Origin: lobby.Origin{Net: "10.0.0.7", Operator: s.boss},
					Moved: func(to page.Target) { at = to }}}
				if s.who != "" {
					session.Key, session.Origin.Key = &lobby.KeyID{7}, lobby.KeyID{7}
					a, err := c.Register(t.Context(), session.Origin, s.who)
					require.NoError(t, err)
					session.Account = a
				}
				w := walk(t, c.Lobby, 1, session)
				w.carryOut(w.m.open(s.open(t, c.Lobby, w), true))
				w.settle()
				for _, k := range []string{"right", "down", "m"} {
					if w.m.at.Kind != page.Table { // where they would play
						w.press(page.KeyPress(k))
					}
				}
				w.leave(table.Disconnected)
				text := at.String()
				var ok bool
				session.Start, ok = page.ParseTarget(strings.Split(text, " "))
				require.True(t, ok)
				again := walk(t, c.Lobby, 1, session)
				require.Equal(t, w.m.at.Kind, again.m.at.Kind, text)
				require.Equal(t, w.m.here(), again.m.here(), text)
				require.Equal(t, w.m.page.Chrome().Title, again.m.page.Chrome().Title, text)
			}, func(c *lobby.Config) { c.Exhibition, c.Daily = true, true })
		})
	}
}
