package club

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
)

func TestCursorBeginsOnTop(t *testing.T) {
	club := &fakeClub{me: player("zoe"), snap: &lobby.Snapshot{}}
	d := visitAs(t, club)
	require.Zero(t, chosen(d))
	update(d, club, func(s *lobby.Snapshot) { s.Tables = evening().snap.Tables })
	require.EqualValues(t, 12, chosen(d))
}

// Whether or not the cursor has moved, Enter opens the table that the person sees.
func TestCursorFollowsItsTable(t *testing.T) {
	for _, keys := range [][]string{nil, {"down", "down"}} {
		club := evening()
		club.me = player("zoe")
		d := visitAs(t, club)
		d.Press(keys...)
		at := []table.ID{12, 19, 23}[len(keys)]
		require.EqualValues(t, at, chosen(d))
		update(d, club, func(s *lobby.Snapshot) { // one of the person's own comes to the top
			s.Tables = append([]table.Summary{tab(31, "classic", []string{"kim", ""})}, s.Tables...)
			s.Tables = append(s.Tables, tab(32, "classic", []string{"kim", "zoe"}, plays(1, 2, 0, 0)))
		})
		require.EqualValues(t, at, chosen(d), "others' tables come and go above")
		require.Contains(t, body(d), "your move ", "the top of the list stays in sight")
		d.Press("enter")
		require.Equal(t, []table.ID{at}, club.did)
	}
}

func TestCursorStandsOnTheNextTableWhenItsOwnIsGone(t *testing.T) {
	club := evening()
	club.me = player("zoe")
	d := visitAs(t, club)
	d.Press("down")
	update(d, club, func(s *lobby.Snapshot) { s.Tables = append(s.Tables[:1:1], s.Tables[2:]...) })
	require.EqualValues(t, 23, chosen(d))
	update(d, club, func(s *lobby.Snapshot) { s.Tables = s.Tables[:1:1] })
	require.EqualValues(t, 12, chosen(d))
}

// In a scrolled list the chosen row stays in place on the screen.
func TestScrolledListStaysInPlace(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	d.Press("end", "up")
	row := func() int {
		for i, s := range strings.Split(body(d), "\n") {
			if strings.HasPrefix(s, " ▸") {
				return i
			}
		}
		return -1
	}
	before := row()
	require.Positive(t, before)
	update(d, club, func(s *lobby.Snapshot) {
		s.Tables = append([]table.Summary{tab(31, "classic", []string{"zoe", ""})}, s.Tables...)
	})
	require.Equal(t, before, row())
}

func TestYourMoveComesFirst(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	require.EqualValues(t, 4, chosen(d))
	require.Contains(t, body(d), "your move")
	update(d, club, func(s *lobby.Snapshot) {
		s.Tables = append(s.Tables[:0:0], s.Tables...)
		s.Tables = append(s.Tables, tab(51, "classic", []string{"zoe", "ana"}, plays(1, 2, 0, 0)))
	})
	require.Contains(t, body(d), "your move at 2 tables")
}

func TestFilters(t *testing.T) {
	d := visitAs(t, evening())
	list := func() (ids []table.ID) {
		for _, s := range d.Page.(*Page).order {
			ids = append(ids, s.Table)
		}
		return ids
	}
	d.Press("f")
	require.Equal(t, []table.ID{12, 19, 23}, list())
	d.Press("f", "m")
	require.Equal(t, []table.ID{4}, list())
	d.Press("m", "k", "k")
	require.Equal(t, []table.ID{21}, list())
	d.Press("k", "k", "/")
	d.Type("Beginners")
	require.Equal(t, []table.ID{23}, list())
	require.True(t, d.Page.Chrome().Typing)
	d.Press("enter")
	require.Equal(t, []table.ID{23}, list(), "enter keeps what was looked for")
	d.Press("/", "esc")
	require.Len(t, list(), 11)
	d.Press("/")
	d.Type("Beginners")
	d.Press("enter", "esc")
	require.Len(t, list(), 11, "esc clears what enter has kept")
	d.Press("f", "g", "k", "esc")
	require.Len(t, list(), 11)
	d.Press("/")
	d.Type("nobody of that name")
	require.Contains(t, body(d), "No match")
}

func TestFilterChoosesTheFirstWhereTheChosenIsNotFound(t *testing.T) {
	d := visitAs(t, evening())
	d.Press("end", "up", "up")
	require.EqualValues(t, 11, chosen(d))
	d.Press("f")
	require.EqualValues(t, 12, chosen(d))
	d.Press("down", "f")
	require.EqualValues(t, 19, chosen(d), "and keeps the one that is")
}

func TestComesBackAsItWasLeft(t *testing.T) {
	club := evening()
	d := visitAs(t, club)
	d.Press("f", "down")
	require.EqualValues(t, 19, chosen(d))
	again := New(pagetest.Env(t, nil), club, d.Page.Chrome().Reopen)
	require.EqualValues(t, 19, again.chosen)
	require.Len(t, again.order, 3)

	d.Press("right", "right", "down")
	again = New(pagetest.Env(t, nil), club, d.Page.Chrome().Reopen)
	require.Equal(t, people, again.focus)
	require.Equal(t, d.Page.(*Page).person(), again.person())
	for _, far := range []int{-1, 99} { // a target may come from text
		require.NotEmpty(t, bodyAt(pagetest.Drive(New(pagetest.Env(t, nil), club, page.Target{Panel: far})), 80, 20))
	}
}

// A new friend moves up in the list, and the cursor stays on them.
func TestTheCursorStaysOnANewFriend(t *testing.T) {
	c := evening()
	d := pagetest.Drive(New(pagetest.Env(t, nil), c, page.Target{}))
	d.Press("right", "right", "down", "down", "+")
	p := d.Page.(*Page)
	who := p.person().Player.Name
	require.Equal(t, []string{who}, c.liked)
	c.next(func(s *lobby.Snapshot) { s.People = slices.Clone(s.People) })
	d.Send(page.ClubUpdateMsg{})
	require.Len(t, p.people.Friends, 1)
	require.Equal(t, who, p.person().Player.Name)
	require.Zero(t, p.cursor[people].At)
}
