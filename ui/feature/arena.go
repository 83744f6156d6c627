package feature

import (
	"context"
	"fmt"
	"strings"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/lobby/event/arena"
	"boneyard/ui/plain"
)

const (
	errArena Usage = "Use arena, arena N, arena N enter, arena N enter with NAME, arena N leave, or arena new " +
		"WORDS; its creator: arena N off; operators: arena N once."
	errArenaWords Usage = "Describe an arena with words such as: in=30 (minutes) or at=2026-11-27T20:00, length=60, " +
		"bots=on, battle=on, teams=OWL,CAT, programs=on, repeat=weekly, pace=fast, a game with house rules, name=TEXT."
)

var arenas = eventKind{
	kind: arena.Kind, usage: errArena, enters: true, leaves: true, create: newArena, show: shows((*lobby.Visit).Arena, showArena),
	list: lists(plain.Arenas, (*lobby.Visit).Arenas),
	do: func(ctx context.Context, q *Ask, id event.ID, words []string) error {
		if len(words) == 1 && strings.EqualFold(words[0], "once") {
			return q.Visit.EndWeekly(ctx, id)
		}
		return errArena
	},
}

func showArena(q *Ask, a *arena.View) Answer {
	const arenaPlaces = 100 // how many places of an arena text lists
	ans := listed(q, plain.Arenas, *a)
	if len(a.Teams) > 0 {
		ans.add(listed(q, plain.ArenaTeams, a.Teams...))
	}
	places := make([]plain.ArenaPlace, len(a.Entrants))
	for i := range a.Entrants {
		places[i] = plain.ArenaPlace{Entrant: &a.Entrants[i], In: a}
	}
	shown := len(places)
	if !q.Options.JSON {
		shown = min(arenaPlaces, shown)
	}
	ans.add(listed(q, plain.ArenaPlaces, places[:shown]...))
	if more := len(places) - shown; more > 0 {
		ans.Lines = append(ans.Lines, fmt.Sprintf("and %d more", more))
	}
	if mine := a.Of(q.Visit.Player().ID); a.Enters() && (mine == nil || mine.Away) {
		ans.Lines = append(ans.Lines, "", takePart(arena.Kind, a.ID, a.Config.Pairs && mine == nil))
	}
	return ans
}

// newArena creates the arena that words describe.
func newArena(ctx context.Context, v *lobby.Visit, words []string) (event.ID, error) {
	var cfg arena.Config
	length := time.Hour
	on := func(to *bool) func(string) error {
		return func(value string) error {
			if *to = value == "on"; !*to && value != "off" {
				return errArenaWords
			}
			return nil
		}
	}
	t, begins, err := newEvent(words, time.Time{}, v.EventsNow(), []string{usualPace}, eventWords{
		"length": period(&length), "battle": on(&cfg.Battle), "programs": on(&cfg.Programs), "bots": on(&cfg.Bots),
		"repeat": func(value string) error {
			if cfg.Weekly = value == "weekly"; !cfg.Weekly {
				return errArenaWords
			}
			return nil
		},
		"teams": func(value string) error {
			if value == "on" || value == "off" {
				return errOfGame
			}
			for tag := range strings.SplitSeq(value, ",") {
				t, err := v.FindTeam(ctx, tag)
				if err != nil {
					return err
				}
				cfg.Teams = append(cfg.Teams, t.ID)
			}
			cfg.Battle = true
			return nil
		},
	})
	if err != nil {
		return 0, err
	}
	cfg.Name, cfg.Rules, cfg.Pace, cfg.Pairs = t.Name, t.RuleText, t.Pace, t.Rules.Teams
	return v.NewArena(ctx, cfg, begins, length)
}
