package lobby

import (
	"context"
	"errors"
	"strings"
	"time"

	"boneyard/lobby/limit"
	"boneyard/table"
)

// Limits for messages that wait for a member who is away.
const (
	tellsKept = 20 // lines
	tellsNew  = 10 // with so many waiting, there is no room for those of newcomers
	tellsEach = 5  // of one sender, so that nobody takes all the room; of the club, the newest stay

	tellStamped = time.Minute // older lines are shown with their time
)

// slashTell sends a message to one person, who reads it on their next visit if they are away.
func slashTell(ctx context.Context, v *Visit, _ where, args []string) (string, error) {
	return v.tell(ctx, args[0], strings.Join(args[1:], " "), nil)
}

// slashReply answers the last message that was sent to this person.
func slashReply(ctx context.Context, v *Visit, _ where, args []string) (string, error) {
	v.lobby.mu.Lock()
	to := v.person.replyTo
	v.lobby.mu.Unlock()
	if to == "" {
		return "", ErrNoReply
	}
	return v.tell(ctx, to, strings.Join(args, " "), nil)
}

// slashMessages lists the messages to this person, since a screen shows each of them only once, in one line.
func slashMessages(_ context.Context, v *Visit, _ where, _ []string) (string, error) {
	notes := v.Notes()
	if len(notes) == 0 {
		return "Nobody has sent you a message yet.", nil
	}
	lines := []string{"The newest is the last; times are UTC."}
	today := dayOf(v.lobby.now())
	for _, n := range notes {
		form := "15:04"
		if dayOf(n.At) != today {
			form = "2 Jan 15:04"
		}
		lines = append(lines, n.At.UTC().Format(form)+" "+n.Text)
	}
	return strings.Join(lines, "\n"), nil
}

// tell sends a message to one person; if ask is set, a person who is here is prompted instead.
func (v *Visit) tell(ctx context.Context, name, what string, ask *Prompt) (string, error) {
	what, err := v.mayTalk(what)
	if err != nil {
		return "", err
	}
	a, err := v.recipient(ctx, name, ask != nil)
	if err != nil {
		return "", err
	}
	return v.send(ctx, a, what, ask)
}

// recipient finds the recipient of a message, or with asks, of a prompt, who may be away.
func (v *Visit) recipient(ctx context.Context, name string, asks bool) (*Account, error) {
	l, from := v.lobby, v.Player()
	rule, kept := v.tells()
	l.mu.Lock()
	if p := l.byName(name); p != nil && (asks || p == v.person || p.listens()) && l.sealedBetween(p.id, from.ID) == nil {
		defer l.mu.Unlock()
		switch a := p.account; {
		case p == v.person:
			return nil, ErrYourself
		case !l.hears(p, from):
			return nil, ErrNotWanted
		case !l.limits.Allow(rule, onePerson(p.player.ID)):
			return nil, ErrManyTells
		default:
			return &a, nil
		}
	}
	l.mu.Unlock()
	a, err := l.stores.Accounts.ByName(ctx, name)
	switch {
	case err != nil:
		return nil, l.missing(ErrNoMember, "look for a name", err) // nor is a guest of that name here
	case from.ID.Guest():
		return nil, ErrAway // nobody could answer
	case a.Settings.ignores(from.Name):
		return nil, ErrNotWanted
	}
	if err := v.may(&l.limits.tellsLeft, ErrManyTellsLeft); err != nil {
		return nil, err
	}
	full, err := l.stores.Talk.TellsFull(ctx, a.ID, from.ID, kept, tellsEach)
	switch {
	case err != nil:
		return nil, l.trouble("count messages", err)
	case full:
		return nil, ErrTellsFull
	}
	return a, nil
}

// send sends a message to the account that reach returned.
func (v *Visit) send(ctx context.Context, a *Account, what string, ask *Prompt) (string, error) {
	l, from := v.lobby, v.Player()
	_, kept := v.tells()
	l.mu.Lock()
	if p := l.people[a.ID]; p != nil && (ask != nil || p.listens()) && l.sealedBetween(a.ID, from.ID) == nil {
		defer l.mu.Unlock()
		if ask != nil {
			if !l.prompt(p, *ask) {
				return "", ErrManyTells
			}
			return p.player.Name + " is invited.", nil
		}
		l.notePrivately(p, Line{At: l.now(), From: from, Text: what})
		return "You tell " + p.player.Name + ": " + what, nil
	}
	l.mu.Unlock()
	if a.ID.Guest() {
		return "", ErrNobody
	}
	ok, err := l.stores.Talk.KeepTell(ctx, a.ID, Line{At: l.now(), From: from, Text: what}, kept, tellsEach)
	switch {
	case err != nil:
		return "", l.trouble("keep a message", err)
	case !ok:
		return "", ErrTellsFull
	}
	if s := l.sealedBetween(a.ID, from.ID); s != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.noteHeld(a.ID, s.Title+" is not over: a message from "+from.Name+" waits until then.")
		return a.Name + " plays the deals of " + s.Title + ", too, and will read it when that is over.", nil
	}
	return a.Name + " is away and will read it on their next visit.", nil
}

// tells returns the limit of messages to one person from people like this one (members, or newcomers), and
// how many of them may wait.
func (v *Visit) tells() (rule *limit.Rule, kept int) {
	if v.newcomer() {
		return &v.lobby.limits.newTells, tellsNew
	}
	return &v.lobby.limits.tells, tellsKept
}

// toldLine is a line told to a person, and when they had last done something.
type toldLine struct {
	Line
	active int64
}

// keepUnseen stores for the next visit what a disconnected member was told since they last did something:
// they may not have seen it. They may read it twice. With mu held.
func (l *Lobby) keepUnseen(p *person) {
	var lines []Line
	for _, t := range p.unseen {
		if t.active == p.active.Load() {
			lines = append(lines, t.Line)
		}
	}
	if len(lines) > 0 && !p.id.Guest() {
		l.jobs.run(func() { l.keepTells(p.id, lines) })
	}
}

// keepTells stores again what a member was told and has not read. If the store is unavailable, it retries
// later. It is a background job.
func (l *Lobby) keepTells(id table.PlayerID, lines []Line) {
	for i := range lines {
		_, err := l.stores.Talk.KeepTell(l.ctx, id, lines[i], tellsKept, tellsEach)
		if err == nil {
			continue
		}
		l.log.Warn("store: put back a message for a member", "player", id, "err", err)
		if errors.Is(err, table.ErrUnavailable) && l.ctx.Err() == nil {
			rest := lines[i:]
			l.later(recallAgain, func() { l.keepTells(id, rest) })
			return
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.people[id]; p != nil && p.listens() && !l.closed { // they have come back in the meantime
		l.jobs.run(func() { l.deliver(id) })
	}
}

// notePrivately notes a line that somebody, or the club, said to this person alone. With mu held.
func (l *Lobby) notePrivately(p *person, line Line) {
	p.unseen = append(p.unseen[max(0, len(p.unseen)-tellsKept+1):], toldLine{line, p.active.Load()})
	when := ""
	if l.now().Sub(line.At) > tellStamped {
		when = " (" + line.At.UTC().Format("2006-01-02 15:04 UTC") + ")"
	}
	if line.From.ID == 0 {
		l.note(p, "%s%s", line.Text, when)
		return
	}
	p.replyTo = line.From.Name
	l.note(p, "%s tells you%s: %s", line.From.Name, when, line.Text)
}

// deliver notes the messages that waited for a member while they were away, or played deals that others still
// played. It is a background job.
func (l *Lobby) deliver(id table.PlayerID) {
	if l.playsSealed(id) {
		return // delivered when that is over
	}
	lines, err := l.stores.Talk.TakeTells(l.ctx, id)
	if err != nil {
		l.log.Warn("store: read the messages for a member", "player", id, "err", err)
		l.later(recallAgain, func() { l.deliver(id) })
		return
	}
	l.mu.Lock()
	p := l.people[id]
	listens := p != nil && p.listens()
	for i := range lines {
		if listens && l.hears(p, lines[i].From) {
			l.notePrivately(p, lines[i])
		}
	}
	l.mu.Unlock()
	if !listens { // the person has just left
		l.keepTells(id, lines)
	}
}
