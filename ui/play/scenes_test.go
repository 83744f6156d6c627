package play

import (
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event/season"
	"boneyard/rules"
	"boneyard/rules/replay/replaytest"
	"boneyard/table"
	"boneyard/ui/theme"
)

// scene is a screen of the goldens.
type scene struct {
	name    string
	view    *table.View
	prepare func(*Page) // what the player has done on the page; nil for nothing
}

// open shows the scene in a theme.
func (sc *scene) open(th *theme.Theme) *Page {
	p := newPage(envFor(th), &fakeClub{}, sc.view.Table)
	p.view = sc.view
	if sc.prepare != nil {
		sc.prepare(p)
	}
	return p
}

// holdsShield gives the shield of the season to ben.
func holdsShield(p *Page) {
	p.club.(*fakeClub).shields = &season.Shields{Players: map[table.PlayerID]bool{2: true}}
}

// scenes are the states in which a table can be seen.
func scenes(tb testing.TB) []scene {
	var all []scene
	add := func(name string, v *table.View, prepare func(*Page)) { all = append(all, scene{name, v, prepare}) }
	g := sit(tb, "classic target=100", 1, "ana", "ben", "", "nora.bot")
	g.view.Config.Access = table.AccessCode
	g.view.Seats[3].House, g.view.Seats[3].Player.ID, g.view.Seats[3].Ready = table.Regular, 0, true
	g.view.Seats[1].Ready = true
	g.view.Deadline = epoch.Add(23 * time.Second)
	g.say(2, table.RoomPlayers, "shall we start with the short game?")
	g.say(9, table.RoomWatchers, "go ben")
	g.say(1, table.RoomPlayers, "yes, one more is coming")
	add("gather", g.of(1), func(p *Page) { p.seat = 3 })
	add("gather-watch", g.of(0), holdsShield)
	c := sit(tb, "block", 1, "ana", "ben", "cleopatra", "dora")
	c.view.State, c.view.Deadline = table.Countdown, epoch.Add(4*time.Second)
	for i := range c.view.Seats {
		c.view.Seats[i].Ready = true
	}
	add("countdown", c.of(2), nil)

	s := sit(tb, "classic", 1, "ana", "ben", "cleopatra", "nora.bot")
	s.view.Casual = "house bot at the table"
	s.deal()
	s.moveTo(1, 10)
	s.view.TurnEnds, s.view.BankEnds = epoch.Add(23*time.Second), epoch.Add(143*time.Second)
	s.say(2, table.RoomPlayers, "good luck")
	s.say(3, table.RoomPlayers, "that 20 hurt")
	add("play-turn", s.of(1), func(p *Page) { p.pick.step(&p.view.Play, 1) })
	add("play-fresh", s.of(1), holdsShield)
	s.view.May.Pause = true
	add("play-other", s.of(2), nil)
	s.view.May.Pause = false
	add("play-watch", s.of(0), nil)
	add("play-known", s.of(0), func(p *Page) { p.toggled = true })
	s.view.Config.OpenHands = true
	open := *s.of(0)
	open.OpenHands = &[rules.MaxSeats]rules.Hand{}
	for i := range s.game.Seats() {
		open.OpenHands[i] = s.game.Hand(rules.Seat(i + 1))
	}
	open.OpenHands[1] = open.OpenHands[1].Without(open.OpenHands[1].Lowest()) // has just been drawn
	add("play-open-hands", &open, nil)
	add("play-open-hands-panel", &open, func(p *Page) { p.toggled = true })
	s.view.Config.OpenHands = false
	s.ahead = true
	add("play-ahead", s.of(0), nil)
	asleep := *s.of(0)
	asleep.Asleep, asleep.Seats = true, slices.Clone(asleep.Seats)
	for i := range asleep.Seats[:3] {
		asleep.Seats[i].Presence = table.Disconnected
	}
	add("play-asleep", &asleep, nil)
	two := sit(tb, "spruce", 3, "ana", "ben")
	two.view.Rated = true
	two.deal()
	two.moveTo(1, 8)
	add("play-two", two.of(1), func(p *Page) { p.pick.step(&p.view.Play, 1) })
	add("play-two-watch", two.of(0), nil)
	two.ahead = true
	add("play-ahead-two", two.of(0), nil)
	partners := sit(tb, "block", 2, "ana", "ben", "cleopatra", "dora")
	partners.deal()
	partners.moveTo(1, 8)
	add("play-partners", partners.of(1), nil)

	r := sit(tb, "classic", 2, "ana", "ben", "cleopatra", "nora.bot")
	r.view.Seats[3].House, r.view.Seats[3].Player.ID, r.view.Seats[3].Ready = table.Regular, 0, true
	r.deal()
	r.toRoundEnd()
	r.view.Deadline = epoch.Add(17 * time.Second)
	r.view.Seats[1].Ready = true
	add("score", r.of(1), nil)
	add("score-watch", r.of(0), nil)

	f := sit(tb, "block", 3, "ana", "ben", "cleopatra", "dora")
	f.toGameEnd()
	f.view.Rated = true
	f.view.Seed, f.view.Commitment = f.seed.String(), f.seed.Commitment()
	f.view.Result = &table.Result{Ending: table.EndPlayed, Winner: int(f.game.Winner()), Rounds: f.game.Round(), Best: 25, BestBy: 2,
		Deficit: 40, Rated: true,
		Changes: []table.Delta{{Kind: "team", Name: "The Bones", Before: 1500, After: 1523},
			{Kind: "team", Name: "Elbow Grease", Before: 1511, After: 1488}}}
	f.view.Seats[1].Ready = true
	add("finish", f.of(1), nil)
	add("finish-watch", f.of(0), nil)
	record := replaytest.Read(tb, filepath.Join("..", "..", "rules", "record", "testdata", "valid", "azneef-teams-4p-01.dom"))
	add("card", f.of(1), func(p *Page) {
		p.card = &lobby.Card{Record: record, Gains: record.Gains(),
			Game: lobby.GameInfo{ID: 412, Rules: "azneef teams=on", Started: epoch, Scores: []int{155, 65},
				Winner: 1, Ending: table.EndPlayed, Rated: true, Changes: f.view.Result.Changes}}
		p.card.Best, p.card.Worst = record.Extremes()
		for i := range record.Moments { // the winners fall back, and come back
			chance := 0.5 + 0.5*math.Pow(float64(i)/float64(len(record.Moments)), 2) - 0.4*math.Sin(float64(i)/15)*float64(len(record.Moments)-i)/100
			p.card.Chances = append(p.card.Chances, []float64{chance, 1 - chance})
		}
	})

	teams := sit(tb, "classic teams=on", 4, "ana", "ben", "cleopatra", "dora")
	teams.view.Config.Access = table.AccessTeams
	teams.view.Tags, teams.view.Teams = [2]string{"OWL", "GREAS"}, [2]string{"Night Owls", "Elbow Grease"}
	teams.view.Rated = true
	teams.deal()
	teams.moveTo(1, 8)
	add("team-play", teams.of(1), nil)
	teams.toRoundEnd()
	teams.view.Deadline = epoch.Add(17 * time.Second)
	add("team-score", teams.of(1), nil)
	teams.toGameEnd()
	teams.view.Seed, teams.view.Commitment = teams.seed.String(), teams.seed.Commitment()
	winner := int(teams.game.Winner())
	teams.view.Result = &table.Result{Ending: table.EndPlayed, Winner: winner, Rounds: teams.game.Round(), Rated: true,
		Changes: []table.Delta{{Kind: "player", Name: "ana", Before: 1512, After: 1500},
			{Kind: "team", Name: "Night Owls", Before: 1523, After: 1500}, {Kind: "team", Name: "Elbow Grease", Before: 1488, After: 1511}}}
	add("team-finish", teams.of(2), nil)
	return all
}
