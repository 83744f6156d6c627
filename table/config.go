package table

import (
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"boneyard/rules"
)

// ID is the number of a table, as people say it: "watch 12". Numbers are not used again.
type ID int64

// GameID is the number of a game in the journal: "export 412". A table that plays a rematch has a new game.
type GameID int64

// PlayerID is the number of a person. Members of the club have positive numbers; guests have negative ones,
// which mean nothing after they have left; 0 is nobody.
type PlayerID int64

// Guest reports whether the player has no key, and so owns nothing.
func (p PlayerID) Guest() bool { return p < 0 }

// TeamID is the number of a team, 0 for none.
type TeamID int64

// Player is somebody who sits, watches or speaks.
type Player struct {
	ID   PlayerID `json:"id"`
	Name string   `json:"name"`
	Bot  bool     `json:"bot,omitempty"`  // an account that says it is a program
	Team TeamID   `json:"team,omitempty"` // the player's team, 0 for none
	Was  string   `json:"was,omitempty"`  // in a game: the house bot whose seat the player took over, as in the record
	Tag  string   `json:"tag,omitempty"`  // the team's short tag
	For  string   `json:"for,omitempty"`  // the team's name, where it is known
}

// Names returns the names of some players; nil for nobody.
func Names(players []Player) (names []string) {
	for i := range players {
		names = append(names, players[i].Name)
	}
	return names
}

// Access says who may sit down.
type Access string

// Who may sit.
const (
	AccessOpen  Access = "open"  // anyone
	AccessCode  Access = "code"  // anyone who knows the code
	AccessTeams Access = "teams" // members of two teams, seats 1+3 against 2+4
)

// Pace is how long a turn may take.
type Pace string

// Paces. All but none and slow have a bank of two minutes a game on top.
const (
	PaceNone    Pace = "none"
	PaceRelaxed Pace = "relaxed"
	PaceNormal  Pace = "normal"
	PaceFast    Pace = "fast"
	PaceSlow    Pace = "slow" // tables that live for days
)

// Turn returns the time for one turn, 0 for no limit.
func (p Pace) Turn() time.Duration {
	switch p {
	case PaceRelaxed:
		return 60 * time.Second
	case PaceNormal:
		return 30 * time.Second
	case PaceFast:
		return 15 * time.Second
	case PaceSlow:
		return 24 * time.Hour
	}
	return 0
}

// Bank returns the time on top of all turns of a game, for each seat.
func (p Pace) Bank() time.Duration {
	switch p {
	case PaceRelaxed, PaceNormal, PaceFast:
		return 2 * time.Minute
	}
	return 0
}

// Absence says what happens to a seat whose player is away.
type Absence string

// What happens for absent players; shown before sitting down.
const (
	AbsenceBot     Absence = "bot"     // a bot plays on; the seat is given back on return
	AbsenceWait    Absence = "wait"    // the table waits, up to 24 h; then the others may claim the game
	AbsenceForfeit Absence = "forfeit" // the absent side loses
)

// Fill says when bots take the free seats.
type Fill string

// When bots come.
const (
	FillNow   Fill = "now"
	FillSoon  Fill = "soon" // 30 s after the first player has sat down
	FillNever Fill = "never"
)

// Strength is how well a house bot plays.
type Strength string

// The house bots.
const (
	Novice  Strength = "novice"
	Casual  Strength = "casual"
	Regular Strength = "regular"
	Expert  Strength = "expert"
	Master  Strength = "master"
)

// Config is how a table is made. It does not change afterwards.
type Config struct {
	Name      string        `json:"name"`
	Rules     rules.Ruleset `json:"-"` // written as its rule string
	RuleText  string        `json:"rules"`
	Seats     int           `json:"seats"`
	Access    Access        `json:"access"`
	Teams     [2]TeamID     `json:"teams,omitempty"` // for AccessTeams: who plays 1+3 and 2+4; 0: the first team to sit
	Pace      Pace          `json:"pace"`
	Watchers  bool          `json:"watchers"`            // whether people may watch
	OpenHands bool          `json:"openHands,omitempty"` // whether watchers who do not play see the hands, two minutes late
	Fill      Fill          `json:"fill"`
	Strength  Strength      `json:"strength"` // of the bots that fill seats
	Absence   Absence       `json:"absence"`
	Guide     bool          `json:"guide,omitempty"`     // a newcomer's first round, in which each move is explained
	House     bool          `json:"house,omitempty"`     // the exhibition table, where only house bots play
	Event     Event         `json:"event,omitzero"`      // to which the table belongs; zero for none
	Challenge EventID       `json:"challenge,omitempty"` // for which it was made, as an ordinary table; 0 for none
}

// ErrConfig is returned when a table cannot be made as requested, wrapped in a sentence for the player.
var ErrConfig = errors.New("the table cannot be made")

// Validate reports whether a table can be made from c. The error wraps ErrConfig.
func (c Config) Validate() error { return c.complete() }

// complete validates the configuration and brings it into its final form: the rules and their text agree, and
// a team table has no bots.
func (c *Config) complete() error {
	const maxTableName = 40 // the longest name of a table, in runes
	if c.Rules == (rules.Ruleset{}) {
		r, err := rules.Parse(c.RuleText)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrConfig, err)
		}
		c.Rules = r
	}
	c.RuleText = c.Rules.String()
	if err := c.Rules.CheckSeats(c.Seats); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	known := slices.Contains([]Access{AccessOpen, AccessCode, AccessTeams}, c.Access) &&
		slices.Contains([]Pace{PaceNone, PaceRelaxed, PaceNormal, PaceFast, PaceSlow}, c.Pace) &&
		slices.Contains([]Absence{AbsenceBot, AbsenceWait, AbsenceForfeit}, c.Absence) &&
		slices.Contains([]Fill{FillNow, FillSoon, FillNever}, c.Fill) &&
		slices.Contains(Strengths(), c.Strength)
	switch {
	case !known:
		return fmt.Errorf("%w: it has a choice that does not exist", ErrConfig)
	case c.OpenHands && !c.Watchers:
		return fmt.Errorf("%w: hands cannot be shown where nobody may watch", ErrConfig)
	case c.OpenHands && c.Pace == PaceSlow:
		return fmt.Errorf("%w: with a day for each turn, hands shown two minutes late would give them away", ErrConfig)
	case utf8.RuneCountInString(c.Name) > maxTableName:
		return fmt.Errorf("%w: its name has more than %d characters", ErrConfig, maxTableName)
	case c.Access == AccessTeams && (c.Seats != 4 || !c.Rules.Teams):
		return fmt.Errorf("%w: two teams need four seats and a game with partners", ErrConfig)
	case c.Access == AccessTeams && c.Teams[0] != 0 && c.Teams[0] == c.Teams[1]:
		return fmt.Errorf("%w: a team cannot play against itself", ErrConfig)
	}
	if c.Access == AccessTeams {
		c.Fill = FillNever
	} else {
		c.Teams = [2]TeamID{}
	}
	return nil
}

// DefaultConfig returns an open two-seat classic table with bots after half a minute.
func DefaultConfig() Config {
	return Config{
		Rules: rules.Classic.Rules(), RuleText: "classic", Seats: 2, Access: AccessOpen, Pace: PaceRelaxed,
		Watchers: true, Fill: FillSoon, Strength: Regular, Absence: AbsenceBot,
	}
}

// Game returns what is played in words: "classic to 200, partners, hand=5".
func (c *Config) Game() string {
	if c.Event.Sealed {
		return c.Rules.DealtWords(c.Seats)
	}
	return c.Rules.Words(c.Seats)
}
