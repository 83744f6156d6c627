package play

import (
	"context"
	"time"

	"boneyard/lobby"
	"boneyard/table"
	"boneyard/ui/page"
	"boneyard/ui/theme"
)

// fakeClub takes down what the page asks for.
type fakeClub struct {
	asked    []table.Command
	answer   error
	settings lobby.Settings
	tables   []table.Summary
	ignored  string
	reply    string // to a line
}

func (c *fakeClub) Player() table.Player        { return table.Player{ID: 1, Name: "ana"} }
func (c *fakeClub) Settings() lobby.Settings    { return c.settings }
func (c *fakeClub) Novice(context.Context) bool { return false }
func (c *fakeClub) SaveSettings(_ context.Context, s lobby.Settings) error {
	c.settings = s
	return nil
}
func (c *fakeClub) Snapshot() *lobby.Snapshot    { return &lobby.Snapshot{Tables: c.tables} }
func (c *fakeClub) Hears(from table.Player) bool { return c.ignored == "" || from.Name != c.ignored }
func (c *fakeClub) Watch(context.Context, table.ID) (subscription, error) {
	return nil, table.ErrWatchers
}
func (c *fakeClub) Do(_ context.Context, _ table.ID, cmd table.Command) error {
	c.asked = append(c.asked, cmd)
	return c.answer
}

func (c *fakeClub) SayAt(ctx context.Context, id table.ID, room table.Room, line string) (string, error) {
	return c.reply, c.Do(ctx, id, table.Command{Kind: table.Chat, Room: room, Text: line})
}

// envFor is what a page is made with in tests.
func envFor(th *theme.Theme) *page.Env {
	return &page.Env{
		Context: context.Background(), Theme: th, Address: "-p 2222 club.example.org",
		Now: func() time.Time { return epoch }, Copy: func(string) bool { return true }, Bell: func() {},
	}
}

// screenOf is the whole screen as a player has it, or as watchers share it.
func screenOf(p *Page, w, h int) []string {
	if f := p.Frame(w, h); f != nil {
		return f.Lines
	}
	_, rows := page.Room(h)
	return page.Around(p.env.Theme, w, h, page.Header(p.env.Theme, p.Title(), "ana", w), p.Lines(w, rows), "", append(p.Keys(), page.KeyBack, page.KeyHelp))
}

// fakeSub shows one view.
type fakeSub struct {
	view   *table.View
	closed chan struct{}
}

func (s *fakeSub) C() <-chan struct{} { return nil }
func (s *fakeSub) View() *table.View  { return s.view }
func (s *fakeSub) Close()             { close(s.closed) }
