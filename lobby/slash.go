package lobby

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Command is a command typed as a line of chat and carried out by the lobby.
type Command struct {
	Name     string
	Args     string // those in brackets are optional
	Does     string
	Operator bool // for operators only
	run      func(ctx context.Context, v *Visit, at where, args []string) (string, error)
}

// where is where a line is typed: at a table, at an event, or else in the lobby.
type where struct {
	table table.ID
	event string // its title
}

// Commands lists the commands in the order of the help.
func Commands() []Command {
	return []Command{
		{"tell", "NAME TEXT", "sends somebody a message; if they are away, they read it later", false, slashTell},
		{"r", "TEXT", "replies to the last message sent to you", false, slashReply},
		{"messages", "", "the messages sent to you since you came", false, slashMessages},
		{"invite", "NAME [NAME] [NAME]", "invites people to the table where you sit", false, slashInvite},
		{"ignore", "[NAME]", "hides what somebody says, or lists whom you ignore", false, slashIgnore(true)},
		{"unignore", "NAME", "shows what somebody says again", false, slashIgnore(false)},
		{"report", "NAME TEXT", "reports somebody to the operators", false, slashReport},
		{"mute", "NAME|ADDRESS [key|net|both] [30m|2h|7d|forever] [WHY]", "mutes somebody, by key, network or both", true, slashMute},
		{"unmute", "NAME|ADDRESS", "unmutes somebody", true, slashPardon(SanctionMute)},
		{"kick", "NAME [WHY]", "ends somebody's sessions", true, slashKick},
		{"ban", "NAME|ADDRESS [key|net|both] [30m|2h|7d|forever] [WHY]", "bans somebody, by key, network or both", true, slashBan},
		{"unban", "NAME|ADDRESS", "lifts a ban", true, slashPardon(SanctionBan)},
		{"announce", "[TEXT]", "shows a line on all screens; without text, removes it", true, slashAnnounce},
		{"close", "TABLE", "closes a table", true, slashClose},
		{"clock", "[accept]", "by what time events go; accepts the server's clock after a leap", true, slashClock},
	}
}

// slash carries out a command.
func (v *Visit) slash(ctx context.Context, at where, line string) (string, error) {
	if _, err := v.alive(); err != nil {
		return "", err
	}
	if err := v.allow(); err != nil {
		return "", err
	}
	line, err := text.CleanLine(line)
	if err != nil {
		return "", err
	}
	words := strings.Fields(strings.TrimPrefix(line, "/"))
	if len(words) == 0 {
		return "", ErrNoCommand
	}
	for _, c := range Commands() {
		if !strings.EqualFold(c.Name, words[0]) {
			continue
		}
		if c.Operator && !v.Operator() {
			return "", ErrOperatorsOnly
		}
		needed := 0 // arguments in brackets are optional
		for _, arg := range strings.Fields(c.Args) {
			if !strings.HasPrefix(arg, "[") {
				needed++
			}
		}
		if len(words)-1 < needed {
			return "", text.Refusal(fmt.Sprintf("Use /%s %s.", c.Name, c.Args))
		}
		return c.run(ctx, v, at, words[1:])
	}
	return "", ErrNoCommand
}

// reply returns a command's answer, or its error.
func reply(err error, format string, args ...any) (string, error) {
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(format, args...), nil
}

// Where says what a person who is here is doing, and for how long they have been here; to an operator also
// where they come from. It returns ErrNobody, or the refusal of List.
func (v *Visit) Where(name string) (string, error) {
	if err := v.List(); err != nil {
		return "", err
	}
	l := v.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.byName(name)
	if p == nil {
		return "", ErrNobody
	}
	d := l.describe(p)
	reply := fmt.Sprintf("%s %s, here for %s.", d.Player.Name, d.does(l.now()), ago(l.now().Sub(d.Since)))
	if v.Operator() {
		for _, other := range p.visits {
			reply += fmt.Sprintf("\nFrom %s with %q.", other.origin.Net, other.origin.Terminal)
		}
	}
	return reply, nil
}

// ago formats a duration roughly, in words.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + " h"
	}
	return text.Number(int(d/(24*time.Hour)), "day")
}

func slashIgnore(on bool) func(context.Context, *Visit, where, []string) (string, error) {
	return func(ctx context.Context, v *Visit, _ where, args []string) (string, error) {
		if len(args) == 0 {
			s := v.Settings()
			return "You ignore " + cmp.Or(strings.Join(s.IgnoredNames(), ", "), "nobody") + ".", nil
		}
		withGuests, err := v.setIgnored(ctx, args[0], on)
		switch {
		case err != nil:
			return "", err
		case on && withGuests:
			return "You no longer see what " + args[0] + " says, or what guests from the same network say.", nil
		case on:
			return "You no longer see what " + args[0] + " says.", nil
		}
		return "You see what " + args[0] + " says again.", nil
	}
}

func slashReport(ctx context.Context, v *Visit, at where, args []string) (string, error) {
	l := v.lobby
	if err := v.may(&l.limits.reports, ErrManyReports); err != nil {
		return "", err
	}
	r := Report{
		At: l.now(), By: v.Player().ID, About: args[0], Text: strings.Join(args[1:], " "), Where: cmp.Or(at.event, "lobby"),
		Network: v.owner.Network,
	}
	if at.table != 0 {
		r.Where = "table " + numbered(at.table)
	}
	ctx, done := event.Lasting(ctx)
	defer done()
	last, err := l.stores.Moderation.AddReport(ctx, r)
	if err != nil {
		return "", l.trouble("keep a report", err)
	}
	const thanks = "Thanks; the operators will read it."
	// Repeated reports, and many at once, are only on the operators' page.
	if r.At.Sub(last).Abs() < time.Hour || !l.limits.Allow(&l.limits.reportNotes, v.who) {
		return thanks, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.people {
		if p.operator() && l.sealedBetween(p.id, v.person.id) == nil {
			l.note(p, "%s reports %s (%s): %s", v.person.player.Name, r.About, r.Where, r.Text)
		}
	}
	return thanks, nil
}

// errTerm is returned for a reason that begins with a number, or contains a duration.
const errTerm text.Refusal = "Write how long as 30m, 2h, 7d, 4w or forever, before the reason."

// term takes an optional duration off the front of the arguments, and returns the rest as the reason. Without
// one, no word of the reason may look like a duration: a misunderstanding must not become a ban for good.
func term(args []string, usual time.Duration) (d time.Duration, why []string, err error) {
	if len(args) > 0 {
		if d, ok := parseTerm(args[0]); ok {
			return d, args[1:], nil
		}
	}
	mark := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	for i, word := range args {
		word = strings.TrimFunc(word, mark)
		first, _ := utf8.DecodeRuneInString(word)
		if d, _ := parseTerm(strings.ToLower(word)); d != 0 || i == 0 && unicode.IsNumber(first) {
			return 0, nil, errTerm
		}
	}
	return usual, args, nil
}

func slashMute(ctx context.Context, v *Visit, _ where, args []string) (string, error) {
	p, err := v.punish(ctx, SanctionMute, args, 30*time.Minute, func(*target) error { return nil })
	if err != nil {
		return "", err
	}
	if p.person != nil {
		l := v.lobby
		l.mu.Lock()
		l.note(p.person, "You can't talk for now. %s", p.why)
		l.mu.Unlock()
	}
	return fmt.Sprintf("%s is muted %s (%s).", p.name, p.by(), termText(p.term, "")), nil
}

func slashBan(ctx context.Context, v *Visit, _ where, args []string) (string, error) {
	p, err := v.punish(ctx, SanctionBan, args, 0, func(t *target) error {
		if t.hits(v) {
			return text.Refusal("That would ban you, too.")
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s is banned %s (%s); sessions ended: %d.", p.name, p.by(), termText(p.term, ""), v.lobby.sweep()), nil
}

// sweep ends the sessions of all banned people, and returns how many.
func (l *Lobby) sweep() (ended int) {
	inForce, now := l.sanctions.Load(), l.earlierTime()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.people {
		for _, v := range slices.Clone(p.visits) {
			if s := inForce.banned(v.net, v.origin.Key, now); s != nil {
				v.kick((&SanctionError{Kind: SanctionBan, Why: s.Why, Until: s.Until}).Error())
				ended++
			}
		}
	}
	return ended
}

func slashPardon(kind string) func(context.Context, *Visit, where, []string) (string, error) {
	return func(ctx context.Context, v *Visit, _ where, args []string) (string, error) {
		n, err := v.pardon(ctx, kind, args[0])
		return reply(err, "%d lifted.", n)
	}
}

func slashKick(ctx context.Context, v *Visit, _ where, args []string) (string, error) {
	l := v.lobby
	here := func() error {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.byName(args[0]) == nil {
			return ErrNobody
		}
		return nil
	}
	if err := here(); err != nil {
		return "", err
	}
	why := strings.Join(args[1:], " ")
	last := "An operator has ended your session."
	if why != "" {
		last = "An operator has ended your session: " + why
	}
	name := ""
	err := v.audited(ctx, "kick", args[0], why, func() error {
		l.mu.Lock()
		defer l.mu.Unlock()
		p := l.byName(args[0])
		if p == nil {
			return ErrNobody // they have left in the meantime
		}
		for _, other := range slices.Clone(p.visits) {
			other.kick(last)
		}
		name = p.player.Name
		return nil
	})
	return reply(err, "%s has been disconnected.", name)
}

func slashAnnounce(ctx context.Context, v *Visit, _ where, args []string) (string, error) {
	l, what := v.lobby, strings.Join(args, " ")
	if !(eventClub{l}).Open() {
		return "", ErrDraining
	}
	// One at a time: what is last on disk is shown.
	ctx, release, err := event.Change(ctx, l.sanction)
	if err != nil {
		return "", l.trouble("wait to announce something", err)
	}
	defer release()
	err = v.audited(ctx, announced, "", what, func() error {
		l.announce(what)
		return nil
	})
	if what == "" {
		return reply(err, "It is on no screen any more.")
	}
	return reply(err, "It is on all screens now.")
}

// announce shows everybody an announcement; empty for none.
func (l *Lobby) announce(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.draining { // else it is shown after the restart
		l.notice = what
		l.changed(partNotice)
	}
}

// announced is an announcement's name in the audit log, where the latest is found after a restart.
const announced = "announce"

// lastAnnounced returns the current announcement, unless it is far back in the audit log.
func (l *Lobby) lastAnnounced(ctx context.Context) (string, error) {
	log, err := l.stores.Moderation.AuditLog(ctx, 1000)
	for i := range log {
		if log[i].Did == announced {
			return log[i].Why, err
		}
	}
	return "", err
}

func slashClose(ctx context.Context, v *Visit, _ where, args []string) (string, error) {
	n, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return "", ErrNoTable
	}
	aside := v.lobby.isAside(table.ID(n))
	if _, err := v.lobby.find(table.ID(n)); err != nil && !aside {
		return "", err
	}
	err = v.audited(ctx, "close", "table "+args[0], "", func() error {
		if aside {
			return v.lobby.closeAside(table.ID(n))
		}
		return v.do(ctx, table.ID(n), "", table.Close{})
	})
	return reply(err, "Table %s is closed.", args[0])
}

// byName returns the person here with a name, or one that looks like it, or nil. With mu held.
func (l *Lobby) byName(name string) *person { return l.present[text.Skeleton(name)] }

// slashClock describes the events' clock, and can make it accept the server's clock.
func slashClock(ctx context.Context, v *Visit, _ where, args []string) (string, error) {
	l := v.lobby
	if len(args) > 0 && args[0] == "accept" {
		if err := v.audit(ctx, "clock", "", l.clock.String()); err != nil {
			return "", err
		}
		l.clock.Accept()
		l.events.Recheck()
	}
	return l.clock.String(), nil
}
