// Package games is the page of games that were played: a list to look through, and the viewer in which one is played
// again. It knows records and layouts; it must not know where records are kept.
package games

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"boneyard/ui/page"
)

// Page lists games.
type Page struct{ env *page.Env }

// New returns the page.
func New(e *page.Env) *Page { return &Page{env: e} }

// Init loads the newest games.
func (p *Page) Init() tea.Cmd { return nil }

// Title is the page's name.
func (p *Page) Title() string { return "Games" }

// Keys are the page's keys.
func (p *Page) Keys() []key.Binding { return nil }

// Update handles a message.
func (p *Page) Update(tea.Msg) (page.Page, tea.Cmd) { return p, nil }

// Lines draws the list.
func (p *Page) Lines(_, _ int) []string { return nil }
