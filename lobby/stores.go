package lobby

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// Errors of the stores, wrapped with what was being done.
var (
	ErrNotFound = errors.New("there is no such thing")
	ErrTaken    = errors.New("that name is taken")
)

// KeyID is the SHA-256 of a public key in SSH wire form: the identity of a member.
type KeyID [32]byte

// Account is a member of the club.
type Account struct {
	ID       table.PlayerID
	Name     string
	Key      KeyID
	Bot      bool // declared to be a program
	Created  time.Time
	Settings Settings
	Team     table.TeamID // 0 for none
	Tag      string       // of the team
	TeamName string

	read uint64 // Lobby.edits at the time of reading
}

// Settings are a person's choices. A guest's last as long as the visit.
type Settings struct {
	Theme       string   `json:"theme"` // dark, light, mono; empty: the terminal's background decides
	Faces       string   `json:"faces"` // digits, pips, ascii
	Bell        bool     `json:"bell"`
	Mouse       bool     `json:"mouse"`
	LineMode    bool     `json:"line_mode"`
	BellOffered bool     `json:"bell_offered,omitempty"` // the bell was offered once, at the first play
	NoGuide     bool     `json:"no_guide,omitempty"`     // the guide to the first round was skipped
	NoEarnings  bool     `json:"no_earnings,omitempty"`  // do not show below each tile what it would score
	NoReminders bool     `json:"no_reminders,omitempty"` // no reminders of appointments
	Calm        bool     `json:"calm,omitempty"`         // no animation when a play scores
	Ignored     []string `json:"ignored,omitempty"`      // names whose chat is not shown

	IgnoredNets []IgnoredNet `json:"ignored_nets,omitempty"` // networks whose guests' chat is not shown

	Friends       []string `json:"friends,omitempty"`         // names; see Visit.Befriend
	NoFriendNotes bool     `json:"no_friend_notes,omitempty"` // do not say when friends come
	ComesQuietly  bool     `json:"comes_quietly,omitempty"`   // do not tell others when this member comes
}

// Accounts keeps members.
type Accounts interface {
	ByKey(ctx context.Context, key KeyID) (*Account, error)    // or ErrNotFound
	ByName(ctx context.Context, name string) (*Account, error) // by skeleton; or ErrNotFound
	// Create creates a member; skeleton is the name's [text.Skeleton]. ErrTaken for a taken name or key.
	Create(ctx context.Context, key KeyID, name, skeleton string, now time.Time) (*Account, error)
	Save(ctx context.Context, id table.PlayerID, s Settings, bot bool) error
	Seen(ctx context.Context, id table.PlayerID, now time.Time) error
}

// Team is two or more members who play under one name.
type Team struct {
	ID      table.TeamID
	Name    string
	Tag     string
	Captain table.PlayerID
	Created time.Time
	Ended   time.Time // zero while it has members
	Members []Member  // in order of joining
	Invited []string  // names
	Stand   *Standing // over all games; nil before the first rated one, as for members
	Recent  []GameInfo
}

// TeamRow is a team in a list.
type TeamRow struct {
	ID      table.TeamID
	Name    string
	Tag     string
	Captain string
	Members int
	Stand   *Standing // over all games, without rank and history; nil before the first rated one
	Shield  bool      // holds the season's shield; set by the lobby
}

// Member is a player on a roster.
type Member struct {
	ID     table.PlayerID
	Name   string
	Joined time.Time
	Seen   time.Time // last visit; zero if not asked for
	Stand  *Standing
}

// Invitation invites a member to a team.
type Invitation struct {
	Team table.TeamID
	Name string
	Tag  string
	From string
	At   time.Time
}

// Teams keeps teams. A member is in one team at most (ErrHasTeam). Only the captain invites (ErrCaptain), and
// no members of the team (ErrInTeam). A team, member or invitation that does not exist is ErrNotFound.
type Teams interface {
	CreateTeam(ctx context.Context, captain table.PlayerID, name, skeleton, tag string, now time.Time) (*Team, error) // ErrTaken
	Team(ctx context.Context, id table.TeamID) (*Team, error)
	// FindTeam returns the team whose tag, or else name, looks like the word, preferring existing teams.
	FindTeam(ctx context.Context, word string) (*Team, error)
	ListTeams(ctx context.Context, after string, limit int) ([]TeamRow, error) // not disbanded, by skeleton, after this one
	Invite(ctx context.Context, team table.TeamID, by, player table.PlayerID, now time.Time) error
	// Invitations returns a member's open invitations, newest first, at most 50.
	Invitations(ctx context.Context, player table.PlayerID) ([]Invitation, error)
	Accept(ctx context.Context, team table.TeamID, player table.PlayerID, now time.Time) error
	Decline(ctx context.Context, team table.TeamID, player table.PlayerID) error
	// LeaveTeam disbands the team if its last member leaves. It returns ErrHandOver for the captain of others.
	LeaveTeam(ctx context.Context, player table.PlayerID, now time.Time) error
	HandOver(ctx context.Context, team table.TeamID, to table.PlayerID) error
}

// Kind is one of the three standings.
type Kind string

// Standings of teams, of pairs (partners at open tables), and of players.
const (
	KindTeam   Kind = "team"
	KindPair   Kind = "pair"
	KindPlayer Kind = "player"
)

// StandingsQuery selects a table of standings.
type StandingsQuery struct {
	Kind  Kind
	Game  string // a preset, or empty for all games
	Month string // "2026-11", or empty for all time
	Limit int
}

// Standing is one row of the standings.
type Standing struct {
	Rank        int
	ID          int64
	Name        string // of a pair: "ana + ben"
	Tag         string // of a team
	Rating      int    // as shown
	Provisional bool
	Games       int
	Won         int
	Lost        int
	Shared      int // games that ended with equal highest scores
	For         int // points
	Against     int
	Streak      int    // wins in a row; losses are negative
	LastFive    string // such as "WWLWL", newest last
	History     []int  // the last ratings as shown, at most 24, newest last
	Shield      bool   // a player or a team holds the season's shield; set by the lobby
}

// HeadToHead is how two teams fared against each other.
type HeadToHead struct {
	A, B       Standing
	WonA, WonB int
	PointsA    int
	PointsB    int
	Games      []GameInfo // newest first
}

// Standings answers questions from the journal's results.
type Standings interface {
	// Standings lists rows, best first, settled ratings before provisional ones.
	Standings(ctx context.Context, q StandingsQuery) ([]Standing, error)
	// Standing returns the row of one player, pair or team over all games and all time, or nil.
	Standing(ctx context.Context, kind Kind, id int64) (*Standing, error)
	// Ratings returns the ratings of the best players, at most limit.
	Ratings(ctx context.Context, limit int) (map[table.PlayerID]int, error)
	// HeadToHead counts rated games, including those of disbanded teams. ErrNotFound for an unknown team.
	HeadToHead(ctx context.Context, a, b table.TeamID) (*HeadToHead, error)
	Months(ctx context.Context) ([]string, error) // with rated games, newest first
}

// GameInfo is a game in one line of a list.
type GameInfo struct {
	ID       table.GameID
	Table    table.ID
	Rules    string
	Seats    []string // names by seat
	Scores   []int    // by side
	Winner   int      // a side; 0 without a result
	Ending   table.Ending
	Rated    bool
	Teams    [2]string // tags, of a team game
	Started  time.Time
	Ended    time.Time // zero if it is not over
	Rounds   int
	Finished bool
	Changes  []table.Delta // changes of ratings; only with a record, as Times
	Times    []time.Time   // when each line of the record was written
}

// MaxWords is the most words in a search for games.
const MaxWords = 8

// GamesQuery selects games; empty fields match all.
type GamesQuery struct {
	Text   string         // each word is the beginning of a word in player names, team tags, rules, the date (2026-11-21) or the month's name
	Player table.PlayerID // games in which this member had a seat
	With   table.PlayerID // games in which this member had one, too
	Before table.GameID   // for paging: only games with a lower number
	Limit  int
	Mine   table.PlayerID // include unfinished games of this member
}

// Games answers questions from the journal.
type Games interface {
	// Games returns ErrManyWords for a text of more than MaxWords words.
	Games(ctx context.Context, q GamesQuery) ([]GameInfo, error)
	// Record returns the lines of a finished game; ErrNotFound for any other.
	Record(ctx context.Context, id table.GameID) (GameInfo, []string, error)
}

// Line is something said in the lobby or at an event.
type Line = table.ChatLine

// Kinds of a [NewsItem], in addition to those of event types.
const (
	NewsResult   = "result"
	NewsComeback = "comeback"
	NewsBest     = "best"
	NewsStreak   = "streak"
	NewsTeam     = "team"
)

// NewsItem is something that others did.
type NewsItem struct {
	ID     int64
	At     time.Time
	Kind   string       // one of the kinds above
	Text   string       // one line
	Game   table.GameID // the game to open, or 0
	Points int          // of a best play
}

// Talk keeps the chat of the lobby and of events, and the club's news.
type Talk interface {
	// Say stores a line said at an event, or in the lobby if at is 0, and returns its number.
	Say(ctx context.Context, at event.ID, l Line) (int64, error)
	// History returns the last lines, oldest first.
	History(ctx context.Context, at event.ID, limit int) ([]Line, error)
	AddNews(ctx context.Context, n NewsItem) (int64, error)
	News(ctx context.Context, limit int) ([]NewsItem, error) // newest first
	// TellsFull reports whether KeepTell would refuse a line from a sender.
	TellsFull(ctx context.Context, to, from table.PlayerID, most, each int) (bool, error)
	// KeepTell stores a line for a member who is away, unless there are already most lines for them, or each
	// of the same sender. A line of the club, from nobody, replaces its oldest.
	KeepTell(ctx context.Context, to table.PlayerID, l Line, most, each int) (kept bool, err error)
	// TakeTells removes and returns the lines stored for a member, oldest first.
	TakeTells(ctx context.Context, to table.PlayerID) ([]Line, error)
}

// Kinds of a [Sanction].
const (
	SanctionMute = "mute" // may not speak
	SanctionBan  = "ban"  // may not enter
)

// Sanction is a mute or a ban, of a member, a network, or both.
type Sanction struct {
	ID     int64
	Kind   string         // SanctionMute or SanctionBan
	Player table.PlayerID // a member; 0 for a network only
	Name   string         // the target as the operator named it: a player's name, or a network
	Key    *KeyID         // of a banned member
	Net    string         // a network in CIDR notation, such as 203.0.113.7/32; empty for a member only
	Until  time.Time      // zero: for good
	Why    string
	By     string
	At     time.Time
}

// Finds describes what a sanction applies to: "key", "203.0.113.7/32", or both.
func (s *Sanction) Finds() string {
	switch {
	case s.Player == 0:
		return s.Net
	case s.Net == "":
		return "key"
	}
	return "key, " + s.Net
}

// AuditEntry is something that an operator did.
type AuditEntry struct {
	At   time.Time
	By   string
	Did  string
	Whom string
	Why  string
}

// Report is a complaint about a player.
type Report struct {
	At    time.Time
	By    table.PlayerID // 0 for guests, when read from the store
	Name  string         // of the member who complains, set by the store; empty for a guest
	About string
	Text  string
	Where string
	Times int // how often the same person complained about the same

	Network string // a guest's, as a salted hash; empty when read from the store
}

// Suspicion is something in recent rated games that may be a trick to gain rating: two opponents who met
// often, a player who beat several newcomers, or one who lost many games quickly, by leaving, or with so few
// tiles chosen that nothing could be gained.
type Suspicion struct {
	Player   table.PlayerID
	Name     string
	Other    table.PlayerID // the opponent who won less often; 0 for quick losses and newcomers
	Against  string         // the opponent's name
	Games    int            // the two's games against each other, or all of the player's
	Count    int            // how many of them Player won, or lost quickly
	New      int            // opponents that Player beat in Count games on the day after they joined; else 0
	Networks int            // networks of those opponents

	OneNetwork bool // both are in the club now, from one network; set by the lobby
}

// Did describes the suspicion.
func (s *Suspicion) Did() string {
	switch {
	case s.New > 0:
		return fmt.Sprintf("beat newcomers in %d of %d games; accounts: %d, networks: %d", s.Count, s.Games, s.New, s.Networks)
	case s.Against == "":
		return fmt.Sprintf("quick losses: %d of %d games", s.Count, s.Games)
	}
	return fmt.Sprintf("beat %s in %d of %d games", s.Against, s.Count, s.Games)
}

// Moderation keeps sanctions, the audit log and reports, and finds suspicions in the journal's results.
type Moderation interface {
	AddSanction(ctx context.Context, s Sanction) (int64, error)
	LiftSanction(ctx context.Context, kind, whom string, now time.Time) (int, error) // by name, address, or number; returns how many
	Sanctions(ctx context.Context, now time.Time) ([]Sanction, error)                // in force
	Audit(ctx context.Context, e AuditEntry) error
	AuditLog(ctx context.Context, limit int) ([]AuditEntry, error)
	// AddReport stores a complaint, or adds it to an earlier one by the same person about the same; last is
	// the time of the previous one, or zero. The guests of a network count as one person.
	AddReport(ctx context.Context, r Report) (last time.Time, err error)
	Reports(ctx context.Context, limit int) ([]Report, error)
	// Suspicions returns at most limit of each kind, the most obvious first.
	Suspicions(ctx context.Context, since time.Time, limit int) ([]Suspicion, error)
}

// Stores are the lobby's stores, by subject. Except in tests, all are the same store.
type Stores struct {
	Tables     table.Journal
	Accounts   Accounts
	Teams      Teams
	Standings  Standings
	Games      Games
	Reviews    Reviews
	Talk       Talk
	Moderation Moderation
	Events     Events
}

// Events stores events, their time, and the club's ID.
type Events interface {
	event.Store
	event.TimeStore
	ClubID(ctx context.Context) (id uint64, err error) // 0 if none is stored
	KeepClubID(ctx context.Context, id uint64) error   // unless one is stored; not 0
}
