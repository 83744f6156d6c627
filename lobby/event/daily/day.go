// Package daily knows the deal of the day: one set of deals that everybody plays at a table with house bots,
// and whose results are compared. It must not know a screen or SQL.
package daily

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"boneyard/lobby/event"
	"boneyard/lobby/text"
	"boneyard/rules"
	"boneyard/table"
)

// Kind is the event kind of the daily deals.
const Kind event.Kind = "daily"

// Type is the type of these events.
var Type = &event.Type{
	Kind: Kind, New: New, Config: Config{}, Data: entries.Data(), Keep: keep,
	Title: "Daily deal", None: ErrNone, Season: &event.Worth{Rival: 1, Best: 20},
}

// Rounds is the number of rounds of a day.
const Rounds = 5

// Config is the configuration of a day.
type Config struct {
	Number int    `json:"number"` // counts the days since the club's first
	Rules  string `json:"rules"`
	Commit string `json:"commitment"` // to the seed
}

// KeyOf returns the key of the day that contains at, in UTC: "2026-11-21".
func KeyOf(at time.Time) string { return at.UTC().Format(time.DateOnly) }

// Bounds returns the start of the day that contains at, and its end, which is the start of the next day.
func Bounds(at time.Time) (begins, ends time.Time) {
	begins = at.UTC().Truncate(24 * time.Hour)
	return begins, begins.Add(24 * time.Hour)
}

// rulesOn returns the rules of the day with a number: the five games take turns.
func rulesOn(number int) string {
	all := rules.Presets()
	return fmt.Sprintf("%s rounds=%d", all[number%len(all)], Rounds)
}

// noGame is the rule string of days of block before block was played with partners. It describes no game, so
// nobody has played such a day.
const noGame = "block teams=off rounds=5"

// ErrNoGame is returned for an attempt at a deal whose rules this program does not know.
const ErrNoGame text.Refusal = "The deal of this day can't be played any more."

// Make returns the event of the day that contains at.
func Make(at time.Time, number int, seed rules.Seed) event.Event {
	begins, ends := Bounds(at)
	e := event.MakeDealt(Kind, Config{Number: number, Rules: rulesOn(number), Commit: seed.Commitment()}, seed, begins)
	e.Key, e.Ends = KeyOf(at), ends
	return e
}

// Kinds of entries, in addition to event.KindOver.
const (
	kindAttempt = "attempt"
	kindFrom    = "from"
	kindResult  = "result"
)

type attempt struct {
	No     int64          `json:"no"`
	Player table.PlayerID `json:"player"`
	Name   string         `json:"name"`
	Apart  bool           `json:"apart,omitempty"` // the account was new
	Net    string         `json:"net,omitempty"`   // hash of the network where it was begun; empty if that identifies nobody
}

// from is a further network from which an attempt is played.
type from struct {
	No  int64  `json:"no"`
	Net string `json:"net"`
}

type result struct {
	No      int64        `json:"no"`
	Game    table.GameID `json:"game"`
	For     int          `json:"for"`
	Against int          `json:"against"`
	Played  bool         `json:"played"` // to the end
}

// Row is a player's result for a day.
type Row struct {
	No      int64
	Player  table.PlayerID
	Name    string
	New     bool         // the account was new
	Apart   bool         // listed without a place: the account was new, or another attempt came from the same network
	Game    table.GameID // 0 while it is in progress, and if it was not finished in time
	Playing bool         // it is in progress
	For     int
	Against int
	Played  bool
	Place   int // equal results share one; 0 without one
}

// Diff returns the result: points of the player's side less points of the other.
func (r *Row) Diff() int { return r.For - r.Against }

// Day is a day as readers see it. It is immutable.
type Day struct {
	event.Head
	Key    string
	Begins time.Time
	Ends   time.Time
	Over   bool
	Seed   string // empty until the day is over
	Spared bool   // nobody could play it, so it ends no streak
	Config
	Rows    []Row // finished attempts by result, those apart last; then unfinished ones
	Hidden  int   // finished attempts left out of Rows, see SeenBy
	Changes int   // number of changes so far
}

// Plan implements [event.View]: the club creates a day, and nobody can call it off.
func (d *Day) Plan() event.Plan { return event.Plan{Kind: Kind, Begun: true, Over: d.Over} }

// Players implements [event.View]: nobody enters before playing.
func (d *Day) Players() []table.Player { return nil }

// SeenBy returns the day as a player may see it: until it is over, results of others are hidden until the
// player's own attempt has ended.
func (d *Day) SeenBy(p table.PlayerID) *Day {
	own := d.Of(p)
	if d.Over || own != nil && own.Game != 0 {
		return d
	}
	day := *d
	day.Rows = nil
	if own != nil {
		day.Rows = []Row{*own}
	}
	for i := range d.Rows {
		if d.Rows[i].Game != 0 {
			day.Hidden++
		}
	}
	return &day
}

// Placed returns how many players have a place.
func (d *Day) Placed() (n int) {
	for i := range d.Rows {
		if d.Rows[i].Place > 0 {
			n++
		}
	}
	return n
}

// Of returns a player's row, or nil if they have not begun.
func (d *Day) Of(p table.PlayerID) *Row {
	if i := slices.IndexFunc(d.Rows, func(r Row) bool { return r.Player == p }); i >= 0 {
		return &d.Rows[i]
	}
	return nil
}

// Plays implements [event.Alone].
func (d *Day) Plays(p table.PlayerID) bool { return !d.Over && d.Of(p) != nil }

// Points returns, for each row with a place, the percentage of the other placed players who did worse; equal
// results count half. Without others it is 100.
func (d *Day) Points() []float64 {
	placed := d.Rows[:d.Placed()] // they come first
	points := make([]float64, len(placed))
	for from := 0; from < len(placed); {
		to := from + 1 // the end of those with equal results
		for to < len(placed) && placed[to].Place == placed[from].Place {
			to++
		}
		each := 100.0
		if others := len(placed) - 1; others > 0 {
			each = 100 * (float64(len(placed)-to) + 0.5*float64(to-from-1)) / float64(others)
		}
		for i := range to - from {
			points[from+i] = each
		}
		from = to
	}
	return points
}

// Compared returns the finished games that decisions are compared with, at most so many: the first ones
// begun, those of new accounts and shared networks last.
func (d *Day) Compared(most int) []table.GameID {
	var rows []*Row
	for i := range d.Rows {
		if r := &d.Rows[i]; r.Played {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b *Row) int {
		if a.Apart != b.Apart {
			if b.Apart {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.No, b.No)
	})
	return text.Each(rows[:min(most, len(rows))], func(r *Row) table.GameID { return r.Game })
}

type dayRules struct {
	event  event.Event
	config Config
	seed   rules.Seed
	spared bool
	rows   []Row      // by attempt; No counts from 1
	nets   [][]string // by attempt: hashes of the networks from which it was played
	count  int        // of entries
	over   bool
}

// New returns the state of a new day.
func New(e event.Event) (event.Rules, error) {
	d := &dayRules{event: e}
	var err error
	if d.seed, err = e.ReadDealt(&d.config, &d.config.Commit); err != nil {
		return nil, err
	}
	if d.config.Rules == noGame {
		d.config.Rules, d.spared = rulesOn(int(rules.Block)), true
	}
	return d, nil
}

// Attempt begins a player's attempt, from a network's hash; it does nothing if they have already begun.
func Attempt(p table.Player, apart bool, net string) func(event.Rules, time.Time) ([]event.Entry, error) {
	return func(r event.Rules, now time.Time) ([]event.Entry, error) {
		d, ok := r.(*dayRules)
		switch {
		case !ok:
			return nil, event.ErrNotFound
		case slices.ContainsFunc(d.rows, func(r Row) bool { return r.Player == p.ID }):
			return nil, nil
		case now.Before(d.event.Begins) || !now.Before(d.event.Ends):
			return nil, event.ErrOver
		case TableConfig(&d.config).Validate() != nil:
			return nil, ErrNoGame
		}
		a := attempt{No: int64(len(d.rows) + 1), Player: p.ID, Name: p.Name, Apart: apart, Net: net}
		return []event.Entry{event.New(kindAttempt, a)}, nil
	}
}

// From records that a player continues their attempt from a network, given as a hash.
func From(p table.PlayerID, net string) func(event.Rules, time.Time) ([]event.Entry, error) {
	const mostNets = 16 // limits the networks recorded for an attempt
	return func(r event.Rules, _ time.Time) ([]event.Entry, error) {
		d, ok := r.(*dayRules)
		if !ok {
			return nil, event.ErrNotFound
		}
		i := slices.IndexFunc(d.rows, func(r Row) bool { return r.Player == p })
		if i < 0 || d.rows[i].Game != 0 || net == "" || len(d.nets[i]) >= mostNets || slices.Contains(d.nets[i], net) {
			return nil, nil
		}
		return []event.Entry{event.New(kindFrom, from{No: d.rows[i].No, Net: net})}, nil
	}
}

func (d *dayRules) Apply(e event.Entry) error {
	d.count++
	return entries.Apply(d, e)
}

var entries = event.Entries[*dayRules]{
	kindAttempt: event.On((*dayRules).attempt),
	kindFrom:    event.On((*dayRules).from),
	kindResult:  event.On((*dayRules).take),
	event.KindOver: event.Does(func(d *dayRules, at time.Time, _ event.Nothing) {
		d.over = true
		if len(d.rows) == 0 && at.Sub(d.event.Ends) > endsLate {
			d.spared = true // the club was closed when it ended
		}
	}),
}

// endsLate is the latest that a day ends after its planned end if the club is open.
const endsLate = time.Hour

func (d *dayRules) attempt(_ time.Time, a attempt) error {
	if a.No != int64(len(d.rows)+1) {
		return fmt.Errorf("attempt %d follows on %d", a.No, len(d.rows))
	}
	d.rows = append(d.rows, Row{No: a.No, Player: a.Player, Name: a.Name, New: a.Apart})
	d.nets = append(d.nets, slices.DeleteFunc([]string{a.Net}, func(net string) bool { return net == "" }))
	return nil
}

func (d *dayRules) from(_ time.Time, f from) error {
	if f.No < 1 || f.No > int64(len(d.rows)) {
		return fmt.Errorf("a network of attempt %d", f.No)
	}
	d.nets[f.No-1] = append(d.nets[f.No-1], f.Net)
	return nil
}

func (d *dayRules) take(_ time.Time, r result) error {
	if r.No < 1 || r.No > int64(len(d.rows)) || d.rows[r.No-1].Game != 0 {
		return fmt.Errorf("a result of attempt %d", r.No)
	}
	row := &d.rows[r.No-1]
	row.Game, row.For, row.Against, row.Played = r.Game, r.For, r.Against, r.Played
	return nil
}

func (d *dayRules) Ended(_ time.Time, p event.Played) []event.Entry {
	no := p.Start.Event.Pairing
	if no < 1 || no > int64(len(d.rows)) || d.rows[no-1].Game != 0 || len(p.Result.Scores) != 2 {
		return nil
	}
	return []event.Entry{event.New(kindResult, result{
		No: no, Game: p.Game, For: p.Result.Scores[0], Against: p.Result.Scores[1], Played: p.Result.Ending == table.EndPlayed,
	})}
}

func (d *dayRules) HasResult(id table.GameID) bool {
	return slices.ContainsFunc(d.rows, func(r Row) bool { return r.Game == id })
}

func (d *dayRules) Due(now time.Time) []event.Entry {
	if now.Before(d.event.Ends) {
		return nil
	}
	return []event.Entry{event.New(event.KindOver, struct{}{})}
}

func (d *dayRules) Next() time.Time { return d.event.Ends }

func (d *dayRules) Check(games []event.Played) (faults []string) {
	ended := event.ByGame(games)
	for i := range d.rows {
		r := &d.rows[i]
		if r.Game == 0 {
			continue
		}
		switch p := ended[r.Game]; {
		case p == nil:
			faults = append(faults, fmt.Sprintf("%s has the result of game %d, which is not among its games", r.Name, r.Game))
		case p.Start.Event.Pairing != r.No || len(p.Result.Scores) != 2 || p.Result.Scores[0] != r.For || p.Result.Scores[1] != r.Against ||
			(p.Result.Ending == table.EndPlayed) != r.Played:
			faults = append(faults, fmt.Sprintf("%s has %d to %d, and game %d ended %v", r.Name, r.For, r.Against, r.Game, p.Result.Scores))
		}
	}
	return faults
}

// Wanted implements [event.Rules]: it wants a table for each unfinished attempt.
func (d *dayRules) Wanted() (list []event.Pairing) {
	cfg := TableConfig(&d.config)
	if cfg.Validate() != nil {
		return nil
	}
	cfg.Event.Sealed = true
	for i := range d.rows {
		if r := &d.rows[i]; r.Game == 0 {
			list = append(list, event.Pairing{No: r.No, Config: cfg, Occasion: table.Occasion{
				Seed: d.seed, Seats: []table.Player{{ID: r.Player, Name: r.Name}},
			}})
		}
	}
	return list
}

// Partners reports whether the day's game is played with a house expert as partner, against two more.
func (c *Config) Partners() bool {
	r, err := rules.Parse(c.Rules)
	return err == nil && r.Teams
}

// TableConfig returns the configuration of a table where one person plays a day's deals with house experts.
func TableConfig(c *Config) table.Config {
	cfg := table.DefaultConfig()
	cfg.Name = fmt.Sprintf("Daily deal %d", c.Number)
	cfg.Rules, cfg.RuleText, cfg.Seats = rules.Ruleset{}, c.Rules, 2
	if c.Partners() {
		cfg.Seats = 4
	}
	cfg.Pace, cfg.Watchers, cfg.Fill, cfg.Strength = table.PaceNone, false, table.FillNow, table.Expert
	cfg.Event = table.Event{Private: true, Solo: true, Fixed: true}
	return cfg
}

func (d *dayRules) View(at map[int64]table.ID) event.View {
	e := &d.event
	day := &Day{
		Head: event.Head{ID: e.ID, At: at}, Key: e.Key, Begins: e.Begins, Ends: e.Ends, Over: d.over, Spared: d.spared,
		Config: d.config, Rows: slices.Clone(d.rows), Changes: d.count,
	}
	attempts := map[string]int{} // by network
	for _, net := range slices.Concat(d.nets...) {
		attempts[net]++
	}
	for i := range day.Rows {
		r := &day.Rows[i]
		r.Playing = r.Game == 0 && !d.over
		r.Apart = r.New || slices.ContainsFunc(d.nets[i], func(net string) bool { return attempts[net] > 1 })
	}
	if d.over {
		day.Seed = d.event.Secret
	}
	class := func(r *Row) int {
		switch {
		case !r.Played:
			return 2
		case r.Apart:
			return 1
		}
		return 0
	}
	slices.SortFunc(day.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(class(&a), class(&b)), cmp.Compare(b.Diff(), a.Diff()), cmp.Compare(a.No, b.No))
	})
	for i := range day.Rows {
		r := &day.Rows[i]
		if class(r) > 0 {
			break
		}
		if r.Place = i + 1; i > 0 && day.Rows[i-1].Diff() == r.Diff() {
			r.Place = day.Rows[i-1].Place
		}
	}
	return day
}

// Outcomes implements [event.Ranked]. Players who share a network have no place.
func (d *Day) Outcomes(e *event.Event, games []event.Played) []event.Outcome {
	if !d.Over || d.Placed() == 0 {
		return nil
	}
	earned := event.Earned(games, false)
	var all []event.Contender
	for i := range d.Rows[:d.Placed()] {
		r := &d.Rows[i]
		all = append(all, event.Contend(r.Place, []table.Player{{ID: r.Player, Name: r.Name}}, nil, earned))
	}
	return []event.Outcome{{Title: Type.Title + " of " + d.Begins.Format("2 Jan"), Places: Type.Season.Score(all)}}
}
