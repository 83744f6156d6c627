package play

import (
	"cmp"
	"context"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event/season"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/page/pagetest"
	"boneyard/ui/theme"
)

var noShields season.Shields

// fakeClub records what the page asks for.
type fakeClub struct {
	asked    []table.Command
	answer   error
	settings lobby.Settings
	tables   []table.Summary
	ignored  string
	watches  bool   // the player may not sit
	lonely   bool   // there is one table
	reply    string // to a line
	follows  table.PlayerID
	playsAt  table.ID
	card     *lobby.Card
	team     table.TeamID    // of the player
	shields  *season.Shields // nil: nobody holds one
}

func (c *fakeClub) Player() table.Player        { return table.Player{ID: 1, Name: "ana", Team: c.team} }
func (c *fakeClub) Reader() table.Reader        { return table.NewReader(c.Player(), "", !c.watches) }
func (c *fakeClub) Settings() lobby.Settings    { return c.settings }
func (c *fakeClub) Novice(context.Context) bool { return false }
func (c *fakeClub) SaveSettings(_ context.Context, s lobby.Settings) error {
	c.settings = s
	return nil
}
func (c *fakeClub) Snapshot() *lobby.Snapshot { return &lobby.Snapshot{Tables: c.tables} }
func (c *fakeClub) Galleries() int {
	if c.lonely {
		return 1
	}
	return 3
}
func (c *fakeClub) Hears(from table.Player) bool    { return c.ignored == "" || from.Name != c.ignored }
func (c *fakeClub) Shields() *season.Shields        { return cmp.Or(c.shields, &noShields) }
func (c *fakeClub) Follow(id table.PlayerID)        { c.follows = id }
func (c *fakeClub) PlaysAt(table.PlayerID) table.ID { return c.playsAt }
func (c *fakeClub) BestGame(context.Context) (table.ID, error) {
	return c.playsAt, c.answer
}
func (c *fakeClub) Card(context.Context, table.GameID) (*lobby.Card, error) {
	return c.card, c.answer
}
func (c *fakeClub) Show(lobby.Place) *lobby.Showing { return nil }
func (c *fakeClub) Do(_ context.Context, _ table.ID, cmd table.Command) error {
	c.asked = append(c.asked, cmd)
	return c.answer
}

func (c *fakeClub) SayAt(ctx context.Context, id table.ID, line string) (string, error) {
	return c.reply, c.Do(ctx, id, table.Say{Text: line})
}

// envFor is the Env of pages in tests.
func envFor(th *theme.Theme) *page.Env {
	return &page.Env{
		Context: context.Background(), Theme: th, Address: "-p 2222 club.example.org",
		Now: func() time.Time { return epoch }, Copy: func(string) bool { return true }, Bell: func() {}, Wake: func() {},
	}
}

// screenOf returns the whole screen as a player has it, or as watchers share it.
func screenOf(p *Page, w, h int) []string {
	if f := p.Frame(w, h); f != nil {
		return f.Lines
	}
	_, rows := page.Room(h)
	return page.Around(p.env.Theme, w, h, page.Header(p.env.Theme, p.Chrome().Title, "ana", w), pagetest.Lines(p, w, rows), "",
		p.Actions().And(page.KeyBack, page.KeyHelp))
}

// fakeSub shows one view.
type fakeSub struct{ view *table.View }

func (s *fakeSub) Tell(func())       {}
func (s *fakeSub) View() *table.View { return s.view }
