package play

import (
	"cmp"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"boneyard/table"
	"boneyard/ui/page"
)

// best goes to the best game.
func (p *Page) best() tea.Cmd {
	return page.Find((*page.Env).Call, p.env, p.club.BestGame, func(at table.ID, err error) tea.Cmd {
		switch {
		case err != nil:
			return page.Refused(err)
		case at == p.id:
			return page.Send(page.Say("This is the best game right now."))
		}
		p.follow = table.Player{}
		return p.leadTo(at)
	})
}

// leadTo goes to another table, which replaces this page. It keeps the watcher's choices.
func (p *Page) leadTo(at table.ID) tea.Cmd {
	return page.Send(page.GotoMsg{To: page.Target{Kind: page.Table, Table: at, Follow: p.follow, Toggled: p.toggled}, Replace: true})
}

// followNext follows the table's first player, or the one after the player now followed, or after the last nobody.
func (p *Page) followNext() tea.Cmd {
	me := p.club.Player().ID
	var people []table.Player
	for i := range p.view.Seats {
		if q := p.view.Seats[i].Player; q.ID != 0 && q.ID != me {
			people = append(people, q)
		}
	}
	next := 0
	if p.follow.ID != 0 {
		next = cmp.Or(slices.IndexFunc(people, func(q table.Player) bool { return q.ID == p.follow.ID })+1, len(people))
	}
	was := p.follow
	p.follow = table.Player{}
	if next < len(people) {
		p.follow = people[next]
	}
	p.club.Follow(p.follow.ID)
	switch {
	case p.follow.ID != 0:
		return tea.Batch(page.Send(page.Say("Following "+p.follow.Name+": when they change tables, so do you.")), p.goAlong())
	case was.ID != 0:
		return page.Send(page.Say("You stopped following " + was.Name + "."))
	}
	return page.Send(page.Say("Nobody to follow here: only bots and free seats."))
}

// goAlong goes to the table where the followed player is now. It stays here if the person has a seat of their own.
func (p *Page) goAlong() tea.Cmd {
	if p.follow.ID == 0 || p.view == nil || p.view.POV != 0 || p.takes() || p.typing() {
		return nil
	}
	at := p.club.PlaysAt(p.follow.ID)
	if at == 0 || at == p.id {
		return nil
	}
	return tea.Batch(p.leadTo(at), page.Send(page.Say(p.follow.Name+" plays at table "+strconv.FormatInt(int64(at), 10)+" now.")))
}
