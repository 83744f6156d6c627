package play

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/table"
)

// shown returns the keys that the page offers, as displayed.
func (p *person) shown() (keys []string) {
	for _, k := range p.Actions().Keys() {
		keys = append(keys, k.Help().Key+" "+k.Help().Desc)
	}
	return keys
}

// A key that the table would refuse at once is not offered.
func TestKeysAreNotOfferedInVain(t *testing.T) {
	const sit1, take, ready, swap, bot, stand, talk = "s sit down", "s take a bot's seat", "space ready", "x swap", "b bot", "u stand up",
		"t talk"
	const pause, resign, claim, adjourn, follow, next = "p pause", "X resign", "c claim the game", "a vote: adjourn", "f follow",
		"enter continue"

	before := sit(t, "classic", 1, "cem", "")
	before.view.Config.Event = table.Event{}
	p := at(t, before.of(0))
	require.Subset(t, p.shown(), []string{sit1, follow, talk})
	p.club.watches = true
	require.NotContains(t, p.shown(), sit1, "where guests only watch")
	p.press("s")
	require.Equal(t, []table.Command{table.Sit{}}, p.asked(), "the club says why not")

	p = at(t, before.of(0))
	require.Subset(t, p.shown(), []string{"v best game", "] next table", "[ previous table"})
	p.club.lonely = true
	for _, k := range []string{"v best game", "] next table", "[ previous table"} {
		require.NotContains(t, p.shown(), k, "there is no other table")
	}

	own := at(t, before.of(1))
	require.Subset(t, own.shown(), []string{ready, swap, bot, stand, talk})
	before.view.Config.Event = table.Event{ID: 3, Pairing: 1, Wait: true}
	before.view.Seats[0].Ready = true
	own.view = before.of(1)
	require.Equal(t, []string{"i invite", talk}, own.shown(), "the event says who plays, and when")
	before.view.Config.Event, before.view.State = table.Event{}, table.Frozen
	own.view = before.of(1)
	require.Equal(t, []string{"i invite"}, own.shown(), "nothing can be written")

	bots := lead(t)
	bots.view.Seats[0] = table.SeatView{Player: table.Player{ID: 9, Name: "cem"}, Presence: table.Here}
	bots.view.Seats[1] = table.SeatView{House: table.Regular, Player: table.Player{Name: "nora.bot"}, Presence: table.Here}
	bots.view.Config.Access, bots.view.Rated = table.AccessOpen, false
	p = at(t, bots.of(0))
	require.Contains(t, p.shown(), take)
	bots.view.Seats = append(bots.view.Seats, table.SeatView{
		House: table.Regular, Player: table.Player{Name: "vera.bot"}, Presence: table.Here,
		Next: table.Player{ID: p.club.Player().ID},
	})
	p.view = bots.of(0)
	require.Contains(t, p.shown(), stand)
	require.NotContains(t, p.shown(), take, "they have one, though another bot plays, too")
	bots.view.Seats = bots.view.Seats[:2]
	p.view = bots.of(0)
	p.club.watches = true
	require.NotContains(t, p.shown(), take)
	bots.view.Seats[0] = table.SeatView{House: table.Regular, Player: table.Player{Name: "tess.bot"}, Presence: table.Here}
	p.view = bots.of(0)
	require.NotContains(t, p.shown(), follow, "only bots play")

	s := lead(t)
	own = at(t, s.of(1))
	require.NotContains(t, own.shown(), pause)
	s.view.May.Pause = true
	own.view = s.of(1)
	require.Contains(t, own.shown(), pause)
	s.view.State = table.Frozen
	own.view = s.of(1)
	for _, k := range []string{pause, resign, talk} {
		require.NotContains(t, own.shown(), k)
	}

	s.view.State, s.view.Deadline = table.Waiting, epoch.Add(time.Minute)
	s.view.Seats[0].Presence, s.view.May = table.Absent, table.May{Vote: map[table.Vote]bool{table.VoteAdjourn: true, table.VoteClaim: true}}
	own.view = s.of(2)
	require.Contains(t, own.shown(), adjourn)
	require.NotContains(t, own.shown(), claim, "the table still waits")
	s.view.Deadline = epoch
	own.view = s.of(2)
	require.Contains(t, own.shown(), claim)

	s = sit(t, "classic", 1, "ana", "ben")
	s.deal()
	s.toRoundEnd()
	own = at(t, s.of(1))
	require.Contains(t, own.shown(), next)
	s.view.State = table.Frozen
	own.view = s.of(1)
	require.NotContains(t, own.shown(), next)
}

// What the key for inviting wrote for the player is not what they want to say next.
func TestTalkAfterAnInvitation(t *testing.T) {
	p := at(t, sit(t, "classic", 1, "ana", "").of(1))
	p.press("i")
	require.Equal(t, "/invite ", p.line.Value())
	p.press("esc", "t")
	require.Empty(t, p.line.Value())
	p.press("h", "i", "esc", "t")
	require.Equal(t, "hi", p.line.Value(), "the line that was begun")
}

// What is said about the bot on the chosen seat is whole.
func TestChosenBotIsWhole(t *testing.T) {
	s := sit(t, "classic", 1, "ana", "ben")
	for _, level := range []table.Strength{table.Novice, table.Regular, table.Expert, table.Master} {
		s.view.Seats[1] = table.SeatView{House: level, Player: table.Player{Name: "cleo." + string(level)}, Presence: table.Here}
		p := at(t, s.of(1))
		p.press("right")
		for _, w := range []int{80, 90, 120} {
			require.Regexp(t, `(?m)(times|count|counts|tile|playable|seats)\. *$`, shown(p, w, 24), "%s, %d columns", level, w)
		}
	}
}

// Whether a game counts is said in whole words: the reason only where it has room.
func TestWhyAGameIsCasualIsWhole(t *testing.T) {
	s := answer(t)
	s.view.Casual = "two players on one network; only a club night rates such games"
	for w := 100; w < 160; w++ {
		require.Regexp(t, `casual( |: two players on one network; only a club night rates such games )`,
			shown(at(t, s.of(0)), w, 30), "%d columns", w)
	}
}
