package feature

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"boneyard/lobby"
	"boneyard/lobby/event/season"
	"boneyard/lobby/text"
	"boneyard/rules/replay"
	"boneyard/table"
	"boneyard/ui/plain"
)

// kinds maps words to the standings that they ask for.
var kinds = map[string]lobby.Kind{
	"teams": lobby.KindTeam, "team": lobby.KindTeam, "pairs": lobby.KindPair, "pair": lobby.KindPair, "players": lobby.KindPlayer,
	"player": lobby.KindPlayer,
}

var month = regexp.MustCompile(`^[0-9]{4}-(0[1-9]|1[0-2])$`)

const errStandings Usage = "Use standings with teams, pairs or players, a game, and a month such as 2026-11."

func standings(ctx context.Context, q *Ask) (Answer, error) {
	ask := lobby.StandingsQuery{Kind: lobby.KindPlayer, Limit: cmp.Or(q.Options.Limit, 100)}
	words := q.Words
	for _, w := range []string{q.Options.Game, q.Options.Month} {
		if w != "" {
			words = append(words, w)
		}
	}
	for _, w := range words {
		w = strings.ToLower(w)
		switch kind, ok := kinds[w]; {
		case ok:
			ask.Kind = kind
		case plain.IsGame(w):
			ask.Game = w
		case month.MatchString(w):
			ask.Month = w
		default:
			return Answer{}, errStandings
		}
	}
	found, err := q.Visit.Standings(ctx, ask)
	with := func(before, s string) string {
		if s == "" {
			return ""
		}
		return before + s
	}
	first := "Standings of " + string(ask.Kind) + "s" + with(" in ", ask.Game) + with(" of ", ask.Month) + "."
	return list(q, plain.Standings, found, first, "Nobody is ranked there yet.", standing), err
}

func standing(s *lobby.Standing) string {
	out := strconv.Itoa(s.Rank) + ". " + s.Name
	if s.Tag != "" {
		out += " [" + s.Tag + "]"
	}
	out += ", rating " + strconv.Itoa(s.Rating)
	if s.Provisional {
		out += ", provisional"
	}
	out += fmt.Sprintf(", %s, won %d, lost %d", text.Number(s.Games, "game"), s.Won, s.Lost)
	if s.Shared > 0 {
		out += fmt.Sprintf(", shared %d", s.Shared)
	}
	out += fmt.Sprintf(", points %d to %d", s.For, s.Against)
	switch {
	case s.Streak > 1:
		out += fmt.Sprintf(", %d wins in a row", s.Streak)
	case s.Streak < -1:
		out += fmt.Sprintf(", %d losses in a row", -s.Streak)
	}
	if s.Shield {
		out += ", holds the shield of the season"
	}
	if s.LastFive != "" {
		out += ", last " + s.LastFive
	}
	return out + "."
}

func games(ctx context.Context, q *Ask) (Answer, error) {
	found, err := q.Visit.Games(ctx, lobby.GamesQuery{
		Text: q.text(), Before: table.GameID(q.Options.Before), Limit: cmp.Or(q.Options.Limit, 100), Mine: q.Visit.Player().ID,
	})
	return list(q, plain.Games, found, "", "No games match.", q.game), err
}

func (q *Ask) game(g *lobby.GameInfo) string { return plain.SayGame(g, q.Visit.Player()) }

func (q *Ask) games(list []lobby.GameInfo) []string {
	return text.Each(list, func(g lobby.GameInfo) string { return q.game(&g) })
}

func replayGame(ctx context.Context, q *Ask) (Answer, error) {
	var numbers []int64
	for _, w := range q.Words {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return Answer{}, errNumber
		}
		numbers = append(numbers, n)
	}
	if len(numbers) == 0 && q.At != nil && q.At.Result != nil {
		numbers = append(numbers, int64(q.At.Game))
	}
	if len(numbers) == 0 || len(numbers) > 2 {
		return Answer{}, Usage("Say which game: replay and its number, and a round's number if you like.")
	}
	info, r, err := Record(ctx, q.Visit, table.GameID(numbers[0]))
	if err != nil {
		return Answer{}, err
	}
	told := []string{q.game(info)}
	for i := range r.Rounds {
		if len(numbers) == 1 || int64(r.Rounds[i].Number) == numbers[1] {
			told = append(told, plain.ReplayedRound(r, &r.Rounds[i])...)
		}
	}
	if len(numbers) == 1 {
		told = append(append(told, plain.PointsLeft(r)...), plain.RecordedResult(r, info)...)
	} else if len(told) == 1 {
		return Answer{}, text.Refusal("That game has " + text.Number(len(r.Rounds), "round") + ".")
	}
	return Say(told...), nil
}

// Record returns a finished game as it was recorded; with an error, what holds of a damaged record.
func Record(ctx context.Context, v *lobby.Visit, game table.GameID) (*lobby.GameInfo, *replay.Record, error) {
	info, lines, err := v.Record(ctx, game)
	if err != nil {
		return nil, nil, err
	}
	r, err := replay.ReadLines(lines)
	r.Teams = info.Teams
	if err != nil {
		err = fmt.Errorf("read the record of game %d: %w", game, err)
	}
	return &info, r, err
}

// ErrNoGame is returned over ssh for a game that does not exist, or is not over.
const ErrNoGame text.Refusal = "No finished game has that number; a game in progress can't be shown or exported."

// noGame turns lobby.ErrNoGame into ErrNoGame.
func noGame(err error) error {
	if errors.Is(err, lobby.ErrNoGame) {
		return ErrNoGame
	}
	return err
}

// ofGame returns the Run of a feature about a finished game whose number is its first word.
func ofGame(tell func(context.Context, *Ask, table.GameID) (Answer, error)) func(context.Context, *Ask) (Answer, error) {
	return func(ctx context.Context, q *Ask) (Answer, error) {
		n, err := Number(q.Words[0])
		if err != nil {
			return Answer{}, err
		}
		ans, err := tell(ctx, q, table.GameID(n))
		return ans, noGame(err)
	}
}

// export answers with the record of a finished game as it is in the journal, and nothing else.
func export(ctx context.Context, q *Ask, id table.GameID) (Answer, error) {
	_, lines, err := q.Visit.Record(ctx, id)
	return Say(lines...), err
}

func versus(ctx context.Context, q *Ask) (Answer, error) {
	a, err := q.teamOf(ctx, q.Words[0])
	if err != nil {
		return Answer{}, err
	}
	b, err := q.teamOf(ctx, q.Words[1])
	if err != nil {
		return Answer{}, err
	}
	h, err := q.Visit.HeadToHead(ctx, a.ID, b.ID)
	if err != nil {
		return Answer{}, err
	}
	first := fmt.Sprintf("%s against %s: games %d to %d, points %d to %d.", a.Name, b.Name, h.WonA, h.WonB, h.PointsA, h.PointsB)
	return Say(append([]string{first}, q.games(h.Games)...)...), nil
}

const errSeason Usage = "Use season with players or teams, and a month such as 2026-11."

// points answers with the table of a month.
func points(ctx context.Context, q *Ask) (Answer, error) {
	when, teams := season.Month(q.Now), false
	for _, w := range q.Words {
		switch w = strings.ToLower(w); {
		case kinds[w] == lobby.KindTeam, kinds[w] == lobby.KindPlayer:
			teams = kinds[w] == lobby.KindTeam
		case month.MatchString(w):
			when = w
		default:
			return Answer{}, errSeason
		}
	}
	rows, err := q.Visit.Season(ctx, when, teams)
	return list(q, plain.SeasonRows, rows, "Season of "+when+".", "", func(r *season.Row) string {
		points, events := text.Number(r.Points, "point"), text.Number(r.Events, "event")
		return fmt.Sprintf("%d. %s, %s, %s, %d won.", r.Place, r.Name, points, events, r.Won)
	}), err
}

const errPast Usage = "Use past, past NAME, or past team TAG."

// past answers with events that are over: all, or those in which a person or a team was among the best.
func past(ctx context.Context, q *Ask) (Answer, error) {
	var player table.PlayerID
	var team table.TeamID
	switch {
	case len(q.Words) > 1 && strings.EqualFold(q.Words[0], "team"):
		t, err := q.Visit.AnyTeam(ctx, q.Words[1])
		if errors.Is(err, lobby.ErrNoTeam) {
			err = errTag
		}
		if err != nil {
			return Answer{}, err
		}
		team = t.ID
	case strings.EqualFold(q.text(), "team"):
		return Answer{}, errPast
	case len(q.Words) > 0:
		who, err := q.Visit.Profile(ctx, q.text())
		if err != nil {
			return Answer{}, err
		}
		player = who.ID
	}
	all, err := q.Visit.PastEvents(ctx, player, team)
	all = all[:min(len(all), 100)]
	return list(q, plain.PastEvents, all, "", "", func(p *season.Past) string {
		return text.Printable(p.At.UTC().Format("2 January 2006") + ", " + p.Title + ": " + plain.Podium(p) + ".")
	}), err
}
