package board

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"boneyard/rules"
	"boneyard/rules/record"
	"boneyard/ui/theme"
)

// seenIn checks a picture of a layout against what everybody expects of one; before is the picture of the
// layout without its last piece, in the same room. It reports whether the earlier pieces moved against each
// other, and whether that, or moving them all together, could perhaps have been avoided.
func seenIn(t require.TestingT, p, before *Plan) (moved, needless bool) {
	l := &p.layout
	n := l.Len()
	picture := drawing{p}
	m := &measures[p.size]
	room := rect{0, 0, p.w, p.h}
	for i := range n {
		q, r := l.Piece(i), p.lies[i]
		require.Equal(t, room, room.with(r.rect), "%s leaves the room %s", q.Tile, picture)
		for k := range i {
			o := p.lies[k]
			touch := r.touches(o.rect, m.lap)
			if int(q.At) != k {
				other := l.Piece(k)
				near := other.At == q.At || q.At >= 0 && int(l.Piece(int(q.At)).At) == k // two at one piece: their corners may meet
				require.False(t, touch || r.meets(o.rect, 0), "%s touches %s %s", q.Tile, other.Tile, picture)
				require.True(t, near || !r.meets(o.rect, 1), "%s is too close to %s %s", q.Tile, other.Tile, picture)
				continue
			}
			require.True(t, touch, "%s is not joined %s", q.Tile, picture)
			if q.Double() {
				require.NotEqual(t, r.dir.level(), r.w > r.h*2, "%s does not lie across %s", q.Tile, picture)
			} else {
				inner := r.rect // the joined half
				if r.dir.level() {
					inner.w = r.w/2 + 1
				} else {
					inner.h = r.h/2 + 1
				}
				inner.x += map[bool]int{true: r.w - inner.w}[r.dir == west]
				inner.y += map[bool]int{true: r.h - inner.h}[r.dir == north]
				require.True(t, inner.touches(o.rect, m.lap), "%s is joined by its wrong half %s", q.Tile, picture)
			}
		}
		if q.Spinner && l.Piece(i).At >= 0 && firstDouble(l, i) {
			require.True(t, r.dir.level(), "the spinner lies %s", picture)
		}
	}
	for i := range l.EndCount() {
		e, r := l.End(i), p.labels[i].rect
		arm, ok := p.ArmAt(r.midX(), r.y)
		require.True(t, ok && arm == e.Arm, "%s is at the label of %s %s", arm, e.Arm, picture)
		if e.Edge&(rules.EdgeUp|rules.EdgeDown) != 0 {
			name := p.Name(e.Arm)
			require.Equal(t, strings.IndexByte("RDLU", name[len(name)-1]), int(p.labels[i].side), "%s %s", name, picture)
		}
		require.Equal(t, room, room.with(r), "%s leaves the room %s", e.Arm, picture)
		require.True(t, r.meets(p.lies[e.At].rect, 1), "%s is not at its end %s", e.Arm, picture)
		for k := range n {
			require.True(t, !r.meets(p.lies[k].rect, map[bool]int{false: 1}[k == int(e.At)]), "%s is at %s %s", e.Arm, l.Piece(k).Tile, picture)
		}
		for k := range i {
			require.False(t, r.meets(p.labels[k].rect, 1), "%s and %s %s", e.Arm, l.End(k).Arm, picture)
		}
	}
	if before == nil || before.size == Strip {
		return false, false
	}
	require.LessOrEqual(t, p.size, before.size, "tiles grew %s", picture)
	dx, dy := p.lies[0].x-before.lies[0].x, p.lies[0].y-before.lies[0].y
	for i := range n - 1 {
		a, b := before.lies[i].rect, p.lies[i].rect
		a.x, a.y = a.x+dx, a.y+dy
		moved = moved || a != b || p.size != before.size
	}
	if !moved {
		if dx != 0 || dy != 0 { // the whole picture moved, since something would have left the room
			at := p.lies[n-1].rect
			for i := range l.EndCount() {
				at = at.with(p.labels[i].rect)
			}
			at.x, at.y = at.x-dx, at.y-dy
			return false, room == room.with(at) // or a name that is not written yet would have
		}
		return false, false
	}
	return true, before.goesOn(l)
}

// drawing is drawn only if a test fails.
type drawing struct{ *Plan }

func (d drawing) String() string {
	return fmt.Sprintf("\n%s in %dx%d\n%s", spell(&d.layout), d.w, d.h, strings.Join(d.Draw(inASCII), "\n"))
}

// firstDouble reports whether piece i is the first double.
func firstDouble(l *rules.Layout, i int) bool {
	p := placer{l: l}
	return p.firstDouble(i)
}

// touches reports whether two tiles share a part of an edge, more than a corner. Their edges are the middles
// of the cells that they share.
func (r rect) touches(o rect, lap int) bool {
	overX := min(r.x+r.w, o.x+o.w) - max(r.x, o.x) - lap
	overY := min(r.y+r.h, o.y+o.h) - max(r.y, o.y) - lap
	return overX == 0 && overY > 0 || overY == 0 && overX > 0
}

// goesOn reports whether the next layout's last piece could have been joined here without moving anything: it
// and its name have room, and all other names stay.
func (p *Plan) goesOn(l *rules.Layout) bool {
	m := &measures[p.size]
	q := l.Piece(l.Len() - 1)
	on, lies := l.Piece(int(q.At)), p.lies[q.At]
	edge := edgeOf(&on, &q)
	out := lies.dir
	switch edge {
	case rules.EdgeNear:
		out = west
	case rules.EdgeUp:
		out = out.left()
	case rules.EdgeDown:
		out = out.right()
	}
	ways := []lie{m.straight(lies, out, q.Double())}
	if !on.Double() {
		ways = append(ways, m.beside(lies, out, out.left(), q.Double()), m.beside(lies, out, out.right(), q.Double()))
	}
	if !q.Double() {
		ways = append(ways, m.bend(lies, out, out.left()), m.bend(lies, out, out.right()))
	}
	room := rect{0, 0, p.w, p.h}
	free := func(r rect, gap int) bool {
		for i := range p.layout.Len() {
			near := i == int(q.At) || int(on.At) == i || int(p.layout.Piece(i).At) == int(q.At)
			if gap > 0 && r.meets(p.lies[i].rect, gap) || gap == 0 && i != int(q.At) && !r.clear(p.lies[i].rect, near, m.lap) {
				return false
			}
		}
		for i := range p.layout.EndCount() {
			if e := p.layout.End(i); (e.At != q.At || e.Edge != edge) && r.meets(p.labels[i].rect, 1) {
				return false
			}
		}
		return room.with(r) == room
	}
	return !q.Spinner && slices.ContainsFunc(ways, func(way lie) bool {
		const name = 3 // with an arrow, and a blank if it stands beside the tile
		x, y := way.midX(), way.midY()
		named := func(d dir) bool { return free(way.beyond(d, x, y, name, 1, 0), 1) }
		return free(way.rect, 0) && (named(way.dir) || !q.Double() && (named(way.dir.left()) || named(way.dir.right())))
	})
}

// foldsEarly reports whether the line turned although one more tile, a double, another tile and a name had
// room straight on, with nothing in the way.
func (p *Plan) foldsEarly() bool {
	m := &measures[p.size]
	room := rect{0, 0, p.w, p.h}
	for i := 1; i < p.layout.Len(); i++ {
		q := p.layout.Piece(i)
		on, out := p.lies[q.At], p.lies[q.At].dir
		if q.At == 0 && q.Arm == rules.ArmL {
			out = west
		}
		if q.Arm > rules.ArmR || !out.level() || p.lies[i].dir.level() {
			continue
		}
		const name = 6
		r := m.straight(on, out, false).longer(out, m.thin+m.long+name)
		if room.with(r) != room {
			continue
		}
		r.y, r.h = r.midY()-m.tall/2, m.tall
		blocked := false
		for k := range p.layout.Len() {
			blocked = blocked || k != int(q.At) && k != i && r.meets(p.lies[k].rect, 1)
		}
		if !blocked {
			return true
		}
	}
	return false
}

// silent reports whether an end has no room for its count of so many columns.
func (p *Plan) silent(figures int) bool {
	for i := range p.layout.EndCount() {
		r, w := p.labels[i], len(p.layout.End(i).Arm.String())+figures
		if r.bent {
			w++
		}
		if r.side.level() {
			w++
		}
		if r.w < w {
			return true
		}
	}
	return false
}

// spell writes a layout as the tests read it.
func spell(l *rules.Layout) string {
	var b strings.Builder
	for i := range l.Len() {
		q := l.Piece(i)
		fmt.Fprintf(&b, "%d-%d%s ", q.Inner, q.Outer, q.Arm)
	}
	return b.String()
}

var inASCII = Options{Theme: theme.Get(theme.Mono, colorprofile.NoTTY, theme.ASCII), Count: rules.CountFlank}

// drawn checks that a picture shows each tile with its halves, each end with its name and its count, which
// add up, and nothing else.
func drawn(t require.TestingT, p *Plan) {
	lines := p.Draw(inASCII)
	picture := "\n" + strings.Join(lines, "\n")
	m := &measures[p.size]
	rest := make([][]byte, len(lines))
	for y, s := range lines {
		require.Equal(t, strings.TrimRight(s, " "), s, "blanks at the end")
		rest[y] = []byte(s + strings.Repeat(" ", p.w-len(s)))
	}
	for i := range p.layout.Len() {
		q, r := p.layout.Piece(i), p.lies[i]
		for _, y := range []int{r.y, r.y + r.h - 1} {
			require.NotContains(t, lines[y][r.x:r.x+r.w], " ", "the border of %s %s", q.Tile, picture)
		}
		from, to := r.rect, r.rect // its halves
		if r.w > 2*r.h {
			from.w, to.x, to.w = r.w/2, r.x+r.w/2+1, r.w/2
		} else {
			from.h, to.y, to.h = r.h/2, r.y+r.h/2+1, r.h/2
		}
		if r.dir == west || r.dir == north {
			from, to = to, from
		}
		for half, pip := range map[rect]rules.Pip{from: q.Inner, to: q.Outer} {
			n := 0
			for y := half.y; y < half.y+half.h; y++ {
				for x := half.x; x < half.x+half.w; x++ {
					if b := lines[y][x]; b >= '0' && b <= '9' {
						require.Equal(t, digit(pip), rune(b), "%s %s", q.Tile, picture)
						n++
					}
				}
			}
			require.True(t, n == 1 || n == int(pip) && m.spread > 0, "%s %s", q.Tile, picture)
		}
	}
	for i := range p.layout.Len() {
		r := p.lies[i]
		for y := r.y; y < r.y+r.h; y++ {
			copy(rest[y][r.x:], strings.Repeat(" ", r.w))
		}
	}
	sum, count := 0, 0
	for i := range p.layout.EndCount() {
		r := p.labels[i]
		words := strings.Fields(string(rest[r.y][r.x : r.x+r.w]))
		name := p.layout.End(i).Arm.String()
		if r.bent {
			name += string(">v<^"[r.out])
		}
		require.NotEmpty(t, words, picture)
		require.Equal(t, name, words[0], picture)
		if len(words) > 1 {
			n, err := strconv.Atoi(words[1])
			require.NoError(t, err, picture)
			sum += n
		}
		copy(rest[r.y][r.x:], strings.Repeat(" ", r.w))
	}
	for _, term := range p.layout.Terms(inASCII.Count) {
		count += int(term.Points)
	}
	require.LessOrEqual(t, sum, count, picture)
	if !p.silent(len(" 12")) {
		require.Equal(t, count, sum, picture)
	}
	for _, s := range rest {
		require.Empty(t, strings.TrimSpace(string(s)), picture)
	}
}

// checkStrip checks a strip against its layout: every open end is named, next to its value.
func checkStrip(t require.TestingT, l *rules.Layout, lines []string, w, h int) {
	picture := "\n" + strings.Join(lines, "\n")
	require.Len(t, lines, h)
	words := strings.Fields(strings.Join(lines, "  "))
	for _, s := range lines {
		require.LessOrEqual(t, ansi.StringWidth(s), w, picture)
	}
	for i := range l.EndCount() {
		e := l.End(i)
		k := slices.Index(words, e.Arm.String())
		require.GreaterOrEqual(t, k, 0, "%s has no name %s", e.Arm, picture)
		pip := fmt.Sprint(e.Pip)
		switch e.Arm {
		case rules.ArmL:
			require.Equal(t, pip, strings.Trim(words[k+1], "<>")[:1], "%s %s", e.Arm, picture)
		case rules.ArmR:
			before := strings.Trim(words[k-1], "<>")
			require.Equal(t, pip, before[len(before)-1:], "%s %s", e.Arm, picture)
		default:
			for k++; k < len(words) && words[k][0] != 'U' && words[k][0] != 'D' && !strings.HasSuffix(words[k], "U") &&
				!strings.HasSuffix(words[k], "D"); k++ {
			}
			last := strings.Trim(words[k-1], "<>")
			require.Equal(t, pip, last[len(last)-1:], "%s %s", e.Arm, picture)
		}
	}
}

var lawsSeed = flag.Uint64("laws.seed", 0, "the seed of the random rounds, 0 for another one each time")

// TestLaws checks pictures of recorded and random rounds of all games, for two to four seats, in the rooms of
// screens from 40×12 to 200×60.
func TestLaws(t *testing.T) {
	seed := *lawsSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("go test ./ui/board -run TestLaws -laws.seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	rounds := 700
	if testing.Short() {
		rounds = 100
	}
	layouts, strips, moves, needless, shifts, early, silent := 0, 0, 0, 0, 0, 0, 0
	sizes := map[Size]int{}
	check := func(round []rules.Layout, w, h int) {
		text := Lay(&round[random.IntN(len(round))], w, h, Strip)
		checkStrip(t, &text.layout, text.Draw(inASCII), w, h)
		var before *Plan
		for i := range round {
			p := Lay(&round[i], w, h, 0)
			layouts++
			sizes[p.size]++
			if p.size == Strip {
				strips++
				checkStrip(t, &round[i], p.Draw(inASCII), w, h)
				before = p
				continue
			}
			moved, avoidable := seenIn(t, p, before)
			switch {
			case moved:
				moves++
			case before != nil && before.size == p.size && before.lies[0] != p.lies[0]:
				shifts++
			}
			if avoidable {
				needless++
			}
			if p.foldsEarly() {
				early++
			}
			if p.silent(len(" 5")) {
				silent++
			}
			drawn(t, p)
			before = p
		}
	}
	room := func() (w, h int) { // a board has a third to nine tenths of a screen
		return 36 + random.IntN(163), 6 + random.IntN(48)
	}
	for _, rounds := range recorded(t) {
		for range 3 {
			w, h := room()
			check(rounds, w, h)
		}
	}
	for range rounds {
		w, h := room()
		check(randomRound(t, random), w, h)
	}
	t.Logf("%d layouts: %v; %d moved pieces against each other, %d of them perhaps without need; %d moved the whole; %d fold early; %d lack a number",
		layouts, sizes, moves, needless, shifts, early, silent)
	require.LessOrEqual(t, strips*50, layouts)
	require.LessOrEqual(t, moves*25, layouts)
	require.LessOrEqual(t, needless*500, layouts)
	require.LessOrEqual(t, shifts*100, layouts)
	require.LessOrEqual(t, early*60, layouts)
	require.LessOrEqual(t, silent*25, layouts)
}

// randomRound plays a round of any game with random moves.
func randomRound(t testing.TB, random *rand.Rand) (all []rules.Layout) {
	games := []string{"azneef", "sniff", "spruce", "classic", "block", "classic spinner=all", "spruce hand=5", "classic spinner=none"}
	r, err := rules.Parse(games[random.IntN(len(games))])
	require.NoError(t, err)
	seats := 2 + random.IntN(3)
	if r.CheckSeats(seats) != nil {
		seats = 4
	}
	g, err := rules.New(r, seats)
	require.NoError(t, err)
	var seed rules.Seed
	binary.BigEndian.PutUint64(seed[:], random.Uint64())
	g, err = g.Deal(seed.Deal(&r, seats, 1))
	require.NoError(t, err)
	for g.Phase() == rules.Playing {
		m := rules.Move{Seat: g.Turn(), Kind: g.Duty(), Arm: rules.NoArm}
		if m.Kind == rules.Play {
			choices := g.AppendChoices(nil)
			m = g.Move(choices[random.IntN(len(choices))])
		}
		g, _, err = g.Apply(m)
		require.NoError(t, err)
		if m.Kind == rules.Play {
			all = append(all, *g.Layout())
		}
	}
	return all
}

// recorded returns the rounds of the recorded games that tests of the rules use.
func recorded(t testing.TB) (rounds [][]rules.Layout) {
	files, err := filepath.Glob("../../rules/record/testdata/valid/*.dom")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		f, err := os.Open(name)
		require.NoError(t, err)
		n := 0
		for step, err := range record.Replay(f) {
			require.NoError(t, err)
			l := step.Game.Layout()
			switch {
			case l.Len() == 1 && n != 1:
				rounds = append(rounds, []rules.Layout{*l})
			case l.Len() > n:
				rounds[len(rounds)-1] = append(rounds[len(rounds)-1], *l)
			}
			n = l.Len()
		}
		require.NoError(t, f.Close())
	}
	return rounds
}
